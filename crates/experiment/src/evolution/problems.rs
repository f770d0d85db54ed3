//! The problems of an evolution: made from nothing, or read from files, each with the right answers to its checks.

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

/// A problem that every release is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvolutionProblem {
    /// Its name: the theory and a number, or the path of its file.
    pub name: String,
    /// What it is counted under: the theory that it was made of, or the logic that its file needs.
    pub theory: String,
    /// Its text.
    #[serde(skip)]
    pub text: String,
    /// The right answers to its checks; none where it is not known.
    pub answers: Vec<Option<RightAnswer>>,
    /// On whose word. Where both are known, they are the same.
    pub truth: Trust,
}

/// Units from this number on are other ones than those from 0 on, whatever is made.
const APART: u64 = 1 << 32;

/// Problems made from nothing.
#[derive(Clone, Debug)]
pub struct MadeProblems {
    /// How many.
    pub count: u64,
    /// Of which theories; empty: all that the newest release has, by weight.
    pub themes: Vec<&'static Theme>,
    /// All random choices follow from it.
    pub seed: u64,
}

/// All problems of an evolution.
#[derive(Clone, Debug, Default)]
pub struct EvolutionProblems {
    /// The problems, in the order in which they are asked.
    pub list: Vec<EvolutionProblem>,
    /// Files of which the right answer to no check is known.
    pub untold: Vec<PathBuf>,
}

impl MadeProblems {
    /// Makes them: every other one of what all releases have, the rest of what the newest has, which comes last.
    ///
    /// # Errors
    /// A text whose checks exhaustion does not decide as the mutator did, which is a mistake of ours.
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

    /// So many, from the unit of a number on; fewer where the spelling lacks what the themes need.
    fn some(&self, count: u64, first: u64, spelling: &TargetSpelling) -> Result<Vec<EvolutionProblem>> {
        // Problems are made in the standard's spelling, and written for each release in its own.
        let target =
            TargetSpelling { dialect: Default::default(), unnamed_logic: Default::default(), ..spelling.clone() };
        // The problems of a unit share their sorts: few of each.
        let finite = FiniteMutator { themes: self.themes.clone(), mutants: 4, ..FiniteMutator::default() };
        let mut made = Vec::new();
        // Some rest on a choice of what the standard leaves open, and are left out.
        let drawn = count + count / 4 + 8;
        finite.problems(&target, Unit { campaign: self.seed, number: first }, drawn, |theory, mutant| {
            let name = format!("{theory}-{}-{:06}", self.seed, made.len());
            match EvolutionProblem::read(name, Some(theory.to_string()), &mutant.text)? {
                Some(problem) if (made.len() as u64) < count => made.push(problem),
                None if !rests_on_choices(&mutant.text) => {
                    bail!("exhaustion does not decide a problem that was made by it:\n{}", mutant.text);
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(made)
    }
}

/// A spelling of what none of the releases lacks.
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
    /// Reads a text. The right answers are found by exhaustion, or stated by `:status`; none where neither tells of any check.
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
            // Solvers do not read a definition alike that is not proven total, whatever a label says.
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

    /// The text with the right answer before each check that has one.
    pub fn with_status(&self) -> String {
        smtlib::sexpr::with_status(&self.text, self.answers.iter().map(|answer| answer.map(RightAnswer::word)))
    }

    /// The name of its copy among the results, where it is the problem of this number.
    pub fn file(&self, number: usize) -> String {
        let path = Path::new(&self.name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        match path.extension() {
            None => format!("{stem}.smt2"),
            // Files of several folders may have one name.
            Some(_) => format!("{stem}-{number:06}.smt2"),
        }
    }
}

impl RightAnswer {
    /// As solvers say it.
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
                None => self.untold.push(path.clone()),
            }
        }
        Ok(())
    }

    /// What tells these problems from others: SHA-256 over names, texts and answers.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for problem in &self.list {
            all.push_str(&format!("{}\0{}\0{:?}\0", problem.name, problem.text, problem.answers));
        }
        sha256(all.as_bytes())
    }

    /// Writes each problem into a folder, so that it can be looked at and asked again.
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

/// What exhaustion finds, by limits in steps alone, so that the same files have the same answers on every machine.
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

/// The right answer that exhaustion finds. What rests on a choice of the standard's is none: it distinguishes releases in
/// silence. Nor is what solvers read in different ways.
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
