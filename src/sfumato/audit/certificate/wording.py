"""What a check says: what was proved, what is trusted, and what could be done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.certificate.asked import Asked
    from sfumato.audit.certificate.parts import Part
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken
    from sfumato.privacy import Guarantee

__all__ = ["again", "proved", "trusted"]

#: Steps whose noise was derived; others choose, or are answered by a function.
_NOISY = ("measure", "count_bins", "find_bounds", "choose_limit")
#: Aggregates whose confidence intervals were derived again.
_BARS = (
    *("count", "people", "sum", "mean", "histogram"),
    *("quantiles", "minimum", "maximum", "top_k"),
)


def proved(
    guarantee: Guarantee, steps: list[Taken], how: str, asked: list[Asked]
) -> tuple[str, ...]:
    """Return what was derived again and is as it is stated."""
    count = len([each for each in steps if each.event is not None])
    several = (
        tr("each of {count} private steps", count=count)
        if count > 1
        else tr("the one private step")
    )
    names = ", ".join(each.name for each in asked)
    return (
        tr(
            "the sensitivity of {several} under “{relation}”, as it is claimed",
            several=several,
            relation=guarantee.relation,
        ),
        *_hidden(steps, several),
        tr("{guarantee} for all of it: {how}", guarantee=guarantee, how=how),
        tr(
            "that the answer ({names}) is made of what was measured for it, and all of that "
            "is there",
            names=names,
        ),
        tr("that the values follow from what was released"),
    )


def _hidden(steps: list[Taken], several: str) -> tuple[str, ...]:
    """Return what is known of the noise of steps that have some."""
    charged = [each.kind in _NOISY for each in steps if each.event is not None]
    if not any(charged):
        return ()
    which = several if all(charged) else tr("{charged} of them", charged=sum(charged))
    return (
        tr("that the noise scale of {which} is enough for the cost that is charged", which=which),
    )


def trusted(
    setting: Setting, steps: list[Taken], asked: list[Asked], query: Part
) -> tuple[str, ...]:
    """Return what nobody can see in a certificate."""
    person = setting.declared.person
    found = [tr("that the noise was drawn at random, and nobody knows it")]
    if person:
        found.append(
            tr(
                "that the engine read the right rows, once, and added them up, {person} "
                "identifying people, nobody over a contribution limit",
                person=person,
            )
        )
    else:
        found.append(tr("that the engine read the right rows, once, and added them up"))
    if query["steps"].value:
        found.append(tr("that rows were filtered, derived and joined as the query says"))
    found.append(
        tr("that what is declared (bounds, groups, contribution limits) was known without the rows")
    )
    if any(each.kind not in (*_NOISY, "sample") for each in steps):
        found.append(tr("that choices had the probabilities of their mechanisms, at their cost"))
    functions = ", ".join(each.name for each in asked if each.kind == "sample_aggregate")
    if functions:
        found.append(
            tr(
                "that {functions} is what the function of the given digest says of blocks of "
                "people, between its bounds, with the noise or the probabilities that are charged",
                functions=functions,
            )
        )
    others = [each.name for each in asked if each.kind not in _BARS]
    if others:
        found.append(
            tr(
                "that the confidence intervals of {others} are wide enough",
                others=", ".join(others),
            )
        )
    found.append(tr("that the sentences below the answer are true, and none is missing"))
    return tuple(found)


def again(setting: Setting) -> tuple[str, ...]:
    """Return what would have to be done again to know more, and with what."""
    left_out = (
        ""
        if setting.declared.person is None
        else tr(", but for what a contribution limit leaves out")
    )
    return (
        tr(
            "the query, on the same rows: it is charged again, and both answers should agree "
            "within their confidence intervals"
        ),
        tr(
            "the exact answer, by whoever holds the rows: within the confidence "
            "intervals{left_out}",
            left_out=left_out,
        ),
    )
