"""M-INFO-3: the distribution of greatest entropy under linear constraints."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InfeasibleError, InputError, UnknownNameError
from sfumato.information import marginal, maximum_entropy, moment
from sfumato.information.maxent.solution import certify
from sfumato.information.maxent.system import as_support, compile_system
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.information import Marginal, MaximumEntropy, Moment
    from sfumato.information.maxent.constraints import Constraint

DIE = range(1, 7)
BINARY = {name: [0, 1] for name in "abc"}
JAYNES = [0.0543, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475]


def face(value: int) -> int:
    return value


def pairs_of(table: np.ndarray) -> list[Marginal]:
    """All two-way marginals of a three-way table; one with its axes the other way round."""
    return [
        marginal(["a", "b"], table.sum(axis=2)),
        marginal(["b", "c"], table.sum(axis=0)),
        marginal(["c", "a"], table.sum(axis=1).T),
    ]


def support_of(table: np.ndarray) -> dict[str, range]:
    return {name: range(size) for name, size in zip("abc", table.shape, strict=True)}


def shannon(p: np.ndarray) -> float:
    return float(-sum(x * math.log2(x) for x in p.ravel() if x > 0))


def assert_proved(found: MaximumEntropy) -> None:
    assert found.converged
    assert found.gap <= 1e-9
    assert found.residual <= 1e-9
    assert found.entropy.lower == pytest.approx(shannon(found.table), abs=1e-12)


def test_jaynes_die() -> None:
    """M-INFO-3: mean-constrained die."""
    found = maximum_entropy(DIE, [moment("mean", face, equals=4.5)])
    assert_proved(found)
    assert found.distribution.probabilities == pytest.approx(JAYNES, abs=6e-5)
    assert found.distribution.labels == (1, 2, 3, 4, 5, 6)
    assert float(found.distribution.probabilities @ np.arange(1, 7)) == pytest.approx(
        4.5, abs=1e-12
    )


def test_multipliers_give_the_distribution_and_the_price() -> None:
    """p ∝ base ** -(λ·x), and the entropy changes by λ a unit of the bound."""
    found = maximum_entropy(DIE, [moment("mean", face, equals=4.5)])
    price = found.multipliers["mean"]
    weights = 2.0 ** (-price * np.arange(1, 7))
    assert found.distribution.probabilities == pytest.approx(weights / weights.sum(), abs=1e-12)
    moved = maximum_entropy(DIE, [moment("mean", face, equals=4.5 + 1e-5)])
    assert (moved.entropy.lower - found.entropy.lower) / 1e-5 == pytest.approx(price, rel=1e-4)


def test_the_upper_bound_is_the_dual_value() -> None:
    """Any multipliers bound the entropy; those returned reproduce the bound."""
    found = maximum_entropy(DIE, [moment("mean", face, equals=4.5)], base=math.e)
    price = arb(float(found.multipliers["mean"]))
    partition = sum(((-price * each).exp() for each in DIE), arb(0))
    assert float(partition.log() + price * 4.5) == pytest.approx(found.entropy.upper, abs=1e-12)


def test_base() -> None:
    bits = maximum_entropy(DIE, [moment("mean", face, equals=4.5)])
    nats = maximum_entropy(DIE, [moment("mean", face, equals=4.5)], base=math.e)
    assert nats.entropy.lower == pytest.approx(bits.entropy.lower * math.log(2))
    assert nats.multipliers["mean"] == pytest.approx(bits.multipliers["mean"] * math.log(2))


def test_no_constraints_give_the_uniform_distribution() -> None:
    found = maximum_entropy("abcd")
    assert_proved(found)
    assert found.distribution.probabilities.tolist() == [0.25] * 4
    assert 2 in found.entropy


@pytest.mark.parametrize(("mean", "point"), [(6, 5), (1, 0)])
def test_a_mean_at_the_end_of_the_range_forces_a_point(mean: float, point: int) -> None:
    found = maximum_entropy(DIE, [moment("mean", face, equals=mean)])
    assert_proved(found)
    assert found.distribution.probabilities.tolist() == np.eye(6)[point].tolist()
    assert found.entropy.lower == 0


def test_a_mean_next_to_the_end_does_not() -> None:
    found = maximum_entropy(DIE, [moment("mean", face, equals=6 - 1e-10)])
    assert_proved(found)
    assert found.distribution.probabilities[4] == pytest.approx(1e-10, rel=1e-3)


def test_a_bound_at_the_end_forces_zeros_too() -> None:
    found = maximum_entropy(
        DIE, [moment("big", lambda x: x > 4, at_most=0), moment("m", face, equals=3)]
    )
    assert_proved(found)
    assert found.distribution.probabilities[4:].tolist() == [0, 0]
    found = maximum_entropy(DIE, [moment("mean", face, at_least=6)])
    assert found.distribution.probabilities.tolist() == [0, 0, 0, 0, 0, 1]


def test_inequalities_bind_only_where_they_must() -> None:
    slack = maximum_entropy(DIE, [moment("mean", face, at_least=2)])
    assert slack.multipliers == {"mean": 0.0}
    tight = maximum_entropy(DIE, [moment("mean", face, at_least=4.5, at_most=5)])
    assert_proved(tight)
    assert tight.distribution.probabilities == pytest.approx(JAYNES, abs=6e-5)
    assert tight.multipliers["mean"] < 0
    capped = maximum_entropy(DIE, [moment("mean", face, at_most=2.5)])
    assert capped.multipliers["mean"] > 0


def test_several_inequalities_against_a_general_solver() -> None:
    from scipy import optimize

    minimize: Any = optimize.minimize
    x = np.arange(1, 7)
    found = maximum_entropy(
        DIE,
        [
            moment("mean", face, at_least=4.5),
            moment("square", lambda each: each**2, at_most=24),
            moment("six", lambda each: each == 6, at_most=0.3),
        ],
    )
    assert_proved(found)
    general = minimize(
        lambda p: float(p @ np.log2(p)),
        np.full(6, 1 / 6),
        bounds=[(1e-9, 1)] * 6,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: p @ x - 4.5},
            {"type": "ineq", "fun": lambda p: 24 - p @ x**2},
            {"type": "ineq", "fun": lambda p: 0.3 - p[5]},
        ],
        options={"ftol": 1e-12},
    )
    assert -general.fun == pytest.approx(found.entropy.lower, abs=1e-6)
    assert found.multipliers["square"] == 0


def test_repeated_and_redundant_constraints_do_no_harm() -> None:
    found = maximum_entropy(
        DIE,
        [
            moment("mean", face, equals=4.5),
            moment("double", lambda each: 2 * each, equals=9),
            moment("shifted", lambda each: each + 10, at_most=14.5),
            moment("constant", [3] * 6, equals=3),
        ],
    )
    assert_proved(found)
    assert found.distribution.probabilities == pytest.approx(JAYNES, abs=6e-5)


def test_powers_of_very_different_size() -> None:
    support = np.arange(101.0)
    target = np.random.default_rng(5).dirichlet(np.ones(101))
    found = maximum_entropy(
        support.tolist(),
        [moment(f"power {k}", support**k, equals=float(target @ support**k)) for k in (1, 2, 3, 4)],
    )
    assert_proved(found)
    assert found.entropy.upper > shannon(target)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_two_way_marginals_of_a_three_way_table(seed: int) -> None:
    """M-INFO-3: marginals of a 3-way table are reproduced, and nothing has more entropy."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 5, size=3))
    table = rng.dirichlet(np.full(int(np.prod(shape)), 0.5)).reshape(shape)
    found = maximum_entropy(support_of(table), pairs_of(table))
    assert_proved(found)
    assert found.table.shape == shape
    for axis in range(3):
        assert found.table.sum(axis=axis) == pytest.approx(table.sum(axis=axis), abs=1e-9)
    assert found.entropy.upper >= shannon(table) - 1e-12


