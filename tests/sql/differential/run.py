#!/usr/bin/env python3
"""run.py: the same statements on PostgreSQL 15 and on Coppice, and every difference between the answers.

usage: tests/sql/differential/run.py --server BINARY [--strict] [FILE.sql ...]
       tests/sql/differential/run.py --self          PostgreSQL against itself: proves statements and runner, not Coppice

Compared: rows (in order where the statement orders them, else as a multiset), column names and types, command tags, SQLSTATE and
message of errors, severity and message of notices, the transaction status, COPY data. --strict also compares detail, hint and
position of errors. README.md describes the files. Exit 1 on a difference, or on an exception in exceptions.tsv that nothing needs.
"""
import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support" / "python"))
import servers  # noqa: E402
import wire  # noqa: E402

REFUSALS = ("0A000", "42883", "42704")  # feature not supported, no such function, no such object


class Statement:
    def __init__(self, where: str, text: str):
        self.where, self.text = where, text
        self.values = None  # parameters: extended protocol
        self.binary = False
        self.copy_data = None
        self.session = ""
        self.refused = False  # not PostgreSQL's answer is wanted, but a refusal by name

    @property
    def is_psql(self) -> bool:
        return self.text.startswith("\\")


def unescape(word: str):
    word = word.strip()
    return None if word == "\\N" else word.strip("'") if word.startswith("'") else word


def read_statements(path: pathlib.Path) -> list:
    """Splits a file: a statement ends with a line that ends in a semicolon; `--!` lines say how the next one is sent."""
    statements, lines, begin, hints, copy_data = [], [], 0, [], None
    source = path.read_text().split("\n")
    number = 0
    while number < len(source):
        line = source[number]
        number += 1
        if not lines and line.startswith("--! copy"):
            copy_data = ""
            while source[number] != "\\.":
                copy_data += source[number] + "\n"
                number += 1
            number += 1
        elif not lines and line.startswith("--!"):
            hints.append(line[3:].strip())
        elif not lines and (not line.strip() or line.startswith("--")):
            continue
        else:
            begin = begin if lines else number
            lines.append(line)
            if not (line.rstrip().endswith(";") or line.startswith("\\")):
                continue
            statement = Statement(f"{path.name}:{begin}", "\n".join(lines).strip())
            for hint in hints:
                word, _, rest = hint.partition(" ")
                if word == "bind":
                    statement.values = [unescape(v) for v in rest.split(",")] if rest else []
                elif word == "binary":
                    statement.binary = True
                    statement.values = statement.values or []
                elif word == "session":
                    statement.session = rest
                elif word == "refused":
                    statement.refused = True
                else:
                    raise SystemExit(f"{path.name}:{begin}: unknown hint {hint!r}")
            statement.copy_data = copy_data
            statements.append(statement)
            lines, hints, copy_data = [], [], None
    if lines:
        raise SystemExit(f"{path.name}:{begin}: a statement without an end")
    return statements


def is_ordered(text: str) -> bool:
    """Whether the outermost query has an ORDER BY: outside strings and parentheses."""
    text = re.sub(r"'(?:[^']|'')*'", "''", text)
    depth, outer = 0, []
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0:
            outer.append(character)
    return re.search(r"\border\s+by\b", "".join(outer), re.IGNORECASE) is not None


class Side:
    """One server, the sessions that a file opens on it, and its answers in a form that compares."""

    def __init__(self, server: servers.Server):
        self.server, self.sessions = server, {}

    def answer(self, statement: Statement) -> dict:
        if statement.is_psql:
            return {"psql": [line.rstrip() for line in self.server.psql(statement.text).splitlines()]}
        try:
            session = self.sessions.get(statement.session)
            if session is None:
                session = self.sessions[statement.session] = self.server.connect(timeout=20)
            if statement.values is None:
                results = session.query(statement.text, statement.copy_data)
            else:
                results = session.extended(statement.text.rstrip(";"), statement.values, binary=statement.binary,
                                           copy_data=statement.copy_data)
        except wire.SqlError as error:
            return {"cannot connect": error.fields.get("M")}
        except wire.Lost as error:
            self.sessions.pop(statement.session, None)
            return {"lost": str(error) + ("" if self.server.alive() else "; THE SERVER IS DEAD")}
        ordered = is_ordered(statement.text)
        return {"status": session.status, "results": [readable(r, ordered, statement.binary) for r in results]}

    def close(self):
        for session in self.sessions.values():
            session.close()
        self.sessions = {}


def readable(result: wire.Result, ordered: bool, binary: bool) -> dict:
    text = (lambda v: None if v is None else v.hex()) if binary else (lambda v: None if v is None else v.decode("utf8", "replace"))
    rows = [tuple(text(v) for v in row) for row in result.rows]
    if not ordered:
        rows.sort(key=lambda row: [(v is not None, v or "") for v in row])
    out = {"tag": result.tag, "columns": result.columns, "rows": rows}
    if result.copy_out is not None:
        out["copy"] = sorted(result.copy_out) if not ordered else result.copy_out
    if result.error:
        # Whether the columns were named before a statement failed without a row depends on when constants are folded.
        out["columns"] = out["columns"] if rows else None
        out["error"] = {k: result.error.get(k) for k in "SCMDHP"}
    if result.notices:
        out["notices"] = [{k: n.get(k) for k in "SCM"} for n in result.notices]
    return out


