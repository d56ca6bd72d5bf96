"""How much of a column could be reconstructed if many counts about it were answered.

The attack runs on the owner's own column: random halves of the people are counted, exactly or with
exact noise that makes all answers together ε-differentially private, and the column is
reconstructed from the answers alone.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import count_groups, open_source
from sfumato.errors import InputError
from sfumato.mechanisms import DiscreteLaplace
from sfumato.numeric import read_count, shown
from sfumato.printing import (
    NotPrivate,
    aligned,
    as_svg,
    counted,
    cut,
    drawn,
    fitted,
    pictured,
    setting,
    share,
    whole_page,
)
from sfumato.privacy import Substitute, usable_epsilon
from sfumato.risk import read_bits, reconstruct
from sfumato.sampling import read_source
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sfumato.printing import Chart
    from sfumato.sampling import BitSource


_WIDTH, _MOST_WIDE = 79, 60
_TENTH = Decimal("0.1")


def allowed_share(epsilon: float | None, commoner: float) -> float:
    """Return which share of a column any attack on ε-private answers finds on average, at most.

    Let a value be the commoner one with probability q, independently of the others.  Let x be the
    probability that an attack guesses the commoner value where it is true, and y where it is not.
    Under a guarantee for a change of one person's value x ≤ e^ε·y, y ≤ e^ε·x, and the same of 1 - x
    and 1 - y.  The pairs (x, y) of which this holds with x ≥ y are a triangle: its corners are
    (1, 1), always to guess the commoner value; (0, 0), always the other; and randomised response,
    x = 1 - y = e^ε/(1 + e^ε).  The guess is right with probability q·x + (1 - q)·(1 - y), which is
    linear and so greatest at a corner: max(q, 1 - q, e^ε/(1 + e^ε)).  The number of right guesses
    of fair coins even lies below a binomial with that probability :cite:p:`steinke2023auditing`.

    Parameters
    ----------
    epsilon
        The total ε; None for exact answers, which may give everything away.
    commoner
        The probability q of the commoner value.
    """
    if epsilon is None:
        return 1.0
    return max(commoner, 1 - commoner, 1 / (1 + math.exp(-epsilon)))


@dataclass(frozen=True)
class Trial:
    """The attack at one level of noise.

    Attributes
    ----------
    epsilon
        The ε of all answers together; None where they are exact.
    scale
        The noise scale of each answer.
    right, people
        How many values were reconstructed, and of how many.
    allowed
        The share that ε lets any attack find on average.
    """

    epsilon: float | None
    scale: float
    right: int
    people: int
    allowed: float

    @property
    def share_right(self) -> float:
        """Which share of the values was reconstructed."""
        return self.right / self.people

    @property
    def title(self) -> str:
        """The ε, or that the answers are exact."""
        return tr("none, exact") if self.epsilon is None else f"ε = {setting(self.epsilon)}"


@dataclass(frozen=True, kw_only=True)
class ColumnAttack(NotPrivate):
    """How much of a column answers about it give away, exact and at several ε.

    Attributes
    ----------
    name
        The column.
    rows
        How many rows the table has.
    people, ones
        How many people were attacked, and how many of them have a 1.
    queries
        How many random halves were counted.
    most_questions
        How many of these one person is in at most: so much do all answers together change.
    exact
        The attack on exact answers.
    trials
        The attack at each ε.
    """

    name: str
    rows: int
    people: int
    ones: int
    queries: int
    most_questions: int
    exact: Trial
    trials: tuple[Trial, ...]

    @property
    def share_guessed(self) -> float:
        """Which share is right if everybody is given the commoner value."""
        return max(self.ones, self.people - self.ones) / self.people

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""
        rows = [
            (each.title, f"{each.scale:.4g}", share(each.share_right), _at_most(each.allowed))
            for each in (self.exact, *self.trials)
        ]
        header = (
            tr("ε of all answers"),
            tr("noise"),
            tr("reconstructed"),
            tr("allowed on average"),
        )
        return [
            *fitted([self._answer(), *self._compared()], _WIDTH),
            *self._read(),
            *aligned([header, *rows], right={1, 2, 3}),
            tr(
                "always guessing the commoner value: {share_guessed}",
                share_guessed=share(self.share_guessed),
            ),
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        found = asdict(self)
        shares = {"share_guessed": self.share_guessed, "share_right": self.exact.share_right}
        return {**found, **shares}

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw how much is reconstructed at each ε, beside what is allowed and what a guess finds.

        Parameters
        ----------
        to
            Also write it into a file: ``.html``, ``.png`` or ``.svg``.
        """
        return drawn("reconstruction", self, to=to)

    def svg(self) -> str:
        """Return the picture of ``plot`` as SVG."""
        return as_svg(self.plot())

    def to_html(self) -> str:
        """Return the findings and the drawing as a page of its own."""
        return whole_page(self._answer(), self._repr_html_())

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.plot)

    def _answer(self) -> str:
        return tr(
            "from exact answers {right:,} of {people:,} values of {name} are reconstructed",
            right=self.exact.right,
            people=self.people,
            name=cut(self.name, _MOST_WIDE),
        )

    def _compared(self) -> list[str]:
        """Return, where it is so, that the attack is no better than a guess without answers."""
        if self.exact.share_right > self.share_guessed:
            return []
        return [tr("that is no more than guessing without any answer finds")]

    def _read(self) -> list[str]:
        return [
            tr(
                "{questions} about random halves of {people:,} of {rows}",
                questions=counted(self.queries, "question"),
                people=self.people,
                rows=counted(self.rows, "row"),
            )
        ]


def _at_most(share: float) -> str:
    """Return an upper bound in percent, rounded up."""
    return f"{(100 * Decimal(repr(share))).quantize(_TENTH, ROUND_CEILING)} %".replace(".0 ", " ")


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
