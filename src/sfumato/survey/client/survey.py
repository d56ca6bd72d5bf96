"""A survey: its questions, what it guarantees, and a person's report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sfumato.documents import check_known
from sfumato.errors import InputError, StoreError
from sfumato.refusal import Argument
from sfumato.survey.client.description import read_question
from sfumato.survey.client.draws import Draws, Loss, ProductDistribution, SecretDraws, total
from sfumato.survey.client.protocols import Permanent
from sfumato.survey.client.protocols.permanent import Memory
from sfumato.survey.client.questions import Question, guarantee_of

if TYPE_CHECKING:
    from sfumato.privacy import PureDP


_FORMAT = 1
_LONGEST = 200
_DIGEST = 16
_SECRET = SecretDraws()


class Survey:
    """Questions to people who randomise their answers themselves.

    Nobody is trusted with an answer: it is hidden before it leaves the person, and a report is
    all that is ever collected.

    Parameters
    ----------
    questions
        For each question's name its description: ``choices`` with ``epsilon`` (or ``truth``, the
        probability of the true answer), ``protocol`` ("auto" where it is left out), ``lifetime``
        (for a permanent answer) and ``text``; or ``bounds``, ``epsilon`` and ``text``.
    name
        The survey's name.
    ids
        Whether each report carries an id of its person, so that nobody is counted twice.

    Notes
    -----
    Proof: :doc:`/proofs/surveys`.

    Of two ways in which one person may answer, neither makes that person's report more than e^ε
    times likelier than the other, ε being the sum over the questions: pure differential privacy
    for substituting one person's answers, against everybody, the collector included.  That a
    person takes part, and the id where there is one, are not hidden.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}, name="class")
    >>> print(survey.guarantee)
    ln(2)-DP (substitute one person)
    >>> survey.answer({"cheated": "yes"})["cheated"] in ("yes", "no")
    True
    """

    def __init__(
        self, questions: Mapping[str, Any], *, name: str = "survey", ids: bool = False
    ) -> None:
        self.name = _read_name(name)
        self.ids = _read_ids(ids)
        self.questions: Mapping[str, Question] = MappingProxyType(_read_questions(questions))

    @cached_property
    def digest(self) -> str:
        """What tells this survey from every other: a hash of all that gives a report its meaning.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}).digest
        's...'
        """
        content = {
            "format": _FORMAT,
            "name": self.name,
            "ids": self.ids,
            "questions": [[name, each.describe()] for name, each in self.questions.items()],
        }
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return "s" + hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]

    @cached_property
    def loss(self) -> Loss:
        """What one report, with all its questions, may tell of its person.

        Examples
        --------
        >>> import sfumato as sf
        >>> colours = {"choices": ["red", "blue"], "epsilon": 1}
        >>> sf.Survey({"shoes": colours, "coat": colours}).loss.text
        '2'
        """
        return total([each.loss for each in self.questions.values()])

    @cached_property
    def lifetime(self) -> Loss | None:
        """What all reports of a person whose answers stay the same may tell; None if no bound.

        It is bounded where every question has a permanent answer.

        Examples
        --------
        >>> import sfumato as sf
        >>> mood = {"choices": ["good", "bad"], "epsilon": 1, "lifetime": 3}
        >>> sf.Survey({"mood": mood}).lifetime.text
        '3'
        """
        protocols = [each.protocol for each in self.questions.values()]
        lifetimes = [each.lifetime for each in protocols if isinstance(each, Permanent)]
        return total(lifetimes) if len(lifetimes) == len(protocols) else None

    @property
    def guarantee(self) -> PureDP:
        """What one report guarantees its person.

        Examples
        --------
        >>> import sfumato as sf
        >>> hours = {"bounds": (0, 24), "epsilon": 0.5}
        >>> print(sf.Survey({"hours": hours}).guarantee)
        0.5-DP (substitute one person)
        """
        return guarantee_of(self.loss)

    @property
    def lifetime_guarantee(self) -> PureDP | None:
        """What all reports of a person whose answers stay the same guarantee; None if no bound.

        Examples
        --------
        >>> import sfumato as sf
        >>> mood = {"choices": ["good", "bad"], "epsilon": 1, "lifetime": 3}
        >>> print(sf.Survey({"mood": mood}).lifetime_guarantee)
        3-DP (substitute one person)
        """
        return None if self.lifetime is None else guarantee_of(self.lifetime)

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries of a report, in their order.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}, ids=True).entries
        ('survey', 'person', 'tag', 'cheated')
        """
        return ("survey", *(("person", "tag") if self.ids else ()), *self.questions)

    def answer(
        self,
        answers: Mapping[str, Any],
        *,
        person: str | None = None,
        memory: Memory | str | PathLike[str] | None = None,
        draws: Draws = _SECRET,
    ) -> dict[str, int | str]:
        """Return one person's report: nothing else of the answers may leave the person.

        Parameters
        ----------
        answers
            An answer to every question.
        person
            The person's id, in a survey with ids.
        memory
            Where the person keeps permanent answers, for questions that have them: a ``Memory``,
            or the path of its file.
        draws
            Where chance comes from.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> report = survey.answer({"cheated": "yes"})
        >>> report["survey"] == survey.digest
        True
        >>> survey.answer({})
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: there is no answer to 'cheated'; answer every question, for \
to leave one out would tell something
        """
        read = self._read_answers(answers)
        kept = Memory(memory) if isinstance(memory, (str, PathLike)) else memory
        return {
            "survey": self.digest,
            **self._identity(person, draws),
            **{
                name: self._report(name, (person or "", read[name]), kept, draws)
                for name in self.questions
            },
        }

    def distribution(self, answers: Mapping[str, Any]) -> ProductDistribution:
        """Return the exact distribution of the report of answers: questions are independent.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> survey.distribution({"cheated": "yes"}).factors
        ({'no': Fraction(1, 3), 'yes': Fraction(2, 3)},)
        """
        self._read_answers(answers)
        questions = self.questions.items()
        return ProductDistribution(
            tuple(each.distribution(answers[name]) for name, each in questions)
        )

    def neighbours(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return two ways of answering that differ in every question, for ``sf.verify(survey)``.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> print(sf.verify(survey))
        proved: ln(2)-DP holds on the one pair that tests it hardest
        the least ε is ln(2) = 0.69314718056
        ...
        """
        apart = {name: each.neighbours()[0] for name, each in self.questions.items()}
        first, second = ({name: pair[k] for name, pair in apart.items()} for k in (0, 1))
        return [(first, second)]

    def _read_answers(self, answers: Any) -> dict[str, Any]:
        if not isinstance(answers, Mapping):
            first = next(iter(self.questions))
            raise InputError(
                "E-ANSWER-FORM",
                "answers come by the names of their questions",
                "write {{{first!r}: ...}}",
                first=first,
            )
        check_known(answers, self.questions, "question")
        for name in self.questions:
            if name not in answers:
                raise InputError(
                    "E-ANSWER-MISSING",
                    "there is no answer to {name!r}",
                    "answer every question, for to leave one out would tell something",
                    name=name,
                )
        return {name: each.read(answers[name]) for name, each in self.questions.items()}

    def _identity(self, person: str | None, draws: Draws) -> dict[str, str]:
        """Return whose report it is, and a tag that tells its copies from other reports."""
        if (person is None) == self.ids:
            if self.ids:
                raise InputError(
                    "E-RESPONDENT-ID",
                    "this survey counts each person once, by an id",
                    "write {person}, say",
                    person=Argument("person", "0042"),
                )
            raise InputError(
                "E-RESPONDENT-ID",
                "this survey has no ids",
                "leave {person} out",
                person=Argument("person"),
            )
        if person is None:
            return {}
        return {"person": _read_person(person), "tag": f"t{draws.below(2**64):016x}"}

    def _report(
        self, name: str, given: tuple[str, Any], memory: Memory | None, draws: Draws
    ) -> int | str:
        question, (person, answer) = self.questions[name], given
        protocol = question.protocol
        if not isinstance(protocol, Permanent):
            return question.randomize(answer, draws)
        if memory is None:
            raise InputError(
                "E-SURVEY-MEMORY",
                "question {name!r} has a permanent answer, which the person must keep",
                "write {memory}, say",
                name=name,
                memory=Argument("memory", "answers.db"),
            )
        drawn = _what_is_drawn(question)
        bits = memory.permanent(
            (drawn, person, answer), lambda: protocol.draw_permanent(answer, draws)
        )
        if not protocol.allows(bits):
            raise StoreError(
                "E-SURVEY-MEMORY",
                "{name} has been changed: what it keeps is no permanent answer",
                name=memory.path.name,
            )
        return protocol.report(bits, draws)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Survey) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        names = ", ".join(self.questions)
        return f"<Survey {self.name!r}: {names}; ε = {self.loss}, digest {self.digest}>"


def _what_is_drawn(question: Question) -> str:
    """Return all that decides how permanent bits are drawn; a survey may change in all else."""
    described = question.describe()
    drawn = [question.name, described["choices"], described["lifetime"]]
    return json.dumps(drawn, ensure_ascii=True, separators=(",", ":"))


def _read_questions(questions: Any) -> dict[str, Question]:
    if isinstance(questions, (str, PathLike)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a survey is made of questions",
            "write sf.survey.read_survey(...) to read a file",
        )
    if not isinstance(questions, Mapping) or not questions:
        raise InputError(
            "E-SURVEY-EMPTY",
            "a survey has at least one question",
            'write sf.Survey({{"cheated": {{"choices": ["yes", "no"], "epsilon": 1}}}}), say',
        )
    read = {name: read_question(name, given) for name, given in questions.items()}
    folded = {name.casefold(): name for name in read}
    for name in read:
        if folded[name.casefold()] != name:
            raise InputError(
                "E-QUESTION-NAME",
                "the questions {name!r} and {folded!r} differ in capitals alone, which many "
                "programs take for one",
                "write another name",
                name=name,
                folded=folded[name.casefold()],
            )
    return read


def _read_name(name: Any) -> str:
    if isinstance(name, str) and name.strip() and name.isprintable() and len(name) <= _LONGEST:
        return name
    raise InputError(
        "E-SURVEY-FORM",
        "a survey's name is a text of 1 to {longest} characters",
        "write {name}, say",
        name=Argument("name", "class"),
        longest=_LONGEST,
    )


def _read_ids(ids: Any) -> bool:
    if isinstance(ids, bool):
        return ids
    raise InputError(
        "E-SURVEY-FORM",
        "ids says whether reports carry an id of their person",
        "write true or false",
    )


def _read_person(person: Any) -> str:
    fine = isinstance(person, str) and person == person.strip() and person.isprintable()
    if fine and 0 < len(person) <= _LONGEST:
        return str(person)
    raise InputError(
        "E-RESPONDENT-ID",
        "a person's id is a text of 1 to {longest} characters, without blanks at either end",
        "write '0042', say",
        longest=_LONGEST,
    )
