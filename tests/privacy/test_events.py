"""Events say what was done: exact, frozen, comparable, printable; repetition in one place only."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Relation, Substitute, events
from sfumato.privacy.events import (
    Approximate,
    Composed,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSizeSubsampled,
    Gaussian,
    Laplace,
    Parallel,
    PermuteAndFlip,
    Pure,
    RandomizedResponse,
    Renyi,
    Repeated,
    Shuffled,
    SparseVector,
    Subsampled,
    ZeroConcentrated,
    check_relation,
)
from tests.cases import cases
from tests.privacy.event_strategies import EVENTS
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

LAPLACE = Laplace(scale=10)
GAUSSIAN = Gaussian(sigma=4)
RESPONSE = RandomizedResponse(epsilon=1)
POISSON = Subsampled(GAUSSIAN, rate=0.01)
FIXED = FixedSizeSubsampled(LAPLACE, size=100, population=10_000)
SHUFFLED = Shuffled(RESPONSE, population=10_000)
DEEP = 10_000


def nested(depth: int, innermost: Event = LAPLACE) -> Event:
    event = innermost
    for _ in range(depth):
        event = Composed(Repeated(event, count=1), GAUSSIAN)
    return event


# --- Numbers are those that were written ------------------------------------------------------


@pytest.mark.parametrize(
    "tenth", [0.1, "0.1", "1/10", Fraction(1, 10), Decimal("0.1"), np.float64(0.1)]
)
def test_equal_numbers_make_equal_events_however_they_were_written(tenth: Any) -> None:
    event = Laplace(scale=tenth)
    assert event == Laplace(scale=Fraction(1, 10))
    assert hash(event) == hash(Laplace(scale=Fraction(1, 10)))
    assert event.scale == Fraction(1, 10)


def test_parameters_are_stored_exactly_and_by_type() -> None:
    assert Laplace(scale=3, sensitivity=0.7).sensitivity == Fraction(7, 10)
    assert type(DiscreteLaplace(scale=3, sensitivity=np.int64(2)).sensitivity) is int  # type: ignore[arg-type]
    assert type(DiscreteGaussian(sigma=3).sigma) is Fraction
    assert Pure(epsilon="ln(3)").epsilon == Ln(3)
    assert Approximate(epsilon=1, delta=1e-6).delta == Fraction(1, 10**6)
    assert FIXED.parameters == {"size": 100, "population": 10_000}


def test_events_that_say_different_things_differ() -> None:
    different = [
        *(LAPLACE, Laplace(scale=10, sensitivity=2), DiscreteLaplace(scale=10), GAUSSIAN),
        *(Pure(epsilon=1), Exponential(epsilon=1), PermuteAndFlip(epsilon=1), RESPONSE),
        *(Composed(LAPLACE), Parallel(LAPLACE), Repeated(LAPLACE, count=1)),
        *(Composed(LAPLACE, GAUSSIAN), Composed(GAUSSIAN, LAPLACE)),
        *(Composed(Composed(LAPLACE), GAUSSIAN), Composed(Composed(LAPLACE, GAUSSIAN))),
        *(POISSON, Subsampled(GAUSSIAN, rate=0.02), FIXED, SHUFFLED),
    ]
    assert len(set(different)) == len(different)
    text: object = "laplace"
    assert all(event != text for event in different)


@given(EVENTS)
def test_an_event_is_a_value(event: Event) -> None:
    for again in (pickle.loads(pickle.dumps(event)), copy.deepcopy(event)):  # noqa: S301
        assert again == event
        assert hash(again) == hash(event)
    with pytest.raises(FrozenInstanceError):
        event.scale = 1  # type: ignore[attr-defined]


def test_a_parameter_is_replaced_in_a_copy() -> None:
    assert replace(LAPLACE, scale=Fraction(3)) == Laplace(scale=3)


@pytest.mark.parametrize(
    ("truth", "categories", "epsilon"),
    [(Fraction(2, 3), 2, Ln(2)), (0.75, 2, Ln(3)), ("1/2", 4, Ln(3))],
)
def test_randomized_response_by_the_probability_of_the_truth(
    truth: Any, categories: int, epsilon: Ln
) -> None:
    """M-RR: the truth is told with probability e^ε / (e^ε + k - 1)."""
    event = RandomizedResponse.of_truth(truth, categories=categories)
    assert event.epsilon == epsilon
    odds = epsilon.argument
    assert odds / (odds + categories - 1) == Fraction(truth)


# --- Parts: the only place of repetition (M-COMP-1) -------------------------------------------


def test_parts_multiply_counts_and_keep_the_order() -> None:
    event = Composed(
        LAPLACE, Repeated(Composed(GAUSSIAN, Repeated(LAPLACE, count=5)), count=3), GAUSSIAN
    )
    wanted = [(LAPLACE, 1), (GAUSSIAN, 3), (LAPLACE, 15), (GAUSSIAN, 1)]
    assert list(event.parts()) == wanted


@pytest.mark.parametrize("event", [LAPLACE, POISSON, FIXED, SHUFFLED, Parallel(LAPLACE, GAUSSIAN)])
def test_only_compositions_and_repetitions_are_undone(event: Event) -> None:
    assert list(event.parts()) == [(event, 1)]


@given(EVENTS, st.integers(1, 4))
def test_a_count_is_as_many_compositions(event: Event, count: int) -> None:
    """The law of the design: count n equals n compositions."""

    def totals(of: Event) -> dict[Event, int]:
        found: dict[Event, int] = {}
        for part, times in of.parts():
            found[part] = found.get(part, 0) + times
        return found

    assert totals(Repeated(event, count=count)) == totals(Composed(*[event] * count))


@pytest.mark.full
def test_ten_thousand_nested_events_are_no_trouble() -> None:
    event, same, other = nested(DEEP), nested(DEEP), nested(DEEP, innermost=Laplace(scale=11))
    parts = list(event.parts())
    assert len(parts) == DEEP + 1
    assert parts[0] == (LAPLACE, 1)
    assert event == same
    assert event != other
    assert hash(event) == hash(same)
    assert event.relations == (AddRemove, Substitute)
    shallower = nested(DEEP // 5)
    assert shallower.describe().count("Laplace") == repr(shallower).count("Laplace") == 1


def test_making_many_events_costs_little_more_than_their_numbers() -> None:
    """Calls are counted, against the floor, the plain reading of the same decimals (3.25 now)."""

    def made(scales: list[float]) -> None:
        whole = Composed(*[Laplace(scale=each) for each in scales])
        assert sum(count for _, count in whole.parts()) == len(scales)

    def read(scales: list[float]) -> None:
        assert all(Fraction(repr(each)) > 0 for each in scales)

    few, many = ([each / 7 for each in range(1, count + 1)] for count in (200, 2_000))
    assert calls_of(made, many) < 4 * calls_of(read, many)
    assert calls_of(made, many) < 11 * calls_of(made, few)


def calls_of(work: Callable[[list[float]], None], scales: list[float]) -> int:
    """How many functions are called, those of Python's own among them."""
    calls = 0

    def profile(_: Any, event: str, __: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work(scales)
    finally:
        sys.setprofile(before)
    return calls


# --- Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (LAPLACE, "Laplace noise of scale 10 on sensitivity 1"),
        (Laplace(scale="1/3"), "Laplace noise of scale 1/3 on sensitivity 1"),
        (
            Repeated(DiscreteLaplace(scale=2.5, sensitivity=3), count=1000),
            "1,000 × (discrete Laplace noise of scale 2.5 on sensitivity 3)",
        ),
        (
            Subsampled(POISSON, rate=0.5),
            (
                "Gaussian noise of sigma 4 on sensitivity 1, on a Poisson sample of rate 0.01, "
                "on a Poisson sample of rate 0.5"
            ),
        ),
        (FIXED, "Laplace noise of scale 10 on sensitivity 1, on a sample of 100 out of 10,000"),
        (
            Shuffled(Pure(epsilon=Ln(2)), population=100),
            (
                "the shuffled reports of 100 people, each by "
                "a step that is ε-differentially private with ε = ln(2)"
            ),
        ),
        (
            Composed(Exponential(epsilon=1), PermuteAndFlip(epsilon=2)),
            (
                "a choice by the exponential mechanism with ε = 1, "
                "then a choice by permute-and-flip with ε = 2"
            ),
        ),
    ],
)
def test_events_describe_themselves(event: Event, words: str) -> None:
    assert event.describe() == str(event) == words


