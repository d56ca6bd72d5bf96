"""The form of an output: what type of container it is, and in which order its entries come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.features import Feature
from sfumato.audit.blackbox.flatten import flat
from sfumato.audit.blackbox.values import key_of
from sfumato.numeric import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample

__all__ = ["form_features"]

_MOST_NAMED = 3


def form_features(sample: Sample) -> list[Feature]:
    """Return the form of outputs as a feature, where it is not always the same."""
    feature = Feature("the form of the output", _forms, ordered=False, name=_name)
    column = feature.column(sample)
    return [feature] if (column != column[0]).any() else []


def _forms(sample: Sample) -> NDArray[Any]:
    """Return a key for the form of each output; a single value has none."""
    if sample.orders is None:
        order = tuple(sample.fields)
        orders = [order] * (1 if isinstance(sample.outputs, np.ndarray) else sample.size)
    else:
        orders = sample.orders
    known: dict[tuple[str, tuple[str, ...]], int] = {}
    keys = []
    for output, order in zip(sample.outputs, orders, strict=False):
        form = (_container(output), order) if len(order) > 1 else ("", ())
        if form not in known:
            known[form] = key_of(repr(form))
        keys.append(known[form])
    return np.resize(np.array(keys, dtype=np.int64), sample.size)


def _container(output: Any) -> str:
    kind = type(output).__name__
    if isinstance(output, np.ndarray):
        return f"{kind} of {output.dtype}"
    name: Any = getattr(output, "name", None)
    index: Any = getattr(output, "index", None)
    counted = f" from {index.start}" if type(index).__name__ == "RangeIndex" else ""
    return f"{kind}{counted} named {shown(name)}" if isinstance(name, str) else kind + counted


def _name(sample: Sample, index: int) -> str:
    output = sample.outputs[index]
    entries = list(flat(output))
    if len(entries) < 2:
        return "a single value"
    more = len(entries) - _MOST_NAMED
    listed = ", ".join(entries[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_container(output)}: {listed}"
