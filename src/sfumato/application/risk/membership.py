"""Membership inference: can anybody tell from a model whether a person was in its training data.

A model is trained again and again, with the person and without, and scored on them each time.  What
the scores prove about ε is worked out by :func:`sfumato.audit.membership`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass
from math import log
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.auditing import load_callable, load_dataset
from sfumato.audit import as_number, called, membership
from sfumato.data import open_source
from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.printing import NotPrivate, fitted, pictured, whole_page
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.audit import MembershipReport
    from sfumato.privacy.theorems import EpsilonLike, NumberLike

    Train = Callable[[Any], Any]
    Score = Callable[[Any, Any], float]
    Progress = Callable[[int, int], None]


_WIDTH = 79


@dataclass(frozen=True)
class MembershipAttack(NotPrivate):
    """What an attack on a model finds, against what its guarantee allows.

    Attributes
    ----------
    report
        The curve of the attack, and what it proves about ε.
    """

    report: MembershipReport

    @property
    def violated(self) -> bool:
        """Whether the attack proves more than was claimed; if not, nothing is proved."""
        return self.report.violated

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""
        return fitted(self.report.lines(), _WIDTH)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        return self.report.as_dict()

    def to_html(self) -> str:
        """Return the findings and the curve as a page of its own."""
        return whole_page(self.findings()[0], self._repr_html_())

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.report.plot)


_LEAST_ROWS = 2


class TrainingRows:
    """People as rows: a list, an array or a data frame, from which one can be left out.

    Whatever is given out is a copy of its own, so that nobody who shuffles it or takes it apart
    changes the people.
    """

    def __init__(self, records: Any) -> None:
        self.held = records
        self.size = _rows(records)
        if self.size < _LEAST_ROWS or not self._can_leave_out():
            raise InputError(
                "E-ARGUMENT-TYPE",
                "{records} must be a list, an array or a data frame of 2 rows or more",
                records=Argument("records"),
            )

    def row(self, which: int) -> Any:
        """Return one person's row."""
        return deepcopy(self._row(which))

    def everybody(self) -> Any:
        """Return all rows, held as they were given."""
        return deepcopy(self.held)

    def without(self, which: int) -> Any:
        """Return everybody else's rows, held as they were given."""
        rest = [place for place in range(self.size) if place != which]
        if hasattr(self.held, "iloc"):
            return deepcopy(self.held.iloc[rest])
        if hasattr(self.held, "__array__"):
            return deepcopy(self.held[rest])
        return deepcopy([self.held[place] for place in rest])

    def index(self, which: Any) -> int:
        """Return the number of a row that is there."""
        whole = isinstance(which, Integral) and not isinstance(which, bool)
        if whole and 0 <= which < self.size:
            return int(which)
        raise InputError(
            "E-ARGUMENT-RANGE",
            "the person must be the number of a row, from 0 to {last:,}, not {which}",
            last=self.size - 1,
            which=shown(which),
        )

    def rarest(self) -> int:
        """Return the row whose values are rarest, each in its column; the first of several."""
        rows = [_cells(self._row(place)) for place in range(self.size)]
        columns = [Counter(column) for column in zip(*rows, strict=False)]
        commonness = [
            sum(log(counts[cell]) for counts, cell in zip(columns, row, strict=False))
            for row in rows
        ]
        return commonness.index(min(commonness))

    def _row(self, which: int) -> Any:
        return self.held.iloc[which] if hasattr(self.held, "iloc") else self.held[which]

    def _can_leave_out(self) -> bool:
        """Tell whether rows are found by their numbers, as in a table of columns they are not."""
        try:
            return len(self.without(0)) == self.size - 1
        except (TypeError, LookupError):
            return False


def _rows(records: Any) -> int:
    """Return how many rows there are; none in a text, and none where they have no order."""
    if isinstance(records, (str, bytes, Mapping, AbstractSet)):
        return 0
    try:
        return len(records)
    except TypeError:
        return 0


def _cells(row: Any) -> tuple[str, ...]:
    """Return the values of a row as text; a single value is a row of one."""
    if isinstance(row, dict):
        row = tuple(row.values())
    single = isinstance(row, (str, bytes)) or not hasattr(row, "__len__")
    return (str(row),) if single else tuple(str(each) for each in row)


_MEMBERS = {"1": True, "1.0": True, "true": True, "yes": True, "in": True, "member": True}
_OTHERS = {"0": False, "0.0": False, "false": False, "no": False, "out": False, "other": False}
_WORDS = {**_MEMBERS, **_OTHERS}
_MODEL, _SCORE = mark("the model"), mark("the score")


