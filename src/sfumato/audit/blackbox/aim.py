"""What an event is wanted for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.bounds import rough_bounds, rough_epsilon

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Aim"]


@dataclass(frozen=True)
class Aim:
    """To show, at a δ, that one dataset makes an event likelier than the other.

    Attributes
    ----------
    likelier
        The dataset on which the event is to be likelier: 0 or 1.
    delta
        At which δ.
    trials
        In how many draws on each dataset events were counted.
    alpha
        The probability at which each bound is to hold.
    """

    likelier: int
    delta: float
    trials: int
    alpha: float

    def scores(self, seen: NDArray[Any]) -> NDArray[Any]:
        """Return about which ε events would prove, from their counts on the two datasets."""
        return rough_epsilon(*self.bounds(seen), self.delta)

    def bounds(self, seen: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return about how likely events are at least on the one dataset, at most on the other."""
        hits, others = seen[self.likelier], seen[1 - self.likelier]
        return rough_bounds(hits, others, self.trials, self.alpha)
