//! Pictures of collisions: which impulses they show.

use carom_contact::impact::ImpactResult;
use carom_report::figure::{self, Blow, Push};
use carom_scenario::{InputError, ProblemFile};
use carom_sim::record::{PlaceRecord, RunRecord};

use crate::Answer;

/// Which result is drawn, in words; where none ends, what became of the first.
pub(crate) fn told(results: &[&ImpactResult], shown: Option<usize>) -> String {
    let named = |r: &ImpactResult| match r.contacts.len() {
        1 => r.law.to_string(),
        _ => format!("{} by {}", r.law, r.method.name()),
    };
    match (shown.map(|i| results[i]), results.first()) {
        (Some(result), _) => named(result),
        (None, Some(first)) => format!("{}: {}, no impulses", named(first), first.outcome.name()),
        (None, None) => "no impulses".to_owned(),
    }
}

/// A point or vector of the plane or of space; z is 0 in the plane.
pub(crate) fn three(x: &[f64]) -> [f64; 3] {
    std::array::from_fn(|k| x.get(k).copied().unwrap_or(0.0))
}

/// The bodies at event `number` (from 1) of a run with the impulses of its contacts as arrows, by the
/// first result of an answer that ends; none where the record has no scene.
pub fn event_svg(
    file: &ProblemFile,
    text: &str,
    number: usize,
    answer: &Answer,
) -> Result<Option<String>, InputError> {
    let refuse = |message: String| InputError::whole(file.name(), message);
    let record: RunRecord =
        serde_json::from_str(text).map_err(|error| refuse(format!("no run: {error}")))?;
    let Some(place) = number.checked_sub(1).filter(|k| *k < record.events.len()) else {
        return Err(refuse(format!("event {number} does not exist")));
    };
    let results: Vec<&ImpactResult> = answer.results.iter().collect();
    let shown = results.iter().position(|r| r.velocity.is_some());
    let places = &record.events[place].places;
    let push = |(name, at): (&String, &PlaceRecord)| Push {
        name: name.clone(),
        point: three(&at.point),
        impulse: shown.map_or([0.0; 3], |i| impulse(results[i], name, at)),
        ties: Vec::new(),
    };
    let pushes: Vec<Push> = places.iter().map(push).collect();
    let told = told(&results, shown);
    let title = file.title.as_deref().unwrap_or(file.name());
    let blow = Blow {
        pushes: &pushes,
        told: &told,
        hinges: &[],
        event: Some(place),
        description: &format!("{title}: {told}"),
    };
    Ok(figure::collision_svg(&record, &blow))
}

/// The impulse of a contact in world axes (N·s); zero where the impact has no end.
fn impulse(result: &ImpactResult, name: &str, at: &PlaceRecord) -> [f64; 3] {
    let contact = result.contacts.iter().find(|c| c.name == name);
    let impulse = contact.and_then(|contact| at.impulse(contact));
    impulse.map_or([0.0; 3], |impulse| three(&impulse))
}
