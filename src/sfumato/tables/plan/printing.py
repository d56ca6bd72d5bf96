"""A plan as a tree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.printing.layout import tree
from sfumato.privacy import ApproxDP, PureDP
from sfumato.tables.plan.expected import expected_errors
from sfumato.tables.plan.notes import in_short
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.tables.plan.outline import Outline

_SHOWN_KEYS = 6
#: A longer expression is written once, under a letter.
_LONG = 30
_LETTERS = "xyzuvw"


def lines_of(plan: Outline, notes: Sequence[str], width: int | None) -> list[str]:
    """Return a plan with its notes as a tree; one line a branch, or as many as a width takes."""
    branches = [
        *_rows_branches(plan),
        (tr("answers, with 95 % confidence for the noise"), _errors(plan)),
        (
            tr("steps, together {guarantee}", guarantee=plan.guarantee),
            [str(each) for each in plan.steps if not each.is_paid],
        ),
        (tr("what it means"), _meaning(plan)),
        *([(tr("notes"), list(notes))] if notes else []),
    ]
    letters = letters_of(plan)
    definitions: list[tuple[str, list[str]]] = [
        (f"{letter} = {each}", []) for each, letter in letters.items()
    ]
    lettered = [
        (with_letters(title, letters), [with_letters(each, letters) for each in leaves])
        for title, leaves in branches
    ]
    headline = tr("{query} of {name}", query=plan.query, name=plan.query.table.source.name)
    return tree(with_letters(headline, letters), [*definitions, *lettered], width)


def letters_of(plan: Outline) -> dict[str, str]:
    """Return a letter for each long expression that is aggregated, no column's name."""
    taken = {*plan.columns, *(name for name, _ in plan.query.aggregates)}
    free = (each for each in _LETTERS if each not in taken)
    operands = [str(of) for _, asked in plan.query.aggregates for of in asked.operands]
    long = dict.fromkeys(each for each in operands if len(each) > _LONG)
    return dict(zip(long, free, strict=False))


def with_letters(line: str, letters: Mapping[str, str]) -> str:
    """Return a line in which long expressions are their letters."""
    for expression, letter in letters.items():
        line = line.replace(expression, letter).replace(in_short(expression), letter)
    return line


def _rows_branches(plan: Outline) -> Iterator[tuple[str, list[str]]]:
    for step in plan.query.steps:
        yield str(step), []
    keys = plan.keys
    if keys.names:
        count = _found(plan) if keys.count is None else tr("{count:,}, declared", count=keys.count)
        yield (
            tr("groups by {names}: {count}", names=", ".join(keys.names), count=count),
            _some_keys(plan),
        )


def _found(plan: Outline) -> str:
    if plan.search is None:
        return tr("found privately")
    return tr(
        "found privately; a group with about {units} is shown with probability 1/2",
        units=plan.search.units,
    )


def _some_keys(plan: Outline) -> list[str]:
    rows = plan.keys.rows
    if rows is None:
        return []
    shown = ["; ".join(map(str, row)) for row in rows[:_SHOWN_KEYS]]
    more = len(rows) - len(shown)
    return [", ".join(shown) + (tr(" and {more:,} more", more=more) if more > 0 else "")]


def _errors(plan: Outline) -> list[str]:
    return [f"{name}: {text}" for name, text in expected_errors(plan).items()]


def _meaning(plan: Outline) -> list[str]:
    from sfumato.privacy import meaning

    guarantee = plan.guarantee
    delta = Fraction(0) if isinstance(guarantee, PureDP) else Fraction(1, 10**6)
    if isinstance(guarantee, ApproxDP):
        delta = guarantee.exact_delta
    return meaning(guarantee, delta=delta).lines()[1:]
