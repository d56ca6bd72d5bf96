"""What is promised, and how promises add up. Draws no noise, sees no rows."""

from sfumato.privacy import events
from sfumato.privacy.accounting import Composition, compose
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.parameters import written
from sfumato.privacy.relation import AddRemove, Person, Relation, Row, Substitute, Unit

__all__ = [
    "AddRemove",
    "ApproxDP",
    "Composition",
    "GaussianDP",
    "Guarantee",
    "Person",
    "PrivacyProfile",
    "PureDP",
    "Relation",
    "RenyiDP",
    "Row",
    "Substitute",
    "Unit",
    "ZeroConcentratedDP",
    "compose",
    "events",
    "written",
]
