"""What is declared about one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sfumato.data.policy.bounds import check_bounds_fit, read_bounds, type_of_bounds
from sfumato.data.policy.values import read_type, read_values, type_of_values
from sfumato.data.policy.wording import refusal
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.data.policy.bounds import Bounds
    from sfumato.data.policy.values import Value

__all__ = ["ColumnPolicy"]


@dataclass(frozen=True)
class ColumnPolicy:
    """What is declared about one column; None where nothing is.

    Parameters
    ----------
    type
        "integer", "number", "text", "boolean", "date" or "timestamp".
    bounds
        The bounds to which values are clamped, or "auto" to find them privately.
    values
        The values that occur, which are public.
    complete
        Whether there are no missing values; any that occur count as the middle of the bounds.

    Examples
    --------
    >>> from sfumato.data.policy import ColumnPolicy
    >>> ColumnPolicy(type="integer", bounds=(0, 110)).bounds
    (Fraction(0, 1), Fraction(110, 1))
    """

    type: str | None = None
    bounds: Bounds | Literal["auto"] | None = None
    values: tuple[Value, ...] | None = None
    complete: bool = False

    def __post_init__(self) -> None:
        self._keep(type=read_type(self.type), bounds=read_bounds(self.bounds))
        if not isinstance(self.complete, bool):
            raise refusal(
                self.complete, what="complete", allowed=mark("true or false"), write="true"
            )
        if self.values is not None:
            self._keep(values=read_values(self.values, self.type))
        if self.bounds is not None and self.implied_type is not None:
            check_bounds_fit(self.bounds, self.implied_type)

    @property
    def implied_type(self) -> str | None:
        """The type that is declared, or else follows from the values or the bounds.

        Examples
        --------
        >>> from sfumato.data.policy import ColumnPolicy
        >>> ColumnPolicy(bounds=(0, 110)).implied_type, ColumnPolicy(values=(1, 2)).implied_type
        ('number', 'integer')
        """
        if self.type is not None:
            return self.type
        if self.values is not None:
            return type_of_values(self.values)
        return None if self.bounds is None else type_of_bounds(self.bounds)

    def _keep(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)
