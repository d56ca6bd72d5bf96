"""The remainder of a division of doubles, exactly: PostgreSQL has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.engines.postgres.arithmetic import double
from sfumato.data.engines.postgres.functions import call

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["remainder"]

_LARGEST = 1.7976931348623157e308
_EXACT = 2.0**53
_LN_2 = 0.6931471805599453


def remainder(left: ir.Value, right: ir.Value) -> ir.Value:
    """Return what is left of a number, with its sign, after as many of another as fit into it.

    Whole numbers are divided as such.  Others are taken apart into whole numbers and powers of
    two, and divided as numbers of as many digits as it takes.
    """
    import ibis

    a, b = left.abs(), right.abs()
    finite = (a <= double(_LARGEST)) & (b <= double(_LARGEST)) & (b > double(0.0))
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
