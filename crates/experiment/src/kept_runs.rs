//! Keeps the runs of a comparison on disk, one file per run and problem, to resume an interrupted comparison.

use crate::contender::{Conditions, Contender, ModelVerdict, Sample};
use crate::problem::BenchProblem;
use crate::run_folder;
use anyhow::{Context, Result, bail};
use files::digest;
use serde::{Deserialize, Serialize};
use solver::outcome::Answer;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the record in a run's folder.
const RECORD: &str = "samples.json";

/// Conditions that must be the same for a kept run to be used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct RunConditions {
    /// SHA-256 of this program, which contains the searches.
    program: String,
    timeout_s: f64,
    memory_bytes: u64,
    seed: u64,
}

/// The samples of all contenders in one run on one problem.
#[derive(Serialize, Deserialize)]
struct ProblemRunRecord {
    conditions: RunConditions,
    file: String,
    samples: BTreeMap<String, SampleRecord>,
}

/// A sample as on disk.
#[derive(Serialize, Deserialize)]
struct SampleRecord {
    answers: Vec<String>,
    model: String,
    wall_s: f64,
    cpu_s: f64,
    memory_bytes: u64,
}

/// All answers; a record holds their names.
const ANSWERS: [Answer; 10] = [
    Answer::Sat,
    Answer::Unsat,
    Answer::Unknown,
    Answer::Timeout,
    Answer::MemOut,
    Answer::OutputOut,
    Answer::Cancelled,
    Answer::Crashed,
    Answer::Void,
    Answer::Missing,
];

fn answer(word: &str) -> Option<Answer> {
    ANSWERS.into_iter().find(|answer| answer.word() == word)
}

/// All verdicts on models; a record holds their names.
const VERDICTS: [ModelVerdict; 4] =
    [ModelVerdict::None, ModelVerdict::Valid, ModelVerdict::Invalid, ModelVerdict::Unknown];

impl SampleRecord {
    fn of(sample: &Sample) -> SampleRecord {
        SampleRecord {
            answers: sample.answers.iter().map(|answer| answer.word().to_string()).collect(),
            model: sample.model.word().to_string(),
            wall_s: sample.wall,
            cpu_s: sample.cpu,
            memory_bytes: sample.memory,
        }
    }

    /// Converts to a sample, or `None` for an unknown name.
    fn sample(&self) -> Option<Sample> {
        Some(Sample {
            answers: self.answers.iter().map(|word| answer(word)).collect::<Option<_>>()?,
            model: VERDICTS.into_iter().find(|verdict| verdict.word() == self.model)?,
            wall: self.wall_s,
            cpu: self.cpu_s,
            memory: self.memory_bytes,
        })
    }
}

/// The kept runs of a comparison.
pub struct KeptRuns {
    folder: PathBuf,
    conditions: RunConditions,
}

/// One run on one problem: its samples so far and its folder.
pub struct KeptRun {
    folder: PathBuf,
    record: ProblemRunRecord,
}

impl KeptRuns {
    /// Opens the runs kept in a folder.
    ///
    /// # Errors
    /// This program cannot be read.
    pub fn new(folder: &Path, conditions: &Conditions) -> Result<KeptRuns> {
        let program = digest::sha256_of_file(&conditions.program)
            .with_context(|| format!("cannot read {}", conditions.program.display()))?;
        let (timeout_s, memory_bytes) = (conditions.timeout.as_secs_f64(), conditions.memory);
        let conditions = RunConditions { program, timeout_s, memory_bytes, seed: 0 };
        Ok(KeptRuns { folder: folder.to_path_buf(), conditions })
    }

    /// Loads or starts run number `run` on a problem, with the seed `seed`.
    ///
    /// # Errors
    /// The record cannot be read, or was made under other conditions.
    pub fn run(&self, problem: &BenchProblem, run: u32, seed: u64) -> Result<KeptRun> {
        // Files in two folders may have the same name.
        let digest = digest::sha256(&problem.text);
        let folder = self.folder.join(format!("{}-{run}", digest.get(..16).unwrap_or(&digest)));
        let conditions = RunConditions { seed, ..self.conditions.clone() };
        let record = match run_folder::kept::<ProblemRunRecord>(&folder, RECORD)? {
            Some(record) if record.conditions != conditions => {
                let folder = folder.display();
                bail!(
                    "{folder} was made under other conditions (program, time, memory or seed); name another folder by --out, or \
                     remove it"
                );
            }
            Some(record) => record,
            None => ProblemRunRecord { conditions, file: problem.name.clone(), samples: BTreeMap::new() },
        };
        Ok(KeptRun { folder, record })
    }
}

impl KeptRun {
    /// Returns a contender's kept sample. The user's own program may change, so it has none.
    pub fn sample(&self, contender: &Contender) -> Option<Sample> {
        self.record.samples.get(&contender.identity()?)?.sample()
    }

    /// Writes a contender's sample to disk.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn keep(&mut self, contender: &Contender, sample: &Sample) -> Result<()> {
        let Some(identity) = contender.identity() else { return Ok(()) };
        self.record.samples.insert(identity, SampleRecord::of(sample));
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        run_folder::save(&self.folder, RECORD, &self.record)
    }
}
