"""Scoreboard-RH: the person whom a few noisy facts fit best, or nobody."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

from sfumato.data import compared_as, open_sources
from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import read_count
from sfumato.refusal import Argument, Given, text
from sfumato.risk.attacks.scoreboard.records import Roles, check_cells, check_whose, plain
from sfumato.risk.attacks.scoreboard.report import Candidate, Match, MatchRule, ScoreboardReport
from sfumato.risk.attacks.scoreboard.scoring import UNIT, Scored, score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data import Source


_LEAST_PEOPLE = 2
#: More than any table has people, and a number that every engine reads.
_MOST_CANDIDATES = 2**31 - 1


def scoreboard(
    records: Any,
    known: Any,
    *,
    person: str,
    item: str,
    rating: str | None = None,
    day: str | None = None,
    who: str | None = None,
    rating_scale: float = 1.5,
    day_scale: float = 30,
    threshold: float = 1.5,
    agreement: float = 0.5,
    candidates: int = 5,
) -> ScoreboardReport:
    """Find whose records in a sparse table a few facts fit, some of which may be wrong.

    The algorithm Scoreboard-RH of :cite:p:`narayanan2008robust`.  Everybody scores, for each known
    item that they have, exp(-abs(difference of ratings)/1.5) + exp(-abs(difference of days)/30),
    divided by ln(1 + how many people have the item); the 1 is ours, for items that one person has.
    The best is declared if it stands out: (best - second)/(standard deviation over all people) is
    above the threshold.  Otherwise nobody is declared, as it should be where the person is not in
    the table.

    In a table of hundreds of people somebody often stands out by one rare item alone.  So the best
    match must also agree with the facts: the mean of the exponentials over all known ratings and
    days must reach ``agreement``.  With ``agreement=0`` the rule is that of the paper.

    Parameters
    ----------
    records
        A file or frame with one row for each item that a person rated, bought or visited.
    known
        A file, a frame or a mapping of lists with the facts: its columns are named as in
        ``records``.  An empty rating or day is one that is not known.
    person, item
        The columns that say whose record it is, and about what.
    rating, day
        The columns of a number and of a day (YYYY-MM-DD, or a number of days), where they are
        known.  With neither, a shared item counts one.
    who
        A column of ``known`` that tells several people apart, each of whom is looked for.
    rating_scale, day_scale
        The differences of ratings and of days that count e times less than none.
    threshold
        The eccentricity above which the best match is declared.
    agreement
        From 0 to 1: how well the best match must fit the facts to be declared.
    candidates
        How many of the best matches are listed.

    Examples
    --------
    >>> from sfumato.risk import scoreboard
    >>> facts = {"film": ["film 50", "film 58", "film 227"], "stars": [4, 5, 3],
    ...          "date": ["2023-05-24", "2024-03-21", "2023-12-20"]}
    >>> report = scoreboard("examples/ratings.csv", facts, person="user", item="film",
    ...                     rating="stars", day="date")
    >>> report.match.declared, report.match.person
    (True, 'u37')
    """
    rule = _read_rule(threshold, agreement)
    most = min(read_count(candidates, "candidates"), _MOST_CANDIDATES)
    held, facts = open_sources(records, _as_table(known))
    roles = Roles(item=item, person=person, rating=rating, day=day)
    asked = Roles(item=item, person=who, rating=rating, day=day)
    _check(held, facts, roles, asked)
    scales = _scales(roles, rating_scale, day_scale)
    view = compared_as(held.table[item], facts.table[item])
    tables = plain(held, roles, view), plain(facts, asked, view)
    scored = score(held, *tables, scales=scales, most=max(most, 2))
    _check_scored(scored, held, facts, item, several=who is not None)
    return ScoreboardReport(
        matches=tuple(
            _match(each, scored, rule, most, several=who is not None) for each in scored.spreads
        ),
        people=scored.people,
        rule=rule,
        columns=roles.used,
        several=who is not None,
    )


def _match(who: Any, scored: Scored, rule: MatchRule, most: int, *, several: bool) -> Match:
    spread, best = scored.spreads[who], scored.best.get(who, [])
    first, second, *_ = [points.score for points in best] + [0, 0]
    deviation = spread.deviation(scored.people)
    eccentricity = (first - second) / deviation if first > second else 0.0
    agreement = best[0].alike / (UNIT * spread.parts) if best and spread.parts else 0.0
    return Match(
        who=who if several else None,
        eccentricity=eccentricity,
        agreement=agreement,
        declared=rule.declares(eccentricity, agreement),
        candidates=tuple(Candidate(each.person, each.score / UNIT) for each in best[:most]),
        second=second / UNIT,
        deviation=deviation / UNIT,
        facts=spread.facts,
        matched=spread.matched,
    )


def _as_table(known: Any) -> Any:
    """Return facts that are written as a mapping of lists as a table, and others as they are."""
    if not isinstance(known, Mapping):
        return known
    import pyarrow as pa

    try:
        return pa.table({f"{name}": [*column] for name, column in known.items()})
    except (TypeError, ValueError, pa.ArrowInvalid):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the known facts must be lists of one length, one a column, such as {{'film': "
            "['Alien'], 'stars': [4]}}",
        ) from None


def _check(held: Source, facts: Source, roles: Roles, asked: Roles) -> None:
    """Refuse columns that are not there, cells that cannot be read, and days of two forms."""
    held.check_columns(roles.used)
    for name in asked.used:
        if name not in facts.column_names:
            where = text("the known facts ({facts})", facts=facts.name)
            raise UnknownNameError(kind="column", name=name, known=facts.column_names, where=where)
    if asked.person is not None:
        check_whose(facts, asked.person)
    forms = [check_cells(held, roles), check_cells(facts, asked)]
    if all(forms) and forms[0] != forms[1]:
        raise InputError(
            "E-COLUMNS-DIFFER",
            "the days are written as dates in {dated} and as numbers in {numbered}",
            "write both in one way",
            **_by_form(forms, held, facts),
        )


def _by_form(forms: Sequence[str], held: Source, facts: Source) -> dict[str, Given]:
    """Return which table has days as dates, and which as numbers."""
    known = text("the known facts ({facts})", facts=facts.name)
    return dict(zip(forms, (held.name, known), strict=True))


def _check_scored(scored: Scored, held: Source, facts: Source, item: str, *, several: bool) -> None:
    """Refuse a table without others to stand out from, and facts that are about nothing in it."""
    if scored.people < _LEAST_PEOPLE:
        raise InputError(
            "E-TABLE-EMPTY",
            "{held} has records of fewer than 2 people",
            "at least 2 are compared",
            held=held.name,
        )
    if not scored.spreads:
        raise InputError(
            "E-TABLE-EMPTY",
            "the known facts ({facts}) name no item",
            "write one row for each",
            facts=facts.name,
        )
    if any(spread.items < spread.facts for spread in scored.spreads.values()):
        raise _named_twice(item, several=several)
    if not any(spread.matched for spread in scored.spreads.values()):
        raise InputError(
            "E-VALUE-ABSENT",
            "none of the known items occurs in the column {item!r} of {held}",
            "check that they are written alike in both",
            item=item,
            held=held.name,
        )


def _named_twice(item: str, *, several: bool) -> InputError:
    if several:
        return InputError(
            "E-VALUE-TWICE",
            "the known facts of one person name an item in {item!r} twice",
            "give it once",
            item=item,
        )
    return InputError(
        "E-VALUE-TWICE",
        "{who} names no column, and the known facts name an item in {item!r} twice",
        "give each item once, or name the column that says whose facts they are",
        item=item,
        who=Argument("who"),
    )


def _scales(roles: Roles, rating_scale: Any, day_scale: Any) -> dict[str, float]:
    """Return the scale of each part that is used."""
    scales = {"rating": (roles.rating, rating_scale), "day": (roles.day, day_scale)}
    for name, (_, scale) in scales.items():
        if not _is_number(scale) or not 0 < scale < math.inf:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{name} must be a number above 0",
                "it is a difference that is still alike",
                name=Argument(f"{name}_scale"),
            )
    return {name: float(scale) for name, (column, scale) in scales.items() if column is not None}


def _read_rule(threshold: Any, agreement: Any) -> MatchRule:
    if not _is_number(threshold) or not 0 <= threshold < math.inf:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{threshold} must be a finite number of 0 or more",
            "1.5 is usual",
            threshold=Argument("threshold"),
        )
    if not _is_number(agreement) or not 0 <= agreement <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{agreement} must be a number from 0 to 1",
            "0.5 is usual, and 0 asks for none",
            agreement=Argument("agreement"),
        )
    return MatchRule(float(threshold), float(agreement))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
