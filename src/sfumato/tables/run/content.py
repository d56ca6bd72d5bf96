"""What a run releases, as bytes that can be read again: noisy sums, groups, chosen limits."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.automatic import FoundBounds
from sfumato.tables.plan.contribution import ChosenLimit

if TYPE_CHECKING:
    from collections.abc import Sequence

_VERSION = 1


@dataclass(frozen=True)
class ReleasedContent:
    """Everything that was released, and nothing else.

    Parameters
    ----------
    keys
        The groups, in order.
    sums
        The noisy sums of each measurement, in fine steps, one a group.
    limits
        What was chosen privately, by ``Measurement.limited_by``.
    bounds
        The bounds that were found privately, by the column.
    sampled
        The answers of functions on blocks of people, by name.
    cells
        What each step released that looks at cells, group by group.
    seeded
        Whether the noise came from a seed, so that nothing is private.
    """

    keys: tuple[tuple[Any, ...], ...]
    sums: tuple[tuple[int, ...], ...]
    limits: dict[str, ChosenLimit]
    bounds: dict[str, FoundBounds] = field(default_factory=dict)
    sampled: dict[str, float] = field(default_factory=dict)
    cells: tuple[tuple[int, ...], ...] = ()
    seeded: bool = False

    def to_bytes(self) -> bytes:
        """Return the one way to write it."""
        document = {
            "version": _VERSION,
            "keys": [[written_value(each) for each in row] for row in self.keys],
            "sums": [[str(each) for each in column] for column in self.sums],
            "limits": {
                name: [each.most, each.left_out, each.at_most] for name, each in self.limits.items()
            },
            "bounds": {name: _written_bounds(each) for name, each in self.bounds.items()},
            "sampled": self.sampled,
            "cells": [[str(each) for each in column] for column in self.cells],
            "seeded": self.seeded,
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> ReleasedContent:
        """Return what was written."""
        document = json.loads(content)
        return cls(
            keys=tuple(tuple(_read(each) for each in row) for row in document["keys"]),
            sums=tuple(tuple(map(int, column)) for column in document["sums"]),
            limits={name: ChosenLimit(*each) for name, each in document["limits"].items()},
            bounds={name: _found_bounds(each) for name, each in document["bounds"].items()},
            sampled=document["sampled"],
            cells=tuple(tuple(map(int, column)) for column in document["cells"]),
            seeded=document["seeded"],
        )


def _written_bounds(found: FoundBounds) -> list[Any]:
    return [str(found.low), str(found.high), found.left_out, found.at_most, found.seen]


def _found_bounds(document: list[Any]) -> FoundBounds:
    low, high, left_out, at_most, seen = document
    return FoundBounds(Fraction(low), Fraction(high), left_out, at_most, seen)


def written_value(key: Any) -> Any:
    """Return a value of an answer as JSON can hold it, a date apart from its text."""
    if isinstance(key, datetime):
        return {"timestamp": key.isoformat()}
    if isinstance(key, date):
        return {"date": key.isoformat()}
    return key


def _read(key: Any) -> Any:
    if not isinstance(key, dict):
        return key
    ((kind, text),) = key.items()
    return date.fromisoformat(text) if kind == "date" else datetime.fromisoformat(text)


def columns_of(sums: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return arrays of whole numbers as tuples of Python's."""
    return tuple(tuple(int(each) for each in column) for column in sums)
