"""The least noise whose certified cost is within a target, by a secant that proves its result."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError, NoEnclosureError, UnknownNameError
from sfumato.numeric import Ln, as_ball, fraction_below, read_count, shown, working_precision
from sfumato.privacy.calibration.kinds import find_kind, is_short
from sfumato.privacy.calibration.result import Calibration, CalibrationTarget
from sfumato.privacy.events import Gaussian
from sfumato.privacy.events.base import plain
from sfumato.privacy.parameters import read_delta, read_epsilon, read_rate
from sfumato.privacy.theorems import analytic_sigma, classical_sigma
from sfumato.refusal import Argument, Bare

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from sfumato.privacy.calibration.result import CalibrationTrial
    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


#: A trial that leaves no more than this share of ε unspent is as good as the least.
_TIGHT = 4e-11
#: Amounts of noise that differ by no more than this share are the same.
_SAME = 1e-11
_MOST_TRIALS = 80
#: From then on the interval is halved, in case the cost jumps.
_MOST_SECANTS = 20
#: How far one step may go, in the logarithm of the noise.
_FARTHEST = math.log(2)
_FLATTEST = -1 / 64


def least_noise(tried: Callable[[Fraction], CalibrationTrial], start: float) -> CalibrationTrial:
    """Return the trial of the least noise that keeps the target.

    The cost falls as the noise grows, nearly as a power of it, so that a secant through the
    logarithms of both meets the target within a few trials.  Whatever is returned was seen to
    keep it.

    Parameters
    ----------
    tried
        What an amount of noise costs.
    start
        The amount to begin with.
    """
    search = _Search(start)
    while not search.is_over():
        search.learn(tried(Fraction(search.noise)))
    return _found(search.best)


def first_kept(tried: Callable[[Fraction], CalibrationTrial], noise: Fraction) -> CalibrationTrial:
    """Return the trial of an amount of noise, or of the next above it that keeps the target.

    For an amount from a closed form, which rounding or a bound that is not quite as tight may
    leave a little too small.
    """
    for power in range(_MOST_TRIALS):
        trial = tried(noise)
        if trial.kept:
            return trial
        noise *= 1 + Fraction(2**power, 10**12)
    return _found(None)


def _found(trial: CalibrationTrial | None) -> CalibrationTrial:
    if trial is None:
        raise NoEnclosureError(
            "E-EPSILON-TOO-SMALL",
            "no noise is found that certainly keeps this guarantee",
            "ask for a greater epsilon",
        )
    return trial


class _Search:
    """An interval around the least noise, and the next amount to try."""

    def __init__(self, start: float) -> None:
        self.noise = start
        self.best: CalibrationTrial | None = None
        self._low, self._high = 0.0, math.inf
        self._last: CalibrationTrial | None = None
        self._slope = -1.0
        self._trials = 0

    def is_over(self) -> bool:
        tight = self.best is not None and (
            self.best.excess >= -_TIGHT or self._high <= self._low * (1 + _SAME)
        )
        return tight or self._trials >= _MOST_TRIALS

    def learn(self, trial: CalibrationTrial) -> None:
        self._trials += 1
        if trial.kept:
            self.best, self._high = trial, trial.noise
        else:
            self._low = trial.noise
        self._slope = _slope(self._last, trial, self._slope)
        self._last = trial
        self.noise = self._inside(trial.noise * math.exp(_step(trial.excess, self._slope)))

    def _inside(self, noise: float) -> float:
        """Return an amount strictly inside the interval: the one proposed, or its middle."""
        bounded = self._low > 0 and self._high < math.inf
        if bounded and (self._trials > _MOST_SECANTS or not self._low < noise < self._high):
            return math.sqrt(self._low) * math.sqrt(self._high)
        return noise


def _slope(last: CalibrationTrial | None, trial: CalibrationTrial, before: float) -> float:
    """Return how fast the cost falls between two trials, in logarithms of both."""
    if last is None or last.noise == trial.noise:
        return before
    slope = (trial.excess - last.excess) / math.log(trial.noise / last.noise)
    return slope if -math.inf < slope < _FLATTEST else before


def _step(excess: float, slope: float) -> float:
    """Return how far to go to spend all but half of what may be left, in the logarithm of noise."""
    return min(max((excess + _TIGHT / 2) / -slope, -_FARTHEST), _FARTHEST)


#: Beyond this e^x - 1 and e^x are the same float.
_LARGE = 40.0


def first_guess(target: CalibrationTarget) -> float:
    """Return about the least noise, in sensitivities.

    By the central limit theorem many steps lose as much as one Gaussian step, and what counts of
    each is its χ²-divergence, which a Poisson sample of rate q multiplies by q².  Steps with an ε
    of their own never need more noise than basic composition.
    """
    in_all = 1 / analytic_sigma(epsilon=target.epsilon, delta=target.delta)
    rate = float(target.rate)
    of_step = in_all / math.sqrt(target.count) / rate
    if target.kind.pure:
        basic = _before_sampling(float(target.epsilon) / target.count, rate)
        return 1 / max(2 * math.asinh(of_step / 2), basic)
    return 1 / of_step if rate == 1 else 1 / math.sqrt(math.log1p(of_step**2))


def _before_sampling(epsilon: float, rate: float) -> float:
    """Return the ε of a step that a sample brings down to ``epsilon``."""
    if epsilon > _LARGE:
        return epsilon - math.log(rate)
    return math.log1p(math.expm1(epsilon) / rate)


_BITS = 128


def pure_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the noise of a pure guarantee: each step has ε/count, before it was brought down by q.

    A sample of rate q takes a step's e^ε - 1 to q (e^ε - 1).
    """
    exact = _exact_value(target) if target.rate == 1 else None
    if exact is not None:
        return target.of_value(exact)
    with working_precision(_BITS):
        of_step = as_ball(target.epsilon) / target.count
        before = (of_step.expm1() / as_ball(target.rate)).log1p()
        noise = _fraction_above(1 / before)
    return first_kept(target.tried, noise)


