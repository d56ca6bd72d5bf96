"""A certificate beside its ledger: the book is about the same change, and every key is named."""

from __future__ import annotations

import copy
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.application.certificates.checking import check_release
from sfumato.ledger import Ledger
from sfumato.ledger.receipts.signing import fingerprint_of
from sfumato.privacy.events.wording import plain
from tests.audit.certificate.lies import told

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.application.certificates.checking import CertificateReport

FINE = 2**16


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ledger whose book keeps account of rows."""
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.pem"))
    path = str(tmp_path / "ledger.db")
    with Ledger.create(path) as ledger:
        ledger.add_book("rows", sf.PureDP(epsilon=3))
    return path


@pytest.fixture
def charged(place: str) -> dict[str, Any]:
    """The certificate of a mean that is charged to the book of rows."""
    frame = pd.DataFrame({"id": range(50), "age": [40, 60] * 25})
    ledger = {"path": place, "book": "rows", "analyst": "ada"}
    table = sf.table(frame, unit="row", bounds={"age": (0, 110)}, ledger=ledger)
    text = table.agg(m=sf.mean("age")).release(epsilon=1).certificate.to_json()
    found: dict[str, Any] = json.loads(text)
    return found


def checked(given: dict[str, Any], **options: Any) -> CertificateReport:
    stream = io.TextIOWrapper(io.BytesIO(told(given).encode()))
    return check_release(stream, **options)


def about_people(given: dict[str, Any]) -> dict[str, Any]:
    """The same charge and content, said to be about people with one row each."""
    said = copy.deepcopy(given)
    said["policy"] |= {"unit": {"column": "id"}, "limits": {"rows": 1}}
    said["guarantee"]["relation"] |= {"unit": "person", "column": "id"}
    for step in said["steps"]:
        most = Fraction(step["sensitivity"]) * FINE
        step["limit"] = {"most": "1", "name": "rows", "norm": "l1", "weighing": "rows"}
        step |= {"sensitivity": plain(most), "noise": {**step["noise"], "scale": plain(most)}}
    upper, lower = (Fraction(each[0]) / FINE for each in json.loads(said["content"])["sums"])
    mean = float(upper / max((upper + lower) / 110, Fraction(1)))
    for column, value in zip(said["answers"]["columns"], (mean, 0.0, 110.0), strict=True):
        column["values"] = [value]
    return said


def test_a_receipt_of_a_book_about_another_change_does_not_hold(
    charged: dict[str, Any], place: str
) -> None:
    report = checked(about_people(charged), ledger=place)
    assert "keeps a budget for “add or remove one row”" in report.verdict.problem
    assert "one person (id)" in report.verdict.problem


def test_a_book_about_the_same_change_is_said_to_be(charged: dict[str, Any], place: str) -> None:
    report = checked(charged, ledger=place)
    assert report.is_sound
    assert "the book 'rows' is about the same change" in report.verdict.proved


def test_without_the_ledger_the_change_of_the_book_is_taken_on_trust(
    charged: dict[str, Any],
) -> None:
    for each in (charged, about_people(charged)):
        verdict = checked(each).verdict
        assert verdict.holds
        assert any("'rows' is about the same change" in one for one in verdict.trusted)
        assert not any("same change" in one for one in verdict.proved)


def test_who_signed_the_receipt_is_named_if_it_is_somebody_else(charged: dict[str, Any]) -> None:
    key = charged["receipt"]["signer"]
    trusted = checked(charged).verdict.trusted
    assert any(f"{fingerprint_of(key)}, which signed the receipt," in each for each in trusted)
    own = json.loads(told(charged))["signer"]
    proved = checked(charged, signers=[own, key]).verdict.proved
    assert any("signed the receipt, is a signer that you trust" in each for each in proved)
    assert not checked(charged, signers=[own]).is_sound
