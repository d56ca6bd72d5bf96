"""What all choices share: the guarantee, the error, the reading of utilities, refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.mechanisms.choices.exponential import Exponential
from sfumato.mechanisms.choices.permute_and_flip import PermuteAndFlip
from sfumato.mechanisms.choices.report_noisy_max import ReportNoisyMax
from sfumato.mechanisms.choices.selection import read_utilities
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import AddRemove, Person, Substitute, events
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.choosing import (
    NEIGHBOURS,
    NO_CONFIDENCE,
    NO_UTILITIES,
    NOT_POSITIVE,
    RISING,
    SLACK,
    falls_short,
    keeps_its_guarantee,
)
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.mechanisms.choices.selection import Selection

CHOICES: list[type[Selection]] = [Exponential, PermuteAndFlip, ReportNoisyMax]
ONE = Exponential(epsilon=1, sensitivity=1)
ANY_NUMBER = st.one_of(
    st.floats(), st.integers(-(10**40), 10**40), st.fractions(max_denominator=10**6)
)


# --- The guarantee ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHOICES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3), Ln(2)])
def test_private_on_all_neighbours_of_a_box(kind: type[Selection], epsilon: Any) -> None:
    assert keeps_its_guarantee(
        kind(epsilon=epsilon, sensitivity=1).distribution, NEIGHBOURS, epsilon
    )


@pytest.mark.parametrize("kind", CHOICES)
def test_half_the_noise_is_enough_for_monotone_utilities(kind: type[Selection]) -> None:
    monotone = kind(epsilon=1, sensitivity=1, monotone=True)
    assert keeps_its_guarantee(monotone.distribution, RISING, 1)


@pytest.mark.parametrize("kind", CHOICES)
def test_half_the_noise_is_not_enough_otherwise(kind: type[Selection]) -> None:
    """The twin: the factor 2 is dropped for utilities that move both ways."""
    twin = kind(epsilon=1, sensitivity=1, monotone=True)
    assert not keeps_its_guarantee(twin.distribution, NEIGHBOURS, 1)


@pytest.mark.parametrize("kind", CHOICES)
@given(data=st.data())
def test_private_for_real_utilities(kind: type[Selection], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 5))
    number = st.fractions(-20, 20, max_denominator=50)
    one = data.draw(st.tuples(*size * [number]))
    moves = data.draw(st.tuples(*size * [st.fractions(-2, 2, max_denominator=50)]))
    other = tuple(a + b for a, b in zip(one, moves, strict=True))
    mechanism = kind(epsilon=0.7, sensitivity=2)
    assert keeps_its_guarantee(mechanism.distribution, [(one, other)], Fraction(7, 10))


@pytest.mark.parametrize("kind", CHOICES)
@pytest.mark.parametrize("far", [1e20, 1e308, Fraction(10) ** 4000])
def test_the_distribution_of_utilities_far_apart(kind: type[Selection], far: Any) -> None:
    """The far one loses for certain, as nearly as floats say, and two near ones share the rest."""
    distribution = kind(epsilon=1, sensitivity=1).distribution([0, far, far, -far])
    for index in (1, 2):
        assert 0.5 in distribution.probability(index)
        assert distribution.probability(index).width < 1e-15
    for index in (0, 3):
        assert distribution.probability(index).lower == 0
        assert distribution.probability(index).upper < 1e-300
    assert kind(epsilon=1, sensitivity=1).distribution([0, far]).probability(1).lower > 1 - 1e-15


@pytest.mark.parametrize("kind", CHOICES)
def test_at_a_distance(kind: type[Selection]) -> None:
    mechanism = kind(epsilon=0.5, sensitivity=2, relation=Substitute(unit=Person()))
    assert mechanism.event_at(3) == kind.kind(epsilon=1.5)
    assert mechanism.guarantee_at(3).exact_epsilon == Fraction(3, 2)
    assert str(mechanism.guarantee_at(3)) == "1.5-DP (substitute three people)"
    assert mechanism.guarantee == mechanism.guarantee_at(1)
    assert keeps_its_guarantee(mechanism.distribution, [((0, 0, 0), (6, -6, 0))], Fraction(3, 2))
    assert not keeps_its_guarantee(
        mechanism.distribution, [((0, 0, 0), (6, -6, 0))], Fraction(9, 10)
    )


def test_events() -> None:
    assert ONE.event == events.Exponential(epsilon=1)
    assert PermuteAndFlip(epsilon=Ln(2), sensitivity=1).event.epsilon == Ln(2)  # type: ignore[attr-defined]
    assert ReportNoisyMax(epsilon=0.5, sensitivity=1).event == events.Pure(epsilon=0.5)


def test_a_logarithm_is_rounded_down() -> None:
    mechanism = Exponential(epsilon=Ln(2), sensitivity=Fraction(1, 2))
    assert mechanism.rate < Ln(2)
    assert float(mechanism.rate) == float(Ln(2))


# --- The error --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHOICES)
@pytest.mark.parametrize("candidates", [2, 3, 10])
@pytest.mark.parametrize("confidence", ["0.5", "0.95", "0.999999999"])
def test_the_error_covers(kind: type[Selection], candidates: int, confidence: str) -> None:
    mechanism = kind(epsilon=0.3, sensitivity=2)
    bound = mechanism.error(confidence=confidence, candidates=candidates)
    with working_precision(128):
        allowed = as_ball(1 - Fraction(confidence)) + SLACK
        assert falls_short(mechanism, math.nextafter(bound, math.inf), candidates) <= allowed


@pytest.mark.parametrize(
    ("kind", "candidates"),
    [
        *((Exponential, 2), (Exponential, 50), (PermuteAndFlip, 2), (PermuteAndFlip, 50)),
        (ReportNoisyMax, 2),
    ],
)
def test_the_error_is_that_of_the_worst_utilities(kind: type[Selection], candidates: int) -> None:
    """A bound that is one percent less does not hold."""
    mechanism = kind(epsilon=1, sensitivity=1)
    bound = mechanism.error(candidates=candidates)
    assert falls_short(mechanism, 0.99 * bound, candidates) > 0.05


@pytest.mark.parametrize("kind", CHOICES)
def test_one_candidate_is_the_best(kind: type[Selection]) -> None:
    mechanism = kind(epsilon=1, sensitivity=1)
    assert mechanism.error(candidates=1) == 0
    assert mechanism.release([7]).value == 0
    assert mechanism.distribution([7]).probability(0).upper == 1


def test_the_error_is_never_above_mcsherry_and_talwar_s() -> None:
    textbook = 2 * (math.log(100) + math.log(1 / 0.05))
    assert ONE.error(candidates=100) <= textbook
    assert PermuteAndFlip(epsilon=1, sensitivity=1).error(candidates=100) < ONE.error(
        candidates=100
    )


@pytest.mark.parametrize("confidence", NO_CONFIDENCE)
def test_bad_confidence(confidence: Any) -> None:
    with pytest.raises(InputError, match="confidence"):
        ONE.error(confidence=confidence, candidates=2)


@pytest.mark.parametrize("candidates", [None, 0, -1, 1.5, True, "many"])
def test_bad_number_of_candidates(candidates: Any) -> None:
    with pytest.raises(InputError, match="candidates"):
        ONE.error(candidates=candidates)


# --- Reading ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHOICES)
@pytest.mark.parametrize("missing", [None, np.ma.masked, pd.NA])
def test_a_missing_utility_counts_as_zero(kind: type[Selection], missing: Any) -> None:
    mechanism = kind(epsilon=1, sensitivity=1)
    assert mechanism.distribution([3, missing]).probability(0) == mechanism.distribution(
        [3, 0]
    ).probability(0)
    assert mechanism.distribution({"a": 3, "b": missing}).outcomes == ("a", "b")


@cases("kind", CHOICES)
@cases(
    "value",
    [
        *(*NO_UTILITIES, np.zeros((2, 2)), np.array(3), np.array(["a"])),
        *([np.timedelta64(3)], [np.timedelta64("NaT")], np.array([3], "m8[s]")),
    ],
)
def test_what_no_utilities_are(kind: type[Selection], value: Any) -> None:
    mechanism = kind(epsilon=1, sensitivity=1)
    for ask in (mechanism.release, mechanism.distribution):
        with pytest.raises(InputError, match="utilit"):
            ask(value)


@pytest.mark.parametrize("kind", CHOICES)
def test_masked_arrays_are_refused(kind: type[Selection]) -> None:
    with raises_code("E-COLUMN-TYPE", match="masked"):
        kind(epsilon=1, sensitivity=1).release(np.ma.array([1, 2], mask=[False, True]))


@pytest.mark.parametrize("kind", CHOICES)
@given(utilities=st.lists(ANY_NUMBER, min_size=1, max_size=6))
def test_no_number_is_refused(kind: type[Selection], utilities: list[Any]) -> None:
    mechanism = kind(epsilon=1, sensitivity=1)
    assert mechanism.release(utilities, source=SeededSource(3)).value in range(len(utilities))


def test_special_values_count_as_documented() -> None:
    greatest = Fraction(np.finfo(float).max)
    read = read_utilities([math.nan, math.inf, -math.inf, 2**70, np.int64(2**62), np.float32(0.5)])
    assert read.scores == (0, greatest, -greatest, 2**70, 2**62, Fraction(1, 2))
    assert all(type(score.numerator) is int for score in read.scores)


def test_a_mapping_gives_a_key() -> None:
    for kind in CHOICES:
        mechanism = kind(epsilon=1, sensitivity=1)
        assert mechanism.release({"red": 1e9, "blue": 0}).value == "red"
        assert mechanism.distribution({"red": 0, "blue": 0}).outcomes == ("red", "blue")


@pytest.mark.parametrize(
    "value", [(1, 2), range(3), np.arange(3), np.array([0.5, 1], dtype=object)]
)
def test_what_utilities_are(value: Any) -> None:
    assert ONE.release(value).value in range(len(value))


def test_no_message_shows_a_utility() -> None:
    with pytest.raises(InputError) as caught:
        ONE.release([31337, "31337"])
    assert "31337" not in str(caught.value)


# --- Parameters -------------------------------------------------------------------------------


@cases("kind", CHOICES)
@cases("bad", NOT_POSITIVE)
def test_bad_parameters(kind: type[Selection], bad: Any) -> None:
    with pytest.raises(InputError, match="epsilon"):
        kind(epsilon=bad, sensitivity=1)
    with pytest.raises(InputError, match="sensitivity"):
        kind(epsilon=1, sensitivity=bad)


@pytest.mark.parametrize("kind", CHOICES)
def test_bad_options(kind: type[Selection]) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="monotone"):
        kind(epsilon=1, sensitivity=1, monotone=1)  # type: ignore[arg-type]
    with raises_code("E-RELATION-UNKNOWN", "relation"):
        kind(epsilon=1, sensitivity=1, relation="rows")  # type: ignore[arg-type]
    with raises_code("E-ARGUMENT-RANGE", "distance"):
        kind(epsilon=1, sensitivity=1).event_at(0)


def test_mechanisms_are_values() -> None:
    same = Exponential(epsilon="1", sensitivity=1.0, relation=AddRemove())
    assert same == ONE
    assert hash(same) == hash(ONE)
    assert Exponential(epsilon=1, sensitivity=1, monotone=True) != ONE


@pytest.mark.parametrize("kind", CHOICES)
def test_a_series_maps_its_index_to_utilities(kind: type[Selection]) -> None:
    counts = pd.Series(["flu", "flu", "gout"]).value_counts()
    distribution = kind(epsilon=1, sensitivity=1).distribution(counts)
    assert distribution.outcomes == ("flu", "gout")
    assert distribution.probability("flu").lower > 0.5
