//! A user's own program as a mutator: it reads a seed on standard input and writes a mutant on standard output.
//!
//! The program finds the seed of its random choices in the environment variable `SQUALL_SEED`, a number that is different for
//! each mutant and the same when the mutant is made again. Nothing is known of its mutants but that they read back, so
//! their truth is differential.

use crate::mutator::{Batch, Expected, Mutant, MutantRequest, Mutator, MutatorEntry, Truth, Unfit};
use crate::parameter::{ParameterError, ParameterTable, configure, number, text};
use crate::preamble;
use crate::rng::Unit;
use semantics::Model;
use smtlib::{Printer, Store};
use solver::process::{self, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

/// What is said of programs.
///
/// It is not in the registry, for without a command it does nothing: ask for `exec:COMMAND` and see [`from_name`].
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "exec",
    about: "runs a program that reads a seed and writes a mutant: `exec:COMMAND`",
    truth: "differential",
    parents: 1,
    makes_small_worlds: false,
    parameters: || PARAMETERS.parameters(),
    build,
};

const PARAMETERS: ParameterTable<Exec> = ParameterTable(&[
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
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    number("seconds", 1, "seconds the program may take for a mutant, at least 1", |c| &mut c.seconds),
    number("megabytes", 1, "the largest mutant, at least 1 MiB", |c| &mut c.megabytes),
]);

/// The command of a mutator's name `exec:COMMAND`.
pub fn from_name(name: &str) -> Option<&str> {
    name.strip_prefix("exec:").map(str::trim).filter(|command| !command.is_empty())
}

fn build(settings: &[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError> {
    let mut exec = Exec::default();
    configure(ENTRY.name, ENTRY.parameters, settings, |name, value| PARAMETERS.set(&mut exec, name, value))?;
    if exec.command.trim().is_empty() {
        let expected = "a program, such as `exec:python3 mutate.py`";
        return Err(ParameterError::Value { name: "command".to_string(), value: exec.command, expected });
    }
    Ok(Box::new(exec))
}

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
    /// It could not be started.
    #[error("{0}")]
    Start(String),
    /// It did not end well.
    #[error("the program {how}{}", after_colon(.stderr))]
    Ended {
        /// How it ended, in words.
        how: String,
        /// The first line it wrote to standard error.
        stderr: String,
    },
    /// What it wrote is no script.
    #[error("the program wrote no SMT-LIB script: {0}")]
    Unreadable(String),
    /// What it wrote asks nothing.
    #[error("the program wrote a script without `(check-sat)`")]
    NoCheck,
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

impl Exec {
    /// The batch of a unit, as its own type.
    ///
    /// # Errors
    /// [`Unfit::Parents`] when there is not one seed.
    pub fn batch<'s>(&self, store: &'s Store, request: MutantRequest<'s>) -> Result<ExecBatch<'s>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let mut seed = String::new();
        preamble::print(store, &parent.instance, &parent.instance.assertions, request.target, &mut seed);
        let mut printer = Printer::new(store, &request.target.dialect);
        for &t in &parent.instance.assertions {
            seed.push_str("(assert ");
            printer.term(t, &mut seed);
            seed.push_str(")\n");
        }
        seed.push_str("(check-sat)\n");
        Ok(ExecBatch { exec: self.clone(), store, seed, unit: request.unit, failures: 0, last_failure: None })
    }
}

impl Mutator for Exec {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

/// The mutants that a program makes of one seed.
pub struct ExecBatch<'s> {
    exec: Exec,
    store: &'s Store,
    seed: String,
    unit: Unit,
    failures: u64,
    last_failure: Option<ExecFailure>,
}

impl ExecBatch<'_> {
    /// How often the program made no mutant, and why the last time. Such a mutant has no text and no check.
    pub fn failures(&self) -> (u64, Option<&ExecFailure>) {
        (self.failures, self.last_failure.as_ref())
    }

    /// How the program ended, in words.
    fn ending(&self, status: RunStatus) -> String {
        let Exec { seconds, megabytes, .. } = &self.exec;
        match status {
            RunStatus::Exited(code) => format!("ended with exit code {code}"),
            RunStatus::Signaled(signal) => format!("died of signal {signal}"),
            RunStatus::TimedOut => format!("did not end within {seconds} s; --set seconds=N gives it longer"),
            RunStatus::CpuOut => "used up its CPU time".to_string(),
            RunStatus::MemOut => "used too much memory".to_string(),
            RunStatus::OutputOut => format!("wrote more than {megabytes} MiB; --set megabytes=N allows more"),
            RunStatus::Cancelled => "was stopped".to_string(),
        }
    }

    fn run(&self, index: u64) -> Result<(String, usize), ExecFailure> {
        let seed = self.unit.mutant_stream(index).bits();
        let script = format!("SQUALL_SEED={seed}; export SQUALL_SEED; {}", self.exec.command);
        let command: Vec<OsString> = ["sh", "-c", &script].iter().map(OsString::from).collect();
        let limits = ProcessLimits {
            wall: Duration::from_secs(u64::from(self.exec.seconds)),
            output_bytes: (self.exec.megabytes as usize) << 20,
            ..ProcessLimits::default()
        };
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            ..ProcessJob::new(&command, self.seed.as_bytes(), &limits)
        };
        let run = process::run(&job).map_err(|e| ExecFailure::Start(e.to_string()))?;
        if run.status != RunStatus::Exited(0) {
            let stderr = String::from_utf8_lossy(&run.stderr).lines().next().unwrap_or("").to_string();
            return Err(ExecFailure::Ended { how: self.ending(run.status), stderr });
        }
        let text = String::from_utf8(run.stdout).map_err(|_| ExecFailure::Unreadable("it is not UTF-8".to_string()))?;
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
}

impl Batch for ExecBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.exec.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        out.truth = Truth::Differential;
        match self.run(index) {
            Ok((text, checks)) => {
                out.text = text;
                out.expected.resize(checks, Expected::Differential);
            }
            Err(failure) => {
                self.failures += 1;
                self.last_failure = Some(failure);
            }
        }
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn failure(&self) -> Option<String> {
        self.last_failure.as_ref().map(ToString::to_string)
    }

    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        None
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
        ];
        list.extend(PARAMETERS.settings(&self.exec));
        list
    }
}
