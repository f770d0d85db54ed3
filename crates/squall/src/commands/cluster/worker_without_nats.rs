//! `squall cluster worker` and `squall fuzz --coordinate` in a build without NATS: they say what to build.

use crate::exit::Exit;
use anyhow::Result;

/// Run a worker of a campaign that is coordinated on another machine. This build lacks it; one with `--features full` has it.
#[derive(clap::Args)]
pub struct Args {
    /// Whatever a build with NATS takes.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

/// Refuses.
///
/// # Errors
/// Always.
pub fn run(args: Args) -> Result<Exit> {
    drop(args.words);
    refuse()
}

/// The error of what needs NATS.
///
/// # Errors
/// Always.
pub fn refuse<T>() -> Result<T> {
    usage!(
        "this squall was built without NATS; in its source, `cargo install --locked --path crates/squall --features full` or \
         `pip install .` installs one with it"
    )
}
