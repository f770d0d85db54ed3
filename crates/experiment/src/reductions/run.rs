//! Reduces one file once by one reducer in its own process, and measures the CPU time of the whole process group.

use crate::campaigns::plan::wall_limit;
use crate::process_group::{self, GroupEnd, GroupLimits};
use crate::run_folder;
use anyhow::{Context, Result};
use reduce::{Size, Subject};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use solver::process::{self, CancelToken, ProcessJob, ProcessLimits, RunStatus};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file that marks the folder of a run as complete.
const RECORD: &str = "reduction.json";
/// The files of a run.
const RESULT: &str = "reduced.smt2";
const CHECK: &str = "check.sh";
const CALLS: &str = "calls";
const LOG: &str = "output.txt";
/// The exit code of `squall experiment judge` if the error shows.
const SHOWN: i32 = 10;
/// The time for an interrupted reducer to write its best result, and the time limit for judging a result.
const PATIENCE: Duration = Duration::from_secs(60);

/// A way of reducing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComparedReducer {
    /// The passes of `squall reduce`.
    Passes,
    /// ddSMT 2 (Kremer, Niemetz, Preiner, CAV 2021): its program.
    Ddsmt(PathBuf),
}

impl ComparedReducer {
    /// Returns its name in tables and folders.
    pub fn word(&self) -> &'static str {
        match self {
            ComparedReducer::Passes => "passes",
            ComparedReducer::Ddsmt(_) => "ddsmt",
        }
    }
}

/// A file to reduce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReductionFile {
    /// Its name, which is part of the names of folders.
    pub name: String,
    /// The folder of a finding, or a script.
    pub path: PathBuf,
    /// The script.
    pub script: PathBuf,
    /// Arguments of `squall reduce` and `squall experiment judge`: the solver, how it is wrong, and the trusted solvers.
    pub words: Vec<String>,
}

/// A planned run.
#[derive(Clone, Debug)]
pub struct ReductionJob<'a> {
    /// The file.
    pub file: &'a ReductionFile,
    /// The reducer.
    pub reducer: &'a ComparedReducer,
    /// The number of the run.
    pub seed: u64,
    /// The CPU time limit of the process group. The best result within it counts.
    pub cpu: Duration,
    /// The folder of the run.
    pub folder: &'a Path,
    /// The path of this program.
    pub program: &'a Path,
    /// Stops the run.
    pub cancel: &'a CancelToken,
}

/// The record of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReductionRun {
    /// The file.
    pub file: String,
    /// The reducer.
    pub reducer: String,
    /// The number of the run.
    pub seed: u64,
    /// The command without folders.
    pub words: Vec<String>,
    /// The original size.
    pub before: Size,
    /// The size of the result.
    pub after: Size,
    /// Wall-clock seconds of the whole process, to a tenth of a second.
    pub wall_s: f64,
    /// CPU seconds of the process group, to a hundredth of a second.
    pub cpu_s: f64,
    /// Candidates run on the solver.
    pub calls: u64,
    /// Whether the reducer ended by itself and not at its limit.
    pub finished: bool,
    /// Why the reducer could not reduce the file. The original file then counts as its result.
    pub failed: Option<String>,
    /// Whether the result, judged again from its file, still shows the error with its truth.
    pub holds: bool,
}

