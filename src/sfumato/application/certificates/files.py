"""Certificates in files: a new one is held before anything is charged; any is read as it is."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import quoted
from sfumato.documents import readable
from sfumato.errors import InputError, StoreError
from sfumato.privacy import KIND, MOST_CHARACTERS
from sfumato.refusal import Argument, Either
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from sfumato.application.tables.answers import AnswerReport
    from sfumato.tables import Certificate


_WANTED = mark("name a file that {writer} wrote")
_WRITER = Either("certificate.save", "--certificate")


@dataclass(frozen=True)
class CertificateFile:
    """A file that a certificate will be written to, once there is an answer.

    Attributes
    ----------
    path
        The file; None if no certificate is wanted.
    """

    path: Path | None

    @property
    def is_wanted(self) -> bool:
        """Whether there is a file to write to."""
        return self.path is not None

    def write(self, report: AnswerReport) -> None:
        """Write the certificate of an answer durably; the answer is there either way."""
        if self.path is None:
            return
        text = report.release.certificate.to_json()
        try:
            with self.path.open("w", encoding="ascii", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            raise StoreError(
                "E-OUTPUT-LOST",
                "the answer is made, but its certificate cannot be written to {path} "
                "({reason}), and no part of it is left there",
                "ask again with the same {key}, which is charged once; without a key it is lost",
                key=Argument("key"),
                path=quoted(self.path),
                reason=error.strerror,
            ) from None


@contextmanager
def certificate_file(path: str | None, ledger: str | None = None) -> Iterator[CertificateFile]:
    """Hold a new file for a certificate, before anything is charged; give it up if nothing is.

    Parameters
    ----------
    path
        The file; None if no certificate is wanted.
    ledger
        The ledger that is charged, if it is not the default.
    """
    if path is None:
        yield CertificateFile(None)
        return
    from sfumato.application.ledger.receipts import check_spared

    check_spared(path, ledger)
    file = Path(path)
    _hold(file)
    try:
        yield CertificateFile(file)
    finally:
        if file.exists() and file.stat().st_size == 0:
            file.unlink()


def read_certificate(source: str | Path | TextIO | Certificate) -> str:
    """Return the text of what claims to be a certificate, byte for byte.

    Parameters
    ----------
    source
        A path, an open file such as standard input, or the certificate of a release.
    """
    if not (isinstance(source, (str, Path)) or hasattr(source, "read")):
        return _text_of(source)
    name: str = mark("what is on standard input")
    if isinstance(source, (str, Path)):
        name = quoted(Path(source))
    with readable(name, _WANTED, writer=_WRITER):
        text = _read(source)
    _check_claim(text, name)
    return text


def _text_of(given: Certificate) -> str:
    """Return the text of a certificate at hand; refuse what is none, such as its release."""
    from sfumato.tables import Certificate

    if isinstance(given, Certificate):
        return given.to_json()
    raise InputError(
        "E-CERTIFICATE-FORM",
        "check takes a certificate, not {kind}",
        "write check(release.certificate), or name a file that {writer} wrote",
        kind=type(given).__name__,
        writer=_WRITER,
    )


def _read(source: str | Path | Any) -> str:
    if not isinstance(source, (str, Path)):
        found = getattr(source, "buffer", source).read(MOST_CHARACTERS + 1)
        return found if isinstance(found, str) else str(found.decode())
    from sfumato.application.ledger.receipts import opened_to_read

    with opened_to_read(Path(source)) as file:
        return file.read(MOST_CHARACTERS + 1).decode()


def _check_claim(text: str, name: str) -> None:
    """Refuse what does not even say that it is a certificate: it is no forgery, but a mistake."""
    try:
        document = json.loads(text, parse_int=str)
    except json.JSONDecodeError:
        raise InputError(
            "E-CERTIFICATE-FORM",
            "{name} is not a sfumato certificate: it is not JSON, or is cut off",
            _WANTED,
            writer=_WRITER,
            name=name,
        ) from None
    except RecursionError:
        return
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise InputError(
            "E-CERTIFICATE-FORM",
            "{name} is not a sfumato certificate",
            _WANTED,
            writer=_WRITER,
            name=name,
        )


def _hold(file: Path) -> None:
    """Make a file, or refuse where one is there or cannot be made."""
    try:
        with file.open("xb"):
            return
    except FileExistsError:
        failure = InputError(
            "E-OUTPUT-EXISTS",
            "{file} is there already and would be overwritten",
            "name a new file for the certificate, and nothing was charged",
            file=quoted(file),
        )
    except (OSError, ValueError) as error:
        failure = InputError(
            "E-OUTPUT-UNWRITABLE",
            "the certificate cannot be written to {file} ({reason})",
            "name a file in a folder that can be written to, and nothing was charged",
            file=quoted(file),
            reason=getattr(error, "strerror", None) or mark("it cannot be the name of a file"),
        )
    raise failure
