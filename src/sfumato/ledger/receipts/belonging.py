"""Which entries belong together on a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.entries import Entry
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["disagreements", "malformations"]

_HOLDS = mark("a receipt holds a spending, or a charge and its release, and nothing else")
_KINDS = (["spending"], ["charge", "release"])


def malformations(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Say what keeps entries from being read as those of a receipt."""
    try:
        kinds = [_checked_kind(each) for each in entries]
    except InputError as error:
        return (str(error),)
    return () if kinds in _KINDS else (tr(_HOLDS),)


def disagreements(entries: tuple[Entry, ...], signer: str) -> tuple[str, ...]:
    """Say in what well-formed entries do not belong together, or to their signer."""
    wrong = [*_mismatches(*entries)] if len(entries) > 1 else []
    if entries[-1].body["signer"] != signer:
        wrong.append(tr("the receipt is signed by another key than its entry names"))
    return tuple(wrong)


def _mismatches(charge: Entry, release: Entry) -> Iterator[str]:
    made = release.body
    if (release.ledger, release.dataset) != (charge.ledger, charge.dataset):
        yield tr("the release is in another book than the charge")
    if made["receipt"] != charge.body["receipt"]:
        yield tr("the release carries the id of another receipt")
    if made["settles"] != charge.sequence:
        yield tr("the release is for another charge")
    elif made["charge"] != charge.hash:
        yield tr("the text of the charge was changed after the release for it")
    elif release.sequence == charge.sequence + 1 and release.previous != charge.hash:
        yield tr("the release does not follow the charge that it stands after")
    if release.sequence <= charge.sequence:
        yield tr("the release stands before the charge")


def _checked_kind(entry: Any) -> str:
    if not isinstance(entry, Entry):
        raise InputError("E-RECEIPT-FORM", _HOLDS)
    entry.check()
    return entry.kind
