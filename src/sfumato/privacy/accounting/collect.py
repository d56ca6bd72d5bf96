"""From events to the losses that they add, for tables that differ by one change."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import Disc, Enclosure, any_float, shown
from sfumato.privacy import events as ev
from sfumato.privacy import loss as losses
from sfumato.privacy.accounting.pairs import directed_pairs
from sfumato.privacy.accounting.pure import exact_epsilon
from sfumato.privacy.events.structure import sample_of
from sfumato.privacy.loss import Direction, FiniteLoss, PrivacyLosses
from sfumato.privacy.loss.base import few_values
from sfumato.privacy.parameters import above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sfumato.privacy.accounting.pairs import DirectedPairs
    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon

    #: The loss of doing an event once: what adds up losses of its kind, and which it is.
    _One = tuple[Callable[[Mapping[Any, int]], PrivacyLosses], Any]
    ProfileOf = Callable[[Sequence[tuple[Event, int]], Direction], "Profile"]

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
#: How finely the profile of different groups is laid out when more is composed with it.
_CELLS_OF_GROUPS = 512
#: Where it stops: beyond, so much is counted as lost.
_NEGLIGIBLE = Fraction(1, 10**15)


class Profile(Protocol):
    """What is known of some events for one change of the table."""

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return bounds on delta at an epsilon."""

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:
        """Return bounds on the least epsilon at a delta."""


@dataclass(frozen=True)
class LossBounds:
    """Two sums of losses around the true one; the same one twice where it is known exactly.

    None stands for nothing lost at all.  ``also_upper`` bounds the true one too, where that may
    be better; so does ``moments``, where it is worth asking for single moments only.
    """

    upper: PrivacyLosses | None
    lower: PrivacyLosses | None
    also_upper: PrivacyLosses | None = None
    moments: PrivacyLosses | None = None


class _Around(NamedTuple):
    """Losses around that of doing an event once; ``also`` and ``moments`` are others above it."""

    upper: _One
    lower: _One | None = None
    also: _One | None = None
    moments: _One | None = None


@dataclass(frozen=True)
class _Setting:
    """What a loss depends on beside the event; ``often`` only tells how fine a table must be."""

    change: Direction
    profile_of: ProfileOf
    often: int = 1


class LossCounts(defaultdict[Any, defaultdict[Any, int]]):
    """How often each loss was added, by what adds up its kind."""

    def __init__(self) -> None:
        super().__init__(lambda: defaultdict(int))

    def add(self, loss: _One | None, count: int) -> None:
        """Repeat a loss: nowhere else does a count become part of what is lost."""
        if loss is not None:
            sums, value = loss
            self[sums][value] += count

    def parts(self) -> list[PrivacyLosses]:
        """Return the sum of each kind."""
        return [sums(counts) for sums, counts in self.items()]


class _Collector:
    """Losses that are known exactly; what differs between the bounds is kept apart."""

    def __init__(self, setting: _Setting) -> None:
        self.setting = setting
        self.equal: Counter[Event] = Counter()
        self.exact, self.upper, self.lower, self.also = (LossCounts() for _ in range(4))
        self.moments = LossCounts()

    def take(self, parts: Iterable[tuple[Event, int]]) -> None:
        """Take single steps; of disjoint groups the worst, where it is known which it is."""
        add, setting, quickly = self.exact.add, self.setting, _QUICK.get
        for event, count in parts:
            if quick := quickly(type(event)):
                add(quick(event, setting), count)
            elif isinstance(event, ev.Parallel) and len(groups := worst_groups(event)) == 1:
                self.take(ev.Repeated(groups[0], count=count).parts())
            else:
                self.equal[event] += count

    def add(self, found: _One | _Around | None, count: int) -> None:
        if isinstance(found, _Around):
            self.upper.add(found.upper, count)
            self.lower.add(found.lower, count)
            self.also.add(found.also or found.upper, count)
            self.moments.add(found.moments or found.upper, count)
        else:
            self.exact.add(found, count)

    def bounds(self) -> LossBounds:
        exact = self.exact.parts()
        upper = _total(exact + self.upper.parts())
        if not self.upper:
            return LossBounds(upper, upper)
        also = _total(exact + self.also.parts()) if self.also != self.upper else None
        known = self.moments != self.upper
        moments = _total(exact + self.moments.parts()) if known else None
        return LossBounds(upper, _total(exact + self.lower.parts()), also, moments)


