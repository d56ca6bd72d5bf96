"""The private steps of a certificate: what a change can move, what hides it, what rests on what."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import refute
from sfumato.audit.certificate.measured import CELLS, MeasuredSum, read_cells, read_measured
from sfumato.audit.certificate.noise import check_noise, read_noise
from sfumato.audit.certificate.setting import read_expression
from sfumato.privacy.events import Approximate

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.document import DocumentPart
    from sfumato.audit.certificate.measured import PublicCells
    from sfumato.audit.certificate.noise import WholeNumberNoise
    from sfumato.audit.certificate.setting import QuestionSetting
    from sfumato.privacy.events import Event


@dataclass(frozen=True)
class PersonLimit:
    """How much of one person counts.

    Parameters
    ----------
    name
        By which it was chosen, where it was.
    weighing
        What is limited: "people" for groups, "value" for the sizes of what rows add, or rows.
    norm
        "l1" or "l2", over groups.
    most
        The limit.
    """

    name: str
    weighing: str
    norm: str
    most: Fraction


@dataclass(frozen=True)
class Taken:
    """A step as it was taken.

    Parameters
    ----------
    kind, place
        Which, and where it stands.
    event
        What is charged for it; None if that is charged with another.
    measured
        What a row adds, for sums and counts.
    limit
        How much of a person counts.
    noise
        What was added.
    together
        The place of the step that it is measured together with.
    cells
        The cells that rows fall into.
    sensitivity
        How far one change can move it, in fine steps.
    said
        What else is said of it.
    """

    kind: str
    place: int
    event: Event | None
    measured: MeasuredSum = field(default_factory=lambda: MeasuredSum("rows"))
    limit: PersonLimit | None = None
    noise: WholeNumberNoise | None = None
    together: int | None = None
    cells: PublicCells | None = None
    sensitivity: Fraction = Fraction(0)
    said: dict[str, Any] = field(default_factory=dict)


#: What may share a charge: the parts of a column, and the rows without it.
_JOINT = {"sum", "absent"}


def check_together(steps: list[Taken]) -> None:
    """Check that what shares a charge adds no more than one, relative to the noise of each.

    A row adds as much to both parts of a column together as one row to a count, or one to the
    rows without it: in L1, and all the more in L2.  A limit on values bounds each sum by itself,
    so that together they could move by as much each.
    """
    sharing: dict[int, list[Taken]] = {}
    for step in steps:
        if step.together is not None:
            if step.together >= step.place:
                refute(
                    "steps[{place}] is measured with a step that is not charged for it",
                    place=step.place,
                )
            sharing.setdefault(step.together, []).append(step)
    for place, others in sharing.items():
        _check_charge(steps[place], others)


def _check_charge(first: Taken, others: list[Taken]) -> None:
    """Check that some steps may share the charge of the first."""
    name, alike = f"steps[{others[0].place}]", [first, *others]
    if first.event is None or first.kind != "measure":
        refute("{name} is measured with a step that is not charged for it", name=name)
    shapes = {(each.measured.kind, each.measured.turned) for each in alike}
    columns = {each.measured.part_of for each in alike if each.measured.kind == "sum"}
    kinds = {each.measured.kind for each in alike}
    if len(shapes) < len(alike) or len(columns) != 1 or None in columns or kinds - _JOINT:
        refute("{name} is measured with what it does not share a charge with", name=name)
    if len({(each.limit, each.measured.present) for each in alike}) > 1:
        refute("{name} is measured with what is limited otherwise", name=name)
    if first.limit is not None and first.limit.weighing == "value":
        refute("{name} shares a charge, and each sum has a limit on its own values", name=name)
    for each in others:
        if each.noise is not None:
            check_noise(each.noise, each.sensitivity, first.event, f"steps[{each.place}]")


def check_found(steps: list[Taken], setting: QuestionSetting) -> None:
    """Check that everything found privately has its step, before what rests on it."""
    order = ["find_keys", "find_bounds", "choose_limit"]
    places = [order.index(each.kind) if each.kind in order else len(order) for each in steps]
    if places != sorted(places):
        refute("the steps are not in the order in which they can be taken")
    bounds = [each.said["name"] for each in steps if each.kind == "find_bounds"]
    if sorted(bounds) != sorted(setting.content.bounds):
        refute("the bounds that were found are not those of the steps that find them")
    chosen = [each for each in steps if each.kind == "choose_limit"]
    names = [name for each in chosen for name in each.said["names"]]
    if sorted(names) != sorted(setting.content.limits):
        refute("the limits that were chosen are not those of the steps that choose them")
    used = {each.limit.name: each.limit.weighing for each in steps if each.limit is not None}
    for each in chosen:
        _check_chosen(each, used)


def _check_chosen(step: Taken, used: dict[str, str]) -> None:
    """Check that one histogram is for what it can choose: rows, or groups, or one sum's values."""
    kinds = [used.get(name) for name in step.said["names"]]
    alone = step.said["weighing"] in ("people", "value")
    if not kinds or None in kinds or kinds[0] != step.said["weighing"]:
        refute("steps[{place}] chooses a limit that nothing rests on", place=step.place)
    if (alone and len(kinds) > 1) or {"people", "value"} & {*kinds[1:]}:
        refute("steps[{place}] chooses limits that are not of one kind", place=step.place)


