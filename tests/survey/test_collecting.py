"""Reports collected in an engine are those that a plain count of them finds, to the last one."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.data.engines.engine import watching
from sfumato.data.records import open_records
from sfumato.errors import InputError, UnknownNameError
from sfumato.survey.collector import collect as blocks
from sfumato.survey.collector.collect import collect
from sfumato.survey.collector.tally import Aside
from tests.engines import ENGINES
from tests.refusing import raises_code
from tests.survey.plain_counts import (
    MANY_WORDS,
    PAIRS,
    QUESTIONS,
    WORDS,
    WRITERS,
    Plain,
    SeededDraws,
    as_table,
    records_of,
    some,
    survey_of,
    write_csv,
    write_lines,
    write_parquet,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sfumato.survey import Survey
    from tests.engines import Engines
    from tests.survey.plain_counts import Record


class TestPlainCounts:
    def test_all_ways_of_counting_are_taken(self) -> None:
        found = blocks.blocks_of(survey_of(), PAIRS)
        assert {each.is_grouped for each in found} == {True, False}
        assert sorted(name for each in found for name in each.counted) == sorted(QUESTIONS)
        assert sorted(pair for each in found for pair in each.pairs) == sorted(PAIRS)

    @pytest.mark.parametrize("name", WRITERS)
    def test_files(self, name: str, tmp_path: Path) -> None:
        survey = survey_of(some("words", "status", "hours", "rows", "far"), ids=True)
        records = records_of(survey, 300, broken=0.4, seed=len(name))
        WRITERS[name](tmp_path / name, survey, records)
        found = collect(survey, tmp_path / name, pairs=PAIRS[:1])
        read = records if "csv" not in name else [_without_empty(each) for each in records]
        Plain(survey, PAIRS[:1]).check(found, read)
        aside = found.aside
        assert min(aside.other_survey, aside.impossible, aside.duplicates, found.people) > 0

    @pytest.mark.parametrize("as_frame", [pl.from_arrow, pa.Table.to_pandas])
    def test_frames(self, as_frame: Callable[[pa.Table], Any]) -> None:
        survey = survey_of(some("words", "people", "hashes"))
        records = records_of(survey, 200, broken=0.5, seed=5)
        found = collect(survey, as_frame(as_table(survey, records)))
        Plain(survey).check(found, records)

    @pytest.mark.full
    @pytest.mark.parametrize("engine", ENGINES[:2])
    @pytest.mark.parametrize("ids", [False, True])
    def test_all_questions(self, engine: str, ids: bool, engines: Engines) -> None:  # noqa: FBT001
        survey = survey_of(ids=ids)
        records = records_of(survey, 200, broken=0.5, seed=9)
        source = engines.source(engine, as_table(survey, records))
        Plain(survey, PAIRS).check(collect(survey, source, pairs=PAIRS), records)

    @pytest.mark.full
    def test_spark(self, engines: Engines) -> None:
        survey = survey_of({**some("status", "far"), "many": MANY_WORDS}, ids=True)
        records = records_of(survey, 200, broken=0.5, seed=9)
        source = engines.source("spark", as_table(survey, records))
        Plain(survey).check(collect(survey, source), records)

    @pytest.mark.parametrize("engine", ENGINES[:2])
    @pytest.mark.parametrize("choices", [300, 700])
    def test_sets_of_many(self, choices: int, engine: str, engines: Engines) -> None:
        """Sets of more than 250 are not told by a pattern, which engines limit."""
        asked = {"choices": [f"c{each}" for each in range(choices)], "epsilon": "0.1"}
        survey = survey_of({"many": {**asked, "protocol": "subset"}})
        records = records_of(survey, 20, broken=0, seed=11)
        good = str(records[0]["many"])
        for broken in (
            "0" + good,
            good + "0",
            "0" + good[1:],
            good.replace("1", "0", 1),
            good + " ",
        ):
            records.append({"survey": survey.digest, "many": broken})
        source = engines.source(engine, as_table(survey, records))
        found = collect(survey, source)
        Plain(survey).check(found, records)
        assert found.aside.impossible == 5

    @pytest.mark.parametrize("engine", ENGINES[:2])
    def test_many_words_are_looked_up(self, engine: str, engines: Engines) -> None:
        survey = survey_of({"many": MANY_WORDS})
        records = records_of(survey, 100, broken=0.3, seed=11)
        source = engines.source(engine, as_table(survey, records))
        Plain(survey).check(collect(survey, source), records)


def _without_empty(record: Record) -> Record:
    """A record as a CSV has it: an empty cell is none."""
    return {name: cell or None for name, cell in record.items()}


class TestTypes:
    """Columns that a program has guessed the type of."""

    NUMBERS = some("rows", "hashes", "hours")

    def read(self, survey: Survey, records: Sequence[Record], kind: str) -> Any:
        frame = as_table(survey, records).to_pandas()
        return frame.astype(dict.fromkeys(self.NUMBERS, kind))

    @pytest.mark.parametrize("kind", ["int64", "float64", "int16", "uint64"])
    def test_whole_numbers(self, kind: str) -> None:
        survey = survey_of(self.NUMBERS)
        records = records_of(survey, 60, broken=0, seed=3)
        found = collect(survey, self.read(survey, records, kind))
        Plain(survey).check(found, records)
        assert found.people == 60

    @pytest.mark.parametrize("engine", ENGINES[:2])
    def test_other_numbers_are_impossible(self, engine: str, engines: Engines) -> None:
        survey = survey_of(some("hours"))
        marks = blocks.variety(survey.questions["hours"])
        odd = [0.5, -1.0, float(marks), np.nan, np.inf, -np.inf, 1e300, 2**53 + 1.0, None]
        cells = pa.array([0.0, -0.0, marks - 1.0, *odd], pa.float64())
        reports = pa.table({"survey": [survey.digest] * len(cells), "hours": cells})
        found = collect(survey, engines.source(engine, reports))
        assert (found.people, found.aside.impossible) == (3, len(odd))
        assert found.tallies["hours"].counts.tolist() == [2, *[0] * (marks - 2), 1]

    def test_whole_numbers_may_be_choices(self) -> None:
        survey = survey_of({"rooms": {"choices": ["1", "2", "10", "-3"], "epsilon": 1}})
        for cells in ([1, 10, -3, 4, None], [1.0, 10.0, -3.0, 4.5, None]):
            reports = pd.DataFrame({"survey": survey.digest, "rooms": cells})
            found = collect(survey, reports)
            assert found.tallies["rooms"].counts.tolist() == [1, 0, 1, 1]
            assert found.aside.impossible == 2

    def test_true_and_false_may_be_choices(self) -> None:
        survey = survey_of({"fine": {"choices": ["true", "false"], "epsilon": 1}})
        reports = pl.DataFrame({"survey": survey.digest, "fine": [True, True, False, None]})
        found = collect(survey, reports)
        assert found.tallies["fine"].counts.tolist() == [2, 1]

    @pytest.mark.parametrize(
        ("choices", "cells"),
        [
            (["08", "09", "10"], [8, 9, 10]),
            (["1.0", "2"], [1.0, 2.0]),
            (["yes", "no"], [True, False]),
            (["True", "False"], [True, False]),
            (["1", "2"], pd.to_datetime(["2026-01-01", "2026-01-02"])),
        ],
    )
    def test_types_that_lose_a_choice_are_refused(self, choices: list[str], cells: Any) -> None:
        survey = survey_of({"chosen": {"choices": choices, "epsilon": 1}})
        frame = pd.DataFrame({"chosen": cells}).assign(survey=survey.digest)
        refused(survey, frame, "the column 'chosen' of the table is of type .* read as text")

    def test_numbers_beyond_those_of_a_double_are_refused(self) -> None:
        choices = [str(each) for each in range(1000)]
        survey = survey_of({"far": {"choices": choices, "epsilon": 8, "protocol": "hashing"}})
        frame = pd.DataFrame({"far": [1.0]}).assign(survey=survey.digest)
        refused(survey, frame, "the column 'far' of the table is of type float64")

    @pytest.mark.parametrize("name", ["survey", "tag"])
    def test_a_digest_that_is_a_number_is_refused(self, name: str) -> None:
        survey = survey_of(some("words"), ids=True)
        frame = as_table(survey, records_of(survey, 3, broken=0, seed=1)).to_pandas()
        refused(survey, frame.assign(**{name: 1}), f"the column {name!r} of the table is of type")

    def test_ids_may_be_numbers(self) -> None:
        survey = survey_of(some("words"), ids=True)
        frame = as_table(survey, records_of(survey, 3, broken=0, seed=1)).to_pandas()[:3]
        frame = frame.assign(survey=survey.digest, words="01", person=[7.0, 7.0, None])
        found = collect(survey, frame)
        assert (found.people, found.aside) == (1, Aside(impossible=1, duplicates=1))


class TestPeople:
    COIN = some("words")

    def reports(self, *rows: tuple[str, str, str]) -> pd.DataFrame:
        survey = survey_of(self.COIN, ids=True)
        frame = pd.DataFrame(rows, columns=["person", "tag", "words"])
        return frame.assign(survey=survey.digest)

    def kept(self, *rows: tuple[str, str, str]) -> dict[str, int]:
        found = collect(survey_of(self.COIN, ids=True), self.reports(*rows))
        counts = dict(zip(WORDS, found.tallies["words"].counts.tolist(), strict=True))
        return {word: count for word, count in counts.items() if count}

    def test_the_least_tag_is_kept(self) -> None:
        tags = [f"t{each:016x}" for each in (9, 10, 255)]
        assert self.kept(("ann", tags[1], "01"), ("ann", tags[0], "true")) == {"true": 1}
        assert self.kept(("ann", tags[1], "true"), ("ann", tags[2], "01")) == {"true": 1}

    def test_copies_count_once(self) -> None:
        one = ("ann", "t" + "0" * 16, "true")
        assert self.kept(one, one, ("bea", *one[1:]), one) == {"true": 2}

    def test_what_cannot_count_hides_no_other_report(self) -> None:
        first, second = ("t" + digit * 16 for digit in "01")
        assert self.kept(("ann", first, "?"), ("ann", second, "true")) == {"true": 1}

    @pytest.mark.parametrize("tag", ["", "t", "T" + "0" * 16, "t" + "0" * 15, "t" + "g" * 16])
    def test_a_tag_that_no_client_writes_is_impossible(self, tag: str) -> None:
        good = ("bea", "t" + "0" * 16, "true")
        assert self.kept(("ann", tag, "true"), ("", good[1], "true"), good) == {"true": 1}

    def test_what_is_kept_does_not_hang_on_the_answer(self) -> None:
        """Of two reports each is kept half the time; the least word, a twin, is always one.

        A right count is further than 5 standard deviations off in fewer than 1 of 10^6 seeds.
        """
        draws, people = SeededDraws(7), 2000
        rows = [
            (str(person), f"t{draws.below(2**64):016x}", word)
            for person in range(people)
            for word in ("01", "true")
        ]
        least = {
            person: min(word for who, _, word in rows if who == person) for person in ("0", "1")
        }
        assert set(least.values()) == {"01"}
        assert abs(self.kept(*rows)["01"] - people / 2) < 5 * (people / 4) ** 0.5


def refused(survey: Survey, reports: Any, match: str, **given: Any) -> None:
    """Check that reports are refused in one sentence."""
    with pytest.raises(InputError, match=match) as caught:
        collect(survey, reports, **given)
    assert "\n" not in str(caught.value)


class TestRefusals:
    def test_a_file_without_reports(self, tmp_path: Path) -> None:
        survey = survey_of(some("words"))
        for name, write in WRITERS.items():
            write(tmp_path / name, survey, [])
            refused(survey, tmp_path / name, f"{name}' has no reports; have people answer first")

    @pytest.mark.parametrize("name", ["r.csv", "r.parquet", "r.jsonl", "r.arrow", "r.csv.gz"])
    def test_an_empty_file(self, name: str, tmp_path: Path) -> None:
        (tmp_path / name).write_bytes(b"")
        refused(survey_of(), tmp_path / name, "has no header|cannot be |has no reports")

    def test_a_column_that_is_missing(self) -> None:
        survey = survey_of(some("words"))
        reports = as_table(survey, records_of(survey, 3, broken=0, seed=1)).drop_columns("words")
        with raises_code(
            "E-NAME-UNKNOWN", match="there is no column 'words' in the table", kind=UnknownNameError
        ):
            collect(survey, reports)

    def test_another_survey(self, tmp_path: Path) -> None:
        theirs = survey_of(some("words"))
        write_lines(tmp_path / "r.jsonl", theirs, records_of(theirs, 5, broken=0, seed=1))
        said = r"no report in '.*' can be counted \(9 of another survey or "
        for ours in (survey_of(), survey_of(some("words"), ids=True)):
            refused(ours, tmp_path / "r.jsonl", said)

    def test_a_line_that_is_no_report(self, tmp_path: Path) -> None:
        (tmp_path / "r.jsonl").write_text("hello")
        said = r"no report in '.*' can be counted \(1 of another survey or no reports at all\);"
        refused(survey_of(), tmp_path / "r.jsonl", said)

    def test_the_path_of_a_survey_is_none(self) -> None:
        with raises_code(
            "E-ARGUMENT-TYPE", match=r"write sf\.survey\.read_survey\('class\.toml'\)"
        ):
            collect("class.toml", "reports.csv")  # type: ignore[arg-type]

    def test_nothing_but_impossible_reports(self) -> None:
        survey = survey_of(some("words"))
        frame = pd.DataFrame({"survey": [survey.digest, "s"], "words": ["?", "01"]})
        refused(
            survey,
            frame,
            r"\(1 of another survey or no reports at all and 1 with an impossible or missing",
        )

    @pytest.mark.parametrize(
        "pairs",
        [
            ["words"],
            "ab",
            [("words", "words")],
            [("hours", "words")],
            [(["words"], "rows")],
            [(1, 2)],
        ],
    )
    def test_what_is_no_pair(self, pairs: Any) -> None:
        refused(survey_of(), "none.csv", "a pair is of two questions with choices", pairs=pairs)

    def test_a_pair_of_unknown_questions(self) -> None:
        with raises_code(
            "E-NAME-UNKNOWN", match="there is no question 'word'", kind=UnknownNameError
        ):
            collect(survey_of(), "none.csv", pairs=[("word", "status")])

    def test_what_is_no_file_of_reports(self, tmp_path: Path) -> None:
        refused(survey_of(), tmp_path / "none.jsonl", "there is no file")
        refused(survey_of(), tmp_path, "is a folder")
        (tmp_path / "r.txt").touch()
        refused(survey_of(), tmp_path / "r.txt", r"should end in .*\.parquet.*\.jsonl.*\.arrow")
        refused(survey_of(), tmp_path / "r.txt", "names a table of a database", table="reports")

    def test_a_broken_line_is_not_quoted(self, tmp_path: Path) -> None:
        survey = survey_of(some("words", "wide"))
        write_csv(tmp_path / "r.csv", survey, records_of(survey, 3, broken=0, seed=1))
        with (tmp_path / "r.csv").open("a") as file:
            file.write("secret,cells,of,too,many,columns\n")
        refused(survey, tmp_path / "r.csv", "cannot be read as CSV; (?!.*secret)")


def as_whole(text: str | None) -> int | str | None:
    """Return a text as the whole number that is written so."""
    is_whole = text is not None and text.isascii() and text.isdigit() and str(int(text)) == text
    return int(text) if text is not None and is_whole else text


class TestRecords:
    def test_lines_that_are_no_reports_are_set_aside(self, tmp_path: Path) -> None:
        survey, path = survey_of(some("words")), tmp_path / "r.jsonl.gz"
        report = json.dumps({"survey": survey.digest, "words": "true"})
        lines = [report, "", "[1]", "null", "{}", "nonsense", report + report, report[:-3]]
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write("\n".join(lines))
        found = collect(survey, path)
        assert (found.people, found.aside) == (1, Aside(other_survey=6))

    def test_what_a_client_prints_is_collected(self, tmp_path: Path) -> None:
        survey, draws = survey_of(some("words", "hours", "wide"), ids=True), SeededDraws(1)
        answers = {"words": "NULL", "hours": 7.5, "wide": "c3"}
        reports = [survey.answer(answers, person=f"{each:03}", draws=draws) for each in range(20)]
        lines = [json.dumps(each) for each in reports]
        (tmp_path / "r.jsonl").write_text("\n".join([*lines, *lines[:5]]))
        found = collect(survey, tmp_path / "r.jsonl", pairs=[("words", "wide")])
        assert (found.people, found.aside) == (20, Aside(duplicates=5))

    def test_a_list_is_collected_as_a_file_is(self) -> None:
        survey = survey_of(ids=True)
        records = records_of(survey, 400, broken=0.5, seed=5)
        found = collect(survey, [{**each, "rows": as_whole(each["rows"])} for each in records])
        Plain(survey).check(found, records)
        assert min(found.people, found.aside.impossible, found.aside.duplicates) > 0

    def test_what_a_client_returns_is_collected(self) -> None:
        survey = survey_of(some("words", "hours"))
        reports = [survey.answer({"words": "1", "hours": 8}) for _ in range(5)]
        wrong: list[Any] = [{}, {"survey": survey.digest}, {**reports[0], "words": True}]
        found = collect(survey, [*reports, *wrong])
        assert (found.people, found.aside) == (5, Aside(other_survey=1, impossible=2))

    @pytest.mark.parametrize("reports", [["hello"], [1], [{}, None]])
    def test_a_list_of_something_else(self, reports: Any) -> None:
        refused(survey_of(some("words")), reports, "give a list of records")

    def test_a_list_whose_cells_cannot_be_written(self) -> None:
        survey = survey_of(some("words"))
        for entry in ("\ud800", 10**5000):
            reports = [{"survey": survey.digest, "words": entry}]
            refused(survey, reports, "the list cannot be read; give a list of records")

    def test_an_empty_list(self) -> None:
        refused(survey_of(some("words")), [], "the list has no reports; have people answer first")

    @pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
    @pytest.mark.parametrize("within", [False, True])
    def test_a_table_in_the_user_s_own_duckdb(self, within: bool) -> None:  # noqa: FBT001
        survey = survey_of(some("words", "wide"), ids=True)
        records = records_of(survey, 60, broken=0.3, seed=2)
        backend = ibis.duckdb.connect()
        backend.con.register("given", as_table(survey, records))
        backend.con.execute("CREATE TABLE reports AS FROM given")
        if within:
            backend.con.execute("BEGIN")
        Plain(survey).check(collect(survey, backend.table("reports")), records)
        assert backend.con.execute("SELECT count(*) FROM reports").fetchall() == [(len(records),)]

    @pytest.mark.parametrize("engine", ENGINES)
    def test_parts_of_a_result(self, engine: str, engines: Engines) -> None:
        rows = pa.table({"n": list(range(25)), "text": [f"é{each}" for each in range(25)]})
        source = engines.source(engine, rows)
        parts = list(source.batches(source.table, rows=10))
        assert max(each.num_rows for each in parts) <= 10
        assert pa.Table.from_batches(parts).sort_by("n").equals(rows)
        # Who stops early leaves nothing behind.
        next(source.batches(source.table, rows=1))
        with source.engine.reading():
            for _ in source.batches(source.table, rows=1):
                break
            assert sum(each.num_rows for each in source.batches(source.table, rows=9)) == 25

    def test_names_of_columns_in_json(self, tmp_path: Path) -> None:
        (tmp_path / "r.jsonl").write_text('{"select": 1, "größe": "2", "SELECT": 3, "a\'b": null}')
        source = open_records(tmp_path / "r.jsonl", ["select", "größe"])
        assert source.fetch(source.table).to_pydict() == {"select": ["1"], "größe": ["2"]}

    def test_progress_is_told(self, tmp_path: Path) -> None:
        survey = survey_of(some("words", "wide"))
        write_parquet(tmp_path / "r.parquet", survey, records_of(survey, 50, broken=0, seed=1))
        shares: list[float] = []
        with watching(shares.append):
            collect(survey, tmp_path / "r.parquet")
        assert all(0 <= each <= 1 for each in shares)
