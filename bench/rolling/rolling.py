"""Two motions of a ball with friction in space that have closed forms, and the table of what engines make of them."""

import json
import math
import sys
import time
from dataclasses import dataclass

GRAVITY = 9.81


@dataclass(frozen=True)
class Scene:
    """A homogeneous ball on the plane z = 0, which may turn about z."""

    name: str
    mass: float
    radius: float
    friction: float
    table_rate: float  # rad/s
    position: tuple
    velocity: tuple
    spin: tuple  # angular velocity, world axes
    duration: float

    @property
    def inertia(self):
        return 0.4 * self.mass * self.radius**2

    def exact(self):
        """Where the ball is at the end: x, y (m)."""
        return sliding_then_rolling(self) if self.table_rate == 0.0 else circling(self)


def sliding_then_rolling(scene):
    """Slip u = v - R w x z keeps its direction until t = 2 |u| / (7 mu g); then the ball rolls straight."""
    (x, y, _), (v_x, v_y, _), (w_x, w_y, _) = scene.position, scene.velocity, scene.spin
    u = (v_x - scene.radius * w_y, v_y + scene.radius * w_x)
    size = math.hypot(*u)
    halt = 2 * size / (7 * scene.friction * GRAVITY)
    found = []
    for start, v, slip in zip((x, y), (v_x, v_y), u):
        slide = v * halt - scene.friction * GRAVITY * slip / size * halt**2 / 2
        found.append(start + slide + (v - 2 * slip / 7) * (scene.duration - halt))
    return tuple(found)


def circling(scene):
    """A ball that rolls on a turntable runs a circle at 2/7 of its rate."""
    rate = 2 * scene.table_rate / 7
    (x, y, _), (v_x, v_y, _) = scene.position, scene.velocity
    center = (x - v_y / rate, y + v_x / rate)
    r, angle = (x - center[0], y - center[1]), rate * scene.duration
    c, s = math.cos(angle), math.sin(angle)
    return center[0] + c * r[0] - s * r[1], center[1] + s * r[0] + c * r[1]


CUE_BALL = Scene("cue ball", 0.17, 0.028575, 0.2, 0.0, (0, 0, 0.028575), (2.0, 0.3, 0), (40.0, -30.0, 60.0), 1.0)
TURNTABLE = Scene("turntable", 0.2, 0.02, 0.5, 3.0, (0.3, 0.1, 0.02), (0.25, -0.4, 0), (65.0, 27.5, 7.0), 10.0)
SCENES = (CUE_BALL, TURNTABLE)


def measure(engine, variant, scene, step, prepare, rounds=3):
    """Prints a line: least time of the motion alone, and where the ball ends. `prepare()` gives a function that moves."""
    least, place = math.inf, None
    for _ in range(rounds):
        move = prepare()
        start = time.perf_counter()
        place = move()
        least = min(least, time.perf_counter() - start)
    row = dict(engine=engine, variant=variant, scene=scene.name, step=step, seconds=least, place=list(place))
    print(json.dumps(row), flush=True)


def table(path):
    rows = [json.loads(line) for line in open(path) if line.startswith("{")]
    best = {}
    for row in rows:
        key = (row["scene"], row["engine"], row["variant"], row["step"])
        if key not in best or row["seconds"] < best[key]["seconds"]:
            best[key] = row
    for scene in SCENES:
        exact = scene.exact()
        own = best[(scene.name, "carom", "default", None)]["seconds"]
        print(f"\n{scene.name}, {scene.duration:g} s: ball at ({exact[0]:.12g}, {exact[1]:.12g}) m\n")
        print("| engine | variant | step or accuracy | error of the place (m) | time (ms) | over Carom |")
        print("| --- | --- | --- | --- | --- | --- |")
        for (name, engine, variant, step), row in best.items():
            if name == scene.name:
                error = math.dist(row["place"], exact)
                size = "–" if step is None else f"{step:g}"
                print(f"| {engine} | {variant} | {size} | {error:.1e} | {row['seconds'] * 1e3:.3g} "
                      f"| {row['seconds'] / own:.3g} |")
    for (name, _, _, _), row in best.items():
        if all(name != scene.name for scene in SCENES):
            print(f"\n{name}: {row['seconds'] * 1e3:.3g} ms in Carom")


if __name__ == "__main__":
    table(sys.argv[1])
