//! Strategies that are learned: schedules of steps with time slices, chosen by comparisons of probes.

use super::table::{StepResult, TuningTable};

/// A step of a schedule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeSlice {
    /// The number of the step in [`TuningTable::steps`].
    pub step: usize,
    /// Its time in seconds.
    pub seconds: f64,
}

/// A learned strategy.
#[derive(Clone, PartialEq, Debug)]
pub enum LearnedStrategy {
    /// The steps one after another, until one answers. The last step has the time that is left.
    Schedule(Vec<TimeSlice>),
    /// Chooses by whether a probe's value is below a bound.
    Choice {
        /// The number of the probe in [`TuningTable::probes`].
        probe: usize,
        /// The bound.
        bound: f64,
        /// The strategy for values below the bound.
        below: Box<LearnedStrategy>,
        /// The strategy for other values.
        above: Box<LearnedStrategy>,
    },
}

impl LearnedStrategy {
    /// Makes the schedule of one step.
    pub fn only(step: usize, table: &TuningTable) -> LearnedStrategy {
        LearnedStrategy::Schedule(vec![TimeSlice { step, seconds: table.limit }])
    }

    /// Returns the time after which a file is solved, as if each step ended in a strategy as it does alone. `None` if no step answers within
    /// its slice, or one answers wrongly.
    pub fn solved_after(&self, table: &TuningTable, file: usize) -> Option<f64> {
        match self {
            LearnedStrategy::Choice { probe, bound, below, above } => {
                let is_below = table.files[file].probes[*probe] < *bound;
                if is_below { below } else { above }.solved_after(table, file)
            }
            LearnedStrategy::Schedule(slices) => {
                let mut time = 0.0;
                for (n, slice) in slices.iter().enumerate() {
                    let left = table.limit - time;
                    let given = if n + 1 == slices.len() { left } else { slice.seconds.min(left) };
                    let end = table.files[file].ends[slice.step];
                    match end.result {
                        StepResult::Solved if end.seconds <= given => return Some(time + end.seconds),
                        StepResult::Wrong if end.seconds <= given => return None,
                        _ => time += end.seconds.min(given),
                    }
                }
                None
            }
        }
    }

    /// Returns the sum of the PAR-2 costs of files, in seconds.
    pub fn cost(&self, table: &TuningTable, files: &[usize]) -> f64 {
        files.iter().map(|&file| table.cost(self.solved_after(table, file))).sum()
    }

    /// Returns the strategy in the language of strategies.
    pub fn text(&self, table: &TuningTable) -> String {
        match self {
            LearnedStrategy::Choice { probe, bound, below, above } => {
                let (below, above) = (below.text(table), above.text(table));
                let probe = &table.probes[*probe];
                match probe.is_number {
                    // Printed without an exponent, and so that it reads back as the same number.
                    true => format!("(if (< {} {bound}) {below} {above})", probe.name),
                    false => format!("(if {} {above} {below})", probe.name),
                }
            }
            LearnedStrategy::Schedule(slices) => {
                let last = slices.len().saturating_sub(1);
                let one = |(n, slice): (usize, &TimeSlice)| {
                    let step = &table.steps[slice.step];
                    match n == last {
                        true => step.clone(),
                        false => format!("(try-for {step} {:.0})", (slice.seconds * 1000.0).max(1.0)),
                    }
                };
                match &slices.iter().enumerate().map(one).collect::<Vec<_>>()[..] {
                    [only] => only.clone(),
                    all => format!("(or-else {})", all.join(" ")),
                }
            }
        }
    }
}
