"""Events as JSON: the round trip is equal, old documents keep their meaning, bad ones are told."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sfumato.errors import InputError, UnknownNameError
from sfumato.information.continuous import Exponential as Waiting
from sfumato.information.continuous import Gaussian as Normal
from sfumato.information.continuous import Laplace as Laplacian
from sfumato.information.continuous import Logistic, Mixture, Uniform
from sfumato.numeric import Ln
from sfumato.privacy import events
from sfumato.privacy.events import (
    Approximate,
    Composed,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSizeSubsampled,
    Gaussian,
    Laplace,
    Pair,
    Parallel,
    PermuteAndFlip,
    Pure,
    RandomizedResponse,
    Renyi,
    Repeated,
    Shuffled,
    SparseVector,
    Subsampled,
    ZeroConcentrated,
    from_json,
    to_json,
)
from tests.cases import cases
from tests.privacy.event_strategies import EVENTS
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).with_name("golden_events_v1.json")
GOLDEN_2 = Path(__file__).with_name("golden_events_v2.json")

#: What version 1 says, forever: as ``to_json`` writes it.
WRITTEN: list[Event] = [
    Laplace(scale=10),
    DiscreteLaplace(scale=2.5, sensitivity=3),
    Gaussian(sigma=3.7306316348159, sensitivity=Fraction(1, 3)),
    DiscreteGaussian(sigma=4),
    RandomizedResponse(epsilon=Ln(2)),
    Exponential(epsilon=0.5),
    PermuteAndFlip(epsilon=Ln("3/2")),
    SparseVector(threshold_epsilon=0.2, answers_epsilon=0.8, positives=3),
    Pure(epsilon=0),
    Approximate(epsilon=0.1, delta=1e-6),
    ZeroConcentrated(rho=0.005),
    Renyi({1.5: 0.25, 2: 0.5, 8: 1.9}),
    Subsampled(Gaussian(sigma=4), rate=0.01),
    FixedSizeSubsampled(Laplace(scale=10), size=100, population=10_000),
    Shuffled(RandomizedResponse(epsilon=1, categories=4), population=10_000),
    Composed(Pure(epsilon=1), Parallel(Pure(epsilon=2), Pure(epsilon=3))),
    Repeated(Pure(epsilon=0.1), count=1000),
    Parallel(Pure(epsilon=1)),
]
#: What version 2 says beside that.
WRITTEN_2: list[Event] = [
    Pair(["1/2", "1/2", 0], ["2/5", "2/5", "1/5"]),
    Repeated(Subsampled(Pair(Normal(0, 1), Normal(0.5, 2)), rate=0.1), count=3),
    Pair(
        Mixture([Fraction(1, 4), Fraction(3, 4)], [Laplacian(0, 1), Logistic(1, 2)]),
        Laplacian(Fraction(1, 3), 1),
    ),
    Pair(Waiting(2, shift=1), Uniform(0, 4)),
]
#: And as a person may write it.
SHORT: list[Event] = [
    Repeated(Laplace(scale=Fraction(1, 10), sensitivity=Fraction(1, 100)), count=1000),
    Pure(epsilon=Fraction("0.300000000000000041234567890123456789")),
    Repeated(Subsampled(Gaussian(sigma=4, sensitivity=0.5), rate=1), count=7),
]


def test_version_1_is_read_as_it_always_was() -> None:
    assert list(from_json(GOLDEN.read_text("utf-8"))) == WRITTEN + SHORT


def test_version_1_is_written_as_it_always_was() -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert json.loads(to_json(*WRITTEN)) == golden | {"events": golden["events"][: len(WRITTEN)]}


def test_every_kind_of_event_is_in_the_golden_document() -> None:
    public = {getattr(events, name) for name in events.__all__}
    kinds = {each for each in public if isinstance(each, type)} - {Event}
    written = [*WRITTEN, *WRITTEN_2]
    assert kinds == {type(each) for each in written}
    assert len({each.name for each in written}) == len(kinds)


def test_version_2_is_read_and_written_as_it_always_was() -> None:
    """A document is of the first version that can say what is in it."""
    golden = GOLDEN_2.read_text("utf-8")
    assert list(from_json(golden)) == WRITTEN_2
    assert json.loads(to_json(*WRITTEN_2)) == json.loads(golden)
    assert json.loads(to_json(*WRITTEN, *WRITTEN_2))["version"] == 2
    assert json.loads(to_json(*WRITTEN))["version"] == 1
    assert json.loads(to_json())["version"] == 1
    as_2 = GOLDEN.read_text("utf-8").replace('"version": 1', '"version": 2')
    assert list(from_json(as_2)) == WRITTEN + SHORT


@given(st.lists(EVENTS, max_size=3))
@example([])
def test_the_round_trip_is_equal(drawn: list[Event]) -> None:
    text = to_json(*drawn)
    assert list(from_json(text)) == drawn
    assert to_json(*from_json(text)) == text


def document(*entries: Any, version: Any = 1) -> str:
    return json.dumps({"version": version, "events": list(entries)})


def laplace(**fields: Any) -> dict[str, Any]:
    return {"event": "laplace", "scale": "10", "sensitivity": "1"} | fields


def deep(levels: int) -> str:
    entry: dict[str, Any] = {"event": "pure", "epsilon": "1"}
    for _ in range(levels):
        entry = {"event": "repeated", "count": 1, "of": entry}
    return document(entry)


def test_nesting_is_read_and_written_up_to_a_depth() -> None:
    (event,) = from_json(deep(97))
    assert json.loads(to_json(event)) == json.loads(deep(97))
    for levels in (98, 101, 500):
        with raises_code("E-DOCUMENT-FORM", match="nested deeper than 100 levels"):
            from_json(deep(levels))
    with raises_code("E-DOCUMENT-FORM", match="nested deeper than 100 levels"):
        to_json(Repeated(event, count=1))


def test_what_would_be_too_long_to_read_is_not_written() -> None:
    many = [Laplace(scale=Fraction(2**3320, 3))] * 10_000
    with raises_code("E-TOO-LARGE", match="would be longer than 10,000,000 characters"):
        to_json(*many)


TWICE = '{"version": 1, "events": [{"event": "pure", "epsilon": "1", "epsilon": "9"}]}'
NAN = '{"version": 1, "events": [{"event": "pure", "epsilon": %s}]}'

REFUSED: list[tuple[str, str]] = [
    ("", r"the document is not JSON \(Expecting value: line 1 column 1"),
    ("{'version': 1}", "the document is not JSON"),
    ("[" * 100_000, "nested deeper than 100 levels"),
    ("[" * 500 + "]" * 500, "nested deeper than 100 levels"),
    (" " * 10_000_001, "longer than 10,000,000 characters"),
    ("[]", "the document does not say its version; write"),
    ("null", "the document does not say its version"),
    ('{"events": []}', "the document does not say its version"),
    (document(version=3), "this document is of version 3, this program reads 2; install"),
    (document(version=0), "version must be 1 to 2, not 0"),
    (document(version="1"), "version must be 1 to 2, not '1'"),
    (document(version=True), "version must be 1 to 2, not True"),
    (document(version=1.0), "version must be 1 to 2, not '1.0'"),
    (document(version=None), "version must be 1 to 2, not None"),
    (
        document({"event": "pair", "p": ["1"], "q": ["1"]}),
        'a document of version 1 has no pair; write "version": 2',
    ),
    ('{"version": 1}', "the document: the field 'events' is missing"),
    ('{"version": 1, "events": {}}', "events must be a list, not {}"),
    (
        '{"version": 1, "version": 1, "events": []}',
        "the document: the field 'version' stands twice",
    ),
    ('{"version": 1, "events": [], "author": "x"}', "there is no field 'author' in the document"),
    (document(laplace(), "laplace"), "event 2 must be an object .*, not 'laplace'"),
    (document([]), r"event 1 must be an object .*, not \[\]"),
    (document({"scale": "10"}), "event 1 must be an object that says which event it is"),
    (document({"event": 3}), "event 1 must be an object that says which event it is"),
    (document({"event": "laplas"}), "no event 'laplas' in event 1; did you mean 'laplace'"),
    (document({"event": "x" * 5000}), "there is no event 'xxx"),
    (
        document(laplace(), laplace(), laplace(scal="3")),
        r"no field 'scal' in event 3 \(laplace\); did you mean 'scale'",
    ),
    (document(laplace(**{"y" * 5000: 1})), "there is no field 'yyy"),
    (document(laplace(of=laplace())), r"there is no field 'of' in event 1 \(laplace\)"),
    (document({"event": "laplace", "scale": "1"}), r"event 1 \(laplace\): the field 'sensitivity'"),
    (
        document({"event": "repeated", "count": 3}),
        r"event 1 \(repeated\): the field 'of' is missing",
    ),
    (TWICE, r"event 1 \(pure\): the field 'epsilon' stands twice; write it once"),
    (NAN % "NaN", "a number must be finite, not NaN"),
    (NAN % "-Infinity", "a number must be finite, not -Infinity"),
    (NAN % "1e400000000", r"event 1 \(pure\): epsilon has too great an exponent"),
    (NAN % "1e400000", r"event 1 \(pure\): epsilon has more than 1,000 digits"),
    (NAN % ("9" * 5000), "a number has more than 1,000 digits"),
    (NAN % '"nan"', r"event 1 \(pure\): epsilon must"),
    (NAN % '{"1": 1, "1": 2}', r"event 1 \(pure\): epsilon must"),
    (document(laplace(scale=-1)), r"event 1 \(laplace\): scale must"),
    (document(laplace(scale=None)), r"event 1 \(laplace\): scale must"),
    (document(laplace(scale=True)), r"event 1 \(laplace\): scale must"),
    (document(laplace(scale=["1"])), r"event 1 \(laplace\): scale must"),
    (document(laplace(count=0)), r"event 1 \(laplace\): count must"),
    (document(laplace(count="3")), r"event 1 \(laplace\): count must"),
    (document(laplace(count=2.0)), r"event 1 \(laplace\): count must"),
    (document({"event": "renyi", "curve": {"2": 1}}), r"event 1 \(renyi\): curve must be"),
    (document({"event": "renyi", "curve": [["1", "2"]]}), "the Rényi order 1 is the Kullback"),
    (document({"event": "renyi", "curve": [["-1", "2"]]}), "a Rényi order must"),
    (document({"event": "composed", "of": []}), r"event 1 \(composed\): Composed needs at least"),
    (document({"event": "composed", "of": laplace()}), r"event 1 \(composed\): of must be a list"),
    (
        document({"event": "composed", "of": [laplace(), laplace(scale="0")]}),
        r"event 1.2 \(laplace\): scale must",
    ),
    (
        document({"event": "repeated", "count": 3, "of": [laplace()]}),
        "event 1.1 must be an object that says which event it is",
    ),
    (
        document({"event": "subsampled", "rate": "0.1", "of": laplace(count=3)}),
        r"event 1 \(subsampled\): Subsampled takes a single step, not Repeated",
    ),
]


@cases(("text", "message"), REFUSED)
def test_a_wrong_document_gets_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: from_json(b"{}"), "a document must be text, not b'{}'"),  # type: ignore[arg-type]
        (lambda: from_json(None), "a document must be text, not None"),  # type: ignore[arg-type]
        (lambda: to_json("laplace"), "to_json takes events, not 'laplace'"),  # type: ignore[arg-type]
        (lambda: to_json([Laplace(scale=1)]), r"write to_json\(\*events\)"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_text_or_no_event_gets_one_sentence(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_an_unknown_event_names_the_known_ones() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'gaussian'", kind=UnknownNameError):
        from_json(document({"event": "Gausian"}))


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["event", "scale", "of", "count", "curve"]), inner)
        ),
        max_leaves=8,
    )
)
def test_whatever_is_in_a_document_is_read_or_refused(value: Any) -> None:
    for entry in (value, laplace(scale=value), {"event": "composed", "of": value}):
        try:
            read = from_json(document(entry))
        except InputError:
            continue
        assert from_json(to_json(*read)) == read


def test_reading_many_events_stays_linear() -> None:
    """A document of many fields with one twice at the end is refused at once."""
    fields = ", ".join(f'"f{each}": 1' for each in range(200_000))
    with raises_code("E-DOCUMENT-FORM", match="stands twice"):
        from_json(f'{{"version": 1, "events": [], {fields}, "f199999": 2}}')
