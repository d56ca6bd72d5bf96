"""Reading the scores of an attack, and dividing them into two halves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["are_labels", "halves", "read_scores", "read_seed"]

_LEAST = 2


def read_scores(scores: Any, name: str) -> NDArray[np.float64]:
    """Return scores as a row of floats; infinities are allowed, missing scores are not."""
    row = _as_floats(scores, name)
    if row.ndim != 1 or row.size < _LEAST:
        raise InputError(
            "E-SCORES-FORM",
            "{name} must be a list of at least {least} numbers, one for each trial",
            name=Argument(name),
            least=_LEAST,
        )
    if np.isnan(row).any():
        raise InputError(
            "E-SCORES-FORM",
            "{name} has a score that is no number",
            "give every trial a number, or leave the trial out",
            name=Argument(name),
        )
    return row


def are_labels(scores: NDArray[np.float64]) -> bool:
    """Tell whether scores look like labels: both 0 and 1, and nothing else."""
    return set(np.unique(scores).tolist()) == {0.0, 1.0}


def halves(
    scores: NDArray[np.float64], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two halves of the scores, divided at random: one chooses, the other tests."""
    order = np.random.default_rng(seed).permutation(scores.size)
    middle = scores.size // 2
    return scores[order[:middle]], scores[order[middle:]]


def read_seed(seed: Any) -> int:
    """Return a whole number of 0 or more."""
    return read_count(seed, "seed", least=0)


def _as_floats(scores: Any, name: str) -> NDArray[np.float64]:
    try:
        row = np.asarray(scores)
        if row.dtype.kind in "iufb" or (row.dtype.kind == "O" and _are_numbers(row)):
            return row.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(
        "E-SCORES-FORM",
        "{name} must be a list of numbers, such as [0.9, 0.2]",
        "a greater one says 'member'",
        name=Argument(name),
    )


def _are_numbers(row: NDArray[Any]) -> bool:
    return not any(isinstance(each, (str, bytes)) for each in row.flat)
