#!/bin/sh
# Double pendulum of paper 001, mu = 0, 6 s, six impacts: Carom, heyoka and SciPy side by side.
#
#   bench/pendulum/run.sh [rounds]
#
# Peers come from PyPI into a virtual environment beside this file (PENDULUM_VENV names another). A peer
# that cannot be had is named and left out; the exit code stays 0. Carom is the release build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5}
venv=${PENDULUM_VENV:-$here/.venv}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example pendulum)

peers=""
if [ -x "$venv/bin/python" ] || python3 -m venv "$venv"; then
    for peer in heyoka scipy; do
        if "$venv/bin/python" -c "import $peer" 2>/dev/null ||
            "$venv/bin/pip" install --quiet --disable-pip-version-check "$peer" >&2; then
            peers="$peers $peer"
        else
            echo "run.sh: $peer cannot be had here and is left out" >&2
        fi
    done
else
    echo "run.sh: no virtual environment can be made here; heyoka and scipy are left out" >&2
fi

# The engines take turns, so that a busy machine slows all of them.
for _ in $(seq "$rounds"); do
    "$target/release/examples/pendulum" 300 >>"$results"
    for peer in $peers; do
        "$venv/bin/python" "$here/run_$peer.py" >>"$results" ||
            echo "run.sh: $peer failed and is left out of this round" >&2
    done
done
python3 "$here/table.py" "$results"
