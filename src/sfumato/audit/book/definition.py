"""What the definition says (5.1, 5.2), and what follows: post-processing (5.6) and groups (5.7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import (
    SMALL_MECHANISMS,
    BookStatement,
    Finding,
    Mechanism,
    OutputDistribution,
    answer,
    events,
    neighbours,
    noisy_count,
    survey,
)
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.printing import counted
from sfumato.privacy import PureDP, Substitute
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

Pair = tuple[OutputDistribution, OutputDistribution]

_PAIRS = [pair for mechanism in SMALL_MECHANISMS for pair in neighbours(mechanism)]
_TILTED: OutputDistribution = {"yes": Fraction(1, 4), "no": Fraction(3, 4)}
_EVEN: OutputDistribution = {"yes": Fraction(1, 2), "no": Fraction(1, 2)}


def _check_both_ways(pairs: list[Pair]) -> Finding:
    """Impose the definition on the pairs as they stand; look at the ratio from both sides."""
    ratios = [a / b for p, q in pairs for a, b in events(p, q)]
    factor, least = max(ratios), min(ratios)
    return Finding(
        holds=1 / factor <= least,
        instances=len(ratios),
        figures=tr(
            "{events} over {pairs}; e^ε = {factor}, least ratio {least}, e^-ε = {inverse}",
            events=counted(len(ratios), "event"),
            pairs=counted(len(pairs), "ordered pair"),
            factor=factor,
            least=least,
            inverse=1 / factor,
        ),
    )


@dataclass(frozen=True)
class _Outcomes:
    """Pairs of distributions, and the δ with which single outcomes are compared."""

    pairs: list[Pair]
    delta: Fraction

    def by_outcomes(self, p: OutputDistribution, q: OutputDistribution) -> Fraction:
        return max((p[y] - self.delta) / q[y] for y in p)

    def by_events(self, p: OutputDistribution, q: OutputDistribution) -> Fraction:
        return max((a - self.delta) / b for a, b in events(p, q))


def _check_outcomes(given: _Outcomes) -> Finding:
    found = [(given.by_outcomes(p, q), given.by_events(p, q)) for p, q in given.pairs]
    single, together = (max(column) for column in zip(*found, strict=True))
    return Finding(
        holds=all(one == other for one, other in found),
        instances=len(found),
        figures=tr(
            "{pairs} at δ = {delta}; greatest factor {single} by outcomes, {together} "
            "over all events",
            pairs=counted(len(found), "ordered pair"),
            delta=given.delta,
            single=single,
            together=together,
        ),
    )


BOTH_WAYS = BookStatement(
    name="Proposition 5.1",
    where=mark("chapter, §5.2"),
    title=mark("the ratio is bounded both ways"),
    text=mark(
        "If A is ε-differentially private, then for neighbouring tables x, x' and every "
        "event E that can happen, e^-ε ≤ P(A(x) ∈ E)/P(A(x') ∈ E) ≤ e^ε."
    ),
    check=_check_both_ways,
    instance=_PAIRS,
    twin=[(_TILTED, _EVEN)],
    wrong=mark("the definition imposed one way only"),
)

BY_OUTCOMES = BookStatement(
    name="Proposition 5.2",
    where=mark("chapter, §5.2"),
    title=mark("discrete outputs, judged one by one"),
    text=mark(
        "A mechanism with discrete outputs is ε-differentially private exactly if P(A(x) "
        "= y) ≤ e^ε P(A(x') = y) for all neighbouring tables and every single outcome y."
    ),
    check=_check_outcomes,
    instance=_Outcomes(_PAIRS, Fraction(0)),
    twin=_Outcomes(_PAIRS, Fraction(1, 20)),
    wrong=mark("single outcomes taken to decide (ε, δ) with a δ above 0, too"),
)


Table = tuple[Hashable, ...]
#: What is done to an output; it is handed the table only so that a twin can read it.
Processing = Callable[[Table, Hashable], OutputDistribution]

_SURVEY = survey(2, Fraction(2, 3))
_GUARANTEE = Ln(2)


def _processed(mechanism: Mechanism, processing: Processing) -> dict[Table, OutputDistribution]:
    """Return the mechanism with something done to its outputs, at random or not."""
    return {table: _mixed(table, each, processing) for table, each in mechanism.items()}


def _mixed(
    table: Table, distribution: OutputDistribution, processing: Processing
) -> OutputDistribution:
    found: dict[Hashable, Fraction] = {}
    for outcome, weight in distribution.items():
        for result, chance in processing(table, outcome).items():
            found[result] = found.get(result, Fraction(0)) + weight * chance
    return found


def _every_function() -> list[Processing]:
    """Return every function from the four pairs of answers to three results."""
    outcomes = list(next(iter(_SURVEY.values())))
    return [
        _function(dict(zip(outcomes, results, strict=True)))
        for results in product((0, 1, 2), repeat=len(outcomes))
    ]


def _function(results: dict[Hashable, int]) -> Processing:
    return lambda _, outcome: {results[outcome]: Fraction(1)}


def _at_random(_: Table, outcome: Hashable) -> OutputDistribution:
    """Flip a fair coin for each pair of answers that differ."""
    return answer(0, Fraction(1, 2)) if outcome in {(0, 1), (1, 0)} else answer(1, Fraction(1, 3))


def _reading_the_table(table: Table, _: Hashable) -> OutputDistribution:
    """Answer for the first row with less noise than the mechanism had."""
    return answer(int(table[0] == 1), Fraction(3, 4))


def _check_processing(given: list[Processing]) -> Finding:
    verdicts = [verify(_processed(_SURVEY, each), epsilon=_GUARANTEE) for each in given]
    greatest = max(verdict.epsilon.bounds.upper for verdict in verdicts)
    return Finding(
        holds=all(verdicts),
        instances=len(verdicts),
        figures=tr(
            "{ways} of processing the answers of a survey of ε = {guarantee:.6f}; "
            "greatest least ε after it {greatest:.6f}",
            ways=counted(len(verdicts), "way"),
            guarantee=float(_GUARANTEE),
            greatest=greatest,
        ),
    )


@dataclass(frozen=True)
class _Group:
    """So many people of a mechanism's table, and how often the ε of one they are said to cost."""

    mechanism: Mechanism
    people: int
    times: int

    def guarantee(self) -> Ln:
        """Return the least ε for one row, which is the logarithm of a rational."""
        found = verify(self.mechanism, neighbours=Substitute(), epsilon=0).epsilon.exact
        return found if isinstance(found, Ln) else Ln(1)

    def verdict(self) -> Verdict:
        """Judge what the group is said to cost by the outputs on all tables."""
        claimed = self.guarantee() * self.times
        return verify(self.mechanism, neighbours=Substitute(self.people), epsilon=claimed)

    def guaranteed(self) -> bool:
        """Tell whether the guarantee to a group, too, is what is said."""
        one = PureDP(epsilon=self.guarantee(), relation=Substitute())
        claimed = self.guarantee() * self.times
        return one.group(self.people) == PureDP(epsilon=claimed, relation=Substitute(self.people))


