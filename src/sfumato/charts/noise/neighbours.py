"""What comes out of a mechanism, on two neighbouring values."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.charts.curves.points import delta_to_read
from sfumato.charts.curves.readings import is_nothing
from sfumato.charts.noise.finite_distributions import bars
from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.style import PALETTE, SHAPES, altair, finished, rows
from sfumato.errors import InputError
from sfumato.mechanisms import FiniteDistribution
from sfumato.mechanisms.distributions.grid import GridDistribution
from sfumato.mechanisms.distributions.integers import IntegerDistribution
from sfumato.numeric import shown
from sfumato.numeric.digits import digits_above
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.mechanisms import Mechanism
    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Guarantee

    Named = dict[str, Any]

__all__ = ["mechanism"]

_SURE, _EVENLY, _NARROW = 0.99, 120, 1e-4
_MOST_DOTS, _HUGE = 60, 20
_DRAWN = (FiniteDistribution, IntegerDistribution, GridDistribution)


def mechanism(protecting: Mechanism[Any, Any], value: Any = None, neighbour: Any = None) -> Chart:
    """Draw how likely each output is, on two neighbouring values.

    Parameters
    ----------
    protecting
        A mechanism that adds noise to a number, or chooses among few.
    value
        An example, which the picture shows; 0 for a number, the first answer of a survey.  A
        choice needs its utilities.
    neighbour
        What it is after one change of the table; without it as far away as one change leads, and
        none for a choice.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.mechanism(sf.mechanisms.Laplace(epsilon=1, sensitivity=1))
    >>> chart.to_dict()["title"]["text"]
    ['no output is more than 2.719 times as likely on a neighbour']
    """
    values = _values(protecting, value, neighbour)
    outputs = {
        _name(each, place): protecting.distribution(each) for place, each in enumerate(values)
    }
    if not all(isinstance(each, _DRAWN) for each in outputs.values()):
        raise _no_picture(protecting)
    first = next(iter(outputs.values()))
    if isinstance(first, FiniteDistribution):
        drawn, height = bars(outputs)
        return finished(drawn, *_words(protecting, len(outputs)), height=height)
    low, high = _ends(protecting, values)
    draw = _masses if isinstance(first, IntegerDistribution) else _lines
    return finished(draw(outputs, low, high), *_words(protecting, len(outputs)))


def _values(protecting: Mechanism[Any, Any], value: Any, neighbour: Any) -> list[Any]:
    """Return what is drawn: one value, or two neighbouring ones."""
    pairs = protecting.neighbours()
    if value is None and hasattr(protecting, "rate"):
        raise InputError(
            "E-ARGUMENT-MISSING",
            "a choice needs its utilities",
            "write plot({{'red': 30, 'green': 4}}), say, of this {kind}",
            kind=type(protecting).__name__,
        )
    if not pairs:
        raise _no_picture(protecting)
    if value is None:
        return list(pairs[0])
    if neighbour is not None:
        return [value, neighbour]
    protecting.distribution(value)
    moved = getattr(protecting, "sensitivity", None)
    return [value] if moved is None or hasattr(protecting, "rate") else [value, value + moved]


def _no_picture(protecting: Mechanism[Any, Any]) -> InputError:
    name = type(protecting).__name__
    return InputError(
        "E-CHART-NONE",
        "the outputs of {name} have no picture",
        "draw its guarantee, .guarantee.plot()",
        name=name,
    )


def _name(value: Any, place: int) -> str:
    said = shown(value) if isinstance(value, (str, int)) else f"{_number(value)}"
    if isinstance(value, (dict, list)):
        return tr("the neighbour") if place else tr("these utilities")
    return tr("on {said}, a neighbour", said=said) if place else tr("on {said}", said=said)


def _number(value: Any) -> str:
    try:
        return f"{float(value):g}"
    except (TypeError, ValueError):
        return shown(value)


def _ends(protecting: Mechanism[Any, Any], values: list[Any]) -> tuple[float, float]:
    """Return where nearly all outputs lie."""
    reach = protecting.error(confidence=_SURE)
    return float(min(values)) - reach, float(max(values)) + reach


def _lines(outputs: Named, low: float, high: float) -> Any:
    """Draw densities: each the share of a narrow cell, by its width."""
    alt, half = altair(), (high - low) * _NARROW
    places = sorted(
        {low + (high - low) * step / _EVENLY for step in range(_EVENLY + 1)}
        | {float(_centre(each)) for each in outputs.values()}
    )
    points = [
        {"name": name, "output": x, "density": _share(each, x - half, x + half) / (2 * half)}
        for (name, each), x in product(outputs.items(), places)
    ]
    lines = alt.Chart(rows(points)).mark_line(strokeWidth=2)
    return lines.encode(
        x=alt.X("output:Q", title=tr("output"), scale=alt.Scale(nice=False)),
        y=alt.Y("density:Q", title=tr("density of the output")),
        **told_apart(list(outputs)),
    )


def _centre(distribution: Any) -> Any:
    return getattr(distribution, "centre", 0)


def _share(distribution: Any, low: float, high: float) -> float:
    return max(0.0, float(distribution.cdf(high).upper - distribution.cdf(low).upper))


def _masses(outputs: Named, low: float, high: float) -> Any:
    """Draw the probability of whole numbers: of each, or of some where there are many."""
    alt = altair()
    first, last = math.floor(low), math.ceil(high)
    step = max(1, -(-(last - first) // (2 * _EVENLY)))
    points = [
        {"name": name, "output": at, "probability": each.probability(at).upper}
        for (name, each), at in product(outputs.items(), range(first, last + 1, step))
    ]
    base = alt.Chart(rows(points)).encode(
        x=alt.X(
            "output:Q", title=tr("output"), scale=alt.Scale(nice=False), axis={"tickMinStep": 1}
        ),
        y=alt.Y("probability:Q", title=tr("probability of the output")),
    )
    many = last - first > _MOST_DOTS
    lines = base.mark_line(strokeWidth=1.5).encode(**told_apart(list(outputs), legend=many))
    if many:
        return lines
    shapes = alt.Scale(domain=list(outputs), range=SHAPES[: len(outputs)])
    colours = alt.Scale(domain=list(outputs), range=PALETTE[: len(outputs)])
    legend = alt.Legend(orient="bottom")
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        shape=alt.Shape("name:N", title=None, sort=None, scale=shapes, legend=legend),
        color=alt.Color("name:N", title=None, sort=None, scale=colours, legend=legend),
    )
    return alt.layer(lines, dots).resolve_scale(color="independent", shape="independent")


def _words(protecting: Mechanism[Any, Any], outputs: int) -> list[str]:
    guarantee, kind = protecting.guarantee, protecting.event.describe()
    title = _bound(guarantee) if outputs > 1 else tr("how likely each candidate is to be chosen")
    done = [] if kind in str(guarantee) else [kind]
    return [title, str(guarantee), *done, tr("an example, not a release")]


def _bound(guarantee: Guarantee) -> str:
    """Return the guarantee as a ratio: of any output, and with δ only of sets of outputs."""
    delta = delta_to_read(guarantee)
    level = guarantee.epsilon(delta=delta)
    if is_nothing(level) or level > _HUGE:
        return tr("what is guaranteed: {guarantee}", guarantee=guarantee)
    times = digits_above(math.exp(level), 4)
    if not delta:
        return tr("no output is more than {times} times as likely on a neighbour", times=times)
    return tr(
        "the probability of any set of outputs is at most {times} times that on a neighbour, plus "
        "δ = {delta}",
        times=times,
        delta=digits_above(delta, 4),
    )
