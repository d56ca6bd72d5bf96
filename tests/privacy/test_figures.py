"""Figures of composition that were computed elsewhere: inside the bounds, to nine digits."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato.numeric import Ln
from sfumato.privacy import events as ev

AGREEMENT = 1e-9


def close(figure: float, *, last: float = 0.0) -> tuple[float, float]:
    """Return the range in which a figure lies that was printed to a last digit."""
    around = abs(figure) * 1e-14 + last
    return figure - around, figure + around


def agrees(found: sf.numeric.Enclosure, figure: float, *, last: float = 0.0) -> bool:
    """Tell whether the printed figure fits the bounds, and the upper one to nine digits."""
    low, high = close(figure, last=last)
    inside = found.lower <= high and low <= found.upper
    return inside and abs(found.upper - figure) <= AGREEMENT * figure + last


def epsilon(*events: sf.privacy.events.Event, delta: float, count: int = 1) -> sf.numeric.Enclosure:
    return sf.compose(*events, count=count).bounds(delta=delta, tolerance=1e-10)


# --- R1, R2: Gaussian noise on Poisson samples ----------------------------------------------------

R1 = ev.Subsampled(ev.Gaussian(sigma=4), rate=0.01)
R2 = ev.Subsampled(ev.Gaussian(sigma=1.1), rate=Fraction(256, 60000))


@pytest.mark.parametrize(
    ("event", "count", "delta", "figure"),
    [
        (R1, 10_000, 1e-5, 0.9468668007643804),
        (R1, 10_000, 1e-6, 1.084622577945214),
        (R2, 14_062, 1e-5, 2.381596921424397),
        (R2, 14_062, 1e-6, 2.696659402391458),
    ],
)
def test_noise_on_samples(
    event: sf.privacy.events.Event, count: int, delta: float, figure: float
) -> None:
    """Figures R1 and R2."""
    assert agrees(epsilon(event, count=count, delta=delta), figure)


@pytest.mark.parametrize(
    ("event", "count", "figure", "last"),
    [(R1, 10_000, 4.24348425248e-6, 1e-17), (R2, 14_062, 0.0155270968326, 1e-13)],
)
def test_delta_of_noise_on_samples(
    event: sf.privacy.events.Event, count: int, figure: float, last: float
) -> None:
    """Figures R1b and R2b."""
    assert agrees(sf.compose(event, count=count).bounds(epsilon=1), figure, last=last)


def test_one_direction_alone_is_not_the_figure() -> None:
    """Adding a unit costs less than removing one here: 0.93704 is not an answer."""
    assert not agrees(epsilon(R1, count=10_000, delta=1e-5), 0.9370364254020579)
    assert not agrees(epsilon(R2, count=14_062, delta=1e-5), 2.243559372698981)


def test_a_short_run_on_large_samples() -> None:
    twenty = sf.compose(ev.Subsampled(ev.Gaussian(sigma=1), rate=0.1), count=20)
    assert agrees(twenty.bounds(epsilon=2), 0.00145726739, last=5e-12)
    assert agrees(twenty.bounds(delta=1e-5, tolerance=1e-10), 3.59074467, last=5e-9)


# --- R3 to R7: many Laplace steps, responses, mixtures, Gaussians ---------------------------------

LAPLACE = [
    (0.1, 1000, 1e-5, 17.4236519875374465, 0.0),
    (0.1, 1000, 1e-6, 18.9502873675395582, 0.0),
    (0.1, 1000, 1e-9, 22.8193715962115488, 0.0),
    (0.5, 30, 1e-5, 12.2048916, 5e-8),
    (0.5, 30, 1e-6, 13.065663, 5e-7),
    (0.1, 100, 1e-5, 4.220347, 5e-7),
    (0.1, 100, 1e-6, 4.692667, 5e-7),
]


@pytest.mark.parametrize(("each", "count", "delta", "figure", "last"), LAPLACE)
def test_many_laplace_steps(
    each: float, count: int, delta: float, figure: float, last: float
) -> None:
    """Figure R3, and the shorter runs, where the ends of the loss weigh most."""
    step = ev.Laplace(scale=1 / Fraction(str(each)))
    assert agrees(epsilon(step, count=count, delta=delta), figure, last=last)


RESPONSES = [
    (Fraction(1, 10), 1000, 1e-5, 17.787128449701),
    (Fraction(1, 10), 1000, 1e-6, 19.344671447993),
    (Fraction(1, 10), 1000, 1e-9, 23.275739916019),
    (Ln(2), 100, 1e-5, 48.409684323176),
    (Ln(2), 100, 1e-6, 51.145737928371),
    (Ln(2), 100, 1e-9, 57.737447857832),
    (Fraction(1, 10), 100, 1e-6, 4.774567588108),
    (Fraction(1, 2), 30, 1e-6, 13.952007539474),
    (Fraction(1), 10, 1e-6, 9.9999770658207),
    (Fraction(1, 10), 10, 1e-6, 0.999370905722),
    (Fraction(1, 10), 50, 1e-6, 3.17290273402),
]


@pytest.mark.parametrize("kind", [ev.RandomizedResponse, ev.Pure, ev.PermuteAndFlip])
@pytest.mark.parametrize(("each", "count", "delta", "figure"), RESPONSES)
def test_optimal_composition_of_pure_steps(
    kind: type[sf.privacy.events.Event],
    each: Fraction | Ln,
    count: int,
    delta: float,
    figure: float,
) -> None:
    """Figures R4 and R5; a step that is known by its epsilon alone costs as much as a response."""
    step = kind(epsilon=each)  # type: ignore[call-arg]
    assert agrees(epsilon(step, count=count, delta=delta), figure, last=1e-11)


def test_delta_of_a_hundred_responses() -> None:
    hundred = sf.compose(ev.RandomizedResponse(epsilon=Ln(2)), count=100)
    assert agrees(hundred.bounds(epsilon=20), 0.632390695387, last=5e-13)


@pytest.mark.parametrize(
    ("each", "delta", "figure"),
    [
        (("0.1", "0.2", "0.3", "0.5"), 1e-2, 0.99809160040747),
        (("0.1", "0.2", "0.3", "0.5"), 1e-3, 1.090263985786),
        (tuple(f"{i}/20" for i in range(1, 13)), 1e-3, 3.5508004856239),
        (tuple(f"{i}/20" for i in range(1, 13)), 1e-6, 3.8992871242966),
    ],
)
def test_optimal_composition_of_different_steps(
    each: tuple[str, ...], delta: float, figure: float
) -> None:
    steps = [ev.Pure(epsilon=one) for one in each]
    assert agrees(epsilon(*steps, delta=delta), figure, last=1e-12)


def test_laplace_and_gaussian_steps_together() -> None:
    """Figure R6."""
    steps = (
        ev.Repeated(ev.Laplace(scale=10), count=500),
        ev.Repeated(ev.Gaussian(sigma=20), count=100),
    )
    assert agrees(epsilon(*steps, delta=1e-6), 12.6608027588444, last=5e-14)


@pytest.mark.parametrize(
    ("sigma", "figure"),
    [
        ("0.5", 9.997256146434),
        ("1", 4.377178095681),
        ("2", 1.993091404415),
        ("4", 0.926341503998),
        ("10", 0.340669364684),
    ],
)
@pytest.mark.parametrize("count", [1, 100])
def test_gaussian_steps(sigma: str, figure: float, count: int) -> None:
    """Figure R7: a hundred steps of ten times the noise are one."""
    step = ev.Gaussian(sigma=Fraction(sigma) * (10 if count == 100 else 1))
    assert agrees(epsilon(step, count=count, delta=1e-5), figure, last=5e-13)


R8 = {
    "0.1": ("30.749566131977", "36.304690426196", "50.209818263015"),
    "1": ("3.7306316348159", "4.2246788893268", "5.4952661572383"),
    "10": ("0.49988861970901", "0.54108683181837", "0.65024691895866"),
}


@pytest.mark.parametrize("level", R8)
def test_noise_that_was_calibrated_costs_what_it_was_calibrated_for(level: str) -> None:
    """Figure R8: analytic calibration, read backwards."""
    for delta, sigma in zip((1e-5, 1e-6, 1e-9), R8[level], strict=True):
        found = sf.compose(ev.Gaussian(sigma=sigma)).bounds(delta=delta)
        assert found.upper == pytest.approx(float(level), rel=1e-11)


def test_the_classical_noise_fails_beyond_eight() -> None:
    classical = sf.compose(ev.Gaussian(sigma="4.84480526261")).bounds(epsilon=1)
    assert classical.upper == pytest.approx(4.11369e-8, rel=2e-6)


@pytest.mark.parametrize(
    ("rho", "figure"), [("0.1", 1.9945269007), ("0.5", 4.88655411746), ("1", 7.28608096642)]
)
def test_gaussian_steps_up_to_a_total_rho(rho: str, figure: float) -> None:
    """Section 4: a filter on the total rho gives the exact Gaussian curve."""
    label = sf.compose(ev.ZeroConcentrated(rho=rho)).bounds(delta=1e-6, tolerance=1e-10)
    assert label.lower == pytest.approx(figure, abs=1e-10)
    assert label.upper > figure


# --- R9: choices ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "figure"), [(10, 0.628636838773), (50, 1.53374035292)])
def test_choices_cost_at_least_the_best_fixed_composition(count: int, figure: float) -> None:
    """Figure R9 is the worst that is fixed in advance: no bound on adaptive choices is below.

    The bounds hold the worst that may be chosen on the way, which lies between this figure and
    the composition of the distribution that dominates every single step.
    """
    found = epsilon(ev.Exponential(epsilon=0.1), count=count, delta=1e-6)
    assert figure <= found.upper < 1.16 * figure
    pure = epsilon(ev.PermuteAndFlip(epsilon=0.1), count=count, delta=1e-6)
    assert found.upper < pure.lower


def test_one_choice_is_a_closed_form() -> None:
    """The worst at a threshold y is (e^(eps/2) - e^(y/2))^2 / (e^eps - 1)."""
    found = sf.compose(ev.Exponential(epsilon=1)).bounds(epsilon=0.5)
    assert agrees(found, 0.0774046863156908, last=1e-15)


# --- single steps: exact curves -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sigma", "level", "figure", "last"),
    [
        ("1", 1, 0.14135133940562, 5e-15),
        ("2", 1, 0.0072487768459526, 5e-17),
        ("4", 0.5, 0.0027529236763292, 5e-17),
        ("10", 0.1, 0.0087623539239481, 5e-17),
    ],
)
def test_discrete_gaussian_noise(sigma: str, level: float, figure: float, last: float) -> None:
    found = sf.compose(ev.DiscreteGaussian(sigma=sigma)).bounds(epsilon=level)
    assert agrees(found, figure, last=last)


@pytest.mark.parametrize(("level", "figure"), [(0, 0.39346934028737), (0.5, 0.2211992169286)])
def test_laplace_noise(level: float, figure: float) -> None:
    found = sf.compose(ev.Laplace(scale=1)).bounds(epsilon=level)
    assert agrees(found, figure, last=5e-14)


def test_one_response() -> None:
    found = sf.compose(ev.RandomizedResponse(epsilon=Ln(3))).bounds(epsilon=0.5)
    assert agrees(found, 0.33781968232497, last=5e-15)


# --- R10: shuffling -------------------------------------------------------------------------------

SHUFFLED = [
    (10**3, "0.5", 1e-6, 0.0705234676, 0.0626865657),
    (10**4, "1", 1e-6, 0.0530053165, 0.0432061581),
]


@pytest.mark.parametrize(("people", "each", "delta", "clones", "exact"), SHUFFLED)
def test_shuffled_reports(
    people: int, each: str, delta: float, clones: float, exact: float
) -> None:
    """Figure R10: any pure report by clones, binary response exactly."""
    for event, figure in (
        (ev.Pure(epsilon=each), clones),
        (ev.RandomizedResponse(epsilon=each), exact),
    ):
        shuffled = ev.Shuffled(event, population=people)
        found = sf.compose(shuffled, relation=sf.privacy.Substitute()).bounds(delta=delta)
        low, high = close(figure, last=5e-11)
        assert found.lower <= high
        assert low <= found.upper <= figure * (1 + 1e-4)
