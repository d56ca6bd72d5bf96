"""What is computed of a sample, made total: a failure counts as a declared default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.estimators.blocks import finite_number
from sfumato.mechanisms.sensitivity.declared import Norm, plain_sensitivity
from sfumato.mechanisms.sensitivity.statistic import Statistic
from sfumato.numeric import shown
from sfumato.refusal import Argument, Bare
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.mechanisms.base import Mechanism
    from sfumato.mechanisms.estimators.unit_rows import UnitRows
    from sfumato.mechanisms.noise.additive import Additive


@dataclass(frozen=True)
class SampleFunction:
    """A function of a sample made total: a number, or numbers in the form of a default.

    Parameters
    ----------
    function
        Takes the rows of a sample and, where people are sampled, whose they are as ``people``.
    default
        What counts where it raises, or returns anything else than finite numbers in this form.
    """

    function: Callable[..., Any]
    default: Any

    def answer(self, table: UnitRows, places: NDArray[np.int64]) -> Any:
        """Return the answer on the rows at some places."""
        # Whatever a user's function raises must not show that a row is there.
        try:
            rows, people = table.given(places)
            found = plain_numbers(self.function(rows, **people))
            return found if np.shape(found) == np.shape(self.default) else self.default
        except Exception:  # noqa: BLE001
            return self.default


def plain_numbers(answer: Any) -> Any:
    """Return a number or tuples of numbers, each an int or a Fraction whatever it came as.

    So the type of what is released does not tell which answer it was.  What is not finite, and no
    number, raises some error.
    """
    if np.ndim(answer):
        entries = np.asarray(answer, dtype=object)
        return tuple(plain_numbers(each) for each in entries.tolist())
    number = finite_number(answer)
    return int(number) if number.denominator == 1 else number


def check_hidden(mechanism: Additive, statistic: Statistic[Any]) -> None:
    """Refuse noise for a sensitivity that is less than what is proved of a statistic."""
    norm: Norm = "l2" if mechanism.measure == "sigma" else "l1"
    needed = plain_sensitivity(statistic.sensitivity, norm=norm, relation=mechanism.relation)
    if needed > mechanism.sensitivity:
        raise InputError(
            "E-SENSITIVITY-WRONG",
            "the statistic has a sensitivity of {needed}, and the noise is made for {sensitivity}",
            "write {example}",
            needed=shown(needed),
            sensitivity=shown(mechanism.sensitivity),
            example=Argument("sensitivity", Bare("….sensitivity")),
        )


def check_form(function: Any, default: Any, rows: int) -> None:
    """Refuse a statistic that no sample fits, by its answer on rows that are all missing."""
    if not isinstance(function, Statistic) or function.rows_per_person is not None:
        return
    try:
        answer = function.compute([None] * rows)
    except InputError:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{of} is made for tables of another length than that of a sample, {rows:,}",
            "make it with {size}",
            of=Argument("of"),
            rows=rows,
            size=Argument("size", rows),
        ) from None
    except (TypeError, ValueError):
        return
    if np.shape(answer) != np.shape(default):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{of} has answers of another form than the default, {default}",
            "write {example}",
            of=Argument("of"),
            default=shown(default),
            example=Argument("default", np.zeros(np.shape(answer), dtype=int).tolist()),
        )


def read_default(mechanism: Mechanism[Any, Any], default: Any) -> Any:
    """Return what counts where a function fails: what the mechanism takes, in plain numbers."""
    given = 0 if default is None else default
    try:
        numbers = plain_numbers(given)
        mechanism.release(numbers, source=SeededSource(0))
    except (InputError, TypeError, ValueError):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{default} must be a number or a list of numbers that {mechanism} takes, not {given}",
            "write {example} for answers of three numbers, say",
            default=Argument("default"),
            mechanism=type(mechanism).__name__,
            given=shown(given),
            example=Argument("default", [0, 0, 0]),
        ) from None
    return numbers
