"""What every mechanism does with odd values and wrong parameters: type and shape decide alone."""

from __future__ import annotations

import inspect
import math
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.noise_checks import refuses
from tests.mechanisms.subjects import SUBJECTS, Subject
from tests.sampling.scripted import ScriptedSource, ScriptEnded

NAN, INF, HUGE = math.nan, math.inf, 10**400
MOST = 2**63 - 1

#: Values of one type and shape in each row, that differ in what they are.
ALIKE: dict[str, list[Any]] = {
    "floats": [0.0, -0.0, 1.5, 1e308, -1e308, 5e-324, INF, -INF, NAN],
    "ints": [0, 1, 2**63, -(2**70), HUGE, -HUGE],
    "NumPy's ints": [np.int64(0), np.int64(MOST), np.int64(-MOST - 1)],
    "unsigned ints": [np.uint64(0), np.uint64(2**64 - 1)],
    "short floats": [np.float32(0), np.float32(INF), np.float32(NAN)],
    "long floats": [np.longdouble(0), np.longdouble("1e4000"), np.longdouble(NAN)],
    "Fractions": [Fraction(0), Fraction(HUGE, 3), Fraction(1, HUGE)],
    "Decimals": [Decimal(0), Decimal("1e999"), Decimal("nan")],
    "strings": ["", "1", "a secret"],
    "bytes": [b"", b"1"],
    "truth values": [True, False],
    "NumPy's truth values": [np.True_, np.False_],
    "complex numbers": [0j, 1j, complex(NAN, INF)],
    "dates": [date(2020, 1, 1), date(1999, 1, 1)],
    "moments": [np.datetime64("2020-01-01"), np.datetime64("NaT")],
    "durations": [np.timedelta64(1, "s"), np.timedelta64("NaT", "s")],
    "nothing": [None],
    "objects": [object(), object()],
    "sets": [{1, 2}, {3, 4}],
    "lists of floats": [[0.0, 1.0, 2.0], [INF, NAN, -INF], [1e308] * 3, [5e-324] * 3],
    "lists of ints": [[0, 1, 2], [2**63, -(2**70), HUGE]],
    "lists of numbers": [[0, 1.0], [HUGE, NAN]],
    "tuples": [(0.0, 1.0), (NAN, INF)],
    "ranges": [range(3), range(10**6, 10**6 + 3)],
    "lists of strings": [["a", "b"], ["c", "1"]],
    "lists of truth values": [[True, False], [True, True]],
    "lists of complex numbers": [[1j], [0j]],
    "lists with nothing": [[0, None], [1, None]],
    "lists with a string": [[1, "2"], [1, "a"]],
    "arrays of floats": [np.zeros(3), np.full(3, NAN), np.full(3, INF), np.full(3, 5e-324)],
    "arrays of short floats": [np.zeros(3, np.float16), np.full(3, NAN, np.float16)],
    "arrays of long floats": [np.zeros(2, np.longdouble), np.array(["1e4000", "nan"], "g")],
    "arrays of ints": [np.arange(3), np.full(3, MOST), np.full(3, -MOST - 1)],
    "arrays of unsigned ints": [np.zeros(3, np.uint64), np.full(3, 2**64 - 1, np.uint64)],
    "arrays of objects": [np.array([0, 1.5], object), np.array([HUGE, NAN], object)],
    "arrays with a string": [np.array([0, "a"], object), np.array([HUGE, "b"], object)],
    "arrays with nothing": [np.array([0.0, None], object), np.array([NAN, None], object)],
    "arrays of strings": [np.array(["a", "b"]), np.array(["1", "2"])],
    "arrays of truth values": [np.array([True, False]), np.array([True, True])],
    "arrays of complex numbers": [np.array([1j, 0]), np.array([NAN, 1j])],
    "arrays of moments": [np.array(["2020-01-01"], "M8[D]"), np.array(["NaT"], "M8[D]")],
    "arrays of durations": [np.array([0, 1], "m8[s]"), np.array([0, "NaT"], "m8[s]")],
    "arrays of no dimension": [np.array(0.0), np.array(NAN)],
    "tables": [np.zeros((2, 2)), np.full((2, 2), NAN)],
    "tables of ints": [np.zeros((2, 2), int), np.full((2, 2), MOST)],
    "nested lists": [[[0.0, 1.0], [2.0, 3.0]], [[NAN, INF], [2.0, 3.0]]],
    "ragged lists": [[[1, 2], [3]], [[HUGE, 2], [NAN]]],
    "mappings to floats": [{"a": 1.0, "b": 2.0}, {"a": NAN, "b": INF}],
    "mappings to ints": [{"a": 1, "b": 2}, {"a": HUGE, "b": -3}],
    "mappings to strings": [{"a": "1"}, {"a": "a secret"}],
    "empty lists": [[]],
    "empty tuples": [()],
    "empty arrays": [np.zeros(0)],
    "empty tables": [np.zeros((0, 2))],
    "empty mappings": [{}],
}

