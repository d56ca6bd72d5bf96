"""What a theorem about (ε, δ) gives."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bound"]


@dataclass(frozen=True)
class Bound:
    """An (ε, δ) guarantee that a theorem proves, both numbers rounded up.

    Examples
    --------
    >>> from sfumato.privacy.theorems import Bound
    >>> print(Bound(epsilon=6.3082309, delta=1e-6))
    (6.30823, 1e-06)
    """

    epsilon: float
    delta: float

    def __str__(self) -> str:
        return f"({self.epsilon:.6g}, {self.delta:.6g})"