def test_three_way_table_has_no_three_way_interaction() -> None:
    """The odds ratio of the odds ratios is one: the sign of the greatest entropy."""
    table = np.random.default_rng(1).dirichlet(np.ones(8)).reshape(2, 2, 2)
    logs = np.log(maximum_entropy(BINARY, pairs_of(table)).table)
    signs = np.fromfunction(lambda i, j, k: (-1) ** (i + j + k), (2, 2, 2))
    assert float((signs * logs).sum()) == pytest.approx(0, abs=1e-9)
    assert abs(float((signs * np.log(table)).sum())) > 0.1


def test_three_way_table_is_not_the_product_when_it_should_not_be() -> None:
    table = np.random.default_rng(1).dirichlet(np.ones(8)).reshape(2, 2, 2)
    ones = [table.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
    product = np.einsum("i,j,k->ijk", *ones)
    single = [marginal(name, each) for name, each in zip("abc", ones, strict=True)]
    assert maximum_entropy(BINARY, single).table == pytest.approx(product, abs=1e-12)
    pairs = maximum_entropy(BINARY, pairs_of(table))
    assert np.abs(pairs.table - product).max() > 0.01
    assert pairs.entropy.upper < shannon(product)


def test_a_chain_of_marginals_gives_conditional_independence() -> None:
    """Marginals of (a, b) and (b, c) alone: p(a, b)·p(b, c) / p(b)."""
    table = np.random.default_rng(2).dirichlet(np.ones(24)).reshape(2, 3, 4)
    ab, bc = table.sum(axis=2), table.sum(axis=0)
    found = maximum_entropy(support_of(table), pairs_of(table)[:2])
    expected = ab[:, :, None] * bc[None, :, :] / bc.sum(axis=1)[None, :, None]
    assert found.table == pytest.approx(expected, abs=1e-10)


def test_counts_mappings_and_fractions_say_the_same() -> None:
    support = {"sex": ["F", "M"], "ill": ["yes", "no"]}
    counts = maximum_entropy(support, [marginal(["sex", "ill"], [[3, 1], [0, 4]])])
    mapping = {("F", "yes"): 3, ("F", "no"): 1, ("M", "no"): 4}
    fractions = {key: Fraction(value, 8) for key, value in mapping.items()}
    for table in (mapping, fractions):
        other = maximum_entropy(support, [marginal(["sex", "ill"], table)])
        assert other.table.tolist() == counts.table.tolist()
    assert counts.distribution["M", "yes"] == 0
    assert counts.table == pytest.approx(np.array([[0.375, 0.125], [0, 0.5]]), abs=1e-14)


FRAME = pd.DataFrame([[4, 3], [2, 1]], index=["M", "F"], columns=["no", "yes"])


@pytest.mark.parametrize(
    ("variables", "table"),
    [
        (["sex", "ill"], FRAME),
        (["ill", "sex"], FRAME.T),
        (["sex", "ill"], FRAME / 10),
        (["sex", "ill"], FRAME.stack()),
        (["sex", "ill"], pd.DataFrame({"no": [2, 4], "yes": [1, 3]})),
        (["sex", "ill"], pd.DataFrame([[1, 2], [3, 4]])),
    ],
    ids=["frame", "transposed", "shares", "stacked", "columns named", "nothing named"],
)
def test_the_labels_of_a_frame_are_values_of_the_variables(variables: Any, table: Any) -> None:
    support = {"sex": ["F", "M"], "ill": ["yes", "no"]}
    found = maximum_entropy(support, [marginal(variables, table)])
    assert found.table == pytest.approx(np.array([[0.1, 0.2], [0.3, 0.4]]))


def test_a_frame_may_leave_out_what_cannot_occur() -> None:
    support = {"sex": ["F", "M"], "ill": ["yes", "no"]}
    found = maximum_entropy(support, [marginal(["sex", "ill"], FRAME.loc[["M"]])])
    assert found.table == pytest.approx(np.array([[0, 0], [3 / 7, 4 / 7]]))


def test_an_index_of_whole_numbers_is_an_index() -> None:
    shares = pd.Series([0.25, 0.75], index=[0, 1])
    found = maximum_entropy({"x": [1, 0]}, [marginal("x", shares)])
    assert found.table == pytest.approx([0.75, 0.25])


def test_a_marginal_in_single_precision_is_divided_by_its_sum() -> None:
    sevenths = np.full(7, np.float32(1 / 7))
    for table in (sevenths, dict(enumerate(sevenths))):
        found = maximum_entropy({"x": range(7)}, [marginal("x", table)])
        assert_proved(found)
        assert found.table == pytest.approx(np.full(7, 1 / 7), abs=1e-15)


@pytest.mark.parametrize("mean", [Decimal("4.5"), Fraction(9, 2), np.float32(4.5)])
def test_one_constraint_needs_no_list_and_any_number_is_a_bound(mean: Any) -> None:
    alone = maximum_entropy(DIE, moment("mean", face, equals=mean))
    assert alone.distribution.probabilities == pytest.approx(JAYNES, abs=6e-5)
    stream = maximum_entropy(DIE, (moment(name, face, equals=mean) for name in "ab"))
    assert stream.distribution.probabilities == pytest.approx(JAYNES, abs=6e-5)


@pytest.mark.parametrize("size", [1e-200, 1e-20, 1e200, 2.5e307])
@pytest.mark.parametrize("mean", [1, 4.5, 6])
def test_the_size_of_the_numbers_does_not_matter(size: float, mean: float) -> None:
    small = maximum_entropy(DIE, moment("mean", face, equals=mean))
    large = maximum_entropy(DIE, moment("mean", lambda each: each * size, equals=mean * size))
    assert_proved(large)
    assert large.table == pytest.approx(small.table, abs=1e-9)
    for beyond in (-1.7e308, 1.7e308):
        with pytest.raises(InfeasibleError):
            maximum_entropy(DIE, moment("mean", lambda each: each * size, equals=beyond))


def test_numbers_whose_sum_is_beyond_the_floats() -> None:
    values = [1e308, 1.5e308, 1.7e308, 1.7e308]
    assert_proved(maximum_entropy("abcd", moment("m", values, equals=1.4e308)))
    top = maximum_entropy("abcd", moment("m", values, equals=1.7e308))
    assert_proved(top)
    assert top.table.tolist() == [0, 0, 0.5, 0.5]
    twice = [moment("m", values, equals=1e308), moment("n", values, at_most=1e308)]
    assert maximum_entropy("abcd", twice).table.tolist() == [1, 0, 0, 0]


def test_a_gap_is_one_outcome_however_often_it_is_listed() -> None:
    assert maximum_entropy([math.nan, 1.0]).table.tolist() == [0.5, 0.5]
    with raises_code("E-OUTCOMES-ALIKE", "the support"):
        maximum_entropy([math.nan, float("nan")])


def test_a_result_cannot_be_changed_and_survives_pickling() -> None:
    found = maximum_entropy(BINARY, [marginal("a", [1, 3]), moment("m", range(8), at_most=3)])
    multipliers: Any
    for each in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):  # noqa: S301
        assert each.distribution == found.distribution
        assert (each.entropy, each.residual, each.shape) == (
            found.entropy,
            found.residual,
            (2,) * 3,
        )
        assert each.multipliers["m"] == found.multipliers["m"]
        multipliers = each.multipliers
        assert multipliers["a"].tolist() == found.multipliers["a"].tolist()  # type: ignore[union-attr]
        with pytest.raises(TypeError):
            multipliers["m"] = 0.0
        with pytest.raises(ValueError, match="read-only"):
            multipliers["a"][0] = 0.0
        with pytest.raises(ValueError, match="read-only"):
            each.table[0, 0, 0] = 1.0


