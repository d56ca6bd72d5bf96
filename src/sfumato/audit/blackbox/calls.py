"""Calling a release by its signature: many draws a call or one, exceptions being outcomes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from sfumato.audit.blackbox.entries import kept, refuse_guarantee, rows_of
from sfumato.audit.blackbox.values import Raised, opened
from sfumato.errors import InputError

_NUMBERS = {"count", "draws", "n", "num", "samples", "size"}
_NO_NUMBERS = {"delta", "eps", "epsilon", "generator", "rng", "scale", "seed", "sensitivity"}
_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_number(release: Callable[..., Any]) -> bool:
    """Tell whether a release takes the number of draws as its second argument."""
    if not callable(release):
        raise _no_function(release)
    try:
        parameters = list(inspect.signature(release).parameters.values())
    except (TypeError, ValueError):
        return True
    placed = [each for each in parameters if each.kind in _PLACED]
    free = any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters)
    if not placed and not free:
        raise InputError(
            "E-FUNCTION-SIGNATURE",
            "release takes no dataset",
            "write a function release(dataset, n)",
        )
    number = len(placed) > 1 and _is_number(placed[1])
    _refuse_more(placed[2 if number else 1 :], parameters, number=number or free)
    return number or (free and len(placed) < 2)


def name_of_release(release: Any) -> str:
    """Return the module and the qualified name of a function, or of a callable object's type."""
    while isinstance(release, functools.partial):
        release = release.func
    named = release if hasattr(release, "__qualname__") else type(release)
    return f"{getattr(named, '__module__', None) or '?'}.{named.__qualname__}"


def _is_number(parameter: inspect.Parameter) -> bool:
    """Tell whether a second argument is how many draws to make."""
    needed = parameter.default is inspect.Parameter.empty and parameter.name not in _NO_NUMBERS
    return needed or parameter.name in _NUMBERS


def _refuse_more(
    rest: list[inspect.Parameter], parameters: list[inspect.Parameter], *, number: bool
) -> None:
    """Refuse a release that needs more than a dataset and a number of draws."""
    by_name = [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]
    needed = [each for each in (*rest, *by_name) if each.default is inspect.Parameter.empty]
    if not needed:
        return
    given = ("dataset", "n") if number else ("dataset",)
    added = [f"{each.name}={each.name}" if each in by_name else each.name for each in needed]
    raise InputError(
        "E-FUNCTION-SIGNATURE",
        "release needs {listed}, too",
        "write lambda {given}: release({other_listed})",
        listed=", ".join(each.name for each in needed),
        given=", ".join(given),
        other_listed=", ".join([*given, *added]),
    )


def _no_function(release: Any) -> InputError:
    name = type(release).__name__
    if hasattr(release, "release") or hasattr(release, "distribution"):
        return InputError(
            "E-ARGUMENT-TYPE",
            "release must be a function of a dataset, not a mechanism such as {kind}",
            "write lambda data: mechanism.release(data).value, or prove it: sf.verify(mechanism)",
            kind=name,
        )
    return InputError(
        "E-ARGUMENT-TYPE",
        "release must be a function of a dataset, not a {kind}",
        "write release(dataset, n)",
        kind=name,
    )


class DrawSource:
    """Draws from ``release(dataset, n)``, or from ``release(dataset)`` called n times.

    Parameters
    ----------
    release
        What is audited.
    """

    def __init__(self, release: Callable[..., Any]) -> None:
        self._release = release
        self.name = name_of_release(release)
        self.takes_number = takes_number(release)
        self.in_batches = self.takes_number
        self.error: Exception | None = None

    def batch(self, dataset: Any, size: int) -> Any:
        """Return so many outputs, or None where one call for all of them raised."""
        if not self.in_batches:
            return [self._one(dataset) for _ in range(size)]
        outputs = self._outcome(lambda: _listed(self._release(dataset, size)))
        return None if isinstance(outputs, Raised) else _counted(outputs, size)

    def batch_both(self, datasets: tuple[Any, Any], size: int) -> tuple[Any, Any]:
        """Return so many outputs on each of two datasets, as ``batch`` does.

        Where each draw is a call of its own the datasets take turns, so that a release which
        changes as it is called, like one whose budget runs out, changes for both alike.
        """
        return self._both(self.batch, datasets, size)

    def draw_both(self, datasets: tuple[Any, Any], size: int) -> tuple[Any, Any]:
        """Return the same, but from the first call that raises on, each output by its own call."""
        return self._both(self._draw, datasets, size)

    def _both(
        self, draw: Callable[[Any, int], Any], datasets: tuple[Any, Any], size: int
    ) -> tuple[Any, Any]:
        if self.in_batches:
            return draw(datasets[0], size), draw(datasets[1], size)
        pairs = [(self._one(datasets[0]), self._one(datasets[1])) for _ in range(size)]
        first, second = zip(*pairs, strict=True)
        return list(first), list(second)

    def _draw(self, dataset: Any, size: int) -> Any:
        outputs = self.batch(dataset, size)
        if outputs is None:
            self.in_batches = False
            outputs = self.batch(dataset, size)
        return outputs

    def _one(self, dataset: Any) -> Any:
        if self.takes_number:
            outputs = self._outcome(lambda: _listed(self._release(dataset, 1)))
            return outputs if isinstance(outputs, Raised) else next(iter(_counted(outputs, 1)))
        output = self._outcome(lambda: _all_of(self._release(dataset)))
        refuse_guarantee(output)
        return kept(output)

    def _outcome(self, call: Callable[[], Any]) -> Any:
        """Return what a call gives, or that it raised; the end of a program is no outcome."""
        try:
            return call()
        except (SystemExit, GeneratorExit, MemoryError) as error:
            raise InputError(
                "E-FUNCTION-RAISED",
                "{name} raised {kind}, which ends a program and is no outcome",
                "give a function that returns",
                name=self.name,
                kind=type(error).__name__,
            ) from error
        except Exception as error:  # noqa: BLE001 - any other exception is an outcome
            self.error = error
            return Raised.of(error)


def _all_of(output: Any) -> Any:
    """Return one output; what comes bit by bit is listed, and may raise as it goes."""
    return list(output) if isinstance(output, Iterator) else output


def _listed(outputs: Any) -> Any:
    """Return outputs that come one by one as a list; a generator may raise as it goes."""
    outputs = opened(outputs)
    lazy = hasattr(outputs, "__iter__") and not hasattr(outputs, "__len__")
    return list(outputs) if lazy else outputs


def _counted(outputs: Any, size: int) -> Any:
    """Return the outputs of a call if they are as many as were asked for."""
    refuse_guarantee(outputs)
    single = not hasattr(outputs, "__len__") or getattr(outputs, "ndim", 1) == 0
    if single or isinstance(outputs, (str, bytes, dict)):
        raise InputError(
            "E-FUNCTION-RESULT",
            "release(dataset, {size}) gave one {kind}",
            "return {size} outputs as a list or an array, or write release(dataset) for one",
            size=size,
            kind=type(outputs).__name__,
        )
    count = _length(outputs)
    if count != size:
        raise InputError(
            "E-FUNCTION-RESULT",
            "release(dataset, {size}) gave {count} outputs",
            "return exactly {size}",
            size=size,
            count=count,
        )
    return rows_of(outputs)


def _length(outputs: Any) -> int:
    try:
        return len(outputs)
    except Exception as error:
        raise InputError(
            "E-FUNCTION-RESULT",
            "release gave a {kind} whose length cannot be told",
            "return a list or an array",
            kind=type(outputs).__name__,
        ) from error
