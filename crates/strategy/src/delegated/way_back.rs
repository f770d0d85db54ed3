//! The model conversion through a step of another program: its definitions of removed symbols, and a check of the goal.

use rewrite::complete::complete;
use rewrite::{Convert, ConvertError, ModelConverter, Stop};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{FuncId, Store, TermId};
use std::sync::Arc;

/// The model conversion of one step.
#[derive(Debug)]
pub(crate) struct WayBack {
    /// The program.
    pub by: Arc<str>,
    /// Its definitions of symbols; `None` if they cannot be read.
    pub converter: Option<ModelConverter>,
    /// The formulas that a converted model of the subgoal must make true.
    pub goal: Vec<TermId>,
}

impl Convert for WayBack {
    fn convert(&self, store: &mut Store, model: Model, stop: &Stop) -> Result<Model, ConvertError> {
        let lost = || ConvertError::Lost { by: Arc::clone(&self.by) };
        let converter = self.converter.as_ref().ok_or_else(lost)?;
        let mut model = converter.convert(store, model, stop).map_err(|error| match error.is_stopped() {
            true => error,
            false => lost(),
        })?;
        complete(store, &mut model, self.goal.iter().copied());
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(stop);
        for (n, &t) in self.goal.iter().enumerate() {
            match evaluator.truth(store, t) {
                Some(true) => {}
                Some(false) => return Err(ConvertError::Wrong { by: Arc::clone(&self.by), formula: n }),
                // A model that cannot be judged is worth no more than the program's answer.
                None => return Err(lost()),
            }
        }
        Ok(model)
    }

    fn definitions(&self) -> (Vec<(FuncId, TermId)>, usize) {
        self.converter.as_ref().map(ModelConverter::definitions).unwrap_or_default()
    }
}
