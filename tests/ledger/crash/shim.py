"""The library that makes writes fail (`faults.c`): compiled, and armed through a shared file."""

from __future__ import annotations

import mmap
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("faults.c")
FOREVER = 2**63


class Control(NamedTuple):
    """The numbers in the shared file, as `struct control` of the library has them."""

    calls: int = 0
    first: int = 0
    last: int = 0
    error: int = 0
    fired: int = 0


class Shim:
    """Makes the k-th write or sync below a folder fail, in all processes that have it loaded."""

    def __init__(self, control: Path) -> None:
        size = struct.calcsize("5Q")
        if not control.exists():
            control.write_bytes(bytes(size))
        self.control = control
        with control.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), size)

    @staticmethod
    def compiled(folder: Path) -> Path:
        """Compile the library into a folder."""
        library = folder / "faults.so"
        options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
        command = ["cc", *options, "-o", str(library), str(SOURCE), "-ldl", "-pthread"]
        subprocess.run(command, check=True)
        return library

    def environment(
        self, library: Path, folder: Path, shadow: Path | None = None
    ) -> dict[str, str]:
        """What a program has to be started with."""
        given = {
            "LD_PRELOAD": str(library),
            "FAULTS_CONTROL": str(self.control),
            "FAULTS_FOLDER": str(folder.resolve()),
        }
        return given if shadow is None else {**given, "FAULTS_SHADOW": str(shadow)}

    def arm(self, error: int, first: int, last: int | None = None) -> None:
        """Count from one again; let the calls from the first to the last fail, or only one."""
        self._set(Control(first=first, last=first if last is None else last, error=error))

    def counted(self) -> Control:
        """What was counted so far."""
        return Control(*struct.unpack("5Q", self._shared[:]))

    def disarm(self) -> Control:
        """Let all calls through; return what was counted."""
        counted = self.counted()
        self._set(Control())
        return counted

    def _set(self, control: Control) -> None:
        self._shared[:] = struct.pack("5Q", *control)
