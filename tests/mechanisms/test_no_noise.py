"""An ε that leaves no noise is refused when a mechanism is made, by one rule for all of them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.mechanisms import Staircase
from sfumato.numeric import Ln
from sfumato.privacy.greatest_epsilon import MOST_EPSILON, check_scale, usable_epsilon
from tests.cases import cases
from tests.mechanisms.subjects import SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mechanisms.subjects import Subject

WITH_EPSILON = [each for each in SUBJECTS if "epsilon" in each.parameters]
TOO_GREAT: list[Any] = [1e308, 1e17, "1e400", 10**6 + 1, Fraction(10**7), "10000000/3"]
#: By the scale alone: what makes the noise, and how its scale is called.
BY_SCALE: list[tuple[Callable[..., Any], str]] = [
    (sf.mechanisms.Laplace, "scale"),
    (sf.mechanisms.DiscreteLaplace, "scale"),
    (sf.mechanisms.Gaussian, "sigma"),
    (sf.mechanisms.DiscreteGaussian, "sigma"),
]


def refused(make: Callable[[], Any]) -> str:
    """Check that something is refused in one sentence, and return it."""
    with pytest.raises(InputError) as told:
        make()
    said = str(told.value)
    assert "\n" not in said
    assert said.count(";") == 1
    return said


#: The ε of a sample is that of the mechanism on it, and that of a table is decided from it.
OF_OTHERS = {
    sf.mechanisms.FixedSizeSampled,
    sf.mechanisms.PoissonSampled,
    sf.mechanisms.Tabulated,
}


def test_every_kind_of_mechanism_is_tried() -> None:
    assert {each.make for each in WITH_EPSILON} == {each.make for each in SUBJECTS} - OF_OTHERS


@cases("epsilon", TOO_GREAT)
@cases("subject", WITH_EPSILON)
def test_no_mechanism_is_made_without_noise(subject: Subject, epsilon: Any) -> None:
    said = refused(lambda: subject.mechanism(epsilon=epsilon))
    assert said.startswith("epsilon must be ")
    assert "1,000,000, not " in said
    assert said.endswith(", which hides nothing; write epsilon=1, say")


@pytest.mark.parametrize("epsilon", [10**6, 1e6, "1000000"])
def test_the_greatest_epsilon_is_taken(epsilon: Any) -> None:
    assert usable_epsilon(epsilon) == MOST_EPSILON
    for mechanism in (
        sf.mechanisms.Laplace(epsilon=epsilon, sensitivity=3),
        sf.mechanisms.DiscreteLaplace(epsilon=epsilon),
        Staircase(epsilon=epsilon, sensitivity="1/7"),
        sf.mechanisms.DiscreteGaussian(epsilon=epsilon, delta=1e-6),
        sf.mechanisms.RandomizedResponse(epsilon=epsilon),
        sf.mechanisms.Exponential(epsilon=epsilon, sensitivity=1),
    ):
        assert mechanism.guarantee.epsilon(delta=1e-6) <= 10**6


def test_a_logarithm_is_a_small_number() -> None:
    assert usable_epsilon(Ln(10**900)) == Ln(10**900)
    assert sf.mechanisms.RandomizedResponse(truth=1 - Fraction(1, 10**300)).truth is not None


@pytest.mark.parametrize("sensitivity", [3, 1000, 10**12])
@pytest.mark.parametrize(("make", "name"), BY_SCALE)
def test_a_scale_is_compared_with_the_sensitivity(
    make: Callable[..., Any], name: str, sensitivity: int
) -> None:
    """The same scale that hides a change of 1 leaves no noise beside one of 10^12."""
    least = Fraction(sensitivity, 10**6)
    make(**{name: least, "sensitivity": sensitivity})
    too_small = least * Fraction(999, 1000)
    said = refused(lambda: make(**{name: too_small, "sensitivity": sensitivity}))
    assert said.startswith(f"{name} must be at least ")
    assert "a millionth of the sensitivity, not " in said
    assert said.endswith(f"which leaves no noise; write {name}={float(sensitivity):g}, say")


def test_a_float_of_a_millionth_is_a_millionth() -> None:
    for scale in (1e-6, "1e-6", Fraction(1, 10**6)):
        assert sf.mechanisms.Laplace(scale=scale, sensitivity=1).scale == Fraction(1, 10**6)
        check_scale(Fraction(scale), scale, "scale", sensitivity=1)


def test_scales_beyond_the_floats_are_compared_too() -> None:
    assert sf.mechanisms.Laplace(scale="1e-500", sensitivity="1e-500").epsilon == 1
    said = refused(lambda: sf.mechanisms.Laplace(scale="1e-500", sensitivity="1e-400"))
    assert "at least 1e-406, a millionth" in said


def test_noise_at_the_greatest_epsilon_is_seen() -> None:
    """What the rule leaves is noise in floats of the sensitivity's size; twice 1e-308 is not."""
    mechanism = sf.mechanisms.Laplace(epsilon=10**6, sensitivity=1)
    assert len({mechanism.release(42).value for _ in range(20)}) > 10
    assert math.nextafter(42, 43) - 42 > 2e-308


def test_how_often_a_count_is_exact_is_as_the_page_says() -> None:
    distribution = sf.mechanisms.DiscreteLaplace(epsilon=45).distribution(42)
    assert 1 - distribution.probability(42).lower < 1e-15
    assert 2 * math.exp(-45) < 1.1e-19
