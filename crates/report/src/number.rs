//! Numbers for people.

/// Writes a number with `digits` significant digits, without trailing zeros, plain or with an
/// exponent, whichever is shorter.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = digits.clamp(1, 17);
    let scientific = format!("{:.*e}", digits - 1, x);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific; // infinities and the like
    };
    let power: i32 = exponent.parse().unwrap_or(0);
    if !(-5..=digits as i32 + 1).contains(&power) {
        return format!("{}e{power}", trim(mantissa));
    }
    let decimals = (digits as i32 - 1 - power).max(0) as usize;
    trim(&format!("{x:.decimals$}")).to_owned()
}

/// The same with an exponent below a hundredth: short in a table whose numbers shrink.
pub(crate) fn brief(x: f64, digits: usize) -> String {
    if x.abs() >= 1e-2 || x == 0.0 {
        return significant(x, digits);
    }
    let scientific = format!("{:.*e}", digits.saturating_sub(1), x);
    match scientific.split_once('e') {
        Some((mantissa, power)) => format!("{}e{power}", trim(mantissa)),
        None => scientific, // infinities and the like
    }
}

/// What is below this part of the scale of its kind is round-off.
const ROUND_OFF: f64 = 1e-12;

/// The number, or zero where it is the round-off of numbers of a scale.
pub(crate) fn zeroed(x: f64, scale: f64) -> f64 {
    if x.abs() <= ROUND_OFF * scale { 0.0 } else { x }
}

fn trim(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_brief() {
        for (x, expected) in [
            (-0.0000481, "-4.81e-5"),
            (0.00920, "9.2e-3"),
            (0.0123, "0.0123"),
            (0.0, "0"),
            (-7.12559, "-7.13"),
        ] {
            assert_eq!(brief(x, 3), expected);
        }
    }

    #[test]
    fn numbers_keep_their_digits_and_lose_their_zeros() {
        for (x, digits, expected) in [
            (0.7681228891803137, 7, "0.7681229"),
            (0.82, 7, "0.82"),
            (-0.0000123456, 3, "-0.0000123"),
            (1.5e-9, 4, "1.5e-9"),
            (123456.0, 3, "1.23e5"),
            (123456.0, 7, "123456"),
            (9.9999999, 4, "10"),
            (-0.0, 4, "0"),
            (1e300, 4, "1e300"),
            (26.49606526, 10, "26.49606526"),
        ] {
            assert_eq!(significant(x, digits), expected);
        }
    }
}
