"""Reports collected: counted in the engine that holds them, in few queries and little memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb, prod
from typing import TYPE_CHECKING, Any, cast

from sfumato.data import Source, open_records
from sfumato.errors import InputError
from sfumato.refusal import Given, all_of, text
from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.decoding import pair_tally_of, tally_of
from sfumato.survey.collector.forms import largest_report
from sfumato.survey.collector.pairs import read_pairs
from sfumato.survey.collector.report_rows import (
    COUNTED,
    DUPLICATE,
    IMPOSSIBLE,
    OTHER,
    ReportRows,
    decoded,
)
from sfumato.survey.collector.shares import check_survey
from sfumato.survey.collector.tally import Aside, PairTally, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion, Question
    from sfumato.survey.client.survey import Survey

    Pair = tuple[str, str]


#: So many groups cost an engine no more than a few.
_TOGETHER = 2**16
#: So many groups are still worth their memory, for a question that would be streamed otherwise.
_ALONE = 2**21


@dataclass(frozen=True)
class Block:
    """Questions whose reports one query gives.

    Parameters
    ----------
    names
        The questions that are asked for.
    counted
        Those of them that are tallied here, and in no other block.
    pairs
        The pairs of them that are tallied here.
    is_grouped
        Whether the engine counts equal reports; else it hands them over one by one.
    """

    names: tuple[str, ...]
    counted: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    is_grouped: bool = True


def variety(question: Question) -> int:
    """Return how many reports a question's protocol can give."""
    most = largest_report(question)
    return _texts(cast("ChoiceQuestion", question)) if most is None else most + 1


def _texts(question: ChoiceQuestion) -> int:
    choices, protocol = len(question.choices), question.protocol
    if isinstance(protocol, Response):
        return choices
    return comb(choices, protocol.size) if isinstance(protocol, Subset) else 2**choices


def blocks_of(survey: Survey, pairs: Sequence[Pair]) -> list[Block]:
    """Return the blocks that count every question once, and every pair."""
    sizes = {name: variety(question) for name, question in survey.questions.items()}
    groups = _packed(sizes)
    apart = [pair for pair in pairs if not any(set(pair) <= set(group) for group in groups)]
    close = [pair for pair in apart if sizes[pair[0]] * sizes[pair[1]] <= _ALONE]
    blocks = [
        Block(group, group, tuple(each for each in pairs if set(each) <= set(group)))
        for group in groups
    ]
    blocks += [Block(pair, (), (pair,)) for pair in close]
    wide = tuple(name for name, size in sizes.items() if size > _ALONE)
    far = tuple(pair for pair in apart if pair not in close)
    if wide or far:
        names = tuple(dict.fromkeys((*wide, *(name for pair in far for name in pair))))
        blocks.append(Block(names, wide, far, is_grouped=False))
    return blocks


def _packed(sizes: dict[str, int]) -> list[tuple[str, ...]]:
    """Return groups of questions with few reports each, those of one group together too."""
    groups: list[tuple[str, ...]] = []
    for name, size in sizes.items():
        if groups and size * prod(sizes[each] for each in groups[-1]) <= _TOGETHER:
            groups[-1] = (*groups[-1], name)
        elif size <= _ALONE:
            groups.append((name,))
    return groups


#: How many entries of a report, each bit for itself, are looked at together.
_CELLS = 2**23
_MOST_ROWS = 2**17


@dataclass(frozen=True)
class Counted:
    """The tallies of a block of questions."""

    people: int = 0
    aside: Aside = field(default_factory=Aside)
    tallies: dict[str, Tally] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairTally] = field(default_factory=dict)

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.people + other.people,
            self.aside + other.aside,
            _summed(self.tallies, other.tallies),
            _summed(self.pairs, other.pairs),
        )


def counted_groups(rows: ReportRows, block: Block) -> Counted:
    """Return the tallies of a block whose equal reports the engine counts."""
    return _counted(rows, block, rows.source.fetch(rows.groups(block.names)))


