"""Every method of accounting side by side: figures, soundness, and how it is shown."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import Composition, Substitute, compose, events, theorems
from sfumato.privacy.accounting.explanation import Explanation, MethodAnswer
from tests.cases import cases

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon

OWN = "loss distribution"
OPTIMAL = "optimal composition"
TIGHT = "advanced composition, tight"
ADVANCED = "advanced composition"
BASIC = "basic composition"
CHOICES = "bounded range, non-adaptive"
RENYI = "Rényi, improved"
CLASSICAL_RENYI = "Rényi, classical"
CONCENTRATED = "zero-concentrated, improved"
SIMPLE_CONCENTRATED = "zero-concentrated, simple"
EVERY = {OWN, OPTIMAL, TIGHT, ADVANCED, BASIC, CHOICES, RENYI, CLASSICAL_RENYI}
EVERY |= {CONCENTRATED, SIMPLE_CONCENTRATED}


def rows(explanation: Explanation) -> dict[str, MethodAnswer]:
    return {row.method: row for row in explanation.rows}


def values(explanation: Explanation) -> dict[str, float]:
    return {row.method: row.value for row in explanation.rows if row.value is not None}


class TestFigures:
    """Values from the literature and from careful computing elsewhere."""

    def test_a_thousand_laplace_answers(self) -> None:
        found = values(compose(events.Laplace(scale=10), count=1000).explain(delta=1e-6))
        assert found[OWN] == pytest.approx(18.9502873675395582, abs=1e-9)
        assert found[OPTIMAL] == pytest.approx(19.344671447993, abs=1e-11)
        assert found[TIGHT] == pytest.approx(21.6184, abs=1e-4)
        assert found[ADVANCED] == pytest.approx(27.1397, abs=1e-4)
        assert found[CONCENTRATED] == pytest.approx(20.5519, abs=1e-4)
        assert found[SIMPLE_CONCENTRATED] == pytest.approx(21.6226, abs=1e-4)
        assert found[BASIC] == 100

    @pytest.mark.parametrize(
        ("sigma", "classical", "improved", "exact"),
        [
            (0.5, 11.59705182, 10.72482411, 9.997256146434),
            (1, 5.29852591, 4.72838698, 4.377178095681),
            (2, 2.52426296, 2.16571555, 1.993091404415),
            (4, 1.23088148, 1.01228664, 0.926341503998),
            (10, 0.48485259, 0.37526124, 0.340669364684),
        ],
    )
    def test_gaussian_noise(
        self, sigma: float, classical: float, improved: float, exact: float
    ) -> None:
        """For Gaussian noise a ρ says as much as all Rényi divergences."""
        found = values(compose(events.Gaussian(sigma=sigma)).explain(delta=1e-5))
        assert found[OWN] == pytest.approx(exact, abs=1e-11)
        assert found[RENYI] == pytest.approx(improved, abs=1e-7)
        assert found[CONCENTRATED] == pytest.approx(improved, abs=1e-7)
        assert found[CLASSICAL_RENYI] == pytest.approx(classical, abs=1e-7)
        assert found[SIMPLE_CONCENTRATED] == pytest.approx(classical, abs=1e-7)

    @pytest.mark.parametrize(
        ("rate", "sigma", "count", "classical", "improved", "exact"),
        [
            ("0.01", 4, 10_000, 1.258378, 1.035385, 0.9468668007643804),
            ("256/60000", 1.1, 14_062, 3.008272, 2.596556, 2.381596921424397),
        ],
    )
    def test_training_on_samples(
        self, rate: str, sigma: float, count: int, classical: float, improved: float, exact: float
    ) -> None:
        """The figures are for orders in steps of 0.1; the best real order gives a little less."""
        noise = events.Subsampled(events.Gaussian(sigma=sigma), rate=rate)
        found = values(compose(noise, count=count).explain(delta=1e-5))
        assert set(found) == {OWN, RENYI, CLASSICAL_RENYI}
        assert found[OWN] == pytest.approx(exact, abs=1e-9)
        assert improved - 2e-5 < found[RENYI] <= improved
        assert classical - 2e-5 < found[CLASSICAL_RENYI] <= classical

    def test_different_guarantees(self) -> None:
        steps = [events.Pure(epsilon=Fraction(level, 20)) for level in range(1, 13)]
        found = values(compose(*steps).explain(delta=1e-6))
        assert found[OPTIMAL] == pytest.approx(3.8992871242966, abs=1e-12)
        assert found[BASIC] == pytest.approx(3.9, abs=1e-14)

    def test_choices_fixed_in_advance(self) -> None:
        found = rows(compose(events.Exponential(epsilon=0.1), count=50).explain(delta=1e-6))
        assert found[CHOICES].value == pytest.approx(1.53374035292, abs=1e-11)
        assert "fixed in advance" in found[CHOICES].reason
        assert found[OPTIMAL].value == pytest.approx(3.17290273402, abs=1e-10)


class TestAgreement:
    """The rows are the theorems, with counts in place of lists."""

    LEVELS: tuple[Epsilon, ...] = (Fraction(1, 10), Fraction(1, 2), Ln(2), Fraction(1, 10))
    DELTAS = (Fraction(0), Fraction(1, 10**7), Fraction(0), Fraction(1, 10**8))

    def composition(self) -> Composition:
        pairs = zip(self.LEVELS, self.DELTAS, strict=True)
        return compose(*(events.Approximate(epsilon=e, delta=d) for e, d in pairs), count=3)

    def test_epsilons_are_those_of_the_theorems(self) -> None:
        delta, spent = Fraction(1, 10**6), 3 * sum(self.DELTAS)
        steps: Any = {"epsilon": self.LEVELS, "delta": self.DELTAS, "count": 3}
        found = values(self.composition().explain(delta=delta))
        slack = delta - spent
        assert found[BASIC] == theorems.basic_composition(**steps).epsilon
        assert found[ADVANCED] == theorems.advanced_composition(**steps, slack=slack).epsilon
        assert found[TIGHT] == theorems.tight_advanced_composition(**steps, slack=slack).epsilon
        optimal = theorems.optimal_epsilon(**steps, total_delta=delta)
        assert found[OPTIMAL] == pytest.approx(optimal.upper, rel=1e-12)

    def test_what_many_different_steps_cost_does_not_depend_on_the_way_of_summing(self) -> None:
        """Of many outcomes the accountant finds the optimum, of few the theorem's own sum."""
        steps = [events.Pure(epsilon=0.5), events.Pure(epsilon=0.25)]
        many = values(compose(*steps, count=200).explain(delta=1e-6))[OPTIMAL]
        listed = theorems.optimal_epsilon(epsilon=[0.5, 0.25], count=200, total_delta=1e-6)
        assert many == pytest.approx(listed.upper, rel=1e-9)

    def test_a_sum_of_thousands_of_guarantees(self) -> None:
        """Above a thousand kinds the sum is rounded up, by next to nothing."""
        steps = [events.Laplace(scale=Fraction(level, 7)) for level in range(1500, 2501)]
        known = compose(*steps)
        total = sum(Fraction(7, level) for level in range(1500, 2501))
        found = values(known.explain(delta=0))
        assert total <= Fraction(found[BASIC]) <= total * (1 + Fraction(1, 10**15))
        assert values(known.explain(epsilon=found[BASIC] * (1 + 1e-9)))[BASIC] == 0


