"""What is asked of a release mechanism on a finite domain: what is hidden, and what it is for."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.information.channels.channel import Channel
from sfumato.information.channels.ratio_bound import RatioBound
from sfumato.information.channels.requirements import (
    InformationBound,
    LeakageBound,
    NoRequirement,
    Requirement,
)
from sfumato.information.distribution import as_distribution
from sfumato.numeric import Ln, any_float, as_fmpq, exact, is_exact, shown
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from flint import fmpq

    from sfumato.information.distribution import DistributionLike


#: How many inputs times outputs there may be.
MOST_CELLS = 2_500
#: Between these a linear program in floats leads to the right basis.
_LEAST_EPSILON, _GREATEST_EPSILON = Fraction(1, 1000), 20
_OBJECTIVES = ("loss", "entropy", "information")
_LOSSES: dict[str, Callable[[Any, Any], Any]] = {
    "absolute": lambda x, y: abs(x - y),
    "squared": lambda x, y: (x - y) ** 2,
    "wrong": lambda x, y: int(x != y),
}


@dataclass(frozen=True)
class ReleaseProblem:
    """What is asked: a best channel from inputs to outputs.

    Attributes
    ----------
    inputs, outputs
        What goes in and what may come out.
    prior, losses
        π(x), and loss(x, y), exactly.
    requirement
        What the channel has to keep.
    objective
        "loss" or "information", made small, or "entropy", made great.
    expected_loss
        What the expected loss may be at most, if that is bounded.
    """

    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    prior: tuple[Fraction, ...]
    losses: tuple[tuple[Fraction, ...], ...]
    requirement: Requirement
    objective: str
    expected_loss: Fraction | None

    @property
    def costs(self) -> list[list[fmpq]]:
        """Return π(x)·loss(x, y)."""
        return [
            [as_fmpq(pi * each) for each in row]
            for pi, row in zip(self.prior, self.losses, strict=True)
        ]


def are_consecutive(values: Iterable[Any]) -> bool:
    """Tell whether values are whole numbers, each one more than that before it."""
    listed = list(values)
    whole = all(isinstance(each, Integral) and not isinstance(each, bool) for each in listed)
    return whole and all(b - a == 1 for a, b in itertools.pairwise(listed))


def read_problem(
    inputs: Any,
    outputs: Any,
    *,
    loss: Any,
    prior: DistributionLike | None,
    neighbours: Any,
    epsilon: Any,
    information: Any,
    leakage: Any,
    expected_loss: Any,
    objective: Any,
) -> ReleaseProblem:
    """Return a problem, or refuse in one sentence."""
    known = _listed(inputs, "inputs", least=2)
    chosen = known if outputs is None else _listed(outputs, "outputs", least=1)
    if len(known) * len(chosen) > MOST_CELLS:
        raise InputError(
            "E-TOO-LARGE",
            "{inputs:,} inputs and {outputs:,} outputs are too many to be solved exactly",
            "keep their product at {most:,} or below",
            inputs=len(known),
            outputs=len(chosen),
            most=MOST_CELLS,
        )
    bound = None if expected_loss is None else _number(expected_loss, "expected_loss")
    wanted = _objective(objective, bound)
    requirement = _requirement(known, neighbours, epsilon, information, leakage)
    _check_goes_together(wanted, requirement, bound)
    return ReleaseProblem(
        known,
        chosen,
        _prior(known, prior),
        _losses(loss, known, chosen),
        requirement,
        wanted,
        bound,
    )


def _listed(values: Any, name: str, *, least: int) -> tuple[Hashable, ...]:
    try:
        listed = tuple(values)
        distinct = len(set(listed))
    except TypeError:
        listed, distinct = (), -1
    if distinct < 0 or len(listed) < least:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list of at least {least} values, not {values}",
            "write range(11) or ['yes', 'no'], say",
            name=Argument(name),
            least=least,
            values=shown(values),
        )
    if distinct < len(listed):
        raise InputError(
            "E-ARGUMENT-TWICE", "{name} has a value twice", "list each once", name=Argument(name)
        )
    return tuple(int(each) if _is_whole(each) else each for each in listed)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _number(value: Any, name: str) -> Fraction:
    """Return the rational that was written: a float is the shortest decimal that denotes it."""
    is_number = isinstance(value, (Real, Decimal, str)) and not isinstance(value, bool)
    if not is_number or (isinstance(value, Real) and not math.isfinite(any_float(value))):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a finite number, not {value}",
            "write 0.5 or '1/2'",
            name=Argument(name),
            value=shown(value),
        )
    plain = isinstance(value, (str, Rational, Decimal)) or is_exact(value)
    return exact(value if plain else repr(float(value)), name)


def _objective(objective: Any, bound: Fraction | None) -> str:
    if objective is None:
        return "loss" if bound is None else "entropy"
    if objective not in _OBJECTIVES:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "objective must be 'loss', 'entropy' or 'information', not {objective}",
            objective=shown(objective),
        )
    return str(objective)


def _requirement(
    inputs: tuple[Hashable, ...], neighbours: Any, epsilon: Any, information: Any, leakage: Any
) -> Requirement:
    given = {"epsilon": epsilon, "information": information, "leakage": leakage}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a channel is asked to keep one of epsilon, information and leakage, not several",
            "give one of them",
        )
    if neighbours is not None and epsilon is None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "neighbours say for which inputs an epsilon holds, and none is given",
            "write {epsilon}, say",
            epsilon=Argument("epsilon", 1),
        )
    if epsilon is not None:
        return RatioBound(len(inputs), _epsilon(epsilon), read_neighbours(inputs, neighbours))
    if information is not None:
        return InformationBound(_positive(information, "information"))
    if leakage is not None:
        return LeakageBound(len(inputs), _positive(leakage, "leakage"))
    return NoRequirement()


def _positive(value: Any, name: str) -> Fraction:
    number = _number(value, name)
    if number <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0 bits, not {value}",
            "at 0 the output says nothing of the input",
            name=Argument(name),
            value=shown(value),
        )
    return number


def _epsilon(epsilon: Any) -> Fraction | Ln:
    value = epsilon if isinstance(epsilon, Ln) else _number(epsilon, "epsilon")
    if not _LEAST_EPSILON <= value <= _GREATEST_EPSILON:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "epsilon must be from 0.001 to 20 here, not {epsilon}",
            "write epsilon=1, say",
            epsilon=shown(epsilon),
        )
    return value


def read_neighbours(
    inputs: tuple[Hashable, ...], neighbours: Any
) -> tuple[tuple[int, int], ...] | None:
    """Return the places of neighbours; None where any two inputs are."""
    if isinstance(neighbours, str) and neighbours == "all":
        return None
    if neighbours is None or (isinstance(neighbours, str) and neighbours == "adjacent"):
        return _adjacent(inputs)
    return _of_pairs(inputs, neighbours)


def _adjacent(inputs: tuple[Hashable, ...]) -> tuple[tuple[int, int], ...]:
    if not all(_is_whole(each) for each in inputs):
        raise InputError(
            "E-NEIGHBOURS-MISSING",
            "it is not said which inputs are neighbours, and only whole numbers have some",
            "write {neighbours}, or a list of pairs of inputs",
            neighbours=Argument("neighbours", "all"),
        )
    places = {each: place for place, each in enumerate(inputs)}
    found = [
        (place, places[each + 1])  # type: ignore[operator]
        for place, each in enumerate(inputs)
        if each + 1 in places  # type: ignore[operator]
    ]
    if not found:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no two of the inputs differ by one",
            "write {neighbours}, or a list of pairs of inputs",
            neighbours=Argument("neighbours", "all"),
        )
    return tuple(sorted((min(pair), max(pair)) for pair in found))


def _of_pairs(inputs: tuple[Hashable, ...], neighbours: Any) -> tuple[tuple[int, int], ...]:
    places = {each: place for place, each in enumerate(inputs)}
    try:
        pairs = {tuple(sorted((places[one], places[other]))) for one, other in neighbours}
    except (TypeError, ValueError, KeyError):
        pairs = set()
    found = sorted((a, b) for a, b in pairs if a != b)
    if not found or len(found) < len(pairs):
        raise InputError(
            "E-NEIGHBOURS-MISSING",
            "neighbours must be 'adjacent', 'all' or pairs of two of the inputs, not {neighbours}",
            "write [(0, 1), (1, 2)], say",
            neighbours=shown(neighbours),
        )
    return tuple(found)


def _prior(inputs: tuple[Hashable, ...], prior: DistributionLike | None) -> tuple[Fraction, ...]:
    """Return the probability of every input, exactly; uniform where none is given."""
    if prior is None:
        return (Fraction(1, len(inputs)),) * len(inputs)
    given = as_distribution(prior, mark("the prior"))
    if given.is_labelled:
        known = dict(zip(given.labels, given.fractions, strict=True))
        if not set(known) <= set(inputs):
            raise InputError(
                "E-INPUT-UNKNOWN",
                "the prior names an input that the channel does not have",
                "name the channel's inputs",
            )
        return tuple(known.get(each, Fraction(0)) for each in inputs)
    if len(given) != len(inputs):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the prior has {count} entries and the channel {other_count} inputs",
            "give one probability an input",
            count=len(given),
            other_count=len(inputs),
        )
    return tuple(given.fractions)


def _losses(
    loss: Any, inputs: tuple[Hashable, ...], outputs: tuple[Hashable, ...]
) -> tuple[tuple[Fraction, ...], ...]:
    if isinstance(loss, str):
        if loss not in _LOSSES:
            raise InputError(
                "E-ARGUMENT-CHOICE",
                "loss must be 'absolute', 'squared', 'wrong', a function of an input and an "
                "output, or a matrix, not {loss}",
                loss=shown(loss),
            )
        are_numbers = all(isinstance(each, (Real, Decimal)) for each in (*inputs, *outputs))
        if loss != "wrong" and not are_numbers:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "the {loss} loss is that of numbers, and an input or output is none",
                "write {wrong}: 1 for an output that is not the input",
                loss=mark(loss),
                wrong=Argument("loss", "wrong"),
            )
        loss = _LOSSES[loss]
    if callable(loss):
        rows = [[loss(x, y) for y in outputs] for x in inputs]
    else:
        rows = _matrix(loss, len(inputs), len(outputs))
    return tuple(tuple(_number(each, "loss") for each in row) for row in rows)


def _matrix(loss: Any, inputs: int, outputs: int) -> list[list[Any]]:
    try:
        rows = [list(row) for row in loss]
    except TypeError:
        rows = []
    if len(rows) != inputs or {len(row) for row in rows} != {outputs}:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "loss must have one row for each of {inputs:,} inputs, of {outputs:,} numbers each",
            "give a matrix, or a function of an input and an output",
            inputs=inputs,
            outputs=outputs,
        )
    return rows


def _check_goes_together(objective: str, requirement: Requirement, bound: Fraction | None) -> None:
    if objective == "loss":
        if bound is not None:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "the expected loss is made small, and is bounded as well",
                "leave out {bound}, or write {objective}",
                bound=Argument("expected_loss"),
                objective=Argument("objective", "entropy"),
            )
        if isinstance(requirement, NoRequirement):
            raise InputError(
                "E-ARGUMENT-MISSING",
                "without privacy the channel of least loss is no secret: it says the best output",
                "write {epsilon}, say",
                epsilon=Argument("epsilon", 1),
            )
        return
    if bound is None:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "without a bound on the loss the best channel ignores its input",
            "write {bound}, say",
            bound=Argument("expected_loss", 1),
        )
    if objective == "information" and not isinstance(requirement, NoRequirement):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "the least information is found under a bound on the loss alone",
            "leave out the rest, or write {objective}",
            objective=Argument("objective", "entropy"),
        )


def greatest_ratio(
    channel: Channel, neighbours: Any
) -> tuple[tuple[tuple[Hashable, Hashable], ...], Fraction | None]:
    """Return the pairs of neighbouring inputs, and how much likelier an output is on one at most.

    None where it is possible on one, and impossible on the other.
    """
    inputs = channel.inputs
    bound = RatioBound(len(inputs), Fraction(1), read_neighbours(inputs, neighbours))
    rows = [[as_fmpq(each) for each in row.fractions] for row in channel.rows]
    found = bound.greatest_ratio(rows)
    pairs = tuple((inputs[a], inputs[b]) for a, b in bound.listed_pairs())
    return pairs, None if found is None else Fraction(int(found.p), int(found.q))


def as_channel_of(
    inputs: tuple[Hashable, ...],
    outputs: tuple[Hashable, ...],
    rows: Iterable[Iterable[Fraction]],
) -> Channel:
    """Return rows of probabilities as a channel between inputs and outputs."""
    return Channel(
        {x: dict(zip(outputs, row, strict=True)) for x, row in zip(inputs, rows, strict=True)}
    )
