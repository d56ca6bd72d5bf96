"""Re-identification risk: how exposed people already are, and attacks that show it.

For the data owner: results are exact, not private, and their type says so.

The room itself can be called: ``sf.risk(...)`` is ``sfumato.risk.risk(...)``, and
``help(sfumato.risk.risk)`` describes it.
"""

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from sfumato.doors import CallableRoom, door
from sfumato.risk.exposure.assessment import risk

if TYPE_CHECKING:
    from sfumato.risk.attacks.differencing import Differencing, SmallGroup, difference
    from sfumato.risk.attacks.homogeneity import Homogeneity, HomogeneousClass, homogeneity
    from sfumato.risk.attacks.intersection import Intersection, KindOfPerson, intersect
    from sfumato.risk.attacks.linkage import Link, Linkage, link
    from sfumato.risk.attacks.reconstruction import Reconstruction, read_bits, reconstruct
    from sfumato.risk.attacks.scoreboard.attack import scoreboard
    from sfumato.risk.attacks.scoreboard.records import sparse_ratings
    from sfumato.risk.attacks.scoreboard.report import Candidate, Match, ScoreboardReport
    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes, k_anonymity
    from sfumato.risk.exposure.closeness import Closeness, t_closeness
    from sfumato.risk.exposure.combinations import Combination, Information
    from sfumato.risk.exposure.diversity import Diversity, l_diversity
    from sfumato.risk.exposure.exposure import Exposure
    from sfumato.risk.exposure.people import AtRisk
    from sfumato.risk.exposure.uniqueness import Uniqueness
    from sfumato.risk.generalising.anonymization import anonymize
    from sfumato.risk.generalising.anonymized import Anonymized
    from sfumato.risk.generalising.bands import bands, date_bands
    from sfumato.risk.generalising.categories import groups, prefixes, read_hierarchy, suppress
    from sfumato.risk.generalising.hierarchy import Hierarchy, Level
    from sfumato.risk.generalising.insensitive import Others
    from sfumato.risk.generalising.ladders import Odd
    from sfumato.risk.generalising.losses import Losses, Standing, StandingOfColumn
    from sfumato.risk.generalising.output import check_output
    from sfumato.risk.generalising.partition import Targets
    from sfumato.risk.generalising.recoding import Change
    from sfumato.risk.generalising.search import Search

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "attacks.differencing": "Differencing SmallGroup difference",
            "attacks.homogeneity": "Homogeneity HomogeneousClass homogeneity",
            "attacks.intersection": "Intersection KindOfPerson intersect",
            "attacks.linkage": "Link Linkage link",
            "attacks.reconstruction": "Reconstruction read_bits reconstruct",
            "attacks.scoreboard.attack": "scoreboard",
            "attacks.scoreboard.records": "sparse_ratings",
            "attacks.scoreboard.report": "Candidate Match ScoreboardReport",
            "exposure.attackers": "AttackerRisks Presence",
            "exposure.classes": "Classes k_anonymity",
            "exposure.closeness": "Closeness t_closeness",
            "exposure.combinations": "Combination Information",
            "exposure.diversity": "Diversity l_diversity",
            "exposure.exposure": "Exposure",
            "exposure.people": "AtRisk",
            "exposure.uniqueness": "Uniqueness",
            "generalising.anonymization": "anonymize",
            "generalising.anonymized": "Anonymized",
            "generalising.bands": "bands date_bands",
            "generalising.categories": "groups prefixes read_hierarchy suppress",
            "generalising.ladders": "Odd",
            "generalising.hierarchy": "Hierarchy Level",
            "generalising.losses": "Losses Standing StandingOfColumn",
            "generalising.insensitive": "Others",
            "generalising.output": "check_output",
            "generalising.partition": "Targets",
            "generalising.recoding": "Change",
            "generalising.search": "Search",
        },
    )

sys.modules[__name__].__class__ = CallableRoom
