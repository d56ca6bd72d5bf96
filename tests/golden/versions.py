"""Where golden files lie: a folder a version."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
MEANT, NAMES, PRINTED = "figures.json", "names.txt", "printed"
EVENTS, GUARANTEES, RECEIPTS = "events.json", "guarantees.json", "receipts"
POLICIES, CERTIFICATES, SURVEYS, LEDGER = "policies", "certificates", "surveys", "ledger.db"


def versions() -> list[Path]:
    """The folders of all versions that are kept."""
    return sorted(each.parent for each in HERE.glob(f"*/{MEANT}"))
