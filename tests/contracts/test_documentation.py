"""The documentation is true: its shell commands run and print what it says they print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.terminal import printed_by

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = [page for page in PAGES if "_build" not in page.parts]
#: A terminal with a fixed width and no colour.
PLAIN = {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"}


def console_examples() -> list[tuple[str, str, str]]:
    """Every `$ command` in a console block, with the output shown below it."""
    found = []
    for page in SHOWN:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
            for example in re.split(r"(?m)^\$ ", block)[1:]:
                command, _, output = example.partition("\n")
                found.append((page.name, command, output.strip()))
    return found


@pytest.mark.full
@pytest.mark.parametrize(("page", "command", "output"), console_examples())
def test_shell_examples_print_what_is_shown(
    page: str, command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)
    assert printed_by(command).strip() == output, f"{page} shows something else"


def marked_command(marker: str) -> str:
    """The command in the README's block below a marker."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"<!-- {marker} -->\n+```sh\n(.*?)\n```", text, re.DOTALL)
    assert block, f"the README has no {marker}"
    return block[1]


def with_this_python() -> dict[str, str]:
    """A plain terminal's environment in which ``python3`` is this one."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # A file that is not imported need not be compiled; pip is told by "no" to leave it.
    return {**os.environ, **PLAIN, "PATH": path, "PIP_NO_COMPILE": "no"}


@pytest.mark.full
def test_the_run_command_works_from_a_clean_copy(tmp_path: Path) -> None:
    copy = tmp_path / "sfumato"
    unwanted = shutil.ignore_patterns(".*", "__pycache__", "_build", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=unwanted)
    done = subprocess.run(
        ["bash", "-c", marked_command("run command")],
        cwd=copy,
        env=with_this_python(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- run output -->\n+```text\n(.*?)```", text, re.DOTALL)
    assert shown
    assert without_noise(done.stdout) == without_noise(shown[1])


def without_noise(text: str) -> list[list[str]]:
    """The words of each line, with every number alike: the noise is drawn anew each time."""
    return [re.sub(r"-?\d[\d,.]*", "#", line).split() for line in text.strip().splitlines()]


def test_ci_runs_the_readme_s_test_command() -> None:
    """The command is short, documented for contributors too, and the CI script reads it here."""
    command = marked_command("test command")
    assert command == "make test"
    assert f"`{command}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_files_that_contributors_are_told_of_are_there() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| [^|]+ \| `(\w+(?:/\w+)+\.py)` \|$", guide, re.MULTILINE)
    assert len(told) == 10
    assert [each for each in told if not (ROOT / "src" / "sfumato" / each).is_file()] == []


#: A row of a list of requirements that is kept outside the repository.
ROW = re.compile(r"\bM-[A-Z]+-\d")
READ = {".bib", ".csv", ".ipynb", ".json", ".md", ".py", ".svg", ".toml"}


def cites_a_row(path: Path) -> bool:
    return ROW.search(path.read_text(encoding="utf-8")) is not None


def test_nothing_cites_a_list_that_no_reader_has() -> None:
    folders = (ROOT / name for name in ("src", "docs", "benchmarks", "examples"))
    found = [*ROOT.glob("README*"), *(path for folder in folders for path in folder.rglob("*.*"))]
    files = [path for path in found if path.suffix in READ and "_build" not in path.parts]
    assert len(files) > 500
    assert [str(path.relative_to(ROOT)) for path in files if cites_a_row(path)] == []


def test_a_citation_of_such_a_list_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("How many are unique (M-RISK-1)?", encoding="utf-8")
    assert cites_a_row(page)
    page.write_text("The M-estimator, and COM-PORT-1.", encoding="utf-8")
    assert not cites_a_row(page)


def test_every_cited_work_is_in_the_bibliography() -> None:
    entries = set(re.findall(r"@\w+\{(\w+),", (ROOT / "docs" / "references.bib").read_text()))
    sources = [*(ROOT / "src").rglob("*.py"), *SHOWN]
    cited = {
        key
        for source in sources
        for keys in re.findall(r"(?::cite:\w+:|\{cite:\w+\})`([\w, ]+)`", source.read_text("utf-8"))
        for key in keys.replace(" ", "").split(",")
    }
    assert cited == entries
