"""Every exception sfumato raises, on one page.

::

    SfumatoError
    ├── InputError            your input: what was given, what is allowed, what to write
    │   ├── UnknownNameError      a column or variable that is not there
    │   ├── InfeasibleError       constraints that no distribution meets, named
    │   ├── MissingExtraError     an optional part that is not installed
    │   └── RowsNotShownError     an idiom of data frames, asked of a private table
    ├── RefusedError          refused by the guarantee
    │   ├── BudgetError           more than the privacy budget left
    │   ├── NoEnclosureError      no bound can be proved from what is known
    │   ├── PendingError          charged already, and its answer is not recorded
    │   └── RolledBackError       a ledger that lost entries it once had
    ├── StoreError            a disk or a server failed: nothing was released
    └── InternalError         our bug: please report it
        └── EngineError           an engine failed at a question that it was to answer

A message is one sentence and never carries a cell of anybody's data.  It is data first: ``code``
stays the same whatever the words are, and ``refusal`` holds what was given and what to write.
"""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from sfumato.refusal import PYTHON, Given, Part, Refusal, text
from sfumato.translation import mark, tr, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


__all__ = [
    "BudgetError",
    "EngineError",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "MissingExtraError",
    "NoEnclosureError",
    "PendingError",
    "RefusedError",
    "RolledBackError",
    "RowsNotShownError",
    "SfumatoError",
    "StoreError",
    "UnknownNameError",
]


class SfumatoError(Exception):
    """The root: catch it to catch everything sfumato raises on purpose.

    Parameters
    ----------
    code
        What stays the same whatever the words are.
    sentence
        What is wrong, with a field in braces for each thing given.
    mend
        What to write instead.
    given
        What the fields are filled with: text, or a hint of ``sfumato.refusal``.

    Examples
    --------
    >>> import sfumato as sf
    >>> try:
    ...     sf.information.entropy([0.5, 0.4])
    ... except sf.SfumatoError as error:
    ...     print(type(error).__name__, error.code)
    InputError E-PROBABILITIES-SUM
    """

    def __init__(self, code: str, sentence: str, mend: str = "", /, **given: Any) -> None:
        super().__init__(code)
        mends = (Part.of(mend, given),) if mend else ()
        self.refusal = Refusal(code, Part.of(sentence, given), mends)
        self.surface = PYTHON

    def __str__(self) -> str:
        return self.refusal.said(self.surface)

    @property
    def code(self) -> str:
        """What stays the same whatever the words are.

        Examples
        --------
        >>> import sfumato as sf
        >>> try:
        ...     sf.mechanisms.Laplace(epsilon=0, sensitivity=1)
        ... except sf.SfumatoError as error:
        ...     print(error.code)
        E-ARGUMENT-RANGE
        """
        return self.refusal.code

    def as_dict(self) -> dict[str, Any]:
        """Return the error as a problem document of RFC 9457, ready for JSON.

        Examples
        --------
        >>> import sfumato as sf
        >>> try:
        ...     sf.mechanisms.Laplace(epsilon=0, sensitivity=1)
        ... except sf.SfumatoError as error:
        ...     document = error.as_dict()
        >>> document["title"], document["hints"]
        ('a number is outside the allowed range', [{'argument': 'epsilon', 'value': None}])
        """
        from sfumato.causes import CAUSES

        return {
            "type": f"urn:sfumato:error:{self.code}",
            "title": tr(CAUSES[self.code]),
            "detail": str(self),
            "code": self.code,
            **self.refusal.as_dict(),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, self.__dict__)


class InputError(SfumatoError, ValueError):
    """What you gave cannot be used; the sentence says what to write instead.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.information.entropy([0.5, 0.6])
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: p sums to 1.1, which is 0.1 above 1; give probabilities \
that sum to one, or counts as integers
    """


class UnknownNameError(InputError):
    """A name that is not among the known ones; the message offers the nearest.

    Parameters
    ----------
    kind
        What the name should have been: "column", "variable".
    name
        The name that was given.
    known
        The names that exist, in the order in which to list them.
    where
        What was searched, where there are several.
    meant
        The known name that is meant by this one, where it is not spelt like it.

    Examples
    --------
    >>> from sfumato.errors import UnknownNameError
    >>> print(UnknownNameError("column", "agee", ["name", "age"]))
    there is no column 'agee'; did you mean 'age'? (known: 'name', 'age')
    """

    def __init__(
        self,
        kind: str,
        name: object,
        known: Iterable[object],
        where: Given = "",
        meant: str | None = None,
    ) -> None:
        names = list(known)
        self.nearest = meant or nearest_name(written(name), list(map(written, names)))
        near = "" if self.nearest is None else text("; did you mean {name!r}?", name=self.nearest)
        super().__init__(
            "E-NAME-UNKNOWN",
            "there is no {kind} {name!r}{place}{near} (known: {known})",
            kind=mark(kind),
            name=name,
            place=text(" in {where}", where=where) if where else "",
            near=near,
            known=_listed(names),
        )


class InfeasibleError(InputError):
    """No distribution meets the constraints; ``conflict`` names a smallest set that clashes.

    Examples
    --------
    >>> from sfumato.errors import InfeasibleError
    >>> InfeasibleError("mean and cap contradict each other", conflict=("mean", "cap")).conflict
    ('mean', 'cap')
    """

    def __init__(self, sentence: Given, *, conflict: Sequence[str] = ()) -> None:
        super().__init__("E-CONSTRAINTS-INFEASIBLE", "{sentence}", sentence=sentence)
        self.conflict = tuple(conflict)


