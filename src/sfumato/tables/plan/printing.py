"""A plan as a tree that a person can follow."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, PureDP, meaning
from sfumato.tables.plan.contribution import root_above
from sfumato.tables.plan.expected import expected_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.tables.plan.contribution import ChosenLimit, Limit
    from sfumato.tables.plan.outline import Outline

__all__ = ["caveats_of", "lines_of"]

_SHOWN_KEYS = 6
#: Shares below are not worth a figure.
_HARDLY = 0.001


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


def caveats_of(plan: Outline, chosen: Mapping[str, ChosenLimit]) -> list[str]:
    """Return what the error bars do not hold, in sentences."""
    said = []
    for name, limit in plan.contribution.limits.items():
        if limit.most is not None and not _is_moot(plan, limit):
            said.append(_declared(limit.weighing, float(limit.most)))
        elif name in chosen:
            said.append(_chosen(limit.weighing, chosen[name]))
    clipped = _clipped(plan)
    about = [said for each in plan.outputs for said in each.caveats]
    return [*dict.fromkeys(said), *clipped, *about, *(each.said for each in plan.samples)]


def _clipped(plan: Outline) -> list[str]:
    """Return between which bounds values were taken."""
    factors = [each for step in plan.measures for each in step.measurement.factors]
    bounds = {
        each.text: f"{float(each.low):g} to {float(each.high):g}"
        for each in factors
        if not each.is_open
    }
    said = ", ".join(f"{text} from {ends}" for text, ends in bounds.items())
    return [f"values beyond their bounds count as the bound: {said}"] if bounds else []


def _is_moot(plan: Outline, limit: Limit) -> bool:
    """Tell whether nobody can be over a limit: in more groups than there are."""
    groups = plan.keys.count
    if limit.weighing != "people" or groups is None or limit.most is None:
        return False
    return limit.most >= (groups if limit.norm == "l1" else root_above(Fraction(groups)))


def _declared(weighing: str, most: float) -> str:
    left = "what is left out is not in the bars"
    return f"a person with more than {most:g} {_units(weighing, most)} counts for {most:g}: {left}"


def _chosen(weighing: str, chosen: ChosenLimit) -> str:
    most = f"{chosen.most:,} {_units(weighing, chosen.most)}"
    if weighing == "ratio":
        return (
            f"in means a person counts for at most {most}, chosen privately: people with more "
            "weigh less"
        )
    return (
        f"a person counts for at most {most}, chosen privately: by an estimate that leaves out "
        f"{_percent(chosen.left_out)} of all, and {_percent(chosen.at_most)} is allowed for in "
        "the bars"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= _HARDLY else "0 %"


def _units(weighing: str, most: float) -> str:
    unit = "group" if weighing == "people" else "row"
    return unit if most == 1 else f"{unit}s"


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
    people = plan.search.mechanism.error(confidence=0.5)
    return f"found privately, as likely as not with {people:,.0f} people in a group"


def _some_keys(plan: Outline) -> list[str]:
    rows = plan.keys.rows
    if rows is None:
        return []
    shown = ["; ".join(map(str, row)) for row in rows[:_SHOWN_KEYS]]
    more = len(rows) - len(shown)
    return [", ".join(shown) + (f" and {more:,} more" if more > 0 else "")]


def _steps(plan: Outline) -> list[str]:
    return [str(each) for each in plan.steps if not each.is_paid]


def _errors(plan: Outline) -> list[str]:
    return [f"{name}: {text}" for name, text in expected_errors(plan).items()]


def _meaning(plan: Outline) -> list[str]:
    promise = plan.guarantee
    delta = Fraction(0) if isinstance(promise, PureDP) else Fraction(1, 10**6)
    if isinstance(promise, ApproxDP):
        delta = promise.exact_delta
    return meaning(promise, delta=delta).lines()[1:]


def _tree(branches: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    for place, (title, leaves) in enumerate(branches):
        last = place == len(branches) - 1
        yield f"{'└─' if last else '├─'} {title}"
        for number, leaf in enumerate(leaves):
            stem = "   " if last else "│  "
            yield f"{stem}{'└─' if number == len(leaves) - 1 else '├─'} {leaf}"
