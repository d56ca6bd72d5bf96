"""A plan as a tree that a person can follow."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, PureDP
from sfumato.tables.plan.caveats import caveats_of
from sfumato.tables.plan.expected import expected_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.tables.plan.outline import Outline

__all__ = ["lines_of"]

_SHOWN_KEYS = 6


def lines_of(plan: Outline) -> list[str]:
    """Return a plan as a tree, one line a branch."""
    branches = [
        *_rows_branches(plan),
        ("answers, with 95 % confidence for the noise", _errors(plan)),
        (
            f"steps, together {plan.guarantee}",
            [str(each) for each in plan.steps if not each.is_paid],
        ),
        ("what it means", _meaning(plan)),
    ]
    said = caveats_of(plan, {}) + [each.said for each in plan.findings]
    if said:
        branches.append(("not in the bars", said))
    return [f"{plan.query} of {plan.query.table.source.name}", *_tree(branches)]


def _rows_branches(plan: Outline) -> Iterator[tuple[str, list[str]]]:
    for step in plan.query.steps:
        yield str(step), []
    keys = plan.keys
    if keys.names:
        count = _found(plan) if keys.count is None else f"{keys.count:,}, declared"
        yield f"groups by {', '.join(keys.names)}: {count}", _some_keys(plan)


def _found(plan: Outline) -> str:
    if plan.search is None:
        return "found privately"
    return f"found privately, as likely as not with {plan.search.people:,.0f} people in a group"


def _some_keys(plan: Outline) -> list[str]:
    rows = plan.keys.rows
    if rows is None:
        return []
    shown = ["; ".join(map(str, row)) for row in rows[:_SHOWN_KEYS]]
    more = len(rows) - len(shown)
    return [", ".join(shown) + (f" and {more:,} more" if more > 0 else "")]


def _errors(plan: Outline) -> list[str]:
    return [f"{name}: {text}" for name, text in expected_errors(plan).items()]


def _meaning(plan: Outline) -> list[str]:
    from sfumato.privacy import meaning

    guarantee = plan.guarantee
    delta = Fraction(0) if isinstance(guarantee, PureDP) else Fraction(1, 10**6)
    if isinstance(guarantee, ApproxDP):
        delta = guarantee.exact_delta
    return meaning(guarantee, delta=delta).lines()[1:]


def _tree(branches: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    for place, (title, leaves) in enumerate(branches):
        last = place == len(branches) - 1
        yield f"{'└─' if last else '├─'} {title}"
        for number, leaf in enumerate(leaves):
            stem = "   " if last else "│  "
            yield f"{stem}{'└─' if number == len(leaves) - 1 else '├─'} {leaf}"
