"""The least noise for a guarantee: figures, safety, tightness, and what is refused."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError, RefusedError
from sfumato.numeric import Ln
from sfumato.privacy import Calibration, calibrate, compose, events, theorems
from sfumato.privacy.calibration.kinds import is_short, short_above, short_below
from sfumato.privacy.calibration.result import CalibrationTrial
from sfumato.privacy.calibration.search import first_kept, least_noise
from tests.refusing import raises_code

NOISE = ["laplace", "discrete_laplace", "gaussian", "discrete_gaussian"]
CHOICES = ["randomized_response", "exponential", "permute_and_flip"]
PURE = ["laplace", "discrete_laplace", *CHOICES]

#: The least σ for sensitivity 1, computed elsewhere to 60 digits.
ANALYTIC = {
    0.1: (30.749566131977, 36.304690426196, 50.209818263015),
    0.5: (7.0318266755825, 8.057618480725, 10.67389681508),
    1: (3.7306316348159, 4.2246788893268, 5.4952661572383),
    2: (1.9938124456435, 2.2304762711864, 2.8445470734957),
    5: (0.89186826495152, 0.98004900030921, 1.2117124661346),
    10: (0.49988861970901, 0.54108683181837, 0.65024691895866),
}
TABLE = [
    (epsilon, delta, sigma)
    for epsilon, row in ANALYTIC.items()
    for delta, sigma in zip((1e-5, 1e-6, 1e-9), row, strict=True)
]


def noise(found: Calibration) -> Fraction:
    """The amount that costs less the more there is of it."""
    exact = Fraction(float(found.value)) if isinstance(found.value, Ln) else found.value
    return 1 / exact if found.parameter == "epsilon" else exact


def with_noise(found: Calibration, amount: Fraction) -> Calibration:
    """The same steps with another amount of noise, as if it had been found."""
    value = 1 / amount if found.parameter == "epsilon" else amount
    sampled = isinstance(found.event, events.Subsampled)
    alone = found.event.inner[0] if sampled else found.event
    changed: Any = {**alone.parameters, found.parameter: value}
    build: Any = type(alone)
    event = build(**changed)
    if isinstance(found.event, events.Subsampled):
        event = events.Subsampled(event, rate=found.event.rate)
    guarantee = compose(event, count=found.count, relation=found.guarantee.relation)
    return replace(found, value=value, event=event, guarantee=guarantee)


def keeps(found: Calibration) -> bool:
    """Whether the guarantee is certainly kept; basic composition is decided exactly."""
    return (
        found.guarantee.epsilon(delta=found.delta) <= found.epsilon
        or (found.parameter, found.event.parameters.get("epsilon")) == ("epsilon", found.epsilon)
        or basic_total(found) <= found.epsilon
    )


def basic_total(found: Calibration) -> Fraction | float:
    """The ε of basic composition, exactly; infinite where there is none."""
    if found.event.name not in PURE:
        return math.inf
    sensitivity: Fraction = found.event.parameters.get("sensitivity", Fraction(1))
    return found.count * sensitivity / noise(found)


def is_least(found: Calibration, share: float = 1e-9) -> bool:
    """Whether a little less noise certainly breaks the guarantee."""
    bounds = found.guarantee.bounds(delta=found.delta)
    unsure = share + 4 * bounds.width / float(found.epsilon)
    less = with_noise(found, noise(found) * (1 - Fraction(unsure)))
    return less.guarantee.bounds(delta=found.delta).lower > found.epsilon


class TestFigures:
    """Values from careful computing elsewhere."""

    @pytest.mark.parametrize(("epsilon", "delta", "sigma"), TABLE)
    def test_m_gauss_1_analytic_gaussian(self, epsilon: float, delta: float, sigma: float) -> None:
        found = calibrate(events.Gaussian, epsilon=epsilon, delta=delta)
        assert sigma * (1 - 1e-13) <= found.scale <= sigma * (1 + 1.1e-11)
        assert keeps(found)

    def test_m_gauss_1_classical_gaussian(self) -> None:
        found = calibrate("gaussian", epsilon=0.5, delta=1e-5, method="classical")
        least = calibrate("gaussian", epsilon=0.5, delta=1e-5)
        assert found.scale == pytest.approx(9.689610525, abs=1e-9)
        assert least.scale < found.scale
        assert keeps(found)
        assert not is_least(found)

    def test_m_gauss_1_classical_is_refused_where_it_is_not_proved(self) -> None:
        with raises_code("E-CALIBRATION-UNPROVED"):
            calibrate("gaussian", epsilon=1, delta=1e-5, method="classical")

    def test_classical_noise_of_many_steps_is_that_of_one(self) -> None:
        one = calibrate("gaussian", epsilon=0.5, delta=1e-5, method="classical")
        many = calibrate("gaussian", epsilon=0.5, delta=1e-5, method="classical", count=25)
        assert many.scale == pytest.approx(5 * one.scale, rel=1e-11)
        assert many.spent == pytest.approx(one.spent, rel=1e-9)

    def test_many_gaussians_are_one(self) -> None:
        found = calibrate("gaussian", epsilon=1, delta=1e-6, count=100, sensitivity=3)
        assert found.scale == pytest.approx(30 * 4.2246788893268, rel=1e-10)
        assert keeps(found)

    @pytest.mark.parametrize(
        ("epsilon", "rate", "count", "sigma"),
        [
            (0.9468668007643804, "0.01", 10_000, 4),
            (2.381596921424397, "256/60000", 14_062, 1.1),
        ],
    )
    def test_training_on_samples(self, epsilon: float, rate: str, count: int, sigma: float) -> None:
        found = calibrate("gaussian", epsilon=epsilon, delta=1e-5, rate=rate, count=count)
        assert found.scale == pytest.approx(sigma, abs=1e-9)
        assert keeps(found)
        assert is_least(found)

    def test_a_thousand_laplace_answers(self) -> None:
        found = calibrate("laplace", epsilon="18.9502873675395582", delta=1e-6, count=1000)
        assert found.scale == pytest.approx(10, rel=1e-9)

    def test_optimal_composition_of_randomized_responses(self) -> None:
        found = calibrate("randomized_response", epsilon="51.145737928371", delta=1e-6, count=100)
        assert float(found.value) == pytest.approx(math.log(2), rel=1e-10)


class TestPure:
    """At δ = 0 everything is exact."""

    def test_scale_is_count_times_sensitivity_over_epsilon(self) -> None:
        found = calibrate("laplace", epsilon=0.3, count=7, sensitivity="0.5")
        assert found.event == events.Laplace(scale="35/3", sensitivity="1/2")
        assert found.value == Fraction(35, 3)

    @pytest.mark.parametrize("kind", PURE)
    def test_ten_steps_spend_exactly_one(self, kind: str) -> None:
        found = calibrate(kind, epsilon=1, count=10)
        assert noise(found) == 10
        assert found.guarantee.bounds(delta=0) == sf.numeric.Enclosure(1.0, 1.0)

    def test_a_logarithm_stays_exact(self) -> None:
        found = calibrate("randomized_response", epsilon="ln(2)")
        assert found.event == events.RandomizedResponse.of_truth("2/3")

    @pytest.mark.parametrize("kind", PURE)
    def test_a_logarithm_is_shared_on_the_safe_side(self, kind: str) -> None:
        found = calibrate(kind, epsilon=Ln(2), count=3)
        assert 1 / noise(found) * 3 < Ln(2)
        assert 1 / noise(found) * 3 > Ln(2) + Ln("0.99999999999")

    @pytest.mark.parametrize("kind", PURE)
    def test_samples_take_the_closed_form(self, kind: str) -> None:
        found = calibrate(kind, epsilon=1, rate="1/100", count=10)
        expected = math.log1p(math.expm1(0.1) * 100)
        assert 1 / float(noise(found)) == pytest.approx(expected, rel=1e-11)
        assert keeps(found)
        assert is_least(found)

    def test_numbers_too_long_to_read_are_cut(self) -> None:
        exact = 1 / Fraction("0.9468668007643804")
        assert calibrate("laplace", epsilon=0.9468668007643804).value == short_above(exact)
        assert calibrate("laplace", epsilon=1, count=10**12).value == 10**12


sizes = st.floats(0.03, 20)
deltas = st.sampled_from([1e-6, 1e-4, 1e-2])


class TestLaws:
    """What holds for every kind."""

    @settings(max_examples=20)
    @given(st.sampled_from([*NOISE, *CHOICES]), sizes, deltas, st.sampled_from([1, 2, 7, 40]))
    def test_the_guarantee_is_kept_and_less_noise_breaks_it(
        self, kind: str, epsilon: float, delta: float, count: int
    ) -> None:
        found = calibrate(kind, epsilon=epsilon, delta=delta, count=count)
        assert keeps(found)
        assert kind == "exponential" or is_least(found)

    @pytest.mark.parametrize("kind", ["laplace", "discrete_laplace", "gaussian", *CHOICES])
    @pytest.mark.parametrize("epsilon", [0.1, 5])
    @pytest.mark.parametrize("rate", [0.001, 0.9])
    def test_on_a_sample_too(self, kind: str, epsilon: float, rate: float) -> None:
        found = calibrate(kind, epsilon=epsilon, delta=1e-6, rate=rate)
        assert isinstance(found.event, events.Subsampled)
        assert keeps(found)
        assert is_least(found)

    @pytest.mark.parametrize("kind", ["gaussian", "discrete_laplace", "randomized_response"])
    @pytest.mark.parametrize("rate", [0.1, 0.9])
    def test_on_many_samples_too(self, kind: str, rate: float) -> None:
        found = calibrate(kind, epsilon=1, delta=1e-6, rate=rate, count=20)
        assert keeps(found)
        assert is_least(found)

    @settings(max_examples=12)
    @given(st.sampled_from([*NOISE, *CHOICES]), st.floats(0.1, 5), st.floats(1.01, 3))
    def test_more_privacy_takes_more_noise(self, kind: str, epsilon: float, factor: float) -> None:
        some = calibrate(kind, epsilon=epsilon, delta=1e-6)
        more = calibrate(kind, epsilon=epsilon / factor, delta=1e-6)
        often = calibrate(kind, epsilon=epsilon, delta=1e-6, count=2)
        assert noise(some) < noise(more)
        assert noise(some) < noise(often)

    @pytest.mark.parametrize("kind", ["laplace", "gaussian"])
    def test_noise_is_proportional_to_the_sensitivity(self, kind: str) -> None:
        one = calibrate(kind, epsilon=1, delta=1e-6, count=3)
        three = calibrate(kind, epsilon=1, delta=1e-6, count=3, sensitivity=3)
        assert three.scale == pytest.approx(3 * one.scale, rel=1e-10)

    @pytest.mark.parametrize("kind", [*NOISE, *CHOICES])
    def test_the_number_has_few_digits(self, kind: str) -> None:
        value = calibrate(kind, epsilon="0.7", delta=1e-6, count=3).value
        assert isinstance(value, Fraction)
        assert short_above(value) == value

    @pytest.mark.parametrize("kind", ["gaussian", "laplace", "randomized_response"])
    def test_the_checks_see_noise_that_is_a_little_off(self, kind: str) -> None:
        """The twin: a thousandth less is not kept, a thousandth more is not least."""
        found = calibrate(kind, epsilon=1, delta=1e-6, count=5)
        assert not keeps(with_noise(found, noise(found) * Fraction(999, 1000)))
        assert not is_least(with_noise(found, noise(found) * Fraction(1001, 1000)))

    def test_epsilon_far_below_delta(self) -> None:
        """Then the cost falls to nothing at some noise, and not as a power of it."""
        found = calibrate("laplace", epsilon=1e-6, delta=0.01)
        exact = 1 / (1e-6 - 2 * math.log1p(-0.01))
        assert found.scale == pytest.approx(exact, rel=1e-9)

    def test_discrete_gaussian_noise_may_cost_more_when_there_is_more(self) -> None:
        """So what is found is what was certified, and not merely an amount above the least."""
        less, more = (compose(events.DiscreteGaussian(sigma=s)) for s in ("0.4", "0.41"))
        assert less.bounds(epsilon=5).upper < more.bounds(epsilon=5).lower
        assert keeps(calibrate("discrete_gaussian", epsilon=5, delta=0.05))


class TestSearch:
    """The search itself, on costs that are harder than any real one."""

    @staticmethod
    def trial(amount: Fraction, excess: float) -> CalibrationTrial:
        step = events.Laplace(scale=amount)
        return CalibrationTrial(
            amount, step, compose(step), 1.0, excess <= 0, float(amount), excess
        )

    @pytest.mark.parametrize("start", [1e-6, 1.9, 2.1, 1e6])
    def test_a_cost_that_jumps(self, start: float) -> None:
        found = least_noise(lambda x: self.trial(x, -1.0 if x >= 2 else 1.0), start)
        assert 2 <= found.noise < 2 * (1 + 1e-10)

    @pytest.mark.parametrize("power", [0.1, 1, 20])
    def test_a_power(self, power: float) -> None:
        found = least_noise(lambda x: self.trial(x, -power * math.log(float(x) / 2)), 50.0)
        assert 0 <= found.noise / 2 - 1 < 1e-9

    def test_a_cost_that_nothing_lowers(self) -> None:
        with raises_code("E-EPSILON-TOO-SMALL", kind=RefusedError):
            least_noise(lambda x: self.trial(x, 1.0), 1.0)
        with raises_code("E-EPSILON-TOO-SMALL", kind=RefusedError):
            first_kept(lambda x: self.trial(x, 1.0), Fraction(1))

    def test_a_closed_form_that_is_a_little_short(self) -> None:
        found = first_kept(lambda x: self.trial(x, 1.0 if x < 1 + 1e-10 else 0.0), Fraction(1))
        assert 1 + 1e-10 <= found.noise < 1 + 4e-10

    @given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
    def test_short_numbers_are_next_to_the_long_one(self, number: Fraction) -> None:
        assert number * (1 - Fraction(1, 10**11)) < short_below(number) <= number
        assert number <= short_above(number) < number * (1 + Fraction(1, 10**11))
        assert is_short(short_above(number))


class TestResult:
    """What a person sees of it."""

    def test_it_says_what_to_use_and_what_it_costs(self) -> None:
        found = calibrate("gaussian", epsilon=1, delta=1e-6, count=100, rate=0.5)
        first, second = str(found).splitlines()
        assert first.startswith("use Gaussian noise of sigma ")
        assert first.endswith(" on sensitivity 1, on a Poisson sample of rate 0.5, 100 times")
        assert second == "it keeps (1, 1e-06)-DP (add or remove one row), spending all of it"

    def test_it_says_when_little_is_spent(self) -> None:
        found = calibrate("gaussian", epsilon=0.5, delta=1e-5, method="classical")
        assert found.lines()[1].endswith(", spending ε = 0.3525725")

    def test_in_a_notebook(self) -> None:
        shown = calibrate("laplace", epsilon=1)._repr_html_()
        assert shown.startswith("<strong>use Laplace noise of scale 1 on sensitivity 1</strong>")

    def test_it_is_frozen(self) -> None:
        with pytest.raises(FrozenInstanceError):
            calibrate("laplace", epsilon=1).spent = 0.0  # type: ignore[misc]

    def test_the_relation_is_carried(self) -> None:
        found = calibrate("laplace", epsilon=1, relation=sf.privacy.Substitute())
        assert found.guarantee.relation == sf.privacy.Substitute()
        assert str(found.target) == "1-DP (substitute one row)"

    def test_the_event_costs_what_is_said(self) -> None:
        found = calibrate("laplace", epsilon=1, delta=1e-6, count=20)
        again = compose(found.event, count=20)
        assert again == found.guarantee
        assert again.epsilon(delta=1e-6) == found.spent

    def test_scale_reads_back_as_the_value(self) -> None:
        found = calibrate("gaussian", epsilon=1, delta=1e-6)
        assert sf.privacy.written(found.scale) == found.value
        assert calibrate("laplace", epsilon=3).scale >= Fraction(1, 3)

    def test_a_choice_has_no_scale(self) -> None:
        with raises_code("E-SCALE-NONE"):
            _ = calibrate("exponential", epsilon=1).scale

    @pytest.mark.parametrize("name", ["discrete_gaussian", "Discrete-Gaussian"])
    def test_kinds_by_name_and_by_class(self, name: str) -> None:
        found = calibrate(name, epsilon=1, delta=1e-6)
        assert found == calibrate(sf.privacy.events.DiscreteGaussian, epsilon=1, delta=1e-6)

    def test_it_agrees_with_the_theorem(self) -> None:
        sigma = theorems.analytic_sigma(epsilon=3, delta=1e-7, sensitivity=2)
        found = calibrate("gaussian", epsilon=3, delta=1e-7, sensitivity=2)
        assert found.scale == pytest.approx(sigma, rel=1.1e-11)


GOOD: dict[str, Any] = {"epsilon": 1, "delta": 1e-6, "sensitivity": 1, "count": 2, "rate": 0.5}
NEVER_NUMBERS: list[Any] = [math.nan, math.inf, True, "one", object(), b"1", [1], 10**5000]


class TestRefusals:
    """One sentence for whatever cannot be."""

    @pytest.mark.parametrize(
        ("kind", "given", "sentence"),
        [
            ("gaussian", {"epsilon": 1}, "no Gaussian noise keeps delta = 0"),
            ("discrete_gaussian", {"epsilon": 1}, "no DiscreteGaussian noise keeps delta = 0"),
            ("laplace", {"epsilon": 0}, "epsilon must lie between 1e-12 and 10,000"),
            ("gaussian", {"epsilon": 0, "delta": 0.1}, "epsilon must"),
            ("laplace", {"epsilon": 10**400}, "epsilon must"),
            ("laplace", {"epsilon": -1}, "epsilon must"),
            ("laplace", {"epsilon": 1, "delta": 1}, "delta must"),
            ("laplace", {"epsilon": 1, "sensitivity": 0}, "sensitivity must"),
            ("exponential", {"epsilon": 1, "sensitivity": 2}, "has no sensitivity of its own"),
            ("discrete_laplace", {"epsilon": 1, "sensitivity": 1.5}, "write 2, or make the grid"),
            ("laplace", {"epsilon": 1, "count": 1.5}, "count must"),
            ("laplace", {"epsilon": 1, "count": 10**13}, "count must be at most 1,000,000,000,000"),
            ("laplace", {"epsilon": 1, "rate": 0}, "rate must"),
            ("laplace", {"epsilon": 1, "method": "quick"}, "there is no method 'quick'"),
            ("laplace", {"epsilon": 1, "method": "classical"}, "is for Gaussian noise"),
            ("gaus", {"epsilon": 1}, "did you mean 'gaussian'"),
            (events.Subsampled, {"epsilon": 1}, "there is no mechanism"),
            (events.Event, {"epsilon": 1}, "there is no mechanism"),
            (events.Laplace(scale=1), {"epsilon": 1}, "write sf.privacy.events.Gaussian"),
            (None, {"epsilon": 1}, "calibrate takes a kind of event, not None"),
        ],
    )
    def test_what_cannot_be(self, kind: Any, given: dict[str, Any], sentence: str) -> None:
        with pytest.raises(InputError, match=sentence) as refused:
            calibrate(kind, **given)
        assert "\n" not in str(refused.value)

    @pytest.mark.parametrize("argument", GOOD)
    def test_what_is_no_number(self, argument: str) -> None:
        for value in NEVER_NUMBERS:
            with pytest.raises(InputError) as refused:
                calibrate("gaussian", **{**GOOD, argument: value})
            assert len(str(refused.value)) < 300

    def test_samples_go_with_adding_and_removing(self) -> None:
        with raises_code("E-RELATION-OTHER", match=r"relation=sf\.privacy\.AddRemove"):
            calibrate("gaussian", epsilon=1, delta=1e-6, rate=0.1, relation=sf.privacy.Substitute())

    @pytest.mark.parametrize("count", [1, 3])
    def test_samples_that_hardly_look_at_anybody(self, count: int) -> None:
        """The chance that a unit is looked at is 1 - (1 - q)^count; below it δ needs noise."""
        seen = 1 - (1 - Fraction(1, 100)) ** count
        with raises_code("E-NOISE-NOT-NEEDED"):
            calibrate("gaussian", epsilon=1, delta=seen, rate=0.01, count=count)
        found = calibrate("randomized_response", epsilon=1, delta=seen / 2, rate=0.01, count=count)
        assert keeps(found)


def test_a_step_that_spends_all_alone_is_not_kept_when_it_is_repeated() -> None:
    """At this target the first guess for one of two steps is the target itself."""
    epsilon = Fraction(224434755437, 10**12)
    found = sf.calibrate("randomized_response", epsilon=epsilon, delta="0.05", count=2)
    assert found.guarantee.epsilon(delta="0.05") <= epsilon
