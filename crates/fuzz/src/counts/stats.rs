//! Counts of work and CPU time, for one unit or a whole campaign.

use crate::counts::WorkerStatus;
use oracle::model_oracle::ScriptVerdict;
use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, CheckAnswer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// The counts of one worker's current unit; others only read them.
        #[derive(Debug, Default)]
        pub struct Counters {
            $($(#[$doc])* pub $name: AtomicU64,)*
            /// The worker's status.
            pub status: WorkerStatus,
        }

        /// The counts at one moment, or their sum over units.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Snapshot { $($(#[$doc])* pub $name: u64,)* }

        impl Counters {
            /// Returns the counts now.
            pub fn snapshot(&self) -> Snapshot {
                Snapshot { $($name: self.$name.load(Ordering::Relaxed),)* }
            }

            /// Returns the counts and resets them.
            pub fn take(&self) -> Snapshot {
                Snapshot { $($name: self.$name.swap(0, Ordering::Relaxed),)* }
            }
        }

        impl Snapshot {
            /// Returns the names and values of the counts.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            /// Sets a count by its name; returns false for an unknown name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }

            /// Adds the counts of `other`.
            pub fn add(&mut self, other: &Snapshot) {
                $(self.$name = self.$name.saturating_add(other.$name);)*
            }

            /// Returns the counts since `earlier`.
            pub fn since(&self, earlier: &Snapshot) -> Snapshot {
                Snapshot { $($name: self.$name.saturating_sub(earlier.$name),)* }
            }
        }
    };
}

counters! {
    /// Mutants sent.
    mutants,
    /// Mutants that a mutator failed to make.
    unmade,
    /// Seeds sent unmutated at least once, to any solver.
    seeds,
    /// Units of work done.
    units,
    /// Checks answered `sat`.
    sat,
    /// Checks answered `unsat`.
    unsat,
    /// Checks answered `unknown`.
    unknown,
    /// Checks lost to a time limit.
    timeouts,
    /// Checks lost to a memory or output limit.
    memouts,
    /// Checks voided by a solver error: a problem of the dialect or the options.
    errors,
    /// Checks lost in a crash.
    crashed,
    /// Checks without an answer or a reason.
    missing,
    /// Runs that could not be started.
    failed_runs,
    /// Checks of mutants answered `sat` or `unsat` whose right answer is known, or that another solver answered, too.
    compared,
    /// Checks of mutants without known truth to which solvers gave contradicting answers.
    disagreements,
    /// Disagreements in which the wrong solver could not be determined.
    unresolved,
    /// Hits on texts that the solver is known to misread, so that their right answers are unknown.
    misread,
    /// Mutants whose models satisfy all their checks.
    models_valid,
    /// Mutants with a model that makes an assertion false, as the solver's own values confirm.
    models_invalid,
    /// Mutants with models that could not be judged.
    models_open,
    /// Pairs of scripts related to mutants, at least one of which was answered.
    related,
    /// Runs with a request for a proof.
    proofs,
    /// Invalid steps of printed proofs, and errors instead of a proof, whether or not the mode promises complete proofs.
    proof_holes,
    /// CPU time of solvers in nanoseconds.
    solver_cpu_ns,
    /// The solvers' CPU time used to confirm hits, including the examination of accused models.
    confirm_cpu_ns,
    /// The solvers' CPU time used for hits of known causes: the run that showed each, and those that confirm it.
    known_cpu_ns,
    /// The solvers' CPU time used for relations between answers.
    extra_cpu_ns,
    /// The solvers' CPU time used by runs that reached a limit.
    limit_cpu_ns,
}

impl Counters {
    /// Counts the answers to one script.
    pub fn count(&self, answers: &[CheckAnswer]) {
        for check in answers {
            let counter = match check.answer {
                Answer::Sat => &self.sat,
                Answer::Unsat => &self.unsat,
                Answer::Unknown => &self.unknown,
                Answer::Timeout => &self.timeouts,
                Answer::MemOut | Answer::OutputOut => &self.memouts,
                Answer::Void => &self.errors,
                Answer::Crashed => &self.crashed,
                Answer::Missing => &self.missing,
                Answer::Cancelled => continue,
            };
            add(counter, 1);
        }
    }

    /// Counts the verdict on a mutant's models.
    pub fn judged(&self, verdict: &ScriptVerdict) {
        match verdict {
            ScriptVerdict::Valid => add(&self.models_valid, 1),
            ScriptVerdict::Invalid(_) => add(&self.models_invalid, 1),
            ScriptVerdict::Open(_) => add(&self.models_open, 1),
            ScriptVerdict::None => {}
        }
    }

    /// Adds to the solvers' CPU time.
    pub fn spent(&self, cpu: Duration) {
        add(&self.solver_cpu_ns, nanoseconds(cpu));
    }

    /// Adds the CPU time of a run that confirms a hit.
    pub fn confirmed(&self, cpu: Duration) {
        self.spent(cpu);
        add(&self.confirm_cpu_ns, nanoseconds(cpu));
    }

    /// Adds CPU time, already counted, to that of extra questions.
    pub fn extra(&self, cpu: Duration) {
        add(&self.extra_cpu_ns, nanoseconds(cpu));
    }

    /// Adds CPU time, already counted, to that of runs that reached a limit.
    pub fn cut_off(&self, cpu: Duration) {
        add(&self.limit_cpu_ns, nanoseconds(cpu));
    }

    /// Adds CPU time, already counted, to that of hits of known causes.
    pub fn known(&self, cpu: Duration) {
        add(&self.known_cpu_ns, nanoseconds(cpu));
    }
}

impl Snapshot {
    /// Returns the solvers' CPU time.
    pub fn solver_cpu(&self) -> Duration {
        Duration::from_nanos(self.solver_cpu_ns)
    }
}

/// Converts a time to whole nanoseconds.
pub(crate) fn nanoseconds(cpu: Duration) -> u64 {
    u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX)
}

/// Adds to a counter.
pub fn add(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Ordering::Relaxed);
}
