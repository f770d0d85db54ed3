//! Findings and files as they lie on disk: what is reduced, and where the result goes.

use crate::judge::Evidence;
use crate::reducer::{Best, ReductionReport, Sink};
use crate::subject::{Subject, WitnessValues};
pub use files::digest::sha256;
use files::{atomic, inside};
use finding::folder;
use serde::{Deserialize, Serialize};
use smtlib::{Dialect, Sort, SortId};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of one reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The script.
    pub input: PathBuf,
    /// Its witness, if there may be one.
    pub witness: Option<PathBuf>,
    /// The record of a finding, if it is one.
    pub record: Option<PathBuf>,
    /// The scripts that go before it in the same process, if there may be some.
    pub earlier: Option<PathBuf>,
    /// Where the reduced script goes.
    pub output: PathBuf,
    /// Whether the user named that: only then may it be a link that is followed, or a device.
    pub is_output_named: bool,
}

impl Files {
    /// The files of a finding's folder, or of a single script.
    pub fn of(path: &Path, output: Option<&Path>) -> Files {
        if path.is_dir() {
            return Files {
                input: path.join(folder::MUTANT),
                witness: Some(path.join(folder::WITNESS)).filter(|p| p.exists()),
                record: Some(path.join(folder::RECORD)).filter(|p| p.exists()),
                earlier: Some(path.join(folder::PREDECESSORS)).filter(|p| p.exists()),
                is_output_named: output.is_some(),
                output: output.map_or_else(|| path.join(folder::REDUCED), Path::to_path_buf),
            };
        }
        let is_output_named = output.is_some();
        let output = output.map_or_else(|| path.with_extension("reduced.smt2"), Path::to_path_buf);
        Files { input: path.to_path_buf(), witness: None, record: None, earlier: None, output, is_output_named }
    }

    /// Where the witness of the reduced script goes.
    pub fn output_witness(&self) -> PathBuf {
        self.output.with_extension("witness.smt2")
    }

    /// Where the scripts go that must still go before the reduced one.
    pub fn output_earlier(&self) -> PathBuf {
        self.output.with_extension("predecessors.smt2")
    }

    /// Where the account of the reduction goes.
    pub fn account(&self) -> PathBuf {
        self.output.with_extension("json")
    }
}

/// What is kept of a reduction beside its result: enough to resume it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// What was reduced, by SHA-256 of the input and of what was asked.
    pub key: String,
    /// SHA-256 of the result.
    pub result: String,
    /// Whether nothing smaller was found: not so while it goes on, and where it was interrupted or met a limit.
    #[serde(default)]
    pub finished: bool,
    /// The report, once it has ended.
    pub report: Option<ReductionReport>,
    /// How to name the solver with those of its options that are still needed; none where it was not examined.
    #[serde(default)]
    pub solver: Option<String>,
}

/// The key of a reduction: the same input and question give the same.
pub fn key(input: &[u8], question: &str) -> String {
    sha256(&[question.as_bytes(), &[0], input].concat())
}

/// The best so far of an earlier reduction of the same thing, with its witness.
pub fn resumable(files: &Files, key: &str) -> Option<(Vec<u8>, Option<String>, Account)> {
    let account: Account = serde_json::from_slice(&files::found(files.account()).ok()?).ok()?;
    let text = files::found(&files.output).ok()?;
    let same = account.key == key && account.result == sha256(&text);
    same.then(|| (text, files::found_text(files.output_witness()).ok(), account))
}

/// Keeps the best so far on disk.
pub struct ReductionWriter {
    files: Files,
    key: String,
    solver: Option<String>,
    /// The first thing that went wrong; writing goes on.
    pub failure: Option<io::Error>,
}

impl ReductionWriter {
    /// A writer for the files of a reduction.
    pub fn new(files: Files, key: String) -> ReductionWriter {
        ReductionWriter { files, key, solver: None, failure: None }
    }

    /// The same, with how to name the solver that still is wrong.
    pub fn with_solver(self, solver: String) -> ReductionWriter {
        ReductionWriter { solver: Some(solver), ..self }
    }

    /// Writes a result, its witness and its account, each whole.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn write(
        &self,
        text: &str,
        subject: &Subject,
        evidence: &Evidence,
        report: Option<&ReductionReport>,
    ) -> io::Result<()> {
        // The witness first: should the process die between the two, it defines more than the old text needs.
        let witness = witness_text(subject, evidence);
        if let Some(witness) = &witness {
            inside::put(&self.files.output_witness(), witness.as_bytes())?;
        }
        let write = if self.files.is_output_named { atomic::write } else { inside::put };
        write(&self.files.output, text.as_bytes())?;
        if witness.is_none() {
            // One of a larger script would pass for one of this.
            match fs::remove_file(self.files.output_witness()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let account = Account {
            key: self.key.clone(),
            result: sha256(text.as_bytes()),
            finished: report.is_some_and(|report| report.finished),
            report: report.cloned(),
            solver: self.solver.clone(),
        };
        let json = serde_json::to_string_pretty(&account).map_err(io::Error::other)?;
        inside::put(&self.files.account(), format!("{json}\n").as_bytes())
    }
}

impl Sink for ReductionWriter {
    fn improved(&mut self, best: &Best<'_>) {
        if let Err(error) = self.write(best.text, best.subject, best.evidence, None) {
            self.failure.get_or_insert(error);
        }
    }
}

/// The witness of the wrongly answered check as a script that every solver must answer with `sat`. None where it makes some assertion
/// false: a wrong model or a crash does not need it, and it is not kept true.
pub fn witness_text(subject: &Subject, evidence: &Evidence) -> Option<String> {
    let instance = subject.script.instances().into_iter().nth(evidence.check)?;
    let witness = subject.witness.as_ref()?;
    if !WitnessValues::new(witness.clone()).satisfy(&subject.store, &instance) {
        return None;
    }
    let mut model = semantics::Model::clone(witness);
    let used = crate::plan::occurrences(&subject.store, &subject.script);
    let declared = |f: &smtlib::FuncId| {
        used.contains_key(f)
            || instance.declarations.iter().any(|c| matches!(c, smtlib::Command::DeclareFun(g) if g == f))
    };
    // A sort that the reduced script declares no more must not occur, or no solver reads the witness.
    let is_there = |sort: SortId| match subject.store.sorts.get(sort) {
        Sort::Uninterpreted(name, _) => instance
            .declarations
            .iter()
            .any(|c| matches!(c, smtlib::Command::DeclareSort(declared, _) if declared == name)),
        _ => true,
    };
    // Bodies of functions may mention the constants by which a solver calls the elements of a sort.
    let has_bodies = model
        .symbols()
        .into_iter()
        .any(|f| declared(&f) && matches!(model.interpretation(f), Some(semantics::Interpretation::Body { .. })));
    let is_element = |f: smtlib::FuncId| match model.interpretation(f) {
        Some(semantics::Interpretation::Value(semantics::Value::Element { sort, .. })) => has_bodies && is_there(*sort),
        _ => false,
    };
    let stale: Vec<_> = model.symbols().into_iter().filter(|f| !declared(f) && !is_element(*f)).collect();
    stale.into_iter().for_each(|f| model.remove(f));
    let mut store = subject.store.clone();
    let mut script = model.witness(&mut store, &instance).ok()?;
    script.commands.splice(0..0, semantics::model_definitions::universes(&store, &model, &instance.declarations));
    let body = crate::subject::text(&store, &script, &Dialect::default());
    Some(format!("; The definitions make every assertion below true: sat is the only right answer.\n{body}"))
}
