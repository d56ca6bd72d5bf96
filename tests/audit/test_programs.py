"""Composed and adaptive programs, unrolled: composition adds, and a peek is found out."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.audit.exact.programs import Transcript, unroll
from sfumato.audit.verification import verify
from sfumato.errors import InputError
from sfumato.mechanisms import FiniteDistribution
from sfumato.numeric import Exponentials, Ln
from tests.refusing import raises_code

Draw = Callable[[Any], Any]

NOISY = {0: {0: 2, 1: 1}, 1: {0: 1, 1: 2}}
FINER = {0: {0: 3, 1: 1}, 1: {0: 1, 1: 3}}


def test_two_answers_add_exactly_and_less_is_refuted() -> None:
    """M-COMP-1, proposition 5.4."""

    def both(data: int, draw: Draw) -> tuple[int, int]:
        return draw(NOISY[data]), draw(FINER[data])

    verdict = verify(unroll(both), epsilon=Ln(6), inputs=[0, 1])
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Ln(6))
    assert verify(unroll(both), epsilon=Ln("599/100"), inputs=[0, 1]).status == "refuted"


def test_a_second_question_may_depend_on_the_first_answer() -> None:
    """M-COMP-1, proposition 5.5: adaptive, at most the sum along each path."""

    def adaptive(data: int, draw: Draw) -> None:
        if draw(NOISY[data]):
            draw(FINER[data])

    distribution = unroll(adaptive).distribution(1)
    assert set(distribution.outcomes) == {Transcript((0,)), Transcript((1, 0)), Transcript((1, 1))}
    verdict = verify(unroll(adaptive), epsilon=Ln(6), inputs=[0, 1])
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Ln(6))
    assert verify(unroll(adaptive), epsilon=Ln(5), inputs=[0, 1]).status == "refuted"


def test_a_program_that_peeks_at_the_data_is_refuted_with_an_infinite_loss() -> None:
    def peeking(data: int, draw: Draw) -> int:
        return draw(NOISY[data]) if draw({"look": 1, "away": 99}) == "away" else data

    def staring(data: int, draw: Draw) -> int:
        return data

    verdict = verify(unroll(staring), epsilon=100, inputs=[0, 1])
    assert verdict.status == "refuted"
    assert verdict.epsilon.bounds.lower == math.inf
    assert verify(unroll(peeking), epsilon=Ln(2), inputs=[0, 1]).status == "refuted"
    assert verify(
        unroll(peeking), epsilon=Ln("101/49"), delta=0, inputs=[0, 1]
    ).epsilon.exact == Ln("67/33")


def test_post_processing_costs_nothing() -> None:
    """Proposition 5.6, and a twin that processes the data beside the answer."""

    def processed(data: int, draw: Draw) -> str:
        return "high" if draw(NOISY[data]) + draw({0: 1, 1: 1}) else "low"

    def beside(data: int, draw: Draw) -> tuple[int, int]:
        return draw(NOISY[data]), data

    assert verify(unroll(processed), epsilon=Ln(2), inputs=[0, 1]).status == "proved"
    assert verify(unroll(beside), epsilon=Ln(2), inputs=[0, 1]).status == "refuted"


@given(
    st.lists(
        st.lists(st.integers(0, 4), min_size=2, max_size=2).filter(any), min_size=1, max_size=3
    )
)
def test_the_distribution_is_the_sum_over_paths(distributions: list[list[int]]) -> None:
    distribution = unroll(
        lambda data, draw: sum(draw(each) for each in distributions)
    ).distribution(None)
    wanted = {0: Fraction(1)}
    for each in distributions:
        step = {i: Fraction(w, sum(each)) for i, w in enumerate(each)}
        wanted = {
            total: sum((wanted.get(total - i, Fraction(0)) * step[i] for i in (0, 1)), Fraction(0))
            for total in range(len(distributions) + 1)
        }
    found = dict(zip(distribution.outcomes, distribution.values, strict=True))
    assert found == {total: share for total, share in wanted.items() if share}


def test_exponentials_with_different_totals_on_different_paths_are_exact() -> None:
    e = Exponentials.exp(1)
    tilted = {0: {0: e, 1: 1}, 1: {0: 1, 1: e}}

    def program(data: int, draw: Draw) -> tuple[int, int]:
        first = draw({0: e, 1: 2})
        return first, draw(tilted[data]) if first else draw({0: 1, 1: 1})

    verdict = verify(unroll(program), epsilon=1, inputs=[0, 1])
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Fraction(1))
    assert (
        verify(unroll(program), epsilon=1 - Fraction(1, 10**12), inputs=[0, 1]).status == "refuted"
    )


def clamped(centre: int, epsilon: Fraction, top: int = 4) -> dict[int, Exponentials]:
    """Discrete Laplace noise clamped to 0..top; weights over 1 + e^-ε."""

    def tail(distance: int) -> Exponentials:
        return Exponentials.exp(-epsilon * distance)

    inner = {j: tail(abs(j - centre)) - tail(abs(j - centre) + 1) for j in range(1, top)}
    return {0: tail(centre), **inner, top: tail(top - centre)}


def test_a_count_that_is_asked_again_where_it_looks_large_adds_exactly() -> None:
    """M-COMP-1: ε of 1/2, and of 1 more where the first answer is above 2."""

    def twice(data: int, draw: Draw) -> tuple[int, int | None]:
        rough = draw(clamped(data, Fraction(1, 2)))
        return rough, draw(clamped(data, Fraction(1))) if rough > 2 else None

    neighbours = [(data, data + 1) for data in range(4)]
    verdict = verify(unroll(twice), epsilon=1.5, neighbours=neighbours)
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Fraction(3, 2))
    below = Fraction(3, 2) - Fraction(1, 10**12)
    assert verify(unroll(twice), epsilon=below, neighbours=neighbours).status == "refuted"


# Refusals


def test_a_program_with_its_own_randomness_is_caught() -> None:
    def careless(data: int, draw: Draw) -> Any:
        return draw([1, 1 + next(calls) % 2])

    def shrinking(data: int, draw: Draw) -> Any:
        runs = next(calls)
        return draw([1, 1]) if runs else draw([1, 1]) + draw([1, 1])

    for program in (careless, shrinking):
        calls = count()
        with raises_code("E-PROGRAM-DIVERGED"):
            unroll(program).distribution(0)


def test_too_many_ways_through_are_refused() -> None:
    def long(data: int, draw: Draw) -> None:
        for _ in range(6):
            draw([1, 1])

    assert len(unroll(long, most_paths=64).distribution(0).outcomes) == 64
    with raises_code("E-PROGRAM-TOO-LARGE"):
        unroll(long, most_paths=63).distribution(0)


def test_what_cannot_be_compared_is_refused() -> None:
    with raises_code("E-FUNCTION-RESULT"):
        unroll(lambda data, draw: [draw([1, 1])]).distribution(0)
    with raises_code("E-ARGUMENT-TYPE", match="unroll takes a function"):
        unroll(3)  # type: ignore[arg-type]
    with raises_code("E-ARGUMENT-RANGE", "most_paths"):
        unroll(lambda data, draw: data, most_paths=0)


def test_a_wrong_distribution_in_a_draw_is_refused() -> None:
    with raises_code("E-PROBABILITIES-SUM"):
        unroll(lambda data, draw: draw([0.5, 0.6])).distribution(0)
    balls = FiniteDistribution([0, 1], [lambda: arb(1) / 3, lambda: arb(2) / 3])
    with raises_code("E-DISTRIBUTION-FORM"):
        unroll(lambda data, draw: draw(balls)).distribution(0)


def test_impossible_outcomes_are_no_paths() -> None:
    distribution = unroll(lambda data, draw: draw({"a": 0, "b": 1, "c": 0})).distribution(0)
    assert distribution.outcomes == ("b",)


# Hidden state, transcripts and endless programs


def test_data_that_a_program_changes_are_fresh_on_every_run() -> None:
    def emptying(data: list[int], draw: Draw) -> int:
        draw([1, 1])
        found, data[0] = data[0], 0
        return found

    verdict = verify(unroll(emptying), neighbours=[([0], [1])], epsilon=0, delta=0.5)
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    assert {str(each) for each in verdict.witness.inputs} == {"[0]", "[1]"}


class Uncopied(list[int]):
    """Data that cannot be copied."""

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError


def test_state_that_lasts_from_run_to_run_is_caught() -> None:
    runs = count(1)

    def alternating(data: int, draw: Draw) -> int:
        draw([1, 1])
        return data if next(runs) % 2 else 0

    def emptying(data: list[int], draw: Draw) -> int:
        draw([1, 1])
        found, data[0] = data[0], 0
        return found

    for program, data in ((alternating, 1), (emptying, Uncopied([1]))):
        with raises_code("E-PROGRAM-DIVERGED"):
            unroll(program).distribution(data)
    assert unroll(lambda data, draw: data[0]).distribution(Uncopied([1])).outcomes == (1,)


def test_a_coin_of_its_own_gives_a_program_away() -> None:
    source = np.random.default_rng(5)
    with raises_code("E-PROGRAM-DIVERGED"):
        unroll(lambda data, draw: (draw([1, 1]), source.random() < 0.5)).distribution(0)


def test_a_divergence_that_the_program_catches_is_refused_all_the_same() -> None:
    runs = count()

    def forgiving(data: int, draw: Draw) -> int:
        with suppress(InputError):
            draw([1, 1 + next(runs)])
        return 0

    with raises_code("E-PROGRAM-DIVERGED"):
        unroll(forgiving).distribution(0)


def test_a_late_change_is_caught() -> None:
    """Replays do not stop after the first paths."""
    runs = count()

    def late(data: int, draw: Draw) -> tuple[int, ...]:
        return (*(draw([1, 1]) for _ in range(12)), max(next(runs) - 5001, 0))

    with raises_code("E-PROGRAM-DIVERGED"):
        unroll(late).distribution(0)


def test_a_transcript_is_no_tuple_and_is_not_mixed_with_values() -> None:
    def mixed(data: int, draw: Draw) -> tuple[str] | None:
        return None if draw({"x": 1, "y": data}) == "x" else ("x",)

    def other(data: int, draw: Draw) -> tuple[str] | None:
        draw({"x": 1})
        return ("x",) if data else None

    (transcript,) = unroll(other).distribution(0).outcomes
    assert transcript != ("x",)
    assert str(transcript) == "('x',)"
    with raises_code("E-FUNCTION-RESULT"):
        unroll(mixed).distribution(1)
    with raises_code("E-FUNCTION-RESULT"):
        verify(unroll(other), inputs=[0, 1], epsilon=0)


def test_nan_is_the_same_output_on_every_path_and_replay() -> None:
    program = unroll(lambda data, draw: float("nan") if draw([1, 1]) else draw([1, 1]))
    assert len(program.distribution(0).outcomes) == 3
    assert verify(program, inputs=[0, 1], epsilon=0).status == "proved"
    both = unroll(lambda data, draw: (draw([1, 1]), float("nan"))[1])
    assert both.distribution(0).values == (1,)


@pytest.mark.full
def test_endless_programs_are_refused_before_long() -> None:
    drawn = count()

    def until(stop: int) -> Callable[[Any, Draw], int]:
        return lambda data, draw: next(i for i, _ in zip(count(), drawn) if draw([1, 1]) == stop)

    for stop in (0, 1):
        with pytest.raises(InputError, match="more than 1,000 times on one way through it"):
            unroll(until(stop)).distribution(0)
    assert next(drawn) < 3_000_000
    with pytest.raises(InputError, match="more than 100,000 ways through it"):
        unroll(lambda data, draw: draw([1] * 100_001)).distribution(0)
    with pytest.raises(InputError, match="more than 5 ways through it"):
        unroll(until(0), most_paths=5).distribution(0)
