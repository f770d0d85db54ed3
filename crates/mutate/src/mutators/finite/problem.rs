//! One problem over small domains: symbols, guards, formulas and checks, each check decided by exhaustion.

use super::domain::confine;
use super::grow::{Grammar, Grower};
use super::heaps;
use super::recursion;
use super::theme::ProblemVocabulary;
use crate::assignment::ValueGenerator;
use crate::guards::{guarded, quantified};
use crate::rng::RandomStream;
use crate::small_world::{self, CheckTruth, decide_terms};
use rustc_hash::FxHashMap;
use semantics::truth::{ExhaustLimits, mentions_hidden};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Command, Func, FuncBody, FuncId, Kind, Sort, SortId, Store, TermId};

/// The maximum number of assignments of a problem's constants.
const MAX_ASSIGNMENTS: u64 = 2048;
/// The maximum number of values of a quantifier's variables together.
const MAX_INSTANCES: u64 = 32;
/// How many problems in a hundred are separate formulas; the others compare terms with their values.
const GROWN: u32 = 40;
/// How often a group of recursive functions is drawn again.
const DEFINITION_TRIES: u32 = 4;
/// How deep formulas are.
const FUEL: (u64, u64) = (2, 4);
/// The limits of evaluating one term.
pub(super) const EACH: EvalLimits = EvalLimits { steps: 1 << 16, ..small_world::LIMITS.each };

/// The limits of deciding one check: most take far less, and the others are not worth the time.
pub const LIMITS: ExhaustLimits =
    ExhaustLimits { assignments: MAX_ASSIGNMENTS, steps: 1 << 18, each: EACH, ..small_world::LIMITS };

/// The same for functions applied to all elements, each of which costs many steps.
const TRAVERSALS: ExhaustLimits =
    ExhaustLimits { assignments: 512, steps: 1 << 14, each: EvalLimits { steps: 1 << 11, ..EACH }, ..LIMITS };

/// A problem: declarations, and the commands after them.
#[derive(Clone, Debug, Default)]
pub struct FiniteProblem {
    /// Sorts, datatypes, constants, functions, definitions.
    pub declarations: Vec<Command>,
    /// Assertions, levels and checks.
    pub commands: Vec<Command>,
    /// The answer of each check, and for `sat` an assignment.
    pub answers: Vec<CheckTruth>,
}

/// Makes one problem, with levels, assumptions and several checks only if it `is_incremental`; `None` if the draws gave nothing
/// worth sending.
pub fn draw(
    store: &mut Store,
    vocabulary: &ProblemVocabulary,
    grammar: &Grammar,
    is_incremental: bool,
    rng: &mut RandomStream,
) -> Option<FiniteProblem> {
    let mut values = ValueGenerator::default();
    let mut grammar = grammar.clone();
    let mut problem = FiniteProblem { declarations: vocabulary.declarations.clone(), ..FiniteProblem::default() };
    // Orders have no values to compare with.
    let is_grown = rng.percent(GROWN) || vocabulary.has_orders;
    if is_grown {
        for (n, (params, result)) in vocabulary.functions.iter().enumerate() {
            let name = store.symbols.intern(&format!("f{n}"));
            let params = params.clone().into();
            let f = store.declare(Func { name, params, result: *result, body: FuncBody::Declared });
            problem.declarations.push(Command::DeclareFun(f));
            grammar.add(store, f);
        }
    }
    for n in 0..vocabulary.recursions {
        let sorts = (&vocabulary.sorts[..], n);
        let command =
            (0..DEFINITION_TRIES).find_map(|_| recursion::define(store, &mut grammar, &mut values, sorts, rng))?;
        problem.declarations.push(command);
    }
    let grower = Grower { grammar: &grammar, values: &mut values, scope: FxHashMap::default(), lambdas: 0 };
    // No solver takes several checks with a heap.
    let (heap, is_incremental) = (vocabulary.heap, is_incremental && vocabulary.heap.is_none());
    let limits = match (heap.is_some(), vocabulary.has_traversals) {
        (true, _) => &heaps::LIMITS,
        (_, true) => &TRAVERSALS,
        _ => &LIMITS,
    };
    let mut drawing = Drawing { problem, live: vec![Vec::new()], is_incremental, heap, limits, grower };
    let usable: Vec<SortId> =
        vocabulary.sorts.iter().copied().filter(|&s| !matches!(store.sorts.get(s), Sort::RegLan)).collect();
    if vocabulary.has_rules {
        drawing.rules(store, &usable, rng)?;
    } else if vocabulary.is_horn {
        drawing.clauses(store, &usable, rng)?;
    } else if vocabulary.has_roots {
        drawing.polynomials(store, rng)?;
    } else if vocabulary.has_objectives {
        drawing.objectives(store, &usable, rng)?;
    } else if heap.is_some() {
        drawing.heap_problem(store, rng)?;
    } else if is_grown {
        drawing.constants(store, &usable, rng)?;
        drawing.assertions(store, rng)?;
    } else if rng.coin() {
        drawing.folds(store, &usable, rng)?;
    } else {
        drawing.table(store, &usable, rng)?;
    }
    Some(drawing.problem)
}

