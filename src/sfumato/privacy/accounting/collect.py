"""From events to the losses that they add, for tables that differ by one change."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import Disc, Ln, shown
from sfumato.privacy import events as ev
from sfumato.privacy import loss as losses
from sfumato.privacy.accounting.parallel import parallel_bracket, worst_groups
from sfumato.privacy.accounting.pure import exact_epsilon
from sfumato.privacy.loss import Change, FiniteLoss, Losses
from sfumato.privacy.loss.base import few_values
from sfumato.privacy.parameters import above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.privacy.accounting.parallel import ProfileOf
    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon

__all__ = ["LossBounds", "collect", "total_epsilon"]

#: Of sums of floats that are each known to 3 units in the last place.
_ROUNDING = 2.0**-50
_GREATEST_RATIO = 10**6
#: From this sensitivity over noise on, a sampled value counts as seen.
_PLAIN = 100
#: Discrete Gaussian noise on a sample is listed up to this sigma.
_GREATEST_SIGMA = 10_000
#: Sums of more values than this are moved onto a lattice of so many cells, if they lie on none.
_FEW_VALUES, _CELLS = 1 << 14, 1 << 16
#: From this count on, fewer cells are taken.
_OFTEN = 100
#: How finely the loss of shuffled reports is laid out, alone and to be composed.
_MOST_CELLS, _FEW_CELLS = 1 << 17, 1 << 13


@dataclass(frozen=True)
class LossBounds:
    """Two sums of losses around the true one; the same one twice where it is known exactly.

    None stands for nothing lost at all.  ``also_upper`` bounds the true one too, where that may
    be better.
    """

    upper: Losses | None
    lower: Losses | None
    also_upper: Losses | None = None

    @property
    def exact(self) -> bool:
        """Whether the losses are known exactly."""
        return self.upper is self.lower


@dataclass
class _Collector:
    """Losses by kind; what differs between the two bounds is kept apart."""

    change: Change
    profile_of: ProfileOf
    squares: list[float] = field(default_factory=list)
    laplace: Counter[float] = field(default_factory=Counter)
    finite: dict[FiniteLoss, int] = field(default_factory=dict)
    choices: Fraction = Fraction(0)
    others: list[Losses] = field(default_factory=list)
    only_upper: list[Losses] = field(default_factory=list)
    only_lower: list[Losses] = field(default_factory=list)

    def losses(self) -> LossBounds:
        shared = self._shared()
        if not self.only_upper and not self.only_lower:
            both = _total(shared)
            return LossBounds(both, both)
        upper, lower = _total(shared + self.only_upper), _total(shared + self.only_lower)
        if not self.choices:
            return LossBounds(upper, lower)
        rest = [each for each in self.only_upper if not isinstance(each, losses.BoundedRangeLosses)]
        also = losses.ConcentratedLosses(self.choices)
        return LossBounds(upper, lower, _total([*shared, *rest, also]))

    def _shared(self) -> list[Losses]:
        shared = list(self.others)
        if self.squares:
            total = math.fsum(self.squares)
            shared.append(losses.GaussianLosses(Disc(total, total * _ROUNDING)))
        if self.laplace:
            shared.append(losses.LaplaceLosses(self.laplace))
        return shared + _by_size(self.finite)


@np.errstate(over="ignore", invalid="ignore")
def collect(
    parts: Iterable[tuple[Event, int]], change: Change, profile_of: ProfileOf
) -> LossBounds:
    """Return the losses of single steps, each so many times, for one change of the table.

    ``profile_of`` tells the profile of the events of a group, where groups differ.
    """
    collector = _Collector(change, profile_of)
    equal: Counter[Event] = Counter()
    for event, count in parts:
        kind = type(event)
        if kind in _QUICK:
            _KINDS[kind](collector, event, count)
        else:
            equal[event] += count
    for event, count in equal.items():
        _KINDS[type(event)](collector, event, count)
    return collector.losses()


def _total(parts: list[Losses]) -> Losses | None:
    if len(parts) > 1:
        return losses.TotalLosses(parts)
    return parts[0] if parts else None


def _by_size(counts: dict[FiniteLoss, int]) -> list[Losses]:
    """Put the losses with equally many values together."""
    sizes: dict[int, dict[FiniteLoss, int]] = {}
    for loss, count in counts.items():
        sizes.setdefault(loss.values.mid.size, {})[loss] = count
    return [losses.FiniteLosses(group) for group in sizes.values()]


def _laplace(to: _Collector, event: ev.Laplace, count: int) -> None:
    to.laplace[_ratio(event.sensitivity, event.scale)] += count


def _gaussian(to: _Collector, event: ev.Gaussian, count: int) -> None:
    to.squares.append(_ratio(event.sensitivity, event.sigma) ** 2 * count)


def _ratio(sensitivity: Fraction, noise: Fraction) -> float:
    """Return the float nearest to a ratio; refuse noise that is nothing beside the sensitivity."""
    above, below = sensitivity.numerator * noise.denominator, sensitivity.denominator
    below *= noise.numerator
    if above > below * _GREATEST_RATIO:
        raise InputError(
            "E-NOISE-TOO-SMALL",
            "noise of {noise} on sensitivity {sensitivity} protects nothing",
            "write noise of at least a millionth of the sensitivity",
            noise=shown(float(noise)),
            sensitivity=shown(float(sensitivity)),
        )
    return above / below


def _discrete_laplace(to: _Collector, event: ev.DiscreteLaplace, count: int) -> None:
    if event.sensitivity == 1:
        to.finite[losses.response(1 / event.scale)] = count
    else:
        to.others.append(losses.DiscreteLaplaceLosses(event.scale, event.sensitivity, count))


def _discrete_gaussian(to: _Collector, event: ev.DiscreteGaussian, count: int) -> None:
    to.others.append(losses.DiscreteGaussianLosses(event.sigma**2, event.sensitivity, count))


def _exponential(to: _Collector, event: ev.Exponential, count: int) -> None:
    """Add the loss that dominates every choice of bounded range, and one that a choice has."""
    if event.epsilon > 0:
        to.only_upper.append(losses.BoundedRangeLosses({float(event.epsilon): count}))
        to.choices += Fraction(above(event.epsilon)) ** 2 / 8 * count
        to.only_lower.append(losses.FiniteLosses({losses.even_choice(event.epsilon): count}))


def _pure(to: _Collector, event: Event, count: int) -> None:
    loss = _finite_loss(event)
    if loss is not None:
        to.finite[loss] = count


def _concentrated(to: _Collector, event: ev.ZeroConcentrated, count: int) -> None:
    """Gaussian noise has the guarantee exactly, so it bounds the worst from below."""
    if event.rho > 0:
        to.only_upper.append(losses.ConcentratedLosses(event.rho * count))
        to.only_lower.append(losses.GaussianLosses(Disc.of(2 * event.rho * count)))


def _renyi(to: _Collector, event: ev.Renyi, count: int) -> None:
    to.only_upper.append(losses.RenyiLosses(event.curve, count))


def _subsampled(to: _Collector, event: ev.Subsampled, count: int) -> None:
    rate, inner = event.rate, event.event
    while isinstance(inner, ev.Subsampled):
        rate, inner = rate * inner.rate, inner.event
    _sampled(to, inner, rate, to.change, count)


def _fixed_size(to: _Collector, event: ev.FixedSizeSubsampled, count: int) -> None:
    rate = Fraction(event.size, event.population)
    _sampled(to, event.event, rate, Change.EXCHANGED, count)


def _sampled(to: _Collector, event: Event, rate: Fraction, change: Change, count: int) -> None:
    if float(rate) == 1:
        _KINDS[type(event)](to, event, count)
    elif _hides_nothing(event):
        to.only_upper.append(losses.FiniteLosses({losses.sampled_secret(rate, change): count}))
    elif isinstance(event, ev.DiscreteGaussian):
        _check_listable(event)
        whole = losses.discrete_gaussian(event.sigma**2, event.sensitivity)
        _add_bracket(to, losses.sampled_finite(whole, rate, change), count)
    elif isinstance(event, ev.Exponential) and event.epsilon > 0:
        spread = losses.ExponentialBody(event.epsilon, ends=False)
        to.only_upper.append(losses.SampledLosses(spread, rate, count, change))
        least = losses.sampled_finite(losses.even_choice(event.epsilon), rate, change)
        to.only_lower.append(losses.FiniteLosses({least: count}))
    elif (loss := _finite_loss(event)) is not None:
        _add_finite(to, losses.sampled_finite(loss, rate, change), count)
    elif isinstance(event, ev.Gaussian) and change is not Change.EXCHANGED:
        mu = event.sensitivity / event.sigma
        to.others.append(losses.SampledGaussianLosses(mu, rate, count, change))
    elif (body := _body(event)) is not None:
        to.others.append(losses.SampledLosses(body, rate, count, change))


def _shuffled(to: _Collector, event: ev.Shuffled, count: int) -> None:
    """Add the loss that clones leave, above, and that of one population, below."""
    epsilon = exact_epsilon(event.event)
    if epsilon is None or epsilon <= 0:
        return
    binary = isinstance(event.event, ev.RandomizedResponse) and event.event.categories == 2
    cells = _MOST_CELLS if count == 1 else _FEW_CELLS
    clones = losses.shuffled_loss(epsilon, event.population, binary=binary, cells=cells)
    to.only_upper.append(losses.TabulatedLosses(clones.upper, count))
    categories = event.event.categories if isinstance(event.event, ev.RandomizedResponse) else 2
    least = losses.unanimous_loss(
        epsilon, event.population, categories=categories, cells=_FEW_CELLS
    )
    to.only_lower.append(losses.TabulatedLosses(least, count))


def _parallel(to: _Collector, event: ev.Parallel, count: int) -> None:
    groups = worst_groups(event)
    if len(groups) == 1:
        for step, times in groups[0].parts():
            _KINDS[type(step)](to, step, times * count)
        return
    worst = parallel_bracket(groups, to.change, to.profile_of)
    to.only_upper.append(losses.TabulatedLosses(worst.upper, count))
    to.only_lower.append(losses.TabulatedLosses(worst.lower, count))


def _check_listable(event: ev.DiscreteGaussian) -> None:
    """Refuse noise on so fine a grid that its values cannot be listed."""
    if event.sigma > _GREATEST_SIGMA:
        raise InputError(
            "E-NOISE-TOO-WIDE",
            "discrete Gaussian noise of sigma {sigma} on a sample has too many values",
            "count in coarser steps, so that sigma is at most {greatest_sigma:,}",
            sigma=shown(float(event.sigma)),
            greatest_sigma=_GREATEST_SIGMA,
        )


def _add_finite(to: _Collector, loss: FiniteLoss, count: int) -> None:
    """Add a loss by its values; many of them, without a lattice, are moved onto one."""
    if loss.lattice is not None or few_values(loss.values.mid.size, [count], _FEW_VALUES):
        to.finite[loss] = count
        return
    _add_bracket(to, loss, count)


def _add_bracket(to: _Collector, loss: FiniteLoss, count: int) -> None:
    """Add a loss by two around it; what counts as infinite above is left out below."""
    if few_values(loss.values.mid.size, [count], _FEW_VALUES):
        to.only_upper.append(losses.FiniteLosses({loss: count}))
        to.only_lower.append(losses.FiniteLosses({replace(loss, lost=Fraction(0)): count}))
        return
    laid = losses.gridded(loss, _CELLS if count < _OFTEN else _FEW_CELLS)
    to.only_upper.append(losses.TabulatedLosses(laid.upper, count))
    to.only_lower.append(losses.TabulatedLosses(laid.lower, count))


def _hides_nothing(event: Event) -> bool:
    """Tell whether noise is so small that it is not worth being told from none."""
    if isinstance(event, (ev.Gaussian, ev.DiscreteGaussian)):
        return event.sensitivity > _PLAIN * event.sigma
    return isinstance(event, ev.Laplace) and event.sensitivity > _PLAIN * event.scale


def _body(event: Event) -> losses.Body | None:
    if isinstance(event, ev.Laplace):
        return losses.ExponentialBody(event.sensitivity / event.scale, ends=True)
    if isinstance(event, ev.Gaussian):
        return losses.NormalBody(event.sensitivity / event.sigma)
    return None


def _finite_loss(event: Event) -> FiniteLoss | None:
    """Return the loss of an event by its values; None where it has a density, or is nothing."""
    if isinstance(event, ev.DiscreteLaplace):
        return losses.discrete_laplace(event.scale, event.sensitivity)
    if isinstance(event, ev.Approximate):
        return losses.response(event.epsilon, lost=event.delta)
    if isinstance(event, ev.RandomizedResponse):
        return losses.response(event.epsilon, categories=event.categories)
    epsilon = total_epsilon(event)
    return losses.response(epsilon) if epsilon is not None and epsilon > 0 else None


def total_epsilon(event: Event) -> Epsilon | None:
    """Return the epsilon of an event whose guarantee is pure and says all that is used of it."""
    if isinstance(event, (ev.Pure, ev.PermuteAndFlip)):
        return event.epsilon
    if isinstance(event, ev.SparseVector):
        first, second = event.threshold_epsilon, event.answers_epsilon
        if isinstance(first, Ln) and isinstance(second, Ln):
            return first + second
        return Fraction(above(first)) + Fraction(above(second))
    return None


#: Kinds that cost less to add again than to find again.
_QUICK = (ev.Laplace, ev.Gaussian)
_KINDS: dict[type[Event], Callable[..., None]] = {
    ev.Laplace: _laplace,
    ev.DiscreteLaplace: _discrete_laplace,
    ev.Gaussian: _gaussian,
    ev.DiscreteGaussian: _discrete_gaussian,
    ev.RandomizedResponse: _pure,
    ev.Exponential: _exponential,
    ev.PermuteAndFlip: _pure,
    ev.SparseVector: _pure,
    ev.Pure: _pure,
    ev.Approximate: _pure,
    ev.ZeroConcentrated: _concentrated,
    ev.Renyi: _renyi,
    ev.Subsampled: _subsampled,
    ev.FixedSizeSubsampled: _fixed_size,
    ev.Shuffled: _shuffled,
    ev.Parallel: _parallel,
}
