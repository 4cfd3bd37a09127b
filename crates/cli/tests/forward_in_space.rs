//! `carom forward` on contacts in space, as a user runs it.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_support::cases::{cases, numbers};
use carom_support::near::assert_all_near;
use common::{carom, carom_with, folder};
use serde_json::{Value, json};

/// The rows of the Cholesky factor of a 3 × 3 matrix, by rows.
fn factor(w: &[f64]) -> [[f64; 3]; 3] {
    let mut l = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            l[i][j] = match i == j {
                true => (w[3 * i + i] - known).sqrt(),
                false => (w[3 * i + j] - known) / l[j][j],
            };
        }
    }
    l
}

/// The answer with the normal load nearest to one wanted.
fn nearest(result: &Value, load: f64) -> Value {
    let answers = result["answers"].as_array().unwrap();
    let miss = |one: &&Value| (one["normal_load"][0].as_f64().unwrap() - load).abs();
    let nearest = answers.iter().min_by(|a, b| miss(a).total_cmp(&miss(b)));
    nearest.unwrap().clone()
}

#[test]
fn every_case_of_the_book_is_answered_in_contact_space_and_in_coordinates() {
    let book = cases("spatial-forward-reference");
    let (mut lines, mut compared) = (String::new(), 0);
    for case in &book {
        let (w, drift) = (&case["W"], &case["drift"]);
        let mu = &case["friction"];
        let stated = json!({"delassus": w, "drift": drift, "contacts": [{"friction": mu}]});
        let [n, t_1, t_2] = factor(&numbers(w));
        let contact = json!({"normal": n, "tangents": [t_1, t_2], "drift": drift, "friction": mu});
        let unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let whole = json!({"inertia": unit, "force": [0, 0, 0], "contacts": [contact]});
        lines.push_str(&format!("{stated}\n{whole}\n"));
    }
    let ran = carom_with(&["forward", "-", "--json"], lines.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let results = ran.json_lines();
    assert_eq!(results.len(), 2 * book.len());
    for (case, results) in book.iter().zip(results.chunks(2)) {
        let wanted = case["expected"]["answers"].as_array().unwrap();
        let [n, t_1, t_2] = factor(&numbers(&case["W"]));
        for (result, is_whole) in results.iter().zip([false, true]) {
            assert_eq!(result["count"], wanted.len(), "{}", case["id"]);
            for key in [
                "unique_for_every_force",
                "friction_margin",
                "degree",
                "resolution",
            ] {
                assert!(result[key].is_null(), "{key}");
            }
            for wanted in wanted {
                let force = numbers(&wanted["force"]);
                let found = nearest(result, force[0]);
                let along = numbers(&found["friction_force"][0]);
                let own = [
                    found["normal_load"][0].as_f64().unwrap(),
                    along[0],
                    along[1],
                ];
                assert_all_near("force", &own, &force, 1e-11);
                let moved = numbers(&found["contact_acceleration"][0]);
                assert_all_near(
                    "acceleration",
                    &moved,
                    &numbers(&wanted["acceleration"]),
                    1e-11,
                );
                let mode = found["mode"][0].as_str().unwrap();
                assert_eq!(wanted["mode"], mode.replace("lift-off", "lift").as_str());
                assert_eq!(found.get("acceleration").is_some(), is_whole);
                if is_whole {
                    let sum = |c: usize| n[c] * force[0] + t_1[c] * force[1] + t_2[c] * force[2];
                    let all = numbers(&found["acceleration"]);
                    assert_all_near("q̈ = Jᵀλ", &all, &[sum(0), sum(1), sum(2)], 1e-11);
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn the_table_says_what_is_found_and_what_is_proved() {
    let ran = carom(&["forward", "--example", "at-rest-three-space"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in [
        "3 accelerations are consistent with friction",
        "mode contact 0                      onset       onset     stick",
        "way of the onset               attracting   repelling         -",
        "normal load contact 0           0.8445912    1.419928      1.65",
        "one answer for every force surely with friction below 0.3333333",
        "sliding some way can be inconsistent with friction above 0.6859943",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let ran = carom(&["forward", "--example", "rod-on-floor-space"]);
    for said in [
        "no acceleration is consistent with friction",
        "slide             +  λ_n >= 0",
        "not unique for every force",
        "sliding, pressing pulls the contact down: p = -0.4736",
        "what follows: an impact without collision (poisson)",
        "normal impulse 0.3031862; friction impulse (0.4043121, -0.075)",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let ran = carom(&["forward", "--example", "box-slides"]);
    for said in [
        "a continuum of accelerations is consistent",
        "continuum (slide slide slide slide)",
        "of equally stiff contacts it is",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let ran = carom(&["check", "--example", "at-rest-three-space"]);
    assert!(
        ran.out
            .contains("ok, forward problem in contact space with 1 contact"),
        "{}",
        ran.out
    );
}

#[test]
fn contacts_in_space_have_maps_and_a_reason_where_there_is_no_picture() {
    let folder = folder("forward-in-space");
    let file = folder.join("a.svg").to_string_lossy().into_owned();
    let three = ["forward", "--example", "at-rest-three-space"];
    for more in [&["--plot", &file][..], &["--diagram"]] {
        let ran = carom(&[&three[..], more].concat());
        assert_eq!(ran.code, 2);
        for said in ["not offered for contacts in space", "--map", "--json"] {
            assert!(ran.err.contains(said), "{said}: {}", ran.err);
        }
    }
    let map = ["--map", "contacts[0].friction=0.2:1.4:9,drift[2]=-4:4:9"];
    let ran = carom(&[&three[..], &map, &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let labels = ran.json()["labels"].to_string();
    for label in ["stick", "onset", "indeterminate"] {
        assert!(
            labels.contains(&format!("\"{label}\"")),
            "{label}: {labels}"
        );
    }
    let ran = carom(&[&three[..], &map, &["--plot", &file]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));
}

#[test]
fn several_contacts_at_rest_leave_the_count_open_and_say_so() {
    let w: Vec<Vec<f64>> = (0..6)
        .map(|i| {
            (0..6)
                .map(|j| {
                    if i == j {
                        1.0
                    } else {
                        0.3 * f64::from(u8::from(i / 3 != j / 3))
                    }
                })
                .collect()
        })
        .collect();
    let of = |mu: f64| {
        let problem = json!({"delassus": w, "drift": [-1, 0.4, 0.3, -1, -0.5, 0.2], "contacts": [{"friction": mu}, {"friction": mu}]});
        let ran = carom_with(
            &["forward", "-", "--json"],
            format!("{problem}\n").as_bytes(),
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json_lines().remove(0)
    };
    let open = of(0.9);
    assert!(open["count"].is_null() && open["is_complete"] == false);
    assert!(!open["answers"].as_array().unwrap().is_empty());
    assert_eq!(open["notes"][0]["code"], "others_not_excluded");
    assert!(open["condition"]["uniqueness_bound"].as_f64().unwrap() > 0.5);
    let sure = of(0.1);
    assert_eq!(
        (&sure["count"], &sure["notes"][0]["code"]),
        (&1.into(), &"unique_by_bound".into())
    );
    assert!(sure["condition"]["uniqueness_bound"].as_f64().unwrap() < 1.0);
}
