"""What must not be read wrongly: columns, frames, sets, balls, equal-looking inputs, NaN."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from flint import arb

from sfumato.audit.comparison import (
    Comparison,
    Interval,
    Judgement,
    Least,
    WitnessEvent,
    read_claim,
)
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import Independent, Parts, each
from sfumato.audit.exact.neighbours import neighbouring_pairs
from sfumato.audit.verdict import Worst
from sfumato.audit.verification import verify
from sfumato.errors import InputError
from sfumato.information.continuous import Laplace
from sfumato.mechanisms import FiniteDistribution
from sfumato.numeric import Enclosure, Exponentials, Ln
from sfumato.privacy import AddRemove, Substitute
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = Fraction(1, 2)


def counted(*, first: bool) -> Any:
    """The counts of nine and one, the greater first: their labels say which is which."""
    return pd.Series(["a"] * 9 + ["b"] if first else ["b"] * 9 + ["a"]).value_counts()


# Columns, frames, sets and arrays as distributions


@pytest.mark.parametrize(
    "distribution",
    [
        lambda value: counted(first=bool(value)),
        lambda value: pd.Series({"a": 0.9, "b": 0.1} if value else {"b": 0.9, "a": 0.1}),
        lambda value: pd.DataFrame([{"a": 0.9, "b": 0.1} if value else {"b": 0.9, "a": 0.1}]),
        lambda value: pl.DataFrame([{"a": 0.9, "b": 0.1} if value else {"b": 0.9, "a": 0.1}]),
        lambda value: pa.table({"a": [0.9], "b": [0.1]} if value else {"b": [0.9], "a": [0.1]}),
    ],
)
def test_the_labels_of_a_column_or_of_a_row_are_the_outcomes(
    distribution: Callable[[int], Any],
) -> None:
    assert verify(distribution, inputs=[0, 1], epsilon=Ln(9)).epsilon.exact == Ln(9)
    assert verify({0: distribution(0), 1: distribution(1)}, epsilon=0.1).status == "refuted"


@pytest.mark.parametrize("made", [pl.Series, pa.array, lambda row: pa.chunked_array([row])])
def test_a_column_without_an_index_is_a_list(made: Callable[[list[float]], Any]) -> None:
    table = {0: made([0.75, 0.25]), 1: made([0.25, 0.75])}
    assert verify(table, epsilon=1).epsilon.exact == Ln(3)


def test_a_column_of_rows_has_its_labels_for_inputs() -> None:
    table = pd.Series({"yes": [2, 1], "no": [1, 2]})
    assert verify(table, epsilon=1, neighbours=[("yes", "no")]).epsilon.exact == Ln(2)
    with raises_code("E-OUTCOMES-ALIKE"):
        verify(pd.Series([[2, 1], [1, 2]], index=["yes", "yes"]), epsilon=1)


def test_a_label_called_like_a_method_is_a_label() -> None:
    for name in ("outcomes", "factors", "distribution", "columns"):
        distribution = pd.Series({name: 0.75, "other": 0.25})
        assert verify({0: distribution, 1: 1 - distribution}, epsilon=2).epsilon.exact == Ln(3)


@pytest.mark.parametrize(
    ("distribution", "sentence"),
    [
        (pd.Series([0.5, 0.5], index=["a", "a"]), "names an outcome twice"),
        (pd.DataFrame([[0.9, 0.1], [0.1, 0.9]]), "is a frame of 2 rows; give one row"),
        (pl.DataFrame({"a": [0.9, 0.1]}), "is a frame of 2 rows; give one row"),
        (pd.DataFrame([[0.5, 0.5]], columns=["a", "a"]), "the same label"),
        ({0.9, 0.1}, "must give outcomes their probabilities"),
        (frozenset({0.9, 0.1}), "must give outcomes their probabilities"),
        ({"a": 1}.values(), "must give outcomes their probabilities"),
        ((share for share in (0.5, 0.5)), "must give outcomes their probabilities"),
        (np.array(0.5), "must give outcomes their probabilities"),
        (np.float64(0.5), "must give outcomes their probabilities"),
        (np.array([[0.5, 0.5]]), "is an array of 2 dimensions"),
        (np.ma.masked_array([0.5, 0.5], mask=[True, False]), "has a missing entry"),
        ({math.nan: HALF, float("nan"): HALF}, "names an outcome twice"),
    ],
)
def test_what_is_no_distribution_is_refused_in_a_sentence(distribution: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        verify(lambda value: distribution, inputs=[0, 1], epsilon=1)
    assert "\n" not in str(caught.value)


def test_what_is_masked_in_a_table_is_refused() -> None:
    table = np.ma.masked_array([[0.5, 0.5], [0.5, 0.5]], mask=[[True, False], [False, False]])
    with raises_code("E-NUMBER-NOT-FINITE"):
        verify(table, epsilon=1)
    with raises_code("E-ARGUMENT-TYPE", match="a mechanism is a table"):
        verify(np.array(0.5), epsilon=1)
    with raises_code(
        "E-LENGTHS-DIFFER", match="row of the input 0 has 2 entries and that of 1 has 3"
    ):
        verify({0: np.array([1, 1]), 1: np.array([1, 1, 1])}, epsilon=1)


@pytest.mark.parametrize(
    "tiny", [Decimal("1e-999999"), "1e-999999", "1e-10000", Decimal("1E9999999")]
)
def test_an_exponent_that_would_take_for_ever_is_refused(tiny: Any) -> None:
    with pytest.raises(InputError, match=r"too great an exponent|an infinite entry"):
        verify({0: [tiny, 1], 1: [0, 1]}, epsilon=1)
    assert verify({0: ["1e-9999", 1], 1: [0, 1]}, epsilon=1).status == "refuted"


def test_counts_beyond_the_floats_are_counts() -> None:
    huge = 10**400
    assert verify({0: [2 * huge, huge], 1: [huge, 2 * huge]}, epsilon=1).epsilon.exact == Ln(2)


# Balls


class Balls:
    """A distribution whose object gives whatever it was told to give for a ball."""

    outcomes = ("a", "b")

    def __init__(self, first: Any, second: Any) -> None:
        self._given = {"a": first, "b": second}

    def ball(self, outcome: str) -> Any:
        return self._given[outcome]


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (arb(1) / 10, arb(1) / 10, "has enclosures whose sum is certainly not 1, but off by 0.8"),
        (arb(2), arb(-1), "'b' has an enclosure that is certainly negative"),
        (arb("nan"), arb(1), "'a' has nan for an enclosure; give a flint.arb"),
        (arb(1), None, "'b' has None for an enclosure"),
        (arb(1), True, "'b' has True for an enclosure"),
        (arb(1), math.inf, "'b' must"),
        ("half", "half", "must be a number, not 'half'"),
        (None, None, "has a missing entry"),
        (2, 1, "sums to 3, not to 1"),
        (0.5, 0.25, r"sums to 0\.75, not to 1"),
    ],
)
def test_balls_of_no_probabilities_are_refused(first: Any, second: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        verify(lambda value: Balls(first, second), inputs=[0, 1], epsilon=1)


def test_balls_that_miss_one_are_refused_and_those_that_may_not_are_taken() -> None:
    logarithm = Ln(2)
    wrong = FiniteDistribution(["a", "b"], [logarithm.ball, logarithm.ball])
    with raises_code("E-PROBABILITIES-SUM"):
        verify({0: wrong, 1: wrong}, epsilon=0.01)
    vague = Balls(arb(0.5, 0.25), arb(0.5, 0.25))
    assert verify({0: vague, 1: {"a": 1, "b": 1}}, epsilon=1).status == "proved"
    assert verify({0: vague, 1: {"a": 1, "b": 1}}, epsilon=0.1).status == "undecided"


def test_balls_that_miss_one_only_by_more_bits_are_refused_when_that_shows() -> None:
    slight = Fraction(1, 10**60)
    wrong = FiniteDistribution(
        ["a", "b"], [lambda: arb(1) / 3 + arb(10) ** -60, lambda: arb(2) / 3]
    )
    assert slight < Fraction(1, 2**128)
    with raises_code("E-PROBABILITIES-SUM"):
        verify({0: wrong, 1: {"a": "1/3", "b": "2/3"}}, epsilon=0)


def test_numbers_for_balls_are_the_numbers_that_were_written() -> None:
    table = {0: Balls(0.75, 0.25), 1: Balls(Fraction(1, 4), Fraction(3, 4))}
    assert verify(table, epsilon=1).epsilon.exact == Ln(3)
    mixed = {0: Balls(arb(3) / 4, 0.25), 1: Balls(Fraction(1, 4), arb(3) / 4)}
    assert 1.0986 < verify(mixed, epsilon=1).epsilon.bounds.lower < 1.0987


# Equality


@pytest.mark.parametrize("pair", [(1, True), (0.0, -0.0), ((1, 0), (True, 0)), (1, Fraction(1))])
def test_inputs_that_python_holds_equal_have_each_their_own_distribution(
    pair: tuple[Any, Any],
) -> None:
    verdict = verify(lambda value: {repr(value): 1}, inputs=pair, neighbours="all", epsilon=9)
    assert verdict.status == "refuted"
    rows = [((first,), (second,)) for first, second in [pair]]
    assert verify(each(lambda row: {repr(row): 1}), neighbours=rows, epsilon=9).status == "refuted"


@pytest.mark.parametrize(
    "nan", [lambda: float("nan"), lambda: (0, float("nan")), lambda: Decimal("nan")]
)
def test_one_nan_is_like_another(nan: Callable[[], Any]) -> None:
    same = verify(lambda value: {nan(): 1, "b": 1}, inputs=[0, 1], epsilon=0)
    assert same.status == "proved"
    other = verify(lambda value: {nan(): 1 + value, "b": 1}, inputs=[0, 1], epsilon=0)
    assert (other.status, other.epsilon.exact) == ("refuted", Ln("3/2"))


def test_outcomes_that_python_holds_equal_are_one() -> None:
    assert verify({0: {1: 1}, 1: {True: 1}}, epsilon=0).status == "proved"
    assert verify({0: {0.0: 1}, 1: {-0.0: 1}}, epsilon=0).status == "proved"


# Neighbours


def test_a_mechanism_that_names_no_pairs_says_so() -> None:
    class Silent:
        def distribution(self, value: int) -> list[int]:
            return [1, value]

        def neighbours(self) -> list[tuple[int, int]]:
            return []

    with raises_code("E-NEIGHBOURS-MISSING"):
        verify(Silent(), epsilon=1)
    assert verify(Silent(), epsilon=1, neighbours=[(1, 2)]).status == "proved"


TABLES: list[Callable[[list[list[float]]], Any]] = [
    np.array,
    pd.DataFrame,
    lambda rows: pl.DataFrame(rows, schema=["a", "b"], orient="row"),
    lambda rows: pa.table(dict(zip("ab", zip(*rows, strict=True), strict=True))),
    lambda rows: [np.array(row) for row in rows],
]


@pytest.mark.parametrize("made", TABLES)
def test_arrays_and_frames_are_compared_by_their_rows(made: Callable[[Any], Any]) -> None:
    first, second, third = made([[0, 1], [0, 1]]), made([[0, 2], [0, 1]]), made([[5, 2], [0, 3]])
    found = list(neighbouring_pairs([first, second, third], Substitute()).pairs)
    assert [(a is first, b is second) for a, b in found] == [(True, True)]
    shorter = made([[0, 1]])
    assert len(list(neighbouring_pairs([first, shorter], AddRemove()).pairs)) == 1
    assert not list(neighbouring_pairs([first, shorter], Substitute()).pairs)


def test_missing_cells_are_alike_and_columns_are_not() -> None:
    a, b = (pd.DataFrame({"x": [math.nan, math.nan], "y": [1, last]}) for last in (1, 2))
    assert len(list(neighbouring_pairs([a, b], Substitute()).pairs)) == 1
    assert not list(neighbouring_pairs([a, b.rename(columns={"x": "z"})], Substitute()).pairs)


def test_arrays_are_inputs_of_a_verdict() -> None:
    inputs = [np.array([0, 1]), np.array([1, 1]), np.array([0, 0])]
    verdict = verify(lambda rows: [1 + int(rows.sum()), 3], inputs=inputs, epsilon=1)
    assert (verdict.status, verdict.pairs) == ("proved", 2)
    survey = each({0: [2, 1], 1: [1, 2]})
    assert verify(survey, inputs=inputs, epsilon=1).epsilon.exact == Ln(2)
    with raises_code("E-ARGUMENT-TYPE", match="each takes a table as a list of its rows"):
        verify(survey, inputs=[pd.DataFrame([0]), pd.DataFrame([1])], epsilon=1)


@pytest.mark.parametrize(
    ("neighbours", "sentence"),
    [
        (Substitute, r"write sf\.privacy\.Substitute\(\)"),
        (AddRemove, r"write sf\.privacy\.AddRemove\(\)"),
        (lambda a: True, "neighbours takes a function of two inputs"),
        (lambda a, b, c: True, "neighbours takes a function of two inputs"),
        (lambda a, b: np.array([True, False]), "let it return True or False"),
        (lambda a, b: pd.NA, "let it return True or False"),
    ],
)
def test_wrong_neighbours_are_refused(neighbours: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        verify(lambda value: {value: 1}, inputs=[0, 1], neighbours=neighbours, epsilon=1)


@pytest.mark.parametrize("inputs", ["ab", pd.DataFrame({"a": [1], "b": [2]})])
def test_text_and_frames_are_no_lists_of_inputs(inputs: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", "inputs"):
        verify(lambda value: {value: 1}, inputs=inputs, epsilon=1)


def test_the_name_of_a_file_is_no_mechanism() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="a file is verified by sfumato verify FILE"):
        verify("survey.csv", epsilon=1)


def test_too_many_pairs_are_refused_at_once() -> None:
    survey = each(lambda row: {row: 2, (row + 1) % 100: 1})
    with raises_code("E-TOO-LARGE", match="more than 5,000,000 pairs of tables to go through"):
        verify(survey, inputs=Datasets(range(100), size=5), neighbours=Substitute(3), epsilon=1)
    vast = Datasets([0, 1], size=100)
    for neighbours in ("all", lambda a, b: a < b):
        with raises_code("E-TOO-LARGE", match="more than 5,000,000 tables to go through"):
            verify(lambda table: {0: 1}, inputs=vast, neighbours=neighbours, epsilon=1)


# What a witness says


def test_a_part_that_is_not_exact_is_named_by_its_place() -> None:
    distribution = lambda value: Independent([[1, 1], Laplace(value, 1)])  # noqa: E731
    verdict = verify(distribution, neighbours=[(0, 1)], epsilon=0.5)
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    assert verdict.witness.event is not None
    (parts,) = verdict.witness.event.outcomes
    assert isinstance(parts, Parts)
    assert (0, -100) in parts or (0, 100) in parts
    assert "at index 1" in str(verdict)
    assert "Interval" not in str(verdict)


def test_parts_within_parts_and_intervals_are_said_in_words() -> None:
    inner = Parts({1: ["yes"]})
    assert repr(Parts({0: [inner]})) == "with (with 'yes' at index 1) at index 0"
    assert (("no", "yes"),) in Parts({0: [inner]})
    assert (("no", "no"),) not in Parts({0: [inner]})
    half = Parts({2: [Interval(Fraction(1, 2), None)]})
    assert repr(half) == "with at least 0.5 at index 2"
    assert (0, 0, 0.5) in half
    assert (0, 0, 0.25) not in half


def test_independent_parts_within_parts_are_read() -> None:
    distribution = lambda value: Independent([Independent([[1, value + 1]]), [1, 1]])  # noqa: E731
    assert verify(distribution, inputs=[0, 1], epsilon=1).epsilon.exact == Ln("3/2")
    with raises_code("E-PROBABILITY-NEGATIVE"):
        verify(lambda value: Independent([[1], Independent([[-1]])]), inputs=[0, 1], epsilon=1)


def test_distributions_of_other_lengths_are_said_in_words() -> None:
    verdict = verify(lambda value: Independent([[1, 1]] * (value + 1)), inputs=[0, 1], epsilon=1)
    assert verdict.lines()[-1].startswith("the output of one part has probability 1 on the first")


# Lower bounds by what was refuted


class Vague(Comparison):
    """A comparison that refutes, and bounds nothing by itself."""

    def __init__(self, event: WitnessEvent | None) -> None:
        self._event = event

    def least_epsilon(self, delta: Fraction) -> Least:
        return Least(Enclosure(0.0, math.inf))

    def least_delta(self, epsilon: Any) -> Least:
        return Least(Enclosure(0.0, 1.0))

    def renyi(self, order: Fraction) -> Least:
        return Least(Enclosure(0.0, math.inf))

    def judge(self, claim: Any) -> Judgement:
        return Judgement(holds=False, event=self._event)


@pytest.mark.parametrize(
    ("event", "least"),
    [
        (None, 0.5),
        (WitnessEvent(("a",), Fraction(9, 10), Fraction(1, 10)), math.log(8)),
        (WitnessEvent(("a",), Enclosure(0.9, 1.0), Enclosure(0.0, 0.1)), math.log(8)),
        (WitnessEvent(("a",), Fraction(1, 2), Fraction(0)), math.inf),
        (WitnessEvent(("a",), Enclosure(0.0, 1.0), Enclosure(0.0, 1.0)), 0.5),
    ],
)
def test_what_refutes_bounds_the_least_values_from_below(
    event: WitnessEvent | None, least: float
) -> None:
    worst = Worst(read_claim("0.5", "0.1"))
    worst.add(Vague(event), ("x", "y"))
    verdict = worst.verdict(pairs=1, scope="one pair")
    assert verdict.delta is not None
    assert math.isclose(verdict.epsilon.bounds.lower, least, rel_tol=1e-9)
    assert verdict.epsilon.bounds.lower <= least
    assert 0.0999 < verdict.delta.bounds.lower <= 0.1


def test_a_refuted_tie_of_exponentials_is_bounded_by_the_claim() -> None:
    close = {x: {"a": Exponentials({Fraction(x, 10**60): 1}), "b": 1} for x in (0, 1)}
    verdict = verify(close, epsilon=Fraction(1, 10**61))
    assert verdict.status == "refuted"
    assert verdict.epsilon.bounds.lower > 9e-62
    renyi = Worst(read_claim(2, 0, 3))
    renyi.add(Vague(None), ("x", "y"))
    assert renyi.verdict(pairs=1, scope="one pair").epsilon.bounds.lower == 2


def test_a_vast_epsilon_is_shown_by_its_digits() -> None:
    verdict = verify({0: [1, 2], 1: [2, 1]}, epsilon=10**400)
    assert "inf" not in verdict.lines()[0]
