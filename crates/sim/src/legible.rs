//! Lengths and angles in messages.

/// A number as a person writes it: plain where its size is ordinary, with an exponent elsewhere.
pub(crate) fn legible(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x); // six digits
    match (1e-4..1e6).contains(&x.abs()) || x == 0.0 {
        true => rounded.to_string(),
        false => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_ordinary_size_have_no_exponent() {
        let told = [-1.04, 0.0, 0.1 + 0.2, 1.25e-9, 3e7, f64::NAN].map(legible);
        assert_eq!(told, ["-1.04", "0", "0.3", "1.25e-9", "3e7", "NaN"]);
    }
}
