"""The reports as an engine sees them: what becomes of each, and the entries of those that count.

Nothing is cast inside the engine, so that no cell can make it fail: a column is compared with
what the question's protocol can give, written in the column's own type.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import InputError, InternalError
from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.collector.forms import largest_report, parse
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data import Source
    from sfumato.survey.client.questions import ChoiceQuestion, Question
    from sfumato.survey.client.survey import Survey


_MOST_LISTED = 64
_WHOLE_DOUBLES = 2**53
#: How often an engine's patterns may repeat something, the least of them.
_MOST_REPEATED = 250
_NUMBER = r"^(0|[1-9][0-9]*)([.]0)?$"


def check_type(question: Question, column: ir.Column, where: str) -> None:
    """Refuse a column whose type cannot hold every report that the question's protocol can give.

    A program that guesses at types has made a number of 01, say, which is no longer the choice:
    reports with other choices would be left, and the estimates have a bias.
    """
    if not _holds(question, column.type()):
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {question!r} of {where} is of type {column}, which cannot hold every "
            "report on that question",
            "have the reports read as text",
            question=question.name,
            where=where,
            column=column.type(),
        )


def possible(question: Question, column: ir.Column) -> ir.BooleanValue:
    """Return whether an entry is one that the question's protocol can give; never null."""
    most = largest_report(question)
    if most is None:
        found = _is_text(cast("ChoiceQuestion", question), column)
    else:
        found = _is_number(column, most)
    return _known(found)


def whole_within(column: ir.Column, least: int, most: int) -> ir.BooleanValue:
    """Return whether a number is whole, and within bounds; null where there is none."""
    import ibis

    within = column.between(least, most)
    if not column.type().is_floating():
        return within
    inside = ibis.cases((within, column), else_=0.5)
    return within & (inside == inside.floor().cast("float64"))


def words_of(question: Question, kind: Any) -> list[Any] | None:
    """Return the words of a question, as values of its column's type; None if it has no words."""
    if not isinstance(question.protocol, Response):
        return None
    return [_typed(kind, word) for word in question.choices]


def decoded(question: Question, column: pa.Array) -> NDArray[Any]:
    """Return possible entries of a column as arrays of reports."""
    import pyarrow as pa

    whole = column.cast(pa.int64()) if pa.types.is_floating(column.type) else column
    reports, fine = parse(question, whole)
    if not fine.all():
        raise InternalError(
            "E-INTERNAL",
            "the engine took impossible reports on {question!r} for possible ones",
            question=question.name,
        )
    return reports


def _holds(question: Question, kind: Any) -> bool:
    most = largest_report(question)
    if kind.is_string():
        return True
    if most is not None:
        return _has_room(kind, most) or bool(kind.is_float64() and most < _WHOLE_DOUBLES)
    words = words_of(question, kind)
    if words is None or None in words:
        return False
    return not kind.is_integer() or _has_room(kind, *words)


def _has_room(kind: Any, *numbers: int) -> bool:
    """Return whether a type is of whole numbers, these among them."""
    return kind.is_integer() and all(
        kind.bounds.lower <= each <= kind.bounds.upper for each in numbers
    )


def _typed(kind: Any, word: str) -> Any:
    """Return a word as a value of a column's type; None where it has no one way to be written."""
    if kind.is_string():
        return word
    if kind.is_boolean():
        return {"true": True, "false": False}.get(word)
    number = int(word) if word.removeprefix("-").isdecimal() and len(word) < 16 else None
    if str(number) != word or not (kind.is_integer() or kind.is_float64()):
        return None
    return number if kind.is_integer() else float(word)


def _is_text(question: ChoiceQuestion, column: ir.Column) -> ir.BooleanValue:
    words = words_of(question, column.type())
    return _are_bits(question, column) if words is None else column.isin(words)


def _is_number(column: ir.Column, most: int) -> ir.BooleanValue:
    if column.type().is_string():
        return _is_written_number(column, most)
    return whole_within(column, 0, most)


def _is_written_number(text: ir.StringColumn, most: int) -> ir.BooleanValue:
    """Return whether a text is a whole number up to the greatest; .0 behind it does no harm.

    A line break is asked for besides, for to Java a line may end before it.
    """
    import ibis

    if most < _MOST_LISTED:
        numbers = [str(each) for each in range(most + 1)]
        return text.isin([*numbers, *(f"{each}.0" for each in numbers)])
    digits = ibis.cases((text.endswith(".0"), text.left(text.length() - 2)), else_=text)
    length, greatest = digits.length(), str(most)
    below = (length < len(greatest)) | ((length == len(greatest)) & (digits <= greatest))
    return text.re_search(_NUMBER) & ~text.contains("\n") & below


