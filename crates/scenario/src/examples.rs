//! Built-in examples: files of the case book, inside the program.

pub use crate::file::{File, Kind};
pub use crate::suggest::find;

/// A built-in example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Name on the command line.
    pub name: &'static str,
    /// What kind of file it is.
    pub kind: Kind,
    /// One line about it.
    pub about: &'static str,
    /// File name it is copied to.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! example {
    ($name:literal, $about:literal) => {
        example!($name, $about, Kind::Problem, "/problem.toml")
    };
    ($name:literal, $about:literal, $kind:expr, $file:literal) => {
        Example {
            name: $name,
            kind: $kind,
            about: $about,
            file: concat!($name, ".toml"),
            text: include_str!(concat!("../../../cases/", $name, $file)),
        }
    };
}

macro_rules! scenario {
    ($name:literal, $about:literal) => {
        example!($name, $about, Kind::Scenario, "/scenario.toml")
    };
}

/// The problems, the one to start with first.
pub const PROBLEMS: &[Example] = &[
    example!(
        "rod",
        "rod striking the ground, sticks in compression; Newton's law creates energy (paper 000)"
    ),
    example!(
        "rod-elastic",
        "the same rod with restitution 1: what each law calls elastic (paper 000)"
    ),
    example!(
        "rod-slide",
        "rod that slides throughout: the three laws agree"
    ),
    example!("rod-reverse", "rod whose slip reverses in compression"),
    example!(
        "double-pendulum",
        "Kane and Levinson's double pendulum: the textbook rule creates 59 % energy"
    ),
    example!(
        "painleve-rod",
        "rod dragged at rest on the floor: an impact without collision"
    ),
    example!(
        "percussion",
        "pendulum struck at its centre of percussion: no pivot impulse"
    ),
    example!(
        "jam",
        "slider of one degree of freedom that jams on a rough stop"
    ),
    example!(
        "disk",
        "spinning disk on a rough floor: central impact, sticks in restitution"
    ),
    example!(
        "ball",
        "particle without friction: the shortest problem there is"
    ),
    example!(
        "three-balls",
        "three equal balls in a row: two contacts close together"
    ),
    example!(
        "cradle-touching",
        "the same balls, one contact after another: only the last leaves"
    ),
    example!(
        "table-three-legs",
        "table on three legs: every impulse is determined"
    ),
    example!(
        "table-four-legs",
        "table on four legs: velocities are determined, the share of each leg is not"
    ),
    example!(
        "two-frames",
        "two hinged frames that meet at three points, with joint impulses (paper 003)"
    ),
    example!(
        "rod-lands-flat",
        "rod landing on both ends at once, with friction"
    ),
];

macro_rules! forward {
    ($name:literal, $about:literal) => {
        example!($name, $about, Kind::Forward, "/forward.toml")
    };
}

/// The forward problems, the one to start with first; the last four are scenarios at their start.
pub const FORWARDS: &[Example] = &[
    forward!(
        "screw-unique",
        "screw that raises a load: one acceleration for every torque"
    ),
    forward!(
        "screw-paradox",
        "the same with too much friction: none, it seizes (paper 002)"
    ),
    forward!("rod-slides", "rod whose tip slides on a floor: one answer"),
    forward!(
        "rod-inconsistent",
        "Painlevé's rod: no answer, an impact without collision"
    ),
    forward!(
        "rod-indeterminate",
        "Painlevé's rod: it slides or it lifts off"
    ),
    forward!(
        "two-joints-several",
        "two joints with friction: two answers, with determinants"
    ),
    forward!(
        "at-rest-three",
        "one joint at rest: it stays, or starts in two ways"
    ),
    forward!("seizure", "one joint in motion that friction stops at once"),
    forward!(
        "at-rest-three-space",
        "one contact at rest in space: it stays, or starts in two ways"
    ),
    scenario!(
        "screw-joint",
        "the screw of paper 002 as a mechanism in space"
    ),
    scenario!(
        "rod-on-floor",
        "Painlevé's rod as a mechanism: a free body whose tip touches"
    ),
    scenario!(
        "slider-in-guide",
        "slider in a rough guide that carries a pendulum"
    ),
    scenario!(
        "rod-on-floor-space",
        "Painlevé's rod in space, its tip sliding aside: no answer"
    ),
];

