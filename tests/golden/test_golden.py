"""What earlier versions wrote is read, and means the same; what they printed is printed.

The golden files of a version lie in a folder of its name, made by `python -m tests.golden make`,
and are never made again.  Where a page is meant to change, `python -m tests.golden print VERSION`
writes the pages anew, and their difference belongs to the change.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.cases import cases
from tests.golden.figures import FIGURES
from tests.golden.printed import VERBS, said
from tests.golden.surface import missed, surface
from tests.golden.versions import (
    CERTIFICATES,
    EVENTS,
    GUARANTEES,
    HERE,
    LEDGER,
    MEANT,
    NAMES,
    POLICIES,
    PRINTED,
    SURVEYS,
    versions,
)
from tests.ledger.tables import ENTRIES, do, drop_triggers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

VERSIONS = [each.name for each in versions()]
#: Pages are those of the latest version: what is printed may be meant to change.
LATEST = versions()[-1]
KILOBYTES = 300


def kept(version: Path, part: str) -> Any:
    """What documents of a version meant when they were made."""
    return json.loads((version / MEANT).read_text(encoding="utf-8"))[part]


def found(version: Path, part: str) -> Any:
    """What they mean now, as JSON has it."""
    return json.loads(json.dumps(FIGURES[part](version)))


@pytest.mark.parametrize("part", FIGURES)
@pytest.mark.parametrize("version", VERSIONS)
def test_documents_are_read_and_mean_the_same(version: str, part: str) -> None:
    assert found(HERE / version, part) == kept(HERE / version, part)


@cases("version", VERSIONS)
def test_every_public_name_is_there_with_its_parameters(version: str) -> None:
    before = (HERE / version / NAMES).read_text(encoding="utf-8")
    assert missed(before, surface()) == []


@cases("name", VERBS)
def test_verbs_print_what_they_printed(name: str) -> None:
    page = (LATEST / PRINTED / f"{name}.txt").read_text(encoding="utf-8")
    assert said(name, LATEST) == page, "if this is meant: see the head of this file"


@cases("version", VERSIONS)
def test_golden_files_are_small_and_of_no_machine(version: str) -> None:
    files = [each for each in (HERE / version).rglob("*") if each.is_file()]
    assert sum(each.stat().st_size for each in files) < KILOBYTES * 1000
    words = (str(HERE.parents[1]).encode(), b"/tmp/", b"/home/")
    assert [each.name for each in files if any(word in each.read_bytes() for word in words)] == []


def test_every_printed_page_has_its_verb() -> None:
    assert {path.stem for path in (LATEST / PRINTED).iterdir()} == {*VERBS}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The golden files of the latest version, to be changed."""
    return shutil.copytree(LATEST, tmp_path / "golden")


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def with_another_hash(folder: Path) -> None:
    """Change the hash of an entry, past the program."""
    place = str(folder / LEDGER)
    drop_triggers(place)
    do(place, f"UPDATE {ENTRIES} SET hash = replace(hash, '0', '1') WHERE sequence = 2")  # noqa: S608


CHANGES: dict[str, Callable[[Path], None]] = {
    "events": lambda each: replaced(each / EVENTS, '"0.5"', '"0.6"'),
    "guarantees": lambda each: replaced(each / GUARANTEES, '"0.25"', '"0.26"'),
    "policies": lambda each: replaced(each / POLICIES / "joined.toml", "rho = 0.5", "rho = 0.6"),
    "ledger": with_another_hash,
    "certificates": lambda each: replaced(each / CERTIFICATES / "rows.json", '"0.', '"1.'),
    "survey": lambda each: replaced(each / SURVEYS / "reports.csv", ",b,", ",c,"),
}


@pytest.mark.parametrize("part", CHANGES)
def test_twin_a_document_that_was_changed_is_seen(part: str, copied: Path) -> None:
    CHANGES[part](copied)
    assert found(copied, part) != kept(copied, part)


def test_twin_a_name_that_went_or_takes_something_else_is_seen() -> None:
    today = surface()
    assert missed(today, today) == []
    assert missed(today, today.replace("\n anonymize(", "\n anonymise(")) != []
    assert missed(today, today.replace("n_clusters", "clusters")) != []
    assert missed(today, today.replace("n_clusters=8", "n_clusters=9")) != []
    assert missed(today, today.replace("n_clusters", "new, n_clusters")) != []
    assert missed(today.replace("n_clusters=8, ", ""), today) == []


def test_twin_another_page_is_seen(copied: Path) -> None:
    shutil.copy(copied / CERTIFICATES / "rows.json", copied / CERTIFICATES / "charged.json")
    page = (copied / PRINTED / "check.txt").read_text(encoding="utf-8")
    assert said("check", copied) != page
