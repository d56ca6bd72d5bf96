"""Testing chosen events on fresh draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.bounds import epsilon_below, probability_above, probability_below

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Tally", "TestedEvent", "judge"]


@dataclass(frozen=True)
class Tally:
    """How often an event was seen, likelier as it seemed on the dataset that is named."""

    event: str
    likelier: str
    hits: int
    others: int
    trials: int
    kind: str = field(default="value", kw_only=True)
    effort: int = field(default=0, kw_only=True)
    outcomes: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def other(self) -> str:
        """The dataset on which it seemed less likely."""
        return "d1" if self.likelier == "d0" else "d0"


@dataclass(frozen=True)
class TestedEvent(Tally):
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
    p, q
        A lower bound on its probability there, and an upper bound on that on the other dataset.

    Examples
    --------
    >>> from sfumato.audit.blackbox.testing import Tally, judge
    >>> event = judge(Tally("the output is 'yes'", "d0", 900, 100, 1000), alpha=0.025)
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
        >>> from sfumato.audit.blackbox.testing import Tally, judge
        >>> event = judge(Tally("the output is 'yes'", "d0", 900, 100, 1000), alpha=0.025)
        >>> 1.9 < event.epsilon() < 2.2
        True
        """
        return epsilon_below(self.p, self.q, delta)


def judge(tally: Tally, *, alpha: float | Fraction) -> TestedEvent:
    """Return a tested event, each of its two bounds at ``alpha``."""
    p = probability_below(tally.hits, tally.trials, alpha)
    q = probability_above(tally.others, tally.trials, alpha)
    return TestedEvent(**vars(tally), p=p, q=q)
