"""What an audit found: in figures, in sentences, and as a page that needs nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sfumato.audit.blackbox.features import LOW_BITS
from sfumato.errors import InputError
from sfumato.numeric import cached_property, digits_above, digits_below, shown
from sfumato.printing import Chart, drawn, fitted, pictured, whole_page
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.bounds import TestedEvent
    from sfumato.audit.comparison import Claim

_DELTAS = (0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.5)
#: Events prove about the same if one proves this share of what the other does.
_NEARLY = 0.99
_DIGITS = 4
_SHARE = 6
_NO_PROOF = mark("this is no proof of privacy")
_BITS = (
    "the last digits of a float depend on what noise was added to; round to a public grid before "
    "the noise, or draw exact noise such as sf.mechanisms.Laplace"
)


class AttackReport(ABC):
    """A report in lines, the answer first, that is neither true nor false."""

    #: Where it says what was found.
    _told_by: ClassVar[str] = "violated"

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the report as sentences, the answer first."""

    def __bool__(self) -> bool:
        raise InputError(
            "E-REPORT-NOT-BOOLEAN",
            "ask report.{name}",
            "an audit that finds nothing proves nothing",
            name=self._told_by,
        )

    def __str__(self) -> str:
        return "\n".join(self.lines())


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
        return self._epsilon(self.claim.delta)

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

    def _epsilon(self, delta: Fraction | float) -> float:
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


@dataclass(frozen=True)
class AuditReport(Figures, AttackReport):
    """A lower bound on ε, with the event that shows it.

    Attributes
    ----------
    claim
        What was claimed.
    tested
        The events that were chosen on one half of the draws and tested on the other.
    alpha
        The probability that any bound of the report is wrong, where draws are independent.
    samples
        How many draws were made on each dataset.
    seconds
        How long it took.
    release
        The module and the name of what was audited.
    hints
        What may help to understand what was seen.
    untested
        Why no event was tested, where none was.
    draws_a_call
        How many draws were made for each outcome that was counted: more than one where whole
        calls were compared.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import audit
    >>> rng = np.random.default_rng(0)
    >>> def release(data, n):
    ...     return data + rng.laplace(size=n).round()
    >>> report = audit(release, 0, 2, epsilon=1, samples=20_000)
    >>> report.violated, 1 < report.epsilon < 2
    (True, True)
    """

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the report as sentences, the answer first.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> print(audit(lambda x: x, "a", "b", epsilon=1, samples=1000).lines()[0])
        violated: 1-DP does not hold; ε is at least 3.432
        """
        setting = f"{spent(self)}; {doubt(self.alpha)}"
        lines = [answer(self), *evidence(self), setting, *table(self)]
        return lines if width is None else fitted(lines, width)

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).as_dict()["violated"]
        True
        """
        return {
            "release": self.release,
            "sfumato": version("sfumato"),
            "claim": str(self.claim),
            "violated": self.violated,
            "epsilon_lower": self.epsilon,
            "alpha": self.alpha,
            "samples": self.samples,
            "seconds": self.seconds,
            "hints": list(self.hints),
            "untested": self.untested,
            "witness": None if self.witness is None else vars(self.witness).copy(),
            "tested": [vars(each).copy() for each in self.tested],
            "curve": [{"delta": delta, "epsilon_lower": low} for delta, low in self.curve],
        }

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as a page that needs nothing else, and write it where a path is given.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> page = audit(lambda x: x, "a", "b", epsilon=1, samples=1000).to_html()
        >>> page.startswith("<!doctype html>"), "<img" in page
        (True, True)
        """
        page = whole_page(answer(self), body(self))
        if path is not None:
            _write(Path(path), page)
        return page

    def plot(
        self, of: Literal["epsilon", "rates"] = "epsilon", *, to: str | Path | None = None
    ) -> Chart:
        """Draw what was proved (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        of
            ``"epsilon"``: the lower bound on ε at several δ, against the claim.  ``"rates"``: how
            well the two datasets were told apart, against what the claim allows.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> chart = audit(lambda x: x, "a", "b", epsilon=1, samples=1000).plot()
        >>> chart.to_dict()["title"]["text"]
        ['violated: 1-DP does not hold; ε is at least 3.432']
        """
        return drawn("audit", self, to=to, of=of)

    def _repr_html_(self) -> str:
        return body(self)


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
    head = tr("{what:<9} ε is at least (claimed: {claim})", what=tr("at δ"), claim=report.claim)
    return [head, *lines] if lines else []


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


def body(report: Figures) -> str:
    """Return a report as a part of a page: sentences, the table over δ and a picture."""
    audited = tr(
        "audited: {release}, with sfumato {version}",
        release=report.release or tr("a function"),
        version=version("sfumato"),
    )
    lines = [*evidence(report), f"{spent(report)}; {doubt(report.alpha)}", audited]
    text = "<br>".join([f"<strong>{escape(answer(report))}</strong>", *map(escape, lines)])
    picture = pictured(lambda: drawn("audit", report, to=None, of="rates"))
    return f"<p>{text}</p>{_html_table(report)}{picture}"


def _html_table(report: Figures) -> str:
    cells = "".join(
        f"<tr><td>{escape(delta)}</td><td>{escape(epsilon)}</td></tr>"
        for delta, epsilon in rows(report)
    )
    least = tr("ε is at least (claimed: {claim})", claim=escape(str(report.claim)))
    head = f"<tr><th>{tr('at δ')}</th><th>{least}</th></tr>"
    return f'<table style="text-align: left">{head}{cells}</table>' if cells else ""


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "the report could not be written to {path} ({reason})",
            "give a file in a folder that exists",
            path=shown(str(path)),
            reason=error.strerror,
        ) from error
