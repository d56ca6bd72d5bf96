"""Draws on two datasets, made in turns and watched for copies, to choose events by and to count."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sfumato.audit.blackbox.bounds import EventTally
from sfumato.audit.blackbox.calls import DrawSource
from sfumato.audit.blackbox.entries import flat
from sfumato.audit.blackbox.features import whole_keys
from sfumato.audit.blackbox.outcomes import OutputSample, Pool, merged, opaque_type, read_outputs
from sfumato.audit.blackbox.values import Raised, key_of
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.translation import in_english, mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.audit.blackbox.choosing import ChosenEvent

_PATIENCE = 2.0
_WIDTH = 30
#: Bytes for the draws on one dataset that are held at once, and for an entry as a number or not.
_ROOM = 1e8
_NUMBER, _OBJECT = 40, 200
_WEIGHED = 8
_LARGEST_CALL = 50_000
_PARTS = 10
#: How many calls are compared, of how many draws each.
_FEW_CALLS, DRAWS_A_CALL = 3, 24
_REPEATED = mark("output number {number} of a call is what it was in an earlier call on d{side}")


class Meter:
    """Counts draws and tells how many of all are done.

    Parameters
    ----------
    total
        How many there will be.
    report
        What is told (done, total); None for a bar on a terminal, once it takes a while.
    """

    def __init__(self, total: int, report: Callable[[int, int], None] | None = None) -> None:
        if report is not None and not callable(report):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "progress must be a function of two numbers, not {report}",
                "write lambda done, total: print(done, total)",
                report=shown(report),
            )
        self._total = total
        self._done = 0
        self._begun = perf_counter()
        self._bar = report is None
        self._report = report or show_bar
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar and self._shown:
            print(file=sys.stderr)  # noqa: T201 - ends the line of the bar

    def advance(self, count: int) -> None:
        """Count draws that were made."""
        self._done = min(self._done + count, self._total)
        if not self._bar or (_on_terminal() and perf_counter() - self._begun > _PATIENCE):
            self._shown = True
            self._report(self._done, self._total)


def show_bar(done: int, total: int) -> None:
    """Draw a bar on the error stream, over the one before."""
    filled = _WIDTH * done // total
    bar = "#" * filled + "." * (_WIDTH - filled)
    print(f"\rauditing [{bar}] {100 * done // total} %", end="", file=sys.stderr, flush=True)  # noqa: T201


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class Watch:
    """Remembers what calls gave on the two datasets.

    Parameters
    ----------
    enough
        How many equal outputs of a call are no coincidence.
    """

    def __init__(self, enough: int) -> None:
        self._enough = enough
        self._constants: tuple[set[Any], set[Any]] = (set(), set())
        self._weight = 0.0

    @property
    def known(self) -> bool:
        """Whether any output was seen."""
        return self._weight > 0

    @property
    def room(self) -> int:
        """How many draws on each dataset can be held at once."""
        return max(self._enough, int(_ROOM / max(self._weight, _NUMBER)))

    def see(self, side: int, outputs: Any, *, one_call: bool = True) -> None:
        """Take note of outputs; refuse calls that give copies of one draw.

        Independent draws are never all equal in one call, and all equal to something else in
        another: that is one draw a call, and counts of it would prove nothing.
        """
        if not self.known:
            self._weight = _weight(outputs)
        if not one_call or len(outputs) < self._enough or not _all_alike(outputs):
            return
        self._constants[side].add(_fingerprint(outputs[0]))
        if len(self._constants[side]) > 1:
            raise InputError(
                "E-FUNCTION-RESULT",
                "each call of release(dataset, {count}) gave copies of one output, and another "
                "one the next time",
                "make every output anew, or write release(dataset) for one",
                count=len(outputs),
            )


def _all_alike(outputs: Any) -> bool:
    if isinstance(outputs, np.ndarray):
        same = np.broadcast_to(outputs[0], outputs.shape)
        return np.array_equal(outputs, same, equal_nan=True)
    first = _fingerprint(outputs[0])
    return all(_fingerprint(each) == first for each in outputs)


def _fingerprint(output: Any) -> Any:
    if isinstance(output, (np.ndarray, np.float64)):
        return (output.shape, (output + 0).tobytes()) if output.dtype.kind in "iufb" else None
    return key_of(output)


def _weight(outputs: Any) -> float:
    """Return about how many bytes it takes to look at one output."""
    if isinstance(outputs, np.ndarray):
        return float(max(1, outputs[0].size) * _NUMBER)
    return float(max(map(_weight_of_one, outputs[:_WEIGHED])))


def _weight_of_one(output: Any) -> int:
    if isinstance(output, np.ndarray):
        return max(1, output.size) * _NUMBER
    if isinstance(output, (str, bytes)):
        return _OBJECT + len(output)
    return max(1, len(flat(output))) * _OBJECT


class DrawnOutputs:
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
        self._source = DrawSource(release)
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

    def tally(self, events: list[ChosenEvent], size: int) -> list[EventTally]:
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

    def tally_repeats(self, size: int) -> list[EventTally]:
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
            EventTally(
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


def _refuse_opaque(sample: OutputSample) -> None:
    """Refuse outputs of which nothing would be seen but their type."""
    if kind := opaque_type(sample):
        raise InputError(
            "E-FUNCTION-RESULT",
            "release gave an object of type {kind}, which an audit cannot see into",
            "return numbers, texts, dates, sequences, mappings, dataclasses or data frames, "
            "or say what to look at: features=[lambda output: output.total]",
            kind=kind,
        )


def _tally(event: ChosenEvent, counts: list[int], trials: int) -> EventTally:
    side = event.likelier
    with in_english():
        english = event.said
    return EventTally(
        event.said,
        f"d{side}",
        counts[side],
        counts[1 - side],
        trials,
        kind=event.feature.kind,
        effort=event.effort,
        outcomes=event.region.outcomes,
        english=english,
    )


def _where_they_differ(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """Return the first place at which two calls gave different outputs; 0 where there is none."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
