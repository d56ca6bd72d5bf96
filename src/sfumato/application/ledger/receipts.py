"""Receipts in files: read to be checked, and written without losing one that is there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sfumato.application.ledger.streams import opened_to_read, opened_to_write
from sfumato.data.files import quoted
from sfumato.errors import InputError, StoreError, at
from sfumato.ledger import MOST_CHARACTERS, Receipt
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

__all__ = ["ReceiptFile", "read_receipt", "receipt_file", "source_name"]


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
                "sfumato ledger export shows its entry",
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
            reason=_reason(error),
        ) from None


def _holds(path: str, is_the_same: Callable[[Receipt], bool]) -> bool:
    """Tell whether a file holds the receipt of the same request."""
    try:
        return is_the_same(Receipt.from_json(_text(path)))
    except InputError:
        return False


def _text(source: str | TextIO) -> str:
    """Return the text of a file, or as much of it as shows that it is too long."""
    try:
        if not isinstance(source, str):
            return source.read(MOST_CHARACTERS + 1)
        with TextIOWrapper(opened_to_read(Path(source)), encoding="utf-8") as file:
            return file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        raise InputError(
            "E-FILE-UNREADABLE",
            "the receipt {source} cannot be read ({reason})",
            "name a file that sfumato ledger spend --receipt wrote",
            source=source_name(source),
            reason=_reason(error),
        ) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or mark("it is not text in UTF-8")
