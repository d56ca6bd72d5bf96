"""Global sensitivity: declared, derived from the query, and tested by a search (M-SENS-1)."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError, RefusedError
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
from sfumato.mechanisms.sensitivity.roots import root_above, root_below
from sfumato.privacy import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ONE, ADD_TWO = sf.AddRemove(), sf.AddRemove(2)
SWAP, SWAP_TWO, SWAP_THREE = sf.Substitute(), sf.Substitute(2), sf.Substitute(3)
PERSON, OTHER_PERSON = sf.AddRemove(unit=sf.Person()), sf.Substitute(unit=sf.Person())
Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")
ENTRIES = st.one_of(
    st.none(),
    st.floats(),
    st.integers(-(10**400), 10**400),
    st.fractions(),
    st.decimals(allow_nan=True),
)
BOUNDS = st.tuples(st.integers(-50, 50), st.integers(0, 50)).map(lambda b: (b[0], b[0] + b[1]))
RELATIONS = st.sampled_from([ONE, ADD_TWO, SWAP, SWAP_TWO])


def added_in_floats(rows: list[float]) -> float:
    """Add one by one, as an engine does; Python's own ``sum`` compensates since 3.12."""
    total = 0.0
    for row in rows:
        total += row
    return total


def added_exactly(rows: list[float]) -> Fraction:
    return sum(map(Fraction, rows), Fraction(0))


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
    statistic = clipped_variance(0, 2, size=size, relation=sf.Substitute(changes))
    report = check_sensitivity(
        statistic, sensitivity=statistic.sensitivity, domain=[0, 1, 2], sizes=size, effort=10**6
    )
    assert report.exhausted
    assert not report.violated
    assert report.largest_squared == statistic.sensitivity.l1_squared


@pytest.mark.parametrize("size", range(1, 6))
@pytest.mark.parametrize("changes", [1, 2, 3, 4, 5])
def test_covariances_are_attained_at_the_corners(size: int, changes: int) -> None:
    statistic = clipped_covariance((0, 1), (-2, 1), size=size, relation=sf.Substitute(changes))
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
    starts = answers if isinstance(relation, sf.Substitute) else [answer(())]
    squares = [
        sum(abs(x - y) for x, y in zip(one, other, strict=True)) ** 2
        if norm == "l1"
        else sum((x - y) ** 2 for x, y in zip(one, other, strict=True))
        for one, other in product(starts, answers)
    ]
    assert max(squares) == statistic.sensitivity.squared(norm)


def test_rows_of_nobody_belong_together() -> None:
    visits = row_count(relation=PERSON, rows_per_person=1)
    assert visits([1, 2, 3, 4], people=[None, math.nan, float("nan"), "ann"]) == 2


# What is derived is what runs: total, exact, in any order.


@given(BOUNDS, st.lists(ENTRIES, max_size=6), ENTRIES, ENTRIES, RELATIONS, st.randoms())
def test_any_cell_is_counted_within_the_sensitivity(
    bounds: tuple[int, int],
    shared: list[Any],
    one: Any,
    other: Any,
    relation: Relation,
    random: Any,
) -> None:
    total = clipped_sum(*bounds, relation=relation)
    left = [*shared, one] if isinstance(relation, sf.Substitute) else shared
    right = [*shared, other]
    random.shuffle(right)
    assert total.sensitivity.l1 is not None
    assert abs(total(left) - total(right)) <= total.sensitivity.l1


@given(st.lists(st.lists(ENTRIES, min_size=2, max_size=2), max_size=4), st.sampled_from(NORMS))
def test_clipped_vectors_are_never_too_long(rows: list[list[Any]], norm: Norm) -> None:
    statistic = clipped_vector_sum(bound="0.3", dimension=2, norm=norm)
    for row in rows:
        x, y = statistic([row])
        squared = (abs(x) + abs(y)) ** 2 if norm == "l1" else x**2 + y**2
        assert squared <= Fraction(9, 100)
    sums = [sum(each) for each in zip(*(statistic([row]) for row in rows), strict=True)] or [0, 0]
    assert list(statistic(rows)) == sums


