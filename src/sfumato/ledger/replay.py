"""Whether a book holds what was written: the chain, the signatures, the sums."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from math import isclose
from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError
from sfumato.ledger.admission import Admission
from sfumato.ledger.entry import BEFORE_THE_FIRST, Entry, digest_of, read_moment
from sfumato.ledger.receipt import signed_message
from sfumato.ledger.signer import verify_signature
from sfumato.ledger.standing import NOTHING, Accounts
from sfumato.ledger.storage.schema import FULL
from sfumato.ledger.storage.statements import SAID_AGAIN, Row
from sfumato.ledger.validate import read_name
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sfumato.ledger.rules import Rule
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters import FilterState

_CHARGES = ("charge", "spending")
#: How far sums may differ, as a share of them: some amounts are bounds that were computed in
#: floating point, which is not the same to the last digit on every machine.
_SLACK = 1e-9
#: How many rows are checked before they are looked at, and how many of them by one thread.
_CHUNK, _SHARE = 240, 30


@dataclass
class Replay:
    """Reads a book from its first entry on, and says of each row what is wrong with it.

    Parameters
    ----------
    ledger, dataset
        What every entry must say it belongs to.
    rules
        The budgets, as the opening entry has them.

    Attributes
    ----------
    count
        How many entries were read.
    signers
        The public keys that signed entries, in the order in which they first did.
    head
        The hash of the last one.
    """

    ledger: str
    dataset: str
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        self.count, self.head, self._when = 0, BEFORE_THE_FIRST, ""
        self.signers: dict[str, None] = {}
        self._sums = Sums(self.rules)
        self._open: dict[int, Entry] = {}

    @property
    def uncompared(self) -> int:
        """How many entries say sums that were added up in another way than today's."""
        return self._sums.uncompared

    @property
    def charged(self) -> Mapping[tuple[int, str, str], Counter[Event]]:
        """What was charged to each budget, by the number of its rule, its period, and whose."""
        return self._sums.charged

    def problems(
        self, row: Row, content: Callable[[], bytes | None], *, is_signed: bool
    ) -> Iterator[str]:
        """Read the next row and yield what is wrong with it, a sentence each.

        Parameters
        ----------
        row
            The row, without what is kept beside it.
        content
            Gives what is kept beside the row.
        is_signed
            Whether it carries the signature of whom it names.
        """
        entry = Entry(row["body"])
        try:
            entry.check()
        except InputError as error:
            yield tr("entry {row} cannot be read: {error}", row=row["sequence"], error=error)
        else:
            body = entry.body
            for problem in (
                *self._chain_problems(row, entry),
                *_column_problems(row, body),
                *self._signature_problems(row, body.get("signer"), is_signed=is_signed),
                *self._settling_problems(row, entry, content),
                *self._sums.problems(row, entry),
            ):
                yield tr("entry {row}: {problem}", row=row["sequence"], problem=problem)
        self.count, self.head = self.count + 1, str(row["hash"])

    def _chain_problems(self, row: Row, entry: Entry) -> Iterator[str]:
        if row["sequence"] != self.count + 1 or entry.sequence != row["sequence"]:
            yield tr("it should be entry {count} of the book", count=self.count + 1)
        if (entry.ledger, entry.dataset) != (self.ledger, self.dataset):
            yield tr("it belongs to another ledger or book")
        if entry.hash != row["hash"]:
            yield tr("its text was changed after it was written")
        if entry.previous != self.head:
            yield tr("it does not follow the entry before it")
        if entry.when < self._when:
            yield tr("it is dated before the entry before it")
        if (entry.kind == "opening") != (self.count == 0):
            yield tr("a book is opened once, by its first entry")
        self._when = max(self._when, entry.when)

    def _signature_problems(
        self, row: Row, signer: str | None, *, is_signed: bool
    ) -> Iterator[str]:
        if (signer is None) != (row["signature"] is None):
            yield tr("its signature is missing, or does not belong to it")
        elif signer is not None and not is_signed:
            yield tr("its signature is not of what it says")
        elif signer is not None:
            self.signers.setdefault(signer)

    def _settling_problems(
        self, row: Row, entry: Entry, content: Callable[[], bytes | None]
    ) -> Iterator[str]:
        body = entry.body
        if entry.kind == "charge":
            self._open[entry.sequence] = entry
        charge = self._open.pop(body.get("settles", 0), None)
        may_be_repeated = charge is not None and charge.body.get("request") is not None
        if bool(row["is_kept"]) != (entry.kind == "release" and may_be_repeated):
            yield tr("an answer is kept or missing beside it, against what it says")
        if entry.kind not in ("release", "closing"):
            return
        said = (body.get("charge"), body.get("receipt"))
        if charge is None or said != (charge.hash, charge.body.get("receipt")):
            yield tr("it settles no charge that was open")
        if row["is_kept"] and digest_of(content() or b"") != body.get("digest"):
            yield tr("the answer that is kept beside it was changed")


