"""Whether a certificate holds: derived again, with its signature, its receipt and the ledger."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from sfumato.application.certificates.answers import answer_figures, answer_lines
from sfumato.application.certificates.files import read_certificate
from sfumato.application.ledger.render import purpose_in_words
from sfumato.audit.certificate import check_certificate
from sfumato.errors import InputError
from sfumato.ledger import Receipt, Trusted, canonical, fingerprint_of, verify_signature
from sfumato.printing import Printed, fitted, printable
from sfumato.privacy import question_digits, signed_message
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import TextIO

    from sfumato.audit.certificate import CertificateVerdict
    from sfumato.ledger import Book
    from sfumato.tables import Certificate


#: How the purpose of a charge for an answer ends; one in words of somebody's own does not.
_END = re.compile(r" \(plan [0-9a-f]{16}, question ([0-9a-f]{32})\)\Z")
_SHOWN = 200


def is_for_question(receipt: Receipt, document: dict[str, Any]) -> bool | None:
    """Tell whether a receipt is for the question of a certificate; None if it does not say."""
    end = _END.search(receipt.purpose)
    return None if end is None else end[1] == question_digits(document["query"], document["policy"])


def question_charged(receipt: Receipt) -> str:
    """Return the question that a receipt is for in words, the beginning of a long one."""
    words = purpose_in_words(receipt.purpose)
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"


_BOOK_TRUSTED = mark(
    "that the book {book} has the same neighbouring relation, and is about these rows"
)
_BOOK_PROVED = (
    mark("the book {book} of the ledger is sound and has the entry"),
    mark("the book {book} has the same neighbouring relation"),
)
_LEDGER_AGAIN = mark(
    "the check of the ledger, with {ledger}: that it still has the entry, and its book has the "
    "same neighbouring relation"
)
_ANSWER = mark("THE ANSWER THAT WAS CERTIFIED")
_LISTS = (
    (mark("PROVED"), "proved"),
    (mark("TAKEN ON TRUST"), "trusted"),
    (mark("WOULD HAVE TO BE RE-RUN"), "again"),
)


@dataclass(frozen=True, kw_only=True)
class CertificateReport(Printed):
    """What was found about a certificate.

    Attributes
    ----------
    verdict
        What holds, or what does not.
    document
        The certificate, if it holds.

    Examples
    --------
    >>> from sfumato.application import CertificateReport
    >>> from sfumato.audit.certificate import CertificateVerdict
    >>> report = CertificateReport(verdict=CertificateVerdict(problem="it is empty"))
    >>> print(report)
    DOES NOT HOLD: it is empty
    """

    verdict: CertificateVerdict
    document: dict[str, Any] | None = None

    def __bool__(self) -> bool:
        """Tell whether it is sound."""
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether all of it holds.

        Examples
        --------
        >>> from sfumato.application import CertificateReport
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> report = CertificateReport(verdict=CertificateVerdict(problem="it is empty"))
        >>> report.is_sound
        False
        """
        return self.verdict.holds

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the verdict, the answer, and what is proved, trusted, and could be re-run.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, but for those of the answer's table.

        Examples
        --------
        >>> from sfumato.application import CertificateReport
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> report = CertificateReport(verdict=CertificateVerdict(problem="it is empty"))
        >>> report.lines()
        ['DOES NOT HOLD: it is empty']
        """
        if self.verdict.problem:
            return [printable(tr("DOES NOT HOLD: {problem}", problem=self.verdict.problem))]
        guarantee = self.verdict.guarantee
        headline = (
            tr("HOLDS") if guarantee is None else tr("HOLDS: {guarantee}", guarantee=guarantee)
        )
        found = chain.from_iterable(self.listed(width=width))
        return [*fitted([headline], width), *self._answer(width), *found]

    def listed(self, *, width: int = 120) -> list[list[str]]:
        """Return what is proved, trusted, and could be re-run: each list below its heading.

        Parameters
        ----------
        width
            As in ``lines``.

        Examples
        --------
        >>> from sfumato.application import CertificateReport
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> report = CertificateReport(verdict=CertificateVerdict(proved=("it adds up",)))
        >>> report.listed()
        [['PROVED', '  - it adds up']]
        """
        found = ((heading, getattr(self.verdict, field)) for heading, field in _LISTS)
        return [
            fitted([tr(heading), *(f"  - {each}" for each in sentences)], width)
            for heading, sentences in found
            if sentences
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict ready for JSON.

        Examples
        --------
        >>> from sfumato.application import CertificateReport
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> report = CertificateReport(verdict=CertificateVerdict(problem="it is empty"))
        >>> report.as_dict()["problem"]
        'it is empty'
        """
        verdict = self.verdict
        return {
            "holds": verdict.holds,
            "problem": verdict.problem or None,
            "guarantee_in_words": None if verdict.guarantee is None else str(verdict.guarantee),
            "proved": list(verdict.proved),
            "trusted": list(verdict.trusted),
            "again": list(verdict.again),
            "answer": None if self.document is None else answer_figures(self.document),
        }

    def _answer(self, width: int) -> list[str]:
        return (
            []
            if self.document is None
            else [tr(_ANSWER), *answer_lines(self.document, width=width)]
        )


