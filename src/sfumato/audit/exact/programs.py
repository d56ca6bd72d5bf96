"""Small interactive programs, every way through them: their exact output distributions."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.exact.distribution import ExactDistribution, read_finite_distribution
from sfumato.audit.exact.outcomes import one_nan
from sfumato.audit.exact.weights import Exact, exact_sum, exactly
from sfumato.errors import InputError
from sfumato.numeric import Exponentials, read_count, shown
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    Draw = Callable[[Any], Any]

_MOST_DRAWS = 1_000
#: The first paths are replayed more often, so that a coin of its own gives a short program away.
_FIRST_PATHS, _FIRST_REPLAYS = 32, 8
_DIVERGED = (
    mark("the program went another way when it was replayed"),
    mark("let it take all its randomness from draw, and keep nothing from one run to the next"),
)
_MOST_PATHS = 100_000
_MIXED = (
    mark("the program returned None on one way through it and a value on another"),
    mark("None stands for all that was drawn, so return a value on every way, such as 'nothing'"),
)


@dataclass(frozen=True)
class Transcript:
    """All that a program has drawn, in order, where it returns nothing else.

    Examples
    --------
    >>> from sfumato.audit.exact.programs import Transcript
    >>> Transcript((1, 0)), Transcript((1, 0)) == (1, 0)
    ((1, 0), False)
    """

    drawn: tuple[Hashable, ...]

    def __repr__(self) -> str:
        return repr(self.drawn)


@dataclass(frozen=True)
class Chance:
    """How likely a path is: a weight over a product of totals."""

    weight: Exact
    totals: Counter[Exponentials]

    def times(self, weight: Exact, total: Exact) -> Chance:
        """Return the probability of a path that goes on by a draw."""
        if isinstance(total, Exponentials) and len(total.terms) > 1:
            return Chance(self.weight * weight, self.totals + Counter([total]))
        return Chance(self.weight * _share(weight, total), self.totals)


_CERTAIN = Chance(1, Counter())


def _share(weight: Exact, total: Exact) -> Exact:
    if isinstance(weight, Exponentials) or isinstance(total, Exponentials):
        return Exponentials.sum([weight]) / total
    return Fraction(weight) / total


class Turn:
    """One draw of a path: from what, which outcome is taken, and how likely all is so far."""

    def __init__(self, given: Any, before: Chance) -> None:
        self.distribution, self._before = _drawn_from(given), before
        self._given = given.copy() if type(given) in (dict, list) else None
        self._possible = [place for place, weight in enumerate(self.distribution.values) if weight]
        self.ways = len(self._possible)
        self._take(0)

    def _take(self, number: int) -> None:
        self._number, place = number, self._possible[number]
        self.outcome = self.distribution.outcomes[place]
        self.chance = self._before.times(
            exactly(self.distribution.values[place]), self.distribution.total
        )

    def take_next(self) -> bool:
        """Take the next outcome that is possible; tell whether there is one."""
        if self._number + 1 == self.ways:
            return False
        self._take(self._number + 1)
        return True

    def is_of(self, given: Any) -> bool:
        """Tell whether a distribution is the one that was drawn from before."""
        known = self._given is not None and type(given) is type(self._given)
        return bool(known and given == self._given) or _drawn_from(given) == self.distribution


class Exploration:
    """All paths of a program on one input, depth first, up to so many."""

    def __init__(self, program: Callable[[Any, Draw], Any], data: Any, most_paths: int) -> None:
        self._program, self._data, self._most_paths = program, _copies(data), most_paths
        self._turns: list[Turn] = []
        self._ways = 1

    def paths(self) -> Iterator[tuple[Hashable, Chance]]:
        """Iterate over the outputs of all paths, and how likely each path is."""
        number = 0
        while True:
            output = self._run()
            for _ in range(_FIRST_REPLAYS if number < _FIRST_PATHS else 1):
                self._replay(output)
            number += 1
            yield output, self._turns[-1].chance if self._turns else _CERTAIN
            while self._turns and not self._turns[-1].take_next():
                self._turns.pop()
            if not self._turns:
                return

    def _run(self) -> Hashable:
        """Return what comes out along the turns so far, and along first outcomes after that."""
        known, taken = len(self._turns), 0
        refused: list[InputError] = []  # to be raised, though the program may catch it

        def draw(distribution: Any) -> Any:
            nonlocal taken
            try:
                turn = self._turn(taken, distribution)
            except InputError as error:
                refused.append(error)
                raise
            taken += 1
            return turn.outcome

        output = self._program(self._data(), draw)
        if refused or taken < known:
            raise refused[0] if refused else InputError("E-PROGRAM-DIVERGED", *_DIVERGED)
        if output is None:
            return Transcript(tuple(turn.outcome for turn in self._turns))
        return _checked(output)

    def _turn(self, number: int, distribution: Any) -> Turn:
        """Return the turn of a path by a distribution: that of any path that was here before."""
        if number == len(self._turns):
            self._turns.append(self._new_turn(distribution))
        elif not self._turns[number].is_of(distribution):
            raise InputError("E-PROGRAM-DIVERGED", *_DIVERGED)
        return self._turns[number]

    def _new_turn(self, distribution: Any) -> Turn:
        if len(self._turns) == _MOST_DRAWS:
            raise InputError(
                "E-PROGRAM-TOO-LARGE",
                "the program draws more than {most_draws:,} times on one way through it",
                "let it stop after fewer draws",
                most_draws=_MOST_DRAWS,
            )
        turn = Turn(distribution, self._turns[-1].chance if self._turns else _CERTAIN)
        self._ways += turn.ways - 1
        if self._ways > self._most_paths:
            raise InputError(
                "E-PROGRAM-TOO-LARGE",
                "the program has more than {most_paths:,} ways through it",
                "let it draw less, or write a greater most_paths",
                most_paths=self._most_paths,
            )
        return turn

    def _replay(self, output: Hashable) -> None:
        """Refuse a program that does not do the same again."""
        drawn, again = len(self._turns), self._run()
        if [again] != [output] or len(self._turns) != drawn:  # in a list, NaN equals itself
            raise InputError("E-PROGRAM-DIVERGED", *_DIVERGED)


def _copies(data: Any) -> Callable[[], Any]:
    """Return what gives a fresh copy of the data, or the data where they cannot be copied."""
    try:
        deepcopy(data)
    except Exception:  # noqa: BLE001 - copying runs code of whoever made the data
        return lambda: data
    return lambda: deepcopy(data)


def _drawn_from(distribution: Any) -> ExactDistribution:
    found = read_finite_distribution(distribution, mark("a draw"))
    if isinstance(found, ExactDistribution):
        return found
    raise InputError(
        "E-DISTRIBUTION-FORM",
        "draw takes a distribution with exact weights: Fractions, counts or Exponentials",
    )


def _checked(output: Any) -> Hashable:
    try:
        hash(output)
    except TypeError:
        kind = type(output).__name__
        raise InputError(
            "E-FUNCTION-RESULT",
            "the program returned a {kind}, which cannot be compared",
            "return a tuple, say",
            kind=kind,
        ) from None
    found: Hashable = one_nan(output)
    return found


def unroll(program: Callable[[Any, Draw], Any], *, most_paths: int = _MOST_PATHS) -> Unrolled:
    """Return the mechanism that a program of draws makes, ready for ``verify``.

    The program is replayed over all that can be drawn.  It may be adaptive: what it draws from
    next may depend on the data and on what came before.  Every path is taken at least twice, on
    copies of the data, to see that nothing but ``draw`` decides what comes out.

    Parameters
    ----------
    program
        A function of the data and of ``draw``, which takes a distribution on finitely many outcomes
        and returns one of them, at most 1,000 times.  What it returns is the output; where it
        always returns None, that is the transcript: all that was drawn, in order.
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
        raise InputError(
            "E-ARGUMENT-TYPE",
            "unroll takes a function of the data and of draw, not {program}",
            program=shown(program),
        )
    return Unrolled(program, read_count(most_paths, "most_paths"))