_WEIGHINGS = ("rows", "people", "value", "ratio", "choice")


def read_steps(parts: DocumentPart, setting: QuestionSetting) -> list[Taken]:
    """Return the steps, once each is derived again."""
    found: list[Taken] = []
    for place, part in enumerate(parts.list()):
        kind = part["step"].text()
        read = _measure if kind == "measure" else _READERS.get(kind)
        if read is None:
            refute(
                "{name} is a step {kind!r:.60}, which this program does not know",
                name=part.name,
                kind=kind,
            )
        event = part.get("event")
        found.append(read(part, place, None if event is None else event.event(), setting))
        if (found[-1].event is None) != (found[-1].together is not None):
            refute(
                "{name} needs an event, or the step with one that it is measured with",
                name=part.name,
            )
    check_together(found)
    check_found(found, setting)
    return found


def _measure(
    part: DocumentPart, place: int, event: Event | None, setting: QuestionSetting
) -> Taken:
    part.record("step", "what", "limit", "noise", "sensitivity", "event", "with")
    measured, noise = read_measured(part["what"], setting), read_noise(part["noise"])
    limit = _limit(part, measured, setting)
    sensitivity = _moved(measured, limit, setting)
    _check_claim(part, sensitivity)
    _check_norm(part, limit, noise)
    if event is not None:
        check_noise(noise, sensitivity, event, part.name)
    together = part.get("with")
    first = None if together is None else together.whole()
    return Taken("measure", place, event, measured, limit, noise, first, sensitivity=sensitivity)


def _cells(part: DocumentPart, place: int, event: Event | None, setting: QuestionSetting) -> Taken:
    """Return a step that counts or chooses in cells, each row being in one of them.

    So one change moves all cells of all groups together by no more than it moves a count.
    """
    kind = part["step"].text()
    fields, _ = CELLS[kind]
    part.record("step", "rows", "limit", "sensitivity", "event", *fields)
    rows = read_measured(part["rows"], setting)
    if rows.kind != "rows":
        refute("{name} is of what are no rows", name=part.name)
    limit = _limit(part, rows, setting)
    sensitivity = _moved(rows, limit, setting)
    _check_claim(part, sensitivity)
    noise = read_noise(part["noise"]) if "noise" in fields else None
    _check_norm(part, limit, noise)
    if event is None:
        refute("{name} is not charged for", name=part.name)
    if noise is not None:
        check_noise(noise, sensitivity, event, part.name)
    return Taken(kind, place, event, rows, limit, noise, cells=read_cells(part, setting))


def _find_keys(
    part: DocumentPart, place: int, event: Event | None, setting: QuestionSetting
) -> Taken:
    """Return the step that finds groups: adding or removing is in so many of them."""
    part.record("step", "groups", "event")
    declared = setting.declared
    most = 1 if declared.person is None else declared.groups
    if declared.relation != "add_remove" or part["groups"].whole(1) != most:
        refute("{name}: the groups that one change is in are not those declared", name=part.name)
    if not isinstance(event, Approximate):
        refute("{name}: groups are found at the cost of an ε and a δ", name=part.name)
    if 0 in (event.epsilon, event.delta):
        refute("{name}: groups are found at the cost of an ε and a δ above 0", name=part.name)
    return Taken("find_keys", place, event)


