"""The definition of differential privacy and its properties (§5.2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.application.textbook.figures import figures
from sfumato.audit import verify
from sfumato.information import max_divergence
from sfumato.information.continuous import Laplace, Mixture, Uniform
from sfumato.mechanisms import DiscreteLaplace
from sfumato.mechanisms.sensitivity import clipped_sum
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, PureDP, Substitute, ZeroConcentratedDP
from sfumato.privacy.theorems import approximate_group
from sfumato.sampling import SeededSource
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy import Relation

_TRUTH = Fraction(2, 3)
_PICO = Fraction(1, 10**12)
#: ln 2 less 1e-12, to fifteen places.
_BELOW = Fraction(693147180559945, 10**15) - _PICO


def _relations(bounds: tuple[int, int]) -> str:
    relations: list[tuple[Relation, int | None]] = [
        (Substitute(), None),
        (Substitute(count=2), None),
        (AddRemove(), None),
        (AddRemove(unit=Person()), 3),
    ]
    found = [clipped_sum(*bounds, relation=each, rows_per_person=rows) for each, rows in relations]
    return ", ".join(str(each.sensitivity.l1) for each in found)


NEIGHBOURS = figures(
    name="Definition 5.1",
    where=mark("chapter, §5.2"),
    title=mark("neighbouring tables"),
    text=mark(
        "How far one change moves a sum of values between 1 and 2 depends on the relation: one "
        "record substituted, two, one added or removed, and one person with up to three rows. "
        "(Printed for k-neighbours: equal in k places; meant is: different.)"
    ),
    printed="1, 2, 2, 6",
    found=_relations,
    instance=(1, 2),
    twin=(0, 1),
    wrong=mark("the offset of the values ignored"),
)


def _answers(truth: Fraction) -> dict[int, dict[int, Fraction]]:
    return {row: {row: truth, 1 - row: 1 - truth} for row in (0, 1)}


def _decided(truth: Fraction) -> str:
    claims = (verify(_answers(truth), epsilon=level) for level in (Ln(2), _BELOW))
    return ", ".join("✓" if each else "✗" for each in claims)


BY_OUTCOMES = figures(
    name="Proposition 5.2",
    where=mark("chapter, §5.2"),
    title=mark("ε-DP decided output by output"),
    text=mark(
        "Randomized response that tells the truth with probability 2/3 keeps ln 2, and does not "
        "keep ln 2 - 1e-12; both are decided exactly, from the probabilities of the outputs."
    ),
    printed="✓, ✗",
    found=_decided,
    instance=_TRUTH,
    twin=_TRUTH + _PICO,
    wrong=mark("the truth told with probability 2/3 + 1e-12"),
)


def _densities(spike: Fraction) -> str:
    start, plain = Fraction(1, 3), Laplace(0, 4)
    thin = Mixture([1 - spike, spike], [plain, Uniform(start, start + spike)]) if spike else plain
    return f"{max_divergence(thin, Laplace(1, 4)).upper:.6g}"


BY_DENSITIES = figures(
    name="Proposition 5.3",
    where=mark("chapter, §5.2"),
    title=mark("ε-DP decided by densities"),
    text=mark(
        "The greatest log ratio of the densities of Laplace noise of scale 4 on sums that differ "
        "by 1, enclosed over all outputs: Δ/b, and no more."
    ),
    printed="0.25",
    found=_densities,
    instance=Fraction(0),
    twin=Fraction(1, 10**9),
    wrong=mark("a spike of width 1e-9, which no grid of outputs would show"),
)


def _steps(levels: tuple[Fraction, ...]) -> str:
    source = SeededSource(1)
    first, *others = (DiscreteLaplace(epsilon=each) for each in levels)
    found = first.release(5, source=source)
    for each in others:
        found = found.then(each, lambda seen: 5 + (seen != 5), source=source)
    return f"{found.guarantee.epsilon(delta=0):.6g}"


COMPOSITION = figures(
    name="Proposition 5.5",
    where=mark("chapter, §5.2"),
    title=mark("steps that read earlier outputs add up"),
    text=mark(
        "What is asked second may depend on the first answer, and so on: running code that "
        "releases answers of ε = 0.1, 0.2 and 0.3 so has spent their sum."
    ),
    printed="0.6",
    found=_steps,
    instance=(Fraction("0.1"), Fraction("0.2"), Fraction("0.3")),
    twin=(Fraction("0.1"), Fraction("0.2")),
    wrong=mark("the last step forgotten"),
)


def _processed(rows_read: int) -> tuple[str, bool]:
    """Process an answer at random; the twin reads the row once more."""
    told = Fraction(3, 4)
    after: dict[int, dict[Any, Fraction]] = {0: {}, 1: {}}
    for row, answer in product((0, 1), repeat=2):
        for kept, chance in ((answer, told), (1 - answer, 1 - told)):
            seen = (kept, row) if rows_read else kept
            before = after[row].get(seen, Fraction(0))
            after[row][seen] = before + _answers(_TRUTH)[row][answer] * chance
    verdict = verify(after, epsilon=Ln(2))
    return f"{verdict.epsilon.bounds.upper:.6f}", bool(verdict)


POST_PROCESSING = figures(
    name="Proposition 5.6",
    where=mark("chapter, §5.2"),
    title=mark("post-processing costs nothing"),
    text=mark(
        "Randomized response whose answer is then told truly with probability 3/4, at random: the "
        "least ε of the whole is at most that of the answer."
    ),
    printed="≤ 0.693147",
    found=_processed,
    instance=0,
    twin=1,
    wrong=mark("a processing that reads the row again"),
)


def _groups(size: int) -> str:
    approximate = approximate_group(epsilon=1, delta=Fraction(1, 10**6), size=size)
    rho = ZeroConcentratedDP(rho=Fraction(1, 2)).group(size).rho()
    pure = PureDP(epsilon=1).group(size).epsilon(delta=0)
    return f"{pure:.6g}; {approximate.epsilon:.6g}, {approximate.delta:.6g}; {rho:.6g}"


GROUPS = figures(
    name="Proposition 5.7",
    where=mark("chapter, §5.2"),
    title=mark("group privacy"),
    text=mark(
        "For two people together: 1-DP costs kε; (1, 1e-6)-DP costs kε and δ(e^kε - 1)/(e^ε - 1); "
        "zero-concentrated privacy of ρ = 1/2 costs k²ρ."
    ),
    printed="2; 2, 3.71828e-06; 2",
    found=_groups,
    instance=2,
    twin=1,
    wrong=mark("two people counted as one"),
)

DEFINITION = (
    NEIGHBOURS,
    BY_OUTCOMES,
    BY_DENSITIES,
    COMPOSITION,
    POST_PROCESSING,
    GROUPS,
)
