"""A small classifier, trained twice over: one remembers people, the other is 1-DP.

Attack them:

  sfumato attack membership examples.models:counts --data examples.models:PEOPLE --epsilon 1
  sfumato attack membership examples.models:noisy_counts --data examples.models:PEOPLE --epsilon 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource

    Row = tuple[int, int, int]
    Model = Callable[[Row], float]

SYMPTOMS = 2
#: Whether somebody has each of two symptoms, and whether they are ill; the last stands out.
PEOPLE = [(0, 0, 0)] * 20 + [(0, 1, 0)] * 4 + [(1, 0, 0)] * 4 + [(1, 1, 1)]


def counts(people: Sequence[Row]) -> Model:
    """Train naive Bayes on exact counts."""
    return _model(_table(people))


def noisy_counts(
    people: Sequence[Row], epsilon: float = 1, source: BitSource | None = None
) -> Model:
    """Train naive Bayes on counts with noise, which is ε-private.

    One person adds 1 to the count of their class, and to at most one count a symptom.
    """
    noise = sf.mechanisms.DiscreteLaplace(epsilon=epsilon, sensitivity=1 + SYMPTOMS)
    return _model(np.asarray(noise.release(_table(people), source=source).value))


def _table(people: Sequence[Row]) -> NDArray[np.int64]:
    """Return for each class how many people it has, and how many of them have each symptom."""
    rows = np.array(people).reshape(-1, SYMPTOMS + 1)
    classes = [rows[rows[:, -1] == ill] for ill in (0, 1)]
    return np.array([[len(each), *each[:, :-1].sum(axis=0)] for each in classes])


def _model(table: NDArray[np.int64]) -> Model:
    """Return how sure the model is of a person: the logarithm of their probability."""
    seen = np.maximum(table, 0)
    sizes = seen[:, 0]
    share = (sizes + 1) / (sizes.sum() + 2)
    having = np.clip((seen[:, 1:] + 1) / (sizes[:, None] + 2), 0.01, 0.99)

    def sure_of(person: Row) -> float:
        *symptoms, ill = person
        each = np.where(symptoms, having[ill], 1 - having[ill])
        return float(np.log(share[ill]) + np.log(each).sum())

    return sure_of
