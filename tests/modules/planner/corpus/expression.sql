SELECT 0, 1, 2147483647, 2147483648, 9223372036854775807, 9223372036854775808
SELECT -1, -2147483648, -9223372036854775808, - 5, -(5), -(-5)
SELECT 1.5, .5, 5., 1e10, 1.5E-3, -0.0, 123456789012345678901234567890
SELECT 'a', 'it''s', '', 'ünïcode', E'a\tb\x41\u00e9', $$dollar 'quoted'$$, $tag$x$tag$
SELECT U&'d\0061t\+000061', U&'d!0061' UESCAPE '!', N'national', B'0101', X'1F'
SELECT 'a' 'b'
SELECT 'continued' -- comment
SELECT /* block /* nested */ comment */ 1
SELECT a + b * c - d / e % f ^ g
SELECT (a + b) * c
SELECT - a, + a, ~ a, !! a, @ a, |/ a
SELECT a || b, a & b, a | b, a # b, a << b, a >> b
SELECT a < b, a <= b, a = b, a >= b, a > b, a <> b, a != b
SELECT a OPERATOR(pg_catalog.+) b, OPERATOR(s.@@) a
SELECT a @> b, a <@ b, a && b, a -> b, a ->> b, a #> b, a #>> b, a ? b, a ?| b, a ?& b, a @? b
SELECT a ~ 'x', a !~ 'x', a ~* 'x', a !~* 'x'
SELECT a AND b, a OR b, NOT a, a AND b AND c AND d, a OR b OR c
SELECT a AND (b AND c), (a OR b) OR (c OR d), NOT NOT a
SELECT a IS NULL, a IS NOT NULL, a ISNULL, a NOTNULL
SELECT a IS TRUE, a IS NOT TRUE, a IS FALSE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN
SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b
SELECT a IN (1, 2, 3), a NOT IN (1), (a, b) IN ((1, 2), (3, 4))
SELECT a IN (SELECT b FROM t), a NOT IN (SELECT b FROM t)
SELECT a BETWEEN 1 AND 2, a NOT BETWEEN 1 AND 2, a BETWEEN SYMMETRIC 2 AND 1, a NOT BETWEEN SYMMETRIC 2 AND 1
SELECT a LIKE 'x%', a NOT LIKE 'x%', a LIKE 'x!%' ESCAPE '!', a ILIKE 'x', a NOT ILIKE 'x' ESCAPE ''
SELECT a SIMILAR TO 'x', a NOT SIMILAR TO 'x', a SIMILAR TO 'x' ESCAPE '#'
SELECT a ~~ 'x', a !~~* 'y'
SELECT CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END, CASE a WHEN 1 THEN 'one' END
SELECT COALESCE(a, b, 0), NULLIF(a, b), GREATEST(a, b), LEAST(a, b, c)
SELECT a::int, CAST(a AS bigint), a::numeric(10, 2), a::varchar(5), a::char, a::char(3), a::text[], a::int[3][4]
SELECT a::double precision, a::real, a::float(10), a::float, a::decimal, a::boolean, a::smallint
SELECT a::timestamp, a::timestamptz(3), a::timestamp with time zone, a::time(2), a::time with time zone, a::date
SELECT a::interval, a::interval day to second(3), a::interval(2), a::bit, a::bit varying(4), a::"char", a::s.mytype
SELECT a::SETOF_type, a::pg_catalog.int4, a::bytea, a::regclass, a::name, a::character varying
SELECT date '2020-01-01', timestamp '2020-01-01 00:00', interval '1' day, interval(3) '1 day', interval '1-2' year to month
SELECT float8 '1.5', s.mytype 'x', bool 't', point '(1,2)', numeric(3) '5'
SELECT a COLLATE "C", a COLLATE pg_catalog."default"
SELECT f(), f(a), f(a, b), s.f(a), f(a => 1, b := 2), f(VARIADIC a), f(a, VARIADIC b)
SELECT count(*), count(a), sum(DISTINCT a), array_agg(a ORDER BY b), array_agg(ALL a)
SELECT EXTRACT(year FROM a), EXTRACT('epoch' FROM a), POSITION('a' IN b), OVERLAY(a PLACING b FROM 1 FOR 2)
SELECT SUBSTRING(a FROM 1 FOR 2), SUBSTRING(a FROM 2), SUBSTRING(a FOR 2), SUBSTRING(a SIMILAR 'x' ESCAPE '#'), substring(a, 1, 2)
SELECT TRIM(a), TRIM(BOTH 'x' FROM a), TRIM(LEADING FROM a), TRIM(TRAILING 'x' FROM a), NORMALIZE(a), NORMALIZE(a, NFD)
SELECT a AT TIME ZONE 'UTC', a IS NORMALIZED, a IS NOT NFC NORMALIZED, COLLATION FOR (a), TREAT(a AS b)
SELECT (a, b) OVERLAPS (c, d)
SELECT CURRENT_DATE, CURRENT_TIME, CURRENT_TIME(3), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(2), LOCALTIME, LOCALTIME(1), LOCALTIMESTAMP, LOCALTIMESTAMP(0)
SELECT CURRENT_ROLE, CURRENT_USER, USER, SESSION_USER, CURRENT_CATALOG, CURRENT_SCHEMA
SELECT now(), current_database(), pg_catalog.version()
SELECT (SELECT 1), EXISTS (SELECT 1), ARRAY(SELECT a FROM t)
SELECT a = ANY (SELECT b FROM t), a <> ALL (SELECT b FROM t), a < SOME (SELECT 1), a LIKE ANY (SELECT 'x')
SELECT a = ANY (ARRAY[1, 2]), a <> ALL ('{1,2}'), a = ANY ($1), a NOT ILIKE ALL (b)
SELECT a OPERATOR(pg_catalog.=) ANY (b)
SELECT ARRAY[1, 2], ARRAY[[1, 2], [3, 4]], ARRAY[]::int[], ARRAY['a']
SELECT a[1], a[1][2], a[1:2], a[:2], a[1:], a[:], (f(x)).b, (a).b.c, (a).*, (a)[1].b
SELECT ROW(1, 2), ROW(), (1, 2), ROW(a.*), (1, 2) = (3, 4), (a, b) < (c, d)
SELECT $1, $2::int, $1 + $2, $1[1]
SELECT a.b[1].c[2]
SELECT "Quoted Name", "a""b", u&"d\0061t", MixedCase, _x, x$1, naïve
SELECT a IS DOCUMENT
SELECT xmlelement(name x)
SELECT xmlserialize(content a AS text)
SELECT nullif(a, 1) IS NULL AND b::int[] @> ARRAY[1]
SELECT 1 AS a, 2 AS "select", 3 AS order_
SELECT NOT a = b, - a ^ b, a + b IS NULL, a = b IS TRUE
SELECT int '1' + 2, 'x'::text || 1
