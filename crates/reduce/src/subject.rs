//! What is reduced: a script with, where there is one, the witness of its truth.

use crate::size::Size;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Command, Dialect, Instance, Printer, Script, Store, TermId};
use std::sync::Arc;

/// A script under reduction.
pub struct Subject {
    /// The terms of it and of everything it was reduced from; only ever added to.
    pub store: Store,
    /// The script.
    pub script: Script,
    /// An assignment under which the assertions of at least one check are all true.
    pub witness: Option<Arc<Model>>,
    /// How the target wants its input spelled.
    pub dialect: Dialect,
    /// The text it was read from.
    pub source: Arc<str>,
    /// Whether the text has mistakes: it is sent as it stands, and nothing is known of it.
    pub is_text: bool,
}

/// A witness as a thread may hold it: the model with a store in which its functions are known.
#[derive(Clone)]
pub struct ThreadWitness {
    /// The store.
    pub store: Arc<Store>,
    /// The assignment.
    pub model: Arc<Model>,
}

/// Why a text cannot be reduced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unreadable {
    /// Bytes that are no UTF-8.
    #[error("the file is not UTF-8 at byte {0}; convert it first")]
    NotUtf8(usize),
    /// Mistakes.
    #[error("line {line}, column {column}: {message}{more}; `squall check` shows them all")]
    Mistakes {
        /// The line of the first, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// What it is.
        message: String,
        /// How many more there are, in words.
        more: String,
    },
    /// No check.
    #[error("the file asks nothing: it holds no check-sat")]
    NoCheck,
}

impl Subject {
    /// Reads a script.
    ///
    /// # Errors
    /// [`Unreadable`] with the first mistake: what is not understood cannot be cut with care.
    pub fn read(bytes: &[u8], dialect: Dialect) -> Result<Subject, Unreadable> {
        let text = std::str::from_utf8(bytes).map_err(|e| Unreadable::NotUtf8(e.valid_up_to()))?;
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        if let Some(first) = parsed.errors.first() {
            let before = &text[..first.span.start.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            let more = match parsed.errors.len() - 1 {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            return Err(Unreadable::Mistakes { line, column, message: first.to_string(), more });
        }
        if !parsed.script.commands.iter().any(Command::is_check) {
            return Err(Unreadable::NoCheck);
        }
        Ok(Subject { store, script: parsed.script, witness: None, dialect, source: text.into(), is_text: false })
    }

    /// What can be read of a text that need not read: its size, and the commands that tell how a solver is run.
    pub fn read_loosely(text: &str, dialect: Dialect) -> Subject {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        Subject { store, script, witness: None, dialect, source: text.into(), is_text: true }
    }

    /// The script as text in the target's dialect.
    pub fn text(&self) -> String {
        match self.is_text {
            true => self.source.to_string(),
            false => text(&self.store, &self.script, &self.dialect),
        }
    }

    /// Bytes, assertions and depth; the bytes are those of the text it was read from.
    pub fn size(&self) -> Size {
        Size::of(&self.store, &self.script, self.source.len())
    }
}

/// A script as text in a dialect.
pub fn text(store: &Store, script: &Script, dialect: &Dialect) -> String {
    let mut out = String::new();
    Printer::new(store, dialect).script(script, &mut out);
    out
}

/// Whether an instance may be judged by evaluating its assertions: everything it holds is understood, and no recursive
/// definition is live that is not proven total, which might have no interpretation at all.
pub fn is_evaluable(store: &Store, instance: &Instance) -> bool {
    !instance.incomplete && semantics::truth::unproven(store, &instance.declarations).is_none()
}

/// Values of terms under the witness of a subject, kept over many candidates: terms are only ever added to the store.
pub struct WitnessValues {
    model: Arc<Model>,
    evaluator: Evaluator,
}

/// Bounds of one evaluation during a reduction: smaller than the default, for a candidate that costs much is no loss.
pub fn limits() -> EvalLimits {
    EvalLimits { steps: 4_000_000, ..EvalLimits::default() }
}

impl WitnessValues {
    /// Values under `model`.
    pub fn new(model: Arc<Model>) -> WitnessValues {
        let evaluator = Evaluator::new(Arc::clone(&model), limits());
        WitnessValues { model, evaluator }
    }

    /// The assignment.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The evaluator.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// Whether every assertion of an instance is true.
    pub fn satisfy(&mut self, store: &Store, instance: &Instance) -> bool {
        is_evaluable(store, instance)
            && instance.assertions.iter().all(|&t: &TermId| self.evaluator.truth(store, t) == Some(true))
    }
}
