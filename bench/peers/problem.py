"""The rod, the five cases, the loop every engine runs, and the table.

`python problem.py cases` prints the runs for an engine outside Python, one line each;
`python problem.py table` reads result lines from stdin and prints the table.
A result line is: engine step_name case step gap restitution_measured v_x v_y omega.
"""
import sys
from math import cos, hypot, pi, sin
from typing import NamedTuple

import exact

MASS, LENGTH, ANGLE = 1.0, 1.0, pi / 4
INERTIA = MASS * LENGTH**2 / 12
ARM = (-LENGTH / 2 * cos(ANGLE), -LENGTH / 2 * sin(ANGLE))  # struck end from the centre
W = (1 / MASS + ARM[0] ** 2 / INERTIA, 1 / MASS + ARM[1] ** 2 / INERTIA, -ARM[0] * ARM[1] / INERTIA)
RADIUS = 0.01  # ball at the struck end; its lowest point is the end of the rod
BALL = (ARM[0], ARM[1] + RADIUS)  # ball centre from the rod centre
CREATED = 1e-4  # J; a gain above this counts as created energy, of 0.52 to 0.68 J before
GAPS = (1e-6,) + tuple((i + 0.5) / 16 for i in range(16))  # first in metres, others in steps of travel


ALL_LAWS = exact.LAWS + ("moreau",)


class Case(NamedTuple):
    name: str
    v_x: float
    v_y: float
    mu: float
    restitution: float


CASES = (
    Case("A", 0.6, -1.0, 0.7, 0.82),
    Case("B", 0.6, -1.0, 0.7, 1.0),
    Case("C", 0.6, -1.0, 0.7, 0.0),
    Case("D", 0.2, -1.0, 0.4, 0.5),
    Case("E", 0.2, -1.0, 0.4, 0.0),
)


def gaps(step):
    """Starting gaps: almost touching, then 16 arrival times spread over one step."""
    return (GAPS[0],) + tuple(f * step for f in GAPS[1:])


def settle(advance, state, step, tol=1e-9, limit=0.2, quiet=3):
    """Steps until the velocity has changed, the end no longer approaches, and nothing changes for
    `quiet` steps; gravity is zero, so the rod is then in free flight. Returns (v_x, v_y, omega).
    The time limit ends runs in which an engine leaves a small approach velocity."""
    start = last = state()
    calm = 0
    for _ in range(int(limit / step)):
        advance()
        now = state()
        still = max(abs(p - q) for p, q in zip(now, last)) < tol
        struck = max(abs(p - q) for p, q in zip(now, start)) > 1e-6
        calm = calm + 1 if still and struck and contact_velocity(*now)[0] > -tol else 0
        last = now
        if calm == quiet:
            break
    return last


def tune(bounce, target, low, high, rounds=60):
    """Parameter in [low, high] at which `bounce(parameter)`, a falling function, equals target.
    The end of the range is returned when the target lies outside."""
    if bounce(low) <= target:
        return low
    if bounce(high) >= target:
        return high
    for _ in range(rounds):
        mid = 0.5 * (low + high)
        low, high = (mid, high) if bounce(mid) > target else (low, mid)
    return 0.5 * (low + high)


def run(engine, steps, strike):
    """Runs all cases; strike(case, step, gap) returns (v_x, v_y, omega, measured restitution)."""
    for label, step in steps:
        for case in CASES:
            for gap in gaps(step):
                v_x, v_y, omega, measured = strike(case, step, gap)
                print(engine, label, case.name, step, gap, f"{measured:.4f}", v_x, v_y, omega, flush=True)


def contact_velocity(v_x, v_y, omega):
    """(v_n, v_t) of the struck end, with the arm it has at the instant of impact."""
    return v_y + omega * ARM[0], v_x - omega * ARM[1]


def energy(v_x, v_y, omega):
    return 0.5 * MASS * (v_x**2 + v_y**2) + 0.5 * INERTIA * omega**2


def laws(case):
    """Law name -> exact (v_n, v_t, p_n, p_t) after the impact."""
    v_n, v_t = contact_velocity(case.v_x, case.v_y, 0.0)
    found = {law: exact.impact(W, case.mu, case.restitution, v_n, v_t, law) for law in exact.LAWS}
    found["moreau"] = exact.moreau(W, case.mu, case.restitution, v_n, v_t)
    return found


