"""Mechanisms whose output probabilities stand in a file, judged exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.application.mechanism_tables import read_mechanism
from sfumato.application.relations import named_relation
from sfumato.audit import verify
from sfumato.privacy import AddRemove, Relation
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from os import PathLike

    from sfumato.audit import Verdict
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["verify_table"]

_ALL = "all"
_COUNTS = mark("the entries were read as counts, and each line divided by its sum")


def verify_table(
    source: str | PathLike[str],
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    order: NumberLike | None = None,
    relation: Relation | str | None = None,
) -> Verdict:
    """Decide exactly whether a table of output probabilities keeps a guarantee.

    Parameters
    ----------
    source
        A CSV file: one line an input, one column an output; or one line a probability, under
        ``input,output,probability``.  Probabilities are written as 0.25 or 1/4, counts as whole
        numbers.  An input of several rows has ``;`` between them.
    epsilon, delta, order
        The claim: pure or (ε, δ), or Rényi at an order.
    relation
        Which inputs are neighbours: "substitute" (the default), "add-remove", "all", or a
        relation.
    """
    neighbours: Any = "all" if relation == _ALL else named_relation(relation, _ALL)
    table = read_mechanism(source, tables=isinstance(neighbours, AddRemove))
    verdict = verify(
        table.distributions, epsilon=epsilon, delta=delta, order=order, neighbours=neighbours
    )
    return replace(verdict, note=tr(_COUNTS)) if table.counts else verdict
