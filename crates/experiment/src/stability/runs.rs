//! Runs of a solver on trials of a check, each kept on disk at once, so that an interrupted measurement loses nothing.

use super::check::{CheckParts, in_other_order, script_of};
use crate::journal::Journal;
use anyhow::{Result, ensure};
use files::sha256;
use mutate::reworded::{RenamedSymbols, RewordingRules, Wording, reword_as};
use mutate::rng::Unit;
use oracle::tested;
use serde::{Deserialize, Serialize};
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use std::path::Path;

/// The result of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StabilityRun {
    /// The answer.
    pub answer: Answer,
    /// CPU seconds.
    pub cpu_s: f64,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// The solver's first error, at most 200 characters.
    pub complaint: Option<String>,
}

/// A solver, and the conditions under which it is measured.
pub struct StabilitySolver<'k> {
    /// The solver; its runs stop with the measurement.
    pub solver: Solver,
    /// The limits of a run.
    pub limits: ProcessLimits,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of trials.
    pub trials: u32,
    /// The runs so far, by SHA-256 of the command line with its programs, the limits and the script.
    pub kept: &'k Journal<StabilityRun>,
}

impl StabilitySolver<'_> {
    /// Makes the trial with this number: 0 is the check as it is, odd ones have only another random seed, even ones have other names
    /// and orders, too. A solver that takes no random seed has all of them rephrased. The script begins with a comment about it.
    pub fn trial(&self, parts: &CheckParts, number: u32) -> (String, Solver) {
        let (mut text, label) = (script_of(parts), self.solver.installed().label());
        let digits = u64::from_str_radix(sha256(&text).get(..16).unwrap_or_default(), 16);
        let unit = Unit { campaign: self.seed, number: number.into() };
        let mut rng = unit.mutant_stream(digits.unwrap_or_default());
        if number == 0 {
            return (format!("; {label}, as it is\n{text}"), self.solver.clone());
        }
        let seed = rng.below(1 << 31) as u32;
        let solver = self.solver.clone().with_random_seed(seed);
        if number.is_multiple_of(2) || solver.profile().options.random_seed.is_empty() {
            let dialect = &tested::dialect(solver.installed());
            let rules =
                RewordingRules { dialect, takes_commands: false, takes_errors: false, renamed: RenamedSymbols::All };
            text = script_of(&in_other_order(parts, &mut rng));
            text = reword_as(&text, Wording::Names, rules, &mut rng).unwrap_or(text);
        }
        (format!("; {label}, random seed {seed}\n{text}"), solver)
    }

    /// Runs a trial of some commands of a check, or returns the kept run.
    /// Errors: the solver cannot be run, the run cannot be kept, or it was cancelled.
    pub fn run(&self, parts: &CheckParts, number: u32) -> Result<StabilityRun> {
        let (text, solver) = self.trial(parts, number);
        let needs = SessionNeeds::of_script(1, &text);
        let command = solver.command_line(needs, &self.limits);
        // A program may change under its name, and so may a script that plays one.
        let state = |word| std::fs::metadata(Path::new(word)).and_then(|data| Ok((data.len(), data.modified()?)));
        let programs: Vec<_> = command.iter().map(|word| state(word).ok()).collect();
        let key = sha256(format!("{command:?}\0{programs:?}\0{:?}\0{text}", self.limits));
        if let Some(run) = self.kept.get(&key) {
            return Ok(run);
        }
        let outcome = solver.check(&text, needs, &self.limits)?;
        let first_line = |text: &str| text.lines().next().unwrap_or_default().chars().take(200).collect();
        let complaint = outcome.complaint().map(|text| first_line(&text));
        let (cpu_s, wall_s) = (outcome.cpu.as_secs_f64(), outcome.wall.as_secs_f64());
        let run = StabilityRun { answer: outcome.last_answer(), cpu_s, wall_s, complaint };
        ensure!(run.answer != Answer::Cancelled, "interrupted");
        self.kept.keep(key, &run)?;
        Ok(run)
    }
}
