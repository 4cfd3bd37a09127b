//! Tables and CSV files of runs.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::impact::{Note, NoteCode, Tangential};
use carom_report::{end_sentence, event_table, events_csv, ledger_table, trajectory_csv};
use carom_sim::record::{Accumulation, EndKind, EventKind, EventRecord};
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
    for record in [ball(0), pendulum(0), hostile(0)] {
        for text in [event_table(&record, 40), ledger_table(&record)] {
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "{line}");
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
