"""No cell of the data in any message, log, chain of exceptions, ledger or receipt (Y3, Y14).

Every text of the table is a canary.  The one place where text of the data may appear is a group
that is declared, or one that enough people are in.
"""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import EngineError, InputError, SfumatoError
from sfumato.tables.release.charge import release_plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.tables import PrivateTable, Query

CANARY = "CANARY-7f3a"
UNIT = sf.privacy.AddRemove(unit=sf.privacy.Person("id"))


def canaries(rows: int = 60) -> pa.Table:
    """Cells that all carry the canary, and numbers that break what is careless."""
    numbers = [float("nan"), float("inf"), -1e308, 0.0, None, 2.5]
    return pa.table(
        {
            "id": [f"{CANARY}-{i % 20}" for i in range(rows)],
            "s": [f"{CANARY} {i}" for i in range(rows)],
            "t": [f"12{CANARY}" if i % 2 else f"2024-02-30{CANARY}" for i in range(rows)],
            "x": [numbers[i % len(numbers)] for i in range(rows)],
            "i": [(2**63 - 1) if i % 3 else -(2**63) for i in range(rows)],
        }
    )


@dataclass(frozen=True)
class Seen:
    """What came of a question: an answer, or an error."""

    release: Any = None
    error: BaseException | None = None

    @property
    def text(self) -> str:
        """All that anybody could read of it."""
        if self.error is not None:
            return "".join(_said(each) for each in _chain(self.error))
        told = self.release
        shown = (told, told.plan, told.to_pandas(confidence=0.9), told._repr_html_())
        drawn = str(told.plot().to_dict())
        kept = (repr(told.plan), repr(told.receipt), told.content.decode())
        return "\n".join([*map(str, shown), *kept, drawn])


def _chain(error: BaseException) -> list[BaseException]:
    """An error and all that it was raised for, shown or suppressed."""
    found, left = [], [error]
    while left:
        each = left.pop()
        found.append(each)
        left += [other for other in (each.__cause__, each.__context__) if other is not None]
    return found


def _said(error: BaseException) -> str:
    return "".join([*traceback.format_exception(error), repr(error), repr(error.args)])


def seen(ask: Callable[[], Any]) -> Seen:
    try:
        return Seen(release=ask())
    except SfumatoError as error:
        return Seen(error=error)


