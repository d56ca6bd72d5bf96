"""Draws on two datasets, made in turns: to choose events by, and to count them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.drawing import Source
from sfumato.audit.blackbox.outcomes import merged, opaque_type, read_outputs
from sfumato.audit.blackbox.pool import Pool
from sfumato.audit.blackbox.raised import Raised
from sfumato.audit.blackbox.testing import Tally
from sfumato.audit.blackbox.vectors import whole_keys
from sfumato.audit.blackbox.watching import Watch
from sfumato.errors import InputError
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.audit.blackbox.choosing import Chosen
    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.progress import Meter

__all__ = ["DRAWS_A_CALL", "Draws"]

_LARGEST_CALL = 50_000
_PARTS = 10
#: How many calls are compared, of how many draws each.
_FEW_CALLS, DRAWS_A_CALL = 3, 24
_REPEATED = mark("output number {number} of a call is what it was in an earlier call on d{side}")


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
    opaque
        Whether outputs are taken that cannot be seen into.
    """

    def __init__(
        self,
        release: Callable[..., Any],
        datasets: tuple[Any, Any],
        meter: Meter,
        *,
        opaque: bool = False,
    ) -> None:
        self._source = Source(release)
        self._datasets = datasets
        self._meter = meter
        self._opaque = opaque
        self._watch = Watch(enough=DRAWS_A_CALL)
        self._place = 0
        self._known: list[set[int]] = [set(), set()]

    def pool(self, size: int) -> Pool:
        """Return so many draws on each dataset, or as many as there is room for."""
        chunks: tuple[list[Any], list[Any]] = ([], [])
        taken = 0
        for both, count in self._turns(min(size, self._watch.room), self._source.draw_both):
            for chunk, outputs in zip(chunks, both, strict=True):
                chunk.append(outputs)
            taken += count
            if taken >= self._watch.room:
                break
        outputs = merged([*chunks[0], *chunks[1]])
        self._check(outputs)
        sample = read_outputs(outputs)
        if not self._opaque:
            _refuse_opaque(sample)
        return Pool(sample, taken)

    def tally(self, events: list[Chosen], size: int) -> list[Tally]:
        """Return how often events are seen in so many fresh draws on each dataset.

        Where a call for many draws raises, none of them was seen: then all of its draws count
        against the event, as no hits where it is likelier and as hits where it is not.
        """
        seen = [[0, 0] for _ in events]
        for both, count in self._turns(size, self._source.batch_both):
            for side, outputs in enumerate(both):
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
        """
        if not self._source.in_batches:
            return False
        calls = [[self._call(side) for _ in range(_FEW_CALLS)] for side in (0, 1)]
        varied = [each for each in calls if len(set(each[0])) > 1]
        self._place = _where_they_differ(calls[0][0], calls[1][0])
        self._known = [{each[0][self._place]} if each[0] else set() for each in calls]
        return any(len(set(each)) == 1 for each in varied)

    def tally_repeats(self, size: int) -> list[Tally]:
        """Return how often calls give what an earlier one gave, in so many draws on each side."""
        trials = max(1, size // DRAWS_A_CALL)
        seen = [[0, 0], [0, 0]]
        for _ in range(trials):
            for side in (0, 1):
                output = self._call(side)[self._place : self._place + 1]
                self._meter.advance(DRAWS_A_CALL)
                for event in (0, 1):
                    only = self._known[event] - self._known[1 - event]
                    seen[event][side] += not only.isdisjoint(output)
        return [
            Tally(
                tr(_REPEATED, number=self._place + 1, side=event),
                f"d{event}",
                seen[event][event],
                seen[event][1 - event],
                trials,
                kind="calls",
            )
            for event in (0, 1)
        ]

    def _call(self, side: int) -> tuple[int, ...]:
        """Return the outputs of a call for several, as keys; nothing where it raised."""
        outputs = self._source.batch(self._datasets[side], DRAWS_A_CALL)
        if outputs is None:
            return ()
        self._watch.see(side, outputs)
        return tuple(whole_keys(read_outputs(merged([outputs]))).tolist())

    def _turns(self, size: int, draw: Callable[..., Any]) -> Iterator[tuple[Any, int]]:
        """Yield the outputs of calls on both datasets, and how many there are on each."""
        done = 0
        while done < size:
            count = min(self._largest(size), size - done)
            both = draw(self._datasets, count)
            for side, outputs in enumerate(both):
                if outputs is not None:
                    self._watch.see(side, outputs, one_call=self._source.in_batches)
            self._meter.advance(2 * count)
            done += count
            yield both, count

    def _largest(self, size: int) -> int:
        """Return how many draws to ask for at once: but few before it is known what they weigh."""
        if not self._watch.known and not self._source.in_batches:
            return DRAWS_A_CALL
        most = min(_LARGEST_CALL, self._watch.room, -(-size // _PARTS))
        return max(DRAWS_A_CALL, most)

    def _check(self, outputs: Any) -> None:
        """Refuse a release that only raises."""
        first = outputs[0]
        if isinstance(first, Raised) and all(each == first for each in outputs):
            raise InputError(
                "E-FUNCTION-RAISED",
                "{name} raised {kind} at every call on both datasets, so there is nothing to audit",
                "give a function that works on at least one of them",
                name=self._source.name,
                kind=first.kind,
            ) from self._source.error


def _refuse_opaque(sample: Sample) -> None:
    """Refuse outputs of which nothing would be seen but their type."""
    if kind := opaque_type(sample):
        raise InputError(
            "E-FUNCTION-RESULT",
            "release gave an object of type {kind}, which an audit cannot see into",
            "return numbers, texts, dates, sequences, mappings, dataclasses or data frames, "
            "or say what to look at: features=[lambda output: output.total]",
            kind=kind,
        )


def _tally(event: Chosen, counts: list[int], trials: int) -> Tally:
    side = event.likelier
    return Tally(
        event.said,
        f"d{side}",
        counts[side],
        counts[1 - side],
        trials,
        kind=event.feature.kind,
        effort=event.effort,
        outcomes=event.region.outcomes,
    )


def _where_they_differ(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """Return the first place at which two calls gave different outputs; 0 where there is none."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
