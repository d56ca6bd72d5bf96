"""Reports as files hold them, broken ones among them, and a plain count of those that count."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf
from sfumato.survey.client.draws import Draws
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.collector.tally import Aside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction
    from pathlib import Path

    from sfumato.survey import Survey
    from sfumato.survey.collector.collection import Collection

    Record = dict[str, str | None]

WORDS = ["01", "1", "true", "NULL", "1.0", '"a", b', "naïve ✓", "2026-01-02", "1e3"]
MANY = [f"c{each}" for each in range(30)]
MANY_WORDS = {"choices": [*WORDS, *map(str, range(2, 400))], "epsilon": 1, "protocol": "response"}
QUESTIONS: dict[str, Any] = {
    "words": {"choices": WORDS, "epsilon": 1, "protocol": "response"},
    "status": {"choices": MANY[:5], "epsilon": 1, "protocol": "subset"},
    "people": {"choices": MANY[:3], "epsilon": 1, "protocol": "unary"},
    "mood": {"choices": MANY[:3], "epsilon": 1, "lifetime": 2},
    "rows": {"choices": MANY[:6], "epsilon": 1, "protocol": "hadamard"},
    "hashes": {"choices": MANY[:6], "epsilon": 1, "protocol": "hashing"},
    "hours": {"bounds": (0, 24), "epsilon": 3},
    "wide": {"choices": MANY, "epsilon": 1, "protocol": "unary"},
    "far": {"choices": MANY, "epsilon": 6, "protocol": "hashing"},
}
#: Grouped with others, by themselves, and one by one.
PAIRS = [("words", "status"), ("mood", "hashes"), ("rows", "wide"), ("far", "people")]
#: What people, programs and attackers write where a report should be.
BROKEN = [None, "", "b", "B010", "b01x", "0b11", "b0", "b010\n", " 1", "1 ", "01 ", "True", "null"]
BROKEN += ["-1", "+1", "-0", "00", "1e0", "0x1", "1.00", "٣", "b٠1٠", "NaN", "inf", "'", "\u200b1"]
BROKEN += ["9223372036854775807", "9223372036854775808", "9" * 40, "b" + "1" * 400, "b" + "0" * 30]
BROKEN += ["b00011", "b11111", "b00000", "b000", "b111", "7", "8.0", "0.0", "5.0", "c1", "x" * 500]
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.0)?", re.ASCII)


class SeededDraws(Draws):
    """Draws that come out the same each time."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (a test repeats it)

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def chance(self, probability: Fraction) -> bool:
        return self.below(probability.denominator) < probability.numerator


@dataclass
class Plain:
    """A plain count, one report after the other, by the protocols themselves."""

    survey: Survey
    pairs: Sequence[tuple[str, str]] = ()

    def check(self, found: Collection, records: Sequence[Record]) -> None:
        counted, aside = self.counted(records)
        assert found.aside == aside
        assert found.people == len(counted) == sum(1 for _ in counted)
        for name, question in self.survey.questions.items():
            reports = [each[name] for each in counted]
            assert found.tallies[name].people == found.people
            assert (
                found.tallies[name].counts.tolist() == _supports(question, reports).sum(0).tolist()
            )
        for one, two in self.pairs:
            self._check_pair(found, counted, (one, two))

    def _check_pair(self, found: Collection, counted: Any, pair: tuple[str, str]) -> None:
        first, second = (
            _supports(self.survey.questions[name], [each[name] for each in counted])
            for name in pair
        )
        tally = found.pairs[pair]
        assert tally.people == found.people
        assert tally.both.tolist() == (first.T @ second).tolist()
        assert tally.first.tolist() == first.sum(0).tolist()
        assert tally.second.tolist() == second.sum(0).tolist()

    def counted(self, records: Sequence[Record]) -> tuple[list[dict[str, Any]], Aside]:
        """Return the reports that count, and how many do not."""
        mine = [each for each in records if each.get("survey") == self.survey.digest]
        fine = [(each, read) for each in mine if (read := self._read(each)) is not None]
        if not self.survey.ids:
            kept = [read for _, read in fine]
        else:
            people = defaultdict(list)
            for record, read in fine:
                order = (record["tag"], *(str(record[name]) for name in self.survey.questions))
                people[record["person"]].append((order, read))
            kept = [min(each, key=lambda one: one[0])[1] for each in people.values()]
        other, impossible = len(records) - len(mine), len(mine) - len(fine)
        return kept, Aside(other, impossible, len(fine) - len(kept))

    def _read(self, record: Record) -> dict[str, Any] | None:
        if self.survey.ids:
            tagged = re.fullmatch("t[0-9a-f]{16}", record.get("tag") or "")
            if not tagged or not 1 <= len(record.get("person") or "") <= 200:
                return None
        found = {
            name: _report(each, record.get(name)) for name, each in self.survey.questions.items()
        }
        return None if None in found.values() else found


