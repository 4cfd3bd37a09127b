//! Counts against the force, and regions, as tables.

use std::collections::BTreeMap;

use carom_contact::forward::counts::LineCounts;
use carom_contact::forward::graph::CountDiagram;
use carom_contact::forward::map::RegionMap;

use crate::number::significant;
use crate::table::columns;

fn count(count: Option<usize>) -> String {
    count.map_or("∞".to_owned(), |n| n.to_string())
}

/// Where the rows of a diagram lie: at a break, or somewhere between two.
fn places(breaks: &[f64], rows: &[(f64, bool)], digits: usize) -> Vec<String> {
    let number = |x: f64| significant(x, digits);
    let (Some(first), Some(last)) = (breaks.first(), breaks.last()) else {
        return vec!["any".to_owned(); rows.len()];
    };
    let place = |(at, is_break): &(f64, bool)| match is_break {
        true => number(*at),
        false if at < first => format!("below {}", number(*first)),
        false if at > last => format!("above {}", number(*last)),
        false => "between".to_owned(),
    };
    rows.iter().map(place).collect()
}

/// How many answers each force has, for each velocity.
pub fn count_table(diagram: &CountDiagram, digits: usize) -> String {
    let at: Vec<(f64, bool)> = diagram.rows.iter().map(|r| (r.force, r.at_break)).collect();
    let head = ["force", "moving +", "at rest", "moving -"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (place, row) in places(&diagram.breaks, &at, digits)
        .into_iter()
        .zip(&diagram.rows)
    {
        rows.push(vec![
            place,
            count(row.moving_plus),
            count(row.at_rest),
            count(row.moving_minus),
        ]);
    }
    text(&columns(&rows))
}

/// How many answers there are along a line of forces.
pub fn line_count_table(counts: &LineCounts, direction: &[f64], digits: usize) -> String {
    let list: Vec<String> = direction.iter().map(|x| significant(*x, digits)).collect();
    let at: Vec<(f64, bool)> = counts.rows.iter().map(|r| (r.at, r.at_break)).collect();
    let mut rows = vec![vec!["t".to_owned(), "answers".to_owned()]];
    for (place, row) in places(&counts.breaks, &at, digits)
        .into_iter()
        .zip(&counts.rows)
    {
        rows.push(vec![place, count(row.count)]);
    }
    let head = format!("force given + t ({})\n", list.join(", "));
    format!("{head}{}", text(&columns(&rows)))
}

/// How much of a map each label covers, and the extent of each boundary.
pub fn map_table(map: &RegionMap, names: [&str; 2], digits: usize) -> String {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for label in map.labels.iter().flatten() {
        *found.entry(label).or_default() += 1;
    }
    let total: usize = found.values().sum();
    let mut rows = vec![vec!["region".to_owned(), "part of the map".to_owned()]];
    for (label, cells) in found {
        let part = 100.0 * cells as f64 / total.max(1) as f64;
        rows.push(vec![
            label.to_owned(),
            format!("{} %", significant(part, 3)),
        ]);
    }
    let mut lines = columns(&rows);
    if !map.boundaries.is_empty() {
        let head = ["boundary", names[0], names[1], "pieces"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for boundary in &map.boundaries {
            let extent = |axis: usize| {
                let ends = boundary.segments.iter().flatten().map(|p| p[axis]);
                let low = ends.clone().fold(f64::INFINITY, f64::min);
                let high = ends.fold(f64::NEG_INFINITY, f64::max);
                format!(
                    "{} to {}",
                    significant(low, digits),
                    significant(high, digits)
                )
            };
            rows.push(vec![
                boundary.between.join(" | "),
                extent(0),
                extent(1),
                boundary.segments.len().to_string(),
            ]);
        }
        lines.push(String::new());
        lines.extend(columns(&rows));
    }
    text(&lines)
}

fn text(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
