"""A certificate is read strictly: one form, no field twice or unknown, only numbers."""

from __future__ import annotations

import json

import pytest

from sfumato.audit.certificate import check_certificate
from sfumato.audit.certificate.document import read_document
from sfumato.errors import InputError
from sfumato.privacy.certificate import MOST_CHARACTERS
from tests.tables.certificate.made import certified

ORIGINAL = "rows"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not JSON"),
        ("{}", "not a certificate"),
        ("[]", "not a certificate"),
        ('{"kind": "sfumato receipt"}', "not a certificate"),
        ('{"kind": "sfumato certificate", "version": 2}', "another version"),
        ('{"kind": "sfumato certificate", "version": true}', "another version"),
        ('{"kind": "sfumato certificate", "kind": "x"}', "stands twice"),
        ('{"kind": NaN}', "NaN"),
        ('{"kind": Infinity}', "Infinity"),
        ('{"kind": ' + "9" * 5000 + "}", "digits"),
        ("[" * 400 + "]" * 400, "nested deeper"),
        ("[" * 100_000, "nested deeper"),
        ("x" * (MOST_CHARACTERS + 1), "characters"),
    ],
)
def test_what_is_no_certificate_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_document(text)
    assert sentence in check_certificate(text).problem


def test_another_form_of_the_same_document_is_refused() -> None:
    text = certified(ORIGINAL)
    for other in (
        json.dumps(json.loads(text), sort_keys=True),
        json.dumps(json.loads(text), sort_keys=True, indent=2),
        text.replace("\n", "\r\n"),
        text + "\n",
        text.replace('"version": 1', '"version": 1.0'),
    ):
        assert not check_certificate(other).holds


def test_what_cannot_be_computed_is_refused_and_does_not_raise() -> None:
    text = certified(ORIGINAL)
    scale = json.loads(text)["steps"][0]["noise"]["scale"]
    for other in ("0", "-1", "1e999", "1/0", "nan", "9" * 900):
        changed = text.replace(f'"scale": "{scale}"', f'"scale": "{other}"')
        assert changed != text
        assert check_certificate(changed).problem
