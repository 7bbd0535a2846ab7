// utility_test.cpp — statements that are no queries: what the session is told, and PostgreSQL's
// errors.
#include <doctest/doctest.h>

#include "modules/planner/bind/source_text.h"
#include "tests/modules/planner/bind/bind_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

std::string flag(std::string_view name, bool set) {
  return set ? " " + std::string(name) : std::string();
}
std::string name_text(const QualifiedName& name) {
  return name.schema.empty() ? name.name : name.schema + "." + name.name;
}
std::string names_text(const std::vector<QualifiedName>& names) {
  std::string text;
  for (const QualifiedName& name : names) text += " " + name_text(name);
  return text;
}
std::string optional_text(const std::optional<std::string>& text) {
  return text ? "'" + *text + "'" : "default";
}
std::string index_text(const NewIndex& index) {
  std::string text = index.primary ? "pkey" : index.constraint ? "key" : "index";
  text += " " + index.name + "(";
  for (const auto& [column, order] : index.columns)
    text += column + flag("desc", order.descending) + flag("nulls first", order.nulls_first) + ",";
  return text + ")" + flag("unique", index.unique) +
         flag("nulls not distinct", index.nulls_not_distinct);
}

struct Teller {
  std::string operator()(const std::shared_ptr<const QueryPlan>&) const { return "query"; }
  std::string operator()(const BeginStatement& s) const {
    std::string text = s.start ? "start" : "begin";
    if (s.isolation) text += " isolation " + std::to_string(static_cast<int>(*s.isolation));
    if (s.read_only) text += *s.read_only ? " read only" : " read write";
    return text;
  }
  std::string operator()(const CommitStatement& s) const {
    return "commit" + flag("chain", s.chain);
  }
  std::string operator()(const RollbackStatement& s) const {
    return "rollback" + flag("chain", s.chain);
  }
  std::string operator()(const SavepointStatement& s) const {
    return "savepoint " + std::to_string(static_cast<int>(s.kind)) + " " + s.name;
  }
  std::string operator()(const SetStatement& s) const {
    std::string text = s.all ? "reset all" : "set " + s.name + " = " + optional_text(s.value);
    for (const auto& [name, value] : s.also) text += ", " + name + " = '" + value + "'";
    return text + flag("local", s.scope == SetStatement::Scope::kLocal);
  }
  std::string operator()(const ShowStatement& s) const { return "show " + s.name; }
  std::string operator()(const CreateTableStatement& s) const {
    std::string text = "table " + name_text(s.table) + flag("if not exists", s.if_not_exists);
    for (const NewColumn& column : s.definition.columns) {
      text += "; " + column.name + " " + std::to_string(column.type) + "/" +
              std::to_string(column.modifier) + flag("not null", column.not_null);
      if (!column.default_sql.empty()) text += " default <" + column.default_sql + ">";
    }
    for (const NewIndex& index : s.definition.indexes) text += "; " + index_text(index);
    return text;
  }
  std::string operator()(const CreateIndexStatement& s) const {
    return "on " + name_text(s.table) + " " + index_text(s.definition) +
           flag("if not exists", s.if_not_exists) + flag("concurrently", s.concurrently);
  }
  std::string operator()(const DropStatement& s) const {
    return "drop " + std::to_string(static_cast<int>(s.kind)) + names_text(s.names) +
           flag("if exists", s.if_exists) + flag("cascade", s.cascade);
  }
  std::string operator()(const TruncateStatement& s) const {
    return "truncate" + names_text(s.tables);
  }
  std::string operator()(const CreateSchemaStatement& s) const {
    return "schema " + s.name + flag("if not exists", s.if_not_exists);
  }
  std::string operator()(const CreateDatabaseStatement& s) const {
    return "database " + s.name + " of " + s.owner;
  }
  std::string operator()(const DropDatabaseStatement& s) const {
    return "drop database " + s.name + flag("if exists", s.if_exists);
  }
  std::string operator()(const CopyStatement& s) const {
    std::string text = s.from ? "copy from " : "copy to ";
    text += s.query == nullptr ? name_text(s.table) : "query";
    for (const std::string& column : s.columns) text += " " + column;
    return text + " [" + s.delimiter + "] [" + s.null_text + "]" + flag("header", s.header);
  }
  std::string operator()(const ExplainStatement& s) const {
    return "explain" + flag("analyze", s.analyze) + flag("meter", s.meter) +
           flag("no costs", !s.costs) + flag("verbose", s.verbose) + flag("no timing", !s.timing) +
           " of " + std::visit(*this, s.statement->body);
  }
  std::string operator()(const PrepareStatement& s) const {
    std::string text = "prepare " + s.name + " (";
    for (const TypeOid type : s.parameter_types) text += std::to_string(type) + ",";
    return text + ") <" + s.text + ">";
  }
  std::string operator()(const ExecuteStatement& s) const {
    return "execute " + s.name + " " + std::to_string(s.arguments.size());
  }
  std::string operator()(const DeallocateStatement& s) const { return "deallocate " + s.name; }
  std::string operator()(const DiscardStatement& s) const { return "discard " + s.what; }
  std::string operator()(const LockTableStatement& s) const {
    return "lock" + names_text(s.tables) + " " + std::to_string(static_cast<int>(s.mode)) +
           flag("nowait", s.nowait);
  }
  std::string operator()(const MaintenanceStatement& s) const {
    std::string text = s.tag + names_text(s.tables);
    for (const std::string& notice : s.notices) text += " <" + notice + ">";
    return text;
  }
};

