"""The signing key: one per place whoever comes first, for its owner alone, and never shown."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import stat
import sys
import tempfile
import warnings
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.ledger.signer import (
    SIGNING_KEY,
    Signer,
    check_public,
    fingerprint_of,
    verify_signature,
)
from tests.patience import PATIENCE
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = 65534
PRIME = 2**255 - 19
ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.at(tmp_path / "key.pem")


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def as_a_plain_user() -> Iterator[Path]:
    """A folder of a user who is not root: root may do what permissions forbid."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def started(work: Callable[[], str]) -> tuple[int, int]:
    """A forked process that works, and where to read what it says."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the suite may run threads
        child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(PATIENCE)
            os.write(writing, work().encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    return child, reading


def said(child: int, reading: int) -> str:
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    assert os.waitpid(child, 0) == (child, 0)
    return text


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def pem(key: Any, password: bytes | None = None) -> bytes:
    lock = form.BestAvailableEncryption(password) if password else form.NoEncryption()
    written: bytes = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, lock)
    return written


def private(path: Path, content: bytes) -> Path:
    path.touch(mode=0o600)
    path.write_bytes(content)
    return path


# Making and finding the key.


def test_the_second_use_finds_the_key_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "deep" / "key.pem"
    assert Signer.at(path).public == Signer.at(str(path)).public
    assert Signer.at(path).public != Signer.at(tmp_path / "other.pem").public
    assert [each.name for each in path.parent.iterdir()] == ["key.pem"]


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_the_key_and_its_new_folders_are_for_the_owner_under_any_umask(
    tmp_path: Path, mask: int
) -> None:
    path = tmp_path / "keys" / "deep" / "key.pem"
    with umask(mask):
        Signer.at(path)
    assert mode(path) == 0o600
    assert mode(path.parent) == mode(path.parent.parent) == 0o700


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Signer.at(tmp_path / "key.pem")
    assert mode(tmp_path) == 0o755


def test_the_file_is_private_from_the_moment_it_exists(tmp_path: Path) -> None:
    """Whoever opens a file while it is open to all keeps reading it: no chmod afterwards."""
    seen: list[str] = []

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and not isinstance(arguments[0], int) and arguments[2] & os.O_CREAT:
            seen.append("made" if arguments[2] & os.O_EXCL else "opened")
        if event == "os.link":
            seen.append(f"linked with {mode(Path(arguments[0])):o}")
        if event == "os.chmod":
            seen.append("opened to others or closed")

    def work() -> str:
        os.umask(0)
        sys.addaudithook(watch)
        Signer.at(tmp_path / "key.pem")
        return ", ".join(seen)

    assert said(*started(work)) == "made, linked with 600"


def test_the_environment_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIGNING_KEY, str(tmp_path / "named.pem"))
    assert Signer.at().public == Signer.at(tmp_path / "named.pem").public


@pytest.mark.parametrize("unset", [True, False])
def test_without_a_name_it_is_in_the_user_s_configuration_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unset: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.setenv(SIGNING_KEY, "")
    if unset:
        monkeypatch.delenv(SIGNING_KEY)
    made = Signer.at()
    (found,) = tmp_path.rglob("signing-key.pem")
    assert found.parent.name == "sfumato"
    assert Signer.at(found).public == made.public


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    Signer.at("~/key.pem")
    assert (tmp_path / "key.pem").is_file()


def test_eight_processes_that_make_the_key_at_once_use_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / f"round{number}" / "key.pem" for number in range(25)]
    waiting, gate = os.pipe()

    def race() -> str:
        os.read(waiting, 1)
        return " ".join(Signer.at(path).public for path in paths)

    racers = [started(race) for _ in range(8)]
    os.write(gate, bytes(len(racers)))
    answers = {said(*racer) for racer in racers}
    os.close(waiting)
    os.close(gate)
    assert answers == {" ".join(Signer.at(path).public for path in paths)}
    assert all([each.name for each in path.parent.iterdir()] == ["key.pem"] for path in paths)


# Keys that are refused.


@pytest.mark.parametrize("opened", [0o640, 0o604, 0o660, 0o601, 0o620, 0o777])
def test_a_key_that_others_can_touch_is_refused(tmp_path: Path, opened: int) -> None:
    path = tmp_path / "my key.pem"
    Signer.at(path)
    path.chmod(opened)
    with raises_code("E-SIGNING-KEY"):
        Signer.at(path)
    path.chmod(0o400)
    Signer.at(path)


def test_a_key_of_another_user_is_refused() -> None:
    """The file of accounts belongs to root on every machine."""
    with as_a_plain_user(), raises_code("E-SIGNING-KEY"):
        Signer.at("/etc/passwd")


def test_a_folder_that_cannot_be_written_to_is_one_sentence() -> None:
    with as_a_plain_user() as folder:
        folder.chmod(0o500)
        with raises_code("E-SIGNING-KEY"):
            Signer.at(folder / "key.pem")
        folder.chmod(0o700)
        Signer.at(folder / "key.pem")


def test_a_key_that_its_owner_cannot_read_is_one_sentence() -> None:
    with as_a_plain_user() as folder:
        Signer.at(folder / "key.pem")
        (folder / "key.pem").chmod(0)
        with raises_code("E-SIGNING-KEY"):
            Signer.at(folder / "key.pem")


NO_KEYS = {
    "empty": b"",
    "words": b"correct horse battery staple",
    "binary": bytes(range(256)),
    "broken": b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    "another curve": pem(ec.generate_private_key(ec.SECP256R1())),
    "with a password": pem(ed25519.Ed25519PrivateKey.generate(), b"secret"),
    "public": ed25519.Ed25519PrivateKey.generate()
    .public_key()
    .public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo),
    "long": b"x" * 1_000_000,
}


@pytest.mark.parametrize("content", NO_KEYS.values(), ids=NO_KEYS)
def test_a_file_without_an_ed25519_key_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = private(tmp_path / "key.pem", content)
    with raises_code("E-SIGNING-KEY") as refusal:
        Signer.at(path)
    assert path.read_bytes() == content
    assert refusal.value.__context__ is None or refusal.value.__suppress_context__


def test_a_key_made_elsewhere_is_used(tmp_path: Path) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    path = private(tmp_path / "key.pem", pem(key))
    assert Signer.at(path).public == key.public_key().public_bytes_raw().hex()


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", mode=0o600)
    for path in (tmp_path / "pipe", Path("/dev/null")):
        with raises_code("E-SIGNING-KEY"):
            Signer.at(path)
    with raises_code("E-SIGNING-KEY"):
        Signer.at(tmp_path)


def test_refusals_leave_no_file_open(tmp_path: Path) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    for _ in range(5):
        with pytest.raises(InputError):
            Signer.at(tmp_path)
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_a_link_is_followed_to_a_file_and_judged_by_it(tmp_path: Path) -> None:
    made = Signer.at(tmp_path / "key.pem")
    link = tmp_path / "link.pem"
    link.symlink_to(tmp_path / "key.pem")
    assert Signer.at(link).public == made.public
    (tmp_path / "key.pem").chmod(0o644)
    with raises_code("E-SIGNING-KEY"):
        Signer.at(link)


def test_a_link_to_nothing_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    link = tmp_path / "link.pem"
    link.symlink_to(tmp_path / "nowhere.pem")
    with raises_code("E-SIGNING-KEY"):
        Signer.at(link)
    assert list(tmp_path.iterdir()) == [link]


def test_a_file_on_the_way_is_one_sentence(tmp_path: Path) -> None:
    Signer.at(tmp_path / "key.pem")
    with raises_code("E-SIGNING-KEY"):
        Signer.at(tmp_path / "key.pem" / "key.pem")


NO_PATHS: list[Any] = [True, 0, 10**5000, 0.5, b"key.pem", ["key.pem"], "a\0b", "~nosuchuser/key"]


@pytest.mark.parametrize("path", NO_PATHS, ids=lambda path: type(path).__name__)
def test_what_is_no_path_is_refused(path: Any) -> None:
    with raises_code("E-SIGNING-KEY"):
        Signer.at(path)


@pytest.mark.parametrize("path", ["", "x" * 300, "x/" * 3000, "/proc/key.pem"])
def test_paths_where_no_key_can_be_are_one_sentence(path: str) -> None:
    with raises_code("E-SIGNING-KEY"):
        Signer.at(path)


# What a key gives away.


def test_a_signer_shows_nothing_of_the_private_key(tmp_path: Path, signer: Signer) -> None:
    key = form.load_pem_private_key((tmp_path / "key.pem").read_bytes(), password=None)
    assert isinstance(key, ed25519.Ed25519PrivateKey)
    shown = f"{signer!r} {signer} {vars(signer)}"
    assert key.private_bytes_raw().hex() not in shown
    assert repr(signer) == f"Signer({signer.fingerprint})"


@pytest.mark.parametrize("again", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_signer_is_not_copied(signer: Signer, again: Any) -> None:
    with raises_code("E-NOT-COPIED"):
        again(signer)


def test_the_fingerprint_is_the_start_of_the_public_key_s_digest(signer: Signer) -> None:
    digest = sha256(bytes.fromhex(signer.public)).hexdigest()
    assert signer.fingerprint == fingerprint_of(signer.public) == f"ed25519:{digest[:16]}"


def test_what_is_no_public_key_is_refused() -> None:
    wrong: list[Any] = ["", "0" * 63, "0" * 65, "A" * 64, "٣" * 64, None, 10**5000]
    for public in wrong:
        with raises_code("E-SIGNER-FORM"):
            check_public(public)


# Signatures.


def test_the_signature_is_that_of_the_standard() -> None:
    """RFC 8032, section 7.1, test 2."""
    seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
    signer = Signer(ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)))
    assert signer.public == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert signer.sign(b"\x72") == (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )


@given(message=st.binary(max_size=200), other=st.binary(max_size=200))
def test_a_signature_fits_its_message_and_no_other(message: bytes, other: bytes) -> None:
    signer = Signer(ed25519.Ed25519PrivateKey.generate())
    signature = signer.sign(message)
    assert verify_signature(signer.public, message, signature)
    assert verify_signature(signer.public, other, signature) == (other == message)
    stranger = Signer(ed25519.Ed25519PrivateKey.generate())
    assert not verify_signature(stranger.public, message, signature)


def test_every_changed_digit_of_key_or_signature_is_noticed(signer: Signer) -> None:
    signature = signer.sign(b"four")
    for place in range(128):
        digit = format(int(signature[place], 16) ^ 1, "x")
        changed = f"{signature[:place]}{digit}{signature[place + 1 :]}"
        assert not verify_signature(signer.public, b"four", changed)
    for place in range(64):
        digit = format(int(signer.public[place], 16) ^ 1, "x")
        changed = f"{signer.public[:place]}{digit}{signer.public[place + 1 :]}"
        assert not verify_signature(changed, b"four", signature)


def test_one_signature_has_one_spelling(signer: Signer) -> None:
    signature = signer.sign(b"four")
    assert not verify_signature(signer.public, b"four", signature.upper())
    assert not verify_signature(signer.public.upper(), b"four", signature)
    for wrong in ("", f" {signature}", f"{signature}\n", signature[:-1], None, 7, b"", "é" * 128):
        assert not verify_signature(signer.public, b"four", wrong)  # type: ignore[arg-type]
        assert not verify_signature(wrong, b"four", signature)  # type: ignore[arg-type]


def test_the_point_of_order_eight_is_one() -> None:
    """Twice the point is (±√-1, 0): d·y⁴ + 2·y² = 1 on -x² + y² = 1 + d·x²·y²."""
    d = -121665 * pow(121666, -1, PRIME)
    assert (d * ORDER_8**4 + 2 * ORDER_8**2) % PRIME == 1


@pytest.mark.parametrize("y", [0, 1, PRIME - 1, PRIME, PRIME + 1, ORDER_8, PRIME - ORDER_8])
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_under_which_anybody_can_sign_are_refused(y: int, sign: int) -> None:
    """S = 0 and R of small order fit about one message in eight, whoever chose the message."""
    public = (y + (sign << 255)).to_bytes(32, "little").hex()
    points = [(each % 2**256).to_bytes(32, "little").hex() for each in (0, 1, PRIME - 1)]
    for point in points:
        for number in range(64):
            assert not verify_signature(public, b"%d" % number, point + "00" * 32)


def test_the_library_alone_would_let_anybody_sign() -> None:
    """The twin: without our refusal the key of zeros has a signature of zeros."""
    key = ed25519.Ed25519PublicKey.from_public_bytes(bytes(32))
    fitting = set()
    for number in range(64):
        with suppress(InvalidSignature):
            key.verify(bytes(64), b"%d" % number)
            fitting.add(number)
    assert fitting


@pytest.mark.parametrize("message", ["four", None, 4, bytearray(b"four")])
def test_only_bytes_are_signed(signer: Signer, message: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="bytes are signed"):
        signer.sign(message)
    with raises_code("E-ARGUMENT-TYPE", match="bytes are signed"):
        verify_signature(signer.public, message, signer.sign(b"four"))
