//! The files of a reduction.

use crate::judge::Evidence;
use crate::reducer::{Best, ReductionReport, Sink};
use crate::subject::{Subject, WitnessValues};
use crate::text_test::TextEncoding;
use files::sha256;
use finding::folder::{FindingFile, FindingPart, FindingPaths};
use serde::{Deserialize, Serialize};
use smtlib::{Dialect, Sort, SortId};
use std::io;
use std::sync::Arc;

/// The account of a reduction, stored next to its result: enough to resume it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// The key of the reduction: SHA-256 of the input and the question.
    pub key: String,
    /// SHA-256 of the result.
    pub result: String,
    /// Whether nothing smaller exists; false during the reduction, and after an interruption or a limit.
    #[serde(default)]
    pub finished: bool,
    /// The report, once the reduction has ended.
    pub report: Option<ReductionReport>,
    /// The solver's name with the options that are still needed; `None` if that was not examined.
    #[serde(default)]
    pub solver: Option<String>,
}

impl FindingPart for Account {
    const FILE: FindingFile = FindingFile::Account;
}

/// Returns the key of a reduction, equal for the same input and question.
pub fn key(input: &[u8], question: &str) -> String {
    sha256([question.as_bytes(), &[0], input].concat())
}

/// Returns the best result of an earlier reduction with the same key, with its witness.
pub fn resumable(files: &FindingPaths, key: &str) -> Option<(Vec<u8>, Option<String>, Account)> {
    let account: Account = files.account()?;
    let text = files::found(&files.output).ok()?;
    let same = account.key == key && account.result == sha256(&text);
    same.then(|| (text, files.result_witness(), account))
}

/// Writes the best result so far to disk.
pub struct ReductionWriter {
    files: FindingPaths,
    key: String,
    solver: Option<String>,
    encoding: TextEncoding,
    /// The first error; writing continues.
    pub failure: Option<io::Error>,
}

impl ReductionWriter {
    /// Makes a writer for the files of a reduction.
    pub fn new(files: FindingPaths, key: String) -> ReductionWriter {
        ReductionWriter { files, key, solver: None, encoding: TextEncoding::Utf8, failure: None }
    }

    /// Sets the name of the solver that is still wrong.
    pub fn with_solver(self, solver: String) -> ReductionWriter {
        ReductionWriter { solver: Some(solver), ..self }
    }

    /// Sets the encoding of the text.
    pub fn with_encoding(self, encoding: TextEncoding) -> ReductionWriter {
        ReductionWriter { encoding, ..self }
    }

    /// Writes a result, its witness and its account, each atomically.
    /// Errors: a file cannot be written.
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

/// Returns the witness of the wrongly answered check as a script that every solver must answer with `sat`. `None` if the witness makes
/// some assertion false: wrong models and crashes do not need it, so it is not kept true.
pub fn witness_text(subject: &Subject, evidence: &Evidence) -> Option<String> {
    let instance = subject.script.instance(evidence.check)?;
    let witness = subject.witness.as_ref()?;
    if !WitnessValues::new(witness.clone()).satisfy(&subject.store, &instance) {
        return None;
    }
    // A choice for an application that the reduction has removed is no part of the witness.
    let plain = Arc::new(witness.without_choices());
    let is_plain = WitnessValues::new(Arc::clone(&plain)).satisfy(&subject.store, &instance);
    let mut model = semantics::Model::clone(if is_plain { &plain } else { witness });
    let used = crate::plan::occurrences(&subject.store, &subject.script);
    let declared = |f: &smtlib::FuncId| {
        used.contains_key(f)
            || instance.declarations.iter().any(|c| matches!(c, smtlib::Command::DeclareFun(g) if g == f))
    };
    // A sort that the reduced script no longer declares must not occur: no solver could read the witness.
    let is_there = |sort: SortId| match subject.store.sorts.get(sort) {
        Sort::Uninterpreted(name, _) => instance
            .declarations
            .iter()
            .any(|c| matches!(c, smtlib::Command::DeclareSort(declared, _) if declared == name)),
        _ => true,
    };
    // Function bodies may mention a solver's names of sort elements.
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
