"""Pictures of what comes out of a mechanism."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from sfumato.charts.parts.bars import MOST, chance_bars, coloured
from sfumato.charts.parts.lines import lines, named_lines, told_apart
from sfumato.charts.parts.profiles import delta_to_read, is_nothing
from sfumato.charts.parts.style import PALETTE, SHAPES, altair, finished, rows
from sfumato.errors import InputError, UnknownNameError
from sfumato.mechanisms import FiniteDistribution, GridDistribution, IntegerDistribution
from sfumato.numeric import any_float, digits_above, shown
from sfumato.printing import INK, MAIN
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
#: The least share of outputs that a picture may leave out.
_LEAST_TAIL = 1e-12
#: Whole numbers have dots up to so many; factors of a greater ε are not written out.
_MOST_DOTS, _HUGE = 60, 20
_OF = ("outputs", "loss")
_LOSS = mark("privacy loss: ln of how many times as likely as on the neighbour")
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


def mechanism(
    protecting: Mechanism[Any, Any],
    value: Any = None,
    neighbour: Any = None,
    *,
    of: Literal["outputs", "loss"] = "outputs",
) -> Chart:
    """Draw how likely each output is on two neighbouring values, or how their ratio is bounded.

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
    of
        ``"outputs"``: how likely each output is.  ``"loss"``: the privacy loss of each output, the
        logarithm of how many times as likely it is on the value as on its neighbour.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.mechanism(sf.mechanisms.Laplace(epsilon=1, sensitivity=1))
    >>> chart.to_dict()["title"]["text"]
    ['no output is more than 2.719 times as likely on a neighbour']
    """
    if of not in _OF:
        raise UnknownNameError(kind="drawing", name=str(of)[:60], known=_OF)
    values = _values(protecting, value, neighbour)
    outputs = {
        _name(each, place): protecting.distribution(each) for place, each in enumerate(values)
    }
    if not all(isinstance(each, _DRAWN) for each in outputs.values()):
        raise _no_picture(protecting)
    if of == "loss":
        return _loss(protecting, values, outputs)
    first = next(iter(outputs.values()))
    if isinstance(first, FiniteDistribution):
        drawn, height = _bars(outputs)
        return finished(drawn, *_words(protecting, len(outputs)), height=height)
    low, high = _span(protecting, values)
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
    first = next(iter(distributions.values()))
    chances = {name: each.probabilities() for name, each in distributions.items()}
    of_first = next(iter(chances.values()))
    ranked = sorted(first.outcomes, key=lambda each: -of_first[each].upper)
    kept = [each for each in first.outcomes if each in set(ranked[:MOST])]
    drawn = {name: [found[each].upper for each in kept] for name, found in chances.items()}
    title = tr("probability of the output")
    return chance_bars(kept, drawn, x=title, y=_title(len(first.outcomes)))


def _title(count: int) -> str:
    """Return what the axis of outcomes is called, of which only some are drawn."""
    return (
        tr("output")
        if count <= MOST
        else tr("output: the {most} likeliest of {count:,}", most=MOST, count=count)
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
        shape=coloured(alt.Shape, list(outputs), SHAPES),
        color=coloured(alt.Color, list(outputs), PALETTE),
    )
    return alt.layer(joined, dots).resolve_scale(color="independent", shape="independent")


def _span(
    protecting: Mechanism[Any, Any], values: list[Any], sure: float = _SURE
) -> tuple[float, float]:
    """Return between which outputs nearly all lie."""
    reach = protecting.error(confidence=sure)
    return float(min(values)) - reach, float(max(values)) + reach


def _loss(protecting: Mechanism[Any, Any], values: list[Any], outputs: Named) -> Chart:
    """Draw the privacy loss of each output beside the ε that is guaranteed."""
    if len(outputs) < 2:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "a privacy loss is of two neighbouring values",
            "name the neighbour too: plot(value, neighbour, of='loss')",
        )
    alt, (here, there) = altair(), outputs.values()
    delta = delta_to_read(protecting.guarantee)
    level = protecting.guarantee.epsilon(delta=delta)
    found: list[tuple[Any, float, float]]
    if isinstance(here, FiniteDistribution):
        found = _of_outcomes(here, there)
        x = alt.X("output:N", title=tr("output"), sort=None, axis=alt.Axis(labelAngle=0))
    else:
        tail = max(_LEAST_TAIL, min(1 - _SURE, delta / 10 or 1))
        found = _chances(here, there, *_span(protecting, values, 1 - tail))
        x = alt.X("output:Q", title=tr("output"), scale=alt.Scale(nice=False))
    losses = [(at, math.log(one / other)) for at, one, other in found if one > 0 and other > 0]
    points = [{"name": "", "output": at, "loss": loss} for at, loss in losses]
    limits = [] if is_nothing(level) else [level, -level]
    ends = [{"loss": each} for each in limits]
    most = 1.1 * max(abs(each) for each in [*(loss for _, loss in losses), *limits])
    y = alt.Y("loss:Q", title=tr(_LOSS), scale=alt.Scale(domain=[-most, most], nice=False))
    rules = alt.Chart(rows(ends)).mark_rule(color=INK, strokeDash=[4, 3]).encode(y=y)
    drawn = alt.layer(_losses(here, points, x, y), rules)
    return finished(drawn, _loss_bound(protecting.guarantee), *_words(protecting, 2)[1:])


def _losses(here: Any, points: list[dict[str, Any]], x: Any, y: Any) -> Any:
    if isinstance(here, GridDistribution):
        return lines(points, [""], x=x, y=y)
    base = altair().Chart(rows(points)).encode(x=x, y=y)
    if isinstance(here, FiniteDistribution):
        return base.mark_bar(size=14, color=MAIN)
    return base.mark_point(filled=True, size=30, opacity=1, color=MAIN)


def _of_outcomes(here: Any, there: Any) -> list[tuple[Any, float, float]]:
    """Return some outcomes, by their names, with how likely each is on two values."""
    kept = list(here.outcomes)[:MOST]
    labels = named_lines([each if isinstance(each, str) else shown(each) for each in kept])
    one, other = here.probabilities(), there.probabilities()
    return [(label, one[at].upper, other[at].upper) for label, at in zip(labels, kept, strict=True)]


def _chances(here: Any, there: Any, low: float, high: float) -> list[tuple[Any, float, float]]:
    """Return outputs, and how likely each is on two values, or a narrow cell about it."""
    if isinstance(here, IntegerDistribution):
        first, last = math.floor(low), math.ceil(high)
        step = max(1, -(-(last - first) // (2 * _EVENLY)))
        return [
            (at, here.probability(at).upper, there.probability(at).upper)
            for at in range(first, last + 1, step)
        ]
    grid = float(here.grid)
    near = int((high - low) * _NARROW / grid)
    places = sorted({*_evenly(low, high), float(here.centre), float(there.centre)})
    at = dict.fromkeys(round(x / grid) for x in places)
    return [(k * grid, _cell(here, k, near), _cell(there, k, near)) for k in at]


def _cell(distribution: Any, at: int, near: int) -> float:
    """Return how likely a multiple of the grid is, and those about it."""
    return float(distribution.steps(at - near, at + near).mid())


def _loss_bound(guarantee: Guarantee) -> str:
    delta = delta_to_read(guarantee)
    level = guarantee.epsilon(delta=delta)
    if is_nothing(level):
        return tr("what is guaranteed: {guarantee}", guarantee=guarantee)
    said = digits_above(level, 4)
    if not delta:
        return tr("the privacy loss of no output is above ε = {level}", level=said)
    return tr(
        "the privacy loss is above ε = {level} only in a tail that δ = {delta} covers",
        level=said,
        delta=digits_above(delta, 4),
    )


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
