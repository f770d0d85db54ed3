//! The problems of an evolution: generated or read from files, each with the right answers to its checks.

use anyhow::{Context, Result, bail};
use files::sha256;
use finding::Trust;
use mutate::finite::FiniteMutator;
use mutate::finite::problem::LIMITS;
use mutate::finite::theme::Theme;
use mutate::{TargetSpelling, Unit};
use semantics::Stop;
use semantics::truth::{self, CheckTruth, ExhaustLimits, Search, TruthQuery};
use serde::{Deserialize, Serialize};
use smtlib::{Instance, Status, Store};
use std::path::{Path, PathBuf};

/// The right answer to one check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RightAnswer {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
}

/// A problem that every release runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvolutionProblem {
    /// Its name: the theory and a number, or the path of its file.
    pub name: String,
    /// Its group in tables: the theory it was generated for, or the logic that its file needs.
    pub theory: String,
    /// Its text.
    #[serde(skip)]
    pub text: String,
    /// The right answers to its checks; `None` where unknown.
    pub answers: Vec<Option<RightAnswer>>,
    /// The source of the answers. Where several exist, they agree.
    pub truth: Trust,
}

/// Units from this number on never overlap with those from 0 on.
const APART: u64 = 1 << 32;

/// Problems to generate.
#[derive(Clone, Debug)]
pub struct MadeProblems {
    /// The number of problems.
    pub count: u64,
    /// Their theories; empty: all theories of the newest release, by weight.
    pub themes: Vec<&'static Theme>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// All problems of an evolution.
#[derive(Clone, Debug, Default)]
pub struct EvolutionProblems {
    /// The problems, in the order in which they run.
    pub list: Vec<EvolutionProblem>,
    /// Files without a check whose right answer is known.
    pub without_answer: Vec<PathBuf>,
}

impl MadeProblems {
    /// Generates them: half with features of all releases, half with features of the newest release, which is the last one.
    ///
    /// # Errors
    /// Exhaustion does not confirm the mutator's answers, which is a bug in Squall.
    pub fn make(&self, releases: &[&TargetSpelling]) -> Result<Vec<EvolutionProblem>> {
        let Some(newest) = releases.last() else { return Ok(Vec::new()) };
        let common = self.count / 2;
        let mut made = self.some(common, 0, &common_to(releases))?;
        let numbered =
            |problem: EvolutionProblem| EvolutionProblem { name: format!("new-{}", problem.name), ..problem };
        let rest = self.some(self.count - common, APART, newest)?.into_iter().map(numbered);
        made.extend(rest);
        Ok(made)
    }

