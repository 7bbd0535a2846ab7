-- What this version does not have: refused by name (0A000, or 42883 and 42704 for functions and types), never half done.
--! refused
CREATE VIEW v90 AS SELECT 1;
--! refused
CREATE MATERIALIZED VIEW v90 AS SELECT 1;
--! refused
CREATE FUNCTION f90() RETURNS int LANGUAGE sql AS 'SELECT 1';
--! refused
CREATE PROCEDURE p90() LANGUAGE sql AS 'SELECT 1';
--! refused
DO $$ BEGIN END $$;
--! refused
CREATE TYPE y90 AS ENUM ('a');
--! refused
CREATE EXTENSION pgcrypto;
--! refused
CREATE TRIGGER g90 BEFORE INSERT ON t90 EXECUTE FUNCTION f90();
--! refused
CREATE RULE r90 AS ON INSERT TO t90 DO NOTHING;
--! refused
CREATE TABLE t90 (a int4 CHECK (a > 0));
--! refused
CREATE TABLE t90 (a int4 REFERENCES t90b (a));
--! refused
CREATE TABLE t90 (a int4, b int4 GENERATED ALWAYS AS (a * 2) STORED);
--! refused
CREATE TABLE t90 (a int4) PARTITION BY RANGE (a);
--! refused
CREATE TABLE t90 (a int4) INHERITS (t90b);
--! refused
CREATE TABLE t90 (a int4[]);
--! refused
CREATE TABLE t90 (a json);
--! refused
CREATE TABLE t90 (a point);
--! refused
CREATE TABLE t90 (a text COLLATE "en_US");
--! refused
CREATE UNLOGGED TABLE t90 (a int4);
--! refused
SELECT B'101';
--! refused
SELECT string_agg(x, ',' ORDER BY x) FROM (VALUES ('b'), ('a')) AS v (x);
--! refused
SELECT 'a' COLLATE "nosuch";
--! refused
COMMIT PREPARED 'x';
--! refused
CREATE TABLE t90 ();
--! refused
LISTEN channel;
--! refused
NOTIFY channel;
--! refused
DECLARE c90 CURSOR FOR SELECT 1;
--! refused
PREPARE TRANSACTION 'x';
--! refused
BEGIN ISOLATION LEVEL SERIALIZABLE;
--! refused
SELECT row_number() OVER () FROM generate_series(1, 3);
--! refused
SELECT xpath('/a', '<a/>');
--! refused
SELECT '{}'::json;
--! refused
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r;
--! refused
SELECT g, count(*) FROM generate_series(1, 2) AS g GROUP BY GROUPING SETS ((g), ());
--! refused
MERGE INTO t90 USING t90b ON t90.a = t90b.a WHEN MATCHED THEN DELETE;
--! refused
CREATE TABLESPACE s90 LOCATION '/tmp';
--! refused
CREATE PUBLICATION p90;
--! refused
CREATE FOREIGN DATA WRAPPER w90;
--! refused
CREATE DOMAIN d90 AS int4;
--! refused
CREATE OPERATOR @@@ (FUNCTION = f90, LEFTARG = int4);
--! refused
CREATE CAST (int4 AS text) WITHOUT FUNCTION;
--! refused
CREATE AGGREGATE a90 (int4) (SFUNC = f90, STYPE = int4);
--! refused
SECURITY LABEL ON TABLE t90 IS 'x';
