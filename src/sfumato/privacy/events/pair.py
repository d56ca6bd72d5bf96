"""Two output distributions of one's own, as an event: finite, or densities on the line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import fields as declared_fields
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

from sfumato.documents import check_fields, check_known
from sfumato.errors import InputError
from sfumato.numeric import Ln, any_float, exact, shown
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event, fold, kinds_within, literal, plain
from sfumato.privacy.events.labelled import Approximate, Pure
from sfumato.privacy.events.mechanisms import Gaussian, Laplace, RandomizedResponse
from sfumato.privacy.parameters import written
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from sfumato.information.continuous import ContinuousDistribution, Declared

    Probabilities = tuple[Fraction, ...]
    Density = ContinuousDistribution | Declared


_MOST_OUTCOMES = 10_000
_MOST_SHOWN = 6
#: How far floats that were meant to sum to one may be off.
_ROUNDING = Fraction(1, 10**9)
_EXAMPLE = "Pair(['3/4', '1/4'], ['1/4', '3/4'])"


@dataclass(frozen=True, repr=False)
class Pair(Event):
    """Something was done whose outputs on two neighbours are dominated by two distributions.

    P and Q dominate a mechanism if its hockey-stick divergence on neighbours, at every level, is
    at most theirs; of a mechanism that has one pair of neighbours, its two output distributions
    do.  They dominate in every composition, adaptive ones included :cite:p:`zhu2022`.

    The order matters.  When units are added or removed, p belongs to the table with the unit and q
    to the one without: removing costs what p against q does, adding what q against p does, and the
    guarantee is the worse of both.  When units are substituted either of the neighbours may be
    the first, at each step anew, so that every step costs the worse of both at each level.

    Parameters
    ----------
    p, q
        Two lists of probabilities of the same outcomes in the same order, two mappings from
        outcomes to probabilities, or two distributions of ``sfumato.information.continuous``.
        Floats are the decimals that were written, and whole numbers counts.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.events import Pair
    >>> told = Pair({"yes": "1/2", "no": "1/2"}, {"yes": 0.4, "no": 0.4, "both": 0.2})
    >>> print(told)
    a step whose outputs are dominated by (1/2, 1/2, 0) and (2/5, 2/5, 1/5)
    >>> round(sf.compose(told).delta(epsilon=0), 9), sf.compose(told).epsilon(delta=0)
    (0.2, inf)

    Densities are given by their distributions:

    >>> from sfumato.information import continuous
    >>> logistic = Pair(continuous.Logistic(0, 1), continuous.Logistic(1, 1))
    >>> round(sf.compose(logistic).delta(epsilon=0.5), 6)
    0.077405
    """

    p: Probabilities | Density
    q: Probabilities | Density

    name = "pair"
    wording = mark("a step whose outputs are dominated by {p} and {q}")

    def __init__(self, p: Any, q: Any) -> None:
        on_the_line = _is_density(p) or _is_density(q)
        sides: tuple[Any, Any] = _densities(p, q) if on_the_line else _probabilities(p, q)
        _refuse_apart(*sides)
        self._keep(p=sides[0], q=sides[1])

    @staticmethod
    def in_words(value: Any) -> str:
        """Return a side as ``describe`` says it; a long list is cut.

        Examples
        --------
        >>> from sfumato.privacy.events import Pair
        >>> Pair.in_words(Pair([1, 3], [3, 1]).p)
        '(1/4, 3/4)'
        """
        if not isinstance(value, tuple):
            return str(value)
        listed = ", ".join(str(each) for each in value[:_MOST_SHOWN])
        if len(value) > _MOST_SHOWN:
            left = len(value) - _MOST_SHOWN
            return tr("({listed} and {count:,} more)", listed=listed, count=left)
        return f"({listed})"

    @staticmethod
    def in_python(value: Any) -> str:
        """Return a side as Python that a pair reads back as the same.

        Examples
        --------
        >>> from sfumato.privacy.events import Pair
        >>> Pair.in_python(Pair([1, 3], [3, 1]).p)
        '[0.25, 0.75]'
        """
        if isinstance(value, tuple):
            return f"[{', '.join(literal(each) for each in value)}]"
        return _density_in_python(value)

    @property
    def is_finite(self) -> bool:
        """Whether it is given by probabilities, and not by densities.

        Examples
        --------
        >>> from sfumato.privacy.events import Pair
        >>> Pair([1, 3], [3, 1]).is_finite
        True
        """
        return isinstance(self.p, tuple)


def _density_in_python(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_density_in_python, value))}]"
    if not _is_density(value):
        return repr(value)
    numbers = ((each.name, getattr(value, each.name)) for each in declared_fields(value))
    given = ", ".join(f"{name}={_density_in_python(number)}" for name, number in numbers)
    return f"continuous.{type(value).__name__}({given})"


def known_event(pair: Pair) -> Event:
    """Return the event that a pair is the worst case of, where it is a known one, or itself."""
    if pair.is_finite:
        return _known_finite(pair)
    noise = _known_noise(pair)
    return pair if noise is None else noise


def without_known_pairs(event: Event) -> Event:
    """Return an event with each pair inside replaced by the known event that costs the same."""
    if Pair not in kinds_within(event):
        return event

    def combine(each: Event, inner: Sequence[Event]) -> Event:
        if isinstance(each, Pair):
            return known_event(each)
        build: Any = type(each)
        return build(*inner, **each.parameters) if inner else each

    return fold(event, combine)


def _known_finite(pair: Pair) -> Event:
    """Recognise randomized response, and what an (ε, δ) guarantee alone allows.

    Of the outcomes whose probabilities are in one ratio only the sum counts.
    """
    masses: dict[Fraction, tuple[Fraction, Fraction]] = {}
    lost = Fraction(0)
    for here, there in zip(pair.p, pair.q, strict=True):  # type: ignore[arg-type]
        if there:
            sums = masses.get(here / there, _NOTHING)
            masses[here / there] = (sums[0] + here, sums[1] + there)
        else:
            lost += here
    left = masses.pop(Fraction(0), _NOTHING)[1]
    even = masses.pop(Fraction(1), _NOTHING)[0]
    ratio = max(masses, default=Fraction(1))
    symmetric = lost == left and set(masses) == ({ratio, 1 / ratio} - {1})
    if not symmetric or _is_long(ratio):
        return pair
    if ratio == 1:
        return Approximate(epsilon=0, delta=lost) if lost else Pure(epsilon=0)
    least = masses[1 / ratio][0]
    if masses[ratio][1] != least or (even and (lost or (even / least).denominator > 1)):
        return pair
    if lost:
        return Approximate(epsilon=Ln(ratio), delta=lost)
    return RandomizedResponse(epsilon=Ln(ratio), categories=2 + int(even / least))


_NOTHING = (Fraction(0), Fraction(0))
_MOST_BITS = 3000


def _is_long(ratio: Fraction) -> bool:
    return max(ratio.numerator.bit_length(), ratio.denominator.bit_length()) > _MOST_BITS


def _known_noise(pair: Pair) -> Event | None:
    """Recognise two densities of one shape, moved: Gaussian or Laplace noise."""
    from sfumato.information import continuous

    here, there = pair.p, pair.q
    if here == there:
        return Pure(epsilon=0)
    for family, of_noise in ((continuous.Gaussian, Gaussian), (continuous.Laplace, Laplace)):
        if isinstance(here, family) and isinstance(there, family) and here.spread == there.spread:
            given = {"sensitivity": _distance(here, there)}
            name = "sigma" if of_noise is Gaussian else "scale"
            return of_noise(**{name: exact(here.spread)}, **given)
    return None


def _distance(here: Any, there: Any) -> Fraction:
    return abs(exact(here.mean) - exact(there.mean))


def _is_density(side: Any) -> bool:
    return callable(getattr(side, "cdf", None))


def _densities(p: Any, q: Any) -> tuple[Density, Density]:
    """Return two distributions on the line, or refuse what cannot be enclosed."""
    from sfumato.information import continuous

    here, there = continuous.as_continuous(p, "p"), continuous.as_continuous(q, "q")
    if isinstance(here, continuous.Declared) or isinstance(there, continuous.Declared):
        continuous.refuse_contradictions(here, there)
    return here, there


def _refuse_apart(p: Any, q: Any) -> None:
    """Refuse a pair that tells the two neighbours apart with certainty."""
    if isinstance(p, tuple):
        common = any(here and there for here, there in zip(p, q, strict=True))
    else:
        from sfumato.information import continuous

        pair = continuous.pair_of(p, q)
        common = not all(map(pair.is_singular, pair.cells))
    if not common:
        raise InputError(
            "E-OUTCOMES-DIFFER",
            "p and q have no outcome in common, so that nothing is hidden",
            "name the outcomes of both alike",
        )


def _probabilities(p: Any, q: Any) -> tuple[Probabilities, Probabilities]:
    here, there = _listed(p, "p"), _listed(q, "q")
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        outcomes = dict.fromkeys([*here, *there])
        here, there = ([side.get(each, 0) for each in outcomes] for side in (here, there))
    elif isinstance(here, Mapping) or isinstance(there, Mapping):
        raise InputError(
            "E-OUTCOMES-UNNAMED",
            "one of p and q names its outcomes and the other does not",
            "give two mappings from outcomes to probabilities, or two lists in one order",
        )
    first, second = _read_side(here, "p"), _read_side(there, "q")
    if len(first) != len(second):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "p has {count} outcomes and q has {other_count}",
            "give both the same outcomes, with 0 for what cannot happen",
            count=len(first),
            other_count=len(second),
        )
    return first, second


def _listed(side: Any, name: str) -> Mapping[Hashable, Any] | Sequence[Any]:
    """Return a finite side as a mapping where it has names, else as a list."""
    if isinstance(side, Mapping):
        return side
    if getattr(side, "is_labelled", False):
        return dict(side.items())
    if isinstance(side, Iterable) and not isinstance(side, (str, bytes)):
        return list(side)
    raise InputError(
        "E-DISTRIBUTION-FORM",
        "{name} must be a list or mapping of probabilities, or a continuous distribution, "
        "not {side}",
        "write {example}",
        name=Argument(name),
        side=shown(side),
        example=_EXAMPLE,
    )


def _read_side(side: Sequence[Any], name: str) -> Probabilities:
    """Return probabilities that sum to one exactly: counts, and floats that nearly do, divided."""
    if not side:
        raise InputError(
            "E-DISTRIBUTION-EMPTY",
            "{name} is empty",
            "give at least one outcome",
            name=Argument(name),
        )
    if len(side) > _MOST_OUTCOMES:
        raise InputError(
            "E-TOO-LARGE",
            "{name} has {count:,} outcomes, and a pair at most {most:,}",
            "put outcomes of nearly one ratio together",
            name=Argument(name),
            count=len(side),
            most=_MOST_OUTCOMES,
        )
    numbers = [fields.probability(each, name) for each in side]
    total = sum(numbers, Fraction(0))
    whole = all(each.denominator == 1 for each in numbers)
    floats = any(not isinstance(each, (str, Decimal, Rational)) for each in side)
    near = floats and abs(total - 1) <= _ROUNDING
    if not total or not (total == 1 or whole or near):
        raise InputError(
            "E-PROBABILITIES-SUM",
            "{name} sums to {total}, not to 1",
            "give probabilities that sum to 1, such as '1/3' and '2/3', or whole numbers as counts",
            name=Argument(name),
            total=shown(any_float(total)),
        )
    return tuple(numbers) if total == 1 else tuple(each / total for each in numbers)


#: How a family of densities is called in documents.
_FAMILIES = ("gaussian", "laplace", "logistic", "exponential", "uniform", "mixture")


def stored_side(side: Any) -> Any:
    """Return a side as documents have it: a list of probabilities, or a family and its numbers."""
    if isinstance(side, tuple):
        return [plain(each) for each in side]
    family = type(side).__name__.lower()
    if family not in _FAMILIES:
        raise InputError(
            "E-DISTRIBUTION-UNKNOWN",
            "a distribution that was declared by functions cannot be written down",
            "account for it by compose, or give one such as Gaussian, Laplace, Logistic, "
            "Exponential, Uniform or Mixture",
        )
    if family == "mixture":
        weights = [plain(exact(each)) for each in side.weights]
        parts = [stored_side(each) for each in side.distributions]
        return {"density": family, "weights": weights, "of": parts}
    numbers = {each.name: getattr(side, each.name) for each in declared_fields(side)}
    return {"density": family, **{name: plain(exact(each)) for name, each in numbers.items()}}


def read_side(given: Any, place: str) -> Any:
    """Return a side from a document, to be given to ``Pair``."""
    if isinstance(given, list):
        return given
    if not isinstance(given, dict) or not isinstance(given.get("density"), str):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place} must be a list of probabilities, or an object that says which density it is, "
            "not {given}",
            'write ["1/2", "1/2"], or {{"density": "gaussian", "mean": "0", "sd": "1"}}',
            place=place,
            given=shown(given),
        )
    check_known([given["density"]], _FAMILIES, "density", place)
    return _read_density(given, f"{place} ({given['density']})")


def _read_density(given: dict[str, Any], place: str) -> Any:
    from sfumato.information import continuous

    kind: Any = getattr(continuous, given["density"].capitalize())
    names = [each.name for each in declared_fields(kind)]
    if kind is not continuous.Mixture:
        check_fields(given, ("density", *names), place)
        return kind(**{name: written(given[name], name) for name in names})
    check_fields(given, ("density", "weights", "of"), place)
    weights, parts = given["weights"], given["of"]
    if not isinstance(weights, list) or not isinstance(parts, list):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place}: weights and of must be lists",
            'write "weights": ["1/2", "1/2"], "of": [...]',
            place=place,
        )
    shares = [written(each, mark("a weight")) for each in weights]
    return kind(shares, [read_side(each, place) for each in parts])
