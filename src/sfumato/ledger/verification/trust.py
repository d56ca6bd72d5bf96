"""Whose signatures are believed: those of the keys that somebody names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.signing import fingerprint_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger.storage.statements import Row

__all__ = ["Strangers", "Trusted"]

_KEY = re.compile(r"(?:ed25519:)?([0-9a-f]{64}|[0-9a-f]{16})")
_PUBLIC = 64


@dataclass(frozen=True)
class Trusted:
    """The signers that somebody trusts.

    Attributes
    ----------
    keys
        Each by its public key, or by the fingerprint of it.
    """

    keys: frozenset[str]

    @classmethod
    def named(cls, signers: Any) -> Trusted | None:
        """Return the signers of a list; None for None, which trusts everybody."""
        if signers is None:
            return None
        if not isinstance(signers, (list, tuple)) or not signers:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "signers must be a list of public keys, at least one, each 64 digits 0-9a-f, or "
                "ed25519: and 16 of them",
            )
        return cls(frozenset(map(_checked, signers)))

    def knows(self, public: str) -> bool:
        """Tell whether a public key is one of them."""
        return public in self.keys or fingerprint_of(public) in self.keys

    def problems(self, public: str) -> tuple[str, ...]:
        """Say what is wrong with a receipt that a public key signed."""
        if self.knows(public):
            return ()
        return (
            tr(
                "it is signed by {signer}, who is not among the signers you named",
                signer=fingerprint_of(public),
            ),
        )


@dataclass
class Strangers:
    """Those who signed entries of a book and are not trusted.

    Attributes
    ----------
    trusted
        Who is; None for everybody.
    signed
        The places of the entries that each of the others signed, by fingerprint.
    """

    trusted: Trusted | None
    signed: dict[str, list[int]] = field(default_factory=dict)

    def look_at(self, row: Row) -> None:
        """Take note of who signed a row; whether the signature holds is another question."""
        public = None if self.trusted is None else _signer(row)
        if self.trusted is not None and public is not None and not self.trusted.knows(public):
            self.signed.setdefault(fingerprint_of(public), []).append(row["sequence"])

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each of them."""
        for signer, (first, *more) in self.signed.items():
            if more:
                yield tr(
                    "entry {first} and {others:,} more are signed by {signer}, who is not among "
                    "the signers you named",
                    first=first,
                    others=len(more),
                    signer=signer,
                )
            else:
                yield tr(
                    "entry {first} is signed by {signer}, who is not among the signers you named",
                    first=first,
                    signer=signer,
                )


def _checked(signer: Any) -> str:
    found = _KEY.fullmatch(signer.lower()) if isinstance(signer, str) else None
    if found:
        digits = found[1]
        return digits if len(digits) == _PUBLIC else f"ed25519:{digits}"
    given = f"{signer!r:.80}" if isinstance(signer, str) else type(signer).__name__
    raise InputError(
        "E-SIGNER-FORM",
        "a signer is named by its public key, 64 digits 0-9a-f, or ed25519: and 16 of them",
        "{given} is neither",
        given=given,
    )


def _signer(row: Row) -> str | None:
    """Return the public key that a row names, if it does and it can be one."""
    try:
        public = Entry(row["body"]).body.get("signer")
        return public if public is not None and fingerprint_of(public) else None
    except InputError:
        return None
