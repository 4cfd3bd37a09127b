//! Tables and CSV files of runs.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::impact::{Law, Note, NoteCode, Tangential};
use carom_report::{end_sentence, event_table, events_csv, ledger_table, trajectory_csv};
use carom_sim::record::{
    Accumulation, AssemblyRecord, EndKind, EventKind, EventRecord, MovedRecord, RunRecord,
};
use common::{ball, contact, empty, hostile, impact, pendulum};

#[test]
fn the_table_of_events_reads_like_this() {
    let mut record = pendulum(10);
    record.events.truncate(2);
    let more = contact("hit.1", (0.5, 0.0), (-0.25, 0.2));
    record.events[1].contacts.push(more);
    let expected = "\
#         time  contact  type                        p_n      p_t        v_n (m/s)      energy
           (s)                                     (N s)    (N s)  before -> after  change (J)
1  0.951997774  hit      non_sliding_compression  25.496  -2.3476      -5.1 -> 4.6          -2
2   1.90399555  hit      non_sliding_compression  24.496  -2.3476      -5.1 -> 4.6          -2
                hit.1    non_sliding_compression     0.5        0     -0.25 -> 0.2
";
    assert_eq!(event_table(&record, 20), expected);
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    // Names as long as lines take twenty characters more.
    for (record, width) in [(ball(0), 100), (pendulum(0), 100), (hostile(0), 120)] {
        for text in [event_table(&record, 40), ledger_table(&record)] {
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{line}");
                assert_eq!(line, line.trim_end());
            }
        }
    }
}

#[test]
fn a_long_run_shows_its_first_and_last_events() {
    let mut record = empty();
    assert_eq!(event_table(&record, 10), "no events\n");
    let event = |k: usize| impact(k, k as f64, vec![contact("hit", (1.0, 0.0), (-1.0, 1.0))]);
    record.events = (1..=100_000).map(event).collect();
    let table = event_table(&record, 10);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 2 + 10 + 1);
    assert_eq!(lines[7], "… 99990 more (--rows N shows N events)");
    assert!(
        lines[6].starts_with("     5 ") && lines[8].starts_with(" 99996 "),
        "{table}"
    );
    assert!(event_table(&record, 0).contains("… 99998 more"));
}

#[test]
fn an_event_of_the_user_has_its_kind() {
    let table = event_table(&hostile(0), 40);
    assert!(table.lines().any(|line| line.contains("user")), "{table}");
}

#[test]
fn the_ledger_lists_the_works_that_were_done() {
    let mut record = empty();
    assert!(ledger_table(&record).ends_with("closes exactly\n"));
    record.ledger.as_mut().unwrap().entries.start = 12.5;
    record.ledger.as_mut().unwrap().entries.end = 9.25;
    record.ledger.as_mut().unwrap().entries.impacts_normal = -3.25;
    record.ledger.as_mut().unwrap().residual = 1.5e-14;
    record.ledger.as_mut().unwrap().entries.largest = 12.5;
    let expected = "\
energy at the start           12.5 J
work of the normal impulses  -3.25 J
energy at the end             9.25 J
residual 1.5e-14 J, 1.2e-15 of the largest energy met: the ledger closes to round-off
";
    assert_eq!(ledger_table(&record), expected);
    record.ledger.as_mut().unwrap().residual = 1e-6;
    assert!(ledger_table(&record).ends_with("does not close\n"));
}

#[test]
fn the_end_is_a_sentence() {
    let mut record = empty();
    let said = end_sentence(&record);
    assert_eq!(said, "ended at 6 s: the time asked for was reached.");
    record.end.kind = EndKind::Jammed;
    record.end.reason = "no finite impulse ends the impact of hit.".to_owned();
    record.time = 1.25;
    let said = end_sentence(&record);
    let expected =
        "ended early (jammed) at 1.25 s of 6 s: no finite impulse ends the impact of hit.";
    assert_eq!(said, expected);
}

#[test]
fn impacts_that_pile_up_end_with_their_limit_to_the_digit_in_doubt() {
    let mut record = empty();
    record.end.kind = EndKind::Accumulates;
    record.end.end_contacts = vec!["hit".to_owned()];
    record.time = 4.063632214;
    let mut say = |limit: f64, bound: f64| {
        record.end.accumulation = Some(Accumulation {
            interval: 2.0142e-5,
            ratio: 0.8,
            limit,
            bound,
        });
        end_sentence(&record)
    };
    let said = say(4.063712768871287, 9.8e-9);
    let expected = "ended early (accumulates) at 4.063632214 s of 6 s: the impacts of hit pile up \
        towards 4.063712769 s (give or take 1e-8 s, as estimated); the last interval was 0.0000201 s, \
        the ratio of intervals 0.8.";
    assert_eq!(said, expected);
    for bound in [0.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(say(4.06, bound).contains("towards 4."), "{bound}");
    }
}

