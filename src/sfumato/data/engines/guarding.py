"""Whatever an engine raises, no word of it that may quote a cell comes out."""

from __future__ import annotations

import logging
from importlib import metadata
from typing import TYPE_CHECKING, Any

from sfumato.errors import EngineError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.refusal import Given

__all__ = ["failed", "guarded", "unreadable"]

_LOG = logging.getLogger("sfumato")


def failed(engine: str, error: Exception, *packages: str) -> EngineError:
    """Return what is said of an engine that failed at a question, and log it as a bug of ours.

    Parameters
    ----------
    engine
        What users call it.
    error
        What it raised, of which only the kind is told.
    packages
        Whose versions are told.
    """
    versions = ", ".join(f"{each} {metadata.version(each)}" for each in ("sfumato", *packages))
    _LOG.error("a bug in sfumato: %s failed with %s (%s)", engine, type(error).__name__, versions)
    return EngineError(engine)


def unreadable(complaint: Given) -> InputError:
    """Return the error about a table that cannot be read."""
    return InputError("E-TABLE-UNREADABLE", "{complaint}", complaint=complaint)


def guarded(action: Callable[[], Any], instead: Callable[[Exception], BaseException | None]) -> Any:
    """Run ``action``; what it raises is replaced by what is to be said instead, if anything."""
    failure: BaseException
    try:
        return action()
    except InputError:
        raise
    except RecursionError:
        failure = InputError(
            "E-QUESTION-TOO-LARGE",
            "the query nests too deep for the engine",
            "write it less nested",
        )
    except Exception as error:
        said = instead(error)
        if said is None:
            raise
        failure = said
    # Raised out here, so that it does not carry the engine's own error as its context.
    raise failure
