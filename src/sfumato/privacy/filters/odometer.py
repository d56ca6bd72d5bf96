"""An odometer: a running bound on the privacy loss that holds at all times at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.privacy.events import check_relation
from sfumato.privacy.events.structure import checked
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount
from sfumato.privacy.filters.costs import Cost, added, pure_epsilon, total_cost
from sfumato.privacy.filters.mixture import MartingaleMixture
from sfumato.privacy.filters.renyi import best_order
from sfumato.privacy.guarantees.base import ONE_ROW
from sfumato.privacy.parameters import read_epsilon
from sfumato.privacy.relation import read_relation
from sfumato.privacy.theorems.certified import multiple_above, read_probability
from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events import Event
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


_OCTAVES = 4


class Odometer:
    """Says at every moment how great the privacy loss is at most, with no budget set.

    With probability at least 1 - δ the loss of what was spent is at most ``epsilon()`` at *all*
    times at once, however the events, their parameters and the time to look were chosen
    :cite:p:`rogers2016odometers`.  The bound is where the supermartingale of ``MixtureFilter``
    would reach 1/δ, by Ville's inequality :cite:p:`ville1939`, or the sum of the pure ε if that is
    less.  Proof: :doc:`/proofs/mixture-filter`.

    Parameters
    ----------
    delta
        Above 0 and below 1.
    near
        The ε near which the bound is to be tightest; it holds at every other, too.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    delta, relation
        As given.
    mixture
        The Rényi orders and their weights.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import Odometer
    >>> odometer = Odometer(delta=1e-6)
    >>> for _ in range(3):
    ...     odometer.spend(sf.privacy.events.Laplace(scale=10))
    >>> odometer.epsilon()
    0.30000000000000004
    """

    def __init__(
        self, *, delta: NumberLike, near: EpsilonLike = 1, relation: Relation = ONE_ROW
    ) -> None:
        self.delta: Fraction = read_probability(delta, "delta")
        self.relation = read_relation(relation)
        order = best_order(read_epsilon(near, "near"), self.delta)
        self.mixture = MartingaleMixture.around(order, octaves=_OCTAVES)
        self._events: list[Event] = []
        self._spent: Cost = (Amount(),) * (1 + len(self.mixture.orders))

    @property
    def events(self) -> tuple[Event, ...]:
        """What was spent, in order.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import Odometer
        >>> odometer = Odometer(delta=1e-6)
        >>> odometer.spend(sf.privacy.events.Laplace(scale=10))
        >>> odometer.events
        (Laplace(scale=10, sensitivity=1),)
        """
        return tuple(self._events)

    def spend(self, event: Event) -> None:
        """Count an event, which may have been chosen after seeing all earlier results.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy import events
        >>> from sfumato.privacy.filters import Odometer
        >>> odometer = Odometer(delta=1e-6)
        >>> odometer.spend(events.Repeated(events.Gaussian(sigma=40), count=60))
        >>> round(odometer.epsilon(), 4)
        1.0748
        """
        check_relation(checked(event, "spend"), self.relation)
        self._spent = added(self._spent, total_cost(event, self._step_cost))
        self._events.append(event)

    def epsilon(self) -> float:
        """Return the bound on the loss at this moment, rounded up; infinity if there is none.

        Examples
        --------
        >>> from sfumato.privacy.filters import Odometer
        >>> Odometer(delta=1e-6).epsilon()
        0.0
        """
        pure, *divergences = self._spent
        by_mixture = self.mixture.always_below(tuple(divergences), delta=self.delta)
        return (
            by_mixture if pure == UNBOUNDED else min(by_mixture, multiple_above(pure.epsilon(), 1))
        )

    def __str__(self) -> str:
        return tr(
            "a loss of at most {epsilon:.6g} with probability 1 - {delta:g} ({relation})",
            epsilon=self.epsilon(),
            delta=float(self.delta),
            relation=self.relation,
        )

    def __repr__(self) -> str:
        return f"<Odometer at delta={float(self.delta):g}, {len(self._events):,} spent>"

    def _step_cost(self, step: Event) -> Cost:
        epsilon = pure_epsilon(step)
        pure = UNBOUNDED if epsilon is None else epsilon
        return pure, *self.mixture.divergences(step, self.relation)
