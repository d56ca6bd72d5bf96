"""Changes of a certificate: of its bytes, of any field, and of what a liar would sign."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate import check_certificate
from sfumato.ledger import Ledger
from sfumato.privacy.events import from_json
from sfumato.privacy.events.base import plain
from tests.tables.certificate.made import certified, signed

if TYPE_CHECKING:
    from random import Random

    from sfumato.ledger.signer import Signer

    Place = tuple[str | int, ...]

#: What nobody but the signer can know, so that a change that is signed anew holds as well: the
#: place of it, and what it is.  Each stands in docs/tables/certificates.md.
TRUSTED = {
    r"caveats": "what is said in words beside the answer",
    r"answers\.columns\.\d+\.values": "intervals that are wider, or of variances",
    r"query\.columns": "the type of a column that nothing is computed of",
    r"query\.steps": "what was done to rows, unless bounds or groups follow from it",
    r"query\.aggregates\.\d+\.(code|columns|default|bounds)": "the function that ran on blocks",
    r"query\.aggregates\.\d+\.(ranks|confidence)": "which quantile was aimed at",
    r"query\.after": "what was done to the answer, where another step would have left the same",
}
_TRUSTED = re.compile("|".join(f"(?:{each})" for each in TRUSTED))
_BARS = ("_low", "_high")


def document(name: str) -> dict[str, Any]:
    """The certificate of a case, to be changed."""
    found: dict[str, Any] = json.loads(certified(name))
    return found


def told(given: dict[str, Any], key: Signer | None = None) -> str:
    """The text of a certificate with the digest of its policy and its signature made anew."""
    written = json.dumps(given["policy"], sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(written.encode()).hexdigest()
    return signed({**given, "policy_digest": digest}, key)


def with_receipt(given: dict[str, Any], place: str, purpose: str) -> dict[str, Any]:
    """The certificate with a receipt for its event and its content, and a purpose of any kind."""
    (event,) = from_json(json.dumps({"version": 1, "events": [given["event"]]}))
    content = given["content"].encode()
    with Ledger.open(place) as ledger:
        settled = ledger.book(given["policy"]["book"]).release(
            event, lambda: content, analyst="ada", purpose=purpose
        )
    return {**given, "receipt": json.loads(settled.receipt.to_json())}


def problem(given: dict[str, Any]) -> str:
    return check_certificate(told(given)).problem


def with_content(given: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The certificate with something else in what was released."""
    content = {**json.loads(given["content"]), **changes}
    return {**given, "content": json.dumps(content, sort_keys=True, separators=(",", ":"))}


def leaves(document: Any, place: Place = ()) -> list[Place]:
    """The places of all that is no object and no list."""
    inner = _inside(document)
    if not inner:
        return [place]
    return [leaf for key, each in inner for leaf in leaves(each, (*place, key))]


def is_trusted(document: dict[str, Any], place: Place) -> bool:
    """Whether a change there may hold: of answers, an interval; what is signed anew, anyway."""
    if place in (("signer",), ("signature",)):
        return True
    if place[:2] == ("answers", "columns") and len(place) > 2:
        return place[3:4] == ("values",) and at(document, place[:3])["name"].endswith(_BARS)
    return _TRUSTED.match(".".join(map(str, place))) is not None


def at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def with_change(document: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    at(changed, place[:-1])[place[-1]] = value
    return changed


def stronger(text: str) -> str:
    """A guarantee that is better than the one that is kept."""
    return plain(Fraction(text) * Fraction(9, 10))


def altered(value: Any, random: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice([-1, 1, 2])
    if isinstance(value, float):
        return value * 1.5 + 1
    if value is None:
        return random.choice([0, "1", {}])
    if isinstance(value, str):
        return _altered_text(value, random)
    return "another" if not value else type(value)()


def flipped(text: str, random: Random) -> str:
    """The text with one byte changed."""
    place = random.randrange(len(text))
    other = chr(ord(text[place]) ^ (1 << random.randrange(7)))
    return text[:place] + other + text[place + 1 :]


def rearranged(document: dict[str, Any], random: Random) -> dict[str, Any] | None:
    """The document with an entry dropped, doubled or moved, or with a field more or less."""
    changed = copy.deepcopy(document)
    places = [each for each in containers(changed) if each and not is_trusted(changed, each)]
    inside = at(changed, random.choice(places))
    if isinstance(inside, list):
        return changed if _moved(inside, random) else None
    if random.random() < 0.5 or not inside:
        inside["note"] = "all is well"
    else:
        del inside[random.choice(sorted(inside))]
    return changed


def containers(document: Any, place: Place = ()) -> list[Place]:
    """The places of all objects and lists that have something in them."""
    inner = _inside(document)
    found = [place] if inner else []
    return found + [each for key, one in inner for each in containers(one, (*place, key))]


def _moved(entries: list[Any], random: Random) -> bool:
    before = json.dumps(entries)
    kind = random.choice(["drop", "double", "swap"])
    place = random.randrange(len(entries))
    if kind == "drop":
        del entries[place]
    elif kind == "double":
        entries.insert(place, copy.deepcopy(entries[place]))
    else:
        other = random.randrange(len(entries))
        entries[place], entries[other] = entries[other], entries[place]
    return json.dumps(entries) != before


def _altered_text(text: str, random: Random) -> str:
    """Another number where it is one, in the one way to write it; else another text."""
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return text[:-1] if text and random.random() < 0.5 else text + "x"
    factor = random.choice([Fraction(2), Fraction(1, 2), Fraction(9, 10)])
    return plain(number * factor + (number == 0))


def _inside(document: Any) -> list[tuple[Any, Any]]:
    if isinstance(document, dict):
        return list(document.items())
    return list(enumerate(document)) if isinstance(document, list) else []
