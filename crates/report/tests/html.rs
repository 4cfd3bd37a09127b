//! The page of a run, read as text.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::impact::{Contact, ImpactProblem, Law, Method, Note, NoteCode, solve};
use carom_report::figure::RunFigure;
use carom_report::{Heading, Part, impact_html, page_html, report_html};
use carom_sim::record::{EndKind, EventRecord, RunRecord};
use common::{ball, contact, empty, hostile, impact, pendulum};
use serde_json::Value;

fn page(record: &RunRecord) -> String {
    report_html(record, &[]).unwrap()
}

/// The numbers embedded in a page.
fn embedded(page: &str) -> Value {
    let start = page.split("<script id=\"data\" type=\"application/json\">");
    let text = start.last().unwrap().split("</script>").next().unwrap();
    serde_json::from_str(text).unwrap()
}

/// What a reader sees and the numbers, without scripts and styles.
fn own(page: &str) -> String {
    let body = page.split("<body>").nth(1).unwrap();
    body.split("\"use strict\"").next().unwrap().to_owned()
}

#[test]
fn a_page_repeats_byte_by_byte() {
    let one = page(&pendulum(300));
    assert!(one == page(&pendulum(300)));
}

#[test]
fn every_event_has_a_row_and_a_place_among_the_numbers() {
    for record in [pendulum(50), hostile(50), ball(50)] {
        let page = page(&record);
        let numbers = embedded(&page);
        assert_eq!(
            numbers["events"].as_array().unwrap().len(),
            record.events.len()
        );
        for event in &record.events {
            let row = format!("<tr data-event=\"{}\">", event.index);
            let rows = page.matches(&row).count();
            assert_eq!(rows, event.contacts.len().max(1), "event {}", event.index);
        }
    }
}

#[test]
fn the_numbers_of_an_event_are_those_of_the_record_to_the_last_bit() {
    let record = pendulum(20);
    let numbers = embedded(&page(&record));
    for (shown, event) in numbers["events"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&record.events)
    {
        let contacts = serde_json::to_value(&event.contacts).unwrap();
        assert_eq!(shown["detail"]["contacts"], contacts);
        assert_eq!(shown["time"].as_f64(), Some(event.time));
    }
}

#[test]
fn names_and_titles_cannot_leave_their_place() {
    let mut record = hostile(30);
    record.title = Some("</title></script><script>alert('\"')</script><!--".to_owned());
    record.events[0].notes.push(Note {
        code: NoteCode::EnergyGain,
        sentence: "</script><b>bold</b>".to_owned(),
    });
    let page = page(&record);
    assert_eq!(page.matches("<script").count(), 4); // colours, data, ours, Plotly
    assert_eq!(page.matches("</script").count(), 4);
    for tag in ["<b>bold", "<script>alert", "<!--", "</text>"] {
        assert!(!own(&page).contains(tag), "{tag}");
    }
    assert!(page.contains("<h1>&lt;/title&gt;&lt;/script&gt;"));
}

#[test]
fn no_number_that_is_none_reaches_the_reader() {
    for record in [hostile(60), empty(), ball(3)] {
        let page = own(&page(&record));
        for word in ["NaN", "Infinity", ">inf", "-inf"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}

#[test]
fn a_page_asks_nobody_for_anything() {
    let page = page(&pendulum(20));
    assert!(page.contains("default-src 'none'"));
    // Plotly's script has addresses of maps nobody draws; the policy forbids them.
    let own = page.split("<script id=\"plotly\"").next().unwrap();
    for tag in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!own.contains(tag), "{tag}");
    }
}

#[test]
fn pages_stay_small_however_long_the_run() {
    const MOST: usize = 10_000_000; // bytes
    assert!(page(&pendulum(1200)).len() < MOST);
    let mut long = pendulum(100_000);
    let hits = (1..=20_000).map(|k| {
        let instant = 6.0 * f64::from(k) / 20_001.0;
        impact(
            k as usize,
            instant,
            vec![contact("hit", (1.0, 0.1), (-1.0, 0.5))],
        )
    });
    long.events = hits.collect();
    let page = page(&long);
    assert!(page.len() < 2 * MOST, "{} bytes", page.len());
    assert!(page.contains("15000 events in the middle are left out"));
}