def test_constraints_survive_pickling() -> None:
    constraints = [moment("m", [1, 2, 3], at_least=1.5), marginal(["x"], np.array([1, 2, 1]))]
    mean, shares = pickle.loads(pickle.dumps(constraints))  # noqa: S301
    assert mean == constraints[0]
    found = maximum_entropy({"x": "abc"}, [mean, shares])
    assert found.table == pytest.approx([0.25, 0.5, 0.25])


def test_a_function_on_a_table_sees_the_variables_by_name() -> None:
    found = maximum_entropy(
        {"age": [20, 40, 60], "sex": ["F", "M"]},
        [
            marginal("sex", [0.5, 0.5]),
            moment(
                "age of women", lambda cell: (cell["sex"] == "F") * (cell["age"] - 50), equals=0
            ),
        ],
    )
    women = found.table[:, 0] / found.table[:, 0].sum()
    assert float(women @ [20, 40, 60]) == pytest.approx(50)
    assert found.table[:, 1] == pytest.approx([1 / 6] * 3)
    assert np.shape(found.multipliers["sex"]) == (2,)


def test_zero_cells_of_a_marginal_force_zeros() -> None:
    table = np.full((2, 2, 2), 1 / 6)
    table[0, 0, :] = 0
    found = maximum_entropy(BINARY, pairs_of(table))
    assert_proved(found)
    assert found.table[0, 0].tolist() == [0, 0]


