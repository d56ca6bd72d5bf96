"""The release mechanism of greatest entropy, or of least loss, that keeps a requirement."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.information.channels.channel_certificate import ChannelCertificate
from sfumato.information.channels.ratio_bound import RatioBound
from sfumato.information.channels.release_problem import (
    ReleaseProblem,
    are_consecutive,
    as_channel_of,
    read_problem,
)
from sfumato.information.channels.requirements import (
    LinearRequirement,
)
from sfumato.information.channels.solution import solve
from sfumato.numeric import Enclosure, Ln, cached_property, check_tolerance, digits_above
from sfumato.printing import drawn
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from decimal import Decimal
    from pathlib import Path

    from sfumato.information.channels.channel import Channel
    from sfumato.information.distribution import DistributionLike
    from sfumato.printing import Chart
    from sfumato.translation import Sentences

    Number = float | Fraction | Decimal | str


_SAID: Sentences = {
    "loss": "least expected loss: {found}",
    "entropy": "greatest H(Y|X): {found} bits",
    "information": "least I(X;Y): {found} bits",
}
_BOUNDED: Sentences = {
    "loss": "no channel that keeps this has less than {bound}: within {gap}",
    "entropy": "no channel that keeps this has more than {bound}: within {gap}",
    "information": "no channel that keeps this has less than {bound}: within {gap}",
}
_EXACTLY: Sentences = {
    "epsilon": "no channel that keeps it for the ratio {number}, at most e^ε, has less: exactly",
    "leakage": "no channel that keeps it for {number}, at most 2^bits, has less: exactly",
}


@dataclass(frozen=True, eq=False, repr=False)
class PrivateChannel:
    """A best channel that keeps a requirement, with the proof.

    Attributes
    ----------
    inputs, outputs
        What goes in and what may come out.
    neighbours
        Pairs of inputs that are neighbours; None where no ε is kept.
    epsilon
        ε as it was asked for: a Fraction or an ``Ln``; None where none was.
    certificate
        The channel in rationals, and multipliers that bound all others.
    converged
        Whether the bounds are as close as was asked; they are true bounds either way.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.information.private_channel(range(11), epsilon=1)
    >>> print(found)
    least expected loss: 0.728544
    11 inputs, 11 outputs; ε = 1 for neighbouring inputs (10 pairs)
    no channel that keeps it for the ratio 1084483/398959, at most e^ε, has less: exactly
    H(Y|X) = 2.0256 bits, I(X;Y) = 1.4292 bits
    the geometric mechanism loses 0.728544, and 0.728544 once its outputs are read at their best
    """

    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    neighbours: tuple[tuple[Hashable, Hashable], ...] | None
    epsilon: Fraction | Ln | None
    certificate: ChannelCertificate
    converged: bool

    @cached_property
    def channel(self) -> Channel:
        """The channel, with probabilities in rationals.

        Examples
        --------
        >>> import sfumato as sf
        >>> coin = sf.information.private_channel(["yes", "no"], loss="wrong", neighbours="all",
        ...                                       epsilon=sf.numeric.Ln(2))
        >>> coin.channel.rows[0]
        Distribution({'yes': 2/3, 'no': 1/3})
        """
        return as_channel_of(self.inputs, self.outputs, self.certificate.rows)

    @property
    def loss(self) -> Enclosure:
        """The expected loss of the channel, rounded both ways.

        Examples
        --------
        >>> import sfumato as sf
        >>> round(sf.information.private_channel(range(11), epsilon=1).loss.upper, 6)
        0.728544
        """
        return self.certificate.loss

    @property
    def entropy(self) -> Enclosure:
        """H(Y|X) of the channel in bits: what is unsure of the output where the input is known.

        Examples
        --------
        >>> import sfumato as sf
        >>> found = sf.information.private_channel(range(5), epsilon=1, expected_loss=0.9)
        >>> found.entropy.width < 1e-12
        True
        """
        return self.certificate.entropy

    @property
    def information(self) -> Enclosure:
        """I(X;Y) of the channel in bits: what the output tells about the input.

        Examples
        --------
        >>> import sfumato as sf
        >>> round(sf.information.private_channel(range(11), epsilon=1).information.upper, 4)
        1.4292
        """
        return self.certificate.information

    @property
    def optimum(self) -> Enclosure:
        """What the best channel has: this channel's own figure, and a bound on all others.

        Examples
        --------
        >>> import sfumato as sf
        >>> found = sf.information.private_channel(range(5), epsilon=1, expected_loss=0.9)
        >>> found.optimum.lower == found.entropy.lower, found.gap < 1e-9
        (True, True)
        """
        return self.certificate.optimum

    @property
    def gap(self) -> float:
        """How far the channel may be from the best.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(11), epsilon=1).gap < 1e-9
        True
        """
        return self.optimum.width

    @cached_property
    def geometric(self) -> Channel | None:
        """The geometric mechanism beside it: two-sided geometric noise, clamped to the outputs.

        None where inputs and outputs are not the same consecutive numbers, or no ε is kept.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(2), epsilon=sf.numeric.Ln(2)).geometric.rows[0]
        Distribution({0: 2/3, 1: 1/3})
        """
        rows = self._geometric_rows()
        return None if rows is None else as_channel_of(self.inputs, self.outputs, rows)

    def geometric_loss(self, *, read_at_best: bool = False) -> Fraction | None:
        """Return the expected loss of the geometric mechanism beside it.

        Parameters
        ----------
        read_at_best
            Whether each output is first replaced by the one that loses least, given the prior:
            that is post-processing.

        Examples
        --------
        >>> import sfumato as sf
        >>> skewed = sf.information.private_channel(range(3), prior=[8, 1, 1], epsilon=1)
        >>> plain, best = (skewed.geometric_loss(read_at_best=each) for each in (False, True))
        >>> plain > best == skewed.certificate.exact_loss
        True
        """
        rows = self._geometric_rows()
        if rows is None:
            return None
        costs = [
            [pi * each for each in losses]
            for pi, losses in zip(self.certificate.prior, self.certificate.losses, strict=True)
        ]
        size = range(len(self.outputs))
        return sum(
            (
                min(
                    sum(
                        (row[y] * cost[read] for row, cost in zip(rows, costs, strict=True)),
                        Fraction(0),
                    )
                    for read in (size if read_at_best else (y,))
                )
                for y in size
            ),
            Fraction(0),
        )

    def _geometric_rows(self) -> list[list[Fraction]] | None:
        requirement = self.certificate.requirement
        steps = tuple((place, place + 1) for place in range(len(self.inputs) - 1))
        if not isinstance(requirement, RatioBound) or requirement.pairs != steps:
            return None
        if self.inputs != self.outputs or not are_consecutive(self.inputs):
            return None
        share, last = 1 / requirement.ratio, len(self.inputs) - 1
        return [
            [
                share ** abs(x - y) / (1 + share) * (1 if y in (0, last) else 1 - share)
                for y in range(last + 1)
            ]
            for x in range(last + 1)
        ]

    def check(self) -> bool:
        """Tell whether the certificate, read again from its document, holds and says the same.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(5), epsilon=1).check()
        True
        """
        again = ChannelCertificate.from_dict(self.certificate.as_dict())
        return again.check() and again.optimum == self.optimum

    def lines(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(3), information=0.5).lines()[0]
        'least expected loss: 0.312346'
        """
        proved, objective = self.certificate, self.certificate.objective
        own = {"loss": self.loss, "entropy": self.entropy, "information": self.information}
        kept = tr(
            "{inputs:,} inputs, {outputs:,} outputs; {requirement}",
            inputs=len(self.inputs),
            outputs=len(self.outputs),
            requirement=proved.requirement.said(),
        )
        return [
            tr(_SAID[objective], found=f"{own[objective].upper:.6g}"),
            kept,
            self._bound(),
            *self._others(),
            *self._beside(),
        ]

    def _bound(self) -> str:
        proved, objective = self.certificate, self.certificate.objective
        kept = proved.requirement
        if proved.exact_gap == 0 and isinstance(kept, LinearRequirement):
            return tr(_EXACTLY[kept.kind], number=kept.cap or kept.ratio)
        bound = self.optimum.upper if objective == "entropy" else self.optimum.lower
        return tr(_BOUNDED[objective], bound=f"{bound:.12g}", gap=digits_above(self.gap, 2))

    def _others(self) -> list[str]:
        figures = tr(
            "H(Y|X) = {entropy:.4f} bits, I(X;Y) = {information:.4f} bits",
            entropy=self.entropy.upper,
            information=self.information.upper,
        )
        if self.certificate.expected_loss is None:
            return [figures]
        spent = tr(
            "expected loss {loss:.6g} of at most {bound:.6g}",
            loss=self.loss.upper,
            bound=float(self.certificate.expected_loss),
        )
        return [spent, figures]

    def _beside(self) -> list[str]:
        plain, best = self.geometric_loss(), self.geometric_loss(read_at_best=True)
        if plain is None or best is None:
            return []
        return [
            tr(
                "the geometric mechanism loses {plain:.6g}, and {best:.6g} once its outputs are "
                "read at their best",
                plain=float(plain),
                best=float(best),
            )
        ]

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the channel beside the geometric mechanism; needs ``sfumato[plots]``.

        Parameters
        ----------
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.information import private_channel
        >>> private_channel(range(3), epsilon=1).plot().to_dict()["title"]["text"]
        ['least expected loss: 0.424547']
        """
        return drawn("channel", self, to=to)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<PrivateChannel: {self.lines()[0]}>"

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.lines())
        return "<br>".join([f"<strong>{first}</strong>", *rest])

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON; ``certificate`` is what anybody can check again.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.information.private_channel(range(3), epsilon=1).as_dict()["inputs"]
        ['0', '1', '2']
        """
        return {
            "inputs": [str(each) for each in self.inputs],
            "outputs": [str(each) for each in self.outputs],
            "loss": [self.loss.lower, self.loss.upper],
            "entropy": [self.entropy.lower, self.entropy.upper],
            "information": [self.information.lower, self.information.upper],
            "optimum": [self.optimum.lower, self.optimum.upper],
            "converged": self.converged,
            "certificate": self.certificate.as_dict(),
        }


