"""What a report says: one event that is easy to say, what it means, and what was audited."""

from __future__ import annotations

import json
from functools import partial
from html import unescape
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.audit.blackbox import AuditReport, audit
from sfumato.audit.blackbox.bounds import EventTally, TestedEvent, judge
from sfumato.audit.blackbox.report import rows
from sfumato.audit.comparison import read_claim
from sfumato.errors import InputError
from sfumato.sampling import SeededSource
from tests.audit.blackbox_checks import integer_noise, quick
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

BITS = "the last digits of a float depend on what noise was added to"


def in_floats(rng: np.random.Generator, *shape: int) -> Callable[[Any, int], Any]:
    return lambda data, n: data + rng.laplace(size=(n, *shape))


def report_of(*events: TestedEvent, epsilon: Any = 1, delta: Any = 0, **more: Any) -> AuditReport:
    return AuditReport(read_claim(epsilon, delta), events, 1e-6, 4_000, 0.1, **more)


def event(words: str, hits: int, effort: int, kind: str = "value") -> TestedEvent:
    return judge(EventTally(words, "d0", hits, 100, 2_000, kind=kind, effort=effort), alpha=1e-7)


# Low bits.


def test_low_bits_are_explained_and_the_rest_is_said_beside_them() -> None:
    report = audit(in_floats(np.random.default_rng(40)), 0, 1, epsilon=1, samples=60_000)
    lines = report.lines()
    assert report.witness is not None
    assert report.witness.kind == "low bits"
    assert sum(line.startswith(BITS) for line in lines) == 1
    (apart,) = [line for line in lines if line.startswith("apart from the low bits: the output is")]
    assert 0.85 < float(apart.rsplit(" ", 1)[1]) < 1
    assert report.as_dict()["witness"]["kind"] == "low bits"


def test_a_score_that_uses_low_bits_is_one_of_them() -> None:
    release = in_floats(np.random.default_rng(41), 3)
    report = audit(release, np.zeros(3), np.ones(3), epsilon=3, samples=20_000)
    assert report.witness is not None
    assert report.witness.kind == "low bits"
    other = report.apart_from_low_bits
    assert other is not None
    assert other.epsilon() < 3


@pytest.mark.parametrize("moved", [1, 3])
def test_noise_on_a_grid_has_no_such_line(moved: int) -> None:
    rng = np.random.default_rng(42)
    report = audit(
        lambda data, n: data + np.round(rng.laplace(size=n) * 2**20) / 2**20,
        0,
        moved,
        epsilon=1,
        samples=60_000,
    )
    assert report.violated is (moved == 3)
    assert report.witness is not None
    assert report.witness.kind == "value"
    assert BITS not in str(report)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_exact_noise_has_no_such_line(seed: int) -> None:
    """Not even where an event of low bits happens to be the best of those that prove nothing."""
    noise, bits = sf.mechanisms.Laplace(epsilon=1, sensitivity=1), SeededSource(seed)
    report = audit(
        lambda data, n: noise.release(np.full(n, float(data)), source=bits),
        *(0, 1),
        epsilon=1,
        samples=20_000,
    )
    assert not report.violated
    assert BITS not in str(report)


# Which event is the witness.


def test_of_events_that_prove_about_the_same_the_easiest_to_say_is_shown() -> None:
    hard, easy = event("a long list of outcomes", 1_010, 5), event("at most 0", 1_008, 1)
    report = report_of(hard, easy)
    assert report.witness == easy
    assert report.epsilon == hard.epsilon() > easy.epsilon()


def test_but_not_one_that_proves_less() -> None:
    hard, easy = event("a long list of outcomes", 1_010, 5), event("at most 0", 900, 1)
    assert report_of(hard, easy).witness == hard


def test_and_not_one_that_shows_no_violation_where_another_does() -> None:
    hard, easy = event("a long list of outcomes", 1_010, 5), event("at most 0", 1_008, 1)
    between = (hard.epsilon() + easy.epsilon()) / 2
    report = report_of(hard, easy, epsilon=between)
    assert report.violated
    assert report.witness == hard


def test_of_equal_effort_the_fewest_words_win() -> None:
    long, short = event("the output is above 0 here", 1_000, 1), event("it is 0", 1_000, 1)
    assert report_of(long, short).witness == short


def test_an_exception_is_said_before_its_complement() -> None:
    rng = np.random.default_rng(43)

    def release(data: int) -> int:
        return [1, 2, 3][int(rng.integers(3)) + 3 * data]

    report = quick(release)
    assert report.witness is not None
    assert report.witness.event == "the output raised IndexError"


