"""Whether the guarantee is kept: the answer, with what shows it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit.naming import name_of, plain
from sfumato.audit.wording import MOST_LISTED, say_least, say_outcomes, say_probability
from sfumato.numeric import shown
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sfumato.audit.claim import Claim
    from sfumato.audit.comparison import Least, WitnessEvent

__all__ = ["Verdict", "Witness"]

_ANSWERS = {
    "proved": mark("proved: {claim} holds on {scope}"),
    "refuted": mark("refuted: {claim} does not hold"),
    "undecided": mark("undecided: whether {claim} holds on {scope} was not settled"),
}


@dataclass(frozen=True)
class Witness:
    """Two neighbouring inputs and an event that tell most about the mechanism.

    Attributes
    ----------
    inputs
        The inputs; the event is likelier on the first.
    event
        The outcomes in it, and how likely it is on each input; None where no event was named.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
    >>> witness = sf.verify(survey, epsilon=0.5).witness
    >>> witness.inputs, witness.event.outcomes, witness.event.p
    (('yes', 'no'), ('yes',), Fraction(2, 3))
    """

    inputs: tuple[Hashable, Hashable]
    event: WitnessEvent | None

    def lines(self) -> list[str]:
        """Return the witness as sentences.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
        >>> for line in sf.verify(survey, epsilon=0.5).witness.lines():
        ...     print(line)
        between the inputs 'yes' and 'no'
        the output 'yes' has probability 2/3 on the first and 1/3 on the second
        """
        first, second = map(shown, self.inputs)
        if self.event is None:
            return [tr("between the inputs {first} and {second}", first=first, second=second)]
        event = say_outcomes(self.event.outcomes)
        p, q = say_probability(self.event.p), say_probability(self.event.q)
        return [
            tr("between the inputs {first} and {second}", first=first, second=second),
            tr(
                "{event} has probability {p} on the first and {q} on the second",
                event=event,
                p=p,
                q=q,
            ),
        ]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a claim was proved, refuted with a witness, or left undecided: never a guess.

    Attributes
    ----------
    status
        "proved", "refuted" or "undecided".
    claim
        What was claimed.
    epsilon
        The least ε that holds at the claim's δ (or order) on every pair that was examined.
    delta
        The least δ that holds at the claim's ε; None for a Rényi claim.
    witness
        The pair, and where there is one the event, that refutes the claim or comes closest to it.
    pairs
        How many neighbouring pairs the verdict covers, both ways each.
    scope
        Which pairs those are, in words.
    note
        What else is to be said of how the mechanism was read.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
    >>> verdict = sf.verify(survey, epsilon="ln(2)")
    >>> verdict.status, verdict.epsilon.exact, bool(verdict)
    ('proved', Ln(2), True)
    """

    status: Literal["proved", "refuted", "undecided"]
    claim: Claim
    epsilon: Least
    delta: Least | None
    witness: Witness | None
    pairs: int
    scope: str
    note: str = ""

    def __bool__(self) -> bool:
        """Tell whether the claim was proved."""
        return self.status == "proved"

    def lines(self) -> list[str]:
        """Return the verdict as sentences, the answer first.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
        >>> print(sf.verify(survey, epsilon="ln(2)").lines()[0])
        proved: ln(2)-DP holds on the one pair of neighbouring inputs
        """
        answer = tr(_ANSWERS[self.status], claim=self.claim, scope=self.scope)
        found = [] if self.witness is None else self.witness.lines()
        return [answer, *self._least(), *found, *([said(self.note)] if self.note else [])]

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict ready for JSON; an infinity becomes the text "Infinity".

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
        >>> sf.verify(survey, epsilon="ln(2)").as_dict()["least_epsilon"]["exact"]
        'ln(2)'
        """
        return {
            "status": self.status,
            "claim": str(self.claim),
            "least_epsilon": _figures(self.epsilon),
            "least_delta": None if self.delta is None else _figures(self.delta),
            "witness": None if self.witness is None else _witness_figures(self.witness),
            "pairs": self.pairs,
            "scope": self.scope,
            "note": self.note,
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.lines())
        return "<br>".join([f"<strong>{first}</strong>", *rest])

    def _least(self) -> list[str]:
        at = tr(" at δ = {delta}", delta=plain(self.claim.delta)) if self.claim.delta else ""
        if self.claim.order is not None:
            at = tr(" at order {order}", order=plain(self.claim.order))
        least = [tr("the least ε{at} is {epsilon}", at=at, epsilon=say_least(self.epsilon))]
        if self.delta is not None and self.delta.bounds.upper > 0:
            least.append(
                tr(
                    "the least δ at ε = {epsilon} is {delta}",
                    epsilon=plain(self.claim.epsilon),
                    delta=say_least(self.delta),
                )
            )
        return least


def _figures(found: Least) -> dict[str, Any]:
    return {
        "lower": _for_json(found.bounds.lower),
        "upper": _for_json(found.bounds.upper),
        "exact": None if found.exact is None else name_of(found.exact),
    }


def _witness_figures(witness: Witness) -> dict[str, Any]:
    inputs = [shown(each) for each in witness.inputs]
    if witness.event is None:
        return {"inputs": inputs, "event": None}
    p, q = witness.event.p, witness.event.q
    event = [str(each) for each in witness.event.outcomes[:MOST_LISTED]]
    return {"inputs": inputs, "event": event, "p": say_probability(p), "q": say_probability(q)}


def _for_json(value: float) -> float | str:
    return "Infinity" if value == math.inf else value
