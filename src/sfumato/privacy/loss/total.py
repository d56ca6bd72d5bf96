"""The sum of losses of several kinds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.loss.base import Atoms, Losses
from sfumato.privacy.loss.lattice import common_lattice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.numeric import Disc
    from sfumato.privacy.loss.lattice import Lattice

__all__ = ["TotalLosses"]


class TotalLosses(Losses):
    """Independent losses of several kinds, added up."""

    def __init__(self, parts: Sequence[Losses]) -> None:
        self.parts = tuple(parts)
        self.members = sum(part.members for part in parts)
        self.real_only = any(part.real_only for part in parts)
        self.tilts = tuple(tilt for part in parts for tilt in part.tilts)
        self.ceiling = min(part.ceiling for part in parts)
        self.greatest = sum(part.greatest for part in parts) * (1 + 1e-15)
        self.horizon = min(part.horizon for part in parts)

    def log_moment(self, s: Disc) -> Disc:
        """Add the logarithms."""
        logs = [part.log_moment(s) for part in self.parts]
        return sum(logs[1:], logs[0])

    def log_envelope(self, real: float, height: float) -> float:
        """Add the bounds."""
        return sum(part.log_envelope(real, height) for part in self.parts)

    def cost(self, real: float, height: float) -> float:
        """Add the work."""
        return sum(part.cost(real, height) for part in self.parts)

    def cost_in_period(self) -> float:
        """Add the work."""
        return sum(part.cost_in_period() for part in self.parts)

    def log_forever(self, real: float, height: float) -> float:
        """Add the bounds without end."""
        return sum(part.log_forever(real, height) for part in self.parts)

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the atoms of all parts; the sum has none if one part has none."""
        found: list[Atoms] = []
        for part in self.parts:
            here = part.atoms(most)
            if here is None:
                return None
            found += here
        return found

    @property
    def purely_atomic(self) -> bool:
        """Whether the atoms are all there is, in every part."""
        return all(part.purely_atomic for part in self.parts)

    def lattice(self) -> Lattice | None:
        """Return the common lattice, where there is one."""
        return common_lattice(part.lattice() for part in self.parts)

    def exactly_lost(self) -> Fraction | None:
        """Return the probability that a part is infinite, where all know theirs."""
        kept = Fraction(1)
        for part in self.parts:
            lost = part.exactly_lost()
            if lost is None:
                return None
            kept *= 1 - lost
        return 1 - kept

    def log_finite(self) -> Disc | None:
        """Add the logarithms of the probabilities that all are finite."""
        logs = [log for part in self.parts if (log := part.log_finite()) is not None]
        return sum(logs[1:], logs[0]) if logs else None
