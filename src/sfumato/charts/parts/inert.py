"""Texts of a chart that are only texts: in a page, and in what draws it."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["inert"]

#: A sign that is not seen, and after which the one before it means nothing more than itself.
_JOINER = "\u2060"
#: What ends a script in a page or begins a comment in it, and what titles are pasted with into
#: expressions: a backslash there would change, or take away, what follows it.
_MEANS_MORE = re.compile(rf"(<(?=/script|!--)|\\)(?!{_JOINER})", re.IGNORECASE)
#: What every object of JavaScript has; one that is looked up as a label is found where there is
#: none.
_PROPERTIES = frozenset(
    {
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)


def inert(part: Any) -> Any:
    """Return a chart, or a part of one, whose texts are only texts wherever they are put.

    Altair writes a chart into a script as it is, in notebooks and in pages of its own, where a
    label such as ``</script>`` would end it.  Vega-Lite pastes titles into expressions, where a
    backslash would mean something, and looks labels up among what every object has.  All texts are
    changed alike, so that labels still meet their colours.
    """
    if isinstance(part, str):
        return _inert_text(part)
    if isinstance(part, dict):
        return {inert(name): inert(value) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)(inert(each) for each in part)
    held = getattr(part, "_kwds", None)
    if isinstance(held, dict):
        held.update(inert(held))
    return part


def _inert_text(text: str) -> str:
    shown = text if text.isprintable() else "".join(map(_shown, text))
    broken = _MEANS_MORE.sub(rf"\1{_JOINER}", shown)
    return f"{broken}{_JOINER}" if broken in _PROPERTIES else broken


def _shown(sign: str) -> str:
    return sign if sign.isprintable() or sign == _JOINER else repr(sign)[1:-1]
