//! A small SVG writer: lines, marks, and texts with subscripts.

use std::fmt::Write;

/// Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
pub(super) mod colour {
    pub(crate) const BLACK: &str = "#000000";
    pub(crate) const GREY: &str = "#6b6b6b";
    pub(crate) const LIGHT: &str = "#d9d9d9";
    pub(crate) const PALE: &str = "#a8a8a8";
    pub(crate) const BLUE: &str = "#0072b2";
    pub(crate) const ORANGE: &str = "#d55e00";
    pub(crate) const GREEN: &str = "#009e73";
    pub(crate) const PURPLE: &str = "#aa4499";
    pub(crate) const GOLD: &str = "#e69f00";
    pub(crate) const SKY: &str = "#3a9ad9";
}

/// Which end of a text sits at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Stroke of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    /// Dash pattern; empty: solid.
    pub(super) dash: &'static str,
}

impl Stroke {
    pub(super) fn solid(colour: &'static str, width: f64) -> Self {
        Self {
            colour,
            width,
            dash: "",
        }
    }

    fn attributes(&self) -> String {
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        format!(
            "stroke=\"{}\" stroke-width=\"{}\"{dash}",
            self.colour, self.width
        )
    }
}

/// Fill that marks what stands still; see [`Svg::define_hatch`].
pub(super) const HATCH: &str = "url(#hatch)";

/// Half the length of a dot.
const DOT: f64 = 0.8;

fn list(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.2},{y:.2}"))
        .collect();
    pairs.join(" ")
}

/// A drawing under construction.
#[derive(Debug)]
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
        }
    }

    /// Makes room at the bottom.
    pub(super) fn grow_to(&mut self, height: f64) {
        self.height = self.height.max(height);
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.polyline(&[from, to], stroke, "");
    }

    /// A chain of straight pieces; `extra` goes into the element as it is.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke, extra: &str) {
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\"{extra}/>",
            list(points),
            stroke.attributes()
        );
    }

    /// A line that lifts the pen at points that are no numbers; a point alone is a dot.
    pub(super) fn path(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let mut steps = String::new();
        let pieces = points.split(|(x, y)| !(x.is_finite() && y.is_finite()));
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            let dot = |(x, y): (f64, f64)| [(x - DOT, y), (x + DOT, y)];
            steps.push('M');
            steps.push_str(&match piece {
                [alone] => list(&dot(*alone)),
                piece => list(piece),
            });
        }
        let _ = writeln!(
            self.body,
            "<path d=\"{steps}\" fill=\"none\" {} stroke-linejoin=\"round\"/>",
            stroke.attributes()
        );
    }

    pub(super) fn circle(&mut self, at: (f64, f64), radius: f64, fill: &str, stroke: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            at.0, at.1
        );
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], fill: &str, stroke: &str) {
        let stroke = format!("stroke=\"{stroke}\" stroke-width=\"1.5\"");
        self.filled(points, fill, &stroke);
    }

    /// A closed outline with any stroke.
    pub(super) fn shape(&mut self, points: &[(f64, f64)], fill: &str, stroke: Stroke) {
        let stroke = format!("{} stroke-linejoin=\"round\"", stroke.attributes());
        self.filled(points, fill, &stroke);
    }

    fn filled(&mut self, points: &[(f64, f64)], fill: &str, stroke: &str) {
        let list = list(points);
        let _ = writeln!(
            self.body,
            "<polygon points=\"{list}\" fill=\"{fill}\" {stroke}/>"
        );
    }

    /// Defines the fill [`HATCH`].
    pub(super) fn define_hatch(&mut self) {
        let _ = writeln!(
            self.body,
            "<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0,0V7\" stroke=\"{}\" stroke-width=\"1.2\"/></pattern></defs>",
            colour::GREY
        );
    }

    /// Defines a fill under a name: a tint with a drawing on it, repeated over squares.
    pub(super) fn define_fill(&mut self, name: &str, tint: &str, side: f64, drawing: &str) {
        let _ = writeln!(
            self.body,
            "<defs><pattern id=\"{name}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\"><rect width=\"{side}\" height=\"{side}\" fill=\"{tint}\"/>{drawing}</pattern></defs>"
        );
    }

    /// A text; `_x` sets a subscript and `^x` a superscript of one character. A white halo keeps it
    /// legible over lines.
    pub(super) fn text(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        colour: &str,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
            at.0,
            at.1,
            rich(text, size)
        );
    }

    /// A text turned by 90 degrees, for a vertical axis.
    pub(super) fn vertical_text(&mut self, at: (f64, f64), size: f64, text: &str) {
        let _ = writeln!(
            self.body,
            "<text transform=\"translate({:.2} {:.2}) rotate(-90)\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            at.0,
            at.1,
            colour::BLACK,
            rich(text, size)
        );
    }

    pub(super) fn finish(self, title: &str) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n<title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Escapes a text and turns `_x` and `^x` into raised or lowered small letters; a backslash keeps