#[test]
fn the_summary_says_how_a_run_ended_and_what_is_not_unique() {
    let mut record = pendulum(20);
    assert!(own(&page(&record)).contains("Nothing: under these laws"));
    record.end.kind = EndKind::Jammed;
    record.end.reason = "contact hit jams with v = (-1, 0.30000000000000004)".to_owned();
    record.end.end_contacts = vec!["hit".to_owned()];
    let plain = own(&page(&record));
    assert!(plain.contains("Ended early (jammed)"));
    assert!(plain.contains("What follows for hit at"));
    assert!(!plain.contains("Nothing: under these laws"));
    // Told in the summary and beside the events, in short below the motion.
    assert_eq!(plain.matches("jams with v = (−1, 0.3)").count(), 2);
    assert!(plain.contains("s: jammed of hit."));
    record.events[2].notes.push(Note {
        code: NoteCode::ImpulsesNotUnique,
        sentence: String::new(),
    });
    let told = own(&page(&record));
    assert!(told.contains("share an impulse in more than one way"));
    assert!(told.contains("(event 3)"), "which one");
}

#[test]
fn a_run_without_samples_still_has_its_tables() {
    let page = page(&empty());
    assert!(page.contains("Nothing collided"));
    assert!(page.contains("energy at the start"));
    assert!(embedded(&page)["scene"].is_null());
}

/// A particle of 2 kg that falls obliquely on a rough floor.
fn particle(name: &str) -> ImpactProblem {
    ImpactProblem {
        mass: vec![vec![2.0, 0.0], vec![0.0, 2.0]],
        velocity: vec![0.5, -1.0],
        contacts: vec![Contact {
            name: name.to_owned(),
            normal: vec![0.0, 1.0],
            tangent: Some(vec![1.0, 0.0]),
            tangents: None,
            stiffness: 1.0,
            friction: 0.1.into(),
            restitution: 0.5,
            tangential_restitution: None,
        }],
        constraints: Vec::new(),
    }
}

fn impact_page(title: &str, contact: &str) -> String {
    let problem = particle(contact);
    let laws = [Law::Newton, Law::Poisson, Law::Energetic];
    let results = laws.map(|law| solve(&problem, law, Method::Complementarity).unwrap());
    let heading = Heading {
        title: Some(title),
        file: "particle.toml",
        digits: 7,
        angles: &[],
    };
    let left_out = ["whittaker <i>is</i> missing".to_owned()];
    let plane = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let picture = Part::Figure {
        heading: "Impulse plane".to_owned(),
        caption: String::new(),
        svg: plane.to_owned(),
    };
    impact_html(&heading, &problem, &results, &left_out, Some(picture))
}

