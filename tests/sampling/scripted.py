"""Sources that say what a test wants, and questions that show a sampler's exact distribution."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import chi2

from sfumato.sampling import BitSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

#: How often a right sampler may fail a chi-square test, were its seed not fixed.
FALSE_ALARM = 1e-6

ONES = 0xFF
ZEROS = 0x00
#: All 16-bit beginnings of a word.
HEADS = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
REST = np.uint64((1 << 48) - 1)


class ScriptEnded(Exception):  # noqa: N818 - it is a signal to the test, not an error
    """A sampler asked for more bits than the script has."""


class Forever(BitSource):
    """The same byte, for ever."""

    seeded = True

    def __init__(self, byte: int) -> None:
        self._byte = byte

    def read(self, count: int) -> NDArray[np.uint8]:
        return np.full(count, self._byte, dtype=np.uint8)


class ScriptedSource(BitSource):
    """Replays words, integers and bytes as scripted, then goes on with ``then``, or raises.

    Parameters
    ----------
    words
        What ``words`` hands out.
    integers
        What ``integer`` hands out: the bits with which a ``LazyUniform`` is refined.
    data
        What ``read`` hands out.
    then
        What to go on with; None raises ``ScriptEnded``.
    """

    seeded = True

    def __init__(
        self,
        words: Iterable[int] | NDArray[np.uint64] = (),
        *,
        integers: Iterable[int] = (),
        data: bytes = b"",
        then: BitSource | None = None,
    ) -> None:
        self._words = np.array(words if isinstance(words, np.ndarray) else list(words), np.uint64)
        self._integers = deque(integers)
        self._data = data
        self._then = then

    @property
    def words_left(self) -> int:
        """How many of the scripted words nobody asked for."""
        return len(self._words)

    def words(self, count: int) -> NDArray[np.uint64]:
        taken, self._words = self._words[:count].copy(), self._words[count:]
        if len(taken) < count:
            return np.concatenate([taken, self._more().words(count - len(taken))])
        return taken

    def integer(self, bits: int) -> int:
        value = self._integers.popleft() if self._integers else self._more().integer(bits)
        assert 0 <= value < 1 << bits
        return value

    def read(self, count: int) -> NDArray[np.uint8]:
        taken, self._data = self._data[:count], self._data[count:]
        if len(taken) < count:
            taken += self._more().read(count - len(taken)).tobytes()
        return np.frombuffer(taken, dtype=np.uint8).copy()

    def _more(self) -> BitSource:
        if self._then is None:
            raise ScriptEnded
        return self._then


def both_extremes(draw: Callable[[int, BitSource], NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """What every 16-bit beginning leads to, followed by zeros for ever and by ones for ever.

    A sampler that is monotone in its bits has the outcome of a beginning settled where both agree.
    """
    zeros = draw(len(HEADS), ScriptedSource(HEADS, then=Forever(ZEROS)))
    ones = draw(len(HEADS), ScriptedSource(HEADS | REST, then=Forever(ONES)))
    return zeros, ones


def first_true(holds: Callable[[int], bool], bits: int) -> int:
    """The least integer of so many bits at which a condition holds that then stays true."""
    low, high = -1, 1 << bits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def surprise(counts: Sequence[int] | NDArray[Any], probabilities: Sequence[float]) -> float:
    """The probability of counts as far off as these or farther, by Pearson's chi-square."""
    seen, expected = np.asarray(counts), np.asarray(probabilities) * np.sum(counts)
    return float(chi2.sf(((seen - expected) ** 2 / expected).sum(), len(seen) - 1))
