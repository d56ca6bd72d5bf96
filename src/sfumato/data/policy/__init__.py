"""The policy of a private table: what is declared about it, in Python or in a TOML file."""

from typing import TYPE_CHECKING

from sfumato.data.policy.document import digest, document
from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.data.policy.budget import Allowance, LedgerPlace
    from sfumato.data.policy.changes import changed_public
    from sfumato.data.policy.columns import AUTO, Bounds, ColumnPolicy, read_bounds
    from sfumato.data.policy.document import column_document
    from sfumato.data.policy.draft import draft_policy
    from sfumato.data.policy.keysets import KeySet, PublicSource, single_keys
    from sfumato.data.policy.policy import Policy
    from sfumato.data.policy.reading import read_ledger, read_policy
    from sfumato.data.policy.schema import check_against_schema, declared_types
    from sfumato.data.policy.toml_file import PolicyFile, read_policy_file, toml_number, toml_text
    from sfumato.data.policy.unit import Limits, likely_person, no_unit
    from sfumato.data.policy.values import TYPES, Value, column_type, read_values

__all__ = [
    "Allowance",
    "Bounds",
    "ColumnPolicy",
    "KeySet",
    "LedgerPlace",
    "Limits",
    "Policy",
    "PublicSource",
    "Value",
    "check_against_schema",
    "declared_types",
    "digest",
    "document",
    "draft_policy",
    "read_bounds",
    "read_policy",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "budget": "Allowance LedgerPlace",
            "changes": "changed_public",
            "columns": "AUTO Bounds ColumnPolicy read_bounds",
            "document": "column_document",
            "draft": "draft_policy",
            "keysets": "KeySet PublicSource single_keys",
            "policy": "Policy",
            "reading": "read_ledger read_policy",
            "schema": "check_against_schema declared_types",
            "toml_file": "PolicyFile read_policy_file toml_number toml_text",
            "unit": "Limits likely_person no_unit",
            "values": "TYPES Value column_type read_values",
        },
    )
