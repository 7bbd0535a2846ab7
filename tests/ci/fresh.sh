#!/usr/bin/env bash
# fresh.sh — a command of ./dev in a bare Debian 12, from a fresh clone of what is committed.
#
#   tests/ci/fresh.sh [COMMAND…]     default: ./dev test
#
# A forgotten package is invisible on a machine that has it; a bare chroot shows it. Needs root, debootstrap and the network;
# takes the mirror from this machine's own apt sources. The chroot is made anew each time, in build/fresh (COPPICE_FRESH_DIR).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=bookworm
dir=${COPPICE_FRESH_DIR:-$PWD/build/fresh}
[ $# -gt 0 ] || set -- ./dev test

die() { echo "fresh.sh: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || die "run as root: it makes a chroot"
command -v debootstrap >/dev/null || die "apt-get install debootstrap"

# "URI SUITE" of every Debian source with component main; security and updates included.
sources=$(apt-get indextargets 'Created-By: Packages' --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' |
  awk -v suite="$suite" '$3 == "main" && $2 ~ "^" suite "(-updates|-security)?$" { print $1, $2 }' | sort -u)
mirror=$(awk -v suite="$suite" '$2 == suite { print $1; exit }' <<<"$sources")
[ -n "$mirror" ] || die "no apt source of $suite main on this machine (apt-get update first?)"

root=$dir/root
[ ! -e "$root" ] || rm -rf --one-file-system "$root"
mkdir -p "$dir"
from=$SECONDS
debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$dir/debootstrap.log" 2>&1 ||
  { tail -n 20 "$dir/debootstrap.log" >&2; die "debootstrap failed"; }
while read -r uri release; do echo "deb $uri $release main"; done <<<"$sources" >"$root/etc/apt/sources.list"
apt-config dump | grep -i '^Acquire::.*proxy' >"$root/etc/apt/apt.conf.d/99proxy" || true
cp /etc/resolv.conf "$root/etc/resolv.conf"
git -c safe.directory='*' clone -q --no-hardlinks . "$root/root/coppice"
echo "fresh.sh: $root made in $((SECONDS - from)) s; running: $*"

# The mounts live in a namespace of their own and go with it.
export root
unshare --mount --pid --fork --kill-child bash -c '
  set -euo pipefail
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
    bash -c "cd /root/coppice && exec \"\$@\"" coppice "$@"' fresh "$@"
echo "fresh.sh: passed in $((SECONDS - from)) s: $*"
