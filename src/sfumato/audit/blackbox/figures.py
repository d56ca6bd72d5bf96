"""What an audit found, in figures and in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.features import LOW_BITS
from sfumato.numeric import cached_property, digits_above, digits_below
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.bounds import TestedEvent
    from sfumato.audit.comparison import Claim

_DELTAS = (0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.5)
#: Events prove about the same if one proves this share of what the other does.
_NEARLY = 0.99


@dataclass(frozen=True)
class Figures:
    """The figures of an audit, which :class:`AuditReport` describes and prints."""

    claim: Claim
    tested: tuple[TestedEvent, ...]
    alpha: float
    samples: int
    seconds: float
    release: str = ""
    hints: tuple[str, ...] = ()
    untested: str = ""
    draws_a_call: int = 1

    @cached_property
    def witness(self) -> TestedEvent | None:
        """The event that proves most at the claimed δ; None where none proves anything."""
        return self._easiest(list(self.tested))

    @property
    def epsilon(self) -> float:
        """The lower bound on ε at the claimed δ, rounded down."""
        return max((each.epsilon(self.claim.delta) for each in self.tested), default=0.0)

    @property
    def violated(self) -> bool:
        """Whether the claim was shown to be broken; False proves nothing."""
        return bool(self.claim.epsilon < self.epsilon)

    @property
    def curve(self) -> tuple[tuple[float, float], ...]:
        """Lower bounds on ε at several δ, all right at once with probability at least 1 - alpha."""
        deltas = sorted({*_DELTAS, float(self.claim.delta)})
        return tuple((delta, self._epsilon(delta)) for delta in deltas)

    @property
    def region(self) -> tuple[tuple[float, float], ...]:
        """What telling the datasets apart achieves: (at most false positives, at least true)."""
        points: list[tuple[float, float]] = [(0.0, 0.0)]
        for q, p in sorted((each.q, each.p) for each in self.tested):
            if p > points[-1][1]:
                points.append((q, p))
        return (*points, (1.0, 1.0))

    @property
    def apart_from_low_bits(self) -> TestedEvent | None:
        """The event that proves most without looking at low bits; None where none does."""
        return self._easiest([each for each in self.tested if each.kind != LOW_BITS])

    def _epsilon(self, delta: float) -> float:
        return max((each.epsilon(delta) for each in self.tested), default=0.0)

    def _easiest(self, events: list[TestedEvent]) -> TestedEvent | None:
        """Return of the events that prove about as much as any the one that is easiest to say."""
        proved = [(each.epsilon(self.claim.delta), each) for each in events]
        best = max((epsilon for epsilon, _ in proved), default=0.0)
        if best == 0:
            return None
        refutes = self.claim.epsilon < best
        near = [
            (each.effort, -epsilon, *each.length, place)
            for place, (epsilon, each) in enumerate(proved)
            if epsilon >= _NEARLY * best and (self.claim.epsilon < epsilon or not refutes)
        ]
        return events[min(near)[-1]]


_DIGITS = 4
_SHARE = 6
#: What is said to whoever takes a report for true or false.
ASK_VIOLATED = (
    mark("ask report.violated"),
    mark("an audit that finds nothing proves nothing"),
)
_NO_PROOF = mark("this is no proof of privacy")
_BITS = (
    "the last digits of a float depend on what noise was added to; round to a public grid before "
    "the noise, or draw exact noise such as sf.mechanisms.Laplace"
)


def answer(report: Figures) -> str:
    """Return the answer in a sentence."""
    claim, found = report.claim, tr("ε is at least {epsilon}", epsilon=_down(report.epsilon))
    if not report.tested:
        return tr(
            "nothing was tested about {claim}: {untested}", claim=claim, untested=report.untested
        )
    if report.violated:
        return tr("violated: {claim} does not hold; {found}", claim=claim, found=found)
    shown = found if report.epsilon else tr("nothing was shown of ε")
    return tr(
        "no violation of {claim} found; {no_proof} ({shown})",
        claim=claim,
        no_proof=_NO_PROOF,
        shown=shown,
    )


def evidence(report: Figures) -> list[str]:
    """Return the event with its counts, and what helps to understand it."""
    if report.witness is None:
        return list(report.hints)
    at = report.witness
    unit = tr("draws") if report.draws_a_call == 1 else tr("calls")
    all_draws = tr("of {trials:,} {unit}, a probability", trials=at.trials, unit=unit)
    return [
        tr("event: {event}{at}", event=at.event, at=_if_less(at, report)),
        tr(
            "on {likelier}: {hits:,} {all_draws} of at least {p}",
            likelier=at.likelier,
            hits=at.hits,
            all_draws=all_draws,
            p=digits_below(at.p, _SHARE),
        ),
        tr(
            "on {other}: {others:,} {all_draws} of at most {q}",
            other=at.other,
            others=at.others,
            all_draws=all_draws,
            q=digits_above(at.q, _SHARE),
        ),
        *_about_low_bits(at, report),
        *report.hints,
    ]


def spent(report: Figures) -> str:
    """Return how much was drawn and tested, and how long it took."""
    drawn = tr("{samples:,} draws", samples=report.samples)
    if report.draws_a_call > 1:
        calls = report.samples // report.draws_a_call
        drawn = tr(
            "{calls:,} calls of {draws_a_call} draws", calls=calls, draws_a_call=report.draws_a_call
        )
    return tr(
        "{drawn} on each dataset, {tested} events tested, {seconds:.1f} s",
        drawn=drawn,
        tested=len(report.tested),
        seconds=report.seconds,
    )


def doubt(alpha: float) -> str:
    """Return how likely a bound is wrong, at most."""
    chance = Fraction(repr(alpha)).limit_denominator(10**15)
    words = (
        tr("1 in {denominator:,}", denominator=chance.denominator)
        if chance.numerator == 1
        else f"{alpha:g}"
    )
    return tr("wrong with probability at most {words}", words=words)


def rows(report: Figures) -> list[tuple[str, str]]:
    """Return δ and the bound on ε there, where it changes and at the claimed δ."""
    found: list[tuple[str, str]] = []
    for delta, epsilon in report.curve:
        claimed = delta == float(report.claim.delta)
        if epsilon > 0 and (claimed or not found or found[-1][1] != _down(epsilon)):
            found.append((f"{delta:g}", _down(epsilon)))
    return found


def table(report: Figures) -> list[str]:
    """Return the bounds on ε at several δ as lines of a table."""
    lines = [f"{delta:<9} {epsilon}" for delta, epsilon in rows(report)]
    return (
        [
            tr("{what:<9} ε is at least (claimed: {claim})", what=tr("at δ"), claim=report.claim),
            *lines,
        ]
        if lines
        else []
    )


def _if_less(event: TestedEvent, report: Figures) -> str:
    """Say what an event shows where others, harder to say, show a little more."""
    alone = _down(event.epsilon(report.claim.delta))
    return "" if alone == _down(report.epsilon) else tr(" (which alone shows {alone})", alone=alone)


def _about_low_bits(event: TestedEvent, report: Figures) -> list[str]:
    """Explain an event of low bits that shows a violation, and say what is shown without them.

    Where none is shown, low bits may be in an event that proves no more for them.
    """
    if event.kind != LOW_BITS or not report.violated:
        return []
    other = report.apart_from_low_bits
    if other is None:
        return [tr(_BITS), tr("apart from the low bits: nothing was shown of ε")]
    found = _down(other.epsilon(report.claim.delta))
    return [
        tr(_BITS),
        tr(
            "apart from the low bits: {event} shows that ε is at least {found}",
            event=other.event,
            found=found,
        ),
    ]


def _down(value: float) -> str:
    return digits_below(value, _DIGITS)
