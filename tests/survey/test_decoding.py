"""Reports in arrays are counted and read as a client's protocol would, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.sampling import SeededSource, uniform_below
from sfumato.survey.client.protocols import Hashing
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.collector import decoding
from sfumato.survey.collector.decoding import (
    buckets_of,
    column_sums,
    pair_tally_of,
    support_matrix,
    tally_of,
)
from sfumato.survey.collector.forms import largest_report, parse, written
from sfumato.survey.crowd.reports import randomize_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.questions import Question

    Counts = NDArray[np.int64]

PROTOCOLS = ("response", "unary", "subset", "hadamard", "hashing", "permanent")
#: One ε for each way in which g has prime factors: 2, 3, 4, 5, 6, 8, 9, 21 and 55 or so.
EPSILONS = (0.1, 0.7, 1, 1.3, 1.6, 2, 2.1, 3, 4)


def asked(protocol: str, choices: int, epsilon: object) -> ChoiceQuestion:
    given = {"choices": [f"c{each}" for each in range(choices)], "epsilon": epsilon}
    lifetime = {"lifetime": 6} if protocol == "permanent" else {}
    question = sf.Survey({"q": {**given, "protocol": protocol, **lifetime}}).questions["q"]
    assert isinstance(question, ChoiceQuestion)
    return question


def sent(question: Question, people: int, seed: int = 1) -> NDArray[Any]:
    """Reports of people with all kinds of answers."""
    source = SeededSource(seed)
    if not isinstance(question, ChoiceQuestion):
        return randomize_many(question, np.linspace(0, 1, people), source=source)
    answers = np.arange(people) % len(question.choices)
    return randomize_many(question, answers, source=source)


def values(question: Question, reports: NDArray[Any]) -> list[Any]:
    """The reports as a client's protocol knows them."""
    if reports.ndim == 2:
        return ["b" + "".join(map(str, row)) for row in reports.tolist()]
    return list(reports.tolist())


def plainly(question: ChoiceQuestion, reports: NDArray[Any]) -> Counts:
    """Which choices each report supports, by the client's own word."""
    protocol = question.protocol
    rows = [
        [protocol.supports(each, choice) for choice in range(protocol.choices)]
        for each in values(question, reports)
    ]
    return np.array(rows, dtype=np.int64)


WEIGHTS = uniform_below(1000, 150, source=SeededSource(2))


@pytest.mark.parametrize("choices", [2, 3, 9, 20])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_supports_are_counted_as_the_client_sees_them(name: str, choices: int) -> None:
    question = asked(name, choices, 1)
    reports = sent(question, 150)
    supports = plainly(question, reports)
    assert np.array_equal(support_matrix(question, reports), supports)
    assert np.array_equal(tally_of(question, reports).counts, supports.sum(axis=0))
    weighted = tally_of(question, reports, WEIGHTS)
    assert weighted.people == WEIGHTS.sum()
    assert np.array_equal(weighted.counts, WEIGHTS @ supports)


@pytest.mark.parametrize("way", ["as it is", "by lines", "by pairs", "without a table"])
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("choices", [2, 10])
def test_every_way_of_counting_hashes(
    choices: int, epsilon: float, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"_MOST_KINDS": ["by lines", "by pairs", "without a table"]}
    limits |= {"_MOST_SUMS": ["by pairs", "without a table"], "_MOST_DIGITS": ["without a table"]}
    for limit, ways in limits.items():
        if way in ways:
            monkeypatch.setattr(decoding, limit, 0)
    question = asked("hashing", choices, epsilon)
    reports = sent(question, 150)
    supports = plainly(question, reports)
    assert np.array_equal(tally_of(question, reports).counts, supports.sum(axis=0))
    assert np.array_equal(tally_of(question, reports, WEIGHTS).counts, WEIGHTS @ supports)


def test_the_hashes_have_all_kinds_of_buckets() -> None:
    """So that the test above means what it says: powers of 2 and 3, a prime, and mixed ones."""
    protocols = [asked("hashing", 10, epsilon).protocol for epsilon in EPSILONS]
    factors = {each.primes for each in protocols if isinstance(each, Hashing)}
    assert {(2,), (3,), (2, 2), (5,), (2, 3), (2, 2, 2), (3, 3), (3, 7)} <= factors


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_buckets_are_the_client_s(epsilon: float) -> None:
    protocol = asked("hashing", 50, epsilon).protocol
    assert isinstance(protocol, Hashing)
    functions = uniform_below(protocol.functions, 50, source=SeededSource(3))
    found = buckets_of(protocol, functions, np.arange(50))
    assert found.tolist() == [protocol.bucket(int(f), v) for v, f in enumerate(functions)]


@pytest.mark.parametrize("second", PROTOCOLS)
@pytest.mark.parametrize("first", PROTOCOLS)
def test_pairs_are_counted_as_the_client_sees_them(first: str, second: str) -> None:
    one, two = asked(first, 3, 1), asked(second, 4, 0.7)
    rows, columns = sent(one, 150, seed=4), sent(two, 150, seed=5)
    left, right = plainly(one, rows), plainly(two, columns)
    pair = pair_tally_of(one, rows, two, columns)
    assert pair.people == 150
    assert np.array_equal(pair.both, left.T @ right)
    assert np.array_equal(pair.first, left.sum(axis=0))
    assert np.array_equal(pair.second, right.sum(axis=0))
    weighted = pair_tally_of(one, rows, two, columns, WEIGHTS)
    assert np.array_equal(weighted.both, (left * WEIGHTS[:, None]).T @ right)


