"""Receipts: any change is noticed, by whoever holds one, without the book or the data."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.ledger.entry import Entry, canonical, digest_of, event_document
from sfumato.ledger.receipt import MOST_CHARACTERS, Receipt, signed_message
from sfumato.ledger.signer import Signer, verify_signature
from sfumato.privacy.events import Laplace
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

EVENT = Laplace(scale=10)
CONTENT = b'{"count": 1041}'
ID = "0f" * 16
WHEN = "2026-11-15T09:00:00.000000Z"
LATER = "2026-11-15T09:00:01.250000Z"

#: RFC 8032, section 7.1, test 1: a key that everybody knows, so that its receipts never change.
KNOWN_KEY = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(KNOWN_KEY)))
STRANGER = Signer(Ed25519PrivateKey.from_private_bytes(b"s" * 32))


def charge(**other: Any) -> Entry:
    details = {
        "kind": "charge",
        "receipt": ID,
        "event": event_document(EVENT),
        "analyst": "ana",
        "purpose": "how many patients; Wörter, ε, 患者",
        "request": None,
    }
    place = {"ledger": "4f6c", "dataset": "patients", "previous": "a" * 64, "when": WHEN}
    body = details | place | {"sequence": 2, "version": 1} | other
    return Entry(canonical(body))


def spending(**other: Any) -> Entry:
    return charge(**({"kind": "spending", "signer": SIGNER.public} | other))


def release(of: Entry, **other: Any) -> Entry:
    details = {
        "kind": "release",
        "receipt": ID,
        "settles": of.sequence,
        "charge": of.hash,
        "digest": digest_of(CONTENT),
        "size": len(CONTENT),
        "signer": SIGNER.public,
    }
    place = {"ledger": "4f6c", "dataset": "patients", "previous": of.hash, "when": LATER}
    body = details | place | {"sequence": of.sequence + 1, "version": 1} | other
    return Entry(canonical(body))


def other(kind: str, **details: Any) -> Entry:
    place = {"ledger": "4f6c", "dataset": "patients", "sequence": 3, "previous": "a" * 64}
    return Entry(canonical({"kind": kind, "version": 1, "when": LATER} | place | details))


def closing() -> Entry:
    return other("closing", charge="c" * 64, settles=2, reason="lost", receipt=ID)


def opening() -> Entry:
    return other("opening", rules=[{}], signer=SIGNER.public)


def without(entry: Entry, name: str) -> Entry:
    return Entry(canonical({key: each for key, each in entry.body.items() if key != name}))


def changed(entry: Entry, name: str, value: Any) -> Entry:
    return Entry(canonical(entry.body | {name: value}))


def signed(*entries: Entry, signer: Signer = SIGNER) -> Receipt:
    """What a signer that looks at nothing would sign."""
    message = b"sfumato receipt 1\n" + entries[-1].hash.encode()
    return Receipt(entries, signer.public, signer.sign(message))


HERE = signed(charge(), release(charge()))
ELSEWHERE = signed(spending())
BOTH = pytest.mark.parametrize("receipt", [HERE, ELSEWHERE], ids=["here", "elsewhere"])


# What a receipt says.


def test_a_receipt_says_what_was_charged_and_released() -> None:
    assert (HERE.id, HERE.ledger, HERE.dataset) == (ID, "4f6c", "patients")
    assert (HERE.sequence, HERE.hash) == (3, HERE.entries[1].hash)
    assert (HERE.event, HERE.analyst) == (EVENT, "ana")
    assert HERE.purpose == "how many patients; Wörter, ε, 患者"
    assert (HERE.when, HERE.digest) == (LATER, digest_of(CONTENT))
    assert HERE.fingerprint == SIGNER.fingerprint
    assert (ELSEWHERE.when, ELSEWHERE.digest, ELSEWHERE.sequence) == (WHEN, None, 2)


@BOTH
def test_a_sound_receipt_has_no_problems(receipt: Receipt) -> None:
    assert receipt.problems() == ()
    assert receipt.problems(signer=SIGNER.public) == ()
    assert HERE.problems(signer=SIGNER.public, content=CONTENT) == ()


@BOTH
def test_what_is_signed_is_the_hash_of_the_last_entry(receipt: Receipt) -> None:
    message = b"sfumato receipt 1\n" + receipt.entries[-1].hash.encode()
    assert verify_signature(SIGNER.public, message, receipt.signature)
    assert not verify_signature(SIGNER.public, receipt.hash.encode(), receipt.signature)


@BOTH
def test_a_receipt_is_frozen_and_equal_to_its_copies(receipt: Receipt) -> None:
    with pytest.raises(FrozenInstanceError):
        receipt.signer = STRANGER.public  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(receipt)) == receipt  # noqa: S301
    assert len({receipt, Receipt.from_json(receipt.to_json())}) == 1


# Text.


@BOTH
def test_text_is_read_back_to_the_same_text(receipt: Receipt) -> None:
    text = receipt.to_json()
    assert Receipt.from_json(text) == receipt
    assert Receipt.from_json(f"{text}\n").to_json() == text
    assert set(json.loads(text)) == {"version", "kind", "entries", "signer", "signature"}


def test_a_receipt_of_version_1_stays_readable() -> None:
    """Receipts are kept for years: this text, signed by a known key, never changes."""
    signature = (
        "6520cfc09bf70e39fc94fd6c4818b14a5d75262a11e4123e220e3e06420c162a"
        "96b6465adcad636926568e6effc248b0da6291e6bb2a4ce1db528bf1786d770b"
    )
    text = (
        '{"entries":["{\\"analyst\\":\\"ana\\",\\"dataset\\":\\"patients\\",\\"event\\":{\\"events'
        '\\":[{\\"epsilon\\":\\"0.1\\",\\"event\\":\\"pure\\"}],\\"version\\":1},\\"kind\\":'
        '\\"spending\\",\\"ledger\\":\\"4f6c\\",\\"previous\\":\\"PREVIOUS\\",\\"purpose\\":'
        '\\"how many\\",\\"receipt\\":\\"RECEIPT\\",\\"request\\":null,\\"sequence\\":2,'
        '\\"signer\\":\\"SIGNER\\",\\"version\\":1,\\"when\\":\\"2026-11-15T09:00:00.000000Z\\"}"],'
        '"kind":"sfumato receipt","signature":"SIGNATURE","signer":"SIGNER","version":1}'
    )
    text = text.replace("PREVIOUS", "a" * 64).replace("RECEIPT", ID)
    text = text.replace("SIGNATURE", signature).replace("SIGNER", SIGNER.public)
    receipt = Receipt.from_json(text)
    assert receipt.problems(signer=SIGNER.public) == ()
    assert receipt.event.parameters["epsilon"] * 10 == 1


@pytest.mark.full
@BOTH
@pytest.mark.parametrize("bit", range(8))
def test_every_flipped_bit_is_noticed(receipt: Receipt, bit: int) -> None:
    sound = receipt.to_json().encode()
    for place in range(len(sound)):
        flipped = bytearray(sound)
        flipped[place] ^= 1 << bit
        assert is_noticed(bytes(flipped)), f"byte {place}: {sound[place]!r}"


@given(data=st.data())
def test_bytes_lost_added_or_swapped_are_noticed(data: st.DataObject) -> None:
    sound = HERE.to_json().encode()
    start = data.draw(st.integers(0, len(sound) - 1))
    end = data.draw(st.integers(start, len(sound)))
    spliced = sound[:start] + data.draw(st.binary(max_size=8)) + sound[end:]
    assert is_noticed(spliced) or spliced.decode().strip() == sound.decode()


def is_noticed(text: bytes) -> bool:
    """Whether reading is refused in a sentence, or a problem is found."""
    try:
        receipt = Receipt.from_json(text.decode(errors="surrogateescape"))
    except InputError:
        return True
    return receipt.problems() != ()


def test_a_change_in_the_last_entry_is_noticed_by_the_signature_alone() -> None:
    forged = replace(ELSEWHERE, entries=(spending(analyst="bob"),))
    assert Receipt.from_json(forged.to_json()) == forged
    assert forged.problems() == (
        "the signature is not of this receipt: something in it was changed",
    )


def rewritten(**fields: Any) -> str:
    return canonical({**json.loads(HERE.to_json()), **fields})


UNREADABLE: dict[str, tuple[Any, str]] = {
    "empty": ("", "is not JSON"),
    "cut": (HERE.to_json()[:-1], "is not JSON"),
    "null": ("null", "not a receipt of sfumato"),
    "list": ("[1]", "not a receipt of sfumato"),
    "other document": ('{"version":1,"events":[]}', "not a receipt of sfumato"),
    "newer": (rewritten(version=2), "install a newer sfumato"),
    "no version": ('{"kind":"sfumato receipt"}', "install a newer sfumato"),
    "true for 1": (rewritten(version=True), "form in which sfumato writes"),
    "1.0 for 1": (rewritten(version=1.0), "install a newer sfumato"),
    "extra field": (rewritten(extra=1), "form in which sfumato writes"),
    "field twice": (HERE.to_json()[:-1] + ',"version":1}', "form in which sfumato writes"),
    "spaces": (json.dumps(json.loads(HERE.to_json())), "form in which sfumato writes"),
    "escapes": (HERE.to_json().replace("kind", "\\u006bind", 1), "not as|form in which"),
    "entries no list": (rewritten(entries="{}"), "not a receipt of sfumato"),
    "entries no texts": (rewritten(entries=[{}]), "not a receipt of sfumato"),
    "no entries": (rewritten(entries=[]), "a spending, or a charge and its release"),
    "three entries": (
        rewritten(entries=[charge().text, *json.loads(HERE.to_json())["entries"]]),
        "a spending, or a charge and its release",
    ),
    "no object": (rewritten(entries=["[]"]), "not a JSON object"),
    "deep": (rewritten(entries=["[" * 100_000]), "not a JSON object"),
    "deep field": (rewritten(entries=['{"a":' + "[" * 900 + "]" * 900 + "}"]), "not as sfumato"),
    "NaN": (rewritten(entries=[charge().text.replace(":2,", ":NaN,")]), "not as sfumato"),
    "infinity": (rewritten(entries=[charge().text.replace(":2,", ":1e999,")]), "not as sfumato"),
    "signer number": (rewritten(signer=1), "not a receipt of sfumato"),
    "signer short": (rewritten(signer="00"), "64 digits"),
    "signer capital": (rewritten(signer=SIGNER.public.upper()), "64 digits"),
    "signature null": (rewritten(signature=None), "not a receipt of sfumato"),
    "lone surrogate": (HERE.to_json().replace("ana", "\ud800", 1), "not as sfumato"),
    "huge number": (rewritten(version=10**3000), "digits"),
    "bytes": (HERE.to_json().encode(), "must be text, not"),
    "nothing": (None, "must be text, not"),
    "number": (7, "must be text, not"),
    "true": (True, "must be text, not"),
    "long": (HERE.to_json() + " " * MOST_CHARACTERS, "at most 1,000,000 characters"),
}


@cases(("text", "sentence"), UNREADABLE.values())
def test_what_is_no_receipt_is_refused_in_a_sentence(text: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as refusal:
        Receipt.from_json(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


ANYTHING: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just([])
)


@given(changes=st.dictionaries(st.sampled_from(sorted(json.loads(HERE.to_json()))), ANYTHING))
def test_a_receipt_with_any_other_field_is_noticed(changes: dict[str, Any]) -> None:
    text = rewritten(**changes)
    assert is_noticed(text.encode()) or text == HERE.to_json()


@given(text=st.text(max_size=40))
def test_any_other_text_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError):
        Receipt.from_json(text)


# Entries that cannot be those of a receipt.

FIELDS = ["analyst", "dataset", "event", "kind", "ledger", "previous", "purpose", "receipt"]
FIELDS += ["sequence", "signer", "version", "when"]
RELEASE_FIELDS = ["charge", "dataset", "digest", "kind", "ledger", "previous", "receipt"]
RELEASE_FIELDS += ["sequence", "settles", "signer", "size", "version", "when"]


@cases("name", FIELDS)
@cases("wrong", [None, True, 0.5, [], "missing"])
def test_a_spending_without_its_fields_is_not_read(name: str, wrong: Any) -> None:
    paid = spending()
    check_refused(without(paid, name) if wrong == "missing" else changed(paid, name, wrong))


@cases("name", RELEASE_FIELDS)
@cases("wrong", [None, True, 0.5, {}, "missing"])
def test_a_release_without_its_fields_is_not_read(name: str, wrong: Any) -> None:
    made = release(charge())
    broken = without(made, name) if wrong == "missing" else changed(made, name, wrong)
    check_refused(charge(), broken)


def check_refused(*entries: Entry) -> None:
    receipt = signed(*entries)
    assert len(receipt.problems()) == 1
    with raises_code("E-RECEIPT-FORM"):
        Receipt.from_json(receipt.to_json())


EVENTS: dict[str, Any] = {
    "unknown": {"version": 1, "events": [{"event": "magic"}]},
    "newer": {"version": 2, "events": []},
    "none": {"version": 1, "events": []},
    "two": {"version": 1, "events": [{"event": "pure", "epsilon": "1"}] * 2},
    "no cost": {"version": 1, "events": [{"event": "pure", "epsilon": "-1"}]},
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_a_charge_for_what_is_no_event_is_not_read(event: Any) -> None:
    check_refused(spending(event=event))


KINDS = {
    "nothing": (),
    "charge alone": (charge(),),
    "spending and release": (spending(), release(spending())),
    "two spendings": (spending(), spending(sequence=3)),
    "release alone": (release(charge()),),
    "two charges": (charge(), charge(sequence=3)),
    "the other way round": (release(charge()), charge()),
    "closing": (closing(),),
    "opening": (charge(), opening()),
    "three": (charge(), release(charge()), release(charge(), sequence=4)),
}


@pytest.mark.parametrize("entries", KINDS.values(), ids=KINDS)
def test_only_a_charge_or_a_charge_and_its_release_make_a_receipt(
    entries: tuple[Entry, ...],
) -> None:
    receipt = Receipt(entries, HERE.signer, HERE.signature)
    (problem,) = receipt.problems()
    assert "a spending, or a charge and its release" in problem


# Entries that do not belong together.

APART: dict[str, tuple[Callable[[], tuple[Entry, ...]], str]] = {
    "another signer": (lambda: (spending(signer=STRANGER.public),), "than its entry names"),
    "another signer, here": (
        lambda: (charge(), release(charge(), signer=STRANGER.public)),
        "than its entry names",
    ),
    "another ledger": (lambda: (charge(), release(charge(), ledger="beef")), "another book"),
    "another dataset": (lambda: (charge(), release(charge(), dataset="births")), "another book"),
    "another id": (lambda: (charge(), release(charge(), receipt="f0" * 16)), "another receipt"),
    "another number": (lambda: (charge(), release(charge(), settles=1)), "another charge"),
    "another hash": (lambda: (charge(), release(charge(), charge="b" * 64)), "was changed"),
    "changed charge": (lambda: (charge(analyst="bob"), release(charge())), "was changed"),
    "too early": (lambda: (charge(), release(charge(), sequence=1)), "before the charge"),
    "at once": (lambda: (charge(), release(charge(), sequence=2)), "before the charge"),
    "another chain": (lambda: (charge(), release(charge(), previous="b" * 64)), "does not follow"),
}


@pytest.mark.parametrize(("entries", "sentence"), APART.values(), ids=APART)
def test_entries_that_do_not_belong_together_are_noticed_though_signed(
    entries: Callable[[], tuple[Entry, ...]], sentence: str
) -> None:
    receipt = signed(*entries())
    assert Receipt.from_json(receipt.to_json()) == receipt
    assert any(sentence in problem for problem in receipt.problems())
    assert not any("signature" in problem for problem in receipt.problems())


def test_other_entries_may_stand_between_a_charge_and_its_release() -> None:
    later = release(charge(), sequence=9, previous="b" * 64)
    assert signed(charge(), later).problems(content=CONTENT) == ()


def test_all_that_is_wrong_is_said() -> None:
    receipt = replace(HERE, entries=(charge(), release(charge(), settles=1)))
    assert len(receipt.problems(signer=STRANGER.public, content=b"")) == 4


# Who signed, and what was released.


def test_a_receipt_signed_by_another_key_is_noticed_when_the_signer_is_given() -> None:
    entries = [charge(), release(charge(), signer=STRANGER.public)]
    forged = signed(*entries, signer=STRANGER)
    assert forged.problems() == ()
    assert forged.problems(signer=SIGNER.public) == (
        "the receipt is signed by another key than the one expected",
    )


def test_a_key_put_in_place_of_the_signer_s_is_noticed() -> None:
    (names, signature) = replace(HERE, signer=STRANGER.public).problems()
    assert "than its entry names" in names
    assert "signature" in signature
    signature = STRANGER.sign(signed_message(HERE.hash))
    (names,) = Receipt(HERE.entries, STRANGER.public, signature).problems()
    assert "than its entry names" in names
    (problem,) = replace(HERE, signature=ELSEWHERE.signature).problems()
    assert "signature" in problem


def test_a_release_taken_off_is_noticed() -> None:
    (problem,) = replace(HERE, entries=HERE.entries[:1]).problems()
    assert "a spending, or a charge and its release" in problem
    (problem,) = replace(HERE, entries=(spending(),)).problems()
    assert "signature" in problem


@given(content=st.binary(max_size=40))
def test_other_content_is_noticed(content: bytes) -> None:
    assert (HERE.problems(content=content) == ()) == (content == CONTENT)


def test_content_cannot_be_compared_where_no_digest_is_recorded() -> None:
    (problem,) = ELSEWHERE.problems(content=CONTENT)
    assert "does not record its digest" in problem


@pytest.mark.parametrize("signer", ["", SIGNER.fingerprint, SIGNER.public.upper(), 7, True])
def test_an_expected_signer_that_is_no_key_is_refused(signer: Any) -> None:
    with raises_code("E-SIGNER-FORM"):
        HERE.problems(signer=signer)


@pytest.mark.parametrize("content", ["text", 7, True, bytearray(CONTENT)], ids=str)
def test_content_that_is_not_bytes_is_refused(content: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="is bytes, not"):
        HERE.problems(content=content)


# For people.


def test_a_receipt_reads_as_a_few_lines() -> None:
    assert str(HERE).splitlines() == [
        f"receipt {ID}",
        "  where    entry 3 of patients, ledger 4f6c",
        "  event    Laplace noise of scale 10 on sensitivity 1",
        "  analyst  ana",
        "  purpose  how many patients; Wörter, ε, 患者",
        f"  when     {LATER}",
        f"  result   {len(CONTENT)} bytes of SHA-256 {digest_of(CONTENT)}",
        f"  signed   by {SIGNER.fingerprint}",
    ]
    assert repr(HERE) == f"<receipt {ID}: entry 3 of patients>"


def test_a_broken_receipt_says_so_when_printed() -> None:
    assert "BROKEN   the signature" in str(replace(HERE, signature=ELSEWHERE.signature))
    assert "BROKEN" not in str(HERE)


@given(words=st.text())
def test_words_from_outside_cannot_move_the_cursor(words: str) -> None:
    outside = dict.fromkeys(["analyst", "purpose", "dataset", "ledger", "receipt"], words)
    receipt = signed(spending(**outside))
    assert len(str(receipt).split("\n")) == 8
    assert str(receipt).replace("\n", "").isprintable()
    assert repr(receipt).isprintable()


def test_a_purpose_cannot_pretend_to_be_another_line() -> None:
    purpose = "x\n  signed  by the minister\x1b[2J\u202e"
    receipt = signed(spending(purpose=purpose))
    assert "purpose  x\\n  signed  by the minister\\x1b[2J\\u202e" in str(receipt)