def _check_groups(given: list[_Group]) -> Finding:
    verdicts = [each.verdict() for each in given]
    least = ", ".join(f"{verdict.epsilon.bounds.upper:.6f}" for verdict in verdicts)
    return Finding(
        holds=all(verdicts) and all(each.guaranteed() for each in given),
        instances=sum(verdict.pairs for verdict in verdicts),
        figures=tr(
            "groups of 1 to {given} of a survey and of a noisy count of ε = "
            "{guarantee:.6f}; least ε {least}",
            given=max(each.people for each in given),
            guarantee=float(given[-1].guarantee()),
            least=least,
        ),
    )


def _groups(times: Callable[[int], int]) -> list[_Group]:
    """Return groups of one, two and three people in tables of three and of four."""
    mechanisms = (survey(3, Fraction(2, 3)), noisy_count(4, Fraction(1, 2)))
    return [_Group(each, people, times(people)) for each in mechanisms for people in (1, 2, 3)]


POST_PROCESSING = BookStatement(
    name="Proposition 5.6",
    where=mark("chapter, §5.2"),
    title=mark("post-processing costs nothing"),
    text=mark(
        "If A is ε-differentially private, then B(A(·)) is ε-differentially private for "
        "every function B of its output alone, random or not."
    ),
    check=_check_processing,
    instance=[*_every_function(), _at_random],
    twin=[_reading_the_table],
    wrong=mark("a B that reads the table"),
)

GROUPS = BookStatement(
    name="Proposition 5.7",
    where=mark("chapter, §5.2"),
    title=mark("k people cost k times as much"),
    text=mark(
        "An ε-differentially private mechanism keeps kε for tables that differ in at "
        "most k rows. (The definition of k-neighbours prints '=' where it means '≠'.)"
    ),
    check=_check_groups,
    instance=_groups(lambda people: people),
    twin=_groups(lambda _: 1),
    wrong=mark("a group said to cost no more than one person"),
)