def test_marks_are_counted() -> None:
    question = sf.Survey({"q": {"bounds": (0, 1), "epsilon": 3}}).questions["q"]
    reports = sent(question, 150)
    marks = [reports.tolist().count(mark) for mark in range(7)]
    assert tally_of(question, reports).counts.tolist() == marks
    assert tally_of(question, reports, WEIGHTS).people == WEIGHTS.sum()


@pytest.mark.parametrize("people", [0, 1, 254, 255, 256, 100_000])
@pytest.mark.parametrize("columns", [1, 2, 7, 300])
def test_sums_of_ones_do_not_overflow(people: int, columns: int) -> None:
    bits = np.ones((people if columns < 300 else people // 50, columns), dtype=np.uint8)
    assert column_sums(bits).tolist() == [len(bits)] * columns


def test_great_weights_are_exact() -> None:
    weights = np.array([2**52, 1, 3])
    assert tally_of(asked("response", 2, 1), np.array([0, 0, 1]), weights).counts.tolist() == [
        2**52 + 1,
        3,
    ]
    bits = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.uint8)
    assert tally_of(asked("unary", 2, 1), bits, weights).counts.tolist() == [2**52 + 1, 4]


FORMS: list[Question] = [
    *(asked(name, 5, 1) for name in PROTOCOLS),
    sf.Survey({"q": {"bounds": (0, 1), "epsilon": 3}}).questions["q"],
]
every_form = pytest.mark.parametrize("question", FORMS, ids=lambda each: each.protocol.name)


@every_form
def test_what_is_written_is_read_again(question: Question) -> None:
    reports = sent(question, 150)
    column = written(question, reports)
    texts = [str(each) for each in column.to_pylist()]
    chunked = pa.chunked_array([column.slice(0, 60), column.slice(60)])
    for form in (column, chunked, column.to_pylist(), texts, np.array(texts), column.slice(0)):
        read, fine = parse(question, form)
        assert fine.all()
        assert np.array_equal(read, reports)
    read, fine = parse(question, column.slice(40, 20))
    assert np.array_equal(read, reports[40:60])


@every_form
def test_reports_are_written_as_the_client_writes_them(question: Question) -> None:
    reports = sent(question, 60)
    plain = values(question, reports)
    if isinstance(question, ChoiceQuestion):
        plain = [question.written(each) for each in plain]
    assert written(question, reports).to_pylist() == plain


BROKEN: list[Any] = [None, "", "c9", "C0", " c0", "b", "b0101", "b010100", "b01020", "x01010"]
BROKEN += ["b1111é", "é", "-1", "1e3", "0x1", "00", "01", "1.5", "99999999999999999999", "nan"]
BROKEN += ["b00000", "b11000", "b10000", "c0", "c4", "0", "3", "7", "8", "b" + "0" * 5000]


@every_form
def test_impossible_reports_are_told_from_possible_ones(question: Question) -> None:
    """As the client's protocol tells them, where a number may also be a text."""
    assert parse(question, BROKEN)[1].tolist() == [allowed(question, each) for each in BROKEN]
    for each in BROKEN:
        read, fine = parse(question, [each])
        assert fine.tolist() == [allowed(question, each)]
        assert fine.all() or not read.any()


def allowed(question: Question, value: Any) -> bool:
    if isinstance(question, ChoiceQuestion) and question.protocol.name == "response":
        return value in question.choices
    if largest_report(question) is None:
        return question.protocol.allows(value)
    plain = isinstance(value, str) and value.isdecimal() and str(int(value)) == value
    return plain and question.protocol.allows(int(value))


@pytest.mark.parametrize(
    ("column", "fine"),
    [
        (pa.array([0, 7, 8, None, -1]), [True, True, False, False, False]),
        (pa.array([0, 7, 8], pa.uint8()), [True, True, False]),
        (pa.array([2**64 - 1], pa.uint64()), [False]),
        (pa.array([0.0, 7.0, 1.5, float("nan"), float("inf"), -1.0]), [True, True] + [False] * 4),
        (pa.array([True, False]), [False, False]),
        (pa.nulls(2), [False, False]),
        (pa.array([["0"]]), [False]),
        (["1.0", "1.00", "+1"], [True, False, False]),
        ([1, "1", 2.5, None], [True, True, False, False]),
        (np.array([3, 9]), [True, False]),
        ([2**70, 1], [False, True]),
        ([], []),
    ],
    ids=str,
)
def test_columns_of_other_types(column: Any, fine: list[bool]) -> None:
    """Of a Hadamard question, whose reports are the numbers from 0 to 7."""
    question = asked("hadamard", 5, 1)
    assert parse(question, column)[1].tolist() == fine
    assert len(parse(asked("unary", 5, 1), column)[0]) == len(column)


def test_words_that_look_like_numbers() -> None:
    question = sf.Survey({"q": {"choices": ["1", "2", "true"], "epsilon": 1}}).questions["q"]
    assert parse(question, [1, 2, 3])[1].tolist() == [True, True, False]
    assert parse(question, ["1", "1.0", "true"])[1].tolist() == [True, False, True]
    assert parse(question, pa.array([True, False]))[1].tolist() == [True, False]
