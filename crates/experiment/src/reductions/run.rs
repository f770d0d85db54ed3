//! One file reduced once by one reducer, in a process of its own whose CPU time is measured with all that it starts.

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

/// The file in the folder of a run that says that it is complete.
const RECORD: &str = "reduction.json";
/// The files of a run.
const RESULT: &str = "reduced.smt2";
const CHECK: &str = "check.sh";
const CALLS: &str = "calls";
const LOG: &str = "output.txt";
/// The exit code of `squall experiment judge` where the error shows.
const SHOWN: i32 = 10;
/// How long one that is interrupted may go on to write what it has, and a result may take to be judged.
const PATIENCE: Duration = Duration::from_secs(60);

/// A way of reducing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComparedReducer {
    /// Algorithm 2 of the STORM paper as published, as [`crate::minimization`] runs it.
    Storm,
    /// The passes of `squall reduce`.
    Passes,
    /// ddSMT 2 (Kremer, Niemetz, Preiner, CAV 2021): its program.
    Ddsmt(PathBuf),
}

impl ComparedReducer {
    /// Its name, as in tables and folders.
    pub fn word(&self) -> &'static str {
        match self {
            ComparedReducer::Storm => "storm",
            ComparedReducer::Passes => "passes",
            ComparedReducer::Ddsmt(_) => "ddsmt",
        }
    }
}

/// What is reduced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReductionFile {
    /// Its name, also in those of folders.
    pub name: String,
    /// The folder of a finding, or a script.
    pub path: PathBuf,
    /// The script.
    pub script: PathBuf,
    /// Words of `squall reduce` and `squall experiment judge`: the solver, how it is wrong, and who is trusted.
    pub words: Vec<String>,
}

/// A run to be made.
#[derive(Clone, Debug)]
pub struct ReductionJob<'a> {
    /// The file.
    pub file: &'a ReductionFile,
    /// The way.
    pub reducer: &'a ComparedReducer,
    /// Which run it is. Algorithm 2 takes its random choices from it.
    pub seed: u64,
    /// The most CPU time of the process and all that it starts. What it has by then counts.
    pub cpu: Duration,
    /// The folder of the run.
    pub folder: &'a Path,
    /// This program.
    pub program: &'a Path,
    /// Stops it.
    pub cancel: &'a CancelToken,
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReductionRun {
    /// The file.
    pub file: String,
    /// The way.
    pub reducer: String,
    /// Which run it is.
    pub seed: u64,
    /// What was run, without the folders.
    pub words: Vec<String>,
    /// The size as found.
    pub before: Size,
    /// The size of the smallest script.
    pub after: Size,
    /// Wall-clock seconds of the whole process, to a tenth of a second.
    pub wall_s: f64,
    /// CPU seconds of the process and of all that it started, to a hundredth of a second.
    pub cpu_s: f64,
    /// Candidates put to the solver.
    pub calls: u64,
    /// Whether it came to its end, and was not stopped at its limit.
    pub finished: bool,
    /// Why it could not reduce the file, which then counts as left as it was.
    pub failed: Option<String>,
    /// Whether the result, judged anew from its file, still shows the error with its truth.
    pub holds: bool,
}

impl ReductionJob<'_> {
    /// What identifies the run.
    fn words(&self) -> Vec<String> {
        let mut words = vec![self.file.path.display().to_string()];
        words.extend(self.file.words.iter().cloned());
        words.extend([self.reducer.word().to_string(), format!("{}ms", self.cpu.as_millis()), self.seed.to_string()]);
        if let ComparedReducer::Ddsmt(program) = self.reducer {
            words.push(program.display().to_string());
        }
        words
    }

    /// Reduces the file, unless an earlier run of the experiment did so. None if it was cancelled.
    ///
    /// # Errors
    /// A program cannot be started or fails, a file cannot be written, or the folder holds a run made under other conditions.
    pub fn run(&self) -> Result<Option<ReductionRun>> {
        let words = self.words();
        let kept = run_folder::kept_by_words(self.folder, RECORD, &words, |run: &ReductionRun| &run.words)?;
        if kept.is_some() {
            return Ok(kept);
        }
        fs::create_dir_all(self.folder).with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        let command = match self.reducer {
            ComparedReducer::Ddsmt(ddsmt) => self.ddsmt(ddsmt)?,
            ComparedReducer::Storm | ComparedReducer::Passes => self.ours(),
        };
        let (log, begun) = (self.folder.join(LOG), Instant::now());
        let limits = GroupLimits { cpu: self.cpu, wall: wall_limit(self.cpu), grace: PATIENCE };
        let (end, cpu) = process_group::run(&command, self.folder, &log, limits, self.cancel)?;
        let wall_s = begun.elapsed().as_secs_f64();
        if end == GroupEnd::Cancelled {
            return Ok(None);
        }
        let result = self.result();
        let counts = self.counts(&log, end)?;
        let ended_well = end == GroupEnd::Limit || counts.is_some() && result.is_file();
        let failed = if ended_well { None } else { Some(last_words(&log)) };
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

    /// Where the result lies.
    fn result(&self) -> PathBuf {
        self.folder.join(RESULT)
    }

    fn ours(&self) -> Vec<String> {
        let seed = self.seed.to_string();
        let (command, options): (&[&str], &[&str]) = match self.reducer {
            ComparedReducer::Storm => (&["experiment", "storm"], &["--seed", &seed]),
            _ => (&["reduce"], &["--jobs", "1", "--restart"]),
        };
        let [program, path, result] = [self.program, &self.file.path, &self.result()].map(|p| p.display().to_string());
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let out = ["--out".to_string(), result];
        [vec![program], words(command), vec![path], self.file.words.clone(), words(options), out.to_vec()].concat()
    }

    /// The command of ddSMT, whose check is our oracle: it compares the exit code with that of the file itself.
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
            // The check keeps the time of each question itself.
            "--timeout".to_string(),
            "60".to_string(),
            path(&self.file.script),
            path(&self.result()),
            "/bin/sh".to_string(),
            path(&check),
        ])
    }

    /// How many candidates were put to the solver, and whether the reducer came to its end; none if it failed.
    fn counts(&self, log: &Path, end: GroupEnd) -> Result<Option<(u64, bool)>> {
        let (said, calls) = match self.reducer {
            ComparedReducer::Storm => {
                let text = fs::read_to_string(log).with_context(|| format!("cannot read {}", log.display()))?;
                (text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()), "calls")
            }
            ComparedReducer::Passes => {
                let account = fs::read(self.result().with_extension("json")).ok();
                let account = account.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
                (account.map(|account| account["report"].clone()), "judged")
            }
            ComparedReducer::Ddsmt(_) => {
                let text = fs::read(self.folder.join(CALLS)).unwrap_or_default();
                let calls = text.iter().filter(|byte| **byte == b'\n').count() as u64;
                return Ok(Some((calls, end == GroupEnd::Ended)));
            }
        };
        Ok(said.and_then(|said| Some((said[calls].as_u64()?, said["finished"].as_bool()?))))
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

/// The size of the script in a file.
fn size(path: &Path) -> Result<Size> {
    let bytes = files::named(path)?;
    let subject = Subject::read(&bytes, smtlib::Dialect::default());
    Ok(subject.with_context(|| format!("cannot read {}", path.display()))?.size())
}

/// The last line that is not empty.
fn last_words(log: &Path) -> String {
    let said = fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim().to_string()
}
