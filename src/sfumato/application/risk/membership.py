"""Membership inference: can anybody tell from a model whether a person was in its training data.

A model is trained again and again, with the person and without, and scored on them each time.  What
the scores prove about ε is worked out by :func:`sfumato.audit.membership`.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.risk.membership_report import MembershipAttack
from sfumato.application.risk.training_rows import TrainingRows
from sfumato.application.targets import load_callable, load_dataset
from sfumato.audit import membership
from sfumato.data import open_source
from sfumato.errors import InputError
from sfumato.privacy.parameters import read_count
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

    Train = Callable[[Any], Any]
    Score = Callable[[Any, Any], float]
    Progress = Callable[[int, int], None]

__all__ = ["attack_model", "attack_scores", "attack_target"]

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
            model = _called(train, data, name=mark("the training function"))
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
        return _number(_called(score, model, row, name=_SCORE), _SCORE)
    if callable(model):
        return _number(_called(model, row, name=_MODEL), _MODEL)
    raise InputError(
        "E-MODEL-NOT-CALLABLE",
        "the model cannot be called with a row",
        "give score, a function of the model and the row that returns a number",
    )


def _number(returned: Any, name: str) -> float:
    """Return a number as a float; refuse at once what is none, before more models are trained."""
    single = np.ndim(returned) == 0 and not isinstance(returned, (str, bytes))
    with suppress(TypeError, ValueError, OverflowError):
        if single and not math.isnan(number := float(returned)):
            return number
    kind = type(returned).__name__
    raise InputError(
        "E-FUNCTION-RESULT",
        "{name} must return a number that a float can hold",
        "it returned {found}",
        name=name,
        found="NaN" if isinstance(returned, float) else text("a value of type {kind}", kind=kind),
    )


def _called(function: Callable[..., Any], *given: Any, name: str) -> Any:
    """Return what a function of the caller gives; refuse one that raises, or ends the program."""
    try:
        return function(*given)
    except (Exception, SystemExit, GeneratorExit) as error:
        raise InputError(
            "E-FUNCTION-RAISED",
            "{name} raised {kind}",
            "call it alone to see why, and give one that returns",
            name=name,
            kind=type(error).__name__,
        ) from error


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
