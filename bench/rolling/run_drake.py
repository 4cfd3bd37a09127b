"""Drake: compliant point contact. Variants: the discrete schemes SAP and lagged at a time step, and the continuous plant
under the error-controlled integrator, where the step is an accuracy."""

from functools import partial

import rolling
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

VARIANTS = {"SAP": "sap", "lagged": "lagged", "continuous": "continuous"}
STEPS = {"sap": (1e-3, 1e-4), "lagged": (1e-3, 1e-4), "continuous": (1e-3, 1e-4)}
LEFT_OUT = {("turntable", "lagged", 1e-4), ("turntable", "continuous", 1e-4)}
"""The first slides off with these contacts, the second takes a quarter of a minute and gains nothing."""


def prepare(scene, step, kind):
    builder = DiagramBuilder()
    scheme = dict(time_step=0.0) if kind == "continuous" else dict(time_step=step, discrete_contact_approximation=kind)
    config = MultibodyPlantConfig(contact_model="point", stiction_tolerance=1e-4, **scheme)
    plant, _ = AddMultibodyPlant(config, builder)
    material = ProximityProperties()
    AddContactMaterial(material, dissipation=1.0, point_stiffness=1e6,
                       friction=CoulombFriction(scene.friction, scene.friction))
    ball = plant.AddRigidBody("ball", SpatialInertia(
        scene.mass, [0, 0, 0], UnitInertia(*(scene.inertia / scene.mass,) * 3)))
    plant.RegisterCollisionGeometry(ball, RigidTransform(), Sphere(scene.radius), "skin", material)
    table = plant.AddRigidBody("table", SpatialInertia(1e6, [0, 0, 0], UnitInertia(1, 1, 1)))
    if scene.table_rate == 0.0:
        plant.WeldFrames(plant.world_frame(), table.body_frame())
    else:
        axle = plant.AddJoint(RevoluteJoint("axle", plant.world_frame(), table.body_frame(), [0, 0, 1]))
    plant.RegisterCollisionGeometry(table, RigidTransform(), HalfSpace(), "top", material)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -rolling.GRAVITY])
    plant.Finalize()
    simulator = Simulator(builder.Build())
    if kind == "continuous":
        ApplySimulatorConfig(SimulatorConfig(accuracy=step), simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetFreeBodyPose(context, ball, RigidTransform(scene.position))
    plant.SetFreeBodySpatialVelocity(context, ball, SpatialVelocity(scene.spin, scene.velocity))
    if scene.table_rate != 0.0:
        axle.set_angular_rate(context, scene.table_rate)
    simulator.Initialize()

    def move():
        simulator.AdvanceTo(scene.duration)
        return plant.EvalBodyPoseInWorld(context, ball).translation()[:2].tolist()

    return move


for scene in rolling.SCENES:
    for variant, kind in VARIANTS.items():
        for step in STEPS[kind]:
            if (scene.name, kind, step) in LEFT_OUT:
                continue
            rolling.measure("Drake", variant, scene, step, partial(prepare, scene, step, kind), rounds=2)