std::string said(std::string_view text) {
  BindWorld world;
  world.catalog->add_table("t", {{.name = "a"}, {.name = "b", .type = type_oid::kText}});
  const Result<Statement> statement = world.plan(text);
  return statement ? std::visit(Teller(), statement->body) : error_text(statement.error());
}

}  // namespace

TEST_CASE("transactions") {
  CHECK(said("BEGIN") == "begin");
  CHECK(said("START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY") ==
        "start isolation 1 read only");
  CHECK(said("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE DEFERRABLE") ==
        "begin isolation 2 read write");
  CHECK(said("BEGIN ISOLATION LEVEL READ UNCOMMITTED") == "begin isolation 0");
  CHECK(said("END") == "commit");
  CHECK(said("COMMIT AND CHAIN") == "commit chain");
  CHECK(said("ABORT") == "rollback");
  CHECK(said("SAVEPOINT A") == "savepoint 0 a");
  CHECK(said("RELEASE SAVEPOINT \"A\"") == "savepoint 1 A");
  CHECK(said("ROLLBACK TO a") == "savepoint 2 a");
  CHECK(said("PREPARE TRANSACTION 'x'") == "0A000 PREPARE TRANSACTION is not supported");
}

TEST_CASE("settings") {
  CHECK(said("SET Work_Mem = 64") == "set work_mem = '64'");
  CHECK(said("SET work_mem TO '64MB'") == "set work_mem = '64MB'");
  CHECK(said("SET LOCAL jit TO off") == "set jit = 'off' local");
  CHECK(said("SET jit = true") == "set jit = 'true'");
  CHECK(said("SET seed = -1.5") == "set seed = '-1.5'");
  CHECK(said("SET search_path TO \"Odd\", public, 'a b'") ==
        "set search_path = '\"Odd\", public, \"a b\"'");
  CHECK(said("SET DateStyle TO ISO, DMY") == "set datestyle = 'iso, dmy'");
  CHECK(said("SET TIME ZONE 'Europe/Berlin'") == "set timezone = 'Europe/Berlin'");
  CHECK(said("SET TIME ZONE LOCAL") == "set timezone = default");
  CHECK(said("SET x.y TO DEFAULT") == "set x.y = default");
  CHECK(said("RESET jit") == "set jit = default");
  CHECK(said("RESET ALL") == "reset all");
  CHECK(said("SHOW ALL") == "show all");
  CHECK(said("SHOW TIME ZONE") == "show timezone");
  CHECK(said("SHOW Server_Version") == "show server_version");
  CHECK(said("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY") ==
        "set transaction_isolation = 'repeatable read', transaction_read_only = 'on' local");
  CHECK(said("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE") ==
        "set default_transaction_read_only = 'off'");
  CHECK(said("SET TRANSACTION SNAPSHOT 'x'") == "0A000 SET TRANSACTION SNAPSHOT is not supported");
}

