"""Sample and aggregate over random blocks, for any function a user brings (row M-SA-1)."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import compose
from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import (
    FALSE_ALARM,
    NO_POSITIVE_NUMBERS,
    NO_VALUES,
    fit,
    keeps,
    missed,
    refuses,
)
from tests.sampling.scripted import ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanisms import OutputDistribution

    Rows = tuple[int, ...]

RANDOM = np.random.default_rng(5)
OUTPUTS = [0.0, 1.0, 2.0, 4.0]


def aggregated(function: Callable[[Any], Any], **options: Any) -> SampleAndAggregate:
    return SampleAndAggregate(function, **{"epsilon": 1, "bounds": (0, 4), "blocks": 2, **options})


def median_of_means(source: SeededSource, incomes: Any) -> float:
    mechanism = SampleAndAggregate(
        mean, epsilon=1, bounds=(0, 200), rows=20_000, aggregate="median"
    )
    return float(mechanism.release(incomes, source=source))


def test_a_median_of_means_against_the_plain_mean() -> None:
    """Block means are off by about 30/sqrt(380), the grid and the ranks add a little."""
    incomes = RANDOM.gamma(4, 15, size=20_000)
    source = SeededSource(1)
    errors = [abs(median_of_means(source, incomes) - incomes.mean()) for _ in range(5)]
    assert max(errors) < 6
    assert np.mean(errors) < 2


def slope(block: Any) -> float:
    return float(np.polyfit(block[:, 0], block[:, 1], 1)[0])


def test_a_regression_coefficient_against_the_plain_one() -> None:
    """The noise has scale 10/100; the coefficients of blocks scatter around the plain one."""
    x = RANDOM.normal(size=20_000)
    rows = np.column_stack([x, 2 * x + RANDOM.normal(size=20_000)])
    mechanism = SampleAndAggregate(slope, epsilon=1, bounds=(-5, 5), blocks=100)
    source = SeededSource(2)
    found = [float(mechanism.release(rows, source=source)) for _ in range(20)]
    bound = mechanism.error(confidence=0.95)
    assert bound == pytest.approx(0.1 * math.log(20), rel=1e-6)
    assert sum(abs(each - slope(rows)) > bound for each in found) <= 5
    assert abs(np.mean(found) - slope(rows)) < 0.1


def test_several_coefficients_at_once() -> None:
    x = RANDOM.normal(size=5_000)
    rows = np.column_stack([x, 2 * x + 30 + RANDOM.normal(size=5_000)])
    line = lambda block: np.polyfit(block[:, 0], block[:, 1], 1)  # noqa: E731
    for aggregate in ("mean", "median"):
        mechanism = SampleAndAggregate(
            line, epsilon=4, bounds=[(-5, 5), (0, 100)], blocks=100, aggregate=aggregate
        )
        found = mechanism.release(rows, source=SeededSource(3)).value
        assert found.shape == (2,)
        assert abs(found[0] - 2) < 0.5
        assert abs(found[1] - 30) < 5


def spiked(block: Any) -> float:
    return 4.0 if sum(block) == 2 else 0.0


def order_matters(block: Any) -> float:
    return float(block[0] + 2 * block[-1])


def long_or_high(block: Any) -> float:
    return 4.0 if len(block) + block[0] >= 2 else 0.0


def fails_often(block: Any) -> float:
    return float(4 / (block[0] - 1))


TABLES = [rows for size in range(4) for rows in product((0, 1, 2), repeat=size)]


def added(rows: Rows) -> list[Rows]:
    return [(*rows[:i], new, *rows[i:]) for i in range(len(rows) + 1) for new in (0, 1, 2)]


def substituted(rows: Rows) -> list[Rows]:
    return [(*rows[:i], new, *rows[i + 1 :]) for i in range(len(rows)) for new in (0, 1, 2)]


def all_neighbours(change: Callable[[Rows], list[Rows]]) -> list[tuple[Rows, Rows]]:
    pairs = {(rows, other) for rows in TABLES for other in change(rows) if len(other) < 4}
    return sorted(pairs)


def kept(
    distribution: Callable[[Rows], OutputDistribution[Any]],
    change: Callable[[Rows], list[Rows]],
    epsilon: Any = 1,
) -> bool:
    distributions = {rows: distribution(rows) for rows in TABLES}
    return all(
        keeps(distributions[one], distributions[other], OUTPUTS, epsilon)
        and keeps(distributions[other], distributions[one], OUTPUTS, epsilon)
        for one, other in all_neighbours(change)
    )


@pytest.mark.parametrize("function", [spiked, order_matters, fails_often])
@pytest.mark.parametrize("change", [added, substituted])
def test_the_guarantee_on_all_small_tables(
    function: Callable[[Any], Any], change: Callable[[Rows], list[Rows]]
) -> None:
    """Whatever the function, over all ways to split the rows, for both relations."""
    assert kept(aggregated(function, default=4).distribution, change)


def test_half_the_noise_breaks_the_guarantee() -> None:
    assert not kept(aggregated(spiked, epsilon=2).distribution, added)
    assert not kept(aggregated(spiked, epsilon=2).distribution, substituted)


def test_blocks_by_position_break_the_guarantee_where_rows_are_added() -> None:
    """Twin: a row that is added in front moves the others into other blocks."""
    mechanism = aggregated(long_or_high)

    def by_position(rows: Rows) -> OutputDistribution[Any]:
        halves = rows[: len(rows) // 2], rows[len(rows) // 2 :]
        return mechanism.distribution_of_answers(
            [long_or_high(half) if half else 2 for half in halves]
        )

    assert not kept(by_position, added)
    assert kept(by_position, substituted)


def test_a_block_that_gives_no_answer_breaks_the_guarantee() -> None:
    """Twin: a mean over the blocks that did not fail."""
    mechanism = aggregated(fails_often)

    def of_the_rest(rows: Rows) -> OutputDistribution[Any]:
        answers = [1.0] if 1 in rows else [4.0, 4.0]
        return mechanism.distribution_of_answers([mean(answers)] * 2)

    assert not kept(of_the_rest, substituted)


@pytest.mark.parametrize("aggregate", ["mean", "median"])
def test_releases_follow_the_distribution(aggregate: str) -> None:
    """Over the random blocks and the noise; the distribution of a neighbour is told apart."""
    mechanism = aggregated(sum, epsilon=4, aggregate=aggregate)
    source, rows = SeededSource(8), [1, 2, 1]
    draws = np.array([mechanism.release(rows, source=source).value for _ in range(2000)])
    edges = [1.0, 2.0, 3.0]
    assert fit(draws, mechanism.distribution(rows), edges) > FALSE_ALARM
    assert fit(draws, mechanism.distribution([1, 2, 2]), edges) < FALSE_ALARM


@pytest.mark.parametrize(
    "odd",
    [
        lambda _: math.nan,
        lambda _: math.inf,
        lambda _: "many",
        lambda _: None,
        lambda _: True,
        lambda _: [1, 2],
        lambda _: np.array([1.0, 2.0]),
        lambda _: 1j,
        lambda _: Decimal("NaN"),
        lambda block: block[99],
        lambda _: (_ for _ in ()).throw(RuntimeError("a secret")),
    ],
)
def test_a_block_that_fails_gives_the_default(odd: Any) -> None:
    mechanism = aggregated(odd, default=3)
    other = aggregated(lambda _: 3, default=3)
    released = mechanism.release([1, 2, 3], source=SeededSource(1)).value
    assert released == other.release([1, 2, 3], source=SeededSource(1)).value


@pytest.mark.parametrize(
    "odd", [lambda _: 1.0, lambda _: [1.0], lambda _: [1, 2, 3], lambda _: "ab"]
)
def test_a_wrong_number_of_numbers_gives_the_default(odd: Any) -> None:
    options: dict[str, Any] = {"bounds": [(0, 1), (0, 2)], "default": (1, 2)}
    found = aggregated(odd, **options).release([1], source=SeededSource(1)).value
    other = aggregated(lambda _: (1, 2), **options).release([1], source=SeededSource(1)).value
    assert found.tolist() == other.tolist()


@pytest.mark.parametrize(
    ("answer", "counts_as"),
    [(10**400, 4), (-5, 0), (np.float32(0.5), 0.5), (np.array(2), 2), (Decimal("0.25"), 0.25)],
)
def test_answers_are_clamped_exactly(answer: Any, counts_as: float) -> None:
    found = aggregated(lambda _: answer).distribution([])
    assert found.parts[0][1] == aggregated(len).distribution_of_answers([2, 2])  # type: ignore[attr-defined]
    released = aggregated(lambda _: answer, blocks=1).release([1], source=SeededSource(1))
    other = aggregated(lambda _: counts_as, blocks=1).release([1], source=SeededSource(1))
    assert released.value == other.value


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_passes_through(stop: type[BaseException]) -> None:
    def interrupted(_: Any) -> float:
        raise stop

    with pytest.raises(stop):
        aggregated(interrupted).release([1])


FRAME = pd.DataFrame({"x": range(30), "y": range(30)}, index=[f"row {i}" for i in range(30)])


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([[i, i] for i in range(30)], list),
        (tuple([i, i] for i in range(30)), list),
        (np.arange(60).reshape(30, 2), np.ndarray),
        (FRAME, pd.DataFrame),
        (FRAME["x"], pd.Series),
        (pl.DataFrame({"x": range(30), "y": range(30)}), pl.DataFrame),
        (pl.Series(range(30)), pl.Series),
    ],
)
def test_blocks_have_the_type_of_the_rows_and_share_none(rows: Any, kind: type) -> None:
    seen: list[int] = []
    mechanism = aggregated(lambda block: counted(block, kind, seen), blocks=4, bounds=(0, 30))
    mechanism.release(rows, source=SeededSource(1))
    assert len(seen) == 4
    assert sum(seen) == 30


def counted(block: Any, kind: type[Any], seen: list[int]) -> int:
    """How many rows a block has, noted down: what a test may do, and a user must not."""
    seen.append(len(block) if type(block) is kind else 0)
    return seen[-1]


@given(st.integers(1, 5), st.integers(0, 40))
def test_every_row_is_in_one_block(blocks: int, size: int) -> None:
    seen: list[int] = []
    mechanism = aggregated(seen.extend, blocks=blocks)
    mechanism.release(list(range(size)), source=SeededSource(size))
    assert sorted(seen) == list(range(size))


def test_without_rows_every_block_has_the_default() -> None:
    mechanism = aggregated(fails_often, default=1)
    assert (
        mechanism.distribution([]).cdf(1).upper
        == mechanism.distribution_of_answers([1, 1]).cdf(1).upper
    )
    mechanism.release([])


@given(st.lists(st.fractions(0, 4), min_size=2, max_size=2))
def test_the_error_bound_covers(answers: list[Fraction]) -> None:
    mechanism = aggregated(len)
    bound = Fraction(mechanism.error(confidence=0.9))
    assert (
        missed(mechanism.distribution_of_answers(answers), sum(answers) / Fraction(2), bound) <= 0.1
    )


def test_events_and_groups() -> None:
    for aggregate, bounds in product(("mean", "median"), ((0, 1), [(0, 1), (0, 9)])):
        mechanism = aggregated(len, epsilon=Ln(2), aggregate=aggregate, bounds=bounds)
        found = compose(mechanism.event_at(3)).epsilon(delta=0)
        assert found == pytest.approx(3 * math.log(2))
        assert found <= mechanism.guarantee_at(3).epsilon(delta=0)
    assert str(mechanism.guarantee_at(3).relation) == "add or remove three rows"


@pytest.mark.parametrize("aggregate", ["mean", "median"])
def test_several_numbers_share_epsilon(aggregate: str) -> None:
    both = aggregated(len, epsilon=2, aggregate=aggregate, bounds=[(0, 4), (0, 4)])
    assert both.error() == aggregated(len, epsilon=1, aggregate=aggregate).error()


def test_the_number_of_blocks_from_public_rows() -> None:
    assert aggregated(len, blocks=None, rows=100_000).blocks == 100
    assert aggregated(len, blocks=None, rows=1).blocks == 1
    refuses(lambda: aggregated(len, blocks=None))
    refuses(lambda: aggregated(len, rows=5))


def test_distributions_that_cannot_be_told_are_refused() -> None:
    assert "distribution_of_answers" in refuses(
        lambda: aggregated(len).distribution(list(range(11)))
    )
    refuses(lambda: aggregated(len, bounds=[(0, 1), (0, 2)]).distribution([1]))
    refuses(lambda: aggregated(len).distribution_of_answers([1]))


@pytest.mark.parametrize("rows", [*[each for each in NO_VALUES if not isinstance(each, list)], 3])
def test_rows_of_another_type_are_refused(rows: Any) -> None:
    refuses(lambda: aggregated(len).release(rows, source=ScriptedSource()))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: aggregated(len, epsilon=wrong))
    refuses(lambda: aggregated(len, blocks=wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"bounds": (4, 0)},
        {"bounds": []},
        {"bounds": [(0, 1), (1, 0)]},
        {"bounds": (0, math.inf)},
        {"bounds": None},
        {"default": 5},
        {"default": "middle"},
        {"default": [1]},
        {"aggregate": "mode"},
        {"aggregate": None},
        {"blocks": 10**7},
        {"relation": AddRemove(unit=Person("id"))},
        {"relation": Substitute(2)},
        {"function": 3},
    ],
)
def test_other_parameters_are_refused(wrong: dict[str, Any]) -> None:
    function = wrong.pop("function", len)
    refuses(lambda: aggregated(function, **wrong))
