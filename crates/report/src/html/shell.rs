//! What every page starts and ends with.

use super::escape::text;

const STYLE: &str = include_str!("page.css");
const THEME: &str = include_str!("theme.js");
/// Nothing is loaded from anywhere: not even a mistake could ask the network.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:";

pub(super) const END: &str = "</body>\n</html>\n";

/// Everything up to the body.
pub(super) fn head(title: &str) -> String {
    let title = text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title} – Carom</title>\n<style>\n{STYLE}</style>\n<script>\n{THEME}</script>\n\
         </head>\n<body>\n"
    )
}

/// Title, a line below it, and the choice of colours. Both are escaped already.
pub(super) fn header(title: &str, sub: &str) -> String {
    format!(
        "<header>\n<div><h1>{title}</h1><p class=\"sub\">{sub}</p></div>\n\
         <button type=\"button\" id=\"theme\" aria-label=\"Colours: automatic, light or dark\">\
         Colours: auto</button>\n</header>\n"
    )
}
