//! SVG into PNG, with a font that comes along: the picture is the same on every machine.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

/// Why a drawing could not become a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PngError {
    /// The drawing is not valid SVG.
    Svg {
        /// What the parser said.
        message: String,
    },
    /// The picture has no pixels or too many.
    Size {
        /// Width asked for (pixels).
        width: u32,
        /// Height asked for (pixels).
        height: u32,
    },
    /// The picture could not be encoded.
    Encode {
        /// What the encoder said.
        message: String,
    },
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Svg { message } => write!(f, "the drawing is not valid SVG: {message}"),
            Self::Size { width, height } => {
                write!(f, "a picture of {width} × {height} pixels cannot be made")
            }
            Self::Encode { message } => write!(f, "the picture cannot be encoded: {message}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Renders a drawing at `scale` pixels per unit of the drawing.
pub fn to_png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    let options = usvg::Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::new(fonts),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError::Svg {
        message: error.to_string(),
    })?;
    let size = tree.size().to_int_size();
    let width = (size.width() as f32 * scale) as u32;
    let height = (size.height() as f32 * scale) as u32;
    let mut pixels =
        tiny_skia::Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode {
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_leave_ink_without_any_font_on_the_machine() {
        let svg = |text: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" font-family=\"DejaVu Sans\"><text x=\"2\" y=\"15\">{text}</text></svg>"
            )
        };
        let blank = to_png(&svg(""), 1.0).unwrap();
        let written = to_png(&svg("μ_c"), 1.0).unwrap();
        assert_ne!(blank, written);
        assert_eq!(&written[1..4], b"PNG");
    }
}
