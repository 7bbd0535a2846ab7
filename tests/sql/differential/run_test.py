#!/usr/bin/env python3
"""run_test.py: the runner sees every kind of difference it is there for, and reads its files as README says."""
import importlib.util
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("run", HERE / "run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)
from wire import Result  # noqa: E402  run.py put the folder on the path


def answer(ordered=False, status="I", **fields) -> dict:
    result = Result(columns=[("a", 23)], rows=[(b"1",), (b"2",)], tag="SELECT 2")
    for name, value in fields.items():
        setattr(result, name, value)
    return {"status": status, "results": [run.readable(result, ordered, False)]}


class Differences(unittest.TestCase):
    def test_each_part_of_an_answer_counts(self):
        same = answer()
        self.assertEqual(same, answer())
        error = {"S": "ERROR", "C": "22012", "M": "division by zero"}
        for other in (answer(rows=[(b"1",)]), answer(rows=[(b"1",), (b"3",)]), answer(rows=[(b"1",), (None,)]), answer(tag="SELECT 3"),
                      answer(columns=[("b", 23)]), answer(columns=[("a", 20)]), answer(columns=None), answer(status="T"),
                      answer(error=error), answer(notices=[{"S": "NOTICE", "C": "00000", "M": "x"}]), answer(copy_out=[b"1\n"]),
                      {"lost": "closed by the server"}):
            self.assertNotEqual(same, other)

    def test_order_counts_where_the_statement_orders(self):
        turned = [(b"2",), (b"1",)]
        self.assertEqual(answer(), answer(rows=turned))
        self.assertNotEqual(answer(ordered=True), answer(ordered=True, rows=turned))

    def test_message_and_state_count_but_details_only_when_strict(self):
        error = {"S": "ERROR", "C": "23505", "M": "duplicate", "D": "Key (a)=(1) already exists."}
        for key, value in (("C", "23502"), ("M", "other"), ("S", "FATAL")):
            self.assertNotEqual(run.without_details(answer(error=error)), run.without_details(answer(error={**error, key: value})))
        other = answer(error={**error, "D": "else"})
        self.assertNotEqual(answer(error=error), other)
        self.assertEqual(run.without_details(answer(error=error)), run.without_details(other))

    def test_outermost_order(self):
        self.assertTrue(run.is_ordered("SELECT 1 ORDER BY 1;"))
        self.assertTrue(run.is_ordered("SELECT ')' FROM t\norder  by a"))
        self.assertFalse(run.is_ordered("SELECT * FROM (SELECT 1 ORDER BY 1) AS s"))
        self.assertFalse(run.is_ordered("SELECT ' ORDER BY '"))

    def test_a_refusal_has_its_state_and_leaves_no_block_open(self):
        refused = answer(error={"S": "ERROR", "C": "0A000", "M": "CREATE VIEW is not supported"}, columns=None, rows=[])
        self.assertTrue(run.is_refusal(refused))
        self.assertFalse(run.is_refusal(dict(refused, status="T")))
        self.assertFalse(run.is_refusal(answer()))
        self.assertFalse(run.is_refusal(answer(error={"S": "ERROR", "C": "42601", "M": "syntax error"})))


class Files(unittest.TestCase):
    def read(self, text: str) -> list:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.sql"
            path.write_text(text)
            return run.read_statements(path)

    def test_statements_and_hints(self):
        statements = self.read("-- a comment\nSELECT 1;\nSELECT\n  2;\n\\d t\n--! bind 1, \\N, 'x y'\n--! binary\nSELECT 3;\n"
                               "--! session b\nSELECT 4;\n--! copy\n1\t2\n;\n\\.\nCOPY t FROM STDIN;\nSELECT 5;\n--! refused\nX;\n")
        self.assertEqual([s.text for s in statements],
                         ["SELECT 1;", "SELECT\n  2;", "\\d t", "SELECT 3;", "SELECT 4;", "COPY t FROM STDIN;", "SELECT 5;", "X;"])
        self.assertEqual(statements[1].where, "x.sql:3")
        self.assertEqual(statements[3].values, ["1", None, "x y"])
        self.assertTrue(statements[3].binary)
        self.assertEqual(statements[4].session, "b")
        self.assertEqual(statements[5].copy_data, "1\t2\n;\n")
        self.assertIsNone(statements[6].copy_data)
        self.assertTrue(statements[7].refused)

    def test_every_committed_file_reads(self):
        names = sorted(HERE.glob("*.sql"))
        self.assertGreater(sum(len(run.read_statements(name)) for name in names), 1000)


if __name__ == "__main__":
    unittest.main()
