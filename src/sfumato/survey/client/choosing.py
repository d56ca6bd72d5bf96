"""Which protocol suits a question: chosen by its ε and its number of choices alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Setting
from sfumato.survey.client.protocols import (
    Hadamard,
    Hashing,
    Permanent,
    Response,
    Subset,
    Unary,
)

if TYPE_CHECKING:
    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.ratios import Loss

__all__ = ["MOST_BITS", "PROTOCOLS", "choose_protocol"]

_ONE_REPORT: dict[str, type[Protocol]] = {
    each.name: each for each in (Response, Subset, Unary, Hadamard, Hashing)
}

#: What a survey's file may name, besides ``auto``.
PROTOCOLS = (*_ONE_REPORT, Permanent.name)

#: The longest report of bits that ``auto`` asks people to send.
MOST_BITS = 1024


def choose_protocol(name: str, choices: int, loss: Loss, lifetime: Loss | None = None) -> Protocol:
    """Return the protocol of a name; ``auto`` takes the one of least variance.

    ``auto`` is subset selection, which has the least variance, summed over all choices, for
    every k and ε; it is randomized response where sets of one choice are best.  With more than
    1,024 choices it is local hashing, whose report is one number; where a lifetime is given, it
    is a permanent answer.
    """
    if name == "auto":
        name = _best(choices, loss, repeated=lifetime is not None)
    if name not in PROTOCOLS:
        raise UnknownNameError(kind="protocol", name=name, known=("auto", *PROTOCOLS))
    if name == Permanent.name:
        return _permanent(choices, loss, lifetime)
    if lifetime is not None:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "a lifetime belongs to the protocol 'permanent', not to {name!r}",
            "leave one of the two out",
            name=name,
        )
    return _ONE_REPORT[name](choices, loss)


def _best(choices: int, loss: Loss, *, repeated: bool) -> str:
    if repeated:
        return Permanent.name
    if Subset(choices, loss).size == 1:
        return Response.name
    return Subset.name if choices <= MOST_BITS else Hashing.name


def _permanent(choices: int, loss: Loss, lifetime: Loss | None) -> Permanent:
    if lifetime is None:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "the protocol 'permanent' needs a lifetime, what all reports of one answer may "
            "tell together",
            "write {lifetime}, say",
            lifetime=Setting("lifetime", "2"),
        )
    if lifetime.ratio <= loss.ratio:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "a lifetime of {lifetime} is not above the epsilon of one report, {loss}",
            "write a larger lifetime",
            lifetime=lifetime,
            loss=loss,
        )
    return Permanent(choices, loss, lifetime)
