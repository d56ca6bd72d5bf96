"""Two distributions over the same outcomes."""

from __future__ import annotations

from sfumato.errors import InputError
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution

__all__ = ["align", "matched"]


def align(p: DistributionLike, q: DistributionLike) -> tuple[Distribution, Distribution]:
    """Return two labelled distributions over the union of their outcomes; a missing one gets 0.

    Examples
    --------
    >>> from sfumato.information import align, statistical_distance
    >>> p, q = align({"flu": 1, "cold": 1}, {"flu": 1, "asthma": 1})
    >>> p.labels
    ('flu', 'cold', 'asthma')
    >>> statistical_distance(p, q)
    Fraction(1, 2)
    """
    left, right = as_distribution(p, "p"), as_distribution(q, "q")
    if not (left.is_labelled or right.is_labelled):
        raise InputError(
            "E-OUTCOMES-UNNAMED",
            "p and q must name their outcomes to be aligned",
            "give mappings to numbers",
        )
    union = tuple(dict.fromkeys((*left.labels, *right.labels)))
    return left.over(union), right.over(union)


def matched(p: DistributionLike, q: DistributionLike) -> tuple[Distribution, Distribution]:
    """Return two distributions whose outcomes correspond one to one, or refuse in one sentence.

    A distribution that does not name its outcomes numbers them from 0.
    """
    left, right = as_distribution(p, "p"), as_distribution(q, "q")
    if not (left.is_labelled or right.is_labelled):
        _check_lengths(left, right)
        return left, right
    if left.is_labelled and left.labels == right.labels:
        return left, right
    only_left, only_right = _differences(left, right)
    if only_left or only_right:
        raise _difference(left, right, only_left, only_right)
    return left.over(tuple(left.labels)), right.over(tuple(left.labels))


def _check_lengths(left: Distribution, right: Distribution) -> None:
    if len(left) != len(right):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "p has {count} outcomes and q has {other_count}",
            "give both the same ones, with 0 for an outcome that cannot occur",
            count=len(left),
            other_count=len(right),
        )


def _differences(left: Distribution, right: Distribution) -> tuple[int, int]:
    ours, theirs = set(left.labels), set(right.labels)
    return len(ours - theirs), len(theirs - ours)


def _difference(
    left: Distribution, right: Distribution, only_left: int, only_right: int
) -> InputError:
    if left.is_labelled != right.is_labelled:
        return InputError(
            "E-OUTCOMES-UNNAMED",
            "one of p and q names its outcomes and the other does not",
            "give both the same way",
        )
    return InputError(
        "E-OUTCOMES-DIFFER",
        "p and q are over different outcomes ({only_left} only in p, {only_right} only in q)",
        "write 0 for an outcome that cannot occur, or call align(p, q) first",
        only_left=only_left,
        only_right=only_right,
    )
