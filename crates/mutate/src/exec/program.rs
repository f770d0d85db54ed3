//! A user's program: how it is started, its limits, and its output.

use crate::mutator::{MutantRequest, Unfit};
use crate::parameter::{ParameterTable, number, text};
use crate::preamble;
use crate::rng::Unit;
use smtlib::Store;
use solver::process::{ProcessLimits, RunStatus};
use std::ffi::OsString;
use std::time::Duration;

/// How many seeds a program gets for a mutant.
pub const PARENTS: usize = 1;

/// Its parameters.
pub const PARAMETERS: ParameterTable<Exec> = ParameterTable(&[
    text(
        "command",
        "a program, such as `exec:python3 mutate.py`",
        "the program with its arguments, as a shell reads them",
        |c| c.command.clone(),
        |c, v| {
            c.command = v.to_string();
            Ok(())
        },
    ),
    number("mutants", 1, "mutants per unit, at least 1", |c| &mut c.mutants),
    number("seconds", 1, "seconds the program may take for a mutant, at least 1", |c| &mut c.seconds),
    number("megabytes", 1, "the largest mutant, at least 1 MiB", |c| &mut c.megabytes),
]);

/// A program as a mutator.
#[derive(Clone, Debug)]
pub struct Exec {
    /// The program with its arguments, read by `sh -c`.
    pub command: String,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// The wall-clock seconds the program may take for one mutant.
    pub seconds: u32,
    /// The MiB it may write for one mutant.
    pub megabytes: u32,
}

impl Default for Exec {
    fn default() -> Self {
        Exec { command: String::new(), mutants: 20, seconds: 10, megabytes: 16 }
    }
}

/// Why a program made no mutant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExecFailure {
    /// The program could not be started.
    #[error("{0}")]
    Start(String),
    /// The program failed, or ended although it should have stayed.
    #[error("the program {how}{}", after_colon(.stderr))]
    Ended {
        /// How the program ended, in words.
        how: String,
        /// The most informative line of the program's standard error.
        stderr: String,
    },
    /// The program answered with something other than a mutant.
    #[error("the program {0}")]
    OutOfStep(String),
    /// The program reports that it makes no mutant.
    #[error("the program makes no mutant of this seed{}", after_colon(.0))]
    Declined(String),
    /// Its output is not a script.
    #[error("the program wrote no SMT-LIB script: {0}")]
    Unreadable(String),
    /// Its script has no check.
    #[error("the program wrote a script without `(check-sat)`")]
    NoCheck,
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

impl Exec {
    /// Returns the limits of a run.
    pub fn limits(&self) -> ProcessLimits {
        ProcessLimits {
            wall: Duration::from_secs(u64::from(self.seconds)),
            output_bytes: (self.megabytes as usize) << 20,
            ..ProcessLimits::default()
        }
    }

    /// Why a program was ended that took too long.
    pub fn late(&self, what: &str) -> String {
        format!("did not {what} within {} s; --set seconds=N gives it longer", self.seconds)
    }

    /// Why a program was ended that wrote too much.
    pub fn flooded(&self) -> String {
        format!("wrote more than {} MiB; --set megabytes=N allows more", self.megabytes)
    }

    /// How the program ended, in words.
    pub fn ending(&self, status: RunStatus) -> String {
        match status {
            RunStatus::TimedOut => self.late("end"),
            RunStatus::OutputOut => self.flooded(),
            other => other.to_string(),
        }
    }

    /// Returns the parameters of a batch, for a finding's record.
    pub fn record(&self, unit: Unit, index: u64) -> Vec<(&'static str, String)> {
        let mut list = vec![
            ("campaign", unit.campaign.to_string()),
            ("unit", unit.number.to_string()),
            ("index", index.to_string()),
        ];
        list.extend(PARAMETERS.settings(self));
        list
    }
}

/// How a program ended that reached its memory limit, in words.
pub const TOO_MUCH_MEMORY: &str = "used too much memory";

/// Returns a command that a shell reads.
pub fn shell(command: &str) -> Vec<OsString> {
    ["sh", "-c", command].iter().map(OsString::from).collect()
}

/// Returns the seed of a request as a script with one check.
pub fn seed_script(store: &Store, request: &MutantRequest<'_>) -> Result<String, Unfit> {
    let [parent] = request.parents else {
        return Err(Unfit::Parents { expected: PARENTS, given: request.parents.len() });
    };
    let mut seed = String::new();
    preamble::print_check(store, &parent.instance, &parent.instance.assertions, request.target, &mut seed);
    Ok(seed)
}

/// Parses a program's output as a script, and counts its checks.
pub fn read_mutant(bytes: Vec<u8>) -> Result<(String, usize), ExecFailure> {
    let text = String::from_utf8(bytes).map_err(|_| ExecFailure::Unreadable("it is not UTF-8".to_string()))?;
    // Names that only the mutant has must not end up in the seed's store, and a fresh one is cheap.
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    if let Some(error) = parsed.errors.first() {
        return Err(ExecFailure::Unreadable(error.to_string()));
    }
    match parsed.script.commands.iter().filter(|c| c.is_check()).count() {
        0 => Err(ExecFailure::NoCheck),
        checks => Ok((text, checks)),
    }
}