def test_special_cells_have_documented_values() -> None:
    total = clipped_sum(5, 7)
    cells = [math.nan, None, math.inf, -math.inf, Decimal("nan"), Decimal("1e9999999"), 10**400]
    assert [total([cell]) for cell in cells] == [5, 5, 7, 5, 5, 7, 7]
    assert clipped_sum(-7, 7)([math.nan, np.float32("nan"), -0.0]) == 0
    assert clipped_sum(0, 10**400)([10**399, np.int64(2**62), np.int64(2**62)]) == 10**399 + 2**63
    assert clipped_sum(0, "0.1")([0.1]) == Fraction(1, 10)


def test_arrays_and_lists_have_the_same_answer() -> None:
    values = np.random.default_rng(4).normal(size=50)
    assert clipped_sum(-1, 1)(values) == clipped_sum(-1, 1)(values.tolist())
    pairs = values.reshape(25, 2)
    joint = clipped_covariance((-9, 9), (-9, 9), size=25)
    assert float(joint(pairs)) == pytest.approx(np.cov(pairs.T, bias=True)[0, 1])
    assert float(clipped_variance(-9, 9, size=50)(values)) == pytest.approx(values.var())


@pytest.mark.parametrize(
    "cells", [["1"], [True], [np.True_], [1j], [[1]], "12", 5, None, np.float64(3.0)]
)
def test_cells_are_refused_by_their_type(cells: Any) -> None:
    with pytest.raises(InputError, match="must be a"):
        clipped_sum(0, 1)(cells)


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
    (lambda: clipped_sum(None, 1), "lower must be a number"),
    (lambda: clipped_sum(lower=0, upper=True), "upper must be a number"),
    (lambda: clipped_sum(0, 1, relation=PERSON), "write rows_per_person"),
    (lambda: clipped_sum(0, 1, rows_per_person=2), "protects single rows"),
    (lambda: clipped_sum(0, 1, relation=PERSON, rows_per_person=0), "rows_per_person must be"),
    (lambda: clipped_sum(0, 1, relation="row"), "relation must be"),  # type: ignore[arg-type]
    (lambda: clipped_sum(0, 1, relation=Relation()), "no sensitivity is derived"),
    (lambda: clipped_sum(0, 1)([1], people=["ann"]), "people= says"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1]), "people= says"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1], people=[]), "0 entries for 1"),
    (lambda: row_count(relation=PERSON, rows_per_person=1)([1], people=[[]]), "numbers or texts"),
    (histogram, "keys or intervals"),
    (lambda: histogram(keys=[1], edges=[1, 2]), "keys or intervals"),
    (lambda: histogram(keys=[1, 1.0]), "none twice"),
    (lambda: histogram(keys=[]), "one or more"),
    (lambda: histogram(keys=[[1]]), "numbers or texts"),
    (lambda: histogram(keys="ab"), "keys must be a list"),
    (lambda: histogram(edges=[1]), "ascending"),
    (lambda: histogram(edges=[1, 1]), "ascending"),
    (lambda: linear_queries([1, 2], keys=["a"]), "needs 1 weights"),
    (lambda: linear_queries([[1], [2, 3]], keys=["a"]), "needs 1 weights"),
    (lambda: linear_queries([], keys=["a"]), "needs 1 weights"),
    (lambda: clipped_vector_sum(bound=0, dimension=2), "bound must be above 0"),
    (lambda: clipped_vector_sum(bound=1, dimension=2, norm="l3"), "norm"),  # type: ignore[arg-type]
    (lambda: clipped_vector_sum(bound=1, dimension=2)([(1, 2, 3)]), "must have 2 cells"),
    (Sensitivity, "needs a length"),
    (lambda: Sensitivity(l1=-1), "l1 must be 0 or more"),
    (lambda: Sensitivity(l2=math.nan), "l2 must be a finite"),
    (lambda: Sensitivity(l2=1, l2_squared=1), "give one of both"),
    (lambda: Sensitivity(l1=1, relation=1), "relation must be"),  # type: ignore[arg-type]
    (lambda: Sensitivity(l2=1).squared("l1"), "known in L2 only"),
]


