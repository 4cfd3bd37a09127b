//! Names of users in a page: none of them may end a tag, an attribute or a script.

use serde::Serialize;

/// A text as it stands between tags or in an attribute with double quotes.
///
/// Control characters have no place in a page and become spaces.
pub(super) fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A value as JSON inside a script element; a number that is none is `null`.
///
/// A script ends at `</script` and turns strange at `<!--`: no `<` is left as it is.
pub(super) fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let plain = serde_json::to_string(value)?;
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NASTY: &str = "</script><!-- \"a\" 'b' & \u{2028}\u{1}";

    #[test]
    fn a_name_cannot_leave_its_place_in_the_text() {
        let shown = text(NASTY);
        assert!(!shown.contains(['<', '>', '"', '\'', '\u{1}']), "{shown}");
    }

    #[test]
    fn a_name_in_the_embedded_json_cannot_end_the_script_and_reads_back() {
        let shown = json(&[NASTY]).unwrap_or_default();
        assert!(!shown.contains(['<', '>', '&', '\u{2028}']), "{shown}");
        let back: Vec<String> = serde_json::from_str(&shown).unwrap_or_default();
        assert_eq!(back, [NASTY]);
    }

    #[test]
    fn a_number_that_is_none_becomes_null() {
        let shown = json(&[f64::NAN, f64::INFINITY, 1.5]).unwrap_or_default();
        assert_eq!(shown, "[null,null,1.5]");
    }
}