class TestKept:
    """What a method keeps of each kind of step."""

    @pytest.mark.parametrize(
        ("event", "rho"),
        [
            (events.Gaussian(sigma=4, sensitivity=2), 1 / 8),
            (events.DiscreteGaussian(sigma=4, sensitivity=2), 1 / 8),
            (events.Exponential(epsilon=2), 1 / 2),
            (events.PermuteAndFlip(epsilon=2), 2),
            (events.Laplace(scale=1, sensitivity=2), 2),
            (events.ZeroConcentrated(rho=0.3), 0.3),
            (events.Approximate(epsilon=2, delta=0), 2),
            (events.SparseVector(threshold_epsilon=1, answers_epsilon=1), 2),
        ],
        ids=repr,
    )
    def test_rho(self, event: events.Event, rho: float) -> None:
        found = values(compose(event, count=3).explain(delta=1e-6))
        wanted = theorems.zcdp_to_epsilon(rho=3 * rho, delta=1e-6)
        assert found[CONCENTRATED] == pytest.approx(wanted, rel=1e-12)

    @pytest.mark.parametrize(
        ("event", "epsilon"),
        [
            (events.Laplace(scale=4, sensitivity=2), 0.5),
            (events.DiscreteLaplace(scale=4, sensitivity=2), 0.5),
            (events.Exponential(epsilon=2), 2),
            (events.RandomizedResponse(epsilon=Ln(3), categories=5), math.log(3)),
            (events.SparseVector(threshold_epsilon=Ln(2), answers_epsilon=1), 1 + math.log(2)),
            (
                events.Subsampled(events.Laplace(scale=1), rate=0.1),
                math.log1p(0.1 * math.expm1(1)),
            ),
            (events.Parallel(events.Laplace(scale=4), events.Laplace(scale=2)), 0.5),
        ],
        ids=repr,
    )
    def test_labels(self, event: events.Event, epsilon: float) -> None:
        found = values(compose(event, count=3).explain(delta=0))
        assert found[BASIC] == pytest.approx(3 * epsilon, rel=1e-14)


