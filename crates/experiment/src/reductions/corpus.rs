//! The files to reduce: findings of a short campaign, or of a folder.

use super::run::ReductionFile;
use crate::campaigns::plan::{BY_ITSELF, measured};
use crate::campaigns::run::fuzz;
use crate::run_folder;
use anyhow::{Context, Result};
use finding::folder::{self, FindingFile, FindingFolder};
use finding::{BugClass, Finding};
use serde::{Deserialize, Serialize};
use solver::process::CancelToken;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that marks the folder of a campaign as complete.
const RECORD: &str = "corpus.json";

/// A finding: the size of its script in bytes, its folder, and its name.
type SizedFinding = (usize, PathBuf, String);

/// A campaign with the mutator storm whose findings are reduced.
#[derive(Clone, Debug)]
pub struct CorpusCampaign<'a> {
    /// The solver, as an argument of `squall fuzz`.
    pub solver: &'a str,
    /// The seeds; empty for the embedded ones.
    pub seeds: &'a [PathBuf],
    /// The campaign seed.
    pub seed: u64,
    /// Its CPU time.
    pub cpu: Duration,
    /// Its folder.
    pub folder: &'a Path,
    /// The path of this program.
    pub program: &'a Path,
    /// Stops the campaign.
    pub cancel: &'a CancelToken,
}

#[derive(Serialize, Deserialize)]
struct CorpusRecord {
    words: Vec<String>,
}

impl CorpusCampaign<'_> {
    /// Fuzzes, unless an earlier run of the experiment did so. Returns false if cancelled.
    /// Errors: the campaign fails, a file cannot be written, or the folder holds a campaign made under other conditions.
    pub fn run(&self) -> Result<bool> {
        let mut words = vec!["fuzz".to_string()];
        words.extend(self.seeds.iter().map(|path| path.display().to_string()));
        words.extend(["--solver", self.solver, "--mutator", "storm"].into_iter().chain(BY_ITSELF).map(String::from));
        words.extend(measured(self.seed, self.cpu));
        if run_folder::kept_by_words(self.folder, RECORD, &words, |record: &CorpusRecord| &record.words)?.is_some() {
            return Ok(true);
        }
        let parent = self.folder.parent().unwrap_or(self.folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        let mut line = words.clone();
        line.extend(["--out".to_string(), self.folder.display().to_string()]);
        if fuzz(self.program, &line, self.folder, self.cancel)?.is_none() {
            return Ok(false);
        }
        run_folder::save(self.folder, RECORD, &CorpusRecord { words })?;
        Ok(true)
    }
}

/// Returns at most `most` wrong `unsat`s among the findings in a folder, the largest of each seed and mode first. Findings of solvers that
/// fail `is_here` cannot be run; they are left out and counted.
/// Errors: the folder holds no finding, or one that cannot be read.
pub fn of_folder(
    root: &Path,
    most: usize,
    trust: &[String],
    is_here: impl Fn(&Finding) -> bool,
) -> Result<(Vec<ReductionFile>, usize)> {
    let mut kinds: BTreeMap<(String, String), Vec<SizedFinding>> = BTreeMap::new();
    let mut absent = 0;
    for folder in folder::find(root)? {
        let record = FindingFolder::at(&folder).record()?;
        if record.class != BugClass::A {
            continue;
        }
        if !is_here(&record) {
            absent += 1;
            continue;
        }
        let kind = (record.seed_name().unwrap_or_default().to_string(), record.mode.clone());
        kinds.entry(kind).or_default().push((record.mutant_bytes, folder, record.id));
    }
    let mut ranked = Vec::new();
    for found in kinds.values_mut() {
        found.sort_by(|a, b| b.cmp(a));
        ranked.extend(found.drain(..).enumerate());
    }
    // One finding of each kind precedes a second finding of any kind.
    ranked.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| other.cmp(one)));
    let file = |(_, (_, path, name)): (usize, SizedFinding)| ReductionFile {
        script: FindingFolder::at(&path).place(FindingFile::Mutant),
        name,
        path,
        words: trust_arguments(trust),
    };
    Ok((ranked.into_iter().take(most).map(file).collect(), absent))
}

/// Describes a script that a solver answers with a wrong `unsat`.
/// Errors: the path has no file name.
pub fn of_script(path: &Path, solver: &str, trust: &[String]) -> Result<ReductionFile> {
    let name = path.file_stem().context("a script needs a name")?.to_string_lossy().into_owned();
    let mut words = ["--solver", solver, "--wrong", "unsat"].map(String::from).to_vec();
    words.extend(trust_arguments(trust));
    Ok(ReductionFile { name, path: path.to_path_buf(), script: path.to_path_buf(), words })
}

fn trust_arguments(trust: &[String]) -> Vec<String> {
    trust.iter().flat_map(|spec| ["--trust".to_string(), spec.clone()]).collect()
}
