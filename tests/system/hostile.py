#!/usr/bin/env python3
"""hostile.py: what a client may send to hurt, against a running server; it answers an error each time, lives, and serves the others.

usage: tests/system/hostile.py --server BINARY [--only PART,...] [--conversations 1500] [--connections 10000] [--seed N]
       tests/system/hostile.py --postgres --only fuzz,deep      the same on PostgreSQL: proves the test, not Coppice

  fuzz     good conversations, mutated message by message and byte by byte from a seed; each must end when its client hangs up
  deep     expressions and queries nested 100,000 deep, lists of 100,000 terms
  huge     a statement of 1 GiB, eight at once; messages that promise a gigabyte and stop
  greedy   statements that ask for more memory than there is; a client that reads nothing; a transaction without end
  idle     half-open connections, and 10,000 idle sessions under 300 MiB
  disk     the disk is full (an ext4 of its own on a loop device, or a tmpfs): 53100, reads go on, nothing acknowledged is lost

All along another session asks a question every few milliseconds, and must be answered. The process must stay within 10 % of --memory.
Exit 1 on any finding.
"""
import argparse
import os
import pathlib
import random
import resource
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support" / "python"))
import servers  # noqa: E402
import wire  # noqa: E402

MIB = 1 << 20
MEMORY = 256 * MIB
WATCH_SECONDS_MAX = 5.0
IDLE_BYTES_MAX = 300 * MIB
DEPTH = 100_000

LIMITS = ("54000", "54001", "54011", "53200", "42601", "0A000")  # program limits, out of memory; or plainly refused
findings = []


def finding(text: str):
    findings.append(text)
    print(f"    FINDING: {text}", flush=True)


