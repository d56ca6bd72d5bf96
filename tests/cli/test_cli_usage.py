"""What is wrong with a command is said with what to write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sfumato.cli import usage as meant
from tests.cli.commands import the_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tests.cli.conftest import Shell


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("kmeans FILE --clusters 3", "--k"),
        ("kmeans FILE --n_clusters=3", "--k"),
        ("kmeans FILE -k 3", "--k"),
        ("query FILE SQL --eps 1", "--epsilon"),
        ("query FILE SQL --group-by sex", "--keys"),
        ("risk FILE --quasi-identifiers age", "--quasi"),
        ("attack link FILE --secret diagnosis", "--sensitive"),
        ("anonymize FILE --out a.csv", "--output"),
        ("ledger spend NAME --why sex", "--purpose"),
    ],
)
def test_an_option_by_another_name_is_answered_by_its_own(
    given: str, meant: str, shell: Shell
) -> None:
    done = shell(*given.split())
    assert (done.code, done.out) == (2, "")
    assert offered(done.err) == [meant]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("query FILE SQL --epsilom 1", ["--epsilon"]),
        ("query FILE SQL --delat 1", ["--delta"]),
        ("query FILE SQL --ro 1", ["--rho"]),
        ("query FILE SQL --nois gaussian", ["--noise"]),
        ("query FILE SQL --conf 0.9", ["--confidence"]),
        ("query FILE SQL --hepl", ["--help"]),
        ("query FILE SQL --for 1", []),
        ("query FILE SQL --re 1", []),
        ("query FILE SQL -x 1", []),
        ("query FILE SQL --sigma 1", []),
    ],
)
def test_an_option_that_is_misspelt_is_answered_by_the_nearest_or_by_none(
    given: str, meant: list[str], shell: Shell
) -> None:
    done = shell(*given.split())
    assert (done.code, done.out) == (2, "")
    assert offered(done.err) == meant
    assert bool(meant) == ("(" in done.err.splitlines()[-1])


def test_an_option_that_is_missing_is_explained(shell: Shell) -> None:
    last = shell("risk", "patients.csv").err.splitlines()[-1]
    assert "--quasi" in last
    assert last.endswith("separated by commas: age,sex,zip")


def test_an_argument_that_is_missing_is_explained(shell: Shell) -> None:
    last = shell("query", "patients.csv").err.splitlines()[-1]
    assert last.endswith("SELECT aggregates FROM the table, in quotes.")


def test_names_with_blanks_between_are_told_of_commas(shell: Shell) -> None:
    last = shell("risk", "patients.csv", "--quasi", "age", "sex").err.splitlines()[-1]
    assert last.endswith("several names are written with commas between: --quasi age,sex")
    assert "commas" not in shell("theorems", "sex").err


def test_every_word_leads_to_an_option_that_some_verb_has() -> None:
    known = {name for command in commands(the_command()) for name in options(command)}
    assert set(vars(meant)["_WORDS"]) <= known


def offered(err: str) -> list[str]:
    """The options that the last line names after the one that was given."""
    return re.findall(r"--[a-z][a-z-]*", err.splitlines()[-1].partition("(")[2])


def commands(command: Any) -> Iterator[Any]:
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from commands(each)


def options(command: Any) -> list[str]:
    return [name for each in command.params for name in each.opts]
