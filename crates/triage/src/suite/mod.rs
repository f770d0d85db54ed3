//! Makes a regression suite from findings: one small script per cause, with right answers that are proved again.

mod layout;

pub use layout::{SuiteFile, SuiteLayout};

use crate::folder::Triaged;
use finding::BugClass;
use oracle::{exhaustion, witness_file};
use semantics::truth::witness::certify_check;
use serde::Serialize;
use smtlib::Store;
use std::sync::Arc;

/// A script with the right answers to all of its checks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SuiteTest {
    /// The finding's name, restricted to the file name characters letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The logic that it needs, in lower case; `all` if no single logic suffices.
    pub logic: String,
    /// The failing solver, such as `z3@5.4.1`; `None` for a script on which no solver is known to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The class of the bug, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<BugClass>,
    /// The subject of the cause, or the file from which the script comes.
    pub about: String,
    /// Which releases fail, as far as known.
    pub versions: Option<String>,
    /// Command-line options that it needs.
    pub options: Vec<String>,
    /// `sat` or `unsat` for each check.
    pub answers: Vec<&'static str>,
    /// The script, without `:status`.
    #[serde(skip)]
    pub text: String,
    /// The witness of the wrongly answered check, if there is one.
    #[serde(skip)]
    pub witness: Option<String>,
}

/// Why a finding cannot become a test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTest {
    /// Its script cannot be parsed.
    #[error("its script does not read: {0}")]
    Unreadable(String),
    /// The finding has no check.
    #[error("its script has no check")]
    NoCheck,
    /// The right answer to a check, numbered from 1, is not proved.
    #[error("the right answer to its check {check} is not proven: {reason}")]
    NotProven {
        /// The number of the check, from 1.
        check: usize,
        /// Why exhaustion does not prove it.
        reason: String,
    },
}

impl SuiteTest {
    /// Makes a test from a finding, from its reduced script if it has one. Each answer is proved by exhaustion, or by the finding's
    /// witness.
    /// Errors: [`NoTest`].
    pub fn of(finding: &Triaged, about: String) -> Result<SuiteTest, NoTest> {
        // Preceding scripts of the same process are part of the test; each of them ends in a reset.
        let text = format!("{}{}", finding.earlier, finding.script());
        let test = SuiteTest::proven(finding.name(), about, text, finding.shown_witness())?;
        Ok(SuiteTest {
            solver: Some(finding.finding.solver.label.clone()),
            class: Some(finding.finding.class),
            versions: finding.versions(),
            options: finding.options(),
            ..test
        })
    }

    /// Makes a test from a script that is not a finding, such as a mutant. Its own `:status` is not believed: each answer is proved by
    /// exhaustion, or by the witness.
    /// Errors: [`NoTest`].
    pub fn of_script(name: &str, text: &str, witness: Option<&str>) -> Result<SuiteTest, NoTest> {
        SuiteTest::proven(name, format!("the script {name}"), smtlib::sexpr::without_status(text), witness)
    }

    /// Makes a test from a text without further information.
    fn proven(name: &str, about: String, text: String, witness: Option<&str>) -> Result<SuiteTest, NoTest> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        if let Some(error) = parsed.errors.first() {
            return Err(NoTest::Unreadable(error.to_string()));
        }
        let instances = parsed.script.instances();
        if instances.is_empty() {
            return Err(NoTest::NoCheck);
        }
        let prove = |check| answer(&text, instances.len(), check, witness);
        let answers = (0..instances.len()).map(prove).collect::<Result<Vec<_>, _>>()?;
        let logic = smtlib::logic::name(smtlib::logic::of_script(&store, &parsed.script));
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
        Ok(SuiteTest {
            name: name.chars().map(plain).collect(),
            logic: logic.to_lowercase(),
            solver: None,
            class: None,
            about,
            versions: None,
            options: Vec::new(),
            answers,
            witness: witness.map(str::to_string),
            text,
        })
    }

    /// Returns the script with `:status` before each check.
    pub fn stated(&self) -> String {
        smtlib::sexpr::with_status(&self.text, self.answers.iter().copied().map(Some))
    }
}

/// Returns the right answer to one check of a text.
fn answer(text: &str, checks: usize, check: usize, witness: Option<&str>) -> Result<&'static str, NoTest> {
    let reason = match exhaustion::decide_text(text, check) {
        Ok(known) => match known.certain() {
            Some(word) => return Ok(word),
            None => known.to_string(),
        },
        Err(reason) => reason.to_string(),
    };
    let mut store = Store::new();
    smtlib::parse(&mut store, text);
    let model = witness.and_then(|witness| witness_file::read(&mut store, witness).ok());
    match model.map(|model| certify_check(&store, &Arc::new(model), text, checks, check)) {
        Some(Ok(_)) => Ok("sat"),
        _ => Err(NoTest::NotProven { check: check + 1, reason }),
    }
}
