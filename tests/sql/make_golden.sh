#!/bin/sh
# make_golden.sh — asks PostgreSQL 15 what it answers, and writes tests/sql/golden/*.tsv.
# The answers are replayed by tests/plugins/sql. Run by hand when golden.sql changes:
#   tests/sql/make_golden.sh [user to run PostgreSQL as, when started by root]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=/usr/lib/postgresql/15/bin
user=${1:-nobody}
work=$(mktemp -d)
as_user() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"
  else
    "$@"
  fi
}
if [ "$(id -u)" = 0 ]; then chown "$user" "$work"; fi
trap 'as_user $bin/pg_ctl -D "$work/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
cd "$work"
as_user $bin/initdb -D "$work/data" --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 -U postgres -A trust >/dev/null
as_user $bin/pg_ctl -D "$work/data" -l "$work/log" -w \
  -o "-k $work -c listen_addresses='' -c fsync=off -c timezone=UTC -c datestyle=ISO,MDY" start >/dev/null
for pack in ${packs:-core datetime numeric text regex catalog}; do
  psql -h "$work" -U postgres -q -X -v ON_ERROR_STOP=1 -f "$here/golden_common.sql" \
    -f "$here/golden_$pack.sql" -o "$here/golden/$pack.tsv"
  wc -l "$here/golden/$pack.tsv"
done