/// the letter after it as it is.
fn rich(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let shift = match c {
            '_' => 0.28,
            '^' => -0.38,
            '\\' => {
                let kept = chars.next().unwrap_or('\\');
                out.push_str(&escape(&kept.to_string()));
                continue;
            }
            _ => {
                out.push_str(&escape(&c.to_string()));
                continue;
            }
        };
        let Some(small) = chars.next() else { break };
        let (dy, small_size) = (shift * size, 0.72 * size);
        let small = escape(&small.to_string());
        let _ = write!(
            out,
            "<tspan dy=\"{dy:.2}\" font-size=\"{small_size:.2}\">{small}</tspan><tspan dy=\"{:.2}\" font-size=\"{size}\">\u{200b}</tspan>",
            -dy
        );
    }
    out
}

/// A name as it stands, underscores included, for the texts of a figure.
pub fn literal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '_' | '^' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Width of a text on paper, near enough to lay out a figure (units of the drawing).
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    size * widths(text).map(|(_, width)| width).sum::<f64>()
}

/// Each character of a text with its width (fractions of its size); the marks of subscripts and
/// backslashes have none.
fn widths(text: &str) -> impl Iterator<Item = (char, f64)> {
    let mut is_kept = false;
    text.chars().map(move |c| {
        let is_mark = !is_kept && matches!(c, '\\' | '_' | '^');
        is_kept = is_mark && c == '\\';
        (c, if is_mark { 0.0 } else { width(c) })
    })
}

/// Width of a character of DejaVu Sans (fraction of its size), rounded up within its class.
fn width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | '|' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | ':' | ';' | '/' | '\\' | '-' => 0.42,
        'c' | 's' | 'z' | '_' => 0.56,
        'm' | 'M' | 'W' | '…' | '—' | '%' | '@' => 1.0,
        'w' | '−' | '<' | '>' | '=' | '^' => 0.84,
        c if c.is_ascii_lowercase() || c.is_ascii_digit() => 0.64,
        c if c.is_ascii() => 0.76,
        '·' => 0.33,
        '\u{307}' | '\u{308}' => 0.0, // dots over the letter before
        _ => 0.8,
    }
}

/// The text, cut with an ellipsis where it is wider than the room for it.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut wide = size; // the ellipsis
    let fits = |(_, width): &(char, f64)| {
        wide += size * width;
        wide <= room
    };
    let kept: String = widths(text).take_while(fits).map(|(c, _)| c).collect();
    // A lone mark of a subscript or backslash has nothing to act on.
    let kept = kept.trim_end_matches(['\\', '_', '^', ' ']);
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_break_out_of_the_drawing() {
        let drawn = Svg::new(10.0, 10.0).finish("</title><script>\u{1}");
        assert!(!drawn.contains("<script"));
        assert!(!drawn.contains('\u{1}'));
    }

    #[test]
    fn subscripts_come_back_to_the_base_line() {
        let drawn = rich("p_n", 10.0);
        assert!(drawn.contains("dy=\"2.80\"") && drawn.contains("dy=\"-2.80\""));
    }

    #[test]
    fn a_name_keeps_its_underscores() {
        assert_eq!(rich(&literal("left_arm^2\\"), 10.0), "left_arm^2\\");
    }

    #[test]
    fn a_long_name_is_cut_to_its_room() {
        let cut = fitted(&literal(&"long_name ".repeat(30)), 13.0, 120.0);
        assert!(cut.ends_with('…') && text_width(&cut, 13.0) <= 120.0);
        assert_eq!(fitted("short", 13.0, 120.0), "short");
    }

    #[test]
    fn a_path_lifts_the_pen_where_there_is_no_number() {
        let mut svg = Svg::new(10.0, 10.0);
        let points = [(1.0, 1.0), (2.0, 2.0), (f64::NAN, 0.0), (3.0, 3.0)];
        svg.path(&points, Stroke::solid(colour::BLACK, 1.0));
        assert!(
            svg.finish("")
                .contains("d=\"M1.00,1.00 2.00,2.00M2.20,3.00 3.80,3.00\"")
        );
    }
}
