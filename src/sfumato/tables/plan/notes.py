"""The notes of a plan and of its answer: limits, bounds, groups, and how cells were read."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from sfumato.printing import cut
from sfumato.refusal import Declaration, Either, series, text
from sfumato.tables.expressions import Cast, Expression, type_of
from sfumato.tables.expressions.collation import orderings
from sfumato.tables.expressions.functions import shortened
from sfumato.tables.expressions.values import fold
from sfumato.tables.notes import SAYS_NOTHING, Note, note, percent_above, written_above
from sfumato.tables.plan.cells import GridTally
from sfumato.tables.plan.histograms import FavouritesOutput, HistogramOutput
from sfumato.tables.plan.measurements import root_above
from sfumato.tables.plan.outputs import Output, PublicMeanOutput
from sfumato.tables.plan.quantiles import ExtremeOutput
from sfumato.tables.tree.rows import Derive, JoinPeople, PerPerson, expressions_of, most_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.refusal import Part
    from sfumato.tables.plan.bounds import FoundBounds
    from sfumato.tables.plan.cells import CellOutput
    from sfumato.tables.plan.measurements import (
        ChosenLimit,
        Contribution,
        ContributionLimit,
        Factor,
        Measurement,
    )
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.tree.rows import Held, Question

_CONFIDENCE = 0.95
#: A longer expression is cut in a note; the plan has all of it.
_MOST_OF_AN_EXPRESSION = 40
#: How a limit is declared, as an example.
_DECLARED = Declaration("limits", "rows", 12)
_WRITTEN = ("integer", "number", "boolean", "date", "timestamp")


def notes_of(
    plan: Outline,
    chosen: Mapping[str, ChosenLimit] | None = None,
    found: Mapping[str, FoundBounds] | None = None,
) -> Iterator[Note]:
    """Yield what is to be known of a plan or, with what was chosen and found, of its answer."""
    yield from _of_limits(plan, chosen or {})
    yield from _of_groups(plan)
    yield from _of_outputs(plan)
    yield from _of_values(plan, found or {})
    yield from _of_cells(plan)
    if any(orderings(each, types) for each, types in _typed(plan.query)):
        yield note("N-LETTERS")


def _unit(plan: Outline) -> str:
    return plan.contribution.relation.unit.noun


def _of_limits(plan: Outline, chosen: Mapping[str, ChosenLimit]) -> Iterator[Note]:
    """Yield what each limit means for units that have more."""
    sums = {each.measurement.limited_by: each.measurement for each in plan.measures}
    for name, limit in plan.contribution.limits.items():
        limited = [each for each in plan.outputs if name in _limits_of(each)]
        total = sums[name] if limit.weighing == "value" else None
        if limit.most is not None and not _is_moot(plan, limit):
            yield _declared(plan, limit, limit.most, limited, total)
        elif name in chosen:
            most = _most(limit, chosen[name], total)
            yield from _chosen(plan, most, limited, chosen[name].at_most)
        elif limit.is_chosen:
            yield note("N-LIMIT-TO-CHOOSE", unit=_unit(plan), limit=_DECLARED)


def _limits_of(output: Output | CellOutput) -> set[str]:
    of = output.measurements if isinstance(output, Output) else (output.look.rows,)
    return {each.limited_by for each in of}


def _is_moot(plan: Outline, limit: ContributionLimit) -> bool:
    """Tell whether nobody can be over a limit: with more rows or groups than there are."""
    groups, rows = plan.keys.count, most_rows(plan.query.steps)
    if rows is not None and limit.most is not None and limit.most >= rows:
        return True
    if limit.weighing != "people" or groups is None or limit.most is None:
        return False
    return limit.most >= (groups if limit.norm == "l1" else root_above(Fraction(groups)))


def _declared(
    plan: Outline,
    limit: ContributionLimit,
    most: Fraction,
    limited: Sequence[Output | CellOutput],
    total: Measurement | None,
) -> Note:
    if total is None:
        written = _rows_or_groups(limit.weighing, f"{float(most):g}")
        covered = any(each.has_interval for each in limited)
        said = text(", and the intervals do not cover that") if covered else ""
        return note("N-LIMIT-DECLARED", most=written, unit=_unit(plan), covered=said)
    names = _names(limited)
    return note("N-LIMIT-DECLARED-SUM", name=names, most=_in_all(total, most), unit=_unit(plan))


def _most(limit: ContributionLimit, chosen: ChosenLimit, total: Measurement | None) -> Part:
    """Return what a unit may have under a limit that was chosen, in words."""
    if total is not None:
        return _in_all(total, Fraction(chosen.most))
    return _rows_or_groups(limit.weighing, f"{chosen.most:,}")


def _chosen(
    plan: Outline, most: Part, limited: Sequence[Output | CellOutput], share: float
) -> Iterator[Note]:
    """Yield what a limit that was chosen privately means, and how a better one is declared."""
    given = {"names": _names(limited), "most": most, "unit": _unit(plan)}
    if share >= SAYS_NOTHING and any(each.misses_rows for each in limited):
        yield note("N-LIMIT-UNSURE", **given, limit=_DECLARED)
    else:
        yield note("N-LIMIT-CHOSEN", **given, covered=_covered(share, limited))
        yield note("N-LIMIT-UNDECLARED", unit=_unit(plan), limit=_DECLARED)


def _covered(share: float, limited: Sequence[Output | CellOutput]) -> Part | str:
    """Return whether the intervals cover what a chosen limit leaves out."""
    missing = [each for each in limited if each.misses_rows]
    weighted = [each for each in limited if each.has_interval and not each.misses_rows]
    if not missing:
        return text(", and the intervals do not cover that") if weighted else ""
    allowed = percent_above(share)
    if not weighted:
        return text("; the intervals allow for {allowed} of all contributions", allowed=allowed)
    return text(
        "; the intervals of {missing} allow for {allowed} of all contributions, and those of "
        "{weighted} do not cover that",
        missing=_names(missing),
        allowed=allowed,
        weighted=_names(weighted),
    )


def _names(outputs: Sequence[Output | CellOutput]) -> str:
    return ", ".join(each.name for each in outputs)


def _in_all(of: Measurement, most: Fraction) -> Part:
    """Return what the rows of a unit may add up to in a sum that is limited by value."""
    rows = _rows_or_groups("value", written_above(most))
    if of.is_open:
        return text("what {rows} at the farther bound add up to", rows=rows)
    total, size = written_above(most * of.size), written_above(of.size)
    return text("{total} ({rows} at {size})", total=total, rows=rows, size=size)


def _rows_or_groups(weighing: str, count: str) -> Part:
    if weighing == "people":
        return text("1 group") if count == "1" else text("{count} groups", count=count)
    return text("1 row") if count == "1" else text("{count} rows", count=count)


def _of_groups(plan: Outline) -> Iterator[Note]:
    """Yield whose the rows are of which it is not said, and which groups have no row."""
    column = plan.contribution.column
    if column is not None:
        yield note("N-UNIT-MISSING", column=column)
    if plan.keys.names and plan.keys.are_known:
        yield note("N-GROUPS-DECLARED")


def _of_outputs(plan: Outline) -> Iterator[Note]:
    """Yield what is to be known of each aggregate."""
    for output in plan.outputs:
        if isinstance(output, ExtremeOutput):
            look, end = output.look, "MAXIMUM" if output.look.greatest else "MINIMUM"
            column = in_short(look.tally.column.text)
            yield note(f"N-NEAR-{end}", name=output.name, column=column, unit=_unit(plan))
        elif isinstance(output, PublicMeanOutput):
            column = in_short(output.total.factors[0].text)
            yield note("N-COUNT-DECLARED", rows=f"{output.rows:,}", column=column)
        elif isinstance(output, HistogramOutput):
            yield note("N-BINS-OPEN", name=output.name)
    for each in plan.samples:
        given = {"name": each.name, "function": each.asked.called}
        blocks = f"{each.asked.blocks:,}"
        if each.asked.aggregate == "median":
            yield note("N-BLOCKS-MEDIAN", **given, blocks=blocks, expected=each.expected)
        else:
            yield note("N-BLOCKS-MEAN", **given, blocks=blocks)


def choice_notes(plan: Outline, contribution: Contribution) -> Iterator[Note]:
    """Yield how good the values are that were chosen, under the limits that counted."""
    steps = {each.look: each for each in plan.looks}
    for output in plan.outputs:
        if isinstance(output, FavouritesOutput):
            short = output.look.error(steps[output.look], contribution, _CONFIDENCE)
            yield note(
                "N-CHOICE" if output.look.count == 1 else "N-CHOICES",
                name=output.name,
                short=f"{ceil(short):,}",
                limited=_counted(plan, output),
            )


def _counted(plan: Outline, output: CellOutput) -> Part | str:
    """Return how rows count in a choice, where units may be over a limit."""
    limits = plan.contribution.limits
    if all(_is_moot(plan, limits[each]) for each in _limits_of(output) & set(limits)):
        return ""
    return text(", counted after contribution bounding")


def _of_values(plan: Outline, found: Mapping[str, FoundBounds]) -> Iterator[Note]:
    """Yield what values were taken for: those beyond their bounds, and those that are none."""
    added = [each for step in plan.measures for each in step.measurement.factors]
    ranked = [
        step.look.tally.column for step in plan.looks if isinstance(step.look.tally, GridTally)
    ]
    factors = {each.text: each for each in (*added, *ranked)}
    known = [each for each in factors.values() if not each.is_open and each.text not in found]
    if known:
        yield note("N-CLAMPED", columns=series([_clamped(each) for each in known]))
    for finding in plan.findings:
        column = str(finding.of)
        yield (
            found[column].note(in_short(column))
            if column in found
            else note("N-BOUNDS-TO-FIND", column=in_short(column))
        )
    for factor in factors.values():
        if factor.complete:
            middle = f"{float(factor.middle):g}"
            yield note("N-COMPLETE", column=in_short(factor.text), middle=middle)


def _clamped(factor: Factor) -> Part:
    low, high = f"{float(factor.low):g}", f"{float(factor.high):g}"
    return text("{column} to [{low}, {high}]", column=in_short(factor.text), low=low, high=high)


def in_short(expression: str) -> str:
    """Return the beginning of an expression that is too long for a note."""
    return cut(expression, _MOST_OF_AN_EXPRESSION)


def _of_cells(plan: Outline) -> Iterator[Note]:
    """Yield which cells are missing since they are not written as their type."""
    read: dict[str, dict[str, bool]] = {}
    for what, kind, is_column in _readings(plan):
        if kind in _WRITTEN:
            read.setdefault(kind, {})[what] = is_column
    for kind in filter(read.__contains__, _WRITTEN):
        several, columns = len(read) > 1, ", ".join(read[kind])
        of = text(" of {columns}", columns=columns) if several else ""
        is_counted = any(read[kind].values())
        counted = (
            text(" ({inspect} counts them)", inspect=Either("sf.inspect", "sfumato inspect"))
            if is_counted
            else ""
        )
        yield note(f"N-CELL-{kind.upper()}", of=of, counted=counted)


def _readings(plan: Outline) -> Iterator[tuple[str, str, bool]]:
    """Yield what is read as which type, and whether it is a column: those of a text file are."""
    table = plan.query.table
    schema = {**table.schema, **table.steps.types}
    for expression, own in _computed(plan):
        for name in sorted(expression.columns() & own) if table.source.is_text else ():
            yield name, table.schema[name], True
        for cast in _casts(expression):
            if _is_of_text(cast, schema):
                yield shortened(cast.argument, most=60), cast.type, False


def _computed(plan: Outline) -> Iterator[tuple[Expression, frozenset[str]]]:
    """Yield what is computed of rows, each with the columns that are still the table's own."""
    own = frozenset(plan.query.table.schema)
    for step in plan.query.steps:
        if isinstance(step, JoinPeople):
            continue
        yield from ((each, own) for each in expressions_of(step))
        if isinstance(step, Derive):
            own -= {name for name, _ in step}
        elif isinstance(step, PerPerson):
            own = frozenset()
    for _, asked in plan.query.aggregates:
        yield from ((each, own) for each in asked.operands)


def _casts(expression: Expression) -> tuple[Cast, ...]:
    found: tuple[Cast, ...] = fold(
        expression,
        lambda node: node.parts,
        lambda node, below: (
            *(each for part in below for each in part),
            *((node,) if isinstance(node, Cast) else ()),
        ),
    )
    return found


def _is_of_text(cast: Cast, schema: Mapping[str, str]) -> bool:
    used = cast.argument.columns()
    return bool(used) and used <= schema.keys() and type_of(cast.argument, schema) == "text"


def _typed(query: Question) -> Iterator[tuple[Expression, Mapping[str, str]]]:
    """Yield what is computed of rows, each with the types that columns have there."""
    yield from _typed_in_steps(query.table)
    yield from ((of, query.steps.types) for _, each in query.aggregates for of in each.operands)


def _typed_in_steps(table: Held) -> Iterator[tuple[Expression, Mapping[str, str]]]:
    for before, after in pairwise(table.steps.stages):
        step = after[-1]
        if isinstance(step, JoinPeople):
            yield from _typed_in_steps(step.other)
        else:
            yield from ((each, before.types) for each in expressions_of(step))
