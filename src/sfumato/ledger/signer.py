"""Keys: the one that signs receipts, for its owner's eyes alone, and those that are trusted."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import stat
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError
from sfumato.ledger.storage.place import make_folders, settle_names
from sfumato.refusal import Given, text
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


#: The variable of the environment that names the file of the key.
SIGNING_KEY = "SFUMATO_SIGNING_KEY"

_NAME = "signing-key.pem"
_OWNER_ONLY = 0o600
_OTHERS = 0o077
_MOST_BYTES = 10_000
#: Opening a pipe must not wait for somebody to write into it.
_READ_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
_NAMED = re.compile(r"(?:ed25519:)?([0-9a-f]{64}|[0-9a-f]{16})")
_PUBLIC_DIGITS = 64
_PUBLIC = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_PRIME = 2**255 - 19
_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
#: The points of small order, by their y: under such a key one signature fits many messages.
_WEAK = frozenset({0, 1, _PRIME - 1, _ORDER_8, _PRIME - _ORDER_8})


class Signer:
    """An Ed25519 key that signs; it is not printed, copied or pickled.

    Parameters
    ----------
    key
        The private key; ``Signer.at`` reads one from a file.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.ledger.signer import Signer, verify_signature
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     signer = Signer.at(f"{folder}/key.pem")
    >>> verify_signature(signer.public, b"four", signer.sign(b"four"))
    True
    """

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw().hex()

    @classmethod
    def at(cls, path: Path | str | None = None) -> Signer:
        """Return the signer whose key is in a file, which is made where there is none.

        Several processes that make the same file at once all use the key of one of them.  A file
        that anybody but its owner can read is refused.

        Parameters
        ----------
        path
            The file, in PEM; None for the one that ``SFUMATO_SIGNING_KEY`` names, or
            ``signing-key.pem`` in the user's own configuration folder.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Signer
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Signer.at(f"{folder}/key.pem").public == Signer.at(f"{folder}/key.pem").public
        True
        """
        file = key_path(path)
        try:
            return cls(_key(_content(file), file))
        except FileNotFoundError:
            _make(file)
        try:
            return cls(_key(_content(file), file))
        except FileNotFoundError:
            raise InputError(
                "E-SIGNING-KEY",
                "the signing key {file} is a link to no file",
                "name the file itself",
                file=_quoted(file),
            ) from None

    @property
    def fingerprint(self) -> str:
        """The public key in short, for people.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Signer
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Signer.at(f"{folder}/key.pem").fingerprint[:8]
        'ed25519:'
        """
        return fingerprint_of(self.public)

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, in hexadecimal digits.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Signer
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     len(Signer.at(f"{folder}/key.pem").sign(b"four"))
        128
        """
        return self._key.sign(_bytes(message)).hex()

    def __repr__(self) -> str:
        return f"Signer({self.fingerprint})"

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a Signer is not copied or pickled: it holds a private key",
            "write Signer.at(path)",
        )


@dataclass(frozen=True)
class Trusted:
    """The signers that somebody trusts.

    Attributes
    ----------
    keys
        Each by its public key, or by the fingerprint of it.
    """

    keys: frozenset[str]

    @classmethod
    def named(cls, signers: Any) -> Trusted | None:
        """Return the signers of a list; None for None, which trusts everybody."""
        if signers is None:
            return None
        if not isinstance(signers, (list, tuple)) or not signers:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "signers must be a list of public keys, at least one, each 64 digits 0-9a-f, or "
                "ed25519: and 16 of them",
            )
        return cls(frozenset(map(_named, signers)))

    def knows(self, public: str) -> bool:
        """Tell whether a public key is one of them."""
        return public in self.keys or fingerprint_of(public) in self.keys

    def problems(self, public: str) -> tuple[str, ...]:
        """Say what is wrong with a receipt that a public key signed."""
        if self.knows(public):
            return ()
        return (
            tr(
                "it is signed by {signer}, who is not among the signers you named",
                signer=fingerprint_of(public),
            ),
        )


def check_public(public: str) -> None:
    """Refuse what is not the form of a public key."""
    if not _is_digits(_PUBLIC, public):
        raise InputError(
            "E-SIGNER-FORM",
            "a public key is 64 digits 0-9a-f, not {public}",
            "write signer.public",
            public=_given(public),
        )


def fingerprint_of(public: str) -> str:
    """Return a public key in short, for people."""
    check_public(public)
    return f"ed25519:{sha256(bytes.fromhex(public)).hexdigest()[:16]}"


def verify_signature(public: str, message: bytes, signature: str) -> bool:
    """Tell whether the owner of a public key signed a message.

    Nobody did under a key or a signature that is malformed, or a key of small order.
    """
    from cryptography.exceptions import InvalidSignature

    signed = _bytes(message)
    if not (_is_digits(_PUBLIC, public) and _is_digits(_SIGNATURE, signature)):
        return False
    key = _public_key(public)
    if key is None:
        return False
    try:
        key.verify(bytes.fromhex(signature), signed)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=64)
