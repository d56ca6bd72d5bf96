"""What every mechanism keeps: its guarantee (by its distribution), its error, and its manners."""

from __future__ import annotations

import pickle
import pkgutil
import re
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flint import arb

import sfumato as sf
import sfumato.mechanisms as room
from sfumato import PureDP, compose
from sfumato.mechanisms import FiniteDistribution, Mechanism
from sfumato.mechanisms.distributions.mixture import GatedDistribution
from sfumato.numeric import as_ball, working_precision
from sfumato.privacy import events
from sfumato.sampling import SeededSource
from tests.mechanisms.distribution_checks import between
from tests.mechanisms.subjects import SUBJECTS, Subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.mechanisms import OutputDistribution

    Pair = tuple[list[arb], list[arb]]

BITS = 320
#: What equality up to the rounding of balls may come to: for any cell, and for one that is empty.
SLACK, NOTHING = arb(2) ** -100, arb(2) ** -300
DISTANCES = (1, 2, 3)
EPSILONS = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)]
CONFIDENCES = [Fraction(3, 5), Fraction(19, 20), Fraction(999, 1000)]
#: Beyond all outputs that the subjects give out with a probability that matters.
FAR = 10**6
#: Less than a step of any grid of the subjects.
BEFORE = Fraction(1, 2**60)
REFERENCES = Path(__file__).parents[2] / "docs" / "references.bib"

each_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=str)


def kinds(base: type[Any] = Mechanism) -> Iterator[type[Any]]:
    """All mechanisms of the room that can be made."""
    for kind in base.__subclasses__():
        yield from kinds(kind)
        if kind.__module__.startswith(room.__name__) and not kind.__abstractmethods__:
            yield kind


def test_no_mechanism_is_forgotten() -> None:
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)
    tried = {type(subject.mechanism()) for subject in SUBJECTS}
    shown = {each for name in room.__all__ if isinstance(each := getattr(room, name), type)}
    assert set(kinds()) == tried
    assert {each for each in shown if issubclass(each, Mechanism)} <= {*tried, Mechanism}


@each_subject
def test_the_guarantee_is_for_so_many_changes(subject: Subject) -> None:
    """M-GROUP-1: what is guaranteed to more changes is stated for them, and is no more.

    A guarantee that was asked for says little at another ε; the event is known at every ε.
    """
    mechanism = subject.mechanism()
    guarantees = [mechanism.guarantee_at(distance) for distance in DISTANCES]
    relations = [mechanism.relation.times(distance) for distance in DISTANCES]
    assert [guarantee.relation for guarantee in guarantees] == relations
    steps = zip(DISTANCES, relations, strict=True)
    known = [compose(mechanism.event_at(distance), relation=each) for distance, each in steps]
    for epsilon, stated in ((Fraction(1), guarantees), *((each, known) for each in EPSILONS)):
        lost = [guarantee.delta(epsilon=epsilon) for guarantee in stated]
        assert lost == sorted(lost)
    assert mechanism.event_at(1) == mechanism.event
    assert mechanism.guarantee_at(1) == mechanism.guarantee


@each_subject
@pytest.mark.parametrize("distance", DISTANCES)
def test_the_guarantee_is_no_better_than_the_event(subject: Subject, distance: int) -> None:
    mechanism = subject.mechanism()
    guarantee = mechanism.guarantee_at(distance)
    own = compose(mechanism.event_at(distance), relation=guarantee.relation)
    for epsilon in EPSILONS:
        assert guarantee.delta(epsilon=epsilon) >= own.bounds(epsilon=epsilon).lower
    assert guarantee.epsilon(delta=0) >= own.bounds(delta=0).lower


