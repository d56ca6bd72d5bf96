"""Pictures of what comes out of a mechanism."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import lines, named_lines, told_apart
from sfumato.charts.parts.profiles import delta_to_read, is_nothing
from sfumato.charts.parts.style import ABOVE, PALETTE, SHAPES, altair, axis_room, finished, rows
from sfumato.errors import InputError
from sfumato.mechanisms import FiniteDistribution, GridDistribution, IntegerDistribution
from sfumato.numeric import any_float, digits_above, shown
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.mechanisms import Mechanism
    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee

    Named = dict[str, Any]


_FIGURE = ((0, 1), (0, 2), (0, 4), (-5, 4))
_TITLE = mark("Laplace noise: the greater its scale λ, the wider it is")
_FORMULA = mark("density exp(−|x − μ|/λ) / (2λ): centre μ, scale λ, variance 2λ²")
#: How many places of an axis a density is drawn at, how many about its peak, and how far from it.
_EVENLY, _AROUND, _REACH = 120, 40, 2.5
#: Which share of all outputs is drawn, and how narrow the cells are that a density is read from.
_SURE, _NARROW = 0.99, 1e-4
#: How many outcomes have a bar; how high that is, and the room between those of two outcomes.
_MOST, _BAR, _BETWEEN = 40, 13, 8
#: Whole numbers have dots up to so many; factors of a greater ε are not written out.
_MOST_DOTS, _HUGE = 60, 20
_DRAWN = (FiniteDistribution, IntegerDistribution, GridDistribution)


def laplace_densities(distributions: Iterable[tuple[float, float]] = _FIGURE) -> Chart:
    """Draw Laplace densities exp(-abs(x - μ)/λ)/(2λ) in one picture.

    Parameters
    ----------
    distributions
        Pairs of a centre μ and a scale λ above 0; without them the four of the textbook.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.laplace_densities([(0, 1), (0, 3)])
    >>> chart.to_dict()["title"]["text"]
    ['Laplace noise: the greater its scale λ, the wider it is']
    """
    read = _read(distributions)
    names = named_lines([f"μ = {centre:g}, λ = {scale:g}" for centre, scale in read])
    points = [
        {"name": name, "x": x, "density": math.exp(-abs(x - centre) / scale) / (2 * scale)}
        for name, (centre, scale) in zip(names, read, strict=True)
        for x in _places(read, centre, scale)
    ]
    alt = altair()
    drawn = lines(
        points,
        names,
        x=alt.X("x:Q", title="x", scale=alt.Scale(nice=False)),
        y=alt.Y("density:Q", title=tr("density at x")),
    )
    return finished(drawn, tr(_TITLE), tr(_FORMULA))


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
        drawn, height = _bars(outputs)
        return finished(drawn, *_words(protecting, len(outputs)), height=height)
    reach = protecting.error(confidence=_SURE)
    low, high = float(min(values)) - reach, float(max(values)) + reach
    draw = _masses if isinstance(first, IntegerDistribution) else _lines
    return finished(draw(outputs, low, high), *_words(protecting, len(outputs)))


def _places(distributions: list[tuple[float, float]], centre: float, scale: float) -> list[float]:
    """Return where a density is drawn: evenly over the axis, closer around its own peak."""
    low = min(each - _REACH * spread for each, spread in distributions)
    high = max(each + _REACH * spread for each, spread in distributions)
    near = [centre + _REACH * scale * step / _AROUND for step in range(-_AROUND, _AROUND + 1)]
    return sorted({*_evenly(low, high), *near})


def _evenly(low: float, high: float) -> list[float]:
    return [low + (high - low) * step / _EVENLY for step in range(_EVENLY + 1)]


def _read(distributions: Any) -> list[tuple[float, float]]:
    given = list(distributions) if isinstance(distributions, (list, tuple, set)) else []
    pairs = [_pair(each) for each in given]
    if not pairs or None in pairs:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "distributions must be pairs of a centre and a scale above 0, such as [(0, 1), (0, 2)]"
            ", not {distributions}",
            distributions=shown(distributions),
        )
    return [pair for pair in pairs if pair is not None]


def _pair(given: Any) -> tuple[float, float] | None:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return None
    centre, scale = (any_float(each) for each in given)
    return (centre, scale) if math.isfinite(centre) and 0 < scale < math.inf else None


def _values(protecting: Mechanism[Any, Any], value: Any, neighbour: Any) -> list[Any]:
    """Return what is drawn: one value, or two neighbouring ones."""
    pairs = protecting.neighbours()
    if not pairs:
        raise _no_picture(protecting)
    if value is None and hasattr(protecting, "rate"):
        raise InputError(
            "E-ARGUMENT-MISSING",
            "a choice needs its utilities",
            "write plot({{'red': 30, 'green': 4}}), say, of this {kind}",
            kind=type(protecting).__name__,
        )
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


def _bars(distributions: Named) -> tuple[Any, int]:
    """Return bars of the likeliest outcomes, with their probabilities, and how high that is."""
    alt, first = altair(), next(iter(distributions.values()))
    chances = {name: each.probabilities() for name, each in distributions.items()}
    of_first = next(iter(chances.values()))
    ranked = sorted(first.outcomes, key=lambda each: -of_first[each].upper)
    kept = [each for each in first.outcomes if each in set(ranked[:_MOST])]
    said = [each if isinstance(each, str) else shown(each) for each in kept]
    labels = dict(zip(kept, named_lines(said), strict=True))
    points = [
        {"outcome": labels[each], "name": name, "probability": found[each].upper}
        for each in kept
        for name, found in chances.items()
    ]
    base = alt.Chart(rows([{**row, "label": f"{row['probability']:.3g}"} for row in points]))
    base = base.encode(
        x=alt.X(
            "probability:Q",
            title=tr("probability of the output"),
            scale=alt.Scale(domain=[0, 1]),
            axis={"tickCount": 5},
        ),
        y=alt.Y(
            "outcome:N",
            title=_title(len(first.outcomes)),
            sort=None,
            scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
            axis=alt.Axis(labelLimit=axis_room(list(labels.values())), **ABOVE),
        ),
        yOffset=alt.YOffset("name:N", sort=None),
    )
    colour = _told_apart(alt.Color, list(distributions), PALETTE, legend=len(distributions) > 1)
    text = base.mark_text(align="left", dx=3, fontSize=10).encode(text=alt.Text("label:N"))
    height = len(kept) * (_BAR * len(distributions) + _BETWEEN)
    return base.mark_bar().encode(color=colour) + text, height


def _told_apart(channel: Any, names: list[str], looks: list[str], *, legend: bool = True) -> Any:
    alt = altair()
    scale = alt.Scale(domain=names, range=looks[: len(names)])
    below = alt.Legend(orient="bottom") if legend else None
    return channel("name:N", title=None, sort=None, scale=scale, legend=below)


def _title(count: int) -> str:
    return (
        "output"
        if count <= _MOST
        else tr("output: the {most} likeliest of {count:,}", most=_MOST, count=count)
    )


def _lines(outputs: Named, low: float, high: float) -> Any:
    """Draw densities: each the share of a narrow cell, by its width."""
    alt, half = altair(), (high - low) * _NARROW
    centres = {float(getattr(each, "centre", 0)) for each in outputs.values()}
    places = sorted({*_evenly(low, high), *centres})
    points = [
        {"name": name, "output": x, "density": _share(each, x - half, x + half) / (2 * half)}
        for (name, each), x in product(outputs.items(), places)
    ]
    return lines(
        points,
        list(outputs),
        x=alt.X("output:Q", title=tr("output"), scale=alt.Scale(nice=False)),
        y=alt.Y("density:Q", title=tr("density of the output")),
    )


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
    joined = base.mark_line(strokeWidth=1.5).encode(**told_apart(list(outputs), legend=many))
    if many:
        return joined
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        shape=_told_apart(alt.Shape, list(outputs), SHAPES),
        color=_told_apart(alt.Color, list(outputs), PALETTE),
    )
    return alt.layer(joined, dots).resolve_scale(color="independent", shape="independent")


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
