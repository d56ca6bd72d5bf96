"""Adaptive composition adds ε (propositions 5.4 and 5.5), by programs unrolled exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.book.instances import answer
from sfumato.audit.book.statement import Finding, Statement
from sfumato.audit.book.wording import least, logarithm
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.programs import unroll
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.printing.wording import counted
from sfumato.privacy import Substitute, compose, events
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

__all__ = ["MANY_STEPS", "TWO_STEPS"]

Table = tuple[int, ...]
Draw = Callable[[Any], Any]

_TABLES = Datasets([0, 1], size=2)
_TRUTHS = (Fraction(2, 3), Fraction(3, 4), Fraction(3, 5), Fraction(2, 3))


@dataclass(frozen=True)
class _Program:
    """Steps that may read the answers before them, and the guarantee of each."""

    run: Callable[[Table, Draw], Any]
    guarantees: tuple[Ln, ...]

    def total(self) -> Ln:
        return sum(self.guarantees[1:], self.guarantees[0])

    def verdict(self) -> Verdict:
        return verify(unroll(self.run), inputs=_TABLES, epsilon=self.total())

    def composed(self) -> bool:
        """Tell whether guarantees, too, add up to the total and to no less."""
        steps = [events.Pure(epsilon=each) for each in self.guarantees]
        together = compose(*steps, relation=Substitute())
        bounds = together.bounds(delta=0)
        return bounds.lower <= self.total() <= bounds.upper


def _guarantees(truths: tuple[Fraction, ...]) -> tuple[Ln, ...]:
    return tuple(Ln(truth / (1 - truth)) for truth in truths)


def _asking(truths: tuple[Fraction, ...]) -> _Program:
    """Return a survey that asks the first person again as long as the answer was yes."""

    def run(table: Table, draw: Draw) -> tuple[int, ...]:
        answers: list[int] = []
        for truth in truths:
            answers.append(draw(answer(table[0 if all(answers) else 1], truth)))
        return tuple(answers)

    return _Program(run, _guarantees(truths))


def _peeking(table: Table, draw: Draw) -> tuple[int, int]:
    """Ask once with noise; after a yes read the second row without any."""
    first = draw(answer(table[0], Fraction(2, 3)))
    return first, table[1] if first else draw(answer(table[1], Fraction(3, 4)))


def _overspending(table: Table, draw: Draw) -> tuple[int, ...]:
    """Ask three times; after two times yes the third has less noise than was guaranteed."""
    first, second = (draw(answer(table[0], truth)) for truth in _TRUTHS[:2])
    third = Fraction(4, 5) if first and second else Fraction(3, 5)
    return first, second, draw(answer(table[0], third))


def _check(given: list[_Program]) -> Finding:
    verdicts = [each.verdict() for each in given]
    last, pairs = verdicts[-1], sum(each.pairs for each in verdicts)
    return Finding(
        holds=all(
            verdict and verdict.epsilon.exact == each.total() and each.composed()
            for verdict, each in zip(verdicts, given, strict=True)
        ),
        instances=pairs,
        figures=(
            tr(
                "{pairs} of tables, all paths; {guarantees} steps that guarantee {total} in "
                "all have least ε {last}",
                pairs=counted(pairs, "pair"),
                guarantees=len(given[-1].guarantees),
                total=logarithm(given[-1].total()),
                last=least(last),
            )
        ),
    )


TWO_STEPS = Statement(
    name="Proposition 5.4",
    title=mark("two steps add up"),
    text=(
        mark(
            "If A1 is ε1- and A2, which may read A1's output, is ε2-differentially private "
            "for each such output, then both outputs together are (ε1 + ε2)-differentially "
            "private."
        )
    ),
    check=_check,
    instance=[_asking(_TRUTHS[:2])],
    twin=[_Program(_peeking, _guarantees(_TRUTHS[:2]))],
    wrong=mark("a second step that reads a row without noise after one of the answers"),
)

MANY_STEPS = Statement(
    name="Proposition 5.5",
    title=mark("many steps add up"),
    text=(
        mark(
            "k steps, each of which may read all outputs before it and is ε_i-differentially "
            "private, are (ε_1 + … + ε_k)-differentially private together. (Printed with a "
            "sum up to n.)"
        )
    ),
    check=_check,
    instance=[_asking(_TRUTHS[:count]) for count in range(1, len(_TRUTHS) + 1)],
    twin=[_Program(_overspending, _guarantees(_TRUTHS[:3]))],
    wrong=mark("a third step that spends more than it guaranteed after two certain answers"),
)
