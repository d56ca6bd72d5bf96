"""The report of an audit in sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.features import LOW_BITS
from sfumato.numeric.digits import digits_above, digits_below

if TYPE_CHECKING:
    from sfumato.audit.blackbox.figures import Figures
    from sfumato.audit.blackbox.testing import TestedEvent

__all__ = ["ASK_VIOLATED", "answer", "doubt", "evidence", "rows", "spent", "table"]

_DIGITS = 4
_SHARE = 6
#: What is said to whoever takes a report for true or false.
ASK_VIOLATED = ("ask report.violated", "an audit that finds nothing proves nothing")
_NO_PROOF = "this is no proof of privacy"
_BITS = (
    "the last digits of a float depend on what noise was added to; round to a public grid before "
    "the noise, or draw exact noise such as sf.mechanisms.Laplace"
)


def answer(report: Figures) -> str:
    """Return the answer in a sentence."""
    claim, found = report.claim, f"ε is at least {_down(report.epsilon)}"
    if not report.tested:
        return f"nothing was tested about {claim}: {report.untested}"
    if report.violated:
        return f"violated: {claim} does not hold; {found}"
    shown = found if report.epsilon else "nothing was shown of ε"
    return f"no violation of {claim} found; {_NO_PROOF} ({shown})"


def evidence(report: Figures) -> list[str]:
    """Return the event with its counts, and what helps to understand it."""
    if report.witness is None:
        return list(report.hints)
    at = report.witness
    unit = "draws" if report.draws_a_call == 1 else "calls"
    all_draws = f"of {at.trials:,} {unit}, a probability"
    return [
        f"event: {at.event}{_if_less(at, report)}",
        f"on {at.likelier}: {at.hits:,} {all_draws} of at least {digits_below(at.p, _SHARE)}",
        f"on {at.other}: {at.others:,} {all_draws} of at most {digits_above(at.q, _SHARE)}",
        *_about_low_bits(at, report),
        *report.hints,
    ]


def spent(report: Figures) -> str:
    """Return how much was drawn and tested, and how long it took."""
    drawn = f"{report.samples:,} draws"
    if report.draws_a_call > 1:
        calls = report.samples // report.draws_a_call
        drawn = f"{calls:,} calls of {report.draws_a_call} draws"
    return f"{drawn} on each dataset, {len(report.tested)} events tested, {report.seconds:.1f} s"


def doubt(alpha: float) -> str:
    """Return how likely a bound is wrong, at most."""
    chance = Fraction(repr(alpha)).limit_denominator(10**15)
    words = f"1 in {chance.denominator:,}" if chance.numerator == 1 else f"{alpha:g}"
    return f"wrong with probability at most {words}"


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
    return [f"{'at δ':<9} ε is at least (claimed: {report.claim})", *lines] if lines else []


def _if_less(event: TestedEvent, report: Figures) -> str:
    """Say what an event shows where others, harder to say, show a little more."""
    alone = _down(event.epsilon(report.claim.delta))
    return "" if alone == _down(report.epsilon) else f" (which alone shows {alone})"


def _about_low_bits(event: TestedEvent, report: Figures) -> list[str]:
    """Explain an event of low bits that shows a violation, and say what is shown without them.

    Where none is shown, low bits may be in an event that proves no more for them.
    """
    if event.kind != LOW_BITS or not report.violated:
        return []
    other = report.apart_from_low_bits
    if other is None:
        return [_BITS, "apart from the low bits: nothing was shown of ε"]
    found = _down(other.epsilon(report.claim.delta))
    return [_BITS, f"apart from the low bits: {other.event} shows that ε is at least {found}"]


def _down(value: float) -> str:
    return digits_below(value, _DIGITS)