@each_subject
def test_the_distribution_sums_to_one(subject: Subject) -> None:
    distribution = subject.mechanism().distribution(subject.pairs[0][0])
    with working_precision(BITS):
        assert abs(sum(subject.cells(distribution), arb(0)) - 1) < SLACK
        if isinstance(distribution, FiniteDistribution):
            exact = [distribution.exact(outcome) for outcome in distribution.outcomes]
            assert None in exact or sum(filter(None, exact)) == 1
        else:
            refused = distribution.ball(None) if isinstance(distribution, GatedDistribution) else 0
            assert abs(distribution.cumulative(-FAR) - refused) < SLACK
            assert abs(distribution.cumulative(FAR) - 1) < SLACK


@each_subject
def test_probabilities_are_the_steps_of_the_cumulative_distribution(subject: Subject) -> None:
    """At what is released, which has a probability, and so does all before it."""
    mechanism, value, source = subject.mechanism(), subject.pairs[0][0], SeededSource(1)
    distribution = mechanism.distribution(value)
    for output in {mechanism.release(value, source=source).value for _ in range(10)}:
        with working_precision(BITS):
            single, up_to = distribution.ball(output), distribution.cumulative(output)
            assert single > 0
            assert abs(up_to - probability_before(distribution, output) - single) < SLACK


def probability_before(distribution: OutputDistribution[Any], output: Any) -> arb:
    """The probability of the outputs that come before one."""
    if isinstance(distribution, FiniteDistribution):
        place = distribution.outcomes.index(output)
        return distribution.cumulative(distribution.outcomes[place - 1]) if place else arb(0)
    return arb(0) if output is None else distribution.cumulative(Fraction(output) - BEFORE)


def both_ways(subject: Subject, mechanism: Any, one: Any, other: Any) -> list[Pair]:
    """The probabilities of all cells on two values, in either order."""
    first, second = (subject.cells(mechanism.distribution(value)) for value in (one, other))
    return [(first, second), (second, first)]


def excess(pairs: Sequence[Pair], epsilon: Any) -> arb:
    """The δ that two cell by cell need at ε: the greater of both hockey-stick divergences."""
    factor = as_ball(epsilon).exp()
    zero = arb(0)
    needed = [
        sum(((p - factor * q).max(zero) for p, q in zip(*pair, strict=True)), zero)
        for pair in pairs
    ]
    return needed[0].max(needed[1])


def never_likelier(pairs: Sequence[Pair], epsilon: Any) -> bool:
    """Whether no cell is more than e^ε times likelier, however unlikely it is."""
    factor = as_ball(epsilon).exp() * (1 + SLACK)
    return all(p <= factor * q + NOTHING for pair in pairs for p, q in zip(*pair, strict=True))


def keeps(pairs: Sequence[Pair], guarantee: Any) -> bool:
    """Whether two distributions are as close as is guaranteed, at every ε that is tried."""
    covered = all(
        excess(pairs, epsilon) <= as_ball(guarantee.delta(epsilon=epsilon)) + SLACK
        for epsilon in EPSILONS
    )
    pure = isinstance(guarantee, PureDP)
    return covered and (not pure or never_likelier(pairs, guarantee.exact_epsilon))


@each_subject
def test_the_distribution_keeps_the_guarantee_and_the_event(subject: Subject) -> None:
    """Both bound the divergence of the distributions from above, cell by cell where ε is pure.

    Cells merge outputs: that only lowers the divergence, so the test never blames a right
    distribution.
    """
    mechanism = subject.mechanism()
    for one, other, distance in subject.pairs:
        guarantee = mechanism.guarantee_at(distance)
        own = compose(mechanism.event_at(distance), relation=guarantee.relation)
        with working_precision(BITS):
            pairs = both_ways(subject, mechanism, one, other)
            assert keeps(pairs, guarantee)
            assert keeps(pairs, own)


@each_subject
def test_a_twin_with_too_little_noise_breaks_the_guarantee(subject: Subject) -> None:
    right, twin = subject.mechanism(), subject.mechanism(**subject.twin)
    with working_precision(BITS):
        kept = [
            keeps(both_ways(subject, twin, one, other), right.guarantee_at(distance))
            for one, other, distance in subject.pairs
        ]
    assert not all(kept)


