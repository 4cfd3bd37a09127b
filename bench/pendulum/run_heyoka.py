"""heyoka: Taylor series compiled at run time, terminal event on the gap. Compilation is not timed."""

import statistics
import sys
import time

import heyoka as hy

import pendulum as p


def build(tol, compact):
    names = hy.make_vars("psi1", "psi2", "w1", "w2")
    impacts, spent = [], [0.0]

    def strike(ta, _sign):
        start = time.perf_counter()
        impacts.append(ta.time)
        state = ta.state
        state[2], state[3] = p.strike(*state.tolist())
        spent[0] += time.perf_counter() - start
        return True

    event = hy.t_event(
        p.gap(hy.cos, names[0], names[1]),
        direction=hy.event_direction.negative,
        callback=strike,
    )
    right = p.rates(hy.sin, hy.cos, *names)
    start = time.perf_counter()
    ta = hy.taylor_adaptive(
        list(zip(names, right)),
        p.START,
        tol=tol,
        t_events=[event],
        compact_mode=compact,
    )
    return ta, impacts, spent, time.perf_counter() - start


def run(ta, impacts):
    """One run; the time does not include setting the start."""
    del impacts[:]
    ta.time = 0.0
    ta.state[:] = p.START
    ta.reset_cooldowns()
    start = time.perf_counter()
    out = ta.propagate_until(p.DURATION)
    return time.perf_counter() - start, out


def measure(name, tol, compact, count):
    ta, impacts, spent, compile_time = build(tol, compact)
    out = run(ta, impacts)[1]
    spent[0] = 0.0
    seconds = [run(ta, impacts)[0] for _ in range(count)]
    assert out[0] == hy.taylor_outcome.time_limit, out
    note = (
        f"heyoka {hy.__version__}, order {ta.order}, {out[3]} steps, compiled in {compile_time:.1f} s, "
        f"{1e6 * spent[0] / count:.0f} us of a run in the impact written in Python"
    )
    p.report(name, min(seconds), statistics.median(seconds), list(impacts), note)


count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
measure("heyoka 1e-12", 1e-12, False, count)
measure("heyoka 1e-12 compact", 1e-12, True, count)
measure("heyoka default (2.2e-16)", 0.0, False, count)
