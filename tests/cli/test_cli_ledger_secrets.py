"""A password in the address of a ledger never shows up in what the shell writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell
    from tests.postgres import Cluster

CANARY = "CANARY4711"
NOBODY = f"postgresql://owner:{CANARY}@127.0.0.1:1/books?connect_timeout=2"
VERBS = [
    ["init", "patients", "--epsilon", "1"],
    ["show"],
    ["show", "patients"],
    ["spend", "patients", "--epsilon", "0.1", "--analyst", "ada", "--purpose", "by sex"],
    ["verify"],
    ["export"],
    ["recover"],
]


@pytest.fixture(autouse=True)
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.pem"))


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_server_that_is_away_is_one_sentence_and_exit_4(
    shell: Shell, verb: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = shell("ledger", *verb, "--ledger", NOBODY)
    monkeypatch.setenv("SFUMATO_LEDGER", NOBODY)
    for done in (named, shell("ledger", *verb)):
        assert (done.code, done.out) == (4, "")
        assert CANARY not in done.err
        assert "postgresql://owner:***@127.0.0.1:1/books" in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "address",
    [f"postgresql://owner:{CANARY}@", f"mysql://owner:{CANARY}@here/books", f"://{CANARY}@"],
)
def test_an_address_that_cannot_be_read_is_not_repeated(shell: Shell, address: str) -> None:
    done = shell("ledger", "show", "--ledger", address)
    assert done.code == 2
    assert CANARY not in done.err
    assert done.err.count("\n") == 1


def test_a_server_keeps_a_ledger_and_its_password_to_itself(
    shell: Shell, postgres: Cluster
) -> None:
    place = ("--ledger", postgres.database())
    for verb in VERBS:
        done = shell("ledger", *verb, *place)
        assert (done.code, done.err) == (0, "")
        assert postgres.password not in done.out
    shown = shell("ledger", "show", "patients", "--json", *place).out
    assert postgres.password not in shown
    assert json.loads(shown)["budgets"][0]["spent"]["epsilon"] == "0.1"
