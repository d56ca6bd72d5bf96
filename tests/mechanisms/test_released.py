"""What was released: post-processing keeps the guarantee, a later step adds to it (M-COMP-1)."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.mechanisms import Released
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import refuses
from tests.mechanisms.subjects import SUBJECTS, Subject
from tests.refusing import raises_code

EPSILONS = st.fractions(min_value="1/10", max_value=3, max_denominator=20)
AGES = [23, 35, 56, 61]


def counting(epsilon: Any) -> Any:
    return sf.mechanisms.DiscreteLaplace(epsilon=epsilon)


COUNT = counting("1/2")


def seeded(seed: int = 1) -> dict[str, Any]:
    return {"source": SeededSource(seed)}


def released(value: Any = 7, *, is_seeded: bool = False) -> Released[Any]:
    return Released(value, COUNT.event, COUNT.guarantee, is_seeded)


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
@pytest.mark.parametrize("source", [None, SeededSource(1)])
def test_post_processing_keeps_the_guarantee(subject: Subject, source: Any) -> None:
    """M-POST-1: event, guarantee and mark stay, whatever a function makes of the value."""
    first = subject.mechanism().release(subject.pairs[0][0], source=source)
    text = first.map(str).map(len)
    assert text.value == len(str(first.value))
    assert (text.event, text.guarantee) == (first.event, first.guarantee)
    assert text.seeded == first.seeded == (source is not None)


def test_post_processing_sees_the_released_value_alone() -> None:
    """M-POST-1."""
    seen: list[Any] = []
    first = COUNT.release(10**6, **seeded(5))
    assert first.map(seen.append).value is None
    assert seen == [first.value]
    assert first.value != 10**6


def test_what_a_function_raises_is_not_hidden() -> None:
    """M-POST-1: a function of a public value may fail in public."""
    with pytest.raises(ZeroDivisionError):
        released(0).map(lambda number: 1 / number)


@given(EPSILONS, EPSILONS)
def test_a_later_step_adds_up(first: Any, second: Any) -> None:
    """M-COMP-1: ε of both answers together, exactly."""
    one, other = map(counting, (first, second))
    both = one.release(4).then(other, _four)
    least = both.guarantee.bounds(delta=0)
    assert least.lower <= float(first + second) * (1 + 2**-50)
    assert least.upper >= float(first + second) * (1 - 2**-50)
    assert both.guarantee.relation == one.relation


def test_a_later_query_reads_the_released_value() -> None:
    """M-COMP-1: adaptive; the private value of the first step is not what it sees."""
    first = COUNT.release(len(AGES), **seeded(5))
    asked: list[Any] = []

    def query(people: int) -> int:
        asked.append(people)
        return sum(age > 10 * people for age in AGES)

    both = first.then(COUNT, query, **seeded(2))
    assert asked == [first.value]
    assert first.value != len(AGES)
    again = COUNT.release(sum(age > 10 * first.value for age in AGES), **seeded(2))
    assert both.value == (first.value, again.value)


@given(EPSILONS, EPSILONS, EPSILONS)
def test_steps_are_counted_in_any_grouping(first: Any, second: Any, third: Any) -> None:
    """M-COMP-1: (a then b) then c, a then (b then c), and the three events cost the same."""
    one, two, three = map(counting, (first, second, third))
    chained = one.release(3).then(two, _four).then(three, _four)
    later = two.release(4).then(three, _four)
    nested = sf.compose(one.event, later.event)
    together = sf.compose(one.event, two.event, three.event)
    lost = {each.epsilon(delta=0) for each in (chained.guarantee, nested, together)}
    assert len(lost) == 1
    assert list(chained.event.parts()) == [(each.event, 1) for each in (one, two, three)]


def test_steps_of_different_kinds_cost_what_their_events_do() -> None:
    """M-COMP-1: with δ, as ``compose`` counts the three events."""
    one: Any = sf.mechanisms.Laplace(epsilon="1/2", sensitivity=1)
    two: Any = sf.mechanisms.Gaussian(sigma=4, sensitivity=1)
    three: Any = sf.mechanisms.Exponential(epsilon=1, sensitivity=1)
    chained = one.release(3).then(two, _four).then(three, lambda both: [*both, 0])
    together = sf.compose(one.event, two.event, three.event)
    assert chained.guarantee.epsilon(delta=1e-6) == together.epsilon(delta=1e-6)
    assert chained.guarantee.delta(epsilon=1) == together.delta(epsilon=1)


def _four(_: Any) -> int:
    return 4


def test_values_are_nested_as_they_were_released() -> None:
    chained = COUNT.release(3).then(COUNT, _four).then(COUNT, sum)
    (first, second), third = chained.value
    assert all(isinstance(each, int) for each in (first, second, third))


@pytest.mark.parametrize(
    "relation",
    [
        sf.privacy.Substitute(),
        sf.privacy.AddRemove(2),
        sf.privacy.AddRemove(unit=sf.privacy.Person()),
    ],
)
def test_guarantees_for_different_changes_are_not_added(relation: sf.privacy.Relation) -> None:
    """M-COMP-1: refused before the second question is asked."""
    other = sf.mechanisms.DiscreteLaplace(epsilon=1, relation=relation)
    first = COUNT.release(4)
    sentence = refuses(lambda: first.then(other, lambda _: pytest.fail("it was asked")))
    assert str(relation) in sentence
    assert "add or remove one row" in sentence


@pytest.mark.parametrize("marks", [(False, False), (False, True), (True, False), (True, True)])
def test_one_seeded_step_marks_all(marks: tuple[bool, bool]) -> None:
    first, second = (seeded() if mark else {} for mark in marks)
    both = COUNT.release(4, **first).then(COUNT, _four, **second)
    assert both.seeded == any(marks)
    assert both.map(sum).seeded == any(marks)


def test_a_release_reads_as_its_value() -> None:
    assert (float(released(7)), int(released(7.9)), bool(released(0))) == (7.0, 7, False)
    assert math.sqrt(released(16)) == 4
    assert bool(released([0]))
    array = np.asarray(released(np.array([1.5, 2.5])))
    assert array.tolist() == [1.5, 2.5]
    assert np.asarray(released([1, 2]), dtype=float).dtype == np.float64
    assert float(np.mean(released(np.array([1.0, 3.0])))) == 2


def test_a_release_is_compared_and_indexed_as_its_value() -> None:
    assert released(7) > 5
    assert released(7) <= released(8)
    assert released(7) == 7
    assert round(released(7.26), 1) == 7.3
    assert f"{released(7.26):.1f}" == "7.3"
    several = released([4, 5, 6])
    assert (len(several), several[1], list(several)) == (3, 5, [4, 5, 6])


def test_an_array_of_a_release_may_be_changed_without_changing_it() -> None:
    release = released(np.array([1.5, 2.5]))
    np.array(release)[0] = 99
    assert release.value[0] == 1.5


@pytest.mark.parametrize("is_seeded", [False, True])
def test_what_is_shown_tells_value_guarantee_and_mark(*, is_seeded: bool) -> None:
    release = released(7, is_seeded=is_seeded)
    for said in (str(release), repr(release), release._repr_html_()):
        assert "7" in said
        assert "0.5-DP (add or remove one row)" in said
        assert ("NOT PRIVATE" in said) == is_seeded


def test_values_are_escaped_in_notebooks() -> None:
    shown = released("<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_releases_are_frozen_and_equal_by_what_they_say() -> None:
    release = released()
    with pytest.raises(FrozenInstanceError):
        release.value = 8  # type: ignore[misc]
    assert release == released()
    assert release != released(8)
    assert release != released(is_seeded=True)
    assert released(np.array([1, 2])) == released(np.array([1, 2]))
    assert released(np.array([1, 2])) != released(np.array([1, 3]))


def test_a_release_is_not_calculated_with_by_accident() -> None:
    release = released()
    with raises_code("E-RELEASE-NOT-A-NUMBER"):
        release + 1
    with raises_code("E-RELEASE-NOT-A-NUMBER"):
        2 * release
    with raises_code("E-ARGUMENT-TYPE", match="then takes a mechanism"):
        release.then(5, lambda value: value)  # type: ignore[arg-type]


def test_releases_of_arrays_are_compared() -> None:
    noise = sf.mechanisms.DiscreteLaplace(epsilon=1)
    one, other = (noise.release(np.arange(3), source=SeededSource(2)) for _ in range(2))
    assert one == other
    assert (one != np.array([10**6] * 3)).all()
    both = one.then(noise, lambda value: 3, source=SeededSource(3))
    assert both == both.map(lambda value: value)
