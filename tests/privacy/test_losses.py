"""Moments and envelopes of privacy losses against sums and integrals from the pairs themselves."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import acb, arb

from sfumato.numeric import Disc, Ln, as_ball, as_fmpq, working_precision
from sfumato.privacy.loss import (
    BoundedRangeLosses,
    Direction,
    DiscreteGaussianLosses,
    DiscreteLaplaceLosses,
    ExponentialBody,
    FiniteLosses,
    GaussianLosses,
    LaplaceLosses,
    NormalBody,
    SampledGaussianLosses,
    SampledLosses,
    TotalLosses,
    discrete_gaussian,
    discrete_laplace,
    response,
    sampled_finite,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.loss import PrivacyLosses
    from sfumato.privacy.loss.sampled import Body

    #: From a point s to the moment M(s), as a ball.
    Moment = Callable[[acb], acb]
    #: The two distributions at one point, or the logarithms of their densities.
    Pair = tuple[arb, arb]

BITS = 240
REMOVED, ADDED, EXCHANGED = Direction.REMOVED, Direction.ADDED, Direction.EXCHANGED
POINTS = (0.01, 0.5 + 0.3j, 1.0, 1.5 + 2j, 3 - 1j, 7.25 + 11j, 20 + 40j)


def some(seed: int, most: float = 20.0, count: int = 5) -> list[complex]:
    """Return fixed points and a few drawn ones, of real part up to ``most``."""
    draw = np.random.default_rng(seed)
    drawn = draw.uniform(0.01, most, count) + 1j * draw.uniform(-60, 60, count)
    return [complex(s) for s in (*POINTS, *drawn) if complex(s).real <= most]


# --- moments from the definition ------------------------------------------------------------------


def sum_over(pairs: Sequence[Pair]) -> Moment:
    """Return the sum of p (p/q)^s over the outcomes that both distributions have."""
    both = [(p, (p / q).log()) for p, q in pairs if p > 0 and q > 0]
    return lambda s: sum((p * (s * log).exp() for p, log in both), acb(0))


def integral_over(ends: Sequence[float], log_q: Any, log_ratio: Any, power: Any) -> Moment:
    """Return the integral of q w^power(s) with w = e^(log_ratio), between ends, piece by piece."""

    def moment(s: acb) -> acb:
        def integrand(x: acb, analytic: bool) -> acb:  # noqa: FBT001
            exponent: acb = log_q(x) + power(s) * log_ratio(x, analytic)
            return exponent.exp()

        pieces = [acb.integral(integrand, acb(a), acb(b)) for a, b in pairwise(ends)]
        return sum(pieces, acb(0))

    return moment


def from_profile(profile: Callable[[acb], acb], greatest: float | arb, s: acb) -> acb:
    """Return s (s+1) times the integral of delta(y) e^(sy) over all y.

    For y < 0 the distributions change places: delta(y) = 1 - e^y + e^y delta(-y).
    """
    top = as_ball(greatest)

    def above(y: acb, _: bool) -> acb:  # noqa: FBT001
        return profile(y) * ((s * y).exp() + (-(s + 1) * y).exp())

    return s * (s + 1) * acb.integral(above, acb(0), acb(top)) + 1


def mixed(rate: Fraction) -> Callable[[acb, bool], acb]:
    share = arb(as_fmpq(rate))
    return lambda x, analytic: (1 - share + share * x.exp()).log(analytic=analytic)


def caught(
    losses: PrivacyLosses, moment: Moment, points: Sequence[complex], *, times: int = 1
) -> int:
    """Count the points at which ln M(s) as computed certainly does not stand for M(s)^times."""
    found = losses.log_moment(Disc(np.array(points, dtype=complex)))
    missed = 0
    with working_precision(BITS):
        for s, mid, rad in zip(points, found.mid, found.rad, strict=True):
            share = moment(acb(s)) ** times * (-acb(mid)).exp()
            missed += bool(abs(share - 1) > arb(float(rad)).exp() - 1)
    return missed


# --- noise ----------------------------------------------------------------------------------------


def gaussian_moment(mu: Fraction) -> Moment:
    """With z standard normal under Q, the loss is mu z - mu^2/2."""
    m = arb(as_fmpq(mu))
    half_log = (2 * arb.pi()).log() / 2
    return integral_over(
        range(-60, 121, 20),
        lambda z: -z * z / 2 - half_log,
        lambda z, _: m * z - m * m / 2,
        lambda s: s + 1,
    )


@pytest.mark.parametrize("mu", [Fraction(1, 50), Fraction(1, 3), Fraction(2)])
def test_gaussian_moments(mu: Fraction) -> None:
    with working_precision(BITS):
        square = Disc.of(mu * mu * 3)
        assert caught(GaussianLosses(square), gaussian_moment(mu), some(1), times=3) == 0
        wrong = GaussianLosses(Disc.of(mu * mu * 3 * (1 + Fraction(1, 10**9))))
        assert caught(wrong, gaussian_moment(mu), some(1), times=3) > 0


def laplace_pieces(epsilon: Fraction) -> Moment:
    """Two ends of P-mass 1/2 and e^-eps/2, and P-density e^((x-eps)/2)/4 between them."""
    e = arb(as_fmpq(epsilon))

    def moment(s: acb) -> acb:
        ends = ((s * e).exp() + (-(s + 1) * e).exp()) / 2
        body = acb.integral(lambda x, _: (s * x + (x - e) / 2).exp() / 4, -acb(e), acb(e))
        return ends + body

    return moment


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**6), Fraction(1, 10), Fraction(1), Fraction(9)])
def test_laplace_moments(epsilon: Fraction) -> None:
    with working_precision(BITS):
        found = LaplaceLosses({float(epsilon): 5})
        assert caught(found, laplace_pieces(epsilon), some(2), times=5) == 0
        assert caught(found, laplace_pieces(epsilon), some(2), times=6) > 0


def bounded_range_profile(epsilon: arb) -> Callable[[acb], acb]:
    return lambda y: ((epsilon / 2).exp() - (y / 2).exp()) ** 2 / epsilon.expm1()


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**5), Fraction(1, 10), Fraction(2), Fraction(8)])
def test_bounded_range_moments(epsilon: Fraction) -> None:
    with working_precision(BITS):
        e = arb(as_fmpq(epsilon))
        found = BoundedRangeLosses({float(epsilon): 3})
        moment: Moment = lambda s: from_profile(bounded_range_profile(e), e, s)  # noqa: E731
        assert caught(found, moment, some(3), times=3) == 0
        assert caught(LaplaceLosses({float(epsilon): 3}), moment, some(3), times=3) > 0


def discrete_gaussian_pairs(sigma: Fraction, shift: int) -> list[Pair]:
    most = math.ceil(30 * float(sigma)) + 20 * shift + 5
    weight = {
        k: (-arb(k * k) / (2 * arb(as_fmpq(sigma)) ** 2)).exp() for k in range(-most, most + 1)
    }
    total = sum(weight.values(), arb(0))
    zero = arb(0)
    return [(weight.get(k - shift, zero) / total, weight[k] / total) for k in weight]


@pytest.mark.parametrize(
    ("sigma", "shift"), [("0.1", 1), ("0.3", 1), ("0.5", 2), ("1", 1), ("2.5", 3), ("9", 7)]
)
def test_discrete_gaussian_moments(sigma: str, shift: int) -> None:
    with working_precision(BITS):
        found = TotalLosses({DiscreteGaussianLosses(Fraction(sigma) ** 2, shift): 2})
        moment = sum_over(discrete_gaussian_pairs(Fraction(sigma), shift))
        period = 2 * math.pi * float(Fraction(sigma)) ** 2 / shift
        points = [complex(s.real, math.remainder(s.imag, period)) for s in some(4, most=8)]
        assert caught(found, moment, points, times=2) == 0


@pytest.mark.parametrize("sigma", [10**3, 10**8, 10**12])
def test_discrete_gaussian_moments_on_a_fine_grid_are_the_continuous_ones(sigma: int) -> None:
    def moment(s: acb) -> acb:
        return (s * (s + 1) / (2 * arb(sigma) ** 2)).exp()

    points = [0.5 * sigma + 1j * sigma * t for t in (0.0, 0.1, 1.0, 3.0)]
    with working_precision(BITS):
        found = TotalLosses({DiscreteGaussianLosses(Fraction(sigma) ** 2, 1): 10**4})
        assert caught(found, moment, points, times=10**4) == 0


def discrete_laplace_pairs(scale: Fraction, shift: int) -> list[Pair]:
    """Noise around 0 and around shift; beyond both the loss is constant, so tails add up."""
    ratio = (-1 / arb(as_fmpq(scale))).exp()
    factor = (1 - ratio) / (1 + ratio)
    inner = [(factor * ratio ** (shift - k), factor * ratio**k) for k in range(1, shift)]
    tail = 1 / (1 + ratio)
    return [(tail, tail * ratio**shift), *inner, (tail * ratio**shift, tail)]


@pytest.mark.parametrize(("scale", "shift"), [("1/7", 1), ("1", 2), ("10", 3), ("2.5", 40)])
def test_discrete_laplace_moments(scale: str, shift: int) -> None:
    with working_precision(BITS):
        moment = sum_over(discrete_laplace_pairs(Fraction(scale), shift))
        found = TotalLosses({DiscreteLaplaceLosses(Fraction(scale), shift): 4})
        assert caught(found, moment, some(5), times=4) == 0
        listed = FiniteLosses({discrete_laplace(Fraction(scale), shift): 4})
        assert caught(listed, moment, some(5), times=4) == 0
        assert caught(found, moment, some(5), times=3) > 0


# --- choices, labels, and samples of them ---------------------------------------------------------


def response_pairs(epsilon: Fraction | Ln, categories: int, lost: Fraction) -> list[Pair]:
    """Two of the answers and the rest; with ``lost``, outcomes that one distribution alone has."""
    kept, truth = 1 - arb(as_fmpq(lost)), as_ball(epsilon).exp()
    whole = truth + categories - 1
    high, low = kept * truth / whole, kept / whole
    rest = low * (categories - 2)
    only = arb(as_fmpq(lost))
    return [(high, low), (rest, rest), (low, high), (only, arb(0)), (arb(0), only)]


def on_a_sample(pairs: Sequence[Pair], rate: Fraction, change: Direction) -> list[Pair]:
    """Return (1-q) Q + q P against Q, or the other way about; not for EXCHANGED."""
    share = arb(as_fmpq(rate))
    removed = [((1 - share) * q + share * p, q) for p, q in pairs]
    return removed if change is REMOVED else [(q, p) for p, q in removed]


RESPONSES = [
    (Ln(2), 2, Fraction(0)),
    (Fraction(1, 100), 5, Fraction(0)),
    (Fraction(3), 2, Fraction(1, 1000)),
    (Fraction(40), 2, Fraction(1, 3)),
]


@pytest.mark.parametrize(("epsilon", "categories", "lost"), RESPONSES)
def test_response_moments(epsilon: Fraction | Ln, categories: int, lost: Fraction) -> None:
    with working_precision(BITS):
        found = FiniteLosses({response(epsilon, categories=categories, lost=lost): 6})
        moment = sum_over(response_pairs(epsilon, categories, lost))
        assert caught(found, moment, some(6, most=10), times=6) == 0


@pytest.mark.parametrize("change", [REMOVED, ADDED])
@pytest.mark.parametrize("rate", ["1e-6", "0.3", "0.999999"])
@pytest.mark.parametrize(("epsilon", "categories", "lost"), RESPONSES)
def test_sampled_response_moments(
    epsilon: Fraction | Ln, categories: int, lost: Fraction, rate: str, change: Direction
) -> None:
    with working_precision(BITS):
        plain = response(epsilon, categories=categories, lost=lost)
        found = FiniteLosses({sampled_finite(plain, Fraction(rate), change): 6})
        pairs = response_pairs(epsilon, categories, lost)
        moment = sum_over(on_a_sample(pairs, Fraction(rate), change))
        assert caught(found, moment, some(7, most=8), times=6) == 0


@pytest.mark.parametrize("rate", ["1e-5", "0.3", "0.99"])
def test_exchanged_moments_come_from_the_profile(rate: str) -> None:
    """The profile at eps >= 0 is q delta(ln(1 + (e^eps - 1)/q)); below 0 it follows."""
    share, epsilon = arb(as_fmpq(Fraction(rate))), Fraction(2)

    def profile(y: acb) -> acb:
        e = arb(as_fmpq(epsilon)).exp()
        return share * (e - (1 + (y.exp() - 1) / share)) / (1 + e)

    with working_precision(BITS):
        top = (share * arb(as_fmpq(epsilon)).expm1()).log1p()
        found = FiniteLosses({sampled_finite(response(epsilon), Fraction(rate), EXCHANGED): 2})
        assert caught(found, lambda s: from_profile(profile, top, s), some(8, most=9), times=2) == 0


def normal_on_a_sample(mu: Fraction, rate: Fraction, change: Direction) -> Moment:
    m, half_log = arb(as_fmpq(mu)), (2 * arb.pi()).log() / 2
    log_w = mixed(rate)
    return integral_over(
        range(-50, 111, 20),
        lambda z: -z * z / 2 - half_log,
        lambda z, analytic: log_w(m * z - m * m / 2, analytic),
        (lambda s: s + 1) if change is REMOVED else (lambda s: -s),
    )


NORMAL = [("0.2", "1e-6"), ("0.2", "0.99"), ("1", "0.01"), ("50", "1e-6"), ("50", "0.5")]


@pytest.mark.parametrize("change", [REMOVED, ADDED])
@pytest.mark.parametrize(("sigma", "rate"), NORMAL)
def test_sampled_gaussian_moments(sigma: str, rate: str, change: Direction) -> None:
    mu = 1 / Fraction(sigma)
    most = min(1.5 * float(sigma) ** 2 + 0.5, 30)
    with working_precision(120):
        found = SampledGaussianLosses(mu, Fraction(rate), change)
        moment = normal_on_a_sample(mu, Fraction(rate), change)
        assert caught(found, moment, some(9, most, count=2)[-5:]) == 0


def test_the_two_directions_of_a_sample_are_told_apart() -> None:
    with working_precision(120):
        found = SampledGaussianLosses(Fraction(1), Fraction(1, 10), REMOVED)
        moment = normal_on_a_sample(Fraction(1), Fraction(1, 10), ADDED)
        assert caught(found, moment, [1.5, 2 + 3j]) == 2


def exponential_on_a_sample(
    epsilon: Fraction, rate: Fraction, change: Direction, *, ends: bool
) -> Moment:
    """Laplace noise (with ends) or the worst bounded range, by the loss distribution under Q."""
    e, log_w = arb(as_fmpq(epsilon)), mixed(rate)

    def power(s: acb) -> acb:
        return s + 1 if change is REMOVED else -s

    height = (-e / 2).exp() / 4 if ends else (e / 2).exp() / (2 * e.expm1())
    edge = float(epsilon)
    body = integral_over([-edge, 0.0, edge], lambda x: height.log() - x / 2, log_w, power)

    def moment(s: acb) -> acb:
        sides = [(e, (-e).exp() / 2), (-e, arb(1) / 2)] if ends else []
        atoms = [mass * (power(s) * log_w(acb(x), False)).exp() for x, mass in sides]  # noqa: FBT003
        return sum(atoms, body(s))

    return moment


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize("change", [REMOVED, ADDED])
@pytest.mark.parametrize(("epsilon", "rate"), [("0.125", "1e-6"), ("1", "0.01"), ("4", "0.99")])
def test_sampled_laplace_and_choice_moments(
    epsilon: str, rate: str, change: Direction, *, ends: bool
) -> None:
    with working_precision(120):
        body = ExponentialBody(Fraction(epsilon), ends=ends)
        found = TotalLosses({SampledLosses(body, Fraction(rate), change): 3})
        moment = exponential_on_a_sample(Fraction(epsilon), Fraction(rate), change, ends=ends)
        assert caught(found, moment, some(10, most=8, count=3), times=3) == 0


@pytest.mark.full
@pytest.mark.parametrize(("sigma", "rate"), [("0.5", "1e-4"), ("1", "0.3"), ("4", "0.9")])
def test_exchanged_gaussian_moments_come_from_the_profile(sigma: str, rate: str) -> None:
    mu, share = 1 / arb(as_fmpq(Fraction(sigma))), arb(as_fmpq(Fraction(rate)))

    def plain(y: acb) -> acb:
        tails = [((sign * mu / 2 - y / mu) / arb(2).sqrt()) for sign in (1, -1)]
        return ((-tails[0]).erfc() - y.exp() * (-tails[1]).erfc()) / 2

    def profile(y: acb) -> acb:
        return share * plain((1 + (y.exp() - 1) / share).log())

    with working_precision(160):
        top = float(mu) * (float(mu) / 2 + 9 * float(mu) + 16)
        found = SampledLosses(NormalBody(1 / Fraction(sigma)), Fraction(rate), EXCHANGED)
        points = [0.5, 2 + 1j, 5 - 3j, 1 + 20j]
        assert caught(found, lambda s: from_profile(profile, top, s), points) == 0


# --- envelopes ------------------------------------------------------------------------------------


def envelope_broken(
    losses: PrivacyLosses, real: float, height: float, *, less: float = 0.0
) -> bool:
    """Tell whether ln abs M at some t from ``height`` on is certainly above the bound there."""
    sampled = isinstance(losses, (SampledLosses, SampledGaussianLosses))
    reach = min(losses.horizon, max(4 * height, 20.0) if sampled else max(60 * height, 400.0))
    many = 40 if sampled else 1500
    t = np.concatenate([np.linspace(height, reach, many), np.geomspace(height, reach, many // 5)])
    found = losses.log_moment(Disc(real + 1j * np.clip(t, height, reach)))
    sure = found.rad < 0.5
    surely = found.mid.real[sure] + np.log1p(-np.expm1(found.rad[sure]))
    bound = losses.log_envelope(real, height) - less
    return bool((surely > bound).any())


LAPLACE = ExponentialBody(Fraction(2), ends=True)
CHOICE = ExponentialBody(Fraction(3), ends=False)


@pytest.mark.parametrize(
    ("body", "tight"), [(LAPLACE, 1e-4), (CHOICE, 1e-4), (NormalBody(Fraction(2, 3)), 1.0)]
)
def test_no_more_mass_is_claimed_beyond_a_point_than_is_there(body: Body, tight: float) -> None:
    """Where a body is an integral in closed form, hardly less either."""
    end = min(body.end, 6.0)
    steps = np.linspace(0.0, end, 200_001)
    middles = (steps[1:] + steps[:-1]) / 2
    density = np.exp(body.log_density(Disc(middles)).mid)
    at_the_end = body.atom_masses.mid[body.atom_values.mid > 0].sum()
    for start in (0.0, end / 3, end * 0.9):
        there = density[middles > start].sum() * (end / 200_000) + at_the_end
        claimed = float(np.exp(body.log_mass_beyond(np.array([start])))[0])
        assert (1 - tight) * there <= claimed <= there * (1 + 1e-4)


ENVELOPED: dict[str, PrivacyLosses] = {
    "gaussian": GaussianLosses(Disc.of(Fraction(1, 3))),
    "laplace": LaplaceLosses({0.1: 100, 3.0: 2}),
    "tiny laplace": LaplaceLosses({1e-9: 10**9}),
    "bounded range": BoundedRangeLosses({0.5: 7, 2.0: 1}),
    "tiny bounded range": BoundedRangeLosses({1e-9: 10**9}),
    "discrete gaussian .1": TotalLosses({DiscreteGaussianLosses(Fraction(1, 100), 1): 3}),
    "discrete gaussian .5": TotalLosses({DiscreteGaussianLosses(Fraction(1, 4), 2): 3}),
    "discrete gaussian 3": TotalLosses({DiscreteGaussianLosses(Fraction(9), 2): 50}),
    "discrete gaussian 1e12": TotalLosses({DiscreteGaussianLosses(Fraction(10) ** 24, 1): 10**18}),
    "discrete laplace": TotalLosses({DiscreteLaplaceLosses(Fraction(5, 2), 4): 6}),
    "fine discrete laplace": TotalLosses({DiscreteLaplaceLosses(Fraction(1000), 900): 6}),
    "response": FiniteLosses({response(Ln(2)): 4}),
    "sampled laplace": SampledLosses(LAPLACE, Fraction(1, 5), REMOVED),
    "sampled choice": SampledLosses(CHOICE, Fraction(9, 10), ADDED),
    "exchanged laplace": SampledLosses(LAPLACE, Fraction(1, 5), EXCHANGED),
    "exchanged gaussian": SampledLosses(NormalBody(Fraction(1)), Fraction(1, 3), EXCHANGED),
    **{
        f"sampled gaussian {sigma} {rate} {change.value}": SampledGaussianLosses(
            1 / Fraction(sigma), Fraction(rate), change
        )
        for sigma, rate in [("0.2", "0.5"), ("1", "1e-6"), ("1", "0.99"), ("50", "0.01")]
        for change in (REMOVED, ADDED)
    },
}
ENVELOPED["all kinds"] = TotalLosses([ENVELOPED["laplace"], ENVELOPED["bounded range"]])


def tilts_of(losses: PrivacyLosses) -> list[float]:
    return [each for each in (0.05, 1.0, 6.0) if each < losses.ceiling / 4]


@pytest.mark.parametrize("height", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("name", ENVELOPED)
def test_envelopes_bound_the_moments_from_a_height_on(name: str, height: float) -> None:
    losses = ENVELOPED[name]
    low = min(height, losses.horizon / 3)
    assert [c for c in tilts_of(losses) if envelope_broken(losses, c, low)] == []


@pytest.mark.parametrize("name", ["gaussian", "laplace", "bounded range", "discrete gaussian 3"])
def test_an_envelope_that_is_too_low_is_caught(name: str) -> None:
    assert envelope_broken(ENVELOPED[name], 1.0, 0.01, less=0.05)


@pytest.mark.parametrize("name", ENVELOPED)
def test_no_moment_is_greater_than_the_bound_without_end(name: str) -> None:
    losses = ENVELOPED[name]
    bound = losses.log_forever(1.0, min(losses.horizon, 300.0) / 50)
    far = min(losses.horizon, 300.0)
    found = losses.log_moment(Disc(1 + 1j * np.linspace(far / 50, far, 50)))
    assert (found.mid.real - 2 * found.rad <= bound).all()


# --- what the worst bounded range must dominate ---------------------------------------------------


def choice_pair(draw: np.random.Generator, epsilon: float) -> tuple[list[arb], list[arb]]:
    """Return an exponential mechanism's outputs on neighbours: utilities move by at most 1."""
    size = int(draw.integers(2, 6))
    first = draw.uniform(-6, 6, size).round(3)
    moved = first + draw.choice([-1.0, 0.0, 1.0, draw.uniform(-1, 1)], size)
    distributions = []
    for utility in (first, moved):
        weights = [(arb(epsilon) * arb(float(each)) / 2).exp() for each in utility]
        total = sum(weights, arb(0))
        distributions.append([each / total for each in weights])
    return distributions[0], distributions[1]


