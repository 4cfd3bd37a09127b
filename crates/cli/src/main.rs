//! The command `carom`. One file per command; every number comes from the library.

mod commands;
mod exit;
mod input;
mod output;

use clap::{CommandFactory, Parser, Subcommand};

use exit::Exit;

/// Impacts with friction in mechanisms, computed exactly.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(
    after_help = "Try:  carom run --example pendulum-rough -o first     moves and collides: first/report.html\n\
                        \x20     carom impact --example rod                      one collision, laws side by side\n\
                        \x20     carom examples                                  what else there is, to run or to copy\n\
                        \n\
                        Exit codes:  0 done, whatever the physics answered; 1 done, but some line or check \
                        failed, or a run ended early; 2 could not run."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    show: output::Show,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(commands::run::Run),
    Impact(commands::impact::Impact),
    Forward(Box<commands::forward::Forward>),
    Papers(commands::papers::Papers),
    Examples(commands::examples::Examples),
    Check(commands::check::Check),
    Schema(commands::schema::Schema),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}

fn main() -> std::process::ExitCode {
    let Cli { command, show } = Cli::parse();
    let exit = match command {
        Command::Run(command) => command.run(show),
        Command::Impact(command) => command.run(show),
        Command::Forward(command) => command.run(show),
        Command::Papers(command) => command.run(show),
        Command::Examples(command) => command.run(show),
        Command::Check(command) => command.run(show),
        Command::Schema(command) => command.run(show),
        Command::Completions(command) => command.run(Cli::command(), show),
        Command::Man(command) => command.run(Cli::command(), show),
    };
    exit.unwrap_or_else(|failure| match failure {
        exit::Failure::Closed => Exit::Done,
        failure => {
            let _ = output::tell_failure(&failure, show);
            Exit::CouldNotRun
        }
    })
    .into()
}
