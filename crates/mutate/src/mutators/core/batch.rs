//! The mutants of one core: the assertions, their order, and the answer of each check.

use super::config::{CoreConfig, PARAMETERS};
use super::hide::{Hider, QuantifiedConstant};
use super::layout::CoreLayout;
use super::seed::{CoreOrigin, CoreSeed};
use crate::assignment::AssignmentSource;
use crate::mutator::{Batch, Mutant, TargetSpelling};
use crate::query_mode::QueryMode;
use crate::rng::{RandomStream, Unit};
use crate::small_world::{CheckTruth, LIMITS, decide_checks};
use crate::{edit, fragments, preamble};
use finding::Trust;
use semantics::{Evaluator, Model};
use smtlib::{Instance, Printer, Status, Store, Symbol, TermId};
use std::sync::Arc;

/// The maximum length, in bytes, of a text that hides a formula; longer ones stay unchanged.
const MAX_HIDDEN: usize = 1 << 14;
/// The most formulas of a core that are hidden, and that exhaustion lets become weaker.
const MAX_CHANGED: usize = 24;
/// How often a weaker formula is drawn again.
const WEAKER_DRAWS: usize = 3;

/// Formulas besides the core.
#[derive(Clone, Default, Debug)]
pub(super) struct CorePool {
    /// The formulas that are true under the assignment: of the first seed, and of both.
    pub satisfied: [Vec<TermId>; 2],
    /// Formulas and their negations, likewise.
    pub either: [Vec<TermId>; 2],
}

impl CorePool {
    /// Evaluates the formulas of both seeds, and those built from them.
    pub fn new(
        store: &mut Store,
        evaluator: &mut Evaluator,
        own: &[Vec<TermId>; 2],
        config: &CoreConfig,
        rng: &mut RandomStream,
    ) -> CorePool {
        let mut pool = CorePool::default();
        let all = own.concat();
        for (n, of) in [&own[0], &all].into_iter().enumerate() {
            let mut formulas = of.clone();
            formulas.extend(fragments::combined(store, of, config.constructed as usize, rng));
            for formula in formulas {
                let negation = store.not(formula);
                pool.either[n].extend([formula, negation]);
                match evaluator.truth(store, formula) {
                    Some(true) => pool.satisfied[n].push(formula),
                    Some(false) => pool.satisfied[n].push(negation),
                    None => {}
                }
            }
        }
        pool
    }
}

/// The parts of a unit's mutants.
pub(super) struct MutantFormulas {
    pub core: CoreSeed,
    pub pool: CorePool,
    /// The guards of the second seed's symbols.
    pub second_guards: Vec<TermId>,
    /// Fresh Boolean constants, true under the assignment, and names of variables.
    pub names: Vec<TermId>,
    pub variables: Vec<Symbol>,
    pub constants: Vec<QuantifiedConstant>,
    /// Logic and declarations of mutants with formulas of the first seed alone, and of both.
    pub alone: Instance,
    pub both: Instance,
    /// In the logic `ALL` a name of the seed might mean something else.
    pub keeps_logic: bool,
}

/// The assertions of a mutant.
struct CoreAssertions {
    /// The assertions that imply a contradiction, with the guards.
    core: Vec<TermId>,
    filler: Vec<TermId>,
    has_second: bool,
}

/// The mutants of one core.
pub struct CoreBatch<'s> {
    pub(super) store: &'s mut Store,
    pub(super) formulas: MutantFormulas,
    /// Knows the assignment.
    pub(super) evaluator: Evaluator,
    pub(super) source: AssignmentSource,
    pub(super) config: CoreConfig,
    pub(super) target: &'s TargetSpelling,
    pub(super) unit: Unit,
    /// The answers to the last mutant, with its index, or why there is none.
    pub(super) last: Option<(u64, Result<Vec<Status>, &'static str>)>,
}

