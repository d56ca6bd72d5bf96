"""The page of mistakes shows how each is answered today, in two languages."""

from __future__ import annotations

import pytest

from tests.docs import mistakes

pytestmark = pytest.mark.full


def test_the_page_shows_what_is_answered() -> None:
    shown = mistakes.PAGE.read_text(encoding="utf-8")
    assert shown == mistakes.page(), "run: python -m tests.docs.mistakes"


def test_there_are_twenty_and_all_differ() -> None:
    rows = [line for line in mistakes.page().splitlines() if line.startswith("| `")]
    assert len(set(rows)) == len(rows) == 20
