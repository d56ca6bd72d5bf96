"""The black-box audit: what it catches, what it lets pass, and how it takes what it is given."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sfumato.audit.blackbox import audit, draws
from sfumato.errors import InputError
from tests.audit.blackbox_checks import integer_noise, quick
from tests.pages import pictures

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

CELL = "a cell of somebody"
REPEATED = "output number {} of a call is what it was in an earlier call on d0"


# What is caught, each beside a right one that is not.


@pytest.mark.parametrize(("scale", "violated"), [(1.0, False), (0.8, True)])
def test_noise_that_is_a_fifth_too_small_is_caught(scale: float, violated: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng(1)
    report = audit(
        lambda data, n: data + integer_noise(rng, 1 / scale, n), 0, 1, epsilon=1, samples=60_000
    )
    assert report.violated is violated
    assert 0.85 < report.epsilon < 1 / scale
    assert report.witness is not None
    assert "the output is" in report.witness.event


def test_floating_laplace_noise_is_caught_by_its_low_bits() -> None:
    rng = np.random.default_rng(2)
    report = audit(lambda data, n: data + rng.laplace(size=n), 0, 1, epsilon=1, samples=60_000)
    assert report.epsilon > 5.5
    assert report.witness is not None
    assert "low bits" in report.witness.event


def test_the_same_noise_on_a_grid_is_not() -> None:
    rng = np.random.default_rng(3)

    def release(data: int, n: int) -> Any:
        return data + np.round(rng.laplace(size=n) * 2**20) / 2**20

    assert not audit(release, 0, 1, epsilon=1, samples=60_000).violated


def test_repeated_calls_are_told_apart_where_they_differ() -> None:
    """The first output is the same on both datasets, and only the second tells."""

    def release(data: int, n: int) -> Any:
        noise = integer_noise(np.random.default_rng(5), 1, n)
        return np.where(np.arange(n) == 0, 0, data) + noise

    report = quick(release, samples=20_000)
    assert report.violated
    assert report.witness is not None
    assert report.witness.event == REPEATED.format(2)


def test_a_generator_that_is_seeded_anew_is_caught_by_calls_that_repeat() -> None:
    def release(data: int, n: int) -> Any:
        return data + integer_noise(np.random.default_rng(5), 1, n)

    report = quick(release, samples=20_000)
    assert report.violated
    assert report.witness is not None
    assert report.witness.event == REPEATED.format(1)


def test_a_generator_seeded_anew_at_single_draws_is_caught_by_its_value() -> None:
    assert quick(lambda data: data + int(integer_noise(np.random.default_rng(5), 1, 1)[0])).violated


def test_an_exception_is_an_outcome_and_its_message_is_not_shown() -> None:
    rng = np.random.default_rng(6)

    def release(data: int) -> int:
        if data and rng.random() < 0.2:
            raise ValueError(CELL)
        return 0

    report = quick(release)
    assert report.violated
    assert report.witness is not None
    assert report.witness.event == "the output raised ValueError"
    page = report.to_html()
    assert CELL not in "".join([str(report), page, *pictures(page), json.dumps(report.as_dict())])


def test_where_a_call_for_many_raises_each_draw_gets_its_own_call() -> None:
    rng = np.random.default_rng(7)

    def release(data: int, n: int) -> NDArray[Any]:
        if data and rng.random() < 0.3:
            raise KeyError(CELL)
        return np.zeros(n)

    report = quick(release)
    assert report.witness is not None
    assert report.witness.event == "the output raised KeyError"
    assert 0.2 < report.witness.hits / report.witness.trials < 0.4


def test_a_message_that_differs_is_an_outcome_that_differs() -> None:
    def release(data: int) -> int:
        raise ValueError(data)

    report = quick(release)
    assert report.violated
    assert report.witness is not None
    assert report.witness.event == "the output raised ValueError with a certain message"


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (None, "None"),
        (math.nan, "NaN"),
        (math.inf, "+infinity"),
        (-0.0, "-0.0"),
        ("text", "'text'"),
    ],
)
def test_odd_outcomes_tell(odd: Any, words: str) -> None:
    rng = np.random.default_rng(8)
    report = quick(lambda data: odd if data and rng.random() < 0.2 else float(rng.integers(3)))
    assert report.violated
    assert report.witness is not None
    assert report.witness.event == f"the output is {words}"


def test_the_type_of_a_number_tells() -> None:
    assert quick(lambda data: 1.0 if data else 1).violated


def test_an_approximate_claim_gets_its_delta() -> None:
    rng = np.random.default_rng(16)

    def release(data: int, n: int) -> Any:
        return np.where(rng.random(n) < 0.01, 10 + data, rng.integers(0, 3, n))

    assert audit(release, 0, 1, epsilon=1, samples=40_000).violated
    assert not audit(release, 0, 1, epsilon=1, delta=0.01, samples=40_000).violated
    assert audit(release, 0, 1, epsilon=1, delta=0.002, samples=40_000).violated


# The report.


def test_the_report_says_what_was_found_and_that_it_is_no_proof() -> None:
    rng = np.random.default_rng(17)
    right = quick(lambda data, n: data + integer_noise(rng, 1, n))
    assert "no violation" in right.lines()[0]
    assert "no proof" in right.lines()[0]
    wrong = quick(lambda data: data)
    assert wrong.lines()[0].startswith("violated: 1-DP does not hold")
    assert wrong.witness is not None
    assert (wrong.witness.hits, wrong.witness.others) == (2_000, 0)


def test_the_curve_falls_with_delta_and_is_read_off_the_tested_events() -> None:
    report = quick(lambda data: data)
    heights = [height for _, height in report.curve]
    assert heights == sorted(heights, reverse=True)
    assert report.curve[0] == (0.0, report.epsilon)


def test_the_page_stands_alone(tmp_path: Path) -> None:
    report = quick(lambda data: "<b>" if data else "<b>x")
    page = report.to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    (drawing,) = pictures(page)
    assert not re.search(r'(?:href|src)="(?!#)', drawing)
    assert "http" not in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_the_same_draws_give_the_same_report() -> None:
    def found() -> dict[str, Any]:
        rng = np.random.default_rng(18)
        report = quick(lambda data, n: data + rng.normal(size=(n, 3)), seed=4).as_dict()
        del report["seconds"]
        return report

    assert found() == found()


def test_the_datasets_are_only_handed_over() -> None:
    class Sealed:
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    first, second = Sealed(), Sealed()
    assert quick(lambda data: data is first, first, second).violated


def test_progress_is_told_and_ends_at_the_total() -> None:
    told: list[tuple[int, int]] = []
    quick(lambda data: data, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (8_000, 8_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_bar_is_drawn_on_a_terminal_only(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(draws, "_PATIENCE", -1.0)
    with draws.Meter(2) as meter:
        meter.advance(1)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with draws.Meter(2) as meter:
        meter.advance(1)
    assert "50 %" in capsys.readouterr().err


# What is refused, in a sentence.


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (lambda data, n: [0] * (n + 1), "gave 25 outputs"),
        (lambda data, n: 5, "gave one int"),
        (lambda data, n: np.array(5), "gave one int"),
        (lambda data, n: "text", "gave one str"),
        (lambda data: 1 / 0, "raised ZeroDivisionError at every call"),
        (lambda: 0, "takes no dataset"),
        (5, "must be a function"),
        (lambda data, n: np.full(n, np.random.default_rng().random()), "copies of one output"),
    ],
)
def test_a_release_that_cannot_be_audited_is_refused(release: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        quick(release)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"samples": 10}, "samples must be a whole number of 100 or more, not 10; write"),
        ({"samples": "many"}, "samples"),
        ({"alpha": 0}, "alpha"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"features": 5}, "features must be functions"),
        ({"features": ["x"]}, "features must be functions"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        quick(lambda data: data, **options)