def hockey_stick(p: list[arb], q: list[arb], level: float) -> arb:
    grown = arb(level).exp()
    return sum(((a - grown * b).max(arb(0)) for a, b in zip(p, q, strict=True)), arb(0))


def worst_excess(epsilon: float, profile: Callable[[arb], arb]) -> float:
    """Return by how much random exponential mechanisms exceed a profile, at the worst."""
    draw, worst = np.random.default_rng(11), -1.0
    with working_precision(120):
        for _ in range(400):
            p, q = choice_pair(draw, epsilon)
            for level in np.linspace(-epsilon, epsilon, 9).tolist():
                excess = hockey_stick(p, q, level) - profile(arb(level))
                worst = max(worst, float(excess.lower()))
    return worst


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 4.0])
def test_the_worst_bounded_range_dominates_exponential_mechanisms(epsilon: float) -> None:
    """Rows M-EXP-1: no choice with sensitivity-1 utilities leaks more at any threshold."""
    with working_precision(120):
        profile = bounded_range_profile(arb(epsilon))
        assert worst_excess(epsilon, lambda y: profile(acb(y)).real) <= 0
        lower = bounded_range_profile(arb(epsilon * 0.9))
        assert worst_excess(epsilon, lambda y: lower(acb(y)).real) > 0


def test_discrete_gaussian_noise_by_its_values() -> None:
    losses = FiniteLosses({discrete_gaussian(Fraction(1), 1): 1})
    moment = sum_over(discrete_gaussian_pairs(Fraction(1), 1))
    with working_precision(BITS):
        assert caught(losses, moment, [1.0, 4.0, 12.0, 18.0]) == 0