def is_refusal(answer: dict) -> bool:
    results = answer.get("results", [])
    return bool(results) and all(r.get("error", {}).get("C") in REFUSALS for r in results) and answer["status"] == "I"


def without_details(answer: dict) -> dict:
    """An answer without what only --strict compares."""
    if "results" not in answer:
        return answer
    results = [dict(r, error={k: r["error"][k] for k in "SCM"}) if "error" in r else r for r in answer["results"]]
    return dict(answer, results=results)


def show(answer: dict, limit: int = 12) -> str:
    if "results" not in answer:
        return "\n".join(f"{key}: " + ("\n    ".join(value) if isinstance(value, list) else str(value)) for key, value in answer.items())
    lines = []
    for result in answer["results"]:
        if result["columns"] is not None:
            lines.append("columns " + ", ".join(f"{name}:{oid}" for name, oid in result["columns"]))
        lines += ["  " + " | ".join("NULL" if v is None else v for v in row) for row in result["rows"][:limit]]
        if len(result["rows"]) > limit:
            lines.append(f"  ... {len(result['rows'])} rows")
        if "copy" in result:
            lines += [f"  copy {line!r}" for line in result["copy"][:limit]]
        lines += [f"{n['S']} {n['C']}: {n['M']}" for n in result.get("notices", [])]
        if "error" in result:
            error = result["error"]
            lines.append(f"{error['S']} {error['C']}: {error['M']}")
            lines += [f"  {word}: {error[k]}" for k, word in (("D", "detail"), ("H", "hint"), ("P", "position")) if error[k]]
        elif result["tag"] is not None:
            lines.append(f"tag {result['tag']!r}")
    return "\n".join(lines + [f"status {answer['status']}"])


def indent(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def read_exceptions(path: pathlib.Path) -> dict:
    """FILE <tab> statement <tab> reason; white space in statements counts as one blank."""
    exceptions = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            name, text, reason = line.split("\t")
            exceptions[(name, " ".join(text.split()))] = reason
    return exceptions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", help="the coppice binary")
    parser.add_argument("--self", action="store_true", help="PostgreSQL against itself")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--list", action="store_true", help="print PostgreSQL's answer to every statement")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    if bool(args.server) == args.self:
        parser.error("one of --server and --self")

    files = [f.resolve() for f in args.files] or sorted(HERE.glob("*.sql"))
    exceptions = read_exceptions(HERE / "exceptions.tsv")
    subject = servers.Postgres() if args.self else servers.Coppice(args.server, ["--memory", "512MiB"])
    with servers.Postgres() as postgres, subject:
        subject.start()
        if not args.self:
            subject.need_sql()
        postgres.start()
        compare = lambda answer: answer if args.strict else without_details(answer)
        total, differences, used, summary = 0, 0, set(), []
        for path in files:
            theirs, ours = Side(postgres), Side(subject)
            statements, different = read_statements(path), 0
            for statement in statements:
                if statement.refused and args.self:
                    continue
                if statement.refused:
                    got = ours.answer(statement)
                    if not is_refusal(got):
                        different += 1
                        print(f"--- {statement.where}\n{statement.text}\n  wanted: a refusal by name\n  Coppice:\n{indent(show(got))}")
                    continue
                expected, got = theirs.answer(statement), ours.answer(statement)
                if args.list:
                    print(f"{statement.where}: {statement.text}\n{indent(show(expected))}")
                if compare(expected) == compare(got):
                    continue
                key = (path.name, " ".join(statement.text.split()))
                if key in exceptions:
                    used.add(key)
                    continue
                different += 1
                print(f"--- {statement.where}\n{statement.text}\n  PostgreSQL:\n{indent(show(expected))}\n  Coppice:\n{indent(show(got))}",
                      flush=True)
                if not subject.alive():
                    print("the server is dead; its last words:\n" + indent(subject.log_tail()) + "\nstarting it again", flush=True)
                    ours.close()
                    subject.start()
            theirs.close()
            ours.close()
            total += len(statements)
            differences += different
            summary.append(f"  {path.name}: {len(statements) - different} of {len(statements)} agree")
        print("\n".join(summary))
        unused = [] if args.self else [key for key in exceptions if key not in used and key[0] in {f.name for f in files}]
        for name, text in unused:
            print(f"exceptions.tsv: nothing needs {name}: {text}")
        print(f"differential: {total} statements, {differences} differ, {len(used)} known exceptions")
    raise SystemExit(1 if differences or unused else 0)


if __name__ == "__main__":
    main()
