//! `simplify`: folds ground terms to values, applies local rules, and normalizes sums and atoms.
//!
//! Works bottom-up over the shared graph, each term once. The result of a rule is simplified again as far as the rule reaches, within a
//! nesting limit, so no set of rules can loop. Every step keeps the value of the term in every interpretation, even where the standard
//! leaves a value open (division by zero and the like).

mod arith;
mod arrays;
mod bits;
mod core;
mod nary;
pub mod rules;

pub use self::core::{has_canonical_values, negated};
use crate::commuting::commuting;
use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass, Stop};
use crate::values::Folder;
use crate::walk::Rebuild;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Kind, Op, Store, TermId};

/// The maximum nesting of rule applications.
const MAX_NESTING: u32 = 24;

/// The pass.
pub static SIMPLIFY: RewritePass = RewritePass {
    name: "simplify",
    about: "folds ground terms, applies local rules, and brings sums and comparisons into one form",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const b (_ BitVec 8))
                 (assert (< (+ x 1) (- (* 2 y) 3 x)))
                 (assert (= (bvadd b #x01) (bvsub #x10 b)))",
        after: &["(<= (+ x (* (- 1) y)) (- 3)) (= (bvadd b #x01) (bvadd (bvneg b) #x10))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut simplifier = Simplifier::heeding(&settings.stop);
    let mut watch = settings.watch(store);
    for GoalFormula { term, origins } in goal.take() {
        let term = simplifier.simplify(store, term, &mut watch)?;
        goal.push(store, GoalFormula { term, origins });
    }
    Ok(PassResult::new(goal))
}

/// Simplifies terms of one store, with a cache.
#[derive(Default)]
pub struct Simplifier {
    done: Rebuild,
    folder: Folder,
    nesting: u32,
}

impl Simplifier {
    /// Makes a simplifier that folds nothing more once the time is up.
    pub fn heeding(stop: &Stop) -> Simplifier {
        Simplifier { folder: Folder::heeding(stop), ..Simplifier::default() }
    }

    /// Returns the simplified term.
    /// Errors: [`PassError::TooLarge`] if too many terms were made, [`PassError::Interrupted`] if the time is up or the
    /// work is cancelled.
    pub fn simplify(&mut self, store: &mut Store, t: TermId, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
        let mut done = std::mem::take(&mut self.done);
        let result = done.run(store, t, watch, |store, u| self.node(store, u));
        self.done = done;
        result
    }

    /// Builds and simplifies an application with simplified arguments.
    /// Errors: [`PassError::Build`] if the arguments do not have the sorts that the operator takes.
    pub fn make(&mut self, store: &mut Store, op: Op, args: &[TermId]) -> Result<TermId, PassError> {
        let t = store.app(op, args)?;
        self.node(store, t)
    }

    /// Like [`Simplifier::make`], for an operator without indices.
    /// Errors: as [`Simplifier::make`].
    pub fn app(&mut self, store: &mut Store, kind: Kind, args: &[TermId]) -> Result<TermId, PassError> {
        self.make(store, Op::new(kind), args)
    }

    /// Returns the simplified negation of a simplified term.
    /// Errors: as [`Simplifier::make`].
    pub fn not(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        self.app(store, Kind::Not, &[t])
    }

    /// Simplifies a term with simplified children.
    /// Errors: [`PassError::Build`], which a well-sorted term never causes.
    pub fn node(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        if self.nesting >= MAX_NESTING {
            return Ok(t);
        }
        self.nesting += 1;
        let result = self.step(store, t);
        self.nesting -= 1;
        result
    }

    fn step(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        if store.args(t).is_empty() {
            return Ok(t);
        }
        if let Some(value) = self.folder.fold(store, t) {
            return Ok(value);
        }
        for rule in rules::rules_of(store.kind(t)) {
            if let Some(bindings) = rule.matches(store, t) {
                // A special value alone has the sort of the other side of a comparison.
                let like = if store.is_bool(t) { store.args(t)[0] } else { t };
                return rule.instantiate(store, &bindings, like, &mut |store, op, args| self.make(store, op, args));
            }
        }
        match store.kind(t) {
            Kind::Not | Kind::And | Kind::Or | Kind::Implies | Kind::Xor => self.connective(store, t),
            Kind::Eq => self.equality(store, t),
            Kind::Distinct => self.distinct(store, t),
            Kind::Ite => self.ite(store, t),
            Kind::Forall | Kind::Exists => Ok(without_variables(store, t)),
            Kind::ArraySelect | Kind::ArrayStore | Kind::Select | Kind::Test => self.access(store, t),
            kind if (Kind::IntNeg..=Kind::IsInt).contains(&kind) => self.arithmetic(store, t),
            kind if (Kind::BvConcat..=Kind::BvSmulNoUnderflow).contains(&kind) => self.bit_vector(store, t),
            kind if (Kind::Fp..=Kind::FpToIeeeBv).contains(&kind) => self.float(store, t),
            _ => Ok(t),
        }
    }

    /// Floats: a fixed order of commuting arguments, and removal of trivial conversions.
    fn float(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let op = store.op(t);
        if let Some(how) = commuting(op.kind)
            && let Some(&[a, b]) = store.args(t).get(how.from..)
            && b < a
        {
            let mut args = store.args(t).to_vec();
            args.swap(how.from, how.from + 1);
            return Ok(store.with_args(t, &args));
        }
        if op.kind == Kind::FpFromFp
            && let &[_, f] = store.args(t)
            && store.sort(f) == store.sort(t)
        {
            // Rounding a float to its own format is exact in every mode.
            return Ok(f);
        }
        Ok(t)
    }
}

/// Returns a quantified formula's body, if no variable occurs in it: no sort is empty (SMT-LIB 2.7, section 5.3).
fn without_variables(store: &Store, t: TermId) -> TermId {
    match store.args(t).first() {
        Some(&body) if store.flags(body) & HAS_VARIABLE == 0 => body,
        _ => t,
    }
}
