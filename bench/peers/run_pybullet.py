"""PyBullet. Restitution and friction are products over the pair: the floor carries 1 and 1.

Two variants: `default` keeps contacts at a distance and penetration recovery, `tuned` turns both off."""
from functools import lru_cache, partial

import pybullet as bullet

import problem as rod


def fly(v_x, v_y, mu, restitution, step, gap, arm, height, tuned):
    """Starts the centre `height` + gap above the floor and returns (v_x, v_y, omega) after."""
    bullet.resetSimulation()
    bullet.setGravity(0, 0, 0)
    bullet.setTimeStep(step)
    bullet.setPhysicsEngineParameter(
        numSolverIterations=1000, solverResidualThreshold=0, restitutionVelocityThreshold=0,
        contactSlop=0, enableConeFriction=1)
    if tuned:
        bullet.setPhysicsEngineParameter(contactBreakingThreshold=1e-9, contactERP=0, erp=0)
    floor = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
    ball = bullet.createCollisionShape(
        bullet.GEOM_SPHERE, radius=rod.RADIUS, collisionFramePosition=(arm[0], 0, arm[1]))
    body = bullet.createMultiBody(rod.MASS, ball, basePosition=(0, 0, height + gap))
    common = dict(rollingFriction=0, spinningFriction=0, linearDamping=0, angularDamping=0)
    bullet.changeDynamics(floor, -1, lateralFriction=1, restitution=1, **common)
    bullet.changeDynamics(
        body, -1, lateralFriction=mu, restitution=restitution, mass=rod.MASS,
        localInertiaDiagonal=(rod.INERTIA,) * 3, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        **common)
    bullet.resetBaseVelocity(body, (v_x, 0, v_y), (0, 0, 0))

    def state():
        (v_x, _, v_y), (_, spin, _) = bullet.getBaseVelocity(body)
        return v_x, v_y, -spin  # x to z is clockwise about +y

    return rod.settle(bullet.stepSimulation, state, step=step)


@lru_cache
def ball_bounce(restitution, step, tuned):
    return fly(0, -1, 0, restitution, step, rod.GAPS[0], (0, 0), rod.RADIUS, tuned)[1]


def strike(case, step, gap, tuned):
    measured = ball_bounce(case.restitution, step, tuned)
    after = fly(case.v_x, case.v_y, case.mu, case.restitution, step, gap, rod.BALL, -rod.ARM[1], tuned)
    return *after, measured


if __name__ == "__main__":
    bullet.connect(bullet.DIRECT)
    steps = (("default", 1 / 240), ("tenth", 1 / 2400))
    rod.run("pybullet-default", steps, partial(strike, tuned=False))
    rod.run("pybullet-tuned", steps, partial(strike, tuned=True))