def test_zeros_that_no_single_marginal_shows() -> None:
    """Every two-way marginal is positive, yet two cells must be zero: a linear program tells."""
    table = np.full((2, 2, 2), 1 / 6)
    table[0, 0, 0] = table[1, 1, 1] = 0
    assert min(table.sum(axis=axis).min() for axis in range(3)) > 0
    found = maximum_entropy(BINARY, pairs_of(table))
    assert_proved(found)
    assert found.table[0, 0, 0] == found.table[1, 1, 1] == 0
    assert found.table == pytest.approx(table, abs=1e-12)


def test_rounding_in_the_constraints_is_not_a_contradiction() -> None:
    table = np.random.default_rng(8).dirichlet(np.ones(60)).reshape(3, 4, 5)
    blurred = [
        marginal(each.variables, each.table * (1 + 3e-16), name=each.name)
        for each in pairs_of(table)
    ]
    assert_proved(maximum_entropy(support_of(table), blurred))
    almost_six = math.nextafter(6, 7)
    assert_proved(maximum_entropy(DIE, [moment("mean", face, equals=almost_six)]))


@pytest.mark.parametrize(
    ("constraints", "conflict"),
    [
        ([moment("mean", face, equals=7)], ("mean",)),
        ([moment("mean", face, at_most=0.5), moment("fine", face, at_least=2)], ("mean",)),
        (
            [
                moment("odd", lambda x: x % 2, equals=0.5),
                moment("high", face, at_least=4.5),
                moment("cap", lambda x: x >= 5, at_most=0.1),
            ],
            ("high", "cap"),
        ),
        (
            [moment("mean", face, equals=2), moment("square", lambda x: x**2, at_most=3.9)],
            ("mean", "square"),
        ),
        ([moment("one", face, at_most=1), moment("six", face, at_least=6)], ("one", "six")),
        (
            [moment("low", face, at_most=3), moment("high", face, at_least=3 + 1e-6)],
            ("low", "high"),
        ),
    ],
)
def test_infeasible_moments_are_named(constraints: list[Moment], conflict: tuple[str, ...]) -> None:
    """M-INFO-3: infeasible constraints are reported, by a smallest set that clashes."""
    with pytest.raises(InfeasibleError) as raised:
        maximum_entropy(DIE, constraints)
    assert raised.value.conflict == conflict
    assert all(repr(name) in str(raised.value) for name in conflict)


