"""Finite distributions beside each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.bars import MOST, chance_bars
from sfumato.charts.parts.lines import named_lines
from sfumato.charts.parts.style import finished, in_bits, in_figures
from sfumato.errors import InputError
from sfumato.information import Distribution, entropy, max_divergence, statistical_distance
from sfumato.numeric import digits_above, shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.printing import Chart


def distributions(named: Mapping[str, Any]) -> Chart:
    """Draw finite distributions over the same outcomes beside each other.

    Parameters
    ----------
    named
        Distributions by their names: probabilities or counts.  An outcome that one of them does
        not name has probability 0 there.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = {"yes": {"yes": 2, "no": 1}, "no": {"yes": 1, "no": 2}}
    >>> sf.charts.distributions(survey).to_dict()["title"]["text"]
    ['no outcome is more than 2 times as likely under one as under another']
    """
    read = _read(named)
    said, (first, *_) = _said(list(read.values())), read.values()
    ranked = sorted(range(len(first)), key=lambda at: -_most(read, at))
    kept = sorted(ranked[:MOST])
    chances = {name: [float(each.probabilities[at]) for at in kept] for name, each in read.items()}
    labels = [first.labels[at] for at in kept]
    drawn, height = chance_bars(labels, chances, x=tr("probability"), y=_title(len(first)))
    return finished(drawn, *said, height=height)


def _most(read: Mapping[str, Distribution], at: int) -> float:
    return max(float(each.probabilities[at]) for each in read.values())


def _title(count: int) -> str:
    return (
        tr("outcome")
        if count <= MOST
        else tr("outcome: the {most} likeliest of {count:,}", most=MOST, count=count)
    )


def _said(read: Sequence[Distribution]) -> list[str]:
    """Return how uncertain one is, or how far several are apart."""
    if len(read) == 1:
        most = in_bits(entropy([1] * len(read[0])))
        bits = in_bits(entropy(read[0]))
        return [tr("an entropy of {bits}, of at most {most}", bits=bits, most=most)]
    both = list(permutations(read, 2))
    apart = max(max_divergence(p, q) for p, q in both)
    far = max(float(statistical_distance(p, q)) for p, q in both)
    distance = tr("statistical distance {far}", far=in_figures(far))
    if apart == math.inf:
        return [tr("an outcome is possible under one and impossible under another"), distance]
    times = digits_above(math.exp(apart), 4)
    title = tr(
        "no outcome is more than {times} times as likely under one as under another", times=times
    )
    return [title, tr("max divergence {apart} nats", apart=in_figures(apart)), distance]


def _read(named: Any) -> dict[str, Distribution]:
    """Return distributions by the names of their bars, over one list of outcomes."""
    if not isinstance(named, Mapping) or not named:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "give distributions by their names, such as {{'p': [1, 3], 'q': [1, 1]}}, not {named}",
            named=shown(named),
        )
    read = [Distribution(each, name=str(name)) for name, each in named.items()]
    if all(each.is_labelled for each in read):
        labels = tuple(dict.fromkeys(label for each in read for label in each.labels))
        read = [each.over(labels) for each in read]
    return dict(zip(named_lines(list(named)), read, strict=True))
