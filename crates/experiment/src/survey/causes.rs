//! The causes of a survey, told apart over all campaigns together, those that nobody is known to know first.

use super::arms::SurveyArm;
use anyhow::{Context, Result};
use finding::BugClass;
use serde::Serialize;
use solver::process::CancelToken;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use triage::folder::CampaignFindings;

/// What is known of a cause. The first is the most interesting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CauseState {
    /// The newest release that was asked and decides errs, and no folder of known findings has it.
    Unknown,
    /// No release was asked, or none decided.
    Unasked,
    /// The newest release is right: it was mended, or hidden.
    Mended,
    /// A folder of known findings has it.
    Known,
}

impl CauseState {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            CauseState::Unknown => "unknown",
            CauseState::Unasked => "not asked",
            CauseState::Mended => "mended",
            CauseState::Known => "known",
        }
    }
}

/// One cause.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveyCause {
    /// What is known of it.
    pub state: CauseState,
    /// Its class.
    pub class: BugClass,
    /// What it is about, in one line.
    pub about: String,
    /// The campaigns that found it, by position.
    pub arms: Vec<usize>,
    /// The oldest release that errs, of those asked.
    pub first_bad: Option<String>,
    /// The first release from which on all that were asked are right.
    pub first_good: Option<String>,
    /// The bytes of its smallest script.
    pub bytes: usize,
    /// The folder of the best finding.
    pub folder: String,
}

/// What the campaigns found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveyResults {
    /// The causes, the unknown first, then by class.
    pub causes: Vec<SurveyCause>,
    /// Findings of wrong answers of each campaign that were not reduced, and are no causes therefore.
    pub unreduced: Vec<usize>,
    /// What is wrong with findings that cannot be read.
    pub damaged: Vec<String>,
}

/// Reads the findings of campaigns, `folders` with the position of the arm of each. Findings in `known` are joined with those of the
/// same cause.
///
/// # Errors
/// A folder that cannot be read.
pub fn read(root: &Path, folders: &[(usize, PathBuf)], known: &[PathBuf], arms: &[SurveyArm]) -> Result<SurveyResults> {
    let mut pool = CampaignFindings::none(root);
    for folder in folders.iter().map(|(_, folder)| folder).chain(known) {
        pool.add(CampaignFindings::load(folder)?);
    }
    let of_arm = |path: &Path| folders.iter().find(|(_, folder)| path.starts_with(folder)).map(|(arm, _)| *arm);
    let mut results = SurveyResults { causes: Vec::new(), unreduced: vec![0; arms.len()], damaged: Vec::new() };
    for group in pool.groups() {
        let mut found: Vec<usize> = group.members.iter().filter_map(|member| of_arm(&member.folder)).collect();
        if group.waits() {
            found.iter().for_each(|&arm| results.unreduced[arm] += 1);
            continue;
        }
        found.sort_unstable();
        found.dedup();
        // Known findings that no campaign found are none of its causes.
        let Some(best) = group.members.iter().find(|member| of_arm(&member.folder).is_some()) else { continue };
        let is_known = group.members.iter().any(|member| known.iter().any(|folder| member.folder.starts_with(folder)));
        let releases = best.releases();
        let state = match (is_known, releases.newest_errs()) {
            (true, _) => CauseState::Known,
            (false, Some(true)) => CauseState::Unknown,
            (false, Some(false)) => CauseState::Mended,
            (false, None) => CauseState::Unasked,
        };
        results.causes.push(SurveyCause {
            state,
            class: best.finding.class,
            about: group.about(),
            arms: found,
            first_bad: releases.first_bad().map(str::to_string),
            first_good: releases.first_good().map(str::to_string),
            bytes: best.script().len(),
            folder: best.folder.display().to_string(),
        });
    }
    // Groups come the most important first, which stays the order of equals.
    results.causes.sort_by_key(|cause| (cause.state, cause.class));
    results.damaged = pool.damaged;
    Ok(results)
}

/// Asks all installed releases about a finding, which keeps what they say. False if that was cancelled.
///
/// # Errors
/// The program cannot be started.
pub fn bisect(folder: &str, program: &Path, cancel: &CancelToken) -> Result<bool> {
    let mut command = Command::new(program);
    command.args(["bisect", folder, "--jobs", "1", "--format", "json"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A script that does not show it now keeps what is known of it.
    let child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    Ok(crate::campaigns::run::finish(child, cancel)?.is_some())
}
