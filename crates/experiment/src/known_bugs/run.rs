//! Fuzzes until one known bug is found. A finding counts if the fixed release answers rightly on the same mutant.

use super::manifest::ReleaseBug;
use crate::campaigns::plan::{BY_ITSELF, measured};
use crate::campaigns::run::fuzz;
use crate::run_folder;
use anyhow::{Context, Result};
use oracle::replay::{self, SavedFinding};
use serde::{Deserialize, Serialize};
use smtlib::Store;
use solver::outcome::Answer;
use solver::process::CancelToken;
use solver::session::Solver;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that marks the folder of a run as complete.
const RECORD: &str = "known-bug.json";
/// The minimum remaining CPU time at which another campaign starts.
const LEAST: Duration = Duration::from_millis(200);
/// The increment between the campaign seeds of one run, so that runs do not share seeds.
const NEXT: u64 = 1_000_003;

/// The conditions of one run for a known bug.
#[derive(Clone, Debug)]
pub struct BugSearch<'a> {
    /// The bug.
    pub bug: &'a ReleaseBug,
    /// Its seeds: files and folders; empty for the embedded ones.
    pub seeds: &'a [PathBuf],
    /// The campaign seed.
    pub seed: u64,
    /// The CPU limit.
    pub cpu: Duration,
    /// The folder of the run.
    pub folder: &'a Path,
    /// The path of this program.
    pub program: &'a Path,
    /// The last release that has it, if that is not the fuzzed one.
    pub last: Option<&'a Solver>,
    /// The fixed release; with `None`, every finding of the class counts.
    pub fixed: Option<&'a Solver>,
    /// Stops the run.
    pub cancel: &'a CancelToken,
}

/// The record of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BugRun {
    /// The bug's name.
    pub bug: String,
    /// The campaign seed.
    pub seed: u64,
    /// The first command line without its folder, the last release that has the bug, and the fixed one.
    pub words: Vec<String>,
    /// The folder of the accepted finding; `None` if the bug was not found.
    pub found: Option<PathBuf>,
    /// CPU time used until then, in seconds.
    pub cpu_s: f64,
    /// Mutants sent until then.
    pub mutants: u64,
    /// Findings of the class on which the fixed release does not answer rightly, or the last release with the bug does not fail.
    pub refused: usize,
}

impl BugRun {
    /// Returns `found` or `not found`.
    pub fn outcome(&self) -> &'static str {
        if self.found.is_some() { "found" } else { "not found" }
    }
}

impl BugSearch<'_> {
    fn arguments(&self, number: u64, left: Duration) -> Vec<String> {
        let mut words = vec!["fuzz".to_string()];
        words.extend(self.seeds.iter().map(|path| path.display().to_string()));
        words.extend(["--solver".to_string(), self.bug.solver.clone()]);
        words.extend(self.bug.words.iter().cloned());
        if !self.bug.sets("--options") {
            words.extend(BY_ITSELF.map(String::from));
        }
        let seed = self.seed.wrapping_add(number.wrapping_mul(NEXT));
        words.extend(measured(seed, left));
        words.extend(["--until-found".to_string(), self.bug.class.to_string()]);
        words
    }

    /// Fuzzes until the bug is found or the CPU time is used, or returns the record of an earlier run. After a finding that does not
    /// count, another campaign starts. `None` if cancelled.
    /// Errors: if a campaign fails, a file cannot be written, or the folder contains a run with other settings.
    pub fn run(&self) -> Result<Option<BugRun>> {
        let mut words = self.arguments(0, self.cpu);
        words.extend(self.bug.last.clone());
        words.extend(self.bug.fixed.clone());
        if let Some(run) = run_folder::kept_by_words(self.folder, RECORD, &words, |run: &BugRun| &run.words)? {
            return Ok(Some(run));
        }
        std::fs::create_dir_all(self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        let (bug, seed) = (self.bug.id.clone(), self.seed);
        let mut run = BugRun { bug, seed, words, found: None, cpu_s: 0.0, mutants: 0, refused: 0 };
        for number in 0.. {
            let left = self.cpu.saturating_sub(Duration::from_secs_f64(run.cpu_s));
            if left < LEAST {
                break;
            }
            let out = self.folder.join(format!("campaign-{number}"));
            let mut words = self.arguments(number, left);
            words.extend(["--out".to_string(), out.display().to_string()]);
            let Some(summary) = fuzz(self.program, &words, &out, self.cancel)? else { return Ok(None) };
            run.cpu_s += summary.cpu_s;
            run.mutants += summary.mutants;
            let findings = finding::folder::find(&out).unwrap_or_default();
            for folder in &findings {
                let saved = replay::load(folder)?;
                match saved.finding.class == self.bug.class && !saved.finding.class.needs_another() {
                    true if self.is_shown(&saved)? && self.is_mended(&saved)? => run.found = Some(folder.clone()),
                    true => run.refused += 1,
                    false => {}
                }
            }
            // Without a finding, the campaign used its time or could not test anything.
            if run.found.is_some() || findings.is_empty() {
                break;
            }
        }
        run_folder::save(self.folder, RECORD, &run)?;
        Ok(Some(run))
    }

    /// Whether the last release with the bug also fails on a finding.
    fn is_shown(&self, saved: &SavedFinding) -> Result<bool> {
        let Some(last) = self.last else { return Ok(true) };
        let hit = saved.replay(last)?.hit;
        Ok(hit.is_some_and(|hit| hit.class == saved.finding.class))
    }

    /// Whether the truth of a finding holds and the fixed release answers rightly: a definite answer that does not contradict the truth or
    /// itself, without a crash. Without a fixed release, the campaign's confirmation counts.
    fn is_mended(&self, saved: &SavedFinding) -> Result<bool> {
        let Some(fixed) = self.fixed else { return Ok(true) };
        let replayed = saved.replay(fixed)?;
        let holds = replayed.witness.is_ok();
        let answer = replayed.outcome.answers.get(saved.finding.check).map(|check| check.answer);
        let expected = saved.finding.expected.get(saved.finding.check).map_or("", String::as_str);
        let is_right = match (answer, expected) {
            (Some(Answer::Sat), "unsat") | (Some(Answer::Unsat), "sat") => false,
            (Some(Answer::Sat | Answer::Unsat), _) => true,
            _ => false,
        };
        Ok(holds && is_right && replayed.hit.is_none() && replayed.misread.is_none())
    }
}

/// Returns a normal form that ignores spacing and `:status`: two scripts with one form are the same problem.
pub fn form(text: &str) -> String {
    let mut store = Store::new();
    let mut script = smtlib::parse(&mut store, text).script;
    script.commands.retain(|command| !matches!(command, smtlib::Command::SetInfo(..) | smtlib::Command::Exit));
    store.script_text(&script)
}
