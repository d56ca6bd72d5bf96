"""Reading a ledger again, entry by entry, to judge it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.signing import fingerprint_of
from sfumato.ledger.rules.rule import Rule
from sfumato.ledger.storage.statements import AT, LAST, all_rows, content_of, first
from sfumato.ledger.verification.accountant import spent_by_accountant
from sfumato.ledger.verification.replay import Replay
from sfumato.ledger.verification.signatures import with_signatures
from sfumato.ledger.verification.trust import Strangers
from sfumato.ledger.verification.verdict import BookVerdict, LedgerVerdict, Spent
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger.receipts.receipt import Receipt
    from sfumato.ledger.storage.store import Store
    from sfumato.ledger.verification.trust import Trusted

    Progress = Callable[[int, int], None]

__all__ = ["judge_book", "judge_ledger", "judge_receipt", "rules_of"]

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
    found = tuple(judge_book(store, each, numbers[each], progress, trusted) for each in books)
    wrong = tuple(
        tr("receipt {id}: {problem}", id=each.id, problem=problem)
        for each in receipts
        for problem in judge_receipt(store, each, trusted)
    )
    return LedgerVerdict(found, len(receipts), wrong, store.stray())


def judge_book(
    store: Store,
    dataset: str,
    number: int,
    progress: Progress | None = None,
    trusted: Trusted | None = None,
) -> BookVerdict:
    """Read a book from its first entry to its last, and say what is wrong with it."""
    with store.reading() as connection:
        opening = first(connection, AT, number=number, place=1)
        last = first(connection, LAST, number=number, seen=0)
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


def judge_receipt(
    store: Store, receipt: Receipt, trusted: Trusted | None = None
) -> tuple[str, ...]:
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
        row = first(connection, AT, number=number, place=receipt.sequence)
        last = first(connection, LAST, number=number, seen=0)
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


def rules_of(opening: Entry) -> tuple[Rule, ...]:
    """Return the rules of a book from its first entry."""
    opening.check()
    return tuple(Rule.from_document(each) for each in opening.body["rules"])


def _spent(replay: Replay, rules: Sequence[Rule]) -> Iterator[Spent]:
    for (number, window, analyst), charged in replay.charged.items():
        rule = rules[number]
        yield Spent(rule, window, analyst, spent_by_accountant(charged, rule.budget))