def test_a_long_list_is_cut_in_words_and_whole_in_python() -> None:
    event = Composed(*[Laplace(scale=each) for each in range(1, 1001)])
    assert event.describe().endswith("scale 5 on sensitivity 1, then 995 more")
    assert repr(event).count("Laplace") == 1000


@given(EVENTS)
def test_a_representation_can_be_pasted_back(event: Event) -> None:
    names = {name: getattr(events, name) for name in events.__all__} | {"Ln": Ln}
    assert eval(repr(event), names) == event  # noqa: S307


@given(EVENTS)
def test_a_description_is_one_line(event: Event) -> None:
    words = event.describe()
    assert "\n" not in words
    assert not set("{}") & set(words)


# --- Relations (M-DEF-1) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "relations"),
    [
        (LAPLACE, (AddRemove, Substitute)),
        (POISSON, (AddRemove,)),
        (Parallel(LAPLACE), (AddRemove,)),
        (FIXED, (Substitute,)),
        (SHUFFLED, (Substitute,)),
        (Composed(LAPLACE, Repeated(POISSON, count=10)), (AddRemove,)),
        (Composed(LAPLACE, Repeated(FIXED, count=10)), (Substitute,)),
        (Composed(POISSON, FIXED), ()),
        (Parallel(SHUFFLED), ()),
    ],
)
def test_relations_are_those_of_all_parts(event: Event, relations: tuple[Any, ...]) -> None:
    assert event.relations == relations
    for relation in (AddRemove(), Substitute(), AddRemove(unit=Person())):
        if type(relation) in relations:
            check_relation(event, relation)
        else:
            with raises_code("E-RELATION-OTHER", match=r"holds for|mixes"):
                check_relation(event, relation)


