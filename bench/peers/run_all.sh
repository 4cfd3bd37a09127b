#!/bin/sh
# Installs the pinned engines beside this file, runs them all, prints the tables.
# An engine that cannot be installed or run is reported on stderr and left out.
set -eu
cd "$(dirname "$0")"

python3 exact.py >&2
[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --requirement requirements.txt >&2

results=$(mktemp)
trap 'rm -f "$results"' EXIT

for engine in mujoco pybullet drake; do
    .venv/bin/python "run_$engine.py" >>"$results" || echo "run_all.sh: $engine left out" >&2
done

steps="0.016666666666666666 0.0016666666666666666"
if (cd rapier && cargo build --quiet --release --jobs 1); then
    python3 problem.py cases $steps | rapier/target/release/peer-rapier >>"$results"
else
    echo "run_all.sh: rapier left out" >&2
fi

python3 problem.py table <"$results"
