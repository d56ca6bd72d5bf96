"""A value that is computed once for an object, without a lock.

Python 3.11's ``functools.cached_property`` holds one lock for all objects of a class while it
computes.  With the lock on the working precision of balls that makes two locks to take, in either
order: two threads can wait for each other, and a child process for a thread that it does not have.
Later versions hold none, and there it is theirs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - it stands for functools' own
        """A method turned into an attribute; two threads may both compute it, to the same end."""

        def __init__(self, function: Any) -> None:
            self._function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            found = self._function(instance)
            return instance.__dict__.setdefault(self._name, found)
