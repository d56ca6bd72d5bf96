"""What is judged, by its signature: its output distribution, and what it says of itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.audit.claim import Claim, read_claim
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.distribution import distribution_of_table
from sfumato.audit.exact.entries import column_of, has_columns, is_data
from sfumato.audit.exact.independent import Each
from sfumato.audit.exact.neighbours import (
    Pairs,
    hardest_pairs,
    neighbouring_pairs,
    neighbours_need_inputs,
    rowwise_pairs,
)
from sfumato.errors import InputError
from sfumato.information import Channel
from sfumato.information.frames import frame_axes
from sfumato.numeric import shown
from sfumato.privacy.relation import Substitute
from sfumato.refusal import Argument

__all__ = ["Subject", "read_subject"]


@dataclass(frozen=True)
class Subject:
    """A mechanism as a verdict sees it.

    Attributes
    ----------
    distribution
        The function from an input to the output distribution.
    inputs
        The inputs that it knows; None where any can be given.
    itself
        The object that was given, with its own guarantee, relation and neighbours, if any; None
        for a table.
    """

    distribution: Callable[[Any], Any]
    inputs: tuple[Any, ...] | None
    itself: Any

    def claim(self, epsilon: Any, delta: Any, order: Any) -> Claim:
        """Return what is claimed: what was given, else the mechanism's own guarantee."""
        if epsilon is not None:
            return read_claim(epsilon, delta, order)
        guarantee: Any = getattr(self.itself, "guarantee", None)
        if hasattr(guarantee, "exact_epsilon") and order is None and not delta:
            return read_claim(guarantee.exact_epsilon, getattr(guarantee, "exact_delta", 0))
        guaranteed = getattr(guarantee, "epsilon", None)
        if (
            order is None
            and callable(guaranteed)
            and math.isfinite(found := guaranteed(delta=delta))
        ):
            return read_claim(found, delta)
        raise InputError(
            "E-ARGUMENT-MISSING",
            "say what is claimed: write {epsilon}, say, or {example} for ln 2 exactly",
            epsilon=Argument("epsilon", 1),
            example=Argument("epsilon", "ln(2)"),
        )

    def pairs(self, inputs: Any, neighbours: Any) -> Pairs:
        """Return the pairs of inputs to examine."""
        if neighbours is None and inputs is None and self.inputs is None:
            own = getattr(self.itself, "neighbours", None)
            if callable(own):
                return hardest_pairs(own())
        if neighbours is None:
            neighbours = getattr(self.itself, "relation", None) or Substitute()
        domain = self.inputs if inputs is None else inputs
        if domain is None and neighbours_need_inputs(neighbours):
            raise InputError(
                "E-ARGUMENT-MISSING",
                "say on which inputs: write inputs=[0, 1], or neighbours=[(0, 1)] for pairs",
            )
        rowwise = isinstance(self.itself, Each) and isinstance(neighbours, Substitute)
        if rowwise and isinstance(domain, Datasets) and domain.ordered:
            return rowwise_pairs(domain, neighbours)
        return neighbouring_pairs(domain, neighbours)


def read_subject(mechanism: Any) -> Subject:
    """Read a mechanism by its signature: table, function, or an object with ``distribution``."""
    if isinstance(mechanism, type):
        raise InputError(
            "E-ARGUMENT-IS-CLASS",
            "{kind} is a class",
            "give a mechanism that is made of it",
            kind=mechanism.__name__,
        )
    if not is_data(mechanism) and callable(getattr(mechanism, "distribution", None)):
        return Subject(mechanism.distribution, None, mechanism)
    table = _table(mechanism)
    if table is not None:
        return Subject(distribution_of_table(table), tuple(table), None)
    if callable(mechanism):
        return Subject(mechanism, None, mechanism)
    refused = InputError(
        "E-ARGUMENT-TYPE",
        "a mechanism is a table of output probabilities for each input, a function that "
        "returns them for an input, or an object with a method distribution",
        "{mechanism} is none of these",
        mechanism=shown(mechanism),
    )
    if isinstance(mechanism, str):
        refused.refusal = refused.refusal.adding("a file is verified by sfumato verify FILE")
    raise refused


def _table(mechanism: Any) -> dict[Hashable, Any] | None:
    """Return the rows of a table by input; None for what is no table."""
    if isinstance(mechanism, Channel):
        rows = zip(mechanism.inputs, mechanism.rows, strict=True)
        return dict(rows)
    if isinstance(mechanism, Mapping):
        return _checked(dict(mechanism))
    if has_columns(mechanism):
        return _frame_rows(mechanism)
    if hasattr(mechanism, "__array__") and np.ndim(mechanism):
        return _checked(_labelled(*column_of(mechanism)))
    if isinstance(mechanism, (list, tuple)):
        return _checked(dict(enumerate(mechanism)))
    return None


def _labelled(labels: tuple[Hashable, ...], rows: list[Any]) -> dict[Hashable, Any]:
    found = dict(zip(labels, rows, strict=True))
    if len(found) < len(rows):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "two rows of the table have the same label",
            "label each differently",
        )
    return found


def _frame_rows(frame: Any) -> dict[Hashable, Any]:
    inputs, outputs = frame_axes(frame, "the table")
    matrix = np.asarray(frame).tolist()
    rows = [row if outputs is None else dict(zip(outputs, row, strict=True)) for row in matrix]
    return _checked(dict(enumerate(rows) if inputs is None else zip(inputs, rows, strict=True)))


def _checked(rows: dict[Hashable, Any]) -> dict[Hashable, Any]:
    """Refuse a table whose rows are none, or are lists of different lengths."""
    if not rows:
        raise InputError(
            "E-TABLE-EMPTY", "the table has no rows", "give one row of probabilities for each input"
        )
    sizes = {key: len(row) for key, row in rows.items() if _is_listed(row)}
    if len(set(sizes.values())) > 1:
        few, many = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the row of the input {few} has {sizes} entries and that of {many} has {other_sizes}",
            "give every row the same outcomes, with 0 for an impossible one",
            few=shown(few),
            sizes=sizes[few],
            many=shown(many),
            other_sizes=sizes[many],
        )
    return rows


def _is_listed(row: Any) -> bool:
    """Tell whether the outcomes of a row are only numbered."""
    return isinstance(row, (list, tuple)) or (isinstance(row, np.ndarray) and row.ndim == 1)
