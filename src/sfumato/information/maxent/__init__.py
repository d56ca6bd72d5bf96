"""The distribution of greatest entropy under linear constraints."""

from sfumato.information.maxent.constraints import Marginal, Moment, marginal, moment
from sfumato.information.maxent.result import MaximumEntropy
from sfumato.information.maxent.solve import maximum_entropy

__all__ = ["Marginal", "MaximumEntropy", "Moment", "marginal", "maximum_entropy", "moment"]