#[test]
fn remarks_stand_once_below_the_table_with_their_events() {
    let mut record = pendulum(10);
    let note = |sentence: &str| Note {
        code: NoteCode::EnergyGain,
        sentence: sentence.to_owned(),
    };
    record.events[1].notes = vec![note("the law creates energy"), note("again")];
    record.events[3].notes = vec![note("elsewhere")];
    let table = event_table(&record, 20);
    let last = table.lines().last().unwrap();
    assert_eq!(last, "note at # 2, 4; the first: the law creates energy");
    record.events[0].notes = vec![note(&"very long words ".repeat(20))];
    let table = event_table(&record, 20);
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
}

#[test]
fn an_event_of_the_user_shows_its_guard() {
    let mut record = empty();
    let mut event = impact(1, 0.5, Vec::new());
    event.kind = EventKind::User;
    event.guard = Some("heel strike".to_owned());
    record.events = vec![event];
    let table = event_table(&record, 20);
    assert!(table.contains("0.5  heel strike  user"), "{table}");
    let rows = parse(&events_csv(&record));
    assert_eq!(column(&rows, "guard"), ["heel strike"]);
}

#[test]
fn the_gap_of_an_angle_is_in_radians() {
    let mut record = pendulum(3);
    let trajectory = record.trajectory.as_mut().unwrap();
    trajectory
        .gap_units
        .insert("hit".to_owned(), "rad".to_owned());
    let rows = parse(&trajectory_csv(&record).unwrap());
    assert_eq!(column(&rows, "hit_gap_rad").len(), 3);
    let table = event_table(&record, 20);
    let last = table.lines().last().unwrap();
    assert_eq!(last, "about an axis, p_n in N m s and v_n in rad/s: hit");
}

/// A reader of CSV, quotes and line breaks in them included.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(row.is_empty() && cell.is_empty(), "the last line must end");
    rows
}

/// The column under a header.
fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let k = rows[0].iter().position(|cell| cell == name);
    let k = k.unwrap_or_else(|| panic!("no column {name} in {:?}", rows[0]));
    rows[1..].iter().map(|row| row[k].clone()).collect()
}

fn bits(cells: &[String]) -> Vec<u64> {
    let numbers = cells.iter().map(|cell| cell.parse::<f64>().unwrap());
    numbers.map(f64::to_bits).collect()
}

#[test]
fn the_trajectory_file_gives_back_the_same_bits() {
    let record = pendulum(400);
    let rows = parse(&trajectory_csv(&record).unwrap());
    assert_eq!(rows.len(), 401);
    let trajectory = record.trajectory.as_ref().unwrap();
    let expected = [
        ("time_s", &trajectory.time),
        ("O_angle_rad", &trajectory.coordinates["O"][0]),
        ("A_angle_rate_rad_per_s", &trajectory.rates["A"][0]),
        ("kinetic_J", &trajectory.kinetic),
        ("O_force_x_N", &trajectory.reactions["O"].force[0]),
        ("A_force_y_N", &trajectory.reactions["A"].force[1]),
        (
            "O_moment_Nm",
            trajectory.reactions["O"].moment.plane().unwrap(),
        ),
        ("hit_gap_m", &trajectory.gaps["hit"]),
    ];
    for (name, list) in expected {
        let list: Vec<u64> = list.iter().map(|x| x.to_bits()).collect();
        assert_eq!(bits(&column(&rows, name)), list, "{name}");
    }
    assert_eq!(trajectory_csv(&empty()), None);
}

