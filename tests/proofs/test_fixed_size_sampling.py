"""All samples of a fixed size of small tables, enumerated."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

from sfumato.numeric import Ln
from sfumato.privacy import Substitute, compose, events
from tests.proofs.finite import (
    FACTORS,
    HALF,
    NEARLY,
    ZERO,
    Chances,
    failing,
    hockey_stick,
    mixed,
    of,
    response,
)
from tests.proofs.inequalities import prove

RATES = [Fraction(1, 4), HALF, Fraction(3, 4)]
PEOPLE = 4


def noisy_count(sample: tuple[int, ...]) -> Chances:
    """Whether the sample has many: randomized response, ever clearer."""
    return of(2 ** (sum(sample) + 1), 2 ** (len(sample) - sum(sample)))


def failing_count(sample: tuple[int, ...]) -> Chances:
    """Whether the sample has any, by randomized response that fails openly one time in ten."""
    return failing(Fraction(3), Fraction(1, 10))[1 - max(sample)]


MECHANISMS = [noisy_count, failing_count]


@cache
def drawn(mechanism: int, table: tuple[int, ...], size: int) -> Chances:
    samples = list(combinations(table, size))
    share = Fraction(1, len(samples))
    outputs = [MECHANISMS[mechanism](sample) for sample in samples]
    return mixed([share] * len(samples), outputs)


@cache
def worst(mechanism: int, size: int, factor: Fraction) -> Fraction:
    """The profile of the mechanism itself, on samples that differ in one place."""
    samples = list(product((0, 1), repeat=size))
    return max(
        hockey_stick(MECHANISMS[mechanism](one), MECHANISMS[mechanism](other), factor)
        for one, other in product(samples, repeat=2)
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1
    )


def farther(size: int, factor: Fraction) -> Fraction:
    return 1 + Fraction(size, PEOPLE) * (factor - 1)


def test_fixed_size_profile() -> None:
    tables = list(product((0, 1), repeat=PEOPLE))
    pairs = [
        (one, other)
        for one, other in product(tables, repeat=2)
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1
    ]

    def right(size: int, mechanism: int, factor: Fraction) -> Fraction:
        return Fraction(size, PEOPLE) * worst(mechanism, size, factor)

    prove(
        (
            (*pair, size, mechanism, factor)
            for size, mechanism, factor in product([1, 2, 3], [0, 1], FACTORS)
            for pair in pairs
        ),
        lambda one, other, size, mechanism, factor: hockey_stick(
            drawn(mechanism, one, size), drawn(mechanism, other, size), farther(size, factor)
        ),
        lambda _one, _other, *case: right(*case),
        twin=lambda _one, _other, *case: right(*case) / 2,
    )


def test_fixed_size_mixture() -> None:
    """The identity, and the bound, for any three distributions."""
    parts = [of(1, 2, 4), of(4, 2, 1), of(1, 1, 1), of(0, 1, 3)]

    def whole(out: Chances, own: Chances, other: Chances, rate: Fraction, t: Fraction) -> Fraction:
        p, q = (mixed((1 - rate, rate), (out, each)) for each in (own, other))
        return hockey_stick(p, q, 1 + rate * (t - 1))

    def bound(
        out: Chances, own: Chances, other: Chances, rate: Fraction, t: Fraction, *, share: Fraction
    ) -> Fraction:
        beta = (1 + rate * (t - 1)) / t
        assert whole(out, own, other, rate, t) == rate * hockey_stick(
            own, mixed((1 - beta, beta), (out, other)), t
        )
        apart = (1 - beta) * hockey_stick(own, out, t) + beta * hockey_stick(own, other, t)
        return share * rate * apart

    prove(
        product(parts, parts, parts, RATES, FACTORS),
        whole,
        lambda *point: bound(*point, share=Fraction(1)),
        twin=lambda *point: bound(*point, share=NEARLY),
    )


def test_fixed_size_rest() -> None:
    """Of symmetric pairs; and the accountant's profile of the pair."""
    pairs = [*(response(factor) for factor in FACTORS[1:]), failing(Fraction(2), Fraction(1, 10))]

    def above(p: Chances, q: Chances) -> tuple[Fraction, Fraction]:
        higher = [(a, b) for a, b in zip(p, q, strict=True) if a > b]
        return sum((a for a, _ in higher), ZERO), sum((b for _, b in higher), ZERO)

    def rest(p: Chances, q: Chances, rate: Fraction) -> Fraction:
        more, less = above(p, q)
        return 1 - ((1 - rate) * less + rate * more) - less

    for factor, size in product(FACTORS[1:], [1, 2, 3]):
        event = events.FixedSizeSubsampled(
            events.Pure(epsilon=Ln(factor)), size=size, population=PEOPLE
        )
        found = compose(event, relation=Substitute()).bounds(epsilon=0)
        exact = Fraction(size, PEOPLE) * (factor - 1) / (factor + 1)
        assert Fraction(found.lower) <= exact <= Fraction(found.upper)
    prove(
        ((p, q, rate) for (p, q), rate in product(pairs, RATES)),
        lambda p, q, _rate: 1 - sum(above(p, q)),
        rest,
        twin=lambda p, q, rate: rest(p, q, rate) - HALF,
    )