def test_marginals_that_disagree_on_a_shared_variable_are_named() -> None:
    with raises_code(
        "E-CONSTRAINTS-INFEASIBLE", match="'a, b' and 'c, b' disagree on 'b'", kind=InfeasibleError
    ) as raised:
        maximum_entropy(
            BINARY,
            [
                marginal(["a", "b"], [[0.4, 0.1], [0.1, 0.4]]),
                marginal(["c", "b"], [[0.3, 0.2], [0.3, 0.2]]),
            ],
        )
    assert raised.value.conflict == ("a, b", "c, b")


def test_marginals_that_agree_in_pairs_may_clash_together() -> None:
    """a = b and b = c, nearly always, but a ≠ c."""
    same = np.array([[0.45, 0.05], [0.05, 0.45]])
    constraints: list[Constraint] = [
        marginal(["a", "b"], same),
        marginal(["b", "c"], same),
        marginal(["a", "c"], same[::-1]),
        moment("harmless", lambda cell: cell["a"], at_least=0.2),
    ]
    with pytest.raises(InfeasibleError) as raised:
        maximum_entropy(BINARY, constraints)
    assert raised.value.conflict == ("a, b", "b, c", "a, c")


def large_table() -> np.ndarray:
    rng = np.random.default_rng(4)
    return rng.dirichlet(np.ones(60 * 60 * 10)).reshape(60, 60, 10)


def test_a_large_table() -> None:
    table = large_table()
    found = maximum_entropy(support_of(table), pairs_of(table))
    assert_proved(found)
    assert found.table.sum(axis=2) == pytest.approx(table.sum(axis=2), abs=1e-9)


def test_a_conflict_in_a_large_table_is_named() -> None:
    """Beyond the size for linear programs the dual itself proves the contradiction."""
    table = large_table()
    young = moment("young", lambda cell: cell["a"], at_most=20)
    with pytest.raises(InfeasibleError) as raised:
        maximum_entropy(support_of(table), [*pairs_of(table), young])
    assert raised.value.conflict == ("c, a", "young")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=2), st.floats(3.6, 5))
def test_the_certificate_does_not_trust_the_solver(prices: list[float], mean: float) -> None:
    """Whatever multipliers and whatever point: the bounds hold, they are only wider."""
    constraints = [moment("mean", face, equals=mean), moment("six", lambda x: x == 6, at_most=0.5)]
    best = maximum_entropy(DIE, constraints)
    system = compile_system(as_support(DIE), constraints)
    multipliers = np.array([prices[0], abs(prices[1])])
    there, _ = certify(system, best.table, multipliers, 2.0)
    assert there.lower == pytest.approx(best.entropy.lower, abs=1e-12)
    assert there.upper >= best.entropy.lower
    elsewhere, residual = certify(system, np.full(6, 1 / 6), multipliers, 2.0)
    assert residual == pytest.approx((mean - 3.5) / 2.5)
    assert elsewhere.upper >= math.log2(6)


