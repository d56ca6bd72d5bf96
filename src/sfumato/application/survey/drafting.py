"""A survey's file, written with remarks for whoever opens it, and what was chosen."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.precision import wishes
from sfumato.application.survey.render import (
    described_survey,
    first_answers,
    guarantees,
    hiding,
    reason,
)
from sfumato.data import check_free, put_in_place
from sfumato.errors import InputError
from sfumato.printing import Printed, fitted, places
from sfumato.refusal import Command
from sfumato.survey import ChoiceQuestion, Survey, written_survey
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sfumato.application.survey.precision import Wish


_WIDTH = 120
_LABEL = 13
_ABOVE = """\
# A survey: the people who are asked and the collector share this file.
# Reports carry a digest of all of it.  Whoever changes a word makes another survey, of which
# earlier reports are not counted: finish it before you send it.
"""
_IDS = "# with ids, a report says whose it is, so that nobody counts twice; the answer stays hidden"
_BELOW = """
# Another question goes here, with choices or with bounds.  What the reports tell adds up.
#
# [questions.hours]
# text = "How many hours did you sleep?"
# bounds = [0, 24]
# epsilon = 1
"""


@dataclass(frozen=True, kw_only=True)
class SurveyDraft(Printed):
    """A survey's file that was written.

    Attributes
    ----------
    path
        Where it is.
    survey
        What it describes.
    chosen
        The questions whose protocol was chosen for them.
    """

    path: str
    survey: Survey
    chosen: Collection[str] = ()

    def done(self) -> str:
        """Say that the file is written, for where nothing else can be said."""
        return tr("the survey is in {path}", path=self.path)

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return what was chosen, what a report tells, and how to go on.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, but for commands.
        """
        said = [line for name in self.survey.questions for line in self._of(name)]
        head = tr(
            "{path} is written: the survey {name!r}, {digest}",
            path=self.path,
            name=self.survey.name,
            digest=self.survey.digest,
        )
        told = [head, *said, *guarantees(self.survey), _needed(self.survey)]
        return [*fitted(told, width), *self._commands()]

    def as_dict(self) -> dict[str, Any]:
        """Return what was written, ready for JSON."""
        return {"file": self.path, **described_survey(self.survey)}

    def _of(self, name: str) -> list[str]:
        """Return how answers to a question are hidden, and why so."""
        question = self.survey.questions[name]
        why = [_labelled(tr("why"), reason(question))] if name in self.chosen else []
        return [f"{name:<{_LABEL - 2}}  {hiding(question)}", *why]

    def _commands(self) -> list[str]:
        file = shlex.quote(self.path)
        return [
            _labelled(
                tr("to answer"), Command(f"survey answer {file} {first_answers(self.survey)}")
            ),
            _labelled(
                tr("to simulate"),
                Command(f"survey simulate {file} --people 1000 --out reports.csv"),
            ),
            _labelled(tr("to collect"), Command(f"survey collect {file} reports.csv")),
        ]


def _labelled(label: str, said: str | Command) -> str:
    return f"{label}{' ' * (_LABEL - places(label))}{said}"


def draft_survey(path: str, described: Mapping[str, Any], *, replace: bool = False) -> SurveyDraft:
    """Write a survey's file.

    Parameters
    ----------
    path
        Where to, ending in .toml.
    described
        As in ``sf.Survey``.
    replace
        Whether another file may be there.
    """
    if not path.lower().endswith(".toml"):
        raise InputError(
            "E-OUTPUT-NAME",
            "{path!r} is no name of a survey's file",
            "let it end in .toml",
            path=path,
        )
    survey = Survey(**described)
    check_free(path, replace=replace)
    with put_in_place(path) as draft:
        draft.write_text(_commented(survey), encoding="utf-8")
    questions = described["questions"]
    chosen = {name for name in questions if questions[name].get("protocol", "auto") == "auto"}
    return SurveyDraft(path=path, survey=survey, chosen=chosen)


def _needed(survey: Survey) -> str:
    """Return how many people are needed for a usual precision."""
    try:
        wanted = wishes(survey, {"": "0.05"})
    except InputError:
        return tr(
            "intervals of a tenth of all that is possible would take more people than there are"
        )
    people = max(each.people for each in wanted)
    lengths = ", ".join(dict.fromkeys(_length(survey, each) for each in wanted))
    return tr(
        "{people:,} people give intervals of at most {lengths}, with 95 % confidence",
        people=people,
        lengths=lengths,
    )


def _length(survey: Survey, wish: Wish) -> str:
    shares = isinstance(survey.questions[wish.question], ChoiceQuestion)
    return (
        wish.said
        if shares
        else tr("{said} for {question!r}", said=wish.said, question=wish.question)
    )


def _commented(survey: Survey) -> str:
    head, name, ids, rest = written_survey(survey).split("\n", 3)
    return "\n".join([_ABOVE, head, name, _IDS, ids, rest]) + _BELOW
