"""Small interactive programs unrolled: the exact law of what a program gives out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.exact.law import ExactLaw, read_finite_law
from sfumato.audit.exact.weights import Exact, exact_sum, exactly
from sfumato.errors import InputError
from sfumato.numeric import Exponentials, shown
from sfumato.privacy.parameters import read_count

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Unrolled", "unroll"]

Draw = Callable[[Any], Any]

_MOST_PATHS = 100_000


def unroll(program: Callable[[Any, Draw], Any], *, most_paths: int = _MOST_PATHS) -> Unrolled:
    """Return the mechanism that a program of draws makes, ready for ``verify``.

    The program is replayed over all that can be drawn.  It may be adaptive: what it draws from
    next may depend on the data and on what came before.

    Parameters
    ----------
    program
        A function of the data and of ``draw``, which takes a law on finitely many outcomes and
        returns one of them.  What it returns is the output; where it returns None, that is all
        that was drawn, in order.
    most_paths
        A program with more ways through it than this is refused.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit.exact.programs import unroll
    >>> noisy = {0: {0: 2, 1: 1}, 1: {0: 1, 1: 2}}
    >>> def twice_if_yes(data, draw):
    ...     first = draw(noisy[data])
    ...     return (first, draw(noisy[data]) if first else None)
    >>> sf.verify(unroll(twice_if_yes), epsilon="ln(4)", inputs=[0, 1]).epsilon.exact
    Ln(4)
    """
    if not callable(program):
        message = f"unroll takes a function of the data and of draw, not {shown(program)}"
        raise InputError(message)
    return Unrolled(program, read_count(most_paths, "most_paths"))


@dataclass(frozen=True)
class Unrolled:
    """A program whose law is found by replaying it; see `unroll`.

    Examples
    --------
    >>> from sfumato.audit.exact.programs import unroll
    >>> law = unroll(lambda data, draw: draw([1, 1]) + draw([1, 1])).law(None)
    >>> dict(zip(law.outcomes, law.values))
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """

    program: Callable[[Any, Draw], Any]
    most_paths: int

    def __call__(self, data: Any) -> ExactLaw:
        """Return the exact law of the output for an input."""
        return self.law(data)

    def law(self, data: Any) -> ExactLaw:
        """Return the exact law of the output for an input.

        Examples
        --------
        >>> from sfumato.audit.exact.programs import unroll
        >>> unroll(lambda data, draw: data).law("secret").outcomes
        ('secret',)
        """
        gathered: dict[Hashable, list[Chance]] = {}
        for paths, (output, chance) in enumerate(_paths(self.program, data), start=1):
            if paths > self.most_paths:
                message = (
                    f"the program has more than {self.most_paths:,} ways through it; "
                    "let it draw less, or write a greater most_paths"
                )
                raise InputError(message)
            gathered.setdefault(_checked(output), []).append(chance)
        return _summed(gathered)


@dataclass(frozen=True)
class Chance:
    """How likely a path is: a weight over a product of totals."""

    weight: Exact
    totals: Counter[Exponentials]

    def times(self, weight: Exact, total: Exact) -> Chance:
        """Return the chance of a path that goes on by a draw."""
        if isinstance(total, Exponentials) and len(total.terms) > 1:
            return Chance(self.weight * weight, self.totals + Counter([total]))
        return Chance(self.weight * _share(weight, total), self.totals)


_CERTAIN = Chance(1, Counter())


def _share(weight: Exact, total: Exact) -> Exact:
    if isinstance(weight, Exponentials) or isinstance(total, Exponentials):
        return Exponentials.sum([weight]) / total
    return Fraction(weight) / total


class Turn:
    """One draw of a path: the law, which of its outcomes is taken, and how likely all is so far."""

    def __init__(self, given: Any, law: ExactLaw, before: Chance) -> None:
        self.law, self._before = law, before
        self._given = given.copy() if type(given) in (dict, list) else None
        self.take(self._first_from(0) or 0)

    def take(self, place: int) -> None:
        """Take another outcome."""
        self.place = place
        self.chance = self._before.times(exactly(self.law.values[place]), self.law.total)

    def later(self) -> int | None:
        """Return the place of the next outcome that is possible."""
        return self._first_from(self.place + 1)

    @property
    def outcome(self) -> Hashable:
        """What is drawn."""
        return self.law.outcomes[self.place]

    def is_of(self, given: Any) -> bool:
        """Tell whether a law is the one that was drawn from before."""
        known = self._given is not None and type(given) is type(self._given)
        return bool(known and given == self._given) or _drawn_from(given) == self.law

    def _first_from(self, start: int) -> int | None:
        places = range(start, len(self.law.outcomes))
        return next((place for place in places if self.law.values[place]), None)


def _paths(program: Callable[[Any, Draw], Any], data: Any) -> Iterator[tuple[Any, Chance]]:
    """Iterate over the outputs of all paths and how likely each path is, depth first."""
    turns: list[Turn] = []
    while True:
        yield _replayed(program, data, turns)
        while turns and turns[-1].later() is None:
            turns.pop()
        if not turns:
            return
        turns[-1].take(turns[-1].later() or 0)


def _replayed(
    program: Callable[[Any, Draw], Any], data: Any, turns: list[Turn]
) -> tuple[Any, Chance]:
    """Run the program along the turns given, and along first outcomes after that."""
    taken, known = 0, len(turns)

    def draw(law: Any) -> Any:
        nonlocal taken
        if taken == len(turns):
            turns.append(Turn(law, _drawn_from(law), turns[-1].chance if turns else _CERTAIN))
        elif not turns[taken].is_of(law):
            raise InputError(_DIVERGED)
        taken += 1
        return turns[taken - 1].outcome

    output = program(data, draw)
    if taken < known:
        raise InputError(_DIVERGED)
    found = tuple(turn.outcome for turn in turns) if output is None else output
    return found, turns[-1].chance if turns else _CERTAIN


_DIVERGED = (
    "the program went another way when it was replayed; "
    "let it take all its randomness from draw, and keep nothing from one run to the next"
)


def _drawn_from(law: Any) -> ExactLaw:
    found = read_finite_law(law, "a draw")
    if isinstance(found, ExactLaw):
        return found
    message = "draw takes a law with exact weights: Fractions, counts or Exponentials"
    raise InputError(message)


def _checked(output: Any) -> Hashable:
    try:
        hash(output)
    except TypeError:
        kind = type(output).__name__
        message = f"the program returned a {kind}, which cannot be compared; return a tuple, say"
        raise InputError(message) from None
    found: Hashable = output
    return found


def _summed(gathered: dict[Hashable, list[Chance]]) -> ExactLaw:
    """Return the law of the outputs, over a total that all chances share."""
    shared: Counter[Exponentials] = Counter()
    for chances in gathered.values():
        for chance in chances:
            shared |= chance.totals
    weights = [
        exact_sum(_over(chance, shared) for chance in chances) for chances in gathered.values()
    ]
    return ExactLaw(list(gathered), weights)


def _over(chance: Chance, shared: Counter[Exponentials]) -> Exact:
    """Return the weight of a chance over the shared product of totals."""
    weight = chance.weight
    for total in (shared - chance.totals).elements():
        weight = weight * total
    return weight