/// The scenarios, the one to start with first.
pub const SCENARIOS: &[Example] = &[
    scenario!(
        "pendulum-rough",
        "double pendulum on a rough obstacle, ten impacts in six seconds (paper 001)"
    ),
    scenario!(
        "pendulum-smooth",
        "the same without friction, six impacts (paper 001)"
    ),
    scenario!(
        "pendulum-driven",
        "the same with dampers and driving torques in its joints"
    ),
    scenario!("bouncing-ball", "infinitely many impacts in finite time"),
    scenario!(
        "superball",
        "super-ball thrown under a table: its slip comes back, and so does the ball"
    ),
    scenario!(
        "reverse-chatter",
        "rod on a steep slope whose impacts grow out of rest: refused, with the ratio"
    ),
    scenario!(
        "falling-rod",
        "rod dropped on a rough floor: its two ends strike in turn"
    ),
    scenario!(
        "impact-oscillator",
        "driven mass on a spring against a stop, one impact each period"
    ),
    scenario!(
        "vibrating-table",
        "ball on a table whose motion is prescribed, one landing each period"
    ),
    scenario!(
        "hammer",
        "driven hammer with spring, damper and a stop, on an anvil"
    ),
    scenario!(
        "galperin",
        "block, ball and wall: elastic collisions that count the digits of pi"
    ),
    scenario!(
        "newtons-cradle",
        "five pendulums with small gaps, struck by the first"
    ),
    scenario!(
        "four-bar",
        "four-bar linkage, a closed loop, whose rocker strikes a stop"
    ),
    scenario!(
        "slider-crank",
        "flywheel, rod and slider that hits a stop flat, with both ends of its nose at once"
    ),
    scenario!(
        "pendulum-in-space",
        "the smooth double pendulum built in space, the same six impacts (paper 001)"
    ),
    scenario!(
        "spatial-pendulum",
        "double pendulum on a ball joint and a universal joint, against a wall"
    ),
    scenario!(
        "spinning-top",
        "spinning top dropped on its peg: every blow makes it nutate"
    ),
    scenario!(
        "gyroscope",
        "rotor in gimbals that precess until they meet a stop"
    ),
    scenario!(
        "falling-box",
        "box tumbling on a smooth floor, corner by corner"
    ),
    scenario!(
        "tetrahedron",
        "regular tetrahedron tumbling on a smooth floor"
    ),
    scenario!(
        "billiard-throw",
        "billiard ball thrown off the line of centres by friction (space)"
    ),
    scenario!("ball-in-box", "ball between the six walls of a turning box"),
    scenario!(
        "screw-press",
        "driven screw press that strikes a sprung die"
    ),
];

/// Scenarios whose start is a collision, most at several points at once.
pub const COLLISIONS: &[Example] = &[
    scenario!(
        "four-legged-table",
        "table landing on four feet: its velocity is unique, the impulses are not"
    ),
    scenario!(
        "three-legged-table",
        "table landing on three feet: everything is unique"
    ),
    scenario!(
        "rod-landing-flat",
        "rod landing flat on a rough floor: two contacts with friction"
    ),
    scenario!(
        "cradle-in-contact",
        "Newton's cradle with bobs that touch: in sequence against all at once"
    ),
    scenario!(
        "jointed-frames",
        "two frames on hinges that meet at three points given with their normals (paper 003)"
    ),
    scenario!(
        "slider-crank-corners",
        "slider with clearance at the instant it meets a wall with two corners at once"
    ),
    scenario!(
        "four-bar-stop",
        "four-bar linkage at the instant it strikes its stop: what the pins of a loop carry"
    ),
];

