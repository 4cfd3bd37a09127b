//! `carom completions`: what a shell offers after Tab.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::{Exit, Failure};
use crate::output::{Show, say};

/// Print the script that lets a shell complete commands and options
#[derive(Debug, Args)]
#[command(
    after_help = "bash:  carom completions bash > ~/.local/share/bash-completion/completions/carom\n\
                        zsh:   carom completions zsh > ~/.zfunc/_carom    (with ~/.zfunc in fpath)\n\
                        fish:  carom completions fish > ~/.config/fish/completions/carom.fish"
)]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut whole: Command, _: Show) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut whole, "carom", &mut script);
        say(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
