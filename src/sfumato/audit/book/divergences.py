"""Privacy as a bound on a divergence (remark 3.1), and close distributions (lemmas 3.17, 3.18)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import (
    SMALL_MECHANISMS,
    BookStatement,
    Finding,
    Mechanism,
    OutputDistribution,
    neighbours,
)
from sfumato.audit.verification import verify
from sfumato.information import (
    Distribution,
    bounded_neighbour,
    bounded_pair,
    hockey_stick,
    kl_bounds,
    kl_divergence,
    max_divergence,
    statistical_distance,
)
from sfumato.numeric import Ln
from sfumato.printing import counted
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

_DELTAS = (Fraction(0), Fraction(1, 20), Fraction(1, 5))
_TILTED: Mechanism = {
    ("ill",): {"yes": Fraction(1, 4), "no": Fraction(3, 4)},
    ("well",): {"yes": Fraction(1, 2), "no": Fraction(1, 2)},
}


@dataclass(frozen=True)
class _Case:
    """A mechanism, a δ, and whether the divergence is taken both ways."""

    mechanism: Mechanism
    delta: Fraction
    both_ways: bool = True

    def by_definition(self) -> Fraction:
        """Return e^ε of the least ε that the verdict finds."""
        found = verify(self.mechanism, epsilon=0, delta=self.delta).epsilon.exact
        return found.argument if isinstance(found, Ln) else Fraction(1)

    def by_divergence(self) -> Fraction:
        """Return e to the greatest δ-approximate max divergence, and 1 at least."""
        pairs = list(neighbours(self.mechanism))
        ratios = [self._ratio(p, q) for p, q in (pairs if self.both_ways else pairs[:1])]
        return max(Fraction(1), *ratios)

    def _ratio(self, p: OutputDistribution, q: OutputDistribution) -> Fraction:
        return Fraction(max_divergence(p, q, delta=self.delta, witness=True).ratio)


def _check_divergences(given: list[_Case]) -> Finding:
    found = [(each.by_definition(), each.by_divergence()) for each in given]
    definition, divergence = found[-1]
    return Finding(
        holds=all(one == other for one, other in found),
        instances=len(found),
        figures=tr(
            "{cases} of a mechanism and a δ; in the last, e^ε = {definition} by the "
            "definition and e^D = {divergence}",
            cases=counted(len(found), "case"),
            definition=definition,
            divergence=divergence,
        ),
    )


BY_DIVERGENCES = BookStatement(
    name="Remark 3.1",
    where=mark("chapter, part on composition"),
    title=mark("(ε, δ) is a bound on a divergence"),
    text=mark(
        "A mechanism is (ε, δ)-differentially private exactly if D_∞^δ ≤ ε between its "
        "outputs on any two neighbouring tables, both ways; for δ = 0 that is "
        "ε-differential privacy."
    ),
    check=_check_divergences,
    instance=[_Case(each, delta) for each in SMALL_MECHANISMS for delta in _DELTAS],
    twin=[_Case(_TILTED, Fraction(0), both_ways=False)],
    wrong=mark("the divergence taken one way only"),
)


Pair = tuple[Distribution, Distribution]

_FACTORS = (Fraction(1), Fraction(5, 4), Fraction(2))
_ROUNDING = 1 + 1e-12


def _pairs(count: int, least: int) -> list[Pair]:
    """Return pairs of distributions on four outcomes, of counts from ``least`` to nine."""
    draw = Random(317)  # noqa: S311 - fixed instances, not noise
    distributions = [
        Distribution([draw.randint(least, 9) for _ in range(4)]) for _ in range(2 * count)
    ]
    return list(zip(distributions[::2], distributions[1::2], strict=True))


def _ratio(p: Distribution, q: Distribution, delta: Fraction = Fraction(0)) -> Fraction | float:
    """Return e to the δ-approximate max divergence, exactly."""
    return max_divergence(p, q, delta=delta, witness=True).ratio


@dataclass(frozen=True)
class _NearDistributions:
    """Pairs of distributions, each with a share of the least δ at which they are close."""

    pairs: list[Pair]
    share: Fraction

    def one_way(self, p: Distribution, q: Distribution, factor: Fraction) -> tuple[bool, bool]:
        """Return both sides of part 1: D_∞^δ(P‖Q) ≤ ε, and a near one that is within e^ε."""
        delta = self.share * Fraction(hockey_stick(p, q, epsilon=Ln(factor)))
        near = bounded_neighbour(p, q, epsilon=Ln(factor)).distribution
        exists = statistical_distance(p, near) <= delta and _ratio(near, q) <= factor
        return _ratio(p, q, delta) <= factor, exists

    def two_ways(self, p: Distribution, q: Distribution, factor: Fraction) -> tuple[bool, bool]:
        """Return both sides of part 2, with both directions in its conclusion."""
        ways = ((p, q), (q, p))
        delta = self.share * max(Fraction(hockey_stick(*way, epsilon=Ln(factor))) for way in ways)
        pair = bounded_pair(p, q, epsilon=Ln(factor))
        moved = max(statistical_distance(p, pair.p), statistical_distance(q, pair.q))
        close = max(_ratio(pair.p, pair.q), _ratio(pair.q, pair.p)) <= factor
        within = all(_ratio(*way, delta) <= factor for way in ways)
        return within, moved <= delta / (factor + 1) and close

    def sides(self) -> Iterator[tuple[bool, bool]]:
        """Yield both sides of every equivalence."""
        for p, q in self.pairs:
            for factor in _FACTORS:
                yield self.one_way(p, q, factor)
                yield self.two_ways(p, q, factor)


def _check_near_distributions(given: _NearDistributions) -> Finding:
    found = list(given.sides())
    kept, exists = (sum(column) for column in zip(*found, strict=True))
    return Finding(
        holds=kept == exists == len(found),
        instances=len(found),
        figures=tr(
            "{pairs} of distributions at e^ε = 1, 5/4 and 2, both parts; of {found} cases "
            "D_∞^δ ≤ ε in {kept}, Y' and Z' found in {exists}",
            pairs=counted(len(given.pairs), "pair"),
            found=len(found),
            kept=kept,
            exists=exists,
        ),
    )


@dataclass(frozen=True)
class _SmallMean:
    """Pairs of distributions, and whether ε is to hold both ways."""

    pairs: list[Pair]
    both_ways: bool

    def level(self, p: Distribution, q: Distribution) -> Ln:
        ways = [(p, q), (q, p)] if self.both_ways else [(p, q)]
        return Ln(max(_ratio(*way) for way in ways))


def _check_small_mean(given: _SmallMean) -> Finding:
    found = [(kl_divergence(p, q), kl_bounds(given.level(p, q))) for p, q in given.pairs]
    mean, bounds = max(found, key=lambda each: each[0] / (each[1].tight or 1))
    return Finding(
        holds=all(kl <= limit.textbook and kl <= limit.tight * _ROUNDING for kl, limit in found),
        instances=len(found),
        figures=tr(
            "{pairs} of distributions; closest D(Y‖Z) = {mean:.6f}, ε(e^ε - 1) = "
            "{textbook:.6f}, ε tanh(ε/2) = {tight:.6f}",
            pairs=counted(len(found), "pair"),
            mean=mean,
            textbook=bounds.textbook,
            tight=bounds.tight,
        ),
    )


_RESPONSE = (Distribution([2, 1]), Distribution([1, 2]))
NEAR_DISTRIBUTIONS = BookStatement(
    name="Lemma 3.17",
    where=mark("chapter, part on composition"),
    title=mark("distributions that differ by δ"),
    text=mark(
        "D_∞^δ(Y‖Z) ≤ ε exactly if some Y' within statistical distance δ of Y has "
        "D_∞(Y'‖Z) ≤ ε; and both ways exactly if some Y', Z' within δ/(e^ε + 1) of Y, Z "
        "have D_∞ ≤ ε both ways (printed for one way)."
    ),
    check=_check_near_distributions,
    instance=_NearDistributions([_RESPONSE, *_pairs(40, least=0)], Fraction(1)),
    twin=_NearDistributions([_RESPONSE, *_pairs(40, least=0)], Fraction(9, 10)),
    wrong=mark("nine tenths of the δ that is needed"),
)

SMALL_MEAN = BookStatement(
    name="Lemma 3.18",
    where=mark("chapter, part on composition"),
    title=mark("the KL divergence of close outputs"),
    text=mark(
        "If D_∞(Y‖Z) ≤ ε and D_∞(Z‖Y) ≤ ε then D(Y‖Z) ≤ ε(e^ε - 1); the least such bound "
        "is ε tanh(ε/2)."
    ),
    check=_check_small_mean,
    instance=_SmallMean([_RESPONSE, *_pairs(200, least=1)], both_ways=True),
    twin=_SmallMean([(Distribution([1, 0]), Distribution([9, 1]))], both_ways=False),
    wrong=mark("D_∞(Z‖Y) left unbounded"),
)
