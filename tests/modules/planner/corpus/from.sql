SELECT * FROM a, b, c
SELECT * FROM a x, b AS y (c, d)
SELECT * FROM ONLY a
SELECT * FROM a *
SELECT * FROM db.s.t
SELECT * FROM a JOIN b ON a.id = b.id
SELECT * FROM a INNER JOIN b USING (id, k)
SELECT * FROM a JOIN b USING (id) AS j
SELECT * FROM a LEFT JOIN b ON a.id = b.id LEFT OUTER JOIN c ON c.id = b.id
SELECT * FROM a RIGHT JOIN b ON true
SELECT * FROM a FULL JOIN b ON a.id = b.id
SELECT * FROM a CROSS JOIN b
SELECT * FROM a NATURAL JOIN b
SELECT * FROM a NATURAL LEFT JOIN b
SELECT * FROM (a JOIN b ON true) AS ab
SELECT * FROM (a JOIN b ON true) JOIN c ON true
SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x
SELECT * FROM (SELECT 1) AS x
SELECT * FROM (SELECT 1, 2) x (a, b)
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (i, s)
SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.id = a.id) AS l
SELECT * FROM a LEFT JOIN LATERAL (SELECT 1) l ON true
SELECT * FROM generate_series(1, 10)
SELECT * FROM generate_series(1, 10, 2) AS g (i)
SELECT i FROM generate_series(1, 3) WITH ORDINALITY AS g (i, n)
SELECT * FROM pg_catalog.pg_get_keywords() AS k
SELECT * FROM json_to_record('{}') AS x (a int, b text COLLATE "C")
SELECT * FROM f() AS (a int, b text)
SELECT * FROM ROWS FROM (f(1), g(2) AS (a int, b text)) WITH ORDINALITY AS r
SELECT * FROM a, LATERAL f(a.x) AS g
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS u (n, s)
SELECT * FROM current_date
SELECT * FROM t TABLESAMPLE bernoulli (10)
SELECT * FROM t AS x TABLESAMPLE system (1.5) REPEATABLE (42)
