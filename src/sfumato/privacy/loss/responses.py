"""The few-valued losses of named events: randomized response, and labels that mean as much."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import LossLattice
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.sampled import Direction

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon


def response(epsilon: Epsilon, *, categories: int = 2, lost: Fraction = Fraction(0)) -> FiniteLoss:
    """Return the loss of randomized response; with ``lost``, the worst (epsilon, delta) pair.

    Of all mechanisms with these parameters it leaks most, in every composition
    :cite:p:`kairouz2015composition`.
    """
    level = Disc.of(epsilon)
    other = (-level).exp()
    whole = 1 + (categories - 1) * other
    masses = [1 / whole, *([(categories - 2) * other / whole] if categories > 2 else [])]
    values = [level, *([Disc(0.0)] if categories > 2 else []), -level]
    lattice = (
        LossLattice.along(epsilon, 2, 1) if categories == 2 else LossLattice.along(epsilon, 1, 0)
    )
    kept = Disc.joined([*masses, other / whole]) * (1 - Disc.of(lost))
    return FiniteLoss(Disc.joined(values), kept, lost, lattice)


def even_choice(epsilon: Epsilon) -> FiniteLoss:
    """Return a loss that some choice of bounded range epsilon has: its halves up and down."""
    half = Disc.of(epsilon) * 0.5
    upper = 1 / (1 + (-half).exp())
    return FiniteLoss(Disc.joined([half, -half]), Disc.joined([upper, 1 - upper]))


def sampled_finite(loss: FiniteLoss, rate: Fraction, change: Direction) -> FiniteLoss:
    """Return the loss of an event on a sample: see :mod:`sfumato.privacy.loss.sampled`."""
    share = Disc.of(rate)
    x, q = loss.values, loss.masses * (-loss.values).exp()
    if change is Direction.EXCHANGED:
        return _exchanged(x, q, share, loss.lost * rate)
    y = (x.expm1() * share).log1p()
    if change is Direction.REMOVED:
        return _removed(y, q, share, loss.lost * rate)
    return _added(y, q, share, loss.lost)


def sampled_secret(rate: Fraction, change: Direction) -> FiniteLoss:
    """Return the loss of a sampled event that hides nothing: it dominates every other.

    When removed, the unit is seen whenever it is in the sample; when added, its absence from the
    sample is never certain; when exchanged, both.
    """
    rest = 1 - Disc.of(rate)
    if change is Direction.REMOVED:
        return FiniteLoss(Disc.joined([rest.log()]), Disc.joined([rest]), rate)
    if change is Direction.ADDED:
        return FiniteLoss(Disc.joined([-rest.log()]), Disc(np.ones(1)))
    return FiniteLoss(Disc(np.zeros(1)), Disc.joined([rest]), rate)


def _removed(y: Disc, q: Disc, share: Disc, lost: Fraction) -> FiniteLoss:
    missing = _missing(q, lost)
    values, masses = Disc.joined([y, (-share).log1p()]), Disc.joined([q, missing])
    kept = slice(None) if lost else slice(0, -1)
    return FiniteLoss(values[kept], (masses * values.exp())[kept], lost)


def _added(y: Disc, q: Disc, share: Disc, lost: Fraction) -> FiniteLoss:
    values = Disc.joined([-(-share).log1p(), -y[::-1]])
    masses = Disc.joined([Disc.of(lost), q[::-1]])
    kept = slice(None) if lost else slice(1, None)
    return FiniteLoss(values[kept], masses[kept])


def _missing(q: Disc, lost: Fraction) -> Disc:
    return (1 - q.sum()) if lost else Disc(0.0)


def _exchanged(x: Disc, q: Disc, share: Disc, lost: Fraction) -> FiniteLoss:
    above = x.mid > 0
    y, mass = (x[above].expm1() * share).log1p(), q[above]
    up, down = mass * y.exp(), mass
    rest = 1 - (up + down).sum() - Disc.of(lost)
    values = Disc.joined([y, Disc(0.0), -y[::-1]])
    return FiniteLoss(values, Disc.joined([up, rest, down[::-1]]), lost)
