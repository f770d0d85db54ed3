//! Why a campaign that found nothing has tested nothing, or decided nothing: no green without a comparison.

use crate::counts::stats::Snapshot;
use crate::findings::disagreements::FOLDER;
use std::fmt;

/// What kept a campaign from testing anything, or from deciding what it tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untested {
    /// Solvers were asked, no check ever came to an answer or a crash, and few to a limit: a wrong option on the command line, or a
    /// program that is no solver.
    Unanswered,
    /// No check was answered, and most met a limit.
    Limits,
    /// Solvers gave contradicting answers to this number of checks, and it is open which of them is wrong.
    Unresolved(u64),
    /// No unit of work was done.
    NoUnit,
    /// The mutators failed to make so many mutants, and made none.
    Unmade(u64),
    /// No mutant was sent: every seed was skipped, or the time was too short.
    NoMutant,
    /// Every check that was answered was answered `unknown`: so many.
    Unknown(u64),
    /// So many mutants were answered, no answer could be held against the right one or another solver's, and of most `sat` no model was
    /// judged.
    NotCompared(u64),
}

impl Untested {
    /// What was not tested by a campaign with these counts; none if answers to mutants were held against something: the right ones,
    /// other solvers' answers, or at least half of the `sat` against their models.
    pub fn of(counts: &Snapshot) -> Option<Untested> {
        let c = counts;
        let definite = c.sat + c.unsat;
        let is_answered = definite + c.unknown + c.crashed > 0;
        let limited = c.timeouts + c.memouts;
        let silent = c.missing + c.errors + c.failed_runs;
        match is_answered {
            // More time helps only where most checks lacked it.
            false if limited > silent => return Some(Untested::Limits),
            false if limited + silent > 0 => return Some(Untested::Unanswered),
            _ => {}
        }
        let judged = c.models_valid + c.models_invalid;
        match c.mutants {
            // The models of seeds sent as they are test no mutator.
            0 if c.unmade > 0 => Some(Untested::Unmade(c.unmade)),
            0 if c.units == 0 => Some(Untested::NoUnit),
            0 => Some(Untested::NoMutant),
            _ if c.unresolved > 0 => Some(Untested::Unresolved(c.unresolved)),
            _ if c.compared > 0 || judged > 0 && 2 * judged >= c.sat => None,
            _ if definite == 0 && c.unknown > 0 => Some(Untested::Unknown(c.unknown)),
            sent => Some(Untested::NotCompared(sent)),
        }
    }

    /// Whether it is that solvers contradict each other.
    pub fn is_unresolved(self) -> bool {
        matches!(self, Untested::Unresolved(_))
    }

    /// Whether the solver does not work at all, so that the campaign failed.
    pub fn is_failure(self) -> bool {
        self == Untested::Unanswered
    }
}

/// What was not tested, and what to do.
impl fmt::Display for Untested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untested::Unanswered => f.write_str(
                "No check was ever answered, so nothing was tested: is it the right program, are its options right? A program gets \
                 another profile by NAME:PATH, as z3:./build/my-z3.",
            ),
            Untested::Unresolved(n) => write!(
                f,
                "Solvers contradict each other at {n} {}, and it is open which of them is wrong: the scripts are in the folder \
                 '{FOLDER}' of the campaign. Name another kind of solver as --reference, whose answer counts.",
                if *n == 1 { "check" } else { "checks" }
            ),
            Untested::Limits => {
                f.write_str("No check was answered and most met a limit: allow more by --timeout or --memory.")
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
                "No check was answered 'sat' or 'unsat', so no answer was tested: allow more by --timeout, or take seeds and \
                 options that the solver supports.",
            ),
            Untested::NotCompared(_) => f.write_str(
                "No answer was compared with anything, since the right answers of these mutants are not known: only crashes and \
                 a sample of the models were looked at. Name a second --solver or a --reference, or judge all models by --models 100.",
            ),
        }
    }
}
