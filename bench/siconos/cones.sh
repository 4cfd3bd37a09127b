#!/bin/sh
# Contacts with friction in space, the 24 problems of cases/fclib: Carom beside four solvers of Siconos, in one run.
#
#   bench/siconos/cones.sh [rounds]
#
# Where Siconos (`ready.sh`), or a C compiler, cannot be had, that is said and Carom is measured alone; the exit code stays 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example cones)
carom="$target/release/examples/cones"
"$carom" problems >"$work/problems"

. "$here/ready.sh"
has_peer=yes
peer "$here/cones.c" "$work/cones" || { has_peer=no; echo "cones.sh: Siconos cannot be had here and is left out" >&2; }

# The programs take turns, so that a busy machine slows both.
for _ in $(seq "$rounds"); do
    "$carom" time >>"$work/results"
    [ $has_peer = no ] || "$work/cones" <"$work/problems" >>"$work/results"
done
python3 "$here/cones.py" "$work/results"
