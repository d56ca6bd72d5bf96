"""Which comparison two distributions get: by the first form that both have."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.audit.enclosed.adapted import AdaptedComparison
from sfumato.audit.enclosed.branches import BranchedComparison, read_branches
from sfumato.audit.enclosed.cauchy import CauchyComparison
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.audit.enclosed.forms import has
from sfumato.audit.enclosed.parts import compare_parts
from sfumato.audit.enclosed.processed import ProcessedComparison
from sfumato.audit.enclosed.real import RealComparison
from sfumato.audit.enclosed.runs import gap_runs
from sfumato.audit.enclosed.shaped import ShapedComparison
from sfumato.audit.enclosed.stretched import StretchedComparison
from sfumato.audit.enclosed.summed import SummedComparison
from sfumato.audit.exact.distribution import is_finite_distribution
from sfumato.audit.exact.finite import EFFORT, compare_finite
from sfumato.errors import InputError
from sfumato.information.continuous.cauchy import Cauchy

if TYPE_CHECKING:
    from sfumato.audit.comparison import Comparison

__all__ = ["compare_distributions"]


def compare_distributions(p: Any, q: Any, *, effort: int = EFFORT) -> Comparison:
    """Return the comparison of two distributions of one form, one way; see ``forms`` for the forms.

    Parameters
    ----------
    p, q
        Distributions on numbers: densities, whole-number noise, rounded noise, mixtures, branches.
    effort
        The most bits that balls are refined to.
    """
    for names, build in _FORMS:
        found = build(p, q, effort) if has(p, *names) and has(q, *names) else None
        if found is not None:
            return found
    raise InputError(
        "E-DISTRIBUTIONS-DIFFER",
        "two distributions of different forms are not compared",
        "give two densities, two distributions on whole numbers, or two outputs of one mechanism",
    )


def _branched(p: Any, q: Any, effort: int) -> Comparison | None:
    if _alternatives(p) != _alternatives(q):
        return None
    return BranchedComparison(p, q, partial(_enclosed, effort=effort), effort=effort)


def _alternatives(distribution: Any) -> list[tuple[Any, bool]]:
    """Return the names of the alternatives, and which are outcomes themselves."""
    return [(name, rest is None) for name, _, rest in read_branches(distribution)]


def _processed(p: Any, q: Any, effort: int) -> Comparison | None:
    if p.processing != q.processing:
        return None
    return ProcessedComparison(p, q, _enclosed(p.source, q.source, effort), effort=effort)


def _stretched(p: Any, q: Any, effort: int) -> Comparison | None:
    return StretchedComparison(p, q, effort=effort) if p.step == q.step else None


def _shaped(p: Any, q: Any, effort: int) -> Comparison | None:
    runs = gap_runs(p.shape, q.shape)
    return None if runs is None else ShapedComparison(p, q, runs, effort=effort)


def _summed(p: Any, q: Any, effort: int) -> Comparison:
    return SummedComparison(p, q, Fraction(1), effort=effort)


def _real(p: Any, q: Any, effort: int) -> Comparison:
    if isinstance(p, Cauchy) and isinstance(q, Cauchy):
        return CauchyComparison(p, q, effort=effort)
    return RealComparison(p, q, effort=effort)


def _independent(p: Any, q: Any, effort: int) -> Comparison:
    return compare_parts(p.factors, q.factors, partial(_compared, effort=effort))


def _compared(p: Any, q: Any, effort: int) -> Comparison:
    finite = is_finite_distribution(p) and is_finite_distribution(q)
    return (compare_finite if finite else compare_distributions)(p, q, effort=effort)


def _enclosed(p: Any, q: Any, effort: int) -> EnclosedComparison:
    found = _compared(p, q, effort)
    if isinstance(found, EnclosedComparison):
        return found
    return AdaptedComparison(found, effort=effort)


_FORMS = (
    (("factors",), _independent),
    (("branches",), _branched),
    (("source", "processing"), _processed),
    (("stretches", "step"), _stretched),
    (("shape",), _shaped),
    (("ball", "cumulative"), _summed),
    (("cdf",), _real),
)
