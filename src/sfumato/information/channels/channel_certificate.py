"""A proof of how good a channel is: the channel, and multipliers that bound all others.

Nothing here trusts a solver.  The channel is held in rationals, so that its rows, its
privacy and its expected loss are checked exactly; the bound on all other channels is weak duality,
evaluated in ball arithmetic at whatever multipliers were found.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.information.channels.ratio_bound import RatioBound
from sfumato.information.channels.requirements import (
    InformationBound,
    LeakageBound,
    LinearRequirement,
    NoRequirement,
    Requirement,
    conditional_entropy_of,
    information_of,
)
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    as_fmpq,
    cached_property,
    float_above,
    float_below,
    working_precision,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Matrix = tuple[tuple[Fraction, ...], ...]


_BITS = 192
_FORMAT = "sfumato-channel-certificate-1"
#: What is made great or small, as weights of H(Y|X), I(X;Y) and E[loss] that are made great.
_OBJECTIVES = {"loss": (0, 0, 1), "entropy": (1, 0, 0), "information": (0, 1, 0)}
_FAILURES = {
    "rows": mark("the rows are not distributions"),
    "requirement": mark("the channel does not keep what it has to"),
    "expected_loss": mark("the expected loss is above its bound"),
    "multipliers": mark("a multiplier is negative, or a mixture is none"),
}


@dataclass(frozen=True)
class ChannelCertificate:
    """A channel that keeps a requirement, and a bound on all that do.

    Of a problem: make E[loss] or I(X;Y) small, or H(Y|X) great, among the channels that keep the
    requirement and, where it is given, an expected loss.  For multipliers s, μ ≥ 0 of the expected
    loss and of the mutual information, weights g with Σ p·g ≥ κ for every channel that keeps the
    requirement, and any distribution q of outputs, no such channel has more than ::

        Σ_x π_x·τ·ln Σ_y exp((i·ln q_y - l·loss + g/π_x)/τ) + i·(max_y Y_y/q_y - 1) + s·D + μ·B - κ

    of what is made great, where i, l and τ = h + i are the weights of I(X;Y), E[loss] and H(Y|X)
    in the Lagrangian, and Y is the distribution of outputs of the channel that attains the sums.
    The last term but three is a tangent: the sums are concave in q :cite:p:`blahut1972`.

    Attributes
    ----------
    prior, losses
        π(x) and loss(x, y), exactly.
    requirement
        What the channel has to keep.
    objective
        "loss", "entropy" or "information".
    expected_loss
        The bound D, if there is one.
    rows
        p(y|x), exactly.
    loss_price, information_price
        s and μ, in nats.
    weights
        g: one row an input.  None where ``flows`` hold what makes them.
    flows
        For neighbours that form a cycle, numbers of 0 or more of which the weights are made.
    outputs
        q, where the mutual information is priced.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.information.private_channel(range(3), epsilon=1)
    >>> found.certificate.check(), found.certificate.failures()
    (True, [])
    """

    prior: tuple[Fraction, ...]
    losses: Matrix
    requirement: Requirement
    objective: str
    expected_loss: Fraction | None
    rows: Matrix
    loss_price: Fraction = Fraction(0)
    information_price: Fraction = Fraction(0)
    weights: Matrix | None = None
    flows: Matrix | None = None
    outputs: tuple[Fraction, ...] | None = None

    @cached_property
    def _prior(self) -> list[fmpq]:
        return [as_fmpq(each) for each in self.prior]

    @cached_property
    def _rows(self) -> list[list[fmpq]]:
        return [[as_fmpq(each) for each in row] for row in self.rows]

    @cached_property
    def exact_loss(self) -> Fraction:
        """The expected loss of the channel.

        Examples
        --------
        >>> import sfumato as sf
        >>> two = sf.information.private_channel("ab", loss="wrong", neighbours="all",
        ...                                      epsilon=sf.numeric.Ln(3))
        >>> two.certificate.exact_loss
        Fraction(1, 4)
        """
        return sum(
            (
                weight * sum((p * each for p, each in zip(row, losses, strict=True)), Fraction(0))
                for weight, row, losses in zip(self.prior, self.rows, self.losses, strict=True)
            ),
            Fraction(0),
        )

    @cached_property
    def loss(self) -> Enclosure:
        """The expected loss of the channel, rounded both ways."""
        return Enclosure(float_below(self.exact_loss), float_above(self.exact_loss))

    @cached_property
    def entropy(self) -> Enclosure:
        """H(Y|X) of the channel in bits, rounded both ways."""
        with working_precision(_BITS):
            return _in_bits(conditional_entropy_of(self._rows, self._prior))

    @cached_property
    def information(self) -> Enclosure:
        """I(X;Y) of the channel in bits, rounded both ways."""
        with working_precision(_BITS):
            return _in_bits(information_of(self._rows, self._prior))

    @cached_property
    def optimum(self) -> Enclosure:
        """What the best channel has: one end is this channel's own, the other bounds all.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(3), epsilon=1).certificate.optimum.width < 1e-9
        True
        """
        with working_precision(_BITS):
            bound = self._bound()
            if self.objective == "loss":
                return Enclosure(float_below(-bound), self.loss.upper)
            in_bits = bound / arb(2).log()
            if self.objective == "entropy":
                return Enclosure(self.entropy.lower, float_above(in_bits))
            return Enclosure(max(0.0, float_below(-in_bits)), self.information.upper)

    @cached_property
    def exact_gap(self) -> Fraction | None:
        """How far a channel of least loss may be from the best at a rational ratio, exactly.

        The ratio is ``requirement.ratio``: e^ε where that is rational, else a little less.  None
        where the bound is not one in rationals.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(11), epsilon=1).certificate.exact_gap
        Fraction(0, 1)
        """
        linear = isinstance(self.requirement, LinearRequirement)
        if self.objective != "loss" or not linear or self.weights is None:
            return None
        ratio = as_fmpq(self.requirement.ratio)  # type: ignore[attr-defined]
        weights = [[as_fmpq(each) for each in row] for row in self.weights]
        rows = zip(self._prior, self.losses, weights, strict=True)
        bound = sum(
            (
                min(pi * as_fmpq(each) - g for each, g in zip(losses, own, strict=True))
                for pi, losses, own in rows
            ),
            self.requirement.floor(weights, ratio),
        )
        return self.exact_loss - Fraction(int(bound.p), int(bound.q))

    def _bound(self) -> arb:
        """Return an upper bound, in nats, of what is made great; of minus what is made small."""
        unsure, telling, losing = (as_ball(each) for each in _OBJECTIVES[self.objective])
        telling += as_ball(self.information_price)
        losing += as_ball(self.loss_price)
        weights, floor = self._weighed()
        total, reached = arb(0) - floor, [arb(0)] * len(self.losses[0])
        logs = [as_ball(each).log() for each in self.outputs] if self.outputs else None
        for pi, losses, own in zip(self.prior, self.losses, weights, strict=True):
            scores = [g - losing * as_ball(pi * each) for each, g in zip(losses, own, strict=True)]
            spread = (unsure + telling) * as_ball(pi)
            if spread.is_zero():
                total += _greatest(scores)
                continue
            if logs is not None:
                scores = [
                    each + telling * as_ball(pi) * log
                    for each, log in zip(scores, logs, strict=True)
                ]
            top = _greatest(scores)
            terms = [((each - top) / spread).exp() for each in scores]
            whole = sum(terms, arb(0))
            total += top + spread * whole.log()
            reached = [
                sofar + as_ball(pi) * each / whole
                for sofar, each in zip(reached, terms, strict=True)
            ]
        if self.outputs is not None:
            ratios = [y / as_ball(q) for y, q in zip(reached, self.outputs, strict=True)]
            total += telling * (_greatest(ratios) - 1)
        if self.expected_loss is not None:
            total += as_ball(self.loss_price) * as_ball(self.expected_loss)
        if isinstance(self.requirement, InformationBound):
            total += as_ball(self.information_price) * self.requirement.nats()
        return total

    def _weighed(self) -> tuple[list[list[arb]], arb]:
        """Return the weights g, and a lower bound of Σ p·g over channels that keep it."""
        ratio = arb(1)
        if isinstance(self.requirement, RatioBound):
            ratio = self.requirement.exponential()
        if self.flows is not None and isinstance(self.requirement, RatioBound):
            flows = [[as_ball(each) for each in row] for row in self.flows]
            return self.requirement.spread(flows, ratio), arb(0)
        if self.weights is None:
            return [[arb(0)] * len(row) for row in self.losses], arb(0)
        exact = [[as_fmpq(each) for each in row] for row in self.weights]
        weights = [[arb(each) for each in row] for row in exact]
        if isinstance(self.requirement, RatioBound):
            return weights, self.requirement.exact_floor(exact)
        return weights, arb(0) + self.requirement.floor(weights, ratio)

    def failures(self) -> list[str]:
        """Return what does not hold of what the certificate says; nothing, where all does.

        Examples
        --------
        >>> import sfumato as sf
        >>> from dataclasses import replace
        >>> proved = sf.information.private_channel(range(3), epsilon=1).certificate
        >>> replace(proved, rows=((1, 0, 0), (0, 1, 0), (0, 0, 1))).failures()
        ['the channel does not keep what it has to']
        """
        kept = {
            "rows": all(sum(row) == 1 and min(row) >= 0 for row in self._rows),
            "requirement": self.requirement.kept_by(self._rows, self._prior),
            "expected_loss": self.expected_loss is None or self.exact_loss <= self.expected_loss,
            "multipliers": self._are_multipliers(),
        }
        return [tr(_FAILURES[each]) for each, holds in kept.items() if not holds]

    def _are_multipliers(self) -> bool:
        """Tell whether each has its bound, and is 0 or more; and q is a distribution if needed."""
        numbers = [self.loss_price, self.information_price]
        numbers += [each for row in self.flows or () for each in row]
        priced = self.objective == "information" or self.information_price != 0
        mixture = self.outputs is not None and min(self.outputs) > 0 and sum(self.outputs) == 1
        return (
            min(numbers) >= 0
            and mixture == priced
            and (self.loss_price == 0 or self.expected_loss is not None)
            and (self.information_price == 0 or isinstance(self.requirement, InformationBound))
            and (self.weights is None or isinstance(self.requirement, LinearRequirement))
        )

    def check(self) -> bool:
        """Tell whether everything holds that the certificate says.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(3), epsilon=1).certificate.check()
        True
        """
        return not self.failures()

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON, in which rationals are texts.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(3), epsilon=1).certificate.as_dict()["objective"]
        'loss'
        """
        return {
            "format": _FORMAT,
            "prior": _texts(self.prior),
            "losses": [_texts(row) for row in self.losses],
            "requirement": self.requirement.as_dict(),
            "objective": self.objective,
            "expected_loss": None if self.expected_loss is None else str(self.expected_loss),
            "rows": [_texts(row) for row in self.rows],
            "loss_price": str(self.loss_price),
            "information_price": str(self.information_price),
            "weights": None if self.weights is None else [_texts(row) for row in self.weights],
            "flows": None if self.flows is None else [_texts(row) for row in self.flows],
            "outputs": None if self.outputs is None else _texts(self.outputs),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ChannelCertificate:
        """Return the certificate that a document holds.

        Parameters
        ----------
        document
            What ``as_dict`` returned, perhaps through JSON.

        Examples
        --------
        >>> import json, sfumato as sf
        >>> found = sf.information.private_channel(range(3), epsilon=1)
        >>> text = json.dumps(found.certificate.as_dict())
        >>> sf.information.ChannelCertificate.from_dict(json.loads(text)) == found.certificate
        True
        """
        try:
            read = cls(**_fields(document))
            shape = len(read.losses), len(read.losses[0])
            whole = _is_shaped(read, *shape)
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError, IndexError):
            whole = False
        if not whole:
            raise InputError(
                "E-DOCUMENT-FORM",
                "this is not the certificate of a channel as sfumato writes it",
                "give what certificate.as_dict() returned",
            )
        return read