impl CoreBatch<'_> {
    /// Draws the assertions of a mutant.
    fn draw(&mut self, rng: &mut RandomStream) -> CoreAssertions {
        let has_second = rng.percent(self.config.second);
        let satisfied = self.formulas.pool.satisfied[usize::from(has_second)].clone();
        let pieces = self.weaker(rng);
        let layers = self.config.layers;
        let has_quantifiers = rng.percent(self.config.quantified);
        let (mut core, mut filler) = (Vec::new(), Vec::new());
        let mut hider = Hider {
            store: self.store,
            satisfied: &satisfied,
            refuted: &self.formulas.core.refuted,
            names: self.formulas.names.clone(),
            variables: self.formulas.variables.clone(),
            constants: if has_quantifiers { &self.formulas.constants } else { &[] },
            rng,
        };
        let mut left = MAX_CHANGED;
        for piece in pieces {
            if left == 0 || !hider.rng.percent(self.config.hidden) {
                core.push(piece);
                continue;
            }
            left -= 1;
            let layers = hider.rng.between(u64::from(layers.low), u64::from(layers.high));
            let hidden = hider.hide(piece, layers);
            let mut printer = Printer::new(hider.store, &self.target.dialect);
            let mut text = String::new();
            hidden.iter().for_each(|&t| printer.term(t, &mut text));
            match text.len() <= MAX_HIDDEN {
                true => core.extend(hidden),
                false => core.push(piece),
            }
        }
        let span = self.config.filler;
        for _ in 0..rng.between(u64::from(span.low), u64::from(span.high)) {
            filler.extend(rng.pick(&satisfied));
        }
        if has_second {
            core.extend(&self.formulas.second_guards);
        }
        for &needless in self.formulas.core.needless.iter().filter(|_| rng.coin()) {
            match self.evaluator.truth(self.store, needless) {
                Some(true) => filler.push(needless),
                Some(false) | None => core.push(needless),
            }
        }
        CoreAssertions { core, filler, has_second }
    }

    /// Returns the formulas of the core, some with an additional disjunct that exhaustion allows.
    fn weaker(&mut self, rng: &mut RandomStream) -> Vec<TermId> {
        let core = &self.formulas.core;
        let mut pieces = core.pieces.clone();
        if core.origin != CoreOrigin::Exhausted || pieces.len() > MAX_CHANGED {
            return pieces;
        }
        for n in 0..pieces.len() {
            if !rng.percent(self.config.weakened) {
                continue;
            }
            for _ in 0..WEAKER_DRAWS {
                let Some(&other) = rng.pick(&self.formulas.pool.either[0]) else { break };
                let kept = pieces[n];
                pieces[n] = self.store.or(&[kept, other]);
                if core.is_refuted_with(self.store, &pieces) {
                    break;
                }
                pieces[n] = kept;
            }
        }
        pieces
    }

    /// Writes a mutant, or says why there is none.
    fn write(&mut self, index: u64, out: &mut Mutant) -> Result<(), &'static str> {
        let mut rng = self.unit.mutant_stream(index);
        let mode = QueryMode::draw(&self.config.query, &mut rng);
        let CoreAssertions { core, filler, has_second } = self.draw(&mut rng);
        let guards = self.formulas.core.guards.clone();
        let all: Vec<TermId> = guards.iter().chain(&core).chain(&filler).copied().collect();
        let seed = if has_second { &self.formulas.both } else { &self.formulas.alone };
        let named = seed.logic.map_or("ALL", |logic| self.store.name(logic));
        let is_beyond = edit::needs(self.store, &[], &all) & edit::refused(named) != 0 && !self.formulas.keeps_logic;
        let logic = if is_beyond { seed.logic.and(self.store.symbols.get("ALL")) } else { seed.logic };
        preamble::print(self.store, &Instance { logic, ..seed.clone() }, &all, self.target, &mut out.text);
        let mut layout = CoreLayout {
            printer: Printer::new(self.store, &self.target.dialect),
            store: self.store,
            config: &self.config,
            rng,
            out,
        };
        match mode {
            QueryMode::Incremental => {
                let holds = |t: &TermId| self.evaluator.truth(self.store, *t) == Some(true);
                let (satisfied, others): (Vec<TermId>, Vec<TermId>) =
                    [guards, core].concat().into_iter().partition(holds);
                layout.incremental(satisfied, others, filler)?;
            }
            mode => layout.single([guards, core].concat(), filler, mode),
        }
        self.judge(out)
    }

    /// Who vouches for the answers: exhaustion of the text, if that decides them.
    fn judge(&self, out: &mut Mutant) -> Result<(), &'static str> {
        if self.formulas.core.origin == CoreOrigin::Status {
            out.truth = Some(Trust::in_words("the :status of the seed says unsat"));
            return Ok(());
        }
        let checks = out.expected.len();
        let decided = decide_checks(&mut self.store.clone(), &out.text, checks, &LIMITS).unwrap_or_default();
        let mut open = decided.is_empty();
        for (expected, decided) in out.expected.iter().zip(&decided) {
            match (expected, decided) {
                (Status::Unsat, Some(CheckTruth::Sat(_))) | (Status::Sat, Some(CheckTruth::Unsat(_))) => {
                    return Err("exhaustion contradicts the construction of the mutant");
                }
                (Status::Unsat, None) => open = true,
                _ => {}
            }
        }
        if open {
            out.truth = Some(Trust::in_words("exhaustion says that the seed is unsatisfiable"));
        }
        Ok(())
    }

    fn answers(&mut self, index: u64) -> Vec<Status> {
        if self.last.as_ref().is_none_or(|last| last.0 != index) {
            self.mutant(index, &mut Mutant::default());
        }
        self.last.as_ref().and_then(|(_, made)| made.clone().ok()).unwrap_or_default()
    }
}

impl Batch for CoreBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.config.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let made = self.write(index, out);
        if made.is_err() {
            out.clear();
        }
        self.last = Some((index, made.map(|()| out.expected.clone())));
    }

    fn store(&self) -> &Store {
        self.store
    }

    /// Each check has its own, if any.
    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        None
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        let is_satisfied = self.answers(index).get(check) == Some(&Status::Sat);
        is_satisfied.then(|| self.evaluator.model().clone())
    }

    fn failure(&self) -> Option<String> {
        self.last.as_ref()?.1.as_ref().err().map(|why| why.to_string())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let mode = QueryMode::draw(&self.config.query, &mut self.unit.mutant_stream(index));
        let core = &self.formulas.core;
        let origin = match core.origin {
            CoreOrigin::Exhausted => "exhaustion",
            CoreOrigin::Status => "status",
        };
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("mode", mode.describe(&self.config.query)),
            ("core", format!("{} formulas, {} guards", core.pieces.len(), core.guards.len())),
            ("origin", origin.to_string()),
            ("assignment-used", self.source.to_string()),
        ];
        list.extend(PARAMETERS.settings(&self.config));
        list
    }
}