@np.errstate(over="ignore", invalid="ignore")
def collect(
    parts: Iterable[tuple[Event, int]], change: Direction, profile_of: ProfileOf
) -> LossBounds:
    """Return the losses of single steps, each so many times, for one change of the table.

    ``profile_of`` tells the profile of the events of a group, where groups differ.
    """
    setting = _Setting(change, profile_of)
    collector = _Collector(setting)
    collector.take(parts)
    for event, count in collector.equal.items():
        collector.add(_KINDS[type(event)](event, replace(setting, often=count)), count)
    return collector.bounds()


def _total(parts: list[PrivacyLosses]) -> PrivacyLosses | None:
    return losses.TotalLosses(parts) if len(parts) > 1 else next(iter(parts), None)


def _gaussian_losses(squares: Mapping[float, int]) -> PrivacyLosses:
    total = math.fsum(map(mul, squares, squares.values()))
    return losses.GaussianLosses(Disc(total, total * _ROUNDING))


def _finite_losses(counts: Mapping[FiniteLoss, int]) -> PrivacyLosses:
    """Put the losses with equally many values together."""
    sizes: defaultdict[int, dict[FiniteLoss, int]] = defaultdict(dict)
    for loss, count in counts.items():
        sizes[loss.values.mid.size][loss] = count
    groups = [losses.FiniteLosses(group) for group in sizes.values()]
    return losses.TotalLosses(groups) if len(groups) > 1 else groups[0]


def _ratio(sensitivity: Fraction, noise: Fraction) -> float:
    """Return the float nearest to a ratio; refuse noise that is nothing beside the sensitivity."""
    change, unit = sensitivity.as_integer_ratio()
    scale, noise_unit = noise.as_integer_ratio()
    above, below = change * noise_unit, unit * scale
    if above > below * _GREATEST_RATIO:
        raise InputError(
            "E-NOISE-TOO-SMALL",
            "noise of {noise} on sensitivity {sensitivity} protects nothing",
            "write noise of at least a millionth of the sensitivity",
            noise=shown(any_float(noise)),
            sensitivity=shown(any_float(sensitivity)),
        )
    return above / below


def _discrete_laplace(event: ev.DiscreteLaplace, _: _Setting) -> _One:
    if event.sensitivity == 1:
        return (_finite_losses, losses.response(1 / event.scale))
    return _itself(losses.DiscreteLaplaceLosses(event.scale, event.sensitivity))


def _exponential(event: ev.Exponential, _: _Setting) -> _Around | None:
    """Return the losses that dominate every choice of bounded range, and one that a choice has."""
    if event.epsilon == 0:
        return None
    return _Around(
        (losses.BoundedRangeLosses, float(event.epsilon)),
        (_finite_losses, losses.even_choice(event.epsilon)),
        (losses.ConcentratedLosses, Fraction(above(event.epsilon)) ** 2 / 8),
    )


def _by_values(event: Event, _: _Setting) -> _One | None:
    loss = _finite_loss(event)
    return (_finite_losses, loss) if loss is not None else None


def _pair(event: Event, setting: _Setting) -> _One | _Around:
    """Return the loss of a finite pair; of densities, losses of many values around it."""
    pairs = directed_pairs(event, setting.change)
    if not pairs.is_finite:
        return _densities(pairs, setting)
    loss = pairs.finite.loss()
    few = loss.lattice is not None
    return (_finite_losses, loss) if few else _listed(loss, setting, exact=True)


def _densities(pairs: DirectedPairs, setting: _Setting) -> _Around:
    from sfumato.privacy.loss.density_pair import (
        DensityMoments,
        density_cells,
        worst_of_densities,
    )

    moments = None if pairs.mirrored else _itself(DensityMoments(pairs.sides))
    if len(pairs.sides) > 1:
        laid = worst_of_densities(pairs.sides)
        return _between(laid.upper, laid.lower)._replace(moments=moments)
    cells = density_cells(*pairs.sides[0])
    above = _listed(cells.upper(), setting, exact=True)
    upper = above.upper if isinstance(above, _Around) else above
    lower = cells.lower()
    below = None if lower is None else _listed(lower, setting, exact=True)
    least = below.lower if isinstance(below, _Around) else below
    return _Around(upper, least, moments=moments)


