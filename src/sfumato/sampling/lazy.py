"""A uniform number whose bits are drawn only as far as a comparison needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, fmpz

from sfumato.numeric import working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.sampling.source import BitSource

__all__ = ["LazyUniform"]

_STEP = 64


class LazyUniform:
    """A uniform real number in [0, 1), known to as many bits as were needed so far.

    Compared with a real number that ball arithmetic encloses at any precision, it draws bits and
    refines the ball until they part: the comparison is the true one, so that
    ``LazyUniform(source).below(p)`` is a coin of probability exactly p.

    Parameters
    ----------
    source
        Where its bits come from.
    prefix, bits
        What is known of it: the first ``bits`` binary digits, as an integer.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.sampling import LazyUniform, SeededSource
    >>> LazyUniform(SeededSource(1)).below(lambda: arb(1))
    True
    >>> LazyUniform(SeededSource(1), prefix=0b10, bits=2).below(lambda: 1 / arb(3))
    False
    """

    def __init__(self, source: BitSource, prefix: int = 0, bits: int = 0) -> None:
        self._source = source
        self.prefix = prefix
        self.bits = bits

    def below(self, ball: Callable[[], arb]) -> bool:
        """Tell whether the number lies below another, which ``ball`` encloses at any precision.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.sampling import LazyUniform, SeededSource
        >>> LazyUniform(SeededSource(1), prefix=0, bits=1).below(lambda: arb(2).log())
        True
        """
        while (answer := self._decided(ball)) is None:
            self.prefix = (self.prefix << _STEP) | self._source.integer(_STEP)
            self.bits += _STEP
        return answer

    def _decided(self, ball: Callable[[], arb]) -> bool | None:
        with working_precision(self.bits + 2 * _STEP):
            bound = ball() * arb(2) ** self.bits
            if bound >= arb(fmpz(self.prefix + 1)):
                return True
            if bound <= arb(fmpz(self.prefix)):
                return False
        return None
