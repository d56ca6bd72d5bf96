"""Checking a certificate: all that can be derived is derived and compared; the verdict says it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from typing import Any

from sfumato.audit.certificate.answers import check_answers, derived_rows
from sfumato.audit.certificate.document import (
    DocumentPart,
    StatedContent,
    read_content,
    read_document,
    refute,
)
from sfumato.audit.certificate.noise import keeps
from sfumato.audit.certificate.question import AskedAggregate, known_columns, read_asked
from sfumato.audit.certificate.setting import (
    DeclaredTable,
    QuestionSetting,
    check_person,
    check_types,
    in_order,
    public_groups,
    read_declared,
)
from sfumato.audit.certificate.steps import Taken, read_steps
from sfumato.errors import InputError
from sfumato.privacy import (
    VERSION,
    Guarantee,
    Person,
    guarantee_from_document,
    guarantee_to_document,
)
from sfumato.privacy.events import Composed, Event
from sfumato.translation import mark, tr

#: Steps whose noise was derived; others choose, or are answered by a function.
_NOISY = ("measure", "count_bins", "find_bounds", "choose_limit")
#: Aggregates whose confidence intervals were derived again.
_BARS = (
    *("count", "people", "sum", "mean", "histogram"),
    *("quantiles", "minimum", "maximum", "top_k"),
)
_FIELDS = (
    *("kind", "version", "query", "policy", "policy_digest", "steps", "made_of", "event"),
    *("guarantee", "content", "seeded", "answers", "caveats", "receipt", "signer", "signature"),
)
#: That of the confidence intervals.
_CONFIDENCE = Fraction(19, 20)
_AMOUNTS = ("epsilon", "delta", "rho", "mu", "curve")


@dataclass(frozen=True)
class CertificateVerdict:
    """What is known of a certificate after it was derived again.

    Attributes
    ----------
    problem
        The first thing that does not hold, in a sentence; empty if all of it does.
    proved, trusted, again
        What was proved, what is taken on trust, and what would have to be done again to know
        more, in sentences.
    guarantee
        What is guaranteed, if that could be read.
    event
        What is charged for all of it, if that could be read.

    Examples
    --------
    >>> from sfumato.audit.certificate import check_certificate
    >>> check_certificate("{}").problem
    'the text is not a certificate of sfumato; give what --certificate or certificate.save wrote'
    """

    problem: str = ""
    proved: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    guarantee: Guarantee | None = field(default=None, repr=False)
    event: Event | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        """Tell whether nothing was found wrong."""
        return self.holds

    @property
    def holds(self) -> bool:
        """Whether nothing was found wrong.

        Examples
        --------
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> CertificateVerdict().holds
        True
        """
        return not self.problem


def certificate_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the certificates that this program writes.

    Examples
    --------
    >>> from sfumato.audit.certificate import certificate_schema
    >>> certificate_schema()["title"]
    'sfumato certificate, version 1'
    """
    file = files(__package__).joinpath(f"certificate-{VERSION}.schema.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def proved(
    guarantee: Guarantee, steps: list[Taken], how: str, asked: list[AskedAggregate]
) -> tuple[str, ...]:
    """Return what was derived again and is as it is stated."""
    count = len([each for each in steps if each.event is not None])
    several = (
        tr("each of {count} private steps", count=count)
        if count > 1
        else tr("the one private step")
    )
    names = ", ".join(each.name for each in asked)
    return (
        tr(
            "the sensitivity of {several} under “{relation}”, as it is claimed",
            several=several,
            relation=guarantee.relation,
        ),
        *_hidden(steps, several),
        tr("{guarantee} for all of it: {how}", guarantee=guarantee, how=how),
        tr(
            "that the answer ({names}) is made of what was measured for it, and all of that "
            "is there",
            names=names,
        ),
        tr("that the values follow from what was released"),
    )


def _hidden(steps: list[Taken], several: str) -> tuple[str, ...]:
    """Return what is known of the noise of steps that have some."""
    charged = [each.kind in _NOISY for each in steps if each.event is not None]
    if not any(charged):
        return ()
    which = several if all(charged) else tr("{charged} of them", charged=sum(charged))
    return (
        tr("that the noise scale of {which} is enough for the cost that is charged", which=which),
    )


