"""What reports guarantee once they are shuffled, so that nobody knows whose is whose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import ApproxDP, Person, Substitute, compose
from sfumato.privacy.events import Pure, RandomizedResponse, Shuffled
from sfumato.survey.client.protocols import Response, Window
from sfumato.survey.collector.shares import is_coin

if TYPE_CHECKING:
    from sfumato.survey.client.survey import Survey


def shuffled(survey: Survey, people: int, *, delta: Any) -> ApproxDP:
    """Return the guarantee of the shuffled reports of so many people, for all they contain.

    A report of all questions is ε-differentially private by itself, ε being the survey's total.
    Hidden among the others it tells less: the person's report looks like that of clones, of which
    there are e^-ε for each other person, or 2/(e^ε + 1) where a report is one coin
    :cite:p:`feldman2021hiding`.

    Parameters
    ----------
    survey
        What was asked.
    people
        How many people reported, each once: in a survey that is repeated, those of one wave.  They
        must have drawn their reports as the survey says: those who make reports up, or tell them to
        others, hide nobody and do not count.
    delta
        The δ of the guarantee.

    Notes
    -----
    The guarantee is against whoever sees the shuffled reports, and needs trust in the shuffler;
    against the shuffler, a person still has that of one report.  It holds if each person's
    report is there once, of one wave: what several waves tell together, of the bits that a person
    keeps for all of them, is not in it.
    """
    if survey.ids:
        raise InputError(
            "E-RESPONDENT-ID",
            "the reports of this survey carry their person's id, so that to shuffle them "
            "hides nobody",
            "make a survey without ids",
        )
    if people == 1:
        raise InputError(
            "E-REPORTS-NONE",
            "one report alone has nobody to hide among",
            "shuffle those of two people or more",
        )
    relation = Substitute(unit=Person())
    reports = Shuffled(report_event(survey), population=people)
    epsilon = compose(reports, relation=relation).epsilon(delta=delta)
    return ApproxDP(epsilon=epsilon, delta=delta, relation=relation)


def report_event(survey: Survey) -> RandomizedResponse | Pure:
    """Return what one person does: a coin or a choice, where it is one question alone."""
    text = survey.loss.text
    if len(survey.questions) > 1:
        return Pure(epsilon=text)
    (question,) = survey.questions.values()
    protocol = question.protocol
    if isinstance(protocol, Window):
        # A number is rounded to 0 or 1 first: a mixture of two answers, and no worse than they.
        coin = protocol.marks == 2
        return RandomizedResponse(epsilon=text) if coin else Pure(epsilon=text)
    if is_coin(protocol) or isinstance(protocol, Response):
        return RandomizedResponse(epsilon=text, categories=protocol.choices)
    return Pure(epsilon=text)
