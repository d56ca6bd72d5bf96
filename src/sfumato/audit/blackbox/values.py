"""Single values: keys that tell them apart, and what they are in words."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import Enum
from hashlib import blake2b
from typing import Any

import numpy as np

from sfumato.audit.blackbox.opening import in_order
from sfumato.audit.blackbox.raised import Raised
from sfumato.numeric import shown
from sfumato.translation import tr

__all__ = ["ABSENT", "ZERO", "described", "key_of"]


class _Absent:
    """What stands where an output has no such entry."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
#: Floats up to here are written as whole numbers where they are.
_EXACT = 2.0**53
#: Added to a float, it makes one zero of the two; their signs are told apart as kinds.
ZERO = 0.0


def key_of(value: Any) -> int:
    """Return a whole number that tells values apart; equal values of one type share it."""
    if isinstance(value, (bool, np.bool_)) or (
        isinstance(value, (int, np.integer)) and -(2**63) <= value < 2**63
    ):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int((np.float64(value) + ZERO).view(np.int64))
    digest = blake2b(_text(value).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def described(value: Any) -> str:
    """Return an outcome in words; the message of an exception is left out."""
    if isinstance(value, Raised):
        return value.with_its_message()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, AbstractSet):
        return f"{{{shown(in_order(value))[1:-1]}}}"
    try:
        return shown(value)
    except Exception:  # noqa: BLE001 - whatever it is, it has no text
        return tr("a {kind}", kind=type(value).__name__)


def _text(value: Any) -> str:
    """Return a text that is the same for equal values."""
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(map(_text, value))}"
    if isinstance(value, Raised):
        return f"raised {value.kind}: {value.message}"
    if isinstance(value, np.generic):
        value = value.item()
    name = type(value).__qualname__
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever it is, it has no text
        return name
    return name if " at 0x" in text else f"{name} {text}"
