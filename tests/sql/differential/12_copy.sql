-- COPY text, in and out.
CREATE TABLE t12 (a int4 PRIMARY KEY, b text, c numeric(6, 2) DEFAULT 1.5, d date);
--! copy
1	one	2.50	2024-01-15
2	two	\N	\N
3		0	2024-02-29
\.
COPY t12 FROM STDIN;
SELECT * FROM t12 ORDER BY a;
--! copy
4	tab\there	1	\N
5	back\\slash	1	\N
6	new\nline	1	\N
7	\x41\102	1	\N
8	\N	1	\N
9	\\N	1	\N
\.
COPY t12 FROM STDIN;
SELECT a, b, length(b) FROM t12 WHERE a >= 4 ORDER BY a;
--! copy
10	ten
11	eleven
\.
COPY t12 (a, b) FROM STDIN;
SELECT * FROM t12 WHERE a >= 10 ORDER BY a;
--! copy
b12	12
\.
COPY t12 (b, a) FROM STDIN;
SELECT * FROM t12 WHERE a = 12;
--! copy
20	too	many	2024-01-01	columns
\.
COPY t12 FROM STDIN;
--! copy
20	few
\.
COPY t12 FROM STDIN;
--! copy
x	one	1	\N
\.
COPY t12 FROM STDIN;
--! copy
30	first	1	\N
31	bad date	1	2024-02-30
\.
COPY t12 FROM STDIN;
SELECT count(*) FROM t12 WHERE a >= 30;
--! copy
40	x	1	\N
40	y	1	\N
\.
COPY t12 FROM STDIN;
SELECT count(*) FROM t12 WHERE a = 40;
--! copy
\N	x	1	\N
\.
COPY t12 FROM STDIN;
--! copy
50	x	99999	\N
\.
COPY t12 FROM STDIN;
--! copy

\.
COPY t12 FROM STDIN;
--! copy
\.
COPY t12 FROM STDIN;
COPY t12 FROM STDIN;
SELECT count(*) FROM t12;
--! copy
60|sixty|1|
61|sixty-one|NULL|
\.
COPY t12 FROM STDIN (DELIMITER '|', NULL '');
--! copy
60|sixty|1|
61|sixty\|one||
\.
COPY t12 FROM STDIN WITH (FORMAT text, DELIMITER '|', NULL '');
SELECT * FROM t12 WHERE a >= 60 ORDER BY a;
--! copy
a,b
70,seventy
\.
COPY t12 (a, b) FROM STDIN (DELIMITER ',', HEADER);
SELECT * FROM t12 WHERE a = 70;
COPY nosuch FROM STDIN;
COPY t12 (nosuch) FROM STDIN;
COPY t12 (a, a) FROM STDIN;
COPY t12 FROM STDIN (DELIMITER 'ab');
COPY t12 FROM STDIN (NOSUCH true);
COPY t12 FROM STDIN (FORMAT nosuch);
COPY t12 TO STDOUT;
COPY t12 (b, a) TO STDOUT;
COPY (SELECT a, b FROM t12 WHERE a < 5 ORDER BY a) TO STDOUT;
COPY (SELECT a, b FROM t12 WHERE a < 3 ORDER BY a DESC) TO STDOUT (DELIMITER '|', NULL 'null');
COPY (SELECT a AS first, b FROM t12 WHERE a < 3 ORDER BY a) TO STDOUT (HEADER true);
COPY (SELECT 1, 'a' || E'\t' || 'b', E'line\nbreak', E'back\\slash', NULL, true, 1.50, '\x00ff'::bytea, date '2024-01-15') TO STDOUT;
COPY (SELECT nosuch FROM t12) TO STDOUT;
COPY (SELECT 1 / 0) TO STDOUT;
COPY nosuch TO STDOUT;
COPY t12 TO STDOUT (DELIMITER E'\n');
BEGIN;
--! copy
80	in a block	1	\N
\.
COPY t12 FROM STDIN;
SELECT count(*) FROM t12 WHERE a = 80;
ROLLBACK;
SELECT count(*) FROM t12 WHERE a = 80;
DROP TABLE t12;
