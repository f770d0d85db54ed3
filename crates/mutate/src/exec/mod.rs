//! Users' own programs as mutators: `exec:COMMAND` starts one for every mutant, `pipe:COMMAND` one for many.
//!
//! Their mutants are only known to parse, so their truth is differential.

mod batch;
mod pipe;
mod program;

pub use batch::{ExecBatch, ProgramBatch, ProgramFailures, ProgramUnit};
pub use pipe::{Pipe, PipeBatch};
pub use program::{Exec, ExecFailure};

use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use crate::parameter::{MutatorParameter, ParameterError};
use program::{PARAMETERS, PARENTS, seed_script};
use smtlib::Store;

/// The entry of programs that make one mutant.
///
/// Neither this entry nor [`PIPE`] is in the registry, since they need a command: use `exec:COMMAND` and see [`from_name`].
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "exec",
    about: "runs a program for each mutant, which reads a seed and writes the mutant: `exec:COMMAND`",
    truth: "differential",
    parents: PARENTS,
    makes_small_worlds: false,
    share: 0,
    parameters: || PARAMETERS.parameters(),
    build: build_exec,
};

/// The entry of programs that make many mutants.
pub const PIPE: MutatorEntry = MutatorEntry {
    name: "pipe",
    about: "asks a program that stays for mutants, in frames: `pipe:COMMAND`",
    parameters: pipe_parameters,
    build: build_pipe,
    ..ENTRY
};

/// The entries of this module.
pub const ENTRIES: [&MutatorEntry; 2] = [&ENTRY, &PIPE];

fn pipe_parameters() -> Vec<MutatorParameter> {
    let (defaults, mut parameters) = (PARAMETERS.settings(&pipe::defaults()), PARAMETERS.parameters());
    for (parameter, (_, default)) in parameters.iter_mut().zip(defaults) {
        parameter.default = default;
    }
    parameters
}

/// Returns the mutator and the command of a name `exec:COMMAND` or `pipe:COMMAND`.
pub fn from_name(name: &str) -> Option<(&'static MutatorEntry, &str)> {
    let (kind, command) = name.split_once(':')?;
    let entry = ENTRIES.into_iter().find(|entry| entry.name == kind)?;
    Some((entry, command.trim())).filter(|(_, command)| !command.is_empty())
}

/// Whether a list of mutators may run a program.
pub fn may_run_program(list: &str) -> bool {
    ENTRIES.iter().any(|entry| list.contains(&format!("{}:", entry.name)))
}

fn build_exec(settings: &[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError> {
    Ok(Box::new(configured(&ENTRY, Exec::default(), settings)?))
}

fn build_pipe(settings: &[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError> {
    Ok(Box::new(Pipe::new(configured(&PIPE, pipe::defaults(), settings)?)))
}

fn configured(entry: &MutatorEntry, exec: Exec, settings: &[(&str, &str)]) -> Result<Exec, ParameterError> {
    let exec = PARAMETERS.over(exec, entry.name, settings)?;
    if exec.command.trim().is_empty() {
        let expected = "a program, such as `exec:python3 mutate.py`";
        return Err(ParameterError::Value { name: "command".to_string(), value: exec.command, expected });
    }
    Ok(exec)
}

impl Exec {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit::Parents`] if there is not exactly one seed.
    pub fn batch<'s>(&self, store: &'s Store, request: MutantRequest<'s>) -> Result<ExecBatch<'s>, Unfit> {
        Ok(ExecBatch::new(self.clone(), store, seed_script(store, &request)?, request.unit))
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