def _fields(document: Mapping[str, Any]) -> dict[str, Any]:
    if document["format"] != _FORMAT or document["objective"] not in _OBJECTIVES:
        raise ValueError
    prior = _numbers(document["prior"])
    bound = document["expected_loss"]
    return {
        "prior": prior,
        "losses": _matrix(document["losses"]),
        "requirement": _requirement(document["requirement"], len(prior)),
        "objective": document["objective"],
        "expected_loss": None if bound is None else Fraction(bound),
        "rows": _matrix(document["rows"]),
        "loss_price": Fraction(document["loss_price"]),
        "information_price": Fraction(document["information_price"]),
        "weights": None if document["weights"] is None else _matrix(document["weights"]),
        "flows": None if document["flows"] is None else _matrix(document["flows"]),
        "outputs": None if document["outputs"] is None else _numbers(document["outputs"]),
    }


def _is_shaped(read: ChannelCertificate, inputs: int, outputs: int) -> bool:
    matrices = [read.losses, read.rows, *([read.weights] if read.weights else [])]
    square = all(
        len(each) == inputs and {len(row) for row in each} == {outputs} for each in matrices
    )
    flows = read.flows is None or (
        isinstance(read.requirement, RatioBound)
        and len(read.flows) == 2 * len(read.requirement.listed_pairs())
        and {len(row) for row in read.flows} == {outputs}
    )
    is_prior = min(read.prior) >= 0 and sum(read.prior) == 1 and len(read.prior) == inputs
    return square and flows and is_prior and len(read.outputs or read.losses[0]) == outputs


