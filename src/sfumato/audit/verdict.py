"""Whether the guarantee is kept: the answer, with the worst comparison that shows it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit.comparison import (
    Claim,
    Comparison,
    Interval,
    Judgement,
    Least,
    WitnessEvent,
    name_of,
    plain,
)
from sfumato.numeric import (
    Enclosure,
    any_float,
    as_ball,
    digits_above,
    digits_below,
    float_below,
    shown,
    working_precision,
)
from sfumato.printing import any_of_these, for_json
from sfumato.privacy import below
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Hashable


#: How many outcomes of an event are listed.
MOST_LISTED = 6
_DIGITS = 12
_SHARE_DIGITS = 9
_ANSWERS = {
    "proved": mark("proved: {claim} holds on {scope}"),
    "refuted": mark("refuted: {claim} does not hold"),
    "undecided": mark("undecided: whether {claim} holds on {scope} was not settled"),
}
_BITS = 128
_NOTHING = Least(Enclosure(0.0, 0.0), Fraction(0))
#: From the best to the worst.
_RANK = {True: 0, None: 1, False: 2}
_STATUS: dict[bool | None, Literal["proved", "refuted", "undecided"]] = {
    True: "proved",
    None: "undecided",
    False: "refuted",
}


def say_least(found: Least) -> str:
    """Return a least value: its name where it is known, and digits rounded up."""
    low, high = found.bounds.lower, found.bounds.upper
    if found.exact is not None:
        near, named = f"{any_float(found.exact):.{_DIGITS}g}", name_of(found.exact)
        return near if named == near or len(named) > 2 * len(near) else f"{named} = {near}"
    if low == math.inf:
        return tr("infinite")
    if high == math.inf:
        return tr("at least {low}", low=digits_below(low, _DIGITS))
    above, below = digits_above(high, _DIGITS), digits_below(low, _DIGITS)
    agree = float(above) - float(below) <= 2 * 10.0 ** -(_DIGITS - 1) * abs(float(above))
    return above if agree else tr("between {below} and {above}", below=below, above=above)


def say_probability(value: Fraction | Enclosure) -> str:
    """Return a probability: as a fraction where that is short, else as digits."""
    if isinstance(value, Fraction):
        short = value.denominator < 10**6
        return str(value) if short else repr(float(value))
    low, high = (f"{each:.{_SHARE_DIGITS}g}" for each in (value.lower, value.upper))
    return low if low == high else str(value)


def say_outcomes(outcomes: tuple[Hashable, ...]) -> str:
    """Return an event, a few of its outcomes listed."""
    listed = [
        str(each) if isinstance(each, Interval) else shown(each) for each in outcomes[:MOST_LISTED]
    ]
    if (more := len(outcomes) - MOST_LISTED) > 0:
        listed.append(tr("{more:,} more", more=more))
    return tr("the output {listed}", listed=any_of_these(listed))


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
        found = [tr("between the inputs {first} and {second}", first=first, second=second)]
        if self.event is not None:
            found.append(
                tr(
                    "{event} has probability {p} on the first and {q} on the second",
                    event=say_outcomes(self.event.outcomes),
                    p=say_probability(self.event.p),
                    q=say_probability(self.event.q),
                )
            )
        return found


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
        "lower": for_json(found.bounds.lower),
        "upper": for_json(found.bounds.upper),
        "exact": None if found.exact is None else name_of(found.exact),
    }


def _witness_figures(witness: Witness) -> dict[str, Any]:
    inputs = [shown(each) for each in witness.inputs]
    if witness.event is None:
        return {"inputs": inputs, "event": None}
    p, q = map(say_probability, (witness.event.p, witness.event.q))
    event = [str(each) for each in witness.event.outcomes[:MOST_LISTED]]
    return {"inputs": inputs, "event": event, "p": p, "q": q}


class Worst:
    """The worst that was found so far, over all comparisons of a claim."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._holds: bool | None = True
        self._epsilon, self._delta = _NOTHING, _NOTHING
        self._witness: Witness | None = None
        self._reached = (-1, -1.0)
        self._assumption = ""

    def add(self, comparison: Comparison, inputs: tuple[Any, Any]) -> None:
        """Take one comparison into account."""
        judgement, claim = comparison.judge(self._claim), self._claim
        epsilon = (
            comparison.least_epsilon(claim.delta)
            if claim.order is None
            else comparison.renyi(claim.order)
        )
        if judgement.holds is False:
            epsilon = raised(epsilon, below(claim.epsilon), _refuted_epsilon(judgement, claim))
        self._epsilon = greater(self._epsilon, epsilon)
        if claim.order is None and not (judgement.holds and not claim.delta):
            delta = comparison.least_delta(claim.epsilon)
            if judgement.holds is False:
                delta = raised(delta, below(claim.delta))
            self._delta = greater(self._delta, delta)
        self._assumption = self._assumption or comparison.assumption
        self._keep(judgement, epsilon, inputs)

    def verdict(self, *, pairs: int, scope: str) -> Verdict:
        """Return the verdict on all that was added."""
        return Verdict(
            status=_STATUS[self._holds],
            claim=self._claim,
            epsilon=self._epsilon,
            delta=None if self._claim.order is not None else self._delta,
            witness=self._witness,
            pairs=pairs,
            scope=scope,
            note=self._assumption,
        )

    def _keep(self, judgement: Judgement, epsilon: Least, inputs: tuple[Any, Any]) -> None:
        """Keep the inputs and the event of the worst comparison, the first of equals."""
        if _RANK[judgement.holds] > _RANK[self._holds]:
            self._holds = judgement.holds
        reached = _RANK[judgement.holds], epsilon.bounds.upper
        if reached > self._reached:
            self._reached, self._witness = reached, Witness(inputs, judgement.event)


def greater(first: Least, second: Least) -> Least:
    """Return the greater of two least values, by name where that is certain."""
    bounds = Enclosure(
        max(first.bounds.lower, second.bounds.lower), max(first.bounds.upper, second.bounds.upper)
    )
    known = [each.exact for each in (first, second) if each.exact is not None]
    if len(known) == 2:
        return Least(bounds, max(known))
    leader = first if first.bounds.upper > second.bounds.upper else second
    settled = leader.bounds.lower >= min(first.bounds.upper, second.bounds.upper)
    return Least(bounds, leader.exact if settled else None)


def raised(least: Least, *bounds: float) -> Least:
    """Return a least value with other lower bounds of it taken into account."""
    if least.exact is not None:
        return least
    upper = least.bounds.upper
    return Least(Enclosure(min(max(least.bounds.lower, *bounds), upper), upper))


def _refuted_epsilon(judgement: Judgement, claim: Claim) -> float:
    """Return a lower bound on ε by the event that refutes: the logarithm of (P - δ) / Q."""
    if judgement.event is None or claim.order is not None:
        return 0.0
    p, q = judgement.event.p, judgement.event.q
    with working_precision(_BITS):
        over = as_ball(p if isinstance(p, Fraction) else p.lower) - as_ball(claim.delta)
        under = as_ball(q if isinstance(q, Fraction) else q.upper)
        if not over > 0:
            return 0.0
        return math.inf if under <= 0 else float_below((over / under).log())
