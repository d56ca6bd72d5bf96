"""The policy of a private table: what is declared about it, in Python or in a TOML file."""

from typing import TYPE_CHECKING

from sfumato.data.policy.document import digest, document
from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.data.policy.allowance import Allowance
    from sfumato.data.policy.bounds import Bounds, read_bounds
    from sfumato.data.policy.columns import ColumnPolicy
    from sfumato.data.policy.draft import draft_policy
    from sfumato.data.policy.keysets import KeySet
    from sfumato.data.policy.limits import Limits
    from sfumato.data.policy.places import LedgerPlace
    from sfumato.data.policy.policy import Policy
    from sfumato.data.policy.public import PublicSource
    from sfumato.data.policy.reading import read_policy
    from sfumato.data.policy.schema import check_against_schema, declared_types
    from sfumato.data.policy.values import Value

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

__getattr__, __dir__ = door(
    __name__,
    {
        "allowance": "Allowance",
        "bounds": "Bounds read_bounds",
        "columns": "ColumnPolicy",
        "draft": "draft_policy",
        "keysets": "KeySet",
        "limits": "Limits",
        "places": "LedgerPlace",
        "policy": "Policy",
        "public": "PublicSource",
        "reading": "read_policy",
        "schema": "check_against_schema declared_types",
        "values": "Value",
    },
)
