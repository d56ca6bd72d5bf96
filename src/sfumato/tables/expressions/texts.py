"""Functions of texts, which compare by their bytes and count in code points."""

from __future__ import annotations

from typing import Any

from sfumato.tables.expressions.chaining import Chaining, E


class Texts(Chaining[E]):
    """Texts are joined with ``+``."""

    def like(self, pattern: str) -> E:
        """Return whether the whole text fits a pattern.

        In the pattern % stands for any text, _ for one character, and a backslash before either of
        them, or before itself, for the character as it is.
        """
        return self._call("like", pattern)

    def lower(self) -> E:
        """Return the text in small letters."""
        return self._call("lower")

    def upper(self) -> E:
        """Return the text in capital letters."""
        return self._call("upper")

    def strip(self) -> E:
        """Return the text without the blanks, tabs and line ends around it."""
        return self._call("strip")

    def length(self) -> E:
        """Return the number of characters (Unicode code points)."""
        return self._call("length")

    def substring(self, start: int, length: int) -> E:
        """Return at most ``length`` characters from the place ``start`` on, which counts from 1."""
        return self._call("substring", start, length)

    def left(self, length: int) -> E:
        """Return the first characters, at most so many."""
        return self._call("left", length)

    def right(self, length: int) -> E:
        """Return the last characters, at most so many."""
        return self._call("right", length)

    def starts_with(self, other: Any) -> E:
        """Return whether the text begins with another."""
        return self._call("starts_with", other)

    def ends_with(self, other: Any) -> E:
        """Return whether the text ends with another."""
        return self._call("ends_with", other)

    def contains(self, other: Any) -> E:
        """Return whether another text is somewhere in it."""
        return self._call("contains", other)

    def replace(self, old: str, new: str) -> E:
        """Return the text with every ``old`` in it replaced; null if it is longer than 10,000."""
        return self._call("replace", old, new)
