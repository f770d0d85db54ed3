//! Problems over small finite sets with known truth, as sent to a solver whose passes are checked.

use super::truth::{WorldTruth, decide};
use mutate::finite::FiniteMutator;
use mutate::finite::problem::LIMITS;
use mutate::finite::theme::Theme;
use mutate::{Batch, Mutant, TargetSpelling, Unit, UnnamedLogic, preamble};
use smtlib::sexpr::Sexprs;
use smtlib::{Command, Instance, Printer, Store};
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of problems that share their sorts; small, so that there are many different sorts.
const SHARING: u32 = 4;

/// The maximum number of consecutive failed draws.
const MAX_BARREN: u64 = 1000;

/// A problem whose truth is certified by exhaustion.
#[derive(Clone, Debug)]
pub struct PassProblem {
    /// The theme it was drawn from.
    pub theory: &'static str,
    /// The smallest logic that contains the problem.
    pub logic: String,
    /// Its declarations, one command per line.
    pub declarations: String,
    /// Its assertions, one command per line.
    pub assertions: String,
    /// Whether the problem is satisfiable; always known.
    pub truth: WorldTruth,
}

impl PassProblem {
    /// Returns declarations and assertions.
    pub fn text(&self) -> String {
        format!("{}{}", self.declarations, self.assertions)
    }

    /// Returns its assertions as formulas.
    pub fn formulas(&self) -> Vec<String> {
        let all = Sexprs::read(&self.assertions);
        let formulas =
            all.top().filter_map(|node| all.headed(node, "assert")?.first().map(|&f| all.text(f).to_string()));
        formulas.collect()
    }

    /// Makes a problem from the last check of a text; `None` if exhaustion does not decide the sent text.
    pub fn of_text(theory: &'static str, text: &str, spelling: &TargetSpelling) -> Option<PassProblem> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let instance = parsed.script.each_instance().last()?;
        if !parsed.errors.is_empty() || instance.incomplete {
            return None;
        }
        let (mut declarations, mut assertions) = (String::new(), String::new());
        let unnamed = Instance { logic: None, options: Vec::new(), ..instance };
        preamble::print(&store, &unnamed, &unnamed.assertions, spelling, &mut declarations);
        let smallest = TargetSpelling {
            unnamed_logic: UnnamedLogic::Smallest { accepted: Arc::default() },
            ..TargetSpelling::default()
        };
        let logic = preamble::inferred_logic(&store, &unnamed, &unnamed.assertions, &smallest);
        let logic = logic.unwrap_or("ALL").to_string();
        let mut printer = Printer::new(&store, &spelling.dialect);
        for &assertion in &unnamed.assertions {
            printer.command(&Command::Assert(assertion, None), &mut assertions);
            assertions.push('\n');
        }
        // The truth is that of the text as sent, not that of the terms from which it was printed.
        let truth = decide(&format!("{declarations}{assertions}(check-sat)\n"), &LIMITS).pop()?;
        let problem = PassProblem { theory, logic, declarations, assertions, truth };
        (!matches!(problem.truth, WorldTruth::Open(_))).then_some(problem)
    }
}

/// The sequence of problems determined by a seed.
pub struct ProblemSource {
    finite: FiniteMutator,
    spelling: TargetSpelling,
    seed: u64,
    unit: u64,
    ready: VecDeque<PassProblem>,
}

impl ProblemSource {
    /// Returns problems of some themes (if empty, all by weight), spelled for a solver.
    pub fn new(themes: Vec<&'static Theme>, spelling: TargetSpelling, seed: u64) -> ProblemSource {
        let finite = FiniteMutator { themes, mutants: SHARING, ..FiniteMutator::default() };
        ProblemSource { finite, spelling, seed, unit: 0, ready: VecDeque::new() }
    }

    fn draw(&mut self) {
        let mut store = Store::new();
        let unit = Unit { campaign: self.seed, number: self.unit };
        self.unit += 1;
        let mut batch = self.finite.batch(&mut store, &self.spelling, unit);
        let mut mutant = Mutant::default();
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            let theory = batch.theory();
            self.ready.extend(PassProblem::of_text(theory, &mutant.text, &self.spelling));
        }
    }
}

impl Iterator for ProblemSource {
    type Item = PassProblem;

    fn next(&mut self) -> Option<PassProblem> {
        let last = self.unit + MAX_BARREN;
        while self.ready.is_empty() && self.unit < last {
            self.draw();
        }
        self.ready.pop_front()
    }
}
