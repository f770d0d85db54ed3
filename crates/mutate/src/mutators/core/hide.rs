//! Hides a formula: other assertions that together imply it.

use crate::guards::{guarded, quantified};
use crate::rng::RandomStream;
use smtlib::{Kind, Op, SortId, Store, Symbol, TermId};

/// A declared constant that a formula may be quantified over, with the guards about it alone.
#[derive(Clone, Debug)]
pub(super) struct QuantifiedConstant {
    pub constant: TermId,
    pub guards: Vec<TermId>,
}

/// The material that hides formulas.
pub(super) struct Hider<'h> {
    pub store: &'h mut Store,
    /// Formulas that are true under the assignment.
    pub satisfied: &'h [TermId],
    /// Formulas that the guards refute.
    pub refuted: &'h [TermId],
    /// Unused fresh Boolean constants, and names of variables.
    pub names: Vec<TermId>,
    pub variables: Vec<Symbol>,
    /// The constants of the seed; empty if quantifiers are not allowed.
    pub constants: &'h [QuantifiedConstant],
    pub rng: &'h mut RandomStream,
}

/// How one step hides a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HidingStep {
    /// `(and A T)`: stronger.
    Strengthen,
    /// `(not (or (not A) F))`: stronger, and not a conjunction.
    Negate,
    /// `(=> G A)`, and G is asserted.
    Guard,
    /// `(= p A)`, and p is asserted.
    Name,
    /// `(or A F)`, F refuted by the guards.
    Weaken,
    /// `(or A G)` and `(or A (not G))`.
    Split,
    /// `(ite G A (and A T))`.
    Branch,
    /// `(xor G (not A))`, and G is asserted.
    Oppose,
    /// `(forall ((x S)) (=> (= x c) A[x]))`.
    Quantify,
}

const STEPS: [HidingStep; 9] = [
    HidingStep::Strengthen,
    HidingStep::Negate,
    HidingStep::Guard,
    HidingStep::Name,
    HidingStep::Weaken,
    HidingStep::Split,
    HidingStep::Branch,
    HidingStep::Oppose,
    HidingStep::Quantify,
];

impl Hider<'_> {
    /// Assertions that, with the guards, imply `formula`.
    ///
    /// Invariant: each step's assertions imply the formula, and hiding one of them gives assertions that imply it. Recursion is as deep
    /// as there are layers.
    pub fn hide(&mut self, formula: TermId, layers: u64) -> Vec<TermId> {
        if layers == 0 {
            return vec![formula];
        }
        let step = STEPS[self.rng.index(STEPS.len())];
        let (inner, beside) = self.step(step, formula).unwrap_or((vec![formula], Vec::new()));
        let mut made = beside;
        for part in inner {
            made.extend(self.hide(part, layers - 1));
        }
        made
    }

    /// Returns the assertions of one step: those that may be hidden further, and those asserted unchanged.
    fn step(&mut self, step: HidingStep, a: TermId) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let app = |store: &mut Store, kind: Kind, args: &[TermId]| store.app(Op::new(kind), args).ok();
        Some(match step {
            HidingStep::Strengthen => {
                let t = self.satisfied()?;
                let pair = if self.rng.coin() { [a, t] } else { [t, a] };
                (vec![self.store.and(&pair)], Vec::new())
            }
            HidingStep::Negate => {
                let t = self.satisfied()?;
                let negated = [self.store.not(a), self.store.not(t)];
                let either = self.store.or(&negated);
                (vec![self.store.not(either)], Vec::new())
            }
            HidingStep::Guard => {
                let g = self.asserted()?;
                let whole = match self.rng.coin() {
                    true => app(self.store, Kind::Implies, &[g, a])?,
                    false => {
                        let not = self.store.not(g);
                        self.store.or(&[a, not])
                    }
                };
                (vec![whole], vec![g])
            }
            HidingStep::Name => {
                let p = self.names.pop()?;
                (vec![self.store.eq(p, a).ok()?], vec![p])
            }
            HidingStep::Weaken => {
                let f = self.rng.pick(self.refuted).copied()?;
                let pair = if self.rng.coin() { [a, f] } else { [f, a] };
                (vec![self.store.or(&pair)], Vec::new())
            }
            HidingStep::Split => {
                let g = self.case()?;
                let not = self.store.not(g);
                (vec![self.store.or(&[a, g]), self.store.or(&[not, a])], Vec::new())
            }
            HidingStep::Branch => {
                let (g, t) = (self.case()?, self.satisfied()?);
                let stronger = self.store.and(&[a, t]);
                let pair = if self.rng.coin() { [a, stronger] } else { [stronger, a] };
                (vec![app(self.store, Kind::Ite, &[g, pair[0], pair[1]])?], Vec::new())
            }
            HidingStep::Oppose => {
                let g = self.asserted()?;
                let not = self.store.not(a);
                let whole = match self.rng.coin() {
                    true => app(self.store, Kind::Xor, &[g, not])?,
                    false => self.store.eq(a, g).ok()?,
                };
                (vec![whole], vec![g])
            }
            HidingStep::Quantify => (vec![self.quantify(a)?], Vec::new()),
        })
    }

    /// Returns a true formula besides the core.
    fn satisfied(&mut self) -> Option<TermId> {
        self.rng.pick(self.satisfied).copied()
    }

    /// Returns a formula that is asserted for a step: one of those that hold, or a new name.
    fn asserted(&mut self) -> Option<TermId> {
        match self.rng.coin() {
            true => self.names.pop().or_else(|| self.satisfied()),
            false => self.satisfied(),
        }
    }

    /// Returns a formula whose value does not matter.
    fn case(&mut self) -> Option<TermId> {
        let g = self.asserted()?;
        Some(if self.rng.coin() { self.store.not(g) } else { g })
    }

    /// Returns the formula under a redundant quantifier: over a variable that it lacks, or over one that equals a constant of it.
    fn quantify(&mut self, a: TermId) -> Option<TermId> {
        let constant = self.rng.pick(self.constants).cloned()?;
        let name = self.variables.pop()?;
        let kind = if self.rng.coin() { Kind::Forall } else { Kind::Exists };
        let sort = if self.rng.percent(20) { SortId::BOOL } else { self.store.sort(constant.constant) };
        let variable = self.store.bound_variable(name, sort);
        let with_variable =
            |store: &mut Store, t: TermId| store.rebuild(t, |_, u| (u == constant.constant).then_some(variable));
        if sort != self.store.sort(constant.constant) {
            // One value of the unused variable would suffice.
            let t = self.satisfied()?;
            let pair = match kind {
                Kind::Exists => self.store.and(&[variable, a]),
                _ => self.store.or(&[variable, a, t]),
            };
            let body = if kind == Kind::Exists { pair } else { self.store.and(&[a, pair]) };
            return quantified(self.store, kind, vec![(name, sort)], body);
        }
        let mut confined: Vec<TermId> = Vec::new();
        for &guard in &constant.guards {
            confined.push(with_variable(self.store, guard));
        }
        confined.push(self.store.eq(variable, constant.constant).ok()?);
        let body = with_variable(self.store, a);
        let body = guarded(self.store, kind, &confined, body)?;
        quantified(self.store, kind, vec![(name, sort)], body)
    }
}
