"""How exposed are people already, and attacks that show it.

For the data owner: results are exact, not private, and their type says so.
"""

from sfumato.risk.attacks.intersection import intersect
from sfumato.risk.attacks.intersection_report import Intersection, KindOfPerson
from sfumato.risk.attacks.linkage import link
from sfumato.risk.attacks.linkage_report import Link, Linkage

__all__ = [
    "Intersection",
    "KindOfPerson",
    "Link",
    "Linkage",
    "intersect",
    "link",
]