def _find_bounds(
    part: DocumentPart, place: int, event: Event | None, setting: QuestionSetting
) -> Taken:
    """Return the step that finds bounds, in which everybody adds one in all."""
    part.record("step", "name", "of", "noise", "sensitivity", "event")
    _check_histogram(part, event, Fraction(setting.changes * setting.fine))
    of = read_expression(part["of"], setting.columns)
    return Taken("find_bounds", place, event, said={"name": part["name"].text(), "of": of})


def _choose_limit(
    part: DocumentPart, place: int, event: Event | None, setting: QuestionSetting
) -> Taken:
    """Return the step that chooses limits, in which everybody is in one cell."""
    part.record("step", "weighing", "limits", "noise", "sensitivity", "event")
    _check_histogram(part, event, Fraction(setting.changes))
    names = [each.text() for each in part["limits"].list()]
    weighing = part["weighing"].text(*_WEIGHINGS)
    if setting.declared.person is None:
        refute("{name} limits people, and each row is protected by itself", name=part.name)
    return Taken("choose_limit", place, event, said={"names": names, "weighing": weighing})


def _sample(
    part: DocumentPart, place: int, event: Event | None, _setting: QuestionSetting
) -> Taken:
    part.record("step", "sensitivity", "event")
    return Taken("sample", place, event, said={"sensitivity": part["sensitivity"].fraction()})


_READERS: dict[str, Callable[[DocumentPart, int, Event | None, QuestionSetting], Taken]] = {
    "find_keys": _find_keys,
    "find_bounds": _find_bounds,
    "choose_limit": _choose_limit,
    "sample": _sample,
    **dict.fromkeys(CELLS, _cells),
}


def _limit(
    part: DocumentPart, measured: MeasuredSum, setting: QuestionSetting
) -> PersonLimit | None:
    """Return how much of a person counts, which follows from what is declared or was chosen."""
    given = part.get("limit")
    if setting.declared.person is None:
        if given is not None:
            refute("{name} limits people, and each row is protected by itself", name=part.name)
        return None
    if given is None:
        refute("{name} limits nobody, and people are protected", name=part.name)
    given.record("name", "weighing", "norm", "most")
    limit = PersonLimit(
        given["name"].text(),
        given["weighing"].text(*_WEIGHINGS),
        given["norm"].text("l1", "l2"),
        given["most"].fraction(),
    )
    if (limit.weighing == "people") != (measured.kind == "people"):
        refute("{name} is limited by something else than what it measures", name=part.name)
    if limit.weighing == "value" and measured.kind != "sum":
        refute("{name} limits values, and there are none", name=part.name)
    if limit.weighing != "value" and limit.name != limit.weighing:
        refute("{name} has another name than what it limits", name=given.name)
    if limit.most != setting.limit(limit.name, limit.weighing, limit.norm):
        refute("{name} is not the limit that was declared or chosen", name=given.name)
    return limit


def _moved(measured: MeasuredSum, limit: PersonLimit | None, setting: QuestionSetting) -> Fraction:
    """Return the most by which one change moves a sum over all groups, in fine steps.

    Each of the rows of a person adds no more than the most of a row, times its weight; the
    weights, or the values, of a person are no more than the limit.
    """
    most = Fraction(1) if limit is None else limit.most
    return setting.changes * measured.most * setting.fine * most


def _check_claim(part: DocumentPart, sensitivity: Fraction) -> None:
    if part["sensitivity"].fraction() != sensitivity:
        refute(
            "{name}: one change can move it by {sensitivity} steps, and not as claimed",
            name=part.name,
            sensitivity=sensitivity,
        )


def _check_norm(
    part: DocumentPart, limit: PersonLimit | None, noise: WholeNumberNoise | None
) -> None:
    """Check that people are limited in the norm that the noise asks for.

    Laplace noise and choices ask for L1.  Gaussian noise asks for L2, in which what is limited in
    L1 is limited, too: values are, and what is chosen.
    """
    if limit is None:
        return
    gaussian = noise is not None and noise.is_gaussian
    norm = "l2" if gaussian and limit.weighing not in ("value", "choice") else "l1"
    if limit.norm != norm:
        refute("{name} is limited in another norm than its noise asks for", name=part.name)


def _check_histogram(part: DocumentPart, event: Event | None, sensitivity: Fraction) -> None:
    _check_claim(part, sensitivity)
    if event is None:
        refute("{name} is not charged for", name=part.name)
    check_noise(read_noise(part["noise"]), sensitivity, event, part.name)
