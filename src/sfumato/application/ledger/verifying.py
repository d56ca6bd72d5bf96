"""Whether a ledger and its receipts hold what was written, book by book."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.keys import own_key
from sfumato.application.ledger.receipts import ANSWERED, read_answer, read_receipt
from sfumato.ledger import Ledger
from sfumato.ledger import spent as amount_spent
from sfumato.numeric import digits_above
from sfumato.printing import Printed, fitted, for_json
from sfumato.privacy import ApproxDP, PureDP, guarantee_to_document
from sfumato.refusal import Argument
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from sfumato.application.ledger.keys import SigningKey
    from sfumato.ledger import Book, BookVerdict, LedgerVerdict, Receipt, Spent, Standing


#: Where the accountant's ε is told for budgets that have no δ of their own.
_DELTA = 1e-6
_DIGITS = 7
_SHORT = 16
#: How many problems of a book are listed; the first is most often the cause of the others.
_MOST_PROBLEMS = 12
_STRAY = mark("{stray:,} entries are of books that the ledger does not list")


@dataclass(frozen=True, kw_only=True)
class VerificationReport(Printed):
    """What was found in a ledger.

    Attributes
    ----------
    verdict
        Of the ledger: what is wrong, and what was charged as the accountant composes it.
    filtered
        What the budgets' own filters added up, by dataset; nothing for a damaged book.
    key
        The key of this computer, if it has one.
    compared
        The receipt whose answer was given and is the one that was released, if any.
    """

    verdict: LedgerVerdict
    filtered: Mapping[str, tuple[tuple[str, Standing], ...]]
    key: SigningKey | None = None
    compared: str | None = None

    def __bool__(self) -> bool:
        """Tell whether it is sound."""
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.verdict.is_sound

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the verdict, then each book with what was spent and what is wrong.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        headline = str(self.verdict).splitlines()[0]
        books = [line for book in self.verdict.books for line in self._book(book)]
        stray = [tr(_STRAY, stray=self.verdict.stray)] if self.verdict.stray else []
        answer = (
            []
            if self.compared is None
            else [tr("answer of {compared}: {answered}", compared=self.compared, answered=ANSWERED)]
        )
        return fitted([headline, *stray, *books, *self.verdict.receipts, *answer], width)

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict ready for JSON."""
        return {
            "sound": self.is_sound,
            "stray": self.verdict.stray,
            "books": [self._figures(book) for book in self.verdict.books],
            "receipts": {
                "shown": self.verdict.shown,
                "problems": list(self.verdict.receipts),
                "answered": self.compared,
            },
            "signing_key": None if self.key is None else self.key.as_dict(),
        }

    def _book(self, book: BookVerdict) -> list[str]:
        head = tr(", head {head}", head=book.head[:_SHORT]) if book.head else ""
        count = tr_n("{number:,} entry", "{number:,} entries", book.entries, number=book.entries)
        return [
            f"{book.dataset}: {tr('sound') if book.is_sound else tr('NOT SOUND')}, {count}{head}",
            tr(
                "  signed by {signer}",
                signer=", ".join(map(self._signer, book.signers)) or tr("nobody"),
            ),
            *(f"  {self._said(book.dataset, each)}" for each in book.spent),
            *(f"  {problem}" for problem in book.problems[:_MOST_PROBLEMS]),
            *_unlisted(len(book.problems) - _MOST_PROBLEMS),
        ]

    def _signer(self, fingerprint: str) -> str:
        is_own = self.key is not None and self.key.fingerprint == fingerprint
        return tr("{fingerprint} (your key)", fingerprint=fingerprint) if is_own else fingerprint

    def _said(self, dataset: str, spent: Spent) -> str:
        standing = self._standing(dataset, spent)
        by_filter = (
            ""
            if standing is None
            else tr("{spent} by its filter, ", spent=amount_spent(standing.spent))
        )
        return tr(
            "{spent}: {by_filter}{accounted} by the accountant",
            spent=spent,
            by_filter=by_filter,
            accounted=_accounted(spent),
        )

    def _figures(self, book: BookVerdict) -> dict[str, Any]:
        return {
            "dataset": book.dataset,
            "sound": book.is_sound,
            "entries": book.entries,
            "head": book.head,
            "signers": list(book.signers),
            "problems": list(book.problems),
            "spent": [self._spent_figures(book.dataset, each) for each in book.spent],
        }

    def _spent_figures(self, dataset: str, spent: Spent) -> dict[str, Any]:
        standing, delta = self._standing(dataset, spent), _delta(spent)
        epsilon = spent.guarantee.bounds(delta=delta).upper
        return {
            "rule": spent.rule.document(),
            "period": spent.window or None,
            "analyst": spent.analyst or None,
            "filter": None if standing is None else guarantee_to_document(standing.spent),
            "accountant": {"epsilon": for_json(epsilon), "delta": delta},
        }

    def _standing(self, dataset: str, spent: Spent) -> Standing | None:
        wanted = (spent.analyst, spent.rule, spent.window)
        for analyst, each in self.filtered.get(dataset, ()):
            if (analyst, each.rule, each.window) == wanted:
                return each
        return None