def error(case, post, law_post):
    """Distance of contact velocities after, over the contact speed before."""
    v_n, v_t = contact_velocity(case.v_x, case.v_y, 0.0)
    return hypot(post[0] - law_post[0], post[1] - law_post[1]) / hypot(v_n, v_t)


def closest(case, post, names):
    """(error, law). Laws that coincide are named together: `all`, or `path` for Newton, Poisson
    and energetic, or joined by `=`."""
    exact_post = laws(case)
    errors = {name: error(case, post, exact_post[name]) for name in names}
    best = min(errors, key=errors.get)
    tied = tuple(n for n in names if hypot(exact_post[n][0] - exact_post[best][0],
                                           exact_post[n][1] - exact_post[best][1]) < 1e-9)
    label = {4: "all"}.get(len(tied), "path" if tied == exact.LAWS else "=".join(tied))
    return errors[best], label


def print_cases():
    for step in (float(s) for s in sys.argv[2:]):
        for case in CASES:
            for gap in gaps(step):
                print(*case, step, gap)


def read_runs():
    """(case, engine, step name) -> [(restitution of a ball, state)], almost touching first."""
    runs = {}
    for line in sys.stdin:
        engine, label, name, _, _, measured, *state = line.split()
        runs.setdefault((name, engine, label), []).append((measured, tuple(map(float, state))))
    return runs


def print_row(*cells):
    print("| " + " | ".join(cells).replace("-0.0000", "0.0000").replace("+0.0000", "0.0000") + " |")


def gain(case, state):
    return energy(*state) - energy(case.v_x, case.v_y, 0.0)


def law_rows(case):
    v_n, v_t = contact_velocity(case.v_x, case.v_y, 0.0)
    for law, (v_n_post, v_t_post, p_n, p_t) in laws(case).items():
        d_t = exact.work(W, v_n, v_t, p_n, p_t)
        numbers = (f"{x:.4f}" for x in (v_n_post, v_t_post, p_n, p_t))
        print_row(case.name, f"*{law}*", "exact", "", *numbers, f"{d_t:+.4f}", "", "", "",
                  "yes" if d_t > CREATED else "no", "", "")


def engine_row(case, engine, label, found):
    measured, state = found[0]
    post = contact_velocity(*state)
    impulse = MASS * (state[1] - case.v_y), MASS * (state[0] - case.v_x)
    err, law = closest(case, post, ALL_LAWS)
    path, _ = closest(case, post, exact.LAWS)
    spread = [closest(case, contact_velocity(*s), ALL_LAWS)[0] for _, s in found[1:]]
    d_t = gain(case, state)
    print_row(case.name, engine, label, measured, *(f"{x:.4f}" for x in (*post, *impulse)), f"{d_t:+.4f}",
              f"{err:.2%}", law, f"{path:.2%}", "**yes**" if d_t > CREATED else "no",
              f"{min(spread):.1%} to {max(spread):.1%}", f"{max(gain(case, s) for _, s in found[1:]):+.4f}")


def print_table():
    """The summary, then every number."""
    runs = read_runs()
    print_row("engine", "step", *(case.name for case in CASES))
    print_row(*("---",) * (2 + len(CASES)))
    for engine, label in dict.fromkeys(key[1:] for key in runs):
        cells = []
        for case in CASES:
            state = runs[case.name, engine, label][0][1]
            err, law = closest(case, contact_velocity(*state), ALL_LAWS)
            d_t = gain(case, state)
            cells.append(f"{err:.1%} {law}" + (f", **{d_t:+.3f} J**" if d_t > CREATED else ""))
        print_row(engine, label, *cells)
    print()
    head = ("case", "engine or law", "step", "e of a ball", "v_n+", "v_t+", "p_n", "p_t", "dT", "error",
            "closest law", "path error", "creates energy", "error over 16 arrivals",
            "largest dT over arrivals")
    print_row(*head)
    print_row(*("---",) * len(head))
    for case in CASES:
        law_rows(case)
        for (name, engine, label), found in runs.items():
            if name == case.name:
                engine_row(case, engine, label, found)


if __name__ == "__main__":
    {"cases": print_cases, "table": print_table}[sys.argv[1]]()
