"""From one kind of guarantee to another, by a theorem, never gaining any (M-RDP-1, M-ADP-1)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.information import renyi_divergence
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.privacy.guarantees import (
    CONVERSIONS,
    ApproxDP,
    GaussianDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    convert,
)
from tests.cases import cases
from tests.privacy.guarantee_strategies import (
    AMOUNTS,
    DELTAS,
    EPSILONS,
    FACTORS,
    GUARANTEES,
    ORDERS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS: dict[type[Guarantee], st.SearchStrategy[dict[str, Any]]] = {
    PureDP: st.just({}),
    ApproxDP: st.one_of(
        st.fixed_dictionaries({"delta": DELTAS}), st.fixed_dictionaries({"epsilon": EPSILONS})
    ),
    RenyiDP: st.fixed_dictionaries({"order": ORDERS}),
    ZeroConcentratedDP: st.just({}),
    GaussianDP: st.just({}),
    PrivacyProfile: st.fixed_dictionaries({"epsilons": st.lists(EPSILONS, min_size=1, max_size=3)}),
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[type[Guarantee], dict[str, Any]]:
    """A kind, and the parameters that converting to it takes."""
    kind = draw(st.sampled_from(list(KINDS)))
    return kind, draw(KINDS[kind])


@given(GUARANTEES, requests(), requests())
def test_no_conversion_gains_anything(
    guarantee: Guarantee,
    there: tuple[type[Guarantee], dict[str, Any]],
    back: tuple[type[Guarantee], dict[str, Any]],
) -> None:
    """Every chain of two conversions ends in something that the first guarantee implies."""
    reached = guarantee
    for kind, parameters in (there, back):
        try:
            reached = convert(reached, kind, **parameters)
        except InputError as refusal:
            assert f"gives no {kind.__name__}" in str(refusal)  # noqa: PT017
            return
        assert type(reached) is kind
        assert reached.relation == guarantee.relation
        assert weakly_implies(guarantee, reached)


def weakly_implies(guarantee: Guarantee, other: Guarantee) -> bool:
    """Whether no figure of the other is better, but for the rounding of searches."""
    slack = 1 + 1e-9
    better = (
        guarantee.delta(epsilon=1) > other.delta(epsilon=1) * slack + 1e-300,
        guarantee.delta(epsilon=5) > other.delta(epsilon=5) * slack + 1e-300,
        guarantee.epsilon(delta=1e-3) > other.epsilon(delta=1e-3) * slack,
        guarantee.renyi(2) > other.renyi(2) * slack,
        guarantee.tradeoff(false_positive_rate=0.1)
        < other.tradeoff(false_positive_rate=0.1) - SEARCHED,
    )
    return not any(better)


#: How much a trade-off that is searched for may miss.
SEARCHED = 1e-4


def test_a_conversion_that_gains_would_be_caught() -> None:
    """The twin: half the ρ of a pure guarantee, and the δ of a Gaussian one left out."""
    assert not weakly_implies(PureDP(epsilon=1), ZeroConcentratedDP(rho=0.25))
    assert not weakly_implies(GaussianDP(mu=1), PureDP(epsilon=4))
    assert weakly_implies(PureDP(epsilon=1), ZeroConcentratedDP(rho=0.5))


@given(FACTORS, ORDERS)
def test_the_rho_of_a_pure_guarantee_bounds_every_order(factor: Fraction, order: Fraction) -> None:
    truth = factor / (1 + factor)
    hardest = renyi_divergence([truth, 1 - truth], [1 - truth, truth], order=float(order))
    rho = convert(PureDP(epsilon=Ln(factor)), ZeroConcentratedDP).exact_rho
    assert hardest <= rho * order * (1 + Fraction(1, 10**9)) + Fraction(1, 10**13)


def test_a_smaller_rho_would_be_caught() -> None:
    """The twin: ε²/4 is not enough, at small ε and order 2."""
    truth = 0.525
    hardest = renyi_divergence([truth, 1 - truth], [1 - truth, truth], order=2)
    assert hardest > math.log(truth / (1 - truth)) ** 2 / 4 * 2


def test_figures() -> None:
    assert convert(PureDP(epsilon=1), ZeroConcentratedDP) == ZeroConcentratedDP(rho=0.5)
    assert convert(GaussianDP(mu="1/3"), ZeroConcentratedDP).exact_rho == pytest.approx(1 / 18)
    gaussian = convert(PureDP(epsilon=1), GaussianDP)
    assert float(gaussian.exact_mu) == pytest.approx(1.2320352, abs=1e-6)
    concentrated = ZeroConcentratedDP(rho=0.5)
    approximate = convert(concentrated, ApproxDP, delta=1e-5)
    assert float(approximate.exact_epsilon) == pytest.approx(4.72838698, abs=1e-8)
    assert approximate.exact_delta == Fraction(1, 10**5)
    assert convert(concentrated, RenyiDP, order=8) == RenyiDP({8: 4})
    assert convert(GaussianDP(mu=1), RenyiDP, order=8) == RenyiDP({8: 4})
    assert convert(PureDP(epsilon=Ln(3)), ApproxDP, epsilon=Ln(2)).exact_delta == Fraction(1, 4)
    assert convert(ApproxDP(epsilon=1, delta=0), PureDP) == PureDP(epsilon=1)


@given(AMOUNTS)
def test_a_guarantee_of_the_kind_is_returned(amount: Fraction) -> None:
    guarantee = GaussianDP(mu=amount)
    assert convert(guarantee, GaussianDP) is guarantee


def test_the_relation_is_kept() -> None:
    relation = Substitute(3, unit=Person("id"))
    guarantee = PureDP(epsilon=1, relation=relation)
    profile = convert(guarantee, PrivacyProfile, epsilons=[0, "1/2", 1])
    assert profile.relation == relation
    assert [epsilon for epsilon, _ in profile.points] == [0, Fraction(1, 2), 1]
    assert profile.points[-1][1] == 0


def test_the_table_has_one_theorem_for_each_pair() -> None:
    pairs = [(row.source, row.target) for row in CONVERSIONS]
    assert len(set(pairs)) == len(pairs)
    assert all(row.theorem and row.citation for row in CONVERSIONS)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: convert(ApproxDP(epsilon=1, delta=1e-6), PureDP),
        r"\(1, 1e-06\)-DP .* gives no PureDP: it needs a bound on every single output; convert",
    ),
    (
        lambda: convert(ApproxDP(epsilon=1, delta=1e-6), ZeroConcentratedDP),
        "gives no ZeroConcentratedDP: it needs a bound on the divergences of all orders;",
    ),
    (lambda: convert(ZeroConcentratedDP(rho=1), GaussianDP), "gives no GaussianDP: it needs"),
    (lambda: convert(ZeroConcentratedDP(rho=1), PureDP), "gives no PureDP: it needs"),
    (lambda: convert(GaussianDP(mu=1), ApproxDP, delta=0), "gives no ApproxDP: it needs"),
    (lambda: convert(RenyiDP({2: 1}), RenyiDP, order=3), "gives no RenyiDP: it needs"),
    (lambda: convert(RenyiDP({2: 1}), ZeroConcentratedDP), "gives no ZeroConcentratedDP"),
    (lambda: convert(RenyiDP({2: 9}), ApproxDP, epsilon=0), "gives no ApproxDP: it needs"),
    (
        lambda: convert(RenyiDP({2: 9}), PrivacyProfile, epsilons=[0]),
        "gives no PrivacyProfile: it needs a delta below 1;",
    ),
    (lambda: convert(PureDP(epsilon=1), ApproxDP), "exactly one of delta and epsilon, not"),
    (
        lambda: convert(PureDP(epsilon=1), ApproxDP, delta=0, epsilon=1),
        r"exactly one of delta and epsilon, not \['delta', 'epsilon'\]",
    ),
    (
        lambda: convert(PureDP(epsilon=1), RenyiDP, alpha=8),
        r"exactly one of order, not \['alpha'\]",
    ),
    (lambda: convert(PureDP(epsilon=1), GaussianDP, delta=0), "takes no further argument, not"),
    (lambda: convert(PureDP(epsilon=1), RenyiDP, order=1), "order must"),
    (
        lambda: convert(PureDP(epsilon=1), PrivacyProfile, epsilons=1),
        "epsilons must be several ε, not 1;",
    ),
    (
        lambda: convert(PureDP(epsilon=1), PrivacyProfile, epsilons=[]),
        "points must have at least one ε",
    ),
    (lambda: convert(PureDP(epsilon=1), int), "the kind must be one of ApproxDP, .*int"),  # type: ignore[type-var]
    (lambda: convert(PureDP(epsilon=1), []), "the kind must be one of ApproxDP"),  # type: ignore[arg-type]
    (lambda: convert(1, PureDP), "a guarantee is converted, not 1;"),  # type: ignore[arg-type]
    (lambda: convert(AddRemove(), PureDP), "a guarantee is converted, not"),  # type: ignore[arg-type]
]


@cases(("call", "sentence"), REFUSED)
def test_what_cannot_be_converted_is_refused_in_a_sentence(
    call: Callable[[], Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        call()
