"""Guarantees as values: compared, printed, kept (M-DEF-1); and what they refuse."""

from __future__ import annotations

import math
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Row, Substitute
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.cases import cases
from tests.privacy.guarantee_strategies import GUARANTEES
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable


def test_stronger_and_weaker() -> None:
    assert PureDP(epsilon=Ln(2)) <= PureDP(epsilon=Ln(2))
    assert PureDP(epsilon=0.5) < PureDP(epsilon=Ln(2))
    assert ZeroConcentratedDP(rho="1/3") <= ZeroConcentratedDP(rho="1/3")
    assert GaussianDP(mu=2) > GaussianDP(mu=1)
    assert RenyiDP({2: 0.5, 8: 1}) < RenyiDP({2: 0.5})
    one, other = ApproxDP(epsilon=1, delta=1e-3), ApproxDP(epsilon=2, delta=1e-6)
    assert not one <= other
    assert not other <= one
    assert ApproxDP(epsilon=1, delta=0) <= ApproxDP(epsilon=1, delta=1e-6)
    with pytest.raises(TypeError):
        assert PureDP(epsilon=1) <= GaussianDP(mu=1)
    with pytest.raises(TypeError):
        assert PureDP(epsilon=1) < GaussianDP(mu=1)


def test_what_is_implied() -> None:
    assert PureDP(epsilon=0.1).implies(ZeroConcentratedDP(rho="0.0051"))
    assert GaussianDP(mu=0.1).implies(ZeroConcentratedDP(rho=0.005))
    assert ZeroConcentratedDP(rho=0.1).implies(RenyiDP({3: 0.3}))
    assert GaussianDP(mu=1).implies(ApproxDP(epsilon=1, delta=0.127))
    assert not GaussianDP(mu=1).implies(ApproxDP(epsilon=1, delta=0.126))
    assert not GaussianDP(mu=1).implies(PureDP(epsilon=100))
    assert not ZeroConcentratedDP(rho=0.1).implies(GaussianDP(mu=10))
    assert not ApproxDP(epsilon=1, delta=1e-6).implies(ZeroConcentratedDP(rho=100))
    curve = RenyiDP(lambda order: order)
    assert curve.implies(curve)
    assert not PureDP(epsilon=0).implies(curve)
    with raises_code(
        "E-RELATION-OTHER", match=r"“add or remove one row” and .* write for_relation"
    ):
        PureDP(epsilon=1).implies(PureDP(epsilon=1, relation=Substitute()))


@given(GUARANTEES)
def test_every_guarantee_implies_itself(guarantee: Guarantee) -> None:
    assert guarantee.implies(guarantee)
    assert not guarantee < guarantee


@pytest.mark.parametrize(
    ("guarantee", "text"),
    [
        (PureDP(epsilon=0.1), "0.1-DP (add or remove one row)"),
        (PureDP(epsilon=Ln(2), relation=Substitute()), "ln(2)-DP (substitute one row)"),
        (ApproxDP(epsilon=1, delta=1e-6), "(1, 1e-06)-DP (add or remove one row)"),
        (
            ZeroConcentratedDP(rho=0.5, relation=AddRemove(2, unit=Person("id"))),
            "0.5-zCDP (add or remove two distinct values of id)",
        ),
        (GaussianDP(mu=1), "1-GDP (add or remove one row)"),
        (RenyiDP({8: 0.5}), "(8, 0.5)-RDP (add or remove one row)"),
        (
            PrivacyProfile({0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1}),
            "(0, 0.4)-DP to (3, 0.1)-DP at 4 points (add or remove one row)",
        ),
        (
            RenyiDP(dict.fromkeys((2, 3, 4, 5), 1)),
            "(2, 1)-RDP to (5, 1)-RDP at 4 orders (add or remove one row)",
        ),
        (RenyiDP(math.sqrt), "RDP by a curve (add or remove one row)"),
    ],
)
def test_guarantees_print_their_relation(guarantee: Guarantee, text: str) -> None:
    assert str(guarantee) == text
    assert guarantee._repr_html_() == f"<code>{text}</code>"


@given(GUARANTEES)
def test_guarantees_can_be_pasted_back(guarantee: Guarantee) -> None:
    pasted, pickled = eval(repr(guarantee)), pickle.loads(pickle.dumps(guarantee))  # noqa: S301, S307
    assert guarantee == pasted == pickled
    assert len({guarantee, pasted, pickled}) == 1


def test_guarantees_are_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        PureDP(epsilon=1).exact_epsilon = Fraction(2)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        PureDP(epsilon=1).relation = Substitute()  # type: ignore[misc]


