"""The verb ``check``, and ``query --certificate``: what a stranger sees, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.audit.certificate import certificate_schema

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

ROOT = Path(__file__).parents[2]
PATIENTS = ROOT / "examples" / "patients.csv"
COUNT = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"
DECLARED = ("--unit", "patient_id", "--keys", "sex=F,M", "--limit", "rows=10", "--epsilon", "1")
ANSWER = "THE ANSWER THAT WAS CERTIFIED"
LISTS = ["PROVED", "TAKEN ON TRUST", "WOULD HAVE TO BE RE-RUN"]
KEY = re.compile(r"ed25519:[0-9a-f]{16}")


@pytest.fixture
def certificate(shell: Shell, place: Path) -> Path:
    """The certificate of an answer that was charged to no ledger."""
    file = place.parent / "release.json"
    done = shell("query", PATIENTS, COUNT, *DECLARED, "--certificate", file)
    assert done.code == 0, done.err
    assert "a new one was made" in done.err
    return file


@pytest.fixture
def charged(shell: Shell, place: Path) -> Path:
    """The certificate of an answer that was charged to a ledger."""
    policy = ("--unit", "patient_id", "--epsilon", "3", "--ledger", place)
    assert shell("init", PATIENTS, *policy, "--output", place.parent / "patients.toml").code == 0
    file = place.parent / "charged.json"
    done = shell(
        *("query", PATIENTS, COUNT, *DECLARED, "--ledger", place, "--analyst", "ada"),
        *("--certificate", file),
    )
    assert done.code == 0, done.err
    return file


def test_a_certificate_holds_and_says_what_that_means(shell: Shell, certificate: Path) -> None:
    done = shell("check", certificate)
    assert (done.code, done.err) == (0, "")
    headline, *rest = done.out.splitlines()
    assert headline == "HOLDS: 1-DP (add or remove one patient_id)"
    assert [line for line in rest if not line.startswith(" ")] == [ANSWER, *LISTS]
    assert "charged to no ledger" in done.out


def test_a_certificate_is_shown_with_the_answer_that_was_given(shell: Shell, place: Path) -> None:
    file = place.parent / "release.json"
    given = shell("query", PATIENTS, COUNT, *DECLARED, "--certificate", file)
    table = [f"  {line}" for line in given.out.splitlines()[:3]]
    _, heading, question, *rest = shell("check", file).out.splitlines()
    assert heading == ANSWER
    assert question == "  n = count(*) by sex"
    assert rest[:3] == table


def test_a_certificate_is_read_from_a_pipe(
    shell: Shell, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(certificate.read_bytes())))
    assert shell("check", "-").code == 0


def test_programs_read_the_verdict_as_json(shell: Shell, certificate: Path) -> None:
    verdict = json.loads(shell("check", certificate, "--json").out)
    assert verdict["holds"] is True
    assert verdict["problem"] is None
    assert all(verdict[name] for name in ("proved", "trusted", "again"))
    assert [row["sex"] for row in verdict["answer"]["rows"]] == ["F", "M"]


def test_the_key_that_is_trusted_can_be_named(shell: Shell, certificate: Path) -> None:
    (own,) = set(KEY.findall(shell("check", certificate).out))
    done = shell("check", certificate, "--signer", own)
    assert done.code == 0
    assert f"{own} is a signer that you trust" in done.out
    other = shell("check", certificate, "--signer", "ed25519:0000000000000000")
    assert other.code == 5
    assert "not among the signers you named" in other.out


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"epsilon": "1"', '"epsilon": "0.9"', "do not keep 0.9-DP"),
        ('"rows": 10', '"rows": 9', "policy_digest is not the digest"),
        ('"sensitivity": "655360"', '"sensitivity": "65536"', "not as claimed"),
        ("above 10 rows", "above 20 rows", "the signature is not of this certificate"),
    ],
)
def test_what_does_not_hold_is_named_in_one_line(
    shell: Shell, certificate: Path, old: str, new: str, sentence: str
) -> None:
    text = certificate.read_text(encoding="ascii")
    assert old in text
    certificate.write_text(text.replace(old, new), encoding="ascii", newline="\n")
    done = shell("check", certificate)
    assert (done.code, done.out.count("\n")) == (5, 1)
    assert done.out.startswith("DOES NOT HOLD: ")
    assert sentence in done.out


def test_the_receipt_and_the_ledger_are_checked(shell: Shell, charged: Path, place: Path) -> None:
    alone = shell("check", charged)
    assert alone.code == 0
    assert "is for this query, this charge and this content" in alone.out
    assert "--ledger" in alone.out
    beside = shell("check", charged, "--ledger", place)
    assert beside.code == 0, beside.out
    assert "is sound and has the entry" in beside.out


def test_another_ledger_does_not_hold_the_charge(shell: Shell, charged: Path, place: Path) -> None:
    other = place.parent / "other.db"
    assert shell("ledger", "init", "patients", "--epsilon", "1", "--ledger", other).code == 0
    done = shell("check", charged, "--ledger", other)
    assert done.code == 5
    assert "another ledger" in done.out
    assert shell("check", charged, "--ledger", place.parent / "none.db").code == 2


def test_one_who_checks_is_not_told_to_make_a_ledger(shell: Shell, charged: Path) -> None:
    told = shell("check", str(charged), "--ledger", "elsewhere.db")
    assert told.code == 2
    assert "there is no ledger at 'elsewhere.db'; name the one that was charged" in told.err
    assert "init" not in told.err


def test_ends_of_lines_that_mail_changed_are_no_sign_of_a_lie(
    shell: Shell, certificate: Path
) -> None:
    written = certificate.read_bytes()
    certificate.write_bytes(written.replace(b"\n", b"\r\n"))
    told = shell("check", str(certificate))
    assert told.code == 5
    assert "blanks or ends of lines were changed, as mail and editors do" in told.out
    certificate.write_bytes(written.replace(b'"version": 1', b'"version": 1, "a": 1', 1))
    assert "ends of lines" not in shell("check", str(certificate)).out


def test_no_ledger_holds_what_was_charged_to_none(
    shell: Shell, certificate: Path, place: Path
) -> None:
    done = shell("check", certificate, "--ledger", place)
    assert done.code == 5
    assert "charged to no ledger" in done.out


def test_a_receipt_for_something_else_does_not_hold(shell: Shell, charged: Path) -> None:
    """The content is another one, and everything but the receipt was made to fit it."""
    document = json.loads(charged.read_text(encoding="ascii"))
    assert document["receipt"] is not None
    document["receipt"] = None
    charged.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", encoding="ascii")
    assert "the signature is not" in shell("check", charged).out


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_charged(
    shell: Shell, charged: Path, place: Path
) -> None:
    before = shell("ledger", "export", "--ledger", place).out
    mine = place.parent / "mine.json"
    mine.write_text("mine", encoding="ascii")
    ledger = ("--ledger", place, "--analyst", "ada")
    for name in ("mine.json", "missing/release.json", "", "mine.json/release.json", "ledger.db"):
        file = place.parent / name
        done = shell("query", PATIENTS, COUNT, *DECLARED, *ledger, "--certificate", file)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), name
    assert mine.read_text(encoding="ascii") == "mine"
    assert shell("ledger", "export", "--ledger", place).out == before
    assert shell("check", charged, "--ledger", place).code == 0


def test_a_question_that_fails_leaves_no_certificate(shell: Shell, place: Path) -> None:
    file = place.parent / "release.json"
    done = shell("query", PATIENTS, "SELECT x FROM patients", *DECLARED, "--certificate", file)
    assert done.code == 2
    assert not file.exists()


def test_a_full_disk_leaves_no_part_of_a_certificate(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = place.parent / "release.json"
    assert shell("query", PATIENTS, COUNT, *DECLARED, "--certificate", file).code == 0
    file.unlink()
    monkeypatch.setattr(os, "fsync", full)
    done = shell("query", PATIENTS, COUNT, *DECLARED, "--certificate", file)
    assert done.code == 4
    assert "No space left on device), and no part of it is left there" in done.err
    assert "the same --key, which is charged once" in done.err
    assert not file.exists()


def test_the_schema_is_printed(shell: Shell) -> None:
    done = shell("check", "--schema")
    assert done.code == 0
    assert json.loads(done.out) == certificate_schema()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "no certificate is named"),
        (("no-such-file.json",), "there is no file 'no-such-file.json'"),
        ((ROOT / "examples",), "is a folder; name one file in it"),
    ],
)
def test_mistakes_are_one_sentence(
    shell: Shell, arguments: tuple[object, ...], sentence: str
) -> None:
    done = shell("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "'other.json' is not a sfumato certificate; name a file that --certificate wrote"),
        ("[]", "is not a sfumato certificate; name"),
        ("", "is not a sfumato certificate: it is not JSON, or is cut off; name"),
        ("patient_id,sex\n1,F\n", "is not a sfumato certificate: it is not JSON"),
    ],
)
def test_what_does_not_claim_to_be_a_certificate_is_a_mistake_and_no_forgery(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.chdir(place.parent)
    Path("other.json").write_text(text, encoding="ascii")
    done = shell("check", "other.json")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert sentence in done.err
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
    piped = shell("check", "-")
    assert piped.code == 2
    assert "what is on standard input is not a sfumato certificate" in piped.err


def test_a_certificate_that_was_cut_off_is_a_mistake_and_no_forgery(
    shell: Shell, certificate: Path
) -> None:
    certificate.write_bytes(certificate.read_bytes()[:-20])
    done = shell("check", certificate)
    assert (done.code, done.out) == (2, "")
    assert "or is cut off" in done.err


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "sfumato certificate"}',
        '{"kind": "sfumato certificate", "version": 2}',
        '{"kind": "x", "kind": "sfumato certificate"}',
        "[" * 100_000,
    ],
)
def test_what_claims_to_be_a_certificate_and_is_wrong_does_not_hold(
    shell: Shell, place: Path, text: str
) -> None:
    file = place.parent / "forged.json"
    file.write_text(text, encoding="ascii")
    done = shell("check", file)
    assert (done.code, done.err) == (5, "")
    assert done.out.startswith("DOES NOT HOLD: ")
