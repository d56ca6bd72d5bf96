"""The policy of a private table: everything that is declared about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from sfumato.data.policy.changes import (
    changed_allowance,
    changed_columns,
    changed_keysets,
    changed_ledger,
    changed_limits,
    changed_public,
    check_same_relation,
)
from sfumato.data.policy.columns import Bounds, ColumnPolicy
from sfumato.data.policy.toml_file import toml_key
from sfumato.data.policy.unit import CHANGES, Limits, no_unit, read_change, read_unit
from sfumato.errors import InputError
from sfumato.privacy import Guarantee, Person, Relation, Row
from sfumato.refusal import Given, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy.budget import Allowance, LedgerPlace
    from sfumato.data.policy.keysets import KeySet, PublicSource
    from sfumato.privacy import Unit


@dataclass(frozen=True)
class Policy:
    """Everything that is declared about a private table; what is not declared is None or empty.

    ``Policy.inline`` makes one from Python, ``read_policy`` from a file.

    Attributes
    ----------
    unit
        Whose presence is protected: ``Row()`` or ``Person(column)``; None where it is left blank.
    change
        "add_remove" or "substitute".
    limits
        How much of one person counts.
    columns
        What is declared about each column, by its name.
    derived
        What is declared about columns that questions derive, by the names they are given.
    keysets
        Public combinations of several columns.
    allowance
        What may be spent in all.
    ledger
        Where what was spent is kept.
    source
        The table itself: a file's path, a frame, a table of Ibis, or the address of a database;
        it does not count when policies are compared.
    table
        Which table of the database; None where the source is the table.
    public
        Public tables that questions may join, by the names they are given there.
    origin
        What errors call the file that the policy was read from; empty where there is none.

    Examples
    --------
    >>> from sfumato.data.policy import Policy
    >>> policy = Policy.inline(
    ...     unit="patient_id", bounds={"age": (0, 110)}, keys={"sex": ["F", "M"]})
    >>> print(policy.relation)
    add or remove one patient_id
    >>> policy.column("sex").values
    ('F', 'M')
    """

    unit: Row | Person | None = None
    change: str = "add_remove"
    limits: Limits = field(default_factory=Limits)
    columns: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    derived: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    keysets: tuple[KeySet, ...] = ()
    allowance: Allowance | None = None
    ledger: LedgerPlace | None = None
    source: Any = field(default=None, compare=False, repr=False)
    table: str | None = field(default=None, compare=False, repr=False)
    public: Mapping[str, PublicSource] = field(default_factory=dict, compare=False, repr=False)
    origin: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", read_unit(self.unit))
        object.__setattr__(self, "change", read_change(self.change))
        for each in ("columns", "derived", "public"):
            object.__setattr__(self, each, MappingProxyType(dict(getattr(self, each))))
        self._check_keysets()
        self._check_limits()

    @classmethod
    def inline(cls, **declared: Any) -> Policy:
        """Return a policy that is declared in Python, by the arguments of ``with_changes``.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> print(Policy.inline(unit="row", relation="substitute", budget={"epsilon": 1}).budget)
        1-DP (substitute one row)
        """
        return cls().with_changes(**declared)

    def with_changes(
        self,
        *,
        source: Any = None,
        table: str | None = None,
        unit: Unit | str | None = None,
        relation: Relation | str | None = None,
        limits: Limits | Mapping[str, Any] | None = None,
        bounds: Mapping[str, Any] | None = None,
        keys: Mapping[Any, Any] | None = None,
        types: Mapping[str, str] | None = None,
        complete: str | Iterable[str] | None = None,
        budget: Guarantee | Mapping[str, Any] | None = None,
        ledger: LedgerPlace | Mapping[str, Any] | None = None,
        public: Mapping[str, Any] | None = None,
    ) -> Policy:
        """Return the policy with what is given in place of what it says; None changes nothing.

        For one column, as in ``bounds={"age": None}``, None takes back what was declared.

        Parameters
        ----------
        source
            The table: a file's path, a frame, a table of Ibis, or the address of a database.
        table
            Which table of the database, such as "visits" or "clinic.visits".
        unit
            The privacy unit: the column of the person's id, or "row".
        relation
            "add_remove" or "substitute".
        limits
            How much of one person counts, as in ``{"rows": 50, "groups": 5}``.
        bounds
            The bounds to which values are clamped, by column, as in ``{"age": (0, 110)}``;
            "auto" to find them privately.
        keys
            Public keys: a list, a file's path or a frame, by column, as in
            ``{"sex": ["F", "M"]}``; or by several, as in ``{("sex", "ward"): [("F", 1)]}``.
        types
            The type of a column, as in ``{"age": "integer"}``.
        complete
            The columns in which no value is missing.
        budget
            What may be spent in all, as in ``{"epsilon": 3, "delta": 1e-6}``.
        ledger
            Where it is kept, as in ``{"path": "ledger.db", "book": "patients"}``.
        public
            Public tables that questions may join, as in ``{"regions": "regions.csv"}``.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> policy = Policy.inline(unit="patient_id", bounds={"age": (0, 110)})
        >>> policy.with_changes(bounds={"age": (0, 100)}).bounds_of("age")
        (Fraction(0, 1), Fraction(100, 1))
        """
        changed = replace(
            self,
            source=self.source if source is None else source,
            table=self.table if table is None and source is None else table,
            unit=self.unit if unit is None else read_unit(unit),
            change=self.change if relation is None else read_change(relation),
            limits=changed_limits(self.limits, limits),
            columns=changed_columns(self.columns, bounds, keys, types, complete),
            keysets=changed_keysets(self.keysets, keys),
            allowance=changed_allowance(self.allowance, budget),
            ledger=changed_ledger(self.ledger, ledger),
            public=changed_public(self.public, public),
        )
        guaranteed = [
            each for each in (relation, budget) if isinstance(each, (Guarantee, Relation))
        ]
        if guaranteed:
            check_same_relation(changed.relation, *guaranteed)
        return changed

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> print(Policy.inline(unit="row").relation)
        add or remove one row
        >>> Policy().relation
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: the privacy unit is not declared; write unit='patient_id', the \
column of the person's id, or unit='row' where each row is another person's
        """
        if self.unit is None:
            raise no_unit(self.origin)
        return CHANGES[self.change](unit=self.unit)

    @property
    def budget(self) -> Guarantee | None:
        """What may be spent in all, as a guarantee about this table.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> print(Policy.inline(unit="row", budget={"rho": 0.1}).budget)
        0.1-zCDP (add or remove one row)
        """
        return None if self.allowance is None else self.allowance.under(self.relation)

    def column(self, name: str) -> ColumnPolicy:
        """Return what is declared about a column, which may be nothing.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> Policy().column("age")
        ColumnPolicy(type=None, bounds=None, values=None, complete=False)
        """
        return self.columns.get(name, ColumnPolicy())

    def bounds_of(self, name: str) -> Bounds | Literal["auto"]:
        """Return the bounds of a column, or say how to declare them.

        Examples
        --------
        >>> from sfumato.data.policy import Policy
        >>> Policy().bounds_of("age")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: no bounds are declared for the column 'age'; write \
bounds={'age': (0, 110)}, to which values are clamped, or 'auto' to have bounds found privately
        """
        bounds = self.column(name).bounds
        if bounds is None:
            form: Given = f"bounds={{{name!r}: (0, 110)}}"
            if self.origin:
                form = text(
                    "bounds = [0, 110] in {table} of {origin}",
                    table=f"[columns.{toml_key(name)}]",
                    origin=self.origin,
                )
            raise InputError(
                "E-BOUNDS-MISSING",
                "no bounds are declared for the column {name!r}",
                "write {form}, to which values are clamped, or 'auto' to have bounds found "
                "privately",
                name=name,
                form=form,
            )
        return bounds

    def _check_keysets(self) -> None:
        if len({frozenset(each.columns) for each in self.keysets}) < len(self.keysets):
            raise InputError(
                "E-KEYS-TWICE",
                "two sets of keys are of the same columns",
                "write one set with all the keys",
            )

    def _check_limits(self) -> None:
        if self.unit == Row() and self.limits.are_declared:
            raise InputError(
                "E-LIMITS-WITHOUT-PERSON",
                'contribution limits are for a person as the privacy unit, and unit = "row" says '
                "that it is the row",
                "leave the limits out, or name the column of the person's id",
            )
