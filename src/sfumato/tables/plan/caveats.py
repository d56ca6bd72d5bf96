"""What error bars do not hold, and what was taken for what: sentences beside an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.tables.plan.contribution import root_above
from sfumato.tables.plan.shares import percent
from sfumato.tables.tree.steps import most_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.tables.plan.contribution import ChosenLimit, Limit
    from sfumato.tables.plan.factors import Factor
    from sfumato.tables.plan.outline import Outline

__all__ = ["caveats_of"]


def caveats_of(plan: Outline, chosen: Mapping[str, ChosenLimit]) -> list[str]:
    """Return what must be said beside the error bars, in sentences."""
    said = []
    for name, limit in plan.contribution.limits.items():
        if limit.most is not None and not _is_moot(plan, limit):
            said.append(_declared(limit.weighing, float(limit.most)))
        elif name in chosen:
            said.append(_chosen(name, limit.weighing, chosen[name]))
    about = [said for each in plan.outputs for said in each.caveats]
    samples = [each.said for each in plan.samples]
    return [*dict.fromkeys(said), *_taken(plan), *about, *samples]


def _taken(plan: Outline) -> Iterator[str]:
    """Return what values were taken for: those beyond their bounds, and those that are none."""
    factors = [each for step in plan.measures for each in step.measurement.factors]
    known = {each.text: each for each in factors if not each.is_open}
    if known:
        said = ", ".join(map(_between, known.values()))
        yield f"values beyond their bounds count as the bound: {said}"
    if factors and plan.query.table.source.is_text:
        whole = all(each.whole for each in factors)
        written = "a whole number (12)" if whole else "a number (12.5)"
        yield f"a cell that is not written as {written} is missing"
    for each in {each.text: each for each in factors if each.complete}.values():
        middle = f"{float(each.middle):g}"
        yield f"{each.text} is declared complete: where it is missing after all, it is {middle}"


def _between(factor: Factor) -> str:
    return f"{factor.text} from {float(factor.low):g} to {float(factor.high):g}"


def _is_moot(plan: Outline, limit: Limit) -> bool:
    """Tell whether nobody can be over a limit: with more rows or groups than there are."""
    groups, rows = plan.keys.count, most_rows(plan.query.steps)
    if rows is not None and limit.most is not None and limit.most >= rows:
        return True
    if limit.weighing != "people" or groups is None or limit.most is None:
        return False
    return limit.most >= (groups if limit.norm == "l1" else root_above(Fraction(groups)))


def _declared(weighing: str, most: float) -> str:
    left = "what is left out is not in the bars"
    return f"a person with more than {most:g} {_units(weighing, most)} counts for {most:g}: {left}"


def _chosen(name: str, weighing: str, chosen: ChosenLimit) -> str:
    most = f"{chosen.most:,} {_units(weighing, chosen.most)}"
    if weighing == "ratio":
        return (
            f"in means a person counts for at most {most}, chosen privately: people with more "
            "weigh less"
        )
    where = f"in {name} " if weighing == "value" else ""
    left = f"about {percent(chosen.left_out)} of all is left out by it"
    return (
        f"{where}a person counts for at most {most}, chosen privately: {left}, and the bars allow "
        f"for {percent(chosen.at_most)}"
    )


def _units(weighing: str, most: float) -> str:
    unit = "group" if weighing == "people" else "row"
    return unit if most == 1 else f"{unit}s"
