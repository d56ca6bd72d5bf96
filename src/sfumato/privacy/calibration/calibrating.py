"""The least noise that keeps a guarantee."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import as_ball, shown, working_precision
from sfumato.privacy.calibration.closed import analytic_trial, classical_trial, pure_trial
from sfumato.privacy.calibration.kinds import find_kind
from sfumato.privacy.calibration.result import Calibration
from sfumato.privacy.calibration.search import least_noise
from sfumato.privacy.calibration.start import first_guess
from sfumato.privacy.calibration.target import CalibrationTarget
from sfumato.privacy.events import Gaussian
from sfumato.privacy.events.wording import plain
from sfumato.privacy.parameters import read_count, read_delta, read_epsilon, read_rate
from sfumato.refusal import Argument, Bare

if TYPE_CHECKING:
    from sfumato.privacy.calibration.target import CalibrationTrial
    from sfumato.privacy.events import Event
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["calibrate"]

_BITS = 128
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
