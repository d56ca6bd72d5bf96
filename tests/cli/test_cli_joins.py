"""Tables that the SQL of ``plan`` and ``query`` joins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tables.joins.asked import BY_CARD, BY_WING, write_clinic

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell


@pytest.fixture(autouse=True)
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_clinic(tmp_path))


@pytest.mark.parametrize(
    ("file", "sql", "options"),
    [
        ("visits.toml", BY_WING, []),
        ("visits.csv", BY_WING, ["--unit", "id", "--public", "wings=wings.csv"]),
        ("visits.toml", BY_CARD, ["--with", "cards=cards.toml"]),
    ],
)
def test_tables_are_joined(file: str, sql: str, options: list[str], shell: Shell) -> None:
    for verb in ("plan", "query"):
        done = shell(verb, file, sql, *options, "--epsilon", "1")
        assert (done.code, done.err) == (0, "")
        assert "1-DP (add or remove one person (id))" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "there is no table 'cards' (known: 'wings')"),
        (["--with", "cards"], "--with takes cards=cards.toml, say; 'cards' is not so"),
        (["--with", "cards=cards.csv"], "it is not said whose row each row is"),
        (["--public", "cards=none.csv"], "the public table 'cards': there is no file 'none.csv'"),
    ],
)
def test_a_mistake_is_one_sentence(options: list[str], said: str, shell: Shell) -> None:
    done = shell("plan", "visits.toml", BY_CARD, *options, "--epsilon", "1")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
