"""The private steps of a certificate: what a change can move, what hides it, what rests on what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import DocumentPart, refute
from sfumato.audit.certificate.measured import (
    CELLS,
    MeasuredSum,
    PublicCells,
    read_cells,
    read_measured,
)
from sfumato.audit.certificate.noise import WholeNumberNoise, check_noise, read_noise
from sfumato.audit.certificate.setting import QuestionSetting, read_expression
from sfumato.privacy.events import Approximate, Event

if TYPE_CHECKING:
    from collections.abc import Callable

#: What may share a charge: the parts of a column, and the rows without it.
_JOINT = {"sum", "absent"}
_WEIGHINGS = ("rows", "people", "value", "ratio", "choice")


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

    @property
    def name(self) -> str:
        """What it is called in sentences."""
        return f"steps[{self.place}]"


def check_together(steps: list[Taken]) -> None:
    """Check that what shares a charge adds no more than one, relative to the noise of each.

    A row adds as much to both parts of a column together as one row to a count, or one to the
    rows without it: in L1, and all the more in L2.  A limit on values bounds each sum by itself,
    so that together they could move by as much each.
    """
    sharing: dict[int, list[Taken]] = {}
    for step in steps:
        if step.together is None:
            continue
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
    shared, alike = others[0], [first, *others]
    if first.event is None or first.kind != "measure":
        refute("{name} is measured with a step that is not charged for it", shared)
    shapes = {(each.measured.kind, each.measured.turned) for each in alike}
    columns = {each.measured.part_of for each in alike if each.measured.kind == "sum"}
    kinds = {each.measured.kind for each in alike}
    if len(shapes) < len(alike) or len(columns) != 1 or None in columns or kinds - _JOINT:
        refute("{name} is measured with what it does not share a charge with", shared)
    if len({(each.limit, each.measured.present) for each in alike}) > 1:
        refute("{name} is measured with what is limited otherwise", shared)
    if first.limit is not None and first.limit.weighing == "value":
        refute("{name} shares a charge, and each sum has a limit on its own values", shared)
    for each in others:
        if each.noise is not None:
            check_noise(each.noise, each.sensitivity, first.event, each.name)


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


def read_steps(parts: DocumentPart, setting: QuestionSetting) -> list[Taken]:
    """Return the steps, once each is derived again."""
    found: list[Taken] = []
    for place, part in enumerate(parts.list()):
        kind, event = part["step"].text(), part.get("event")
        if kind not in _READERS:
            refute(
                "{name} is a step {kind!r:.60}, which this program does not know", part, kind=kind
            )
        step = Taken(kind, place, None if event is None else event.event())
        found.append(_READERS[kind](part, step, setting))
        if (found[-1].event is None) != (found[-1].together is not None):
            refute("{name} needs an event, or the step with one that it is measured with", part)
    check_together(found)
    check_found(found, setting)
    return found


def _measure(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    part.record("step", "what", "limit", "noise", "sensitivity", "event", "with")
    measured, noise = read_measured(part["what"], setting), read_noise(part["noise"])
    together = part.get("with")
    found = replace(step, measured=measured, noise=noise)
    return replace(
        _limited(part, found, setting), together=None if together is None else together.whole()
    )


def _cells(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    """Return a step that counts or chooses in cells, each row being in one of them.

    So one change moves all cells of all groups together by no more than it moves a count.
    """
    fields = CELLS[step.kind]
    part.record("step", "rows", "limit", "sensitivity", "event", *fields)
    rows = read_measured(part["rows"], setting)
    if rows.kind != "rows":
        refute("{name} is of what are no rows", part)
    if step.event is None:
        refute("{name} is not charged for", part)
    noise = read_noise(part["noise"]) if "noise" in fields else None
    found = replace(step, measured=rows, noise=noise, cells=read_cells(part, setting))
    return _limited(part, found, setting)


def _find_keys(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    """Return the step that finds groups: adding or removing is in so many of them."""
    part.record("step", "groups", "event")
    declared = setting.declared
    most = 1 if declared.person is None else declared.groups
    if declared.relation != "add_remove" or part["groups"].whole(1) != most:
        refute("{name}: the groups that one change is in are not those declared", part)
    if not isinstance(step.event, Approximate):
        refute("{name}: groups are found at the cost of an ε and a δ", part)
    if 0 in (step.event.epsilon, step.event.delta):
        refute("{name}: groups are found at the cost of an ε and a δ above 0", part)
    return step


def _find_bounds(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    """Return the step that finds bounds, in which everybody adds one in all."""
    part.record("step", "name", "of", "noise", "sensitivity", "event")
    _check_histogram(part, step, Fraction(setting.changes * setting.fine))
    of = read_expression(part["of"], setting.columns)
    return replace(step, said={"name": part["name"].text(), "of": of})


def _choose_limit(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    """Return the step that chooses limits, in which everybody is in one cell."""
    part.record("step", "weighing", "limits", "noise", "sensitivity", "event")
    _check_histogram(part, step, Fraction(setting.changes))
    names = [each.text() for each in part["limits"].list()]
    weighing = part["weighing"].text(*_WEIGHINGS)
    if setting.declared.person is None:
        refute("{name} limits people, and each row is protected by itself", part)
    return replace(step, said={"names": names, "weighing": weighing})


def _sample(part: DocumentPart, step: Taken, _setting: QuestionSetting) -> Taken:
    part.record("step", "sensitivity", "event")
    return replace(step, sensitivity=part["sensitivity"].fraction())


_READERS: dict[str, Callable[[DocumentPart, Taken, QuestionSetting], Taken]] = {
    "measure": _measure,
    "find_keys": _find_keys,
    "find_bounds": _find_bounds,
    "choose_limit": _choose_limit,
    "sample": _sample,
    **dict.fromkeys(CELLS, _cells),
}


def _limited(part: DocumentPart, step: Taken, setting: QuestionSetting) -> Taken:
    """Return a step with the most by which one change moves it over all groups, in fine steps.

    Each of the rows of a person adds no more than the most of a row, times its weight; the
    weights, or the values, of a person are no more than the limit.  The noise has to hide it.
    """
    limit = _limit(part, step.measured, setting)
    most = Fraction(1) if limit is None else limit.most
    sensitivity = setting.changes * step.measured.most * setting.fine * most
    _check_claim(part, sensitivity)
    if limit is not None and limit.norm != _norm_for(step.noise, limit.weighing):
        refute("{name} is limited in another norm than its noise asks for", part)
    if step.event is not None and step.noise is not None:
        check_noise(step.noise, sensitivity, step.event, part.name)
    return replace(step, limit=limit, sensitivity=sensitivity)


def _limit(
    part: DocumentPart, measured: MeasuredSum, setting: QuestionSetting
) -> PersonLimit | None:
    """Return how much of a person counts, which follows from what is declared or was chosen."""
    given = part.get("limit")
    if setting.declared.person is None:
        if given is not None:
            refute("{name} limits people, and each row is protected by itself", part)
        return None
    if given is None:
        refute("{name} limits nobody, and people are protected", part)
    given.record("name", "weighing", "norm", "most")
    limit = PersonLimit(
        given["name"].text(),
        given["weighing"].text(*_WEIGHINGS),
        given["norm"].text("l1", "l2"),
        given["most"].fraction(),
    )
    if (limit.weighing == "people") != (measured.kind == "people"):
        refute("{name} is limited by something else than what it measures", part)
    if limit.weighing == "value" and measured.kind != "sum":
        refute("{name} limits values, and there are none", part)
    if limit.weighing != "value" and limit.name != limit.weighing:
        refute("{name} has another name than what it limits", given)
    if limit.most != setting.limit(limit.name, limit.weighing, limit.norm):
        refute("{name} is not the limit that was declared or chosen", given)
    return limit


def _norm_for(noise: WholeNumberNoise | None, weighing: str) -> str:
    """Return the norm in which people have to be limited.

    Laplace noise and choices ask for L1.  Gaussian noise asks for L2, in which what is limited in
    L1 is limited, too: values are, and what is chosen.
    """
    gaussian = noise is not None and noise.is_gaussian
    return "l2" if gaussian and weighing not in ("value", "choice") else "l1"


def _check_claim(part: DocumentPart, sensitivity: Fraction) -> None:
    if part["sensitivity"].fraction() != sensitivity:
        refute(
            "{name}: one change can move it by {sensitivity} steps, and not as claimed",
            part,
            sensitivity=sensitivity,
        )


def _check_histogram(part: DocumentPart, step: Taken, sensitivity: Fraction) -> None:
    _check_claim(part, sensitivity)
    if step.event is None:
        refute("{name} is not charged for", part)
    check_noise(read_noise(part["noise"]), sensitivity, step.event, part.name)
