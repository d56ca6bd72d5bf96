"""Privacy is a bound on a divergence, both ways: remark 3.1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sfumato.audit.book.instances import (
    Mechanism,
    OutputDistribution,
    neighbours,
    noisy_count,
    survey,
)
from sfumato.audit.book.statement import Finding, Statement
from sfumato.audit.verification import verify
from sfumato.information import max_divergence
from sfumato.numeric import Ln
from sfumato.printing.wording import counted
from sfumato.translation import mark, tr

__all__ = ["BY_DIVERGENCES"]

_DELTAS = (Fraction(0), Fraction(1, 20), Fraction(1, 5))
_MECHANISMS: tuple[Mechanism, ...] = (
    survey(1, Fraction(2, 3)),
    survey(2, Fraction(3, 4)),
    noisy_count(3, Fraction(1, 2)),
)
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


def _check(given: list[_Case]) -> Finding:
    found = [(each.by_definition(), each.by_divergence()) for each in given]
    definition, divergence = found[-1]
    return Finding(
        holds=all(one == other for one, other in found),
        instances=len(found),
        figures=(
            tr(
                "{cases} of a mechanism and a δ; in the last, e^ε = {definition} by the "
                "definition and e^D = {divergence}",
                cases=counted(len(found), "case"),
                definition=definition,
                divergence=divergence,
            )
        ),
    )


BY_DIVERGENCES = Statement(
    name="Remark 3.1",
    title=mark("(ε, δ) is a bound on a divergence"),
    text=(
        mark(
            "A mechanism is (ε, δ)-differentially private exactly if D_∞^δ ≤ ε between its "
            "outputs on any two neighbouring tables, both ways; for δ = 0 that is "
            "ε-differential privacy."
        )
    ),
    check=_check,
    instance=[_Case(each, delta) for each in _MECHANISMS for delta in _DELTAS],
    twin=[_Case(_TILTED, Fraction(0), both_ways=False)],
    wrong=mark("the divergence taken one way only"),
)
