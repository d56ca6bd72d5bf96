"""Noise that was added to a value, and answers that were chosen at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sfumato.errors import InputError
from sfumato.numeric import Ln, shown
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event
from sfumato.privacy.parameters import written
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events.fields import Number
    from sfumato.privacy.parameters import Epsilon


@dataclass(frozen=True, repr=False)
class Laplace(Event):
    """Continuous Laplace noise was added to a number, or to each coordinate of a vector.

    What it loses: :doc:`/proofs/laplace-loss`.

    Parameters
    ----------
    scale
        The scale b of the density exp(-abs(x)/b) / (2b).
    sensitivity
        The most by which neighbours change the value, in the L1 norm.  A change spread over
        coordinates tells no more than the same change of one coordinate.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace
    >>> Laplace(scale=10, sensitivity=1)
    Laplace(scale=10, sensitivity=1)
    """

    scale: Fraction
    sensitivity: Fraction

    name = "laplace"
    wording = mark("Laplace noise of scale {scale} on sensitivity {sensitivity}")

    def __init__(self, *, scale: Number, sensitivity: Number = 1) -> None:
        self._keep(
            scale=fields.positive(scale, "scale"),
            sensitivity=fields.positive(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class DiscreteLaplace(Event):
    """Whole-number noise was added on a grid, with P(k) proportional to exp(-abs(k)/scale).

    What it loses: :doc:`/proofs/laplace-loss`.

    Parameters
    ----------
    scale
        The scale in grid steps.
    sensitivity
        The most by which neighbours change the value, in whole grid steps and the L1 norm.

    Examples
    --------
    >>> from sfumato.privacy.events import DiscreteLaplace
    >>> print(DiscreteLaplace(scale=2.5))
    discrete Laplace noise of scale 2.5 on sensitivity 1
    """

    scale: Fraction
    sensitivity: int

    name = "discrete_laplace"
    wording = mark("discrete Laplace noise of scale {scale} on sensitivity {sensitivity}")

    def __init__(self, *, scale: Number, sensitivity: int = 1) -> None:
        self._keep(
            scale=fields.positive(scale, "scale"),
            sensitivity=fields.count(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class Gaussian(Event):
    """Continuous Gaussian noise was added to a number, or to each coordinate of a vector.

    Parameters
    ----------
    sigma
        The standard deviation of the noise in one coordinate.
    sensitivity
        The most by which neighbours change the value, in the L2 norm.

    Examples
    --------
    >>> from sfumato.privacy.events import Gaussian
    >>> Gaussian(sigma=4)
    Gaussian(sigma=4, sensitivity=1)
    """

    sigma: Fraction
    sensitivity: Fraction

    name = "gaussian"
    wording = mark("Gaussian noise of sigma {sigma} on sensitivity {sensitivity}")

    def __init__(self, *, sigma: Number, sensitivity: Number = 1) -> None:
        self._keep(
            sigma=fields.positive(sigma, "sigma"),
            sensitivity=fields.positive(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(Event):
    """Whole-number noise was added to one number, with P(k) proportional to exp(-k²/(2σ²)).

    Parameters
    ----------
    sigma
        The parameter σ in grid steps; the standard deviation is not above it.
    sensitivity
        The most by which neighbours change the one number, in whole grid steps.

    Examples
    --------
    >>> from sfumato.privacy.events import DiscreteGaussian
    >>> print(DiscreteGaussian(sigma=4))
    discrete Gaussian noise of sigma 4 on sensitivity 1
    """

    sigma: Fraction
    sensitivity: int

    name = "discrete_gaussian"
    wording = mark("discrete Gaussian noise of sigma {sigma} on sensitivity {sensitivity}")

    def __init__(self, *, sigma: Number, sensitivity: int = 1) -> None:
        self._keep(
            sigma=fields.positive(sigma, "sigma"),
            sensitivity=fields.count(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class RandomizedResponse(Event):
    """A person told the truth with probability e^ε/(e^ε+k-1), and else another answer uniformly.

    Parameters
    ----------
    epsilon
        The logarithm of how much likelier the truth is than any other answer; above 0.
    categories
        How many answers there are, k.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.events import RandomizedResponse
    >>> RandomizedResponse(epsilon=Ln(2))
    RandomizedResponse(epsilon=Ln(2), categories=2)
    """

    epsilon: Epsilon
    categories: int

    name = "randomized_response"
    wording = mark("randomized response among {categories} answers with ε = {epsilon}")

    def __init__(self, *, epsilon: Number | Ln, categories: int = 2) -> None:
        self._keep(
            epsilon=fields.positive_epsilon(epsilon),
            categories=fields.count(categories, "categories", least=2),
        )

    @classmethod
    def of_truth(cls, truth: Number, *, categories: int = 2) -> Self:
        """Return the event in which the truth is told with a given probability, exactly.

        Parameters
        ----------
        truth
            The probability of the true answer: above 1/k, and below 1.
        categories
            How many answers there are, k.

        Examples
        --------
        >>> from sfumato.privacy.events import RandomizedResponse
        >>> RandomizedResponse.of_truth("2/3")
        RandomizedResponse(epsilon=Ln(2), categories=2)
        """
        answers = fields.count(categories, "categories", least=2)
        told = written(truth, "truth")
        if not 1 < told * answers < answers:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{argument} must be above 1/{answers}, which is guessing, and below 1, not {truth}",
                "write '{answers}/{other_answers}', say",
                answers=answers,
                truth=shown(truth),
                other_answers=answers + 1,
                argument=Argument("truth"),
            )
        return cls(epsilon=Ln(told * (answers - 1) / (1 - told)), categories=answers)


@dataclass(frozen=True, repr=False)
class Exponential(Event):
    """One of several outcomes was chosen with odds of exp(ε·utility / (2·sensitivity)).

    The exponential mechanism of :cite:p:`mcsherry2007mechanism`.  Its privacy loss lies in an
    interval of length ε, which is more than ε-differential privacy says.
    Proof: :doc:`/proofs/bounded-range`.

    Parameters
    ----------
    epsilon
        0 or more; 0 is a uniform choice.

    Examples
    --------
    >>> from sfumato.privacy.events import Exponential
    >>> Exponential(epsilon=0.5)
    Exponential(epsilon=0.5)
    """

    epsilon: Epsilon

    name = "exponential"
    wording = mark("a choice by the exponential mechanism with ε = {epsilon}")

    def __init__(self, *, epsilon: Number | Ln) -> None:
        self._keep(epsilon=fields.epsilon(epsilon))


@dataclass(frozen=True, repr=False)
class PermuteAndFlip(Event):
    """One of several outcomes was chosen by permute-and-flip :cite:p:`mckenna2020permute`.

    It is ε-differentially private; the interval of its privacy loss may be longer than ε.

    Parameters
    ----------
    epsilon
        0 or more.

    Examples
    --------
    >>> from sfumato.privacy.events import PermuteAndFlip
    >>> PermuteAndFlip(epsilon=0.5)
    PermuteAndFlip(epsilon=0.5)
    """

    epsilon: Epsilon

    name = "permute_and_flip"
    wording = mark("a choice by permute-and-flip with ε = {epsilon}")

    def __init__(self, *, epsilon: Number | Ln) -> None:
        self._keep(epsilon=fields.epsilon(epsilon))


@dataclass(frozen=True, repr=False)
class SparseVector(Event):
    """Queries were compared with a noisy threshold, up to a number of positive answers.

    The sparse vector technique in the forms that are private: algorithms 1 and 7 of
    :cite:p:`lyu2017understanding`.  Answers are "above" or "below", and no number is released.

    Parameters
    ----------
    threshold_epsilon
        The budget of the noise on the threshold; above 0.
    answers_epsilon
        The budget of all positive answers together; above 0.
    positives
        After how many positive answers it stopped.

    Examples
    --------
    >>> from sfumato.privacy.events import SparseVector
    >>> print(SparseVector(threshold_epsilon=0.2, answers_epsilon=0.8, positives=3))
    sparse vector with ε = 0.2 for the threshold and 0.8 for the positive answers, at most 3
    """

    threshold_epsilon: Epsilon
    answers_epsilon: Epsilon
    positives: int

    name = "sparse_vector"
    wording = mark(
        "sparse vector with ε = {threshold_epsilon} for the threshold and "
        "{answers_epsilon} for the positive answers, at most {positives}"
    )

    def __init__(
        self,
        *,
        threshold_epsilon: Number | Ln,
        answers_epsilon: Number | Ln,
        positives: int = 1,
    ) -> None:
        self._keep(
            threshold_epsilon=fields.positive_epsilon(threshold_epsilon, "threshold_epsilon"),
            answers_epsilon=fields.positive_epsilon(answers_epsilon, "answers_epsilon"),
            positives=fields.count(positives, "positives"),
        )
