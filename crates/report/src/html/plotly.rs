//! Plotly's script, of which a page needs curves and markers.

/// Where its factory starts and where it is handed on, inside a wrapper that a page does not need.
const FACTORY: &str = "\"use strict\";var Plotly=(()=>{";
const HANDED_ON: &str = "window.Plotly = Plotly;";
/// Where it lists the kinds of plots beyond curves and markers.
const KINDS: (&str, &str) = (".register([", "])");

/// Plotly's own script, without the formula script its crate adds.
///
/// A browser reads a function handed to a wrapper twice, and a listed kind of plot (maps, solids)
/// whenever the page opens: without both it needs a fifth of the time.
pub(super) fn script() -> String {
    let both = plotly::Plot::offline_js_sources();
    let start = both.find('>').map_or(0, |end| end + 1);
    let length = both[start..].find("</script>").unwrap_or(0);
    let whole = &both[start..start + length];
    trimmed(whole).unwrap_or_else(|| whole.to_owned())
}

/// The script with its licence, without wrapper and further kinds; none where it is built otherwise.
fn trimmed(whole: &str) -> Option<String> {
    let start = whole.find(FACTORY)?;
    let end = start + whole[start..].rfind(HANDED_ON)?;
    let (licence, _) = whole[..start].split_once("*/")?;
    let own = &whole[start..end];
    let list = own.rfind(KINDS.0)? + KINDS.0.len();
    let rest = list + own[list..].find(KINDS.1)?;
    let is_list = own[list..rest]
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"_$(),".contains(&b));
    is_list.then(|| format!("{licence}*/\n{}{}", &own[..list], &own[rest..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_its_licence_and_neither_wrapper_nor_further_kinds() {
        let script = script();
        assert!(
            script.starts_with("/**\n* plotly.js v"),
            "{}",
            &script[..60]
        );
        assert!(script.contains(".register([])"));
        assert!(!script.contains("function(root, factory)"));
        assert!(script.len() > 3_000_000);
    }

    #[test]
    fn a_script_built_otherwise_is_left_as_it_is() {
        assert_eq!(trimmed("var Plotly = 1;"), None);
    }
}
