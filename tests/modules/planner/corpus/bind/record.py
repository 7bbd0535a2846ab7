#!/usr/bin/env python3
"""Records PostgreSQL's answers to errors.sql in errors.golden: record.py 'host=/tmp port=5433 user=postgres dbname=d'.

A statement that is no error there gets "ok". Needs python3-psycopg2 and a server of PostgreSQL 15, UTF8, collation C.
"""
import pathlib
import sys

import psycopg2

here = pathlib.Path(__file__).parent
connection = psycopg2.connect(sys.argv[1])
connection.autocommit = True
cursor = connection.cursor()
cursor.execute("DROP TABLE IF EXISTS t, u, orders")
cursor.execute((here / "tables.sql").read_text())
lines = []
for statement in (here / "errors.sql").read_text().splitlines():
    lines.append("> " + statement)
    try:
        # Parsed and analysed, not run: what fails only when it runs is not the binder's.
        cursor.execute("PREPARE p AS " + statement)
        cursor.execute("DEALLOCATE p")
        lines.append("ok")
    except psycopg2.Error as error:
        diagnostics = error.diag
        text = diagnostics.sqlstate + " " + diagnostics.message_primary
        if diagnostics.statement_position:
            text += " @" + str(int(diagnostics.statement_position) - len("PREPARE p AS "))
        lines.append(text)
        if diagnostics.message_detail:
            lines.append("detail: " + diagnostics.message_detail)
        if diagnostics.message_hint:
            lines.append("hint: " + diagnostics.message_hint)
(here / "errors.golden").write_text("\n".join(lines) + "\n")
