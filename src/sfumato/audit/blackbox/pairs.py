"""Neighbouring datasets at random, and a search for those that tell most."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.audit import audit, read_samples, read_seed
from sfumato.audit.blackbox.draws import Meter
from sfumato.audit.blackbox.report import AttackReport, answer, doubt, evidence, spent, table
from sfumato.audit.blackbox.values import are_equal, described, in_order
from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.privacy import AddRemove, Relation, Substitute, read_inside
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.features import Features
    from sfumato.audit.blackbox.report import AuditReport

_EACH = 8
#: How often a row is replaced until the result differs, by rows of how many datasets.
_TRIES, _AHEAD = 4, 16
#: After so many datasets without a neighbour there will be none.
_MOST_BARREN = 1_000
#: How sure the screening is: it only ranks.
_SCREENING_ALPHA = 0.25


def number_of_rows(data: Any) -> int:
    """Return how many rows a dataset has; refuse what has none."""
    record = isinstance(data, (str, bytes, dict)) or hasattr(data, "_fields")
    if record or not hasattr(data, "__len__"):
        raise _without_rows(data)
    return len(data)


def rows_taken(data: Any, rows: list[int]) -> Any:
    """Return some rows of a table, in a table of the same type."""
    try:
        if isinstance(data, AbstractSet):
            return type(data)(in_order(data)[row] for row in rows)  # type: ignore[call-arg]
        if isinstance(data, (list, tuple)):
            return type(data)([data[row] for row in rows])
        return data.iloc[rows] if hasattr(data, "iloc") else data[rows]
    except Exception as error:
        raise _without_rows(data) from error


def with_row_of(data: Any, row: int, other: Any, place: int) -> Any:
    """Return a table with one row replaced by one of another table.

    Where the two do not go together the row is replaced by one of its own table.
    """
    rows = list(range(number_of_rows(data)))
    if type(other) is type(data) and isinstance(data, (list, tuple, np.ndarray)):
        before, after = rows_taken(data, rows[:row]), rows_taken(data, rows[row + 1 :])
        given = rows_taken(other, [place])
        if not isinstance(data, np.ndarray):
            return before + given + after
        if data.shape[1:] == other.shape[1:]:
            return np.concatenate([before, given, after])
    rows[row] = place % len(rows)
    return rows_taken(data, rows)


def _without_rows(data: Any) -> InputError:
    return InputError(
        "E-DATASET-FORM",
        "a dataset of type {kind} has no rows to remove",
        "give lists, arrays or data frames, or say what the neighbours are: "
        "neighbours=lambda data: [data + 1]",
        kind=type(data).__name__,
    )


#: Datasets one after the other, or a function that makes one from a random generator.
Datasets = Iterable[Any] | Callable[[np.random.Generator], Any]
#: A relation between tables, or a function from a dataset to its neighbours.
Neighbours = Relation | Callable[[Any], Iterable[Any]]


def neighbouring_pairs(
    datasets: Datasets, neighbours: Neighbours | None, rng: np.random.Generator
) -> Iterator[tuple[Any, Any]]:
    """Yield datasets with neighbours of theirs, a few of each."""
    relation = AddRemove() if neighbours is None else neighbours
    if not isinstance(relation, Relation) and not callable(relation):
        raise InputError(
            "E-RELATION-UNKNOWN",
            "neighbours must be a relation or a function of a dataset, not {relation}",
            "write sf.privacy.AddRemove(), or lambda data: [data[1:]]",
            relation=shown(relation),
        )
    stream = _datasets(datasets, rng)
    others = list(islice(stream, _AHEAD)) if isinstance(relation, Substitute) else []
    barren = 0
    for data in chain(others, stream):
        near = _near(data, relation, others, rng)
        barren = 0 if near else barren + 1
        if barren == _MOST_BARREN:
            return
        for other in near:
            yield data, other


def _datasets(datasets: Datasets, rng: np.random.Generator) -> Iterator[Any]:
    if callable(datasets):
        _check_maker(datasets)
        while True:
            yield _called(lambda: datasets(rng), "datasets")
    if not isinstance(datasets, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "datasets must be a list of datasets or a function that makes one from a "
            "generator, not a {kind}",
            "write lambda rng: rng.integers(0, 10, {size})",
            kind=type(datasets).__name__,
            size=Argument("size", 5),
        )
    yield from datasets


def _check_maker(datasets: Callable[..., Any]) -> None:
    """Refuse a function that does not take a generator and nothing else."""
    try:
        inspect.signature(datasets).bind(None)
    except TypeError:
        raise InputError(
            "E-FUNCTION-SIGNATURE",
            "datasets, a function, must take a NumPy generator and nothing else",
            "write lambda rng: rng.integers(0, 10, {size})",
            size=Argument("size", 5),
        ) from None
    except ValueError:
        return


def _near(data: Any, relation: Neighbours, others: list[Any], rng: np.random.Generator) -> Any:
    """Return a few neighbours of a dataset."""
    if isinstance(relation, Substitute):
        return list(_substituted(data, relation.count, others, rng))
    if isinstance(relation, Relation):
        return list(_removed(data, relation.count, rng))
    found = _called(lambda: relation(data), "neighbours")
    if not isinstance(found, Iterable):
        raise InputError(
            "E-FUNCTION-RESULT",
            "neighbours must give a list of datasets, not one {kind}",
            "write lambda data: [data + 1]",
            kind=type(found).__name__,
        )
    near = _called(lambda: list(islice(found, _EACH)), "neighbours")
    return [other for other in near if not are_equal(data, other)]


def _removed(data: Any, count: int, rng: np.random.Generator) -> Iterator[Any]:
    """Yield datasets without as many rows as the relation allows, in random order."""
    size = number_of_rows(data)
    for _ in range(min(_EACH, size)):
        gone = set(rng.permutation(size)[:count].tolist())
        yield rows_taken(data, [row for row in range(size) if row not in gone])


def _substituted(
    data: Any, count: int, others: list[Any], rng: np.random.Generator
) -> Iterator[Any]:
    """Yield datasets in which rows are replaced by others of the same or of another dataset."""
    size = number_of_rows(data)
    donors = [each for each in (data, *others) if number_of_rows(each)]
    found = 0
    for _ in range(_TRIES * min(_EACH, size)):
        changed = data
        for row in rng.permutation(size)[:count].tolist():
            donor = donors[int(rng.integers(len(donors)))]
            place = int(rng.integers(number_of_rows(donor)))
            changed = with_row_of(changed, row, donor, place)
        if found < min(_EACH, size) and not are_equal(data, changed):
            found += 1
            yield changed


def _called(call: Callable[[], Any], name: str) -> Any:
    """Return what a function of the caller gives; refuse one that raises."""
    try:
        return call()
    except Exception as error:
        raise InputError(
            "E-FUNCTION-RAISED",
            "{name}, a function, raised {kind}",
            "give one that returns",
            name=name,
            kind=type(error).__name__,
        ) from error


@dataclass(frozen=True)
class PairSearch(AttackReport):
    """The worst of the pairs that were audited.

    Attributes
    ----------
    report
        Its audit.
    index
        Which of the screened pairs it is, counted from 0.
    pair
        The two datasets, made up for the search: they are printed, arrays and tables by type.
    audited
        The audits of all the pairs that were looked at with care, by their index.
    screened
        How many pairs were looked at.
    alpha
        The probability that any bound of any of the audits is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import search_pairs
    >>> rng = np.random.default_rng(0)
    >>> def noisy_sum(data, n):
    ...     return sum(data) + rng.laplace(size=n).round()
    >>> found = search_pairs(noisy_sum, [[1], [1, 1], [0, 5]], epsilon=1, samples=20_000)
    >>> found.violated, [sum(data) for data in found.pair]
    (True, [5, 0])
    """

    report: AuditReport
    index: int
    pair: tuple[Any, Any] = field(repr=False)
    audited: dict[int, AuditReport]
    screened: int
    alpha: float

    @property
    def violated(self) -> bool:
        """Whether the claim was shown to be broken.

        Examples
        --------
        >>> from sfumato.audit.blackbox import search_pairs
        >>> search_pairs(lambda data: len(data), [[1, 2]], epsilon=1, samples=1000).violated
        True
        """
        return self.report.violated

    def lines(self) -> list[str]:
        """Return what was found as sentences.

        Examples
        --------
        >>> from sfumato.audit.blackbox import search_pairs
        >>> print(search_pairs(lambda data: 0, [[1, 2]], epsilon=1, samples=1000).lines()[-1])
        2 pairs screened, 2 audited; wrong with probability at most 1 in 1,000,000
        """
        report, (d0, d1) = self.report, self.pair
        return [
            answer(report),
            tr(
                "pair {index}: d0 is {d0}, d1 is {d1}",
                index=self.index,
                d0=described(d0),
                d1=described(d1),
            ),
            *evidence(report),
            spent(report),
            *table(report),
            tr(
                "{screened:,} pairs screened, {audited} audited; {alpha}",
                screened=self.screened,
                audited=len(self.audited),
                alpha=doubt(self.alpha),
            ),
        ]


def search_pairs(
    release: Callable[..., Any],
    datasets: Datasets,
    *,
    neighbours: Neighbours | None = None,
    epsilon: Any,
    delta: Any = 0,
    samples: int = 200_000,
    screening: int = 2_000,
    budget: int = 50,
    audits: int = 3,
    alpha: Any = 1e-6,
    features: Features | None = None,
    progress: Callable[[int, int], None] | None = None,
    seed: int | None = None,
) -> PairSearch:
    """Look for neighbouring datasets that break a claim.

    Many pairs are screened with few draws each; the most suspicious are audited with fresh draws,
    each at ``alpha`` divided by their number, so that all bounds hold at once but for a probability
    of ``alpha``, whatever the screening chose.

    Parameters
    ----------
    release
        What is audited, as in :func:`~sfumato.audit.blackbox.audit`.
    datasets
        Datasets one after the other, or a function that makes one from a NumPy generator.
    neighbours
        A relation (by default one row is removed), or a function from a dataset to neighbours.
    epsilon, delta
        What is claimed.
    samples, screening
        How many draws an audit makes on each dataset, and how many the screening of a pair does.
    budget
        How many pairs are screened at most.
    audits
        How many pairs are audited at most.
    alpha, features, progress, seed
        As in an audit; progress is told (pairs done, pairs in all).

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import search_pairs
    >>> rng = np.random.default_rng(0)
    >>> def noisy_mean(data, n):
    ...     return np.round(8 * data.mean() + rng.laplace(size=n))
    >>> def any_data(generator):
    ...     return generator.integers(0, 9, size=3)
    >>> found = search_pairs(noisy_mean, any_data, epsilon=1, samples=20_000, budget=10)
    >>> found.violated, found.screened
    (True, 10)
    """
    most, chance = read_count(audits, "audits"), read_inside(alpha, "alpha", write="1e-6")
    few = read_samples(screening, "screening")
    pairs = _pairs(datasets, neighbours, read_count(budget, "budget"), read_seed(seed))
    most = min(most, len(pairs))
    look = partial(audit, release, epsilon=epsilon, delta=delta, features=features, seed=seed)
    look = partial(look, progress=_silent)
    with Meter(len(pairs) + most, progress) as meter:
        chosen = _most_suspicious(pairs, partial(look, samples=few), most, meter)
        audited = {}
        for index in chosen:
            audited[index] = look(*pairs[index], samples=samples, alpha=chance / most)
            meter.advance(1)
    worst = max(audited, key=lambda index: audited[index].epsilon)
    return PairSearch(audited[worst], worst, pairs[worst], audited, len(pairs), float(chance))


def _most_suspicious(
    pairs: list[tuple[Any, Any]], look: Callable[..., AuditReport], most: int, meter: Meter
) -> list[int]:
    """Return which pairs seem to tell most, by few draws on each."""
    suspicion = []
    for pair in pairs:
        suspicion.append(-look(*pair, alpha=_SCREENING_ALPHA).epsilon)
        meter.advance(1)
    chosen: list[int] = np.argsort(suspicion, kind="stable")[:most].tolist()
    return chosen


def _silent(done: int, total: int) -> None:
    """Say nothing of single audits within a search."""


def _pairs(
    datasets: Datasets, neighbours: Neighbours | None, budget: int, seed: int
) -> list[tuple[Any, Any]]:
    rng = np.random.default_rng(seed)
    pairs = list(islice(neighbouring_pairs(datasets, neighbours, rng), budget))
    if not pairs:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no dataset has a neighbour",
            "give datasets of at least one row, and with rows that differ where one replaces "
            "another",
        )
    return pairs
