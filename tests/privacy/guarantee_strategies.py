"""Random guarantees, and the pairs of distributions that are hardest for them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sfumato.numeric import Ln
from sfumato.privacy.guarantees import (
    ApproxDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.guarantees import GaussianDP as Gaussian

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon

FACTORS = st.fractions(min_value=1, max_value=20, max_denominator=30)
LOGARITHMS = FACTORS.map(Ln)
EPSILONS: st.SearchStrategy[Epsilon] = st.one_of(
    LOGARITHMS, st.fractions(min_value=0, max_value=4, max_denominator=1000)
)
DELTAS = st.one_of(
    st.fractions(min_value=0, max_value=Fraction(3, 5), max_denominator=10**6),
    st.integers(1, 12).map(lambda digits: Fraction(1, 10**digits)),
)
AMOUNTS = st.fractions(min_value=Fraction(1, 1000), max_value=3, max_denominator=1000)
ORDERS = st.fractions(min_value=Fraction(11, 10), max_value=64, max_denominator=20)
SHARES = st.fractions(min_value=0, max_value=1, max_denominator=1000)

PURE = st.builds(PureDP, epsilon=EPSILONS)
APPROXIMATE = st.builds(ApproxDP, epsilon=EPSILONS, delta=DELTAS)
PROFILES = st.builds(PrivacyProfile, st.lists(st.tuples(EPSILONS, DELTAS), min_size=1, max_size=4))
CONCENTRATED = st.builds(ZeroConcentratedDP, rho=AMOUNTS)
GAUSSIAN = st.builds(Gaussian, mu=AMOUNTS)
RENYI = st.builds(RenyiDP, st.dictionaries(ORDERS, AMOUNTS, min_size=1, max_size=4))
POINTWISE = st.one_of(PURE, APPROXIMATE, PROFILES)
GUARANTEES: st.SearchStrategy[Guarantee] = st.one_of(
    PURE, APPROXIMATE, PROFILES, CONCENTRATED, GAUSSIAN, RENYI
)

Distribution = list[Fraction]


def hardest_pair(
    factor: Fraction, delta: Fraction = Fraction(0)
) -> tuple[Distribution, Distribution]:
    """The pair of distributions that every (ln factor, δ)-private pair is a post-processing of."""
    truth = (1 - delta) * factor / (1 + factor)
    first = [delta, truth, 1 - delta - truth, Fraction(0)]
    return first, first[::-1]
