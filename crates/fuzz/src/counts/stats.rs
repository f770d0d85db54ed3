//! Counts of work, of one unit and of a whole campaign, and the CPU time used.

use crate::counts::status::WorkerStatus;
use oracle::model_oracle::ScriptVerdict;
use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, CheckAnswer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Counts of the unit that one worker is at; others only read them.
        #[derive(Debug, Default)]
        pub struct Counters {
            $($(#[$doc])* pub $name: AtomicU64,)*
            /// What the worker is at.
            pub status: WorkerStatus,
        }

        /// The counts at one moment, or their sum over units.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Snapshot { $($(#[$doc])* pub $name: u64,)* }

        impl Counters {
            /// The counts now.
            pub fn snapshot(&self) -> Snapshot {
                Snapshot { $($name: self.$name.load(Ordering::Relaxed),)* }
            }

            /// The counts, which start again from nothing.
            pub fn take(&self) -> Snapshot {
                Snapshot { $($name: self.$name.swap(0, Ordering::Relaxed),)* }
            }
        }

        impl Snapshot {
            /// The names of the counts with their values.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            /// Sets a count by its name. False if there is none of that name.
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

            /// What was counted since `earlier`.
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
    /// Checks without an answer for a limit of time.
    timeouts,
    /// Checks without an answer for a limit of memory or output.
    memouts,
    /// Checks voided by an error of the solver: a problem of dialect or options.
    errors,
    /// Checks lost in a crash.
    crashed,
    /// Checks without an answer and without a reason.
    missing,
    /// Runs that could not be started at all.
    failed_runs,
    /// Checks of mutants answered `sat` or `unsat` whose right answer is known, or that another solver answered, too.
    compared,
    /// Checks of mutants without known truth to which solvers gave contradicting answers.
    disagreements,
    /// Those of them where it could not be decided which solver is wrong.
    unresolved,
    /// Hits on texts that the solver is known to misread, so that they have no truth for it.
    misread,
    /// Mutants whose models satisfy all their checks.
    models_valid,
    /// Mutants with a model that makes an assertion false, as the solver's own values confirm.
    models_invalid,
    /// Mutants with models that could not be judged.
    models_open,
    /// Pairs of scripts asked beside mutants, at least one of which was answered.
    related,
    /// Runs that asked for a proof.
    proofs,
    /// Steps of printed proofs that prove nothing, and errors in the place of a proof, whether the mode promises whole proofs or not.
    proof_holes,
    /// CPU time of solvers in nanoseconds.
    solver_cpu_ns,
    /// The part of it that confirms hits, the examination of accused models included.
    confirm_cpu_ns,
    /// The part of it that went into hits of causes known before: the run that showed each, and those that confirm it.
    known_cpu_ns,
    /// The part of it that was used beside the mutants, for relations between answers.
    extra_cpu_ns,
    /// The part of it that was used by runs which a limit ended.
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

    /// Adds CPU time that is counted already to that of runs beside the mutants.
    pub fn extra(&self, cpu: Duration) {
        add(&self.extra_cpu_ns, nanoseconds(cpu));
    }

    /// Adds CPU time that is counted already to that of runs which a limit ended.
    pub fn cut_off(&self, cpu: Duration) {
        add(&self.limit_cpu_ns, nanoseconds(cpu));
    }

    /// Adds CPU time that is counted already to that of hits of known causes.
    pub fn known(&self, cpu: Duration) {
        add(&self.known_cpu_ns, nanoseconds(cpu));
    }
}

impl Snapshot {
    /// The solvers' CPU time.
    pub fn solver_cpu(&self) -> Duration {
        Duration::from_nanos(self.solver_cpu_ns)
    }
}

/// A time in whole nanoseconds.
pub(crate) fn nanoseconds(cpu: Duration) -> u64 {
    u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX)
}

/// Adds to a counter.
pub fn add(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Ordering::Relaxed);
}
