"""The question whether a guarantee is kept on every pair of neighbouring inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit.exact.finite import EFFORT
from sfumato.audit.examiner import Examiner
from sfumato.audit.subject import read_subject
from sfumato.audit.worst import Worst
from sfumato.errors import InputError
from sfumato.privacy.parameters import read_count

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

__all__ = ["verify"]


def verify(
    mechanism: Any,
    *,
    epsilon: Any = None,
    delta: Any = 0,
    order: Any = None,
    inputs: Any = None,
    neighbours: Any = None,
    effort: int = EFFORT,
) -> Verdict:
    """Decide whether a mechanism keeps a guarantee on every pair of neighbouring inputs.

    Parameters
    ----------
    mechanism
        A table: a mapping from inputs to distributions, a matrix, a data frame, a ``Channel``; or
        a function that returns the output distribution for an input; or an object with a method
        ``distribution``.  A distribution gives each outcome its probability: Fractions, floats as
        the decimals that were written, text such as "2/3", integers as counts, ``Exponentials`` as
        weights.  A column with an index has its labels for outcomes, and a frame of one row its
        columns.  Outcomes that Python holds equal are one outcome: 1, 1.0 and True, or 0.0 and
        -0.0; and one NaN is like another.
    epsilon, delta
        The guarantee; where no ε is given, the mechanism's own ``guarantee``.
    order
        The order of a Rényi guarantee.
    inputs
        A list of inputs, or ``Datasets``; a table of distributions knows its inputs.
    neighbours
        A relation, pairs of inputs, a function of two inputs, or "all"; the mechanism's own
        ``neighbours()`` or ``relation`` where nothing is given, else ``Substitute()``.  An input
        that is no tuple or list is a table of one row.
    effort
        Up to how many bits distributions that are known by enclosures only are refined.

    Returns
    -------
    Verdict
        Proved, refuted with a witness, or undecided; the least ε and δ that hold.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
    >>> print(sf.verify(survey, epsilon="ln(2)"))
    proved: ln(2)-DP holds on the one pair of neighbouring inputs
    the least ε is ln(2) = 0.69314718056
    between the inputs 'yes' and 'no'
    the output 'yes' has probability 2/3 on the first and 1/3 on the second
    """
    subject = read_subject(mechanism)
    worst = Worst(subject.claim(epsilon, delta, order))
    examiner = Examiner(subject.distribution, worst, read_count(effort, "effort"))
    pairs = subject.pairs(inputs, neighbours)
    listed = 0
    for first, second in pairs.pairs:
        examiner.examine(first, second)
        listed += 1
    if not listed:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no two of the inputs are neighbours",
            "give inputs or neighbours that make a pair",
        )
    covered = pairs.covered or listed
    return worst.verdict(pairs=covered, scope=pairs.scope(covered))
