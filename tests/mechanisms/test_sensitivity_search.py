"""A search for violations of a declared sensitivity: what it catches and proves (M-SENS-1)."""

from __future__ import annotations

import json
import math
import statistics
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError, RefusedError
from sfumato.mechanisms.sensitivity import (
    Sensitivity,
    check_sensitivity,
    clipped_mean,
    clipped_sum,
    clipped_variance,
    histogram,
)
from sfumato.mechanisms.sensitivity.rounding import grain
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.privacy import Relation

ONE, ADD_TWO = sf.privacy.AddRemove(), sf.privacy.AddRemove(2)
SWAP, SWAP_TWO = sf.privacy.Substitute(), sf.privacy.Substitute(2)
PERSON = sf.privacy.AddRemove(unit=sf.privacy.Person())
Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")


def added_in_floats(rows: list[float]) -> float:
    """Add one by one, as an engine does; Python's own ``sum`` compensates since 3.12."""
    total = 0.0
    for row in rows:
        total += row
    return total


def added_exactly(rows: list[float]) -> Fraction:
    return sum(map(Fraction, rows), Fraction(0))


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
    with raises_code("E-SENSITIVITY-WRONG", kind=RefusedError):
        _ = report.sensitivity


@pytest.mark.full
@pytest.mark.parametrize("name", CAUGHT)
def test_the_correct_twin_is_not_accused(name: str) -> None:
    report = checked(CAUGHT[name][1])
    assert report.witness is None
    said = "holds" if report.exhausted else "which is no proof"
    assert said in str(report)
    assert f"{report.pairs:,} pairs" in report.sensitivity.basis


