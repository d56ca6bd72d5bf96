"""From counts to probabilities, and to ε, never on the wrong side; and tests of events by them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import as_ball, beta_quantile, float_below, shown, working_precision
from sfumato.privacy import read_inside

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

_BITS = 128
#: The tail of a binomial distribution takes longer, and the bound is off by a small margin anyway.
_TAIL_BITS = 64
_MARGINS = (1e-12, 1e-9, 1e-6, 1e-3)


def probability_below(hits: int, trials: int, alpha: float | Fraction) -> float:
    """Return a lower bound on a probability from how often its event was seen.

    The bound of :cite:p:`clopper1934`: it exceeds the probability with probability at most
    ``alpha``.  A quantile in floats is lowered until ball arithmetic proves
    P(Bin(trials, bound) ≥ hits) ≤ alpha.

    Parameters
    ----------
    hits, trials
        How often the event was seen, in how many independent draws.
    alpha
        The probability that the bound may fail.
    """
    _check_counts(hits, trials)
    chance = float_below(read_inside(alpha, "alpha", write="1e-6"))
    return _certified(int(hits), int(trials), chance) if hits else 0.0


def probability_above(hits: int, trials: int, alpha: float | Fraction) -> float:
    """Return an upper bound on a probability; it fails with probability at most ``alpha``."""
    _check_counts(hits, trials)
    missed = probability_below(int(trials) - int(hits), trials, alpha)
    return math.nextafter(1.0 - missed, 1.0) if missed else 1.0


def epsilon_below(p: float, q: float, delta: float | Fraction = 0) -> float:
    """Return ln((p - δ)/q) rounded down: an ε below which no guarantee allows p and q.

    From P(S) ≤ e^ε Q(S) + δ with P(S) ≥ p and Q(S) ≤ q.  It is 0 where nothing follows.
    """
    with working_precision(_BITS):
        excess, other = as_ball(p) - as_ball(delta), as_ball(q)
        return max(0.0, float_below((excess / other).log())) if excess > other else 0.0


def rough_bounds(
    hits: NDArray[Any], others: NDArray[Any], trials: int, alpha: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return about how likely many events are at least and at most, to choose among them.

    Two scores of :cite:t:`wilson1927` in place of the quantiles of the beta distribution.
    """
    z = -NormalDist().inv_cdf(alpha)
    return _wilson(hits / trials, trials, -z), _wilson(others / trials, trials, z)


def rough_epsilon(low: NDArray[Any], high: NDArray[Any], delta: float) -> NDArray[Any]:
    """Return about what many events would prove, by their rough bounds: no bound itself."""
    import numpy as np

    return np.asarray(np.log(np.maximum(low - delta, 1e-300) / high))


def _wilson(share: NDArray[Any], trials: int, z: float) -> NDArray[Any]:
    spread = z * (share * (1 - share) / trials + z * z / (4 * trials**2)) ** 0.5
    found: NDArray[Any] = (share + z * z / (2 * trials) + spread) / (1 + z * z / trials)
    return found


@lru_cache(maxsize=4096)
def _certified(hits: int, trials: int, alpha: float) -> float:
    """Return a float p at which P(Bin(trials, p) ≥ hits) ≤ alpha is proved."""
    near = float(beta_quantile(hits, trials - hits + 1, alpha))
    with working_precision(_TAIL_BITS):
        for margin in _MARGINS:
            bound = near * (1.0 - margin)
            if arb(bound).beta_lower(hits, trials - hits + 1, regularized=True) <= arb(alpha):
                return bound
    return 0.0


def _check_counts(hits: int, trials: int) -> None:
    if not 0 <= hits <= trials or trials < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "an event is seen 0 to {trials} times in that many draws, not {hits}",
            trials=shown(trials),
            hits=hits,
        )


@dataclass(frozen=True)
class EventTally:
    """How often an event was seen, likelier as it seemed on the dataset that is named."""

    event: str
    likelier: str
    hits: int
    others: int
    trials: int
    kind: str = field(default="value", kw_only=True)
    effort: int = field(default=0, kw_only=True)
    outcomes: tuple[str, ...] = field(default=(), kw_only=True)
    english: str = field(default="", kw_only=True, compare=False, repr=False)

    @property
    def length(self) -> tuple[int, int]:
        """How many words and letters the event takes in English, whatever the language is."""
        plain = self.english or self.event
        return len(plain.split()), len(plain)

    @property
    def other(self) -> str:
        """The dataset on which it seemed less likely."""
        return "d1" if self.likelier == "d0" else "d0"


@dataclass(frozen=True)
class TestedEvent(EventTally):
    """An event with how often it was seen in fresh draws, and what that proves.

    Attributes
    ----------
    event
        The event, in words.
    likelier
        On which dataset it is the likelier: "d0" or "d1".
    hits, others
        How often it was seen there, and on the other dataset.
    trials
        In how many draws on each.
    kind
        What it looks at: "value", "low bits", a fitted "score", several features ("joint"), what
        the caller "added", or "calls" that repeat themselves.
    effort
        How hard it is to say.
    outcomes
        All outcomes of an event that is a list of them, in words.
    english
        The event in English, whatever the language is.
    p, q
        A lower bound on its probability there, and an upper bound on that on the other dataset.

    Examples
    --------
    >>> from sfumato.audit.blackbox.bounds import EventTally, judge
    >>> event = judge(EventTally("the output is 'yes'", "d0", 900, 100, 1000), alpha=0.025)
    >>> event.p < 0.9, event.q > 0.1
    (True, True)
    """

    __test__ = False

    p: float
    q: float

    def epsilon(self, delta: Fraction | float = 0) -> float:
        """Return the lower bound on ε at a δ that the event proves.

        Examples
        --------
        >>> from sfumato.audit.blackbox.bounds import EventTally, judge
        >>> event = judge(EventTally("the output is 'yes'", "d0", 900, 100, 1000), alpha=0.025)
        >>> 1.9 < event.epsilon() < 2.2
        True
        """
        return epsilon_below(self.p, self.q, delta)


def judge(tally: EventTally, *, alpha: float | Fraction) -> TestedEvent:
    """Return a tested event, each of its two bounds at ``alpha``."""
    p = probability_below(tally.hits, tally.trials, alpha)
    q = probability_above(tally.others, tally.trials, alpha)
    return TestedEvent(**vars(tally), p=p, q=q)
