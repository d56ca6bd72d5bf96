"""Receipts by themselves, without the ledger: what they say, who signed, for which answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.receipts import read_receipt, source_name
from sfumato.application.ledger.streams import opened_to_read
from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.ledger import Trusted
from sfumato.printing.layout import fitted
from sfumato.printing.printed import Printed
from sfumato.printing.wording import counted
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from sfumato.ledger import Receipt

__all__ = ["ANSWERED", "ReceiptsReport", "read_answer", "verify_receipts"]

#: What is said of an answer that was compared with its receipt.
ANSWERED = mark("it is what was released: its digest is that of the receipt")

_COMPARE = mark(
    "anybody can sign a receipt with a key of their own: name the one that you trust with "
    "--signer, or compare it"
)


@dataclass(frozen=True, kw_only=True)
class ReceiptsReport(Printed):
    """What receipts say by themselves: their signatures, and whether they are consistent.

    Attributes
    ----------
    found
        Each receipt by its file.
    trusted
        Whose signatures are believed; None for everybody's.
    answer
        What was released, to be compared with the receipt; None to leave it out.
    """

    found: Mapping[str, Receipt]
    trusted: Trusted | None = None
    answer: bytes | None = None

    def __bool__(self) -> bool:
        """Tell whether it is sound."""
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(map(self._problems, self.found.values()))

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the verdict, then each receipt with who signed it and what is wrong.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        verdict = tr("sound") if self.is_sound else tr("NOT SOUND")
        receipts = [line for receipt in self.found.values() for line in self._told(receipt)]
        trust = [tr(_COMPARE)] if receipts and self.trusted is None else []
        headline = tr(
            "{verdict}: {receipts}, without the ledger",
            verdict=verdict,
            receipts=counted(len(self.found), "receipt"),
        )
        return fitted([headline, *receipts, *trust], width)

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict ready for JSON."""
        receipts = [
            {
                "file": file,
                "receipt": receipt.id,
                "signer": receipt.signer,
                "fingerprint": receipt.fingerprint,
                "problems": list(self._problems(receipt)),
            }
            for file, receipt in self.found.items()
        ]
        return {"sound": self.is_sound, "receipts": receipts}

    def _problems(self, receipt: Receipt) -> tuple[str, ...]:
        strange = () if self.trusted is None else self.trusted.problems(receipt.signer)
        return (*receipt.problems(content=self.answer), *strange)

    def _told(self, receipt: Receipt) -> list[str]:
        known = receipt.problems()
        compared = self.answer is not None and not receipt.problems(content=self.answer)
        return [
            *str(receipt).splitlines(),
            *([tr("  answer  {answered}", answered=ANSWERED)] * compared),
            *(
                tr("  BROKEN  {each}", each=each)
                for each in self._problems(receipt)
                if each not in known
            ),
        ]


def verify_receipts(
    sources: Sequence[str | TextIO],
    *,
    signers: Sequence[str] | None = None,
    answer: str | None = None,
) -> ReceiptsReport:
    """Check receipts by themselves, without any ledger.

    Parameters
    ----------
    sources
        Files of receipts, by path or open.
    signers
        The public keys or fingerprints that are trusted; None for all.
    answer
        A file with what was released for the one receipt; None to leave it out.
    """
    if not sources:
        raise InputError(
            "E-OPTION-MISSING",
            "without a ledger there is nothing to check but receipts",
            "name one with --receipt",
        )
    receipts = [read_receipt(each) for each in sources]
    return ReceiptsReport(
        found=dict(zip(map(_file, sources), receipts, strict=True)),
        trusted=Trusted.named(signers),
        answer=None if answer is None else read_answer(answer, receipts),
    )


def read_answer(path: str, receipts: Sequence[Receipt]) -> bytes:
    """Return what was released for the one receipt, which has to record its digest.

    Parameters
    ----------
    path
        The file with the answer.
    receipts
        The receipts that were named with it.
    """
    if len(receipts) != 1:
        raise InputError(
            "E-OPTION-CONFLICT", "--answer is of one receipt", "name that one alone with --receipt"
        )
    if receipts[0].digest is None:
        raise InputError(
            "E-RECEIPT-WITHOUT-DIGEST",
            "receipt {id} records no digest, since its answer was released elsewhere",
            "leave out --answer",
            id=receipts[0].id,
        )
    return _content(path)


def _file(source: str | TextIO) -> str:
    return source if isinstance(source, str) else source_name(source)


def _content(path: str) -> bytes:
    try:
        with opened_to_read(Path(path)) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise InputError(
            "E-FILE-UNREADABLE",
            "the answer {path} cannot be read ({reason})",
            "name the file with what was released",
            path=quoted(Path(path)),
            reason=getattr(error, "strerror", None) or mark("it cannot be the name of a file"),
        ) from None
