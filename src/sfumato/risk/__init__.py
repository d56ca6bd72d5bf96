"""Re-identification risk: how exposed people already are, and attacks that show it.

For the data owner: results are exact, not private, and their type says so.

The room itself can be called: ``sf.risk(...)`` is ``sfumato.risk.risk(...)``, and
``help(sfumato.risk.risk)`` describes it.
"""

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.risk.exposure.assessing import risk

if TYPE_CHECKING:
    from sfumato.risk.attacks.differencing import difference
    from sfumato.risk.attacks.differencing_report import Differencing, SmallGroup
    from sfumato.risk.attacks.homogeneity import homogeneity
    from sfumato.risk.attacks.homogeneity_report import Homogeneity, HomogeneousClass
    from sfumato.risk.attacks.intersection import intersect
    from sfumato.risk.attacks.intersection_report import Intersection, KindOfPerson
    from sfumato.risk.attacks.linkage import link
    from sfumato.risk.attacks.linkage_report import Link, Linkage
    from sfumato.risk.attacks.reconstruction import Reconstruction, reconstruct
    from sfumato.risk.attacks.scoreboard import (
        Candidate,
        Match,
        ScoreboardReport,
        scoreboard,
        sparse_ratings,
    )
    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes, k_anonymity
    from sfumato.risk.exposure.closeness import Closeness, t_closeness
    from sfumato.risk.exposure.combinations import Combination
    from sfumato.risk.exposure.diversity import Diversity, l_diversity
    from sfumato.risk.exposure.exposure import Exposure
    from sfumato.risk.exposure.informing import Information
    from sfumato.risk.exposure.people import AtRisk
    from sfumato.risk.exposure.uniqueness import Uniqueness
    from sfumato.risk.generalising.anonymized import Anonymized
    from sfumato.risk.generalising.anonymizing import anonymize
    from sfumato.risk.generalising.bands import bands, date_bands
    from sfumato.risk.generalising.categories import groups, prefixes, suppress
    from sfumato.risk.generalising.changes import Change, Others
    from sfumato.risk.generalising.hierarchy import Hierarchy, Level
    from sfumato.risk.generalising.listed import read_hierarchy
    from sfumato.risk.generalising.losses import Losses
    from sfumato.risk.generalising.odd import Odd
    from sfumato.risk.generalising.searching import Search
    from sfumato.risk.generalising.standing import Standing, StandingOfColumn
    from sfumato.risk.generalising.targets import Targets

__all__ = [
    "Anonymized",
    "AtRisk",
    "AttackerRisks",
    "Candidate",
    "Change",
    "Classes",
    "Closeness",
    "Combination",
    "Differencing",
    "Diversity",
    "Exposure",
    "Hierarchy",
    "Homogeneity",
    "HomogeneousClass",
    "Information",
    "Intersection",
    "KindOfPerson",
    "Level",
    "Link",
    "Linkage",
    "Losses",
    "Match",
    "Odd",
    "Others",
    "Presence",
    "Reconstruction",
    "ScoreboardReport",
    "Search",
    "SmallGroup",
    "Standing",
    "StandingOfColumn",
    "Targets",
    "Uniqueness",
    "anonymize",
    "bands",
    "date_bands",
    "difference",
    "groups",
    "homogeneity",
    "intersect",
    "k_anonymity",
    "l_diversity",
    "link",
    "prefixes",
    "read_hierarchy",
    "reconstruct",
    "risk",
    "scoreboard",
    "sparse_ratings",
    "suppress",
    "t_closeness",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "attacks.differencing": "difference",
        "attacks.differencing_report": "Differencing SmallGroup",
        "attacks.homogeneity": "homogeneity",
        "attacks.homogeneity_report": "Homogeneity HomogeneousClass",
        "attacks.intersection": "intersect",
        "attacks.intersection_report": "Intersection KindOfPerson",
        "attacks.linkage": "link",
        "attacks.linkage_report": "Link Linkage",
        "attacks.reconstruction": "Reconstruction reconstruct",
        "attacks.scoreboard": "Candidate Match ScoreboardReport scoreboard sparse_ratings",
        "exposure.attackers": "AttackerRisks Presence",
        "exposure.classes": "Classes k_anonymity",
        "exposure.closeness": "Closeness t_closeness",
        "exposure.combinations": "Combination",
        "exposure.diversity": "Diversity l_diversity",
        "exposure.exposure": "Exposure",
        "exposure.informing": "Information",
        "exposure.people": "AtRisk",
        "exposure.uniqueness": "Uniqueness",
        "generalising.anonymized": "Anonymized",
        "generalising.anonymizing": "anonymize",
        "generalising.bands": "bands date_bands",
        "generalising.categories": "groups prefixes suppress",
        "generalising.changes": "Change Others",
        "generalising.hierarchy": "Hierarchy Level",
        "generalising.listed": "read_hierarchy",
        "generalising.losses": "Losses",
        "generalising.odd": "Odd",
        "generalising.searching": "Search",
        "generalising.standing": "Standing StandingOfColumn",
        "generalising.targets": "Targets",
    },
)


class _Room(ModuleType):
    """A package and its foremost function have one name, so the package answers for both."""

    __call__ = staticmethod(risk)


sys.modules[__name__].__class__ = _Room
__signature__ = inspect.signature(risk)