def _public_key(public: str) -> Ed25519PublicKey | None:
    """Return the key of 64 digits; None if it is none, or of small order."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    raw = bytes.fromhex(public)
    try:
        return None if _is_weak(raw) else Ed25519PublicKey.from_public_bytes(raw)
    except ValueError:
        return None


def _is_digits(form: re.Pattern[str], text: Any) -> bool:
    return isinstance(text, str) and form.fullmatch(text) is not None


def _is_weak(raw: bytes) -> bool:
    without_sign = int.from_bytes(raw, "little") % 2**255
    return without_sign % _PRIME in _WEAK


def _bytes(message: Any) -> bytes:
    if isinstance(message, bytes):
        return message
    raise InputError(
        "E-ARGUMENT-TYPE",
        "bytes are signed, not {kind}",
        "write text.encode()",
        kind=type(message).__name__,
    )


def key_path(path: Any = None) -> Path:
    """Return where a signing key is or will be.

    Parameters
    ----------
    path
        The file; None for the one that ``Signer.at`` takes by itself.
    """
    given = (os.environ.get(SIGNING_KEY) or _default()) if path is None else path
    try:
        if isinstance(given, (str, Path)) and b"\0" not in os.fsencode(given):
            return Path(given).expanduser().absolute()
    except (RuntimeError, UnicodeError):
        pass
    raise InputError(
        "E-SIGNING-KEY",
        "the path of a signing key cannot be {given}",
        "write 'keys/{name}', say, or set {variable}",
        given=_given(given),
        name=_NAME,
        variable=SIGNING_KEY,
    )


def _default() -> Path:
    from platformdirs import user_config_path

    try:
        return user_config_path("sfumato") / _NAME
    except RuntimeError:
        raise InputError(
            "E-HOME-MISSING",
            "there is no home folder for a signing key",
            "name its file in {variable}",
            variable=SIGNING_KEY,
        ) from None


def _content(path: Path) -> bytes:
    """Return what a file holds that only its owner can read: looked at and read as one file."""
    try:
        descriptor = os.open(path, _READ_AT_ONCE)
        try:
            _check_private(os.fstat(descriptor), path)
            return os.read(descriptor, _MOST_BYTES)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(
            "E-SIGNING-KEY",
            "the signing key {path} cannot be read ({reason})",
            "name a file that you own",
            path=_quoted(path),
            reason=error.strerror,
        ) from None


def _check_private(found: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        is_folder = stat.S_ISDIR(found.st_mode)
        raise InputError(
            "E-SIGNING-KEY",
            "the signing key {path} is {kind}",
            "name a file, there or to be made",
            path=_quoted(path),
            kind=mark("a folder") if is_folder else mark("not a regular file"),
        )
    if not hasattr(os, "geteuid"):
        return
    if os.geteuid() not in (0, found.st_uid):
        raise InputError(
            "E-SIGNING-KEY",
            "the signing key {path} belongs to another user",
            "name a file of yours",
            path=_quoted(path),
        )
    if found.st_mode & _OTHERS:
        raise InputError(
            "E-SIGNING-KEY",
            "the signing key {path} is open to other users",
            "write: chmod 600 {quote}",
            path=_quoted(path),
            quote=shlex.quote(str(path)),
        )


def _key(content: bytes, path: Path) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    with suppress(ValueError, TypeError, UnsupportedAlgorithm):
        key = load_pem_private_key(content, password=None)
        if isinstance(key, Ed25519PrivateKey):
            return key
    raise InputError(
        "E-SIGNING-KEY",
        "{path} holds no Ed25519 private key in PEM without a password",
        "name a file that does, or one that is not there yet",
        path=_quoted(path),
    )


def _make(path: Path) -> None:
    """Make a key, unless another process is faster; it is on the disk once this returns."""
    try:
        make_folders(path.parent)
        _place(_fresh_pem(), path)
        settle_names(path.parent)
    except OSError as error:
        raise InputError(
            "E-SIGNING-KEY",
            "the signing key {path} cannot be made ({reason})",
            "name a file in a folder that can be written to, in {variable} for example",
            path=_quoted(path),
            reason=error.strerror,
            variable=SIGNING_KEY,
        ) from None


def _fresh_pem() -> bytes:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes(
        form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
    )


def _place(content: bytes, path: Path) -> None:
    """Give a whole and durable file its name, unless the name is taken."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()


def _quoted(path: Path) -> str:
    return f"{str(path)!r:.300}"


def _given(value: Any) -> Given:
    if isinstance(value, str):
        return f"{value!r:.80}"
    return text("of type {kind}", kind=type(value).__name__)


def _named(signer: Any) -> str:
    found = _NAMED.fullmatch(signer.lower()) if isinstance(signer, str) else None
    if found:
        digits = found[1]
        return digits if len(digits) == _PUBLIC_DIGITS else f"ed25519:{digits}"
    given = f"{signer!r:.80}" if isinstance(signer, str) else type(signer).__name__
    raise InputError(
        "E-SIGNER-FORM",
        "a signer is named by its public key, 64 digits 0-9a-f, or ed25519: and 16 of them",
        "{given} is neither",
        given=given,
    )
