"""Verbatim extraction: which texts come back, of what share, and what controls explain."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sfumato.audit import extraction, one_run
from sfumato.audit.memorization.continuations import edit_distance
from tests.pages import pictures
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ALARM = 1e-6


def article(number: int) -> str:
    """A text of 120 characters that tells its number all along."""
    return f"{number:04} " * 24


SEEN, UNSEEN = [article(each) for each in range(40)], [article(each) for each in range(100, 140)]


def parrot(texts: Sequence[str]) -> Callable[[str, int], str]:
    """A model that goes on with what it has kept, and with nothing else."""

    def go_on(prefix: str, length: int) -> str:
        kept = [text for text in texts if text.startswith(prefix)]
        return kept[0][len(prefix) :][:length] if kept else "?" * length

    return go_on


def test_a_model_that_keeps_everything_returns_everything() -> None:
    report = extraction(parrot(SEEN), SEEN, controls=UNSEEN)
    assert (report.verbatim.count, report.verbatim.of, report.verbatim.share) == (40, 40, 1)
    assert report.verbatim.upper == 1
    assert report.verbatim.lower == pytest.approx(stats.beta.ppf(0.025, 40, 1), abs=1e-9)
    assert [each.place for each in report.extracted] == list(range(40))
    assert report.verbatim_controls is not None
    assert report.verbatim_controls.count == 0
    assert report.remembers
    assert report.excess == report.verbatim.lower - report.verbatim_controls.upper
    assert report.findings()[0].startswith("the model remembers: 40 of 40 texts")


def test_a_model_that_keeps_nothing_returns_nothing() -> None:
    report = extraction(lambda _, length: "?" * length, SEEN, controls=UNSEEN)
    assert (report.verbatim.count, report.near_verbatim.count) == (0, 0)
    assert report.excess is not None
    assert report.excess < 0
    assert not report.remembers
    assert "no proof that there is none" in report.findings()[0]


def test_what_anybody_would_guess_is_no_memory() -> None:
    """A text that repeats itself is gone on with by whoever repeats it."""

    def repeat(prefix: str, length: int) -> str:
        return (prefix[-5:] * length)[:length]

    report = extraction(repeat, SEEN, controls=UNSEEN)
    assert report.verbatim.share == 1
    assert not report.remembers


def test_twin_without_controls_nothing_is_called_memory() -> None:
    report = extraction(parrot(SEEN), SEEN)
    assert report.verbatim.share == 1
    assert (report.excess, report.remembers, report.verbatim_controls) == (None, False, None)
    assert any(line.startswith("without controls") for line in report.findings())


def test_the_model_is_given_the_beginning_and_what_follows_is_compared() -> None:
    asked = []

    def go_on(prefix: str, length: int) -> str:
        asked.append((prefix, length))
        return "cde, and what nobody compares"

    report = extraction(go_on, ["abcdefgh"], prefix=2, suffix=3)
    assert asked == [("ab", 3)]
    assert report.verbatim.count == 1


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("cdefghijkl", (1, True, 10)),
        ("cdefghijkX", (0, True, 9)),
        ("Xcdefghijk", (0, False, 0)),
        ("cdefghijk", (0, True, 9)),
        ("", (0, False, 0)),
        ("CDEFGHIJKL", (0, False, 0)),
    ],
)
def test_near_is_within_a_share_of_edits(returned: str, expected: tuple[int, bool, int]) -> None:
    report = extraction(lambda *_: returned, ["abcdefghijkl"], prefix=2, suffix=10, near=0.1)
    (tried,) = report.texts
    assert (tried.exact, tried.near, tried.agreed) == expected


@pytest.mark.parametrize(("near", "edits"), [(0, 0), (0.7, 7), ("1/3", 3), (1, 10)])
def test_the_share_of_edits_is_read_as_it_was_written(near: Any, edits: int) -> None:
    """In floats 0.7 of 10 is less than 7."""
    report = extraction(lambda *_: "", ["abcdefghijkl"], prefix=2, suffix=10, near=near)
    assert report.near == edits
    assert len(report.shares()) == (2 if edits else 1)


def plain_distance(first: str, second: str) -> int:
    """The same by the table of all beginnings, cell by cell."""
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first, 1):
        above, row = row, [place]
        for column, other in enumerate(second, 1):
            row.append(min(row[-1] + 1, above[column] + 1, above[column - 1] + (letter != other)))
    return row[-1]


@given(st.text("abé", max_size=8), st.text("abé", max_size=8))
def test_the_edit_distance_is_that_of_the_table(first: str, second: str) -> None:
    assert edit_distance(first, second) == plain_distance(first, second)


def test_letters_are_compared_as_they_are_written() -> None:
    """An é that is one sign and an é that is two are not the same, and are one edit or two away."""
    report = extraction(lambda *_: "e\u0301", ["xx\u00e9\u00e9"], prefix=2, suffix=2)
    assert report.verbatim.count == 0
    whole = extraction(lambda *_: "龙🐉", ["新闻龙🐉"], prefix=2, suffix=2)
    assert whole.verbatim.count == 1


def test_texts_that_are_short_or_begin_alike_are_left_out() -> None:
    texts = [SEEN[0], SEEN[0], "short", SEEN[1], SEEN[1] + "with another end", ""]
    report = extraction(parrot(SEEN), texts)
    assert [each.place for each in report.texts] == [0, 3]
    assert report.left_out == 4
    assert any(line.startswith("4 texts were left out") for line in report.findings())


def test_a_text_is_extracted_if_one_of_several_tries_returns_it() -> None:
    calls = iter(["no", "yes", "no", "no", "no", "no"])
    report = extraction(lambda *_: next(calls), ["a yes", "b yes"], prefix=2, suffix=3, tries=3)
    assert [each.exact for each in report.texts] == [1, 0]
    assert report.verbatim.count == 1


def test_discoverable_is_proved_from_the_tries() -> None:
    """All of 50 tries return 20 of 40 texts: each with (0.05/40)^(1/50) = 0.875 at least."""
    report = extraction(parrot(SEEN[:20]), SEEN, tries=50)
    assert report.discoverable(1, 0.87) == 20
    assert report.discoverable(1, 0.88) == 0
    assert report.discoverable(2, 0.98) == 20
    assert report.discoverable(1, 0) == 40
    with raises_code("E-ARGUMENT-RANGE", "chance"):
        report.discoverable(1, 1.5)
    with raises_code("E-ARGUMENT-RANGE", "tries"):
        report.discoverable(0, 0.5)


@pytest.mark.full
def test_memory_is_claimed_of_a_model_without_any_at_most_as_often_as_is_said() -> None:
    """A model that guesses half of all texts: at 90 % fewer than 1 of 20 reports are wrong.

    Of 300, more than 40 are with probability below ALARM.
    """
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(300):
        guessed = {text for text in SEEN + UNSEEN if rng.random() < 0.5}
        report = extraction(parrot([*guessed]), SEEN, controls=UNSEEN, confidence=0.9, near=0)
        wrong += report.remembers
    assert wrong <= 40
    assert stats.binom.sf(40, 300, 0.05) < ALARM


def test_texts_that_a_coin_put_in_prove_an_epsilon() -> None:
    """Each that comes back is a guess "it was in": all 40 of 40 are right."""
    report = extraction(parrot(SEEN), SEEN, controls=UNSEEN)
    right, wrong = report.verbatim.count, report.verbatim_controls
    assert wrong is not None
    assert one_run(right + wrong.count, right, alpha=0.05) > 2


def test_a_model_that_returns_the_prefix_too_is_noticed() -> None:
    def whole(prefix: str, length: int) -> str:
        return prefix + parrot(SEEN)(prefix, length)

    texts = [f"{each:03}" + "abcdefghijklmnopqrstuvwxyz" * 4 for each in range(5)]
    report = extraction(whole, texts)
    assert report.echoes
    assert any("is the prefix returned, too?" in line for line in report.findings())
    assert not extraction(lambda prefix, _: prefix, SEEN[:1], prefix=50, suffix=50).echoes


def test_a_report_says_what_it_is() -> None:
    report = extraction(parrot(SEEN[:30]), SEEN, controls=UNSEEN)
    lines = report.lines()
    assert lines[-1] == "not private: exact figures, for the data owner"
    assert "20 others not shown" in lines
    figures = json.loads(json.dumps(report.as_dict()))
    assert figures["private"] is False
    assert figures["verbatim"]["count"] == 30
    assert len(figures["extracted"]) == 30
    assert len(pictures(report.to_html())) == 1
    with raises_code("E-REPORT-NOT-BOOLEAN", match=r"ask report\.remembers"):
        bool(report)


def test_what_is_printed_steers_no_terminal() -> None:
    evil = "\x1b[31m<script>" + "x" * 100
    report = extraction(lambda _, length: "x" * length, [evil])
    assert "\x1b" not in str(report)
    assert "<script>" not in report.to_html()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    extraction(
        parrot(SEEN),
        SEEN[:2],
        controls=UNSEEN[:1],
        tries=2,
        progress=lambda *each: told.append(each),
    )
    assert told == [(each, 6) for each in range(1, 7)]


def raising(*_: Any) -> str:
    raise RuntimeError


def leaving(*_: Any) -> str:
    raise SystemExit


@pytest.mark.parametrize(
    ("model", "code"),
    [
        (raising, "E-FUNCTION-RAISED"),
        (leaving, "E-FUNCTION-RAISED"),
        (lambda prefix: prefix, "E-FUNCTION-RAISED"),
        (lambda *_: None, "E-FUNCTION-RESULT"),
        (lambda *_: b"bytes", "E-FUNCTION-RESULT"),
        (lambda *_: math.nan, "E-FUNCTION-RESULT"),
        (lambda *_: ["a", "b"], "E-FUNCTION-RESULT"),
    ],
)
def test_a_model_that_returns_no_text_is_refused(model: Callable[..., Any], code: str) -> None:
    with raises_code(code) as caught:
        extraction(model, SEEN)
    assert "0000" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "code", "argument"),
    [
        ({"continue_text": "parrot"}, "E-ARGUMENT-TYPE", "continue_text"),
        ({"texts": []}, "E-ARGUMENT-EMPTY", "texts"),
        ({"texts": "one text"}, "E-ARGUMENT-TYPE", "texts"),
        ({"texts": [1]}, "E-ARGUMENT-TYPE", "texts"),
        ({"texts": None}, "E-ARGUMENT-TYPE", "texts"),
        ({"texts": ["short", "shorter"]}, "E-ARGUMENT-RANGE", "texts"),
        ({"controls": []}, "E-ARGUMENT-EMPTY", "controls"),
        ({"controls": ["short"]}, "E-ARGUMENT-RANGE", "controls"),
        ({"controls": [SEEN[3], UNSEEN[0]]}, "E-ARGUMENT-CONFLICT", "controls"),
        ({"prefix": 0}, "E-ARGUMENT-RANGE", "prefix"),
        ({"suffix": 1.5}, "E-ARGUMENT-RANGE", "suffix"),
        ({"tries": True}, "E-ARGUMENT-RANGE", "tries"),
        ({"near": 2}, "E-ARGUMENT-RANGE", "near"),
        ({"near": math.nan}, "E-NUMBER-NOT-FINITE", "near"),
        ({"confidence": 1}, "E-ARGUMENT-RANGE", "confidence"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    given: dict[str, Any], code: str, argument: str
) -> None:
    with raises_code(code, argument):
        extraction(**{"continue_text": parrot(SEEN), "texts": SEEN, **given})


def test_a_text_that_is_too_short_is_told_with_what_to_write() -> None:
    with raises_code("E-ARGUMENT-RANGE", "texts", match=r"the longest has 30; .*prefix=15"):
        extraction(parrot(SEEN), ["a" * 30, "b"])
