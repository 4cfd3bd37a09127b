//! Where problems come from: files, standard input, built-in examples.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, stdin};

use carom::{InputError, Override};
use clap::Args;

use crate::exit::Failure;

/// Largest single document read into memory; the library refuses larger ones too.
const MAX_BYTES: u64 = (64 << 20) + 1;

/// Inputs every command shares.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files: TOML, JSON, or JSON Lines (.jsonl); `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    /// A built-in example (`carom examples` lists them)
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,

    /// Override a value, as in contacts.0.friction=0.5 or joints.O.start.rate=2 (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
}

/// One input, opened.
pub(crate) enum Input {
    /// A single document.
    Document {
        /// Name to show.
        name: String,
        /// Its text, or why there is none.
        text: Result<String, InputError>,
    },
    /// A stream of problems, one a line.
    Lines {
        /// Name to show.
        name: String,
        /// The stream.
        reader: Box<dyn BufRead>,
    },
}

impl Inputs {
    /// The overrides, read.
    pub(crate) fn overrides(&self) -> Result<Vec<Override>, Failure> {
        let parsed = self.overrides.iter().map(|typed| Override::parse(typed));
        Ok(parsed.collect::<Result<_, _>>()?)
    }

    /// How many inputs there are.
    pub(crate) fn count(&self) -> usize {
        self.files.len() + self.example.len()
    }

    /// Opens the inputs one after another: files first, then examples.
    pub(crate) fn open(&self) -> Result<impl Iterator<Item = Input> + '_, Failure> {
        if self.count() == 0 {
            let hint = "nothing given: name a file, `-` for standard input, or an example with --example \
                        (`carom examples` lists them)";
            return Err(Failure::Said(hint.to_owned()));
        }
        if self.files.iter().filter(|name| *name == "-").count() > 1 {
            let once = "standard input (-) can be read once only";
            return Err(Failure::Said(once.to_owned()));
        }
        let files = self.files.iter().map(|name| match name.as_str() {
            "-" => open_stream(),
            name => open_file(name),
        });
        let examples = self.example.iter().map(|name| open_example(name));
        Ok(files.chain(examples))
    }
}

fn open_example(name: &str) -> Input {
    match carom::examples::find(name) {
        Ok(example) => Input::Document {
            name: example.file.to_owned(),
            text: Ok(example.text.to_owned()),
        },
        Err(message) => Input::Document {
            name: name.to_owned(),
            text: Err(InputError::whole(&format!("--example {name}"), message)),
        },
    }
}

fn open_file(name: &str) -> Input {
    let unreadable = |error: std::io::Error| {
        let text = Err(InputError::whole(name, format!("cannot be read: {error}")));
        Input::Document {
            name: name.to_owned(),
            text,
        }
    };
    let file = match File::open(name) {
        Ok(file) => file,
        Err(error) => return unreadable(error),
    };
    if name.ends_with(".jsonl") || name.ends_with(".ndjson") {
        return Input::Lines {
            name: name.to_owned(),
            reader: Box::new(BufReader::new(file)),
        };
    }
    let mut bytes = Vec::new();
    match file.take(MAX_BYTES).read_to_end(&mut bytes) {
        Ok(_) => document(name, bytes),
        Err(error) => unreadable(error),
    }
}

/// Standard input: JSON Lines when its first line is a complete JSON value, else one document.
fn open_stream() -> Input {
    let mut reader = BufReader::new(stdin());
    let mut first = Vec::new();
    let read = first_line(&mut reader, &mut first);
    if let Err(error) = read {
        let text = Err(InputError::whole("-", format!("cannot be read: {error}")));
        return Input::Document {
            name: "-".to_owned(),
            text,
        };
    }
    let is_lines = std::str::from_utf8(&first).is_ok_and(carom::is_json_lines);
    if is_lines {
        return Input::Lines {
            name: "-".to_owned(),
            reader: Box::new(Cursor::new(first).chain(reader)),
        };
    }
    let room = MAX_BYTES.saturating_sub(first.len() as u64);
    match reader.take(room).read_to_end(&mut first) {
        Ok(_) => document("-", first),
        Err(error) => Input::Document {
            name: "-".to_owned(),
            text: Err(InputError::whole("-", format!("cannot be read: {error}"))),
        },
    }
}

/// Reads up to and with the first line that is not blank.
fn first_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let start = bytes.len();
        let room = MAX_BYTES.saturating_sub(start as u64);
        let count = reader.by_ref().take(room).read_until(b'\n', bytes)?;
        if count == 0 || bytes[start..].iter().any(|b| !b.is_ascii_whitespace()) {
            return Ok(());
        }
    }
}

/// A stream without a line is a question without a problem.
pub(crate) fn no_problem(name: &str) -> InputError {
    InputError::whole(
        name,
        "the stream is empty, expected one problem in JSON a line",
    )
}

fn document(name: &str, bytes: Vec<u8>) -> Input {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        InputError::whole(name, format!("byte {at} is not UTF-8 text"))
    });
    Input::Document {
        name: name.to_owned(),
        text,
    }
}