@pytest.mark.parametrize("name", ["offset", "thin spike", "steep inside", "median"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_caught_does_not_hang_on_the_seed(name: str, seed: int) -> None:
    first, again = (checked(CAUGHT[name][0], seed=seed) for _ in range(2))
    assert first.violated
    assert first == again


# Rounding: what floats are off by is told from a violation, and rationals decide.

#: As above: the wrong claim is exceeded by rounding alone, and its exact twin keeps it.
ROUNDED: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
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
}


@pytest.mark.parametrize("name", ROUNDED)
def test_what_floats_add_to_a_sum_is_rounding_and_still_refused(name: str) -> None:
    report = checked(ROUNDED[name][0])
    assert str(report).startswith("rounding")
    assert not report.violated
    assert not report.holds
    found, claim = report.rounding, Fraction(ROUNDED[name][0][1])
    assert ROUNDED[name][0][0](list(found.table)) == found.output
    assert claim**2 < found.distance_squared < (claim * (1 + Fraction(1, 10**12))) ** 2
    with raises_code("E-SENSITIVITY-ROUNDED", kind=RefusedError):
        _ = report.sensitivity


@pytest.mark.full
@pytest.mark.parametrize("name", ROUNDED)
def test_the_exact_twin_of_a_rounded_sum_is_not_accused(name: str) -> None:
    report = checked(ROUNDED[name][1])
    assert report.witness is None
    assert report.rounding is None


SIZES = [3, 7, 10, 25]


def mean_of(size: int) -> Any:
    """Example 5.1 of the textbook: the mean of a share of each record, one of n records changed."""
    return lambda rows: sum(rows) / size


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("domain", [[0, 1], (0, 1), [0.0, 0.1, 0.7, 1.0]], ids=str)
def test_the_mean_over_n_moves_by_one_nth_but_for_rounding(size: int, domain: Any) -> None:
    report = check_sensitivity(
        mean_of(size),
        sensitivity=Fraction(1, size),
        domain=domain,
        sizes=size,
        relation=SWAP,
        effort=500,
    )
    assert not report.violated
    if report.rounding is not None:
        assert report.exactly is not None
        assert report.exactly.witness is report.exactly.rounding is None
        assert report.exactly.largest_squared == Fraction(1, size) ** 2
        assert "in Fractions: " in str(report)


@pytest.mark.parametrize("size", SIZES[:2])
def test_rationals_over_a_listed_domain_prove_it(size: int) -> None:
    listed = [Fraction(0), Fraction(1, 3), Fraction(1)]
    asked: dict[str, Any] = {"domain": listed, "sizes": size, "relation": SWAP, "effort": 10**5}
    report = check_sensitivity(mean_of(size), sensitivity=Fraction(1, size), **asked)
    assert report.holds
    assert report.sensitivity.l1 == Fraction(1, size)
    less = Fraction(1, size) * (1 - Fraction(1, 10**30))
    assert check_sensitivity(mean_of(size), sensitivity=less, **asked).violated


def slightly_more(share: Any) -> Any:
    return lambda rows: sum(rows) * (1 + share)


@pytest.mark.parametrize("share", [Fraction(1, 10**12), 1e-12, Fraction(1, 10**40)], ids=str)
def test_a_small_violation_is_no_rounding(share: Any) -> None:
    """The twin: more than floats can be off by, or by any amount where nothing is rounded."""
    report = check_sensitivity(slightly_more(share), sensitivity=1, domain=[0, 1], sizes=(0, 4))
    assert report.violated
    assert report.rounding is None


def test_a_violation_that_looks_like_rounding_is_found_by_rationals() -> None:
    """In floats one unit in the last place too much; in rationals as much, which is a violation."""

    def steep(rows: list[Any]) -> Any:
        exact = sum(map(Fraction, rows)) * (1 + Fraction(1, 2**52))
        return exact if any(isinstance(row, Fraction) for row in rows) else float(exact)

    report = check_sensitivity(steep, sensitivity=1, domain=[0, 1], sizes=(1, 4))
    assert report.violated
    assert report.rounding is not None
    assert report.witness is report.exactly.witness  # type: ignore[union-attr]
    assert not report.exhausted
    with raises_code("E-SENSITIVITY-WRONG", kind=RefusedError):
        _ = report.sensitivity
    blind = check_sensitivity(slightly_more(2.0**-52), sensitivity=1, domain=[0, 1], sizes=(1, 4))
    assert blind.exactly is None
    assert str(blind).endswith("a function that returns Fractions for Fractions would decide it")


def test_a_claim_that_was_rounded_is_told_from_a_wrong_one() -> None:
    asked: dict[str, Any] = {"domain": [Fraction(0), Fraction(1)], "sizes": 3, "relation": SWAP}
    report = check_sensitivity(mean_of(3), sensitivity=1 / 3, **asked)
    assert str(report).endswith(
        "write the sensitivity as text or a Fraction, such as '1/3', to decide it"
    )
    assert check_sensitivity(mean_of(3), sensitivity="0.3333333333333333", **asked).violated
    assert check_sensitivity(mean_of(3), sensitivity="1/3", **asked).holds


def test_what_fails_on_fractions_only_is_no_violation() -> None:
    def picky(rows: list[Any]) -> Any:
        if len(rows) == 2 and isinstance(rows[0], Fraction):
            raise TypeError
        return sum(rows, start=0) / 3

    report = check_sensitivity(picky, sensitivity="1/3", domain=[0, 1], sizes=(0, 3))
    assert report.rounding is not None
    assert not report.violated
    assert report.exactly is None


@pytest.mark.parametrize(
    ("output", "rounded"),
    [
        (1, False),
        (Fraction(1, 3), False),
        (1.0, True),
        (np.float32(1), True),
        (np.array([1.0]), True),
        (np.array([1]), False),
        (np.array([Fraction(1)], dtype=object), False),
        ([1, (2, 3.0)], True),
        (Decimal("0.1"), True),
        ([], False),
    ],
)
def test_what_may_have_been_rounded_is_known_by_its_type(output: Any, rounded: bool) -> None:  # noqa: FBT001
    assert bool(grain(output)) is rounded


@pytest.mark.parametrize("domain", [[0, 1], [0, 2]])
def test_a_report_is_the_same_in_lines_and_in_a_dictionary(domain: Any) -> None:
    report = check_sensitivity(
        mean_of(10), sensitivity="1/10", domain=domain, sizes=10, relation=SWAP
    )
    found = report.as_dict()
    assert json.loads(json.dumps(found)) == found
    assert report.lines()[0].startswith(found["verdict"])
    assert all(len(line) <= 60 for line in report.lines(width=60))
    assert found["verdict"] == ("rounding" if domain == [0, 1] else "violated")


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
        if isinstance(relation, sf.privacy.Substitute):
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
    with raises_code("E-RELATION-OTHER", match="leave relation= out"):
        check_sensitivity(share, sensitivity=share.sensitivity, domain=[0, 1], relation=ONE)


@cases(
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


# Every norm of a claim is compared, whichever one the search climbs in.


def two_counts(rows: list[str]) -> list[int]:
    """A substitution moves it by 2 in L1 and by √2 in L2."""
    return [rows.count("a"), rows.count("b")]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("effort", [10_000, 20])
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"l1": 2, "l2": 1}, "√2 apart in L2, above the declared 1"),
        ({"l1": "1.5", "l2_squared": 2}, "2 apart in L1, above the declared 3/2"),
        ({"l1": "1.5"}, "2 apart in L1, above the declared 3/2"),
    ],
)
def test_a_claim_that_is_wrong_in_either_norm_is_caught(
    claim: dict[str, Any], said: str, effort: int, norm: Norm
) -> None:
    report = check_sensitivity(
        two_counts,
        sensitivity=Sensitivity(**claim, relation=SWAP),
        domain=["a", "b"],
        sizes=(0, 4),
        norm=norm,
        effort=effort,
    )
    assert report.witness is not None
    assert said in report.witness.reason
    with raises_code("E-SENSITIVITY-WRONG", kind=RefusedError):
        _ = report.sensitivity