impl ReductionJob<'_> {
    /// Returns the words that identify the run.
    fn identity(&self) -> Vec<String> {
        let mut words = vec![self.file.path.display().to_string()];
        words.extend(self.file.words.iter().cloned());
        words.extend([self.reducer.word().to_string(), format!("{}ms", self.cpu.as_millis()), self.seed.to_string()]);
        if let ComparedReducer::Ddsmt(program) = self.reducer {
            words.push(program.display().to_string());
        }
        words
    }

    /// Reduces the file, or returns the record of an earlier run. `None` if cancelled.
    /// Errors: a program cannot be started or fails, a file cannot be written, or the folder holds a run made under
    /// other conditions.
    pub fn run(&self) -> Result<Option<ReductionRun>> {
        let words = self.identity();
        let kept = run_folder::kept_by_words(self.folder, RECORD, &words, |run: &ReductionRun| &run.words)?;
        if kept.is_some() {
            return Ok(kept);
        }
        fs::create_dir_all(self.folder).with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        let command = match self.reducer {
            ComparedReducer::Ddsmt(ddsmt) => self.ddsmt(ddsmt)?,
            ComparedReducer::Passes => self.ours(),
        };
        let (log, begun) = (self.folder.join(LOG), Instant::now());
        let limits = GroupLimits { cpu: self.cpu, wall: wall_limit(self.cpu), grace: PATIENCE };
        let (end, cpu) = process_group::run(&command, self.folder, &log, limits, self.cancel)?;
        let wall_s = begun.elapsed().as_secs_f64();
        if end == GroupEnd::Cancelled {
            return Ok(None);
        }
        let result = self.result();
        let counts = self.counts(end);
        let ended_well = end == GroupEnd::Limit || counts.is_some() && result.is_file();
        let failed = if ended_well { None } else { Some(last_line(&log)) };
        let (calls, finished) = counts.unwrap_or_default();
        let before = size(&self.file.script)?;
        let after = if result.is_file() { size(&result)? } else { before };
        let holds = !result.is_file() || self.holds(&result)?;
        let (file, reducer) = (self.file.name.clone(), self.reducer.word().to_string());
        let (seed, cpu_s) = (self.seed, cpu.as_secs_f64());
        let run =
            ReductionRun { file, reducer, seed, words, before, after, wall_s, cpu_s, calls, finished, failed, holds };
        run_folder::save(self.folder, RECORD, &run)?;
        Ok(Some(run))
    }

    /// Returns the path of the result.
    fn result(&self) -> PathBuf {
        self.folder.join(RESULT)
    }

    fn ours(&self) -> Vec<String> {
        let [program, path, result] = [self.program, &self.file.path, &self.result()].map(|p| p.display().to_string());
        let mut command = vec![program, "reduce".to_string(), path];
        command.extend(self.file.words.iter().cloned());
        command.extend(["--jobs", "1", "--restart", "--out"].map(String::from));
        command.push(result);
        command
    }

    /// Returns the command of ddSMT. Its check is our oracle: ddSMT compares the exit code with that for the original file.
    fn ddsmt(&self, ddsmt: &Path) -> Result<Vec<String>> {
        let check = self.folder.join(CHECK);
        let mut judge = vec![self.program.display().to_string(), "experiment".to_string(), "judge".to_string()];
        judge.extend(self.file.words.iter().cloned());
        judge.push(self.file.path.display().to_string());
        let judge = shlex::try_join(judge.iter().map(String::as_str)).context("a word of the check")?;
        let calls = self.folder.join(CALLS).display().to_string();
        let calls = shlex::try_quote(&calls).context("the folder")?;
        let text =
            format!("#!/bin/sh\n# Counts the candidate, then judges it.\necho >> {calls}\nexec {judge} \"$1\"\n");
        fs::write(&check, text).with_context(|| format!("cannot write {}", check.display()))?;
        let path = |path: &Path| path.display().to_string();
        Ok(vec![
            path(ddsmt),
            "--ignore-output".to_string(),
            "-j".to_string(),
            "1".to_string(),
            // The check itself limits the time of each solver run.
            "--timeout".to_string(),
            "60".to_string(),
            path(&self.file.script),
            path(&self.result()),
            "/bin/sh".to_string(),
            path(&check),
        ])
    }

    /// Returns the number of candidates run on the solver, and whether the reducer ended by itself; `None` if it failed.
    fn counts(&self, end: GroupEnd) -> Option<(u64, bool)> {
        match self.reducer {
            ComparedReducer::Passes => {
                let account = fs::read(self.result().with_extension("json")).ok()?;
                let report = &serde_json::from_slice::<Value>(&account).ok()?["report"];
                Some((report["judged"].as_u64()?, report["finished"].as_bool()?))
            }
            ComparedReducer::Ddsmt(_) => {
                let text = fs::read(self.folder.join(CALLS)).unwrap_or_default();
                let calls = text.iter().filter(|byte| **byte == b'\n').count() as u64;
                Some((calls, end == GroupEnd::Ended))
            }
        }
    }

    /// Whether a script still shows the error with its truth.
    fn holds(&self, script: &Path) -> Result<bool> {
        let mut command: Vec<OsString> = vec![self.program.into(), "experiment".into(), "judge".into()];
        command.extend(self.file.words.iter().map(OsString::from));
        command.extend([self.file.path.clone().into_os_string(), script.into()]);
        let limits = ProcessLimits { wall: PATIENCE, ..ProcessLimits::default() };
        let job = ProcessJob { cancel: Some(self.cancel), ..ProcessJob::new(&command, b"", &limits) };
        Ok(process::run(&job)?.status == RunStatus::Exited(SHOWN))
    }
}

/// Returns the size of the script in a file.
fn size(path: &Path) -> Result<Size> {
    let bytes = files::named(path)?;
    let subject = Subject::read(&bytes, smtlib::Dialect::default());
    Ok(subject.with_context(|| format!("cannot read {}", path.display()))?.size())
}

/// Returns the last line that is not empty.
fn last_line(log: &Path) -> String {
    let said = fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing").trim().to_string()
}
