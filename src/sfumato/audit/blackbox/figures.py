"""What an audit found, in figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.features import LOW_BITS
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from sfumato.audit.blackbox.testing import TestedEvent
    from sfumato.audit.claim import Claim

__all__ = ["Figures"]

_DELTAS = (0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.5)
#: Events prove about the same if one proves this share of what the other does.
_NEARLY = 0.99


@dataclass(frozen=True)
class Figures:
    """The figures of an audit, which :class:`AuditReport` describes and prints."""

    claim: Claim
    tested: tuple[TestedEvent, ...]
    alpha: float
    samples: int
    seconds: float
    release: str = ""
    hints: tuple[str, ...] = ()
    untested: str = ""
    draws_a_call: int = 1

    @cached_property
    def witness(self) -> TestedEvent | None:
        """The event that proves most at the claimed δ; None where none proves anything."""
        return self._easiest(list(self.tested))

    @property
    def epsilon(self) -> float:
        """The lower bound on ε at the claimed δ, rounded down."""
        return max((each.epsilon(self.claim.delta) for each in self.tested), default=0.0)

    @property
    def violated(self) -> bool:
        """Whether the claim was shown to be broken; False proves nothing."""
        return bool(self.claim.epsilon < self.epsilon)

    @property
    def curve(self) -> tuple[tuple[float, float], ...]:
        """Lower bounds on ε at several δ, all right at once with probability at least 1 - alpha."""
        deltas = sorted({*_DELTAS, float(self.claim.delta)})
        return tuple((delta, self._epsilon(delta)) for delta in deltas)

    @property
    def region(self) -> tuple[tuple[float, float], ...]:
        """What telling the datasets apart achieves: (at most false positives, at least true)."""
        points: list[tuple[float, float]] = [(0.0, 0.0)]
        for q, p in sorted((each.q, each.p) for each in self.tested):
            if p > points[-1][1]:
                points.append((q, p))
        return (*points, (1.0, 1.0))

    @property
    def apart_from_low_bits(self) -> TestedEvent | None:
        """The event that proves most without looking at low bits; None where none does."""
        return self._easiest([each for each in self.tested if each.kind != LOW_BITS])

    def _epsilon(self, delta: float) -> float:
        return max((each.epsilon(delta) for each in self.tested), default=0.0)

    def _easiest(self, events: list[TestedEvent]) -> TestedEvent | None:
        """Return of the events that prove about as much as any the one that is easiest to say."""
        proved = [(each.epsilon(self.claim.delta), each) for each in events]
        best = max((epsilon for epsilon, _ in proved), default=0.0)
        if best == 0:
            return None
        refutes = self.claim.epsilon < best
        near = [
            (each.effort, -epsilon, len(each.event.split()), len(each.event), place)
            for place, (epsilon, each) in enumerate(proved)
            if epsilon >= _NEARLY * best and (self.claim.epsilon < epsilon or not refutes)
        ]
        return events[min(near)[-1]]
