"""Drake. It has no coefficient of restitution: a contact is a spring with Hunt-Crossley dissipation.
The dissipation is tuned so that a 1 kg ball at 1 m/s bounces with e, as far as the scheme allows.

Three variants: `lagged` is the default time-stepping plant, `tamsi` its other contact scheme, and
`continuous` the same contact under the default error-controlled integrator; there the step is an
accuracy, 1e-4 by default."""
from functools import lru_cache, partial
from math import pi

from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import PlanarJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

import problem as rod

CONTACT_TIME = {"lagged": 20e-3, "tamsi": 20e-3, "continuous": 2e-3}  # of an undamped 1 kg ball, s
PLASTIC = {"lagged": 100.0, "tamsi": 100.0, "continuous": 1000.0}  # dissipation for e = 0, s/m
SAMPLE = 1e-3  # how often the continuous plant is looked at


@lru_cache(maxsize=4)
def scene(kind, step, mu, dissipation, arm):
    """(simulator, plant) of a planar body; gravity is off. `step` is an accuracy when continuous."""
    builder = DiagramBuilder()
    scheme = dict(time_step=0.0) if kind == "continuous" else \
        dict(time_step=step, discrete_contact_approximation=kind)
    plant, _ = AddMultibodyPlant(MultibodyPlantConfig(contact_model="point", **scheme), builder)
    material = ProximityProperties()
    stiffness = rod.MASS * (pi / CONTACT_TIME[kind]) ** 2
    # The pair's stiffness is half of each side's; its dissipation is the common one.
    AddContactMaterial(material, dissipation=dissipation, point_stiffness=2 * stiffness,
                       friction=CoulombFriction(mu, mu))
    body = plant.AddRigidBody("rod", SpatialInertia(
        rod.MASS, [0, 0, 0], UnitInertia(*(rod.INERTIA / rod.MASS,) * 3)))
    plant.AddJoint(PlanarJoint("plane", plant.world_frame(), body.body_frame(), [0, 0, 0]))
    plant.RegisterCollisionGeometry(body, RigidTransform([*arm, 0]), Sphere(rod.RADIUS), "end", material)
    plant.RegisterCollisionGeometry(
        plant.world_body(), HalfSpace.MakePose([0, 1, 0], [0, 0, 0]), HalfSpace(), "floor", material)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    plant.Finalize()
    simulator = Simulator(builder.Build())
    if kind == "continuous":
        ApplySimulatorConfig(SimulatorConfig(accuracy=step), simulator)
    return simulator, plant


def fly(kind, step, mu, dissipation, arm, v_x, v_y, height):
    simulator, plant = scene(kind, step, mu, dissipation, arm)
    context = simulator.get_mutable_context()
    context.SetTime(0.0)
    here = plant.GetMyMutableContextFromRoot(context)
    plant.SetPositions(here, [0.0, height, 0.0])
    plant.SetVelocities(here, [v_x, v_y, 0.0])
    simulator.Initialize()
    every = SAMPLE if kind == "continuous" else step
    ticks = iter(range(1, 10**9))
    return rod.settle(lambda: simulator.AdvanceTo(next(ticks) * every),
                      lambda: tuple(plant.GetVelocities(here)), step=every)


def ball_bounce(kind, step, dissipation):
    return fly(kind, step, 0.0, dissipation, (0.0, 0.0), 0.0, -1.0, rod.RADIUS + rod.GAPS[0])[1]


@lru_cache
def spring(kind, step, restitution):
    """(dissipation, restitution reached)."""
    dissipation = PLASTIC[kind] if restitution == 0.0 else \
        rod.tune(lambda d: ball_bounce(kind, step, d), restitution, 0.0, 10.0, rounds=30)
    return dissipation, ball_bounce(kind, step, dissipation)


def strike(case, step, gap, kind):
    dissipation, measured = spring(kind, step, case.restitution)
    return *fly(kind, step, case.mu, dissipation, rod.BALL, case.v_x, case.v_y, gap - rod.ARM[1]), measured


if __name__ == "__main__":
    for kind in ("lagged", "tamsi"):
        rod.run(f"drake-{kind}", (("default", 1e-3), ("tenth", 1e-4)), partial(strike, kind=kind))
    rod.run("drake-continuous", (("default", 1e-4), ("tenth", 1e-5)), partial(strike, kind="continuous"))
