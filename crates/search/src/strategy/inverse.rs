//! Solves a failing constraint backwards: from its required value to a value of one slot.
//!
//! On the way down each operation is inverted for one of its arguments, with the others unchanged: `x + c = d` gives `x = d - c`. If
//! several arguments could change, one is drawn (propagation-based local search for bit-vectors, Niemetz, Preiner and Biere, FMSD 2017;
//! here for floats, too).

use super::moves::float_step;
use crate::interpreter::Interpreter;
use crate::ir::{Id, IrNode, OpCode, Program};
use crate::rng::Random;
use crate::searcher::Searcher;
use crate::types::{NativeFormat, Ty, mask};
use crate::word;

/// The maximum number of operations inverted on one way down.
const MAX_STEPS: usize = 10_000;

/// Changes the input so that the constraint may become true. Returns false if nothing was changed.
pub fn solve(searcher: &mut Searcher<'_>, input: &mut [u8], constraint: usize) -> bool {
    let program = searcher.program().clone();
    let Some(root) = program.constraints.get(constraint) else { return false };
    searcher.interpreter().observe_constraint(input, constraint);
    let mut random = searcher.random.clone();
    let way = Way { program: &program, values: searcher.interpreter(), random: &mut random };
    let changed = way.down(root.truth, input);
    searcher.random = random;
    changed
}

struct Way<'w> {
    program: &'w Program,
    values: &'w Interpreter,
    random: &'w mut Random,
}

