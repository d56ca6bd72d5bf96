"""The distribution of greatest entropy under linear constraints."""

from sfumato.information.maxent.constraints import Marginal, Moment, marginal, moment
from sfumato.information.maxent.solution import MaximumEntropy, maximum_entropy

__all__ = ["Marginal", "MaximumEntropy", "Moment", "marginal", "maximum_entropy", "moment"]
