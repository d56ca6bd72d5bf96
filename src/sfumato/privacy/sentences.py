"""A guarantee in plain sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import digits_above, shown
from sfumato.privacy.attacker import Posterior, advantage, best_true_positive_rate, posterior
from sfumato.privacy.guarantees.base import Guarantee, read_share
from sfumato.privacy.guarantees.pointwise import PointwiseGuarantee
from sfumato.privacy.parameters import read_delta
from sfumato.privacy.relation import Substitute
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import NumberLike


_BELIEVED = mark(
    "someone who thought it {prior} likely that {relation} can become at most {greatest} sure of "
    "it, and at least {least}"
)
_BUT_FOR_DELTA = mark(
    "but for δ, someone who thought it {prior} likely that {relation} can become at most "
    "{greatest} sure of it, and at least {least}"
)


@dataclass(frozen=True)
class Meaning:
    """What a guarantee means for a person, as figures and as sentences.

    Attributes
    ----------
    guarantee
        The guarantee.
    delta
        Where it was read as (ε, δ).
    prior, false_positive_rate
        What was assumed of the attacker.
    posterior
        How sure the attacker can become.
    true_positive_rate
        How often a test at that false positive rate can find a person who is there.
    advantage
        The greatest difference of true and false positive rate of any test.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import PureDP
    >>> from sfumato.privacy.sentences import meaning
    >>> round(meaning(PureDP(epsilon=1), delta=0).true_positive_rate, 6)
    0.027183
    """

    guarantee: Guarantee
    delta: Fraction
    prior: Fraction
    false_positive_rate: Fraction
    posterior: Posterior
    true_positive_rate: float
    advantage: float

    def lines(self) -> list[str]:
        """Return the sentences, each figure rounded so that it holds as printed.

        Examples
        --------
        >>> from sfumato.privacy.guarantees import PureDP
        >>> from sfumato.privacy.sentences import meaning
        >>> print(meaning(PureDP(epsilon=1), delta=0).lines()[1])
        someone who thought it 50 % likely that a given row is in the data can become \
at most 73.2 % sure of it, and at least 26.8 %
        """
        believed = tr(
            _BUT_FOR_DELTA if self.posterior.failure else _BELIEVED,
            prior=_near(self.prior),
            relation=secret(self.guarantee.relation),
            greatest=_at_most(self.posterior.greatest),
            least=_at_least(self.posterior.least),
        )
        tested = tr(
            "a test with {false_alarms} false positives finds at most {found} of the cases it "
            "looks for",
            false_alarms=_near(self.false_positive_rate),
            found=_at_most(self.true_positive_rate),
        )
        right = _at_most((1 + Fraction(self.advantage)) / 2)
        guessed = tr("a guess at even odds is right at most {right} of the time", right=right)
        allowed = [allowance(self.delta)] if self.posterior.failure else []
        return [str(self.guarantee), believed, *allowed, tested, guessed]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def meaning(
    guarantee: Guarantee,
    *,
    delta: NumberLike,
    prior: NumberLike = 0.5,
    false_positive_rate: NumberLike = 0.01,
) -> Meaning:
    """Return what a guarantee means for a person.

    Parameters
    ----------
    guarantee
        Any guarantee.
    delta
        Where to read the guarantee as (ε, δ); 0 for a pure one.
    prior
        How likely the attacker thought it before seeing the output.
    false_positive_rate
        How often the attacker's test may find someone who is not there.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import ApproxDP
    >>> from sfumato.privacy.sentences import meaning
    >>> print(meaning(ApproxDP(epsilon=1, delta=1e-6), delta=1e-6))
    (1, 1e-06)-DP (add or remove one row)
    but for δ, someone who thought it 50 % likely that a given row is in the data can become \
at most 73.2 % sure of it, and at least 26.8 %
    δ = 1e-06 bounds how far the probability of any set of outputs may exceed what ε allows; it is \
not the probability that an output tells more
    a test with 1 % false positives finds at most 2.8 % of the cases it looks for
    a guess at even odds is right at most 73.2 % of the time
    """
    if not isinstance(guarantee, Guarantee):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "give a guarantee, such as PureDP(epsilon=1), not {guarantee}",
            guarantee=shown(guarantee),
        )
    alarms = read_share(false_positive_rate, "false_positive_rate")
    return Meaning(
        guarantee=guarantee,
        delta=read_delta(delta),
        prior=read_share(prior, "prior"),
        false_positive_rate=alarms,
        posterior=_posterior(epsilon_at(guarantee, delta), prior, delta),
        true_positive_rate=best_true_positive_rate(guarantee, false_positive_rate=alarms),
        advantage=advantage(guarantee),
    )


def epsilon_at(guarantee: Guarantee, delta: NumberLike) -> Epsilon | float:
    """Return the ε at a δ, exactly where the guarantee names it."""
    points = guarantee.points if isinstance(guarantee, PointwiseGuarantee) else ()
    named = (epsilon for epsilon, failure in points if failure == read_delta(delta))
    return next(named, guarantee.epsilon(delta=delta))


def _posterior(epsilon: Epsilon | float, prior: NumberLike, delta: NumberLike) -> Posterior:
    """Return how far beliefs move at an ε, or that nothing is known of them."""
    if epsilon == math.inf:
        return Posterior(least=0.0, greatest=1.0, failure=0.0)
    return posterior(prior=prior, epsilon=epsilon, delta=delta)


def allowance(delta: float | Fraction) -> str:
    """Return what δ > 0 takes from a bound on beliefs.

    Every set of outputs has at most e^ε times its probability on a neighbour, plus δ.  That does
    not bound how often the output that is drawn passes the bound of ε, which can be more often.
    """
    return tr(
        "δ = {delta} bounds how far the probability of any set of outputs may exceed what "
        "ε allows; it is not the probability that an output tells more",
        delta=digits_above(delta, 4),
    )


def secret(relation: Relation) -> str:
    """Return what an attacker wants to know."""
    unit = relation.unit
    who = (
        str(unit)
        if relation.count == 1
        else tr("group of {unit}", unit=unit.counted(relation.count))
    )
    kept = (
        tr("has one value and not another")
        if isinstance(relation, Substitute)
        else tr("is in the data")
    )
    return tr("a given {who} {kept}", who=who, kept=kept)


def _near(share: Fraction) -> str:
    return f"{float(share) * 100:.3g} %"


def _at_most(share: float | Fraction) -> str:
    return f"{math.ceil(Fraction(share) * 1000) / 10:g} %"


def _at_least(share: float) -> str:
    return f"{math.floor(Fraction(share) * 1000) / 10:g} %"
