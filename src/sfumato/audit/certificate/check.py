"""Checking a certificate: everything in it that can be derived is derived, and compared."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.answers import check_answers, derived_rows
from sfumato.audit.certificate.asked import read_asked
from sfumato.audit.certificate.content import read_content
from sfumato.audit.certificate.costs import keeps
from sfumato.audit.certificate.parts import Part, refute
from sfumato.audit.certificate.reading import read_document
from sfumato.audit.certificate.rows import known_columns
from sfumato.audit.certificate.setting import (
    Setting,
    check_person,
    check_types,
    in_order,
    public_groups,
    read_declared,
)
from sfumato.audit.certificate.steps import read_steps
from sfumato.audit.certificate.verdict import CertificateVerdict
from sfumato.audit.certificate.wording import again, proved, trusted
from sfumato.errors import InputError
from sfumato.privacy import Person, guarantee_from_document, guarantee_to_document
from sfumato.privacy.events import Composed
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.audit.certificate.content import Content
    from sfumato.audit.certificate.setting import Declared
    from sfumato.audit.certificate.taken import Taken
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event

__all__ = ["check_certificate"]

_FIELDS = (
    *("kind", "version", "query", "policy", "policy_digest", "steps", "made_of", "event"),
    *("guarantee", "content", "seeded", "answers", "caveats", "receipt", "signer", "signature"),
)


def check_certificate(text: str) -> CertificateVerdict:
    """Derive what a certificate says from what was declared and asked, and compare.

    The signature and the ledger's receipt are not looked at: a lie that is signed is a lie.

    Parameters
    ----------
    text
        What ``Certificate.to_json`` wrote.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest.mock import patch
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> from sfumato.audit.certificate import check_certificate
    >>> answer = sf.table(pd.DataFrame({"age": [61]}), unit="row").agg(n=sf.count())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, {"SFUMATO_SIGNING_KEY": f"{folder}/key.pem"}):
    ...         text = answer.release(epsilon=1).certificate.to_json()
    >>> check_certificate(text).holds
    True
    >>> print(check_certificate(text.replace('"epsilon": "1"', '"epsilon": "0.5"')).problem)
    the steps together do not keep 0.5-DP (add or remove one row)
    """
    try:
        return _checked(read_document(text))
    except InputError as error:
        return CertificateVerdict(str(error))
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return CertificateVerdict(mark("the certificate says something that cannot be computed"))


def _checked(document: dict[str, Any]) -> CertificateVerdict:
    whole = Part(document, mark("the certificate")).record(*_FIELDS)
    query = whole["query"].record("columns", "steps", "keys", "aggregates", "after")
    declared, guarantee = _declared(whole), _guarantee(whole)
    _check_relation(declared, guarantee)
    content = read_content(whole["content"].text())
    columns = known_columns(
        _at(query["columns"], "query.columns"),
        _at(query["steps"], "query.steps"),
        _at(whole["policy"], "policy"),
    )
    check_person(declared, query["columns"])
    keys = [each.text() for each in query["keys"].list()]
    groups = public_groups(keys, columns, whole["policy"]["keysets"])
    setting = Setting(declared, columns, None if groups is None else len(groups), content)
    steps = read_steps(_at(whole["steps"], "steps"), setting)
    check_types(keys, columns, content.keys)
    _check_groups(groups, content, steps)
    event = _check_event(_at(whole["event"], "event"), steps)
    how = keeps(guarantee, [each.event for each in steps if each.event is not None])
    asked = read_asked(_at(query, "query"), steps, setting)
    answers = _at(whole["answers"], "answers")
    made_of = _at(whole["made_of"], "made_of")
    rows = derived_rows(asked, made_of, steps, setting, answers["confidence"].fraction())
    check_answers(answers, query, asked, rows, setting)
    _check_rest(whole, content)
    return CertificateVerdict(
        "",
        proved(guarantee, steps, how, asked),
        trusted(setting, steps, asked, query),
        again(setting),
        guarantee,
        event,
    )


def _at(part: Part, name: str) -> Part:
    """Return a part under the name that sentences have for it."""
    return Part(part.value, name)


def _declared(whole: Part) -> Declared:
    """Return what is declared, once the digest of the policy is that of its document."""
    policy = _at(whole["policy"], "policy")
    written = json.dumps(policy.value, sort_keys=True, separators=(",", ":"))
    if hashlib.sha256(written.encode()).hexdigest() != whole["policy_digest"].text():
        refute("policy_digest is not the digest of the policy")
    return read_declared(policy)


def _guarantee(whole: Part) -> Guarantee:
    given = whole["guarantee"].record("version", "guarantee", "relation", optional=_AMOUNTS)
    found = guarantee_from_document(given.value)
    if guarantee_to_document(found) != given.value:
        refute("guarantee is not written as sfumato writes it")
    return found


#: That of the confidence intervals.
_CONFIDENCE = Fraction(19, 20)
_AMOUNTS = ("epsilon", "delta", "rho", "mu", "curve")


def _check_relation(declared: Declared, guarantee: Guarantee) -> None:
    """Check that the guarantee is about the change, and the unit, that were declared."""
    relation = guarantee_to_document(guarantee)["relation"]
    unit = guarantee.relation.unit
    person = unit.column if isinstance(unit, Person) else None
    said = (relation["relation"], relation["count"], relation["unit"], person)
    kind = "row" if declared.person is None else "person"
    if said != (declared.relation, 1, kind, declared.person):
        refute("guarantee is for another change than the policy declares")


def _check_groups(
    groups: list[tuple[Any, ...]] | None, content: Content, steps: list[Taken]
) -> None:
    """Check that the groups are all that are public, or were found at a cost."""
    finds = any(each.kind == "find_keys" for each in steps)
    if finds == (groups is not None):
        refute("groups are public and were found, or neither")
    expected = in_order(list(content.keys)) if groups is None else groups
    if list(content.keys) != expected or len(set(content.keys)) < len(content.keys):
        refute(
            mark("the groups of the content are not those that are public, each once and in order")
        )


def _check_event(part: Part, steps: list[Taken]) -> Event:
    """Check that what is charged is all steps together, and nothing else."""
    event = part.event()
    each = [step.event for step in steps if step.event is not None]
    if not each or event != (each[0] if len(each) == 1 else Composed(*each)):
        refute("event is not that of all steps together")
    return event


def _check_rest(whole: Part, content: Content) -> None:
    if whole["seeded"].flag() != content.seeded:
        refute("seeded is not what the content says")
    if content.seeded:
        refute("the noise was drawn from a seed, so that this answer is NOT PRIVATE")
    if whole["answers"]["confidence"].fraction() != _CONFIDENCE:
        refute("answers.confidence is not 0.95, which confidence intervals are made for")
    if whole.get("receipt") is not None:
        whole["receipt"].record("version", "kind", "entries", "signer", "signature")
    for each in whole["caveats"].list():
        each.text()
    whole["signer"].text()
    whole["signature"].text()
