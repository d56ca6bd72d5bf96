"""What is promised, and how promises add up. Draws no noise, sees no rows."""

from sfumato.privacy.parameters import written
from sfumato.privacy.relation import AddRemove, Person, Relation, Row, Substitute, Unit

__all__ = [
    "AddRemove",
    "Person",
    "Relation",
    "Row",
    "Substitute",
    "Unit",
    "written",
]
