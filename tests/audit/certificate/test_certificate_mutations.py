"""A changed certificate is not accepted: 500 random changes, many of them signed anew."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest

from sfumato.application.certificates.checking import check
from sfumato.audit.certificate import check_certificate
from sfumato.errors import InputError
from sfumato.ledger.signer import verify_signature
from sfumato.privacy.certificate import signed_message
from tests.audit.certificate.lies import (
    altered,
    at,
    flipped,
    is_trusted,
    leaves,
    rearranged,
    stronger,
    with_change,
)
from tests.tables.certificate.made import CASES, certified, signed, signer, stranger

COUNT = 500
NAMES = list(CASES)


def accepts(text: str) -> bool:
    """Whether the whole check holds, by somebody who trusts the test's key alone."""
    stream = io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        return check(stream, signers=[signer().public]).is_sound
    except InputError:
        return False


def mutation(number: int) -> tuple[str, str]:
    """A changed certificate, and what was done to it; the same for the same number."""
    random = Random(number)  # noqa: S311, since the same lies are told each time
    text = certified(NAMES[number % len(NAMES)])
    document = json.loads(text)
    kind = number // len(NAMES) % 5
    if kind == 0:
        return flipped(text, random), "a byte"
    if kind == 1:
        place = random.choice(leaves(document))
        changed = with_change(document, place, altered(at(document, place), random))
        return json.dumps(changed, indent=2, sort_keys=True) + "\n", f"{place}, not signed"
    if kind == 2:
        return signed(document, stranger()), "another signer"
    if kind == 3:
        found = None
        while found is None:
            found = rearranged(document, random)
        return signed(found), "entries"
    place = random.choice([each for each in leaves(document) if not is_trusted(document, each)])
    given = at(document, place)
    is_amount = place[0] == "guarantee" and place[-1] in ("epsilon", "delta", "rho")
    value = stronger(given) if is_amount else altered(given, random)
    return signed(with_change(document, place, value)), f"{place}, signed anew"


def numbers(name: str) -> range:
    """Which of the changes are of one certificate."""
    return range(NAMES.index(name), COUNT, len(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_the_original_is_accepted_and_no_change_of_it(name: str) -> None:
    assert accepts(certified(name))
    for number in numbers(name):
        text, what = mutation(number)
        assert text != certified(name), what
        assert not accepts(text), f"change {number}: {what}"


@pytest.mark.parametrize("name", NAMES)
def test_who_only_looks_at_signatures_accepts_lies(name: str) -> None:
    """The twin: of the changes that are signed anew, a check of the signature sees none."""
    lies = [mutation(number)[0] for number in numbers(name) if number // len(NAMES) % 5 >= 3]
    assert len(lies) >= 8
    assert all(signature_holds(json.loads(each)) for each in lies)
    assert not any(check_certificate(each).holds for each in lies)


def test_there_are_five_hundred_changes() -> None:
    assert sum(len(numbers(name)) for name in NAMES) == COUNT == 500


def signature_holds(document: dict[str, Any]) -> bool:
    return verify_signature(document["signer"], signed_message(document), document["signature"])
