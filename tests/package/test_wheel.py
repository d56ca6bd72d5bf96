"""What is shipped: all that is needed to use it, and to change it, and no more."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

import sfumato
from benchmarks.installed import FOR_USERS

if TYPE_CHECKING:
    from email.message import Message

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Far above what it is: what would pass it is a table or a picture that strayed into the package.
MOST_BYTES = 4_000_000


@pytest.fixture(scope="module")
def packed(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def described(packed: dict[str, bytes]) -> Message:
    (name,) = (name for name in packed if name.endswith("/METADATA"))
    return message_from_string(packed[name].decode())


def test_the_wheel_holds_the_package_and_its_papers_alone(packed: dict[str, bytes]) -> None:
    papers = f"sfumato-{sfumato.__version__}.dist-info"
    assert {name.split("/")[0] for name in packed} == {"sfumato", papers}
    assert f"{papers}/licenses/LICENSE" in packed
    assert not [name for name in packed if "__pycache__" in name or "test" in name.split("/")]


def test_the_wheel_holds_every_file_of_the_package(packed: dict[str, bytes]) -> None:
    source = ROOT / "src"
    kept = {
        file.relative_to(source).as_posix()
        for file in (source / "sfumato").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {"sfumato/py.typed", "sfumato/application/demo/hospital_tables/hospital-a.csv"} <= kept
    assert {name for name in packed if name.startswith("sfumato/")} == kept


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES


def test_the_wheel_says_what_it_needs(described: Message) -> None:
    assert described["Name"] == "sfumato"
    assert described["Version"] == sfumato.__version__
    assert described["Requires-Python"] == PROJECT["requires-python"]
    assert described["License-Expression"] == "Apache-2.0"
    needs = described.get_all("Requires-Dist") or []
    core = {Requirement(need) for need in needs if "extra ==" not in need}
    assert core == {Requirement(need) for need in PROJECT["dependencies"]}
    parts = PROJECT["optional-dependencies"]
    assert sorted(described.get_all("Provides-Extra") or []) == sorted(parts)


def test_the_wheel_brings_the_command(packed: dict[str, bytes]) -> None:
    (name,) = (name for name in packed if name.endswith("/entry_points.txt"))
    assert packed[name].decode().split() == [
        "[console_scripts]",
        "sfumato",
        "=",
        "sfumato.cli:command",
    ]


def test_the_sdist_holds_all_that_is_kept_in_git(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    kept = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()}
    assert {"pyproject.toml", "Makefile", "tests/conftest.py", "examples/patients.csv"} <= kept
    assert kept <= held


def test_the_page_lists_every_part_of_a_user() -> None:
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| .* \| \+ [\d,]+", text, re.MULTILINE)
    assert {*listed, "dev", "docs", "test"} == set(PROJECT["optional-dependencies"])
    assert set(listed) == set(FOR_USERS)