@pytest.mark.parametrize(
    ("event", "relation", "message"),
    [
        (
            Repeated(POISSON, count=10),
            Substitute(),
            (
                "Subsampled holds for add or remove only, not for substitute one row; "
                r"write relation=sf.privacy.AddRemove\(\)"
            ),
        ),
        (
            SHUFFLED,
            AddRemove(unit=Person()),
            (
                "Shuffled holds for substitute only, not for add or remove one person; "
                r"write relation=sf.privacy.Substitute\(\)"
            ),
        ),
        (
            Composed(POISSON, FIXED),
            AddRemove(),
            r"mixes Subsampled \(add or remove only\) and FixedSizeSubsampled \(substitute only\)",
        ),
        (LAPLACE, "substitute", r"relation must be AddRemove\(\) or Substitute\(\)"),
        (LAPLACE, AddRemove, r"relation must be AddRemove\(\) or Substitute\(\)"),
        ("laplace", AddRemove(), "check_relation takes events, not 'laplace'"),
    ],
)
def test_a_wrong_relation_is_refused_in_one_sentence(
    event: Any, relation: Relation, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_relation(event, relation)


# --- Bad input --------------------------------------------------------------------------------

#: What no event takes for a number above 0.
NO_NUMBERS: list[Any] = [
    *(0, -1, math.nan, math.inf, -math.inf, True, None, "", "many", "nan", [], {}, 1j),
    *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), "1e999999999", b"1", 10**5000),
    *("1e100000", Fraction(1, 10**2000), object(), np.array([1.0, 2.0])),
]

