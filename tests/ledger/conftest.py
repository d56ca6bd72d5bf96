"""Ledgers in both stores: a file of SQLite, and a database of a PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.ledger import Ledger
from sfumato.ledger.signing import VARIABLE as SIGNING_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def signing_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A signing key of the test's own, for this process and those it starts."""
    path = tmp_path / "signing-key" / "key.pem"
    monkeypatch.setenv(SIGNING_KEY, str(path))
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger can be made, in each of the stores."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    return str(request.getfixturevalue("postgres").database())


@pytest.fixture
def ledger(place: str) -> Iterator[Ledger]:
    """A new ledger, without any book, in each of the stores."""
    with Ledger.create(place) as made:
        yield made
