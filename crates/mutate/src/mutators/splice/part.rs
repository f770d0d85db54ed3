//! One of the two parts of a session: the formulas of a seed, and the knowledge about sets of them.

use crate::guards::is_guard;
use crate::mutator::Parent;
use crate::preamble::{Uses, is_labelled_unsat};
use crate::rng::RandomStream;
use crate::small_world::{CheckTruth, MODEST_LIMITS, decide_terms};
use crate::{fragments, splice::SpliceConfig};
use rustc_hash::FxHashMap;
use semantics::{Evaluator, Model};
use smtlib::{Command, FuncId, Printer, Store, TermId};
use std::sync::Arc;

/// The maximum length, in bytes, of a formula that a session asserts individually.
const MAX_FORMULA: usize = 1 << 14;
/// The most assertions of a seed that sessions draw from, and the most bytes of those that are asserted all together.
const MAX_ASSERTIONS: usize = 60;
const MAX_WHOLE: usize = 1 << 15;

/// A formula that a session may assert.
#[derive(Clone, Debug)]
pub(super) struct PartFormula {
    /// The formula, and its negation.
    pub term: TermId,
    pub negation: TermId,
    /// The formula's text.
    pub text: String,
    /// The declared functions in it, in the order of their declarations.
    pub symbols: Vec<FuncId>,
    /// Its value under the base assignment, if the evaluator knows it.
    pub value: Option<bool>,
    /// Whether the formula only confines a symbol to few values.
    pub is_guard: bool,
    /// Whether the formula is a Boolean constant, which may be assumed.
    pub is_name: bool,
}

impl PartFormula {
    /// Makes a term, with its negation, value and text.
    fn new(
        store: &Store,
        (term, negation): (TermId, TermId),
        printer: &mut Printer<'_>,
        evaluator: &mut Evaluator,
    ) -> PartFormula {
        let mut text = String::new();
        printer.term(term, &mut text);
        let mut uses = Uses::new(store);
        uses.term(term);
        let mut symbols: Vec<FuncId> = uses.funcs().filter(|&f| store.func(f).is_declared()).collect();
        symbols.sort_unstable();
        let function = store.applied(term).filter(|_| store.args(term).is_empty());
        let is_name = function.is_some_and(|f| store.func(f).is_declared());
        let value = evaluator.truth(store, term);
        PartFormula { term, negation, text, symbols, value, is_guard: is_guard(store, term), is_name }
    }
}

/// A formula of a part, by its position, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PartLiteral {
    pub formula: usize,
    pub is_positive: bool,
}

/// The knowledge about a set of formulas.
#[derive(Clone, Debug)]
pub(super) enum PartTruth {
    /// All are true under this assignment, or under the base assignment of the session.
    Sat(Option<Arc<Model>>),
    /// The formulas have no model.
    Unsat(PartRefutation),
    /// Their status is unknown.
    Unknown,
}

/// Why formulas have no model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum PartRefutation {
    /// No assignment of a small world satisfies them.
    Exhausted,
    /// One of them is the negation of another.
    Negation,
    /// The formulas are the assertions of a seed whose status says so.
    Status,
}

impl PartRefutation {
    /// Who vouches for it; `None` if it is certified.
    pub fn trust(self) -> Option<&'static str> {
        match self {
            PartRefutation::Exhausted => None,
            PartRefutation::Negation => Some("a formula and its negation are asserted"),
            PartRefutation::Status => Some("the :status of a seed says unsat"),
        }
    }
}

/// The formulas of one seed.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The assertions, then other Boolean subterms, then formulas built from these.
    pub formulas: Vec<PartFormula>,
    /// The assertions, if they are unsatisfiable by status or exhaustion, and short enough to be asserted together.
    pub whole: Vec<PartLiteral>,
    /// Whether exhaustion decides sets of the formulas that include all guards.
    pub is_small: bool,
    /// Whether the assertions are unsatisfiable according to the seed's status.
    is_labelled: bool,
    known: FxHashMap<Vec<PartLiteral>, PartTruth>,
}

/// The context of parts.
pub(super) struct PartContext<'c> {
    /// Knows the base assignment of both seeds.
    pub evaluator: &'c mut Evaluator,
    /// For every term, whether certified mutants may contain it.
    pub proven: &'c [bool],
    pub dialect: &'c smtlib::Dialect,
    pub config: &'c SpliceConfig,
}

