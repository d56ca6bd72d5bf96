"""Reports in arrays, summed into tallies: which choices they support, and how many do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.survey.client.protocols import Hadamard, Hashing, Response
from sfumato.survey.client.questions import NumberQuestion
from sfumato.survey.collector.hashes import hashing_counts, hashing_supports
from sfumato.survey.collector.sums import blocks, column_sums, counted, joint_sums, walsh
from sfumato.survey.collector.tally import PairTally, Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion, Question

    Reports = NDArray[Any]
    Weights = NDArray[np.int64]

__all__ = ["pair_tally_of", "support_matrix", "tally_of"]


def tally_of(question: Question, reports: Reports, weights: Weights | None = None) -> Tally:
    """Return the tally of many reports on one question.

    Parameters
    ----------
    question
        What was asked.
    reports
        Possible reports, in the form that ``parse`` and ``randomize_many`` give them.
    weights
        How many people sent each of the reports; one each, unless said otherwise.
    """
    people = len(reports) if weights is None else int(weights.sum())
    return Tally(people, _counts(question, reports, weights))


def pair_tally_of(
    first: ChoiceQuestion,
    first_reports: Reports,
    second: ChoiceQuestion,
    second_reports: Reports,
    weights: Weights | None = None,
) -> PairTally:
    """Return the joint tally of the reports of the same people on two questions."""
    both = np.zeros((len(first.choices), len(second.choices)), dtype=np.int64)
    for part in blocks(len(first_reports), sum(both.shape)):
        rows = support_matrix(first, first_reports[part])
        columns = support_matrix(second, second_reports[part])
        both += joint_sums(rows, columns, None if weights is None else weights[part])
    one, two = tally_of(first, first_reports, weights), tally_of(second, second_reports, weights)
    return PairTally(one.people, both, one.counts, two.counts)


def support_matrix(question: ChoiceQuestion, reports: Reports) -> NDArray[np.uint8]:
    """Return for each report, in its row, which choices it supports."""
    protocol, choices = question.protocol, np.arange(len(question.choices))
    if isinstance(protocol, Response):
        supports = reports[:, None] == choices
    elif isinstance(protocol, Hadamard):
        supports = np.bitwise_count(reports[:, None] & (choices + 1)) & 1 == 0
    elif isinstance(protocol, Hashing):
        supports = hashing_supports(protocol, reports)
    else:
        return reports
    return np.asarray(supports).view(np.uint8)


def _counts(question: Question, reports: Reports, weights: Weights | None) -> NDArray[np.int64]:
    protocol = question.protocol
    if isinstance(question, NumberQuestion):
        return counted(reports, question.protocol.marks, weights)
    if isinstance(protocol, Response):
        return counted(reports, protocol.choices, weights)
    if isinstance(protocol, Hadamard):
        sums = walsh(counted(reports, protocol.order, weights))
        return np.asarray((sums[0] + sums[1 : protocol.choices + 1]) // 2)
    if isinstance(protocol, Hashing):
        return hashing_counts(protocol, reports, weights)
    return column_sums(reports, weights)
