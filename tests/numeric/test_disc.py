"""Discs hold the exact results, under the one assumption on numpy's functions, checked here too."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import acb, arb

from sfumato.numeric import Disc, Enclosure, Ln, as_ball, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Unary = Callable[[Any], Any]
    Binary = Callable[[Any, Any], Any]

POINTS = 100_000
ROWS = 300
NEARLY_PI = [355 / 113, 5419351 / 1725033, math.pi, 1e15 * math.pi, 1e22]


def generator(name: str) -> np.random.Generator:
    return np.random.default_rng(list(name.encode()))


# --- the assumption: numpy's real functions are within 4 units in the last place ------------------

UNARY: dict[str, tuple[float, float, bool]] = {
    # from 10^low to 10^high in size, and whether negative numbers are given too
    "exp": (-320, math.log10(709), True),
    "expm1": (-320, math.log10(709), True),
    "log": (-323, 308, False),
    "log1p": (-320, 308, False),
    "sin": (-320, 22, True),
    "cos": (-320, 22, True),
}


def of_all_sizes(
    draw: np.random.Generator, low: float, high: float, count: int = POINTS
) -> NDArray[np.float64]:
    """Half of the numbers spread over all sizes, half over the usual ones."""
    wide = 10 ** draw.uniform(low, high, count // 2)
    usual = draw.uniform(0, min(10.0**high, 50.0), count - count // 2)
    return np.concatenate([wide, usual])


def worst_ulps(values: NDArray[np.float64], exact: list[arb]) -> float:
    with working_precision(120):
        gaps = [abs(float(e - arb(v))) for v, e in zip(values.tolist(), exact, strict=True)]
    return float(np.max(np.array(gaps) / np.spacing(np.abs(values))))


@pytest.mark.full
@pytest.mark.parametrize("strided", [False, True])
@pytest.mark.parametrize("name", UNARY)
def test_numpy_s_functions_of_one_number_are_as_good_as_assumed(
    name: str, *, strided: bool
) -> None:
    low, high, negative = UNARY[name]
    x = of_all_sizes(generator(name), low, high, POINTS // 2)
    if high == 22:
        x[: len(NEARLY_PI)] = NEARLY_PI
    x = np.concatenate([x, -x]) if negative else x
    x = np.repeat(x, 2)[::2] if strided else x
    values = getattr(np, name)(x)
    with working_precision(200):
        exact = [getattr(arb(each), name)() for each in x.tolist()]
    assert worst_ulps(values, exact) <= 4


@pytest.mark.parametrize("name", ["arctan2", "hypot"])
def test_numpy_s_functions_of_two_numbers(name: str) -> None:
    draw = generator(name)
    y, x = (of_all_sizes(draw, -150, 150) * draw.choice([-1, 1], POINTS) for _ in range(2))
    y[::3] = x[::3] * draw.uniform(-2, 2, y[::3].size)
    values = getattr(np, name)(y, x)
    with working_precision(120):
        pairs = [(arb(a), arb(b)) for a, b in zip(y.tolist(), x.tolist(), strict=True)]
        exact = [arb.atan2(a, b) if name == "arctan2" else acb(a, b).abs_lower() for a, b in pairs]
    assert worst_ulps(values, exact) <= 4


def test_a_function_that_is_off_by_more_is_caught() -> None:
    x = np.linspace(0.1, 5, 100)
    with working_precision(120):
        exact = [arb(each).exp() for each in x.tolist()]
    assert worst_ulps(np.exp(x) * (1 + 2e-15), exact) > 4


# --- every operation holds the exact result -------------------------------------------------------


def discs(
    draw: np.random.Generator,
    low: float,
    high: float,
    *,
    real: bool,
    rad: float,
    angle: float = 7.0,
) -> Disc:
    """Discs of sizes from 10^low to 10^high; half exact, half with a relative radius up to rad."""
    size = 10 ** draw.uniform(low, high, ROWS)
    turn = draw.uniform(-7, 7, ROWS)
    mid = size * draw.choice([-1.0, 1.0], ROWS) if real else size * np.exp(1j * turn)
    radii = np.where(draw.random(ROWS) < 0.5, 0.0, size * rad * draw.random(ROWS))
    return Disc(mid, radii)


def a_point_of(disc: Disc, draw: np.random.Generator) -> list[acb]:
    """Return an exact point of each disc: on the line for real ones, near the rim half the time."""
    shares = np.where(draw.random(disc.mid.size) < 0.5, 1 - 2.0**-40, draw.random(disc.mid.size))
    turns = np.exp(2j * np.pi * draw.random(disc.mid.size)) * (1 - 2.0**-40)
    if not np.iscomplexobj(disc.mid):
        turns = np.sign(turns.real)
    rads = np.broadcast_to(disc.rad, disc.mid.shape).ravel()
    rows = zip(disc.mid.ravel(), rads, shares, turns, strict=True)
    return [acb(m) + acb(r) * acb(x) * acb(t) for m, r, x, t in rows]


def outside(found: Disc, exact: list[acb], *, shrink: float = 1.0) -> list[int]:
    """Return which exact numbers certainly lie outside their discs."""
    rads = np.broadcast_to(found.rad, found.mid.shape).ravel() / shrink
    rows = enumerate(zip(found.mid.ravel(), rads, exact, strict=True))
    return [i for i, (m, r, e) in rows if np.isfinite(r) and abs(e - acb(m)) > arb(r)]


def outside_in_logarithm(found: Disc, exact: list[acb], *, shrink: float = 1.0) -> list[int]:
    """The same for z = e^mid (1 + x) with abs(x) at most e^rad - 1."""
    rads = np.broadcast_to(found.rad, found.mid.shape).ravel() / shrink
    rows = enumerate(zip(found.mid.ravel(), rads, exact, strict=True))
    return [
        i for i, (m, r, e) in rows if abs(e * (-acb(m)).exp() - 1) > arb(r).exp() - 1 + arb("1e-80")
    ]


BINARY: dict[str, Binary] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
}


def misses_of_two(name: str, *, real: bool, rad: float, sizes: float, shrink: float = 1.0) -> int:
    draw = generator(name)
    a = discs(draw, -sizes, sizes, real=real, rad=rad)
    b = discs(draw, -sizes, sizes, real=real, rad=rad)
    b.mid[::4] = -a.mid[::4] * (1 + 1e-13 * draw.random(b.mid[::4].size))  # cancels in a sum
    with working_precision(300), np.errstate(all="ignore"):
        pairs = zip(a_point_of(a, draw), a_point_of(b, draw), strict=True)
        exact = [BINARY[name](x, y) for x, y in pairs]
        return len(outside(BINARY[name](a, b), exact, shrink=shrink))


@pytest.mark.parametrize("sizes", [2.0, 70.0])
@pytest.mark.parametrize("rad", [0.0, 1e-14, 1e-3, 0.9, 3.0])
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("name", BINARY)
def test_operations_on_two_discs(name: str, *, real: bool, rad: float, sizes: float) -> None:
    assert misses_of_two(name, real=real, rad=rad, sizes=sizes) == 0


@pytest.mark.parametrize("shrink", [1e3, 1e6])
@pytest.mark.parametrize("rad", [0.0, 1e-3])
@pytest.mark.parametrize("name", BINARY)
def test_radii_that_are_too_small_are_caught_on_two(name: str, rad: float, shrink: float) -> None:
    assert misses_of_two(name, real=False, rad=rad, sizes=2.0, shrink=shrink) > 0


def test_products_that_underflow() -> None:
    a, b = Disc(np.array([1e-200, 1e-170 + 1e-160j])), Disc(np.array([3e-150, 1e-154 - 1e-170j]))
    with working_precision(300):
        exact = [acb(x) * acb(y) for x, y in zip(a.mid, b.mid, strict=True)]
        assert outside(a * b, exact) == []


@pytest.mark.parametrize("mid", [1e200, 1e160j, -1e300 + 1e300j, 1.7e308 + 1.7e308j])
@pytest.mark.parametrize("rad", [0.0, 1e-10, 0.25])
def test_reciprocals_of_far_discs(mid: complex, rad: float) -> None:
    far = Disc(np.array([mid]), np.array([1e150 * rad]))
    with np.errstate(all="ignore"), working_precision(300):
        found = far.reciprocal()
        exact = [1 / (acb(mid) + acb(far.rad[0]) * (1 - arb(2) ** -40))]
        assert outside(found, exact) == []


@pytest.mark.parametrize("given", [Disc(1.0, 1.0), Disc(0.0), Disc(0j, 1.0), Disc(1e-320, 1e-310)])
@pytest.mark.parametrize("over", [Disc(0.0), Disc(1.0), Disc(1.0, 0.5)])
def test_what_is_over_a_disc_that_may_be_zero_is_unbounded_without_a_warning(
    given: Disc, over: Disc
) -> None:
    assert not np.isfinite((over / given).rad)


@pytest.mark.parametrize("mid", [710.0, 1e6, 710 + 1j, 1e6 + 1e6j])
@pytest.mark.parametrize("name", ["exp", "expm1"])
def test_exponentials_beyond_the_floats_are_unbounded_without_a_warning(
    name: str, mid: complex
) -> None:
    assert not np.isfinite(getattr(Disc(mid), name)().rad)


# --- functions of one disc ------------------------------------------------------------------------


def exponents(draw: np.random.Generator, *, real: bool, rad: float) -> Disc:
    """Arguments of exp: tiny, great, close to multiples of pi up the imaginary axis."""
    small = 10 ** draw.uniform(-30, 1, ROWS // 2) * draw.choice([-1, 1], ROWS // 2)
    part = np.concatenate([draw.uniform(-760, 690, ROWS // 2), small])
    if real:
        return Disc(part, np.minimum(rad * draw.random(ROWS), 15.0))
    turns = np.round(10 ** draw.uniform(0, 12, ROWS)) * math.pi
    up = np.where(draw.random(ROWS) < 0.5, turns, 10 ** draw.uniform(-20, 3, ROWS))
    return Disc(part + 1j * up, np.minimum(rad * draw.random(ROWS), 15.0))


def misses_of(name: str, *, real: bool, rad: float, shrink: float = 1.0) -> int:
    draw = generator(name)
    given = exponents(draw, real=real, rad=rad)
    with working_precision(300), np.errstate(all="ignore"):
        exact = [getattr(each, name)() for each in a_point_of(given, draw)]
        return len(outside(getattr(given, name)(), exact, shrink=shrink))


@pytest.mark.parametrize("rad", [0.0, 1e-15, 1e-3, 0.9, 15.0])
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("name", ["exp", "expm1"])
def test_exponentials(name: str, *, real: bool, rad: float) -> None:
    assert misses_of(name, real=real, rad=rad) == 0


@pytest.mark.parametrize("shrink", [1e3, 1e6])
@pytest.mark.parametrize("name", ["exp", "expm1"])
def test_radii_that_are_too_small_are_caught_on_exponentials(name: str, shrink: float) -> None:
    assert misses_of(name, real=False, rad=0.0, shrink=shrink) > 0


def arguments_of_logarithms(draw: np.random.Generator, *, real: bool, rad: float) -> Disc:
    """Numbers of all sizes, on the unit circle, close to 1, and discs that hold 0."""
    given = discs(draw, -250, 250, real=real, rad=rad)
    given.mid[::5] /= np.abs(given.mid[::5])
    given.mid[1::5] = 1 + given.mid[1::5] / np.abs(given.mid[1::5]) * 10 ** draw.uniform(-18, -1)
    given.rad[given.rad > np.abs(given.mid) * rad] = 0.0
    return Disc(np.abs(given.mid) if real else given.mid, given.rad)


def logarithms_missed(name: str, *, real: bool, rad: float, shrink: float = 1.0) -> int:
    draw = generator(name)
    given = arguments_of_logarithms(draw, real=real, rad=rad)
    if name == "log1p":
        shift = np.where(draw.random(ROWS) < 0.5, 1.0, 0.0)
        given = Disc(given.mid - shift, given.rad)
        given.mid[::7] = 10 ** draw.uniform(-300, -1, given.mid[::7].size)
    with working_precision(1200):
        plus = 1 if name == "log1p" else 0
        exact = [plus + each for each in a_point_of(given, draw)]
        return len(outside_in_logarithm(getattr(given, name)(), exact, shrink=shrink))


@pytest.mark.parametrize("rad", [0.0, 1e-15, 1e-3, 0.3, 0.7, 5.0])
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("name", ["log", "log1p"])
def test_logarithms_read_through_exp(name: str, *, real: bool, rad: float) -> None:
    assert logarithms_missed(name, real=real, rad=rad) == 0


@pytest.mark.parametrize("shrink", [1e3, 1e6])
@pytest.mark.parametrize("name", ["log", "log1p"])
def test_radii_that_are_too_small_are_caught_on_logarithms(name: str, shrink: float) -> None:
    assert logarithms_missed(name, real=False, rad=1e-3, shrink=shrink) > 0


@pytest.mark.parametrize("rad", [0.0, 1e-12, 0.01, 0.2])
def test_logarithms_of_positive_discs_hold_the_logarithm_itself(rad: float) -> None:
    """Powers that are not whole need this, and use it away from 0 alone."""
    draw = generator("positive")
    mid = 10 ** draw.uniform(-200, 200, ROWS)
    given = Disc(mid, mid * rad * draw.random(ROWS))
    with working_precision(300):
        exact = [each.log() for each in a_point_of(given, draw)]
        assert outside(given.log(), exact) == []


def test_sums_of_many_and_of_cancelling_numbers() -> None:
    draw = generator("sum")
    mid = 10 ** draw.uniform(-10, 10, (5, 3000)) * draw.choice([-1, 1], (5, 3000))
    mid[:, 1500:] = -mid[:, :1500] * (1 + 1e-15)
    found = Disc(mid, np.abs(mid) * 1e-17).sum(axis=1)
    with working_precision(300):
        exact = [sum((acb(each) for each in row), acb(0)) for row in mid.tolist()]
        assert outside(found, exact) == []
        assert outside(found, exact, shrink=1e9) != []


# --- making discs, and their sizes ----------------------------------------------------------------

EXACT: list[Fraction | Ln] = [
    Fraction(1, 3),
    Fraction(10) ** 300 / 7,
    Fraction(1, 10**320),
    Fraction(0),
    Ln(2),
    Ln("1/9"),
]


def test_discs_around_exact_numbers() -> None:
    with working_precision(300):
        assert [v for v in EXACT if outside(Disc.of(v), [acb(as_ball(v))])] == []
        assert outside(Disc.stack(EXACT), [acb(as_ball(value)) for value in EXACT]) == []


@pytest.mark.parametrize("ends", [(1.0, 1.0), (-1e300, 1e300), (1e-320, 3e-320), (0.1, 0.2)])
def test_a_disc_within_an_enclosure_holds_both_ends(ends: tuple[float, float]) -> None:
    disc = Disc.within(Enclosure(*ends))
    with working_precision(300):
        assert [end for end in ends if outside(disc, [acb(end)])] == []


def test_sizes_bound_the_absolute_value_of_every_point() -> None:
    draw = generator("sizes")
    given = discs(draw, -150, 150, real=False, rad=2.0)
    with working_precision(300):
        sizes = zip(a_point_of(given, draw), given.least, given.size, strict=True)
        assert all(arb(low) <= abs(point) <= arb(high) for point, low, high in sizes)


def test_joined_and_chosen_discs_keep_their_radii() -> None:
    joined = Disc.joined([Disc(1.0, 0.5), Disc(np.array([2.0, 3.0]), 0.25)])
    assert joined.rad.tolist() == [0.5, 0.25, 0.25]
    assert Disc(np.array([2.0, 3.0]), 0.25)[1:].rad.tolist() == [0.25]
