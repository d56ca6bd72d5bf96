"""Arithmetic of doubles that gives infinity or 0 where PostgreSQL would raise.

PostgreSQL raises where a sum, a product or a quotient is too great for a double, or vanishes.  So
the operation is done where it surely does neither; elsewhere the same is done first with numbers
scaled by powers of two, which rounds alike, to see how it would end.

What may raise stands behind a branch of CASE, which PostgreSQL works out only if the branch is
taken, unless it is of constants alone; never behind one side of AND, of which it may take either
first.  No statistics of a table, no constraint and no index decides a branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.doubles import LARGEST
from sfumato.data.engines.functions import call

if TYPE_CHECKING:
    import ibis.expr.types as ir


#: Where e to the power of a number begins to be infinite, and 0.
_TOO_GREAT, _TOO_SMALL = 709.782712893384, -745.1332191019411
_NEAR = 1e-9


def double(value: float) -> ir.Value:
    """Return a number of the query as a double, to the last bit."""
    import ibis

    return ibis.literal(str(float(value))).cast("float64")


def _infinite(like: ir.Value) -> ir.Value:
    return like * double(float("inf"))


def added(left: ir.Value, right: ir.Value, *, sign: int = 1) -> ir.Value:
    """Return a sum, or a difference where ``sign`` is -1."""
    import ibis

    limit, great, scale = double(2.0**1022), double(2.0**900), double(2.0**-10)
    plain = left + right if sign > 0 else left - right
    calm = (left.abs() < limit) & (right.abs() < limit)
    parts = [
        ibis.cases((each.abs() >= great, each * scale), else_=double(0.0)) for each in (left, right)
    ]
    scaled = parts[0] + parts[1] if sign > 0 else parts[0] - parts[1]
    fits = scaled.abs() < double(2.0**1014)
    known = left.notnull() & right.notnull()
    return ibis.cases((calm, plain), (fits, plain), (known, _infinite(scaled)))


def multiplied(left: ir.Value, right: ir.Value) -> ir.Value:
    """Return a product."""
    import ibis

    one, zero, calm = double(1.0), double(0.0), double(2.0**-500)
    a, b = left.abs(), right.abs()
    down, up = double(2.0**-512), double(2.0**512)
    great = (left * down) * (right * down)
    small = (left * up) * (right * up)
    plain = left * right
    return ibis.cases(
        (_is_calm(a) & _is_calm(b), plain),
        ((a >= one) & (b >= one), ibis.cases((great.abs() < one, plain), else_=_infinite(great))),
        ((a >= one) | (b >= one), plain),
        ((a >= calm) & (b >= calm), plain),
        ((a < double(2.0**-538)) & (b < double(2.0**-538)), zero),
        (small.abs() > double(2.0**-51), plain),
        (small.notnull(), zero),
    )


def divided(left: ir.Value, right: ir.Value) -> ir.Value:
    """Return a quotient; null where the divisor is 0."""
    import ibis

    one, zero = double(1.0), double(0.0)
    divisor = right.nullif(zero)
    a, b = left.abs(), right.abs()
    down, up = double(2.0**-512), double(2.0**512)
    great = (left * down) / (divisor * up)
    small = (left * up) / (divisor * down)
    partly = left / (divisor * up)
    plain = left / divisor
    return ibis.cases(
        (_is_calm(a) & _is_calm(b), plain),
        ((a >= one) & (b <= double(2.0**-1024)), _infinite(left) * right.sign()),
        ((a >= one) & (b < one), ibis.cases((great.abs() < one, plain), else_=_infinite(great))),
        (a >= one, plain),
        (b >= one, ibis.cases((small.abs() > double(2.0**-51), plain), (small.notnull(), zero))),
        (b >= double(2.0**-1000), plain),
        (partly.abs() < up, plain),
        (partly.notnull(), _infinite(partly)),
    )


def _is_calm(size: ir.Value) -> ir.Value:
    return size.between(double(2.0**-500), double(2.0**500))


def exponential(value: ir.Value) -> ir.Value:
    """Return e to the power of a number."""
    import ibis

    return ibis.cases(
        (value > double(_TOO_GREAT), double(float("inf"))),
        (value < double(_TOO_SMALL), double(0.0)),
        else_=value.exp(),
    )


def power(base: ir.Value, exponent: ir.Value) -> ir.Value:
    """Return a power of finite numbers: infinite, 0 or NaN where PostgreSQL would raise."""
    import ibis

    zero, one, infinite = double(0.0), double(1.0), double(float("inf"))
    raised = call("power", "float64", base, exponent)
    half = call("power", "float64", base.abs(), exponent * double(0.5))
    some = ibis.least(ibis.greatest(exponent, double(-1e300)), double(1e300))
    size = some * base.abs().ln()
    sign = ibis.cases(((base < zero) & _is_odd(exponent), double(-1.0)), else_=one)
    of_zero = ibis.cases((exponent > zero, zero), (exponent == zero, one), else_=infinite)
    value = ibis.cases(
        (base == zero, of_zero),
        ((base < zero) & (exponent != call("floor", "float64", exponent)), double(float("nan"))),
        (exponent.abs() < double(1e-290), one),
        (exponent == one, base),
        (size > double(_TOO_GREAT + _NEAR), infinite * sign),
        (size < double(_TOO_SMALL + _NEAR), zero),
        (size > double(_TOO_GREAT - _NEAR), multiplied(half, half) * sign),
        else_=raised,
    )
    return ibis.cases((base.notnull() & exponent.notnull(), value))


def _is_odd(whole: ir.Value) -> ir.Value:
    half = whole * double(0.5)
    return (whole.abs() < double(2.0**53)) & (half != call("floor", "float64", half))


_EXACT = 2.0**53
_LN_2 = 0.6931471805599453


def remainder(left: ir.Value, right: ir.Value) -> ir.Value:
    """Return what is left of a number, with its sign, after as many of another as fit into it.

    Whole numbers are divided as such.  Others are taken apart into whole numbers and powers of
    two, and divided as numbers of as many digits as it takes.
    """
    import ibis

    a, b = left.abs(), right.abs()
    finite = (a <= double(LARGEST)) & (b <= double(LARGEST)) & (b > double(0.0))
    return ibis.cases(
        (~finite, double(float("nan"))),
        (a < b, left),
        (_is_whole(left) & _is_whole(right), _of_whole(left, right)),
        (finite, _taken_apart(left, right)),
    )


def _is_whole(value: ir.Value) -> ir.Value:
    return (value.abs() < double(_EXACT)) & (value == call("floor", "float64", value))


def _of_whole(left: ir.Value, right: ir.Value) -> ir.Value:
    whole = call("mod", "int64", left.cast("int64"), right.cast("int64").nullif(0))
    return whole.cast("float64")


def _taken_apart(left: ir.Value, right: ir.Value) -> ir.Value:
    import ibis

    one, other = _exponent(left), _exponent(right)
    dividend = _digits(left, one) * _two_to(ibis.greatest(one - other, 0))
    divisor = _digits(right, other) * _two_to(ibis.greatest(other - one, 0))
    rest = call("mod", "decimal", dividend, divisor.nullif(ibis.literal(0).cast("decimal")))
    return _scaled(rest.cast("float64"), ibis.least(one, other))


def _exponent(value: ir.Value) -> ir.Value:
    """Return a power of two of which a number is a whole multiple, of less than 2^56."""
    size = value.abs().nullif(double(0.0))
    return call("floor", "float64", size.ln() / double(_LN_2) - double(0.5)).cast("int64") - 53


def _digits(value: ir.Value, exponent: ir.Value) -> ir.Value:
    return _scaled(value, -exponent).cast("int64").cast("decimal")


def _scaled(value: ir.Value, exponent: ir.Value) -> ir.Value:
    """Return a number times a power of two, in two steps: the power may be too great for one."""
    half = call("floor", "float64", exponent.cast("float64") * double(0.5))
    first, second = (
        call("power", "float64", double(2.0), each)
        for each in (half, exponent.cast("float64") - half)
    )
    return value * first * second


def _two_to(exponent: ir.Value) -> ir.Value:
    import ibis

    return call("power", "decimal", ibis.literal(2).cast("decimal"), exponent.cast("decimal"))