TEST_CASE("CREATE TABLE") {
  CHECK(said("CREATE TABLE s (a int)") == "table s; a 23/-1");
  CHECK(said("CREATE TABLE IF NOT EXISTS public.s (a varchar(5) NOT NULL, b text NULL)") ==
        "table public.s if not exists; a 1043/9 not null; b 25/-1");
  CHECK(said("CREATE TABLE s (a int PRIMARY KEY, b int UNIQUE)") ==
        "table s; a 23/-1 not null; b 23/-1; pkey (a,) unique; key (b,) unique");
  CHECK(said("CREATE TABLE s (a int, b int, CONSTRAINT u UNIQUE (b, a), CONSTRAINT p PRIMARY KEY "
             "(a, b))") ==
        "table s; a 23/-1 not null; b 23/-1 not null; pkey p(a,b,) unique; key u(b,a,) unique");
  CHECK(said("CREATE TABLE s (a int PRIMARY KEY UNIQUE, UNIQUE (a))") ==
        "table s; a 23/-1 not null; pkey (a,) unique");
  CHECK(said("CREATE TABLE s (a int NULL PRIMARY KEY)") ==
        "table s; a 23/-1 not null; pkey (a,) unique");
  CHECK(said("CREATE TABLE s (a int, UNIQUE NULLS NOT DISTINCT (a)) WITH (fillfactor = 70)") ==
        "table s; a 23/-1; key (a,) unique nulls not distinct");
}

TEST_CASE("CREATE TABLE: PostgreSQL's errors") {
  CHECK(said("create table t1 (a int not null null)") ==
        "42601 conflicting NULL/NOT NULL declarations for column \"a\" of table \"t1\" @33");
  CHECK(said("create table t3 (a int primary key, b int primary key)") ==
        "42P16 multiple primary keys for table \"t3\" are not allowed @43");
  CHECK(said("create table t5 (a int, unique(a,a))") ==
        "42701 column \"a\" appears twice in unique constraint @25");
  CHECK(said("create table t6 (a int, unique(x))") ==
        "42703 column \"x\" named in key does not exist @25");
  CHECK(said("create table t14 (a nosuch)") == "42704 type \"nosuch\" does not exist @21");
  CHECK(said("create table nosuch.t(a int)") == "3F000 schema \"nosuch\" does not exist @14");
  CHECK(said("create table t15(a int) with (foo=1)") == "22023 unrecognized parameter \"foo\"");
  CHECK(said("create table t16 (a int) tablespace foo") ==
        "42704 tablespace \"foo\" does not exist");
  CHECK(said("create table t17 (a int) on commit drop") ==
        "42P16 ON COMMIT can only be used on temporary tables");
  CHECK(said("create table s (a serial)") == "0A000 type serial is not supported @19");
  CHECK(said("create table s (a int generated always as identity)") ==
        "0A000 GENERATED AS IDENTITY is not supported @23");
  CHECK(said("create table s (a int generated always as (1) stored)") ==
        "0A000 a generated column is not supported @23");
  CHECK(said("create table s (a int check (a > 1))") ==
        "0A000 a CHECK constraint is not supported @23");
  CHECK(said("create table s (a int references t)") == "0A000 a foreign key is not supported @23");
  CHECK(said("create table s (a int) partition by range (a)").starts_with("0A000 PARTITION BY"));
  CHECK(said("create table s (like t)").starts_with("0A000 LIKE in CREATE TABLE"));
  CHECK(said("create temp table s (a int)").starts_with("0A000 CREATE TEMPORARY TABLE"));
  CHECK(said("create table s as select 1") == "0A000 CREATE TABLE AS is not supported");
}

TEST_CASE("a DEFAULT's text ends where the next part of the definition begins") {
  const auto text_of = [](std::string_view text) {
    const auto at = static_cast<planner::ast::Location>(text.find("default"));
    return std::string(planner::default_text(text, at));
  };
  CHECK(text_of("(a int default 1)") == "1");
  CHECK(text_of("(a int default 1 + 2 * (3), b int)") == "1 + 2 * (3)");
  CHECK(text_of("(a int default f(1, 'a,b)', \"x)\") not null)") == "f(1, 'a,b)', \"x)\")");
  CHECK(text_of("(a int default null unique)") == "null");
  CHECK(text_of("(a int default - 1 null)") == "- 1");
  CHECK(text_of("(a int default 'it''s' /* , */ primary key)") == "'it''s'");
  CHECK(text_of("(a int default E'\\'' constraint c check (a > 0))") == "E'\\''");
  CHECK(text_of("(a int default $q$), not null$q$, b int)") == "$q$), not null$q$");
  CHECK(text_of("(a bool default 1 is not null not null)") == "1 is not null");
  CHECK(text_of("(a bool default 1 is distinct from null references x)") ==
        "1 is distinct from null");
  CHECK(text_of("(a text default 'x'::varchar(3) collate \"C\")") == "'x'::varchar(3)");
  CHECK(text_of("(a int default 1e3 -- ,\n)") == "1e3");
}

