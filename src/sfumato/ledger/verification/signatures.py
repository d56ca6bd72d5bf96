"""Whether rows are signed by whom they name, checked on all processors at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.receipt import signed_message
from sfumato.ledger.receipts.signing import verify_signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.ledger.storage.statements import Row

__all__ = ["with_signatures"]

#: How many rows are checked before they are looked at, and how many of them by one thread.
_CHUNK, _SHARE = 240, 30


def with_signatures(rows: Iterable[Row]) -> Iterator[tuple[Row, bool]]:
    """Yield rows in order, each with whether it is signed by whom its entry names."""
    waiting = iter(rows)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while chunk := [*islice(waiting, _CHUNK)]:
            shares = [chunk[start : start + _SHARE] for start in range(0, len(chunk), _SHARE)]
            signed = [each for found in [*pool.map(_are_signed, shares)] for each in found]
            yield from zip(chunk, signed, strict=True)


def _are_signed(rows: Sequence[Row]) -> list[bool]:
    return [_is_signed(row) for row in rows]


def _is_signed(row: Row) -> bool:
    entry = Entry(row["body"])
    try:
        signer = entry.body.get("signer")
    except InputError:
        return False
    return signer is not None and verify_signature(
        signer, signed_message(entry.hash), row["signature"]
    )
