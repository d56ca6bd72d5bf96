"""A guarantee: what every kind of guarantee answers, and what it leaves to the kind."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from copy import copy
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, Ln, read_count, shown
from sfumato.printing import drawn
from sfumato.privacy.parameters import Epsilon, above, read_delta, read_epsilon, written
from sfumato.privacy.relation import AddRemove, Relation, read_relation, steps_between
from sfumato.privacy.theorems.certified import read_order, rounded_up
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing import Chart
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


_MOST_BITS = 3000


def read_share(value: Any, name: str) -> Fraction:
    """Return a number from 0 to 1, exactly."""
    number = written(value, name)
    if not 0 <= number <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must lie between 0 and 1, not {value}",
            "it is a probability",
            name=Argument(name),
            value=shown(value),
        )
    return number


def multiple(epsilon: Epsilon, size: int) -> Epsilon:
    """Return ``size`` times an ε: exact, or rounded up where the exact one is too long to keep."""
    if not isinstance(epsilon, Ln):
        return epsilon * size
    bits = max(epsilon.argument.numerator.bit_length(), epsilon.argument.denominator.bit_length())
    return epsilon * size if bits * size <= _MOST_BITS else Fraction(above(epsilon)) * size


def holds_as_printed(enclosure: Enclosure) -> Enclosure:
    """Return an enclosure whose upper end is an upper bound as a decimal, too.

    A float that is given as a parameter is read as its shortest decimal, which may be less.
    """
    if math.isinf(enclosure.upper):
        return enclosure
    return Enclosure(enclosure.lower, rounded_up(Fraction(enclosure.upper)))


#: The relation of a guarantee that names none.
ONE_ROW = AddRemove()


class Guarantee(ABC):
    """A guarantee about the outputs on any two neighbouring tables, in either order.

    It holds for one ``relation``, which says which tables are neighbours, and for everything
    computed from the output alone: post-processing costs nothing.  Every figure is
    on the safe side: what is guaranteed is never better than what can be proved.
    Proof: :doc:`/proofs/privacy-profile`.

    Attributes
    ----------
    relation
        Which tables are neighbours.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import PureDP
    >>> guarantee = PureDP(epsilon=0.1)
    >>> print(guarantee)
    0.1-DP (add or remove one row)
    >>> guarantee.epsilon(delta=0)
    0.1
    """

    relation: Relation

    def epsilon(self, *, delta: NumberLike) -> float:
        """Return an ε for which (ε, δ)-DP holds, rounded up; infinity where none is guaranteed.

        Parameters
        ----------
        delta
            0 or more and below 1.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import GaussianDP
        >>> round(GaussianDP(mu=1).epsilon(delta=1e-5), 6)
        4.377178
        """
        return self.bounds(delta=delta).upper

    def delta(self, *, epsilon: EpsilonLike) -> float:
        """Return a δ for which (ε, δ)-DP holds, rounded up; 1 where nothing is guaranteed.

        Parameters
        ----------
        epsilon
            0 or more; ``Ln(2)`` for ln 2 exactly.

        Examples
        --------
        >>> from sfumato.numeric import Ln
        >>> from sfumato.privacy.guarantees import PureDP
        >>> PureDP(epsilon=Ln(3)).delta(epsilon=0)
        0.5
        """
        return self.bounds(epsilon=epsilon).upper

    def bounds(
        self, *, delta: NumberLike | None = None, epsilon: EpsilonLike | None = None
    ) -> Enclosure:
        """Return both ends of what is known about ε at a δ, or about δ at an ε.

        Between them lies the least value that holds for *every* mechanism with this guarantee; a
        single mechanism may be better.

        Parameters
        ----------
        delta, epsilon
            Exactly one of them; the other is bounded.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import ZeroConcentratedDP
        >>> found = ZeroConcentratedDP(rho=0.5).bounds(delta=1e-5)
        >>> round(found.lower, 4), round(found.upper, 4)
        (4.3772, 4.7284)
        """
        if (delta is None) == (epsilon is None):
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "give exactly one of delta and epsilon, such as bounds(delta=1e-6)",
            )
        if epsilon is not None:
            return self._delta_bounds(read_epsilon(epsilon))
        return self._epsilon_bounds(read_delta(delta))

    def renyi(self, order: NumberLike) -> float:
        """Return an upper bound on the Rényi divergence of the outputs, infinity where none holds.

        Parameters
        ----------
        order
            Above 1; infinity asks for the max divergence, which is pure DP.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import GaussianDP
        >>> GaussianDP(mu=1).renyi(8)
        4.0
        """
        if _is_infinite(order):
            return self.epsilon(delta=0)
        return _rounded_up(self._renyi_bound(read_order(order)))

    def rho(self) -> float:
        """Return a ρ for which ρ-zCDP holds, rounded up; infinity where none is guaranteed.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import ApproxDP, PureDP
        >>> PureDP(epsilon=1).rho(), ApproxDP(epsilon=1, delta=1e-6).rho()
        (0.5, inf)
        """
        return _rounded_up(self._rho())

    def mu(self) -> float:
        """Return a μ for which μ-GDP holds, rounded up; infinity where none is guaranteed.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import GaussianDP, ZeroConcentratedDP
        >>> GaussianDP(mu=1).mu(), ZeroConcentratedDP(rho=0.5).mu()
        (1.0, inf)
        """
        return _rounded_up(self._mu())

    def tradeoff(self, *, false_positive_rate: NumberLike) -> float:
        """Return the least false negative rate of an attacker who tells neighbours apart.

        The attacker sees one output and guesses which of two neighbouring tables it came from.
        Whatever the test, at this false positive rate the false negative rate is no less than the
        value returned, which is rounded down :cite:p:`dong2022gaussian`.
        Proof: :doc:`/proofs/privacy-profile`.

        Parameters
        ----------
        false_positive_rate
            From 0 to 1.

        Examples
        --------
        >>> from sfumato.numeric import Ln
        >>> from sfumato.privacy.guarantees import PureDP
        >>> PureDP(epsilon=Ln(2)).tradeoff(false_positive_rate="1/4")
        0.5
        """
        return self._tradeoff(read_share(false_positive_rate, "false_positive_rate"))

    def group(self, size: int) -> Guarantee:
        """Return what is guaranteed to ``size`` units together.

        Proof: :doc:`/proofs/group-privacy`.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import PureDP
        >>> print(PureDP(epsilon=0.1).group(3))
        0.3-DP (add or remove three rows)
        """
        units = read_count(size, "size")
        return self if units == 1 else self._group(units)

    def for_relation(self, relation: Relation) -> Guarantee:
        """Return what this guarantee says about another relation of the same unit.

        A neighbour in the other relation is reached in so many steps of this one, and that many
        units are a group: substituting a row is removing it and adding another.
        Proof: :doc:`/proofs/group-privacy`.

        Parameters
        ----------
        relation
            The other relation.  Substitution says nothing about adding or removing, since it
            does not protect the size of the table.

        Examples
        --------
        >>> from sfumato.privacy import Substitute
        >>> from sfumato.privacy.guarantees import PureDP
        >>> print(PureDP(epsilon=0.1).for_relation(Substitute()))
        0.2-DP (substitute one row)
        """
        steps = steps_between(self.relation, read_relation(relation))
        return _moved(self.group(steps), relation)

    def implies(self, other: Guarantee) -> bool:
        """Tell whether this guarantee provably contains another one of the same relation.

        False means that no proof is known here, not that there is none.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import ApproxDP, PureDP
        >>> PureDP(epsilon=1).implies(ApproxDP(epsilon=1, delta=1e-6))
        True
        """
        _check_comparable(self, other)
        return other.follows_from(self)

    def follows_from(self, stronger: Guarantee) -> bool:
        """Tell the same as ``stronger.implies(self)``; this is where each kind says what it needs.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import PureDP
        >>> PureDP(epsilon=2).follows_from(PureDP(epsilon=1))
        True
        """
        _check_comparable(stronger, self)
        return stronger == self or self._follows_from(stronger)

    def plot(
        self,
        of: Literal["profile", "trade-off", "posterior", "renyi"] = "profile",
        *,
        delta: NumberLike | None = None,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw what it allows (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        of
            ``"profile"``: the least δ at each ε.  ``"trade-off"``: the least false negative rate
            at each false positive rate.  ``"posterior"``: how sure somebody can become about a
            person, by how sure they were.  ``"renyi"``: the greatest Rényi divergence at each
            order.
        delta
            Where the profile and the posterior are read; without it 0 for a pure guarantee, the δ
            of an (ε, δ), and 1e-6 for others.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import GaussianDP
        >>> GaussianDP(mu=1).plot(delta=1e-5).to_dict()["title"]["text"]
        ['ε = 4.378 is guaranteed at δ = 1e-05']
        """
        return drawn("guarantee", self, to=to, of=of, delta=delta)

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Guarantee) or type(other) is not type(self):
            return NotImplemented
        return self.implies(other)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Guarantee) or type(other) is not type(self):
            return NotImplemented
        return self.implies(other) and not other.implies(self)

    def __str__(self) -> str:
        return f"{self._amount()} ({self.relation})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._arguments()}, relation={self.relation!r})"

    def _repr_html_(self) -> str:
        return f"<code>{escape(str(self))}</code>"

    def _keep(self, **attributes: object) -> None:
        """Set the attributes of an immutable guarantee, once, while it is made."""
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    @abstractmethod
    def _amount(self) -> str:
        """Return the guarantee without its relation, in words: "0.1-DP"."""

    @abstractmethod
    def _arguments(self) -> str:
        """Return the arguments that make it, as Python: "epsilon=0.1"."""

    @abstractmethod
    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        """Return both ends of the least ε at a δ; the upper one holds as it is printed, too."""

    @abstractmethod
    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        """Return both ends of the least δ at an ε; the upper one holds as it is printed, too."""

    @abstractmethod
    def _group(self, size: int) -> Guarantee:
        """Return the guarantee to a group, for ``relation.times(size)``."""

    @abstractmethod
    def _renyi_bound(self, order: Fraction) -> float | Fraction:
        """Return an upper bound on the Rényi divergence of a finite order above 1."""

    def _rho(self) -> float | Fraction:
        """Return a ρ that holds: a Fraction where it is exact."""
        return math.inf

    def _mu(self) -> float | Fraction:
        """Return a μ that holds: a Fraction where it is exact."""
        return math.inf

    def _tradeoff(self, false_positive_rate: Fraction) -> float:
        """Return a lower bound on the false negative rate."""
        from sfumato.privacy.guarantees.hull import greatest_false_negative_rate

        return greatest_false_negative_rate(
            lambda epsilon: self.delta(epsilon=epsilon), false_positive_rate
        )

    def _follows_from(self, stronger: Guarantee) -> bool:
        return stronger is self


def _moved(guarantee: Guarantee, relation: Relation) -> Guarantee:
    """Return the same guarantee for another relation, which is for the caller to justify."""
    moved = copy(guarantee)
    object.__setattr__(moved, "relation", relation)
    return moved


def _check_comparable(one: Guarantee, other: Guarantee) -> None:
    for each in (one, other):
        if not isinstance(each, Guarantee):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a guarantee is compared with another, not with {each}",
                each=shown(each),
            )
    if one.relation != other.relation:
        raise InputError(
            "E-RELATION-OTHER",
            "one guarantee holds for “{relation}” and the other for “{other_relation}”",
            "write for_relation(...) first",
            relation=one.relation,
            other_relation=other.relation,
        )


def _rounded_up(figure: float | Fraction) -> float:
    return rounded_up(figure) if isinstance(figure, Fraction) else figure


def _is_infinite(order: object) -> bool:
    return isinstance(order, float) and order == math.inf
