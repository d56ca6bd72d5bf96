"""Amplification by sampling: the outputs over all samples of small tables, exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import (
    BookStatement,
    ClaimedMechanism,
    OutputDistribution,
    check_claims,
    noisy_number,
)
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Relation, Substitute
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    Table = tuple[int, ...]
    Sampling = Callable[[Table], Iterable[tuple[Table, Fraction]]]

_FACTOR = Fraction(3)
_LEAK = Fraction(1, 10)
_ZERO, _ONE = Fraction(0), Fraction(1)


def _poisson(table: Table, *, rate: Fraction) -> Iterable[tuple[Table, Fraction]]:
    """Yield every sample that each row enters by itself, with its probability."""
    for size in range(len(table) + 1):
        chance = rate**size * (1 - rate) ** (len(table) - size)
        yield from ((sample, chance) for sample in combinations(table, size))


def _fixed_size(table: Table, *, size: int) -> Iterable[tuple[Table, Fraction]]:
    """Yield every sample of so many rows, each as likely as the next."""
    samples = list(combinations(table, size))
    yield from ((sample, Fraction(1, len(samples))) for sample in samples)


def _sampled(table: Table, *, sampling: Sampling, most: int, leak: Fraction) -> OutputDistribution:
    """Return the outputs of a sum with noise on a sample; now and then it is told as it is.

    One row of -1 or 1 more or less moves the sum by 1, whose noise falls by e^ε a step.
    """
    found: dict[Hashable, Fraction] = {}
    for sample, chance in sampling(table):
        total = sum(sample)
        outputs = noisy_number(total, -most, most, 1 / _FACTOR).items()
        kept = [(output, weight * (1 - leak)) for output, weight in outputs]
        for output, weight in (*kept, (f"exactly {total}", leak)):
            found[output] = found.get(output, _ZERO) + chance * weight
    return {output: weight for output, weight in found.items() if weight}


def _claim(
    tables: Datasets,
    relation: Relation,
    sampling: Sampling,
    rates: tuple[Fraction, Fraction],
    leak: Fraction = _ZERO,
) -> ClaimedMechanism:
    """Return the claim that the rates, for ε and for δ, are those of the sampling."""
    for_epsilon, for_delta = rates
    return partial(
        verify,
        partial(_sampled, sampling=sampling, most=tables.sizes[-1], leak=leak),
        inputs=tables,
        neighbours=relation,
        epsilon=Ln(1 + for_epsilon * (_FACTOR - 1)),
        delta=for_delta * leak,
    )


_RATES = (Fraction(1, 100), Fraction(1, 2), Fraction(9, 10))
_FEW = Datasets([-1, 1], most=3, ordered=False)


def _by_poisson(relation: Relation) -> list[ClaimedMechanism]:
    return [
        _claim(_FEW, relation, partial(_poisson, rate=rate), (rate, rate), leak)
        for rate in _RATES
        for leak in (_ZERO, _LEAK)
    ]


_HALVED, _PEOPLE = Fraction(1, 2), 4
#: Rows of 0 and 1, so that a substitution moves the sum by 1.
_SAME_SIZE = Datasets([0, 1], size=_PEOPLE, ordered=False)


def _by_size(share: Fraction) -> list[ClaimedMechanism]:
    """Return the claims for samples of each size, with a share of the rate."""
    return [
        _claim(
            _SAME_SIZE,
            Substitute(),
            partial(_fixed_size, size=size),
            (share * Fraction(size, _PEOPLE), Fraction(size, _PEOPLE)),
            leak,
        )
        for size in range(1, _PEOPLE)
        for leak in (_ZERO, _LEAK)
    ]


POISSON_SAMPLE = BookStatement(
    name="Poisson sample",
    title=mark("amplification by a Poisson sample"),
    text=mark(
        "What is (ε, δ)-differentially private for adding or removing a row is (ln(1 + q(e^ε - "
        "1)), qδ)-differentially private on a secret sample that each row enters with "
        "probability q."
    ),
    check=check_claims,
    instance=_by_poisson(AddRemove()),
    twin=_by_poisson(Substitute()),
    wrong=mark("the same said of substituting a row"),
    citation="balle2018subsampling",
    relation=AddRemove(),
)

FIXED_SIZE_SAMPLE = BookStatement(
    name="Sample of m",
    title=mark("amplification by drawing m rows of n"),
    text=mark(
        "What is (ε, δ)-differentially private for substituting a row is (ln(1 + q(e^ε - 1)), "
        "qδ)-differentially private on a secret sample of m rows out of n, drawn without "
        "replacement, where q = m/n."
    ),
    check=check_claims,
    instance=_by_size(_ONE),
    twin=_by_size(_HALVED),
    wrong=mark("ln(1 + q(e^ε - 1)) with half of the rate"),
    citation="balle2018subsampling",
)
