"""A cell never shows up in what the shell writes, whatever goes wrong."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

CANARY = "CANARY4711"

TEXTS: dict[str, bytes] = {
    "good.csv": f"a,n\n{CANARY},1\nx,{CANARY}\n".encode(),
    "ragged.csv": f"a,n\n1,2\n{CANARY},4,5\n".encode(),
    "short.csv": f"a,n\n{CANARY}\n".encode(),
    "late.csv": b"a,n\n" + b"1,2\n" * 60_000 + f"{CANARY},4,5\n".encode(),
    "late-quote.csv": b"a,n\n" + b"1,2\n" * 60_000 + f'"{CANARY},4\n'.encode(),
    "late-bytes.csv": b"a,n\n" + b"1,2\n" * 60_000 + CANARY.encode() + b"\xe9\xff,1\n",
    "latin.csv": CANARY.encode().join([b"a,n\n", b"\xe9,1\n"]),
    "utf16.csv": f"a,n\n{CANARY},1\n".encode("utf-16"),
    "nul.csv": f"a,n\n{CANARY}\0,1\n".encode(),
    "fake.parquet": f"PAR1{CANARY}PAR1".encode(),
    "fake.csv.gz": f"a,n\n{CANARY},1\n".encode(),
    "cut.csv.gz": gzip.compress(f"a,n\n{CANARY},1\n".encode() * 500)[:60],
    "late.csv.gz": gzip.compress(b"a,n\n" + b"1,2\n" * 60_000 + f"{CANARY},4,5\n".encode()),
}

OPTIONS = [
    ["--columns", "a"],
    ["--columns", "a", "--given", "n"],
    ["--columns", "a", "--weights", "n"],
    ["--columns", "nope"],
]


@pytest.fixture(params=[*TEXTS, "cells.parquet"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    if path.suffix == ".parquet" and path.name not in TEXTS:
        pq.write_table(pa.table({"a": [CANARY, "x"], "n": [CANARY, "2"]}), path)
    else:
        path.write_bytes(TEXTS[path.name])
    return path


def check(done: Finished) -> None:
    assert CANARY not in done.out + done.err
    assert done.code in (0, 2)
    assert done.err.count("\n") == (0 if done.code == 0 else 1)


@pytest.mark.full
@pytest.mark.parametrize("options", OPTIONS)
def test_entropy_never_writes_a_cell(shell: Shell, path: Path, options: list[str]) -> None:
    check(shell("entropy", path, *options))


def test_divergence_never_writes_a_cell(shell: Shell, path: Path) -> None:
    check(shell("divergence", path, path))


@pytest.mark.parametrize("path", ["good.csv", "late.csv", "cells.parquet"], indirect=True)
def test_a_picture_of_an_answer_shows_no_cell(shell: Shell, path: Path, tmp_path: Path) -> None:
    done, picture = _drawn(shell, path, tmp_path, groups="x,y")
    assert CANARY not in done.out + done.err + picture
    assert bool(picture) == (done.code == 0)
    assert bool(picture) == (path.name != "late.csv")


@pytest.mark.parametrize("path", ["good.csv"], indirect=True)
def test_a_group_that_is_declared_is_seen_in_its_picture(
    shell: Shell, path: Path, tmp_path: Path
) -> None:
    _, picture = _drawn(shell, path, tmp_path, groups=f"x,{CANARY}")
    assert CANARY in picture


def _drawn(shell: Shell, path: Path, folder: Path, *, groups: str) -> tuple[Finished, str]:
    """Ask how many there are in each group, and return the picture as well."""
    asked = f"SELECT a, COUNT(*) AS n FROM {path.stem} GROUP BY a"  # noqa: S608, of our own
    declared = ["--unit", "row", "--keys", f"a={groups}", "--epsilon", 1]
    picture = folder / "answer.svg"
    done = shell("query", path, asked, *declared, "--plot", picture)
    return done, picture.read_text(encoding="utf-8") if picture.exists() else ""
