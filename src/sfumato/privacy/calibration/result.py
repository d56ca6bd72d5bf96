"""What is asked for, and the noise that was found, with what it guarantees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import Ln, any_float
from sfumato.printing import drawn
from sfumato.privacy.accounting import compose
from sfumato.privacy.accounting.pure import exact_epsilon
from sfumato.privacy.events import Subsampled
from sfumato.privacy.events.base import plain
from sfumato.privacy.guarantees import ApproxDP, PureDP
from sfumato.privacy.parameters import written
from sfumato.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing import Chart
    from sfumato.privacy.accounting import Composition
    from sfumato.privacy.calibration.kinds import CalibratedKind
    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation


_NEXT_TO_NOTHING = 1e-9
_ROUNDED_UP = Context(prec=7, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class Calibration:
    """What to use so that a guarantee is kept, and what it costs.

    Made by :func:`calibrate`.

    Attributes
    ----------
    event
        One step, ready to be recorded.
    count
        How many steps there are.
    guarantee
        What all steps guarantee together.
    epsilon, delta
        What was asked for, exactly; ``guarantee`` certainly keeps it.
    parameter
        Which number of the event was found: "scale", "sigma" or "epsilon".
    value
        That number, exactly: the least noise, or the greatest ε of a choice.
    spent
        The ε of ``guarantee`` at that δ, rounded up.

    Examples
    --------
    >>> from sfumato.privacy.calibration import calibrate
    >>> found = calibrate("laplace", epsilon=1, count=10)
    >>> found.event
    Laplace(scale=10, sensitivity=1)
    >>> print(found)
    use Laplace noise of scale 10 on sensitivity 1, 10 times
    it keeps 1-DP (add or remove one row), spending all of it
    """

    event: Event
    count: int
    guarantee: Composition
    epsilon: Epsilon
    delta: Fraction
    parameter: str
    value: Epsilon
    spent: float

    @property
    def scale(self) -> float:
        """The noise of one step: its scale or its σ, as a float that is written as that number.

        Examples
        --------
        >>> from sfumato.privacy.calibration import calibrate
        >>> calibrate("gaussian", epsilon=1, delta=1e-6).scale
        4.22467888933
        """
        if isinstance(self.value, Ln) or self.parameter == "epsilon":
            raise InputError(
                "E-SCALE-NONE",
                "a choice has no scale",
                "its epsilon is value, {value}",
                value=plain(self.value),
            )
        near = any_float(self.value)
        return near if written(near) >= self.value else math.nextafter(near, math.inf)

    @property
    def target(self) -> PureDP | ApproxDP:
        """What was asked for, as a guarantee.

        Examples
        --------
        >>> from sfumato.privacy.calibration import calibrate
        >>> print(calibrate("gaussian", epsilon=1, delta=1e-6).target)
        (1, 1e-06)-DP (add or remove one row)
        """
        relation = self.guarantee.relation
        if self.delta == 0:
            return PureDP(epsilon=self.epsilon, relation=relation)
        return ApproxDP(epsilon=self.epsilon, delta=self.delta, relation=relation)

    def lines(self) -> list[str]:
        """Return what to use and what it costs, in words.

        Examples
        --------
        >>> from sfumato.privacy.calibration import calibrate
        >>> calibrate("exponential", epsilon=1, count=4).lines()[0]
        'use a choice by the exponential mechanism with ε = 0.25, 4 times'
        """
        often = tr(", {count:,} times", count=self.count) if self.count > 1 else ""
        return [
            tr("use {event}{often}", event=self.event.describe(), often=often),
            tr("it keeps {target}, spending {cost}", target=self.target, cost=self._cost()),
        ]

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw what it guarantees, beside what was asked for (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.privacy.calibration import calibrate
        >>> calibrate("gaussian", epsilon=1, delta=1e-6).plot().to_dict()["title"]["text"]
        ['at δ = 1e-06: ε = 1 for the target, 1 for the noise']
        """
        guarantees = {"the target": self.target, "the noise": self.guarantee}
        return drawn("guarantees", guarantees, to=to, delta=self.delta)

    def _cost(self) -> str:
        """Return what is spent, rounded up; all of it where next to nothing is left."""
        if self.spent >= float(self.epsilon) * (1 - _NEXT_TO_NOTHING):
            return tr("all of it")
        return f"ε = {float(_ROUNDED_UP.create_decimal_from_float(self.spent))!r}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        first, *rest = (escape(line) for line in self.lines())
        return "<br>".join([f"<strong>{first}</strong>", *rest])


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
