"""What is printed of an interval covers it, and is not much wider."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from sfumato.printing.layout import as_written, to_places
from sfumato.survey.collector.estimates import Estimate
from sfumato.survey.collector.render import interval_text, number_text
from sfumato.tables.render import with_intervals

Span = tuple[Fraction, Fraction]


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(each) for each in re.findall(r"-?\d+(?:\.\d+)?", text.replace(",", ""))]


def _span(text: str) -> Span:
    """Return the ends that a text shows, after its value."""
    value, *rest = _numbers(text)
    return (value - rest[0], value + rest[0]) if "±" in text else (rest[0], rest[1])


def _covers(outer: Span, low: float, high: float) -> bool:
    return outer[0] <= as_written(low) and as_written(high) <= outer[1]


def _bars(count: int) -> list[tuple[float, float, float]]:
    """Return values with intervals of every size, of sides that are alike and that are not."""
    random = np.random.default_rng(12)
    values = random.normal(0, 1, count) * 10 ** random.uniform(-6, 9, count)
    below = 10 ** random.uniform(-6, 6, count)
    above = below * random.choice([1, 1.05, 3], count)
    ends = zip(values, values - below, values + above, strict=True)
    return [tuple(map(float, each)) for each in ends]  # type: ignore[misc]


def test_an_interval_is_covered_and_the_value_is_in_it() -> None:
    for value, low, high in _bars(2000):
        (shown,) = with_intervals([value], [low], [high])
        span = _span(shown)
        assert _covers(span, low, high), (shown, low, high)
        assert span[0] <= _numbers(shown)[0] <= span[1]
        assert span[1] - span[0] <= Fraction(7, 4) * (as_written(high) - as_written(low)) + 10**-8


def test_rounding_to_the_nearest_would_not_cover() -> None:
    near = (f"{value:.1f} ± {high - value:.1f}" for value, _, high in _bars(2000))
    missed = [
        not _covers(_span(each), *bar[1:]) for each, bar in zip(near, _bars(2000), strict=True)
    ]
    assert sum(missed) > 500


@pytest.mark.parametrize(
    ("bar", "shown"),
    [
        ((5.0, 3.551, 6.449), "5.0 ± 1.5"),
        ((0.3, 0.2, 0.4), "0.30 ± 0.10"),
        ((12, 9, 15), "12 ± 3"),
        ((10**400, 10**400 - 1, 10**400 + 1), f"{10**400:,} ± 1"),
        ((-0.004, -3.0, 9.0), "0.0 (-3.0 to 9.0)"),
        ((1e300, 0.9e300, 1.1e300), f"{10**300:,} ± {10**299:,}"),
        ((1.0, -math.inf, math.inf), "1.000000 (-∞ to ∞)"),
        ((1.0, 0.5, math.inf), "1.000000 (0.500000 to ∞)"),
        ((2.0, 2.0, 2.0), "2.000000 ± 0.000000"),
    ],
)
def test_intervals_are_written_with_as_many_digits_as_mean_something(
    bar: tuple[float, float, float], shown: str
) -> None:
    assert with_intervals(*([each] for each in bar)) == [shown]


def test_a_column_has_one_form_of_intervals() -> None:
    """Uneven anywhere is from … to everywhere; what differs by its rounding alone is alike."""
    even = with_intervals([135, 133], [127, 125], [142, 141])
    assert even == ["135 ± 8", "133 ± 8"]
    assert with_intervals([135, 133], [127, 125], [160, 141]) == [
        "135 (127 to 160)",
        "133 (125 to 141)",
    ]
    rounded = with_intervals([100.04, 99.96, 7.0], [94.04, 93.96, 1.0], [106.04, 105.96, 13.0])
    assert len({each.partition(" ± ")[2] for each in rounded}) == 1
    for given in ([], [1]):
        assert with_intervals(given, given, given) == [f"{each} ± 0" for each in given]


def test_the_intervals_of_a_column_are_covered() -> None:
    bars = list(_bars(400))
    for shown, (_, low, high) in zip(with_intervals(*zip(*bars, strict=True)), bars, strict=True):
        assert _covers(_span(shown), low, high), (shown, low, high)


def test_an_interval_of_a_survey_is_covered() -> None:
    for value, low, high in _bars(500):
        assert _covers(_span(number_text(Estimate(value, 0.0, low, high))), low, high)
    random = np.random.default_rng(12)
    for low, high in np.sort(random.uniform(0, 1, (500, 2))):
        found = Estimate((low + high) / 2, 0.0, low, high)
        ends = [each / 100 for each in _numbers(interval_text(found, high - low))]
        assert _covers((ends[0], ends[1]), low, high)
        assert _covers(_span(str(found)), low, high)


def test_a_share_that_is_written_with_few_digits_stays_as_it_is() -> None:
    assert interval_text(Estimate(0.2, 0.1, 0.07, 0.29), 0.3) == "7.0 to 29.0"
    assert to_places(Fraction(-1, 1000), 1) == 0
