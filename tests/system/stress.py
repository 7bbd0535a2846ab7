#!/usr/bin/env python3
"""stress.py: many clients at once through SQL, and sums that must come out.

usage: tests/system/stress.py --server BINARY [--clients 8] [--seconds 10] [--seed N]
       tests/system/stress.py --postgres      the same on PostgreSQL: proves the test, not Coppice

Clients move money between accounts in random order, so that they deadlock and retry; count one counter up; race for the same unique
keys; and read. Checked while they run: the sum of all balances, in one statement and twice in a REPEATABLE READ transaction. Checked
at the end: balances against the history, the counter against the answers it gave, one winner for every key, nobody waited for long.
"""
import argparse
import collections
import pathlib
import random
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support" / "python"))
import servers  # noqa: E402
import wire  # noqa: E402

ACCOUNTS, BALANCE = 12, 1000
RETRY = ("40001", "40P01")
STATEMENT_SECONDS_MAX = 30

SCHEMA = [
    "CREATE TABLE accounts (id int4 PRIMARY KEY, balance int8 NOT NULL, changes int4 NOT NULL DEFAULT 0)",
    f"INSERT INTO accounts SELECT g, {BALANCE} FROM generate_series(1, {ACCOUNTS}) AS g",
    "CREATE TABLE history (client int4, n int4, giver int4, taker int4, amount int8, PRIMARY KEY (client, n))",
    "CREATE INDEX history_giver ON history (giver)",
    "CREATE TABLE counters (id int4 PRIMARY KEY, n int8 NOT NULL)",
    "INSERT INTO counters VALUES (1, 0)",
    "CREATE TABLE races (key int4 PRIMARY KEY, winner int4 NOT NULL)",
]


class Client(threading.Thread):
    def __init__(self, server, number: int, seed: int, running: threading.Event):
        super().__init__(daemon=True)
        self.number, self.running, self.rng = number, running, random.Random(f"{seed}/{number}")
        self.session = server.connect(timeout=STATEMENT_SECONDS_MAX)
        self.done, self.problems = collections.Counter(), []
        self.transfers, self.counted, self.won, self.lost = {}, [], [], []

    def run(self):
        acts = [(self.transfer, 60), (self.count, 15), (self.race, 15), (self.read, 5), (self.read_twice, 5)]
        while self.running.is_set() and not self.problems:
            act = self.rng.choices([a for a, _ in acts], [w for _, w in acts])[0]
            try:
                act()
                self.done[act.__name__] += 1
            except wire.SqlError as error:
                self.done[error.state] += 1
                if error.state not in RETRY:
                    self.problems.append(f"{act.__name__}: {error}")
                self.session.query("ROLLBACK")
            except wire.Lost as error:
                self.problems.append(f"{act.__name__}: {error}")

    def transfer(self):
        giver, taker = self.rng.sample(range(1, ACCOUNTS + 1), 2)
        amount, number = self.rng.randint(1, 20), len(self.transfers)
        self.session.run("BEGIN" if self.rng.random() < 0.7 else "BEGIN ISOLATION LEVEL REPEATABLE READ")
        self.session.run(f"UPDATE accounts SET balance = balance - {amount}, changes = changes + 1 WHERE id = {giver}")
        self.session.run(f"UPDATE accounts SET balance = balance + {amount}, changes = changes + 1 WHERE id = {taker}")
        self.session.run(f"INSERT INTO history VALUES ({self.number}, {number}, {giver}, {taker}, {amount})")
        if self.rng.random() < 0.1:
            self.session.run("ROLLBACK")
            return
        if self.session.run("COMMIT").tag == "COMMIT":
            self.transfers[number] = (giver, taker, amount)

    def count(self):
        """One statement that reads and writes: re-run on conflict, it must never lose a step."""
        self.counted.append(int(self.session.value("UPDATE counters SET n = n + 1 WHERE id = 1 RETURNING n")))

    def race(self):
        key = self.rng.randrange(100_000) if self.rng.random() < 0.2 else int(time.monotonic() * 20) % 100_000
        try:
            self.session.run(f"INSERT INTO races VALUES ({key}, {self.number})")
            self.won.append(key)
        except wire.SqlError as error:
            if error.state != "23505":
                raise
            self.lost.append(key)

    def read(self):
        total = int(self.session.value("SELECT sum(balance) FROM accounts"))
        if total != ACCOUNTS * BALANCE:
            self.problems.append(f"one statement saw a sum of {total}")

    def read_twice(self):
        self.session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        first = self.session.rows("SELECT id, balance, changes FROM accounts ORDER BY id")
        steps = self.session.value("SELECT count(*) FROM history")
        time.sleep(0.02)
        if self.session.rows("SELECT id, balance, changes FROM accounts ORDER BY id") != first:
            self.problems.append("a REPEATABLE READ transaction saw two states")
        if self.session.value("SELECT count(*) FROM history") != steps:
            self.problems.append("a REPEATABLE READ transaction counted two histories")
        if sum(int(row[2]) for row in first) != 2 * int(steps):
            self.problems.append("a snapshot holds a transfer without its history")
        self.session.run("COMMIT")


