"""Small interactive programs unrolled: their exact output distributions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.audit.exact.distribution import ExactDistribution
from sfumato.audit.exact.paths import Exploration, Transcript
from sfumato.audit.exact.weights import Exact, exact_sum
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.parameters import read_count
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sfumato.audit.exact.paths import Chance
    from sfumato.numeric import Exponentials

__all__ = ["Unrolled", "unroll"]

Draw = Callable[[Any], Any]

_MOST_PATHS = 100_000


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


_MIXED = (
    mark("the program returned None on one way through it and a value on another"),
    mark("None stands for all that was drawn, so return a value on every way, such as 'nothing'"),
)


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
