"""Exact planar impact with friction at one point, in closed form.

Contact space: dv = W dp, W = [[a, c], [c, b]], components normal first. The path in the impulse
plane is straight while the slip keeps its sign; `impact` walks its segments. `moreau` is the
other reading: Newton's ratio with Coulomb's law on the total impulses, as time-stepping schemes
use it. Run this file to check both against the reference values.
"""
from math import hypot, sqrt

LAWS = ("newton", "poisson", "energetic")


def _segment(w, mu, v_n, v_t):
    """Returns (dv_n/dp_n, dv_t/dp_n, dp_t/dp_n, impulse at which slip halts)."""
    a, b, c = w
    if v_t == 0.0 and mu >= abs(c) / b:
        return a - c * c / b, 0.0, -c / b, float("inf")
    sigma = (1.0 if v_t > 0.0 else -1.0) if v_t else (1.0 if c > 0.0 else -1.0)
    k_t = c - mu * sigma * b
    halt = -v_t / k_t if v_t and k_t * v_t < 0.0 else float("inf")
    return a - mu * sigma * c, k_t, -mu * sigma, halt


def impact(w, mu, restitution, v_n, v_t, law):
    """Routh's path with the given law of restitution. Returns (v_n, v_t, p_n, p_t) after.

    w = (a, b, c) positive definite; v_n < 0.
    """
    v_n_pre, p_n, p_t, work_n = v_n, 0.0, 0.0, 0.0
    p_comp = work_comp = None
    while True:
        k_n, k_t, ratio, halt = _segment(w, mu, v_n, v_t)
        if p_comp is None:
            end = -v_n / k_n if k_n > 0.0 else float("inf")
        elif law == "newton":
            end = (-restitution * v_n_pre - v_n) / k_n
        elif law == "poisson":
            end = (1.0 + restitution) * p_comp - p_n
        elif law == "energetic":
            left = (1.0 - restitution**2) * work_comp - work_n
            end = 2.0 * left / (v_n + sqrt(v_n * v_n + 2.0 * k_n * left)) if left > 0.0 else 0.0
        else:
            raise ValueError(law)
        d = min(halt, end)
        work_n += d * (v_n + 0.5 * k_n * d)
        p_n, p_t, v_n = p_n + d, p_t + ratio * d, v_n + k_n * d
        v_t = 0.0 if d == halt else v_t + k_t * d
        if d == end:
            if p_comp is not None:
                return v_n, v_t, p_n, p_t
            p_comp, work_comp, v_n = p_n, work_n, 0.0


def moreau(w, mu, restitution, v_n, v_t):
    """v_n_post = -restitution v_n with Coulomb's law on (p_n, p_t). Same return as `impact`."""
    a, b, c = w
    dv_n = -(1.0 + restitution) * v_n
    det = a * b - c * c
    p_n, p_t = (b * dv_n + c * v_t) / det, (-c * dv_n - a * v_t) / det
    if abs(p_t) <= mu * p_n:
        return v_n + dv_n, 0.0, p_n, p_t
    for sigma in (1.0, -1.0):
        p_n = dv_n / (a - mu * sigma * c)
        v_t_post = v_t + (c - mu * sigma * b) * p_n
        if p_n > 0.0 and v_t_post * sigma >= 0.0:
            return v_n + dv_n, v_t_post, p_n, -mu * sigma * p_n
    raise ValueError("no consistent slip")


def work(w, v_n, v_t, p_n, p_t):
    """Energy change v.p + p.W.p/2, from the state before and the total impulse."""
    a, b, c = w
    return v_n * p_n + v_t * p_t + 0.5 * (a * p_n**2 + 2.0 * c * p_n * p_t + b * p_t**2)


def _check():
    w = (2.5, 2.5, -1.5)
    near = lambda x, y, tol=1e-9: abs(x - y) <= tol or exit(f"exact.py: {x} is not {y}")
    first = {  # v_n, p_n, p_t, dT for v = (-1, 0.6), mu = 0.7, e = 0.82; then dT for e = 1
        "newton": (0.82, 0.9125, 0.3075, 0.010125, 0.1125),
        "poisson": (0.5248, 0.728, 0.1968, -0.1139328, -0.072),
        "energetic": (0.5889966227, 0.7681228892, 0.2208737335, -0.0915884308, -0.0387692308),
    }
    seventh = {"newton": (0.5, -0.329473684211), "poisson": (0.452, -0.316842105263),
               "energetic": (0.456017543522, -0.317899353558)}
    for law in LAWS:
        v_n, v_t, p_n, p_t = impact(w, 0.7, 0.82, -1.0, 0.6, law)
        for got, want in zip((v_n, p_n, p_t, work(w, -1.0, 0.6, p_n, p_t)), first[law]):
            near(got, want, 1e-9)
        near(v_t, 0.0)
        _, _, p_n, p_t = impact(w, 0.7, 1.0, -1.0, 0.6, law)
        near(work(w, -1.0, 0.6, p_n, p_t), first[law][4])
        v_n, v_t, _, _ = impact(w, 0.4, 0.5, -1.0, 0.2, law)
        near(hypot(v_n - seventh[law][0], v_t - seventh[law][1]), 0.0)
    # More reference points: slip that never halts, halts in restitution and sticks, or reverses.
    for (v_t, mu), want in {
        (2.0, 0.3): [(0.5, 0.855932203390)] * 3,
        (1.0, 0.75): [(0.5, 0.0), (0.262068965517, 0.0), (0.336763955443, 0.0)],
        (1.0, 0.4): [(0.5, -0.068421052632), (0.399354838710, -0.041935483871),
                     (0.418954151006, -0.047093197633)],
    }.items():
        for law, (v_n_post, v_t_post) in zip(LAWS, want):
            got = impact(w, mu, 0.5, -1.0, v_t, law)
            near(hypot(got[0] - v_n_post, got[1] - v_t_post), 0.0)
    print("exact.py: all reference values hold")


if __name__ == "__main__":
    _check()
