-- What psql's commands print.
CREATE TABLE t15_a (id int8 PRIMARY KEY, name varchar(20) NOT NULL, price numeric(8, 2) DEFAULT 0.5, made timestamptz, UNIQUE (name));
CREATE TABLE t15_b (a int4, b text DEFAULT 'none'::text, c char(3), d bytea, e float8, f bool DEFAULT true);
CREATE INDEX t15_b_ab ON t15_b (a, b);
CREATE INDEX t15_b_b ON t15_b (b DESC);
CREATE UNIQUE INDEX t15_b_u ON t15_b (c);
\d
\dt
\di
\d t15_a
\d t15_b
\d t15_a_pkey
\d t15_b_ab
\d nosuch
\dt t15*
\dt nosuch
\di t15_b*
\dn
DROP TABLE t15_a, t15_b;
\d
\dt
