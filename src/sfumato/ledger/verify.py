"""Reading a ledger again, entry by entry, to judge it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.entry import Entry
from sfumato.ledger.replay import Replay, with_signatures
from sfumato.ledger.rules import Rule, rules_of
from sfumato.ledger.signer import Trusted, fingerprint_of
from sfumato.ledger.storage.statements import AT, LAST, Row, all_rows, content_of, first_row
from sfumato.ledger.verdict import BookVerdict, LedgerVerdict, Spent, spent_by_accountant
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger.receipt import Receipt
    from sfumato.ledger.storage.store import Store

    Progress = Callable[[int, int], None]

_ROLLED_BACK = mark("an older copy of the ledger was put in its place")


def judge_ledger(
    store: Store,
    books: Sequence[str],
    receipts: Sequence[Receipt],
    *,
    progress: Progress | None,
    trusted: Trusted | None,
) -> LedgerVerdict:
    """Read books from end to end, hold receipts against them, and say what is wrong."""
    numbers = store.books()
    found = tuple(_judge_book(store, each, numbers[each], progress, trusted) for each in books)
    wrong = tuple(
        tr("receipt {id}: {problem}", id=each.id, problem=problem)
        for each in receipts
        for problem in _judge_receipt(store, each, trusted)
    )
    return LedgerVerdict(found, len(receipts), wrong, store.stray())


def _judge_book(
    store: Store,
    dataset: str,
    number: int,
    progress: Progress | None,
    trusted: Trusted | None,
) -> BookVerdict:
    """Read a book from its first entry to its last, and say what is wrong with it."""
    with store.reading() as connection:
        opening = first_row(connection, AT, number=number, place=1)
        last = first_row(connection, LAST, number=number, seen=0)
        try:
            rules = () if opening is None else rules_of(Entry(opening["body"]))
        except InputError:
            rules = ()
        if not rules or last is None:
            return BookVerdict(dataset, 0, "", (tr("its first entry cannot be read"),), ())
        replay, strangers = Replay(store.id, dataset, rules), Strangers(trusted)
        problems: list[str] = []
        for row, is_signed in with_signatures(all_rows(connection, number)):
            kept = partial(content_of, connection, number, row["sequence"])
            problems += replay.problems(row, kept, is_signed=is_signed)
            strangers.look_at(row)
            if progress is not None:
                progress(replay.count, last["sequence"])
    spent = tuple(_spent(replay, rules))
    problems += strangers.problems()
    problems += [
        tr("the accountant finds {each} exceeded", each=each) for each in spent if each.is_exceeded
    ]
    return BookVerdict(
        dataset=dataset,
        entries=replay.count,
        head=replay.head,
        problems=tuple(problems),
        spent=spent,
        uncompared=replay.uncompared,
        signers=tuple(map(fingerprint_of, replay.signers)),
    )


def _judge_receipt(store: Store, receipt: Receipt, trusted: Trusted | None) -> tuple[str, ...]:
    """Return what is wrong with a receipt, by itself and against the ledger."""
    problems = receipt.problems() or (() if trusted is None else trusted.problems(receipt.signer))
    if problems:
        return problems
    if receipt.ledger != store.id:
        return (tr("the receipt is of another ledger"),)
    number = store.books().get(receipt.dataset)
    if number is None:
        return (
            tr(
                "the ledger has no book {dataset!r}: {rolled_back}",
                dataset=receipt.dataset,
                rolled_back=_ROLLED_BACK,
            ),
        )
    with store.reading() as connection:
        row = first_row(connection, AT, number=number, place=receipt.sequence)
        last = first_row(connection, LAST, number=number, seen=0)
    if row is None:
        ends = 0 if last is None else last["sequence"]
        problem = tr(
            "the receipt is for entry {sequence} of {dataset!r}, which ends with entry "
            "{ends}: {rolled_back}",
            sequence=receipt.sequence,
            dataset=receipt.dataset,
            ends=ends,
            rolled_back=_ROLLED_BACK,
        )
        return (problem,)
    if row["hash"] != receipt.hash:
        problem = tr(
            "entry {sequence} of {dataset!r} is not the one of the receipt: "
            "{rolled_back}, or the book was rewritten",
            sequence=receipt.sequence,
            dataset=receipt.dataset,
            rolled_back=_ROLLED_BACK,
        )
        return (problem,)
    return ()


def _spent(replay: Replay, rules: Sequence[Rule]) -> Iterator[Spent]:
    for (number, window, analyst), charged in replay.charged.items():
        rule = rules[number]
        yield Spent(rule, window, analyst, spent_by_accountant(charged, rule.budget))


@dataclass
class Strangers:
    """Those who signed entries of a book and are not trusted.

    Attributes
    ----------
    trusted
        Who is; None for everybody.
    signed
        The places of the entries that each of the others signed, by fingerprint.
    """

    trusted: Trusted | None
    signed: dict[str, list[int]] = field(default_factory=dict)

    def look_at(self, row: Row) -> None:
        """Take note of who signed a row; whether the signature holds is another question."""
        public = None if self.trusted is None else _signer(row)
        if self.trusted is not None and public is not None and not self.trusted.knows(public):
            self.signed.setdefault(fingerprint_of(public), []).append(row["sequence"])

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each of them."""
        for signer, (first, *more) in self.signed.items():
            if more:
                yield tr(
                    "entry {first} and {others:,} more are signed by {signer}, who is not among "
                    "the signers you named",
                    first=first,
                    others=len(more),
                    signer=signer,
                )
            else:
                yield tr(
                    "entry {first} is signed by {signer}, who is not among the signers you named",
                    first=first,
                    signer=signer,
                )


def _signer(row: Row) -> str | None:
    """Return the public key that a row names, if it does and it can be one."""
    try:
        public = Entry(row["body"]).body.get("signer")
        return public if public is not None and fingerprint_of(public) else None
    except InputError:
        return None
