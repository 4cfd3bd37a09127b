//! Where answers go: standard output, standard error, files that are not overwritten by accident.

use std::io::Write;
use std::path::PathBuf;

use carom::InputError;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::exit::Failure;

/// How answers are shown, by every command.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Show {
    /// Print JSON on standard output and nothing else
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print less: no tables, proofs or remarks; faults are still told
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// Writes a text to standard output.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes one JSON value on a line of its own.
pub(crate) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = json(value)?;
    text.push('\n');
    say(&text)
}

/// A value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Failure> {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Unsigned);
    let written = value.serialize(&mut serializer);
    written.map_err(|error| Failure::Said(error.to_string()))?;
    String::from_utf8(out).map_err(|error| Failure::Said(error.to_string()))
}

/// JSON in which no zero has a sign.
struct Unsigned;

impl Formatter for Unsigned {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, x: f64) -> std::io::Result<()> {
        CompactFormatter.write_f64(writer, x + 0.0) // −0 + 0 = 0
    }
}

/// `{"error": {…}}`, one line of a stream.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorLine<'a> {
    pub(crate) error: &'a InputError,
}

/// The same for a file among several: it also names the file.
#[derive(Debug, Serialize)]
struct FileError<'a> {
    error: Named<'a>,
}

/// See [`FileError`].
#[derive(Debug, Serialize)]
struct Named<'a> {
    #[serde(flatten)]
    fault: &'a InputError,
    file: &'a str,
}

/// Tells what is wrong with an input: for people on standard error, and as JSON where that is asked
/// for.
pub(crate) fn tell(fault: &InputError, show: Show) -> Result<(), Failure> {
    if show.json {
        let file = &fault.file;
        let error = Named { fault, file };
        say_json(&FileError { error })?;
    }
    complain(&fault.render());
    Ok(())
}

/// Tells why a command could not run, likewise.
pub(crate) fn tell_failure(failure: &Failure, show: Show) -> Result<(), Failure> {
    match failure {
        Failure::Input(fault) => return tell(fault, show),
        Failure::Closed => {}
        Failure::Said(message) => {
            if show.json {
                say_json(&serde_json::json!({ "error": { "message": message } }))?;
            }
            complain(&failure.to_string());
        }
    }
    Ok(())
}

/// Writes a complaint to standard error; a closed standard error is nobody's loss.
pub(crate) fn complain(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end());
    }
}

/// Refuses a file that exists, unless overwriting is asked for.
pub(crate) fn refuse_existing(path: &str, force: bool) -> Result<(), Failure> {
    if !force && std::path::Path::new(path).exists() {
        return Err(Failure::Said(format!(
            "{path} exists already: choose another name, or --force to overwrite it"
        )));
    }
    Ok(())
}

/// Writes a file; one that exists is refused unless `force`.
///
/// It is written aside and renamed: a disk that fills up leaves no half of it, and what was there before stays.
pub(crate) fn write_file(path: &str, bytes: &[u8], force: bool) -> Result<(), Failure> {
    refuse_existing(path, force)?;
    let cannot =
        |error: std::io::Error| Failure::Said(format!("{path} cannot be written: {error}"));
    // What a link leads to is written, not the link.
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    if place.exists() && !place.is_file() {
        return std::fs::write(&place, bytes).map_err(cannot); // a pipe or a device
    }
    let mut aside = place.as_os_str().to_owned();
    aside.push(".part");
    let written = std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, &place));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&aside);
        cannot(error)
    })
}
