"""The sum of losses of several kinds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.loss.base import Atoms, PrivacyLosses, few_values
from sfumato.privacy.loss.lattice import common_lattice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.numeric import Disc
    from sfumato.privacy.loss.lattice import LossLattice


class TotalLosses(PrivacyLosses):
    """Independent losses of several kinds, each so many times, added up."""

    def __init__(self, parts: Mapping[PrivacyLosses, int] | Iterable[PrivacyLosses]) -> None:
        self._counts = Counter(parts)
        parts = self._counts.keys()
        self.members = sum(part.members for part in parts)
        self.real_only = any(part.real_only for part in parts)
        self.tilts = tuple(tilt for part in parts for tilt in part.tilts)
        self.ceiling = min(part.ceiling for part in parts)
        greatest = sum(part.greatest * count for part, count in self._counts.items())
        self.greatest = greatest * (1 + (len(parts) + 3) * 2.0**-52)
        self.horizon = min(part.horizon for part in parts)

    def log_moment(self, s: Disc) -> Disc:
        """Add the logarithms."""
        logs = [_times(part.log_moment(s), count) for part, count in self._counts.items()]
        return sum(logs[1:], logs[0])

    def log_envelope(self, real: float, height: float) -> float:
        """Add the bounds."""
        return sum(count * part.log_envelope(real, height) for part, count in self._counts.items())

    def cost(self, real: float, height: float) -> float:
        """Add the work."""
        return sum(part.cost(real, height) for part in self._counts)

    def cost_in_period(self) -> float:
        """Add the work."""
        return sum(part.cost_in_period() for part in self._counts)

    def log_forever(self, real: float, height: float) -> float:
        """Add the bounds without end."""
        return sum(count * part.log_forever(real, height) for part, count in self._counts.items())

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the atoms of all parts; the sum has none if one part has none."""
        found: list[Atoms] = []
        for part, count in self._counts.items():
            here = part.atoms(most)
            if here is None:
                return None
            found += [replace(each, count=each.count * count) for each in here]
        few = (few_values(each.values.mid.size, [each.count], most) for each in found)
        return found if all(few) else None

    @property
    def purely_atomic(self) -> bool:
        """Whether the atoms are all there is, in every part."""
        return all(part.purely_atomic for part in self._counts)

    def lattice(self) -> LossLattice | None:
        """Return the common lattice, where there is one."""
        return common_lattice(
            (lattice := part.lattice()) and lattice.repeated(count)
            for part, count in self._counts.items()
        )

    def exactly_lost(self) -> Fraction | None:
        """Return the probability that a part is infinite, where all know theirs."""
        kept = Fraction(1)
        for part, count in self._counts.items():
            lost = part.exactly_lost()
            if lost is None:
                return None
            kept *= (1 - lost) ** count if lost else 1
        return 1 - kept

    def log_finite(self) -> Disc | None:
        """Add the logarithms of the probabilities that all are finite."""
        found = [(part.log_finite(), count) for part, count in self._counts.items()]
        logs = [_times(log, count) for log, count in found if log is not None]
        return sum(logs[1:], logs[0]) if logs else None


def _times(log: Disc, count: int) -> Disc:
    return log if count == 1 else log * count
