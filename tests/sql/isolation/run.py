#!/usr/bin/env python3
"""run.py: two sessions step by step, in every order, on PostgreSQL 15 and on Coppice: who waits, and what each step answers.

usage: tests/sql/isolation/run.py --server BINARY [--only NAME,...] [--orders N]
       tests/sql/isolation/run.py --self          PostgreSQL against itself: proves schedules and runner, not Coppice

schedules.txt holds the schedules: `schedule NAME [why Coppice may differ in some orders]`, `setup SQL`, then each session's steps
`a: SQL`, `b: SQL`; every order of the steps that keeps each session's own is run, or those of the lines `order a b b a`. PostgreSQL
goes first; a step that answered there gets ten seconds here, one that waited there must wait here too. A step that cannot start
because its session still waits takes its turn once that session has its answer.
"""
import argparse
import itertools
import pathlib
import queue
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support" / "python"))
import servers  # noqa: E402
import wire  # noqa: E402

WAITS_SECONDS = 0.25  # PostgreSQL has answered by then, or waits
PATIENCE_SECONDS = 10


class Schedule:
    def __init__(self, name: str, why: str):
        self.name, self.why = name, why
        self.setup, self.steps, self.listed = [], {"a": [], "b": []}, []

    def orders(self, most: int) -> list:
        """At most so many orders, spread evenly over all there are."""
        orders = self.listed or self.all_orders()
        step = max(1, -(-len(orders) // most)) if most else 1
        return orders[::step]

    def all_orders(self) -> list:
        count = len(self.steps["a"]) + len(self.steps["b"])
        orders = []
        for places in itertools.combinations(range(count), len(self.steps["a"])):
            orders.append(tuple("a" if i in places else "b" for i in range(count)))
        return orders


def read_schedules(path: pathlib.Path) -> list:
    schedules = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "schedule":
            name, _, why = rest.partition(" ")
            schedules.append(Schedule(name, why))
        elif word == "setup":
            schedules[-1].setup.append(rest)
        elif word == "order":
            schedules[-1].listed.append(tuple(rest.split()))
        elif word in ("a:", "b:"):
            schedules[-1].steps[word[0]].append(rest)
        else:
            raise SystemExit(f"{path.name}: {line}")
    return schedules


class Session(threading.Thread):
    """Takes one statement at a time; its answer comes through a queue."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.connection = server.connect(timeout=60)
        self.statements, self.answers = queue.Queue(), queue.Queue()
        self.start()

    def run(self):
        while (text := self.statements.get()) is not None:
            try:
                self.answers.put(describe(self.connection.query(text), self.connection.status))
            except wire.Lost as error:
                self.answers.put(f"LOST: {error}")

    def answer(self, seconds: float):
        try:
            return self.answers.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self):
        self.statements.put(None)
        self.connection.close()


def describe(results: list, status: str) -> str:
    parts = []
    for result in results:
        if result.error:
            parts.append(f"{result.error.get('C')}: {result.error.get('M')}")
            continue
        rows = sorted(" ".join("NULL" if v is None else v.decode() for v in row) for row in result.rows)
        parts.append(result.tag + (f" [{', '.join(rows)}]" if result.columns is not None else ""))
    return "; ".join(parts) + f" ({status})"


def play(server, schedule: Schedule, order: tuple, guide: list = None) -> list:
    """The transcript: (session, step, answer or None for "waits") as things happen."""
    with server.connect(timeout=30) as session:
        for statement in schedule.setup:
            session.run(statement)
    sessions = {name: Session(server) for name in "ab"}
    transcript, waiting, pending = [], {}, list(order)
    at = dict.fromkeys("ab", 0)
    held = []  # steps whose session waits

    def expected_to_wait() -> bool:
        return guide is not None and len(transcript) < len(guide) and guide[len(transcript)][2] is None

    def collect(seconds: float) -> bool:
        """An answer of a session that waited, if one has come."""
        deadline = time.monotonic() + seconds
        while waiting:
            for name in sorted(waiting):
                got = sessions[name].answer(0.02)
                if got is not None:
                    transcript.append((name, waiting.pop(name), got))
                    return True
            if time.monotonic() > deadline:
                return False
        return False

    def patience() -> float:
        follows = guide is not None and len(transcript) < len(guide) and guide[len(transcript)][2] is not None
        return PATIENCE_SECONDS if follows and guide[len(transcript)][0] in waiting else WAITS_SECONDS

    try:
        while pending or held or waiting:
            ready = next((i for i, name in enumerate(held) if name not in waiting), None)
            if ready is not None:
                name = held.pop(ready)
            elif pending:
                name = pending.pop(0)
                if name in waiting:
                    held.append(name)
                    continue
            else:
                if not collect(PATIENCE_SECONDS):
                    transcript.append(("-", "all wait", "for ever"))
                    break
                continue
            step = schedule.steps[name][at[name]]
            at[name] += 1
            sessions[name].statements.put(step)
            answer = sessions[name].answer(WAITS_SECONDS if guide is None or expected_to_wait() else PATIENCE_SECONDS)
            transcript.append((name, step, answer))
            if answer is None:
                waiting[name] = step
            else:
                collect(patience())
    finally:
        for session in sessions.values():
            session.close()
    return transcript


def show(transcript: list) -> str:
    return "\n".join(f"      {name}  {step}  ->  {answer or 'waits'}" for name, step, answer in transcript)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", help="the coppice binary")
    parser.add_argument("--self", action="store_true", help="PostgreSQL against itself")
    parser.add_argument("--only", default="")
    parser.add_argument("--orders", type=int, default=0, help="at most so many orders of each schedule; 0: all")
    parser.add_argument("--list", action="store_true", help="print what PostgreSQL does")
    args = parser.parse_args()
    if bool(args.server) == args.self:
        parser.error("one of --server and --self")
    schedules = read_schedules(HERE / "schedules.txt")
    if args.only:
        schedules = [s for s in schedules if s.name in args.only.split(",")]
    settings = ["deadlock_timeout=50ms"]
    subject = servers.Postgres(settings=settings) if args.self else servers.Coppice(args.server, ["--memory", "256MiB"])
    total, different = 0, 0
    with servers.Postgres(settings=settings) as postgres, subject:
        subject.start()
        if not args.self:
            subject.need_sql()
        postgres.start()
        for server in (postgres, subject):
            with server.connect() as session:
                session.run("CREATE TABLE t (id int4 PRIMARY KEY, v int4, k text UNIQUE)")
        for schedule in schedules:
            wrong, known = 0, 0
            orders = schedule.orders(args.orders)
            for order in orders:
                expected = play(postgres, schedule, order)
                got = play(subject, schedule, order, expected)
                total += 1
                if args.list:
                    print(f"--- {schedule.name}, order {' '.join(order)}\n{show(expected)}")
                if got == expected:
                    continue
                if schedule.why:
                    known += 1
                    continue
                wrong += 1
                if wrong <= 3:
                    print(f"--- {schedule.name}, order {' '.join(order)}\n    PostgreSQL:\n{show(expected)}\n    Coppice:\n{show(got)}", flush=True)
                if not subject.alive():
                    print("the server is dead; its last words:\n" + subject.log_tail())
                    raise SystemExit(1)
            note = f", {known} differ as is known: {schedule.why}" if known else ""
            print(f"  {schedule.name}: {len(orders) - wrong - known} of {len(orders)} orders agree{note}", flush=True)
            different += wrong
    print(f"isolation: {total} orders, {different} differ")
    raise SystemExit(1 if different else 0)


if __name__ == "__main__":
    main()
