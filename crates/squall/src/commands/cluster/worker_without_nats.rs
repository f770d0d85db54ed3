//! `squall cluster worker` and `squall fuzz --coordinate` in a build without NATS: they name the build that has it.

use crate::exit::Exit;
use anyhow::Result;

/// Run a worker of a campaign that is coordinated on another machine. This build lacks it; one with `--features full` has it.
#[derive(clap::Args)]
pub struct Args {
    /// The arguments of a build with NATS.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

/// Refuses the subcommand.
/// Errors: always.
pub fn run(args: Args) -> Result<Exit> {
    drop(args.words);
    refuse()
}

/// Returns the error without NATS.
/// Errors: always.
pub fn refuse<T>() -> Result<T> {
    usage!(
        "this squall was built without NATS; in its source, `cargo install --locked --path crates/squall --features full` or \
         `pip install .` installs one with it"
    )
}
