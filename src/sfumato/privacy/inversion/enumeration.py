"""Sums of few-valued losses by listing every value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc, Enclosure
from sfumato.privacy.loss.base import blockwise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.privacy.loss import Atoms


def values_of_sum(atoms: Sequence[Atoms]) -> int:
    """Return how many values a list of the sum would have."""
    return math.prod(_compositions(atom.values.mid.size, atom.count) for atom in atoms)


def _compositions(kinds: int, count: int) -> int:
    return math.comb(count + kinds - 1, kinds - 1)


class Enumeration:
    """Every value of a sum of losses, with its P-mass."""

    reach = 0.0

    def __init__(self, atoms: Sequence[Atoms]) -> None:
        self._atoms = atoms
        values, masses = Disc(np.zeros(1)), Disc(np.ones(1))
        for atom in atoms:
            more, weights = _repeated(atom)
            values = _flat(values[:, None] + more)
            masses = _flat(masses[:, None] * weights)
        self._values, self._masses = values, masses

    @property
    def greatest(self) -> float:
        """Above every value."""
        return float((self._values.mid + self._values.rad).max())

    def log_moment(self, s: Disc) -> Disc:
        """Return ln of the part of the moment that the listed values make."""
        values = max(atom.values.mid.size for atom in self._atoms)
        return blockwise(s, 1, lambda piece, _: log_part(self._atoms, piece), each=values)

    def middle(self, epsilon: float) -> tuple[float, float]:
        """Return delta and its slope in epsilon, without bounds."""
        beyond = self._values.mid > epsilon
        gaps, masses = epsilon - self._values.mid[beyond], self._masses.mid[beyond]
        return -float(masses @ np.expm1(gaps)), -float(masses @ np.exp(gaps))

    def delta(self, epsilon: float) -> Enclosure:
        """Return certified bounds on delta at an epsilon."""
        beyond = self._values.mid + self._values.rad > epsilon
        gaps = epsilon - self._values[beyond]
        least = Disc(np.minimum(gaps.mid, 0.0), gaps.rad)
        total = -(least.expm1() * self._masses[beyond]).sum()
        return Enclosure(float(total.mid - total.rad), float(total.mid + total.rad))


def log_part(atoms: Sequence[Atoms], s: Disc) -> Disc:
    """Return ln of the part of the moment that atoms make."""
    logs = [_log_sum(atom, s) * atom.count for atom in atoms]
    return sum(logs[1:], logs[0])


def _log_sum(atom: Atoms, s: Disc) -> Disc:
    """Return ln of the sum over the values, the greatest taken out so that nothing overflows."""
    top = atom.values[int(atom.values.mid.argmax())]
    below = ((atom.values - top)[:, None] * s).exp() * atom.masses[:, None]
    return below.sum(axis=0).log() + top * s


def _flat(disc: Disc) -> Disc:
    return Disc(disc.mid.ravel(), np.broadcast_to(disc.rad, disc.mid.shape).ravel())


def _repeated(atom: Atoms) -> tuple[Disc, Disc]:
    """Return the values of ``count`` equal losses by how often each value occurs."""
    if atom.count == 1:
        return atom.values, atom.masses
    kinds = atom.values.mid.size
    shares = _shares(kinds, atom.count)
    ways = np.array([math.log(_multinomial(share)) for share in shares.tolist()])
    logs = (atom.masses.log() * shares).sum(axis=1) + Disc(ways, np.abs(ways) * 1e-15 + 1e-15)
    return (atom.values * shares.astype(float)).sum(axis=1), logs.exp()


def _multinomial(share: list[int]) -> int:
    return math.prod(math.comb(sum(share[: end + 1]), each) for end, each in enumerate(share))


def _shares(kinds: int, count: int) -> np.ndarray:
    """Return every way to write ``count`` as an ordered sum of ``kinds`` whole numbers."""
    if kinds == 1:
        return np.array([[count]])
    parts = []
    for first in range(count + 1):
        rest = _shares(kinds - 1, count - first)
        parts.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.concatenate(parts)
