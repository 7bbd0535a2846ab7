-- The tables of plan_test.cpp, for PostgreSQL.
CREATE TABLE t (id int NOT NULL PRIMARY KEY, k int DEFAULT '0', c char(120), pad text);
CREATE TABLE u (id bigint NOT NULL PRIMARY KEY, tid int, name varchar(10), v float8, b boolean);
CREATE TABLE orders (id bigint NOT NULL PRIMARY KEY, customer_id bigint, sku bigint, day int, amount bigint, note text);
