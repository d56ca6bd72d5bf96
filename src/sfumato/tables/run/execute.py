"""What a run releases, as bytes that can be read again: noisy sums, groups, chosen limits."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.auto_bounds import FoundBounds
from sfumato.tables.plan.contribution import ChosenLimit
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.run.auto_bounds import find_bounds
from sfumato.tables.run.chosen_limits import least_error, noisy_sizes, stake_in
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.partition_selection import find_keys
from sfumato.tables.run.rows import EngineRows
from sfumato.tables.run.sampled import release_sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.partition_selection import Keys


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


def run_plan(plan: Outline, *, source: Any = None) -> ReleasedContent:
    """Read the rows and return what is released of them; it is charged for before.

    Parameters
    ----------
    source
        Where random bits come from: the operating system, or a seed in tests.
    """
    table = plan.query.table
    with table.source.engine.reading(), closing(EngineRows(table)) as rows:
        return _content(plan, rows, source)


def _content(plan: Outline, rows: EngineRows, source: Any) -> ReleasedContent:
    keys = plan.keys
    if plan.search is not None:
        keys = find_keys(rows, keys, plan.search, source=source)
    bounds = {str(each.of): find_bounds(rows, keys, each, source=source) for each in plan.findings}
    plan = with_bounds(plan, bounds)
    limits = _chosen_limits(plan, rows, keys, source)
    contribution = plan.contribution.with_limits(limits)
    measures = plan.measures
    exact = exact_sums(rows, keys, [each.measurement for each in measures], contribution)
    noisy = []
    for each in measures:
        mechanism = each.mechanism(contribution, len(keys.rows or ()))
        noisy.append(mechanism.release(exact[each.measurement], source=source).value)
    sampled = {each.name: release_sample(rows, each, source=source) for each in plan.samples}
    return ReleasedContent(
        keys=keys.rows or (),
        sums=columns_of(noisy),
        limits=limits,
        bounds=bounds,
        sampled={name: each.value for name, each in sampled.items()},
        cells=_cells(plan, rows, keys, contribution, limits, source),
        seeded=getattr(source, "seeded", False),
    )


def _cells(
    plan: Outline,
    rows: EngineRows,
    keys: Keys,
    contribution: Contribution,
    limits: dict[str, ChosenLimit],
    source: Any,
) -> tuple[tuple[int, ...], ...]:
    """Return what is released of cells, where something is asked of them."""
    if not plan.looks:
        return ()
    from sfumato.tables.run.selection import look_at_cells

    return columns_of(look_at_cells(rows, keys, plan.looks, contribution, limits, source))


def _chosen_limits(
    plan: Outline, rows: EngineRows, keys: Keys, source: Any
) -> dict[str, ChosenLimit]:
    measured = {each.measurement.limited_by: each.measurement for each in plan.measures}
    relation = plan.contribution.relation
    sizes = noisy_sizes(rows, keys, plan.choices, measured, relation, source=source)
    return {
        name: least_error(each, stake_in(plan, name, len(keys.rows or ())))
        for step, each in zip(plan.choices, sizes, strict=True)
        for name in step.names
    }
