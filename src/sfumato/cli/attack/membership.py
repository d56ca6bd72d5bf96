"""The verb ``attack membership``: whether a model tells who was in its training data."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, flag, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import (
    check_files,
    ending_with,
    only_answers,
    progressing,
    write_fitted,
    write_page,
    write_picture,
)
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

Target = Annotated[
    str,
    typer.Argument(
        metavar="FILE|MODULE:FUNCTION",
        help="A table of scores, one row a trial; or a function that trains a model.",
    ),
]
Epsilon = Annotated[str, setting("NUMBER", "The claimed ε: 1, or ln(2)")]
Delta = Annotated[str, setting("NUMBER", "The claimed δ.")]
Score = Annotated[
    str,
    setting(
        "NAME", "The column of scores; or module:function of a model and a row.", default=False
    ),
]
Member = Annotated[
    str, setting("NAME", "The column that says who was in: 1 or 0, in or out.", default=False)
]
Smaller = Annotated[bool, flag("--smaller", "A smaller score says 'was in', as a loss does.")]
Data = Annotated[
    str, setting("DATA", "What to train on: a file, JSON, or module:name.", default=False)
]
Person = Annotated[
    str,
    setting(
        "NUMBER",
        "The row to look for, from 0; without it the one with the rarest values.",
        default=False,
    ),
]
Trials = Annotated[str, setting("NUMBER", "How many models with the person, and without.")]
Alpha = Annotated[str, setting("NUMBER", "The probability of a false positive, at most.")]


@explained()
@options_named("epsilon", "delta", "alpha", "trials", records="--data")
def membership(
    target: Target,
    *,
    epsilon: Epsilon,
    delta: Delta = "0",
    score: Score = "",
    member: Member = "",
    smaller: Smaller = False,
    data: Data = "",
    person: Person = "",
    trials: Trials = "1000",
    alpha: Alpha = "1e-6",
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Tell from a model who was in its training data, and compare with what ε allows.

    With --data, models are trained with one person and without, again and again, and scored on
    them. Otherwise the file has the scores of such an attack. Under (ε, δ) the true positive rate
    is at most e^ε times the false positive rate, plus δ. Exit code 5 says that more was found. An
    attack that finds nothing proves nothing. The figures are for the data owner.
    """
    spared = [each for each in (target, data) if _is_file(each)]
    check_files(html=html, plot=plot, spared=spared)
    if data:
        _refuse_member(member)
        with only_answers(), progressing(target) as progress:
            report = application.attack_target(
                target,
                data=data,
                score=score or None,
                person=_read_person(person),
                smaller=smaller,
                epsilon=epsilon,
                delta=delta,
                trials=read_whole(trials, "--trials"),
                alpha=alpha,
                progress=progress,
            )
    else:
        _check_columns(target, score, member, person)
        report = application.attack_scores(
            target,
            score=score,
            member=member,
            epsilon=epsilon,
            delta=delta,
            smaller=smaller,
            alpha=alpha,
        )
    with ending_with("refuted" if report.violated else "proved"):
        write_fitted(report, json=json)
        write_page(html, report.to_html)
        write_picture(plot, report.report.plot)


def _is_file(text: str) -> bool:
    """Tell whether a text names a file; JSON may be longer than any name."""
    with suppress(OSError):
        return Path(text).is_file()
    return False


def _read_person(person: str) -> int | None:
    number = application.whole(person)
    if person and (number is None or number < 0):
        raise InputError(
            "E-OPTION-VALUE",
            "--person takes the number of a row, from 0",
            "{person!r} is not",
            person=person[:60],
        )
    return number


def _refuse_member(member: str) -> None:
    if member:
        raise InputError(
            "E-OPTION-CONFLICT",
            "--member names a column of a table of scores",
            "leave it out with --data",
        )


def _check_columns(target: str, score: str, member: str, person: str) -> None:
    """Say what is missing, or too much, in the words of what was meant."""
    if score and member and not person:
        return
    if score and member:
        failure = InputError(
            "E-OPTION-CONFLICT",
            "--person is a row of --data",
            "leave it out with a table of scores",
        )
    elif ":" in target:
        failure = InputError(
            "E-OPTION-MISSING",
            "{target!r} is trained on data",
            "add --data, a file or module:name",
            target=target[:60],
        )
    else:
        failure = InputError(
            "E-OPTION-MISSING",
            "a table of scores needs --score and --member, the names of two columns",
        )
    raise failure
