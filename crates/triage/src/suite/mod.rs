//! A regression suite made of findings: one small script a cause, with right answers that are proven again.

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
    /// The finding's name, as a file's: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The logic that it needs, in lower case; `all` where none has all of it.
    pub logic: String,
    /// What erred, such as `z3@5.4.1`; none of a script that no solver is known to err on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The class of the bug, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<BugClass>,
    /// What the cause is about, or the file that the script comes from.
    pub about: String,
    /// Which releases err, as far as that is known.
    pub versions: Option<String>,
    /// Options on the solver's command line that it needs.
    pub options: Vec<String>,
    /// `sat` or `unsat` for each check.
    pub answers: Vec<&'static str>,
    /// The script, without `:status`.
    #[serde(skip)]
    pub text: String,
    /// The witness of the check that was found to be wrong, if there is one.
    #[serde(skip)]
    pub witness: Option<String>,
}

/// Why a finding is no test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTest {
    /// Its script does not read.
    #[error("its script does not read: {0}")]
    Unreadable(String),
    /// It asks nothing.
    #[error("its script has no check")]
    NoCheck,
    /// The right answer to a check, from 1, is not proven.
    #[error("the right answer to its check {check} is not proven: {reason}")]
    NotProven {
        /// The check, from 1.
        check: usize,
        /// Why exhaustion does not prove it.
        reason: String,
    },
}

impl SuiteTest {
    /// Makes a test of a finding, by its reduced script if it has one. Each answer is proven by exhaustion, or by the finding's witness.
    ///
    /// # Errors
    /// [`NoTest`].
    pub fn of(finding: &Triaged, about: String) -> Result<SuiteTest, NoTest> {
        // What must go before in the same process is part of the test; each of those scripts ends in a reset.
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

    /// Makes a test of a script that is no finding, such as a mutant or a world. What it says of its own answers is not believed: each is
    /// proven by exhaustion, or by the witness.
    ///
    /// # Errors
    /// [`NoTest`].
    pub fn of_script(name: &str, text: &str, witness: Option<&str>) -> Result<SuiteTest, NoTest> {
        SuiteTest::proven(name, format!("the script {name}"), smtlib::sexpr::without_status(text), witness)
    }

    /// A test of a text of which no more is known.
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

    /// The script with `:status` before each check.
    pub fn stated(&self) -> String {
        smtlib::sexpr::with_status(&self.text, self.answers.iter().copied().map(Some))
    }
}

/// The right answer to one check of a text.
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
