"""A world in which all that is chance, time or the machine's is the same in every run."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Self

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.noise import begun_anew

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WIDTH = 100


class Clock(datetime):
    """A clock that says one second more each time that it is asked."""

    asked = 0

    @classmethod
    def now(cls, tz: object = UTC) -> Self:
        """The next second of a morning."""
        assert tz is UTC
        cls.asked += 1
        return cls(2026, 11, 2, 9, tzinfo=UTC) + timedelta(seconds=cls.asked)


@contextmanager
def fixed(folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """Work in a folder, with noise, receipts, times and a signing key that are always the same."""
    key = folder / "key.pem"
    key.write_bytes(
        KEY.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    key.chmod(0o600)
    random = Random(1965)  # noqa: S311, since nothing about it is secret
    Clock.asked = 0
    with begun_anew(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_hex", lambda size: random.randbytes(size).hex())
        patch.setattr("secrets.randbelow", random.randrange)
        for module in ("entry", "storage.schema"):
            patch.setattr(f"sfumato.ledger.{module}.datetime", Clock)
        patch.setenv("SFUMATO_SIGNING_KEY", str(key))
        patch.setenv("SFUMATO_LEDGER", "ledger.db")
        patch.setenv("COLUMNS", str(WIDTH))
        patch.delenv("SFUMATO_LANG", raising=False)
        patch.chdir(folder)
        yield patch
