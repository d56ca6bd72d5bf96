"""Numbered statements of the source, each with a check that can fail, and mechanisms to check."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, product
from operator import mul
from typing import TYPE_CHECKING, Any

from sfumato.numeric import Ln
from sfumato.printing import counted
from sfumato.privacy import Relation, Substitute
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict


@dataclass(frozen=True)
class Finding:
    """What a check saw.

    Attributes
    ----------
    holds
        Whether the statement held on every instance.
    instances
        How many instances there were.
    figures
        What was compared, in figures.
    ours
        The figure to hold beside the one that is printed, where there is one.
    """

    holds: bool
    instances: int
    figures: str
    ours: str = ""


@dataclass(frozen=True, kw_only=True)
class BookStatement:
    """A numbered statement, a check of it, and a false variant on which the same check must fail.

    Attributes
    ----------
    name
        Its number in the source: "Proposition 5.4".
    title
        What it is about, in a few words.
    text
        What it says, put right where the source errs.
    check
        Looks at an instance and says what it saw.
    instance
        What is checked.
    twin
        The same with something deliberately wrong.
    wrong
        What is wrong with the twin.
    citation
        Whose theorem it is, by its key in the references, where it is not the source's own.
    relation
        Which tables are neighbours.
    where
        Where it stands in the sources, if it is theirs.
    printed
        The figure that the source prints, where it prints one.
    """

    name: str
    title: str
    text: str
    check: Callable[[Any], Finding]
    instance: Any
    twin: Any
    wrong: str
    citation: str = ""
    relation: Relation = field(default_factory=Substitute)
    where: str = ""
    printed: str = ""


#: ``verify`` with a mechanism, its inputs, and what is claimed of it on them.
ClaimedMechanism = Callable[[], "Verdict"]


def check_claims(given: Iterable[ClaimedMechanism]) -> Finding:
    """Decide every claim; tell of one that is refuted, with its witness, or else of the last."""
    verdicts = [decide() for decide in given]
    shown = next((verdict for verdict in verdicts if not verdict), verdicts[-1])
    pairs = sum(verdict.pairs for verdict in verdicts)
    return Finding(
        holds=all(verdicts),
        instances=pairs,
        figures=tr(
            "{claims} on {pairs} of tables; {verdict}",
            claims=counted(len(verdicts), "claim"),
            pairs=counted(pairs, "pair"),
            verdict="; ".join(str(shown).splitlines()[: 2 if shown else None]),
        ),
    )


OutputDistribution = Mapping[Hashable, Fraction]
Mechanism = Mapping[tuple[Hashable, ...], OutputDistribution]


def answer(value: int, truth: Fraction) -> dict[Hashable, Fraction]:
    """Return the distribution of a yes or no that is true with a given probability."""
    return {value: truth, 1 - value: 1 - truth}


def survey(people: int, truth: Fraction) -> Mechanism:
    """Return randomized response of some people: for each table, that of all answers."""
    tables = list(product((0, 1), repeat=people))
    return {
        table: {
            given: reduce(mul, (answer(x, truth)[y] for x, y in zip(table, given, strict=True)))
            for given in tables
        }
        for table in tables
    }


def noisy_count(people: int, falling: Fraction) -> Mechanism:
    """Return a count whose noise falls by a factor with every step, cut to 0 … people."""
    return {
        table: _normalised({y: falling ** abs(y - sum(table)) for y in range(people + 1)})
        for table in product((0, 1), repeat=people)
    }


def noisy_number(
    value: int, least: int, greatest: int, falling: Fraction
) -> dict[Hashable, Fraction]:
    """Return a number with noise that falls by a factor a step, cut to the ends."""
    inner = (1 - falling) / (1 + falling)
    ends = {least: 1 / (1 + falling), greatest: 1 / (1 + falling)}
    return {y: falling ** abs(y - value) * ends.get(y, inner) for y in range(least, greatest + 1)}


def neighbours(mechanism: Mechanism) -> Iterator[tuple[OutputDistribution, OutputDistribution]]:
    """Yield the distributions on any two tables that differ in one row, in both orders."""
    for one, other in product(mechanism, repeat=2):
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
            yield mechanism[one], mechanism[other]


def events(p: OutputDistribution, q: OutputDistribution) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield both probabilities of every event but the empty one."""
    outcomes = list(dict.fromkeys([*p, *q]))
    sizes = range(1, len(outcomes) + 1)
    for event in chain.from_iterable(combinations(outcomes, size) for size in sizes):
        yield _probability(p, event), _probability(q, event)


def _probability(distribution: OutputDistribution, event: tuple[Hashable, ...]) -> Fraction:
    return sum((distribution.get(each, Fraction(0)) for each in event), Fraction(0))


def _normalised(weights: dict[Hashable, Fraction]) -> dict[Hashable, Fraction]:
    total = sum(weights.values(), Fraction(0))
    return {outcome: weight / total for outcome, weight in weights.items()}


#: Some of both, small enough for every event of theirs to be looked at.
SMALL_MECHANISMS = (
    survey(1, Fraction(2, 3)),
    survey(2, Fraction(3, 4)),
    noisy_count(3, Fraction(1, 2)),
)


def logarithm(value: Ln) -> str:
    """Return a logarithm by its name and by its figure."""
    return tr("ln {argument} = {value:.6f}", argument=value.argument, value=float(value))


def least(verdict: Verdict) -> str:
    """Return the least ε of a verdict, by its name where it is known."""
    exact = verdict.epsilon.exact
    return logarithm(exact) if isinstance(exact, Ln) else f"{verdict.epsilon.bounds.upper:g}"