def test_a_tolerance_out_of_reach_is_said() -> None:
    found = maximum_entropy(DIE, [moment("mean", face, equals=4.5)], tolerance=1e-17)
    assert not found.converged
    assert "wider than asked" in str(found)
    assert found.gap < 1e-12


@cases(
    ("call", "sentence"),
    [
        (lambda: maximum_entropy([]), "the support is empty or repeats"),
        (lambda: maximum_entropy([1, 1]), "the support is empty or repeats"),
        (lambda: maximum_entropy({}), "the support has no variables"),
        (lambda: maximum_entropy({"a": []}), "the variable 'a' is empty"),
        (lambda: maximum_entropy([[1], [2]]), "dictionary keys"),  # type: ignore[list-item]
        (lambda: maximum_entropy(3), "must be a list of outcomes"),  # type: ignore[arg-type]
        (lambda: maximum_entropy({k: range(1000) for k in "abc"}), "1000000000 outcomes"),
        (lambda: maximum_entropy(DIE, ["mean"]), "made by moment"),  # type: ignore[list-item]
        (lambda: maximum_entropy(DIE, [moment("m", face, at_most=5)] * 2), "are called 'm'"),
        (lambda: maximum_entropy(DIE, tolerance=-1), "tolerance must be a positive"),
        (lambda: maximum_entropy(DIE, base=0.5), "base must"),
        (lambda: maximum_entropy(DIE, [moment("m", [1, 2], equals=1)]), "2 numbers for 6 outcomes"),
        (
            lambda: maximum_entropy("ab", [moment("m", ["x", "y"], equals=1)]),  # type: ignore[list-item]
            "not a finite number on",
        ),
        (lambda: maximum_entropy("ab", [moment("m", [1, math.inf], equals=1)]), "not a finite"),
        (lambda: maximum_entropy(DIE, 5), "give one or a list of them"),  # type: ignore[arg-type]
        (lambda: maximum_entropy("ab", moment("m", [0, 1e-320], at_most=0)), "differ by less than"),
        (lambda: moment("m", 5, equals=1), "neither of a function nor"),  # type: ignore[arg-type]
        (lambda: moment("m", "12", equals=1), "neither of a function nor"),  # type: ignore[arg-type]
        (lambda: moment("m", {1: 5, 2: 6}, equals=1), "'m' are labelled"),
        (lambda: moment("m", pd.Series([1, 2], index=[1, 0]), equals=1), "'m' are labelled"),
        (lambda: moment(["m"], [1], equals=1), "must be text"),  # type: ignore[arg-type]
        (lambda: moment("m", [1, 2], equals=10**400), "not a finite number"),
        (lambda: moment("m", [1, 2], at_least=Decimal("sNaN")), "not a finite number"),
        (lambda: marginal([["x"]], [1]), "each named once"),  # type: ignore[arg-type]
        (lambda: marginal(np.array(["x"]), [1]), "each named once"),  # type: ignore[arg-type]
        (lambda: moment("m", face), "needs either equals="),
        (lambda: moment("m", face, equals=1, at_most=2), "needs either equals="),
        (lambda: moment("m", face, equals=math.nan), "not a finite number"),
        (lambda: moment("m", face, at_least=3, at_most=2), "swap the two"),
        (lambda: marginal([], [1.0]), "one or more variables"),
        (lambda: marginal(["a", "a"], [[1.0]]), "each named once"),
        (lambda: maximum_entropy(DIE, [marginal("a", [1.0])]), "a marginal needs a table"),
        (lambda: maximum_entropy(BINARY, [marginal("a", [1, 2, 3])]), "has shape"),
        (lambda: maximum_entropy(BINARY, [marginal("a", [0.5, 0.6])]), "'a' sums to 1.1"),
        (lambda: maximum_entropy(BINARY, [marginal("a", {0: 1, 7: 1})]), "not a combination of"),
        (lambda: maximum_entropy(BINARY, marginal(["a", "b"], FRAME)), "not a combination of"),
        (lambda: maximum_entropy(BINARY, marginal("a", FRAME)), "has shape"),
        (
            lambda: maximum_entropy(
                BINARY, marginal(["a", "b"], pd.DataFrame([[1], [1]], index=[0, 0]))
            ),
            "have the same label",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()


def test_an_unknown_variable_is_answered_with_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'smoker'", kind=UnknownNameError):
        maximum_entropy({"smoker": [0, 1]}, [marginal("smokr", [1, 1])])