STEPS: st.SearchStrategy[events.Event] = st.one_of(
    st.builds(events.Laplace, scale=st.sampled_from(["0.7", "2", "10"])),
    st.builds(events.Gaussian, sigma=st.sampled_from(["0.9", "3", "20"])),
    st.builds(events.DiscreteLaplace, scale=st.sampled_from([1, 5])),
    st.builds(events.RandomizedResponse, epsilon=st.sampled_from([Ln(2), "0.3"])),
    st.builds(events.Exponential, epsilon=st.sampled_from(["0.1", "1"])),
    st.builds(events.PermuteAndFlip, epsilon=st.sampled_from(["0.1", "1"])),
    st.builds(events.Approximate, epsilon=st.just("0.2"), delta=st.sampled_from([0, "1e-7"])),
    st.builds(events.ZeroConcentrated, rho=st.sampled_from(["0.001", "0.1"])),
    st.builds(events.Renyi, st.just({2: "0.1", 8: "0.5", 32: "3"})),
)
COUNTS = st.sampled_from([1, 2, 10, 40])
REPEATED = st.builds(lambda event, count: events.Repeated(event, count=count), STEPS, COUNTS)
SAMPLED = st.sampled_from(
    [
        events.Repeated(events.DiscreteGaussian(sigma=3), count=20),
        events.Repeated(events.Subsampled(events.Gaussian(sigma=2), rate="0.1"), count=100),
        events.Repeated(events.Subsampled(events.Pure(epsilon=1), rate="0.1"), count=40),
    ]
)
COMPOSITIONS = st.one_of(
    st.lists(REPEATED, min_size=1, max_size=2).map(lambda steps: compose(*steps)),
    SAMPLED.map(compose),
)


class TestSoundness:
    """No method may claim less than what is certainly needed (rows M-COMP-1, M-DIV-6, M-RDP-1)."""

    @pytest.mark.full
    @settings(max_examples=20)
    @given(COMPOSITIONS, st.sampled_from([1e-9, 1e-6, 1e-3]))
    def test_no_epsilon_is_below_the_lower_bound(self, known: Composition, delta: float) -> None:
        explanation = known.explain(delta=delta)
        lower = rows(explanation)[OWN].lower
        assert lower is None or all(value >= lower for value in values(explanation).values())
        assert values(explanation).get(OWN, math.inf) == known.epsilon(delta=delta)

    @pytest.mark.full
    @settings(max_examples=20)
    @given(COMPOSITIONS, st.sampled_from([1e-9, 1e-6, 1e-3]))
    def test_no_delta_is_below_the_lower_bound(self, known: Composition, delta: float) -> None:
        epsilon = 0.9 * min(known.bounds(delta=delta).lower, 1e3)
        explanation = known.explain(epsilon=epsilon)
        lower = rows(explanation)[OWN].lower
        assert lower is None or all(value >= lower for value in values(explanation).values())

    def test_wrong_formulas_would_be_seen(self) -> None:
        """The twin: each of these mistakes claims less than the lower bound."""
        known = compose(events.Laplace(scale=10), count=1000)
        lower = rows(known.explain(delta=1e-6))[OWN].lower
        assert lower is not None
        choices_rho = theorems.zcdp_to_epsilon(rho=Fraction(1000, 800), delta=1e-6)
        no_root_of_two = 0.1 * math.sqrt(1000 * math.log(1e6)) + 100 * math.tanh(0.05)
        half_the_steps = theorems.optimal_epsilon(epsilon=0.1, count=500, total_delta=1e-6).upper
        assert max(choices_rho, no_root_of_two, half_the_steps) < lower

    @pytest.mark.full
    @pytest.mark.parametrize("method", sorted(EVERY - {OWN, CHOICES}))
    def test_delta_undoes_epsilon(self, method: str) -> None:
        known = compose(events.Laplace(scale=5), count=200)
        epsilon = values(known.explain(delta=1e-6))[method]
        delta = values(known.explain(epsilon=epsilon * (1 + 1e-9)))[method]
        assert delta == 0 if method == BASIC else 0.99e-6 < delta <= 1e-6

    def test_delta_undoes_epsilon_for_choices(self) -> None:
        known = compose(events.Exponential(epsilon=0.2), count=20)
        for method in (CHOICES, CONCENTRATED):
            epsilon = values(known.explain(delta=1e-6))[method]
            delta = values(known.explain(epsilon=epsilon * (1 + 1e-9)))[method]
            assert 0.99e-6 < delta <= 1e-6

    def test_adaptive_choices_cost_at_least_as_much_as_fixed_ones(self) -> None:
        """The distribution assumed for choices is worse than any of them."""
        found = rows(compose(events.Exponential(epsilon=1), count=10).explain(delta=1e-6))
        fixed = found.pop(CHOICES).value
        assert fixed is not None
        assert all(row.value is not None and row.value >= fixed for row in found.values())
        assert (found[OWN].lower or 0.0) <= fixed

    def test_basic_composition_holds_exactly_at_the_sum(self) -> None:
        known = compose(events.RandomizedResponse(epsilon=Ln(2)), count=3)
        assert values(known.explain(epsilon=Ln(8)))[BASIC] == 0
        assert BASIC not in values(known.explain(epsilon="2.07"))

    def test_every_order_of_a_label_is_used(self) -> None:
        known = compose(events.Renyi({"3.3": "0.01"}))
        wanted = theorems.renyi_to_epsilon(order="3.3", renyi="0.01", delta=1e-6)
        assert values(known.explain(delta=1e-6))[RENYI] == pytest.approx(wanted, rel=1e-6)


