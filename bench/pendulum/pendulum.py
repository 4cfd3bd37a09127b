"""The double pendulum of paper 001, mu = 0, six seconds: equations shared by the Python peers.

Absolute angles from the downward vertical; numbers read from cases/pendulum-reference.
"""

import json
import math
import pathlib

BOOK = pathlib.Path(__file__).resolve().parents[2] / "cases/pendulum-reference/expected.json"
CASE = next(c for c in json.loads(BOOK.read_text())["cases"] if c["name"] == "paper smooth mu=0")
P = CASE["parameters"]
DURATION = 6.0
START = [math.radians(a) for a in CASE["initial"]["psi_deg"]] + CASE["initial"]["w"]
REFERENCE = [(i["t"], i["amp_dt_dpsi1"]) for i in CASE["impacts"] if i["t"] < DURATION]

M11 = P["I1"] + P["m1"] * (P["l1"] / 2) ** 2 + P["m2"] * P["l1"] ** 2
M22 = P["I2"] + P["m2"] * P["lc"] ** 2
COUPLING = P["m2"] * P["l1"] * P["lc"]
PULL_1 = (P["m1"] / 2 + P["m2"]) * P["l1"] * P["g"]
PULL_2 = P["m2"] * P["lc"] * P["g"]
L1, REACH, RADIUS, DEPTH = P["l1"], P["l2"] + P["r"], P["r"], P["D"]
RESTITUTION = P["k"]


def rates(sin, cos, psi1, psi2, w1, w2):
    """Rates of the state, with the sine and cosine of whoever asks."""
    s, c = sin(psi1 - psi2), cos(psi1 - psi2)
    m12 = COUPLING * c
    f1 = -COUPLING * s * (w2 * w2) - PULL_1 * sin(psi1)
    f2 = COUPLING * s * (w1 * w1) - PULL_2 * sin(psi2)
    det = M11 * M22 - m12 * m12
    return w1, w2, (M22 * f1 - m12 * f2) / det, (M11 * f2 - m12 * f1) / det


def gap(cos, psi1, psi2):
    """Distance of the tip from the obstacle (m)."""
    return DEPTH - L1 * cos(psi1) - REACH * cos(psi2) - RADIUS


def strike(psi1, psi2, w1, w2):
    """Rates after an impact without friction: v_n changes to -k v_n along M^-1 n."""
    n1, n2 = L1 * math.sin(psi1), REACH * math.sin(psi2)
    m12 = COUPLING * math.cos(psi1 - psi2)
    det = M11 * M22 - m12 * m12
    u1, u2 = (M22 * n1 - m12 * n2) / det, (M11 * n2 - m12 * n1) / det
    p = -(1 + RESTITUTION) * (n1 * w1 + n2 * w2) / (n1 * u1 + n2 * u2)
    return w1 + p * u1, w2 + p * u2


def report(engine, seconds, median, impacts, note):
    print(json.dumps(dict(engine=engine, seconds=seconds, median=median, impacts=impacts, note=note)))
