"""The trapezoid rule for δ, with the normal loss: what it gives, adds and leaves out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import acb, arb

from sfumato.numeric import as_ball
from tests.proofs.finite import ONE
from tests.proofs.inequalities import prove, prove_equal

#: What is left of a sum is below this.
REST = arb(0, arb(2) ** -230)


def normal(z: arb) -> arb:
    return (-z / arb(2).sqrt()).erfc() / 2


def delta(mu: Fraction, epsilon: arb) -> arb:
    """The profile of the normal pair at any real ε."""
    a = as_ball(mu)
    return normal(a / 2 - epsilon / a) - epsilon.exp() * normal(-a / 2 - epsilon / a)


def rule(mu: Fraction, epsilon: Fraction, c: Fraction, h: Fraction) -> arb:
    """T; beyond the last node less than REST is left, for the moments fall as e^(-y²μ²/2)."""
    last = int(Fraction(24) / (mu * h)) + 1
    total = arb(0)
    for n in range(last + 1):
        s = acb(as_ball(c), as_ball(n * h))
        moment = (s * (s + 1) * as_ball(mu**2 / 2) - s * as_ball(epsilon)).exp()
        total += (moment / (s * (s + 1))).real * (2 if n else 1)
    return as_ball(h) / (2 * arb.pi()) * total + REST


def copies(mu: Fraction, epsilon: Fraction, c: Fraction, h: Fraction, *, itself: bool) -> arb:
    """The sum over the copies, and the one that is wanted or not."""
    w = 2 * arb.pi() / as_ball(h)
    down, up = int(Fraction(180) * h / (6 * c)) + 1, 60
    return REST + sum(
        (
            (as_ball(c) * m * w).exp() * delta(mu, as_ball(epsilon) + m * w)
            for m in range(-down, up + 1)
            if m or itself
        ),
        arb(0),
    )


Case = tuple[Fraction, Fraction, Fraction, Fraction]
#: μ, ε, c and h.
CASES: list[Case] = [
    (Fraction(1), Fraction(1), Fraction(2), Fraction(1)),
    (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 4)),
    (Fraction(1, 2), Fraction(2), Fraction(5), Fraction(3)),
]


def test_trapezoid() -> None:
    """The twin is the wanted term alone, which the rule is above."""
    prove_equal(
        CASES,
        rule,
        lambda *case: copies(*case, itself=True),
        twin=lambda mu, epsilon, _c, _h: delta(mu, as_ball(epsilon)),
    )


def test_copies() -> None:
    """At several greater tilts; half of the series above, and none below, would be too little."""

    def bounds(case: Case, farther: Fraction) -> tuple[arb, arb]:
        mu, epsilon, c, h = case
        w, a = 2 * arb.pi() / as_ball(h), as_ball(c * farther)
        log_most = a * (a + 1) * as_ball(mu**2 / 2) + a * a.log() - (1 + a) * (1 + a).log()
        below = 1 / (as_ball(c) * w).expm1()
        return below, (log_most - a * as_ball(epsilon)).exp() / ((a - as_ball(c)) * w).expm1()

    wide = (Fraction(3), Fraction(1, 10), Fraction(1, 10), Fraction(2))
    prove(
        product([*CASES, wide], [Fraction(5, 4), Fraction(2), Fraction(4)]),
        lambda case, _farther: copies(*case, itself=False),
        lambda case, farther: sum(bounds(case, farther), arb(0)),
        twin=lambda case, farther: bounds(case, farther)[1] / 2,
    )


def test_tail_sum() -> None:
    """The sum is a Hurwitz zeta function; a twin with 1/(N + 1) fails."""
    prove(
        ((n,) for n in (1, 2, 10, 1000)),
        lambda n: arb(2).zeta(arb(n + 1)),
        lambda n: Fraction(1, n),
        twin=lambda n: Fraction(1, n + 1),
    )


def test_lattice_kernel() -> None:
    """At real s; the sum over k goes on until what is left is below the slack."""

    def term(s: Fraction, way: Fraction) -> arb:
        return as_ball(-s * way).exp() - as_ball(-(s + 1) * way).exp()

    def left(s: Fraction, r: Fraction, g: Fraction) -> arb:
        count = int(200 / (s * g)) + 1
        return sum((term(s, r + k * g) for k in range(count)), arb(0))

    def right(s: Fraction, r: Fraction, g: Fraction, sign: int) -> arb:
        first = as_ball(-s * r).exp() / -as_ball(-s * g).expm1()
        return first - sign * as_ball(-(s + 1) * r).exp() / -as_ball(-(s + 1) * g).expm1()

    steps = [Fraction(1, 2), ONE]
    prove_equal(
        ((s, r, g) for s, g in product([ONE, Fraction(7, 2)], steps) for r in (Fraction(0), g / 3)),
        left,
        lambda s, r, g: right(s, r, g, 1),
        twin=lambda s, r, g: right(s, r, g, -1),
    )