class TestRows:
    """What is said of each method, and in which order."""

    @settings(max_examples=10)
    @given(COMPOSITIONS)
    def test_every_method_is_there_from_the_best_to_the_worst(self, known: Composition) -> None:
        explanation = known.explain(delta=1e-6)
        assert {row.method for row in explanation.rows} == EVERY
        found = [math.inf if row.value is None else row.value for row in explanation.rows]
        assert found == sorted(found)
        assert all(row.applies == (row.value is not None) for row in explanation.rows)
        assert all(row.reason and row.citation for row in explanation.rows)

    def test_every_theorem_is_in_the_bibliography(self) -> None:
        entries = (Path(__file__).parents[2] / "docs" / "references.bib").read_text("utf-8")
        found = compose(events.Laplace(scale=10)).explain(delta=1e-6)
        assert all(f"{{{row.citation},\n" in entries for row in found.rows)

    @pytest.mark.parametrize(
        ("event", "method", "reason"),
        [
            (events.Gaussian(sigma=1), BASIC, "Gaussian steps have no pure ε"),
            (
                events.Subsampled(events.Gaussian(sigma=1), rate=0.1),
                CONCENTRATED,
                "Subsampled Gaussian steps have no ρ",
            ),
            (events.Approximate(epsilon=1, delta=1e-9), RENYI, "no Rényi bound"),
            (events.Approximate(epsilon=1, delta=1e-9), CONCENTRATED, "no ρ"),
            (events.Laplace(scale=1), CHOICES, "only for Exponential steps with one ε"),
            (events.Repeated(events.Exponential(epsilon=1), count=301), CHOICES, "at most 300"),
        ],
    )
    def test_why_a_method_does_not_apply(
        self, event: events.Event, method: str, reason: str
    ) -> None:
        row = rows(compose(event).explain(delta=1e-6))[method]
        assert not row.applies
        assert reason in row.reason

    def test_methods_that_say_nothing_at_a_level(self) -> None:
        found = rows(compose(events.Laplace(scale=10), count=3).explain(delta=0))
        assert found[BASIC].value == found[OWN].value
        assert found[OPTIMAL].value == pytest.approx(0.3, abs=1e-15)
        assert found[RENYI].reason == "says nothing at δ = 0"
        assert (
            "ε = 0.1" in rows(compose(events.Laplace(scale=1)).explain(epsilon=0.1))[BASIC].reason
        )

    @pytest.mark.parametrize(
        ("event", "reason"),
        [
            (events.Laplace(scale=1), "closed form of a single step"),
            (
                events.Repeated(events.Laplace(scale=1), count=2),
                "characteristic function of the loss",
            ),
            (events.ZeroConcentrated(rho=0.1), "all that the labels say"),
            (events.Exponential(epsilon=1), "closed form of a single step"),
            (events.Repeated(events.Exponential(epsilon=1), count=2), "worse than that of any"),
        ],
    )
    def test_how_the_accountant_knows(self, event: events.Event, reason: str) -> None:
        assert reason in rows(compose(event).explain(delta=1e-6))[OWN].reason

    def test_steps_of_a_group(self) -> None:
        """Row M-GROUP-1: a group of two sees twice the sensitivity."""
        pair = compose(events.Gaussian(sigma=4), count=10).group(2)
        assert isinstance(pair, Composition)
        doubled = compose(events.Gaussian(sigma=2), count=10).explain(delta=1e-6)
        assert values(pair.explain(delta=1e-6)) == pytest.approx(values(doubled))


