#!/bin/sh
# Complementarity problems of 3 and 10 contacts without friction: Carom beside Siconos, in one run.
#
#   bench/siconos/run.sh [rounds]
#
# Where Siconos (`ready.sh`), or a C compiler, cannot be had, that is said and Carom is measured alone; the exit code stays 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${SICONOS_PYTHON:-/usr/bin/python3}

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example siconos)
carom="$target/release/examples/siconos"
"$carom" problems >"$work/problems"

. "$here/ready.sh"
has_peer=yes
peer "$here/siconos.c" "$work/siconos" || { has_peer=no; echo "run.sh: Siconos cannot be had here and is left out" >&2; }
has_python=$has_peer
[ $has_peer = no ] || "$python" -c 'import siconos.numerics' 2>/dev/null ||
    { has_python=no; echo "run.sh: $python has no siconos; its Python interface is left out" >&2; }

# The programs take turns, so that a busy machine slows all of them.
for _ in $(seq "$rounds"); do
    "$carom" time 5 >>"$work/results"
    [ $has_peer = no ] || "$work/siconos" 5 <"$work/problems" >>"$work/results"
    [ $has_python = no ] || "$python" "$here/run_python.py" 3 <"$work/problems" >>"$work/results"
done
python3 "$here/table.py" "$work/results"
