//! Adding folders to a corpus: reading, dropping near-duplicates, choosing, asking a solver, copying.

use super::manifest::{CorpusManifest, CorpusSeed, ManifestError, MeasuredSeed};
use super::selection::{Weighed, select};
use super::shape::SeedShape;
use super::{StoredCorpus, seeds};
use crate::seed::SeedSource;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::Status;
use solver::parallel;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The folder of seeds that set no logic.
const NO_LOGIC: &str = "no-logic";
/// How many characters of a seed's name, and of its digest, its file name has.
const NAME_CHARACTERS: usize = 48;
const DIGEST_CHARACTERS: usize = 8;

/// What is added, and how much of it is kept.
pub struct AdditionPlan<'a> {
    /// Where seeds may come from.
    pub sources: Vec<SeedSource>,
    /// The maximum number of seeds of one logic.
    pub per_logic: usize,
    /// The maximum size of an examined seed, in bytes.
    pub max_bytes: u64,
    /// How many causes campaigns found with a seed, by the SHA-256 of its bytes. Those seeds are chosen first.
    pub causes: HashMap<String, u64>,
    /// Asks a solver how long a seed takes; without it no seed is too slow.
    pub clock: Option<Clock<'a>>,
    /// How many threads read seeds, at least 1.
    pub jobs: usize,
}

/// A solver that must decide a seed within limits.
pub struct Clock<'a> {
    /// Its name.
    pub label: String,
    /// The solver.
    pub solver: &'a Solver,
    /// What the solver may use for a seed.
    pub limits: ProcessLimits,
}

/// What happened to the files that were read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddedCounts {
    /// Files read, including those already in the corpus.
    pub files: usize,
    /// Files that are larger than allowed.
    pub large: usize,
    /// Files that cannot be used, with the reason of the first of them.
    pub unusable: (usize, Option<String>),
    /// Files that differ from a smaller one only in names, literals, widths and repetitions.
    pub alike: usize,
    /// Files that the solver did not answer in time.
    pub slow: usize,
    /// Files sent to the solver without commands that might write files: what was omitted from the first of them.
    pub gated: (usize, Option<String>),
    /// Files whose stated answers are not the solver's: the first of them.
    pub contradicted: (usize, Option<String>),
    /// Files that are kept, and those that could have been, by logic.
    pub kept: BTreeMap<String, (usize, usize)>,
}

/// Why a corpus cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AdditionError {
    /// Its manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file cannot be written or removed.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: String,
        /// The I/O error.
        source: std::io::Error,
    },
    /// The solver cannot be run.
    #[error("cannot run {label}: {source}")]
    Solver {
        /// The solver.
        label: String,
        /// Why the solver cannot be run.
        source: RunError,
    },
}

/// A seed that may be kept.
struct CorpusCandidate {
    source: SeedSource,
    record: CorpusSeed,
    shape: SeedShape,
}

/// The result of reading a file.
enum Looked {
    Large,
    Unusable(String),
    Usable(Box<CorpusCandidate>),
}

impl StoredCorpus {
    /// Adds to the corpus, which need not exist. Seeds already in it compete with the new ones.
    /// Errors: see [`AdditionError`].
    pub fn add(&self, plan: &AdditionPlan<'_>) -> Result<AddedCounts, AdditionError> {
        let before = CorpusManifest::load(&self.folder)?.unwrap_or_else(|| CorpusManifest::new(Vec::new()));
        let mut sources = seeds(&self.folder, &before);
        sources.extend(plan.sources.iter().cloned());
        let known: FxHashMap<PathBuf, CorpusSeed> =
            before.seeds.iter().map(|seed| (self.folder.join(&seed.file), seed.clone())).collect();
        let mut counts = AddedCounts { files: sources.len(), ..AddedCounts::default() };
        let candidates = look_at_all(&sources, plan, &known, &mut counts);
        let by_logic = without_alike(candidates, &mut counts);
        // All are chosen before any is copied: a solver that cannot be run leaves the corpus as it was.
        let mut chosen = Vec::new();
        for (logic, mut candidates) in by_logic {
            let places = choose(&mut candidates, plan, &mut counts)?;
            counts.kept.insert(logic.clone(), (places.len(), candidates.len()));
            let mut candidates: Vec<Option<CorpusCandidate>> = candidates.into_iter().map(Some).collect();
            chosen.extend(places.into_iter().filter_map(|at| Some((logic.clone(), candidates[at].take()?))));
        }
        let kept = chosen.iter().map(|(logic, candidate)| self.keep(candidate, logic));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        if kept.is_empty() && before.seeds.is_empty() {
            return Ok(counts);
        }
        let manifest = CorpusManifest::new(kept);
        let failed = |source| AdditionError::File { action: "write", path: self.folder.display().to_string(), source };
        manifest.save(&self.folder).map_err(failed)?;
        self.remove_others(&before, &manifest)?;
        Ok(counts)
    }

