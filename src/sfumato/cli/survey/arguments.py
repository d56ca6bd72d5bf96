"""What the verbs about surveys share: which word names the survey's file, and a few options."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.arguments import flag, option, read_names, setting
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_BOUNDS = re.compile(r"\s*([^,:\s]+)\s*:\s*([^,:\s]+)\s*")
_DASHED = re.compile(r"(-?[\d.]+)\s*(?:-|–|\.\.)\s*([\d.]+)")
#: How a survey is described, for hints.
EXAMPLE = "--question cheated --choices yes,no --epsilon 1"


@dataclass(frozen=True, kw_only=True)
class Description:
    """What options say of a survey; nothing where a file does."""

    question: Annotated[
        list[str],
        option("NAME", "A question: cheated, or with its answers: cheated=yes,no, hours=0:24."),
    ] = field(default_factory=list)
    choices: Annotated[list[str], option("A,B", "What may be answered to it: yes,no.")] = field(
        default_factory=list
    )
    bounds: Annotated[
        str, option("LOW:HIGH", "Or between which numbers the answer lies: 0:24.")
    ] = ""
    epsilon: Annotated[
        str, option("NUMBER", "The ε of a report for one answer: 1, or 'ln(2)'.")
    ] = ""
    truth: Annotated[str, option("NUMBER", "Or the probability of the true answer: 2/3.")] = ""
    protocol: Annotated[
        str,
        option(
            "NAME",
            "Frequency oracle: response, subset, unary, hadamard, hashing, permanent; else what "
            "suits.",
        ),
    ] = ""
    lifetime: Annotated[
        str, option("NUMBER", "If asked repeatedly: the ε of all reports of one answer.")
    ] = ""
    text: Annotated[str, option("TEXT", "What people are asked, in words.")] = ""
    name: Annotated[
        str, option("NAME", "Tells it from other surveys with these questions, if not survey.")
    ] = ""
    ids: Annotated[bool, flag("--ids", "Reports carry an id of their person.")] = False

    @property
    def given(self) -> str:
        """The first option that is given, but --question."""
        said = (name for name, value in asdict(self).items() if value and name != "question")
        return next((f"--{name}" for name in said), "")

    def read(self) -> dict[str, Any]:
        """Return the survey that is described, as ``sf.Survey`` takes it; empty if none is."""
        if not self.question:
            if self.given:
                raise InputError(
                    "E-OPTION-CONFLICT",
                    "{given} describes a question",
                    "name it too, as in {example}, or leave {given} out where a file describes it",
                    given=self.given,
                    example=EXAMPLE,
                )
            return {}
        self._check_alone()
        named = {"name": self.name} if self.name else {}
        return {"questions": self._questions(), **named, **({"ids": True} if self.ids else {})}

    def _questions(self) -> dict[str, Any]:
        questions: dict[str, Any] = {}
        for each in self.question:
            name, _, answers = each.partition("=")
            if name in questions:
                raise InputError(
                    "E-ARGUMENT-TWICE",
                    "--question names {name!r} twice",
                    "give each name once",
                    name=name[:60],
                )
            questions[name] = {**self._answers(name, answers), **self._settings}
        return questions

    def _answers(self, name: str, answers: str) -> dict[str, Any]:
        """Return what may be answered, beside the name or by an option of its own."""
        choices, bounds = self.choices, self.bounds
        if answers:
            self._check_said_once(name, answers)
            choices, bounds = _beside(name, answers)
        if choices and not bounds:
            return {"choices": read_names(choices)}
        between = _BOUNDS.fullmatch(bounds)
        if choices or between is None:
            if bounds:
                raise InputError(
                    "E-OPTION-VALUE",
                    "--bounds takes 0:24, say",
                    "{bounds!r} is not of this form",
                    bounds=bounds[:60],
                )
            raise InputError(
                "E-OPTION-CONFLICT",
                "what may be answered to {name!r} is given by either --choices or --bounds",
                "write --choices yes,no or --bounds 0:24, say",
                name=name[:60],
            )
        return {"bounds": (between[1], between[2])}

    def _check_said_once(self, name: str, answers: str) -> None:
        other = "--choices" if self.choices else "--bounds" if self.bounds else ""
        if other:
            raise InputError(
                "E-OPTION-CONFLICT",
                "{other} and --question {name}={answers} both say what may be answered",
                "leave one of them out",
                other=other,
                name=name[:60],
                answers=answers[:60],
            )

    @property
    def _settings(self) -> dict[str, str]:
        settings = {
            "epsilon": self.epsilon,
            "truth": self.truth,
            "protocol": self.protocol,
            "lifetime": self.lifetime,
            "text": self.text,
        }
        return {name: value for name, value in settings.items() if value}

    def _check_alone(self) -> None:
        """Refuse what can be said of one question alone where there are several."""
        own = {"--choices": self.choices, "--bounds": self.bounds, "--text": self.text}
        said = next((name for name, value in own.items() if value), "")
        if said and len(self.question) > 1:
            raise InputError(
                "E-OPTION-CONFLICT",
                "{said} cannot say which of {count} questions it belongs to",
                "write --question cheated=yes,no --question hours=0:24, say, and the rest "
                "into the file that 'sfumato survey new' makes",
                said=said,
                count=len(self.question),
            )


def _beside(name: str, answers: str) -> tuple[list[str], str]:
    """Return the choices or the bounds that stand beside a question's name."""
    if _BOUNDS.fullmatch(answers):
        return [], answers
    dashed = _DASHED.fullmatch(answers)
    if dashed:
        raise InputError(
            "E-OPTION-VALUE",
            "--question {name}={answers} has one choice",
            "write {name}={low}:{high} for the numbers between",
            name=name[:60],
            answers=answers[:60],
            low=dashed[1],
            high=dashed[2],
        )
    return [answers], ""


Confidence = Annotated[
    str, setting("NUMBER", "The level at which all confidence intervals of a question hold.")
]
Consistent = Annotated[bool, flag("--consistent", "Make shares 0 or more, and sum to 1.")]
Pairs = Annotated[list[str], option("A,B", "Two questions, for a cross-table: meal,again.")]
Files = Annotated[
    list[str],
    typer.Argument(
        metavar="[SURVEY]",
        help="The survey's file, unless --question describes it.",
        show_default=False,
    ),
]


def first_file(words: Sequence[str], *, described: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the survey's file and the other words; no file where options describe the survey."""
    if described:
        _check_one_description(words)
        return "", list(words)
    if not words:
        raise InputError(
            "E-OPTION-MISSING",
            "no survey is named",
            "write the name of its file, which 'sfumato survey new' makes, or {example}, say",
            example=EXAMPLE,
        )
    return words[0], list(words[1:])


def only_file(words: Sequence[str], *, described: Mapping[str, Any]) -> str:
    """Return the survey's file where no other word is expected."""
    file, others = first_file(words, described=described)
    if others:
        raise InputError(
            "E-OPTION-VALUE",
            "there is one word too many, {others!r}",
            "see --help",
            others=others[0][:60],
        )
    return file


def _check_one_description(words: Sequence[str]) -> None:
    if words and words[0].lower().endswith(".toml") and Path(words[0]).is_file():
        raise InputError(
            "E-OPTION-CONFLICT",
            "{words!r} describes a survey, and so does --question",
            "leave one of them out",
            words=words[0],
        )
