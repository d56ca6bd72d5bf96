"""Columns of channels that are ε-private: their sum, what they leak, and the most of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from flint import arb

from sfumato.information import epsilon_bounds
from sfumato.numeric import Ln, as_ball, working_precision
from tests.proofs.finite import FACTORS, HALF, NEARLY, ONE, Chances, of
from tests.proofs.inequalities import BITS, prove, prove_equal

#: A channel by its rows.
Rows = list[Chances]
GREAT = FACTORS[1:]


def subsets(inputs: int, size: int, factor: Fraction) -> Rows:
    """The channel that gives a subset of the inputs, likelier by e^ε if it holds the own."""
    found = list(combinations(range(inputs), size))
    return [of(*(factor if x in chosen else 1 for chosen in found)) for x in range(inputs)]


def test_column_total() -> None:
    """Randomized response attains it; subsets of two do not."""

    def bound(rows: Rows, factor: Fraction) -> Fraction:
        return len(rows) * factor / (len(rows) - 1 + factor)

    channels = [
        (subsets(k, d, factor), factor) for k in (2, 3, 5) for d in (1, 2) for factor in GREAT
    ]
    with working_precision(BITS):
        for rows, factor in channels:
            found = epsilon_bounds(Ln(factor), inputs=len(rows), base=2).maximal_leakage
            assert arb(2) ** arb(found) >= as_ball(bound(rows, factor))
    prove(
        channels,
        lambda rows, _factor: sum(max(column) for column in zip(*rows, strict=True)),
        bound,
        twin=lambda *case: NEARLY * bound(*case),
    )


def gain(factor: Fraction, share: Fraction) -> arb:
    """f."""
    epsilon, total = as_ball(factor).log(), as_ball(1 + (factor - 1) * share)
    return epsilon * as_ball(factor * share) / total - total.log()


def leaked(prior: Chances, column: Chances) -> arb:
    """What one output adds to the mutual information."""
    whole = sum((a * b for a, b in zip(prior, column, strict=True)), Fraction(0))
    parts = (
        as_ball(a * b) * as_ball(b / whole).log() for a, b in zip(prior, column, strict=True) if a
    )
    return sum(parts, arb(0))


def test_column_leakage() -> None:
    priors = [of(1, 1, 1), of(1, 2, 5)]
    sets = [(1, 0, 0), (0, 1, 1), (1, 0, 1)]

    def column(factor: Fraction, inside: tuple[int, ...]) -> Chances:
        return tuple(1 + (factor - 1) * each for each in inside)

    def share(prior: Chances, inside: tuple[int, ...]) -> Fraction:
        return sum((a * b for a, b in zip(prior, inside, strict=True)), Fraction(0))

    prove_equal(
        product(priors, GREAT, sets),
        lambda prior, factor, inside: leaked(prior, column(factor, inside)),
        lambda prior, factor, inside: (
            as_ball(1 + (factor - 1) * share(prior, inside)) * gain(factor, share(prior, inside))
        ),
        twin=lambda prior, factor, inside: gain(factor, share(prior, inside)),
    )


def test_leakage_peak() -> None:
    """Near the best share of inputs the bound is nearly met; and channels are below it."""

    def peak(factor: Fraction) -> arb:
        u = as_ball(factor).log() * as_ball(factor / (factor - 1))
        return u - 1 - u.log()

    for inputs, size, factor in product((3, 4, 6), (1, 2), GREAT):
        rows, prior = subsets(inputs, size, factor), (Fraction(1, inputs),) * inputs
        found = epsilon_bounds(Ln(factor), inputs=inputs, base=2)
        information = sum((leaked(prior, column) for column in zip(*rows, strict=True)), arb(0))
        assert arb(found.leakage) * arb(2).log() >= information - arb(2) ** -40
        assert found.leakage <= found.capacity
        assert arb(found.capacity) * arb(2).log() <= peak(factor) + arb(2) ** -40
    prove(
        product(GREAT, [Fraction(each, 100) for each in range(101)]),
        gain,
        lambda factor, _share: peak(factor),
        twin=lambda factor, _share: peak(factor) * as_ball(NEARLY),
    )


def test_response_capacity() -> None:
    def left(factor: Fraction) -> arb:
        right, wrong = as_ball(factor / (1 + factor)), as_ball(1 / (1 + factor))
        return arb(2).log() + right * right.log() + wrong * wrong.log()

    with working_precision(BITS):
        for factor in GREAT:
            found = arb(epsilon_bounds(Ln(factor), inputs=2, base=2).capacity)
            assert found * arb(2).log() >= left(factor)
    prove_equal(
        ((factor,) for factor in GREAT),
        left,
        lambda factor: gain(factor, HALF),
        twin=lambda factor: gain(factor, ONE / 3),
    )
