//! The distance of a truth value from the required one, as operations of the program.
//!
//! The distance is 0 if and only if the value is right. For an atom it counts steps: floats between two floats, or integers between two
//! vectors. For a conjunction it is the sum over its parts, for a disjunction the minimum.

use crate::builder::ProgramBuilder;
use crate::ir::{FAR, Id, OpCode};
use crate::types::Ty;
use rustc_hash::FxHashMap;

/// The type of distances.
pub const DISTANCE: Ty = Ty::Bits(64);

/// The maximum number of operations of one constraint's distance; deeper parts count as 0 or [`FAR`].
const MAX_OPERATIONS: usize = 4_000;

/// Returns the distance of `root` from being true.
pub fn distance(builder: &mut ProgramBuilder, root: Id) -> Id {
    Distances { builder, done: FxHashMap::default(), budget: MAX_OPERATIONS }.of(root)
}

/// A goal: a truth value and its required value.
type TruthGoal = (Id, bool);

struct Distances<'b> {
    builder: &'b mut ProgramBuilder,
    done: FxHashMap<TruthGoal, Id>,
    budget: usize,
}

impl Distances<'_> {
    fn of(&mut self, root: Id) -> Id {
        let mut stack = vec![((root, true), false)];
        while let Some((goal, ready)) = stack.pop() {
            if self.done.contains_key(&goal) {
                continue;
            }
            let parts = if self.budget == 0 { Vec::new() } else { self.parts(goal) };
            if !ready && !parts.is_empty() {
                stack.push((goal, true));
                stack.extend(parts.into_iter().map(|p| (p, false)));
                continue;
            }
            self.budget = self.budget.saturating_sub(1 + parts.len());
            let id = if parts.is_empty() { self.atom(goal) } else { self.compound(goal) };
            self.done.insert(goal, id);
        }
        self.get((root, true))
    }

    fn get(&self, goal: TruthGoal) -> Id {
        self.done.get(&goal).copied().unwrap_or(0)
    }

    /// Returns the goals of a compound's parts; none for an atom.
    fn parts(&self, (id, want): TruthGoal) -> Vec<TruthGoal> {
        let node = self.builder.node(id);
        let [a, b, c, _] = node.args;
        let is_bool = |id: Id| self.builder.ty(id) == Ty::Bool;
        match node.code {
            OpCode::Not => vec![(a, !want)],
            OpCode::And | OpCode::Or => vec![(a, want), (b, want)],
            OpCode::Xor | OpCode::Eq if is_bool(a) => vec![(a, true), (a, false), (b, true), (b, false)],
            OpCode::Ite => vec![(a, true), (a, false), (b, want), (c, want)],
            _ => Vec::new(),
        }
    }

    fn compound(&mut self, (id, want): TruthGoal) -> Id {
        let node = *self.builder.node(id);
        let [a, b, c, _] = node.args;
        match node.code {
            OpCode::Not => self.get((a, !want)),
            OpCode::And | OpCode::Or => {
                let code = if (node.code == OpCode::And) == want { OpCode::Saturate } else { OpCode::Min };
                let parts = [self.get((a, want)), self.get((b, want))];
                self.join(code, parts)
            }
            OpCode::Ite => {
                let then = [self.get((a, true)), self.get((b, want))];
                let otherwise = [self.get((a, false)), self.get((c, want))];
                self.either(then, otherwise)
            }
            _ => {
                let differ = (node.code == OpCode::Xor) == want;
                let first = [self.get((a, true)), self.get((b, !differ))];
                let second = [self.get((a, false)), self.get((b, differ))];
                self.either(first, second)
            }
        }
    }

    fn join(&mut self, code: OpCode, parts: [Id; 2]) -> Id {
        self.builder.op(code, DISTANCE, &parts, 0)
    }

    fn either(&mut self, first: [Id; 2], second: [Id; 2]) -> Id {
        let parts = [self.join(OpCode::Saturate, first), self.join(OpCode::Saturate, second)];
        self.join(OpCode::Min, parts)
    }

    fn atom(&mut self, (id, want): TruthGoal) -> Id {
        let node = *self.builder.node(id);
        let [a, b, ..] = node.args;
        let (code, x, y) = match (node.code, want) {
            (OpCode::Eq, true) if !self.builder.ty(a).is_wide() => {
                let width = u64::from(self.builder.ty(a).width());
                return self.builder.op(OpCode::GapEq, DISTANCE, &[a, b], width);
            }
            (OpCode::Ult, true) => (OpCode::GapUlt, a, b),
            (OpCode::Ult, false) => (OpCode::GapUle, b, a),
            (OpCode::Ule, true) => (OpCode::GapUle, a, b),
            (OpCode::Ule, false) => (OpCode::GapUlt, b, a),
            (OpCode::Slt, true) => (OpCode::GapSlt, a, b),
            (OpCode::Slt, false) => (OpCode::GapSle, b, a),
            (OpCode::Sle, true) => (OpCode::GapSle, a, b),
            (OpCode::Sle, false) => (OpCode::GapSlt, b, a),
            (OpCode::FLt, true) => (OpCode::GapFLt, a, b),
            (OpCode::FLe, true) => (OpCode::GapFLe, a, b),
            (OpCode::FEq, true) => (OpCode::GapFEq, a, b),
            (OpCode::FSame, true) => (OpCode::GapFSame, a, b),
            // A comparison that must be false is false with a NaN, so its distance is that of its opposite only if it holds.
            (OpCode::FLt, false) => return self.unless(id, OpCode::GapFLe, [b, a], node.imm),
            (OpCode::FLe, false) => return self.unless(id, OpCode::GapFLt, [b, a], node.imm),
            _ => return self.flag(id, want),
        };
        self.builder.op(code, DISTANCE, &[x, y], node.imm)
    }

    /// Returns 0 if `id` is false, else the gap.
    fn unless(&mut self, id: Id, code: OpCode, args: [Id; 2], imm: u64) -> Id {
        let gap = self.builder.op(code, DISTANCE, &args, imm);
        let zero = self.builder.constant(DISTANCE, 0);
        self.builder.op(OpCode::Ite, DISTANCE, &[id, gap, zero], 0)
    }

    /// Returns 0 if `id` has the required value, else 1, or [`FAR`] if a step is unlikely to change it.
    fn flag(&mut self, id: Id, want: bool) -> Id {
        let is_near = matches!(self.builder.node(id).code, OpCode::Input | OpCode::Eq | OpCode::FEq | OpCode::FSame);
        let zero = self.builder.constant(DISTANCE, 0);
        let off = self.builder.constant(DISTANCE, if is_near { 1 } else { FAR });
        let (then, otherwise) = if want { (zero, off) } else { (off, zero) };
        self.builder.op(OpCode::Ite, DISTANCE, &[id, then, otherwise], 0)
    }
}