def counted_reports(rows: ReportRows, block: Block) -> Counted:
    """Return the tallies of a block whose reports the engine hands over, a part at a time."""
    questions = [rows.survey.questions[name] for name in block.names]
    width = sum(len(getattr(each, "choices", ())) + 1 for each in questions)
    size = min(_MOST_ROWS, _CELLS // width + 1)
    parts = rows.source.batches(rows.reports(block.names), rows=size)
    return sum((_counted(rows, block, each) for each in parts), Counted())


def _counted(rows: ReportRows, block: Block, found: Any) -> Counted:
    """Return what a part of an engine's answer says."""
    status, people = (found[name].to_numpy() for name in ("status", "people"))
    sums = [int(people[status == each].sum()) for each in range(COUNTED + 1)]
    counted = found.filter(status == COUNTED)
    weights = people[status == COUNTED] if block.is_grouped else None
    return Counted(
        sums[COUNTED],
        Aside(sums[OTHER], sums[IMPOSSIBLE], sums[DUPLICATE]),
        *_tallies(rows, block, counted, weights),
    )


def _tallies(
    rows: ReportRows, block: Block, part: Any, weights: NDArray[np.int64] | None
) -> tuple[dict[str, Tally], dict[tuple[str, str], PairTally]]:
    questions: Any = rows.survey.questions
    found = {name: decoded(questions[name], part[rows.columns[name]]) for name in block.names}
    tallies = {name: tally_of(questions[name], found[name], weights) for name in block.counted}
    pairs = {
        (one, two): pair_tally_of(questions[one], found[one], questions[two], found[two], weights)
        for one, two in block.pairs
    }
    return tallies, pairs


def _summed(left: dict[Any, Any], right: dict[Any, Any]) -> dict[Any, Any]:
    both = left.keys() & right.keys()
    return {**left, **right, **{each: left[each] + right[each] for each in both}}


def collect(
    survey: Survey, reports: Any, *, pairs: Any = (), table: str | None = None
) -> Collection:
    r"""Return what the reports of a survey say, counted where they are.

    Parameters
    ----------
    survey
        What was asked.
    reports
        One report a row: the path of a file (.csv, .tsv, .parquet, .jsonl, .arrow), a pandas,
        polars or Arrow table, the address of a PostgreSQL database, a data frame of Spark, or a
        table of Ibis; or a list of what ``survey.answer`` returned.  Columns that the survey does
        not name are not looked at.
    pairs
        Pairs of questions with choices, for their cross-tables.
    table
        Which table of a database.

    Returns
    -------
    Collection
        The tallies that estimates are made of, and how many reports were set aside.

    Notes
    -----
    A report counts if its digest is this survey's and each of its entries is one that the
    question's protocol can give.  In a survey with ids one report of each person counts, that
    with the least tag: a tag is drawn at random, so that the choice does not hang on the answer.

    Cells are compared as they are written, and nothing is guessed: in a file of text ``01`` is
    not ``1``.  A column of another type is taken where it can hold every report: whole numbers
    for choices such as ``1`` and ``2``, true and false for ``true`` and ``false``.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.survey.read_survey("examples/class.toml")
    >>> sf.survey.collect(survey, "examples/class-reports.csv")
    <Collection of 'class': 40 reports>
    >>> sf.survey.collect(survey, [survey.answer({"cheated": "yes"}) for _ in range(3)]).people
    3
    """
    check_survey(survey)
    asked = read_pairs(survey, pairs)
    source = (
        reports
        if isinstance(reports, Source)
        else open_records(reports, survey.entries, table=table)
    )
    rows = ReportRows(survey, source)
    first, *others = blocks_of(survey, asked)
    with source.engine.reading():
        found = _counted_in_source(rows, first)
        _check_some(found, source)
        more = [_counted_in_source(rows, each) for each in others]
    tallies, joint = found.tallies, found.pairs
    for each in more:
        tallies, joint = tallies | each.tallies, joint | each.pairs
    ordered = {name: tallies[name] for name in survey.questions}
    return Collection(survey, found.people, ordered, joint, found.aside)


def _counted_in_source(rows: ReportRows, block: Block) -> Counted:
    return counted_groups(rows, block) if block.is_grouped else counted_reports(rows, block)


def _check_some(found: Counted, source: Source) -> None:
    """Refuse to estimate from nothing."""
    if found.people:
        return
    if not found.aside.total:
        raise InputError(
            "E-REPORTS-NONE",
            "{source} has no reports",
            "have people answer first",
            source=source.name,
        )
    raise InputError(
        "E-REPORTS-NONE",
        "no report in {source} can be counted ({reasons})",
        "collect them with the survey that people answered",
        source=source.name,
        reasons=_reasons(found.aside),
    )


def _reasons(aside: Aside) -> Given:
    other, broken = aside.other_survey, aside.impossible
    reasons = [
        (other, text("{number:,} of another survey or no reports at all", number=other)),
        (broken, text("{number:,} with an impossible or missing entry", number=broken)),
    ]
    return all_of(reason for count, reason in reasons if count)
