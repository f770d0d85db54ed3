//! Problems with objectives, which only z3 has: the best values are known by exhaustion, and solvers are asked for theirs.
//!
//! `(assert (<= 0 x0 5)) (maximize (- x0)) (assert-soft (> x0 2) :weight 1.5 :id g0) (check-sat) (get-objectives)`.

use super::problem::Drawing;
use crate::rng::RandomStream;
use crate::small_world::CheckTruth;
use dashu_int::IBig;
use smtlib::{Command, Kind, Op, OpaqueReason, SortId, Store, TermId};

/// The weights of soft assertions, as attributes. Without one the weight is 1.
const WEIGHTS: [&str; 6] = ["", "", " :weight 1", " :weight 2", " :weight 0.5", " :weight 3.25"];
/// Their groups, as attributes.
const GROUPS: [&str; 4] = ["", " :id g0", " :id g0", " :id g1"];
/// How often contradictory assertions are kept, in percent: without a model there is no best value.
const UNSAT: u32 = 50;

impl Drawing<'_> {
    /// Constants among few values, assertions and objectives; the question for their values follows each check.
    pub(super) fn objectives(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let priority = if rng.percent(70) { "lex" } else { "box" };
        self.problem.commands.push(Command::SetOption(":opt.priority".into(), priority.into()));
        self.constants(store, sorts, rng)?;
        let rounds = if self.is_incremental && rng.percent(20) { rng.between(2, 3) } else { 1 };
        for round in 0..rounds {
            if round > 0 {
                self.push();
            }
            for _ in 0..rng.between(0, 3) {
                let formula = self.plain(store, rng)?;
                self.assert(formula);
                if matches!(self.decide(store, &[])?, CheckTruth::Unsat(_)) && !rng.percent(UNSAT) {
                    self.retract()?;
                }
            }
            for _ in 0..rng.between(u64::from(round == 0), 3) {
                let objective = self.objective(store, rng)?;
                self.problem.commands.push(objective);
            }
            self.check(store, &[])?;
            self.problem.commands.push(Command::Opaque("(get-objectives)".into(), OpaqueReason::Command));
        }
        Some(())
    }

    fn objective(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<Command> {
        if rng.percent(40) {
            let formula = self.plain(store, rng)?;
            let attributes = [*rng.pick(&WEIGHTS)?, *rng.pick(&GROUPS)?].concat();
            return Some(Command::Extension("assert-soft".into(), formula, attributes.into()));
        }
        let name = if rng.coin() { "maximize" } else { "minimize" };
        let mut constants: Vec<TermId> = self.grower.scope.values().flatten().copied().collect();
        constants.sort_unstable();
        let numbers: Vec<TermId> = constants.iter().copied().filter(|&t| store.sort(t) == SortId::INT).collect();
        constants.retain(|&t| store.sorts.width(store.sort(t)).is_some());
        let vector = rng.pick(&constants).copied();
        let term = match vector.filter(|_| numbers.is_empty() || rng.coin()) {
            Some(constant) => {
                let fuel = rng.below(3) as u32;
                self.grower.term(store, store.sort(constant), fuel, rng)?
            }
            None => self.linear(store, &numbers, rng)?,
        };
        Some(Command::Extension(name.into(), term, "".into()))
    }

    /// Returns a formula without quantifiers, which z3 does not support here.
    fn plain(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        let fuel = rng.between(1, 3) as u32;
        self.grower.term(store, SortId::BOOL, fuel, rng)
    }

    /// Returns a sum of constants with factors, or a choice between two.
    fn linear(&mut self, store: &mut Store, numbers: &[TermId], rng: &mut RandomStream) -> Option<TermId> {
        if rng.percent(25) {
            let condition = self.plain(store, rng)?;
            let arms = [rng.pick(numbers).copied()?, store.int(&IBig::from(rng.below(7)))];
            return store.app(Op::new(Kind::Ite), &[condition, arms[0], arms[1]]).ok();
        }
        let mut terms = Vec::new();
        for _ in 0..rng.between(1, 3) {
            let constant = rng.pick(numbers).copied()?;
            let factor = IBig::from(rng.below(9)) - IBig::from(4);
            let factor = store.int(&factor);
            terms.push(match rng.coin() {
                true => constant,
                false => store.app(Op::new(Kind::IntMul), &[factor, constant]).ok()?,
            });
        }
        let kind = if rng.coin() { Kind::IntAdd } else { Kind::IntSub };
        if terms.len() == 1 { terms.pop() } else { store.app(Op::new(kind), &terms).ok() }
    }
}
