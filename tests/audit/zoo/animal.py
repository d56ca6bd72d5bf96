"""What every animal of the zoo is: a mechanism with a guarantee, and two tables to try it on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy import AddRemove

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy import Relation

    Release = Callable[[Any, int], Any]
    #: Outputs, by a generator, a table, and how many.
    Draw = Callable[[np.random.Generator, Any, int], Any]

__all__ = ["Animal", "Sign", "WrongAnimal"]

ONE_ROW = AddRemove()


@dataclass(frozen=True)
class Sign:
    """An event that gives a wrong animal away.

    Parameters
    ----------
    event
        The event, in words.
    p, q
        It has at least probability p on ``d0``, and at most q on ``d1``.
    seen
        Which of many outputs are in the event; None where that cannot be asked of them.
    takes
        How many outputs it takes to see it once.
    """

    event: str
    p: float
    q: float
    seen: Callable[[Any], NDArray[np.bool_]] | None = None
    takes: int = 1


@dataclass(frozen=True, kw_only=True)
class Animal:
    """A mechanism with a guarantee, and two neighbouring tables on which it is put to the test.

    Parameters
    ----------
    name
        What it is called.
    draw
        Outputs, by a generator, a table, and how many.
    d0, d1
        The tables.
    relation
        What one change of a table is: it lies between the two.
    epsilon, delta
        The guarantee.
    samples
        How many outputs on each table an audit looks at.
    """

    name: str
    draw: Draw
    d0: Any
    d1: Any
    epsilon: float = 1
    delta: float = 0
    relation: Relation = ONE_ROW
    samples: int = 1_000

    def seeded(self, seed: int) -> Release:
        """Return ``release(table, n)`` with a generator of a fixed seed."""
        return partial(self.draw, np.random.default_rng(seed))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, kw_only=True)
class WrongAnimal(Animal):
    """An animal that breaks its guarantee.

    Parameters
    ----------
    fault
        What is wrong.
    source
        Where it was seen, or who described it.
    sign
        What gives it away.
    mended
        The draw of a mechanism without the fault, which keeps the guarantee.
    """

    fault: str
    source: str
    sign: Sign
    mended: Draw

    def counterpart(self) -> Animal:
        """Return the right animal that has the same guarantee."""
        return Animal(
            name=f"{self.name}: mended",
            draw=self.mended,
            d0=self.d0,
            d1=self.d1,
            epsilon=self.epsilon,
            delta=self.delta,
            relation=self.relation,
        )