class MissingExtraError(InputError):
    """A part that needs a library which is not installed.

    Examples
    --------
    >>> from sfumato.errors import MissingExtraError
    >>> print(MissingExtraError("reading files", extra="duckdb"))
    reading files needs an optional part: pip install 'sfumato[duckdb]'
    """

    def __init__(self, purpose: str, *, extra: str) -> None:
        super().__init__(
            "E-EXTRA-MISSING",
            "{purpose} needs an optional part: pip install 'sfumato[{extra}]'",
            purpose=mark(purpose),
            extra=extra,
        )


class RowsNotShownError(InputError, AttributeError, TypeError):
    """An idiom of data frames, asked of a private table; the sentence says the private way.

    It is an AttributeError and a TypeError, too, so that whoever tries what an object can do is
    told that a private table cannot.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
    >>> try:
    ...     table.head()
    ... except sf.errors.InputError as error:
    ...     print(str(error).partition(";")[0])
    a private table has no head, since its rows are not shown
    >>> hasattr(table, "head")
    False
    """


class RefusedError(SfumatoError):
    """The request is well formed, but answering it would break a guarantee.

    Examples
    --------
    >>> from sfumato.errors import NoEnclosureError, RefusedError
    >>> issubclass(NoEnclosureError, RefusedError)
    True
    """


class BudgetError(RefusedError):
    """What was asked for exceeds the privacy budget left; nothing was spent.

    Examples
    --------
    >>> from sfumato.errors import BudgetError
    >>> from sfumato.privacy import PureDP, events
    >>> from sfumato.privacy.filters import PureFilter
    >>> budget = PureFilter(PureDP(epsilon=1))
    >>> try:
    ...     budget.admit(events.Laplace(scale=0.5))
    ... except BudgetError as error:
    ...     print(error)
    Laplace noise of scale 0.5 on sensitivity 1 exceeds what is left of the privacy budget 1-DP \
(add or remove one row); nothing was spent
    """


class NoEnclosureError(RefusedError):
    """A bound was asked for that cannot be proved from what is known.

    Examples
    --------
    >>> from scipy.stats import t
    >>> import sfumato as sf
    >>> try:
    ...     sf.information.kl_divergence(t(3), t(5))
    ... except sf.errors.RefusedError as error:
    ...     print(type(error).__name__)
    NoEnclosureError
    """


class PendingError(RefusedError):
    """A request was charged already and its answer is not recorded: it runs, or it crashed.

    Examples
    --------
    >>> from sfumato.errors import PendingError, RefusedError
    >>> issubclass(PendingError, RefusedError)
    True
    """


class RolledBackError(RefusedError):
    """A ledger lost entries that it once had, as an older copy put in its place would.

    Examples
    --------
    >>> from sfumato.errors import RefusedError, RolledBackError
    >>> issubclass(RolledBackError, RefusedError)
    True
    """


class StoreError(SfumatoError):
    """The disk or the server that keeps a record failed; nothing was released.

    Examples
    --------
    >>> from sfumato.errors import InputError, StoreError
    >>> issubclass(StoreError, InputError)
    False
    """


class InternalError(SfumatoError):
    """A result failed its own check: this is a bug in sfumato, not a mistake of yours.

    Examples
    --------
    >>> from sfumato.errors import InternalError, InputError
    >>> issubclass(InternalError, InputError)
    False
    """


class EngineError(InternalError):
    """An engine failed while it worked an answer out, which no row should make it do.

    The sentence is the same whatever it failed at: nothing that the engine says is in it.

    Examples
    --------
    >>> from sfumato.errors import EngineError
    >>> print(EngineError("DuckDB"))
    DuckDB could not work the answer out, which no row should be able to cause: unless the file \
has changed since it was opened, or a view or data frame of your own fails, this is a bug in \
sfumato; please report it with what 'sfumato plan --sql' prints for the question, which holds no \
cell
    """

    def __init__(self, engine: str) -> None:
        self.engine = engine
        super().__init__(
            "E-ENGINE-FAILED",
            "{engine} could not work the answer out, which no row should be able to cause: unless "
            "the file has changed since it was opened, or a view or data frame of your own fails, "
            "this is a bug in sfumato",
            "please report it with what 'sfumato plan --sql' prints for the question, which holds "
            "no cell",
            engine=engine,
        )


def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is spelt most like ``name``, or None."""
    folded = {each.casefold(): each for each in known}
    matches = get_close_matches(name.casefold(), list(folded), n=1)
    return folded[matches[0]] if matches else None


@contextmanager
def at(place: Given, *, column: str = "", in_file: bool = False) -> Iterator[None]:
    """Put the place of a mistake before its sentence."""
    try:
        yield
    except InputError as error:
        error.refusal = error.refusal.at(place, column=column, in_file=in_file)
        raise


def _rebuilt(
    kind: type[SfumatoError], args: tuple[Any, ...], state: dict[str, Any]
) -> SfumatoError:
    """Rebuild an error that went through a pickle, whatever its own ``__init__`` takes."""
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _listed(names: Sequence[object], most: int = 12) -> Given:
    shown = ", ".join(repr(each) for each in names[:most])
    others = len(names) - most
    return shown if others <= 0 else text("{shown} and {others} more", shown=shown, others=others)
