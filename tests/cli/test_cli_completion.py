"""Pressing Tab: what the shell offers, and what it loads to know it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "scipy", "flint", "ibis", "duckdb", "pandas", "altair", "sqlalchemy", "sklearn"}


def offered(shell: Shell, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What is offered for the last of the words, as bash asks for it."""
    monkeypatch.setenv("COMP_WORDS", "\n".join(["sfumato", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    monkeypatch.setenv("_SFUMATO_COMPLETE", "complete_bash")
    done = shell()
    assert (done.code, done.err) == (0, "")
    return done.out.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["quer"], ["query"]),
        (["survey", "an"], ["answer"]),
        (["query", "patients.csv", "--eps"], ["--epsilon"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["query", "exam"], []),  # nothing, so that bash offers files
    ],
)
def test_verbs_and_options_are_offered(
    words: list[str], wanted: list[str], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert offered(shell, monkeypatch, *words) == wanted


def test_bash_completes_with_what_is_printed(tmp_path: Path) -> None:
    program = tmp_path / "sfumato"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m sfumato \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    script = (
        'eval "$(sfumato completion bash)"; complete -p sfumato\n'
        "COMP_WORDS=(sfumato ledger sp); COMP_CWORD=2; _sfumato_completion sfumato\n"
        'echo "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    said, completed = done.stdout.splitlines()
    assert "-o default" in said, "what is no verb or option is completed as a file"
    assert (completed, done.stderr) == ("spend", "")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(name: str, shell: Shell) -> None:
    done = shell("completion", name)
    assert done.code == 0
    assert f"complete_{name}" in done.out


def test_another_shell_is_refused_in_one_sentence(shell: Shell) -> None:
    done = shell("completion", "tcsh")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "sfumato: 'tcsh' is no shell that can be completed; write bash, zsh or fish\n"
    )


def test_there_is_one_way_to_complete(shell: Shell) -> None:
    assert "completion\n" not in shell("--help").out.partition("Commands:")[0]
    assert shell("--install-completion").code == 2


def test_completing_loads_nothing_that_computes() -> None:
    """A person waits for the answer to a key."""
    code = (
        "import sys; sys.argv = ['sfumato']\nfrom sfumato.cli import main\n"
        "try: main()\nexcept SystemExit: print(sorted({m.split('.')[0] for m in sys.modules}))"
    )
    completing = {
        "COMP_WORDS": "sfumato\nq",
        "COMP_CWORD": "1",
        "_SFUMATO_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **completing},
        capture_output=True,
        text=True,
        check=True,
    )
    answer, loaded = done.stdout.splitlines()
    assert answer == "query"
    assert "typer" in loaded
    assert not {name for name in HEAVY if f"'{name}'" in loaded}