def _requirement(document: Mapping[str, Any], inputs: int) -> Requirement:
    kind = document["kind"]
    if kind == InformationBound.kind:
        return InformationBound(_bits(document))
    if kind == LeakageBound.kind:
        return LeakageBound(inputs, _bits(document))
    if kind == NoRequirement.kind:
        return NoRequirement()
    if kind != RatioBound.kind:
        raise ValueError
    epsilon, pairs = document["epsilon"], document["neighbours"]
    read = (
        Ln(epsilon.removeprefix("ln(").removesuffix(")"))
        if epsilon.startswith("ln(")
        else Fraction(epsilon)
    )
    listed = None if pairs == "all" else tuple((int(a), int(b)) for a, b in pairs)
    if listed is not None and not (listed and all(0 <= a < b < inputs for a, b in listed)):
        raise ValueError
    if read <= 0:
        raise ValueError
    return RatioBound(inputs, read, listed)


def _bits(document: Mapping[str, Any]) -> Fraction:
    bits = Fraction(document["bits"])
    if bits <= 0:
        raise ValueError
    return bits


def _numbers(texts: Sequence[str]) -> tuple[Fraction, ...]:
    return tuple(Fraction(each) for each in texts)


def _matrix(rows: Sequence[Sequence[str]]) -> Matrix:
    return tuple(_numbers(row) for row in rows)


def _texts(values: Sequence[Fraction]) -> list[str]:
    return [str(each) for each in values]


def _greatest(values: Sequence[arb]) -> arb:
    found = values[0]
    for each in values[1:]:
        found = found.max(each)
    return found


def _in_bits(nats: arb) -> Enclosure:
    bits = nats / arb(2).log()
    return Enclosure(max(0.0, float_below(bits)), max(0.0, float_above(bits)))
