#!/usr/bin/env python3
"""crash_sql.py: kill -9 at random moments under concurrent writers through SQL; then everything acknowledged is there, whole.

usage: tests/system/crash_sql.py --server BINARY [--rounds 10] [--clients 6] [--seed N] [--memory 256MiB]
       tests/system/crash_sql.py --postgres [--rounds 3]      the same on PostgreSQL: proves the test, not Coppice

A deal is one transaction over three tables: PARTS rows of `pieces`, one row of `deals`, two balances of `accounts`. Clients make deals
(by INSERT or COPY), change the bucket of old ones, undo old ones, and roll some back; another client makes and drops tables, and an
index on the loaded table. What a client knows of a deal is the list of what may be true: one thing once COMMIT has answered, the state
before or after where the kill came between. Every few rounds the server is killed again while it recovers. After each restart:
  lost, torn, ghost   a deal is not what its client knows, is there in part, or was never committed
  balance             an account is not what the deals that are there make of it
  index               counts and rows by an index are not those of the scan; a duplicate of a unique key is let in
  table               a table of the DDL client is half there
  slow                the restart took 5 s or more
Exit 1 on any of them, or on an error that is no consequence of concurrency or of the kill.
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

PARTS = 3
BUCKETS = 23
ACCOUNTS = 20
BALANCE = 1000
LIVE_MAX = 150  # deals of one client; above, it mostly undoes
RESTART_SECONDS_MAX = 5.0
CONCURRENCY = ("40001", "40P01", "57014", "57P01", "57P02", "57P03")

SCHEMA = [
    "CREATE TABLE accounts (id int4 PRIMARY KEY, balance int8 NOT NULL)",
    "CREATE TABLE deals (id int8 PRIMARY KEY, client int4 NOT NULL, giver int4, taker int4, amount int8)",
    "CREATE TABLE pieces (deal int8, part int4, bucket int4, tag text UNIQUE, note text, PRIMARY KEY (deal, part))",
    "CREATE INDEX pieces_bucket ON pieces (bucket)",
    "CREATE INDEX deals_client ON deals (client)",
    f"INSERT INTO accounts SELECT g, {BALANCE} FROM generate_series(0, {ACCOUNTS - 1}) AS g",
]


class Deal:
    """What is known of one deal: `may_be` holds None for absent, else the bucket of its pieces."""

    def __init__(self, identity: int, client: int, rng: random.Random):
        self.id, self.client = identity, client
        self.giver, self.taker = rng.sample(range(ACCOUNTS), 2)
        self.amount = rng.randint(1, 9)
        self.may_be = [None]

    def moves(self, sign: int) -> list:
        """The balances to change, in the order of accounts: no deadlocks among deals."""
        return sorted([(self.giver, -sign * self.amount), (self.taker, sign * self.amount)])

    def rows(self, bucket: int) -> list:
        return [(self.id, part, bucket, f"{self.id}/{part}", f"note {self.id * 31 + part} " * (1 + (self.id + part) % 40)) for part in range(PARTS)]


class Client(threading.Thread):
    def __init__(self, server, number: int, deals: dict, rng: random.Random, first: int, running: threading.Event):
        super().__init__(daemon=True)
        self.server, self.number, self.deals, self.rng, self.running = server, number, deals, rng, running
        self.next = first
        self.done, self.errors = collections.Counter(), []

    def run(self):
        session = None
        while self.running.is_set():
            try:
                session = session or self.server.connect(timeout=20)
                self.one(session)
            except wire.SqlError as error:
                self.done["refused " + error.state] += 1
                if error.state not in CONCURRENCY:
                    self.errors.append(f"client {self.number}: {error}")
                    return
                try:
                    session.query("ROLLBACK")
                except wire.Lost:
                    session = None
            except wire.Lost:
                session = None
                time.sleep(0.02)

    def one(self, session):
        live = [d for d in self.deals.values() if d.may_be[-1] is not None and len(d.may_be) == 1]
        dice = self.rng.random()
        if len(live) > LIVE_MAX or (live and dice < 0.15):
            deal = self.rng.choice(live)
            self.commit(session, deal, None, self.undo)
        elif live and dice < 0.35:
            deal = self.rng.choice(live)
            self.commit(session, deal, self.rng.randrange(BUCKETS), self.rebucket)
        else:
            deal = Deal(self.next, self.number, self.rng)
            self.next += 1
            self.deals[deal.id] = deal
            self.commit(session, deal, self.rng.randrange(BUCKETS), self.make, abort=dice > 0.92)

    def commit(self, session, deal: Deal, after, work, abort: bool = False):
        """Runs work in a transaction, and keeps what may be true of the deal at every moment of it."""
        before = deal.may_be[0]
        session.run("BEGIN")
        work(session, deal, after)
        if abort:
            session.run("ROLLBACK")
            self.done["rolled back"] += 1
            return
        deal.may_be = [before, after]
        try:
            tag = session.run("COMMIT").tag
        except wire.SqlError as error:
            if error.state in CONCURRENCY:
                deal.may_be = [before]
            raise
        deal.may_be = [after] if tag == "COMMIT" else [before]
        self.done[work.__name__] += 1

    def move(self, session, deal: Deal, sign: int):
        for account, change in deal.moves(sign):
            session.run(f"UPDATE accounts SET balance = balance + {change} WHERE id = {account}")

    def make(self, session, deal: Deal, bucket: int):
        session.run(f"INSERT INTO deals VALUES ({deal.id}, {deal.client}, {deal.giver}, {deal.taker}, {deal.amount})")
        rows = deal.rows(bucket)
        if self.rng.random() < 0.3:
            session.run("COPY pieces FROM STDIN", "".join("\t".join(map(str, row)) + "\n" for row in rows))
        else:
            session.run("INSERT INTO pieces VALUES " + ", ".join(f"({d}, {p}, {b}, '{t}', '{n}')" for d, p, b, t, n in rows))
        self.move(session, deal, 1)

    def rebucket(self, session, deal: Deal, bucket: int):
        session.run(f"UPDATE pieces SET bucket = {bucket} WHERE deal = {deal.id}")

    def undo(self, session, deal: Deal, _):
        session.run(f"DELETE FROM pieces WHERE deal = {deal.id}")
        session.run(f"DELETE FROM deals WHERE id = {deal.id}")
        self.move(session, deal, -1)


class DdlClient(threading.Thread):
    """Tables of three rows, made in one transaction; an index on the loaded table, made and dropped."""

    def __init__(self, server, tables: dict, first: int, running: threading.Event):
        super().__init__(daemon=True)
        self.server, self.tables, self.next, self.running = server, tables, first, running
        self.done, self.errors = collections.Counter(), []

    def run(self):
        session = None
        while self.running.is_set():
            try:
                session = session or self.server.connect(timeout=20)
                self.one(session)
            except wire.SqlError as error:
                self.done["refused " + error.state] += 1
                if error.state not in CONCURRENCY:
                    self.errors.append(f"DDL client: {error}")
                    return
                try:
                    session.query("ROLLBACK")
                except wire.Lost:
                    session = None
            except wire.Lost:
                session = None
            time.sleep(0.02)

    def one(self, session):
        name = f"made_{self.next}"
        self.next += 1
        session.run("BEGIN")
        session.run(f"CREATE TABLE {name} (a int4 PRIMARY KEY, b text)")
        session.run(f"INSERT INTO {name} VALUES (1, 'x'), (2, 'y'), (3, 'z')")
        self.tables[name] = [False, True]
        session.run("COMMIT")
        self.tables[name] = [True]
        self.done["tables"] += 1
        old = [n for n, may_be in self.tables.items() if may_be == [True]]
        if len(old) > 3:
            self.tables[old[0]] = [True, False]
            session.run(f"DROP TABLE {old[0]}")
            self.tables[old[0]] = [False]
        session.run("DROP INDEX IF EXISTS pieces_note")
        session.run("CREATE INDEX pieces_note ON pieces (note)")
        self.done["indexes"] += 1


class Findings:
    def __init__(self):
        self.counts = collections.Counter()

    def say(self, kind: str, text: str):
        self.counts[kind] += 1
        if self.counts[kind] <= 5:
            print(f"    {kind}: {text}", flush=True)


def check(session, deals: dict, tables: dict, findings: Findings):
    pieces = collections.defaultdict(list)
    for deal, part, bucket, tag, note in session.rows("SELECT deal, part, bucket, tag, note FROM pieces"):
        pieces[int(deal)].append((int(deal), int(part), int(bucket), tag, note))
    heads = {int(row[0]): tuple(map(int, row[1:])) for row in session.rows("SELECT id, client, giver, taker, amount FROM deals")}
    check_deals(deals, pieces, heads, findings)
    check_balances(session, heads, findings)
    check_indexes(session, pieces, heads, findings)
    check_tables(session, tables, findings)


def check_deals(deals: dict, pieces: dict, heads: dict, findings: Findings):
    for deal in deals.values():
        head, rows = heads.get(deal.id), sorted(pieces.get(deal.id, []))
        if head is None and not rows:
            if None not in deal.may_be:
                findings.say("lost", f"deal {deal.id} of client {deal.client}")
            deal.may_be = [None]
            continue
        bucket = rows[0][2] if rows else None
        if head != (deal.client, deal.giver, deal.taker, deal.amount) or bucket is None or rows != deal.rows(bucket):
            findings.say("torn", f"deal {deal.id}: head {head}, pieces {rows}")
        elif bucket not in deal.may_be:
            findings.say("ghost" if deal.may_be == [None] else "lost", f"deal {deal.id} has bucket {bucket}, may be {deal.may_be}")
        deal.may_be = [bucket]
    for identity in (set(heads) | set(pieces)) - set(deals):
        findings.say("ghost", f"deal {identity}, of which no client knows")


def check_balances(session, heads: dict, findings: Findings):
    expected = dict.fromkeys(range(ACCOUNTS), BALANCE)
    for _, giver, taker, amount in heads.values():
        expected[giver] -= amount
        expected[taker] += amount
    got = {int(a): int(b) for a, b in session.rows("SELECT id, balance FROM accounts")}
    if got != expected:
        findings.say("balance", f"{[(a, got.get(a), b) for a, b in expected.items() if got.get(a) != b]} (account, there, expected)")
    total = int(session.value("SELECT sum(balance) FROM accounts"))
    if total != ACCOUNTS * BALANCE:
        findings.say("balance", f"the sum is {total}")


def check_indexes(session, pieces: dict, heads: dict, findings: Findings):
    rows = [row for group in pieces.values() for row in group]
    counted = int(session.value("SELECT count(*) FROM pieces"))
    if counted != len(rows):
        findings.say("index", f"count(*) says {counted}, the scan has {len(rows)} rows")
    by_bucket = collections.Counter(row[2] for row in rows)
    for bucket in range(BUCKETS):
        count = int(session.value(f"SELECT count(*) FROM pieces WHERE bucket = {bucket}"))
        found = sorted((int(d), int(p)) for d, p in session.rows(f"SELECT deal, part FROM pieces WHERE bucket = {bucket}"))
        if count != by_bucket[bucket] or found != sorted((r[0], r[1]) for r in rows if r[2] == bucket):
            findings.say("index", f"bucket {bucket}: the scan has {by_bucket[bucket]} rows, the index counts {count}, finds {len(found)}")
    by_client = collections.Counter(head[0] for head in heads.values())
    for client, expected in by_client.items():
        count = int(session.value(f"SELECT count(*) FROM deals WHERE client = {client}"))
        if count != expected:
            findings.say("index", f"client {client}: the scan has {expected} deals, the index counts {count}")
    for row in random.Random(len(rows)).sample(rows, min(40, len(rows))):
        for condition in (f"tag = '{row[3]}'", f"deal = {row[0]} AND part = {row[1]}", f"note = '{row[4]}' AND deal = {row[0]}"):
            found = session.rows(f"SELECT deal, part FROM pieces WHERE {condition}")
            if found != [(str(row[0]), str(row[1]))]:
                findings.say("index", f"WHERE {condition[:60]} finds {found}")
    if rows:
        answer = session.query(f"INSERT INTO pieces VALUES (-1, 0, 0, '{rows[0][3]}', '')")[0]
        if not answer.error or answer.error.get("C") != "23505":
            findings.say("index", f"a second tag {rows[0][3]}: {answer.error or answer.tag}")
            session.query("DELETE FROM pieces WHERE deal = -1")


def check_tables(session, tables: dict, findings: Findings):
    for name in list(tables):
        answer = session.query(f"SELECT a, b FROM {name} ORDER BY a")[0]
        if answer.error:
            if answer.error.get("C") != "42P01":
                findings.say("table", f"{name}: {answer.error}")
            there = False
        else:
            there = True
            if answer.rows != [(b"1", b"x"), (b"2", b"y"), (b"3", b"z")]:
                findings.say("table", f"{name} holds {answer.rows}")
        if there not in tables[name]:
            findings.say("table", f"{name} is {'there' if there else 'gone'}, which it cannot be")
        if there:
            tables[name] = [True]
        else:
            del tables[name]


def round_of_writes(server, args, rng, deals, tables, counters, findings) -> collections.Counter:
    running = threading.Event()
    running.set()
    clients = [Client(server, i, deals[i], random.Random(rng.random()), counters[i], running) for i in range(args.clients)]
    maker = DdlClient(server, tables, counters["ddl"], running)
    for thread in [*clients, maker]:
        thread.start()
    time.sleep(rng.choice([0.05, 0.2, 0.5, 1.0]) + rng.random() * 0.7)
    died = not server.alive()
    server.kill()
    running.clear()
    done = collections.Counter()
    for thread in [*clients, maker]:
        thread.join(60)
        if thread.is_alive():
            findings.say("hang", "a client still waits for a server that was killed a minute ago")
        done.update(thread.done)
        for error in thread.errors:
            findings.say("error", error)
    if died:
        findings.say("died", "the server ended before it was killed:\n" + server.log_tail())
    counters.update({i: clients[i].next for i in range(args.clients)}, ddl=maker.next)
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", help="the coppice binary")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--memory", default="256MiB")
    parser.add_argument("--sabotage", metavar="SQL", help="run after each restart, before the check: shows that the check finds it")
    args = parser.parse_args()
    server = servers.Postgres(fsync=True) if args.postgres else servers.Coppice(args.server, ["--memory", args.memory])
    rng, findings, total, restarts = random.Random(args.seed), Findings(), collections.Counter(), []
    deals, tables = {i: {} for i in range(args.clients)}, {}
    counters = {**{i: i * 10_000_000 for i in range(args.clients)}, "ddl": 0}
    print(f"crash_sql: seed {args.seed}, {args.rounds} rounds, {args.clients} clients", flush=True)
    with server:
        server.start()
        if not args.postgres:
            server.need_sql()
        with server.connect() as session:
            for statement in SCHEMA:
                session.run(statement)
        for number in range(1, args.rounds + 1):
            done = round_of_writes(server, args, rng, deals, tables, counters, findings)
            total.update(done)
            if number % 4 == 0 and not args.postgres:
                kill_while_it_recovers(server, rng)
            seconds = server.start(120)
            restarts.append(seconds)
            if seconds >= RESTART_SECONDS_MAX:
                findings.say("slow", f"the restart took {seconds:.2f} s")
            with server.connect(timeout=60) as session:
                if args.sabotage:
                    session.run(args.sabotage)
                known = {identity: deal for group in deals.values() for identity, deal in group.items()}
                check(session, known, tables, findings)
                for group in deals.values():
                    for identity in [i for i, deal in group.items() if deal.may_be == [None]]:
                        del group[identity]
            print(f"  round {number}: {sum(done.values())} acts ({dict(done)}), {sum(map(len, deals.values()))} deals, "
                  f"restart {seconds:.2f} s", flush=True)
            if findings.counts:
                break
    print(f"crash_sql: {dict(total)}; restart {max(restarts):.2f} s at most; findings: {dict(findings.counts) or 'none'}")
    if not findings.counts and total["make"] + total["undo"] < args.rounds:
        print("crash_sql: hardly anything was committed: this proves nothing")
        raise SystemExit(1)
    raise SystemExit(1 if findings.counts else 0)


def kill_while_it_recovers(server, rng: random.Random):
    starting = threading.Thread(target=lambda: suppressed(server.start))
    starting.start()
    time.sleep(0.02 + rng.random() * 0.3)
    if server.process is not None:
        server.process.kill()
    starting.join()
    if server.alive():
        server.kill()


def suppressed(action):
    try:
        action()
    except RuntimeError:
        pass  # it was killed: that is the point


if __name__ == "__main__":
    main()
