#!/usr/bin/env bash
# readme_session.sh — runs the session of README as it is written, and compares what it prints.
#
#   tests/ci/readme_session.sh             in this checkout
#   tests/ci/fresh.sh tests/ci/readme_session.sh    from a fresh clone in a bare Debian 12
#
# The session is the fenced block after the line `<!-- session -->`. Lines that begin with `$ ` are commands, run by one shell in the
# root of the checkout; what follows each is its output, where `...` stands for anything. After a command that ends in `&` the
# script waits until a server answers on port 3210. No session in README: exit 77.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t block < <(awk '/^<!-- session -->$/ { marked = 1; next } marked && /^```/ { if (inside) exit; inside = 1; next } inside' README.md)
[ ${#block[@]} -gt 0 ] || { echo "readme_session.sh: SKIPPED: README has no session yet"; exit 77; }

work=$(mktemp -d)
cleanup() {
  local pids
  pids=$(jobs -p)
  [ -z "$pids" ] || kill $pids 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

# wait_for_server: until something answers on the port; ten minutes, since the first start compiles.
wait_for_server() {
  local from=$SECONDS
  until (exec 3<>/dev/tcp/127.0.0.1/3210) 2>/dev/null; do
    [ $((SECONDS - from)) -lt 1800 ] || { echo "readme_session.sh: no server after half an hour"; cat "$work/background"; exit 1; }
    sleep 0.2
  done
}

# agree EXPECTED ACTUAL: `...` stands for anything; white space at the ends of lines does not count.
agree() {
  local rest=$2 part
  if [[ $1 != *...* ]]; then [ "$1" = "$2" ]; return; fi
  while IFS= read -r part; do
    [ -n "$part" ] || continue
    [[ $rest == *"$part"* ]] || return 1
    rest=${rest#*"$part"}
  done <<<"${1//.../$'\n'}"
}
trimmed() { sed -e 's/[[:space:]]*$//' -e '/^$/d'; }

failures=0 at=0
while [ $at -lt ${#block[@]} ]; do
  line=${block[$at]}
  at=$((at + 1))
  [[ $line == '$ '* ]] || continue
  command=${line#'$ '} expected=""
  while [ $at -lt ${#block[@]} ] && [[ ${block[$at]} != '$ '* ]]; do
    expected+=${block[$at]}$'\n'
    at=$((at + 1))
  done
  echo "\$ $command"
  if [[ $command == *'&' ]]; then
    eval "${command%&} >>\"$work/background\" 2>&1 &"  # $! is the server, as for who types it
    wait_for_server
    continue
  fi
  eval "$command" >"$work/out" 2>&1 </dev/null || true
  [[ $command != 'kill -9 $!' ]] || wait $! 2>/dev/null || true  # it is gone when the next one asks for the port
  cat "$work/out"
  if ! agree "$(trimmed <<<"$expected")" "$(trimmed <"$work/out")"; then
    echo "--- README says:"
    echo "$expected"
    failures=$((failures + 1))
  fi
done
[ $failures -eq 0 ] || { echo "readme_session.sh: $failures commands print something else than README says"; exit 1; }
echo "readme_session.sh: README's session does what it says"
