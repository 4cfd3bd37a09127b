//! What a user sees of contacts that stay closed: tables, files, figures, page.
#![allow(clippy::unwrap_used)]

use carom::examples::example;
use carom::figure::{RunFigure, series};
use carom::sim::record::RunRecord;
use carom::{RunFiles, read_scenario, run_files, run_table, simulate};

fn ran(name: &str) -> RunRecord {
    let text = example(name).unwrap().text;
    simulate(&read_scenario("t.toml", text, &[]).unwrap()).unwrap()
}

fn file(record: &RunRecord, name: &str) -> String {
    let what = RunFiles {
        figures: vec![RunFigure::Contacts],
        impulse_planes: false,
        png: false,
        planes: 0,
        report: true,
    };
    let mut files = run_files(record, what).map(Result::unwrap);
    let found = files.find(|file| file.name == name).unwrap();
    String::from_utf8(found.bytes.to_vec()).unwrap()
}

#[test]
fn the_table_tells_transitions_with_the_mode_after_and_the_work_of_friction() {
    let table = run_table(&ran("stick-slip"), 40);
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.contains("  belt  "))
        .collect();
    assert!(rows[0].ends_with("start  stick"), "{}", rows[0]);
    assert!(rows[1].ends_with("slip   slide-"), "{}", rows[1]);
    assert!(rows[2].ends_with("stick  stick"), "{}", rows[2]);
    assert!(
        table.contains("work of friction in closed contacts  -"),
        "{table}"
    );
}

#[test]
fn the_table_tells_where_impacts_accumulate_and_within_what() {
    let table = run_table(&ran("bouncing-ball"), 6);
    assert!(table.contains("accumulation  closed"), "{table}");
    assert!(table.contains("  frictionless  open "), "{table}");
    let said = table.split("accumulation # 53: ").nth(1).unwrap();
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.starts_with("the impacts of bounce pile up towards 4.06371276887"));
    assert!(said.contains("give or take"), "{said}");
    assert!(table.contains("change in impacts left out"), "{table}");
}

#[test]
fn modes_last_from_event_to_event_and_leave_no_gap() {
    let record = ran("stick-slip");
    let spans = series::mode_spans(&record, "belt");
    let instants: Vec<f64> = record.events.iter().map(|event| event.time).collect();
    let starts: Vec<f64> = spans.iter().skip(1).map(|span| span.from).collect();
    assert_eq!(starts, instants);
    assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from));
    let modes: Vec<&str> = spans.iter().take(3).map(|span| span.mode).collect();
    assert_eq!(modes, ["stick", "slide-", "stick"]);
    assert_eq!((spans[0].from, spans.last().unwrap().to), (0.0, 40.0));
    // The block weighs 1 N; friction stays in its cone.
    let pressed = series::normal_force(&record, "belt");
    assert!(pressed.iter().all(|(_, f)| (f - 1.0).abs() < 1e-12));
    let rubbed = series::friction_force(&record, "belt").into_iter();
    let most = rubbed.fold(0.0f64, |most, (_, f)| most.max(f));
    assert!((most - 0.4).abs() < 1e-9, "{most}");
}

#[test]
fn the_figure_of_contacts_has_a_row_of_bars_for_each_and_none_where_nothing_stays_closed() {
    let svg = RunFigure::Contacts.svg(&ran("woodpecker")).unwrap();
    for word in [
        "lower",
        "stick",
        "slide+",
        "normal force (N)",
        "friction (N)",
    ] {
        assert!(svg.contains(word), "{word}");
    }
    assert_eq!(RunFigure::Contacts.svg(&ran("galperin")), None);
}

#[test]
fn files_and_page_hold_forces_and_modes_of_closed_contacts() {
    let record = ran("cue-ball");
    let csv = file(&record, "trajectory.csv");
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let (force, mode) = (place("cloth_f_t_N"), place("cloth_mode"));
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    let weight = 0.17 * 9.81;
    assert!((first[force].parse::<f64>().unwrap() + 0.2 * weight).abs() < 1e-12);
    assert_eq!(first[mode], "slide+");
    let last: Vec<&str> = lines.last().unwrap().split(',').collect();
    assert_eq!(last[mode], "stick");
    let page = file(&record, "report.html");
    for words in [
        "Nothing collided. Beside that: 1 start of sticking.",
        "friction in closed contacts took",
        "Normal forces of closed contacts",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn the_reaction_of_a_joint_includes_what_its_contacts_carry() {
    // Hanging on its joint the resting pendulum would pull with its weight; the obstacle carries a part.
    let record = ran("pendulum-settles");
    let trajectory = record.trajectory.as_ref().unwrap();
    let last = trajectory.time.len() - 1;
    let up = trajectory.reactions["O"].force[1][last];
    let along = trajectory.reactions["O"].force[0][last];
    let floor = &trajectory.contact_forces["hit"];
    let weight = (3.2 + 3.8) * 9.81;
    assert!((up + floor.normal[last] - weight).abs() < 1e-9 * weight);
    assert!((along + floor.tangent[last]).abs() < 1e-9 * weight);
    assert!(floor.normal[last] > 1.0);
}
