//! Comma-separated values as RFC 4180 has them, lines ending in `\n`.

use crate::columns::Column;

/// A table under way.
#[derive(Debug, Default)]
pub(super) struct Csv {
    text: String,
    is_inside_row: bool,
}

impl Csv {
    /// A table with these headers.
    pub(super) fn with_header(names: &[String]) -> Self {
        let mut csv = Self::default();
        names.iter().for_each(|name| csv.words(name));
        csv.end_row();
        csv
    }

    /// A cell of words, quoted where it must be.
    pub(super) fn words(&mut self, words: &str) {
        self.separate();
        let is_plain = !words.contains([',', '"', '\n', '\r']) && words.trim() == words;
        if is_plain {
            self.text.push_str(words);
        } else {
            self.text.push('"');
            self.text.push_str(&words.replace('"', "\"\""));
            self.text.push('"');
        }
    }

    /// A number by the fewest digits that give it back; an empty cell where there is none.
    pub(super) fn number(&mut self, x: Option<f64>) {
        self.separate();
        if let Some(x) = x {
            // A zero has no sign.
            self.text.push_str(&format!("{:?}", x + 0.0));
        }
    }

    pub(super) fn end_row(&mut self) {
        self.text.push('\n');
        self.is_inside_row = false;
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn separate(&mut self) {
        if self.is_inside_row {
            self.text.push(',');
        }
        self.is_inside_row = true;
    }
}

/// Header of a quantity: its name and, where it has one, its unit.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    match unit {
        "" => name.to_owned(),
        unit => format!("{name}_{unit}"),
    }
}

/// Unit of the rate of a quantity, such as `rad_per_s`.
fn per_second(unit: &str) -> String {
    match unit {
        "" => "per_s".to_owned(),
        unit => format!("{unit}_per_s"),
    }
}

/// Header of a rate: that of its coordinate, or of an angular velocity as it is.
pub(super) fn rate_name(column: &Column<'_>, side: &str) -> String {
    let Column {
        joint, name, unit, ..
    } = column;
    let rate = if name.starts_with("omega") {
        ""
    } else {
        "_rate"
    };
    format!("{joint}_{name}{rate}{side}_{}", per_second(unit))
}

/// Names of the axes of a force, as many as it has.
pub(super) fn axes(count: usize) -> impl Iterator<Item = &'static str> {
    ["x", "y", "z"].into_iter().take(count)
}

/// Names of the moments beside a force of so many axes: one in the plane, three in space.
pub(super) fn moment_names(axes: usize) -> impl Iterator<Item = &'static str> {
    let names: &[&str] = match axes {
        3 => &["moment_x", "moment_y", "moment_z"],
        _ => &["moment"],
    };
    names.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_commas_quotes_or_spaces_at_their_ends_are_quoted() {
        let mut csv = Csv::default();
        for words in ["plain", "a,b", "say \"hi\"", " led"] {
            csv.words(words);
        }
        csv.number(Some(1e-30));
        csv.number(None);
        csv.end_row();
        assert_eq!(
            csv.finish(),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\" led\",1e-30,\n"
        );
    }
}
