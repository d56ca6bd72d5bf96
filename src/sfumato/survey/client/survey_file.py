"""The small file that describes a survey, shared by the people asked and the collector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import quoted
from sfumato.documents import check_known, read_text, read_toml
from sfumato.errors import InputError, at
from sfumato.survey.client.questions import ChoiceQuestion, Question
from sfumato.survey.client.survey import Survey
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction


_WORDS = ("format", "name", "ids", "questions")
_LARGEST = 2**28
_A_QUESTION = mark(
    'write [questions.cheated] on a line, and below it choices = ["yes", "no"] and '
    "epsilon = 1 on a line each, or let 'sfumato survey new' write the file"
)


def read_survey(path: str | Path) -> Survey:
    r"""Return the survey that a TOML file describes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import sfumato as sf
    >>> text = '[questions.cheated]\nchoices = ["yes", "no"]\ntruth = "2/3"\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "class.toml")
    ...     _ = file.write_text(text)
    ...     print(sf.survey.read_survey(file).guarantee)
    ln(2)-DP (substitute one person)
    """
    path = Path(path)
    content = _load(path)
    check_known(content, _WORDS, "setting", path.name)
    if content.get("format", 1) != 1:
        raise InputError(
            "E-FORMAT-VERSION",
            "{path} has a format that this version does not know",
            "write format = 1",
            path=path.name,
        )
    questions = content.get("questions")
    if not isinstance(questions, dict) or not questions:
        raise InputError(
            "E-SURVEY-EMPTY",
            "{path}: a survey has at least one question",
            "{a_question}",
            path=path.name,
            a_question=_A_QUESTION,
        )
    with at(path.name):
        return Survey(
            questions,
            name=content.get("name", "survey"),
            ids=content.get("ids", False),
        )


def written_survey(survey: Survey) -> str:
    """Return the text of a survey's file; reading it gives the same survey."""
    head = ["format = 1", f"name = {_toml(survey.name)}", f"ids = {_toml(survey.ids)}"]
    return "\n".join([*head, *map(_section, survey.questions.values())]) + "\n"


def _section(question: Question) -> str:
    lines = [f"\n[questions.{_key(question.name)}]", f"text = {_toml(question.text)}"]
    if isinstance(question, ChoiceQuestion):
        lines.append(f"choices = {_toml(list(question.choices))}")
    else:
        lines.append(f"bounds = {_toml([_number(each) for each in question.bounds])}")
    lines.append(f"epsilon = {_toml(question.loss.text)}")
    if isinstance(question, ChoiceQuestion):
        lifetime = getattr(question.protocol, "lifetime", None)
        lines += [] if lifetime is None else [f"lifetime = {_toml(lifetime.text)}"]
        lines.append(f"protocol = {_toml(question.protocol.name)}")
    return "\n".join(lines)


def _number(bound: Fraction) -> int | str:
    return int(bound) if bound.denominator == 1 else str(bound)


def _key(name: str) -> str:
    return name if name.isascii() else _toml(name)


def _toml(value: Any) -> str:
    """Return a TOML value: texts, lists and booleans of JSON are TOML too, but for one letter."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _load(path: Path) -> dict[str, Any]:
    mend = mark("write one with 'sfumato survey new', say")
    content = read_text(path, quoted(path), most=_LARGEST, mend=mend)
    if len(content) > _LARGEST:
        raise InputError("E-TOO-LARGE", "{path} is too large to describe a survey", path=path.name)
    return read_toml(content, path.name)
