"""Columns of short floats, which do not hold the keys that one writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.data import Source
    from sfumato.data.policy import Policy


def check_held(source: Source, name: str, values: Iterable[Any]) -> None:
    """Refuse keys that no cell of a column can be equal to, since its floats are too short."""
    kind = source.table.schema().get(name)
    bits = 8 * kind.nbytes if kind is not None and kind.is_floating() else 64
    if bits == 64:
        return
    for each in values:
        if not _is_held(each, bits):
            raise InputError(
                "E-KEYS-TYPE",
                "the column {name!r} holds floats of {bits} bits, none of which is {each!r}",
                "group by a derived column, such as sf.col({name!r}).round(2), and declare "
                "its keys, or store doubles",
                name=name,
                bits=bits,
                each=each,
            )


def check_all_held(source: Source, policy: Policy) -> None:
    """Refuse a policy in which keys are declared that no cell can be equal to."""
    for name, column in policy.columns.items():
        check_held(source, name, column.values or ())
    for keyset in policy.keysets:
        for name, side in zip(keyset.columns, zip(*keyset.rows, strict=True), strict=True):
            check_held(source, name, side)


def _is_held(value: float, bits: int) -> bool:
    with np.errstate(over="ignore"):
        return float(np.dtype(f"f{bits // 8}").type(value)) == value