@pytest.mark.parametrize("norm", NORMS)
def test_a_claim_that_is_right_in_both_norms_is_proved_in_both(norm: Norm) -> None:
    claim = Sensitivity(l1=2, l2_squared=2, relation=SWAP)
    report = check_sensitivity(
        two_counts, sensitivity=claim, domain=["a", "b"], sizes=(0, 4), norm=norm
    )
    assert report.exhausted
    assert (report.sensitivity.l1_squared, report.sensitivity.l2_squared) == (
        Fraction(4),
        Fraction(2),
    )
    assert "(substitute one row, L1 and L2)" in str(report)
    assert "the greatest distances are 2 in L1 and √2 in L2" in str(report)


def test_what_was_compared_in_l2_alone_says_nothing_of_l1() -> None:
    report = check_sensitivity(
        two_counts, sensitivity="1.5", domain=["a", "b"], sizes=(0, 4), relation=SWAP, norm="l2"
    )
    assert report.sensitivity.l1 is None
    assert "(substitute one row, L2)" in str(report)


#: What an odd number of rows gives, and what an even one does: the same numbers otherwise.
SHAPES: list[tuple[Any, Any]] = [
    ([[1], [2, 3]], [[1, 2], [3]]),
    ([[1, 2], [3]], [1, 2, 3]),
    ([1, 2, 3, 4], [[1, 2], [3, 4]]),
    (np.arange(4), np.arange(4).reshape(2, 2)),
    (np.zeros((0, 2)), np.zeros((0, 3))),
    (7, [7]),
    ([], [[]]),
]


@pytest.mark.parametrize("domain", [["a"], (0, 1)])
@pytest.mark.parametrize("outputs", SHAPES)
def test_numbers_in_another_shape_are_another_answer(outputs: tuple[Any, Any], domain: Any) -> None:
    report = check_sensitivity(
        lambda rows: outputs[len(rows) % 2], sensitivity=9, domain=domain, sizes=(0, 3), effort=50
    )
    assert report.witness is not None
    assert report.witness.reason.startswith("the outputs have the shapes (")
    assert report.witness.distance is None


@pytest.mark.parametrize("outputs", [([1, 2], np.array([1, 2])), ((1,), [np.float64(1)])])
def test_a_list_and_an_array_of_one_shape_are_alike(outputs: tuple[Any, Any]) -> None:
    report = check_sensitivity(
        lambda rows: outputs[len(rows) % 2], sensitivity=0, domain=["a"], sizes=(0, 3)
    )
    assert report.exhausted
    assert not report.violated


def test_the_shape_may_not_depend_on_the_order_of_rows() -> None:
    report = check_sensitivity(
        lambda rows: [[1], [2, 3]] if rows == sorted(rows) else [[1, 2], [3]],
        sensitivity=0,
        domain=[0, 1],
        sizes=2,
        relation=SWAP,
    )
    assert report.violated


@pytest.mark.parametrize("span", [np.timedelta64(3, "ns"), np.array([3], "m8[ns]")])
def test_spans_of_time_are_no_numbers(span: Any) -> None:
    report = check_sensitivity(lambda rows: span, sensitivity=1, domain=["a"])
    assert report.witness is not None
    assert report.witness.reason == "the output is no finite number, nor a list of such"


#: What a function ignores, or returns beside, is large; and it moves far more than is claimed.
HIDDEN: dict[str, tuple[Any, Any, Any]] = {
    "a time in nanoseconds": (
        lambda rows: float(sum(row[1] for row in rows)),
        [(1_700_000_000_000_000_000, 0.0), (1_700_000_000_000_000_000, 1.0)],
        "1/100",
    ),
    "a second number": (lambda rows: (float(len(rows)), 1e16), [0, 1], "1/100"),
    "half floats": (lambda rows: np.float16(len(rows)), [5000.0], "1/2"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_large_numbers_nearby_do_not_make_a_violation_rounding(name: str) -> None:
    function, domain, claimed = HIDDEN[name]
    report = sf.mechanisms.sensitivity.check_sensitivity(
        function, sensitivity=claimed, domain=domain, sizes=(0, 3)
    )
    assert report.violated
