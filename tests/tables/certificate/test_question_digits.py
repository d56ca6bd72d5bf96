"""What was charged for is known again in what is certified, of every kind of question."""

from __future__ import annotations

import json

import pytest

from sfumato.data.policy import document as policy_document
from sfumato.privacy.certificate import question_digits
from sfumato.tables.certificate.question import query_document
from tests.tables.certificate.made import CASES, certified


@pytest.mark.parametrize("name", CASES)
def test_a_certificate_has_the_digits_of_its_question_and_no_other(name: str) -> None:
    query = CASES[name][0]()
    digits = question_digits(query_document(query), policy_document(query.table.policy))
    written = json.loads(certified(name))
    assert question_digits(written["query"], written["policy"]) == digits
    columns = {**written["query"]["columns"], "other": "text"}
    assert question_digits({**written["query"], "columns": columns}, written["policy"]) != digits
    assert question_digits(written["query"], {**written["policy"], "book": "another"}) != digits
