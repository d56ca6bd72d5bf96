"""Receipts in files: read to be checked, and written without losing one that is there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data.files import quoted
from sfumato.errors import InputError, StoreError
from sfumato.ledger import Receipt
from sfumato.ledger.receipts.receipt import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ReceiptFile", "read_receipt", "receipt_file"]


def read_receipt(path: str) -> Receipt:
    """Return the receipt in a file; whether it is sound, it can tell itself.

    Examples
    --------
    >>> from sfumato.application.ledger.receipts import read_receipt
    >>> read_receipt("examples/events.json")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'examples/events.json': the text is not a receipt of sfumato; \
give what to_json wrote
    """
    text = _text(path)
    try:
        return Receipt.from_json(text)
    except InputError as error:
        message = f"{quoted(Path(path))}: {error}"
        raise InputError(message) from None


@dataclass(frozen=True)
class ReceiptFile:
    """A file that a receipt will be written to, once it is made.

    Attributes
    ----------
    path
        The file; None if the receipt is not wanted in one.

    Examples
    --------
    >>> from sfumato.application.ledger.receipts import ReceiptFile
    >>> ReceiptFile(None).write(None)
    """

    path: Path | None

    def write(self, receipt: Receipt | None) -> None:
        """Write a receipt durably; the charge is made, so a failure says where it still is.

        Examples
        --------
        >>> from sfumato.application.ledger.receipts import ReceiptFile
        >>> ReceiptFile(None).write(None)
        """
        if self.path is None or receipt is None:
            return
        try:
            with self.path.open("w", encoding="utf-8") as file:
                file.write(f"{receipt.to_json()}\n")
                file.flush()
                if self.path.is_file():
                    os.fsync(file.fileno())
        except OSError as error:
            message = (
                f"the charge is made, but its receipt {receipt.id} cannot be written to "
                f"{quoted(self.path)} ({error.strerror}); sfumato ledger export shows its entry"
            )
            raise StoreError(message) from None


@contextmanager
def receipt_file(path: str | None, is_the_same: Callable[[Receipt], bool]) -> Iterator[ReceiptFile]:
    """Hold a file for a receipt, before anything is charged; give it up if nothing is.

    Parameters
    ----------
    path
        The file; None if the receipt is not wanted in one.
    is_the_same
        Tells of a receipt that is in the file already whether it may be written again.

    Examples
    --------
    >>> from sfumato.application.ledger.receipts import receipt_file
    >>> with receipt_file("examples/events.json", lambda receipt: False):
    ...     pass
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'examples/events.json' is there already and would be overwritten; \
name a new file for the receipt, and nothing was charged
    """
    if path is None:
        yield ReceiptFile(None)
        return
    file = Path(path)
    is_new = _held(file)
    if not is_new and not _may_be_written(path, is_the_same):
        message = (
            f"{quoted(file)} is there already and would be overwritten; "
            "name a new file for the receipt, and nothing was charged"
        )
        raise InputError(message)
    try:
        yield ReceiptFile(file)
    finally:
        if is_new and file.exists() and file.stat().st_size == 0:
            file.unlink()


def _held(file: Path) -> bool:
    """Make a file, and tell whether it is new; refuse one that cannot be made."""
    try:
        with file.open("x", encoding="utf-8"):
            return True
    except FileExistsError:
        return False
    except (OSError, ValueError) as error:
        message = (
            f"the receipt cannot be written to {quoted(file)} ({_reason(error)}); "
            "name a file in a folder that can be written to, and nothing was charged"
        )
        raise InputError(message) from None


def _may_be_written(path: str, is_the_same: Callable[[Receipt], bool]) -> bool:
    """Tell whether it is a pipe or the like, or holds the receipt of the same request."""
    if Path(path).is_dir():
        return False
    if not Path(path).is_file():
        return True
    try:
        return is_the_same(Receipt.from_json(_text(path)))
    except InputError:
        return False


def _text(path: str) -> str:
    """Return the text of a file, or as much of it as shows that it is too long."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        message = (
            f"the receipt {quoted(Path(path))} cannot be read ({_reason(error)}); "
            "name a file that sfumato ledger spend --receipt wrote"
        )
        raise InputError(message) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or "it is not text in UTF-8"
