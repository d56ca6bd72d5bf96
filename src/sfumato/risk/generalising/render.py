"""What was done to a table, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from sfumato.printing import aligned, counted, figure, named, rounded, share
from sfumato.translation import Sentences, mark, tr

if TYPE_CHECKING:
    from sfumato.risk.generalising.insensitive import Others
    from sfumato.risk.generalising.ladders import Odd
    from sfumato.risk.generalising.losses import Losses, Standing
    from sfumato.risk.generalising.recoding import Change
    from sfumato.risk.generalising.search import Method, Search


_MANY_TIMES = 10_000
_LEAST_SEEN = 5e-7

#: How to write an argument, such as remove, that names some columns.
Write = Callable[[str, Sequence[str]], str]


def in_python(argument: str, columns: Sequence[str]) -> str:
    """Write an argument that names columns in Python."""
    return f"{argument}={[*columns]!r}"


def columns_in_words(changes: Sequence[Change], removed: Sequence[str]) -> list[str]:
    """Return one line a column, what its cells are now, and which hierarchies were made."""
    rows = [(named([each.name]), each.how, _level(each)) for each in changes]
    stars = [(named([name]), mark("removed"), tr("* in every row")) for name in removed]
    made = [each.name for each in changes if each.made]
    told = [tr("hierarchies made from the values, as none were given: {made}", made=named(made))]
    return [*aligned([*rows, *stars], indent="  "), *(told if made else [])]


def _level(change: Change) -> str:
    if change.level is None or change.levels is None:
        return tr("cell by cell")
    return tr("level {level} of {levels}", level=change.level, levels=change.levels)


def odd_in_words(odd: Sequence[Odd], rows: int, method: Method) -> list[str]:
    """Return how many cells are unlike the rest, and what became of them, one line a column."""
    become = tr(_LISTED if method == "mondrian" else _STARRED)
    return [
        tr(
            "{named}: {odd:,} of {all} {unlike}{become}",
            named=named([each.column]),
            odd=each.cells,
            all=counted(rows, "cell"),
            unlike=_unlike(each),
            become=become,
        )
        for each in odd
    ]


_STARRED = (
    ": such cells say * where it is generalised; leave them empty, or give a hierarchy with them"
)
_LISTED = mark(": such cells stand together in the order that is cut, and are listed by name")


def _unlike(odd: Odd) -> str:
    if odd.cells == 1:
        return tr(_UNLIKE.get(odd.kind, _NO_SUCH), kind=odd.one)
    return tr("are no {kind}", kind=odd.kind)


_NO_SUCH = mark("is no {kind}")
_UNLIKE: Sentences = {
    "numbers": "is no number",
    "dates": "is no date",
}


def loss_in_words(losses: Losses) -> list[str]:
    """Return what was lost, by all three measures."""
    bits = tr("{entropy} bits over all rows", entropy=rounded(losses.entropy))
    times = losses.average_class_size
    size = (
        tr("{times:,.4g} times k", times=times)
        if times < _MANY_TIMES
        else tr("{times:,.0f} times k", times=times)
    )
    return [
        tr("information loss {share} ({bits})", share=share(losses.entropy_share), bits=bits),
        tr(
            "discernibility {discernibility:,}, average class size {size}",
            discernibility=losses.discernibility,
            size=size,
        ),
    ]


def search_in_words(search: Search) -> str:
    """Return how far the result is known to be the best."""
    if search.method == "mondrian":
        return tr("not proved to be the best: regions cut at their medians (Mondrian)")
    ways = tr("{ways} to generalise whole columns", ways=counted(search.ways, "way"))
    if search.proved:
        return tr(
            "proved: none of the {ways} loses less ({checked:,} checked)",
            ways=ways,
            checked=search.checked,
        )
    return tr(
        "not proved to be the best of the {ways} ({checked:,} checked)",
        ways=ways,
        checked=search.checked,
    )


def standing_in_words(before: Standing, after: Standing) -> list[str]:
    """Return how exposed people were and are."""
    rows = [
        ("", tr("before"), tr("after")),
        (tr("k, rows in the smallest equivalence class"), f"{before.k:,}", f"{after.k:,}"),
        (tr("equivalence classes"), f"{before.classes:,}", f"{after.classes:,}"),
        (tr("unique rows"), f"{before.uniques:,}", f"{after.uniques:,}"),
    ]
    for was, now in zip(before.sensitive, after.sensitive, strict=True):
        secret = named([was.name])
        rows += [
            (tr("l of {secret}", secret=secret), f"{was.l:,}", f"{now.l:,}"),
            (tr("t of {secret}", secret=secret), _in_line(was.t), _in_line(now.t)),
            (
                tr("bits left of {secret}", secret=secret),
                _in_line(was.bits_left),
                _in_line(now.bits_left),
            ),
        ]
    return aligned(rows, right={1, 2}, indent="  ")


def _in_line(value: float) -> str:
    """Return a figure with as many decimals as those around it, unless they would say 0."""
    return f"{value:,.6f}" if value >= _LEAST_SEEN or not value else figure(value)


def leaks_in_words(after: Standing, others: Others, write: Write) -> list[str]:
    """Return what the generalised table still gives away."""
    told = [
        tr(
            "{rows} in equivalence classes with one {named} only: who finds them learns it",
            rows=counted(each.told_rows, "row"),
            named=named([each.name]),
        )
        for each in after.sensitive
        if each.told_rows
    ]
    together = tr("k-anonymity does not compose: intersected with another release it may break")
    return [*told, *([] if after.sensitive else [_unmeasured(others, write)]), together]


def _unmeasured(others: Others, write: Write) -> str:
    """Say that no sensitive column is named, and name one that may be."""
    unknown = tr(
        "no sensitive attribute is named: what an equivalence class shares was not measured"
    )
    kept = [name for name in others.unlooked if name not in others.telling][:1]
    if not kept:
        return unknown
    option = write("sensitive", kept)
    return tr(
        "{unknown}; name what nobody should learn, as in {option}", unknown=unknown, option=option
    )


def warnings_in_words(others: Others, rows: int, write: Write) -> list[str]:
    """Return which columns should not have been kept, and what to write for all of them."""
    naming = [_naming(others.identifying)] if others.identifying else []
    telling = [_telling(others.telling, rows)] if others.telling else []
    option = write("remove", [*others.identifying, *others.telling])
    if naming and telling:
        return [
            *naming,
            tr("{telling}, or remove them", telling=telling[0]),
            tr("to remove all of these, write {option}", option=option),
        ]
    return [
        *(tr("{each}; write {option}", each=each, option=option) for each in naming),
        *(tr("{each}, or write {option}", each=each, option=option) for each in telling),
    ]


def _naming(identifying: Sequence[str]) -> str:
    one = len(identifying) == 1
    differ = tr("differs in every row and names") if one else tr("differ in every row and name")
    return tr(
        "WARNING: {identifying} {differ} people", identifying=named(identifying), differ=differ
    )


def _telling(telling: Mapping[str, int], rows: int) -> str:
    uniques = [
        tr("{named} ({unique:,} of {rows:,})", named=named([name]), unique=unique, rows=rows)
        for name, unique in telling.items()
    ]
    return tr(
        "WARNING: many rows are unique on one kept column alone: {uniques}; name such columns too",
        uniques=", ".join(uniques),
    )


def others_in_words(others: Others) -> list[str]:
    """Return what was not looked at."""
    if not others.unlooked:
        return []
    return [tr("kept as they are, and not looked at: {unlooked}", unlooked=named(others.unlooked))]
