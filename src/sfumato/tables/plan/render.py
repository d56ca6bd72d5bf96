"""How far off each answer is expected to be, before a row is read."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.printing import tree
from sfumato.privacy import ApproxDP, PureDP
from sfumato.tables.plan.cells import CellOutput
from sfumato.tables.plan.measurements import Contribution
from sfumato.tables.plan.noise import NoisySums, SumNoise
from sfumato.tables.plan.notes import in_short
from sfumato.tables.plan.outputs import CountOutput, PublicMeanOutput, SumOfPartsOutput, SumOutput
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.outputs import Output


#: The sizes of groups for which the error of a ratio is told.
_SIZES = (100, 1_000, 10_000)
_CONFIDENCE = Fraction(19, 20)

_SHOWN_KEYS = 6
#: A longer expression is written once, under a letter.
_LONG = 30
_LETTERS = "xyzuvw"


def expected_errors(plan: Outline) -> dict[str, str]:
    """Return the expected error of each answer in words."""
    steps = {step.look: step for step in plan.looks}
    said = {
        output.name: output.expected(steps[output.look], _with_one(plan.contribution))
        + (_times_limit() if steps[output.look].is_open else "")
        if isinstance(output, CellOutput)
        else _said(plan, output)
        for output in plan.outputs
    }
    return said | {each.name: each.expected for each in plan.samples}


def expected_error(
    plan: Outline, output: Output, *, size: int = 1000, confidence: Fraction = _CONFIDENCE
) -> float:
    """Return the half width of an interval in a group of some size, at a confidence.

    Limits that are chosen privately are taken as 1; the error grows in proportion to them.
    """
    sums = {each: np.array([value]) for each, value in _typical(output, size).items()}
    contribution = _with_one(plan.contribution)
    noises = {
        step.measurement: SumNoise(
            step.mechanism(contribution, plan.keys.count or 1),
            float(step.measurement.step) / contribution.fine,
        )
        for step in plan.measures
        if step.measurement in sums
    }
    found = output.bars(NoisySums(sums, noises, {}), confidence)
    return float((found.high - found.low)[0] / 2)


def _typical(output: Output, size: int) -> dict[Measurement, float]:
    """Return sums of a group in which no value is missing, and each is the same.

    It lies three eighths of the way down from the upper bound to the lower one.
    """
    shares = {True: 3 / 8, False: 5 / 8}
    return {
        each: 0.0 if each.absent else _share(each, shares) * size * float(each.size)
        for each in output.measurements
    }


def _share(measurement: Measurement, shares: dict[bool, float]) -> float:
    """Return which share of the most each row adds."""
    if not measurement.factors:
        return 1.0
    return shares[measurement.turned] if measurement.together else 0.25


def _with_one(contribution: Contribution) -> Contribution:
    limits = {
        name: replace(each, most=each.most or Fraction(1))
        for name, each in contribution.limits.items()
    }
    return Contribution(contribution.relation, limits)


def _times_limit() -> str:
    return tr(" times the contribution limit, which is chosen privately")


def _said(plan: Outline, output: Output) -> str:
    chosen = [
        plan.contribution.limits[each.limited_by].is_chosen
        for each in output.measurements
        if plan.contribution.limits
    ]
    times = _times_limit() if any(chosen) else ""
    if any(each.is_open for each in output.measurements):
        times += tr(", if the bounds found privately are [-1, 1]; it grows in proportion to them")
    if isinstance(output, PublicMeanOutput):
        return f"± {expected_error(plan, output, size=output.rows):.4g}{times}"
    if isinstance(output, (CountOutput, SumOutput, SumOfPartsOutput)):
        return f"± {expected_error(plan, output):.4g}{times}"
    sizes = ", ".join(
        tr(
            "± {plan:.3g} for {size:,} rows",
            plan=expected_error(plan, output, size=size),
            size=size,
        )
        for size in _SIZES
    )
    return f"{sizes}{times}"


def lines_of(plan: Outline, notes: Sequence[str], width: int | None) -> list[str]:
    """Return a plan with its notes as a tree; one line a branch, or as many as a width takes."""
    errors = [f"{name}: {said}" for name, said in expected_errors(plan).items()]
    branches = [
        *_rows_branches(plan),
        (tr("answers, with 95 % confidence for the noise"), errors),
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


def _meaning(plan: Outline) -> list[str]:
    from sfumato.privacy import meaning

    guarantee = plan.guarantee
    delta = Fraction(0) if isinstance(guarantee, PureDP) else Fraction(1, 10**6)
    if isinstance(guarantee, ApproxDP):
        delta = guarantee.exact_delta
    return meaning(guarantee, delta=delta).lines()[1:]
