//! `squall worker` and `squall fuzz --coordinate` in a build without NATS: they say what to build.

use anyhow::Result;
use std::process::ExitCode;

/// Run a worker of a campaign that is coordinated on another machine; this build lacks it.
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
pub fn run(args: Args) -> Result<ExitCode> {
    drop(args.words);
    refuse()
}

/// The error of what needs NATS.
///
/// # Errors
/// Always.
pub fn refuse<T>() -> Result<T> {
    usage!("this squall was built without NATS; `cargo build --release --features full` builds one with it")
}
