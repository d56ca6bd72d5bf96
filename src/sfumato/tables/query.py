"""A question to a private table: frozen, and answered only by ``release``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Never

from sfumato.data import check_apart
from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Argument, Bare
from sfumato.tables.explanation import PlanExplanation
from sfumato.tables.plan.plan import make_plan
from sfumato.tables.release.answer import answer_type, check_letters, read_compared
from sfumato.tables.release.charge import release_plan
from sfumato.tables.run.execution import check_runs
from sfumato.tables.tree.aggregates import Having, Head, NonNegative, SortBy, check_aggregates
from sfumato.tables.tree.rows import Question
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.release.release import Release
    from sfumato.tables.tree.aggregates import After, Aggregate, Compared
    from sfumato.tables.tree.rows import Held, Steps


_TARGET = ("epsilon", "delta", "rho", "noise", "weights")
_RELEASED = (*_TARGET, "analyst", "key", "source")


@dataclass(frozen=True, eq=False, repr=False)
class Query(Question):
    """Aggregates of the rows of a private table, for each group.

    Its parts are those of a ``Question``; ``agg`` and ``query`` of a private table make one.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"], "age": [61, 64, 35]})
    >>> table = sf.table(people, unit="id", bounds={"age": (0, 110)}, keys={"sex": ["F", "M"]})
    >>> print(table.group_by("sex").agg(n=sf.count(), age=sf.mean("age")))
    n = count(*), age = mean(age) by sex
    """

    def plan(
        self,
        *unnamed: Never,
        epsilon: Any = None,
        delta: Any = None,
        rho: Any = None,
        noise: str = "auto",
        weights: Mapping[str, float] | None = None,
        **unknown: Never,
    ) -> Plan:
        """Return what the answer would cost and how exact it would be; no row is read.

        Parameters
        ----------
        epsilon, delta, rho
            What the answer may cost: ε; ε and δ; or ρ of zero-concentrated privacy.
        noise
            "laplace", "gaussian", or "auto" for what suits the target.
        weights
            How much the error of each aggregate matters, 1 where it is not said: the budget is
            divided for the least weighted error.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()).plan(epsilon=1).guarantee)
        1-DP (add or remove one row)
        """
        _check_named("plan", unnamed, unknown)
        plan = make_plan(self, epsilon=epsilon, delta=delta, rho=rho, noise=noise, weights=weights)
        check_runs(plan)
        return plan

    def explain(
        self,
        *unnamed: Never,
        epsilon: Any = None,
        delta: Any = None,
        rho: Any = None,
        noise: str = "auto",
        weights: Mapping[str, float] | None = None,
        **unknown: Never,
    ) -> PlanExplanation:
        """Return how far one person can move each part, and the engine's SQL; no row is read.

        Parameters
        ----------
        epsilon, delta, rho, noise, weights
            As in ``plan``.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()).explain(epsilon=1))
        if one row is added or removed, this is how far each part moves (its sensitivity)
        the rows of the table       one row
        measure the number of rows  a row adds at most 1, so by at most 1; noise of scale 1 (ε = 1)
        """
        _check_named("explain", unnamed, unknown)
        return PlanExplanation(
            self.plan(epsilon=epsilon, delta=delta, rho=rho, noise=noise, weights=weights)
        )

    def release(
        self,
        *unnamed: Never,
        epsilon: Any = None,
        delta: Any = None,
        rho: Any = None,
        noise: str = "auto",
        weights: Mapping[str, float] | None = None,
        analyst: str | None = None,
        key: str | None = None,
        source: Any = None,
        **unknown: Never,
    ) -> Release:
        """Charge for the answer, then compute it, with noise; one call is one charge.

        Parameters
        ----------
        epsilon, delta, rho, noise, weights
            As in ``plan``.
        analyst
            Who gets the answer, for the ledger; the policy's analyst where it is not said.
        key
            An idempotency key: the same query with the same key is charged once, and gives the
            same answer again.
        source
            Where random bits come from: the operating system, or a ``SeededSource`` in tests.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> answer = table.agg(n=sf.count()).release(epsilon=1)
        >>> isinstance(answer["n"], int)
        True
        """
        _check_named("release", unnamed, unknown)
        plan = self.plan(epsilon=epsilon, delta=delta, rho=rho, noise=noise, weights=weights)
        return release_plan(plan, analyst=analyst, key=key, source=source)

    def sort_by(self, name: str, *, descending: bool = False) -> Query:
        """Order the rows of the answer by one of its columns; it costs nothing.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()).sort_by("n", descending=True))
        n = count(*) by sex, order by n, greatest first
        """
        return self._then(SortBy(self._column(name), bool(descending)))

    def head(self, count: int) -> Query:
        """Keep the first rows of the answer; it costs nothing.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()).head(1))
        n = count(*) by sex, the first 1
        """
        if type(count) is not int or count < 0:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "head takes a whole number of rows, not {count!r:.40}",
                "write head(10)",
                count=count,
            )
        return self._then(Head(count))

    def having(self, name: str, sign: str, value: Compared) -> Query:
        """Keep the rows of the answer in which a released column compares so; it costs nothing.

        A key is compared with a value of its type, an aggregate with a number.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()).having("n", ">=", 10))
        n = count(*) by sex, having n >= 10
        """
        column = self._column(name)
        compared = read_compared(value, column, answer_type(self, column))
        check_letters(self, column, sign, compared)
        return self._then(Having(column, sign, compared))

    def nonnegative(self) -> Query:
        """Show counts, and sums of what is not below 0, as 0 where noise brought them below.

        It costs nothing.  Without it they are shown as they are, which is unbiased.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> answer = table.group_by("sex").agg(n=sf.count()).nonnegative().release(epsilon=0.1)
        >>> min(answer["n"]) >= 0
        True
        """
        return self._then(NonNegative())

    def _repr_html_(self) -> str:
        from sfumato.tables.render import html_of_question

        return html_of_question(str(self), self.table)

    def _column(self, name: Any) -> str:
        given = (asked.answer_columns(name) for name, asked in self.aggregates)
        names = [*self.keys, *chain.from_iterable(given)]
        if name not in names:
            raise UnknownNameError(kind=mark("column of the answer"), name=name, known=names)
        return str(name)

    def _then(self, done: After) -> Query:
        return replace(self, after=(*self.after, done))


def _check_named(word: str, unnamed: Sequence[Any], unknown: Mapping[str, Any]) -> None:
    """Refuse what an answer may cost where it has no name, or one that is not known."""
    if unnamed:
        given = unnamed[0] if isinstance(unnamed[0], (int, float)) else 1
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{word} takes what the answer may cost by name",
            "write {word}({epsilon})",
            word=word,
            epsilon=Argument("epsilon", Bare(f"{given:g}")),
        )
    for name in unknown:
        known = _RELEASED if word == "release" else _TARGET
        meant = "epsilon" if name in {"eps", "e", "budget"} else None
        raise UnknownNameError(kind="argument", name=name, known=known, where=word, meant=meant)


@dataclass(frozen=True, eq=False, repr=False)
class GroupedTable:
    """A private table whose rows are grouped.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
    >>> table.group_by("sex")
    <the table, private, by sex>
    """

    table: Held
    keys: tuple[str, ...]

    @property
    def steps(self) -> Steps:
        """What was done to the rows.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> len(table.group_by("sex").steps)
        0
        """
        return self.table.steps

    def agg(self, /, *unnamed: Never, **aggregates: Aggregate) -> Query:
        """Ask for some aggregates of each group.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()))
        n = count(*) by sex
        """
        check_aggregates(aggregates, "agg", unnamed=unnamed)
        for name in aggregates:
            if name in self.keys:
                raise InputError(
                    "E-COLUMN-TWICE",
                    "the answer would have two columns {name!r}",
                    "rename the aggregate",
                    name=name,
                )
        return Query(self.table, tuple(aggregates.items()), self.keys)

    def __repr__(self) -> str:
        return f"<{self.table.source.name}, private, by {', '.join(self.keys)}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            from sfumato.tables.idioms import AGGREGATES, groups_not_shown

            if name in AGGREGATES:
                raise groups_not_shown(name)
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )


def check_keys(keys: Sequence[str], known: Sequence[str], where: str) -> None:
    """Refuse a column that is not there, or that is named twice."""
    for name in keys:
        check_apart(name, known)
        if name not in known:
            raise UnknownNameError(kind="column", name=name, known=known, where=where)
        if keys.count(name) > 1:
            raise InputError(
                "E-COLUMN-TWICE",
                "the column {name!r} is named twice",
                "name each column once",
                name=name,
            )
