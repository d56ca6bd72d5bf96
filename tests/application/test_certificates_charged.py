"""A certificate beside its ledger: one key, one question, and a book about the same change."""

from __future__ import annotations

import copy
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.application.certificates.checking import check
from sfumato.ledger import Ledger
from sfumato.ledger.signer import Signer, fingerprint_of
from sfumato.privacy.certificate import question_digits
from sfumato.privacy.events.base import plain
from tests.audit.certificate.lies import told, with_receipt
from tests.tables.certificate.made import stranger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.application.certificates.checking import CertificateReport

FINE = 2**16
WORDS = "the sentences below the answer are true"
ALONE = "that this query was asked: only the signer says so"


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
    """The certificate of a mean of some rows that is charged to the book of rows."""
    frame = pd.DataFrame({"id": range(50), "age": [40, 60] * 25})
    ledger = {"path": place, "book": "rows", "analyst": "ada"}
    table = sf.table(frame, unit="row", bounds={"age": (0, 110)}, ledger=ledger)
    query = table.filter(sf.col("age") > 18).agg(m=sf.mean("age"))
    found: dict[str, Any] = json.loads(query.release(epsilon=1).certificate.to_json())
    return found


def checked(given: dict[str, Any], key: Signer | None = None, **options: Any) -> CertificateReport:
    """What is found of a certificate that the owner of the ledger, or another, signed anew."""
    stream = io.TextIOWrapper(io.BytesIO(told(given, key or Signer.at()).encode()))
    return check(stream, **options)


def about_people(given: dict[str, Any], place: str) -> dict[str, Any]:
    """A charge of the book of rows for the same content, said to be about people."""
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
    digits = question_digits(said["query"], said["policy"])
    return with_receipt(said, place, f"m (plan {'0' * 16}, question {digits})")


def test_a_receipt_of_a_book_about_another_change_does_not_hold(
    charged: dict[str, Any], place: str
) -> None:
    report = checked(about_people(charged, place), ledger=place)
    assert "keeps a privacy budget for “add or remove one row”" in report.verdict.problem
    assert "one id" in report.verdict.problem


def test_a_book_about_the_same_change_is_said_to_be(charged: dict[str, Any], place: str) -> None:
    report = checked(charged, ledger=place)
    assert report.is_sound
    assert "the book 'rows' has the same neighbouring relation" in report.verdict.proved


def test_without_the_ledger_the_change_of_the_book_is_taken_on_trust(
    charged: dict[str, Any], place: str
) -> None:
    for each in (charged, about_people(charged, place)):
        verdict = checked(each).verdict
        assert verdict.holds
        assert any("'rows' has the same neighbouring relation" in one for one in verdict.trusted)
        assert not any("same change" in one for one in verdict.proved)


@pytest.mark.parametrize(
    ("epsilon", "book", "problem"),
    [
        ("0.01", "rows", "it is for another charge than that of the certificate"),
        ("1", "others", "it is of another book than the policy declares"),
    ],
    ids=["a cheaper charge", "another book"],
)
def test_a_receipt_of_another_charge_for_the_same_content_does_not_hold(
    charged: dict[str, Any], place: str, epsilon: str, book: str, problem: str
) -> None:
    assert charged["event"] == {"event": "pure", "epsilon": "1"}
    with Ledger.open(place) as ledger:
        ledger.add_book("others", sf.PureDP(epsilon=3))
        settled = ledger.book(book).release(
            sf.privacy.events.Pure(epsilon=epsilon),
            charged["content"].encode,
            analyst="ada",
            purpose="by hand",
        )
    given = {**charged, "receipt": json.loads(settled.receipt.to_json())}
    assert problem in checked(given, ledger=place).verdict.problem


def without_steps(given: dict[str, Any]) -> None:
    given["query"]["steps"] = []


def with_another_step(given: dict[str, Any]) -> None:
    given["query"]["steps"] *= 2


