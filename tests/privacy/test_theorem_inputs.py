"""Bad input to a theorem gets one sentence, and absurd input a safe answer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sfumato.errors import InputError
from sfumato.privacy import theorems
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Callable

#: Every theorem with arguments that it takes.
GOOD: dict[str, dict[str, Any]] = {
    "advanced_composition": {"epsilon": 0.1, "slack": 1e-6, "delta": 0, "count": 2},
    "analytic_sigma": {"epsilon": 1, "delta": 1e-6, "sensitivity": 1},
    "approximate_group": {"epsilon": 1, "delta": 1e-6, "size": 2},
    "azuma_tail": {"bounds": [1, 2], "threshold": 3, "drift": 0},
    "azuma_threshold": {"bounds": [1, 2], "probability": 0.1, "drift": 0},
    "basic_composition": {"epsilon": 0.1, "delta": 0, "count": 2},
    "bounded_range_delta": {"epsilon": 0.1, "total_epsilon": 0.1, "count": 2},
    "bounded_range_epsilon": {"epsilon": 0.1, "total_delta": 0.1, "count": 2},
    "bounded_range_zcdp": {"epsilon": 0.1},
    "classical_sigma": {"epsilon": 0.5, "delta": 1e-6, "sensitivity": 1},
    "gaussian_delta": {"mu": 1, "epsilon": 1},
    "gaussian_epsilon": {"mu": 1, "delta": 1e-6},
    "gaussian_group": {"mu": 1, "size": 2},
    "laplace_delta": {"pure_epsilon": 1, "epsilon": 0.5},
    "laplace_epsilon": {"pure_epsilon": 1, "delta": 0.1},
    "optimal_delta": {"epsilon": 0.1, "total_epsilon": 0.1, "delta": 0, "count": 2},
    "optimal_epsilon": {"epsilon": 0.1, "total_delta": 0.1, "delta": 0, "count": 2},
    "pure_group": {"epsilon": 1, "size": 2},
    "pure_to_gaussian": {"epsilon": 1},
    "pure_to_zcdp": {"epsilon": 1},
    "randomized_response_delta": {"pure_epsilon": 1, "epsilon": 0.5},
    "randomized_response_epsilon": {"pure_epsilon": 1, "delta": 0.1},
    "renyi_group": {"order": 8, "epsilon": 1, "size": 2},
    "renyi_to_delta": {"order": 8, "renyi": 1, "epsilon": 1},
    "renyi_to_epsilon": {"order": 8, "renyi": 1, "delta": 1e-6},
    "tight_advanced_composition": {"epsilon": 0.1, "slack": 1e-6, "delta": 0, "count": 2},
    "zcdp_group": {"rho": 1, "size": 2},
    "zcdp_to_delta": {"rho": 1, "epsilon": 1},
    "zcdp_to_epsilon": {"rho": 1, "delta": 1e-6},
}
ARGUMENTS = [(name, argument) for name, given in GOOD.items() for argument in given]
NEVER_NUMBERS: list[Any] = [math.nan, math.inf, True, None, "one", object(), {1: 2}, b"1", [[1]]]


def theorem(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(theorems, name)
    return found


def test_every_theorem_is_tried() -> None:
    assert {*GOOD, "Bound", "RenyiBound"} == set(theorems.__all__)
    for name, given in GOOD.items():
        theorem(name)(**given)


@cases(("name", "argument"), ARGUMENTS)
def test_what_is_no_number_is_refused_in_one_sentence(name: str, argument: str) -> None:
    for bad in NEVER_NUMBERS:
        with pytest.raises(InputError) as caught:
            theorem(name)(**{**GOOD[name], argument: bad})
        assert "\n" not in str(caught.value)
        assert ";" in str(caught.value), "a message says what to write"


#: What may be negative.
SIGNED = {"drift", "threshold"}


@cases(("name", "argument"), [each for each in ARGUMENTS if each[1] not in SIGNED])
def test_negative_numbers_are_refused(name: str, argument: str) -> None:
    with pytest.raises(InputError):
        theorem(name)(**{**GOOD[name], argument: -1})


@cases("name", GOOD)
def test_privacy_quantities_are_named(name: str) -> None:
    with pytest.raises(TypeError):
        theorem(name)(*GOOD[name].values())


SENTENCES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: theorems.classical_sigma(epsilon=1, delta=1e-5),
        r"proved for epsilon above 0 and below 1, not 1; write sf.calibrate\(...\)",
    ),
    (lambda: theorems.classical_sigma(epsilon=0, delta=1e-5), "below 1, not 0;"),
    (
        lambda: theorems.analytic_sigma(epsilon=1, delta=0),
        "delta must be above 0 and below 1, not 0; write 1e-6",
    ),
    (
        lambda: theorems.advanced_composition(epsilon=1, slack=1),
        "slack must be above 0 and below 1, not 1; write 1e-6",
    ),
    (
        lambda: theorems.renyi_to_epsilon(order=1, renyi=1, delta=1e-6),
        "order must be above 1, not 1; write a Rényi order, such as 8",
    ),
    (
        lambda: theorems.renyi_group(order=4, epsilon=1, size=3),
        "a group of 3 needs a Rényi order of 8 or more, not 4; give the guarantee at",
    ),
    (lambda: theorems.basic_composition(epsilon=[]), "epsilon is an empty list; give at least"),
    (
        lambda: theorems.basic_composition(epsilon=[1, 2], delta=[0]),
        "delta has 1 entries where there are 2 steps; give one number for all steps",
    ),
    (
        lambda: theorems.azuma_tail(bounds=[1, 2], threshold=1, drift=[0, 0, 0]),
        "drift has 3 entries where there are 2 steps;",
    ),
    (
        lambda: theorems.azuma_tail(bounds=[1, 0], threshold=1),
        "a bound must be above 0, not 0; write a positive number",
    ),
    (
        lambda: theorems.optimal_delta(epsilon=0.1, count=10**7, total_epsilon=1),
        r"at most 1,000,000 steps; for more, write sf.compose\(...\)",
    ),
    (
        lambda: theorems.optimal_delta(epsilon=[n / 99 for n in range(1, 50)], total_epsilon=1),
        r"too many outcomes to enumerate \(2 × 32,768 at most\); write sf.compose\(...\)",
    ),
    (
        lambda: theorems.bounded_range_epsilon(epsilon=0.1, count=10**9, total_delta=1e-6),
        "at most 1,000 mechanisms, not 1000000000; write bounded_range_zcdp",
    ),
    (
        lambda: theorems.basic_composition(epsilon=None),  # type: ignore[arg-type]
        "epsilon must be a number or a list of numbers, not None; write",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), SENTENCES)
def test_the_sentence_says_what_to_write(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()


HUGE = 10**400


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda: theorems.pure_group(epsilon=1, size=HUGE), math.inf),
        (lambda: theorems.approximate_group(epsilon=1, delta=1e-9, size=HUGE).delta, 1.0),
        (lambda: theorems.zcdp_group(rho=1, size=HUGE), math.inf),
        (lambda: theorems.basic_composition(epsilon=1, count=HUGE).epsilon, math.inf),
        (lambda: theorems.pure_to_gaussian(epsilon=HUGE), math.inf),
        (lambda: theorems.zcdp_to_epsilon(rho=HUGE, delta=1e-6), math.inf),
        (lambda: theorems.zcdp_to_delta(rho=HUGE, epsilon=1), 1.0),
        (lambda: theorems.optimal_epsilon(epsilon=HUGE, count=9, total_delta=0.1).upper, math.inf),
        (lambda: theorems.optimal_delta(epsilon=[HUGE, 1], total_epsilon=1).upper, 1.0),
        (lambda: theorems.bounded_range_delta(epsilon=HUGE, count=2, total_epsilon=1).upper, 1.0),
        (lambda: theorems.randomized_response_delta(pure_epsilon=HUGE, epsilon=1).upper, 1.0),
        (lambda: theorems.azuma_threshold(bounds=[HUGE], probability=0.5), math.inf),
    ],
)
def test_numbers_beyond_the_floats_are_answered_on_the_safe_side(
    call: Callable[[], float], answer: float
) -> None:
    assert call() == answer


def test_lists_come_in_any_kind() -> None:
    expected = theorems.basic_composition(epsilon=[0.25, 0.5])
    for epsilon in ((0.25, 0.5), np.array([0.25, 0.5]), iter(["1/4", "0.5"])):
        assert theorems.basic_composition(epsilon=epsilon) == expected
