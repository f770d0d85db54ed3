//! A strategy's requests to other programs: those that a script may not make, and those forbidden if only our own engines answer.

use crate::z3;
use smtlib::sexpr::atoms;
use smtlib::strategy::{Param, ParamValue, Strategy};
use solver::spec::SolverSpec;
use std::collections::BTreeSet;
use std::fmt;

/// A request that a script may not make, since it may come from an untrusted source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ForeignRequest {
    /// To start a program: a command, or a solver other than by its plain name, which refers to a profile with the user's program and
    /// options.
    Program(Box<str>),
    /// To set an option of a solver to a word, which may be a file that the solver writes: `:sat.drat.file` of z3,
    /// `:regular-output-channel`.
    Setting(Box<str>),
    /// To read a file of rules.
    File(Box<str>),
}

impl fmt::Display for ForeignRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForeignRequest::Program(program) => write!(f, "a script may not start the program `{program}`"),
            ForeignRequest::File(file) => write!(f, "a script may not read the file `{file}`"),
            ForeignRequest::Setting(setting) => {
                write!(f, "a script may set a solver's options to numbers, true and false only, not `{setting}`")
            }
        }
    }
}

/// Returns the programs of a strategy, as written: commands of `exec`, and solvers.
pub(super) fn programs(strategy: &Strategy) -> Vec<&str> {
    let mut found = Vec::new();
    for part in all_parts(strategy) {
        if let Strategy::Exec(program) | Strategy::Solver(program, _) | Strategy::SolverTactic(program, _) = part {
            found.push(&**program);
        }
    }
    found
}

/// Returns all forbidden requests in a strategy.
pub(super) fn foreign_requests(strategy: &Strategy) -> BTreeSet<ForeignRequest> {
    let mut found = BTreeSet::new();
    for part in all_parts(strategy) {
        match part {
            Strategy::Exec(command) => drop(found.insert(ForeignRequest::Program(command.clone()))),
            Strategy::Rules(file) => drop(found.insert(ForeignRequest::File(file.clone()))),
            Strategy::Solver(spec, params) => {
                found.extend(foreign_solver(spec));
                for param in params {
                    match &param.value {
                        ParamValue::Word(text) | ParamValue::Text(text) if &*param.key == "tactic" => {
                            found.extend(settings_of(text));
                        }
                        _ => found.extend(setting(param)),
                    }
                }
            }
            Strategy::SolverTactic(spec, tactic) => {
                found.extend(foreign_solver(spec));
                found.extend(settings_of(tactic));
            }
            // z3's tactics get them.
            Strategy::UsingParams(inner, params) if all_parts(inner).into_iter().any(is_of_solver) => {
                found.extend(params.iter().filter(|param| z3::PARAMETERS.has(&param.key)).filter_map(setting));
            }
            _ => {}
        }
    }
    found
}

/// Returns a strategy and all its parts, as written.
fn all_parts(strategy: &Strategy) -> Vec<&Strategy> {
    let (mut found, mut rest) = (Vec::new(), vec![strategy]);
    while let Some(part) = rest.pop() {
        found.push(part);
        rest.extend(part.parts().into_iter().rev());
    }
    found
}

fn is_of_solver(part: &Strategy) -> bool {
    matches!(part, Strategy::SolverTactic(..))
}

/// Rejects a solver with a name that `squall solver list` does not list. Options after a name are as powerful as those by keys.
fn foreign_solver(spec: &str) -> Option<ForeignRequest> {
    let is_plain = match spec.parse() {
        Ok(SolverSpec::Path(_)) => false,
        Ok(SolverSpec::Named(named)) => named.options.is_empty(),
        // An invalid name starts no solver, and its error is reported where it is resolved.
        Ok(SolverSpec::Builtin(_)) | Err(_) => true,
    };
    (!is_plain).then(|| ForeignRequest::Program(spec.into()))
}

fn setting(param: &Param) -> Option<ForeignRequest> {
    let (ParamValue::Word(value) | ParamValue::Text(value)) = &param.value;
    (!is_harmless(value)).then(|| ForeignRequest::Setting(param.to_string().into()))
}

/// Returns the settings in a tactic as a solver reads it.
fn settings_of(tactic: &str) -> Vec<ForeignRequest> {
    let words: Vec<&str> = atoms(tactic).filter_map(|span| tactic.get(span)).collect();
    let settings = words.windows(2).filter(|pair| pair[0].starts_with(':') && !is_harmless(pair[1]));
    settings.map(|pair| ForeignRequest::Setting(pair.join(" ").into())).collect()
}

/// Whether a value is a number or a truth value, which names no file.
fn is_harmless(value: &str) -> bool {
    matches!(value, "true" | "false") || value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
