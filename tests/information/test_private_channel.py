"""The release mechanism of greatest entropy, and of least loss, with what proves it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import InfeasibleError
from sfumato.information import ChannelCertificate, maximal_leakage, private_channel
from sfumato.numeric import Ln
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

PRIORS = {"even": None, "steep": [9, 5, 3, 2, 1, 1, 1], "two ends": [5, 1, 0, 0, 1, 1, 4]}
N = 7
CYCLE = [(each, (each + 1) % N) for each in range(N)]


def around(x: int, y: int) -> int:
    """The distance on a cycle."""
    return min((x - y) % N, (y - x) % N)


def verified(found: Any, epsilon: Any) -> bool:
    return bool(sf.verify(found.channel, epsilon=epsilon, neighbours=list(found.neighbours)))


# What is kept, and where it ends


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), 1, 3])
@pytest.mark.parametrize("objective", ["loss", "entropy"])
def test_the_epsilon_is_kept_and_nothing_below_it(epsilon: Any, objective: str) -> None:
    given: dict[str, Any] = {}
    least = 1e-9
    if objective == "entropy":
        bound = 1.02 * private_channel(range(N), epsilon=epsilon).loss.upper
        given, least = {"expected_loss": round(bound, 4)}, 1e-6
    found = private_channel(range(N), epsilon=epsilon, **given)
    assert verified(found, epsilon)
    assert not verified(found, float(epsilon) - least)
    assert found.check()


def test_an_epsilon_as_a_float_is_the_decimal_that_was_written() -> None:
    """As everywhere: the double 0.1 is a little more than 1/10, and 1/10 is what is kept."""
    found = private_channel(range(N), epsilon=0.1)
    assert found.epsilon == Fraction(1, 10)
    assert verified(found, Fraction(1, 10))


# Theorems: what the best channel is known to be


@pytest.mark.parametrize("k", [2, 3, 5, 10])
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(7, 3)])
def test_randomized_response_has_least_loss_where_any_two_are_neighbours(
    k: int, ratio: Fraction
) -> None:
    """k = Σ_xy p(y|x) is at least Σ_y p(y|y)(1 + (k - 1)/r), attained by k-ary response."""
    found = private_channel(range(k), loss="wrong", neighbours="all", epsilon=Ln(ratio))
    response = sf.mechanisms.RandomizedResponse(epsilon=Ln(ratio), categories=k)
    assert found.certificate.exact_loss == (k - 1) / (ratio + k - 1)
    assert found.certificate.exact_gap == 0
    rows = [[response.distribution(x).exact(y) for y in range(k)] for x in range(k)]
    assert [list(row) for row in found.certificate.rows] == rows


def test_randomized_response_is_not_best_for_a_steep_prior() -> None:
    """Where one answer is common enough, always saying it loses less."""
    given: dict[str, Any] = {"loss": "wrong", "neighbours": "all", "epsilon": Ln(2)}
    found = private_channel("abc", prior=[8, 1, 1], **given)
    assert found.certificate.exact_loss == Fraction(1, 5) < Fraction(1, 2)


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("loss", ["absolute", "squared", "wrong"])
@pytest.mark.parametrize("epsilon", [Ln(2), Fraction(1, 2)])
def test_the_geometric_mechanism_read_at_its_best_has_the_least_loss(
    prior: Any, loss: str, epsilon: Any
) -> None:
    """Ghosh, Roughgarden and Sundararajan: for counts, whatever the prior and a monotone loss."""
    found = private_channel(range(N), loss=loss, prior=prior, epsilon=epsilon)
    assert found.certificate.exact_gap == 0
    assert found.geometric_loss(read_at_best=True) == found.certificate.exact_loss


def test_that_needs_a_loss_that_grows_with_the_distance() -> None:
    """Twin: told apart by parity, the geometric mechanism is not the best any more."""
    parity = private_channel(range(N), loss=lambda x, y: (x - y) % 2, epsilon=1)
    best = parity.geometric_loss(read_at_best=True)
    assert best is not None
    assert best > parity.certificate.exact_loss + Fraction(1, 100)


def test_on_a_cycle_wrapped_geometric_noise_read_at_its_best_is_not_the_least() -> None:
    """Brenner and Nissim: no one mechanism serves all priors and losses on a cycle."""
    prior = [Fraction(each, 30) for each in (9, 1, 1, 9, 1, 8, 1)]
    found = private_channel(range(N), loss=around, prior=prior, neighbours=CYCLE, epsilon=Ln(2))
    noise = [Fraction(1, 2) ** around(0, each) for each in range(N)]
    wrapped = [[noise[(x - y) % N] / sum(noise) for y in range(N)] for x in range(N)]
    read = sum(
        min(sum(prior[x] * wrapped[x][y] * around(x, z) for x in range(N)) for z in range(N))
        for y in range(N)
    )
    assert found.converged
    assert read > found.certificate.exact_loss + Fraction(1, 1000)


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
def test_without_privacy_the_greatest_entropy_is_that_of_the_exponential_mechanism(
    prior: Any,
) -> None:
    """p(y|x) ∝ exp(-s·loss), whatever the prior: Gibbs."""
    chosen = sf.mechanisms.Exponential(epsilon=1, sensitivity=1)
    rows = np.array(
        [
            [
                chosen.distribution({y: -abs(x - y) for y in range(N)}).probability(z).upper
                for z in range(N)
            ]
            for x in range(N)
        ]
    )
    weights = np.full(N, 1 / N) if prior is None else np.array(prior) / sum(prior)
    far = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    bound = float(weights @ (rows * far).sum(axis=1))
    found = private_channel(range(N), prior=prior, expected_loss=bound)
    assert found.gap < 1e-8
    likely = weights > 0
    assert np.abs(found.channel.matrix - rows)[likely].max() < 1e-4
    entropy = -float(weights @ (rows * np.log2(rows)).sum(axis=1))
    assert found.entropy.upper == pytest.approx(entropy, abs=1e-7)
    assert float(found.certificate.loss_price) == pytest.approx(0.5, abs=1e-4)


def test_on_a_cycle_greatest_entropy_and_least_information_are_one_channel() -> None:
    """Wrapped discrete Laplace noise, for an even prior: and it keeps ε = s without being asked."""
    noise = np.exp(-np.array([around(0, each) for each in range(N)], dtype=float))
    rows = np.array([np.roll(noise / noise.sum(), x) for x in range(N)])
    bound = float((rows[0] * [around(0, y) for y in range(N)]).sum())
    given: dict[str, Any] = {"loss": around, "expected_loss": bound}
    entropy = private_channel(range(N), **given)
    information = private_channel(range(N), objective="information", **given)
    private = private_channel(range(N), neighbours=CYCLE, epsilon=1.05, **given)
    for each in (entropy, information, private):
        assert np.abs(each.channel.matrix - rows).max() < 1e-4
    assert information.information.upper == pytest.approx(
        math.log2(N) - entropy.entropy.lower, abs=1e-7
    )


def test_on_a_line_they_are_not() -> None:
    """Twin: the ends have fewer neighbours, and every row its own normaliser."""
    entropy = private_channel(range(N), expected_loss=1)
    information = private_channel(range(N), expected_loss=1, objective="information")
    assert information.information.upper < entropy.information.lower - 0.01
    assert np.abs(entropy.channel.matrix - information.channel.matrix).max() > 0.01


def test_a_stricter_epsilon_costs_entropy() -> None:
    free = private_channel(range(N), expected_loss=0.9)
    private = private_channel(range(N), expected_loss=0.9, epsilon=0.75)
    assert private.entropy.upper < free.entropy.lower
    assert not sf.verify(free.channel, epsilon=0.75, neighbours=list(private.neighbours or ()))


@pytest.mark.parametrize("bits", ["0.1", "1/2", 1])
def test_the_curve_of_rate_against_distortion_is_that_of_a_fair_bit(bits: Any) -> None:
    """Least wrong answers about a fair bit at I(X;Y) ≤ R: 1 - h(D) = R."""
    found = private_channel([0, 1], loss="wrong", information=bits)
    wrong = found.loss.upper
    entropy = 0 if wrong in (0, 1) else -sum(p * math.log2(p) for p in (wrong, 1 - wrong))
    assert 1 - entropy == pytest.approx(float(Fraction(bits)), abs=1e-6)
    assert found.gap < 1e-8
    assert found.information.upper <= float(Fraction(bits)) + 1e-15


def test_a_bound_on_the_maximal_leakage_is_kept() -> None:
    found = private_channel(range(N), leakage=1)
    assert maximal_leakage(found.channel) <= 1 + 1e-12
    assert found.certificate.exact_gap == 0
    spread = private_channel(range(N), leakage=1, expected_loss=1.2)
    assert maximal_leakage(spread.channel) <= 1 + 1e-12
    assert spread.gap < 1e-7
    assert spread.entropy.lower > found.entropy.upper


def test_greatest_entropy_under_a_bound_on_the_information() -> None:
    found = private_channel(range(N), information=0.3, expected_loss=1.3)
    assert found.information.upper <= 0.3 + 1e-12
    assert found.certificate.exact_loss <= Fraction(13, 10)
    assert found.gap < 1e-7
    assert found.check()


# The certificate


@pytest.mark.parametrize(
    "given",
    [
        {"epsilon": 1},
        {"epsilon": Ln(2), "neighbours": "all"},
        {"epsilon": 1, "neighbours": CYCLE, "loss": around},
        {"leakage": 0.5},
        {"information": 0.5},
        {"epsilon": 1, "expected_loss": 1},
        {"epsilon": 1, "neighbours": CYCLE, "expected_loss": 1.5},
        {"expected_loss": 1},
        {"expected_loss": 1, "objective": "information"},
    ],
    ids=" ".join,
)
def test_a_certificate_survives_json_and_is_checked_again(given: dict[str, Any]) -> None:
    found = private_channel(range(N), **given)
    text = json.dumps(found.as_dict())
    read = ChannelCertificate.from_dict(json.loads(text)["certificate"])
    assert read.check()
    assert read.optimum == found.optimum
    assert found.gap < 1e-7


def test_a_certificate_that_was_tampered_with_fails() -> None:
    proved = private_channel(range(N), epsilon=1, expected_loss=1).certificate
    worse = tuple(tuple(Fraction(int(x == y)) for y in range(N)) for x in range(N))
    assert replace(proved, rows=worse).failures() == ["the channel does not keep what it has to"]
    even = ((Fraction(1, N),) * N,) * N
    assert replace(proved, rows=even).failures() == ["the expected loss is above its bound"]
    assert replace(proved, rows=((Fraction(1),) * N,) * N).failures()[0] == (
        "the rows are not distributions"
    )
    wrong = ["a multiplier is negative, or a mixture is none"]
    assert replace(proved, loss_price=Fraction(-1)).failures() == wrong
    assert replace(proved, information_price=Fraction(1)).failures() == wrong
    assert replace(proved, expected_loss=None).failures() == wrong


def test_the_bound_of_any_multipliers_holds() -> None:
    """Other multipliers bound less well, and are never below what a channel attains."""
    proved = private_channel(range(N), epsilon=1, expected_loss=1).certificate
    for factor in (Fraction(0), Fraction(1, 2), Fraction(3)):
        other = replace(proved, loss_price=factor * proved.loss_price)
        assert other.check()
        assert other.optimum.upper > proved.optimum.upper


def test_no_random_private_channel_is_better() -> None:
    """Mixtures of rays keep ε: none has more entropy at the loss, or less loss."""
    rng = np.random.default_rng(7)
    least = private_channel(range(4), epsilon=1)
    most = private_channel(range(4), epsilon=1, expected_loss=0.85)
    far = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    geometric = np.array([[math.exp(-0.9 * abs(x - y)) for y in range(4)] for x in range(4)])
    seen = 0
    for _ in range(2000):
        noisy = geometric * rng.uniform(0.6, 1, (1, 4))
        rows = noisy / noisy.sum(axis=1).max()
        rows = rows + (1 - rows.sum(axis=1, keepdims=True)) * np.array([[0, 0.5, 0.5, 0]])
        ratio = np.exp(np.abs(np.log(rows[1:] / rows[:-1])).max())
        if ratio > math.e:
            continue
        loss = float((rows * far).sum() / 4)
        assert loss >= least.optimum.lower
        if loss <= 0.85:
            seen += 1
            assert -float((rows * np.log2(rows)).sum() / 4) <= most.optimum.upper
    assert seen > 20


@pytest.mark.full
def test_thirty_by_thirty_is_exact() -> None:
    found = private_channel(range(30), prior=[*range(1, 31)], epsilon=1)
    assert found.certificate.exact_gap == 0
    assert found.gap < 1e-9
    assert found.geometric_loss(read_at_best=True) == found.certificate.exact_loss
    everybody = private_channel(range(30), epsilon=1, neighbours="all")
    assert everybody.certificate.exact_gap == 0
    spread = private_channel(range(30), epsilon=1, expected_loss=2)
    assert spread.gap < 1e-7


# What is refused


NO_LIST: Any = 5
REFUSED: list[tuple[str, str | None, Callable[[], Any]]] = [
    ("E-ARGUMENT-TYPE", "inputs", lambda: private_channel(NO_LIST, epsilon=1)),
    ("E-ARGUMENT-TYPE", "inputs", lambda: private_channel([3], epsilon=1)),
    ("E-ARGUMENT-TWICE", "inputs", lambda: private_channel([3, 3], epsilon=1)),
    ("E-TOO-LARGE", None, lambda: private_channel(range(60), epsilon=1)),
    ("E-ARGUMENT-CHOICE", None, lambda: private_channel(range(3), loss="cubed", epsilon=1)),
    ("E-ARGUMENT-TYPE", "loss", lambda: private_channel("ab", epsilon=1, neighbours="all")),
    ("E-LENGTHS-DIFFER", None, lambda: private_channel(range(3), loss=[[1]], epsilon=1)),
    (
        "E-ARGUMENT-TYPE",
        "loss",
        lambda: private_channel(range(3), loss=lambda x, y: math.nan, epsilon=1),
    ),
    ("E-ARGUMENT-RANGE", None, lambda: private_channel(range(3), epsilon=0)),
    ("E-ARGUMENT-RANGE", None, lambda: private_channel(range(3), epsilon=100)),
    ("E-ARGUMENT-TYPE", "epsilon", lambda: private_channel(range(3), epsilon=math.nan)),
    ("E-ARGUMENT-TYPE", "epsilon", lambda: private_channel(range(3), epsilon=True)),
    ("E-ARGUMENT-RANGE", "information", lambda: private_channel(range(3), information=0)),
    ("E-ARGUMENT-RANGE", "leakage", lambda: private_channel(range(3), leakage=-1)),
    ("E-ARGUMENT-CONFLICT", None, lambda: private_channel(range(3), epsilon=1, leakage=1)),
    (
        "E-ARGUMENT-CONFLICT",
        "epsilon",
        lambda: private_channel(range(3), neighbours="all", leakage=1),
    ),
    (
        "E-ARGUMENT-CONFLICT",
        "expected_loss",
        lambda: private_channel(range(3), epsilon=1, expected_loss=1, objective="loss"),
    ),
    ("E-ARGUMENT-MISSING", "epsilon", lambda: private_channel(range(3))),
    (
        "E-ARGUMENT-MISSING",
        "expected_loss",
        lambda: private_channel(range(3), epsilon=1, objective="entropy"),
    ),
    (
        "E-ARGUMENT-CONFLICT",
        "objective",
        lambda: private_channel(range(3), epsilon=1, expected_loss=1, objective="information"),
    ),
    ("E-ARGUMENT-CHOICE", None, lambda: private_channel(range(3), epsilon=1, objective="x")),
    (
        "E-NEIGHBOURS-MISSING",
        "neighbours",
        lambda: private_channel("ab", loss="wrong", epsilon=1),
    ),
    ("E-NEIGHBOURS-NONE", "neighbours", lambda: private_channel([0, 2], epsilon=1)),
    (
        "E-NEIGHBOURS-MISSING",
        None,
        lambda: private_channel(range(3), epsilon=1, neighbours=[(0, 5)]),
    ),
    ("E-INPUT-UNKNOWN", None, lambda: private_channel(range(3), epsilon=1, prior={9: 1})),
    ("E-LENGTHS-DIFFER", None, lambda: private_channel(range(3), epsilon=1, prior=[1, 1])),
]


@pytest.mark.parametrize(("code", "argument", "asked"), REFUSED)
def test_what_cannot_be_asked_is_refused_in_one_sentence(
    code: str, argument: str | None, asked: Callable[[], Any]
) -> None:
    with raises_code(code, argument):
        asked()


def test_too_little_loss_is_refused_with_the_least_there_is() -> None:
    with pytest.raises(
        InfeasibleError, match=r"keeps this is 0\.658789, and 0\.5 leaves"
    ) as caught:
        private_channel(range(N), epsilon=1, expected_loss=0.5)
    assert caught.value.conflict == ("expected_loss",)


def test_what_is_no_certificate_is_refused() -> None:
    document = private_channel(range(3), epsilon=1).certificate.as_dict()
    kept = document["requirement"]
    requirements = (
        {**kept, "epsilon": 1},
        {**kept, "epsilon": "-1"},
        {**kept, "neighbours": []},
        {"kind": "leakage", "bits": "-1"},
        "epsilon",
    )
    for broken in (
        {},
        {**document, "rows": [["1"]]},
        {**document, "prior": ["2", "0", "0"]},
        *({**document, "requirement": each} for each in requirements),
    ):
        with raises_code("E-DOCUMENT-FORM"):
            ChannelCertificate.from_dict(broken)


# Corners


def test_an_input_of_probability_zero_still_has_a_private_row() -> None:
    found = private_channel(range(3), prior=[1, 0, 1], epsilon=1, expected_loss=0.6)
    assert verified(found, 1)
    assert found.gap < 1e-7


def test_other_outputs_than_inputs() -> None:
    found = private_channel(range(6), [0, 5], epsilon=Ln(2))
    assert found.channel.outputs == (0, 5)
    assert found.geometric is None
    assert found.certificate.exact_gap == 0


def test_parts_without_neighbours_between_them() -> None:
    """0 and 1 are neighbours, 5 has none: it is told as it is."""
    found = private_channel([0, 1, 5], epsilon=Ln(2))
    assert found.neighbours == ((0, 1),)
    assert found.certificate.exact_gap == 0
    assert found.channel.rows[2][5] == 1


def test_a_loss_that_is_never_reached_changes_nothing() -> None:
    found = private_channel(range(N), epsilon=1, expected_loss=100)
    assert found.entropy.upper == pytest.approx(math.log2(N))


@pytest.mark.full
@pytest.mark.parametrize("kept", ["adjacent", "all", "cycle", "leakage", "information"])
def test_random_problems_are_solved_and_proved(kept: str) -> None:
    """Random losses and priors, with inputs of probability 0: exact where it is promised."""
    rng = np.random.default_rng(3)
    for _ in range(8):
        inputs, outputs = int(rng.integers(3, 8)), int(rng.integers(2, 8))
        given: dict[str, Any] = {
            "loss": rng.integers(0, 9, (inputs, outputs)).tolist(),
            "prior": [1, *rng.integers(0, 4, inputs - 1).tolist()],
        }
        cycle = [(each, (each + 1) % inputs) for each in range(inputs)]
        asked: dict[str, dict[str, Any]] = {
            "adjacent": {"epsilon": 0.5},
            "all": {"epsilon": 1, "neighbours": "all"},
            "cycle": {"epsilon": 0.5, "neighbours": cycle},
            "leakage": {"leakage": 0.5},
            "information": {"information": 0.25},
        }
        given |= asked[kept]
        least = private_channel(range(inputs), range(outputs), **given)
        assert least.check()
        assert least.gap < 1e-6
        if kept in ("adjacent", "all"):
            assert least.certificate.exact_gap == 0
        even = float(np.array(given["prior"]) @ np.mean(given["loss"], axis=1)) / sum(
            given["prior"]
        )
        if even > least.loss.upper + 0.01:
            bound = least.loss.upper + 0.3 * (even - least.loss.upper)
            spread = private_channel(range(inputs), range(outputs), expected_loss=bound, **given)
            assert spread.check()
            assert spread.gap < 1e-5
