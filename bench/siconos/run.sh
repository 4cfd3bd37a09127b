#!/bin/sh
# Complementarity problems of 3 and 10 contacts without friction: Carom beside Siconos, in one run.
#
#   bench/siconos/run.sh [rounds]
#
# Siconos is Debian's python3-siconos, which brings the C library and its headers; as root on a machine with apt it is
# installed. Where it, or a C compiler, cannot be had, that is said and Carom is measured alone; the exit code stays 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${SICONOS_PYTHON:-/usr/bin/python3}
headers=/usr/include/siconos

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example siconos)
carom="$target/release/examples/siconos"
"$carom" problems >"$work/problems"

# Makes Siconos ready; says why not.
peer() {
    if [ ! -d "$headers/numerics" ]; then
        command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || { echo "run.sh: no $headers, and no apt as root" >&2; return 1; }
        apt-get install -y python3-siconos >/dev/null 2>&1 || { echo "run.sh: apt has no python3-siconos" >&2; return 1; }
    fi
    command -v cc >/dev/null || { echo "run.sh: no C compiler here" >&2; return 1; }
    cc -O2 -I"$headers" -I"$headers/numerics" "$here/siconos.c" -o "$work/siconos" -lsiconos_numerics -lm
}

has_peer=yes
peer || { has_peer=no; echo "run.sh: Siconos cannot be had here and is left out" >&2; }
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