NO_NUMBERS = [NAN, INF, True, "one", "", None, [], 1j]
NO_POSITIVE_NUMBERS = [0, -1, -0.0, "-1/2", *NO_NUMBERS]
NO_COUNTS = [0, -1, 1.5, *NO_NUMBERS]
NO_FUNCTIONS = [3, None, "sum"]
#: What is no value of a parameter, by the name of the parameter.
WRONG: dict[str, list[Any]] = {
    **dict.fromkeys(["epsilon", "scale", "sigma", "sensitivity", "proposed"], NO_POSITIVE_NUMBERS),
    **dict.fromkeys(["positives", "dimensions", "partitions", "blocks", "depth"], NO_COUNTS),
    **dict.fromkeys(["function", "distance", "query", "of"], NO_FUNCTIONS),
    **dict.fromkeys(["size", "population"], NO_COUNTS),
    "channel": [3, "ab", [], [[]], [[1, NAN], [1, 1]], [[1, -1], [1, 1]], [[1, 0], [0, 1]]],
    "neighbours": [3, "some", [("yes",)], [("yes", "may be")]],
    "mechanism": [3, None, "Laplace", sf.mechanisms.Laplace, len],
    "rate": [0, -1, 1.5, *NO_NUMBERS],
    "rank": [-0.1, 1.5, *NO_NUMBERS],
    "offset": NO_NUMBERS,
    "delta": [-0.1, 0, 1, 1.5, *NO_NUMBERS[:5]],
    "truth": [0, 0.25, 1, -1, *NO_NUMBERS],
    "categories": [0, 1, 10**7, [], ["a"], ["a", "a"], [1.5, 2], [None, "a"], *NO_NUMBERS[:4]],
    "bounds": [
        (1, 0),
        (1, 1),
        (0,),
        (0, 1, 2),
        "01",
        None,
        (NAN, 1),
        (0, INF),
        (0, True),
        (0, "b"),
    ],
    "aggregate": ["mode", None, 1, ["mean"]],
    "default": [NAN, INF, 99, True, "one", [1, 2]],
    "monotone": [0, 1, None, "yes"],
    "threshold": NO_NUMBERS,
    "relation": [None, "row", 1, sf.privacy.AddRemove, [sf.privacy.AddRemove()]],
}

each_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=str)


def outcome(mechanism: Any, value: Any) -> str:
    """How a value is refused, before a bit is drawn, or of which form its release is."""
    try:
        mechanism.release(value, source=ScriptedSource())
    except sf.errors.InputError as refusal:
        return str(refusal)
    except ScriptEnded:
        pass
    return form(mechanism.release(value, source=SeededSource(1)).value)


def form(released: Any) -> str:
    """The type and the shape of what is released; None stands for a float that was held back."""
    kind = "float" if released is None else type(released).__name__
    assert np.asarray(released).dtype.kind != "f" or np.isfinite(released).all()
    return f"{kind} {getattr(released, 'dtype', '')} {getattr(released, 'shape', '')}"


@each_subject
def test_what_happens_depends_on_type_and_shape_alone(subject: Subject) -> None:
    """The same form is released, or the same sentence refuses: no content shows in either."""
    mechanism = subject.mechanism()
    found = {kind: {outcome(mechanism, each) for each in ALIKE[kind]} for kind in ALIKE}
    assert {kind: outcomes for kind, outcomes in found.items() if len(outcomes) > 1} == {}


@each_subject
def test_examples_are_released(subject: Subject) -> None:
    """What the subject says are values, are."""
    mechanism = subject.mechanism()
    for one, other, _ in subject.pairs:
        assert mechanism.release(one, source=SeededSource(1)).event == mechanism.event
        assert mechanism.release(other).guarantee == mechanism.guarantee


@pytest.mark.parametrize("subject", [each for each in SUBJECTS if each.closed], ids=str)
def test_answers_that_are_none_are_refused_alike(subject: Subject) -> None:
    """One sentence, which names the public answers and not the one that was given."""
    mechanism = subject.mechanism()
    others = ["a secret", "YES", 0, HUGE, NAN, None, ["yes", "a secret"], [["yes"]]]
    sentences = {outcome(mechanism, value) for value in others}
    assert len(sentences) == 1
    assert "'yes'" in sentences.pop()


def parameters() -> list[tuple[Subject, str]]:
    """Every parameter of every subject, and its relation where it is told one."""
    return [
        (subject, name)
        for subject in SUBJECTS
        for name in dict.fromkeys([*subject.parameters, "relation"])
        if name in inspect.signature(subject.make).parameters
    ]


@cases(("subject", "name"), parameters())
def test_wrong_parameters_are_refused_before_a_bit_is_drawn(subject: Subject, name: str) -> None:
    def built(wrong: Any) -> None:
        mechanism = subject.mechanism(**{name: wrong})
        mechanism.release(subject.pairs[0][0], source=ScriptedSource())

    for wrong in WRONG[name]:
        refuses(partial(built, wrong))


def test_every_parameter_is_tried() -> None:
    """But for those that say the same as another one, or that the tests of one mechanism try."""
    named = {name for subject in SUBJECTS for name in inspect.signature(subject.make).parameters}
    tried = {name for subject in SUBJECTS for name in subject.parameters} | {"relation"}
    assert named - tried == {"method", "partitions", "rows", "threshold_share"}


@each_subject
def test_distances_are_whole_numbers_of_changes(subject: Subject) -> None:
    mechanism = subject.mechanism()
    for wrong in NO_COUNTS:
        refuses(partial(mechanism.event_at, wrong))
        refuses(partial(mechanism.guarantee_at, wrong))


@each_subject
def test_confidences_lie_between_0_and_1(subject: Subject) -> None:
    mechanism = subject.mechanism()
    for wrong in [0, 1, 1.5, -1, *NO_NUMBERS]:
        refuses(partial(mechanism.error, confidence=wrong, **subject.asked))


@each_subject
def test_what_is_no_source_of_bits_is_refused(subject: Subject) -> None:
    mechanism, value = subject.mechanism(), subject.pairs[0][0]
    for wrong in [1, "seed", SeededSource, np.random.default_rng(1)]:
        refuses(partial(mechanism.release, value, source=wrong))