/// A problem under construction.
pub(super) struct Drawing<'g> {
    pub(super) problem: FiniteProblem,
    /// The assertions by level.
    live: Vec<Vec<TermId>>,
    /// Whether the problem may have levels, assumptions and several checks.
    pub(super) is_incremental: bool,
    /// The sorts of locations and data, if its formulas are about a heap.
    pub(super) heap: Option<(SortId, SortId)>,
    pub(super) limits: &'static ExhaustLimits,
    pub(super) grower: Grower<'g>,
}

impl Drawing<'_> {
    /// Declares a constant.
    pub(super) fn constant(&mut self, store: &mut Store, name: &str, sort: SortId) -> Option<(FuncId, TermId)> {
        let name = store.symbols.intern(name);
        let f = store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
        let constant = store.constant_of(f).ok()?;
        self.problem.declarations.push(Command::DeclareFun(f));
        Some((f, constant))
    }

    /// Opens a level.
    pub(super) fn push(&mut self) {
        self.live.push(Vec::new());
        self.problem.commands.push(Command::Push(1));
    }

    /// Closes the last level.
    pub(super) fn pop(&mut self) {
        self.live.pop();
        self.problem.commands.push(Command::Pop(1));
    }

    pub(super) fn constants(&mut self, store: &mut Store, usable: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let count = rng.between(1, 4);
        let mut assignments = 1u64;
        for n in 0..count {
            // The sorts of the theme before `Bool`, which is only one of many.
            let sort = match usable.len() > 1 && rng.percent(90) {
                true => *rng.pick(&usable[1..])?,
                false => *rng.pick(usable)?,
            };
            let name = store.symbols.intern(&name(n, rng));
            let f = store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
            let constant = store.constant_of(f).ok()?;
            if matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
                self.problem.declarations.push(Command::DeclareFun(f));
                self.grower.scope.entry(sort).or_default().push(constant);
                continue;
            }
            let left = (self.limits.assignments.min(MAX_ASSIGNMENTS) / assignments).min(if n == 0 { 256 } else { 64 });
            if left < 2 {
                break;
            }
            let Some(confined) = confine(store, &mut self.grower, constant, left, rng) else { continue };
            assignments = assignments.saturating_mul(confined.size.max(1));
            self.problem.declarations.push(Command::DeclareFun(f));
            if let Some(guard) = confined.guard {
                self.assert(guard);
            }
            self.grower.scope.entry(sort).or_default().push(constant);
        }
        Some(())
    }

    pub(super) fn assert(&mut self, t: TermId) {
        self.problem.commands.push(Command::Assert(t, None));
        if let Some(level) = self.live.last_mut() {
            level.push(t);
        }
    }

    /// Formulas and checks: one check in most problems, several over levels and assumptions in the others.
    pub(super) fn assertions(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<()> {
        self.grow(store, rng.between(1, 3), rng)?;
        if !self.is_incremental || rng.percent(80) {
            let wanted = rng.coin();
            return self.steer(store, wanted, rng);
        }
        self.check(store, &[])?;
        for _ in 0..rng.between(1, 3) {
            match rng.below(3) {
                0 if self.live.len() > 1 => self.pop(),
                1 => {
                    let assumption = self.formula(store, rng)?;
                    self.problem.commands.push(Command::CheckSatAssuming([assumption].into()));
                    let answer = self.decide(store, &[assumption])?;
                    self.problem.answers.push(answer);
                    continue;
                }
                _ => {
                    self.push();
                    self.grow(store, rng.between(1, 2), rng)?;
                }
            }
            self.check(store, &[])?;
        }
        Some(())
    }

    fn grow(&mut self, store: &mut Store, count: u64, rng: &mut RandomStream) -> Option<()> {
        for _ in 0..count {
            let formula = self.formula(store, rng)?;
            self.assert(formula);
        }
        Some(())
    }

    pub(super) fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Option<()> {
        let answer = self.decide(store, assumptions)?;
        self.problem.commands.push(Command::CheckSat);
        self.problem.answers.push(answer);
        Some(())
    }

    /// Adds one check, with the wanted answer if a few more or fewer assertions achieve it.
    fn steer(&mut self, store: &mut Store, wanted: bool, rng: &mut RandomStream) -> Option<()> {
        const STEPS: usize = 4;
        for _ in 0..STEPS {
            let answer = self.decide(store, &[])?;
            match (&answer, wanted) {
                (CheckTruth::Sat(_), true) | (CheckTruth::Unsat(_), false) => break,
                (CheckTruth::Sat(_), false) => self.grow(store, 1, rng)?,
                (CheckTruth::Unsat(_), true) => {
                    // Negates the last formula.
                    let last = *self.live.last()?.last()?;
                    self.retract()?;
                    let negated = store.not(last);
                    self.assert(negated);
                    if rng.percent(30) {
                        break;
                    }
                }
            }
        }
        self.check(store, &[])
    }

    /// Retracts the last assertion.
    pub(super) fn retract(&mut self) -> Option<()> {
        self.problem.commands.pop();
        self.live.last_mut()?.pop().map(|_| ())
    }

    /// Returns the assertions of all levels.
    pub(super) fn asserted(&self) -> Vec<TermId> {
        self.live.iter().flatten().copied().collect()
    }

    pub(super) fn decide(&mut self, store: &mut Store, assumptions: &[TermId]) -> Option<CheckTruth> {
        let assertions: Vec<TermId> = self.live.iter().flatten().chain(assumptions).copied().collect();
        decide_terms(store, &assertions, self.limits).ok()
    }

    /// Returns a formula whose value depends on symbols.
    fn formula(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        const TRIES: usize = 6;
        for _ in 0..TRIES {
            let fuel = rng.between(FUEL.0, FUEL.1) as u32;
            let formula = match self.heap {
                Some(heap) => self.heap_formula(store, heap, fuel - 1, rng).filter(|&t| mentions_hidden(store, t)),
                None if rng.percent(25) => self.quantified(store, fuel, 2, rng),
                None => self.grower.term(store, SortId::BOOL, fuel, rng),
            };
            let Some(formula) = formula else { continue };
            if Evaluator::new(Model::new(), self.limits.each).eval(store, formula).is_err() {
                return Some(formula);
            }
        }
        None
    }

    /// Returns a quantified formula; in one case of four its body is one again. Recursion is at most `nesting` deep.
    fn quantified(&mut self, store: &mut Store, fuel: u32, nesting: u32, rng: &mut RandomStream) -> Option<TermId> {
        let kind = if rng.coin() { Kind::Exists } else { Kind::Forall };
        let sorts: Vec<SortId> = {
            let mut sorts: Vec<SortId> = self.grower.scope.keys().copied().collect();
            sorts.sort_unstable();
            sorts
        };
        let mut vars = Vec::new();
        let mut guards = Vec::new();
        let mut instances = 1;
        let before = self.grower.scope.clone();
        for n in 0..if rng.percent(75) { 1 } else { 2 } {
            let sort = rng.pick(&sorts).copied()?;
            if matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
                continue;
            }
            let name = format!("{}{}", if nesting == 2 { "q" } else { "r" }, n);
            let (symbol, variable) = store.named_variable(&name, sort);
            let Some(confined) = confine(store, &mut self.grower, variable, MAX_INSTANCES / instances, rng) else {
                continue;
            };
            instances *= confined.size.clamp(1, MAX_INSTANCES);
            guards.extend(confined.guard);
            vars.push((symbol, sort));
            // Twice, so that bound variables are drawn as often as the constants.
            self.grower.scope.entry(sort).or_default().extend([variable, variable]);
        }
        let body = match nesting > 1 && rng.percent(25) {
            true => self.quantified(store, fuel, nesting - 1, rng),
            false => self.grower.term(store, SortId::BOOL, fuel, rng),
        };
        self.grower.scope = before;
        let body = body?;
        if vars.is_empty() {
            return Some(body);
        }
        let whole = guarded(store, kind, &guards, body)?;
        quantified(store, kind, vars, whole)
    }
}

/// Returns a constant's name: usually plain, sometimes one that needs bars.
fn name(n: u64, rng: &mut RandomStream) -> String {
    match rng.below(20) {
        0 => format!("x {n}"),
        _ => format!("x{n}"),
    }
}
