"""MuJoCo: soft contacts at a time step. Variants: the default pyramid of friction, the elliptic cone, and the elliptic
cone with stiff contacts (solref of two steps, solimp near one, impratio 10). A table that turns is a large flat box."""

from functools import partial

import mujoco
import rolling

VARIANTS = {
    "pyramid (default)": ("", ""),
    "elliptic": ('cone="elliptic"', ""),
    "elliptic, stiff": ('cone="elliptic" impratio="10"', 'solref="{two} 1" solimp="0.9999 0.9999 0.001"'),
}


def model(scene, step, cone, contact):
    table = "" if scene.table_rate == 0.0 else '<joint name="axle" type="hinge" axis="0 0 1"/>'
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <compiler inertiafromgeom="false"/>
  <option timestep="{step}" gravity="0 0 {-rolling.GRAVITY}" {cone}/>
  <worldbody>
    <body name="table">
      <inertial pos="0 0 0" mass="1e6" diaginertia="1e6 1e6 1e6"/>{table}
      <geom name="top" type="box" size="9 9 1" pos="0 0 -1"/>
    </body>
    <body name="ball" pos="0 0 0">
      <inertial pos="0 0 0" mass="{scene.mass}" diaginertia="{scene.inertia} {scene.inertia} {scene.inertia}"/>
      <freejoint/>
      <geom name="skin" type="sphere" size="{scene.radius}"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="top" geom2="skin" condim="3" friction="{scene.friction} {scene.friction} 0 0 0"
          {contact.format(two=2 * step)}/>
  </contact>
</mujoco>""")


def prepare(scene, step, cone, contact):
    m = model(scene, step, cone, contact)
    data = mujoco.MjData(m)
    data.qpos[-7:] = (*scene.position, 1, 0, 0, 0)
    data.qvel[-6:] = (*scene.velocity, *scene.spin)
    if scene.table_rate != 0.0:
        data.qvel[0] = scene.table_rate

    def move():
        mujoco.mj_step(m, data, nstep=round(scene.duration / step))
        return data.qpos[-7:-5].tolist()

    return move


for scene in rolling.SCENES:
    for variant, (cone, contact) in VARIANTS.items():
        for step in (1e-3, 1e-4):
            rolling.measure("MuJoCo", variant, scene, step, partial(prepare, scene, step, cone, contact))