MAKERS: list[Callable[[Any], Event]] = [
    lambda bad: Laplace(scale=bad),
    lambda bad: Laplace(scale=1, sensitivity=bad),
    lambda bad: DiscreteLaplace(scale=bad),
    lambda bad: DiscreteLaplace(scale=1, sensitivity=bad),
    lambda bad: Gaussian(sigma=bad),
    lambda bad: Gaussian(sigma=1, sensitivity=bad),
    lambda bad: DiscreteGaussian(sigma=bad),
    lambda bad: DiscreteGaussian(sigma=1, sensitivity=bad),
    lambda bad: RandomizedResponse(epsilon=bad),
    lambda bad: RandomizedResponse(epsilon=1, categories=bad),
    RandomizedResponse.of_truth,
    lambda bad: SparseVector(threshold_epsilon=bad, answers_epsilon=1),
    lambda bad: SparseVector(threshold_epsilon=1, answers_epsilon=bad),
    lambda bad: SparseVector(threshold_epsilon=1, answers_epsilon=1, positives=bad),
    lambda bad: Subsampled(GAUSSIAN, rate=bad),
    lambda bad: FixedSizeSubsampled(GAUSSIAN, size=bad, population=10),
    lambda bad: FixedSizeSubsampled(GAUSSIAN, size=1, population=bad),
    lambda bad: Shuffled(RESPONSE, population=bad),
    lambda bad: Repeated(LAPLACE, count=bad),
    lambda bad: Renyi([(bad, 1)]),
]


