"""Where random bits come from: a cryptographic generator, or a seeded one that says so."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from weakref import WeakSet

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256, Hash

from sfumato.errors import InputError, InternalError
from sfumato.numeric import read_count

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext
    from numpy.typing import NDArray


_KEY_BYTES = 16
_COUNTER_BYTES = 16
#: How much is read under one key before the operating system is asked for another: 1 GiB.
_BYTES_A_KEY = 1 << 30
_POOL_BYTES = 1 << 12
_CHUNK = 1 << 18
#: The sources that a child process must not use as they are.
_ALIVE: WeakSet[_CounterMode] = WeakSet()
_ZEROS = memoryview(bytes(_CHUNK))

# The library gets its ciphers ready when the first is made.  A process that forks while another
# thread is at it would leave the child waiting for ever, so that is done here, once.
Cipher(algorithms.AES(bytes(_KEY_BYTES)), modes.CTR(bytes(_COUNTER_BYTES))).encryptor()


class BitSource(ABC):
    """Independent fair bits, handed out in bytes, words or one integer; never the same twice.

    Examples
    --------
    >>> from sfumato.sampling import BitSource, SystemSource
    >>> isinstance(SystemSource(), BitSource)
    True
    """

    #: Whether the bits can be drawn again by whoever knows a seed: then nothing is private.
    seeded: ClassVar[bool] = False

    @abstractmethod
    def read(self, count: int) -> NDArray[np.uint8]:
        """Return so many fresh random bytes, in an array of the caller's own.

        Examples
        --------
        >>> from sfumato.sampling import system_source
        >>> len(system_source().read(3))
        3
        """

    def words(self, count: int) -> NDArray[np.uint64]:
        """Return so many uniform 64-bit words.

        Examples
        --------
        >>> from sfumato.sampling import system_source
        >>> system_source().words(5).shape
        (5,)
        """
        return self.read(8 * count).view(np.uint64)

    def shorts(self, count: int) -> NDArray[np.uint16]:
        """Return so many uniform 16-bit words.

        Examples
        --------
        >>> from sfumato.sampling import system_source
        >>> system_source().shorts(5).dtype
        dtype('uint16')
        """
        return self.read(2 * count).view(np.uint16)

    def integer(self, bits: int) -> int:
        """Return a uniform integer of so many bits, however many.

        Examples
        --------
        >>> from sfumato.sampling import system_source
        >>> 0 <= system_source().integer(100) < 2**100
        True
        """
        return int.from_bytes(self.read((bits + 7) // 8).tobytes()) >> (-bits % 8)


class _CounterMode(BitSource):
    """AES-128 in counter mode, with a small pool so that single draws are cheap."""

    def __init__(self) -> None:
        self.renew()
        _ALIVE.add(self)

    def renew(self) -> None:
        """Make ready for use in a new process: with a key of its own, and no thread's lock."""
        self._lock, self._busy, self._process = RLock(), False, os.getpid()
        self._cipher: CipherContext | None = None
        self._left = 0
        self._pool: NDArray[np.uint8] = np.empty(0, dtype=np.uint8)

    @abstractmethod
    def _start(self) -> tuple[bytes, bytes]:
        """Return a key and a first counter."""

    def read(self, count: int) -> NDArray[np.uint8]:
        """Return so many fresh random bytes."""
        with self._lock:
            if self._busy:
                raise InternalError(
                    "E-BITS-REENTERED",
                    "bits were asked for while bits were drawn: draw none in signal handlers",
                )
            self._busy = True
            try:
                return self._stream(count) if count > _POOL_BYTES // 4 else self._from_pool(count)
            finally:
                self._busy = False

    def _from_pool(self, count: int) -> NDArray[np.uint8]:
        if len(self._pool) < count:
            self._pool = self._stream(_POOL_BYTES)
        taken, self._pool = self._pool[:count].copy(), self._pool[count:]
        return taken

    def _stream(self, count: int) -> NDArray[np.uint8]:
        made = np.empty(count + _COUNTER_BYTES - 1, dtype=np.uint8)
        view = made.data
        for start in range(0, count, _CHUNK):
            size = min(_CHUNK, count - start)
            self._keyed(size).update_into(_ZEROS[:size], view[start:])
        return made[:count]

    def _keyed(self, size: int) -> CipherContext:
        if self._cipher is None or self._left < size:
            key, counter = self._start()
            self._cipher = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
            self._left = _BYTES_A_KEY
        self._left -= size
        return self._cipher

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a {kind} is not copied or pickled: two copies would draw the same noise",
            "make a new one where it is needed",
            kind=type(self).__name__,
        )


class SystemSource(_CounterMode):
    """AES-128 in counter mode, keyed by the operating system.

    A new key is asked of the operating system after every GiB, and in a child process after a
    fork, so that parent and child never share noise.  Threads may share a source.  It cannot be
    copied or pickled.

    Examples
    --------
    >>> from sfumato.sampling import SystemSource
    >>> source = SystemSource()
    >>> source.integer(128) == source.integer(128)
    False
    >>> source.seeded
    False
    """

    def read(self, count: int) -> NDArray[np.uint8]:
        """Return so many fresh random bytes, under a key of this process alone.

        Examples
        --------
        >>> from sfumato.sampling import SystemSource
        >>> SystemSource().read(5).shape
        (5,)
        """
        if self._process != os.getpid():
            self.renew()
        began_in = os.getpid()
        made = super().read(count)
        if began_in != os.getpid():  # forked meanwhile, by a signal handler
            self.renew()
            return self.read(count)
        return made

    def _start(self) -> tuple[bytes, bytes]:
        return os.urandom(_KEY_BYTES), os.urandom(_COUNTER_BYTES)


def _renew_all() -> None:
    for source in list(_ALIVE):
        source.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class SeededSource(_CounterMode):
    """The same bits for the same seed: for tests; what is drawn from it is marked *not private*.

    Parameters
    ----------
    seed
        Any whole number of 0 or more.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource
    >>> SeededSource(1).integer(32) == SeededSource(1).integer(32)
    True
    >>> SeededSource(1).seeded
    True
    """

    seeded = True

    def __init__(self, seed: Any) -> None:
        self._seed, self._keys = read_count(seed, "seed", least=0), 0
        super().__init__()

    def _start(self) -> tuple[bytes, bytes]:
        digest = Hash(SHA256())
        digest.update(f"sfumato seeded source {self._seed:x} key {self._keys}".encode())
        self._keys += 1
        return digest.finalize()[:_KEY_BYTES], bytes(_COUNTER_BYTES)


_SHARED = SystemSource()


def system_source() -> BitSource:
    """Return the source that everything in this process draws from by default.

    Examples
    --------
    >>> from sfumato.sampling import system_source
    >>> system_source() is system_source()
    True
    """
    return _SHARED