PURE = PureDP(epsilon=1)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: PureDP(epsilon=-1), "epsilon must be 0 or more, not -1;"),
    (lambda: PureDP(epsilon=math.nan), "epsilon must be a finite number, not nan;"),
    (lambda: PureDP(epsilon=math.inf), "epsilon must be a finite number, not inf;"),
    (lambda: PureDP(epsilon=True), "epsilon must be a number, not True;"),
    (lambda: PureDP(epsilon=None), "epsilon must be a number, not None;"),  # type: ignore[arg-type]
    (lambda: PureDP(epsilon="one"), "epsilon must be a number, not 'one';"),
    (lambda: PureDP(epsilon=10**2000), "epsilon has more than 1,000 digits;"),
    (lambda: PureDP(epsilon=1, relation=Row()), "relation must be AddRemove"),  # type: ignore[arg-type]
    (lambda: PureDP(epsilon=1, relation=None), "relation must be AddRemove"),  # type: ignore[arg-type]
    (lambda: ApproxDP(epsilon=1, delta=1), "delta must be 0 or more and below 1, not 1;"),
    (lambda: ApproxDP(epsilon=1, delta=-1e-9), "delta must be 0 or more and below 1, not -1e-09;"),
    (lambda: ZeroConcentratedDP(rho=-1), "rho must be 0 or more, not -1;"),
    (lambda: GaussianDP(mu="x"), "mu must be a number, not 'x';"),
    (lambda: RenyiDP({}), "curve names no Rényi order; write {2: 0.5, 8: 1.9}"),
    (lambda: RenyiDP([(2, 0.1), ("2", 0.2)]), "curve names a Rényi order twice;"),
    (lambda: RenyiDP({math.inf: 1}), "infinity is pure differential privacy; write PureDP"),
    (lambda: RenyiDP([(2, 0.5), ("inf", "ln(2)")]), "the order infinity is pure differential"),
    (lambda: RenyiDP({1: 0.5}), "the Rényi order 1 is the Kullback-Leibler divergence, a mean"),
    (lambda: RenyiDP({0.5: 0.5}), "at a Rényi order below 1, such as 0.5, the divergence stays"),
    (lambda: RenyiDP({0: 0.5}), "at a Rényi order below 1, such as 0, the divergence stays"),
    (lambda: RenyiDP({-2: 0.5}), "a Rényi order must be above 1, not -2;"),
    (lambda: RenyiDP({math.nan: 1}), "a Rényi order must be a finite number, not nan;"),
    (lambda: RenyiDP({2: -1}), "the bound of a Rényi order must be 0 or more, not -1;"),
    (lambda: RenyiDP(7), "curve must map Rényi orders to bounds"),  # type: ignore[arg-type]
    (lambda: RenyiDP(lambda _: math.nan).renyi(2), "the curve gave nan at order 2;"),
    (lambda: RenyiDP(lambda _: -1).delta(epsilon=1), "the curve gave -1 at order"),
    (lambda: RenyiDP(lambda _: "a").renyi(2), "the curve gave 'a' at order 2;"),  # type: ignore[arg-type, return-value]
    (lambda: PrivacyProfile({}), "points must have at least one ε with its δ;"),
    (lambda: PrivacyProfile(3), "points must map ε to δ, not be 3;"),  # type: ignore[arg-type]
    (lambda: PrivacyProfile([1]), "a point must be an ε and a δ, not 1;"),  # type: ignore[list-item]
    (PURE.bounds, "give exactly one of delta and epsilon"),
    (lambda: PURE.bounds(delta=0.1, epsilon=1), "give exactly one of delta and epsilon"),
    (lambda: PURE.epsilon(delta=1), "delta must be 0 or more and below 1, not 1;"),
    (lambda: PURE.delta(epsilon=math.nan), "epsilon must be a finite number, not nan;"),
    (lambda: PURE.renyi(1), "order must be above 1, not 1;"),
    (lambda: PURE.renyi(math.nan), "order must be a finite number, not nan;"),
    (lambda: PURE.renyi(-math.inf), "order must be a finite number, not -inf;"),
    (lambda: PURE.tradeoff(false_positive_rate=2), "false_positive_rate must lie between 0 and 1"),
    (lambda: PURE.group(0), "size must be a whole number of 1 or more, not 0;"),
    (lambda: PURE.group(1.5), "size must be a whole number of 1 or more, not 1.5;"),  # type: ignore[arg-type]
    (lambda: ApproxDP(epsilon=1, delta=0.5).group(2), "for a group of 2 the delta would be 1"),
    (lambda: RenyiDP({3: 1}).group(2), "a group of 2 needs a Rényi order of 4 or more, not 3;"),
    (lambda: PURE.for_relation("rows"), "relation must be AddRemove"),  # type: ignore[arg-type]
    (
        lambda: PURE.for_relation(AddRemove(unit=Person())),
        "a guarantee for each row says nothing for each person, .* bound the rows per person",
    ),
    (
        lambda: PureDP(epsilon=1, relation=Substitute()).for_relation(AddRemove()),
        "does not protect the size of the table",
    ),
    (lambda: PURE.implies(1), "a guarantee is compared with another, not with 1"),  # type: ignore[arg-type]
]


@cases(("call", "sentence"), REFUSED)
def test_bad_input_gets_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()
