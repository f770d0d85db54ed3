//! Runs the campaigns of a comparison, each in its own process, and resumes an interrupted comparison.

use super::plan::{CampaignPlan, PlannedRun};
use crate::run_folder;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::process::CancelToken;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The file that marks a campaign's folder as complete, including reductions.
const RECORD: &str = "experiment.json";
/// The interval at which a process is polled.
const POLL: Duration = Duration::from_millis(50);

/// The record of a completed campaign, without its findings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The arguments of `squall` that started it, without those that name its folder.
    pub words: Vec<String>,
    /// The time limit of its reductions, in seconds.
    pub reduce_s: u64,
    /// Mutants sent.
    pub mutants: u64,
    /// Units done.
    pub units: u64,
    /// CPU time used, in seconds.
    pub cpu_s: f64,
    /// Scripts that reached a time limit.
    pub timeouts: u64,
}

/// The fields used from the summary of `squall fuzz --format json`.
#[derive(Deserialize)]
pub(crate) struct Summary {
    /// Mutants sent.
    pub(crate) mutants: u64,
    units: u64,
    /// CPU time used, in seconds.
    pub(crate) cpu_s: f64,
    timeouts: u64,
}

/// Runs one campaign and reduces its findings, or returns the record of an earlier run. `None` if cancelled.
/// Errors: the program cannot be started or fails, the folder holds a campaign made under other conditions, or a file
/// cannot be written.
pub fn run(plan: &CampaignPlan, one: PlannedRun, program: &Path, cancel: &CancelToken) -> Result<Option<RunRecord>> {
    let folder = plan.folder(one);
    let line = plan.command_line(one);
    let words = line[..line.len() - 2].to_vec();
    if let Some(record) = kept(plan, &folder, &words)? {
        return Ok(Some(record));
    }
    let Some(summary) = fuzz(program, &line, &folder, cancel)? else { return Ok(None) };
    if !reduced(plan, &folder, program, cancel)? {
        return Ok(None);
    }
    let Summary { mutants, units, cpu_s, timeouts } = summary;
    let record = RunRecord { words, reduce_s: plan.reduce.as_secs(), mutants, units, cpu_s, timeouts };
    run_folder::save(&folder, RECORD, &record)?;
    Ok(Some(record))
}

/// Runs `squall` with the given arguments. Its output is kept next to the campaign's folder. `None` if cancelled.
/// Errors: it cannot be started or fails, or a file cannot be written.
pub(crate) fn fuzz(program: &Path, line: &[String], folder: &Path, cancel: &CancelToken) -> Result<Option<Summary>> {
    let named =
        |end: &str| folder.with_file_name(format!("{}.{end}", folder.file_name().unwrap_or_default().display()));
    let (events, errors) = (named("events.json"), named("errors.txt"));
    let mut fuzz = Command::new(program);
    fuzz.args(line).stdin(Stdio::null()).stdout(create(&events)?).stderr(create(&errors)?);
    let Some(status) = finish(fuzz.spawn().with_context(|| format!("cannot start {}", program.display()))?, cancel)?
    else {
        return Ok(None);
    };
    // 0: nothing found, 10: found, 11: nothing tested.
    if !matches!(status.code(), Some(0 | 10 | 11)) {
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        bail!("'squall {}' failed ({status}): {}", line.join(" "), said.trim());
    }
    summary(&events).map(Some)
}

/// Returns the record of a complete run. Removes an incomplete run, and makes the parent folder.
/// Errors: the folder holds a run that was made under other conditions, or cannot be written.
fn kept(plan: &CampaignPlan, folder: &Path, words: &[String]) -> Result<Option<RunRecord>> {
    if let Some(record) = run_folder::kept::<RunRecord>(folder, RECORD)? {
        if record.words != words || record.reduce_s != plan.reduce.as_secs() {
            bail!(
                "{} was made by 'squall {}', not by 'squall {}'; name another folder by --out, or remove it",
                folder.display(),
                record.words.join(" "),
                words.join(" ")
            );
        }
        return Ok(Some(record));
    }
    let parent = folder.parent().unwrap_or(&plan.out);
    std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
    Ok(None)
}

/// Reduces the findings in a folder within the plan's time. Returns false if cancelled.
/// Errors: the program cannot be started.
pub fn reduced(plan: &CampaignPlan, folder: &Path, program: &Path, cancel: &CancelToken) -> Result<bool> {
    if plan.reduce == Duration::ZERO {
        return Ok(true);
    }
    let mut reduce = Command::new(program);
    let time = format!("{}s", plan.reduce.as_secs());
    reduce.arg("reduce").arg(folder).args(["--jobs", "1", "--quiet", "--for", &time]);
    reduce.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The comparison shows findings left unreduced by a failure or the time limit.
    let child = reduce.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    Ok(finish(child, cancel)?.is_some())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Waits for a process. If cancelled, kills it and returns `None`.
/// Errors: the process cannot be waited for.
pub fn finish(mut child: Child, cancel: &CancelToken) -> Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a campaign")? {
            return Ok(if cancel.is_cancelled() { None } else { Some(status) });
        }
        if cancel.is_cancelled() {
            // The campaign's solvers end with it. An error means that it has already ended.
            let _ = child.kill();
            child.wait().context("cannot wait for a campaign")?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
}

/// Reads the last event of a campaign.
fn summary(events: &Path) -> Result<Summary> {
    let text = std::fs::read_to_string(events).with_context(|| format!("cannot read {}", events.display()))?;
    let last = text.lines().rfind(|line| line.contains("\"event\":\"summary\""));
    let Some(last) = last else { bail!("{} has no summary: the campaign did not complete", events.display()) };
    serde_json::from_str(last).with_context(|| format!("{}: the summary cannot be read", events.display()))
}