@cases("maker", MAKERS)
@cases("bad", NO_NUMBERS)
def test_what_is_no_number_gets_one_sentence(maker: Callable[[Any], Event], bad: Any) -> None:
    with pytest.raises(InputError) as caught:
        maker(bad)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@cases(
    "maker",
    [
        lambda bad: Exponential(epsilon=bad),
        lambda bad: PermuteAndFlip(epsilon=bad),
        lambda bad: Pure(epsilon=bad),
        lambda bad: Approximate(epsilon=bad, delta=0),
        lambda bad: Approximate(epsilon=1, delta=bad),
        lambda bad: ZeroConcentrated(rho=bad),
        lambda bad: Renyi([(2, bad)]),
    ],
)
@cases("bad", NO_NUMBERS[1:])
def test_zero_is_a_guarantee_and_the_others_are_not(
    maker: Callable[[Any], Event], bad: Any
) -> None:
    assert maker(0).parameters
    with pytest.raises(InputError):
        maker(bad)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (Event, "an event says what was done; write one of its kinds"),
    (Composed, "Composed needs at least one event"),
    (Parallel, "Parallel needs at least one event"),
    (lambda: Composed([LAPLACE]), r"write Composed\(\*events\)"),  # type: ignore[arg-type]
    (lambda: Composed(LAPLACE, None), "Composed takes events, not None"),  # type: ignore[arg-type]
    (lambda: Parallel(Laplace), "Parallel takes events, not <class"),  # type: ignore[arg-type]
    (lambda: Repeated("x", count=2), "Repeated takes events, not 'x'"),  # type: ignore[arg-type]
    (lambda: Repeated(LAPLACE, count=0.5), "count must"),  # type: ignore[arg-type]
    (lambda: Subsampled(3, rate=0.1), "Subsampled takes events, not 3"),  # type: ignore[arg-type]
    (lambda: Subsampled(LAPLACE, rate=1.5), "rate must"),
    (lambda: FixedSizeSubsampled(LAPLACE, size=11, population=10), "at most the population of 10"),
    (
        lambda: Shuffled(RESPONSE, population=1),
        "population must be a .* of 2 or more, not 1",
    ),
    (lambda: Shuffled(LAPLACE, population=9), "not Laplace; write RandomizedResponse"),
    (lambda: Shuffled(None, population=9), "Shuffled takes events, not None"),  # type: ignore[arg-type]
    (
        lambda: RandomizedResponse(epsilon=1, categories=1),
        "categories must be a .* 2 or more, not 1",
    ),
    (lambda: RandomizedResponse(epsilon=Ln(1)), "epsilon must"),
    (lambda: RandomizedResponse.of_truth(0.5), "truth must"),
    (lambda: RandomizedResponse.of_truth(1), "and below 1, not 1"),
    (lambda: RandomizedResponse.of_truth("1/4", categories=4), "truth must be above 1/4"),
    (lambda: DiscreteLaplace(scale=1, sensitivity=1.5), "must be a whole number"),  # type: ignore[arg-type]
    (lambda: Renyi({Decimal("Infinity"): 0.5}), "the order infinity is pure differential privacy"),
    (lambda: Renyi({1: 0.5}), "the Rényi order 1 is the Kullback-Leibler divergence"),
    (lambda: Renyi({0.5: 0.5}), "at a Rényi order below 1, such as 0.5, the divergence stays"),
    (lambda: Renyi({-1: 0.5}), "a Rényi order must be above 1, not -1"),
    (lambda: Renyi({}), "curve names no Rényi order"),
    (lambda: Renyi([(2, 0.5), ("2", 0.6)]), "curve names a Rényi order twice"),
    (lambda: Renyi([2, 0.5]), "a point of a curve is an order and a bound, not 2"),  # type: ignore[list-item]
    (lambda: Renyi("2: 0.5"), "curve must map Rényi orders to bounds"),  # type: ignore[arg-type]
    (lambda: Renyi(2), "curve must map Rényi orders to bounds, not be 2"),  # type: ignore[arg-type]
    (lambda: Pure(epsilon="ln(0)"), "Ln takes a positive number"),
    (lambda: Pure(epsilon=Ln(Fraction(1, 2))), "epsilon must"),
    (lambda: Pure(epsilon=Ln(10**2000)), "epsilon has more than 1,000 digits"),
]


@cases(("call", "message"), REFUSED)
def test_mistakes_get_one_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("inner", [Composed(GAUSSIAN), Repeated(GAUSSIAN, count=2)])
def test_a_sample_is_drawn_for_each_step(inner: Event) -> None:
    with raises_code("E-EVENT-KIND"):
        Subsampled(inner, rate=0.1)
    with raises_code("E-EVENT-KIND"):
        FixedSizeSubsampled(inner, size=1, population=2)


@pytest.mark.parametrize(
    "inner", [Parallel(GAUSSIAN), SHUFFLED, FIXED, Renyi({2: 1}), ZeroConcentrated(rho=1)]
)
def test_samples_are_taken_of_what_a_theorem_covers(inner: Event) -> None:
    with raises_code("E-EVENT-KIND"):
        Subsampled(inner, rate=0.1)
    with raises_code("E-EVENT-KIND"):
        FixedSizeSubsampled(inner, size=1, population=2)


def test_a_poisson_sample_of_a_poisson_sample_is_kept_as_written() -> None:
    twice = Subsampled(POISSON, rate=0.5)
    assert twice != Subsampled(GAUSSIAN, rate=0.005)
    assert twice.event == POISSON
    with raises_code("E-EVENT-KIND"):
        FixedSizeSubsampled(POISSON, size=1, population=2)


def test_the_longest_numbers_are_still_printed_and_read() -> None:
    longest = Fraction(2**3320, 3)
    event = Laplace(scale=longest, sensitivity=Fraction(1, 2**3320))
    assert f"scale='{2**3320}/3'" in repr(event)
    assert eval(repr(event), {"Laplace": Laplace}) == event  # noqa: S307
