"""Global sensitivity: derived from the query, and declared (M-SENS-1)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity import (
    Sensitivity,
    Statistic,
    check_sensitivity,
    clipped_covariance,
    clipped_mean,
    clipped_sum,
    clipped_variance,
    clipped_vector_sum,
    histogram,
    linear_queries,
    plain_sensitivity,
    row_count,
)
from sfumato.mechanisms.sensitivity.declared import root_above, root_below
from sfumato.privacy import Relation
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ONE, ADD_TWO = sf.privacy.AddRemove(), sf.privacy.AddRemove(2)
SWAP, SWAP_TWO, SWAP_THREE = (
    sf.privacy.Substitute(),
    sf.privacy.Substitute(2),
    sf.privacy.Substitute(3),
)
PERSON, OTHER_PERSON = (
    sf.privacy.AddRemove(unit=sf.privacy.Person()),
    sf.privacy.Substitute(unit=sf.privacy.Person()),
)
Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")


# Derived: the claim holds on every pair of a small domain, and some pair attains it.

TWO_ENDS = [-1, 2]
DERIVED: list[tuple[Statistic[Any], list[Any], Any]] = [
    (row_count(), ["a"], (0, 3)),
    (row_count(relation=ADD_TWO), ["a"], (0, 3)),
    (clipped_sum(100, 101), [100, 101], (0, 3)),
    (clipped_sum(-3, 2), [-9, 9], (0, 3)),
    (clipped_sum(-3, 2, relation=ADD_TWO), [-9, 9], (0, 3)),
    (clipped_sum(100, 101, relation=SWAP), [100, 101], (0, 3)),
    (clipped_sum(-1, 2, relation=SWAP_TWO), TWO_ENDS, (0, 3)),
    (clipped_mean(0, 1, size=4, relation=SWAP), [0, 1], 4),
    (clipped_mean(-1, 2, size=3, relation=SWAP_TWO), TWO_ENDS, 3),
    (clipped_mean(-1, 2, size=2, relation=SWAP_THREE), TWO_ENDS, 2),
    (histogram(keys=["a", "b", "c"]), ["a", "b", "c", "other"], (0, 3)),
    (histogram(keys=["a", "b"], relation=ADD_TWO), ["a", "b", "other"], (0, 3)),
    (histogram(keys=["a", "b"], relation=SWAP), ["a", "b", "other"], (0, 3)),
    (histogram(keys=["a", "b"], relation=SWAP_TWO), ["a", "b", "other"], (0, 3)),
    (histogram(keys=["a"], relation=SWAP), ["a", "other"], (0, 3)),
    (histogram(edges=[0, 1, 3], relation=SWAP), [-1, 0, 1, 3, 4, None], (0, 2)),
    (linear_queries([3, -4, 1], keys=["x", "y", "z"]), ["x", "y", "z"], (0, 3)),
    (linear_queries([3, -4, 1], keys=["x", "y", "z"], relation=SWAP), ["x", "y", "z"], (0, 3)),
    (linear_queries([5, 5], keys=["x", "y"], relation=SWAP), ["x", "y", "other"], (0, 3)),
    (linear_queries([[1, 0, 2], [1, 1, -2]], keys=[1, 2, 3]), [1, 2, 3, 4], (0, 2)),
    (linear_queries([[1, 0, 2], [1, 1, -2]], keys=[1, 2, 3], relation=SWAP), [1, 2, 3], (0, 2)),
    (clipped_vector_sum(bound=5, dimension=2, norm="l1"), [(5, 0), (-9, 0), (1, 1)], (0, 3)),
    (clipped_vector_sum(bound=5, dimension=1, relation=SWAP), [(5,), (-9,), (1,)], (0, 3)),
]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    ("statistic", "rows", "sizes"), DERIVED, ids=lambda each: str(getattr(each, "sensitivity", ""))
)
def test_derived_sensitivities_are_attained_and_never_passed(
    statistic: Statistic[Any], rows: list[Any], sizes: Any, norm: Norm
) -> None:
    claimed = statistic.sensitivity
    report = check_sensitivity(
        statistic, sensitivity=claimed, domain=rows, sizes=sizes, norm=norm, effort=10**6
    )
    assert report.exhausted
    assert not report.violated
    assert report.largest_squared == claimed.squared(norm)


@pytest.mark.parametrize("size", range(1, 7))
@pytest.mark.parametrize("changes", [1, 2, 3, 9])
def test_variances_are_attained_by_two_values_and_the_mean(size: int, changes: int) -> None:
    """The least variance is at the mean of the rows that stay, which 0 and 2 make 0, 1 or 2."""
    statistic = clipped_variance(0, 2, size=size, relation=sf.privacy.Substitute(changes))
    report = check_sensitivity(
        statistic, sensitivity=statistic.sensitivity, domain=[0, 1, 2], sizes=size, effort=10**6
    )
    assert report.exhausted
    assert not report.violated
    assert report.largest_squared == statistic.sensitivity.l1_squared


@pytest.mark.parametrize("size", range(1, 6))
@pytest.mark.parametrize("changes", [1, 2, 3, 4, 5])
def test_covariances_are_attained_at_the_corners(size: int, changes: int) -> None:
    statistic = clipped_covariance(
        (0, 1), (-2, 1), size=size, relation=sf.privacy.Substitute(changes)
    )
    outputs: dict[tuple[Any, ...], Fraction] = {
        table: statistic(table)
        for table in combinations_with_replacement(product((0, 1), (-2, 1)), size)
    }
    distances = [
        abs(outputs[one] - outputs[other])
        for one, other in product(outputs, repeat=2)
        if size - sum(min(one.count(row), other.count(row)) for row in set(one)) <= changes
    ]
    assert max(distances) == statistic.sensitivity.l1


def test_the_textbook_s_mean() -> None:
    """M-SENS-1: the mean of φ in [0, 1] over n records, substitution: 1/n."""
    for size in (1, 2, 10, 1000):
        assert clipped_mean(0, 1, size=size).sensitivity.l1 == Fraction(1, size)


@pytest.mark.parametrize("size", [2, 5, 8])
def test_one_substitution_moves_a_variance_by_the_known_constant(size: int) -> None:
    expected = Fraction(100 * (size - 1), size**2)
    assert clipped_variance(-5, 5, size=size).sensitivity.l1 == expected
    assert clipped_covariance((-5, 5), (0, 10), size=size).sensitivity.l1 == expected


def test_a_vector_of_bounded_length() -> None:
    euclid = clipped_vector_sum(bound=2, dimension=3).sensitivity
    assert euclid.l1_squared == 12
    assert euclid.l2_squared == 4
    swapped = clipped_vector_sum(bound=2, dimension=3, norm="l1", relation=SWAP).sensitivity
    assert swapped.l1 == swapped.l2 == 4


# Derived, by person: all ways in which a person may own rows.


def owned(values: list[Any], most: int) -> Iterator[tuple[Any, ...]]:
    for count in range(most + 1):
        yield from product(values, repeat=count)


PERSONAL: list[tuple[Callable[..., Statistic[Any]], list[Any]]] = [
    (row_count, ["a"]),
    (lambda **how: clipped_sum(100, 101, **how), [100, 101]),
    (lambda **how: clipped_sum(-3, 2, **how), [-3, 0, 2]),
    (lambda **how: histogram(keys=["a", "b"], **how), ["a", "b", "c"]),
]


@pytest.mark.parametrize("relation", [PERSON, OTHER_PERSON])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("made", "values"), PERSONAL)
def test_people_move_a_statistic_by_all_their_rows(
    made: Callable[..., Statistic[Any]],
    values: list[Any],
    norm: Norm,
    relation: Relation,
) -> None:
    statistic = made(relation=relation, rows_per_person=2)
    before, owner = [*values], [f"person {place}" for place in range(len(values))]

    def answer(rows: tuple[Any, ...]) -> list[Any]:
        found = statistic([*before, *rows], people=[*owner, *["new"] * len(rows)])
        return list(found) if isinstance(found, tuple) else [found]

    answers = [answer(rows) for rows in owned(values, 4)]  # four rows, of which two count
    starts = answers if isinstance(relation, sf.privacy.Substitute) else [answer(())]
    squares = [
        sum(abs(x - y) for x, y in zip(one, other, strict=True)) ** 2
        if norm == "l1"
        else sum((x - y) ** 2 for x, y in zip(one, other, strict=True))
        for one, other in product(starts, answers)
    ]
    assert max(squares) == statistic.sensitivity.squared(norm)


# Refused claims.

REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: clipped_mean(0, 1, size=5, relation=ONE), "release sum and count"),
    (lambda: clipped_variance(0, 1, size=5, relation=ONE), "release sum and count"),
    (lambda: clipped_covariance((0, 1), (0, 1), size=5, relation=ONE), "sum and count"),
    (lambda: clipped_mean(0, 1, size=5, relation=OTHER_PERSON), "sum and count"),
    (lambda: clipped_mean(0, 1, size=0), "size must be"),
    (lambda: clipped_mean(0, 1, size=5)([1, 2]), "must have 5 rows"),
    (lambda: clipped_covariance((0, 1), 5, size=5), "second must be two bounds"),
    (lambda: clipped_covariance((0, 1), (0, 1), size=1)([(1, 2, 3)]), "must have 2 cells"),
    (lambda: clipped_sum(1, 0), "lower must not be above"),
    (lambda: clipped_sum(0, math.inf), "upper must be a finite"),
    (lambda: clipped_sum(math.nan, 1), "lower must be a finite"),
    (lambda: clipped_sum(None, 1), "lower must"),
    (lambda: clipped_sum(lower=0, upper=True), "upper must"),
    (lambda: clipped_sum(0, 1, relation=PERSON), "write rows_per_person"),
    (lambda: clipped_sum(0, 1, rows_per_person=2), "the privacy unit is the row"),
    (lambda: clipped_sum(0, 1, relation=PERSON, rows_per_person=0), "rows_per_person must be"),
    (lambda: clipped_sum(0, 1, relation="row"), "relation must be"),  # type: ignore[arg-type]
    (lambda: clipped_sum(0, 1, relation=Relation()), "relation must be"),
    (lambda: clipped_sum(0, 1)([1], people=["ann"]), "people= gives the privacy unit"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1]), "people= gives the privacy unit"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1], people=[]), "0 entries for 1"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1], people=[[]]), "numbers or texts"),
    (histogram, "keys or intervals"),
    (lambda: histogram(keys=[1], edges=[1, 2]), "keys or intervals"),
    (lambda: histogram(keys=[1, 1.0]), "none twice"),
    (lambda: histogram(keys=[]), "one or more"),
    (lambda: histogram(keys=[[1]]), "numbers or texts"),
    (lambda: histogram(keys=[np.timedelta64(3)]), "numbers or texts"),
    (lambda: histogram(keys="ab"), "keys must be a list"),
    (lambda: histogram(edges=[1]), "ascending"),
    (lambda: histogram(edges=[1, 1]), "ascending"),
    (lambda: linear_queries([1, 2], keys=["a"]), "needs 1 weights"),
    (lambda: linear_queries([[1], [2, 3]], keys=["a"]), "needs 1 weights"),
    (lambda: linear_queries([], keys=["a"]), "needs 1 weights"),
    (lambda: clipped_vector_sum(bound=0, dimension=2), "bound must"),
    (lambda: clipped_vector_sum(bound=1, dimension=2, norm="l3"), "norm"),  # type: ignore[arg-type]
    (lambda: clipped_vector_sum(bound=1, dimension=2)([(1, 2, 3)]), "must have 2 cells"),
    (Sensitivity, "needs a length"),
    (lambda: Sensitivity(l1=-1), "l1 must"),
    (lambda: Sensitivity(l2=math.nan), "l2 must be a finite"),
    (lambda: Sensitivity(l2=1, l2_squared=1), "give one of both"),
    (lambda: Sensitivity(l1=1, relation=1), "relation must be"),  # type: ignore[arg-type]
    (lambda: Sensitivity(l2=1).squared("l1"), "known in L2 only"),
]


@cases(("asked", "said"), REFUSED)
def test_what_has_no_sensitivity_is_refused_in_one_sentence(
    asked: Callable[[], Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        asked()


# Declared.


@given(st.fractions(min_value=0, max_value=10**9))
def test_roots_are_enclosed(squared: Fraction) -> None:
    below, above = root_below(squared), root_above(squared)
    assert below**2 <= squared <= above**2
    assert above - below <= above / 10**16
    assert root_above(squared**2) == root_below(squared**2) == squared


def test_roots_of_thousands_of_digits_are_enclosed() -> None:
    for squared in (Fraction(10**9001), Fraction(1, 10**9001)):
        below, above = root_below(squared), root_above(squared)
        assert below**2 < squared < above**2
        assert above - below <= above / 10**15


def test_a_declared_sensitivity_knows_both_norms() -> None:
    assert Sensitivity(l1=3).l2 == 3
    assert Sensitivity(l1=1, l2=5).l2 == 1  # no vector is longer in L2 than in L1
    assert Sensitivity(l2=2).l1 is None
    assert str(Sensitivity(l2_squared="2/3")) == "√(2/3) in L2 (add or remove one row), declared"


def test_a_mechanism_takes_the_length_in_its_norm() -> None:
    both = histogram(keys=["a", "b"], relation=SWAP).sensitivity
    assert plain_sensitivity(both, norm="l1", relation=SWAP) == 2
    length = plain_sensitivity(both, norm="l2", relation=SWAP)
    assert 2 < length**2 < 2 + Fraction(1, 10**10)
    assert plain_sensitivity("1/2", norm="l1", relation=SWAP) == "1/2"
    with raises_code("E-RELATION-OTHER", match=r"substitute one row.*add or remove one row"):
        plain_sensitivity(both, norm="l1", relation=ONE)
    with raises_code("E-SENSITIVITY-ZERO"):
        plain_sensitivity(row_count(relation=SWAP).sensitivity, norm="l1", relation=SWAP)


BOTH = Sensitivity(l1=3, l2=2)
#: One of each kind of noise, and the length that it is made for.
NOISE: list[tuple[Callable[..., Any], int]] = [
    (lambda **how: sf.mechanisms.Laplace(epsilon=1, **how), 3),
    (lambda **how: sf.mechanisms.DiscreteLaplace(epsilon=1, **how), 3),
    (lambda **how: sf.mechanisms.Staircase(epsilon=1, **how), 3),
    (lambda **how: sf.mechanisms.Gaussian(sigma=1, **how), 2),
    (lambda **how: sf.mechanisms.DiscreteGaussian(sigma=1, **how), 2),
]


@pytest.mark.parametrize(("made", "length"), NOISE)
def test_noise_is_made_for_a_sensitivity_as_it_is(made: Callable[..., Any], length: int) -> None:
    """M-SENS-1: the query's own sensitivity, in the norm that the noise needs."""
    assert made(sensitivity=BOTH) == made(sensitivity=length)
    assert made(sensitivity=clipped_sum(0, 110).sensitivity) == made(sensitivity=110)
    swapped = clipped_sum(0, 110, relation=SWAP).sensitivity
    assert made(sensitivity=swapped, relation=SWAP).relation == SWAP
    with raises_code("E-RELATION-OTHER", match=r"substitute one row.*add or remove one row"):
        made(sensitivity=swapped)


@pytest.mark.parametrize(("made", "length"), NOISE[:3])
def test_noise_for_l1_needs_a_length_in_l1(made: Callable[..., Any], length: int) -> None:
    with raises_code("E-SENSITIVITY-NORM"):
        made(sensitivity=Sensitivity(l2=length))