def check(
    source: str | Path | TextIO | Certificate,
    *,
    ledger: str | None = None,
    signers: Sequence[str] | None = None,
) -> CertificateReport:
    """Check a certificate: derive it again, and look at its signature, receipt and ledger.

    Parameters
    ----------
    source
        The certificate of a release, or its file, by path or open.
    ledger
        Where the ledger is that should hold the charge; None to leave it out.
    signers
        The public keys or fingerprints that are trusted; None for all.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest.mock import patch
    >>> import sfumato as sf
    >>> patients = sf.table("examples/patients.csv", unit="patient_id", limits={"rows": 12})
    >>> answer = patients.agg(n=sf.count()).release(epsilon=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, {"SFUMATO_SIGNING_KEY": f"{folder}/key.pem"}):
    ...         report = sf.check(answer.certificate)
    >>> bool(report), report.lines()[0]
    (True, 'HOLDS: 1-DP (add or remove one patient_id)')
    """
    trust, text = Trusted.named(signers), read_certificate(source)
    verdict = check_certificate(text)
    if not verdict.holds:
        return CertificateReport(verdict=verdict)
    signed = _Signed(json.loads(text), verdict, trust)
    problem = next(chain(signed.problems(), signed.problems_in(ledger, signers)), "")
    if problem:
        return CertificateReport(verdict=replace(verdict, problem=problem))
    return CertificateReport(verdict=signed.told(ledger), document=signed.document)