TEST_CASE("CREATE INDEX") {
  CHECK(said("CREATE INDEX ON t (a)") == "on t index (a,)");
  CHECK(
      said(
          "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON public.t (a DESC, b NULLS FIRST)") ==
      "on public.t index i(a desc nulls first,b nulls first,) unique if not exists concurrently");
  CHECK(said("CREATE INDEX i ON t USING btree (a DESC NULLS LAST, b text_pattern_ops)") ==
        "on t index i(a desc,b,)");
  CHECK(said("CREATE INDEX i ON t USING hash (a)") ==
        "0A000 access method \"hash\" is not supported");
  CHECK(said("CREATE INDEX i ON t USING foo (a)") == "42704 access method \"foo\" does not exist");
  CHECK(said("CREATE INDEX i ON t (a nosuch_ops)") ==
        "42704 operator class \"nosuch_ops\" does not exist for access method \"btree\"");
  CHECK(said("CREATE INDEX i ON t ((a + 1))").starts_with("0A000 an index on an expression"));
  CHECK(said("CREATE INDEX i ON t (a) WHERE a > 1").starts_with("0A000 a partial index"));
  CHECK(said("CREATE INDEX i ON t (a) INCLUDE (b)") == "0A000 INCLUDE is not supported");
}

TEST_CASE("DROP and TRUNCATE") {
  CHECK(said("DROP TABLE IF EXISTS a, public.b CASCADE") == "drop 0 a public.b if exists cascade");
  CHECK(said("DROP INDEX CONCURRENTLY i") == "drop 1 i");
  CHECK(said("DROP SCHEMA s") == "drop 2 s");
  CHECK(said("DROP VIEW v") == "42P01 view \"v\" does not exist");
  CHECK(said("DROP VIEW IF EXISTS v, s.w") ==
        "DROP VIEW <view \"v\" does not exist, skipping> <view \"s.w\" does not exist, skipping>");
  CHECK(said("DROP VIEW t") ==
        "42809 \"t\" is not a view\nhint: Use DROP TABLE to remove a table.");
  CHECK(said("DROP TYPE IF EXISTS x") == "DROP TYPE <type \"x\" does not exist, skipping>");
  CHECK(said("DROP SEQUENCE s") == "42P01 sequence \"s\" does not exist");
  CHECK(said("DROP FUNCTION f()") == "0A000 DROP of this kind of object is not supported");
  CHECK(said("DROP TABLE a.b.c.d") ==
        "42601 improper relation name (too many dotted names): a.b.c.d");
  CHECK(said("DROP TABLE elsewhere.b.c") ==
        "0A000 cross-database references are not implemented: \"elsewhere.b.c\"");
  CHECK(said("TRUNCATE a, b RESTART IDENTITY CASCADE") == "truncate a b");
}

TEST_CASE("schemas and databases") {
  CHECK(said("CREATE SCHEMA IF NOT EXISTS s") == "schema s if not exists");
  CHECK(said("CREATE SCHEMA pg_x") ==
        "42939 unacceptable schema name \"pg_x\"\n"
        "detail: The prefix \"pg_\" is reserved for system schemas.");
  CHECK(said("CREATE SCHEMA s AUTHORIZATION nosuch") == "42704 role \"nosuch\" does not exist");
  CHECK(said("CREATE DATABASE d TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C'")
            .starts_with("database d of"));
  CHECK(said("create database x foo = 1") == "42601 option \"foo\" not recognized @19");
  CHECK(said("create database x owner nosuch") == "42704 role \"nosuch\" does not exist");
  CHECK(said("create database x template nosuch") ==
        "3D000 template database \"nosuch\" does not exist");
  CHECK(said("create database x encoding 'latin1'").starts_with("0A000 database encoding"));
  CHECK(said("create database x encoding 'utf8' encoding 'utf8'") ==
        "42601 conflicting or redundant options @35");
  CHECK(said("DROP DATABASE IF EXISTS d") == "drop database d if exists");
  CHECK(said("DROP DATABASE d WITH (FORCE)").starts_with("0A000 DROP DATABASE"));
}

