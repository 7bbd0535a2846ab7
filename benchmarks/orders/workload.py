"""workload.py: the load by INSERT or COPY streams, the four weighted readers by pgbench, what both measured, and the exact checks."""
import collections
import glob
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

import data
import wire

TABLE = ["CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id BIGINT, sku BIGINT, day INT, amount BIGINT, note TEXT)",
         "CREATE INDEX orders_customer ON orders (customer_id)", "CREATE INDEX orders_sku ON orders (sku)",
         "CREATE INDEX orders_day ON orders (day)", "CREATE INDEX orders_amount ON orders (amount)"]
READERS = [  # name, weight, script
    ("select", 65, "\\set z random_zipfian(1, :n, :theta)\n\\set id permute(:z - 1, :n) + 1\n"
                   "SELECT amount FROM orders WHERE id = :id;\n"),
    ("customer", 35, "\\set c random_zipfian(1, :customers, :theta)\n"
                     "SELECT id, sku, day, amount FROM orders WHERE customer_id = :c LIMIT 100;\n"),
    ("sku_day", 20, "\\set s random(1, :skus)\n\\set d random(1, :days)\n"
                    "SELECT id, customer_id, amount FROM orders WHERE sku = :s AND day = :d;\n"),
    ("customer_day_count", 10, "\\set c random(1, :customers)\n\\set d random(1, :days)\n"
                               "SELECT count(*) FROM orders WHERE customer_id = :c AND day = :d;\n"),
]
NAMES = [name for name, _, _ in READERS]


def percentile(ordered: list, share: float):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None


def summary(values) -> dict:
    ordered = sorted(values)
    return {"n": len(ordered), "mean": sum(ordered) / len(ordered) if ordered else None,
            **{f"p{p}": percentile(ordered, p / 100) for p in (50, 95, 99)}, "max": ordered[-1] if ordered else None}


class Loader:
    """Threads that each take the next chunk and send it as one statement of its own."""

    def __init__(self, server, orders: data.Orders, streams: int):
        self.server, self.orders, self.streams = server, orders, streams
        self.lock, self.next, self.rows = threading.Lock(), 0, 0
        self.latencies, self.errors, self.end = [], [], None

    def start(self):
        self.begin = time.time()
        self.threads = [threading.Thread(target=self._stream) for _ in range(self.streams)]
        for thread in self.threads:
            thread.start()

    def _stream(self):
        try:
            with self.server.connect(timeout=600) as session, open(self.orders.statements, "rb") as source:
                while (number := self._take()) is not None:
                    source.seek(self.orders.offsets[number])
                    text = source.read(self.orders.offsets[number + 1] - self.orders.offsets[number])
                    begin = time.perf_counter()
                    if self.orders.mode == "insert":
                        session.run(text)
                    else:
                        session.run(f"COPY orders ({data.COLUMNS}) FROM STDIN", text)
                    took = (time.perf_counter() - begin) * 1000
                    with self.lock:
                        self.latencies.append(took)
                        self.rows += min(self.orders.chunk, self.orders.rows - number * self.orders.chunk)
                        self.end = time.time()
        except (wire.Lost, wire.SqlError) as error:
            self.errors.append(str(error)[:500])

    def _take(self):
        with self.lock:
            number, self.next = self.next, self.next + 1
        return number if number < len(self.orders.offsets) - 1 else None

    def running(self) -> bool:
        return any(thread.is_alive() for thread in self.threads)