class Clinic:
    """A table with a ledger, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with sf.Ledger.create(folder / "ledger.db", key=folder / "key.pem") as ledger:
            ledger.add_book("clinic", sf.PureDP(epsilon=10**6, relation=UNIT))

    def table(self, data: Any, **declared: Any) -> PrivateTable:
        place = {"path": self.folder / "ledger.db", "book": "clinic", "analyst": "ada"}
        given = {"unit": "id", "bounds": {"x": (0, 10), "i": (0, 10)}, "limits": {"rows": 3}}
        return sf.table(data, **{**given, "ledger": place, **declared})

    @property
    def kept(self) -> bytes:
        """All that the ledger wrote."""
        files = [each for each in self.folder.iterdir() if each.name.startswith("ledger")]
        return b"".join(each.read_bytes() for each in files)

    @property
    def written(self) -> int:
        """How many entries there are since the book was opened: a charge, and what came of it."""
        with sf.Ledger.open(self.folder / "ledger.db") as ledger:
            return len(list(ledger.book("clinic").entries())) - 1


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return Clinic(tmp_path)


@pytest.fixture
def silent(
    clinic: Clinic, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Any:
    """Check what was told of a question, and whatever was written on the way."""

    def check(ask: Callable[[], Any]) -> Seen:
        with caplog.at_level(logging.DEBUG):
            told = seen(ask)
        out, err = capfd.readouterr()
        assert CANARY not in told.text
        assert CANARY not in out + err + caplog.text
        assert CANARY.encode() not in clinic.kept
        return told

    return check


def _raising(block: Any) -> float:
    message = f"cannot use {block['s'].iloc[0]}"
    raise RuntimeError(message)


def _telling(block: Any) -> Any:
    return str(block["s"].iloc[0])


def _sampled(function: Any) -> Any:
    return sf.tables.sample_aggregate(
        function, columns=["s"], bounds=(0, 1), blocks=3, frame="pandas"
    )


#: Questions that are answered.
ANSWERED: dict[str, Callable[[PrivateTable], Query]] = {
    "counts": lambda t: t.agg(n=sf.count(), k=sf.count("x"), p=sf.people()),
    "sums": lambda t: t.agg(m=sf.mean("x"), s=sf.sum("i"), c=sf.tables.covariance("x", "i")),
    "choices": lambda t: t.agg(q=sf.median("x"), h=sf.histogram("i", [0, 5, 10])),
    "a mode of declared values": lambda t: t.agg(c=sf.tables.mode("s", values=["a", "b"])),
    "bounds to be found": lambda t: t.agg(m=sf.mean("x", bounds="auto")),
    "a bad cast": lambda t: t.agg(m=sf.mean(sf.col("s").cast("integer"), bounds=(0, 9))),
    "a bad date": lambda t: t.filter(sf.col("t").cast("date").year() > 2000).agg(n=sf.count()),
    "a filter by text": lambda t: t.filter(sf.col("s") == "a").agg(n=sf.count()),
    "a group of bad casts": lambda t: (
        t.with_columns(k=sf.col("t").cast("integer") % 2).filter(sf.col("k") == 0)
    ).agg(n=sf.count()),
    "overflow": lambda t: t.with_columns(j=sf.col("i") * sf.col("i") + 1).agg(n=sf.count("j")),
    "declared groups": lambda t: t.group_by("s").agg(n=sf.count()),
    "a function that fails": lambda t: t.agg(f=_sampled(_raising)),
    "a function that tells": lambda t: t.agg(f=_sampled(_telling)),
}
#: Questions that are refused, each with a part of what is said.
REFUSED: dict[str, tuple[Callable[[PrivateTable], Any], str]] = {
    "a mean of text": (lambda t: t.agg(m=sf.mean("s")), "takes a column of numbers"),
    "a text that is no condition": (lambda t: t.filter(sf.col("s")), "condition"),
    "text above a number": (lambda t: t.filter(sf.col("s") > 5), "text"),
    "a column that is not there": (lambda t: t.agg(m=sf.mean("y")), "no column 'y'"),
    "no delta": (lambda t: t.group_by("t").agg(n=sf.count()), "takes a δ"),
    "SQL of a row": (lambda t: t.query("SELECT s FROM t"), "s"),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_tells_no_cell(clinic: Clinic, silent: Any, name: str) -> None:
    table = clinic.table(canaries(), keys={"s": ["a", "b"]})
    told = silent(lambda: ANSWERED[name](table).release(epsilon=1))
    assert told.error is None
    assert clinic.written == 2


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_tells_no_cell(clinic: Clinic, silent: Any, name: str) -> None:
    ask, part = REFUSED[name]
    table = clinic.table(canaries())
    told = silent(lambda: ask(table).release(epsilon=1))
    assert part in str(told.error)
    assert clinic.written == 0


def test_groups_that_are_found_are_those_of_many_people(clinic: Clinic) -> None:
    """The twin as well: one canary that many people share is told, and so can be seen."""
    columns = canaries(4_000).to_pydict()
    columns["id"] = list(range(4_000))
    columns["s"] = [f"{CANARY} all" if i % 2 else f"{CANARY} {i}" for i in range(4_000)]
    table = clinic.table(pa.table(columns), limits={"groups": 1, "rows": 1}, ledger=None)
    told = table.group_by("s").agg(n=sf.count()).release(epsilon=1, delta=1e-6)
    assert told["s"] == [f"{CANARY} all"]
    assert CANARY not in str(told).replace(f"{CANARY} all", "")
    assert CANARY in Seen(release=told).text


class TestFilesThatBreak:
    """What the engine says of a file is not passed on, whenever it breaks."""

    def test_a_ragged_line_deep_inside(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / "late.csv"
        path.write_text("id,x\n" + "a,1\n" * 60_000 + f"{CANARY},4,5\n")
        table = clinic.table(path, bounds={})
        told = silent(lambda: table.agg(n=sf.count()).release(epsilon=1))
        assert "cannot be read as CSV; line 60002 has more cells" in str(told.error)
        assert clinic.written == 0

    def test_a_ragged_line_after_planning(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / "late.csv"
        path.write_text("id,x\n" + "a,1\n" * 60_000)
        plan = clinic.table(path, bounds={}).agg(n=sf.count()).plan(epsilon=1)
        with path.open("a") as file:
            file.write(f"{CANARY},4,5\n")
        assert "cannot be read as CSV" in str(silent(lambda: release_plan(plan)).error)
        assert clinic.written == 0

    def test_bytes_that_are_no_text(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / "bytes.csv"
        path.write_bytes(b"id,x\n" + b"a,1\n" * 60_000 + CANARY.encode() + b"\xff,1\n")
        table = clinic.table(path, bounds={})
        told = silent(lambda: table.agg(n=sf.count()).release(epsilon=1))
        assert "is not text in UTF-8 (line 60002)" in str(told.error)
        assert clinic.written == 0

    @pytest.mark.parametrize("cut", [0.3, 0.9])
    def test_a_file_cut_short_after_planning(self, clinic: Clinic, silent: Any, cut: float) -> None:
        path = clinic.folder / "cells.parquet"
        pq.write_table(canaries(5_000), path, row_group_size=500)
        plan = clinic.table(path).agg(n=sf.count(), m=sf.mean("x")).plan(epsilon=1)
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * cut)])
        told = silent(lambda: release_plan(plan))
        assert "cannot be read as Parquet" in str(told.error)
        assert clinic.written == 1

    def test_pages_that_were_overwritten_after_planning(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / "cells.parquet"
        pq.write_table(canaries(5_000), path, compression="snappy")
        plan = (
            clinic.table(path)
            .agg(m=sf.mean("x"), c=sf.tables.mode("s", values=["a"]))
            .plan(epsilon=1)
        )
        whole = bytearray(path.read_bytes())
        data = len(whole) - 3_000
        whole[4:data] = CANARY.encode().ljust(data - 4, b"\xff")
        path.write_bytes(bytes(whole))
        assert "Parquet" in str(silent(lambda: release_plan(plan)).error)

    def test_a_file_that_is_gone(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / f"{CANARY[:3]}.csv"
        path.write_text(f"id,s\na,{CANARY}\n")
        plan = clinic.table(path, bounds={}).agg(n=sf.count()).plan(epsilon=1)
        path.unlink()
        assert isinstance(silent(lambda: release_plan(plan)).error, InputError)

    def test_a_column_of_another_type_after_planning(self, clinic: Clinic, silent: Any) -> None:
        path = clinic.folder / "cells.parquet"
        pq.write_table(canaries(), path)
        plan = clinic.table(path).agg(m=sf.mean("x")).plan(epsilon=1)
        texts = canaries().set_column(3, "x", pa.array([CANARY] * 60))
        pq.write_table(texts, path)
        assert isinstance(silent(lambda: release_plan(plan)).error, EngineError)

    def test_a_frame_of_mixed_cells(self, clinic: Clinic, silent: Any) -> None:
        frame = pd.DataFrame({"id": ["a", "b"], "x": [CANARY, 1.0]})
        told = silent(lambda: clinic.table(frame).agg(n=sf.count()).release(epsilon=1))
        assert "holds objects of Python" in str(told.error)


def test_twin_the_chain_of_a_careless_error_is_searched() -> None:
    """An error that hides another one is seen through."""

    def careless() -> None:
        try:
            int(CANARY)
        except ValueError:
            message = "no cell here"
            raise InputError("E-INTERNAL", message) from None

    assert CANARY in seen(careless).text