@pytest.mark.parametrize(("asked", "said"), REFUSED)
def test_what_has_no_sensitivity_is_refused_in_one_sentence(
    asked: Callable[[], Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        asked()


def test_a_cell_that_no_key_names_is_counted_nowhere() -> None:
    assert histogram(keys=["a", None])(["a", "b", None, ["a"], math.nan]) == (1, 1)
    assert histogram(edges=[0, 1, 2])([0, 1, 2, -1, 3, None, math.nan, math.inf]) == (1, 2)


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
    with pytest.raises(InputError, match=r"substitute one row.*add or remove one row"):
        plain_sensitivity(both, norm="l1", relation=ONE)
    with pytest.raises(InputError, match="needs no noise"):
        plain_sensitivity(row_count(relation=SWAP).sensitivity, norm="l1", relation=SWAP)


# Checked: each wrong claim is caught, and its correct twin is not.


def spiked(rows: list[int]) -> int:
    """Count rows; one value of a thousand counts five times."""
    return sum(5 if row == 777 else 1 for row in rows)


def fails_on_three(rows: list[int]) -> int:
    return sum(0 if 1 / (row - 3) else 1 for row in rows)


def wavy(rows: list[float]) -> Fraction:
    """A function whose steepest place is inside the domain: all rows at one half."""
    return math.prod((4 * x * (1 - x) for x in map(Fraction, rows)), start=Fraction(1))


def mean_of_any(rows: list[float]) -> Fraction:
    return added_exactly(rows) / max(len(rows), 1)


def longest_gap(rows: list[float]) -> list[float]:
    return [max(rows, default=0) - min(rows, default=0)]


def order_matters(rows: list[float]) -> float:
    return rows[0] if rows else 0.0


MANY = {"relation": SWAP, "effort": 300}
#: function, claim, domain, options; and the same with a function or a claim that is right.
CAUGHT: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "float sum": (
        (added_in_floats, 1, (0, 1), {}),
        (added_exactly, 1, (0, 1), {}),
    ),
    "float sum, other bounds": (
        (added_in_floats, 10**6, (-(10**6), 10**6), {}),
        (clipped_sum(-(10**6), 10**6), 10**6, (-(10**6), 10**6), {}),
    ),
    "float sum, substitution in place": (
        (added_in_floats, 1, (0, 1), {"relation": SWAP, "sizes": 6, "ordered": True}),
        (added_exactly, 1, (0, 1), {"relation": SWAP, "sizes": 6, "ordered": True}),
    ),
    "float sum in another order, listed": (
        (added_in_floats, "0.7", [0.1, 0.2, 0.5, 0.7], {"sizes": (0, 5), "effort": 10**5}),
        (clipped_sum(0, "0.7"), "0.7", [0.1, 0.2, 0.5, 0.7], {"sizes": (0, 5), "effort": 10**5}),
    ),
    "mean with a secret size": (
        (mean_of_any, "1/8", (0, 1), {}),
        (mean_of_any, "1/8", (0, 1), {"relation": SWAP, "sizes": 8}),
    ),
    "offset": (
        (added_exactly, 1, (100, 101), {}),
        (added_exactly, 1, (100, 101), {"relation": SWAP}),
    ),
    "median": (
        (statistics.median, "1/5", (0, 1), {"relation": SWAP, "sizes": 5}),
        (statistics.median, 1, (0, 1), {"relation": SWAP, "sizes": 5}),
    ),
    "thin spike": (
        (spiked, 1, range(1000), {"effort": 2500}),
        (spiked, 5, range(1000), {"effort": 2500}),
    ),
    "raises": (
        (fails_on_three, 1, range(10), {}),
        (fails_on_three, 1, [0, 1, 2, 4], {}),
    ),
    "raises on the empty table": (
        (statistics.mean, 1, (0, 1), {}),
        (statistics.mean, 1, (0, 1), {"sizes": (1, 8)}),
    ),
    "not a number": (
        (lambda rows: math.inf if len(rows) > 6 else 0, 1, (0, 1), {}),
        (lambda rows: 1 if len(rows) > 6 else 0, 1, (0, 1), {}),
    ),
    "steep inside": (
        (wavy, "0.99", (0, 1), {"relation": SWAP, "sizes": 6}),
        (wavy, 1, (0, 1), {"relation": SWAP, "sizes": 6}),
    ),
    "order of rows": (
        (order_matters, 0, (0, 1), {"relation": SWAP, "sizes": 2}),
        (order_matters, 1, (0, 1), {"relation": SWAP, "sizes": 2, "ordered": True}),
    ),
    "two changes at once": (
        (len, 1, (0, 1), {"relation": ADD_TWO}),
        (len, 2, (0, 1), {"relation": ADD_TWO}),
    ),
    "histogram in L2": (
        (histogram(keys=["a", "b"]), "1.414", ["a", "b"], {"relation": SWAP, "norm": "l2"}),
        (histogram(keys=["a", "b"]), "1.415", ["a", "b"], {"relation": SWAP, "norm": "l2"}),
    ),
    "histogram in L1, long list": (
        (histogram(keys=range(40)), 1, range(40), {"relation": SWAP}),
        (histogram(keys=range(40)), 2, range(40), {"relation": SWAP}),
    ),
    "columns": (
        (lambda rows: sum(x * (s == "M") for x, s in rows), 1, ((0, 2), ["F", "M"]), {}),
        (lambda rows: sum(s == "M" for _, s in rows), 1, ((0, 2), ["F", "M"]), {}),
    ),
    "a vector of changing length": (
        (lambda rows: [0] * len(rows), 1, (0, 1), {}),
        (lambda rows: [0] * 3, 1, (0, 1), {}),
    ),
    "range": (
        (longest_gap, "0.5", (0, 1), {}),
        (longest_gap, 1, (0, 1), {}),
    ),
    "variance of numpy, many rows": (
        (np.var, "1/200", (0, 1), {**MANY, "sizes": 100}),
        (clipped_variance(0, 1, size=99), "98/9801", (0, 1), {**MANY, "sizes": 99}),
    ),
}


def checked(case: tuple[Any, ...], **options: Any) -> Any:
    function, claim, domain, given_options = case
    how = {"effort": 1500, **given_options, **options}
    return check_sensitivity(function, sensitivity=claim, domain=domain, **how)


@pytest.mark.parametrize("name", CAUGHT)
def test_a_wrong_claim_is_caught_with_a_witness_that_can_be_run_again(name: str) -> None:
    case = CAUGHT[name][0]
    report = checked(case)
    assert report.violated
    assert not report.exhausted
    assert str(report).startswith("violated")
    witness = report.witness
    if witness.distance is not None:
        assert case[0](list(witness.table)) == witness.output
        assert case[0](list(witness.neighbour)) == witness.neighbour_output
        assert witness.distance_squared > Fraction(case[1]) ** 2
    with pytest.raises(RefusedError, match="the sensitivity is wrong"):
        _ = report.sensitivity


@pytest.mark.parametrize("name", CAUGHT)
def test_the_correct_twin_is_not_accused(name: str) -> None:
    report = checked(CAUGHT[name][1])
    assert report.witness is None
    said = "holds" if report.exhausted else "which is no proof"
    assert said in str(report)
    assert f"{report.pairs:,} pairs" in report.sensitivity.basis


@pytest.mark.parametrize("name", ["float sum", "thin spike", "steep inside", "median"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_caught_does_not_hang_on_the_seed(name: str, seed: int) -> None:
    first, again = (checked(CAUGHT[name][0], seed=seed) for _ in range(2))
    assert first.violated
    assert first == again


def differing(one: tuple[Any, ...], other: tuple[Any, ...]) -> int:
    """How many rows the larger of two tables has that the other lacks."""
    rows = {*one, *other}
    return max(
        sum(max(0, one.count(row) - other.count(row)) for row in rows),
        sum(max(0, other.count(row) - one.count(row)) for row in rows),
    )


@given(st.integers(0, 10**6), st.sampled_from([ONE, SWAP, SWAP_TWO]), st.booleans())
def test_every_pair_that_is_tried_is_a_pair_of_neighbours(
    seed: int, relation: Relation, ordered: Any
) -> None:
    """A function that keeps what it is shown: the two tables of each pair, one after the other."""
    shown: list[tuple[Any, ...]] = []

    def kept(rows: list[Any]) -> int:
        shown.append(tuple(rows))
        return 0

    check_sensitivity(
        kept,
        sensitivity=1,
        domain=(0, 1),
        sizes=(1, 5),
        relation=relation,
        ordered=ordered,
        effort=60,
        seed=seed,
    )
    for one, other in zip(shown[::2], shown[1::2], strict=True):
        assert all(1 <= len(each) <= 5 for each in (one, other))
        assert differing(one, other) <= relation.count
        if isinstance(relation, sf.Substitute):
            assert len(one) == len(other)
            if ordered:
                changed = sum(x != y for x, y in zip(one, other, strict=True))
                assert changed <= relation.count
        else:
            assert abs(len(one) - len(other)) <= relation.count


def test_exhaustion_counts_every_pair_once() -> None:
    """Three values, tables of 0 to 2 rows: 1, 3 and 6 tables; 3 + 9 additions."""
    report = check_sensitivity(len, sensitivity=1, domain=[1, 2, 3], sizes=(0, 2))
    assert (report.pairs, report.exhausted) == (12, True)
    ordered = check_sensitivity(len, sensitivity=1, domain=[1, 2], sizes=(0, 2), ordered=True)
    # 2 additions to the empty table; of 2 × 3 insertions into one row each gives xx twice.
    assert (ordered.pairs, ordered.exhausted) == (2 + 6, True)
    swaps = check_sensitivity(len, sensitivity=1, domain=[1, 2, 3], sizes=1, relation=SWAP)
    assert (swaps.pairs, swaps.exhausted) == (3, True)


def test_more_orders_than_the_effort_allows_is_no_proof() -> None:
    """Tables of five rows, each row a number of the output: every order is another output."""
    report = check_sensitivity(
        list,
        sensitivity=10,
        domain=[0, 1, 2],
        sizes=5,
        relation=SWAP,
        effort=1000,
    )
    assert not report.exhausted
    assert not report.violated


def test_a_failure_is_seen_where_nothing_can_change() -> None:
    report = check_sensitivity(fails_on_three, sensitivity=1, domain=[3], relation=SWAP, sizes=2)
    assert report.violated
    assert report.witness is not None
    assert report.witness.reason == "the function raised ZeroDivisionError"


def test_a_witness_has_no_row_more_than_it_needs() -> None:
    """From the thirteenth row of a half or more on, each counts twice."""
    report = check_sensitivity(
        lambda rows: 2 * max(0, sum(row >= 0.5 for row in rows) - 12),
        sensitivity=1,
        domain=(0, 1),
        sizes=(0, 1500),
        effort=2000,
    )
    assert report.witness is not None
    assert sorted(map(len, (report.witness.table, report.witness.neighbour))) == [12, 13]


def test_a_derived_sensitivity_brings_its_relation() -> None:
    share = clipped_mean(0, 1, size=3)
    report = check_sensitivity(share, sensitivity=share.sensitivity, domain=[0, 1], sizes=3)
    assert report.claimed.relation == SWAP
    assert report.largest_squared == Fraction(1, 9)
    with pytest.raises(InputError, match="leave relation= out"):
        check_sensitivity(share, sensitivity=share.sensitivity, domain=[0, 1], relation=ONE)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"domain": []}, "domain must say"),
        ({"domain": "ab"}, "domain must say"),
        ({"domain": (1, 2, 3)}, "domain must say"),
        ({"domain": None}, "domain must say"),
        ({"domain": (1, 0)}, "lower must not be above"),
        ({"domain": (0, math.inf)}, "upper must be a finite"),
        ({"domain": ("1/3", "1/3")}, "no float lies in"),
        ({"domain": (10**400, 10**401)}, "no float lies in"),
        ({"sensitivity": -1}, "must be 0 or more"),
        ({"sensitivity": "much"}, "must be a number"),
        ({"sensitivity": None}, "needs a length"),
        ({"sizes": -1}, "sizes must be"),
        ({"sizes": (3, 2)}, "sizes must be"),
        ({"sizes": (0, 2.5)}, "sizes must be"),
        ({"sizes": True}, "sizes must be"),
        ({"sizes": 3}, "no two tables"),
        ({"sizes": 0, "relation": SWAP}, "no two tables"),
        ({"relation": PERSON}, "changes rows, not people"),
        ({"relation": "row"}, "relation must be"),
        ({"norm": "linf"}, "norm must be"),
        ({"effort": 0}, "effort must be"),
        ({"seed": -1}, "seed must be"),
        ({"function": 3}, "function must take"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused(options: dict[str, Any], said: str) -> None:
    asked = {"function": len, "sensitivity": 1, "domain": (0, 1), **options}
    with pytest.raises(InputError, match=said):
        check_sensitivity(asked.pop("function"), **asked)