def _report(question: Any, text: str | None) -> Any:
    """Return the report that a text is, if the protocol can give it."""
    report: Any = text
    if isinstance(question, ChoiceQuestion) and question.protocol.name == "response":
        report = question.choices.index(text) if text in question.choices else None
    elif question.protocol.name in ("hadamard", "hashing", "window"):
        found = _NUMBER.fullmatch(text or "")
        report = int(found[1]) if found else None
    return report if question.protocol.allows(report) else None


def _supports(question: Any, reports: Iterable[Any]) -> Any:
    """Return for each report which choices it supports, or which mark it is."""
    if isinstance(question, ChoiceQuestion):
        places = range(len(question.choices))
        rows = [[question.protocol.supports(each, place) for place in places] for each in reports]
    else:
        marks = range(question.protocol.marks)
        rows = [[each == mark for mark in marks] for each in reports]
    return np.array(rows, dtype=np.int64)


def records_of(survey: Survey, count: int, *, broken: float, seed: int) -> list[Record]:
    """Return reports as texts, some of them broken, of another survey, or of a person again."""
    draws, chance = SeededDraws(seed), random.Random(seed)  # noqa: S311 (a test repeats it)
    records = [_record(survey, draws, chance) for _ in range(count)]
    for record in records:
        if chance.random() < broken:
            record[chance.choice(list(record))] = chance.choice(BROKEN)
    if survey.ids:
        records += [dict(chance.choice(records)) for _ in range(count // 10)]
        records += [
            {**_record(survey, draws, chance), "tag": each["tag"], "person": each["person"]}
            for each in chance.sample(records, count // 20)
        ]
    records += [{**_record(survey, draws, chance), "survey": other} for other in _OTHERS]
    chance.shuffle(records)
    return records


_OTHERS = ("s0123456789abcdef", None, "", "S")


def _record(survey: Survey, draws: Draws, chance: random.Random) -> Record:
    record: Record = {"survey": survey.digest}
    if survey.ids:
        person = chance.choice(["007", "7", "ann", "Ann", "ann ", "é", *map(str, range(100, 400))])
        record |= {"person": person, "tag": f"t{draws.below(2**64):016x}"}
    for name, question in survey.questions.items():
        record[name] = str(_answered(question, draws))
    return record


def _answered(question: Any, draws: Draws) -> Any:
    protocol = question.protocol
    if not isinstance(question, ChoiceQuestion):
        return question.randomize(question.read(draws.below(25)), draws)
    answer = draws.below(len(question.choices))
    if protocol.name != "permanent":
        return question.randomize(answer, draws)
    return protocol.report(protocol.draw_permanent(answer, draws), draws)


def as_table(survey: Survey, records: Sequence[Record]) -> pa.Table:
    columns = survey.entries
    return pa.table(
        {name: pa.array([each[name] for each in records], pa.string()) for name in columns}
    )


def write_csv(path: Path, survey: Survey, records: Sequence[Record]) -> None:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(
            file, ["extra", *survey.entries], restval="b", quoting=csv.QUOTE_ALL
        )
        writer.writeheader()
        writer.writerows(records)


def write_lines(path: Path, survey: Survey, records: Sequence[Record]) -> None:
    """Write JSON lines, numbers as numbers, with keys in any order, and lines cut off."""
    del survey
    lines = []
    for place, record in enumerate(records):
        cells = {name: _as_json(name, cell) for name, cell in record.items() if cell is not None}
        ordered = dict(sorted(cells.items(), reverse=bool(place % 2)))
        lines.append(json.dumps({"extra": [1], **ordered}, ensure_ascii=bool(place % 3)))
    path.write_text("\n".join(lines), encoding="utf-8")


def _as_json(name: str, cell: str) -> Any:
    plain = name in ("rows", "hashes", "hours", "far") and re.fullmatch(
        "(0|[1-9][0-9]{0,18})", cell
    )
    return int(cell) if plain else cell


def write_parquet(path: Path, survey: Survey, records: Sequence[Record]) -> None:
    pq.write_table(as_table(survey, records), path)


def write_arrow(path: Path, survey: Survey, records: Sequence[Record]) -> None:
    pl.DataFrame(as_table(survey, records)).write_ipc(path, compression="lz4")


WRITERS = {
    "reports.csv": write_csv,
    "reports.csv.gz": write_csv,
    "reports.jsonl": write_lines,
    "reports.parquet": write_parquet,
    "reports.arrow": write_arrow,
}


def survey_of(questions: Any = QUESTIONS, *, ids: bool = False) -> Survey:
    return sf.Survey(questions, name="all", ids=ids)


def some(*names: str) -> dict[str, Any]:
    """Return some of the questions."""
    return {name: QUESTIONS[name] for name in names}