def trusted(
    setting: QuestionSetting, steps: list[Taken], asked: list[AskedAggregate], query: DocumentPart
) -> tuple[str, ...]:
    """Return what nobody can see in a certificate."""
    person = setting.declared.person
    found = [
        tr("that the noise was drawn at random, and nobody knows it"),
        tr(
            "that the engine read the right rows, once, and added them up, {person} "
            "identifying people, nobody over a contribution limit",
            person=person,
        )
        if person
        else tr("that the engine read the right rows, once, and added them up"),
    ]
    if query["steps"].value:
        found.append(tr("that rows were filtered, derived and joined as the query says"))
    found.append(
        tr("that what is declared (bounds, groups, contribution limits) was known without the rows")
    )
    if any(each.kind not in (*_NOISY, "sample") for each in steps):
        found.append(tr("that choices had the probabilities of their mechanisms, at their cost"))
    functions = ", ".join(each.name for each in asked if each.kind == "sample_aggregate")
    if functions:
        found.append(
            tr(
                "that {functions} is what the function of the given digest says of blocks of "
                "people, between its bounds, with the noise or the probabilities that are charged",
                functions=functions,
            )
        )
    others = ", ".join(each.name for each in asked if each.kind not in _BARS)
    if others:
        found.append(tr("that the confidence intervals of {others} are wide enough", others=others))
    found.append(tr("that the sentences below the answer are true, and none is missing"))
    return tuple(found)


def again(setting: QuestionSetting) -> tuple[str, ...]:
    """Return what would have to be done again to know more, and with what."""
    left_out = (
        ""
        if setting.declared.person is None
        else tr(", but for what a contribution limit leaves out")
    )
    return (
        tr(
            "the query, on the same rows: it is charged again, and both answers should agree "
            "within their confidence intervals"
        ),
        tr(
            "the exact answer, by whoever holds the rows: within the confidence "
            "intervals{left_out}",
            left_out=left_out,
        ),
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
    whole = DocumentPart(document, mark("the certificate")).record(*_FIELDS)
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
    setting = QuestionSetting(declared, columns, None if groups is None else len(groups), content)
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


def _at(part: DocumentPart, name: str) -> DocumentPart:
    """Return a part under the name that sentences have for it."""
    return DocumentPart(part.value, name)


def _declared(whole: DocumentPart) -> DeclaredTable:
    """Return what is declared, once the digest of the policy is that of its document."""
    policy = _at(whole["policy"], "policy")
    written = json.dumps(policy.value, sort_keys=True, separators=(",", ":"))
    if hashlib.sha256(written.encode()).hexdigest() != whole["policy_digest"].text():
        refute("policy_digest is not the digest of the policy")
    return read_declared(policy)


def _guarantee(whole: DocumentPart) -> Guarantee:
    given = whole["guarantee"].record("version", "guarantee", "relation", optional=_AMOUNTS)
    found = guarantee_from_document(given.value)
    if guarantee_to_document(found) != given.value:
        refute("guarantee is not written as sfumato writes it")
    return found


def _check_relation(declared: DeclaredTable, guarantee: Guarantee) -> None:
    """Check that the guarantee is about the change, and the unit, that were declared."""
    relation = guarantee_to_document(guarantee)["relation"]
    unit = guarantee.relation.unit
    person = unit.column if isinstance(unit, Person) else None
    said = (relation["relation"], relation["count"], relation["unit"], person)
    kind = "row" if declared.person is None else "person"
    if said != (declared.relation, 1, kind, declared.person):
        refute("guarantee is for another change than the policy declares")


def _check_groups(
    groups: list[tuple[Any, ...]] | None, content: StatedContent, steps: list[Taken]
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


def _check_event(part: DocumentPart, steps: list[Taken]) -> Event:
    """Check that what is charged is all steps together, and nothing else."""
    event = part.event()
    each = [step.event for step in steps if step.event is not None]
    if not each or event != (each[0] if len(each) == 1 else Composed(*each)):
        refute("event is not that of all steps together")
    return event


def _check_rest(whole: DocumentPart, content: StatedContent) -> None:
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
