"""Files and columns that a program has written in its own way: taken as they are, or refused."""

from __future__ import annotations

import codecs
import gc
import gzip
import json
import tempfile
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pytest

from sfumato.errors import InputError, InternalError
from sfumato.survey.collector.collect import collect
from sfumato.survey.collector.report_rows import decoded
from sfumato.survey.collector.tally import Aside
from tests.engines import ENGINES, Engines
from tests.refusing import raises_code
from tests.survey.plain_counts import MANY, some, survey_of

if TYPE_CHECKING:
    from pathlib import Path

COIN = survey_of(some("words"))
LINE = json.dumps({"survey": COIN.digest, "words": "true"}) + "\n"
TAG = "t" + "0" * 16


def refused(reports: Any, match: str, survey: Any = COIN) -> str:
    """Check that reports are refused in one sentence, and return it."""
    with pytest.raises(InputError, match=match) as caught:
        collect(survey, reports)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


class TestEncodings:
    @pytest.mark.parametrize("name", ["r.jsonl", "r[1].NDJSON.gz"])
    def test_a_byte_order_mark_hides_no_report(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "temporary").mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
        path = write(tmp_path / name, codecs.BOM_UTF8 + LINE.encode() * 3)
        found = collect(COIN, path)
        assert (found.people, found.aside) == (3, Aside())
        gc.collect()
        assert not any((tmp_path / "temporary").iterdir())

    def test_a_mark_and_nothing_else(self, tmp_path: Path) -> None:
        refused(write(tmp_path / "r.jsonl", codecs.BOM_UTF8), "has no reports")

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    @pytest.mark.parametrize("name", ["r.jsonl", "r.ndjson.gz"])
    def test_what_is_not_utf_8_is_said_to_be_so(
        self, name: str, encoding: str, tmp_path: Path
    ) -> None:
        path = write(tmp_path / name, LINE.encode(encoding))
        refused(path, f"{name}' is not UTF-8 text, as JSON lines are; save it as UTF-8$")

    def test_a_file_that_is_no_gzip(self, tmp_path: Path) -> None:
        (tmp_path / "r.jsonl.gz").write_text(LINE)
        refused(tmp_path / "r.jsonl.gz", "cannot be read as JSON lines")

    def test_a_marked_file_that_breaks_off_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "temporary").mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
        content = gzip.compress(codecs.BOM_UTF8 + b"".join(b"%d\n" % each for each in range(9**5)))
        (tmp_path / "r.jsonl.gz").write_bytes(content[: len(content) // 2])
        refused(tmp_path / "r.jsonl.gz", "cannot be read as JSON lines")
        assert not any((tmp_path / "temporary").iterdir())


class TestHeaders:
    def test_no_cell_is_quoted_where_there_is_no_header(self, tmp_path: Path) -> None:
        path = write(tmp_path / "noh.csv", f"{COIN.digest},true\n{COIN.digest},01\n".encode())
        said = refused(path, "noh.csv' has no column 'survey'; its first line should be survey,wo")
        assert COIN.digest not in said
        assert "true" not in said

    def test_a_table_without_the_column(self) -> None:
        frame = pd.DataFrame({COIN.digest: ["secret"]})
        said = refused(frame, "the table has no column 'survey'; its columns should be survey,word")
        assert COIN.digest not in said

    def test_a_long_header_is_cut(self) -> None:
        survey = survey_of({f"q{each}": some("words")["words"] for each in range(500)})
        refused(pd.DataFrame({"q0": ["1"]}), "should be survey,q0,.*,q8,…$", survey)


class TestColumns:
    @pytest.mark.parametrize("engine", ENGINES[:2])
    def test_people_that_a_number_cannot_tell_apart_are_impossible(
        self, engine: str, engines: Engines
    ) -> None:
        survey, odd = survey_of(some("words"), ids=True), [2.0**53, 2.0**53, -(2.0**53), 1e300]
        odd += [float("inf"), float("-inf"), float("nan"), 7.5]
        people = [7.0, 7.0, -7.0, 2.0**53 - 1, *odd, None]
        columns = {"survey": survey.digest, "tag": TAG, "words": "true"}
        table = pa.table({name: [cell] * len(people) for name, cell in columns.items()})
        table = table.append_column("person", pa.array(people, pa.float64()))
        found = collect(survey, engines.source(engine, table))
        assert (found.people, found.aside) == (3, Aside(impossible=len(odd) + 1, duplicates=1))

    def test_people_in_32_bits(self) -> None:
        survey = survey_of(some("words"), ids=True)
        frame = pd.DataFrame({"person": [1, 2**24 - 1, 2**24, 2**24 + 1]}).astype("float32")
        found = collect(survey, frame.assign(survey=survey.digest, tag=TAG, words="true"))
        assert (found.people, found.aside) == (2, Aside(impossible=2))

    @pytest.mark.parametrize(
        ("most", "small", "large"),
        [(127, "int8", "uint8"), (255, "uint8", "int16"), (32767, "int16", "uint16")],
    )
    def test_a_choice_beyond_a_type_is_refused(self, most: int, small: str, large: str) -> None:
        for choice, is_held in ((most, True), (most + 1, False)):
            survey = survey_of({"chosen": {"choices": ["1", str(choice)], "epsilon": 1}})
            frame = pd.DataFrame({"survey": survey.digest, "chosen": [1, 1]})
            assert collect(survey, frame.astype({"chosen": large})).people == 2
            given = frame.astype({"chosen": small})
            if is_held:
                assert collect(survey, given).people == 2
            else:
                refused(given, f"type {small}, which cannot hold every report", survey)

    def test_a_choice_below_a_type_is_refused(self) -> None:
        survey = survey_of({"chosen": {"choices": ["1", "-1"], "epsilon": 1}})
        frame = pd.DataFrame({"survey": survey.digest, "chosen": [1]}).astype({"chosen": "uint64"})
        refused(frame, "type uint64, which cannot hold every report", survey)

    @pytest.mark.parametrize("name", ["hadamard", "hashing"])
    def test_a_report_beyond_a_type_is_refused(self, name: str) -> None:
        choices = [f"c{each}" for each in range(200)]
        survey = survey_of({"chosen": {"choices": choices, "epsilon": 1, "protocol": name}})
        frame = pd.DataFrame({"survey": survey.digest, "chosen": [1]})
        refused(frame.astype({"chosen": "int8"}), "type int8, which cannot hold", survey)
        assert collect(survey, frame).people == 1

    def test_an_impossible_entry_that_an_engine_let_through_is_no_report(self) -> None:
        for name, entry in (("words", "?"), ("wide", "b2" + "0" * (len(MANY) - 1)), ("rows", 99)):
            question: Any = survey_of(some(name)).questions[name]
            with raises_code("E-INTERNAL", match="took impossible reports", kind=InternalError):
                decoded(question, pa.array([entry]))
