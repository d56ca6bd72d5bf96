"""What is watched for in calls as they come: copies of one draw, and how much room draws take."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.audit.blackbox.flatten import flat
from sfumato.audit.blackbox.values import key_of
from sfumato.errors import InputError

__all__ = ["Watch"]

#: Bytes for the draws on one dataset that are held at once, and for an entry as a number or not.
_ROOM = 1e8
_NUMBER, _OBJECT = 40, 200
_WEIGHED = 8


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
