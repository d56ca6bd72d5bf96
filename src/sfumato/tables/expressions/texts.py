"""Functions of texts, which compare by their bytes and count in code points."""

from __future__ import annotations

from typing import Any

from sfumato.tables.expressions.chaining import Chaining, E

__all__ = ["Texts"]


class Texts(Chaining[E]):
    """Texts are joined with ``+``."""

    def like(self, pattern: str) -> E:
        """Return whether the whole text fits a pattern.

        In the pattern % stands for any text, _ for one character, and a backslash before either of
        them, or before itself, for the character as it is.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("code").like("A_1%")
        code LIKE 'A_1%'
        """
        return self._call("like", pattern)

    def lower(self) -> E:
        """Return the text in small letters.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("name").lower()
        lower(name)
        """
        return self._call("lower")

    def upper(self) -> E:
        """Return the text in capital letters.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("name").upper()
        upper(name)
        """
        return self._call("upper")

    def strip(self) -> E:
        """Return the text without the blanks, tabs and line ends around it.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("name").strip()
        strip(name)
        """
        return self._call("strip")

    def length(self) -> E:
        """Return the number of characters (Unicode code points).

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("name").length()
        length(name)
        """
        return self._call("length")

    def substring(self, start: int, length: int) -> E:
        """Return at most ``length`` characters from the place ``start`` on, which counts from 1.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("postcode").substring(1, 3)
        substring(postcode, 1, 3)
        """
        return self._call("substring", start, length)

    def left(self, length: int) -> E:
        """Return the first characters, at most so many.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("postcode").left(3)
        left(postcode, 3)
        """
        return self._call("left", length)

    def right(self, length: int) -> E:
        """Return the last characters, at most so many.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("postcode").right(3)
        right(postcode, 3)
        """
        return self._call("right", length)

    def starts_with(self, other: Any) -> E:
        """Return whether the text begins with another.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("code").starts_with("A")
        starts_with(code, 'A')
        """
        return self._call("starts_with", other)

    def ends_with(self, other: Any) -> E:
        """Return whether the text ends with another.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("code").ends_with("A")
        ends_with(code, 'A')
        """
        return self._call("ends_with", other)

    def contains(self, other: Any) -> E:
        """Return whether another text is somewhere in it.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("code").contains("A")
        contains(code, 'A')
        """
        return self._call("contains", other)

    def replace(self, old: str, new: str) -> E:
        """Return the text with every ``old`` in it replaced; null if it is longer than 10,000.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("price").replace(",", ".")
        replace(price, ',', '.')
        """
        return self._call("replace", old, new)
