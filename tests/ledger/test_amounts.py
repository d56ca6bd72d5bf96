"""Amounts for reading: few digits, and never on the wrong side."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.ledger import Rule, Standing
from sfumato.ledger.render import budgeted, spent
from sfumato.ledger.render import left as left_of
from sfumato.ledger.render import left_in_words as left_in_words_of
from sfumato.privacy import Guarantee, events

amounts = st.fractions(min_value=Fraction(1, 10**9), max_value=10**6)


def after(budget: Guarantee, *done: events.Event) -> Standing:
    rule = Rule(budget)  # type: ignore[arg-type]
    kept = rule.filter()
    for each in done:
        kept.admit(each)
    return Standing.of(rule, "", kept)


def left(standing: Standing) -> str:
    return left_of(standing.rule.budget, standing.remaining)


def left_in_words(standing: Standing) -> str:
    return left_in_words_of(standing.rule.budget, standing.remaining)


def number(text: str) -> Fraction:
    return Fraction(text.removesuffix("-DP").removeprefix("ε ≤ ").removeprefix("μ ≤ "))


@given(amounts)
def test_what_is_spent_is_rounded_up_and_what_is_left_down(amount: Fraction) -> None:
    shown = number(spent(sf.PureDP(epsilon=amount)))
    assert amount <= shown < amount * Fraction(1002, 1000)
    rest = number(left(after(sf.PureDP(epsilon=amount))))
    assert amount * Fraction(998, 1000) < rest <= amount
    assert len(str(float(shown))) <= 10


@given(st.integers(1, 10**7), st.integers(0, 7))
def test_a_short_decimal_is_told_exactly(digits: int, places: int) -> None:
    amount = Fraction(digits, 10**places)
    assert number(spent(sf.PureDP(epsilon=amount))) == amount
    assert number(left(after(sf.PureDP(epsilon=amount)))) == amount


def test_ten_tenths_are_one() -> None:
    standing = after(sf.PureDP(epsilon=1), *[events.Pure(epsilon=0.1)] * 10)
    assert (spent(standing.spent), left(standing)) == ("1-DP", "0-DP")
    assert left_in_words(standing) == "0-DP is left"


@given(st.integers(2, 200))
def test_logarithms_are_exact_or_on_the_safe_side(times: int) -> None:
    budget = sf.PureDP(epsilon=sf.numeric.Ln(2) * times)
    shown = spent(budget).removesuffix("-DP")
    if shown.startswith("ln"):
        assert shown == f"ln({2**times})"
    else:
        assert sf.numeric.Ln(2) * times <= Fraction(shown)
        assert Fraction(left(after(budget)).removesuffix("-DP")) <= sf.numeric.Ln(2) * times


def test_a_logarithm_just_beside_a_short_decimal_is_rounded_away_from_it() -> None:
    near, little = Fraction(Decimal("1.5").exp(Context(prec=50))), Fraction(1, 10**30)
    assert spent(sf.PureDP(epsilon=sf.numeric.Ln(near + little))) == "1.501-DP"
    assert left(after(sf.PureDP(epsilon=sf.numeric.Ln(near - little)))) == "1.499-DP"


@pytest.mark.parametrize(
    ("guarantee", "told"),
    [
        (sf.ApproxDP(epsilon=0.743067556993, delta=1e-6), "(0.7431, 1e-06)-DP"),
        (sf.ApproxDP(epsilon="1/3", delta="1/3000000"), "(0.3334, 3.334e-07)-DP"),
        (sf.ApproxDP(epsilon=1, delta=0.999999999999), "(1, 0.999999999999)-DP"),
        (sf.ZeroConcentratedDP(rho="1/7"), "0.1429-zCDP"),
        (sf.privacy.GaussianDP(mu=0.123456789012), "0.1235-GDP"),
        (sf.privacy.RenyiDP({8: "1/3", 16: "0.5"}), "(8, 0.3334)-RDP and (16, 0.5)-RDP"),
    ],
)
def test_every_kind_of_guarantee_is_told_in_few_digits(guarantee: Guarantee, told: str) -> None:
    assert spent(guarantee) == told


@pytest.mark.parametrize(
    ("budget", "step", "sign"),
    [
        (sf.ApproxDP(epsilon=1, delta=1e-6), events.Gaussian(sigma=10), "ε"),
        (sf.privacy.GaussianDP(mu=1), events.Gaussian(sigma=8), "μ"),
    ],
)
def test_where_steps_do_not_add_up_the_greatest_step_is_told(
    budget: Guarantee, step: events.Event, sign: str
) -> None:
    standing = after(budget, step)
    told = number(left(standing))
    assert left(standing).startswith(f"{sign} ≤ ")
    assert left_in_words(standing) == f"a step of up to {sign} = {float(told):g} still fits"
    greatest = events.Pure(epsilon=told) if sign == "ε" else events.Gaussian(sigma=1 / told)
    after(budget, step, greatest)
    with pytest.raises(sf.errors.BudgetError):
        after(budget, step, greatest, events.Pure(epsilon=told))


def test_nothing_is_left_of_what_is_used_up() -> None:
    standing = after(sf.privacy.GaussianDP(mu=1), events.Gaussian(sigma=1))
    assert (left(standing), left_in_words(standing)) == ("μ ≤ 0", "nothing is left")


def test_a_budget_is_told_as_it_was_written_unless_that_is_long() -> None:
    assert budgeted(sf.PureDP(epsilon="1/3")) == "1/3-DP"
    assert budgeted(sf.PureDP(epsilon=0.7123456)) == "0.7123456-DP"
    assert budgeted(sf.PureDP(epsilon="0.33333333333333333333")) == "0.3334-DP"
