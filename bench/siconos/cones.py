"""Table of the results of cones.sh: time of each solver, and its residual where it did not solve the problem."""

import json
import sys

SOLVED = 1e-8
"""A solver that stops above this residual did not solve the problem."""

rows = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
solvers = list(dict.fromkeys(row["solver"] for row in rows))
problems = sorted({(row["contacts"], row["problem"]) for row in rows})


def best(solver, problem):
    """The fastest of the rounds."""
    mine = [row for row in rows if (row["solver"], row["problem"]) == (solver, problem)]
    return min(mine, key=lambda row: row["seconds"], default=None)


def cell(row):
    if row is None:
        return "?"
    time = f"{row['seconds'] * 1e3:.3g}"
    return time if row["residual"] < SOLVED else f"– ({row['residual']:.0e})"


print("| problem | contacts | residual | " + " | ".join(f"{name} (ms)" for name in solvers) + " | Carom over the best |")
print("| --- | --- | --- " + "| --- " * (len(solvers) + 1) + "|")
wins = 0
for contacts, problem in problems:
    found = {name: best(name, problem) for name in solvers}
    own = found["carom"]
    others = [row["seconds"] for name, row in found.items() if name != "carom" and row and row["residual"] < SOLVED]
    ratio = f"{own['seconds'] / min(others):.2f}" if others else ""
    wins += bool(others) and own["seconds"] < min(others)
    cells = " | ".join(cell(found[name]) for name in solvers)
    print(f"| {problem} | {contacts} | {own['residual']:.0e} | {cells} | {ratio} |")
print(f"\nCarom is the fastest in {wins} of {len(problems)}.")
for name in solvers:
    solved = sum(best(name, problem)["residual"] < SOLVED for _, problem in problems if best(name, problem))
    print(f"- {name}: {solved} of {len(problems)} solved to {SOLVED:g}")
