"""The key that signs receipts: where it is, whose it is, and whether it was made just now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.data import quoted
from sfumato.errors import InputError
from sfumato.ledger import Signer, fingerprint_of, key_path
from sfumato.translation import tr


@dataclass(frozen=True, kw_only=True)
class SigningKey:
    """The public half of a signing key.

    Attributes
    ----------
    file
        Where the key is.
    public
        Its public half.
    is_new
        Whether it was made just now, because there was none.
    """

    file: str
    public: str
    is_new: bool = False

    @property
    def fingerprint(self) -> str:
        """The public half in short, for people."""
        return fingerprint_of(self.public)

    def as_dict(self) -> dict[str, Any]:
        """Return the key's public half ready for JSON."""
        return {
            "file": self.file,
            "public": self.public,
            "fingerprint": self.fingerprint,
            "new": self.is_new,
        }

    def notice(self) -> str:
        """Say that the key was made."""
        where = quoted(Path(self.file))
        return tr(
            "there was no signing key; a new one was made at {where}, {fingerprint}",
            where=where,
            fingerprint=self.fingerprint,
        )

    def __str__(self) -> str:
        return f"{self.file} ({self.fingerprint}){', made now' if self.is_new else ''}"


def signing_key() -> SigningKey:
    """Return the key that signs on this computer, which is made where there is none."""
    file = key_path()
    is_new = not file.exists()
    return SigningKey(file=str(file), public=Signer.at(file).public, is_new=is_new)


def own_key() -> SigningKey | None:
    """Return the key that signs on this computer; None if there is none that can be used."""
    try:
        return signing_key() if key_path().exists() else None
    except InputError:
        return None
