"""What a picture says of a question: names of files, and never the folders that they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.charts.parts.answers import question

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "ward.csv": "id,sex\n1,F\n2,M\n",
    "people.csv": "id,town\n1,x\n2,y\n",
    "wings.csv": "sex,wing\nF,a\nM,b\n",
}


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["o'brien", 'so "called"', "both ' and \"", "new\nline", "long " * 40, "back\\slash"]
)
def test_no_folder_is_told_whatever_its_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name / "secret"
    folder.mkdir(parents=True)
    for file, text in FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
    declared: dict[str, Any] = {"unit": "id", "limits": {"rows": 1}}
    table = sf.table(folder / "ward.csv", **declared)
    joined = table.join(sf.public(folder / "wings.csv"), on="sex")
    joined = joined.join(sf.table(folder / "people.csv", **declared))
    told = question(joined.agg(n=sf.count()))
    assert told == (
        "n = count(*) joined with the public rows of 'wings.csv' on sex "
        "joined with the rows of the same person in 'people.csv' of 'ward.csv'"
    )


def test_a_file_may_have_an_odd_name_itself(tmp_path: Path) -> None:
    (tmp_path / "o'brien.csv").write_text("id\n1\n", encoding="utf-8")
    table = sf.table(tmp_path / "o'brien.csv", unit="row")
    assert question(table.agg(n=sf.count())) == 'n = count(*) of "o\'brien.csv"'
