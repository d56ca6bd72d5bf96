"""Why methods of accounting differ: every one's answer to the same question, side by side."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing import fitted, places, wrapped
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.methods import METHODS, Method
from sfumato.privacy.events.base import kinds_within, plain
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.numeric import Enclosure
    from sfumato.privacy.accounting.accumulators import KnownSteps
    from sfumato.privacy.guarantees import Guarantee
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike

_DIGITS = 7
#: Sentences in a narrower column would be hard to read.
_LEAST_ROOM = 30
_NO_VALUE = "–"
_SIGNS = {"epsilon": "ε", "delta": "δ"}
_OTHER = {"epsilon": "δ", "delta": "ε"}
#: The accountant's own method.
_OWN, _OWN_CITATION = mark("loss distribution"), "zhu2022"
#: Steps of which only some moments are known, and those whose profile is a formula.
_LABELS = {ev.Renyi, ev.ZeroConcentrated}
_CLOSED = {ev.Exponential, ev.Gaussian, ev.Laplace, ev.Pair}
_CLOSED |= {ev.FixedSizeSubsampled, ev.Subsampled}


@dataclass(frozen=True)
class MethodAnswer:
    """What one method answers, and why it does not answer better.

    Attributes
    ----------
    method
        What it is called.
    value
        An upper bound, rounded up; None where the method does not apply or guarantees nothing.
    reason
        What it uses and loses, or why it says nothing.
    citation
        Where it is proved: a key of the bibliography.
    lower
        No method can answer less than this, where it is known.
    """

    method: str
    value: float | None
    reason: str
    citation: str
    lower: float | None = None

    @property
    def applies(self) -> bool:
        """Whether the method guarantees anything here."""
        return self.value is not None


@dataclass(frozen=True, repr=False)
class Explanation:
    """Every method's answer to one question about a composition, from the best to the worst.

    Made by :meth:`Composition.explain`.  Each value is an upper bound that is proved; they differ
    in what they use of the steps.

    Attributes
    ----------
    subject
        What was composed, in words.
    wanted
        "epsilon" or "delta".
    at
        The δ, or the ε, that was given.
    rows
        The answers; methods that say nothing come last.

    Examples
    --------
    >>> from sfumato.privacy import compose, events
    >>> answers = compose(events.Laplace(scale=10), count=1000).explain(delta=1e-6)
    >>> [(row.method, round(row.value, 4)) for row in answers.rows[:2]]
    [('loss distribution', 18.9503), ('optimal composition', 19.3447)]
    """

    subject: str
    wanted: str
    at: Epsilon
    rows: tuple[MethodAnswer, ...]

    @property
    def title(self) -> str:
        """The question in one line.

        Examples
        --------
        >>> from sfumato.privacy import compose, events
        >>> compose(events.Gaussian(sigma=4)).explain(delta=1e-6).title
        'ε at δ = 1e-06: Gaussian noise of sigma 4 on sensitivity 1 (add or remove one row)'
        """
        wanted, other = _SIGNS[self.wanted], _OTHER[self.wanted]
        return tr(
            "{wanted} at {other} = {at}: {subject}",
            wanted=wanted,
            other=other,
            at=plain(self.at),
            subject=self.subject,
        )

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the question and a table of answers, each figure rounded so that it holds.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.

        Examples
        --------
        >>> from sfumato.privacy import compose, events
        >>> answers = compose(events.Gaussian(sigma=4)).explain(delta=1e-5)
        >>> print(answers.lines()[1])
        loss distribution            0.9263416  closed form of a single step; at least 0.9263415
        """
        cells = [(said(row.method), _above(row.value), _why(row)) for row in self.rows]
        first, second = (max(places(cell[column]) for cell in cells) for column in (0, 1))
        table = [
            (f"{name}{'':{first - places(name)}}  {value:>{second}}  ", why)
            for name, value, why in cells
        ]
        if width is None:
            return [self.title, *(start + why for start, why in table)]
        rows = [line for start, why in table for line in _row_lines(start, why, width)]
        return [*fitted([self.title], width), *rows]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON.

        Examples
        --------
        >>> from sfumato.privacy import compose, events
        >>> found = compose(events.Gaussian(sigma=4)).explain(delta=1e-5).as_dict()
        >>> found["wanted"], found["at"], found["rows"][0]["method"]
        ('epsilon', '1e-05', 'loss distribution')
        """
        rows = [{**asdict(row), "applies": row.applies} for row in self.rows]
        return {
            "subject": self.subject,
            "wanted": self.wanted,
            "at": plain(self.at),
            "rows": rows,
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        head = _html_row("th", ("method", _SIGNS[self.wanted], "why", "theorem"))
        body = [
            _html_row("td", (row.method, _above(row.value), _why(row), row.citation))
            for row in self.rows
        ]
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}{head}{''.join(body)}</table>"


def explain(
    known: KnownSteps, *, delta: NumberLike | None = None, epsilon: EpsilonLike | None = None
) -> Explanation:
    """Return every method's answer about what is known of a composition."""
    question = _read(delta, epsilon)
    rows = [_own_row(known, question), *(_row(method, known, question) for method in METHODS)]
    ordered = sorted(rows, key=lambda row: math.inf if row.value is None else row.value)
    return Explanation(str(known.guarantee), question.wanted, question.at, tuple(ordered))


