"""Whether a book holds what was written: the chain, the signatures, the sums."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, InputError
from sfumato.ledger.admission import NOTHING, Accounts, Admission
from sfumato.ledger.entries import BEFORE_THE_FIRST, Entry, digest_of
from sfumato.ledger.moments import read_moment
from sfumato.ledger.names import read_name
from sfumato.ledger.receipts.receipt import signed_message
from sfumato.ledger.receipts.signing import verify_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.rows import Row
    from sfumato.privacy.events import Event

__all__ = ["Replay"]

_COLUMNS = ("kind", "analyst", "request", "settles")
_CHARGES = ("charge", "spending")


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
    uncompared
        How many of them say sums that were added up in another way than today's.
    signers
        The public keys that signed entries, in the order in which they first did.
    head
        The hash of the last one.
    charged
        What was charged, by event and how often: for every budget by the number of its rule, its
        period, and the analyst where it is an analyst's own.
    """

    ledger: str
    dataset: str
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        self.count, self.uncompared = 0, 0
        self.signers: dict[str, None] = {}
        self.head, self._when = BEFORE_THE_FIRST, ""
        self.charged: dict[tuple[int, str, str], Counter[Event]] = {}
        self._admission = Admission(self.rules)
        self._shared, self._own = NOTHING, dict[str, Accounts]()
        self._open: dict[int, Entry] = {}

    def problems(self, row: Row, content: Callable[[], bytes | None]) -> Iterator[str]:
        """Read the next row and yield what is wrong with it, a sentence each.

        Parameters
        ----------
        row
            The row, without what is kept beside it.
        content
            Gives what is kept beside the row.
        """
        entry = Entry(row["body"])
        try:
            entry.check()
        except InputError as error:
            yield f"entry {row['sequence']} cannot be read: {error}"
        else:
            for problem in (
                *self._chain_problems(row, entry),
                *self._column_problems(row, entry),
                *self._signature_problems(row, entry),
                *self._settling_problems(row, entry, content),
                *self._sum_problems(row, entry),
            ):
                yield f"entry {row['sequence']}: {problem}"
        self.count, self.head = self.count + 1, row["hash"]

    def _chain_problems(self, row: Row, entry: Entry) -> Iterator[str]:
        if row["sequence"] != self.count + 1 or entry.sequence != row["sequence"]:
            yield f"it should be entry {self.count + 1} of the book"
        if (entry.ledger, entry.dataset) != (self.ledger, self.dataset):
            yield "it belongs to another ledger or book"
        if entry.hash != row["hash"]:
            yield "its text was changed after it was written"
        if entry.previous != self.head:
            yield "it does not follow the entry before it"
        if entry.when < self._when:
            yield "it is dated before the entry before it"
        if (entry.kind == "opening") != (self.count == 0):
            yield "a book is opened once, by its first entry"
        self._when = max(self._when, entry.when)

    def _column_problems(self, row: Row, entry: Entry) -> Iterator[str]:
        body = entry.body
        for name in _COLUMNS:
            if row[name] != body.get(name):
                yield f"its column {name} differs from what it says"

    def _signature_problems(self, row: Row, entry: Entry) -> Iterator[str]:
        signer = entry.body.get("signer")
        if (signer is None) != (row["signature"] is None):
            yield "its signature is missing, or does not belong to it"
        elif signer is not None and not verify_signature(
            str(signer), signed_message(entry.hash), row["signature"]
        ):
            yield "its signature is not of what it says"
        elif signer is not None:
            self.signers.setdefault(str(signer))

    def _settling_problems(
        self, row: Row, entry: Entry, content: Callable[[], bytes | None]
    ) -> Iterator[str]:
        body = entry.body
        if entry.kind == "charge":
            self._open[entry.sequence] = entry
        charge = self._open.pop(body.get("settles", 0), None)
        may_be_repeated = charge is not None and charge.body.get("request") is not None
        if bool(row["is_kept"]) != (entry.kind == "release" and may_be_repeated):
            yield "an answer is kept or missing beside it, against what it says"
        if entry.kind not in ("release", "closing"):
            return
        said = (body.get("charge"), body.get("receipt"))
        if charge is None or said != (charge.hash, charge.body.get("receipt")):
            yield "it settles no charge that was open"
        if row["is_kept"] and digest_of(content() or b"") != body.get("digest"):
            yield "the answer that is kept beside it was changed"

    def _sum_problems(self, row: Row, entry: Entry) -> Iterator[str]:
        own = None
        if entry.kind in _CHARGES:
            try:
                own = self._charge(entry)
            except BudgetError as error:
                yield f"it should have been refused: {error}"
            except InputError as error:
                yield f"it is no charge: {error}"
        if row["shared"] != self._shared.to_text() and self._shared.is_said_otherwise(
            row["shared"]
        ):
            self.uncompared += 1
            return
        if row["shared"] != self._shared.to_text():
            yield "what it says was spent by everyone is not the sum of the charges"
        if row["own"] != (None if own is None else own.to_text()):
            yield "what it says was spent by the analyst is not the sum of the charges"
        if row["used"] != max(self._shared.used, 0 if own is None else own.used):
            yield "the share of the budget that it says is used is not that of the charges"

    def _charge(self, entry: Entry) -> Accounts | None:
        """Charge once more what an entry charged."""
        event, when = entry.event, read_moment(entry.when)
        who = read_name(entry.body["analyst"], "analyst")
        if event is None:
            message = "it does not say what was done"
            raise InputError(message)
        charged = self._admission.charged
        self._shared = charged(self._shared, event, who, when, shared=True)
        own = charged(self._own.get(who, NOTHING), event, who, when, shared=False)
        self._count(self._shared, "", event)
        self._count(own, who, event)
        if not own.listed:
            return None
        self._own[who] = own
        return own

    def _count(self, accounts: Accounts, who: str, event: Event) -> None:
        for each in accounts.listed:
            self.charged.setdefault((each.rule, each.window, who), Counter())[event] += 1
