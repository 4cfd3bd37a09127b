//! JSON Lines: one problem a line, in a stream of any length.

use std::io::BufRead;

use serde::de::IgnoredAny;

use crate::InputError;
use crate::document::MAX_DOCUMENT;

/// Whether a stream is JSON Lines: its first line that is not blank is a complete JSON value.
pub fn is_json_lines(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| serde_json::from_str::<IgnoredAny>(line).is_ok())
}

/// The lines of a stream with their numbers, from 1; blank lines are passed over.
///
/// A line that is too long or not UTF-8 is an error of its own; the lines after it go on. An error
/// of the stream itself ends it.
pub fn lines<R: BufRead>(name: &str, reader: R) -> Lines<'_, R> {
    Lines {
        name,
        reader,
        number: 0,
        ended: false,
    }
}

/// Iterator of [`lines`].
#[derive(Debug)]
pub struct Lines<'a, R> {
    name: &'a str,
    reader: R,
    number: usize,
    ended: bool,
}

impl<R: BufRead> Lines<'_, R> {
    fn fault(&self, message: String) -> InputError {
        InputError {
            line: Some(self.number),
            column: Some(1),
            ..InputError::whole(self.name, message)
        }
    }

    /// Reads up to the next newline; keeps at most [`MAX_DOCUMENT`] bytes and counts the rest.
    fn read_line(&mut self) -> std::io::Result<Option<(Vec<u8>, usize)>> {
        let (mut kept, mut size) = (Vec::new(), 0);
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                return Ok((size > 0).then_some((kept, size)));
            }
            let newline = chunk.iter().position(|b| *b == b'\n');
            let used = newline.map_or(chunk.len(), |at| at + 1);
            let room = MAX_DOCUMENT.saturating_sub(kept.len()).min(used);
            kept.extend_from_slice(&chunk[..room]);
            size += used;
            self.reader.consume(used);
            if newline.is_some() {
                return Ok(Some((kept, size)));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<'_, R> {
    type Item = (usize, Result<String, InputError>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.number += 1;
            let (kept, size) = match self.read_line() {
                Ok(Some(line)) => line,
                Ok(None) => return None,
                Err(error) => {
                    self.ended = true;
                    let fault = self.fault(format!("the stream cannot be read: {error}"));
                    return Some((self.number, Err(fault)));
                }
            };
            let result = if size > MAX_DOCUMENT {
                Err(self.fault(format!(
                    "the line has {size} bytes, expected at most {MAX_DOCUMENT}"
                )))
            } else {
                String::from_utf8(without_line_end(kept)).map_err(|error| {
                    let at = error.utf8_error().valid_up_to();
                    self.fault(format!("byte {at} of the line is not UTF-8 text"))
                })
            };
            match result {
                Ok(line) if line.trim().is_empty() => {}
                other => return Some((self.number, other)),
            }
        }
        None
    }
}

/// A fault at the end of a line is a fault of that line.
fn without_line_end(mut line: Vec<u8>) -> Vec<u8> {
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_json_lines_when_its_first_line_is_whole() {
        assert!(is_json_lines("\n{\"a\": 1}\n{\"b\""));
        assert!(!is_json_lines("{\n\"a\": 1}\n"));
        assert!(!is_json_lines("mass = [[1]]\n"));
        assert!(!is_json_lines(""));
    }

    #[test]
    fn a_line_that_is_not_text_leaves_the_others_unharmed() {
        let bytes: &[u8] = b"{}\n\n\xff\xfe\n[1]";
        let found: Vec<_> = lines("-", bytes).collect();
        let numbers: Vec<usize> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 3, 4]);
        assert!(found[0].1.is_ok() && found[1].1.is_err());
        assert_eq!(found[2].1.as_deref(), Ok("[1]"));
    }
}