class TestShowing:
    """Text, HTML and JSON."""

    def explanation(self) -> Explanation:
        return compose(events.Laplace(scale=10), count=1000).explain(delta=1e-6)

    def test_the_table_is_aligned(self) -> None:
        title, *table = str(self.explanation()).splitlines()
        assert title == (
            "ε at δ = 1e-06: 1,000 steps of Laplace noise of scale 10 on sensitivity 1 "
            "(add or remove one row)"
        )
        width = max(len(row.method) for row in self.explanation().rows)
        assert {line[width : width + 2] for line in table} == {"  "}
        assert len({len(line[: width + 10].rstrip()) for line in table}) == 1
        assert max(map(len, table)) <= 100

    def test_printed_figures_hold(self) -> None:
        explanation = self.explanation()
        for row, line in zip(explanation.rows, explanation.lines()[1:], strict=True):
            printed = line.removeprefix(row.method).split()[0]
            assert row.value is None or 0 <= float(printed) - row.value < 1e-5 * row.value
        lower = float(explanation.lines()[1].rsplit(maxsplit=1)[-1])
        assert explanation.rows[0].lower is not None
        assert lower <= explanation.rows[0].lower

    def test_it_shows_itself_at_a_prompt(self) -> None:
        assert repr(self.explanation()) == str(self.explanation())

    def test_a_delta_of_nothing(self) -> None:
        line = compose(events.Laplace(scale=1)).explain(epsilon=2).lines()[1]
        assert line.removeprefix(OWN).split()[0] == "0"

    def test_the_relation_is_named(self) -> None:
        known = compose(events.Laplace(scale=10), relation=Substitute())
        assert known.explain(delta=1e-6).title.endswith("(substitute one row)")

    def test_html_is_escaped(self) -> None:
        html = Explanation(
            "<b>", "delta", Ln(2), (MethodAnswer("<i>", None, "a & b", "key"),)
        )._repr_html_()
        assert "<b>" not in html
        assert "<i>" not in html
        assert "a &amp; b" in html
        assert html.count("<tr>") == 2
        assert "δ at ε = ln(2)" in html

    def test_json(self) -> None:
        explanation = compose(events.Gaussian(sigma=3)).explain(delta=0)
        assert not explanation.rows[0].applies
        again = json.loads(json.dumps(explanation.as_dict(), allow_nan=False))
        assert again == explanation.as_dict()
        assert again["wanted"] == "epsilon"
        assert again["at"] == "0"
        assert set(again["rows"][0]) == {
            *("method", "value", "reason", "citation", "lower", "applies")
        }

    def test_it_cannot_be_changed(self) -> None:
        explanation: Any = self.explanation()
        with pytest.raises(FrozenInstanceError):
            explanation.rows = ()
        with pytest.raises(FrozenInstanceError):
            explanation.rows[0].value = 0.0


@cases(
    "arguments",
    [
        *({}, {"delta": 1e-6, "epsilon": 1}),
        *({"delta": each} for each in (1, -1e-9, math.nan, math.inf, True, "a", 10**400, [1e-6])),
        *({"epsilon": each} for each in (-1, math.nan, math.inf, False, "b", ...)),
    ],
)
def test_bad_questions_are_refused_in_one_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        sf.compose(events.Laplace(scale=1)).explain(**arguments)
    assert "\n" not in str(raised.value)
