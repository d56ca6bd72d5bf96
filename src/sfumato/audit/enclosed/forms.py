"""The forms of laws that can be compared by enclosures: what each must offer.

A law is judged by what it has, not by its class; so a law of another's making counts as well.
The first form that both laws have is taken, in this order:

=============  ===================================================================================
form           what a law of it has
=============  ===================================================================================
independent    ``factors``: independent laws, of which the output is the tuple
branches       ``branches``: disjoint alternatives, each with a name, a probability and a law
processed      ``source`` and ``processing``: the law is that of a function of another law's output
stretched      ``stretches``: finitely many stretches of equally likely outcomes, exactly
shaped         ``shape``: whole numbers whose log-odds are rational and piecewise linear
atomic         ``ball`` and ``cumulative`` alone
real           a ``cdf``: a density on the line, as ``information.continuous`` reads it
=============  ===================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sfumato.information.continuous.recognise import is_continuous

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from fractions import Fraction

    from flint import arb

    from sfumato.numeric import Exponentials

__all__ = ["Atomic", "Branched", "Processed", "Shape", "Shaped", "Stretched", "has", "is_law"]


class Atomic(Protocol):
    """A law on numbers of which each has a probability, in balls at the precision in force.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> from sfumato.mechanisms import DiscreteGaussian
    >>> has(DiscreteGaussian(sigma=1).law(0), "ball", "cumulative")
    True
    """

    def ball(self, outcome: Any) -> arb:
        """Return the probability of an outcome; 0 of what is none.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=1).law(0).ball(0.5)
        0
        """

    def cumulative(self, outcome: Any) -> arb:
        """Return the probability of all outcomes up to a number.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> round(float(DiscreteLaplace(epsilon=1).law(0).cumulative(0.5)), 6)
        0.731059
        """


class Shape(Protocol):
    """Log-odds on whole numbers: rational, and linear between turns but for a common bend.

    Attributes
    ----------
    step
        Outcomes are the multiples k·step.
    family
        Laws of one family are shifts of each other: their odds have the same sum.
    core
        A first and a last k.  Beyond them there are no other turns than those of the period:
        level(k + period) = level(k) - fall upwards, and level(k - period) = level(k) - fall
        downwards, where there is no bend.
    period, fall
        How the odds go down outside the core; a period of 1 is a geometric tail.
    bend
        level(k) + bend·k²/2 is linear between turns.

    Examples
    --------
    >>> from sfumato.mechanisms import DiscreteLaplace
    >>> shape = DiscreteLaplace(epsilon=0.5).law(3).shape
    >>> shape.core, shape.period, shape.fall
    ((3, 3), 1, Fraction(1, 2))
    """

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=0.5).law(3).shape.step
        Fraction(1, 1)
        """

    @property
    def family(self) -> Hashable:
        """Equal for laws that are shifts of each other.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> noise = DiscreteLaplace(epsilon=0.5)
        >>> noise.law(3).shape.family == noise.law(4).shape.family
        True
        """

    @property
    def core(self) -> tuple[int, int]:
        """Beyond it the odds repeat themselves, ever smaller.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=0.5).law(3).shape.core
        (3, 3)
        """

    @property
    def period(self) -> int:
        """After how many steps.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=0.5).law(3).shape.period
        1
        """

    @property
    def fall(self) -> Fraction:
        """By how much the log-odds go down in a period.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=0.5).law(3).shape.fall
        Fraction(1, 2)
        """

    @property
    def bend(self) -> Fraction:
        """How the log-odds curve.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteGaussian
        >>> DiscreteGaussian(sigma=2).law(3).shape.bend
        Fraction(1, 4)
        """

    def level(self, k: int) -> Fraction:
        """Return the log-odds of a whole number, up to a constant of the family.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=0.5).law(3).shape.level(5)
        Fraction(-1, 1)
        """

    def turns(self, low: int, high: int) -> Iterable[int]:
        """Return where stretches begin, above one number and up to another.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> list(DiscreteLaplace(epsilon=0.5).law(3).shape.turns(0, 9))
        [3]
        """