def _row_lines(start: str, why: str, width: int) -> list[str]:
    """Return a row of the table: what does not fit goes on below, beside it if there is room."""
    room = width - len(start)
    if room < _LEAST_ROOM:
        return [start.rstrip(), *wrapped(f"  {why}", width, later="  ")]
    first, *later = wrapped(why, room, later="")
    return [start + first, *(" " * len(start) + each for each in later)]


@dataclass(frozen=True)
class _AtDelta:
    """The question for the least ε at a δ."""

    at: Fraction
    wanted = "epsilon"
    nothing = math.inf

    def bounds(self, guarantee: Guarantee) -> Enclosure:
        return guarantee.bounds(delta=self.at)

    def value(self, method: Method, found: Any) -> float:
        return method.epsilon(found, self.at)


@dataclass(frozen=True)
class _AtEpsilon:
    """The question for the least δ at an ε."""

    at: Epsilon
    wanted = "delta"
    nothing = 1.0

    def bounds(self, guarantee: Guarantee) -> Enclosure:
        return guarantee.bounds(epsilon=self.at)

    def value(self, method: Method, found: Any) -> float:
        return method.delta(found, self.at)


def _read(delta: NumberLike | None, epsilon: EpsilonLike | None) -> _AtDelta | _AtEpsilon:
    if (delta is None) == (epsilon is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of delta and epsilon, such as explain(delta=1e-6)",
        )
    return _AtEpsilon(read_epsilon(epsilon)) if delta is None else _AtDelta(read_delta(delta))


def _own_row(known: KnownSteps, question: _AtDelta | _AtEpsilon) -> MethodAnswer:
    """Return the accountant's own answer."""
    found = question.bounds(known.guarantee)
    if found.upper >= question.nothing:
        return MethodAnswer(_OWN, None, _silence(question), _OWN_CITATION)
    return MethodAnswer(_OWN, found.upper, _own_reason(known), _OWN_CITATION, found.lower)


def _own_reason(known: KnownSteps) -> str:
    kinds = set().union(*(kinds_within(event) for event in known.counts))
    single = sum(known.counts.values()) == 1
    if kinds & _LABELS:
        return tr("all that the labels say of the moments of the loss")
    if single and kinds <= _CLOSED:
        return tr("closed form of a single step")
    if not single and ev.Exponential in kinds:
        return tr("a distribution worse than that of any choices")
    return tr("characteristic function of the loss")


def _row(method: Method, known: KnownSteps, question: _AtDelta | _AtEpsilon) -> MethodAnswer:
    found = method.uses(known)
    if isinstance(found, str):
        return MethodAnswer(method.name, None, found, method.citation)
    value = question.value(method, found)
    if value >= question.nothing:
        return MethodAnswer(method.name, None, _silence(question), method.citation)
    return MethodAnswer(method.name, value, method.reason, method.citation)


def _silence(question: _AtDelta | _AtEpsilon) -> str:
    return tr(
        "says nothing at {other} = {at}", other=_OTHER[question.wanted], at=plain(question.at)
    )


def _above(value: float | None) -> str:
    """Return a few digits of an upper bound, rounded up."""
    return _NO_VALUE if value is None else _rounded(value, ROUND_CEILING)


def _why(row: MethodAnswer) -> str:
    """Return the reason, and a lower bound rounded down."""
    if row.lower is None:
        return said(row.reason)
    return tr(
        "{reason}; at least {lower}", reason=row.reason, lower=_rounded(row.lower, ROUND_FLOOR)
    )


def _rounded(value: float, direction: str) -> str:
    near = Context(prec=_DIGITS, rounding=direction).create_decimal(repr(value))
    return f"{float(near):#.{_DIGITS}g}" if value else "0"


def _html_row(tag: str, cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