/// Scenarios in which contacts stay closed: they rest, slide, stick, roll, and come apart again.
pub const SUSTAINED: &[Example] = &[
    scenario!(
        "ball-on-incline",
        "ball that bounces down a slope in ever shorter leaps, until it slides"
    ),
    scenario!(
        "rocking-block",
        "block that rocks from corner to corner until it stands"
    ),
    scenario!(
        "rimless-wheel",
        "wheel of spokes that rolls down a slope and settles to a gait"
    ),
    scenario!(
        "falling-stick",
        "stick 10° into its fall from upright: its foot sticks, slips forwards, it comes down flat"
    ),
    scenario!(
        "ladder",
        "ladder between a smooth wall and a smooth floor: it leaves the wall"
    ),
    scenario!(
        "stick-slip",
        "block on a belt, held by a spring: it sticks and slips by turns"
    ),
    scenario!(
        "den-hartog",
        "driven mass with dry friction that slides to and fro"
    ),
    scenario!("cue-ball", "billiard ball that slides until it rolls"),
    scenario!(
        "masse",
        "cue ball with side spin: its centre runs a parabola, then it rolls (space)"
    ),
    scenario!(
        "spinning-ball",
        "ball that rolls on while friction against pivoting takes its side spin (space)"
    ),
    scenario!(
        "turntable",
        "ball that rolls in a circle on a turntable (space)"
    ),
    scenario!(
        "tippe-top",
        "top that slides on its round bottom until it stands on its head (space)"
    ),
    scenario!(
        "rattleback",
        "stone that rolls, rocks and turns back, spun in one sense only (space)"
    ),
    scenario!(
        "table-slides",
        "three-legged table that slides and turns to rest (space)"
    ),
    scenario!(
        "box-slides",
        "box that slides and turns to rest on four corners (space)"
    ),
    scenario!(
        "disk-rolls",
        "disk that rolls upright and wobbles without end (space)"
    ),
    scenario!(
        "coin",
        "coin that is spun, slips until it rolls, and nods for ever (space)"
    ),
    scenario!(
        "ball-in-tube",
        "marble that rolls in a vertical tube: it falls and climbs again (space)"
    ),
    scenario!(
        "dice",
        "die that is cast and tumbles to rest on a face (space)"
    ),
    scenario!(
        "box-tumbles",
        "crate thrown over a rough floor: it tumbles, rattles flat, slides and stops (space)"
    ),
    scenario!(
        "table-three-pushed",
        "three-legged table pushed at a corner: it turns about a leg, slides and stops (space)"
    ),
    scenario!(
        "table-four-pushed",
        "four-legged table pushed at a corner: it holds as long as any share of loads can (space)"
    ),
    scenario!(
        "foot-strike",
        "robot leg whose foot strikes rough ground, sticks, slips and lifts off (space)"
    ),
    scenario!(
        "break",
        "billiard break on a rack of three on a rough cloth (space)"
    ),
    scenario!(
        "screwdriver-slips",
        "screwdriver on a tilting plate that slips at the angle of friction (space)"
    ),
    scenario!(
        "woodpecker",
        "woodpecker toy: its sleeve jams on the pole, slips, falls, and the beak strikes"
    ),
    scenario!(
        "slider-crank-clearance",
        "slider with clearance that strikes, chatters and slides between two walls"
    ),
    scenario!(
        "corner",
        "two blocks thrown into a corner, until they lie still"
    ),
    scenario!(
        "pendulum-settles",
        "the rough double pendulum for 20 seconds: through its chatter, to rest (paper 001)"
    ),
];

/// Every example: problems, forward problems, scenarios, those in contact, then collisions of scenarios.
pub fn all() -> impl Iterator<Item = &'static Example> {
    let problems = PROBLEMS.iter().chain(FORWARDS);
    let scenarios = SCENARIOS.iter().chain(SUSTAINED);
    problems.chain(scenarios).chain(COLLISIONS)
}

/// The example of a name, of any kind.
pub fn example(name: &str) -> Option<&'static Example> {
    all().find(|example| example.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_reads_and_has_a_name_of_its_own() {
        for (i, example) in all().enumerate() {
            let (kind, title) = match File::read(example.file, example.text, &[]).unwrap() {
                File::Problem(file) => (Kind::Problem, file.title),
                File::Forward(file) => (Kind::Forward, file.title),
                File::Scenario(file) => (Kind::Scenario, file.title),
            };
            assert_eq!(kind, example.kind, "{}", example.name);
            assert!(title.is_some(), "{}", example.name);
            assert!(all().take(i).all(|other| other.name != example.name));
        }
    }
}
