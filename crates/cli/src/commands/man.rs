//! `carom man`: manual pages.

use clap::{Args, Command};

use crate::exit::{Exit, Failure};
use crate::output::{Show, say, write_file};

/// Print the manual page, or write those of all commands
#[derive(Debug, Args)]
#[command(after_help = "Read it:      carom man | man -l -\n\
                        Install all:  carom man --to ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write one page per command into this folder, over older ones
    #[arg(long, value_name = "FOLDER")]
    to: Option<String>,
}

impl Man {
    pub(crate) fn run(&self, mut whole: Command, show: Show) -> Result<Exit, Failure> {
        let Some(folder) = &self.to else {
            say(&String::from_utf8_lossy(&page(whole)?))?;
            return Ok(Exit::Done);
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::Said(format!("{folder} cannot be made: {error}")))?;
        whole.build();
        let mut pages = vec![("carom".to_owned(), page(whole.clone())?)];
        for command in whole
            .get_subcommands()
            .filter(|one| one.get_name() != "help")
        {
            let name = format!("carom-{}", command.get_name());
            pages.push((name, page(command.clone())?));
        }
        for (name, text) in &pages {
            write_file(&format!("{folder}/{name}.1"), text, true)?;
        }
        if !show.quiet && !show.json {
            say(&format!("{} pages written in {folder}\n", pages.len()))?;
        }
        Ok(Exit::Done)
    }
}

fn page(command: Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