def _concentrated(event: ev.ZeroConcentrated, _: _Setting) -> _Around | None:
    """Gaussian noise has the guarantee exactly, so it bounds the worst from below."""
    if event.rho == 0:
        return None
    least = losses.GaussianLosses(Disc.of(2 * event.rho))
    return _Around((losses.ConcentratedLosses, event.rho), _itself(least))


def _sampled(
    whole: ev.Subsampled | ev.FixedSizeSubsampled, setting: _Setting
) -> _One | _Around | None:
    event, rate = sample_of(whole)
    change = setting.change if isinstance(whole, ev.Subsampled) else Direction.EXCHANGED
    if isinstance(event, ev.Pair):
        return _pair(whole, setting)
    if float(rate) == 1:
        return _KINDS[type(event)](event, setting)
    if _hides_nothing(event):
        return _Around((_finite_losses, losses.sampled_secret(rate, change)))
    if isinstance(event, ev.DiscreteGaussian):
        _check_listable(event)
        listed = losses.discrete_gaussian(event.sigma**2, event.sensitivity)
        return _listed(losses.sampled_finite(listed, rate, change), setting, exact=False)
    if isinstance(event, ev.Exponential) and event.epsilon > 0:
        spread = losses.ExponentialBody(event.epsilon, ends=False)
        least = losses.sampled_finite(losses.even_choice(event.epsilon), rate, change)
        return _Around(_itself(losses.SampledLosses(spread, rate, change)), (_finite_losses, least))
    if (loss := _finite_loss(event)) is not None:
        return _listed(losses.sampled_finite(loss, rate, change), setting, exact=True)
    if isinstance(event, ev.Gaussian) and change is not Direction.EXCHANGED:
        mu = event.sensitivity / event.sigma
        return _itself(losses.SampledGaussianLosses(mu, rate, change))
    body = _body(event)
    return _itself(losses.SampledLosses(body, rate, change)) if body is not None else None


def _shuffled(event: ev.Shuffled, setting: _Setting) -> _Around | None:
    """Return the loss that clones leave, above, and that of one population, below."""
    epsilon = exact_epsilon(event.event)
    if epsilon is None or epsilon <= 0:
        return None
    categories = event.event.categories if isinstance(event.event, ev.RandomizedResponse) else 2
    binary = isinstance(event.event, ev.RandomizedResponse) and categories == 2
    cells = _MOST_CELLS if setting.often == 1 else _FEW_CELLS
    clones = losses.shuffled_loss(epsilon, event.population, binary=binary, cells=cells)
    least = losses.unanimous_loss(
        epsilon, event.population, categories=categories, cells=_FEW_CELLS
    )
    return _between(clones.upper, least)


def _parallel(event: ev.Parallel, setting: _Setting) -> _Around:
    """Return distributions around the greatest of the profiles of several groups.

    Which group a unit is in may depend on results seen before, so in a composition the groups
    cost what a loss does whose profile is the greatest of theirs.
    """
    steps = [tuple(group.parts()) for group in worst_groups(event)]
    there, back = (
        [setting.profile_of(each, way) for each in steps]
        for way in (setting.change, setting.change.opposite)
    )
    laid = losses.profile_bracket(
        lambda x: greatest_of([each.delta(Fraction(x)) for each in there]),
        lambda x: greatest_of([each.delta(Fraction(x)) for each in back]),
        greatest=max(each.epsilon(_NEGLIGIBLE, 1e-3).upper for each in there + back),
        cells=_CELLS_OF_GROUPS,
    )
    return _between(laid.upper, laid.lower)


