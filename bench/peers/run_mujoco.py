"""MuJoCo. It has no coefficient of restitution: a contact is a mass-normalised spring and damper
(`solref`, negative form). The damping is tuned so that a 1 kg ball at 1 m/s bounces with e.

Two variants: `shared` leaves friction with the contact's own `solref`, the default; `stiff` gives
friction its own (`solreffriction`), which takes all slip away in one step where the cone allows."""
import sys
from functools import lru_cache, partial
from math import pi

import mujoco

import problem as rod

CONTACT_STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 10  # length of an undamped contact


def model(step, mu, stiffness, damping, arm, friction=""):
    """Planar body (two slides, one hinge about -y, so that +omega is counter-clockwise in x-z)."""
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <compiler autolimits="true" inertiafromgeom="false"/>
  <option timestep="{step}" gravity="0 0 0" cone="elliptic" iterations="200" tolerance="0"
          ls_iterations="100"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="rod">
      <inertial pos="0 0 0" mass="{rod.MASS}" diaginertia="{rod.INERTIA} {rod.INERTIA} {rod.INERTIA}"/>
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <joint type="hinge" axis="0 -1 0"/>
      <geom name="end" type="sphere" size="{rod.RADIUS}" pos="{arm[0]} 0 {arm[1]}"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="end" condim="3" friction="{mu} {mu} 0 0 0" margin="0" gap="0"
          solref="{-stiffness} {-damping}" solimp="0.9999 0.9999 0.001" {friction}/>
  </contact>
</mujoco>""")


def fly(m, v_x, v_y, height, step):
    """Starts the centre at `height` with (v_x, v_y, 0) and returns the velocity after the impact."""
    data = mujoco.MjData(m)
    data.qpos[:] = (0.0, height, 0.0)
    data.qvel[:] = (v_x, v_y, 0.0)
    return rod.settle(lambda: mujoco.mj_step(m, data), lambda: tuple(data.qvel), step=step)


def ball_bounce(step, stiffness, damping):
    m = model(step, 0.0, stiffness, damping, (0.0, rod.RADIUS))
    return fly(m, 0.0, -1.0, rod.GAPS[0], step)[1]


@lru_cache
def spring(step, restitution):
    """(stiffness, damping, restitution reached). Plastic: all approach is gone in one step."""
    stiffness = (pi / (CONTACT_STEPS * step)) ** 2
    if restitution == 0.0:
        stiffness, damping = 1e-9, 1.0 / step
    else:
        damping = rod.tune(lambda d: ball_bounce(step, stiffness, d), restitution, 0.0, 1.0 / step)
        damping = max(damping, 1e-9)
    return stiffness, damping, ball_bounce(step, stiffness, damping)


def strike(case, step, gap, friction):
    stiffness, damping, measured = spring(step, case.restitution)
    m = model(step, case.mu, stiffness, damping, rod.BALL, friction.format(damping=-1 / step))
    return *fly(m, case.v_x, case.v_y, gap - rod.ARM[1], step), measured


if __name__ == "__main__":
    steps = (("default", 2e-3), ("tenth", 2e-4))
    rod.run("mujoco-shared", steps, partial(strike, friction=""))
    rod.run("mujoco-stiff", steps, partial(strike, friction='solreffriction="-1e-9 {damping}"'))
