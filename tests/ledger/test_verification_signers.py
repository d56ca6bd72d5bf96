"""Whoever names the signers that they trust sees a book that a stranger wrote anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.ledger import Ledger, Signer
from sfumato.ledger.entry import Entry, canonical
from sfumato.ledger.receipt import signed_message
from tests.ledger.filled import ASKED, RELEASE, TENTH, Kept
from tests.ledger.tables import change, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sfumato.ledger import LedgerVerdict


@pytest.fixture
def stranger(tmp_path: Path) -> Signer:
    """Somebody who has the store, but not the host's key."""
    return Signer.at(tmp_path / "stranger.pem")


def rewrite(place: str, signer: Signer) -> None:
    """Write the first book anew, with another purpose everywhere, under another key."""
    written: dict[str, str] = {}
    for row in (row for row in rows(place) if row["book"] == 1):
        body = json.loads(row["body"])
        own = {"purpose": "nothing of note", "signer": signer.public}
        linked = {
            name: written.get(body.get(name), body.get(name)) for name in ("previous", "charge")
        }
        changed = {name: value for name, value in (own | linked).items() if name in body}
        entry = Entry(canonical(body | changed))
        written[row["hash"]] = entry.hash
        signature = signer.sign(signed_message(entry.hash)) if "signer" in body else None
        change(place, row["sequence"], body=entry.text, hash=entry.hash, signature=signature)


def verdict(place: str, *receipts: Any, signers: Sequence[str] | None = None) -> LedgerVerdict:
    with Ledger.open(place) as ledger:
        return ledger.verify(receipts, signers=signers)


def host() -> Signer:
    return Signer.at()


def test_the_host_s_own_book_is_sound_by_either_name(kept: Kept) -> None:
    for name in (host().public, host().fingerprint):
        assert verdict(kept.place, *kept.receipts, signers=[name]).is_sound


def test_a_book_written_anew_under_another_key_is_sound_until_signers_are_named(
    kept: Kept, stranger: Signer
) -> None:
    rewrite(kept.place, stranger)
    assert verdict(kept.place).is_sound
    for name in (host().public, host().fingerprint):
        found = verdict(kept.place, signers=[name])
        (problem,) = found.problems
        assert problem == (
            f"book 'patients': entry 1 and 3 more are signed by {stranger.fingerprint}, "
            "who is not among the signers you named"
        )
        assert [each.is_sound for each in found.books] == [False, True]
    assert verdict(kept.place, signers=[host().public, stranger.fingerprint]).is_sound


def test_a_single_entry_of_a_stranger_is_named(kept: Kept, tmp_path: Path) -> None:
    with Ledger.open(kept.place, key=tmp_path / "stranger.pem") as ledger:
        book = ledger.book("patients")
        book.spend(TENTH, **{**ASKED, "analyst": "grace"})
        (problem,) = ledger.verify(signers=[host().public]).problems
        assert f"entry {book.count()} is signed by ed25519:" in problem


def test_a_receipt_of_a_stranger_is_told(kept: Kept, stranger: Signer) -> None:
    (first, *_) = kept.receipts
    found = verdict(kept.place, first, signers=[stranger.public])
    assert (
        f"receipt {first.id}: it is signed by {host().fingerprint}, "
        "who is not among the signers you named"
    ) in found.problems


def test_who_is_trusted_says_nothing_of_whether_a_signature_holds(kept: Kept) -> None:
    change(kept.place, RELEASE, signature="0" * 128)
    found = verdict(kept.place, signers=[host().public])
    assert found.problems == (
        f"book 'patients': entry {RELEASE}: its signature is not of what it says",
    )


@pytest.mark.full
@pytest.mark.parametrize("body", ["{", "[]", '{"signer":5}', '{"signer":"me"}'])
def test_an_entry_that_cannot_be_read_is_told_as_such(kept: Kept, body: str) -> None:
    change(kept.place, RELEASE, body=body)
    found = verdict(kept.place, signers=[host().public]).problems
    assert any(f"entry {RELEASE} cannot be read" in each for each in found)
    assert not any("signers you named" in each for each in found)


@pytest.mark.full
@pytest.mark.parametrize(
    "written",
    [
        lambda key: key.public,
        lambda key: key.public.upper(),
        lambda key: f"ed25519:{key.public}",
        lambda key: key.fingerprint,
        lambda key: key.fingerprint.upper(),
        lambda key: key.fingerprint.removeprefix("ed25519:"),
    ],
)
def test_a_signer_is_known_however_people_write_it(
    kept: Kept, written: Callable[[Signer], str]
) -> None:
    assert verdict(kept.place, signers=[written(host())]).is_sound


@pytest.mark.parametrize(
    ("signers", "sentence"),
    [
        ("00" * 32, "signers must be a list of public keys"),
        ([], "at least one"),
        (5, "signers must be a list"),
        ([""], "'' is neither"),
        (["00" * 31], "is neither"),
        (["AG" * 32], "64 digits 0-9a-f"),
        (["ed25519:00"], "ed25519: and 16 of them"),
        ([f"{'00' * 32}\n"], "is neither"),
        ([None], "NoneType is neither"),
        ([True], "bool is neither"),
        ([10**5000], "int is neither"),
    ],
)
def test_what_names_no_signer_is_refused(tmp_path: Path, signers: Any, sentence: str) -> None:
    with Ledger.create(tmp_path / "ledger.db") as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1))
        with pytest.raises(InputError, match=sentence) as refused:
            ledger.verify(signers=signers)
    assert "\n" not in str(refused.value)
