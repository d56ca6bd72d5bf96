"""Guarantees as JSON documents whose meaning never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.documents import check_fields, check_known, check_version
from sfumato.errors import InputError, at
from sfumato.numeric import shown
from sfumato.privacy.events import fields
from sfumato.privacy.guarantees.gaussian import GaussianDP
from sfumato.privacy.guarantees.pointwise import ApproxDP, PureDP
from sfumato.privacy.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from sfumato.privacy.relation import AddRemove, Person, Relation, Row, Substitute, Unit
from sfumato.refusal import Argument, any_of
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.privacy.guarantees.base import Guarantee


_VERSION = 1
_RELATION_FORM = '{"relation": "add_remove", "count": 1, "unit": "row"}'
_FORM = f'{{"version": 1, "guarantee": "pure", "epsilon": "1", "relation": {_RELATION_FORM}}}'

#: Each kind by its name in documents, with the numbers it is made of and where it keeps them.
_KINDS: dict[str, tuple[Any, dict[str, str]]] = {
    "pure": (PureDP, {"epsilon": "exact_epsilon"}),
    "approximate": (ApproxDP, {"epsilon": "exact_epsilon", "delta": "exact_delta"}),
    "zero_concentrated": (ZeroConcentratedDP, {"rho": "exact_rho"}),
    "gaussian": (GaussianDP, {"mu": "exact_mu"}),
    "renyi": (RenyiDP, {"curve": "curve"}),
}
_RELATIONS: dict[str, type[Relation]] = {"add_remove": AddRemove, "substitute": Substitute}
_UNITS: dict[str, type[Unit]] = {"row": Row, "person": Person}


def to_document(guarantee: Guarantee) -> dict[str, Any]:
    """Return a guarantee, with its relation and unit, as a JSON object, numbers exactly.

    Parameters
    ----------
    guarantee
        Pure, approximate, zero-concentrated, Gaussian or Rényi privacy at listed orders.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, guarantee_to_document
    >>> document = guarantee_to_document(PureDP(epsilon=0.1))
    >>> document["guarantee"], document["epsilon"], document["relation"]
    ('pure', '0.1', {'relation': 'add_remove', 'count': 1, 'unit': 'row'})
    """
    name = _name(guarantee, {name: kind for name, (kind, _) in _KINDS.items()})
    kept = _KINDS[name][1]
    numbers = {each: _stored(getattr(guarantee, kept[each])) for each in kept}
    head = {"version": _VERSION, "guarantee": name}
    return head | numbers | {"relation": _relation_entry(guarantee.relation)}


def from_document(document: dict[str, Any]) -> Guarantee:
    """Return the guarantee of a JSON object.

    Parameters
    ----------
    document
        What ``guarantee_to_document`` returned, or a person wrote in the same form.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, guarantee_from_document, guarantee_to_document
    >>> document = guarantee_to_document(PureDP(epsilon=0.1))
    >>> print(guarantee_from_document(document))
    0.1-DP (add or remove one row)
    """
    check_version(document, _VERSION, _FORM)
    name = _known(document.get("guarantee"), "guarantee", _KINDS, _FORM)
    kind, kept = _KINDS[name]
    place = tr("the guarantee ({name})", name=name)
    check_fields(document, ("version", "guarantee", *kept, "relation"), place)
    relation = _relation(document["relation"])
    with at(place):
        numbers = {each: fields.as_number(document[each], each) for each in kept}
        made: Guarantee = kind(**numbers, relation=relation)
    return made


def _stored(value: Any) -> Any:
    if callable(value):
        raise InputError(
            "E-DOCUMENT-FORM",
            "a document holds Rényi bounds at orders that are listed, not a function",
            "write RenyiDP({{8: 0.5}}), say",
        )
    return fields.stored(value)


def _relation_entry(relation: Relation) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "relation": _name(relation, _RELATIONS),
        "count": fields.count(relation.count, "count"),
        "unit": _name(relation.unit, _UNITS),
    }
    if isinstance(relation.unit, Person):
        entry["column"] = _read_column(relation.unit.column)
    return entry


def _name(value: Any, kinds: dict[str, Any]) -> str:
    for name, kind in kinds.items():
        if type(value) is kind:
            return name
    known = any_of(kind.__name__ for kind in kinds.values())
    raise InputError(
        "E-DOCUMENT-FORM",
        "a document holds {known}, not {value}",
        "write one of these",
        known=known,
        value=shown(value),
    )


def _relation(entry: Any) -> Relation:
    if not isinstance(entry, dict):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{relation} must be an object, not {entry}",
            "write {relation_form}",
            entry=shown(entry),
            relation_form=_RELATION_FORM,
            relation=Argument("relation"),
        )
    relation = _known(entry.get("relation"), "relation", _RELATIONS, _RELATION_FORM)
    unit = _known(entry.get("unit"), "unit", _UNITS, _RELATION_FORM)
    own = ("column",) if unit == "person" else ()
    check_fields(entry, ("relation", "count", "unit", *own), mark("the relation"))
    made = Person(_read_column(entry["column"])) if own else Row()
    return _RELATIONS[relation](fields.count(entry["count"], "count"), made)


def _read_column(column: Any) -> str | None:
    if column is not None and not isinstance(column, str):
        raise InputError(
            "E-DOCUMENT-FORM",
            "column must be a name or null, not {column}",
            'write "patient_id", say',
            column=shown(column),
        )
    return column


def _known(name: Any, what: str, names: dict[str, Any], form: str) -> str:
    """Return a name if it is one of those that documents have."""
    if not isinstance(name, str):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{what} must be a name, not {name}",
            "write {form}",
            what=what,
            name=shown(name),
            form=form,
        )
    check_known([name], names, what)
    return name
