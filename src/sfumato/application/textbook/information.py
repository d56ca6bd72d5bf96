"""Information and divergence: entropies, channels, and the part on composition."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.textbook.figures import (
    COMPOSITION_PART,
    ENTROPY_NOTES,
    figures,
)
from sfumato.errors import InfeasibleError
from sfumato.information import (
    Joint,
    capacity,
    conditional_entropy,
    cross_entropy,
    entropy,
    hockey_stick,
    joint_entropy,
    kl_bounds,
    kl_divergence,
    max_divergence,
    maximum_entropy,
    moment,
    mutual_information,
    private_channel,
    renyi_divergence,
    statistical_distance,
)
from sfumato.numeric import Ln
from sfumato.privacy import compose, events
from sfumato.privacy.theorems import (
    advanced_composition,
    basic_composition,
    zcdp_to_epsilon,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.information import Distribution

    Pair = tuple[list[Fraction], list[Fraction]]

_EXAMPLE = [0.5, 0.25, 0.125, 0.125]
_OTHER = [0.5, 0.25, 0.25, 0.0]
_OTHER_EXAMPLE = mark("p = (1/2, 1/4, 1/4, 0)")
_UNIFORM = [0.25] * 4
_BITS = 2


def _response(truth: Fraction) -> Pair:
    return [truth, 1 - truth], [1 - truth, truth]


_TRUTH, _TWIN = Fraction(2, 3), Fraction(3, 4)
_MORE_TRUTH = mark("the truth told with probability 3/4")


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in values)


def _entropies(given: list[float]) -> str:
    return _listed(entropy(given, order=each) for each in (1, 2, 0.5, 0, math.inf))


ENTROPIES = figures(
    name="Entropy",
    where=ENTROPY_NOTES,
    title=mark("entropies of every order"),
    text=mark(
        "Of p = (1/2, 1/4, 1/8, 1/8), in bits: Shannon's entropy, and those of order 2, 1/2, 0 "
        "and ∞."
    ),
    printed="1.75, 1.540568, 1.873504, 2, 1",
    found=_entropies,
    instance=_EXAMPLE,
    twin=_OTHER,
    wrong=_OTHER_EXAMPLE,
)


def _against_uniform(given: list[float]) -> str:
    return _listed((cross_entropy(given, _UNIFORM), kl_divergence(given, _UNIFORM, base=_BITS)))


CROSS_ENTROPY = figures(
    name="Cross entropy",
    where=ENTROPY_NOTES,
    title=mark("cross entropy and relative entropy"),
    text=mark("Of p = (1/2, 1/4, 1/8, 1/8) against the uniform distribution, in bits."),
    printed="2, 0.25",
    found=_against_uniform,
    instance=_EXAMPLE,
    twin=_OTHER,
    wrong=_OTHER_EXAMPLE,
)


def _chain(given: tuple[list[list[int]], float]) -> tuple[str, bool]:
    """Return H(X), H(Y|X), H(X,Y) and I(X;Y), and whether the chain rules hold."""
    counts, share = given
    joint = Joint(counts, variables=["x", "y"])
    one, other = (entropy(joint.marginal(each).distribution) for each in ("x", "y"))
    left, both = share * conditional_entropy(joint, given="x"), joint_entropy(joint)
    common = mutual_information(joint)
    holds = math.isclose(one + left, both) and math.isclose(other - left, common)
    return _listed((one, left, both, common)), holds


CHAIN_RULE = figures(
    name="Joint entropy",
    where=mark("notes on information theory, §2.2"),
    title=mark("chain rules"),
    text=mark(
        "Of the counts 30, 10 and 20, 40, in bits: H(X), H(Y|X), H(X, Y) = H(X) + H(Y|X), and "
        "I(X; Y) = H(Y) - H(Y|X)."
    ),
    printed="0.970951, 0.875489, 1.846439, 0.124511",
    found=_chain,
    instance=([[30, 10], [20, 40]], 1.0),
    twin=([[30, 10], [20, 40]], 0.5),
    wrong=mark("half of the conditional entropy"),
)


def _mean_face(mean: float) -> list[Any]:
    return [moment("mean", lambda face: face, equals=mean)]


def _die(impossible: float) -> str:
    found = maximum_entropy(range(1, 7), _mean_face(4.5)).distribution
    try:
        other = maximum_entropy(range(1, 7), _mean_face(impossible)).distribution
    except InfeasibleError:
        return f"{_rounded(found)}; ∅"
    return f"{_rounded(found)}; {_rounded(other)}"


def _rounded(die: Distribution) -> str:
    return ", ".join(f"{die.probabilities[face]:.5f}" for face in (0, -1))


MAXIMUM_ENTROPY = figures(
    name="Maximum entropy",
    where=mark("notes on information theory, §2.4"),
    title=mark("a die of known mean"),
    text=mark(
        "The die of greatest entropy among those whose mean is 4.5 (Jaynes): how often it shows 1 "
        "and 6; and that there is none whose mean is 7 is told (∅)."
    ),
    printed="0.05435, 0.34749; ∅",
    found=_die,
    instance=7.0,
    twin=3.5,
    wrong=mark("a mean of 3.5 in the place of 7"),
)


def _least_loss(loss: Callable[[int, int], int]) -> tuple[str, bool]:
    """Return the least loss of all 1-DP channels, and whether the geometric mechanism has it."""
    found = private_channel(range(5), epsilon=1, loss=loss)
    exact = found.certificate.exact_gap == 0 and found.check()
    best = found.geometric_loss(read_at_best=True)
    return f"{found.loss.upper:.6f}", exact and best is not None and best in found.loss


LEAST_LOSS = figures(
    name="Release, loss",
    where=mark("notes on information theory, §2.4"),
    title=mark("the release mechanism of least loss"),
    text=mark(
        "Of all 1-DP ways to release a number of 0 to 4, each as likely, where numbers next to "
        "each other are neighbours, the least mean distance: that of the geometric mechanism, read "
        "at its best, proved by a certificate in rationals."
    ),
    printed="0.583506",
    found=_least_loss,
    instance=lambda x, y: abs(x - y),
    twin=lambda x, y: (x - y) % 2,
    wrong=mark("a loss by parity, for which the geometric mechanism is not the best"),
    citation="ghosh2012universally",
)


def _greatest_entropy(epsilon: float | None) -> tuple[str, bool]:
    """Return the greatest H(Y|X), and whether the channel is the exponential mechanism."""
    found = private_channel(range(5), epsilon=epsilon, expected_loss=1, objective="entropy")
    matrix = found.channel.matrix
    distance = np.abs(np.subtract.outer(range(5), range(5)))
    weights = (matrix[0, 1] / matrix[0, 0]) ** distance
    exponential = weights / weights.sum(axis=1, keepdims=True)
    near = bool(np.abs(matrix - exponential).max() < 1e-6)
    return f"{found.entropy.upper:.4f}", near and found.check()


GREATEST_ENTROPY = figures(
    name="Release, entropy",
    where=mark("notes on information theory, §2.4"),
    title=mark("the release mechanism of greatest entropy"),
    text=mark(
        "Of all ways to release a number of 0 to 4 at a mean distance of 1 the greatest H(Y|X), in "
        "bits: that of weights exp(-s|x - y|), which is the exponential mechanism, on each row the "
        "geometric one."
    ),
    printed="2.1172",
    found=_greatest_entropy,
    instance=None,
    twin=0.45,
    wrong=mark("0.45-DP asked for as well"),
)


def _capacity(truth: Fraction) -> tuple[str, bool]:
    found = capacity(_response(truth))
    printed = 0.081704
    within = found.lower <= printed + 5e-7 and found.upper >= printed - 5e-7
    return f"{found.lower:.6f}", found.gap <= 1e-9 and within


CAPACITY = figures(
    name="Channel",
    where=mark("notes on information theory, §1.3"),
    title=mark("capacity of randomized response"),
    text=mark(
        "The capacity of randomized response that tells the truth with probability 2/3, in bits: "
        "1 - h(1/3), with a lower and an upper bound by Blahut and Arimoto."
    ),
    printed="0.081704",
    found=_capacity,
    instance=_TRUTH,
    twin=_TWIN,
    wrong=_MORE_TRUTH,
)


def _renyi(given: list[float]) -> str:
    return _listed(renyi_divergence(given, _UNIFORM, order=each) for each in (1, 2, 10, math.inf))


RENYI = figures(
    name="Rényi divergence",
    where=ENTROPY_NOTES,
    title=mark("divergences of every order"),
    text=mark(
        "Between p = (1/2, 1/4, 1/8, 1/8) and the uniform distribution, in nats, of order 1 (the "
        "relative entropy), 2, 10 and ∞ (the max divergence)."
    ),
    printed="0.173287, 0.318454, 0.616239, 0.693147",
    found=_renyi,
    instance=_EXAMPLE,
    twin=_OTHER,
    wrong=_OTHER_EXAMPLE,
)

_DELTAS = (Fraction(0), Fraction(1, 10), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))


def _approximate(truth: Fraction) -> str:
    p, q = _response(truth)
    return _listed(0.0 + max_divergence(p, q, delta=each) for each in _DELTAS)


MAX_DIVERGENCE = figures(
    name="Definition 3.6",
    where=COMPOSITION_PART,
    title=mark("δ-approximate max divergence"),
    text=mark(
        "Of randomized response at 2/3, for δ = 0, 1/10, 1/5, 1/3 and 1/2, exactly over all events."
    ),
    printed="0.693147, 0.530628, 0.336472, 0, -0.693147",
    found=_approximate,
    instance=_TRUTH,
    twin=_TWIN,
    wrong=_MORE_TRUTH,
)


def _distance(truth: Fraction) -> str:
    p, q = _response(truth)
    return f"{statistical_distance(p, q)}, {hockey_stick(p, q, epsilon=Ln(2))}"


STATISTICAL_DISTANCE = figures(
    name="Distance",
    where=COMPOSITION_PART,
    title=mark("statistical distance and hockey stick"),
    text=mark(
        "Of randomized response at 2/3: the statistical distance, and the hockey-stick divergence "
        "at ε = ln 2."
    ),
    printed="1/3, 0",
    found=_distance,
    instance=_TRUTH,
    twin=_TWIN,
    wrong=_MORE_TRUTH,
)


def _mean(truth: Fraction) -> tuple[str, bool]:
    kl, bounds = kl_divergence(*_response(truth)), kl_bounds(Ln(2))
    shown = f"{kl:.6f} ≤ {bounds.textbook:.6f}"
    return shown, math.isclose(kl, bounds.tight, rel_tol=1e-12)


SMALL_MEAN = figures(
    name="Lemma 3.18",
    where=COMPOSITION_PART,
    title=mark("the KL divergence of close outputs"),
    text=mark(
        "Of randomized response at 2/3, whose ε is ln 2: the KL divergence and ε(e^ε - 1). The "
        "least bound is ε tanh(ε/2), and reached."
    ),
    printed="0.231049 ≤ 0.693147",
    found=_mean,
    instance=_TRUTH,
    twin=_TWIN,
    wrong=_MORE_TRUTH,
)


def _hundred(slack: float) -> str:
    level = Fraction(1, 10)
    basic = basic_composition(epsilon=level, count=100).epsilon
    advanced = advanced_composition(epsilon=level, count=100, slack=slack).epsilon
    return f"{basic:.6g}, {advanced:.6f}"


ADVANCED = figures(
    name="Theorem 3.20",
    where=COMPOSITION_PART,
    title=mark("advanced composition"),
    text=mark("100 steps of 0.1-DP, added up and by the theorem, at δ' = 1e-6."),
    printed="10, 6.308231",
    found=_hundred,
    instance=1e-6,
    twin=1e-3,
    wrong=mark("δ' = 1e-3"),
)


def _approximately(sigma: Fraction) -> str:
    found = compose(events.Gaussian(sigma=sigma))
    return f"{found.delta(epsilon=1):.6f}, {found.epsilon(delta=1e-5):.6f}"


APPROXIMATE = figures(
    name="(ε, δ)-DP",
    where=mark("notes on information theory, §4.1"),
    title=mark("δ at an ε, and ε at a δ"),
    text=mark(
        "Of Gaussian noise of σ = Δ, exactly: the least δ at ε = 1, and the least ε at δ = 1e-5."
    ),
    printed="0.126937, 4.377178",
    found=_approximately,
    instance=Fraction(1),
    twin=Fraction(2),
    wrong=mark("twice the noise"),
    citation="balle2018improving",
)


def _renyi_privacy(order: int) -> str:
    kinds = (
        events.Gaussian(sigma=1),
        events.Laplace(scale=1),
        events.RandomizedResponse.of_truth("2/3"),
    )
    orders = (compose(each).renyi(order) for each in kinds)
    return f"{_listed(orders)}; {zcdp_to_epsilon(rho=Fraction(1, 2), delta=1e-5):.6f}"


RENYI_PRIVACY = figures(
    name="Rényi DP",
    where=mark("notes on information theory, §3.5"),
    title=mark("Rényi privacy and its conversion"),
    text=mark(
        "At order 2, of Gaussian noise of σ = Δ, Laplace noise of λ = Δ, and randomized response "
        "at 2/3; and the ε at δ = 1e-5 that follows from the first at the best order. (It is said "
        "to be stronger than differential privacy; it is a relaxation of it, and order ∞ is it.)"
    ),
    printed="1, 0.619124, 0.405465; 4.728387",
    found=_renyi_privacy,
    instance=2,
    twin=3,
    wrong=mark("order 3"),
    citation="mironov2017renyi",
)

INFORMATION = (
    ENTROPIES,
    CROSS_ENTROPY,
    CHAIN_RULE,
    MAXIMUM_ENTROPY,
    LEAST_LOSS,
    GREATEST_ENTROPY,
    CAPACITY,
    RENYI,
    MAX_DIVERGENCE,
    STATISTICAL_DISTANCE,
    SMALL_MEAN,
    ADVANCED,
    APPROXIMATE,
    RENYI_PRIVACY,
)
