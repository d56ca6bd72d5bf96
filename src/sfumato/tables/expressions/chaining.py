"""What the methods of an expression are written with."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

E = TypeVar("E")


class Chaining(Generic[E]):
    """Something that functions can be applied to, which gives an expression ``E``."""

    def _call(self, function: str, *arguments: Any) -> E:
        """Return a function of this and of ``arguments``."""
        raise NotImplementedError

    def _called_on(self, function: str, first: Any) -> E:
        """Return a function of ``first`` and of this."""
        raise NotImplementedError


class Unfinished:
    """Something that is an expression once it knows its value for all other rows."""

    def otherwise(self, value: Any) -> Any:
        """Return the expression."""
        raise NotImplementedError