def analytic_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the least Gaussian noise: many steps are one with √count times the sensitivity."""
    return _gaussian(target, analytic_sigma(epsilon=target.epsilon, delta=target.delta))


def classical_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the textbook's Gaussian noise."""
    return _gaussian(target, classical_sigma(epsilon=target.epsilon, delta=target.delta))


def _gaussian(target: CalibrationTarget, sigma: float) -> CalibrationTrial:
    with working_precision(_BITS):
        noise = _fraction_above(as_ball(sigma) * as_ball(target.count).sqrt())
    return first_kept(target.tried, noise)


def _exact_value(target: CalibrationTarget) -> Epsilon | None:
    """Return count·Δ/ε, or ε/count of a choice, where it is a number with few digits."""
    epsilon, count, is_choice = target.epsilon, target.count, target.kind.is_choice
    if isinstance(epsilon, Ln):
        return epsilon if is_choice and count == 1 else None
    value = epsilon / count if is_choice else count * target.sensitivity / epsilon
    return value if is_short(value) else None


def _fraction_above(ball: arb) -> Fraction:
    return -fraction_below(-ball)


_METHODS = ("exact", "classical")
#: Below this no accountant resolves what is lost, and beyond it nothing is guaranteed.
_LEAST, _MOST = Fraction(1, 10**12), 10_000
_MOST_STEPS = 10**12


