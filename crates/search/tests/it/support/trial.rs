//! One formula on chosen inputs, both interpreted and compiled: for comparisons with the evaluator, and for measurements.

#![allow(dead_code, reason = "each test and each measurement uses a part")]

use rewrite::definitions::expand;
use rewrite::{PassSettings, Stop};
use search::assignment::{self, Symbols};
use search::interpreter::{InputScore, Interpreter};
use search::ir::Program;
use search::jit::{CodeForm, Jit};
use search::lower::{LowerError, SlotSource, lower};
use semantics::Model;
use smtlib::{FuncId, Store, TermId};
use std::sync::Arc;

/// A formula ready to run.
pub struct Trial {
    program: Arc<Program>,
    sources: Vec<SlotSource>,
    arrays: Vec<FuncId>,
    interpreter: Interpreter,
}

/// All forms of compiled code.
pub struct Compiled {
    /// The fail-fast form.
    pub fail_fast: Jit,
    /// The try-all form.
    pub try_all: Jit,
}

impl Trial {
    /// Lowers assertions without simplification, except for calls of `define-fun`.
    ///
    /// # Errors
    /// [`LowerError`] for what cannot be searched.
    pub fn new(store: &mut Store, assertions: &[TermId]) -> Result<Trial, LowerError> {
        let expanded = expand(store, assertions, &PassSettings::default()).map_err(|_| LowerError::TooLarge)?;
        let lowered = lower(store, &expanded, &Stop::default())?;
        let program = Arc::new(lowered.program);
        Ok(Trial {
            interpreter: Interpreter::new(program.clone()),
            program,
            sources: lowered.sources,
            arrays: lowered.arrays,
        })
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Returns the meaning of the slots.
    pub fn sources(&self) -> &[SlotSource] {
        &self.sources
    }

    /// Returns the model of an input.
    pub fn model(&mut self, store: &Store, input: &[u8]) -> Model {
        let symbols = Symbols { sources: &self.sources, arrays: &self.arrays };
        assignment::model(store, &mut self.interpreter, symbols, input)
    }

    /// Interprets in fail-fast form.
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        self.interpreter.fail_fast(input)
    }

    /// Interprets in try-all form.
    pub fn try_all(&mut self, input: &[u8]) -> Vec<u64> {
        let mut distances = vec![0; self.program.constraints.len()];
        self.interpreter.try_all(input, &mut distances);
        distances
    }

    /// Compiles all forms, if [`Jit::new`] can.
    pub fn compile(&self) -> Option<Compiled> {
        Some(Compiled {
            fail_fast: Jit::new(&self.program, CodeForm::FailFast)?,
            try_all: Jit::new(&self.program, CodeForm::TryAll)?,
        })
    }
}

/// Writes a value of the slot's type into a slot of an input.
pub fn set_value(program: &Program, input: &mut [u8], slot: usize, value: &semantics::Value) {
    let mut words = vec![0; program.layout.slots()[slot].ty.words()];
    search::words_of(value, &mut words);
    program.layout.set_words(input, slot, &words);
}