#[test]
fn the_events_file_has_a_row_per_event_and_contact() {
    let mut record = pendulum(10);
    let extra = contact("hit,1", (0.5, 0.0), (-0.25, 0.2));
    record.events[2].contacts.push(extra);
    let rows = parse(&events_csv(&record));
    assert_eq!(rows.len(), 1 + record.events.len() + 1);
    assert_eq!(column(&rows, "contact")[3], "hit,1");
    assert_eq!(column(&rows, "index")[2..4], ["3", "3"]);
    let times: Vec<u64> = record.events.iter().map(|e| e.time.to_bits()).collect();
    let mut found = bits(&column(&rows, "time_s"));
    found.dedup();
    assert_eq!(found, times);
    let event: &EventRecord = &record.events[0];
    let cell = |name: &str| bits(&column(&rows, name)[..1])[0];
    assert_eq!(
        cell("p_n_Ns"),
        event.contacts[0].impulse.normal.unwrap().to_bits()
    );
    assert_eq!(
        cell("joint_O_force_y_Ns"),
        event.joint_impulses["O"].force[1].to_bits()
    );
    let before = event.rates_before["A"][0].to_bits();
    assert_eq!(cell("A_angle_rate_before_rad_per_s"), before);
    assert_eq!(
        cell("energy_change_J"),
        event.energy_change.unwrap().to_bits()
    );
}

#[test]
fn hostile_names_and_missing_values_keep_every_row_whole() {
    let record = hostile(30);
    for text in [events_csv(&record), trajectory_csv(&record).unwrap()] {
        let rows = parse(&text);
        assert!(rows.iter().all(|row| row.len() == rows[0].len()));
        assert!(rows.len() > 5);
    }
    assert_eq!(events_csv(&record), events_csv(&hostile(30)));
}

#[test]
fn an_impact_in_space_tells_its_tangent_impulse_with_its_sign_and_its_direction() {
    let mut record = pendulum(10);
    record.events.truncate(2);
    for (event, p_t) in record.events.iter_mut().zip([-2.5, 1.5]) {
        let contact = &mut event.contacts[0];
        let along = |x: f64| Some(Tangential::Space([0.6 * x, 0.8 * x]));
        contact.impulse.tangent = along(p_t);
        contact.velocity_before.tangent = along(-0.3);
        contact.velocity_after.tangent = along(0.7);
    }
    let told = event_table(&record, 20);
    assert!(
        told.contains("  -2.5  ") && told.contains("  1.5  "),
        "{told}"
    );
    assert!(
        told.contains("p_t is along (t1, t2) = (0.6, 0.8)"),
        "{told}"
    );
    let after = &mut record.events[0].contacts[0].velocity_after;
    after.tangent = Some(Tangential::Space([0.7, 0.0]));
    let told = event_table(&record, 20);
    assert!(told.contains("|p_t|") && told.contains("  2.5  "), "{told}");
}

#[test]
fn a_zero_of_a_file_has_no_sign() {
    let mut record = pendulum(10);
    record.events[0].contacts[0].impulse.tangent = Some(Tangential::Plane(-0.0));
    let rows = parse(&events_csv(&record));
    assert_eq!(column(&rows, "p_t_Ns")[0], "0.0");
}

/// The record of a ball whose contact is closed from the start and after its impact.
fn in_contact() -> RunRecord {
    let mut record = pendulum(10);
    record.events.truncate(2);
    record.modes_at_start = common::list([("hit", "slide+".to_owned())]);
    record.events[0].modes_after = common::list([("hit", "stick".to_owned())]);
    record.events[1].modes_after = common::list([("hit", "open".to_owned())]);
    record
}

#[test]
fn the_table_says_what_is_closed_at_the_start_and_what_stays_closed() {
    let table = event_table(&in_contact(), 20);
    let lines: Vec<&str> = table.lines().collect();
    let words = |k: usize| lines[k].split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(0)[3..6], ["type", "then", "p_n"]);
    assert_eq!(words(2), ["0", "hit", "start", "slide+"]);
    assert_eq!(words(3)[2..5], ["hit", "non_sliding_compression", "stick"]);
    assert_eq!(words(4)[2..5], ["hit", "non_sliding_compression", "open"]);
    let said = table.split("then: ").nth(1).unwrap();
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let legend = "what the contact does next; stick: stays closed, no slip; slide+: stays closed, slips \
                  along +t";
    assert_eq!(said, legend);
}

#[test]
fn a_contact_that_an_impact_elsewhere_opens_has_a_line() {
    let mut record = in_contact();
    record.modes_at_start = common::list([("foot", "stick".to_owned())]);
    let opened = [("hit", "stick".to_owned()), ("foot", "open".to_owned())];
    record.events[0].modes_after = common::list(opened);
    let table = event_table(&record, 20);
    let lines: Vec<&str> = table.lines().collect();
    let words: Vec<&str> = lines[4].split_whitespace().collect();
    assert_eq!(words, ["foot", "open"], "{table}");
    assert_eq!(table.matches("foot").count(), 2, "{table}");
}