@pytest.mark.parametrize(
    "mechanism",
    [
        sf.mechanisms.Laplace(scale=2, sensitivity=2),
        sf.mechanisms.DiscreteLaplace(scale=2, sensitivity=2),
        sf.mechanisms.Gaussian(sigma=3, sensitivity="1.4143"),
        sf.mechanisms.DiscreteGaussian(sigma=3, sensitivity="1.4143", dimensions=2),
    ],
    ids=repr,
)
def test_arrays_are_guaranteed_as_one_query(mechanism: Any) -> None:
    """Both entries move by 1, in the L1 norm by 2, in the L2 norm by √2; moves by 2 are too far."""
    cells = between(*range(-20, 21))

    def moved(by: int) -> list[Pair]:
        still, shifted = (cells(mechanism.distribution(each)) for each in (0, by))
        first, second = ([p * q for p in each for q in each] for each in (still, shifted))
        return [(first, second), (second, first)]

    with working_precision(BITS):
        for guarantee in (mechanism.guarantee, compose(mechanism.event)):
            assert keeps(moved(1), guarantee)
            assert not keeps(moved(2), guarantee)


@each_subject
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_the_error_bound_covers(subject: Subject, confidence: Fraction) -> None:
    """The distribution puts no more than 1 - confidence beyond it, and more beyond 70 % of it."""
    mechanism = subject.mechanism()
    bound = Fraction(mechanism.error(confidence=confidence, **subject.asked))
    assert subject.misses(mechanism, bound) <= 1 - confidence
    if subject.tight:
        assert subject.misses(mechanism, bound * Fraction(7, 10)) > 1 - confidence


@each_subject
@pytest.mark.parametrize("distance", DISTANCES)
def test_events_are_read_back_as_written(subject: Subject, distance: int) -> None:
    event = subject.mechanism().event_at(distance)
    assert events.from_json(events.to_json(event)) == (event,)


@each_subject
def test_the_theorem_is_stated_and_proved_somewhere(subject: Subject) -> None:
    kind = type(subject.mechanism())
    assert re.fullmatch(r"[A-Z].*\bpriva(cy|te)\b.*\.", kind.theorem)
    known = set(re.findall(r"@\w+\{(\w+),", REFERENCES.read_text(encoding="utf-8")))
    assert kind.citations
    assert set(kind.citations) <= known
    assert "Edge cases" in str(kind.__doc__)
    assert ":cite:p:`" in str(kind.__doc__)


@each_subject
def test_mechanisms_are_values(subject: Subject) -> None:
    """Equal by parameters, frozen, and the same after pickling."""
    mechanism, twin = subject.mechanism(), subject.mechanism(**subject.twin)
    again = pickle.loads(pickle.dumps(mechanism))  # noqa: S301 - it was pickled one line above
    for same in (subject.mechanism(), again):
        assert same == mechanism
        assert hash(same) == hash(mechanism)
    assert mechanism != twin
    for name in ("relation", "anything"):
        with pytest.raises(AttributeError):
            setattr(mechanism, name, twin.relation)


@each_subject
def test_mechanisms_say_what_they_are(subject: Subject) -> None:
    mechanism = subject.mechanism()
    said = repr(mechanism)
    assert said.startswith(f"{type(mechanism).__name__}(")
    assert said != repr(subject.mechanism(**subject.twin))


@each_subject
def test_what_is_drawn_from_a_seed_says_so(subject: Subject) -> None:
    mechanism, value = subject.mechanism(), subject.pairs[0][0]
    seeded = mechanism.release(value, source=SeededSource(1))
    assert seeded.seeded
    assert all("NOT PRIVATE" in said for said in (str(seeded), repr(seeded)))
    private = mechanism.release(value)
    assert not private.seeded
    assert "NOT PRIVATE" not in f"{private!s}{private!r}"
    assert (private.event, private.guarantee) == (mechanism.event, mechanism.guarantee)
