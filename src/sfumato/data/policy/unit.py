"""Whose presence is protected, against which change, and how much of one person counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

from sfumato.data.policy.columns import AUTO
from sfumato.data.policy.render import refusal
from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import AddRemove, Person, Relation, Row, Substitute
from sfumato.refusal import Argument, any_of, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable


#: The neighbouring relations by the names that a policy gives them.
CHANGES: dict[str, type[Relation]] = {"add_remove": AddRemove, "substitute": Substitute}

_ALLOWED = mark('the column of the person\'s id, or "row"')


def read_unit(given: Any) -> Row | Person | None:
    """Return the privacy unit, or None where it is left blank.

    Parameters
    ----------
    given
        The name of a column; "row"; or ``{column = "row"}`` for a column of that name.
    """
    if given is None or isinstance(given, Row):
        return given
    if isinstance(given, str):
        return None if given == "" else Row() if given == "row" else Person(given)
    column = given.get("column") if isinstance(given, Mapping) else getattr(given, "column", None)
    if not isinstance(column, str) or not column:
        raise refusal(given, what="unit", allowed=_ALLOWED, write='"patient_id"')
    return Person(column)


def no_unit(origin: str = "", column: str = "patient_id", known: str = "") -> InputError:
    """Return the error about a privacy unit that is not declared.

    Parameters
    ----------
    origin
        What errors call the policy file, if there is one.
    column
        A column to write, as an example.
    known
        The columns that there are, where the example is none of them.
    """
    return InputError(
        "E-UNIT-MISSING",
        "the privacy unit is not declared",
        "write {one}{where}, the column of the person's id, or {other} where each row is another "
        "person's{known}",
        one=Argument("unit", column),
        where=text(" in [table] of {origin}", origin=origin) if origin else "",
        other=Argument("unit", "row"),
        known=text(" (known: {names})", names=known) if known else "",
    )


def read_change(given: Any) -> str:
    """Return the name of the change that neighbours differ by."""
    for name, kind in CHANGES.items():
        if type(given) is kind:
            return name
    if not isinstance(given, str):
        raise refusal(given, what="relation", allowed=any_of(CHANGES), write='"add_remove"')
    name = given.replace("-", "_")
    if name not in CHANGES:
        raise UnknownNameError(kind="relation", name=given[:60], known=CHANGES)
    return name


_GREATEST = 10**9


@dataclass(frozen=True)
class Limits:
    """How much of one person counts; None where it is not declared.

    Parameters
    ----------
    rows
        The most rows of a person over all groups, or "auto" to choose it privately.
    groups
        The most groups that a person is in.
    rows_per_group
        The most rows of a person in one group.

    Notes
    -----
    Proof: :doc:`/proofs/contribution-bounding` and :doc:`/proofs/chosen-limits`.

    Examples
    --------
    >>> from sfumato.data.policy import Limits
    >>> Limits(rows=50, groups=5)
    Limits(rows=50, groups=5, rows_per_group=None)
    """

    rows: int | Literal["auto"] | None = None
    groups: int | None = None
    rows_per_group: int | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            given = getattr(self, each.name)
            if given is not None and not (each.name == "rows" and _is_auto(given)):
                object.__setattr__(self, each.name, _read_limit(given, each.name))

    def with_changes(self, changes: Limits) -> Limits:
        """Return these limits, with those that ``changes`` declares in their place.

        Examples
        --------
        >>> from sfumato.data.policy import Limits
        >>> Limits(rows=50, groups=5).with_changes(Limits(groups=2))
        Limits(rows=50, groups=2, rows_per_group=None)
        """
        declared = {each.name: getattr(changes, each.name) for each in fields(changes)}
        return replace(self, **{name: each for name, each in declared.items() if each is not None})

    @property
    def are_declared(self) -> bool:
        """Whether any is declared.

        Examples
        --------
        >>> from sfumato.data.policy import Limits
        >>> Limits().are_declared, Limits(rows=1).are_declared
        (False, True)
        """
        return self != Limits()


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == AUTO


def _read_limit(value: Any, name: str) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not 1 <= value <= _GREATEST:
        allowed = text("a whole number from 1 to {greatest:,}", greatest=_GREATEST)
        if name == "rows":
            allowed = text('{whole}, or "auto"', whole=allowed)
        raise refusal(value, what=Argument(name), allowed=allowed, write="5")
    return int(value)


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
