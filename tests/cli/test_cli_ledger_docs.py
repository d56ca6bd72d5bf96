"""The commands for a ledger that was restored from an old copy work as the page has them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.engines import missing

DOCS = Path(__file__).parents[2] / "docs"


def page_text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def run(commands: str, folder: Path) -> str:
    """What commands print in a folder with a ledger and a key of its own."""
    own = {"SFUMATO_LEDGER": "ledger.db", "SFUMATO_SIGNING_KEY": "key.pem", "COLUMNS": "120"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{commands}"],
        cwd=folder,
        env={**os.environ, **own, "PATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def spent(folder: Path) -> str:
    shown = json.loads(run("sfumato ledger show patients --json", folder))
    return str(shown["budgets"][0]["spent"]["epsilon"])


def test_what_a_copy_lacks_is_charged_again_once(tmp_path: Path) -> None:
    """The page's own commands, for a restored copy that lacks two of three charges."""
    if shutil.which("jq") is None:
        missing("jq", "apt-get install jq")
    blocks = re.findall(r"```shell\n(.*?)```", page_text("ledger/how-it-is-kept.md"), re.DOTALL)
    restore, again = (each for each in blocks if "restored.db" in each or "receipts/" in each)
    charge = "sfumato ledger spend patients --epsilon 0.1 --analyst ada --why 'by sex' --receipt"
    run("mkdir receipts; sfumato ledger init patients --epsilon 1", tmp_path)
    run(f"{charge} receipts/1.json", tmp_path)
    shutil.copy(tmp_path / "ledger.db", tmp_path / "old.db")
    run(f"{charge} receipts/2.json; {charge} receipts/3.json --key 'job 1'", tmp_path)
    run(restore, tmp_path)
    assert spent(tmp_path) == "0.1"
    lost = "--receipt receipts/2.json --receipt receipts/3.json"
    assert run(f"sfumato ledger verify {lost}", tmp_path).startswith("NOT SOUND")
    for _ in range(2):
        run(again, tmp_path)
        assert spent(tmp_path) == "0.3"
    run(f"{charge} retried.json --key 'job 1'", tmp_path)
    assert spent(tmp_path) == "0.3"
    new = "--receipt receipts/2-again.json --receipt receipts/3-again.json"
    assert run(f"sfumato ledger verify {new}", tmp_path).startswith("sound: 1 book, 4 entries")