#[test]
fn a_run_without_events_says_what_rests() {
    let mut record = empty();
    record.modes_at_start = common::list([("foot", "stick".to_owned())]);
    let table = event_table(&record, 20);
    assert!(table.starts_with("no events\n"), "{table}");
    assert!(
        table.contains("closed from the start: foot stick"),
        "{table}"
    );
}

#[test]
fn names_of_ordinary_length_are_never_cut() {
    let mut record = in_contact();
    let name = "small-floor.1";
    for event in &mut record.events {
        event.contacts[0].name = name.to_owned();
        event.contacts[0].impulse.normal = Some(-0.000048123);
        event.contacts[0].velocity_before.normal = Some(-0.000048123);
        event.contacts[0].velocity_after.normal = Some(0.000019234);
    }
    let table = event_table(&record, 20);
    assert_eq!(table.matches(name).count(), 2, "{table}");
    assert!(table.contains("-4.81e-5 -> 1.92e-5"), "{table}");
}

#[test]
fn a_contact_without_friction_is_called_so_whatever_its_slip_does() {
    let mut record = pendulum(10);
    let event = &mut record.events[0];
    let problem = serde_json::json!({
        "mass": [[1.0]], "velocity": [-1.0], "constraints": [], "law": "newton", "method": "complementarity",
        "contacts": [{"name": "hit", "normal": [1.0], "tangent": [0.0], "friction": {"static": 0.0, "kinetic": 0.0},
                      "restitution": 0.5}],
    });
    event.problem = Some(serde_json::from_value(problem).unwrap());
    let table = event_table(&record, 20);
    let first = table.lines().nth(2).unwrap();
    assert!(first.contains("  frictionless  "), "{first}");
    assert_eq!(
        column(&parse(&events_csv(&record)), "type")[0],
        "non_sliding_compression"
    );
}

#[test]
fn shares_of_forces_and_a_start_that_was_moved_are_told() {
    let mut record = empty();
    record.shared_forces = vec!["a".to_owned(), "b".to_owned()];
    record.assembly = Some(AssemblyRecord {
        joint: "B".to_owned(),
        residual: -0.00125,
        unit: "m".to_owned(),
        moved: Some(MovedRecord {
            joint: "A".to_owned(),
            coordinate: "angle".to_owned(),
            change: 0.0025,
            unit: "rad".to_owned(),
        }),
    });
    let table = event_table(&record, 20);
    let said: String = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        said,
        "no events start: joint B was off by -0.00125 m; the loops were closed, and angle of A changed \
         most, by 0.0025 rad while closed, a, b share their forces in more than one way: the motion is \
         unique, the share is not"
    );
}

#[test]
fn friction_that_gives_energy_is_explained_by_its_law() {
    let mut record = pendulum(10);
    record.ledger.as_mut().unwrap().entries.impacts_friction = 0.5;
    record.ledger.as_mut().unwrap().entries.largest = 10.0;
    assert!(!ledger_table(&record).contains("friction gives"));
    for event in record.events.iter_mut().skip(1) {
        event.law = Some(Law::Moreau);
        event.contacts[0].work.tangent = Some(Tangential::Plane(0.1));
    }
    let more = record.events.len() - 2;
    let said = ledger_table(&record);
    let expected = format!("friction gives energy in impact # 2 and {more} more: moreau takes");
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn impacts_that_grow_out_of_rest_do_not_lead_anywhere() {
    let mut record = empty();
    record.end.kind = EndKind::NoAnswer;
    record.end.accumulation = Some(Accumulation {
        interval: 0.000821,
        ratio: 1.53225,
        limit: -0.00022,
        bound: 0.0008,
    });
    let said = end_sentence(&record);
    assert!(said.contains("grow out of rest (reverse chatter): each interval is 1.53225"));
    assert!(!said.contains("towards"), "{said}");
}

#[test]
fn a_residual_is_judged_by_energies_and_then_by_the_terms_of_the_sums() {
    let mut record = empty();
    let ledger = record.ledger.as_mut().unwrap();
    (ledger.residual, ledger.entries.largest) = (1e-9, 1.0);
    assert!(ledger_table(&record).ends_with("does not close\n"));
    record.ledger.as_mut().unwrap().entries.scale = 1e3;
    assert!(ledger_table(&record).ends_with("does not close\n"));
    record.ledger.as_mut().unwrap().entries.scale = 1e6;
    let said = ledger_table(&record);
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.ends_with("1e-9 of the largest energy met: the ledger closes to round-off of the terms its works are sums of"),
        "{said}"
    );
}
