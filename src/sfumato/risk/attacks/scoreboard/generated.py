"""Made-up ratings that are as sparse as real ones: nobody's data, to try the attack on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import read_count

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["sparse_ratings"]

#: How unequal people's activity is, and from which rank on popularity falls as one over the rank.
_ACTIVITY, _HEAD = 0.8, 20
_FIRST_DAY, _DAYS = "2020-01-01", 2000
_MOST_RATINGS, _MOST_ITEMS, _LEAST_AVERAGE = 50_000_000, 10_000_000, 10
_LEAST_STARS, _MOST_STARS = 1, 5


def sparse_ratings(
    *, people: int = 500, items: int = 2000, average: int = 40, seed: int = 0
) -> pa.Table:
    """Make up ratings: few items are popular, few people are busy, everybody rates in a while.

    Popularity falls with the rank of an item as in the law of Zipf and Mandelbrot, how much a
    person rates has a long tail, and a person's ratings lie within some months.  The columns are
    ``user``, ``film``, ``stars`` and ``date``; nobody rates a film twice.  It is a model of nobody:
    it has the sparsity on which such attacks live.

    Parameters
    ----------
    people, items
        How many there are; an item that nobody rates does not occur.
    average
        How many items a person rates, about; at least 10, and at most half of all.
    seed
        The same seed makes the same ratings.

    Examples
    --------
    >>> from sfumato.risk import sparse_ratings
    >>> table = sparse_ratings(people=3, items=100, average=10)
    >>> table.column_names, len(set(table["user"].to_pylist()))
    (['user', 'film', 'stars', 'date'], 3)
    """
    import pyarrow as pa

    crowd, shelf = read_count(people, "people"), read_count(items, "items", least=20)
    mean, start = read_count(average, "average"), read_count(seed, "seed", least=0)
    _check_size(crowd, shelf, mean)
    rng = np.random.default_rng(start)
    counts = _activity(rng, crowd, shelf, mean)
    user = np.repeat(np.arange(crowd), counts)
    film = _films(rng, counts, shelf)
    return pa.table(
        {
            "user": [f"u{number}" for number in user],
            "film": [f"film {number}" for number in film],
            "stars": _stars(rng, user, film, crowd, shelf),
            "date": _dates(rng, user, crowd),
        }
    )


def _check_size(people: int, items: int, average: int) -> None:
    """Refuse more ratings than a memory holds, before it is asked for them."""
    ratings = people * min(max(average, _LEAST_AVERAGE), items // 2)
    if ratings > _MOST_RATINGS or items > _MOST_ITEMS:
        raise InputError(
            "E-TOO-LARGE",
            "{ratings:,} ratings of {items:,} items are too many to make up",
            "keep people times average below {most_ratings:,} and items below {most_items:,}",
            ratings=ratings,
            items=items,
            most_ratings=_MOST_RATINGS,
            most_items=_MOST_ITEMS,
        )


def _activity(rng: np.random.Generator, people: int, items: int, average: int) -> NDArray[np.int64]:
    spread = rng.lognormal(-(_ACTIVITY**2) / 2, _ACTIVITY, people)
    most = max(1, items // 2)
    return np.clip(np.rint(average * spread), min(_LEAST_AVERAGE, most), most).astype(np.int64)


def _films(rng: np.random.Generator, counts: NDArray[np.int64], items: int) -> NDArray[np.int64]:
    """Return the items of each person, drawn without replacement by their popularity."""
    popularity = 1 / (_HEAD + np.arange(items))
    shares = popularity / popularity.sum()
    drawn = [rng.choice(items, count, replace=False, p=shares) for count in counts]
    return np.concatenate(drawn).astype(np.int64)


def _stars(
    rng: np.random.Generator,
    user: NDArray[np.int64],
    film: NDArray[np.int64],
    people: int,
    items: int,
) -> NDArray[np.int64]:
    """Return ratings: how kind the person is, how good the film is, and taste."""
    kind, good = rng.normal(0, 0.5, people), rng.normal(3.5, 0.5, items)
    exact = kind[user] + good[film] + rng.normal(0, 0.9, user.size)
    return np.clip(np.rint(exact), _LEAST_STARS, _MOST_STARS).astype(np.int64)


def _dates(rng: np.random.Generator, user: NDArray[np.int64], people: int) -> Any:
    begin, span = rng.uniform(0, _DAYS, people), 30 + rng.exponential(180, people)
    days = np.floor(begin[user] + rng.random(user.size) * span[user]).astype(np.int64)
    return np.datetime64(_FIRST_DAY, "D") + days