    /// Copies a seed into the folder.
    fn keep(&self, candidate: &CorpusCandidate, logic: &str) -> Result<CorpusSeed, AdditionError> {
        let record = &candidate.record;
        let digest: String = record.sha256.chars().take(DIGEST_CHARACTERS).collect();
        let file = Path::new(logic).join(format!("{}-{digest}.smt2", plain_name(&record.origin)));
        let path = self.folder.join(&file);
        let failed = |action, source| AdditionError::File { action, path: path.display().to_string(), source };
        if !path.exists() {
            let bytes = candidate.source.bytes().map_err(|error| failed("read", std::io::Error::other(error)))?;
            std::fs::create_dir_all(path.parent().unwrap_or(&self.folder))
                .map_err(|e| failed("make the folder of", e))?;
            files::atomic::write(&path, &bytes).map_err(|e| failed("write", e))?;
        }
        Ok(CorpusSeed { file, ..record.clone() })
    }

    /// Removes the files of seeds that are not kept any longer.
    fn remove_others(&self, before: &CorpusManifest, after: &CorpusManifest) -> Result<(), AdditionError> {
        let kept: FxHashSet<&PathBuf> = after.seeds.iter().map(|seed| &seed.file).collect();
        for seed in before.seeds.iter().filter(|seed| !kept.contains(&seed.file)) {
            let path = self.folder.join(&seed.file);
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(AdditionError::File { action: "remove", path: path.display().to_string(), source });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reads all files; those that can be used, in the order of the sources.
fn look_at_all(
    sources: &[SeedSource],
    plan: &AdditionPlan<'_>,
    known: &FxHashMap<PathBuf, CorpusSeed>,
    counts: &mut AddedCounts,
) -> Vec<CorpusCandidate> {
    let mut candidates = Vec::new();
    for looked in parallel::in_order(sources, plan.jobs, |source| look(source, plan, known)) {
        match looked {
            Looked::Large => counts.large += 1,
            Looked::Unusable(reason) => {
                counts.unusable.0 += 1;
                counts.unusable.1.get_or_insert(reason);
            }
            Looked::Usable(candidate) => candidates.push(*candidate),
        }
    }
    candidates
}

/// Reads one file.
fn look(source: &SeedSource, plan: &AdditionPlan<'_>, known: &FxHashMap<PathBuf, CorpusSeed>) -> Looked {
    let unusable = |error: &dyn std::fmt::Display| Looked::Unusable(format!("{}: {error}", source.name()));
    let before = match source {
        SeedSource::File(path) => known.get(path),
        _ => None,
    };
    let bytes = match source.head(0) {
        Ok((bytes, _)) if bytes > plan.max_bytes => return Looked::Large,
        Ok((bytes, _)) => bytes,
        Err(error) => return unusable(&error),
    };
    let seed = match source.load() {
        Ok(seed) => seed,
        Err(error) => return unusable(&error),
    };
    let shape = SeedShape::of(&seed);
    let status = |status: Option<Status>| status.map_or("", Status::word).to_string();
    let record = CorpusSeed {
        file: PathBuf::new(),
        origin: before.map_or_else(|| source.name(), |seed| seed.origin.clone()),
        logic: seed.logic(0).unwrap_or_default().to_string(),
        status: seed.instances.iter().map(|instance| status(instance.status)).collect(),
        bytes,
        terms: shape.terms,
        measured: before.and_then(|seed| seed.measured.clone()),
        causes: plan.causes.get(&seed.sha256).copied().max(before.map(|seed| seed.causes)).unwrap_or(0),
        sha256: seed.sha256,
    };
    Looked::Usable(Box::new(CorpusCandidate { source: source.clone(), record, shape }))
}

/// Groups the candidates by logic and keeps the best per fingerprint: first one that led to causes, then the smallest.
fn without_alike(candidates: Vec<CorpusCandidate>, counts: &mut AddedCounts) -> BTreeMap<String, Vec<CorpusCandidate>> {
    let mut by_logic: BTreeMap<String, Vec<CorpusCandidate>> = BTreeMap::new();
    let mut places: FxHashMap<(String, u64), usize> = FxHashMap::default();
    for candidate in candidates {
        let logic = match plain_name(&candidate.record.logic) {
            name if candidate.record.logic.is_empty() || name.is_empty() => NO_LOGIC.to_string(),
            name => name,
        };
        let of_logic = by_logic.entry(logic.clone()).or_default();
        let rank = |c: &CorpusCandidate| (std::cmp::Reverse(c.record.causes), c.record.bytes);
        match places.get(&(logic.clone(), candidate.shape.fingerprint)) {
            Some(&at) => {
                counts.alike += 1;
                if rank(&candidate) < rank(&of_logic[at]) {
                    of_logic[at] = candidate;
                }
            }
            None => {
                places.insert((logic, candidate.shape.fingerprint), of_logic.len());
                of_logic.push(candidate);
            }
        }
    }
    by_logic
}

/// Returns the positions of those that are kept, with the solver's answers.
fn choose(
    candidates: &mut [CorpusCandidate],
    plan: &AdditionPlan<'_>,
    counts: &mut AddedCounts,
) -> Result<Vec<usize>, AdditionError> {
    let mut failure = None;
    let mut measured: FxHashMap<usize, MeasuredSeed> = FxHashMap::default();
    let weighed: Vec<Weighed<'_>> = candidates
        .iter()
        .map(|c| Weighed { features: &c.shape.features, bytes: c.record.bytes, causes: c.record.causes })
        .collect();
    let chosen = select(&weighed, plan.per_logic, |at| {
        let Some(clock) = plan.clock.as_ref().filter(|_| failure.is_none()) else { return true };
        let candidate: &CorpusCandidate = &candidates[at];
        if candidate.record.measured.as_ref().is_some_and(|measured| measured.solver == clock.label) {
            return true;
        }
        match clock.measure(candidate, counts) {
            Ok(Some(result)) => {
                measured.insert(at, result);
                true
            }
            Ok(None) => {
                counts.slow += 1;
                false
            }
            Err(error) => {
                failure = Some(error);
                false
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    for (at, result) in measured {
        let record = &mut candidates[at].record;
        let is_other = |(stated, said): (&String, &String)| {
            let is_definite = |word: &str| matches!(word, "sat" | "unsat");
            is_definite(stated) && is_definite(said) && stated != said
        };
        if record.status.iter().zip(&result.answers).any(is_other) {
            counts.contradicted.0 += 1;
            counts.contradicted.1.get_or_insert_with(|| record.origin.clone());
        }
        record.measured = Some(result);
    }
    Ok(chosen)
}

impl Clock<'_> {
    /// Returns the solver's answers to a seed; `None` unless it answers every check with `sat` or `unsat` within the
    /// limits.
    fn measure(
        &self,
        CorpusCandidate { source, record, .. }: &CorpusCandidate,
        counts: &mut AddedCounts,
    ) -> Result<Option<MeasuredSeed>, AdditionError> {
        let Ok(bytes) = source.bytes() else { return Ok(None) };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
        if let Some(note) = self.solver.withheld(&text).into_iter().next() {
            counts.gated.0 += 1;
            counts.gated.1.get_or_insert_with(|| format!("{}: {note}", record.origin));
        }
        // z3 and cvc5 report an error for an answer that differs from the stated one: a seed with a wrong label would
        // count as unanswered.
        let text = smtlib::sexpr::without_status(&text);
        let needs = SessionNeeds::of_script(record.status.len(), &text);
        let outcome = self.solver.check(&text, needs, &self.limits);
        let outcome = outcome.map_err(|source| AdditionError::Solver { label: self.label.clone(), source })?;
        let is_answered = !outcome.answers.is_empty() && outcome.answers.iter().all(|check| check.answer.is_definite());
        Ok(is_answered.then(|| MeasuredSeed {
            solver: self.label.clone(),
            answers: outcome.answers.iter().map(|check| check.answer.word().to_string()).collect(),
            cpu_s: outcome.cpu.as_secs_f64(),
        }))
    }
}

/// Returns the last part of a path without its extension, in characters that every file system accepts.
fn plain_name(origin: &str) -> String {
    let stem = Path::new(origin).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    stem.chars().take(NAME_CHARACTERS).map(plain).collect::<String>().trim_start_matches('.').to_string()
}
