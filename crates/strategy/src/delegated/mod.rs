//! `(solver-tactic SPEC T)`: another program applies its own tactic T to a goal, and its result is the subgoal.
//!
//! The program is asked by Z3's command `(apply T)`. It is trusted that the subgoal is equisatisfiable with the goal, which every
//! refutation through the step records; a model is converted back and must make the goal true.

mod program;
pub mod reader;
mod steps;

use crate::external::declarations;
use crate::incremental_process::{IncrementalProcess, ProcessError};
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::run::TacticRun;
use crate::solvers::{SolverProgram, limits};
use crate::tactic::Tactic;
pub use program::ExecTactic;
use reader::AppliedReader;
use rewrite::complete::complete;
use rewrite::{Conversion, Convert, ConvertError, Goal, GoalFormula, ModelConverter, PassResult, Stop};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Command, FuncId, Printer, Store, TermId};
use solver::session::SessionNeeds;
use std::sync::Arc;

/// A tactic of another program.
pub struct Delegated {
    /// The program.
    pub program: Arc<SolverProgram>,
    /// The tactic, in the program's syntax.
    pub tactic: String,
    /// Its name in traces and proofs.
    pub name: Arc<str>,
}

impl Tactic for Delegated {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let formulas = goal.len();
        match self.step(store, goal, run) {
            Ok(step) => {
                TacticOutcome::Open(Subgoals::trusted_step(&self.name, &self.program.label, formulas, vec![step]))
            }
            Err(failure) => TacticOutcome::Fail(failure),
        }
    }

    /// Returns all features: a program is asked about everything.
    fn takes(&self) -> u32 {
        u32::MAX
    }
}

impl Delegated {
    fn step(&self, store: &mut Store, goal: Goal, run: &TacticRun) -> Result<PassResult, TacticFailure> {
        let declarations = declarations(store, &goal, run);
        let said = self.ask(store, &goal, &declarations, run)?;
        let trouble =
            |why: String| TacticFailure::Undecided(format!("{} applied {}: {why}", self.program.label, self.tactic));
        let applied =
            AppliedReader::new(store, &declarations).and_then(|reader| reader.read(&said)).map_err(trouble)?;
        // The origin of a subgoal's formulas is not reported, so it is all formulas.
        let origins = goal.origins();
        let way_back = WayBack {
            by: Arc::clone(&self.program.label),
            converter: applied.conversions.map(ModelConverter::new),
            goal: goal.terms().collect(),
        };
        let precision = goal.precision.then(applied.precision);
        let formulas = applied.formulas.into_iter().map(|term| GoalFormula::new(term, origins.clone()));
        let mut subgoal = goal.with(store, formulas);
        subgoal.precision = precision;
        Ok(PassResult::with(subgoal, ModelConverter::new(vec![Conversion::Custom(Arc::new(way_back))])))
    }

    /// Returns the program's output.
    fn ask(
        &self,
        store: &Store,
        goal: &Goal,
        declarations: &[Command],
        run: &TacticRun,
    ) -> Result<String, TacticFailure> {
        run.budget.check()?;
        let mut text = String::new();
        let mut printer = Printer::new(store, &self.program.dialect);
        for command in declarations {
            printer.command(command, &mut text);
            text.push('\n');
        }
        for t in goal.terms() {
            text.push_str("(assert ");
            printer.term(t, &mut text);
            text.push_str(")\n");
        }
        // Z3 ends some of its model converters without the line feed that completes an answer: `echo` prints one.
        let question =
            format!("(apply {} :print_benchmark true :print_model_converter true)\n(echo \"\")\n", self.tactic);
        let label = &self.program.label;
        let solver = self.program.with_cancel(run.budget.cancel.clone());
        let mut process = IncrementalProcess::start(&solver, SessionNeeds::SINGLE, &limits(run.budget.left()))
            .map_err(|error| TacticFailure::Trouble(format!("cannot ask {label}: {error}")))?;
        let said = process.command(&text, &run.budget).and_then(|()| process.say(&question, &run.budget));
        said.map_err(|error| match run.budget.check() {
            Err(stopped) => TacticFailure::Stopped(stopped),
            Ok(()) => TacticFailure::Trouble(match error {
                ProcessError::Silent(_) => format!("{label} ended while it applied {}", self.tactic),
                ProcessError::Unusual => format!("{label} does not take the goal"),
            }),
        })
    }
}

/// The model conversion of one step of another program: its definitions of removed symbols, and a check of the goal.
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
