"""What maximum_entropy returns."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.information.distribution import Distribution
    from sfumato.information.intake import Floats
    from sfumato.numeric import Enclosure

__all__ = ["MaximumEntropy"]


@dataclass(frozen=True, eq=False)
class MaximumEntropy:
    """A distribution of greatest entropy, with the proof.

    Attributes
    ----------
    distribution
        The distribution, labelled by the support.
    entropy
        ``lower`` is the entropy of the distribution, rounded down.  No distribution that
        violates each constraint by no more than this one does has more than ``upper``.
    multipliers
        The dual variables by name: a number for a moment, an array for a marginal.  In units
        of the base: p is proportional to base ** -(sum of multiplier × function), and a
        multiplier is how much the greatest entropy grows when the bound grows by one.
    residual
        The greatest violation of any constraint, rounded up: in probability for a marginal,
        as a share of half the range of its function for a moment.
    iterations
        How many Newton steps were taken.
    converged
        Whether gap and residual are within the tolerance; the bounds are true either way.
    shape
        How many values each variable takes; the number of outcomes where there is one list.

    Examples
    --------
    >>> from sfumato.information import maximum_entropy, moment
    >>> die = maximum_entropy(range(1, 7), [moment("mean", lambda face: face, equals=3.5)])
    >>> dict(die.multipliers)
    {'mean': 0.0}
    >>> print(die)
    entropy 2.58496250072 of 6 outcomes, proved within 4.4e-16; constraints met within 0
    """

    distribution: Distribution
    entropy: Enclosure
    multipliers: Mapping[str, float | Floats]
    residual: float
    iterations: int
    converged: bool
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        frozen = {name: _read_only(value) for name, value in self.multipliers.items()}
        object.__setattr__(self, "multipliers", MappingProxyType(frozen))

    def __reduce__(self) -> tuple[type[MaximumEntropy], tuple[Any, ...]]:
        """Pickle and copy by building anew, so that the multipliers stay read-only."""
        held = {**vars(self), "multipliers": dict(self.multipliers)}
        return MaximumEntropy, tuple(held.values())

    @property
    def gap(self) -> float:
        """How far the entropy may be from the greatest.

        Examples
        --------
        >>> from sfumato.information import maximum_entropy, moment
        >>> maximum_entropy("ab", [moment("a", [1, 0], equals=0.25)]).gap < 1e-9
        True
        """
        return self.entropy.width

    @property
    def table(self) -> Floats:
        """The probabilities as an array with one axis a variable, in the order of the support.

        Examples
        --------
        >>> from sfumato.information import marginal, maximum_entropy
        >>> free = maximum_entropy({"x": [0, 1], "y": "ab"}, [marginal("x", [0.5, 0.5])])
        >>> free.table
        array([[0.25, 0.25],
               [0.25, 0.25]])
        """
        table = self.distribution.probabilities.reshape(self.shape)
        table.setflags(write=False)
        return table

    def __str__(self) -> str:
        note = "" if self.converged else tr(" (wider than asked)")
        return tr(
            "entropy {lower:.12g} of {distribution} outcomes, proved within {gap:.2g}; "
            "constraints met within {residual:.2g}{note}",
            lower=self.entropy.lower,
            distribution=len(self.distribution),
            gap=self.gap,
            residual=self.residual,
            note=note,
        )


def _read_only(value: float | Floats) -> float | Floats:
    if not isinstance(value, np.ndarray):
        return value
    held = value.copy()
    held.setflags(write=False)
    return held
