"""Draws on two datasets, made in turns: to choose events by, and to count them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.drawing import Raised, Source
from sfumato.audit.blackbox.fields import key_of
from sfumato.audit.blackbox.outcomes import merged, read_outputs
from sfumato.audit.blackbox.pool import Pool
from sfumato.audit.blackbox.testing import Tally
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.audit.blackbox.choosing import Chosen
    from sfumato.audit.blackbox.progress import Meter

__all__ = ["Draws"]

_LARGEST_CALL = 50_000
_PARTS = 10
#: How many calls are compared, of how many draws each.
_FEW_CALLS, _DRAWS_A_CALL = 3, 24
_REPEATED = "output number {} of a call is that of an earlier call"


class Draws:
    """Outputs of a release on two datasets.

    Parameters
    ----------
    release
        What is audited.
    datasets
        The two datasets, handed over and never looked at.
    meter
        What counts the draws.

    Examples
    --------
    >>> from sfumato.audit.blackbox.draws import Draws
    >>> from sfumato.audit.blackbox.progress import Meter
    >>> draws = Draws(lambda data: data, ("a", "b"), Meter(8))
    >>> draws.pool(2).sample.outputs
    ['a', 'a', 'b', 'b']
    """

    def __init__(
        self, release: Callable[..., Any], datasets: tuple[Any, Any], meter: Meter
    ) -> None:
        self._source = Source(release)
        self._datasets = datasets
        self._meter = meter
        self._place = 0
        self._known: list[set[int]] = [set(), set()]

    def pool(self, size: int) -> Pool:
        """Return so many draws on each dataset.

        Examples
        --------
        >>> from sfumato.audit.blackbox.draws import Draws
        >>> from sfumato.audit.blackbox.progress import Meter
        >>> Draws(lambda data: data, ("a", "b"), Meter(8)).pool(3).first
        3
        """
        chunks: tuple[list[Any], list[Any]] = ([], [])
        for side, count in self._turns(size):
            chunks[side].append(self._source.draw(self._datasets[side], count))
        outputs = merged([*chunks[0], *chunks[1]])
        self._check(outputs)
        return Pool(read_outputs(outputs), size)

    def tally(self, events: list[Chosen], size: int) -> list[Tally]:
        """Return how often events are seen in so many fresh draws on each dataset.

        Where a call for many draws raises, none of them was seen: then all of its draws count
        against the event, as no hits where it is likelier and as hits where it is not.

        Examples
        --------
        >>> from sfumato.audit.blackbox.draws import Draws
        >>> from sfumato.audit.blackbox.progress import Meter
        >>> Draws(lambda data: data, ("a", "b"), Meter(8)).tally([], 2)
        []
        """
        seen = [[0, 0] for _ in events]
        for side, count in self._turns(size):
            outputs = self._source.batch(self._datasets[side], count)
            sample = None if outputs is None else read_outputs(merged([outputs]))
            for event, counts in zip(events, seen, strict=True):
                unseen = count if event.likelier != side else 0
                counts[side] += unseen if sample is None else event.count(sample)
        return [_tally(event, counts, size) for event, counts in zip(events, seen, strict=True)]

    def repeat(self) -> bool:
        """Tell whether calls for several outputs give the same ones each time.

        A generator that is seeded anew does; then the draws of a call are not independent of those
        of another, and only one output of each call is looked at.
        Copies of one draw in each call are refused.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.draws import Draws
        >>> from sfumato.audit.blackbox.progress import Meter
        >>> def seeded(data, n):
        ...     return data + np.random.default_rng(1).normal(size=n)
        >>> Draws(seeded, (0, 1), Meter(8)).repeat()
        True
        """
        if not self._source.in_batches:
            return False
        calls = [[self._call(side) for _ in range(_FEW_CALLS)] for side in (0, 1)]
        for each in calls:
            _refuse_copies(each)
        varied = [each for each in calls if len(set(each[0])) > 1]
        self._place = _where_they_differ(calls[0][0], calls[1][0])
        self._known = [{each[0][self._place]} if each[0] else set() for each in calls]
        return any(len(set(each)) == 1 for each in varied)

    def tally_repeats(self, size: int) -> list[Tally]:
        """Return how often calls give what an earlier one gave, in so many draws on each side.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.draws import Draws
        >>> from sfumato.audit.blackbox.progress import Meter
        >>> def seeded(data, n):
        ...     return data + np.random.default_rng(1).normal(size=n)
        >>> draws = Draws(seeded, (0, 1), Meter(8))
        >>> draws.repeat(), [each.hits for each in draws.tally_repeats(2400)]
        (True, [100, 100])
        """
        trials = max(1, size // _DRAWS_A_CALL)
        seen = [[0, 0], [0, 0]]
        for _ in range(trials):
            for side in (0, 1):
                output = self._call(side)[self._place : self._place + 1]
                self._meter.advance(_DRAWS_A_CALL)
                for event in (0, 1):
                    only = self._known[event] - self._known[1 - event]
                    seen[event][side] += not only.isdisjoint(output)
        return [
            Tally(
                _REPEATED.format(self._place + 1),
                f"d{event}",
                seen[event][event],
                seen[event][1 - event],
                trials,
            )
            for event in (0, 1)
        ]

    def _call(self, side: int) -> tuple[int, ...]:
        """Return the outputs of a call for several, as keys; nothing where it raised."""
        outputs = self._source.batch(self._datasets[side], _DRAWS_A_CALL)
        return () if outputs is None else tuple(key_of(each) for each in _plain(outputs))

    def _turns(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield (dataset, number of draws) in turns, and count them as they are done."""
        largest = max(1, min(_LARGEST_CALL, -(-size // _PARTS)))
        for begin in range(0, size, largest):
            count = min(largest, size - begin)
            for side in (0, 1):
                yield side, count
                self._meter.advance(count)

    def _check(self, outputs: Any) -> None:
        """Refuse a release that only raises."""
        first = outputs[0]
        if isinstance(first, Raised) and all(each == first for each in outputs):
            message = (
                f"release {first} at every call on both datasets, so there is nothing to audit; "
                "give one that works on at least one of them"
            )
            raise InputError(message) from self._source.error


def _plain(outputs: Any) -> list[Any]:
    return outputs.tolist() if hasattr(outputs, "tolist") else list(outputs)


def _tally(event: Chosen, counts: list[int], trials: int) -> Tally:
    side = event.likelier
    return Tally(event.said, f"d{side}", counts[side], counts[1 - side], trials)


def _where_they_differ(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """Return the first place at which two calls gave different outputs; 0 where there is none."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)


def _refuse_copies(calls: list[tuple[int, ...]]) -> None:
    if len(set(calls)) == len(calls) and all(len(set(each)) == 1 for each in calls):
        message = (
            f"each call release(dataset, {_DRAWS_A_CALL}) gave copies of one output; make every "
            "output anew, or write release(dataset) for one"
        )
        raise InputError(message)
