"""Whether a book holds what was written: the chain, the signatures, the sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.entries import BEFORE_THE_FIRST, Entry, digest_of
from sfumato.ledger.verification.sums import Sums
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.statements import Row
    from sfumato.privacy.events import Event

__all__ = ["Replay"]

_COLUMNS = ("kind", "analyst", "request", "settles")


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
    for name in _COLUMNS:
        if row[name] != body.get(name):
            yield tr("its column {name} differs from what it says", name=name)
