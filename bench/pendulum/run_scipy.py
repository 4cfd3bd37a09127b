"""SciPy: solve_ivp, DOP853, rtol = atol = 1e-12, a terminal event on the gap, restarted after each impact."""

import math
import statistics
import sys
import time

import scipy
from scipy.integrate import solve_ivp

import pendulum as p


def right(_t, y):
    return p.rates(math.sin, math.cos, *y.tolist())


def gap(_t, y):
    return p.gap(math.cos, y[0], y[1])


gap.terminal = True
gap.direction = -1.0


def run():
    t, y, impacts, calls = 0.0, p.START, [], 0
    while True:
        span = (t, p.DURATION)
        out = solve_ivp(right, span, y, method="DOP853", rtol=1e-12, atol=1e-12, events=gap)
        calls += out.nfev
        if out.status != 1:
            assert out.status == 0, out.message
            return impacts, calls
        t = float(out.t_events[0][0])
        y = out.y_events[0][0].tolist()
        y[2], y[3] = p.strike(*y)
        impacts.append(t)


def timed():
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
impacts, calls = run()
seconds = [timed() for _ in range(count)]
note = f"scipy {scipy.__version__}, {calls} rates"
p.report("scipy DOP853 1e-12", min(seconds), statistics.median(seconds), impacts, note)