@dataclass(frozen=True)
class _Signed:
    """A certificate that says nothing wrong, and who says it."""

    document: dict[str, Any]
    verdict: CertificateVerdict
    trusted: Trusted | None

    @property
    def signer(self) -> str:
        return str(self.document["signer"])

    @property
    def receipt(self) -> Receipt | None:
        given = self.document["receipt"]
        return None if given is None else Receipt.from_json(canonical(given))

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the signature and the receipt."""
        message = signed_message(self.document)
        if not verify_signature(self.signer, message, self.document["signature"]):
            yield tr("the signature is not of this certificate: something in it was changed")
            return
        yield from self._strangers(self.signer)
        try:
            receipt = self.receipt
        except InputError as error:
            yield str(error)
            return
        if receipt is None:
            return
        wrong = [*self._problems_of(receipt), *self._strangers(receipt.signer)]
        yield from (tr("receipt {id}: {each}", id=receipt.id, each=each) for each in wrong)
        if self.trusted is None and receipt.signer != self.signer:
            yield (
                tr(
                    "it is signed by {signer}, and its receipt by {fingerprint}; if you trust "
                    "both, name both with {option}",
                    option=Argument("signers"),
                    signer=fingerprint_of(self.signer),
                    fingerprint=receipt.fingerprint,
                )
            )

    def problems_in(self, place: str | None, signers: Sequence[str] | None) -> Iterator[str]:
        """Yield what is wrong with the ledger, or missing in it, if it is at hand."""
        receipt = self.receipt if place is not None else None
        if place is not None and receipt is None:
            yield tr("the answer was charged to no ledger, so that none can hold it")
        if receipt is None:
            return
        from sfumato.ledger import Ledger

        with Ledger.open(place) as ledger:
            if receipt.ledger != ledger.id:
                yield tr(
                    "receipt {id} is of another ledger than the one that was named", id=receipt.id
                )
                return
            found = ledger.verify([receipt], books=[receipt.dataset], signers=signers)
            wrong = (*found.receipts, *(each for book in found.books for each in book.problems))
            yield from (tr("the ledger: {each}", each=each) for each in wrong)
            yield from self._other_change(ledger.book(receipt.dataset))

    def told(self, ledger: str | None) -> CertificateVerdict:
        """Return the verdict with what signature, receipt and ledger prove, and do not."""
        verdict, receipt = self.verdict, self.receipt
        signer = fingerprint_of(self.signer)
        proved = [
            *verdict.proved,
            tr("nothing in it was changed since {signer} signed it", signer=signer),
        ]
        trusted, again = [*verdict.trusted], [*verdict.again]
        (trusted if self.trusted is None else proved).extend(self._signers(receipt))
        known = receipt is not None and bool(is_for_question(receipt, self.document))
        if not known:
            trusted.append(tr("that this query was asked: only the signer says so"))
        if receipt is None:
            trusted.append(
                tr("that nothing else is spent on these rows: it is charged to no ledger")
            )
        else:
            proved.append(_covered(receipt, known=known))
            book = repr(receipt.dataset)
            if ledger is None:
                trusted.append(tr(_BOOK_TRUSTED, book=book))
                again.append(tr(_LEDGER_AGAIN, ledger=Argument("ledger")))
            else:
                trusted.append(tr("that the book {book} is about these rows", book=book))
                proved += [tr(each, book=book) for each in _BOOK_PROVED]
        return replace(verdict, proved=tuple(proved), trusted=tuple(trusted), again=tuple(again))

    def _signers(self, receipt: Receipt | None) -> Iterator[str]:
        """Yield whose keys signed, as what is trusted, or as what is known to be."""
        keys = {self.signer: ""}
        if receipt is not None and receipt.signer != self.signer:
            keys[receipt.signer] = tr(", which signed the receipt,")
        for key, what in keys.items():
            short = f"{fingerprint_of(key)}{what}"
            if self.trusted is not None:
                yield tr("{short} is a signer that you trust", short=short)
            else:
                yield tr(
                    "that {short} is the key of the signer you expect: name the keys that you "
                    "trust with {option}",
                    option=Argument("signers"),
                    short=short,
                )

    def _other_change(self, book: Book) -> Iterator[str]:
        """Yield that a book keeps account of another change than what is guaranteed, if it does."""
        guarantee = self.verdict.guarantee
        if guarantee is not None and book.relation != guarantee.relation:
            yield (
                tr(
                    "the ledger: the book {name!r} keeps a privacy budget for “{relation}”, "
                    "and the certificate guarantees something about “{guaranteed}”",
                    name=book.name,
                    relation=book.relation,
                    guaranteed=guarantee.relation,
                )
            )

    def _strangers(self, signer: str) -> tuple[str, ...]:
        return () if self.trusted is None else self.trusted.problems(signer)

    def _problems_of(self, receipt: Receipt) -> Iterator[str]:
        """Yield why a receipt is not for this event, this book and this content."""
        yield from receipt.problems(content=self.document["content"].encode("ascii"))
        if receipt.event != self.verdict.event:
            yield tr("it is for another charge than that of the certificate")
        if receipt.dataset != self.document["policy"].get("book"):
            yield tr("it is of another book than the policy declares")
        if is_for_question(receipt, self.document) is False:
            yield tr(
                "it is for another query, or other declarations: {receipt}",
                receipt=question_charged(receipt),
            )


def _covered(receipt: Receipt, *, known: bool) -> str:
    """Return what a receipt was given for."""
    if known:
        return tr("receipt {id} is for this query, this charge and this content", id=receipt.id)
    return tr("receipt {id} is for this charge and this content", id=receipt.id)
