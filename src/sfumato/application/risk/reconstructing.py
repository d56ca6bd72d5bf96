"""How much of a column could be reconstructed if many counts about it were answered.

The attack runs on the owner's own column: random halves of the people are counted, exactly or with
exact noise that makes all answers together ε-differentially private, and the column is
reconstructed from the answers alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.risk.reconstruction_report import ColumnAttack, Trial, allowed_share
from sfumato.data import count_groups, open_source
from sfumato.errors import InputError
from sfumato.mechanisms import DiscreteLaplace
from sfumato.numeric import shown
from sfumato.privacy import Substitute
from sfumato.privacy.parameters import read_count
from sfumato.privacy.usable import usable_epsilon
from sfumato.risk import reconstruct
from sfumato.risk.attacks.reconstruction.reading import read_bits
from sfumato.sampling import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource

__all__ = ["attack_bits", "attack_column"]

_EPSILONS = (1000, 100, 30, 10, 3, 1)
_LARGEST = 20_000_000
_LEAST_EPSILON = "1e-9"
#: What stands for 1 in a column of two values, and what for 0 beside it.
_PAIRS = {"1": "0", "1.0": "0.0", "true": "false", "yes": "no", "y": "n", "t": "f"}


def attack_column(
    data: Any,
    column: str,
    *,
    value: str | None = None,
    epsilons: Sequence[Any] = _EPSILONS,
    people: int = 200,
    queries: int | None = None,
    method: str = "auto",
    source: BitSource | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ColumnAttack:
    """Attack a column of a table by answers about it: exact, and under differential privacy.

    Only two counts leave the engine: how many rows have the value, and how many there are.

    Parameters
    ----------
    data
        A file or frame, one row a person.
    column, value
        The column, and the value that counts as 1; without it the column is of 0 and 1, or of yes
        and no.
    epsilons
        For which total ε the attack is tried, besides exact answers.
    people
        Of a longer table so many people are taken, as many of them with a 1 as in the whole.
    queries
        How many random halves are counted; twice the people where nothing is said.
    method
        That of :func:`sfumato.risk.reconstruct`.
    source
        Where random bits come from: the operating system, or a ``SeededSource`` in tests.
    progress
        Called with how many trials are done, and of how many.
    """
    source_table = open_source(data)
    rows, ones = _counts(source_table, column, value)
    size = min(rows, read_count(people, "people"))
    taken = min(size, (2 * ones * size + rows) // (2 * rows))
    coins = read_source(source)
    return attack_bits(
        _in_any_order(np.arange(size) < taken, coins),
        name=column if value is None else f"{column}={value}",
        rows=rows,
        epsilons=epsilons,
        queries=queries,
        method=method,
        source=coins,
        progress=progress,
    )


def attack_bits(
    bits: Sequence[Any] | NDArray[Any],
    *,
    name: str = "the column",
    rows: int | None = None,
    epsilons: Sequence[Any] = _EPSILONS,
    queries: int | None = None,
    method: str = "auto",
    source: BitSource | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ColumnAttack:
    """Attack a list of 0 and 1, as :func:`attack_column` does with a column."""
    secret = read_bits(bits, len(bits))
    asked = 2 * secret.size if queries is None else read_count(queries, "queries")
    levels = [_level(each) for each in epsilons]
    coins = read_source(source)
    halves = _halves(coins, asked, secret.size)
    most = int(halves.sum(axis=0).max())
    tell = progress or _silent
    trials = []
    for done, level in enumerate([None, *levels], start=1):
        trials.append(_trial(halves, secret, level, most, method=method, source=coins))
        tell(done, len(levels) + 1)
    return ColumnAttack(
        name=name,
        rows=secret.size if rows is None else rows,
        people=secret.size,
        ones=int(secret.sum()),
        queries=asked,
        most_questions=most,
        exact=trials[0],
        trials=tuple(trials[1:]),
    )


def _level(epsilon: Any) -> Any:
    """Return an ε for which noise can be drawn, however many questions are asked."""
    return usable_epsilon(epsilon, least=_LEAST_EPSILON)


def _trial(
    halves: NDArray[np.int64],
    secret: NDArray[np.int64],
    epsilon: Any,
    most: int,
    *,
    method: str,
    source: BitSource,
) -> Trial:
    """Answer, reconstruct and count; one person's value moves at most so many answers, by 1."""
    answers = halves @ secret
    scale = 0.0
    if epsilon is not None:
        noise = DiscreteLaplace(epsilon=epsilon, sensitivity=max(most, 1), relation=Substitute())
        answers, scale = noise.release(answers, source=source).value, float(noise.scale)
    found = reconstruct(halves, answers, method=method, truth=secret)
    commoner = found.share_guessed or 0.0
    level = None if epsilon is None else float(epsilon)
    return Trial(
        epsilon=level,
        scale=scale,
        right=found.right or 0,
        people=secret.size,
        allowed=allowed_share(level, commoner),
    )


def _halves(source: BitSource, questions: int, people: int) -> NDArray[np.int64]:
    """Return a fair coin for each question and person: whether the person is counted."""
    size = questions * people
    if size > _LARGEST:
        raise InputError(
            "E-TOO-LARGE",
            "{questions:,} questions about {people:,} people are too many for this attack",
            "keep their product below {largest:,}",
            questions=questions,
            people=people,
            largest=_LARGEST,
        )
    coins = np.unpackbits(source.read((size + 7) // 8))[:size]
    return coins.reshape(questions, people).astype(np.int64)


def _in_any_order(bits: NDArray[np.bool_], source: BitSource) -> NDArray[np.bool_]:
    """Return values in a random order, so that no solver is helped by where the ones stand."""
    keys = source.read(8 * bits.size).reshape(bits.size, 8)
    return bits[np.lexsort(keys.T)]


def _counts(source: Any, column: str, value: str | None) -> tuple[int, int]:
    """Return how many rows there are, and how many have the value."""
    source.check_columns(column)
    counted = count_groups(source, column, with_keys=True)
    texts = _texts(counted.keys, column)
    found = _added(zip(texts, counted.counts.tolist(), strict=True))
    if value is None:
        return counted.rows, _ones(found, column)
    if value not in found:
        raise InputError(
            "E-VALUE-ABSENT",
            "no row has the value {value} in the column {column!r}",
            "write it as the table does",
            value=shown(value),
            column=column,
        )
    return counted.rows, found[value]


def _added(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return how often each text occurs, where one may come several times."""
    found: dict[str, int] = {}
    for text, count in counts:
        found[text] = found.get(text, 0) + int(count)
    return found


def _texts(keys: Any, column: str) -> list[str]:
    """Return values as they are written: truth values in small letters, and "" for no value."""
    cells = keys[column].to_pylist()
    texts = ["" if each is None else str(each) for each in cells]
    return [each.lower() if each in ("True", "False") else each for each in texts]


def _ones(found: dict[str, int], column: str) -> int:
    """Return how many rows have the 1 of a column of two values; an empty cell is no 1."""
    words = _added((text.strip().lower(), count) for text, count in found.items() if text.strip())
    for one, zero in _PAIRS.items():
        if words and set(words) <= {one, zero}:
            return words.get(one, 0)
    raise InputError(
        "E-COLUMN-NOT-BINARY",
        "the column {column!r} should hold 0 and 1, or yes and no",
        "say which value counts, as in {column}=VALUE",
        column=column,
    )


def _silent(_done: int, _of: int) -> None:
    """Tell nobody."""