def calibrate(
    kind: type[Event] | str,
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    sensitivity: NumberLike = 1,
    count: int = 1,
    rate: NumberLike | None = None,
    relation: Relation | None = None,
    method: str = "exact",
) -> Calibration:
    """Return the least noise such that so many steps together keep (ε, δ).

    For a choice, such as the exponential mechanism, the greatest ε of one step.  The number that is
    found has few digits, is rounded to the safe side, and was certified as it stands; it is within
    a share of 1e-10 of the least for which the accountant proves the guarantee.  The way back, from
    noise to what it guarantees, is :func:`~sfumato.privacy.compose`.

    Gaussian noise without samples is calibrated by :cite:p:`balle2018improving`.

    Parameters
    ----------
    kind
        The class of an event or its name: ``sf.privacy.events.Gaussian`` or "gaussian"; also
        Laplace, discrete Laplace and discrete Gaussian noise, randomized response, the exponential
        mechanism and permute-and-flip.
    epsilon, delta
        The guarantee that all steps keep together.
    sensitivity
        The most by which neighbours change the value: L2 norm for Gaussian noise, L1 for Laplace.
    count
        How many steps.
    rate
        Where each step sees a Poisson sample of its own: the probability of each unit to enter.
    relation
        Which tables are neighbours; adding or removing one row where nothing is said.
    method
        "exact", or "classical" for the textbook's σ of Gaussian noise, which is more and is proved
        for ε below 1 only.

    Examples
    --------
    >>> from sfumato.privacy import events
    >>> from sfumato.privacy.calibration import calibrate
    >>> print(calibrate(events.Gaussian, epsilon=1, delta=1e-6))
    use Gaussian noise of sigma 4.22467888933 on sensitivity 1
    it keeps (1, 1e-06)-DP (add or remove one row), spending all of it
    >>> training = calibrate("gaussian", epsilon=2, delta=1e-5, rate=0.01, count=1000)
    >>> round(training.scale, 6)
    0.959102
    """
    found = find_kind(kind)
    target = CalibrationTarget(
        kind=found,
        sensitivity=found.sensitivity(sensitivity),
        epsilon=read_epsilon(epsilon),
        delta=read_delta(delta),
        count=read_count(count),
        rate=Fraction(1) if rate is None else read_rate(rate),
        relation=relation,
    )
    _check_possible(target)
    return _calibration(target, _solved(target, method))


def _solved(target: CalibrationTarget, method: str) -> CalibrationTrial:
    if method == "classical":
        _check_classical(target)
        return classical_trial(target)
    if method != "exact":
        raise UnknownNameError(kind="method", name=method, known=_METHODS)
    if target.delta == 0:
        return pure_trial(target)
    if target.kind.event is Gaussian and target.rate == 1:
        return analytic_trial(target)
    return least_noise(target.tried, first_guess(target))


def _calibration(target: CalibrationTarget, trial: CalibrationTrial) -> Calibration:
    return Calibration(
        event=trial.step,
        count=target.count,
        guarantee=trial.guarantee,
        epsilon=target.epsilon,
        delta=target.delta,
        parameter=target.kind.parameter,
        value=trial.value,
        spent=trial.spent,
    )


def _check_possible(target: CalibrationTarget) -> None:
    """Refuse what no noise keeps, what every noise keeps, and what is beyond all use."""
    if target.count > _MOST_STEPS:
        raise InputError(
            "E-TOO-LARGE",
            "count must be at most {most_steps:,}, not {count}",
            "write fewer",
            most_steps=_MOST_STEPS,
            count=shown(target.count),
        )
    if not _LEAST <= target.epsilon <= _MOST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must lie between {least:g} and {most:,} to find noise for it, not be "
            "{epsilon}",
            "write 1, say",
            least=float(_LEAST),
            most=_MOST,
            epsilon=shown(target.epsilon),
            argument=Argument("epsilon"),
        )
    if target.delta == 0 and not target.kind.pure:
        raise InputError(
            "E-DELTA-MISSING",
            "no {kind} noise keeps delta = 0, since its privacy loss has no bound",
            "write {delta}, say, or use Laplace noise",
            kind=target.kind.event.__name__,
            delta=Argument("delta", Bare("1e-6")),
        )
    if target.rate < 1 and not _is_seen_more_often(target):
        raise InputError(
            "E-NOISE-NOT-NEEDED",
            "at rate {rate} and count {count:,} a privacy unit is hardly ever sampled: any noise "
            "keeps delta = {delta}",
            "ask for a smaller delta",
            rate=plain(target.rate),
            count=target.count,
            delta=plain(target.delta),
        )


def _is_seen_more_often(target: CalibrationTarget) -> bool:
    """Tell whether a unit enters some sample with probability above δ, surely."""
    with working_precision(_BITS):
        missed = (-as_ball(target.rate)).log1p() * target.count
        return bool(missed < (-as_ball(target.delta)).log1p())


def _check_classical(target: CalibrationTarget) -> None:
    if target.kind.event is not Gaussian or target.rate < 1:
        raise InputError(
            "E-CALIBRATION-UNPROVED",
            "the classical calibration is for Gaussian noise on all of the data",
            "leave {method} out: the exact calibration has the least noise",
            method=Argument("method", "classical"),
        )
