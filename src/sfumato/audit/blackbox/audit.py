"""The black-box audit: draws alone, and a bound that is wrong with a stated probability at most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.bounds import EventTally, TestedEvent, judge
from sfumato.audit.blackbox.calls import name_of_release
from sfumato.audit.blackbox.choosing import MOST_CHOSEN, choose
from sfumato.audit.blackbox.draws import DRAWS_A_CALL, DrawnOutputs, Meter
from sfumato.audit.blackbox.features import Feature, Features, read_features, whole_keys
from sfumato.audit.blackbox.report import AuditReport
from sfumato.audit.blackbox.values import Raised, are_equal
from sfumato.audit.comparison import Claim, read_claim
from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.printing import all_of_these
from sfumato.privacy import read_inside
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.audit.blackbox.outcomes import Pool

_FEWEST = 100
SEEDED = mark("calls repeat themselves: is the generator seeded inside the function?")
#: Draws to make events by, and as many to choose among them; all others are for the test.
_MOST_TO_CHOOSE_BY = 250_000


def read_samples(samples: Any, name: str = "samples") -> int:
    """Return a number of draws: so many that events can be chosen on some and tested on others."""
    if not _is_enough(samples):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be a whole number of {fewest} or more, not {samples}",
            "write 100_000, say",
            name=Argument(name),
            fewest=_FEWEST,
            samples=shown(samples),
        )
    return int(samples)


def _is_enough(samples: Any) -> bool:
    """Tell whether a number is whole and not too small; NaN and infinity are not."""
    if isinstance(samples, bool) or not isinstance(samples, Real):
        return False
    number: Any = samples
    return bool(_FEWEST <= number < math.inf) and bool(number == int(number))


def read_seed(seed: Any) -> int:
    """Return the seed of the choice of events: a whole number of 0 or more; None is 0."""
    return 0 if seed is None else read_count(seed, "seed", least=0)


def constant_hints(pool: Pool) -> tuple[str, ...]:
    """Say on which dataset every output is the same, if it is neither None nor an exception."""
    sides = pool.sides(pool.sample.column(whole_keys))
    firsts = (pool.sample.outputs[0], pool.sample.outputs[pool.first])
    same = [
        tr("on d{side}", side=side)
        for side, (keys, output) in enumerate(zip(sides, firsts, strict=True))
        if (keys == keys[0]).all() and output is not None and not isinstance(output, Raised)
    ]
    if not same:
        return ()
    asked = tr("is there no noise, or is the generator seeded inside the function?")
    return (tr("every output {same} is the same: {asked}", same=all_of_these(same), asked=asked),)


def why_untested(pool: Pool) -> str:
    """Say why there was no event to test."""
    if any(each.varies for each in pool.sample.fields.values()):
        return tr(
            "no two outputs are alike, and they are no numbers; say what to look at: features="
        )
    return tr("all outputs on both datasets look the same")


def audit(
    release: Callable[..., Any],
    d0: Any,
    d1: Any,
    *,
    epsilon: Any,
    delta: Any = 0,
    samples: int = 200_000,
    alpha: Any = 1e-6,
    features: Features | None = None,
    progress: Callable[[int, int], None] | None = None,
    seed: int | None = None,
) -> AuditReport:
    """Look for an event that two neighbouring datasets tell apart better than is guaranteed.

    Events are made and chosen on one half of the draws, or fewer: of the value, its last bits, its
    kind (None, NaN, an exception), the entries of vectors, mappings and data frames, and scores
    fitted to them.  Those that seem to prove most, a handful each way, are counted on all other
    draws.  Given the first draws they are fixed, so the bounds of :cite:p:`clopper1934` on their
    probabilities p and q, each at ``alpha`` divided by twice the number of events, hold all at once
    but for a probability of ``alpha``; then P(S) ≤ e^ε Q(S) + δ makes ε at least ln((p - δ)/q).
    What is assumed is that draws are independent.  Where calls for several outputs give the same
    each time, as with a generator that is seeded anew, whole calls are counted as outcomes instead.
    The datasets are handed to ``release``, and looked at only to refuse two that are equal.

    Parameters
    ----------
    release
        ``release(dataset, n)`` gives n independent outputs: a list, an array of n rows, or a data
        frame of n rows.  ``release(dataset)``, which gives one, is called n times.  An exception
        is an outcome, and so is None.
    d0, d1
        Two neighbouring datasets that differ, in the release's own form.
    epsilon, delta
        What is claimed.
    samples
        How many draws to make on each dataset.
    alpha
        The probability of a bound above the truth, and so of a false positive, that is accepted.
    features
        Functions of one output, to a number or a hashable value, to look at besides.
    progress
        Told (draws done, draws in all) as the audit goes; by default a bar on a terminal.
    seed
        Of the generator that helps to choose events.  It touches no draw.

    Returns
    -------
    AuditReport
        The lower bound on ε, and the event that shows it.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import audit
    >>> rng = np.random.default_rng(0)
    >>> report = audit(lambda x, n: x + rng.laplace(size=n), 0, 1, epsilon=1, samples=20_000)
    >>> print(report.witness.event)
    the low bits: the output is no multiple of 2^-53
    """
    begun = perf_counter()
    claim, chance = read_claim(epsilon, delta), read_inside(alpha, "alpha", write="1e-6")
    added, size, start = read_features(features), read_samples(samples), read_seed(seed)
    _check_unequal(d0, d1)
    with Meter(2 * size, progress) as meter:
        draws = DrawnOutputs(release, (d0, d1), meter, opaque=bool(added))
        seen = _seen(draws, claim, chance, size, added, start)
    return AuditReport(
        claim,
        _judged(seen.tallies, chance),
        float(chance),
        seen.draws,
        perf_counter() - begun,
        release=name_of_release(release),
        hints=seen.hints,
        untested=seen.untested,
        draws_a_call=seen.draws_a_call,
    )


def _check_unequal(d0: Any, d1: Any) -> None:
    """Refuse a pair on which even a release without noise would pass."""
    if type(d0) is type(d1) and are_equal(d0, d1):
        raise InputError(
            "E-DATASETS-EQUAL",
            "the two datasets are equal, so no output can tell them apart and nothing is tested",
            "give two that differ in one row, such as [0] and [1]",
        )


@dataclass(frozen=True)
class _SeenEvents:
    """How often events were seen, in how many draws, and what may help to understand it."""

    tallies: list[EventTally]
    draws: int
    hints: tuple[str, ...]
    untested: str = ""
    draws_a_call: int = 1


def _seen(
    draws: DrawnOutputs, claim: Claim, alpha: Fraction, size: int, added: list[Feature], seed: int
) -> _SeenEvents:
    """Count the events that seem to prove most."""
    if draws.repeat():
        tallies = draws.tally_repeats(size)
        return _SeenEvents(
            tallies, tallies[0].trials * DRAWS_A_CALL, (SEEDED,), draws_a_call=DRAWS_A_CALL
        )
    few = min(size // 4, _MOST_TO_CHOOSE_BY)
    made_on, counted_on = draws.pool(few), draws.pool(few)
    share, delta = float(alpha / (4 * MOST_CHOSEN)), float(claim.delta)
    events = choose(made_on, counted_on, added, alpha=share, delta=delta, seed=seed)
    untested = "" if events else why_untested(made_on)
    tallies = draws.tally(events, size - made_on.first - counted_on.first)
    return _SeenEvents(tallies, size, constant_hints(made_on), untested)


def _judged(tallies: list[EventTally], alpha: Fraction) -> tuple[TestedEvent, ...]:
    """Return the tested events, with the probability of an error shared evenly by all bounds."""
    share = alpha / (2 * max(len(tallies), 1))
    return tuple(judge(each, alpha=share) for each in tallies)
