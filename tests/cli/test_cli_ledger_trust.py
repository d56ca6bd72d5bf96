"""Whose signatures a ledger and its receipts carry, and what was released for one."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from sfumato.ledger import Ledger, Receipt, Signer
from sfumato.privacy.events import Laplace

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

SPEND = ("ledger", "spend", "patients", "--analyst", "ada", "--purpose", "by sex", "--epsilon")
ALONE = ("ledger", "verify", "--without-ledger")


@pytest.fixture(autouse=True)
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell) -> Path:
    """The key that signs, with a ledger beside it that has a book of a budget of ε = 1."""
    path = tmp_path / "key.pem"
    monkeypatch.setenv("SFUMATO_LEDGER", str(tmp_path / "ledger.db"))
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(path))
    assert shell("ledger", "init", "patients", "--epsilon", "1").code == 0
    return path


@pytest.fixture
def receipt(shell: Shell, tmp_path: Path) -> Path:
    path = tmp_path / "receipt.json"
    assert shell(*SPEND, "0.1", "--receipt", path).code == 0
    return path


def refuses(done: Finished, sentence: str) -> None:
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.count("\n") == 1


def a_stranger_spends(
    shell: Shell, key: Path, monkeypatch: pytest.MonkeyPatch, amount: str = "0.1"
) -> Finished:
    """A charge whose variable names another key, which is not there yet."""
    with monkeypatch.context() as mistyped:
        mistyped.setenv("SFUMATO_SIGNING_KEY", str(key.with_name("kye.pem")))
        return shell(*SPEND, amount)


def test_init_says_that_the_key_is_new(shell: Shell, key: Path) -> None:
    key.unlink()
    first = shell("ledger", "init", "visits", "--epsilon", "1").out
    assert f"{key} ({Signer.at(key).fingerprint}), made now\n" in first
    second = json.loads(shell("ledger", "init", "stays", "--epsilon", "1", "--json").out)
    signer = Signer.at(key)
    assert second["signing_key"] == {
        "file": str(key),
        "public": signer.public,
        "fingerprint": signer.fingerprint,
        "new": False,
    }


def test_init_says_that_a_key_is_new_even_if_no_book_is_opened(shell: Shell, key: Path) -> None:
    key.unlink()
    refused = shell("ledger", "init", "patients", "--epsilon", "1")
    assert refused.code == 2
    notice, error = refused.err.splitlines()
    assert notice.startswith(f"sfumato: there was no signing key; a new one was made at '{key}'")
    assert error == "sfumato: there is a book 'patients' already; its budgets never change"


def test_init_makes_no_key_where_no_server_answers(shell: Shell, key: Path) -> None:
    key.unlink()
    nowhere = ("--ledger", "postgresql://a@localhost:1/x")
    assert shell("ledger", "init", "visits", "--epsilon", "1", *nowhere).code in (2, 4)
    assert not key.exists()


def test_spend_says_that_a_key_is_new_even_if_it_is_refused(
    shell: Shell, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = key.with_name("kye.pem")
    refused = a_stranger_spends(shell, key, monkeypatch, "2")
    assert refused.code == 3
    notice = f"sfumato: there was no signing key; a new one was made at '{other}', ed25519:"
    assert refused.err.startswith(notice)
    assert a_stranger_spends(shell, key, monkeypatch).err == ""
    other.unlink()
    charged = a_stranger_spends(shell, key, monkeypatch)
    assert (charged.code, charged.err.startswith(notice)) == (0, True)


def test_spend_has_the_key_in_json(shell: Shell, key: Path) -> None:
    read = json.loads(shell(*SPEND, "0.1", "--json").out)
    assert read["signing_key"]["new"] is False
    assert read["signing_key"]["public"] == read["receipt"]["signer"]
    key.unlink()
    assert json.loads(shell(*SPEND, "0.1", "--json").out)["signing_key"]["new"] is True


def test_a_charge_under_a_stray_key_is_sound_until_signers_are_named(
    shell: Shell, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_stranger_spends(shell, key, monkeypatch)
    done = shell("ledger", "verify")
    own, stray = Signer.at(key), Signer.at(key.with_name("kye.pem"))
    assert done.code == 0
    assert f"  signed by {own.fingerprint} (your key), {stray.fingerprint}\n" in done.out
    for name in (own.public, own.fingerprint):
        done = shell("ledger", "verify", "--signer", name)
        assert done.code == 5
        assert f"entry 2 is signed by {stray.fingerprint}, who is not among the" in done.out
    both = ("--signer", own.public, "--signer", stray.fingerprint)
    assert shell("ledger", "verify", *both).code == 0
    assert shell("ledger", "verify", *both, "--json").code == 0


def test_verify_tells_the_public_half_of_the_own_key_and_makes_none(
    shell: Shell, key: Path
) -> None:
    read = json.loads(shell("ledger", "verify", "--json").out)
    assert read["signing_key"]["public"] == Signer.at(key).public
    key.unlink()
    assert json.loads(shell("ledger", "verify", "--json").out)["signing_key"] is None
    key.write_text("not a key", encoding="utf-8")
    done = shell("ledger", "verify")
    assert (done.code, "your key" in done.out) == (0, False)


def test_a_receipt_alone_is_held_against_a_signer(shell: Shell, receipt: Path, key: Path) -> None:
    own = Signer.at(key).fingerprint
    good = shell(*ALONE, "--receipt", receipt, "--signer", own)
    assert good.code == 0
    assert "--signer" not in good.out
    assert "the one that you trust with --signer" in shell(*ALONE, "--receipt", receipt).out
    other = shell(*ALONE, "--receipt", receipt, "--signer", "00" * 32)
    assert other.code == 5
    assert other.out.startswith("NOT SOUND: 1 receipt, without the ledger\n")
    assert f"  BROKEN  it is signed by {own}, who is not among the signers you named\n" in other.out
    read = json.loads(shell(*ALONE, "--receipt", receipt, "--signer", "00" * 32, "--json").out)
    assert (read["sound"], len(read["receipts"][0]["problems"])) == (False, 1)


def test_a_receipt_is_read_from_standard_input(
    shell: Shell, receipt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for verb in (ALONE, ("ledger", "verify")):
        text = receipt.read_text(encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        assert shell(*verb, "--receipt", "-").code == 0
        monkeypatch.setattr(sys, "stdin", io.StringIO("{}"))
        refuses(shell(*verb, "--receipt", "-"), "standard input: the text is not a receipt")
        monkeypatch.setattr(sys, "stdin", None)
        refuses(shell(*verb, "--receipt", "-"), "standard input is closed; name the file")


@pytest.fixture
def released(tmp_path: Path, key: Path) -> Path:
    """The receipt of an answer that the ledger released."""
    with Ledger.open() as ledger:
        made = ledger.book("patients").release(
            Laplace(scale=10), lambda: b"\xff41\n", analyst="ada", purpose="by sex"
        )
    path = tmp_path / "released.json"
    path.write_text(made.receipt.to_json(), encoding="utf-8")
    return path


def test_an_answer_is_held_against_its_receipt(
    shell: Shell, released: Path, tmp_path: Path
) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(b"\xff41\n")
    shown = (*ALONE, "--receipt", released, "--answer", answer)
    done = shell(*shown)
    assert done.code == 0
    assert "  answer  it is what was released" in done.out
    answer.write_bytes(b"\xff42\n")
    done = shell(*shown)
    assert done.code == 5
    assert "  BROKEN  what was released is not what the receipt records" in done.out
    assert "it is what was released" not in done.out


def test_an_answer_is_held_against_its_receipt_and_the_ledger(
    shell: Shell, released: Path, tmp_path: Path
) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(b"\xff41\n")
    shown = ("ledger", "verify", "--receipt", released, "--answer", answer)
    done = shell(*shown)
    assert done.code == 0
    assert done.out.startswith("sound: 1 book, 3 entries, 1 receipt\n")
    assert ": it is what was released: its digest is that of the receipt\n" in done.out
    known = Receipt.from_json(released.read_text(encoding="utf-8")).id
    assert json.loads(shell(*shown, "--json").out)["receipts"]["answered"] == known
    answer.write_bytes(b"\xff42\n")
    done = shell(*shown)
    assert done.code == 5
    assert done.out.startswith("NOT SOUND: 1 book, 3 entries, 1 receipt\n")
    assert "what was released is not what the receipt records" in done.out
    assert "it is what was released" not in done.out


@pytest.mark.parametrize("verb", [ALONE, ("ledger", "verify")])
def test_the_digest_of_what_was_released_elsewhere_is_not_known(
    shell: Shell, receipt: Path, verb: tuple[str, ...]
) -> None:
    done = shell(*verb, "--receipt", receipt, "--answer", receipt)
    refuses(done, "records no digest, since its answer was released elsewhere; leave out --answer")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--signer", "me"], "a signer is named by its public key, 64 digits 0-9a-f"),
        (["--signer", ""], "--signer is empty; write --signer KEY"),
        (["--answer", "a.txt"], "--answer is of one receipt; name that one"),
        (["--receipt", ""], "--receipt is empty"),
        (["--without-ledger", "--signer", "00" * 32], "name one with --receipt"),
    ],
)
def test_verify_refuses_in_one_sentence(shell: Shell, options: list[str], sentence: str) -> None:
    refuses(shell("ledger", "verify", *options), sentence)


@pytest.mark.parametrize("answer", ["nothing", ".", "a\0b"])
def test_an_answer_that_cannot_be_read_is_one_sentence(
    shell: Shell, released: Path, answer: str
) -> None:
    refuses(shell(*ALONE, "--receipt", released, "--answer", answer), "cannot be read (")


def test_an_answer_is_of_one_receipt(shell: Shell, released: Path) -> None:
    both = ("--receipt", released, "--receipt", released)
    refuses(shell(*ALONE, *both, "--answer", released), "--answer is of one receipt")
