//! Laws and methods that a collision does not have.

use carom_contact::impact::{Law, Method};
use serde::Serialize;

/// A law that the problem does not have by a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The law.
    pub law: Law,
    /// The method.
    pub method: Method,
    /// Why.
    pub reason: String,
}

/// What is left out, for people: of one method every reason once, of several one line.
pub(crate) fn lines(left_out: &[LeftOut]) -> String {
    let groups: Vec<&[LeftOut]> = left_out.chunk_by(|a, b| a.method == b.method).collect();
    match groups[..] {
        [] => String::new(),
        [one] => reasons(one)
            .map(|said| format!("left out: {said}\n"))
            .collect(),
        _ => {
            let methods: Vec<String> = groups.iter().map(|group| method(group)).collect();
            format!(
                "left out: {} (--method with --law says why)\n",
                methods.join("; ")
            )
        }
    }
}

/// The same for a page: every reason once, with the methods and laws it is about.
pub(crate) fn sentences(left_out: &[LeftOut]) -> Vec<String> {
    let groups = left_out.chunk_by(|a, b| a.method == b.method);
    let said = groups.flat_map(|group| {
        let name = group[0].method.name();
        reasons(group).map(move |reason| format!("{name}: {reason}"))
    });
    said.collect()
}

/// The reasons, each once.
fn reasons(left_out: &[LeftOut]) -> impl Iterator<Item = &str> {
    let told = |i: &usize| {
        !left_out[..*i]
            .iter()
            .any(|l| l.reason == left_out[*i].reason)
    };
    let first = (0..left_out.len()).filter(told);
    first.map(|i| &left_out[i].reason[..])
}

fn method(group: &[LeftOut]) -> String {
    let laws: Vec<&str> = group.iter().map(|left| left.law.name()).collect();
    format!("{} with {}", group[0].method.name(), laws.join(", "))
}
