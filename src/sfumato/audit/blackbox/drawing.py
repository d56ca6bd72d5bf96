"""Calling a release: many draws a call or one, with exceptions as outcomes like any other."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Raised", "Source"]

_NAMES_OF_A_NUMBER = {"count", "draws", "n", "num", "samples", "size"}


@dataclass(frozen=True)
class Raised:
    """An exception as an outcome; its message tells outcomes apart and is never shown.

    Examples
    --------
    >>> from sfumato.audit.blackbox.drawing import Raised
    >>> print(Raised.of(ValueError("a cell of somebody's")))
    raised ValueError
    """

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> Raised:
        """Return the outcome that an exception is.

        Examples
        --------
        >>> from sfumato.audit.blackbox.drawing import Raised
        >>> Raised.of(KeyError("x")).kind
        'KeyError'
        """
        try:
            message = str(error)
        except Exception:  # noqa: BLE001 - whatever it is, it has no message
            message = ""
        return cls(type(error).__name__, message)

    def __str__(self) -> str:
        return f"raised {self.kind}"


class Source:
    """Draws from ``release(dataset, n)``, or from ``release(dataset)`` called n times.

    Parameters
    ----------
    release
        What is audited.

    Examples
    --------
    >>> from sfumato.audit.blackbox.drawing import Source
    >>> Source(lambda data: data + 1).draw(1, 3)
    [2, 2, 2]
    """

    def __init__(self, release: Callable[..., Any]) -> None:
        if not callable(release):
            message = (
                f"release must be a function of a dataset, not a {type(release).__name__}; "
                "write release(dataset, n)"
            )
            raise InputError(message)
        self._release = release
        self.takes_number = _takes_number(release)
        self.in_batches = self.takes_number
        self.error: Exception | None = None

    def draw(self, dataset: Any, size: int) -> Any:
        """Return so many outputs; from the first call that raises on, each by its own call.

        Examples
        --------
        >>> from sfumato.audit.blackbox.drawing import Source
        >>> [str(each) for each in Source(lambda data, n: [1 / data] * n).draw(0, 2)]
        ['raised ZeroDivisionError', 'raised ZeroDivisionError']
        """
        outputs = self.batch(dataset, size)
        if outputs is not None:
            return outputs
        self.in_batches = False
        return self._one_by_one(dataset, size)

    def batch(self, dataset: Any, size: int) -> Any:
        """Return so many outputs, or None where one call for all of them raised.

        Examples
        --------
        >>> from sfumato.audit.blackbox.drawing import Source
        >>> Source(lambda data, n: [1 / data] * n).batch(0, 2) is None
        True
        """
        if not self.in_batches:
            return self._one_by_one(dataset, size)
        try:
            outputs = _listed(self._release(dataset, size))
        except Exception as error:  # noqa: BLE001 - any exception is an outcome
            self.error = error
            return None
        return _counted(outputs, size)

    def _one_by_one(self, dataset: Any, size: int) -> list[Any]:
        return [self._one(dataset) for _ in range(size)]

    def _one(self, dataset: Any) -> Any:
        try:
            if not self.takes_number:
                return self._release(dataset)
            outputs = _listed(self._release(dataset, 1))
        except Exception as error:  # noqa: BLE001 - any exception is an outcome
            self.error = error
            return Raised.of(error)
        return _first(_counted(outputs, 1))


def _takes_number(release: Callable[..., Any]) -> bool:
    """Tell whether a release takes the number of draws as its second argument."""
    try:
        parameters = list(inspect.signature(release).parameters.values())
    except (TypeError, ValueError):
        return True
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return True
    placed = [
        each
        for each in parameters
        if each.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if not placed:
        message = "release takes no dataset; write a function release(dataset, n)"
        raise InputError(message)
    return len(placed) > 1 and (
        placed[1].default is inspect.Parameter.empty or placed[1].name in _NAMES_OF_A_NUMBER
    )


def _listed(outputs: Any) -> Any:
    """Return outputs that come one by one as a list; a generator may raise as it goes."""
    lazy = hasattr(outputs, "__iter__") and not hasattr(outputs, "__len__")
    return list(outputs) if lazy else outputs


def _counted(outputs: Any, size: int) -> Any:
    """Return the outputs of a call if they are as many as were asked for."""
    single = not hasattr(outputs, "__len__") or getattr(outputs, "ndim", 1) == 0
    if single or isinstance(outputs, (str, bytes, dict)):
        message = (
            f"release(dataset, {size}) gave one {type(outputs).__name__}; return {size} outputs "
            "as a list or an array, or write release(dataset) for one"
        )
        raise InputError(message)
    if len(outputs) != size:
        message = f"release(dataset, {size}) gave {len(outputs)} outputs; return exactly {size}"
        raise InputError(message)
    return _rows(outputs) if hasattr(outputs, "columns") else outputs


def _rows(frame: Any) -> Any:
    """Return the rows of a data frame: values where it has one column, else mappings."""
    import numpy as np

    columns = {name: np.asarray(frame[name]) for name in frame.columns}
    if len(columns) == 1:
        return next(iter(columns.values()))
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _first(outputs: Sequence[Any]) -> Any:
    return next(iter(outputs))