def _column_problems(row: Row, body: Mapping[str, Any]) -> Iterator[str]:
    for name in SAID_AGAIN:
        if row[name] != body.get(name):
            yield tr("its column {name} differs from what it says", name=name)


class Sums:
    """Charges once more what the entries of a book charged, and compares the sums.

    Parameters
    ----------
    rules
        The budgets of the book.

    Attributes
    ----------
    uncompared
        How many rows say sums that were added up in another way than today's.
    charged
        What was charged, by event and how often: for every budget by the number of its rule, its
        period, and the analyst where it is an analyst's own.
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.uncompared = 0
        self.charged: dict[tuple[int, str, str], Counter[Event]] = {}
        self._admission = Admission(rules)
        self._shared, self._own = NOTHING, dict[str, Accounts]()

    def problems(self, row: Row, entry: Entry) -> Iterator[str]:
        """Add up the next entry and yield what is wrong with the sums of its row."""
        own = NOTHING
        if entry.kind in _CHARGES:
            try:
                own = self._charge(entry)
            except BudgetError as error:
                yield tr("it should have been refused: {error}", error=error)
            except InputError as error:
                yield tr("it is no charge: {error}", error=error)
        everyone = _is_said(row["shared"], self._shared)
        analyst = _is_said(row["own"], own) if own.listed else row["own"] is None
        if everyone is False:
            yield tr("what it says was spent by everyone is not the sum of the charges")
        if analyst is False:
            yield tr("what it says was spent by the analyst is not the sum of the charges")
        if None in (everyone, analyst):
            self.uncompared += 1
        elif not _is_near(row["used"], max(self._shared.used, own.used)):
            yield tr("the share of the budget that it says is used is not that of the charges")

    def _charge(self, entry: Entry) -> Accounts:
        """Charge once more what an entry charged; return the accounts of the analyst."""
        event, when = entry.event, read_moment(entry.when)
        who = read_name(entry.body["analyst"], "analyst")
        if event is None:
            raise InputError("E-LEDGER-DAMAGED", "it does not say what was done")
        charged = self._admission.charged
        self._shared = charged(self._shared, event, who, when, shared=True)
        own = charged(self._own.get(who, NOTHING), event, who, when, shared=False)
        self._count(self._shared, "", event)
        self._count(own, who, event)
        self._own[who] = own
        return own

    def _count(self, accounts: Accounts, who: str, event: Event) -> None:
        for each in accounts.listed:
            self.charged.setdefault((each.rule, each.window, who), Counter())[event] += 1


def _is_said(said: Any, found: Accounts) -> bool | None:
    """Tell whether a text says accounts as they were found; None if not in today's way."""
    if said == found.to_text():
        return True
    if found.is_said_otherwise(said):
        return None
    try:
        listed = Accounts.from_text(said).listed
    except InputError:
        return False
    return len(listed) == len(found.listed) and all(
        (one.rule, one.window) == (other.rule, other.window)
        and _are_near(one.state, other.state)
        and _is_near(one.used, other.used)
        for one, other in zip(listed, found.listed, strict=True)
    )


def _are_near(said: FilterState, found: FilterState) -> bool:
    pairs = zip(said.amounts, found.amounts, strict=False)
    return (said.basis, len(said.amounts)) == (found.basis, len(found.amounts)) and all(
        one == other or isclose(float(one), float(other), rel_tol=_SLACK) for one, other in pairs
    )


def _is_near(said: Any, found: int) -> bool:
    return type(said) is int and abs(said - found) <= _SLACK * FULL


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