def worst_groups(event: ev.Parallel) -> list[Event]:
    """Return the groups that may be the worst: of steps of one kind only the strongest."""
    strongest: dict[object, Event] = {}
    for group in event.events:
        kind, strength = _strength(group)
        held = strongest.get(kind)
        if held is None or strength > _strength(held)[1]:
            strongest[kind] = group
    return list(strongest.values())


def _strength(event: Event) -> tuple[object, Epsilon]:
    """Return a kind within which events are ordered by a number, and that number.

    All that is known by its ε and δ alone loses as randomized response does, and of two with one
    δ that of the greater ε dominates the other.
    """
    if isinstance(event, ev.Laplace):
        return ev.Laplace, event.sensitivity / event.scale
    if isinstance(event, ev.Gaussian):
        return ev.Gaussian, event.sensitivity / event.sigma
    if isinstance(event, (ev.Pure, ev.PermuteAndFlip)):
        return (ev.Approximate, 0), event.epsilon
    if isinstance(event, ev.Approximate):
        return (ev.Approximate, event.delta), event.epsilon
    return event, Fraction(0)


def greatest_of(bounds: Sequence[Enclosure]) -> Enclosure:
    """Return bounds on the greatest of several numbers."""
    return Enclosure(max(each.lower for each in bounds), max(each.upper for each in bounds))


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


def _itself(loss: PrivacyLosses) -> _One:
    return (losses.TotalLosses, loss)


def _between(upper: FiniteLoss, lower: FiniteLoss) -> _Around:
    """Return two losses of many values on a lattice."""
    return _Around(_itself(losses.TabulatedLosses(upper)), _itself(losses.TabulatedLosses(lower)))


def _listed(loss: FiniteLoss, setting: _Setting, *, exact: bool) -> _One | _Around:
    """Return a loss of few values; of many, two on a lattice around it.

    Where it is not ``exact``, what counts as infinite above is left out below.
    """
    if few_values(loss.values.mid.size, [setting.often], _FEW_VALUES):
        upper = (_finite_losses, loss)
        finite = replace(loss, lost=Fraction(0))
        return upper if exact else _Around(upper, (_finite_losses, finite))
    laid = losses.gridded(loss, _CELLS if setting.often < _OFTEN else _FEW_CELLS)
    return _between(laid.upper, replace(laid.lower, lost=loss.lost) if exact else laid.lower)


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
    if isinstance(event, ev.SparseVector):
        return losses.response(_sparse_epsilon(event))
    if isinstance(event, (ev.Pure, ev.PermuteAndFlip)) and event.epsilon > 0:
        return losses.response(event.epsilon)
    return None


def _sparse_epsilon(event: ev.SparseVector) -> Epsilon:
    """Return the sum of both parts, rounded up where it is that of a rational and a logarithm."""
    rounded = Fraction(above(event.threshold_epsilon)) + Fraction(above(event.answers_epsilon))
    return exact_epsilon(event) or rounded


#: Kinds that cost less to add again than to find again.
_QUICK: dict[type[Event], Callable[[Any, _Setting], _One]] = {
    ev.Laplace: lambda e, _: (losses.LaplaceLosses, _ratio(e.sensitivity, e.scale)),
    ev.Gaussian: lambda e, _: (_gaussian_losses, _ratio(e.sensitivity, e.sigma) ** 2),
}
_KINDS: dict[type[Event], Callable[[Any, _Setting], _One | _Around | None]] = {
    **_QUICK,
    ev.DiscreteLaplace: _discrete_laplace,
    ev.DiscreteGaussian: lambda e, _: _itself(
        losses.DiscreteGaussianLosses(e.sigma**2, e.sensitivity)
    ),
    ev.RandomizedResponse: _by_values,
    ev.Exponential: _exponential,
    ev.PermuteAndFlip: _by_values,
    ev.SparseVector: _by_values,
    ev.Pure: _by_values,
    ev.Approximate: _by_values,
    ev.ZeroConcentrated: _concentrated,
    ev.Renyi: lambda e, _: _Around(_itself(losses.RenyiLosses(e.curve))),
    ev.Pair: _pair,
    ev.Subsampled: _sampled,
    ev.FixedSizeSubsampled: _sampled,
    ev.Shuffled: _shuffled,
    ev.Parallel: _parallel,
}
