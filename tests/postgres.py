"""A PostgreSQL server of one's own: temporary, on the loopback only, gone when its owner is.

It needs no pytest, so that benchmarks can use it too: `with Cluster.started() as cluster: ...`.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOST = "127.0.0.1"
INSTALL = "apt-get install postgresql"
SETTINGS = {
    "listen_addresses": HOST,
    "max_connections": "200",
    "shared_buffers": "16MB",
    "fsync": "on",
}
# Waits for a line, or for the death of the process that would write it, and clears up either way.
KEEPER = 'read -r line; "$0" stop -s -m immediate -D "$1/data" 2>/dev/null; cd / && rm -rf "$1"'

StopMode = Literal["smart", "fast", "immediate"]


@cache
def server_programs() -> Path | None:
    """The folder of the newest server's programs, None where there is no server."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(installed, key=lambda program: float(program.parts[-3]), default=None)
    found = newest or shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def server_account() -> dict[str, Any]:
    """Who runs the server, for `subprocess`: ourselves, or somebody harmless where we are root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    harmless = known.get("postgres") or known["nobody"]
    return {"user": harmless.pw_uid, "group": harmless.pw_gid, "extra_groups": []}


def hand_over(path: Path) -> Path:
    """Give a file to the account that runs the server."""
    account = server_account()
    if account:
        shutil.chown(path, account["user"], account["group"])
    return path


@contextmanager
def own_port() -> Iterator[int]:
    """A port that nobody listens on, below those that the system gives to outgoing connections.

    It is ours while the block lasts, also before a server listens and while it is stopped: who
    asks meanwhile does not get its mark, and takes another one.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with marked(port) as is_ours:
            if is_ours:
                yield port
                return


@contextmanager
def marked(port: int) -> Iterator[bool]:
    """Hold the port of the same number for datagrams; tell whether it and the port were free."""
    with socket.socket(type=socket.SOCK_DGRAM) as mark, socket.socket() as probe:
        try:
            mark.bind((HOST, port))
        except OSError:
            yield False
        else:
            yield probe.connect_ex((HOST, port)) != 0


@dataclass(frozen=True)
class Cluster:
    """One server with its files, its port and its superuser."""

    home: Path
    port: int
    user: str
    password: str

    @classmethod
    @contextmanager
    def started(cls) -> Iterator[Cluster]:
        """A running server, stopped and removed at the end, also where we are killed before."""
        home = hand_over(Path(tempfile.mkdtemp(prefix="sfumato-postgres-")))
        with own_port() as port:
            cluster = cls(home, port, f"owner_{secrets.token_hex(4)}", secrets.token_hex(16))
            with cluster._kept():
                cluster._initialise()
                cluster.start()
                yield cluster

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        return self.home / "log"

    def url(self, database: str) -> str:
        """Where SQLAlchemy finds a database of this server."""
        return f"postgresql+psycopg://{self.user}:{self.password}@{HOST}:{self.port}/{database}"

    def database(self) -> str:
        """Make a fresh database and give its URL."""
        import psycopg

        name = f"fresh_{secrets.token_hex(8)}"
        maintenance = self.url("postgres").replace("+psycopg", "")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def start(
        self,
        environment: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Start the server, with further environment variables and settings for this time only."""
        options = " ".join(f"-c {shlex.quote(f'{k}={v}')}" for k, v in (settings or {}).items())
        self._run(
            *(
                "pg_ctl",
                "start",
                "-t",
                str(PATIENCE),
                "-D",
                self.data,
                "-l",
                self.log,
                "-o",
                options,
            ),
            environment=environment,
        )

    def stop(self, mode: StopMode = "fast") -> None:
        """Stop the server; `immediate` leaves it as a crash would, to recover at the next start."""
        self._run("pg_ctl", "stop", "-t", str(PATIENCE), "-D", self.data, "-m", mode)

    def is_ready(self) -> bool:
        """Whether the server takes connections now."""
        command = [self._program("pg_isready"), "-q", "-h", HOST, "-p", str(self.port)]
        return subprocess.run(command, check=False).returncode == 0

    def wait(self, seconds: float = PATIENCE) -> None:
        """Wait until the server takes connections, at most so many seconds."""
        end = time.monotonic() + seconds
        while not self.is_ready():
            if time.monotonic() > end:
                raise TimeoutError(f"no server on port {self.port} after {seconds} seconds")
            time.sleep(0.05)

    def _initialise(self) -> None:
        secret = self.home / "password"
        secret.write_text(self.password, encoding="utf-8")
        self._run(
            *("initdb", "-D", self.data, "-E", "UTF8", "--no-locale", "--no-sync"),
            *("-U", self.user, "--pwfile", hand_over(secret), "-A", "scram-sha-256"),
        )
        secret.unlink()
        own = {"port": self.port, "unix_socket_directories": self.home}
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.writelines(f"{k} = '{v}'\n" for k, v in (SETTINGS | own).items())

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Have a process of its own stop the server and remove its files, also if we are killed."""
        command = ["sh", "-c", KEEPER, self._program("pg_ctl"), str(self.home)]
        own = {"start_new_session": True, "cwd": "/", **server_account()}
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **own) as keeper:
            try:
                yield
            finally:
                keeper.communicate("\n")

    def _run(
        self, program: str, *arguments: str | Path, environment: Mapping[str, str] | None = None
    ) -> None:
        done = subprocess.run(
            [self._program(program), *arguments],
            cwd=self.home,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            check=False,
            **server_account(),
        )
        if done.returncode != 0:
            said = self.log.read_text("utf-8") if self.log.exists() else ""
            raise RuntimeError(f"{program} failed: {done.stderr}{said}")

    @staticmethod
    def _program(name: str) -> str:
        folder = server_programs()
        if folder is None:
            raise FileNotFoundError(f"PostgreSQL's server is not installed: {INSTALL}")
        return str(folder / name)