    /// Generates `count` problems from unit `first` on, fewer if the spelling lacks what the themes need.
    fn some(&self, count: u64, first: u64, spelling: &TargetSpelling) -> Result<Vec<EvolutionProblem>> {
        // Generated in the standard's spelling. Each release gets its own spelling later.
        let target =
            TargetSpelling { dialect: Default::default(), unnamed_logic: Default::default(), ..spelling.clone() };
        // The problems of a unit share their sorts, so each unit makes only a few.
        let finite = FiniteMutator { themes: self.themes.clone(), mutants: 4, ..FiniteMutator::default() };
        let mut made = Vec::new();
        // Extra ones, because problems that rest on choices left open by the standard are dropped.
        let drawn = count + count / 4 + 8;
        finite.problems(&target, Unit { campaign: self.seed, number: first }, drawn, |theory, mutant| {
            let name = format!("{theory}-{}-{:06}", self.seed, made.len());
            match EvolutionProblem::read(name, Some(theory.to_string()), &mutant.text)? {
                Some(problem) if (made.len() as u64) < count => made.push(problem),
                None if !rests_on_choices(&mutant.text) => {
                    bail!("exhaustion does not decide a problem that it generated:\n{}", mutant.text);
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(made)
    }
}

/// Returns a spelling with only the features that all releases have.
fn common_to(releases: &[&TargetSpelling]) -> TargetSpelling {
    let mut common = releases.last().map(|newest| (*newest).clone()).unwrap_or_default();
    for release in releases {
        for (all, own) in [
            (&mut common.lacks, &release.lacks),
            (&mut common.binary_only, &release.binary_only),
            (&mut common.infinite_only, &release.infinite_only),
        ] {
            let missing: Vec<Box<str>> = own.iter().filter(|name| !all.contains(name)).cloned().collect();
            all.extend(missing);
        }
    }
    common
}

impl EvolutionProblem {
    /// Reads a text. Exhaustion or `:status` gives the right answers. `None` if no check has one.
    ///
    /// # Errors
    /// A text with mistakes, or a `:status` that exhaustion refutes.
    pub fn read(name: String, theory: Option<String>, text: &str) -> Result<Option<EvolutionProblem>> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        if let Some(error) = parsed.errors.first() {
            bail!("{name}: {error}");
        }
        let instances = parsed.script.instances();
        let mut answers = Vec::with_capacity(instances.len());
        let mut truth = Trust::Exhausted;
        for instance in &instances {
            let found = decide(&mut store, instance);
            // Solvers read a definition that is not proven total in different ways, whatever its label says.
            let is_read_alike = truth::unproven(&store, &instance.declarations).is_none();
            let stated = stated(instance).filter(|_| is_read_alike);
            if let (Some(found), Some(stated)) = (found, stated)
                && found != stated
            {
                bail!(
                    "{name}: check {} has another :status than exhaustion finds; `squall solve --exhaust` shows it",
                    instance.check + 1
                );
            }
            if found.is_none() && stated.is_some() {
                truth = Trust::in_words("the :status of the file");
            }
            answers.push(found.or(stated));
        }
        if answers.iter().all(Option::is_none) {
            return Ok(None);
        }
        let logic = || smtlib::logic::name(smtlib::logic::of_script(&store, &parsed.script));
        let theory = theory.unwrap_or_else(logic);
        Ok(Some(EvolutionProblem { name, theory, text: text.to_string(), answers, truth }))
    }

    /// Returns the text with the right answer stated before each check that has one.
    pub fn with_status(&self) -> String {
        smtlib::sexpr::with_status(&self.text, self.answers.iter().map(|answer| answer.map(RightAnswer::word)))
    }

    /// Returns the file name of its copy among the results, with its number.
    pub fn file(&self, number: usize) -> String {
        let path = Path::new(&self.name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        match path.extension() {
            None => format!("{stem}.smt2"),
            // Files in different folders may have the same name.
            Some(_) => format!("{stem}-{number:06}.smt2"),
        }
    }
}

impl RightAnswer {
    /// Returns the answer as solvers print it.
    pub fn word(self) -> &'static str {
        match self {
            RightAnswer::Sat => "sat",
            RightAnswer::Unsat => "unsat",
        }
    }
}

impl EvolutionProblems {
    /// Adds files.
    ///
    /// # Errors
    /// A file that cannot be read or has mistakes, or a `:status` that exhaustion refutes.
    pub fn add_files(&mut self, paths: &[PathBuf]) -> Result<()> {
        for path in paths {
            let name = path.display().to_string();
            let bytes = files::read::named(path).with_context(|| format!("cannot read {name}"))?;
            let text = String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8"))?;
            match EvolutionProblem::read(name, None, &text)? {
                Some(problem) => self.list.push(problem),
                None => self.without_answer.push(path.clone()),
            }
        }
        Ok(())
    }

    /// Returns the SHA-256 of all names, texts and answers.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for problem in &self.list {
            all.push_str(&format!("{}\0{}\0{:?}\0", problem.name, problem.text, problem.answers));
        }
        sha256(all.as_bytes())
    }

    /// Writes each problem to a folder for inspection and reproduction.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for (number, problem) in self.list.iter().enumerate() {
            let path = folder.join(problem.file(number));
            files::atomic::write(&path, problem.with_status().as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// Decides the checks by exhaustion, limited by steps only: the same files have the same answers on every machine.
fn known(store: &mut Store, instance: &Instance) -> Option<CheckTruth> {
    let limits = ExhaustLimits { evaluations: 1 << 20, steps: u64::MAX, ..LIMITS };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
    truth::of_instance(store, instance, query).ok()
}

/// Whether every check of a text has an answer, though none of them is [certain](CheckTruth::certain).
fn rests_on_choices(text: &str) -> bool {
    let mut store = Store::new();
    let instances = truth::read(&mut store, text).unwrap_or_default();
    !instances.is_empty() && instances.iter().all(|instance| known(&mut store, instance).is_some())
}

/// Returns the right answer that exhaustion finds. `None` if it rests on a choice left open by the standard, or if solvers read the check
/// in different ways: it would distinguish releases that are all right.
fn decide(store: &mut Store, instance: &Instance) -> Option<RightAnswer> {
    match known(store, instance)?.certain()? {
        "sat" => Some(RightAnswer::Sat),
        _ => Some(RightAnswer::Unsat),
    }
}

fn stated(instance: &Instance) -> Option<RightAnswer> {
    match instance.status? {
        Status::Sat => Some(RightAnswer::Sat),
        Status::Unsat => Some(RightAnswer::Unsat),
        Status::Unknown => None,
    }
}
