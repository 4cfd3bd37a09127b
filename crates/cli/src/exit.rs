//! How a command ends.

use carom::InputError;

/// Exit codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done, whatever the physics answered.
    Done,
    /// 1: done, but some line failed or a check failed.
    SomeFailed,
    /// 2: could not run.
    CouldNotRun,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::from(0),
            Exit::SomeFailed => Self::from(1),
            Exit::CouldNotRun => Self::from(2),
        }
    }
}

/// Why a command could not run.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is wrong with an input.
    Input(InputError),
    /// Standard output is closed: nobody reads any more. Not a fault.
    Closed,
    /// Anything else, said in one sentence.
    Said(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(error) => f.write_str(&error.render()),
            Self::Closed => Ok(()),
            Self::Said(sentence) => write!(f, "error: {sentence}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Said(error.to_string()),
        }
    }
}