def attack_model(
    train: Train,
    records: Any,
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    target: int | None = None,
    score: Score | None = None,
    smaller: bool = False,
    trials: int = 1000,
    alpha: NumberLike = 1e-6,
    progress: Progress | None = None,
) -> MembershipAttack:
    """Train a model with and without one person, again and again, and see whether it tells.

    Each score comes from a training of its own, so that the bound on ε is about the training
    algorithm :cite:p:`yeom2018privacy`.

    Parameters
    ----------
    train
        Takes records, returns a model.  Each call gets a copy of its own.
    records
        A list, an array or a data frame: one row a person.
    epsilon, delta
        What is claimed of the training, for adding or removing one person.
    target
        Which row is the person, from 0; without it the row whose values are rarest.
    score
        Takes a model and the person's row, returns a number: the greater, the likelier they were
        in the data.  Without it the model itself is called with the row, as is usual where it
        returns how sure it is.
    smaller
        Whether a smaller score says that they were in the data, as a loss does.
    trials
        How many models are trained with the person, and as many without.
    alpha
        The probability with which the bound on ε may exceed the truth.
    progress
        Called with how many models are trained, and of how many.
    """
    people = TrainingRows(records)
    which = people.rarest() if target is None else people.index(target)
    count = read_count(trials, "trials")
    scores: tuple[list[float], list[float]] = ([], [])
    for trial in range(1, count + 1):
        for data, side in zip((people.everybody(), people.without(which)), scores, strict=True):
            model = called(train, data, name=mark("the training function"))
            side.append(_score(score, model, people.row(which)))
        if progress is not None:
            progress(2 * trial, 2 * count)
    return MembershipAttack(
        membership(*scores, epsilon=epsilon, delta=delta, alpha=alpha, smaller=smaller)
    )


def attack_target(
    target: str, *, data: str, score: str | None = None, person: int | None = None, **options: Any
) -> MembershipAttack:
    """Attack a training function that is named, on a dataset that is written or named.

    Parameters
    ----------
    target, score
        ``module:function`` of the training, and of the score.
    data
        JSON, a file, or ``module:name``.
    person
        Which row is the person, from 0.
    options
        Those of :func:`attack_model`.
    """
    train, judged = load_callable(target), None if score is None else load_callable(score)
    return attack_model(train, load_dataset(data), target=person, score=judged, **options)


def attack_scores(
    file: Any,
    *,
    score: str,
    member: str,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    smaller: bool = False,
    alpha: NumberLike = 1e-6,
) -> MembershipAttack:
    """Compare scores that an attack gave, one row a trial, with what a guarantee allows.

    Parameters
    ----------
    file
        A file or frame.
    score, member
        The column of the scores, and the column that says whether the person was in the training
        data: 1 and 0, yes and no, true and false, or in and out.
    epsilon, delta
        What is claimed of the training.
    smaller
        Whether a smaller score says that they were in it, as a loss does.
    alpha
        The probability with which the bound on ε may exceed the truth.
    """
    source = open_source(file)
    source.check_columns([score, member])
    fetched = source.fetch(source.table.select(score, member))
    values = _numbers(fetched[score].to_pylist(), score)
    inside = _memberships(fetched[member].to_pylist(), member)
    sides = values[inside], values[~inside]
    return MembershipAttack(
        membership(*sides, epsilon=epsilon, delta=delta, alpha=alpha, smaller=smaller)
    )


def _score(score: Score | None, model: Any, row: Any) -> float:
    if score is not None:
        return as_number(called(score, model, row, name=_SCORE), _SCORE)
    if callable(model):
        return as_number(called(model, row, name=_MODEL), _MODEL)
    raise InputError(
        "E-MODEL-NOT-CALLABLE",
        "the model cannot be called with a row",
        "give score, a function of the model and the row that returns a number",
    )


def _numbers(cells: list[Any], name: str) -> NDArray[np.float64]:
    try:
        values = np.array([float(cell) for cell in cells])
    except (TypeError, ValueError):
        raise InputError(
            "E-SCORES-FORM",
            "the column {name!r} has a score that is no number",
            "give every trial a number",
            name=name,
        ) from None
    return values


def _memberships(cells: list[Any], name: str) -> NDArray[np.bool_]:
    words = [str(cell).strip().lower() for cell in cells]
    if not set(words) <= set(_WORDS):
        raise InputError(
            "E-SCORES-FORM",
            "the column {name!r} must say of each trial whether the person was in the "
            "training data: 1 or 0, yes or no, true or false, in or out",
            name=name,
        )
    return np.array([_WORDS[word] for word in words], dtype=np.bool_)
