"""Which column is the privacy unit: a guess by the names alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["likely_person"]

_PEOPLE = (
    "person|people|human|individual|patient|user|customer|client|member|subject|participant|"
    "respondent|employee|worker|student|pupil|learner|citizen|resident|inhabitant|household|family|"
    "donor|voter|taxpayer|subscriber|policyholder|passenger|guest|tenant|borrower|beneficiary"
)
_NUMBER = "id|uuid|guid|no|nr|num|number|key|code|ref|hash"
#: From what says most to what says least; the number of an event, such as visit_id, says nothing.
_SAYING = (
    re.compile(rf"({_PEOPLE})(_?({_NUMBER}))?"),
    re.compile(rf"(.*_)({_PEOPLE})(_?({_NUMBER}))?"),
    re.compile("id|uuid|guid|pid|ssn|mrn|nhs_(no|number)"),
)
_BETWEEN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def likely_person(names: Iterable[str]) -> str | None:
    """Return the name that says most that a column names a person; None if none says it."""
    listed = list(names)
    for pattern in _SAYING:
        for name in listed:
            if pattern.fullmatch(_BETWEEN.sub("_", name).strip("_").lower()):
                return name
    return None
