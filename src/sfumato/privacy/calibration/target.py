"""What is asked for, and what an amount of noise makes of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import Ln, any_float
from sfumato.privacy.accounting import compose
from sfumato.privacy.accounting.pure import exact_epsilon
from sfumato.privacy.events import Subsampled

if TYPE_CHECKING:
    from sfumato.privacy.accounting import Composition
    from sfumato.privacy.calibration.kinds import CalibratedKind
    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation

__all__ = ["CalibrationTarget", "CalibrationTrial"]

_HARDLY_ANYTHING = 1e-3


@dataclass(frozen=True)
class CalibrationTrial:
    """One choice of the number to find, and what it costs.

    Attributes
    ----------
    value
        The number, with few digits.
    step
        One step with it.
    guarantee
        All steps together.
    spent
        The certified ε of all steps at the target's δ.
    kept
        Whether the target is certainly kept.
    noise
        The noise of one step, in sensitivities.
    excess
        ln of what is spent over what is allowed, 2δ added to both: positive where the target is
        not kept, and minus infinity where hardly anything is spent.
    """

    value: Epsilon
    step: Event
    guarantee: Composition
    spent: float
    kept: bool
    noise: float
    excess: float


@dataclass(frozen=True)
class CalibrationTarget:
    """The guarantee that so many steps of a kind shall keep together.

    Attributes
    ----------
    kind
        The kind of one step.
    sensitivity
        What one step hides.
    epsilon, delta
        The guarantee.
    count
        How many steps.
    rate
        The share of units that enter each step; 1 where all do.
    relation
        Which tables are neighbours; None for the usual one.
    """

    kind: CalibratedKind
    sensitivity: Fraction
    epsilon: Epsilon
    delta: Fraction
    count: int
    rate: Fraction
    relation: Relation | None

    def tried(self, noise: Fraction) -> CalibrationTrial:
        """Return what an amount of noise costs, in sensitivities and cut to few digits."""
        return self.of_value(self.kind.value(noise, self.sensitivity))

    def of_value(self, value: Epsilon) -> CalibrationTrial:
        """Return what the number to find costs."""
        alone = self.kind.step(value, self.sensitivity)
        step = alone if self.rate == 1 else Subsampled(alone, rate=self.rate)
        guarantee = compose(step, count=self.count, relation=self.relation)
        spent = guarantee.epsilon(delta=self.delta)
        kept = self._is_kept(step, spent)
        return CalibrationTrial(
            value=value,
            step=step,
            guarantee=guarantee,
            spent=spent,
            kept=kept,
            noise=self._noise(value),
            excess=self._excess(spent, kept=kept),
        )

    def _noise(self, value: Epsilon) -> float:
        if isinstance(value, Ln) or self.kind.is_choice:
            return 1 / any_float(value)
        return any_float(value / self.sensitivity)

    def _is_kept(self, step: Event, spent: float) -> bool:
        """Decide by the certified bound, and exactly where basic composition is enough."""
        alone = exact_epsilon(step)
        if isinstance(alone, Fraction) and alone * self.count <= self.epsilon:
            return True
        return spent <= self.epsilon or (self.count == 1 and alone == self.epsilon)

    def _excess(self, spent: float, *, kept: bool) -> float:
        """Return the excess: with 2δ added, a cost that falls to 0 still falls as a power of noise.

        The ε of one step of Laplace noise, say, is Δ/b + 2 ln(1 - δ).
        """
        allowed, slack = float(self.epsilon), 2 * float(self.delta)
        if spent < allowed * _HARDLY_ANYTHING:
            return -math.inf
        excess = math.log(spent + slack) - math.log(allowed + slack)
        return min(excess, 0.0) if kept else max(excess, math.ulp(1.0))
