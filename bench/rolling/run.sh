#!/bin/sh
# A cue ball with side spin and a ball on a turntable, which have closed forms: Carom, MuJoCo and Drake side by side.
#
#   bench/rolling/run.sh [rounds]
#
# The peers are those of bench/peers (its requirements.txt, its virtual environment). One that cannot be had is named and
# left out; the exit code stays 0. Carom is the release build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-2}
peers=$here/../peers
results=$(mktemp)
trap 'rm -f "$results"' EXIT

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example rolling)
[ -x "$peers/.venv/bin/python" ] || python3 -m venv "$peers/.venv"
"$peers/.venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$peers/requirements.txt" >&2 ||
    echo "run.sh: not every peer can be had here" >&2

# The engines take turns, so that a busy machine slows all of them.
for _ in $(seq "$rounds"); do
    "$target/release/examples/rolling" 100 >>"$results"
    for engine in mujoco drake; do
        "$peers/.venv/bin/python" "$here/run_$engine.py" >>"$results" || echo "run.sh: $engine left out" >&2
    done
done
python3 "$here/rolling.py" "$results"