TEST_CASE("COPY") {
  CHECK(said("COPY t FROM STDIN") == "copy from t [\t] [\\N]");
  CHECK(said("COPY public.t (b, a) TO STDOUT WITH (DELIMITER '|', NULL '', HEADER)") ==
        "copy to public.t b a [|] [] header");
  CHECK(said("COPY t FROM STDIN DELIMITER ';' NULL AS 'x'") == "copy from t [;] [x]");
  CHECK(said("COPY t FROM STDIN (FORMAT text, HEADER false, ENCODING 'utf8', FREEZE)") ==
        "copy from t [\t] [\\N]");
  CHECK(said("COPY nosuch FROM STDIN (foo)") == "42P01 relation \"nosuch\" does not exist");
  CHECK(said("COPY t TO STDOUT (foo)") == "42601 option \"foo\" not recognized @19");
  CHECK(said("COPY t TO STDOUT (format foo)") == "22023 COPY format \"foo\" not recognized @19");
  CHECK(said("COPY t TO STDOUT (format csv)") == "0A000 COPY format \"csv\" is not supported @19");
  CHECK(said("COPY t TO STDOUT (header 3)") ==
        "42601 header requires a Boolean value or \"match\"");
  CHECK(said("COPY t TO STDOUT (null 'a', null 'b')") ==
        "42601 conflicting or redundant options @29");
  CHECK(said("COPY t TO STDOUT DELIMITER 'ab'") ==
        "0A000 COPY delimiter must be a single one-byte character");
  CHECK(said("COPY t TO STDOUT DELIMITER 'a'") == "22023 COPY delimiter cannot be \"a\"");
  CHECK(said("COPY t TO STDOUT DELIMITER E'\\n'") ==
        "22023 COPY delimiter cannot be newline or carriage return");
  CHECK(said("COPY t TO STDOUT (delimiter '|', null 'a|b')") ==
        "0A000 COPY delimiter must not appear in the NULL specification");
  CHECK(said("COPY t TO STDOUT (quote '\"')") == "0A000 COPY quote available only in CSV mode");
  CHECK(said("COPY t (x) FROM STDIN") == "42703 column \"x\" of relation \"t\" does not exist");
  CHECK(said("COPY t (a, a) FROM STDIN") == "42701 column \"a\" specified more than once");
  CHECK(said("COPY t FROM '/etc/passwd'") == "0A000 COPY to or from a file is not supported");
  CHECK(said("COPY t FROM PROGRAM 'sh'") == "0A000 COPY to or from a program is not supported");
}

TEST_CASE("EXPLAIN, PREPARE and the rest") {
  CHECK(said("EXPLAIN (foo) SELECT 1") == "42601 unrecognized EXPLAIN option \"foo\" @10");
  CHECK(said("EXPLAIN (timing) SELECT 1") == "22023 EXPLAIN option TIMING requires ANALYZE");
  CHECK(said("EXPLAIN (analyze 7) SELECT 1") == "42601 analyze requires a Boolean value");
  CHECK(said("EXPLAIN (format foo) SELECT 1") ==
        "22023 unrecognized value for EXPLAIN option \"format\": \"foo\" @10");
  CHECK(said("EXPLAIN (ANALYZE, METER, COSTS off, VERBOSE, TIMING false, BUFFERS) EXECUTE p") ==
        "explain analyze meter no costs verbose no timing of execute p 0");
  CHECK(said("PREPARE p (int, text) AS SELECT $1 AS x, '(' || $2") ==
        "prepare p (23,25,) <SELECT $1 AS x, '(' || $2>");
  CHECK(said("PREPARE \"as\" AS SELECT 1") == "prepare as () <SELECT 1>");
  CHECK(said("DEALLOCATE p") == "deallocate p");
  CHECK(said("DEALLOCATE ALL") == "deallocate ");
  CHECK(said("DISCARD ALL") == "discard ALL");
  CHECK(said("DISCARD TEMPORARY") == "discard TEMP");
  CHECK(said("LOCK TABLE t, public.u IN ROW EXCLUSIVE MODE NOWAIT") == "lock t public.u 2 nowait");
  CHECK(said("LOCK t") == "lock t 7");
  CHECK(said("VACUUM (ANALYZE, VERBOSE) t") == "VACUUM t");
  CHECK(said("VACUUM (foo) t") == "42601 unrecognized VACUUM option \"foo\" @9");
  CHECK(said("ANALYZE t (a), u") == "ANALYZE t u");
  CHECK(said("CHECKPOINT") == "CHECKPOINT");
  CHECK(said("CLOSE ALL") == "CLOSE CURSOR ALL");
  CHECK(said("CLOSE c") == "34000 cursor \"c\" does not exist");
  CHECK(said("UNLISTEN *") == "UNLISTEN");
  CHECK(said("LISTEN x") == "0A000 LISTEN is not supported");
  CHECK(said("ALTER TABLE t ADD c int") == "0A000 ALTER TABLE is not supported");
  CHECK(said("CREATE VIEW v AS SELECT 1") == "0A000 CREATE VIEW is not supported");
}