impl Way<'_> {
    fn down(mut self, root: Id, input: &mut [u8]) -> bool {
        let mut goals = vec![(root, 1u64)];
        let mut changed = false;
        let mut steps = 0;
        while let Some((id, target)) = goals.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                break;
            }
            let node = self.program.nodes[id as usize];
            if node.ty.is_wide() {
                continue;
            }
            if node.code == OpCode::Input {
                let layout = &self.program.layout;
                let slot = node.imm as usize;
                if layout.get(input, slot, 0) != target {
                    layout.set(input, slot, 0, target);
                    changed = true;
                }
                continue;
            }
            self.undo(&node, target, &mut goals);
        }
        changed
    }

    fn value(&self, id: Id) -> u64 {
        self.values.word(id)
    }

    /// Whether an input can change the value.
    fn is_open(&self, id: Id) -> bool {
        self.program.nodes[id as usize].code != OpCode::Const
    }

    fn ty(&self, id: Id) -> Ty {
        self.program.ty(id)
    }

    /// Chooses one of two arguments that is not a constant: true for the first.
    fn first_of(&mut self, a: Id, b: Id) -> bool {
        match (self.is_open(a), self.is_open(b)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.random.one_in(2),
        }
    }

    /// Returns the goals for arguments that give a node its target.
    fn undo(&mut self, node: &IrNode, target: u64, goals: &mut Vec<(Id, u64)>) {
        use OpCode::*;
        let [a, b, c, _] = node.args;
        match node.code {
            Not => goals.push((a, !target & mask(node.ty.width()))),
            And | Or if node.ty == Ty::Bool => self.junction(node.code == And, [a, b], target, goals),
            And | Or | Xor | Add | Sub | Mul | Neg | Udiv | Urem | Sdiv | Srem | Smod | Shl | Lshr | Ashr | Concat
            | Extract | SignExtend | Same => self.undo_bits(node, target, goals),
            Eq | Ult | Ule | Slt | Sle => self.undo_comparison(node, target != 0, goals),
            Ite => {
                let taken = if self.value(a) != 0 { b } else { c };
                let other = if self.value(a) != 0 { c } else { b };
                let flips = self.is_open(a) && !node.ty.is_wide() && self.value(other) == target;
                if flips || self.is_open(a) && (!self.is_open(taken) || self.random.one_in(4)) {
                    goals.push((a, 1 - self.value(a)));
                    if !flips && self.is_open(other) {
                        goals.push((other, target));
                    }
                } else {
                    goals.push((taken, target));
                }
            }
            FLt | FLe | FEq | FSame => self.undo_float_comparison(node, target != 0, goals),
            FIsNan | FIsInfinite | FIsZero | FIsNormal | FIsSubnormal | FIsNegative | FIsPositive => {
                let value = self.of_class(node, target != 0);
                goals.push((a, value));
            }
            _ => self.undo_float(node, target, goals),
        }
    }

    /// `and` and `or` of truth values.
    fn junction(&mut self, is_and: bool, args: [Id; 2], target: u64, goals: &mut Vec<(Id, u64)>) {
        let all = is_and == (target != 0);
        let wrong: Vec<Id> = args.into_iter().filter(|&x| self.value(x) != target).collect();
        match (all, &wrong[..]) {
            (true, _) => goals.extend(wrong.iter().map(|&x| (x, target))),
            (false, _) => {
                let first = self.first_of(args[0], args[1]);
                goals.push((args[if first { 0 } else { 1 }], target));
            }
        }
    }

    fn undo_bits(&mut self, node: &IrNode, target: u64, goals: &mut Vec<(Id, u64)>) {
        use OpCode::*;
        let [a, b, ..] = node.args;
        let width = node.ty.width();
        let all = mask(width);
        match node.code {
            Neg => goals.push((a, target.wrapping_neg() & all)),
            Same => goals.push((a, target & mask(self.ty(a).width()))),
            SignExtend => goals.push((a, target & mask(node.imm as u32))),
            Extract => {
                let hole = all << node.imm;
                goals.push((a, self.value(a) & !hole | target << node.imm));
            }
            Concat => {
                let low = mask(node.imm as u32);
                goals.push((a, target >> node.imm));
                goals.push((b, target & low));
                goals.retain(|&(id, value)| self.is_open(id) && (id != a && id != b || self.value(id) != value));
            }
            _ => {
                let first = self.first_of(a, b);
                let (own, other) = if first { (a, b) } else { (b, a) };
                let (x, y) = (self.value(own), self.value(other));
                let noise = self.random.bits();
                let value = match node.code {
                    Xor if node.ty == Ty::Bool => u64::from(target != y),
                    Xor => target ^ y,
                    Add => target.wrapping_sub(y),
                    Sub if first => target.wrapping_add(y),
                    Sub => y.wrapping_sub(target),
                    And => {
                        let free = if self.random.one_in(2) { x } else { noise };
                        target & y | free & !y
                    }
                    Or => {
                        let free = if self.random.one_in(2) { x } else { noise };
                        target & !y | free & y
                    }
                    Mul => self.factor(target, y, width),
                    Udiv if first => {
                        // Any dividend from `target * y` up to below the next multiple.
                        target.wrapping_mul(y).wrapping_add(self.random.below(y))
                    }
                    Udiv => y.checked_div(target).unwrap_or(noise),
                    Urem if first => target.wrapping_add(y.wrapping_mul(self.random.below(4))),
                    Urem => y.wrapping_sub(target),
                    Sdiv if first => target.wrapping_mul(y),
                    Srem | Smod if first => target.wrapping_add(y.wrapping_mul(self.random.below(4))),
                    Sdiv | Srem | Smod => noise,
                    Shl | Lshr | Ashr if first && y < u64::from(width) => match node.code {
                        Shl => target >> y | x & !(all >> y),
                        _ => target << y | x & mask(width) & !(all << y),
                    },
                    _ => self.random.below(u64::from(width) + 1),
                };
                goals.push((own, value & all));
            }
        }
    }

    /// Returns a factor whose product with `y` is the target, or an arbitrary one.
    fn factor(&mut self, target: u64, y: u64, width: u32) -> u64 {
        let shift = y.trailing_zeros();
        if y == 0 || target.trailing_zeros() < shift {
            return self.random.bits();
        }
        let odd = y >> shift;
        // Newton's iteration doubles the number of correct bits of the inverse of an odd number.
        let mut inverse = odd;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        let factor = (target >> shift).wrapping_mul(inverse);
        if shift == 0 || shift >= width {
            return factor;
        }
        // The highest bits are lost in the product and may be arbitrary.
        let kept = mask(width - shift);
        factor & kept | self.random.bits() & !kept
    }

    fn undo_comparison(&mut self, node: &IrNode, want: bool, goals: &mut Vec<(Id, u64)>) {
        let [a, b, ..] = node.args;
        let first = self.first_of(a, b);
        let (own, other) = if first { (a, b) } else { (b, a) };
        let y = self.value(other);
        if self.ty(own).is_wide() {
            return;
        }
        let width = self.ty(own).width();
        if node.code == OpCode::Eq {
            let value = if want { y } else { y ^ 1 << self.random.below(u64::from(width)) };
            return goals.push((own, value));
        }
        // All comparisons become one of unsigned numbers: must `own` be at most (or at least) `y`, inclusive or not?
        let bias = if matches!(node.code, OpCode::Slt | OpCode::Sle) { 1u64 << (width - 1) } else { 0 };
        let strict = matches!(node.code, OpCode::Ult | OpCode::Slt) == want;
        let below = first == want;
        let (y, top) = (y ^ bias, mask(width));
        let (low, high) = match (below, strict) {
            (true, true) => (0, y.checked_sub(1)),
            (true, false) => (0, Some(y)),
            (false, true) => (y.wrapping_add(1), (y < top).then_some(top)),
            (false, false) => (y, Some(top)),
        };
        let Some(high) = high else { return };
        let value = match self.random.below(3) {
            0 if below => high,
            0 => low,
            1 => low.wrapping_add(self.random.below((high - low).saturating_add(1))),
            _ => {
                // Close to the border, which more often keeps other constraints of the same slot true.
                let range = self.random.below(16).min(high - low);
                if below { high - range } else { low + range }
            }
        };
        goals.push((own, value ^ bias));
    }

    fn undo_float_comparison(&mut self, node: &IrNode, want: bool, goals: &mut Vec<(Id, u64)>) {
        let [a, b, ..] = node.args;
        let first = self.first_of(a, b);
        let (own, other) = if first { (a, b) } else { (b, a) };
        let Some(native) = self.ty(own).native() else { return };
        let y = self.value(other);
        let by = match self.random.below(3) {
            0 => 1,
            1 => 1 << self.random.below(u64::from(native.width()) - 2),
            _ => self.random.bits() >> (65 - native.width()),
        };
        let value = match node.code {
            OpCode::FEq | OpCode::FSame if want => y,
            OpCode::FEq | OpCode::FSame => float_step(y, native, self.random.one_in(2), by),
            code => {
                let strict = (code == OpCode::FLt) == want;
                let down = first == want;
                if !strict && self.random.one_in(2) { y } else { float_step(y, native, down, by) }
            }
        };
        goals.push((own, value));
    }

    /// Returns a float that a test accepts, or rejects.
    fn of_class(&mut self, node: &IrNode, want: bool) -> u64 {
        let width = node.imm as u32;
        let (sign, infinity) = (word::sign_bit(width), word::infinity(width));
        let least_normal = if width == 32 { 1u64 << 23 } else { 1 << 52 };
        let current = self.value(node.args[0]);
        let noise = self.random.bits();
        let either = noise & sign;
        let subnormal = 1 + self.random.below(least_normal - 1);
        let normal = least_normal + self.random.below(infinity - least_normal);
        match (node.code, want) {
            (OpCode::FIsNan, true) => word::canonical(infinity | 1, width),
            (OpCode::FIsInfinite, true) => infinity | either,
            (OpCode::FIsZero, true) => either,
            (OpCode::FIsSubnormal, true) => subnormal | either,
            (OpCode::FIsNegative, true) | (OpCode::FIsPositive, false) => {
                if word::is_nan(current, width) {
                    normal | sign
                } else {
                    current | sign
                }
            }
            (OpCode::FIsPositive, true) | (OpCode::FIsNegative, false) => {
                if word::is_nan(current, width) {
                    normal
                } else {
                    current & !sign
                }
            }
            (OpCode::FIsNormal, false) => subnormal | either,
            _ => normal | either,
        }
    }

    fn undo_float(&mut self, node: &IrNode, target: u64, goals: &mut Vec<(Id, u64)>) {
        use OpCode::*;
        let [a, b, c, _] = node.args;
        match node.code {
            FNeg | FAbs | FFromBits | FToBits | FSqrt | FIntegral | FPromote | FDemote | FFromSigned
            | FFromUnsigned => {
                let value = self.undo_unary(node, target);
                goals.push((a, value));
            }
            FSqrtIn => {
                let squared = IrNode { code: FSqrt, args: [b, 0, 0, 0], ..*node };
                let value = self.undo_unary(&squared, target);
                goals.push((b, value));
            }
            FAdd | FSub | FMul | FDiv => self.undo_arithmetic(node, node.code, [a, b], target, goals),
            FAddIn => self.undo_arithmetic(node, FAdd, [b, c], target, goals),
            FSubIn => self.undo_arithmetic(node, FSub, [b, c], target, goals),
            FMulIn => self.undo_arithmetic(node, FMul, [b, c], target, goals),
            FDivIn => self.undo_arithmetic(node, FDiv, [b, c], target, goals),
            _ => {}
        }
    }

    fn undo_unary(&mut self, node: &IrNode, target: u64) -> u64 {
        let [a, ..] = node.args;
        let run = |code, ty, a, b, imm| word::apply(&IrNode { code, ty, args: [0; 4], imm }, a, b, 0);
        let from = self.ty(a);
        let is_double = node.ty.native() == Some(NativeFormat::Double);
        let number = if is_double { f64::from_bits(target) } else { f64::from(f32::from_bits(target as u32)) };
        match node.code {
            OpCode::FNeg => run(OpCode::FNeg, node.ty, target, 0, 0),
            OpCode::FAbs if self.random.one_in(2) => run(OpCode::FNeg, node.ty, target, 0, 0),
            OpCode::FSqrt => run(OpCode::FMul, node.ty, target, target, 0),
            OpCode::FPromote => run(OpCode::FDemote, from, target, 0, 0),
            OpCode::FDemote => run(OpCode::FPromote, from, target, 0, 0),
            OpCode::FFromSigned => (number as i64) as u64 & mask(from.width()),
            OpCode::FFromUnsigned => (number as u64) & mask(from.width()),
            _ => target,
        }
    }

    /// `a op b` must be the target: the inverse operation gives the argument, or with rounding one of its neighbours.
    fn undo_arithmetic(&mut self, node: &IrNode, code: OpCode, args: [Id; 2], target: u64, goals: &mut Vec<(Id, u64)>) {
        use OpCode::*;
        let [a, b] = args;
        let run = |code, x, y| word::apply(&IrNode { code, ty: node.ty, args: [0; 4], imm: 0 }, x, y, 0);
        let first = self.first_of(a, b);
        let (x, y) = (self.value(a), self.value(b));
        let value = match (code, first) {
            (FAdd, true) => run(FSub, target, y),
            (FAdd, false) => run(FSub, target, x),
            (FSub, true) => run(FAdd, target, y),
            (FSub, false) => run(FSub, x, target),
            (FMul, _) if a == b => run(FSqrt, word::apply(&IrNode { code: FAbs, ..*node }, target, 0, 0), 0),
            (FMul, true) => run(FDiv, target, y),
            (FMul, false) => run(FDiv, target, x),
            (_, true) => run(FMul, target, y),
            (_, false) => run(FDiv, x, target),
        };
        let Some(native) = node.ty.native() else { return };
        let value = if word::is_nan(value, native.width()) || !self.random.one_in(4) {
            value
        } else {
            float_step(value, native, self.random.one_in(2), 1 + self.random.below(4))
        };
        goals.push((if first { a } else { b }, value));
    }
}