class Readers:
    """pgbench with the four scripts, in rounds; each round draws over the ids that are loaded by then."""

    def __init__(self, server, orders: data.Orders, folder: pathlib.Path, clients: int, theta: float, protocol: str):
        self.server, self.orders, self.folder, self.clients, self.theta, self.protocol = server, orders, folder, clients, theta, protocol
        self.round, self.errors = 0, ""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, _, text in READERS:
            (folder / f"{name}.sql").write_text(text)

    def start(self, rows: int, seconds: float, rate: float = 0) -> subprocess.Popen:
        self.round += 1
        command = [pgbench(), "-n", "-h", "127.0.0.1", "-p", str(self.server.port), "-U", "coppice", "-c", str(self.clients),
                   "-j", str(min(2, self.clients)), "-M", self.protocol, "-T", str(max(1, round(seconds))), "-l",
                   f"--log-prefix={self.folder}/{'open' if rate else 'closed'}{self.round:05d}", "-D", f"n={max(1, rows)}",
                   "-D", f"theta={self.theta}", "-D", f"customers={self.orders.customers}", "-D", f"skus={self.orders.skus}",
                   "-D", f"days={self.orders.days}"]
        if rate:
            command += ["-R", str(rate)]
        for name, weight, _ in READERS:
            command += ["-f", f"{self.folder}/{name}.sql@{weight}"]
        with open(self.folder / "errors", "ab") as errors:
            return subprocess.Popen([*command, "coppice"], stdout=subprocess.DEVNULL, stderr=errors)

    def log(self, kind: str, number: int = None) -> list:
        """[(end, script, milliseconds)] of every transaction; with a rate the time counts from when it was due."""
        rows = []
        for path in glob.glob(f"{self.folder}/{kind}{'' if number is None else f'{number:05d}'}*"):
            for line in open(path):
                words = line.split()
                if len(words) >= 6 and words[2].isdigit():
                    rows.append((int(words[4]) + int(words[5]) / 1e6, int(words[3]), int(words[2]) / 1e3))
        return sorted(rows)

    def problems(self) -> str:
        path = self.folder / "errors"
        return "\n".join(path.read_text(errors="replace").splitlines()[:20]) if path.exists() else ""


def pgbench() -> str:
    found = shutil.which("pgbench") or "/usr/lib/postgresql/15/bin/pgbench"
    if not os.path.exists(found):
        sys.exit("orders: pgbench is missing (Debian package postgresql-15)")
    return found


def by_script(log: list, begin: float, end: float) -> dict:
    groups = collections.defaultdict(list)
    for at, script, took in log:
        if begin <= at < end:
            groups[NAMES[script]].append(took)
    seconds = max(end - begin, 1e-9)
    return {"per_second": sum(map(len, groups.values())) / seconds,
            "scripts": {name: {**summary(groups[name]), "per_second": len(groups[name]) / seconds} for name in NAMES}}


def wrong_answers(server, orders: data.Orders) -> list:
    """Counts and sums that the rows themselves give exactly; a list of those that the server gives differently."""
    customers, skus, days, amounts = (orders.column(i) for i in range(4))
    rng, questions = random.Random(7), []
    questions.append(("SELECT count(*) FROM orders", orders.rows))
    questions.append(("SELECT sum(amount) FROM orders", sum(amounts)))
    questions.append(("SELECT count(DISTINCT day) FROM orders", len(set(days))))
    pairs = collections.Counter(zip(skus, days))
    for sku, day in rng.sample(sorted(pairs), min(40, len(pairs))):
        questions.append((f"SELECT count(*) FROM orders WHERE sku = {sku} AND day = {day}", pairs[(sku, day)]))
    per_customer, per_day = collections.Counter(customers), collections.Counter(days)
    customer_days = collections.Counter(zip(customers, days))
    for row in rng.sample(range(orders.rows), min(30, orders.rows)):
        customer, day = customers[row], days[row]
        questions.append((f"SELECT count(*) FROM orders WHERE customer_id = {customer}", per_customer[customer]))
        questions.append((f"SELECT count(*) FROM orders WHERE customer_id = {customer} AND day = {day}", customer_days[(customer, day)]))
        questions.append((f"SELECT amount FROM orders WHERE id = {row + 1}", amounts[row]))
    for day in rng.sample(sorted(per_day), min(5, len(per_day))):
        questions.append((f"SELECT count(*) FROM orders WHERE day = {day}", per_day[day]))
    low = rng.randint(100, 90_000)
    questions.append((f"SELECT count(*) FROM orders WHERE amount BETWEEN {low} AND {low + 500}", sum(low <= a <= low + 500 for a in amounts)))
    wrong = []
    with server.connect(timeout=600) as session:
        for text, expected in questions:
            try:
                got = session.value(text)
            except (wire.SqlError, IndexError) as error:
                got = str(error) or "no row"
            if got != str(expected):
                wrong.append(f"{text}: {got}, should be {expected}")
    return wrong
