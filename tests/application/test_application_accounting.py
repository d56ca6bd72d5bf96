"""The verbs about guarantees: figures from documents equal figures from the privacy room."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.application.accounting import account_events, calibrate_noise, read_events
from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import events
from tests.refusing import raises_code

EXAMPLE = Path(__file__).parents[2] / "examples" / "events.json"
LAPLACE = events.Laplace(scale=10)
SAMPLED = events.Subsampled(events.Gaussian(sigma=4), rate="0.01")
DRAWN = events.FixedSizeSubsampled(LAPLACE, size=1, population=100)


def document(*done: events.Event) -> io.StringIO:
    return io.StringIO(events.to_json(*done))


class TestAccounting:
    def test_epsilon_is_that_of_the_composition(self) -> None:
        report = account_events(EXAMPLE, delta=1e-6)
        together = sf.compose(*events.from_json(EXAMPLE.read_text(encoding="utf-8")))
        assert report.guarantee == together
        assert report.bounds == together.bounds(delta=1e-6)
        assert (report.wanted, report.epsilon, report.delta) == (
            "epsilon",
            together.epsilon(delta=1e-6),
            1e-6,
        )

    def test_delta_is_that_of_the_composition(self) -> None:
        report = account_events(document(LAPLACE), epsilon="0.05")
        assert (report.wanted, report.epsilon) == ("delta", 0.05)
        assert report.delta == sf.compose(LAPLACE).delta(epsilon="0.05")

    @pytest.mark.parametrize("source", [str(EXAMPLE), EXAMPLE, "stream"])
    def test_paths_and_streams(self, source: Any) -> None:
        opened = EXAMPLE.open(encoding="utf-8") if source == "stream" else source
        assert len(read_events(opened)) == 3
        if source == "stream":
            opened.close()

    def test_the_answer_comes_first_and_is_rounded_up(self) -> None:
        report = account_events(document(events.Repeated(LAPLACE, count=1000)), delta=1e-6)
        assert report.lines()[:4] == [
            "ε = 18.95029 at δ = 1e-06 (add or remove one row)",
            "proved: the least ε is between 18.9502873675 and 18.9502873676",
            "1,000 steps:",
            "  1,000 × Laplace noise of scale 10 on sensitivity 1",
        ]

    def test_equal_steps_are_said_once(self) -> None:
        gaussian = events.Gaussian(sigma=4)
        lines = account_events(document(LAPLACE, gaussian, LAPLACE), delta=1e-6).lines()
        assert lines[2:5] == [
            "3 steps:",
            "  2 × Laplace noise of scale 10 on sensitivity 1",
            "  1 × Gaussian noise of sigma 4 on sensitivity 1",
        ]

    def test_a_long_list_is_cut(self) -> None:
        many = [events.Gaussian(sigma=sigma) for sigma in range(100, 120)]
        lines = account_events(document(*many), delta=0.1).lines()
        assert lines[2] == "20 steps:"
        assert lines[-5] == "  and 8 other kinds"

    def test_an_exact_answer_is_said_to_be_one(self) -> None:
        lines = account_events(document(events.Repeated(LAPLACE, count=10)), delta=0).lines()
        assert lines[:2] == [
            "ε = 1 at δ = 0 (add or remove one row)",
            "proved: the least ε is 1",
        ]

    def test_what_a_test_can_find_is_far_less_than_epsilon_alone_says(self) -> None:
        """The rest of the profile counts: e^ε times the false alarms would be 9.9 %."""
        found = account_events(EXAMPLE, delta=1e-6).meaning
        assert found is not None
        alone = sf.privacy.best_true_positive_rate(
            epsilon=found.guarantee.epsilon(delta=1e-6), delta=1e-6, false_positive_rate=0.01
        )
        exact = sf.compose(*read_events(EXAMPLE)).delta(epsilon=0)
        assert found.true_positive_rate < alone / 2
        assert found.advantage == pytest.approx(exact, rel=1e-12)

    def test_no_epsilon_at_all(self) -> None:
        report = account_events(document(SAMPLED), delta=0)
        assert report.epsilon == math.inf
        assert report.meaning is None
        assert report.lines()[:2] == [
            "no ε holds at δ = 0 (add or remove one row)",
            "ask at a greater δ, such as 1e-6",
        ]
        assert json.loads(json.dumps(report.as_dict(), allow_nan=False))["epsilon"] == "Infinity"

    def test_no_delta_at_all(self) -> None:
        report = account_events(document(events.Renyi({2: 10**6})), epsilon=1)
        assert report.lines()[:2] == [
            "no δ below 1 holds at ε = 1 (add or remove one row)",
            "ask at a greater ε",
        ]

    def test_a_logarithm(self) -> None:
        report = account_events(document(events.Pure(epsilon=Ln(3))), epsilon=Ln(3))
        assert report.delta < 1e-12
        assert report.lines()[0].endswith(" at ε = 1.0986122886681098 (add or remove one row)")

    def test_the_explanation_is_there_when_asked_for(self) -> None:
        report = account_events(document(LAPLACE), delta=1e-6, explain=True)
        assert report.explanation is not None
        assert report.lines()[-len(report.explanation.lines()) :] == report.explanation.lines()
        assert report.as_dict()["explanation"]["rows"][0]["method"] == "loss distribution"
        assert account_events(document(LAPLACE), delta=1e-6).as_dict()["explanation"] is None

    def test_as_json(self) -> None:
        found = json.loads(json.dumps(account_events(EXAMPLE, delta=1e-6).as_dict()))
        assert found["bounds"][0] <= found["bounds"][1] == found["epsilon"]
        assert [each["count"] for each in found["steps"]] == [20, 5, 1000]
        assert found["meaning"]["prior"] == 0.5

    def test_in_a_notebook(self) -> None:
        shown = account_events(document(LAPLACE), delta=0)._repr_html_()
        assert shown.startswith("<strong>ε&nbsp;=&nbsp;0.1&nbsp;at&nbsp;δ&nbsp;=&nbsp;0")


class TestRelations:
    @pytest.mark.parametrize(
        ("done", "named", "expected"),
        [
            (LAPLACE, None, sf.privacy.AddRemove()),
            (LAPLACE, "substitute", sf.privacy.Substitute()),
            (
                LAPLACE,
                sf.privacy.Substitute(unit=sf.privacy.Person()),
                sf.privacy.Substitute(unit=sf.privacy.Person()),
            ),
            (SAMPLED, "add-remove", sf.privacy.AddRemove()),
            (DRAWN, None, sf.privacy.Substitute()),
        ],
    )
    def test_named_or_the_one_that_suits(self, done: Any, named: Any, expected: Any) -> None:
        assert (
            account_events(document(done), delta=0.1, relation=named).guarantee.relation == expected
        )

    @pytest.mark.parametrize(
        ("done", "named", "sentence"),
        [
            ([SAMPLED], "substitute", "no meaning for the relation substitute; name add-remove"),
            ([DRAWN], "add-remove", "no meaning for the relation add-remove; name substitute"),
            ([SAMPLED, DRAWN], None, "the event mixes"),
            ([SAMPLED, DRAWN], "substitute", "the event mixes"),
            ([LAPLACE], "swap", "'swap'"),
        ],
    )
    def test_one_that_does_not_suit(self, done: Any, named: Any, sentence: str) -> None:
        with pytest.raises(InputError, match=sentence):
            account_events(document(*done), delta=0.1, relation=named)


class TestDocuments:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("", "is not JSON"),
            ("[1]", "does not say its version"),
            ('{"version": 3, "events": []}', "this document is of version 3"),
            ('{"version": 1, "events": []}', "lists no events"),
            ('{"version": 1, "events": [{"event": "lapace"}]}', "did you mean 'laplace'"),
            (
                '{"version": 1, "events": [{"event": "pure", "epsilon": -1}]}',
                r"event 1 \(pure\): epsilon must",
            ),
        ],
    )
    def test_what_is_wrong_is_said_with_the_name(
        self, tmp_path: Path, text: str, sentence: str
    ) -> None:
        path = tmp_path / "done.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=sentence) as refused:
            account_events(path, delta=0)
        assert str(refused.value).startswith(f"'{path}'")
        with pytest.raises(InputError, match=r"^the document"):
            account_events(io.StringIO(text), delta=0)

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("nothing.json", "there is no file"),
            (".", "is a folder; name one file in it"),
            ("a\0b", "cannot be the name of a file"),
            ("a" * 5000, r"cannot be read \(File name too long\)"),
            ("latin.json", "UTF-8"),
        ],
    )
    def test_what_is_no_file(self, tmp_path: Path, name: str, sentence: str) -> None:
        (tmp_path / "latin.json").write_bytes(b'{"version": 1, "events": ["\xe9"]}')
        with pytest.raises(InputError, match=sentence):
            account_events(f"{tmp_path}/{name}", delta=0)

    @pytest.mark.parametrize("source", [None, 3, b"events.json", ["events.json"]])
    def test_what_is_neither_path_nor_stream(self, source: Any) -> None:
        with raises_code("E-ARGUMENT-TYPE", match="from a path or an open text file"):
            account_events(source, delta=0)

    def test_a_mark_of_the_byte_order_is_no_obstacle(self, tmp_path: Path) -> None:
        path = tmp_path / "marked.json"
        path.write_text(events.to_json(LAPLACE), encoding="utf-8-sig")
        assert read_events(path) == (LAPLACE,)

    @pytest.mark.parametrize("given", [{}, {"delta": 0, "epsilon": 1}])
    def test_exactly_one_question(self, given: dict[str, Any]) -> None:
        with raises_code("E-ARGUMENT-CONFLICT", match="give a delta at which to find epsilon, or"):
            account_events(EXAMPLE, **given)


class TestCalibrating:
    def test_the_noise_and_what_it_means(self) -> None:
        report = calibrate_noise("gaussian", epsilon=1, delta=1e-6)
        assert report.calibration == sf.calibrate("gaussian", epsilon=1, delta=1e-6)
        assert report.lines() == [
            "use Gaussian noise of sigma 4.22467888933 on sensitivity 1",
            "it keeps (1, 1e-06)-DP (add or remove one row), spending all of it",
            (
                "but for δ, someone who thought it 50 % likely that a given row is in the data "
                "can become at most 73.2 % sure of it, and at least 26.8 %"
            ),
            (
                "δ = 1e-06 bounds how far the probability of any set of outputs may exceed what "
                "ε allows; it is not the probability that an output tells more"
            ),
            "a test with 1 % false positives finds at most 1.9 % of the cases it looks for",
            "a guess at even odds is right at most 54.8 % of the time",
        ]

    def test_the_document_accounts_to_the_same(self) -> None:
        found = calibrate_noise("laplace", epsilon=1, delta=1e-6, count=10, sensitivity=2).as_dict()
        again = account_events(io.StringIO(json.dumps(found["document"])), delta=1e-6)
        assert again.epsilon == found["spent"] <= found["epsilon"] == 1

    def test_numbers_for_programs(self) -> None:
        noise = calibrate_noise("gaussian", epsilon=1, delta=1e-6).as_dict()
        assert (noise["parameter"], noise["value"], noise["delta"]) == (
            "sigma",
            4.22467888933,
            1e-6,
        )
        choice = calibrate_noise("randomized-response", epsilon=Ln(2)).as_dict()
        assert (choice["parameter"], choice["count"]) == ("epsilon", 1)
        assert choice["value"] <= Ln(2)

    def test_a_relation_by_name(self) -> None:
        report = calibrate_noise("laplace", epsilon=1, relation="substitute")
        assert report.as_dict()["relation"] == "substitute one row"
        with raises_code("E-NAME-UNKNOWN", match="there is no relation 'both'"):
            calibrate_noise("laplace", epsilon=1, relation="both")
