"""The commands for a ledger that was restored from an old copy work as the page has them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.docs.terminal import printed_by, printed_by_a_shell
from tests.engines import missing

DOCS = Path(__file__).parents[2] / "docs"


def page_text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, gone into, with a ledger and a key of its own."""
    monkeypatch.chdir(tmp_path)
    own = {"SFUMATO_LEDGER": "ledger.db", "SFUMATO_SIGNING_KEY": "key.pem", "COLUMNS": "120"}
    for name, value in {**own, "PYTHONUTF8": "1"}.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def spent() -> str:
    shown = json.loads(printed_by("sfumato ledger show patients --json"))
    return str(shown["budgets"][0]["spent"]["epsilon"])


@pytest.mark.full
def test_what_a_copy_lacks_is_charged_again_once(desk: Path) -> None:
    """The page's own commands, for a restored copy that lacks two of three charges."""
    if shutil.which("jq") is None:
        missing("jq", "apt-get install jq")
    blocks = re.findall(r"```shell\n(.*?)```", page_text("ledger/how-it-is-kept.md"), re.DOTALL)
    restore, again = (each for each in blocks if "restored.db" in each or "receipts/" in each)
    charge = (
        "sfumato ledger spend patients --epsilon 0.1 --analyst ada --purpose 'by sex' --receipt"
    )
    (desk / "receipts").mkdir()
    printed_by("sfumato ledger init patients --epsilon 1")
    printed_by(f"{charge} receipts/1.json")
    shutil.copy(desk / "ledger.db", desk / "old.db")
    printed_by(f"{charge} receipts/2.json")
    printed_by(f"{charge} receipts/3.json --key 'job 1'")
    printed_by_a_shell(restore)
    assert spent() == "0.1"
    lost = "--receipt receipts/2.json --receipt receipts/3.json"
    assert printed_by(f"sfumato ledger verify {lost}").startswith("NOT SOUND")
    for _ in range(2):
        printed_by_a_shell(again)
        assert spent() == "0.3"
    printed_by(f"{charge} retried.json --key 'job 1'")
    assert spent() == "0.3"
    new = "--receipt receipts/2-again.json --receipt receipts/3-again.json"
    assert printed_by(f"sfumato ledger verify {new}").startswith("sound: 1 book, 4 entries")