class Watcher(threading.Thread):
    """Another session, which must not notice."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.stop, self.worst, self.asked = server, threading.Event(), 0.0, 0
        self.session = server.connect(timeout=60)

    def run(self):
        while not self.stop.wait(0.02):
            begin = time.monotonic()
            try:
                if self.session.value("SELECT v FROM watched WHERE id = 7") != "seven":
                    finding("the watching session got another answer")
            except (wire.Lost, wire.SqlError) as error:
                finding(f"the watching session: {error}")
                return
            self.asked += 1
            self.worst = max(self.worst, time.monotonic() - begin)

    def end(self):
        self.stop.set()
        self.join(70)
        self.session.close()
        if self.worst > WATCH_SECONDS_MAX:
            finding(f"the watching session waited {self.worst:.1f} s")


def still_serves(server, what: str) -> bool:
    if not server.alive():
        finding(f"{what}: the server is dead: {server.log_tail(12)}")
        return False
    try:
        with server.connect(timeout=20) as session:
            session.run("SELECT 1")
        return True
    except (wire.Lost, wire.SqlError) as error:
        finding(f"{what}: a new session: {error}")
        return False


# --- fuzz ---------------------------------------------------------------------------------------------------------------
def conversations() -> list:
    """What good clients send: lists of messages, the start-up first."""
    start = wire.startup("coppice", "coppice", application_name="hostile")
    end = wire.message(b"X")
    simple = [wire.query(q) for q in ("SELECT 1, 'two', NULL", "CREATE TABLE IF NOT EXISTS fuzzed (a int4 PRIMARY KEY, b text)",
                                      "INSERT INTO fuzzed VALUES (1, 'x') RETURNING *", "SELECT a, b FROM fuzzed WHERE a < 10 ORDER BY a",
                                      "BEGIN; UPDATE fuzzed SET b = 'y'; ROLLBACK", "SHOW client_encoding", "SELECT 1; SELECT nosuch")]
    extended = [wire.parse("SELECT $1::int4 + $2::int4", "s1", (23, 23)), wire.describe(b"S", "s1"), wire.bind(["1", "2"], "s1", "p1"),
                wire.describe(b"P", "p1"), wire.execute("p1", 1), wire.execute("p1"), wire.sync(),
                wire.message(b"C", b"Pp1\0"), wire.message(b"C", b"Ss1\0"), wire.message(b"H"), wire.sync()]
    rows = [wire.parse("SELECT g, g::text FROM generate_series(1, 100) AS g"), wire.bind(binary_results=True), wire.describe(b"P"),
            wire.execute(rows=7), wire.execute(rows=7), wire.execute(), wire.sync()]
    failing = [wire.parse("SELECT nosuch"), wire.bind(), wire.execute(), wire.sync(), wire.query("SELECT 2")]
    copying = [wire.query("COPY fuzzed FROM STDIN"), wire.message(b"d", b"100\tone\n101\t"), wire.message(b"d", b"two\n"),
               wire.message(b"f", wire.cstring("changed my mind")), wire.query("COPY fuzzed TO STDOUT"),
               wire.query("COPY fuzzed FROM STDIN"), wire.message(b"d", b"x\n"), wire.message(b"c")]
    ssl = struct.pack("!ii", 8, 80877103)
    cancel = struct.pack("!iiII", 16, 80877102, 1, 1)
    return [[start, *simple, end], [start, *extended, end], [start, *rows, *failing, end], [start, *copying, end], [ssl, start, *simple[:2]],
            [cancel], [start, *extended, *copying, *rows, *simple, end]]


def mutate(messages: list, rng: random.Random) -> bytes:
    messages = [bytearray(m) for m in messages]
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(messages))
        message = messages[at]
        kind = rng.randrange(11)
        if kind == 0 and message:  # a flipped bit
            message[rng.randrange(len(message))] ^= 1 << rng.randrange(8)
        elif kind == 1 and message:  # another byte
            message[rng.randrange(len(message))] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
        elif kind == 2:  # another length: of the message
            where = 0 if message[:1] == b"\0" else 1
            message[where:where + 4] = struct.pack("!I", rng.choice([0, 3, 4, 5, len(message) + 7, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 24]))
        elif kind == 3 and len(message) > 6:  # another number inside
            where = rng.randrange(5, len(message))
            message[where:where + 2] = struct.pack("!H", rng.choice([0, 1, 0x7fff, 0x8000, 0xffff]))
        elif kind == 4:  # cut short
            del message[rng.randrange(len(message) + 1):]
        elif kind == 5:  # bytes put in
            where = rng.randrange(len(message) + 1)
            message[where:where] = rng.randbytes(rng.choice([1, 4, 100]))
        elif kind == 6:  # twice
            messages.insert(at, bytearray(message))
        elif kind == 7 and len(messages) > 1:  # left out
            del messages[at]
        elif kind == 8:  # in another order
            other = rng.randrange(len(messages))
            messages[at], messages[other] = messages[other], messages[at]
        elif kind == 9:  # of another kind
            message[:1] = bytes([rng.choice(b"QPBDESCHXdcfpFZ\0~")])
        else:  # rubbish
            messages.insert(at, bytearray(rng.randbytes(rng.randrange(1, 200))))
    return b"".join(messages)


def talk(server, data: bytes, rng: random.Random, seconds: float = 20) -> bool:
    """Sends, hangs up, reads to the end; whether the server closed the connection in time."""
    with socket.create_connection(("127.0.0.1", server.port), seconds) as connection:
        connection.settimeout(seconds)
        try:
            if rng.random() < 0.2:  # in small pieces
                for at in range(0, len(data), 11):
                    connection.sendall(data[at:at + 11])
            else:
                connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
        except (ConnectionError, BrokenPipeError):
            return True
        except TimeoutError:
            return False
        except OSError:
            return True
    return True


def fuzz(server, args):
    seeds = conversations()
    lock, numbers = threading.Lock(), iter(range(args.conversations))

    def worker():
        while server.alive() and len(findings) < 20:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            rng = random.Random(f"{args.seed}/{number}")
            data = mutate(rng.choice(seeds), rng)
            if not talk(server, data, rng):
                finding(f"fuzz: conversation {number} of seed {args.seed} did not end: {data[:200]!r}")

    # unchanged conversations first: the seeds are good
    for number, messages in enumerate(seeds):
        if not talk(server, b"".join(messages), random.Random(1)):
            finding(f"fuzz: good conversation {number} did not end")
    workers = [threading.Thread(target=worker) for _ in range(4)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()
    print(f"    {args.conversations} conversations, seed {args.seed}")


# --- deep and huge ------------------------------------------------------------------------------------------------------
def deep(server, args):
    statements = {
        "parentheses": "SELECT " + "(" * DEPTH + "1" + ")" * DEPTH,
        "additions": "SELECT 1" + " + 1" * DEPTH,
        "signs": "SELECT " + "- " * DEPTH + "1",
        "negations": "SELECT " + "NOT " * DEPTH + "true",
        "conditions": "SELECT 1 WHERE true" + " AND true" * DEPTH,
        "alternating conditions": "SELECT 1 WHERE " + "(true AND (false OR " * (DEPTH // 2) + "true" + "))" * (DEPTH // 2),
        "cases": "SELECT " + "CASE WHEN true THEN " * DEPTH + "1" + " END" * DEPTH,
        "casts": "SELECT 1" + "::int4" * DEPTH,
        "calls": "SELECT " + "abs(" * DEPTH + "1" + ")" * DEPTH,
        "concatenations": "SELECT 'a'" + " || 'b'" * DEPTH,
        "subqueries": "SELECT * FROM " + "(SELECT * FROM " * DEPTH + "watched" + ") AS s" * DEPTH,
        "scalar subqueries": "SELECT " + "(SELECT " * DEPTH + "1" + ")" * DEPTH,
        "unions": "SELECT 1" + " UNION ALL SELECT 1" * DEPTH,
        "joins": "SELECT 1 FROM watched a0" + "".join(f" JOIN watched a{i} ON true" for i in range(1, 100)),
        "a list": "SELECT 1 IN (" + ", ".join(map(str, range(DEPTH))) + ")",
        "columns": "SELECT " + ", ".join("1" for _ in range(DEPTH)),
        "columns of a table": "CREATE TABLE wide (" + ", ".join(f"c{i} int4" for i in range(10_000)) + ")",
        "arrays": "SELECT " + "ARRAY[" * DEPTH + "1" + "]" * DEPTH,
        "a string that does not end": "SELECT '" + "x" * 1_000_000,
        "a name of a megabyte": 'SELECT 1 AS "' + "x" * 1_000_000 + '"',
        "many statements": "SELECT 1;" * 20_000,
        "comments": "/*" * DEPTH + "*/" * DEPTH + " SELECT 1",
        "explain of additions": "EXPLAIN SELECT 1" + " + 1" * DEPTH,
        "order by": "SELECT 1 ORDER BY " + ", ".join("1" for _ in range(DEPTH)),
        "values": "VALUES " + ", ".join("(1)" for _ in range(DEPTH)),
    }
    if args.postgres:
        del statements["comments"]  # its scanner takes time that grows with the square of the depth, and cannot be cancelled
    for name, text in statements.items():
        for extended in (False, True):
            if extended and name == "many statements":
                continue
            try:
                with server.connect(timeout=60) as session:
                    begin = time.monotonic()
                    answers = session.extended(text) if extended else session.query(text)
                    error = next((a.error for a in answers if a.error), None)
                    session.run("SELECT 1")  # this session lives as well
            except (wire.Lost, wire.SqlError) as problem:
                finding(f"deep: {name}{', extended' * extended}: {problem}")
                if not still_serves(server, f"deep: {name}"):
                    return
                continue
            seconds = time.monotonic() - begin
            if error and error.get("C") not in LIMITS:
                finding(f"deep: {name}: {error.get('C')}: {error.get('M', '')[:200]}")
            if name == "columns" and not error:
                finding(f"deep: {DEPTH} columns were answered, which no message can count")
            if seconds > 20:
                finding(f"deep: {name}: took {seconds:.1f} s")
            if not extended:
                print(f"    {name}: " + (f"{error['C']} {error['M'][:70]}" if error else f"{len(answers)} answered") + f", {seconds:.2f} s")


def send_huge(server, kind: bytes, results: list):
    """A message of 1 GiB, as long as the server takes it; then what it says."""
    try:
        session = server.connect(timeout=60)
    except (wire.Lost, wire.SqlError) as error:
        results.append(f"cannot connect: {error}")
        return
    total = (1 << 30) - MIB  # one of a whole GiB is no message at all
    chunk = b"SELECT 1 + 1 +" + b" " * (MIB - 14)
    try:
        session.socket.sendall(kind + struct.pack("!I", total + 4))
        sent = 0
        while sent < total:
            session.socket.sendall(chunk)
            sent += len(chunk)
    except OSError:
        pass  # it stopped reading: its answer may be there all the same
    try:
        while True:
            kind, body = session.receive()
            if kind == b"E":
                results.append(wire.error_fields(body)["C"])
                break
    except wire.Lost as error:
        results.append(f"no error, but: {error}")
    session.socket.close()


def huge(server, _):
    for count, kind in ((1, b"Q"), (1, b"P"), (8, b"Q")):
        results, threads = [], []
        for _ in range(count):
            threads.append(threading.Thread(target=send_huge, args=(server, kind, results)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        print(f"    {count} of 1 GiB as {kind.decode()}: {sorted(results)}")
        for answer in results:
            if answer not in ("53200", "54000", "08P01"):
                finding(f"huge: a statement of 1 GiB: {answer}")
    # promises of a gigabyte that are not kept
    waiting = []
    for _ in range(50):
        session = server.connect()
        session.send(b"Q" + struct.pack("!I", 900 * MIB) + b"SELECT 1")
        waiting.append(session)
    time.sleep(1)
    still_serves(server, "huge: fifty unkept promises")
    for session in waiting:
        session.socket.close()


# --- greedy -------------------------------------------------------------------------------------------------------------
GREEDY = [
    "SELECT repeat('x', 1000000000)",
    "SELECT length(repeat('x', 500000000))",
    "SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 2000)",
    "SELECT count(DISTINCT g) FROM generate_series(1, 30000000) AS g",
    "SELECT g % 20000000 AS k, count(*) FROM generate_series(1, 20000000) AS g GROUP BY 1 ORDER BY 2 LIMIT 1",
    "SELECT g FROM generate_series(1, 30000000) AS g ORDER BY -g OFFSET 29999999",
    "SELECT count(*) FROM generate_series(1, 10000000) AS a JOIN generate_series(1, 10000000) AS b ON a = b",
    "SELECT count(*) FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b, generate_series(1, 100000) AS c",
    "SELECT repeat(repeat('a', 10000), 10000) || repeat(repeat('a', 10000), 10000)",
    "SELECT lpad('x', 900000000, 'y')",
    "SELECT sum(length(repeat('x', 100000))) FROM generate_series(1, 100000)",
    "INSERT INTO greedy SELECT g, repeat('x', 1000) FROM generate_series(1, 3000000) AS g",
    "SELECT max(a.v || b.v) FROM watched a, watched b, generate_series(1, 300000)",
]


def greedy(server, _):
    with server.connect() as session:
        session.run("CREATE TABLE greedy (id int8 PRIMARY KEY, v text)")
        session.run("SET statement_timeout = '8s'")
        for text in GREEDY:
            begin = time.monotonic()
            try:
                answer = session.query(text)[0]
            except wire.Lost as error:
                finding(f"greedy: {text}: {error}")
                if not still_serves(server, "greedy"):
                    return
                session = server.connect()
                session.run("SET statement_timeout = '8s'")
                continue
            state = answer.error.get("C") if answer.error else "done"
            print(f"    {text[:90]}: {state}, {time.monotonic() - begin:.1f} s")
            if answer.error and state not in ("53200", "54000", "57014", "0A000", "22023", "53400"):
                finding(f"greedy: {text}: {state}: {answer.error.get('M')}")
            if time.monotonic() - begin > 20:
                finding(f"greedy: {text}: statement_timeout of 8 s came after {time.monotonic() - begin:.0f} s")
        session.run("DROP TABLE greedy")
    # a client that asks much and reads nothing
    mute = [server.connect() for _ in range(4)]
    for session in mute:
        session.send(wire.query("SELECT repeat('x', 100000) FROM generate_series(1, 1000000)"))
    time.sleep(3)
    still_serves(server, "greedy: clients that read nothing")
    mute[0].cancel()
    for session in mute:
        session.socket.close()
    # a transaction that never ends: refused at some point, and its session lives
    with server.connect(timeout=60) as session:
        session.run("CREATE TABLE endless (id int8, v text)")
        session.run("BEGIN")
        begin, at, error = time.monotonic(), 0, None
        while error is None and time.monotonic() - begin < 20:
            error = session.query(f"INSERT INTO endless SELECT g, repeat('y', 2000) FROM generate_series({at}, {at + 9999}) AS g")[0].error
            at += 10000
        print(f"    a transaction of {at} rows of 2 KB: {error.get('C') if error else 'still going'}")
        if error and error.get("C") not in ("53200", "54000", "53400"):
            finding(f"greedy: a long transaction: {error}")
        session.run("ROLLBACK")
        session.run("DROP TABLE endless")


# --- idle ---------------------------------------------------------------------------------------------------------------
def idle(server, args):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(args.connections, hard - 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 500), hard))
    if count < args.connections:
        print(f"    this machine allows {hard} open files: {count} connections")
    half_open = []
    for number in range(200):
        connection = socket.create_connection(("127.0.0.1", server.port), 20)
        connection.sendall([b"", b"\0\0", b"\0\0\0\x50\0\3\0\0user", struct.pack("!ii", 8, 80877103)][number % 4])
        half_open.append(connection)
    still_serves(server, "idle: 200 half-open connections")
    begin, sessions = time.monotonic(), []
    try:
        for _ in range(count):
            sessions.append(server.connect(timeout=60))
    except (wire.Lost, wire.SqlError) as error:
        finding(f"idle: connection {len(sessions)}: {error}")
    resident = server.resident_bytes() if hasattr(server, "resident_bytes") else 0
    print(f"    {len(sessions)} sessions in {time.monotonic() - begin:.1f} s: {resident / MIB:.0f} MiB resident")
    if resident > IDLE_BYTES_MAX:
        finding(f"idle: {len(sessions)} idle sessions take {resident / MIB:.0f} MiB")
    for session in sessions[::max(1, len(sessions) // 100)]:
        session.run("SELECT 1")
    still_serves(server, "idle: one more")
    for connection in half_open + [s.socket for s in sessions]:
        connection.close()
    begin = time.monotonic()
    still_serves(server, "idle: after all have gone")


# --- disk ---------------------------------------------------------------------------------------------------------------
def disk(args):
    """A server of its own, whose data lies on a file system of 200 MiB that lives in the server's mount namespace."""
    if os.getuid() != 0:
        print("    disk: SKIPPED: only root can mount a small file system")
        return
    folder = pathlib.Path(f"/tmp/coppice-hostile-{os.getpid()}")
    image = folder / "image"
    mount = folder / "disk"
    mount.mkdir(parents=True)
    subprocess.run(["truncate", "-s", "400M", image], check=True)
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True)
    script = f'mount -o loop {image} {mount} && {{ [ -e {mount}/ballast ] || [ -e {mount}/data ] || fallocate -l 120M {mount}/ballast; }}; exec "$@"'
    attempt = subprocess.run(["unshare", "--mount", "sh", "-c", f"mount -o loop {image} {mount}"], capture_output=True, text=True)
    if attempt.returncode != 0:
        print(f"    disk: SKIPPED: no loop device here: {attempt.stderr.strip()}")
        shutil.rmtree(folder)
        return
    server = servers.Coppice(args.server, ["--memory", "256MiB"], data=mount / "data", prefix=["unshare", "--mount", "sh", "-ec", script, "sh"])
    try:
        with server:
            server.start()
            fill_and_recover(server, mount)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fill_and_recover(server, mount: pathlib.Path):
    session = server.connect(timeout=60)
    session.run("CREATE TABLE full_disk (id int8 PRIMARY KEY, k int4, v text)")
    session.run("CREATE INDEX full_disk_k ON full_disk (k)")
    reader = server.connect(timeout=60)
    acknowledged, unknown, state, begin = 0, 0, None, time.monotonic()
    note = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=100_000))
    while state is None and acknowledged < 50_000 and time.monotonic() - begin < 90:
        at = (acknowledged * 37) % 90_000
        values = ", ".join(f"({acknowledged + i}, {i}, '{note[(at + i * 53) % 50_000:][:10_000]}{acknowledged + i}')" for i in range(10))
        try:
            answer = session.query(f"INSERT INTO full_disk VALUES {values}")[0]
        except wire.Lost as error:
            finding(f"disk: no answer when the disk filled: {error}; server {'alive' if server.alive() else 'DEAD'}:\n{server.log_tail(12)}")
            unknown = 10  # of these it is not known whether they are there
            break
        if answer.error:
            state = answer.error.get("C")
            print(f"    after {acknowledged} rows: {state}: {answer.error.get('M')}")
            if state != "53100":
                finding(f"disk: full is {state}: {answer.error.get('M')}, not 53100")
        else:
            acknowledged += 10
    if state is None and server.alive():
        finding(f"disk: {acknowledged} rows of 10 KB, and no error yet")
    if server.alive():
        try:
            count = int(reader.value("SELECT count(*) FROM full_disk"))
            if count not in (acknowledged, acknowledged + unknown):
                finding(f"disk: {acknowledged} rows acknowledged, {count} counted on the full disk")
        except (wire.Lost, wire.SqlError) as error:
            finding(f"disk: reading on a full disk: {error}")
    free_ballast(server, mount)
    deadline, error = time.monotonic() + 20, None
    while server.alive() and time.monotonic() < deadline:
        try:
            with server.connect(timeout=20) as other:
                other.run("INSERT INTO full_disk VALUES (-1, 0, 'space again')")
                print("    with space again it writes again")
                break
        except (wire.Lost, wire.SqlError) as problem:
            error = problem
            time.sleep(0.5)
    else:
        finding(f"disk: with 120 MiB free again it does not write: {error}")
    if server.alive():
        server.kill()
    # the same file system again, in the next process's namespace
    server.start(60)
    with server.connect(timeout=60) as other:
        count = int(other.value("SELECT count(*) FROM full_disk WHERE id >= 0"))
        if count not in (acknowledged, acknowledged + unknown):
            finding(f"disk: {acknowledged} rows acknowledged, {count} after the restart")
        by_index = int(other.value("SELECT count(*) FROM full_disk WHERE k BETWEEN 0 AND 9 AND id >= 0"))
        if by_index != count:
            finding(f"disk: the index has {by_index} rows, the table {count}")


