"""How much of one person counts, said beside an answer: in rows, in groups, or in a sum."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.tables.plan.contribution import root_above
from sfumato.tables.plan.shares import percent, written_above
from sfumato.tables.tree.steps import most_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.tables.plan.contribution import ChosenLimit, Limit
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline

__all__ = ["said_of_limits"]

_IF_KNOWN = "a declared limit (rows=12) narrows the bars"


def said_of_limits(plan: Outline, chosen: Mapping[str, ChosenLimit]) -> Iterator[str]:
    """Yield what each limit means for people who have more, in sentences."""
    sums = {each.measurement.limited_by: each.measurement for each in plan.measures}
    for name, limit in plan.contribution.limits.items():
        of = sums[name] if limit.weighing == "value" else None
        if limit.most is not None and not _is_moot(plan, limit):
            yield _declared(limit.weighing, limit.most, of)
        elif name in chosen:
            yield _chosen(limit.weighing, chosen[name], of)
        elif limit.is_chosen:
            yield _to_choose(of)


def _is_moot(plan: Outline, limit: Limit) -> bool:
    """Tell whether nobody can be over a limit: with more rows or groups than there are."""
    groups, rows = plan.keys.count, most_rows(plan.query.steps)
    if rows is not None and limit.most is not None and limit.most >= rows:
        return True
    if limit.weighing != "people" or groups is None or limit.most is None:
        return False
    return limit.most >= (groups if limit.norm == "l1" else root_above(Fraction(groups)))


def _declared(weighing: str, most: Fraction, of: Measurement | None) -> str:
    if of is not None:
        return (
            f"in {of} a person counts for at most {_in_all(of, most)}: what is beyond is not in "
            "the bars"
        )
    rows = float(most)
    left = "what is left out is not in the bars"
    return f"a person with more than {rows:g} {_units(weighing, rows)} counts for {rows:g}: {left}"


def _to_choose(of: Measurement | None) -> str:
    if of is None:
        what, known = "how many rows of a person count", "how many a person has at most"
    else:
        what, known = f"how much of a person counts in {of}", "how many rows a person has at most"
    return f"{what} is chosen privately; if you know {known}, {_IF_KNOWN}"


def _chosen(weighing: str, chosen: ChosenLimit, of: Measurement | None) -> str:
    most = f"{chosen.most:,} {_units(weighing, chosen.most)}"
    if weighing == "ratio":
        return (
            f"in means a person counts for at most {most}, chosen privately: people with more "
            "weigh less"
        )
    where, has = "", "has more"
    if of is not None:
        where, most, has = f"in {of} ", _in_all(of, Fraction(chosen.most)), "adds up to more"
    left = f"about {percent(chosen.left_out)} of all is left out by it"
    return (
        f"{where}a person counts for at most {most}, chosen privately: {left}, and the bars allow "
        f"for {percent(chosen.at_most)}; if nobody {has}, a declared limit narrows them"
    )


def _in_all(of: Measurement, most: Fraction) -> str:
    """Return what the rows of a person may add up to in a sum that is limited by value."""
    rows = f"{written_above(most)} {_units('value', float(most))}"
    if of.is_open:
        return f"what {rows} at the farther bound add up to"
    return f"{written_above(most * of.size)} ({rows} at {written_above(of.size)})"


def _units(weighing: str, most: float) -> str:
    unit = "group" if weighing == "people" else "row"
    return unit if most == 1 else f"{unit}s"