def with_the_comparison_turned(given: dict[str, Any]) -> None:
    given["query"]["steps"][0]["condition"]["call"] = "less"


def with_another_number(given: dict[str, Any]) -> None:
    given["query"]["steps"][0]["condition"]["arguments"][1]["value"] = 81


def with_another_declaration(given: dict[str, Any]) -> None:
    given["policy"]["limits"] = {"rows": 3}


LIES = [
    without_steps,
    with_another_step,
    with_the_comparison_turned,
    with_another_number,
    with_another_declaration,
]


@pytest.mark.parametrize("lie", LIES)
def test_a_receipt_for_another_question_does_not_hold(
    charged: dict[str, Any], place: str, lie: Callable[[dict[str, Any]], None]
) -> None:
    """Whoever signs: the owner of the ledger, or another whom somebody trusts as well."""
    assert checked(charged, ledger=place).is_sound
    lie(charged)
    both = [Signer.at().public, stranger().public]
    for report in (checked(charged), checked(charged, stranger(), signers=both)):
        assert "it is for another query, or other declarations: m = mean(age) where age > 18" in (
            report.verdict.problem
        )


@pytest.mark.parametrize("lie", LIES)
def test_without_its_receipt_the_same_lie_holds_on_its_signers_word(
    charged: dict[str, Any], lie: Callable[[dict[str, Any]], None]
) -> None:
    """The twin: nothing else in the file contradicts it."""
    lie(charged)
    verdict = checked({**charged, "receipt": None}, stranger()).verdict
    assert verdict.holds
    assert ALONE in verdict.trusted


def test_the_question_that_was_charged_is_said_to_be(charged: dict[str, Any]) -> None:
    verdict = checked(charged).verdict
    assert any("is for this query, this charge and this content" in each for each in verdict.proved)
    assert ALONE not in verdict.trusted


def test_a_purpose_in_words_of_ones_own_leaves_the_question_to_trust(
    charged: dict[str, Any], place: str
) -> None:
    given = with_receipt(charged, place, "the mean age")
    verdict = checked(given, ledger=place).verdict
    assert verdict.holds
    assert ALONE in verdict.trusted
    assert any("is for this charge and this content" in each for each in verdict.proved)


def test_a_long_question_is_quoted_from_its_beginning(charged: dict[str, Any], place: str) -> None:
    purpose = f"{'m' * 300} (plan {'0' * 16}, question {'0' * 32})"
    problem = checked(with_receipt(charged, place, purpose)).verdict.problem
    assert problem.endswith(f": {'m' * 200}…")


def test_a_certificate_that_a_stranger_signed_does_not_go_with_a_receipt(
    charged: dict[str, Any], place: str
) -> None:
    """Not a word of it has to be changed: it is not the host that was charged who speaks."""
    own = Signer.at()
    for options in ({}, {"ledger": place}):
        problem = checked(charged, stranger(), **options).verdict.problem
        assert problem == (
            f"it is signed by {stranger().fingerprint}, and its receipt by {own.fingerprint}; if "
            "you trust both, name both with signers"
        )


def test_keys_that_are_both_named_hold(charged: dict[str, Any]) -> None:
    own, key = stranger().public, charged["receipt"]["signer"]
    proved = checked(charged, stranger(), signers=[own, key]).verdict.proved
    assert any(
        f"{fingerprint_of(key)}, which signed the receipt, is a signer that you trust" in each
        for each in proved
    )
    for one in (own, key):
        assert not checked(charged, stranger(), signers=[one]).is_sound


@pytest.mark.parametrize("sentences", [[], ["all of it is exact"]])
def test_what_is_said_beside_an_answer_is_taken_on_trust(
    charged: dict[str, Any], sentences: list[str]
) -> None:
    """Its owner may say anything there; nobody else can."""
    charged["caveats"] = sentences
    verdict = checked(charged).verdict
    assert verdict.holds
    assert any(WORDS in each for each in verdict.trusted)
    assert not checked(charged, stranger()).is_sound
