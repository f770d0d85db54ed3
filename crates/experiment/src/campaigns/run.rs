//! Runs the campaigns of a comparison, each in a process of its own, and resumes a comparison that was stopped.

use super::plan::{CampaignPlan, PlannedRun};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::process::CancelToken;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The file in a campaign's folder that says that it is complete, reductions included.
const RECORD: &str = "experiment.json";
/// How often a process is looked at.
const POLL: Duration = Duration::from_millis(50);

/// What a campaign did, beside its findings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The words after `squall` that began it, without those that name its folder.
    pub words: Vec<String>,
    /// How long its reductions might take, in seconds.
    pub reduce_s: u64,
    /// Mutants sent.
    pub mutants: u64,
    /// Units done.
    pub units: u64,
    /// CPU time used, in seconds.
    pub cpu_s: f64,
    /// Scripts that met a limit of time.
    pub timeouts: u64,
}

/// The summary of `squall fuzz --format json`, as far as it is used.
#[derive(Deserialize)]
struct Summary {
    mutants: u64,
    units: u64,
    cpu_s: f64,
    timeouts: u64,
}

/// Runs one campaign and reduces what it found, unless an earlier run of the experiment did so. None where it was cancelled.
///
/// # Errors
/// The program cannot be started or fails, the folder holds a campaign made under other conditions, or a file cannot be written.
pub fn run(plan: &CampaignPlan, one: PlannedRun, program: &Path, cancel: &CancelToken) -> Result<Option<RunRecord>> {
    let folder = plan.folder(one);
    let line = plan.command_line(one);
    let words = line[..line.len() - 2].to_vec();
    let reduce_s = plan.reduce.as_secs();
    let path = folder.join(RECORD);
    if let Ok(text) = std::fs::read_to_string(&path) {
        let record: RunRecord = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be read; remove the folder to run it again", path.display()))?;
        if record.words != words || record.reduce_s != reduce_s {
            bail!(
                "{} was made by 'squall {}', not by 'squall {}'; name another folder by --out, or remove it",
                folder.display(),
                record.words.join(" "),
                words.join(" ")
            );
        }
        return Ok(Some(record));
    }
    if folder.exists() {
        // A campaign that was stopped has used an unknown amount of CPU time: it is run again.
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let parent = folder.parent().unwrap_or(&plan.out);
    std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
    let named =
        |end: &str| folder.with_file_name(format!("{}.{end}", folder.file_name().unwrap_or_default().display()));
    let (events, errors) = (named("events.json"), named("errors.txt"));
    let mut fuzz = Command::new(program);
    fuzz.args(&line).stdin(Stdio::null()).stdout(create(&events)?).stderr(create(&errors)?);
    let Some(status) = finish(fuzz.spawn().with_context(|| format!("cannot start {}", program.display()))?, cancel)?
    else {
        return Ok(None);
    };
    // 0: nothing found, 10: found, 11: nothing tested.
    if !matches!(status.code(), Some(0 | 10 | 11)) {
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        bail!("'squall {}' failed ({status}): {}", line.join(" "), said.trim());
    }
    let summary = summary(&events)?;
    if plan.reduce > Duration::ZERO {
        let mut reduce = Command::new(program);
        reduce.arg("reduce").arg(&folder).args(["--jobs", "1", "--quiet", "--for", &format!("{reduce_s}s")]);
        reduce.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A reduction that fails or is out of time leaves findings unreduced, which the comparison shows.
        if finish(reduce.spawn().with_context(|| format!("cannot start {}", program.display()))?, cancel)?.is_none() {
            return Ok(None);
        }
    }
    let Summary { mutants, units, cpu_s, timeouts } = summary;
    let record = RunRecord { words, reduce_s, mutants, units, cpu_s, timeouts };
    let text = serde_json::to_string_pretty(&record)?;
    files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(record))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Waits for a process; none if it was cancelled, and ended for that.
fn finish(mut child: Child, cancel: &CancelToken) -> Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a campaign")? {
            return Ok(if cancel.is_cancelled() { None } else { Some(status) });
        }
        if cancel.is_cancelled() {
            // Its solvers end with it. That it has ended meanwhile is no error.
            let _ = child.kill();
            child.wait().context("cannot wait for a campaign")?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
}

/// The last event of a campaign.
fn summary(events: &Path) -> Result<Summary> {
    let text = std::fs::read_to_string(events).with_context(|| format!("cannot read {}", events.display()))?;
    let last = text.lines().rfind(|line| line.contains("\"event\":\"summary\""));
    let Some(last) = last else { bail!("{} has no summary: the campaign did not come to its end", events.display()) };
    serde_json::from_str(last).with_context(|| format!("{}: the summary cannot be read", events.display()))
}
