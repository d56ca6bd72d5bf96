"""What a filter has added up so far, as a value that can be written down and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.documents import check_fields, check_version, read_json
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.filters.amounts import Amount

if TYPE_CHECKING:
    from sfumato.privacy.filters.costs import Cost


_VERSION = 1
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_FORM = '{"version": 1, "basis": "...", "amounts": ["1/10"]}'
_MOST_CHARACTERS = 1_000_000
_LONGEST_BASIS = 200


@dataclass(frozen=True)
class FilterState:
    """How much a filter has added up, and by which rule: all that it needs to go on.

    Parameters
    ----------
    basis
        How the amounts were added up; a filter of the same basis can go on from them.
    amounts
        The sums, exactly.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, PureFilter, events
    >>> budget = PureFilter(PureDP(epsilon=1))
    >>> budget.admit(events.Laplace(scale=10))
    >>> budget.state
    FilterState(basis='pure ε; add or remove one row', amounts=(<Amount of 1/10>,))
    """

    basis: str
    amounts: Cost

    def __post_init__(self) -> None:
        if not isinstance(self.basis, str):
            raise InputError(
                "E-FILTER-STATE",
                "basis must be text, not {basis}",
                "take that of a saved state",
                basis=shown(self.basis),
            )
        if not _are_spendable(self.amounts):
            raise InputError(
                "E-FILTER-STATE",
                "amounts must be a tuple of amounts of 0 or more",
                "read a saved state with FilterState.from_text(text)",
            )

    @classmethod
    def added_up(cls, basis: str, amounts: Cost) -> FilterState:
        """Return the state of sums that a filter has added up itself, which need no check.

        Examples
        --------
        >>> from sfumato.privacy import FilterState
        >>> from sfumato.privacy.filters.amounts import Amount
        >>> FilterState.added_up("pure ε", (Amount(),)).amounts
        (<Amount of 0>,)
        """
        state = cls.__new__(cls)
        object.__setattr__(state, "basis", basis)
        object.__setattr__(state, "amounts", amounts)
        return state

    def to_text(self) -> str:
        r"""Return the state as a line of JSON, numbers exactly.

        Examples
        --------
        >>> from sfumato.numeric import Ln
        >>> from sfumato.privacy import FilterState, PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=10))
        >>> budget.admit(events.RandomizedResponse(epsilon=Ln("6/5")))
        >>> print(budget.state.to_text())
        {"version":1,"basis":"pure \u03b5; add or remove one row","amounts":["1/10+ln(6/5)"]}
        """
        amounts = [*map(str, self.amounts)]
        document = {"version": _VERSION, "basis": self.basis, "amounts": amounts}
        text = _ENCODER.encode(document)
        _check_length(text)
        return text

    @classmethod
    def from_text(cls, text: str) -> FilterState:
        """Return the state that ``to_text`` wrote.

        Examples
        --------
        >>> from sfumato.privacy import FilterState
        >>> saved = '{"version": 1, "basis": "pure ε; add or remove one row", "amounts": ["ln(2)"]}'
        >>> FilterState.from_text(saved).amounts
        (<Amount of ln(2)>,)
        """
        if not isinstance(text, str):
            raise InputError(
                "E-FILTER-STATE",
                "a saved state must be text, not {text}",
                "write {form}",
                text=shown(text),
                form=_FORM,
            )
        _check_length(text)
        document = read_json(text, writer="to_text")
        check_version(document, _VERSION, _FORM)
        check_fields(document, ("version", "basis", "amounts"), "the state")
        if not isinstance(document["amounts"], list):
            raise InputError(
                "E-FILTER-STATE",
                "amounts must be a list, not {document}",
                "write {form}",
                document=shown(document["amounts"]),
                form=_FORM,
            )
        return cls(document["basis"], tuple(map(_read, document["amounts"])))


def check_continues(state: Any, basis: str, count: int) -> None:
    """Refuse what is no state, or one that a filter of another basis has saved."""
    if not isinstance(state, FilterState):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "resume takes a FilterState, not {state}",
            "write resume(budget.state)",
            state=shown(state),
        )
    if state.basis != basis:
        raise InputError(
            "E-FILTER-STATE",
            "the state adds up “{basis}” and the filter “{other_basis}”",
            "make the filter for the budget that the state was saved from",
            basis=state.basis[:_LONGEST_BASIS],
            other_basis=basis,
        )
    if len(state.amounts) != count:
        raise InputError(
            "E-FILTER-STATE",
            "the state has {count:,} amounts and the filter {other_count:,}",
            "give the state as it was saved",
            count=len(state.amounts),
            other_count=count,
        )


def _are_spendable(amounts: Any) -> bool:
    return isinstance(amounts, tuple) and all(
        isinstance(each, Amount) and not each.is_negative for each in amounts
    )


def _check_length(text: str) -> None:
    if len(text) > _MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "a state takes at most {most_characters:,} characters, and this one has {count:,}",
            "keep a budget at fewer orders",
            most_characters=_MOST_CHARACTERS,
            count=len(text),
        )


def _read(text: Any) -> Amount:
    """Return the amount of a text such as "1/10", "ln(6/5)", "1/10+ln(6/5)" or "inf"."""
    found = Amount.from_text(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(
            "E-FILTER-STATE",
            "an amount must be 0 or more, not {text}",
            'write "1/10" or "ln(6/5)", say',
            text=shown(text),
        )
    return found
