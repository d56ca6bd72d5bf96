"""What events promise, and what to use for a promise: the figures, and the sentences for them."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.printed import Printed, for_json
from sfumato.application.safe_figures import at_least, at_most, stated
from sfumato.application.wording import counted
from sfumato.privacy.events import to_json

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.numeric import Enclosure, Ln
    from sfumato.privacy import Calibration, Composition, Explanation, Meaning
    from sfumato.privacy.events import Event

__all__ = ["AccountReport", "CalibrationReport"]

_MOST_LISTED = 12
_SIGNS = {"epsilon": "ε", "delta": "δ"}


@dataclass(frozen=True, kw_only=True)
class AccountReport(Printed):
    """What events promise together: ε at a δ, or δ at an ε.

    Attributes
    ----------
    guarantee
        The events together, with the relation for which they were accounted.
    wanted
        Which of the two was asked for: "epsilon" or "delta".
    given
        The other one, exactly.
    bounds
        Two figures between which the least value certainly lies; the upper one is promised.
    meaning
        The promise in a person's terms; None where nothing is promised.
    explanation
        What other methods of accounting say; None unless it was asked for.

    Examples
    --------
    >>> from sfumato.application.accounting import account_events
    >>> report = account_events("examples/events.json", delta=1e-6)
    >>> report.wanted, round(report.bounds.upper, 6)
    ('epsilon', 2.288623)
    """

    guarantee: Composition
    wanted: str
    given: Fraction | Ln
    bounds: Enclosure
    meaning: Meaning | None
    explanation: Explanation | None = None

    def lines(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.application.accounting import account_events
        >>> for line in account_events("examples/events.json", delta=1e-6).lines()[:3]:
        ...     print(line)
        ε = 2.288624 at δ = 1e-06 (add or remove one row)
        the least ε lies between 2.28862323582 and 2.28862323583
        1,025 steps of 3 kinds:
        """
        return [
            self._headline(),
            *self._certainty(),
            *_steps(self.guarantee.event),
            *_in_a_persons_terms(self.meaning),
            *([] if self.explanation is None else self.explanation.lines()),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON; an infinity becomes the text "Infinity".

        Examples
        --------
        >>> from sfumato.application.accounting import account_events
        >>> found = account_events("examples/events.json", delta=1e-6).as_dict()
        >>> found["wanted"], found["given"], found["relation"]
        ('epsilon', '1e-06', 'add or remove one row')
        """
        bounds = [for_json(self.bounds.lower), for_json(self.bounds.upper)]
        return {
            "wanted": self.wanted,
            "given": stated(self.given),
            "value": bounds[1],
            "bounds": bounds,
            "relation": str(self.guarantee.relation),
            "steps": [
                {"count": count, "step": event.describe()}
                for event, count in _merged(self.guarantee.event).items()
            ],
            "meaning": _figures(self.meaning),
            "explanation": None if self.explanation is None else self.explanation.as_dict(),
        }

    def _headline(self) -> str:
        sought, other = _SIGNS[self.wanted], {"ε": "δ", "δ": "ε"}[_SIGNS[self.wanted]]
        place = f"{other} = {stated(self.given)} ({self.guarantee.relation})"
        if self.meaning is None:
            return f"no {sought} is promised at {place}"
        return f"{sought} = {at_most(self.bounds.upper)} at {place}"

    def _certainty(self) -> list[str]:
        low, high = self.bounds.lower, self.bounds.upper
        if self.meaning is None:
            return [f"the privacy loss may be greater with a probability above that; ask at a greater one"]
        if low == high:
            return ["no less can be promised: this is exact"]
        sought = _SIGNS[self.wanted]
        return [f"the least {sought} lies between {at_least(low, 12)} and {at_most(high, 12)}"]
