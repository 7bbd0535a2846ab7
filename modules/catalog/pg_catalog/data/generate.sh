#!/usr/bin/env bash
# generate.sh — takes the tables beside it from a running PostgreSQL 15 (a fresh cluster made with
# initdb --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8). libpq's PG* variables say which one.
set -euo pipefail
cd "$(dirname "$0")"

views="'pg_roles','pg_user','pg_shadow','pg_group','pg_settings','pg_tables','pg_indexes','pg_views','pg_matviews',
  'pg_sequences','pg_rules','pg_policies','pg_prepared_xacts'"
types="SELECT * FROM (SELECT t.* FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem
  WHERE t.oid < 10000 AND t.typrelid = 0 AND coalesce(e.typrelid, 0) = 0) t"

copy() {  # copy FILE QUERY
  psql -X -q -v ON_ERROR_STOP=1 -d postgres -c "COPY ($2) TO STDOUT" > "$1.tsv"
}

# The columns of a relation, functions as their numbers.
columns() {  # columns RELATION ALIAS
  psql -X -q -At -d postgres -c "SELECT string_agg(CASE WHEN atttypid = 'regproc'::regtype
    THEN '$2.' || attname || '::oid' ELSE '$2.' || attname END, ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = '$1'::regclass AND attnum > 0"
}

copy columns "SELECT c.relname, c.oid, c.relkind, a.attname, a.atttypid, a.attnotnull
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 11 AND a.attnum > 0 AND (c.relkind = 'r' OR c.relname IN ($views))
  ORDER BY c.oid, a.attnum"
copy keywords "SELECT word FROM pg_get_keywords() WHERE catcode <> 'U' ORDER BY word"
copy type_names "SELECT oid, format_type(oid, NULL) FROM ($types) t ORDER BY oid"
copy pg_type "SELECT $(columns pg_type t) FROM ($types) t ORDER BY t.oid"
copy pg_am "SELECT $(columns pg_am a) FROM pg_am a ORDER BY oid"
copy pg_collation "SELECT * FROM pg_collation WHERE collname IN ('default', 'C', 'POSIX') ORDER BY oid"
copy pg_extension "SELECT * FROM pg_extension ORDER BY oid"
copy pg_language "SELECT * FROM pg_language ORDER BY oid"
copy pg_opclass "SELECT * FROM pg_opclass WHERE opcmethod = 403 ORDER BY oid"
copy pg_opfamily "SELECT * FROM pg_opfamily WHERE opfmethod = 403 ORDER BY oid"
copy pg_range "SELECT $(columns pg_range r) FROM pg_range r ORDER BY rngtypid"
copy pg_tablespace "SELECT * FROM pg_tablespace ORDER BY oid"
copy functions "SELECT DISTINCT p.oid, p.proname FROM pg_proc p, ($types) t, pg_am a, pg_range r
  WHERE p.oid IN (t.typinput, t.typoutput, t.typreceive, t.typsend, t.typmodin, t.typmodout, t.typanalyze,
    t.typsubscript, a.amhandler, r.rngcanonical, r.rngsubdiff) ORDER BY p.oid"