@dataclass(frozen=True)
class Unrolled:
    """A program whose distribution is found by replaying it; see `unroll`."""

    program: Callable[[Any, Draw], Any]
    most_paths: int
    #: Whether what came out so far, on any input, was a transcript.
    _kinds: set[bool] = field(default_factory=set, init=False, repr=False, compare=False)

    def __call__(self, data: Any) -> ExactDistribution:
        """Return the exact output distribution for an input."""
        return self.distribution(data)

    def distribution(self, data: Any) -> ExactDistribution:
        """Return the exact output distribution for an input."""
        gathered: dict[Hashable, list[Chance]] = {}
        for output, chance in Exploration(self.program, data, self.most_paths).paths():
            self._kinds.add(isinstance(output, Transcript))
            if len(self._kinds) > 1:
                raise InputError("E-FUNCTION-RESULT", *_MIXED)
            gathered.setdefault(output, []).append(chance)
        return _summed(gathered)


def _summed(gathered: dict[Hashable, list[Chance]]) -> ExactDistribution:
    """Return the distribution of the outputs, over a total that all chances share."""
    shared: Counter[Exponentials] = Counter()
    for chances in gathered.values():
        for chance in chances:
            shared |= chance.totals
    weights = [
        exact_sum(_over(chance, shared) for chance in chances) for chances in gathered.values()
    ]
    return ExactDistribution(list(gathered), weights)


def _over(chance: Chance, shared: Counter[Exponentials]) -> Exact:
    """Return the weight of a path over the shared product of totals."""
    weight = chance.weight
    for total in (shared - chance.totals).elements():
        weight = weight * total
    return weight
