"""The scores, inside the engine: a join of the facts to the records, and sums by person.

A term is rounded to a billionth and summed as an integer, so that no order of rows and no number of
threads can change a digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import ibis.expr.types as ir

    from sfumato.data import Source


UNIT = 10**9
_COUNTED = ("facts", "items", "matched", "parts", "total", "squares")


@dataclass(frozen=True)
class ScoreSpread:
    """How the scores of everybody in the table lie, for one set of facts; in billionths.

    Attributes
    ----------
    facts, matched
        How many facts are known, and how many are about an item of the table.
    items
        How many different items they are about.
    parts
        How many ratings and days are known.
    total, squares
        The sum of all scores, and of their squares.
    """

    facts: int
    items: int
    matched: int
    parts: int
    total: int
    squares: int

    def deviation(self, people: int) -> float:
        """Return the standard deviation over so many people; who shares no item scores 0."""
        return math.sqrt(people * self.squares - self.total**2) / people


@dataclass(frozen=True)
class MatchScore:
    """What one person of the table has in common with one set of facts; in billionths.

    Attributes
    ----------
    person
        Who it is.
    score
        The sum over the facts, each weighted by how rare its item is.
    alike
        The sum without weights.
    """

    person: Any
    score: int
    alike: int


@dataclass(frozen=True)
class Scored:
    """What came out of the engine.

    Attributes
    ----------
    people
        How many people the table has.
    spreads
        The spread of the scores, by whose facts they are.
    best
        The best matches, the best first, by whose facts they are.
    """

    people: int
    spreads: dict[Any, ScoreSpread]
    best: dict[Any, list[MatchScore]]


def score(
    source: Source, records: ir.Table, facts: ir.Table, *, scales: Mapping[str, float], most: int
) -> Scored:
    """Score everybody against each set of facts, and fetch the best of each.

    Parameters
    ----------
    source
        What holds both tables.
    records, facts
        As ``plain`` gives them.
    scales
        For ``rating`` and ``day``, where they are there: which difference counts e times less.
    most
        How many of the best matches to fetch.
    """
    people = source.fetch(records.aggregate(people=records.person.nunique()))
    kept = source.keep(_scores(records, facts, scales))
    try:
        best: dict[Any, list[MatchScore]] = {}
        for row in _rows(source, _best(kept, most)):
            points = MatchScore(row["person"], row["score"], row["alike"])
            best.setdefault(row["who"], []).append(points)
        spreads = {
            row["who"]: _spread(row) for row in _rows(source, _sums(kept, records, facts, scales))
        }
    finally:
        source.forget(kept)
    return Scored(int(people["people"][0].as_py()), spreads, best)


def _scores(records: ir.Table, facts: ir.Table, scales: Mapping[str, float]) -> ir.Table:
    """Return who, person and score; of several records of one item the closest counts."""
    about = records.semi_join(facts, "item")
    support = about.group_by("item").agg(support=about.person.nunique())
    known = facts.select(**{f"known_{name}": facts[name] for name in facts.columns})
    joined = about.join(support, "item").join(known, [("item", "known_item")])
    # A select straight on a join would be part of it, and no engine could work it out in stages.
    pairs = joined.select(*joined.columns)
    alike = _alike(pairs, scales)
    rarity = (pairs.support + 1).cast("float64").ln()
    terms = pairs.select(
        "person", "item", who=pairs.known_person, alike=_whole(alike), term=_whole(alike / rarity)
    )
    closest = terms.group_by(["who", "person", "item"]).agg(
        alike=terms.alike.max(), term=terms.term.max()
    )
    return closest.group_by(["who", "person"]).agg(
        score=closest.term.sum(), alike=closest.alike.sum()
    )


def _alike(pairs: ir.Table, scales: Mapping[str, float]) -> ir.Value:
    """Return how alike a record and a fact are: 1 for each of rating and day that is the same."""
    import ibis

    alike = [
        (-(pairs[name] - pairs[f"known_{name}"]).abs() / scale).exp().fill_null(0.0)
        for name, scale in scales.items()
    ]
    return sum(alike[1:], alike[0]) if alike else ibis.literal(1.0)


def _whole(value: ir.Value) -> ir.Value:
    return (value * float(UNIT)).round().cast("int64")


def _best(scores: ir.Table, most: int) -> ir.Table:
    import ibis

    order = [ibis.desc(scores.score), ibis.asc(scores.person)]
    place = ibis.row_number().over(group_by=scores.who, order_by=order)
    placed = scores.mutate(place=place)
    return placed.filter(placed.place < most).order_by(["who", "place"])


def _sums(
    scores: ir.Table, records: ir.Table, facts: ir.Table, parts_known: Iterable[str]
) -> ir.Table:
    """Return a row a set of facts: how many, of how many items, and the sums of the scores."""
    given = [facts[name].notnull().cast("int64") for name in parts_known]
    parts = sum(given[1:], given[0]).sum() if given else facts.count()
    counts = facts.group_by("person").agg(
        facts=facts.count(), items=facts.item.nunique(), parts=parts
    )
    held = facts.semi_join(records, "item")
    matched = held.group_by("person").agg(matched=held.count())
    wide = scores.score.cast("decimal(19, 0)")
    sums = scores.group_by("who").agg(total=scores.score.sum(), squares=(wide * wide).sum())
    sums = sums.rename(person="who")
    joined = counts.left_join(matched, "person", rname="{name}_held")
    joined = joined.left_join(sums, "person", rname="{name}_scored")
    return joined.select(*_COUNTED, who=joined.person).order_by("who")


def _spread(row: dict[str, Any]) -> ScoreSpread:
    return ScoreSpread(**{name: int(row[name] or 0) for name in _COUNTED})


def _rows(source: Source, query: ir.Table) -> Iterator[dict[str, Any]]:
    yield from source.fetch(query).to_pylist()