def private_channel(
    inputs: Iterable[Hashable],
    outputs: Iterable[Hashable] | None = None,
    *,
    loss: str | Callable[[Any, Any], Number] | Sequence[Sequence[Number]] = "absolute",
    prior: DistributionLike | None = None,
    neighbours: str | Iterable[tuple[Hashable, Hashable]] | None = None,
    epsilon: Number | Ln | None = None,
    information: Number | None = None,
    leakage: Number | None = None,
    expected_loss: Number | None = None,
    objective: str | None = None,
    tolerance: float = 1e-8,
) -> PrivateChannel:
    """Return the best release mechanism on a finite domain, with the proof that none is better.

    It needs the optional part ``optimize`` (``pip install 'sfumato[optimize]'``) for a linear
    program.  What has to be kept is one of ``epsilon``, ``information`` and ``leakage``, or
    nothing; what is best is the ``objective``.

    ==================  ===============================================  =======================
    objective           what is sought                                   proved by
    ==================  ===============================================  =======================
    "loss"              the least E[loss]                                a dual solution in
                                                                         rationals
    "entropy"           the greatest H(Y|X) at E[loss] ≤ expected_loss   weak duality, in balls
    "information"       the least I(X;Y) at E[loss] ≤ expected_loss      weak duality, in balls
    ==================  ===============================================  =======================

    For an ε, e^ε is replaced by a rational that is less by at most one part in 10^12, so that the
    channel keeps ε exactly; ``Ln(2)`` is taken as it is.  Among neighbours without cycles, where
    any two are neighbours, and for a leakage, the channel of least loss is exactly the best for
    that rational: ``certificate.exact_gap`` is 0.

    Parameters
    ----------
    inputs, outputs
        What goes in, and what may come out: the inputs unless told.
    loss
        What it costs that y comes out for x: "absolute" (their distance), "squared", "wrong" (1
        where they differ), a function of x and y, or a matrix with a row an input.
    prior
        The probability of each input; uniform unless told.
    neighbours
        For an ε: "adjacent" for whole numbers that differ by one, which is the default; "all" for
        any two inputs; or pairs of inputs.
    epsilon
        No output is more than e^ε times as likely on one of two neighbours; 0.001 to 20.
    information
        How many bits I(X;Y) may be at most, under the prior.
    leakage
        How many bits the maximal leakage may be at most, whatever the prior.
    expected_loss
        What E[loss] may be at most.
    objective
        "loss", or "entropy" where an expected loss is given, unless told.
    tolerance
        How close the bounds are brought, in bits for "entropy".

    Raises
    ------
    InfeasibleError
        No channel that keeps the requirement has so little loss; it tells the least.

    Notes
    -----
    The mechanism of greatest entropy that meets a privacy requirement and a bound on the loss is
    a concave program on a polytope.  Without a privacy requirement its answer is p(y|x) ∝
    exp(-s·loss), the exponential mechanism :cite:p:`jaynes1957,mcsherry2007mechanism`; the least
    information at a loss is the rate of :cite:p:`blahut1972`.  For counts, absolute or any loss
    that grows with the distance, and any prior, the geometric mechanism with its outputs read at
    their best has the least loss :cite:p:`ghosh2012universally`; on cycles and other graphs no
    one mechanism serves all priors and losses :cite:p:`brenner2014impossibility`.

    Examples
    --------
    >>> import sfumato as sf
    >>> counts = sf.information.private_channel(range(11), epsilon=1, expected_loss=1)
    >>> round(counts.entropy.upper, 6), counts.gap < 1e-8
    (2.381359, True)
    >>> bool(sf.verify(counts.channel, epsilon=1, neighbours=counts.neighbours))
    True
    """
    close = check_tolerance(tolerance)
    problem = read_problem(
        inputs,
        outputs,
        loss=loss,
        prior=prior,
        neighbours=neighbours,
        epsilon=epsilon,
        information=information,
        leakage=leakage,
        expected_loss=expected_loss,
        objective=objective,
    )
    certificate = solve(problem, close)
    return _result(problem, certificate, close)


def _result(
    problem: ReleaseProblem, certificate: ChannelCertificate, tolerance: float
) -> PrivateChannel:
    kept = problem.requirement
    pairs = kept.listed_pairs() if isinstance(kept, RatioBound) else []
    return PrivateChannel(
        inputs=problem.inputs,
        outputs=problem.outputs,
        neighbours=tuple((problem.inputs[a], problem.inputs[b]) for a, b in pairs) or None,
        epsilon=kept.epsilon if isinstance(kept, RatioBound) else None,
        certificate=certificate,
        converged=certificate.optimum.width <= tolerance,
    )