def check(session, clients: list) -> list:
    problems = []
    expected = {i: [BALANCE, 0] for i in range(1, ACCOUNTS + 1)}
    history = {}
    for client in clients:
        for number, (giver, taker, amount) in client.transfers.items():
            history[(client.number, number)] = (giver, taker, amount)
            for account, change in ((giver, -amount), (taker, amount)):
                expected[account][0] += change
                expected[account][1] += 1
    got = {int(i): [int(b), int(c)] for i, b, c in session.rows("SELECT id, balance, changes FROM accounts")}
    if got != expected:
        problems.append(f"accounts are {got}, should be {expected}")
    stored = {(int(c), int(n)): (int(g), int(t), int(a)) for c, n, g, t, a in session.rows("SELECT client, n, giver, taker, amount FROM history")}
    if stored != history:
        problems.append(f"history: {len(set(history) - set(stored))} lost, {len(set(stored) - set(history))} never acknowledged")
    for account in range(1, ACCOUNTS + 1):
        count = int(session.value(f"SELECT count(*) FROM history WHERE giver = {account}"))
        if count != sum(1 for giver, _, _ in history.values() if giver == account):
            problems.append(f"the index of history counts {count} for giver {account}")
    steps = sorted(step for client in clients for step in client.counted)
    if steps != list(range(1, len(steps) + 1)) or int(session.value("SELECT n FROM counters")) != len(steps):
        problems.append(f"the counter gave {len(steps)} answers, {len(set(steps))} different, up to {steps[-1:]}")
    winners = {int(k): int(w) for k, w in session.rows("SELECT key, winner FROM races")}
    claimed = [(key, client.number) for client in clients for key in client.won]
    if dict(claimed) != winners or len(claimed) != len(winners):
        problems.append(f"{len(claimed)} races were won, {len(winners)} keys are there")
    if any(key not in winners for client in clients for key in client.lost):
        problems.append("a race was lost against nobody")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", help="the coppice binary")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    server = servers.Postgres(settings=["deadlock_timeout=50ms"]) if args.postgres else servers.Coppice(args.server, ["--memory", "256MiB"])
    print(f"stress: seed {args.seed}, {args.clients} clients, {args.seconds} s", flush=True)
    with server:
        server.start()
        if not args.postgres:
            server.need_sql()
        with server.connect() as session:
            for statement in SCHEMA:
                session.run(statement)
        running = threading.Event()
        running.set()
        clients = [Client(server, i, args.seed, running) for i in range(args.clients)]
        for client in clients:
            client.start()
        time.sleep(args.seconds)
        running.clear()
        problems, done = [], collections.Counter()
        for client in clients:
            client.join(STATEMENT_SECONDS_MAX * 3)
            if client.is_alive():
                problems.append(f"client {client.number} still waits")
            problems += [f"client {client.number}: {problem}" for problem in client.problems]
            done.update(client.done)
        if not server.alive():
            problems.append("the server is dead:\n" + server.log_tail())
        else:
            with server.connect() as session:
                problems += check(session, clients)
    for problem in problems:
        print(f"    FINDING: {problem}")
    print(f"stress: {dict(done)}; {len(problems)} findings")
    if not problems and (done["transfer"] < args.clients or not done["40P01"]):
        print("stress: hardly a transfer, or no deadlock: this proves nothing")
        raise SystemExit(1)
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
