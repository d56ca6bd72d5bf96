"""The private steps of a certificate: what one change can move in each, and what hides it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.certificate.choices import CELLS, read_cells
from sfumato.audit.certificate.expressions import read_expression
from sfumato.audit.certificate.measured import read_measured
from sfumato.audit.certificate.noise import check_noise, read_noise
from sfumato.audit.certificate.parts import refute
from sfumato.audit.certificate.sharing import check_found, check_together
from sfumato.audit.certificate.taken import Limit, Taken
from sfumato.privacy.events import Approximate

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.measured import Measured
    from sfumato.audit.certificate.noise import Noise
    from sfumato.audit.certificate.parts import Part
    from sfumato.audit.certificate.setting import Setting
    from sfumato.privacy.events import Event

__all__ = ["read_steps"]

_WEIGHINGS = ("rows", "people", "value", "ratio", "choice")


def read_steps(parts: Part, setting: Setting) -> list[Taken]:
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


def _measure(part: Part, place: int, event: Event | None, setting: Setting) -> Taken:
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


def _cells(part: Part, place: int, event: Event | None, setting: Setting) -> Taken:
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


def _find_keys(part: Part, place: int, event: Event | None, setting: Setting) -> Taken:
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


def _find_bounds(part: Part, place: int, event: Event | None, setting: Setting) -> Taken:
    """Return the step that finds bounds, in which everybody adds one in all."""
    part.record("step", "name", "of", "noise", "sensitivity", "event")
    _check_histogram(part, event, Fraction(setting.changes * setting.fine))
    of = read_expression(part["of"], setting.columns)
    return Taken("find_bounds", place, event, said={"name": part["name"].text(), "of": of})


def _choose_limit(part: Part, place: int, event: Event | None, setting: Setting) -> Taken:
    """Return the step that chooses limits, in which everybody is in one cell."""
    part.record("step", "weighing", "limits", "noise", "sensitivity", "event")
    _check_histogram(part, event, Fraction(setting.changes))
    names = [each.text() for each in part["limits"].list()]
    weighing = part["weighing"].text(*_WEIGHINGS)
    if setting.declared.person is None:
        refute("{name} limits people, and each row is protected by itself", name=part.name)
    return Taken("choose_limit", place, event, said={"names": names, "weighing": weighing})


def _sample(part: Part, place: int, event: Event | None, _setting: Setting) -> Taken:
    part.record("step", "sensitivity", "event")
    return Taken("sample", place, event, said={"sensitivity": part["sensitivity"].fraction()})


_READERS: dict[str, Callable[[Part, int, Event | None, Setting], Taken]] = {
    "find_keys": _find_keys,
    "find_bounds": _find_bounds,
    "choose_limit": _choose_limit,
    "sample": _sample,
    **dict.fromkeys(CELLS, _cells),
}


def _limit(part: Part, measured: Measured, setting: Setting) -> Limit | None:
    """Return how much of a person counts, which follows from what is declared or was chosen."""
    given = part.get("limit")
    if setting.declared.person is None:
        if given is not None:
            refute("{name} limits people, and each row is protected by itself", name=part.name)
        return None
    if given is None:
        refute("{name} limits nobody, and people are protected", name=part.name)
    given.record("name", "weighing", "norm", "most")
    limit = Limit(
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


def _moved(measured: Measured, limit: Limit | None, setting: Setting) -> Fraction:
    """Return the most by which one change moves a sum over all groups, in fine steps.

    Each of the rows of a person adds no more than the most of a row, times its weight; the
    weights, or the values, of a person are no more than the limit.
    """
    most = Fraction(1) if limit is None else limit.most
    return setting.changes * measured.most * setting.fine * most


def _check_claim(part: Part, sensitivity: Fraction) -> None:
    if part["sensitivity"].fraction() != sensitivity:
        refute(
            "{name}: one change can move it by {sensitivity} steps, and not as claimed",
            name=part.name,
            sensitivity=sensitivity,
        )


def _check_norm(part: Part, limit: Limit | None, noise: Noise | None) -> None:
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


def _check_histogram(part: Part, event: Event | None, sensitivity: Fraction) -> None:
    _check_claim(part, sensitivity)
    if event is None:
        refute("{name} is not charged for", name=part.name)
    check_noise(read_noise(part["noise"]), sensitivity, event, part.name)