impl Part {
    /// Returns the formulas of a seed; empty if nothing is known about any.
    pub fn new(store: &mut Store, parent: &Parent, context: &mut PartContext<'_>, rng: &mut RandomStream) -> Part {
        let instance = &parent.instance;
        let mut assertions = instance.assertions.clone();
        assertions.dedup();
        let is_proven = |t: &TermId| context.proven.get(t.index()).copied().unwrap_or(false);
        let is_whole = !instance.incomplete && assertions.iter().all(is_proven);
        assertions.retain(is_proven);
        let mut extra = fragments::candidates(store, instance);
        extra.retain(|t| is_proven(t) && !assertions.contains(t));
        let decided = if is_whole { decide_terms(store, &assertions, &MODEST_LIMITS).ok() } else { None };
        let is_labelled = is_whole && decided.is_none() && is_labelled_unsat(store, instance);
        let is_refuted = is_labelled || matches!(decided, Some(CheckTruth::Unsat(_)));
        // If the whole is useless, assertions beyond the limit are useless, too.
        if !is_refuted && decided.is_none() {
            fragments::thin(&mut assertions, MAX_ASSERTIONS, rng);
        }
        fragments::thin(&mut extra, context.config.fragments as usize, rng);
        let of = [&assertions[..], &extra].concat();
        extra.extend(fragments::combined(store, &of, context.config.constructed as usize, rng));
        let count = assertions.len();
        let negations: Vec<(TermId, TermId)> =
            assertions.into_iter().chain(extra).map(|term| (term, store.not(term))).collect();
        let mut printer = Printer::new(store, context.dialect);
        let formula = |terms| PartFormula::new(store, terms, &mut printer, context.evaluator);
        let mut formulas: Vec<PartFormula> = negations.into_iter().map(formula).collect();
        let bytes: usize = formulas[..count].iter().map(|f| f.text.len()).sum();
        let has_whole = is_refuted && bytes <= MAX_WHOLE;
        let is_small = decided.is_some() && bytes <= MAX_WHOLE;
        let mut n = 0;
        formulas.retain(|formula| {
            n += 1;
            let is_asserted = n <= count;
            let is_of_use = is_small || formula.value.is_some();
            // Assertions asserted together keep their positions.
            (is_asserted && (has_whole || is_small)) || (formula.text.len() <= MAX_FORMULA && is_of_use)
        });
        let positive = |formula| PartLiteral { formula, is_positive: true };
        let whole = if has_whole { (0..count).map(positive).collect() } else { Vec::new() };
        Part { formulas, whole, is_small, is_labelled: is_labelled && has_whole, known: FxHashMap::default() }
    }

    /// Returns the term of a literal.
    pub fn term(&self, literal: PartLiteral) -> TermId {
        let formula = &self.formulas[literal.formula];
        if literal.is_positive { formula.term } else { formula.negation }
    }

    /// Returns the guards, which every set of formulas of a small world needs.
    pub fn guards(&self) -> impl Iterator<Item = PartLiteral> + '_ {
        let guards = self.formulas.iter().enumerate().filter(|(_, formula)| self.is_small && formula.is_guard);
        guards.map(|(formula, _)| PartLiteral { formula, is_positive: true })
    }

    /// Returns a literal that is true under the base assignment.
    pub fn true_literal(&self, formula: usize) -> Option<PartLiteral> {
        let value = self.formulas.get(formula)?.value?;
        Some(PartLiteral { formula, is_positive: value })
    }

    /// Returns the knowledge about a set of literals; results of exhaustion are cached.
    pub fn truth(&mut self, store: &mut Store, literals: &[PartLiteral]) -> PartTruth {
        if literals.iter().all(|&l| self.formulas[l.formula].value == Some(l.is_positive)) {
            return PartTruth::Sat(None);
        }
        let mut set = literals.to_vec();
        set.sort_unstable();
        set.dedup();
        if let Some(known) = self.known.get(&set) {
            return known.clone();
        }
        let truth = self.decided(store, &set);
        self.known.insert(set, truth.clone());
        truth
    }

    fn decided(&self, store: &mut Store, set: &[PartLiteral]) -> PartTruth {
        if self.is_small {
            let terms: Vec<TermId> = set.iter().map(|&l| self.term(l)).collect();
            match decide_terms(store, &terms, &MODEST_LIMITS) {
                // A witness that depends on the choice of an open value cannot be combined with another part's choices.
                Ok(CheckTruth::Sat(model)) if model.choices().is_empty() => {
                    return PartTruth::Sat(Some(Arc::new(*model)));
                }
                Ok(CheckTruth::Unsat(_)) => return PartTruth::Unsat(PartRefutation::Exhausted),
                Ok(CheckTruth::Sat(_)) | Err(_) => {}
            }
        }
        let has = |l: &PartLiteral| set.binary_search(l).is_ok();
        if set.iter().any(|l| has(&PartLiteral { is_positive: !l.is_positive, ..*l })) {
            return PartTruth::Unsat(PartRefutation::Negation);
        }
        match self.is_labelled && self.whole.iter().all(has) {
            true => PartTruth::Unsat(PartRefutation::Status),
            false => PartTruth::Unknown,
        }
    }
}

/// Whether both seeds only declare functions, sorts and datatypes, so that functions may be declared anywhere.
pub(super) fn has_no_definitions(declarations: &[Command]) -> bool {
    !declarations.iter().any(|c| matches!(c, Command::DefineFun(_) | Command::DefineFunsRec(_)))
}