def free_ballast(server, mount: pathlib.Path):
    if server.alive():
        subprocess.run(["nsenter", "-t", str(server.process.pid), "-m", "rm", "-f", str(mount / "ballast")], check=True)


# --- all ----------------------------------------------------------------------------------------------------------------
PARTS = {"fuzz": fuzz, "deep": deep, "huge": huge, "greedy": greedy, "idle": idle}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", help="the coppice binary")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--only", default="fuzz,deep,huge,greedy,idle,disk")
    parser.add_argument("--conversations", type=int, default=1500)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    parts = args.only.split(",")
    for part in parts:
        if part not in PARTS and part != "disk":
            parser.error(f"there is no part {part}")
        if part == "disk":
            continue
        server = servers.Postgres(settings=["max_connections=300"]) if args.postgres else servers.Coppice(args.server, ["--memory", f"{MEMORY // MIB}MiB"])
        with server:
            server.start()
            if not args.postgres:
                server.need_sql()
            with server.connect() as session:
                session.run("CREATE TABLE watched (id int4 PRIMARY KEY, v text)")
                session.run("INSERT INTO watched VALUES (7, 'seven'), (8, 'eight')")
            watcher = Watcher(server)
            watcher.start()
            print(f"  {part}", flush=True)
            begin = time.monotonic()
            PARTS[part](server, args)
            watcher.end()
            still_serves(server, part)
            peak = server.resident_bytes(peak=True) if not args.postgres and server.alive() else 0
            print(f"  {part}: {time.monotonic() - begin:.1f} s; the other session asked {watcher.asked} times, waited {watcher.worst:.2f} s "
                  f"at most; peak {peak / MIB:.0f} MiB of {MEMORY / MIB:.0f}", flush=True)
            if part != "idle" and peak > MEMORY * 1.1:
                finding(f"{part}: the process took {peak / MIB:.0f} MiB, {MEMORY / MIB:.0f} were promised")
    if "disk" in parts:
        print("  disk", flush=True)
        disk(args)
    print(f"hostile: {len(findings)} findings")
    raise SystemExit(1 if findings else 0)


if __name__ == "__main__":
    main()