def _are_bits(question: ChoiceQuestion, text: ir.StringColumn) -> ir.BooleanValue:
    """Return whether a text has its letter and one bit for each choice, as many 1 as there are."""
    choices, protocol = len(question.choices), question.protocol
    sized = text.length() == choices + 1
    if not isinstance(protocol, Subset):
        return sized & text.re_search("^b[01]+$")
    if protocol.size <= _MOST_REPEATED:
        return sized & text.re_search(f"^b(?:0*1){{{protocol.size}}}0*$")
    zeros = text.replace("1", "") == "b" + "0" * (choices - protocol.size)
    return sized & text.startswith("b") & zeros


#: What becomes of a report, by the first that applies.
OTHER, IMPOSSIBLE, DUPLICATE, COUNTED = range(4)

#: The length is asked for besides: to Java, a line may end before a last line break.
_TAG, _TAG_LENGTH = "^t[0-9a-f]{16}$", 17
_LONGEST_PERSON = 200
#: Whole numbers from here on are not told apart by columns of 32 bits, or of 64.
_WHOLE_SINGLES, _LAST_WHOLE = 2**24, 2**53
_MOST_NAMED = 10
#: More words are looked up in a table; to write them all into a query would take long.
_MOST_WRITTEN = 256
#: Of which types the columns that are no answers may be.
_KINDS = {"survey": ("string",), "tag": ("string",), "person": ("string", "integer", "floating")}


class ReportRows:
    """The reports of a survey in an engine, as queries that are not run yet.

    Attributes
    ----------
    columns
        What the queries call the entry of each question.
    """

    def __init__(self, survey: Survey, source: Source) -> None:
        _check_header(survey, source)
        source.check_columns(survey.entries)
        self.survey = survey
        self.source = source
        self.columns = {name: f"entry{place}" for place, name in enumerate(survey.questions)}
        self._check_types()
        self._table, self._known = self._looked_up()

    def groups(self, names: Iterable[str]) -> ir.Table:
        """Return how many reports have each status, and of those that count each combination."""
        rows = self._judged() if self.survey.ids else self._judged_in_groups(names)
        shown = self._shown(rows, names)
        keys = [name for name in shown.columns if name != "people"]
        return shown.group_by(keys).agg(people=shown["people"].sum())

    def reports(self, names: Iterable[str]) -> ir.Table:
        """Return the status of each report, and the entries of those that count."""
        return self._shown(self._judged(), names)

    def _shown(self, rows: ir.Table, names: Iterable[str]) -> ir.Table:
        entries = {self.columns[name]: rows[self.columns[name]] for name in names}
        counted = rows["status"] == COUNTED
        return rows.select("status", **_only(counted, entries), people=rows["people"])

    def _check_types(self) -> None:
        table, where = self.source.table, self.source.name
        for name in self.survey.entries:
            if name in self.survey.questions:
                check_type(self.survey.questions[name], table[name], where)
                continue
            kind = table[name].type()
            if not any(getattr(kind, f"is_{each}")() for each in _KINDS[name]):
                raise InputError(
                    "E-COLUMN-TYPE",
                    "the column {name!r} of {where} is of type {kind}, which no report has there",
                    "have the reports read as text",
                    name=name,
                    where=where,
                    kind=kind,
                )

    def _looked_up(self) -> tuple[ir.Table, frozenset[str]]:
        """Return the reports, with a column that says whether a word of many is a choice.

        With them come the names of the questions for which this is so.
        """
        table = self.source.table.select(list(self.survey.entries))
        names = []
        for name, question in self.survey.questions.items():
            words = words_of(question, table[name].type())
            if words is not None and len(words) > _MOST_WRITTEN:
                table = _with_lookup(table, name, words)
                names.append(name)
        return table, frozenset(names)

    def _judged_in_groups(self, names: Iterable[str]) -> ir.Table:
        """Return groups of equal reports with their status.

        Whether an entry is possible is asked once a group, and not once a report.  Groups are
        few, since reports of other surveys are one.
        """
        mine = self._is_mine()
        late = [name for name in names if name not in self._known]
        early = {name: self._table[name] for name in self.survey.questions if name not in late}
        entries = _only(mine, {self.columns[name]: self._table[name] for name in names})
        rows = self._table.select(mine=mine, fine=mine & self._possible(early), **entries)
        groups = rows.group_by(["mine", "fine", *entries]).agg(people=rows.count())
        asked = {name: groups[self.columns[name]] for name in late}
        status = _status(groups["mine"], groups["fine"] & self._possible(asked))
        return groups.mutate(status=status)

    def _judged(self) -> ir.Table:
        """Return each report with its status."""
        import ibis

        table, mine = self._table, self._is_mine()
        entries = {name: table[name] for name in self.survey.questions}
        named = {self.columns[name]: column for name, column in entries.items()}
        fine = mine & self._possible(entries)
        one = ibis.literal(1, "int64")
        if not self.survey.ids:
            return table.select(status=_status(mine, fine), people=one, **named)
        person, tag = table["person"], table["tag"]
        fine &= _has_person(person) & _has_tag(tag)
        rows = table.select(mine=mine, fine=fine, person=person, tag=tag, **named)
        rows = rows.mutate(first=_place(rows, list(named)) == 0)
        return rows.mutate(status=_status(rows["mine"], rows["fine"], rows["first"]), people=one)

    def _is_mine(self) -> ir.BooleanValue:
        return _known(self._table["survey"] == self.survey.digest)

    def _possible(self, entries: Mapping[str, ir.Column]) -> ir.BooleanValue:
        """Return whether all of some entries are possible."""
        import ibis

        all_of = [self._is_possible(name, entry) for name, entry in entries.items()]
        return reduce(and_, all_of, ibis.literal(value=True))

    def _is_possible(self, name: str, entry: ir.Column) -> ir.BooleanValue:
        if name in self._known:
            return self._table[_lookup(name)].notnull()
        return possible(self.survey.questions[name], entry)


