"""A certificate: a release that a stranger can check again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import digest
from sfumato.data.policy import document as policy_document
from sfumato.errors import InputError
from sfumato.ledger import Signer, fingerprint_of
from sfumato.privacy import (
    KIND,
    VERSION,
    certificate_text,
    guarantee_from_document,
    guarantee_to_document,
    signed_message,
)
from sfumato.privacy.events import plain
from sfumato.tables.certificate.question import query_document
from sfumato.tables.certificate.steps import StepsTaken, event_document
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.release.answer import ReleasedContent, written_value
from sfumato.translation import in_english, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from sfumato.ledger import Receipt
    from sfumato.tables.plan.plan import Plan


@dataclass(frozen=True, repr=False)
class Certificate:
    """What was asked, done, guaranteed and released, signed: ``sfumato check`` derives it again.

    Nothing in it is private: it holds what was declared, what was asked, and what was released.

    Attributes
    ----------
    document
        All of it, as JSON has it.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, guarantee_to_document
    >>> from sfumato.tables.certificate.certificate import Certificate
    >>> guarantee = guarantee_to_document(PureDP(epsilon=1))
    >>> print(Certificate(
    ...     {"guarantee": guarantee, "steps": [{}], "seeded": False, "receipt": None,
    ...      "signer": "00" * 32}
    ... ))
    certificate: 1-DP (add or remove one row)
    1 private step, on no ledger, signed by ed25519:66687aadf862bd77
    check it with: sfumato check FILE
    """

    document: dict[str, Any]

    def to_json(self) -> str:
        r"""Return the one text of the certificate, of which no byte may change.

        Examples
        --------
        >>> from sfumato.tables.certificate.certificate import Certificate
        >>> Certificate({"version": 1}).to_json()
        '{\n  "version": 1\n}\n'
        """
        return certificate_text(self.document)

    def save(self, path: str | Path) -> None:
        """Write the certificate to a new file.

        Examples
        --------
        >>> from sfumato.tables.certificate.certificate import Certificate
        >>> Certificate({"version": 1}).save("examples/patients.csv")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: 'examples/patients.csv' is there already; name a new file for \
the certificate
        """
        try:
            with Path(path).open("x", encoding="ascii", newline="\n") as file:
                file.write(self.to_json())
        except FileExistsError:
            raise InputError(
                "E-OUTPUT-EXISTS",
                "{path!r} is there already",
                "name a new file for the certificate",
                path=str(path),
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or tr("it cannot be the name of a file")
            raise InputError(
                "E-OUTPUT-UNWRITABLE",
                "the certificate cannot be written to {path!r} ({reason})",
                "name a file in a folder that exists",
                path=str(path),
                reason=reason,
            ) from None

    @property
    def signer(self) -> str:
        """The public key of whoever signed it, in short.

        Examples
        --------
        >>> from sfumato.tables.certificate.certificate import Certificate
        >>> Certificate({"signer": "00" * 32}).signer
        'ed25519:66687aadf862bd77'
        """
        return fingerprint_of(self.document["signer"])

    def __str__(self) -> str:
        document = self.document
        guarantee = guarantee_from_document(document["guarantee"])
        receipt = (
            tr("on no ledger") if document["receipt"] is None else tr("with its ledger's receipt")
        )
        steps = len(document["steps"])
        return "\n".join(
            [
                tr("certificate: {guarantee}", guarantee=guarantee),
                *([tr("NOT PRIVATE: drawn from a seed")] if document["seeded"] else []),
                tr_n(
                    "{steps} private step, {receipt}, signed by {signer}",
                    "{steps} private steps, {receipt}, signed by {signer}",
                    max(steps, 1),
                    steps=steps,
                    receipt=receipt,
                    signer=self.signer,
                ),
                tr("check it with: sfumato check FILE"),
            ]
        )

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class ReleasedAnswer:
    """What is certified of a release beside its plan.

    Parameters
    ----------
    content
        What was released, as bytes.
    columns
        The answer, with its confidence intervals.
    confidence
        That of the confidence intervals.
    caveats
        What they do not hold.
    receipt
        The ledger's receipt, if there is one.
    """

    content: bytes
    columns: Mapping[str, Sequence[Any]]
    confidence: Fraction
    caveats: Sequence[str]
    receipt: Receipt | None


def certify(plan: Plan, released: ReleasedAnswer) -> Certificate:
    """Return the certificate of a release, signed with the key of this host; it is in English."""
    with in_english():
        content = ReleasedContent.from_bytes(released.content)
        limits = plan.contribution.with_limits(content.limits)
        taken = StepsTaken(with_bounds(plan, content.bounds), limits, len(content.keys))
        policy, signer, receipt = plan.query.table.policy, Signer.at(), released.receipt
        document = {
            "kind": KIND,
            "version": VERSION,
            "query": query_document(plan.query),
            "policy": policy_document(policy),
            "policy_digest": digest(policy),
            "steps": taken.documents(plan),
            "made_of": taken.made_of(),
            "event": event_document(plan.event),
            "guarantee": guarantee_to_document(plan.guarantee),
            "content": released.content.decode("ascii"),
            "seeded": content.seeded,
            "answers": {
                "confidence": plain(released.confidence),
                "columns": [
                    {"name": name, "values": [written_value(each) for each in column]}
                    for name, column in released.columns.items()
                ],
            },
            "caveats": list(released.caveats),
            "receipt": None if receipt is None else json.loads(receipt.to_json()),
            "signer": signer.public,
        }
        return Certificate({**document, "signature": signer.sign(signed_message(document))})
