"""Receipts in files: written without losing one, read, and checked without the ledger."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sfumato.data import is_same_file, quoted
from sfumato.documents import readable
from sfumato.errors import InputError, StoreError, at
from sfumato.ledger import MOST_CHARACTERS, Receipt, Trusted, key_path, read_place
from sfumato.printing import Printed, counted, fitted
from sfumato.refusal import Argument, Command
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TextIO


_AT_ONCE: int = getattr(os, "O_NONBLOCK", 0)


def opened_to_read(path: Path) -> BinaryIO:
    """Return an open file; a pipe that nobody writes into is at its end."""
    return os.fdopen(_opened(path, os.O_RDONLY), "rb")


def opened_to_write(path: Path) -> BinaryIO:
    """Return an open file that is there and is no regular one; a pipe needs a reader."""
    return os.fdopen(_opened(path, os.O_WRONLY), "wb")


def _opened(path: Path, how: int) -> int:
    descriptor = os.open(path, how | _AT_ONCE)
    if _AT_ONCE:
        os.set_blocking(descriptor, True)
    return descriptor


def read_receipt(source: str | TextIO) -> Receipt:
    """Return the receipt in a file; whether it is sound, it can tell itself.

    Parameters
    ----------
    source
        A path, or an open text file such as standard input.
    """
    text = _text(source)
    with at(source_name(source)):
        return Receipt.from_json(text)


def source_name(source: str | TextIO) -> str:
    """Return what a receipt was read from, as errors write it."""
    return quoted(Path(source)) if isinstance(source, str) else mark("standard input")


@dataclass(frozen=True)
class ReceiptFile:
    """A file that a receipt will be written to, once it is made.

    Attributes
    ----------
    path
        The file; None if the receipt is not wanted in one.
    pipe
        The open file, where it is a pipe or a device.
    """

    path: Path | None
    pipe: BinaryIO | None = None

    def write(self, receipt: Receipt | None) -> None:
        """Write a receipt durably; the charge is made, so a failure says where it still is."""
        if self.path is None or receipt is None:
            return
        try:
            with self.pipe or self.path.open("wb") as file:
                file.write(f"{receipt.to_json()}\n".encode())
                file.flush()
                if self.pipe is None:
                    os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(
                "E-OUTPUT-LOST",
                "the charge is made, but its receipt {id} cannot be written to {path} ({reason})",
                "{command} shows its entry",
                command=Command("ledger export"),
                id=receipt.id,
                path=quoted(self.path),
                reason=error.strerror,
            ) from None


@contextmanager
def receipt_file(path: str | None, is_the_same: Callable[[Receipt], bool]) -> Iterator[ReceiptFile]:
    """Hold a file for a receipt, before anything is charged; give it up if nothing is.

    Parameters
    ----------
    path
        The file; None if the receipt is not wanted in one.
    is_the_same
        Tells of a receipt that is in the file already whether it may be written again.
    """
    if path is None:
        yield ReceiptFile(None)
        return
    file = Path(path)
    is_new = _held(file)
    if not is_new and file.exists() and not (file.is_file() or file.is_dir()):
        with _pipe(file) as pipe:
            yield ReceiptFile(file, pipe)
        return
    if not is_new and not _holds(path, is_the_same):
        raise InputError(
            "E-OUTPUT-EXISTS",
            "{file} is there already and would be overwritten",
            "name a new file for the receipt, and nothing was charged",
            file=quoted(file),
        )
    try:
        yield ReceiptFile(file)
    finally:
        if is_new and file.exists() and file.stat().st_size == 0:
            file.unlink()


def _held(file: Path) -> bool:
    """Make a file, and tell whether it is new; refuse one that cannot be made."""
    with _possible(file):
        try:
            with file.open("xb"):
                return True
        except FileExistsError:
            return False


def _pipe(file: Path) -> BinaryIO:
    """Open a pipe or a device before anything is charged, so that nobody waits afterwards."""
    with _possible(file):
        return opened_to_write(file)


@contextmanager
def _possible(file: Path) -> Iterator[None]:
    """Refuse a file that cannot be made or opened."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "the receipt cannot be written to {file} ({reason})",
            "name a file in a folder that can be written to, and nothing was charged",
            file=quoted(file),
            reason=getattr(error, "strerror", None) or _NO_NAME,
        ) from None


def _holds(path: str, is_the_same: Callable[[Receipt], bool]) -> bool:
    """Tell whether a file holds the receipt of the same request."""
    try:
        return is_the_same(Receipt.from_json(_text(path)))
    except InputError:
        return False


def _text(source: str | TextIO) -> str:
    """Return the text of a file, or as much of it as shows that it is too long."""
    wanted = mark("name a file that {command} wrote")
    with readable(source_name(source), wanted, command=Command("ledger spend --receipt")):
        if not isinstance(source, str):
            return source.read(MOST_CHARACTERS + 1)
        with TextIOWrapper(opened_to_read(Path(source)), encoding="utf-8") as file:
            return file.read(MOST_CHARACTERS + 1)


_NO_NAME = mark("it cannot be the name of a file")
#: What is said of an answer that was compared with its receipt.
ANSWERED = mark("it is what was released: its digest is that of the receipt")

_COMPARE = mark(
    "anybody can sign a receipt with a key of their own: name the one that you trust with "
    "{option}, or compare it"
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
        trust = (
            [tr(_COMPARE, option=Argument("signers"))] if receipts and self.trusted is None else []
        )
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
            "name one with {receipt}",
            receipt=Argument("receipts"),
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
            "E-OPTION-CONFLICT",
            "{answer} is of one receipt",
            "name that one alone with {receipt}",
            answer=Argument("answer"),
            receipt=Argument("receipts"),
        )
    if receipts[0].digest is None:
        raise InputError(
            "E-RECEIPT-WITHOUT-DIGEST",
            "receipt {id} records no digest, since its answer was released elsewhere",
            "leave out {answer}",
            answer=Argument("answer"),
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
            reason=getattr(error, "strerror", None) or _NO_NAME,
        ) from None


#: How the names of a database's own files end that stand beside it.
_BESIDE = ("-wal", "-shm", "-journal")


def check_spared(path: str, place: str | None = None) -> None:
    """Refuse the file of the ledger, that of its signing key, and the log of any database.

    Parameters
    ----------
    path
        The file that would be written.
    place
        The ledger; None for the default.
    """
    file = Path(path)
    if file.name.endswith(_BESIDE) or any(is_same_file(file, each) for each in _files(place)):
        raise InputError(
            "E-OUTPUT-IS-INPUT",
            "{file} is a file of a ledger itself",
            "name another file",
            file=quoted(file),
        )


def _files(place: str | None) -> Iterator[str | Path]:
    """Yield the files of a ledger; who has no home folder has no default of them."""
    with suppress(InputError):
        yield key_path()
    with suppress(InputError):
        url = read_place(place)
        if url.get_backend_name() == "sqlite":
            yield str(url.database)