def verify_ledger(
    dataset: str | None = None,
    *,
    place: str | None = None,
    receipts: Sequence[str | TextIO] = (),
    signers: Sequence[str] | None = None,
    answer: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> VerificationReport:
    """Read a ledger again, entry by entry, and hold receipts against it.

    Parameters
    ----------
    dataset
        The book; None for all.
    place
        The ledger; None for the default.
    receipts
        Files of receipts, by path or open.
    signers
        The public keys or fingerprints that are trusted; None for all.
    answer
        A file with what was released for the one receipt; None to leave it out.
    progress
        Told how many entries of a book were read, and how many there are.
    """
    shown = [read_receipt(each) for each in receipts]
    content = None if answer is None else read_answer(answer, shown)
    with Ledger.open(place) as ledger:
        books = None if dataset is None else [dataset]
        verdict = ledger.verify(shown, books=books, signers=signers, progress=progress)
        filtered = {each.dataset: _filtered(ledger.book, each) for each in verdict.books}
        report = VerificationReport(verdict=verdict, filtered=filtered, key=own_key())
    return report if content is None else _held_against(report, shown[0], content)


def _held_against(
    report: VerificationReport, receipt: Receipt, content: bytes
) -> VerificationReport:
    """Return the report with what an answer says about its receipt."""
    known = receipt.problems()
    wrong = [each for each in receipt.problems(content=content) if each not in known]
    if not wrong:
        return replace(report, compared=receipt.id)
    told = (
        *report.verdict.receipts,
        *(tr("receipt {id}: {each}", id=receipt.id, each=each) for each in wrong),
    )
    return replace(report, verdict=replace(report.verdict, receipts=told))


def _filtered(
    book: Callable[[str], Book], verdict: BookVerdict
) -> tuple[tuple[str, Standing], ...]:
    """Return what the filters say now, with the analyst whose own budget it is."""
    if not verdict.is_sound:
        return ()
    found = book(verdict.dataset)
    analysts = dict.fromkeys(spent.analyst for spent in verdict.spent)
    return tuple(
        ("" if each.rule.is_shared else analyst, each)
        for analyst in analysts
        for each in found.standing(analyst or None)
    )


def _accounted(spent: Spent) -> str:
    delta = _delta(spent)
    epsilon = spent.guarantee.bounds(delta=delta).upper
    level = tr("no ε") if epsilon == float("inf") else f"ε ≤ {digits_above(epsilon, _DIGITS)}"
    return tr("{level} at δ = {delta:g}", level=level, delta=delta)


def _delta(spent: Spent) -> float:
    match spent.rule.budget:
        case PureDP():
            return 0.0
        case ApproxDP() as budget:
            return float(budget.exact_delta)
    return _DELTA


def _unlisted(count: int) -> list[str]:
    if count <= 0:
        return []
    return [tr("  and {count:,} more, which {json} lists", count=count, json=Argument("json"))]