def _check_header(survey: Survey, source: Source) -> None:
    """Refuse a table without a header, whose names, being cells, are not said."""
    if "survey" in source.column_names:
        return
    names = ",".join(survey.entries[:_MOST_NAMED])
    more = ",…" if len(survey.entries) > _MOST_NAMED else ""
    raise InputError(
        "E-REPORTS-FORM",
        "{source} has no column 'survey'",
        "its {head} should be {names}{more}",
        source=source.name,
        head=mark("first line" if source.is_text else "columns"),
        names=names,
        more=more,
    )


def _lookup(name: str) -> str:
    """Return what the column is called that says whether an entry is a choice: as no question."""
    return f"{name}?"


def _with_lookup(table: ir.Table, name: str, words: list[Any]) -> ir.Table:
    import ibis
    import pyarrow as pa

    choices = ibis.memtable(pa.table({_lookup(name): words}))
    return table.left_join(choices, table[name] == choices[_lookup(name)])


def _status(
    mine: ir.BooleanValue, fine: ir.BooleanValue, first: ir.BooleanValue | None = None
) -> ir.IntegerValue:
    import ibis

    cases = [(~mine, OTHER), (~fine, IMPOSSIBLE)]
    if first is not None:
        cases.append((~first, DUPLICATE))
    return ibis.cases(*cases, else_=COUNTED)


def _place(rows: ir.Table, entries: list[str]) -> ir.IntegerColumn:
    """Return at which place a report is among those of its person that could count.

    A tag is drawn at random, so that which report is kept does not hang on its entries.  Those
    decide between reports with one tag, of which no client sends two but as copies.
    """
    import ibis

    return ibis.row_number().over(
        group_by=[rows["fine"], rows["person"]],
        order_by=[rows[each] for each in ("tag", *entries)],
    )


def _only(condition: ir.BooleanValue, entries: Mapping[str, ir.Column]) -> dict[str, ir.Value]:
    """Return columns whose cells are left where a condition holds."""
    import ibis

    return {name: ibis.cases((condition, entry)) for name, entry in entries.items()}


def _has_person(person: ir.Column) -> ir.BooleanValue:
    kind = person.type()
    if kind.is_string():
        return _known(person.length().between(1, _LONGEST_PERSON))
    if not kind.is_floating():
        return person.notnull()
    most = _WHOLE_SINGLES if kind.is_float32() else _LAST_WHOLE
    return _known(whole_within(person, 1 - most, most - 1))


def _has_tag(tag: ir.StringColumn) -> ir.BooleanValue:
    return _known(tag.re_search(_TAG) & (tag.length() == _TAG_LENGTH))


def _known(condition: ir.BooleanValue) -> ir.BooleanValue:
    """Return a condition that is false where it is null."""
    import ibis

    return condition.fill_null(ibis.literal(value=False))
