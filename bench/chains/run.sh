#!/bin/sh
# Mass matrix, inverse and forward dynamics of chains of 2, 7 and 30 bodies: Carom beside Pinocchio, and the
# plane beside space.
#
#   bench/chains/run.sh [rounds]
#
# Pinocchio comes from PyPI into a virtual environment beside this file (CHAINS_VENV names another) and is
# called from C++ through its headers, so that no Python is timed. Where it, or a C++ compiler, cannot be
# had, that is said and Carom is measured alone; the exit code stays 0. Both are optimised builds without
# instructions beyond SSE2.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5}
venv=${CHAINS_VENV:-$here/.venv}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

target=${CARGO_TARGET_DIR:-$here/../../target}
(cd "$here/../.." && cargo build --quiet --release -p carom-bench --example chains)

# Compiles the peer; says why not.
peer() {
    command -v g++ >/dev/null || { echo "run.sh: no g++ here" >&2; return 1; }
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || return 1
    "$venv/bin/pip" install --quiet --disable-pip-version-check pin==4.1.0 cmeel-eigen >&2 || return 1
    prefix=$("$venv/bin/python" -c 'import cmeel, os; print(os.path.join(os.path.dirname(os.path.dirname(cmeel.__file__)), "cmeel.prefix"))')
    echo "run.sh: compiling Pinocchio's side takes minutes the first time" >&2
    [ "$venv/pinocchio" -nt "$here/pinocchio.cpp" ] || g++ -O3 -DNDEBUG -std=c++17 \
        -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 \
        -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 \
        -I"$prefix/include" -I"$prefix/include/eigen3" "$here/pinocchio.cpp" -o "$venv/pinocchio" \
        -L"$prefix/lib" -lpinocchio_default -Wl,-rpath,"$prefix/lib"
}

has_peer=yes
peer || { has_peer=no; echo "run.sh: Pinocchio cannot be had here and is left out" >&2; }

# The programs take turns, so that a busy machine slows both.
for _ in $(seq "$rounds"); do
    "$target/release/examples/chains" 5 >>"$results"
    [ $has_peer = no ] || "$venv/pinocchio" 5 >>"$results"
done
python3 "$here/table.py" "$results"
