//! Numbers in sentences.

use crate::number::significant;

/// Numbers of more significant digits than this are shortened in a sentence.
const MOST_DIGITS: usize = 10;
const DIGITS: usize = 7;
/// A number written to the last digit and below this is the round-off of a sum.
const ROUND_OFF: f64 = 1e-12;

/// A sentence whose long numbers are shortened; those that are round-off are 0.
pub(crate) fn shortened(sentence: &str) -> String {
    rewritten(sentence, |number| {
        let mantissa = number.split(['e', 'E']).next().unwrap_or(number);
        let digits = mantissa.chars().filter(char::is_ascii_digit).count();
        match number.parse::<f64>() {
            Ok(0.0) => "0".to_owned(),
            Ok(x) if digits > MOST_DIGITS && x.abs() < ROUND_OFF => "0".to_owned(),
            Ok(x) if digits > MOST_DIGITS => significant(x, DIGITS),
            _ => number.to_owned(),
        }
    })
}

/// A sentence with the sign of minus before its numbers; hyphens between words stay.
pub(crate) fn with_minus(sentence: &str) -> String {
    rewritten(sentence, |number| number.replace('-', "−"))
}

/// The sentence with each of its numbers written anew.
fn rewritten(sentence: &str, written: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(sentence.len());
    let mut rest = sentence;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        // A number inside a name, such as hit.0 or q2, is part of the name.
        let is_free = !(before.is_alphanumeric() || matches!(before, '_' | '.' | '-'));
        let length = if is_free { number_length(rest) } else { 0 };
        let (head, tail) = rest.split_at(length.max(c.len_utf8()));
        match length {
            0 => out.push(c),
            _ => out.push_str(&written(head)),
        }
        before = head.chars().last().unwrap_or(' ');
        rest = tail;
    }
    out
}

/// Bytes of the decimal number a text starts with; none where a name goes on after it.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(end);
    if whole == 0 {
        return 0;
    }
    end += whole;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if bytes.get(end) == Some(&b'e') {
        let sign = usize::from(bytes.get(end + 1) == Some(&b'-'));
        let power = digits(end + 1 + sign);
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    match bytes.get(end) {
        Some(b) if b.is_ascii_alphanumeric() || *b == b'_' => 0,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_get_the_sign_of_minus() {
        let said = "closes to round-off: residual -9.7e-11 J, v = (-1, 0, 0), hit-1, x-2";
        let shown = "closes to round-off: residual −9.7e−11 J, v = (−1, 0, 0), hit-1, x-2";
        assert_eq!(with_minus(said), shown);
    }

    #[test]
    fn a_sentence_keeps_seven_digits_and_no_round_off() {
        let said =
            "with v = (-0.9768486755787188, 1.2246467991473532e-16, -0) at hit.1, 2.5e-13 of it";
        let shown = "with v = (-0.9768487, 0, 0) at hit.1, 2.5e-13 of it";
        assert_eq!(shortened(said), shown);
    }

    #[test]
    fn names_and_letters_of_any_script_stay_as_they_are() {
        let said = "contact Stoß-12345678901234.5x and µ2 – 𝛼";
        assert_eq!(with_minus(&shortened(said)), said);
    }
}