def test_sets_of_numbers_are_listed_in_order_and_whole_in_the_figures() -> None:
    rng = np.random.default_rng(44)
    outcomes = np.array([5.0, -0.0, -7.0, 2.5, 3.0, 11.0, -1.0, 8.0, 4.0, 9.0, 1.0, 6.0])
    shares = np.where(np.arange(12) % 2 == 0, 7, 1) / 48

    def release(data: int, n: int) -> Any:
        return rng.choice(outcomes, n, p=np.roll(shares, data))

    report = audit(release, 0, 1, epsilon=1, samples=20_000)
    assert report.witness is not None
    found = json.loads(json.dumps(report.as_dict()))["witness"]["outcomes"]
    assert len(found) > 4
    assert [float(each) for each in found] == sorted(map(float, found))
    assert set(found) < {"5", "0", "-7", "2.5", "3", "11", "-1", "8", "4", "9", "1", "6"}
    listed = f"the output is {' or '.join(found[:4])} or {len(found) - 4} more like these"
    assert report.witness.event == listed


# Calls that repeat themselves.


def test_calls_that_repeat_themselves_are_counted_as_calls() -> None:
    def release(data: int, n: int) -> Any:
        return data + integer_noise(np.random.default_rng(5), 1, n)

    report = quick(release, samples=24_000)
    lines = report.lines()
    assert "calls repeat themselves: is the generator seeded inside the function?" in lines
    assert "24,000 draws" not in str(report)
    assert any(line.startswith("1,000 calls of 24 draws on each dataset") for line in lines)
    assert "1,000 of 1,000 calls" in lines[2]


def test_a_single_output_that_never_varies_gets_the_same_question() -> None:
    report = quick(lambda data: data + np.random.default_rng(5).normal())
    assert any("is the generator seeded inside the function?" in line for line in report.lines())
    varied = np.random.default_rng(45)
    right = quick(lambda data: data + int(integer_noise(varied, 1, 1)[0]))
    assert "seeded" not in str(right)


# What is refused at once.


def test_a_release_that_always_raises_keeps_its_message_in_the_cause() -> None:
    def release(data: int) -> int:
        raise ValueError("a cell of somebody")

    with pytest.raises(InputError) as caught:
        quick(release)
    assert "a cell" not in str(caught.value)
    assert str(caught.value.__cause__) == "a cell of somebody"


def needs_more(dataset: int, n: int, eps: float) -> Any:
    return [dataset + eps] * n


def needs_a_name(dataset: int, *, eps: float) -> Any:
    return dataset + eps


def no_number(dataset: int, epsilon: float) -> Any:
    return dataset + epsilon


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (needs_more, "release needs eps, too; write lambda dataset, n: release(dataset, n, eps)"),
        (needs_a_name, "write lambda dataset: release(dataset, eps=eps)"),
        (no_number, "write lambda dataset: release(dataset, epsilon)"),
        (sf.mechanisms.Laplace(epsilon=1, sensitivity=1), "sf.verify(mechanism)"),
    ],
)
def test_a_release_that_needs_more_is_refused_before_it_is_called(release: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        quick(release)
    assert words in str(caught.value)


def test_what_has_a_default_or_is_filled_in_is_not_needed() -> None:
    assert quick(partial(needs_more, eps=0.5)).violated
    assert quick(partial(needs_a_name, eps=0.5)).violated


def test_whole_floats_are_numbers_of_draws() -> None:
    assert quick(lambda data: data, samples=1e3).samples == 1_000


@pytest.mark.parametrize("samples", [10000.5, float("nan"), float("inf"), None, "1e6", True, 99])
def test_other_numbers_of_draws_are_refused(samples: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "samples"):
        quick(lambda data: data, samples=samples)


def test_a_report_is_neither_true_nor_false() -> None:
    with raises_code("E-REPORT-NOT-BOOLEAN"):
        bool(quick(lambda data: data))


# The table and the page.


def test_the_table_leaves_out_rows_that_say_the_same_and_keeps_the_claimed() -> None:
    found = event("at most 0", 1_000, 1)
    wide = [delta for delta, _ in rows(report_of(found, delta=1e-4))]
    assert wide[:3] == ["0", "0.0001", "0.001"]
    steep = [delta for delta, _ in rows(report_of(found, delta=1e-6))]
    assert steep[:2] == ["0", "1e-06"]
    assert rows(report_of(found))[0] == ("0", rows(report_of(found, delta=1e-6))[1][1])
    assert "1e-06" not in [delta for delta, _ in rows(report_of(found))]


def test_the_page_and_the_figures_name_what_was_audited() -> None:
    report = quick(needs_a_number)
    page, figures = report.to_html(), report.as_dict()
    assert figures["release"] == f"{__name__}.needs_a_number"
    assert figures["sfumato"] == version("sfumato")
    assert f"audited: {__name__}.needs_a_number, with sfumato {version('sfumato')}" in page
    assert "1 in 1,000,000" in page
    assert "4,000 draws" in page
    assert "<table" in page
    assert unescape(page).count(report.lines()[0]) == 3  # the title, the answer, and a picture's
    assert "&lt;lambda&gt;" in quick(lambda data: data).to_html()


def needs_a_number(dataset: int, n: int) -> list[int]:
    return [dataset] * n
