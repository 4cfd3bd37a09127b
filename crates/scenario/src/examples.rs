//! Built-in examples: problem files of the case book, inside the program.

/// A built-in example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// File name it is copied to.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! example {
    ($name:literal, $about:literal) => {
        Example {
            name: $name,
            about: $about,
            file: concat!($name, ".toml"),
            text: include_str!(concat!("../../../cases/", $name, "/problem.toml")),
        }
    };
}

/// Every example, the one to start with first.
pub const EXAMPLES: &[Example] = &[
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
];

/// The example of a name.
pub fn example(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_reads_and_has_a_name_of_its_own() {
        for (i, example) in EXAMPLES.iter().enumerate() {
            let file = crate::read_problem(example.file, example.text, &[]);
            assert!(file.is_ok(), "{}: {}", example.name, file.unwrap_err());
            assert!(file.unwrap().title.is_some(), "{}", example.name);
            assert!(EXAMPLES[..i].iter().all(|other| other.name != example.name));
        }
    }
}
