//! What is kept of a reduction on disk.

use crate::encoding::TextEncoding;
use crate::judge::Evidence;
use crate::reducer::{Best, ReductionReport, Sink};
use crate::subject::{Subject, WitnessValues};
use files::sha256;
use finding::folder::{FindingFile, FindingPart, FindingPaths};
use serde::{Deserialize, Serialize};
use smtlib::{Dialect, Sort, SortId};
use std::io;

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

impl FindingPart for Account {
    const FILE: FindingFile = FindingFile::Account;
}

/// The key of a reduction: the same input and question give the same.
pub fn key(input: &[u8], question: &str) -> String {
    sha256([question.as_bytes(), &[0], input].concat())
}

/// The best so far of an earlier reduction of the same thing, with its witness.
pub fn resumable(files: &FindingPaths, key: &str) -> Option<(Vec<u8>, Option<String>, Account)> {
    let account: Account = files.account()?;
    let text = files::found(&files.output).ok()?;
    let same = account.key == key && account.result == sha256(&text);
    same.then(|| (text, files.result_witness(), account))
}

/// Keeps the best so far on disk.
pub struct ReductionWriter {
    files: FindingPaths,
    key: String,
    solver: Option<String>,
    encoding: TextEncoding,
    /// The first thing that went wrong; writing goes on.
    pub failure: Option<io::Error>,
}

impl ReductionWriter {
    /// A writer for the files of a reduction.
    pub fn new(files: FindingPaths, key: String) -> ReductionWriter {
        ReductionWriter { files, key, solver: None, encoding: TextEncoding::Utf8, failure: None }
    }

    /// The same, with how to name the solver that still is wrong.
    pub fn with_solver(self, solver: String) -> ReductionWriter {
        ReductionWriter { solver: Some(solver), ..self }
    }

    /// The same, for a text that holds its bytes in another way.
    pub fn with_encoding(self, encoding: TextEncoding) -> ReductionWriter {
        ReductionWriter { encoding, ..self }
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
        let text = self.encoding.encode(text);
        let account = Account {
            key: self.key.clone(),
            result: sha256(&text),
            finished: report.is_some_and(|report| report.finished),
            report: report.cloned(),
            solver: self.solver.clone(),
        };
        if let Some([first, second]) = &evidence.pair {
            self.files.write_pair(first, second)?;
        }
        self.files.write_result(&text, witness_text(subject, evidence).as_deref(), &account)
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
    let instance = subject.script.instance(evidence.check)?;
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
