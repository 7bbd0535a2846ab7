-- numeric in tables: scales, keys, order, groups, changes, the binary form.
CREATE TABLE t17 (id int4 PRIMARY KEY, price numeric(10, 2), free numeric, small numeric(3, 5), CONSTRAINT t17_price UNIQUE (price));
INSERT INTO t17 VALUES (1, 1.005, 1.0, 0.001), (2, -1.005, 1.00, -0.00999), (3, 99999999.99, 1e20, 0), (4, 0, 1e-20, NULL), (5, NULL, 'NaN', 0.00001);
INSERT INTO t17 VALUES (6, 'NaN', 'Infinity', 'NaN'), (7, 12.3456, '-Infinity', 0.009994), (8, 10, 123456789012345678901234567890.123456789, 0.00001);
INSERT INTO t17 VALUES (9, 100000000, 0, 0);
INSERT INTO t17 VALUES (9, 0, 0, 0.01);
INSERT INTO t17 VALUES (9, 'Infinity', 0, 0);
INSERT INTO t17 VALUES (9, 'abc', 0, 0);
SELECT * FROM t17 ORDER BY id;
SELECT id, free FROM t17 ORDER BY free, id;
SELECT id, free FROM t17 ORDER BY free DESC, id DESC;
SELECT id, price FROM t17 ORDER BY price NULLS FIRST, id;
SELECT id FROM t17 WHERE free = 1 ORDER BY id;
SELECT id FROM t17 WHERE free = 1.000 ORDER BY id;
SELECT id FROM t17 WHERE free > 1 ORDER BY id;
SELECT id FROM t17 WHERE free >= 'NaN' ORDER BY id;
SELECT id FROM t17 WHERE free BETWEEN -1 AND 1 ORDER BY id;
SELECT id FROM t17 WHERE price IN (10, 12.35, 0.0) ORDER BY id;
SELECT id FROM t17 WHERE price < 1::float8 ORDER BY id;
SELECT id FROM t17 WHERE id = 3.0 ORDER BY id;
SELECT id FROM t17 WHERE id < 2.5 ORDER BY id;
SELECT count(*), sum(free = 1)::text FROM t17;
SELECT count(free), min(price), max(price) FROM t17 WHERE id <> 6;
SELECT sum(price), avg(price), count(price) FROM t17 WHERE id <> 6;
SELECT sum(free), avg(free), min(free), max(free) FROM t17;
SELECT sum(free), avg(free) FROM t17 WHERE id < 5;
SELECT variance(price), stddev(price), var_pop(price), stddev_pop(price) FROM t17 WHERE id IN (1, 2, 7, 8);
SELECT sum(id), avg(id), variance(id), stddev(id) FROM t17;
SELECT avg(id::int8), avg(id::int2), sum(id::int8) FROM t17;
SELECT avg(price::float8), stddev(price::float4) FROM t17 WHERE id IN (1, 7, 8);
SELECT small, count(*) FROM t17 GROUP BY small ORDER BY small;
SELECT count(DISTINCT free) FROM t17 WHERE id < 4;
SELECT id FROM t17 WHERE free = 1.0 ORDER BY id;
SELECT id FROM t17 WHERE free > 1e19 AND free < 'Infinity' ORDER BY id;
SELECT id, free FROM t17 WHERE free <= 1 ORDER BY free, id;
INSERT INTO t17 VALUES (10, 10.001, 1, 0);
INSERT INTO t17 VALUES (10, 10.01, 1, 0);
UPDATE t17 SET price = price * 2, free = free + 1 WHERE id IN (1, 7);
UPDATE t17 SET price = price * 1e6 WHERE id = 8;
UPDATE t17 SET price = price / 0 WHERE id = 8;
UPDATE t17 SET id = 11.4 WHERE id = 10;
SELECT * FROM t17 WHERE id IN (1, 7, 8, 11) ORDER BY id;
DELETE FROM t17 WHERE free = 1.000;
SELECT id FROM t17 ORDER BY id;
SELECT a.id, b.id FROM t17 a JOIN t17 b ON a.free = b.free ORDER BY 1, 2;
--! binary
SELECT id, price, free, small FROM t17 ORDER BY id;
--! bind 12.345
SELECT $1::numeric(5, 2), $1::numeric * 2;
--! bind 2.5
SELECT id FROM t17 WHERE id > $1::numeric ORDER BY id;
--! bind 1e5
SELECT $1 + 1.5;
--! copy
20	1.005	00123.4500	0.00999
21	\N	-inf	NaN
22	20.10	1e5	0
\.
COPY t17 FROM STDIN;
--! copy
23	1e9	0	0
\.
COPY t17 FROM STDIN;
SELECT * FROM t17 WHERE id >= 20 ORDER BY id;
COPY t17 (id, price, free) TO STDOUT;
CREATE TABLE t17_keys (n numeric PRIMARY KEY, t text);
INSERT INTO t17_keys VALUES (1.0, 'a'), (-1.50, 'b'), (1e20, 'c'), (1e-20, 'd'), ('NaN', 'e'), ('Infinity', 'f'), ('-Infinity', 'g'), (0.000, 'h'), (100, 'i'), (99.999, 'j');
INSERT INTO t17_keys VALUES (1.00, 'again');
INSERT INTO t17_keys VALUES ('NaN', 'again');
INSERT INTO t17_keys VALUES (0, 'again');
SELECT * FROM t17_keys WHERE n = 1;
SELECT * FROM t17_keys WHERE n = 1.0000;
SELECT * FROM t17_keys WHERE n > 1 ORDER BY n;
SELECT * FROM t17_keys WHERE n BETWEEN -2 AND 99.9990 ORDER BY n;
SELECT * FROM t17_keys WHERE n < 0 ORDER BY n DESC;
SELECT * FROM t17_keys WHERE n = 'NaN' OR n = 100::int8 ORDER BY n;
SELECT * FROM t17_keys ORDER BY n;
UPDATE t17_keys SET n = n + 1 WHERE n = 100.0;
UPDATE t17_keys SET n = 1 WHERE t = 'j';
UPDATE t17_keys SET n = 1.000 WHERE t = 'a';
SELECT * FROM t17_keys ORDER BY n;
CREATE TABLE t17_modifiers (a numeric(0, 0));
CREATE TABLE t17_modifiers (a numeric(1001));
CREATE TABLE t17_modifiers (a numeric(5, 1001));
CREATE TABLE t17_modifiers (a numeric(1, 2, 3));
CREATE TABLE t17_modifiers (a numeric(5, -2), b decimal(4), c dec(6, 3));
INSERT INTO t17_modifiers VALUES (12345, 9999.4, 1.23456), (1249999, -0.5, -999.9994);
INSERT INTO t17_modifiers VALUES (9999950, 0, 0);
INSERT INTO t17_modifiers VALUES (0, 9999.5, 0);
SELECT * FROM t17_modifiers ORDER BY a;
SELECT 10 ^ 2, 2 ^ 0.5, 2::numeric ^ 0.5, 2.5 ^ 3, @ -5.5, 7.5 % 2, -7.5 / 2, +1.50, - 1.50;
SELECT 0 ^ -1.0;
SELECT (-8) ^ 0.5, (-8.0) ^ 0.5;
SELECT round(2.5), round(-2.5), round(1234.5678, 2), round(1234.5678, -2), trunc(-1.99), trunc(12.999, 1), ceil(1.01), floor(-1.01), sign(-0.0);
SELECT exp(1.0), ln(10.0), log(1000.0), log(2.0, 64.0), sqrt(16.0), power(2.0, 0.5), power(10.0, -3);
SELECT ln(0.0);
SELECT ln(-1.0);
SELECT sqrt(-1.0);
SELECT log(1.0, 5.0);
SELECT gcd(12.5, 7.5), lcm(12.5, 7.5), gcd(12, 18), lcm(4::int8, 6), div(7.9, 2), mod(7.9, 2), scale(1.500), min_scale(1.500), trim_scale(1.500), factorial(20);
SELECT factorial(-1);
SELECT width_bucket(5.35, 0.024, 10.06, 5), width_bucket(-1.0, 0, 10, 4), width_bucket(3.0, 10.0, 0.0, 4);
SELECT 1e130000 * 1e1000;
SELECT 1.5::int2, 2.5::int8, (-2.5)::int4, 0.1::float4, 1e300::float8, 123.456::text, '1.50'::text::numeric, 1.5::varchar;
SELECT 1e40::float4;
SELECT 40000.5::int2;
SELECT 'NaN'::numeric::int4;
SELECT 0.1::float4::numeric, 0.1::float8::numeric, 1e20::float8::numeric, 123456789.123456789::float8::numeric, 'NaN'::float8::numeric;
SELECT 1.5 = 1.50, 1.5 < 2, 1.5 > 1::int8, 'NaN'::numeric = 'NaN', 'NaN'::numeric > 'Infinity'::numeric, 1.0 IS DISTINCT FROM 1.00;
SELECT greatest(1.5, 2, 1.75), least(1.5, 2), coalesce(NULL, 1.50), nullif(1.0, 1.00), CASE WHEN true THEN 1 ELSE 2.5 END;
SELECT * FROM generate_series(1, 5);
SELECT * FROM generate_series(10, 1, -4) AS s (x);
SELECT * FROM generate_series(1.0, 2, 0.25);
SELECT * FROM generate_series(1, 5, 0);
SELECT * FROM generate_series(1.0, 'NaN');
SELECT sum(x), avg(x), count(*) FROM generate_series(1, 5000) AS s (x);
SELECT sum(x::numeric), stddev(x::numeric) FROM generate_series(1, 5000) AS s (x);
DROP TABLE t17, t17_keys, t17_modifiers;
