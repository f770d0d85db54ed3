//! The subject of a reduction: a script and, if available, the witness of its truth.

use crate::size::Size;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Command, Dialect, Instance, Printer, Script, Store, TermId};
use std::sync::Arc;

/// A script under reduction.
pub struct Subject {
    /// The terms of the script and of its ancestors; only ever extended.
    pub store: Store,
    /// The script.
    pub script: Script,
    /// An assignment that satisfies the assertions of at least one check.
    pub witness: Option<Arc<Model>>,
    /// The target's input dialect.
    pub dialect: Dialect,
    /// The source text.
    pub source: Arc<str>,
    /// Which text solvers get.
    pub spelling: Spelling,
}

/// Which text of a script solvers get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// Our print.
    Printed,
    /// The source: the failure shows only there.
    Own,
    /// The source: it has parse errors, so nothing is known about it.
    Unread,
}

/// A witness that can be shared between threads: the model with a store that contains its functions.
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
    /// The bytes are not UTF-8.
    #[error("the file is not UTF-8 at byte {0}; convert it first")]
    NotUtf8(usize),
    /// There are parse errors.
    #[error("line {line}, column {column}: {message}{more}; `squall check` shows them all")]
    Mistakes {
        /// The line of the first one, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The message.
        message: String,
        /// How many more there are, as text.
        more: String,
    },
    /// There is no check.
    #[error("the file asks nothing: it holds no check-sat")]
    NoCheck,
}

impl Subject {
    /// Parses a script.
    /// Errors: [`Unreadable`] with the first error: text that is not understood cannot be reduced by passes.
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
        Ok(Subject {
            store,
            script: parsed.script,
            witness: None,
            dialect,
            source: text.into(),
            spelling: Spelling::Printed,
        })
    }

    /// Extracts what it can from a text with errors: the size, and the commands that determine how a solver is run.
    pub fn read_loosely(text: &str, dialect: Dialect) -> Subject {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        Subject { store, script, witness: None, dialect, source: text.into(), spelling: Spelling::Unread }
    }

    /// Returns the text that the target gets: by default the script in its dialect.
    pub fn text(&self) -> String {
        match self.spelling {
            Spelling::Own | Spelling::Unread => self.source.to_string(),
            Spelling::Printed => text(&self.store, &self.script, &self.dialect),
        }
    }

    /// Returns the size; the bytes are those of the source text.
    pub fn size(&self) -> Size {
        Size::of(&self.store, &self.script, self.source.len())
    }
}

/// Prints a script in a dialect.
pub fn text(store: &Store, script: &Script, dialect: &Dialect) -> String {
    let mut out = String::new();
    Printer::new(store, dialect).script(script, &mut out);
    out
}

/// Whether an instance can be judged by evaluating its assertions: everything is understood, and every live recursive definition is
/// proved total, since others may have no interpretation.
pub fn is_evaluable(store: &Store, instance: &Instance) -> bool {
    !instance.incomplete && semantics::truth::unproven(store, &instance.declarations).is_none()
}

/// Caches values of terms under a subject's witness over many candidates: terms are only ever added to the store.
pub struct WitnessValues {
    model: Arc<Model>,
    evaluator: Evaluator,
}

/// Returns the limits of one evaluation during a reduction: smaller than the default, since dropping an expensive candidate is no loss.
pub fn limits() -> EvalLimits {
    EvalLimits { steps: 4_000_000, ..EvalLimits::default() }
}

impl WitnessValues {
    /// Makes a cache of values under `model`.
    pub fn new(model: Arc<Model>) -> WitnessValues {
        let evaluator = Evaluator::new(Arc::clone(&model), limits());
        WitnessValues { model, evaluator }
    }

    /// Returns the assignment.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the evaluator.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// Whether every assertion of an instance is true.
    pub fn satisfy(&mut self, store: &Store, instance: &Instance) -> bool {
        is_evaluable(store, instance)
            && instance.assertions.iter().all(|&t: &TermId| self.evaluator.truth(store, t) == Some(true))
    }
}
