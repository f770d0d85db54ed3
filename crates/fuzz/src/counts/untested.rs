//! Why a campaign without findings tested or decided nothing: no success without a comparison.

use crate::counts::stats::Snapshot;
use crate::findings::disagreements::FOLDER;
use std::fmt;

/// The reason why a campaign tested or decided nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untested {
    /// No check was ever answered or crashed, and few reached a limit: a wrong option on the command line, or a program that is not a
    /// solver.
    Unanswered,
    /// No check was answered, and most reached a limit.
    Limits,
    /// Solvers contradict each other at this number of checks, and the wrong one is unknown.
    Unresolved(u64),
    /// No unit of work was done.
    NoUnit,
    /// The mutators failed to make any of this number of mutants.
    Unmade(u64),
    /// No mutant was sent: every seed was skipped, or the time was too short.
    NoMutant,
    /// All answers, this many, were `unknown`.
    Unknown(u64),
    /// This many mutants were answered, but no answer could be compared with the right one or another solver's, and most models of `sat`
    /// were not judged.
    NotCompared(u64),
}

impl Untested {
    /// Returns why a campaign with these counts tested nothing; `None` if answers to mutants were compared: with the right ones, with
    /// other solvers' answers, or at least half of the `sat` with their models.
    pub fn of(counts: &Snapshot) -> Option<Untested> {
        let c = counts;
        let definite = c.sat + c.unsat;
        let is_answered = definite + c.unknown + c.crashed > 0;
        let limited = c.timeouts + c.memouts;
        let silent = c.missing + c.errors + c.failed_runs;
        match is_answered {
            // More time helps only if most checks ran out of it.
            false if limited > silent => return Some(Untested::Limits),
            false if limited + silent > 0 => return Some(Untested::Unanswered),
            _ => {}
        }
        let judged = c.models_valid + c.models_invalid;
        match c.mutants {
            // Models of unmutated seeds test no mutator.
            0 if c.unmade > 0 => Some(Untested::Unmade(c.unmade)),
            0 if c.units == 0 => Some(Untested::NoUnit),
            0 => Some(Untested::NoMutant),
            _ if c.unresolved > 0 => Some(Untested::Unresolved(c.unresolved)),
            _ if c.compared > 0 || judged > 0 && 2 * judged >= c.sat => None,
            _ if definite == 0 && c.unknown > 0 => Some(Untested::Unknown(c.unknown)),
            sent => Some(Untested::NotCompared(sent)),
        }
    }

    /// Whether the reason is a contradiction between solvers.
    pub fn is_unresolved(self) -> bool {
        matches!(self, Untested::Unresolved(_))
    }

    /// Whether the solver does not work at all, so the campaign failed.
    pub fn is_failure(self) -> bool {
        self == Untested::Unanswered
    }
}

/// Describes what was not tested, and what to do.
impl fmt::Display for Untested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untested::Unanswered => f.write_str(
                "No check was ever answered, so nothing was tested: is it the right program, are its options right? A program gets \
                 another profile by NAME:PATH, as z3:./build/my-z3.",
            ),
            Untested::Unresolved(n) => write!(
                f,
                "Solvers contradict each other at {n} {}, and it is unknown which of them is wrong: the scripts are in the folder \
                 '{FOLDER}' of the campaign. Name another kind of solver as --reference, whose answer counts.",
                if *n == 1 { "check" } else { "checks" }
            ),
            Untested::Limits => {
                f.write_str("No check was answered and most reached a limit: allow more with --timeout or --memory.")
            }
            Untested::NoUnit => f.write_str(
                "No unit of work was done, so nothing was tested: give the campaign more time, or, with --coordinate, \
                 start 'squall cluster worker' with the same address.",
            ),
            Untested::Unmade(n) => write!(
                f,
                "No mutant could be made, in {n} {}, so nothing was tested: does the mutator's program run, and does it \
                 print a script? The lines 'skipped' have its message.",
                if *n == 1 { "attempt" } else { "attempts" }
            ),
            Untested::NoMutant => f.write_str(
                "No mutant was sent, so nothing was tested: lines 'skipped' and 'QUARANTINED' say why a seed gave none; without \
                 such lines, allow more time.",
            ),
            Untested::Unknown(_) => f.write_str(
                "No check was answered 'sat' or 'unsat', so no answer was tested: allow more with --timeout, or take seeds and \
                 options that the solver supports.",
            ),
            Untested::NotCompared(_) => f.write_str(
                "No answer was compared with anything, because the right answers of these mutants are unknown: only crashes and \
                 a sample of the models were looked at. Name a second --solver or a --reference, or judge all models by --models 100.",
            ),
        }
    }
}