class Shaped(Atomic, Protocol):
    """A law on the multiples of a step with a known shape.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> from sfumato.mechanisms import DiscreteLaplace
    >>> has(DiscreteLaplace(epsilon=1).law(0), "shape")
    True
    """

    @property
    def shape(self) -> Shape:
        """The log-odds.

        Examples
        --------
        >>> from sfumato.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace(epsilon=1).law(0).shape.level(2)
        Fraction(-2, 1)
        """


class Stretched(Atomic, Protocol):
    """A law on finitely many multiples of a step, equally likely within each stretch.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> from sfumato.mechanisms import ExponentialMedian
    >>> has(ExponentialMedian(epsilon=1, bounds=(0, 10)).law([3]), "stretches")
    True
    """

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of.

        Examples
        --------
        >>> from sfumato.mechanisms import ExponentialMedian
        >>> ExponentialMedian(epsilon=1, bounds=(0, 4096)).law([3]).step
        Fraction(1, 1)
        """

    @property
    def stretches(self) -> Sequence[tuple[int, int, Exponentials]]:
        """A first and a last k, and the odds of each k between, in order.

        Examples
        --------
        >>> from sfumato.mechanisms import ExponentialMedian
        >>> [each[:2] for each in ExponentialMedian(epsilon=1, bounds=(0, 4096)).law([3]).stretches]
        [(0, 2), (3, 3), (4, 4096)]
        """


class Processed(Atomic, Protocol):
    """The law of a function of another law's output; the function does not fall.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> from sfumato.mechanisms import Laplace
    >>> has(Laplace(epsilon=1, sensitivity=1).law(0.5), "source", "processing")
    True
    """

    @property
    def source(self) -> Any:
        """The other law.

        Examples
        --------
        >>> from sfumato.mechanisms import Laplace
        >>> Laplace(epsilon=1, sensitivity=1).law(0.5).source
        Laplace(mean=Fraction(1, 2), scale=Fraction(1, 1))
        """

    @property
    def processing(self) -> Any:
        """The function, equal to another if it is the same; called with an exact number.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import Laplace
        >>> noise = Laplace(epsilon=1, sensitivity=1)
        >>> noise.law(0).processing == noise.law(1).processing
        True
        """


class Branched(Protocol):
    """Disjoint alternatives, of which one is drawn first.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> from sfumato.mechanisms import ProposeTestRelease
    >>> median = ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9))
    >>> has(median.law([1, 2, 3]), "branches")
    True
    """

    @property
    def branches(self) -> Sequence[tuple[Hashable, arb, Any]]:
        """A name, a probability, and the law of the outcome; where that is None it is the name.

        Examples
        --------
        >>> from sfumato.mechanisms import ProposeTestRelease
        >>> median = ProposeTestRelease.median(epsilon=2, delta=0.01, proposed=1, bounds=(0, 9))
        >>> [name for name, _, _ in median.law([1, 2, 3]).branches]
        [None, 'released']
        """


def has(law: Any, *names: str) -> bool:
    """Tell whether a law has all of some attributes, and none of them is None.

    Examples
    --------
    >>> from sfumato.audit.enclosed.forms import has
    >>> has(0.5, "real", "imag"), has(0.5, "shape")
    (True, False)
    """
    return not isinstance(law, type) and all(getattr(law, each, None) is not None for each in names)


def is_law(value: Any) -> bool:
    """Tell whether something is a law of one of the forms, and not a finite table.

    Examples
    --------
    >>> from sfumato.audit.enclosed import is_law
    >>> from sfumato.information.continuous import Gaussian
    >>> is_law(Gaussian(0, 1)), is_law({"yes": 1})
    (True, False)
    """
    if isinstance(value, type) or has(value, "outcomes"):
        return False
    known = has(value, "factors") or has(value, "branches") or has(value, "ball", "cumulative")
    return known or is_continuous(value)
