"""What an audit found, for a terminal, a notebook and a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.audit.svg import CurveLabels, curve_svg
from sfumato.numeric.cached import cached_property
from sfumato.numeric.digits import digits_below

if TYPE_CHECKING:
    from sfumato.audit.blackbox.testing import TestedEvent
    from sfumato.audit.claim import Claim
    from sfumato.audit.svg import Point

__all__ = ["AuditReport"]

_DELTAS = (0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.5)
_DIGITS = 4
_NO_PROOF = "this is no proof of privacy"


@dataclass(frozen=True)
class AuditReport:
    """A lower bound on ε, with the event that shows it.

    Attributes
    ----------
    claim
        What was claimed.
    tested
        The events that were chosen on one half of the draws and tested on the other.
    alpha
        The chance that any bound of the report is wrong, where draws are independent.
    samples
        How many draws were made on each dataset.
    seconds
        How long it took.

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

    claim: Claim
    tested: tuple[TestedEvent, ...]
    alpha: float
    samples: int
    seconds: float

    @cached_property
    def witness(self) -> TestedEvent | None:
        """The event that proves most at the claimed δ; None where none proves anything.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).witness.event
        "the output is 'a'"
        """
        found = max(self.tested, key=lambda each: each.epsilon(self.claim.delta), default=None)
        return found if found is not None and found.epsilon(self.claim.delta) > 0 else None

    @property
    def epsilon(self) -> float:
        """The lower bound on ε at the claimed δ, rounded down.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: 0, "a", "b", epsilon=1, samples=1000).epsilon
        0.0
        """
        return 0.0 if self.witness is None else self.witness.epsilon(self.claim.delta)

    @property
    def violated(self) -> bool:
        """Whether the claim was shown to be broken; False proves nothing.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).violated
        True
        """
        return bool(self.claim.epsilon < self.epsilon)

    @property
    def curve(self) -> tuple[Point, ...]:
        """Lower bounds on ε at several δ, all of them right at once but for a chance of alpha.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).curve[0][0]
        0.0
        """
        deltas = sorted({*_DELTAS, float(self.claim.delta)})
        return tuple((delta, self._epsilon(delta)) for delta in deltas)

    @property
    def region(self) -> tuple[Point, ...]:
        """What telling the datasets apart achieves: (at most false positives, at least true).

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).region[0]
        (0.0, 0.0)
        """
        points: list[Point] = [(0.0, 0.0)]
        for q, p in sorted((each.q, each.p) for each in self.tested):
            if p > points[-1][1]:
                points.append((q, p))
        return (*points, (1.0, 1.0))

    def lines(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> print(audit(lambda x: x, "a", "b", epsilon=1, samples=1000).lines()[0])
        violated: 1-DP does not hold; ε is at least 3.432
        """
        return [self._answer(), *self._shown(), *self._setting(), *self._table()]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).as_dict()["violated"]
        True
        """
        return {
            "claim": str(self.claim),
            "violated": self.violated,
            "epsilon_lower": self.epsilon,
            "alpha": self.alpha,
            "samples": self.samples,
            "seconds": self.seconds,
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
        >>> page.startswith("<!doctype html>"), "<svg" in page
        (True, True)
        """
        page = (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{escape(self._answer())}</title></head>"
            f'<body style="font-family: sans-serif">{self._repr_html_()}</body></html>'
        )
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, [self._answer(), *self._shown(), *self._setting()])
        text = "<br>".join([f"<strong>{first}</strong>", *rest])
        return f"<p>{text}</p>{self._drawing()}"

    def _epsilon(self, delta: float) -> float:
        return max((each.epsilon(delta) for each in self.tested), default=0.0)

    def _answer(self) -> str:
        if self.violated:
            return f"violated: {self.claim} does not hold; ε is at least {_down(self.epsilon)}"
        found = f"ε is at least {_down(self.epsilon)}" if self.epsilon else "nothing was shown of ε"
        return f"no violation of {self.claim} found; {_NO_PROOF} ({found})"

    def _shown(self) -> list[str]:
        if self.witness is None:
            return []
        at, all_draws = self.witness, f"of {self.witness.trials:,} draws, a probability"
        return [
            f"event: {at.event}",
            f"on {at.likelier}: {at.hits:,} {all_draws} of at least {at.p:.6g}",
            f"on {at.other}: {at.others:,} {all_draws} of at most {at.q:.6g}",
            *self._in_fewer_words(at),
        ]

    def _in_fewer_words(self, witness: TestedEvent) -> list[str]:
        """Name an event that is easier to say and shows a violation, too."""
        enough = [
            (len(each.event), each.event, found)
            for each in self.tested
            if self.claim.epsilon < (found := each.epsilon(self.claim.delta))
        ]
        _, event, found = min(enough, default=(0, witness.event, 0.0))
        if len(event) > len(witness.event) / 2:
            return []
        return [f"simpler: that {event} shows that ε is at least {_down(found)}"]

    def _setting(self) -> list[str]:
        setting = (
            f"{self.samples:,} draws on each dataset, {len(self.tested)} events tested, "
            f"{self.seconds:.1f} s; wrong with probability at most {self.alpha:g}"
        )
        return [setting]

    def _table(self) -> list[str]:
        rows = [f"{delta:<9g} {_down(epsilon)}" for delta, epsilon in self.curve if epsilon > 0]
        return [f"{'at δ':<9} ε is at least (claimed: {self.claim})", *rows] if rows else []

    def _drawing(self) -> str:
        labels = CurveLabels(
            self._answer(),
            "false positives",
            "true positives",
            observed="proved by the draws",
            allowed=f"allowed by {self.claim}",
        )
        return curve_svg(self.region, _allowed(self.claim), labels)


def _down(value: float) -> str:
    return digits_below(value, _DIGITS)


def _allowed(claim: Claim) -> list[Point]:
    """Return the edge of what (ε, δ) allows: true positives against false ones."""
    factor, delta = math.exp(min(float(claim.epsilon), 700.0)), float(claim.delta)
    turn = (1 - delta) / (1 + factor)
    return [(0.0, delta), (turn, 1 - turn), (max(turn, 1 - delta), 1.0), (1.0, 1.0)]
