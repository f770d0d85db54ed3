//! What is known of files before a strategy is learned: the values of probes, and when and how each step ends.

/// How a step ends on a file if nothing stops it before the time limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepEnd {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The result.
    pub result: StepResult,
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// Every check is answered, none wrongly.
    Solved,
    /// No answer: the next step gets the file.
    GaveUp,
    /// A wrong answer, which ends a strategy.
    Wrong,
}

/// A file with what is known of it.
#[derive(Clone, Debug)]
pub struct TuningFile {
    /// The values of [`TuningTable::probes`]; no is 0 and yes is 1.
    pub probes: Vec<f64>,
    /// The ends of [`TuningTable::steps`].
    pub ends: Vec<StepEnd>,
}

/// A probe that a rule may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuningProbe {
    /// Its name.
    pub name: String,
    /// Whether its values are numbers.
    pub is_number: bool,
}

/// Everything that strategies are learned from.
#[derive(Clone, Debug)]
pub struct TuningTable {
    /// The steps, as strategies.
    pub steps: Vec<String>,
    /// The probes.
    pub probes: Vec<TuningProbe>,
    /// The files.
    pub files: Vec<TuningFile>,
    /// The time limit of a file, in seconds.
    pub limit: f64,
}

impl TuningTable {
    /// Returns the PAR-2 cost of a result in seconds: the time after which the file is solved, or else twice the limit.
    pub fn cost(&self, solved_after: Option<f64>) -> f64 {
        solved_after.filter(|time| *time <= self.limit).unwrap_or(2.0 * self.limit)
    }

    /// Returns the time after which the best step of a file solves it.
    pub fn best(&self, file: usize) -> Option<f64> {
        let solved = self.files[file].ends.iter().filter(|end| end.result == StepResult::Solved);
        solved.map(|end| end.seconds).filter(|time| *time <= self.limit).reduce(f64::min)
    }
}
