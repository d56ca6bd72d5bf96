"""What is said of a survey: how answers are randomised, why so, and what a report guarantees."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from sfumato.numeric import digits_above
from sfumato.printing import counted, listed
from sfumato.privacy import ApproxDP, guarantee_to_document, meaning
from sfumato.refusal import Argument
from sfumato.survey import MOST_ROWS, ChoiceQuestion, ShareEstimates
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.survey import MeanEstimate, NumberQuestion, Results, Survey


#: Said with what a simulation finds.
MADE_UP = mark("simulated: nobody was asked, and the truth is known")

_LARGE, _DIGITS = 1000, 6


def hiding(question: ChoiceQuestion | NumberQuestion) -> str:
    """Return how an answer is randomised."""
    return _HIDING[question.protocol.name](question.protocol)


def reason(question: ChoiceQuestion | NumberQuestion) -> str:
    """Return why a protocol is the one that suits a question."""
    if not isinstance(question, ChoiceQuestion):
        return tr("so many marks have the least variance at ε = {loss}", loss=question.loss)
    few = tr("{choices:,} choices", choices=len(question.choices))
    if question.protocol.name == "hashing":
        return tr("a report on {few} would be long by others, and this is one number", few=few)
    if question.protocol.name == "permanent":
        return tr("a lifetime is given, so it can be asked again and again")
    return tr(
        "no protocol has less variance, summed over {few}, at ε = {loss}",
        few=few,
        loss=question.loss,
    )


def guarantees(survey: Survey) -> list[str]:
    """Return what a report guarantees its person, and what that means."""
    said = meaning(survey.guarantee, delta=0).lines()
    against = tr("a report keeps {said}, against everybody, the collector included", said=said[0])
    return [against, *_sent_again(survey), said[1]]


def shuffled_guarantee(guarantee: ApproxDP) -> str:
    """Return what reports guarantee that were shuffled, and on whose word."""
    delta = guarantee.exact_delta
    epsilon = digits_above(guarantee.epsilon(delta=delta), _DIGITS)
    rounded = ApproxDP(epsilon=epsilon, delta=delta, relation=guarantee.relation)
    return tr(
        "shuffled, all reports together keep {rounded}, if nobody but a trusted shuffler "
        "saw whose is whose",
        rounded=rounded,
    )


def beyond(results: Results) -> list[str]:
    """Return what is to be said of shares that cannot be, where there are any."""
    if not any(_is_beyond(each) for each in results.questions.values()):
        return []
    said = tr(
        "shares below 0 or above 100 % come of unbiased estimates; {consistent} makes them "
        "possible, and the intervals hold as they are",
        consistent=Argument("consistent"),
    )
    return [said]


def first_answers(survey: Survey) -> str:
    """Return what somebody could answer, as the shell takes it."""
    first = {name: _first(each) for name, each in survey.questions.items()}
    named = len(first) > 1 or any(each.startswith("-") for each in first.values())
    answers = [shlex.quote(f"{name}={each}" if named else each) for name, each in first.items()]
    kept = any(each.protocol.name == "permanent" for each in survey.questions.values())
    person = ["--person 0042"] if survey.ids else []
    return " ".join([*answers, *person, *(["--memory answers.db"] if kept else [])])


def described_survey(survey: Survey) -> dict[str, Any]:
    """Return a survey ready for JSON."""
    return {
        "survey": survey.name,
        "digest": survey.digest,
        "ids": survey.ids,
        "epsilon": survey.loss.text,
        "guarantee_in_words": str(survey.guarantee),
        "guarantee": guarantee_to_document(survey.guarantee),
        "questions": {name: each.describe() for name, each in survey.questions.items()},
    }


def _sent_again(survey: Survey) -> list[str]:
    """Return what reports keep together, where a question has a permanent answer."""
    questions = survey.questions.items()
    kept = [repr(name) for name, each in questions if each.protocol.name == "permanent"]
    if not kept:
        return []
    repeated = survey.lifetime_guarantee
    if repeated is not None:
        return [
            tr(
                "all reports of a person whose answers stay the same keep {guarantee} together",
                guarantee=repeated,
            )
        ]
    return [
        tr_n(
            "a second report costs its ε again: only {questions} has a permanent answer",
            "a second report costs its ε again: only {questions} have permanent answers",
            len(kept),
            questions=listed(kept),
        )
    ]


def _first(question: ChoiceQuestion | NumberQuestion) -> str:
    if isinstance(question, ChoiceQuestion):
        return question.choices[0]
    return f"{float(question.bounds[0]):g}"


def _is_beyond(found: ShareEstimates | MeanEstimate) -> bool:
    """Say whether a share that is shown cannot be."""
    if not isinstance(found, ShareEstimates):
        return False
    return any(not 0 <= each.value <= 1 for _, each in found.largest(MOST_ROWS))


def _response(protocol: Any) -> str:
    other = tr("the other choice") if protocol.choices == 2 else tr("another choice")
    return tr(
        "randomized response: the truth with probability {hit}, and else {other}",
        hit=_chance(protocol.hit),
        other=other,
    )


def _subset(protocol: Any) -> str:
    return tr(
        "subset selection: {size:,} of the {choices:,} choices, the true one among them "
        "with probability {hit}",
        size=protocol.size,
        choices=protocol.choices,
        hit=_chance(protocol.hit),
    )


def _unary(protocol: Any) -> str:
    return tr(
        "unary encoding: a bit for each choice, set with probability {hit} for the true "
        "one and {miss} for others",
        hit=_chance(protocol.hit),
        miss=_chance(protocol.miss),
    )


def _hadamard(protocol: Any) -> str:
    return tr("Hadamard response: one of {numbers}", numbers=counted(protocol.order, "number"))


def _hashing(protocol: Any) -> str:
    buckets = protocol.parameters["buckets"]
    return tr(
        "local hashing: a hash function drawn anew, and one of its {buckets:,} buckets, "
        "that of the true choice with probability {hit}",
        buckets=buckets,
        hit=_chance(protocol.hit),
    )


def _permanent(_: Any) -> str:
    return tr(
        "a permanent randomized response (memoization) that the person keeps, and a fresh report "
        "of it each time"
    )


def _window(protocol: Any) -> str:
    return tr("one of {marks} marks, those near the number more likely", marks=protocol.marks)


def _chance(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= _LARGE else f"{float(chance):.3f}"


_HIDING = {
    "response": _response,
    "subset": _subset,
    "unary": _unary,
    "hadamard": _hadamard,
    "hashing": _hashing,
    "permanent": _permanent,
    "window": _window,
}
