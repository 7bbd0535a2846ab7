-- The extended protocol: parameters, inference of their types, binary results.
--! bind 5
SELECT $1::int4;
--! bind 5, 6
SELECT $1::int4 + $2::int4;
--! bind 5
SELECT $1 + 1;
--! bind abc
SELECT $1;
--! bind abc, def
SELECT $1 || $2;
--! bind x
SELECT $1::int4;
--! bind 5, x
SELECT $1::int4, $2;
--! bind \N
SELECT $1::int4 IS NULL;
--! bind 1
SELECT $2::int4;
--! bind
SELECT $1::int4;
--! bind 1, 2
SELECT $1::int4;
--! bind 3, 1, 5
SELECT $1::int8 BETWEEN $2 AND $3;
--! bind 2024-01-15, 1
SELECT $1::date + $2::int4;
--! bind 1.50
SELECT $1::numeric * 2;
--! bind t
SELECT NOT $1;
--! bind a%
SELECT 'abc' LIKE $1;
CREATE TABLE t13 (id int8 PRIMARY KEY, n int4, t text, v varchar(5), d date, x float8, m numeric(8, 2), b bool, y bytea, ts timestamp);
--! bind 1, 10, one, abc, 2024-01-15, 1.5, 2.25, t, \\x0102, 2024-01-15 12:00:00
INSERT INTO t13 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
--! bind 2, \N, two
INSERT INTO t13 (id, n, t) VALUES ($1, $2, $3) RETURNING id, n, t;
--! bind 2, 1
INSERT INTO t13 (id, n) VALUES ($1, $2);
--! bind 3, x
INSERT INTO t13 (id, n) VALUES ($1, $2);
--! bind 3, toolong
INSERT INTO t13 (id, v) VALUES ($1, $2);
--! bind 1
SELECT id, n, t FROM t13 WHERE id = $1;
--! bind 1, 2, 3
SELECT id FROM t13 WHERE id IN ($1, $2, $3) ORDER BY id;
--! bind 10
SELECT id FROM t13 WHERE n = $1;
--! bind one
SELECT id FROM t13 WHERE t = $1;
--! bind 2024-01-15
SELECT id FROM t13 WHERE d = $1;
--! bind 2.25
SELECT id FROM t13 WHERE m = $1;
--! bind 1.5
SELECT id FROM t13 WHERE x = $1;
--! bind 1
SELECT id FROM t13 ORDER BY id LIMIT $1;
--! bind 1
SELECT id FROM t13 ORDER BY id OFFSET $1;
--! bind 5, 1
UPDATE t13 SET n = n + $1 WHERE id = $2;
--! bind 5, 1
UPDATE t13 SET n = $1 WHERE id = $2 RETURNING n;
--! bind 77
DELETE FROM t13 WHERE id = $1;
--! binary
SELECT * FROM t13 ORDER BY id;
--! binary
SELECT 1::int2, 2::int4, 3::int8, true, 1.5::float8, 'text', 'v'::varchar, 'c'::char(3), NULL;
--! binary
SELECT 1.5, 0.00, -123456.789, 10000::numeric, 'NaN'::numeric, 1e10::numeric, 0.0001;
--! binary
SELECT '2024-01-15'::date, '2024-01-15 12:34:56.789'::timestamp, '2024-01-15 12:00+00'::timestamptz, '\x0102'::bytea, 'infinity'::date;
--! binary
SELECT interval '1 year 2 days 3 hours', '12:34:56'::time;
--! binary
SELECT count(*), sum(n), avg(n), sum(x), min(m) FROM t13;
--! binary
--! bind 1
SELECT id, t FROM t13 WHERE id = $1;
--! bind
SELECT 1;
--! bind
;
--! bind
SELECT 1; SELECT 2;
--! bind
BEGIN;
--! bind
INSERT INTO t13 (id) VALUES (100);
--! bind
SELECT 1 / 0;
--! bind
SELECT 1;
--! bind
ROLLBACK;
--! bind
SELECT count(*) FROM t13 WHERE id = 100;
--! bind
SHOW client_encoding;
--! bind
SET application_name = 'extended';
--! bind 1
SET statement_timeout = $1;
--! bind
SELECT nosuch FROM t13;
--! bind
CREATE TABLE t13_more (a int4);
--! bind
DROP TABLE t13_more;
--! bind 1
CREATE TABLE t13_bad (a int4 DEFAULT $1);
--! bind
COPY t13 (id, n, t) TO STDOUT;
--! bind 3
SELECT CASE WHEN $1 > 2 THEN 'big' ELSE 'small' END;
--! bind 3
SELECT coalesce(NULL, $1, 5);
--! bind 2
SELECT id FROM t13 GROUP BY id HAVING id < $1 ORDER BY id;
--! bind 1
SELECT abs($1);
--! bind a
SELECT upper($1), length($1);
DROP TABLE t13;