#[test]
fn the_page_of_an_impact_tells_the_laws_the_phases_and_the_energy() {
    let page = impact_page("Particle", "floor");
    // p_n = m (1 + e) v and p_t = −μ p_n; the loss is that of both works.
    for wanted in [
        "<th scope=\"row\" class=\"word\">p_n (N·s)</th><td>3</td><td>3</td><td>3</td>",
        "<td>−0.3</td>",
        "Compression, slipping along +t:",
        "Greatest compression:",
        "Nothing: each law has one answer",
        "0.8775 J are lost",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert_eq!(page, impact_page("Particle", "floor"));
    assert!(page.len() < 100_000);
}

#[test]
fn nothing_a_file_says_becomes_markup_in_the_page_of_an_impact() {
    let nasty = "</script><img src=x onerror=alert(1)>";
    let page = impact_page(nasty, nasty);
    assert_eq!(page.matches("<script").count(), 1); // the colours
    for tag in ["<img src=x", "<i>is", "<svg"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert_eq!(page.matches("<img").count(), 1, "the plane is an image");
}

#[test]
fn a_page_of_parts_shows_each_part_and_no_markup_of_theirs() {
    let nasty = || "</table><script>alert(1)</script>".to_owned();
    let pair = || (nasty(), nasty());
    let parts = [
        Part::Words {
            heading: nasty(),
            paragraphs: vec![pair()],
        },
        Part::Steps {
            heading: nasty(),
            steps: vec![pair()],
        },
        Part::Table {
            heading: nasty(),
            rows: vec![vec![nasty()], vec![nasty()]],
        },
        Part::Figure {
            heading: nasty(),
            caption: nasty(),
            svg: nasty(),
        },
    ];
    let page = page_html(&nasty(), &nasty(), &parts);
    assert_eq!(page.matches("<section").count(), parts.len());
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</table>").count(), 1);
}

#[test]
fn a_page_reads_of_plotly_what_draws_curves_and_markers() {
    let page = page(&pendulum(20));
    let plotly = page.split("<script id=\"plotly\"").nth(1).unwrap();
    assert!(plotly.contains(".register([])"), "curves and markers only");
}

#[test]
fn a_table_is_whole_up_to_sixty_rows_and_says_how_many_it_has_beyond() {
    let mut record = pendulum(20);
    assert!(!own(&page(&record)).contains("scroll tall"));
    let event = record.events[0].clone();
    record.events.extend(std::iter::repeat_n(event, 70));
    let long = own(&page(&record));
    assert!(long.contains("class=\"scroll tall\""));
    let rows = format!("{} rows: scroll inside the table", record.events.len());
    assert!(long.contains(&rows));
}

#[test]
fn the_stop_of_a_joint_is_told_without_bodies_laws_and_tangents() {
    let mut record = pendulum(20);
    record.events.truncate(1);
    let stop = &mut record.events[0].contacts[0];
    for pair in [
        &mut stop.impulse,
        &mut stop.velocity_before,
        &mut stop.velocity_after,
        &mut stop.work,
    ] {
        pair.tangent = None;
    }
    let numbers = embedded(&page(&record));
    let detail = &numbers["events"][0]["detail"];
    assert_eq!(detail["law"], Value::Null);
    assert_eq!(detail["stops"][0], true);
    let steps = detail["steps"][0].to_string();
    assert!(steps.contains("the stop turns the joint back"), "{steps}");
    for word in ["bodies", "Poisson", "p_t"] {
        assert!(!steps.contains(word), "{word}: {steps}");
    }
}

#[test]
fn curves_that_do_not_show_single_flights_say_so() {
    let mut record = pendulum(2000);
    assert!(!own(&page(&record)).contains("single flights"));
    let note = "fewer than 8 samples between events";
    assert!(!RunFigure::Energy.svg(&record).unwrap().contains(note));
    let step = record.time / 1000.0;
    let event = record.events[0].clone();
    record.events = (1..1000)
        .map(|index| EventRecord {
            index,
            time: step * index as f64,
            ..event.clone()
        })
        .collect();
    assert!(own(&page(&record)).contains("do not show single flights; set run.samples"));
    assert!(RunFigure::Energy.svg(&record).unwrap().contains(note));
}

#[test]
fn round_off_is_zero_to_a_reader_and_stays_in_the_numbers() {
    let mut record = pendulum(20);
    record.events.truncate(1);
    record.events[0].contacts[0].velocity_after.normal = Some(-3.552713678800501e-15);
    let page = page(&record);
    let table = own(&page).split("<script").next().unwrap().to_owned();
    assert!(!table.contains("3.552714e−15"));
    let kept = &embedded(&page)["events"][0]["detail"]["contacts"][0]["velocity_after"]["normal"];
    assert_eq!(kept.as_f64(), Some(-3.552713678800501e-15));
}
