//! Machine code by one template per operation, for x86-64: every value is in the frame, as in the interpreter.
//!
//! Code generation takes some tens of nanoseconds per operation. Operations without a template are computed by the interpreter, on the
//! same frame.

mod float;

use super::asm::{Assembler, Cond, Jump, Reg};
use super::form::CodeForm;
use crate::interpreter::WidePlaces;
use crate::ir::{Id, IrNode, OpCode, Program};
use crate::types::{Ty, mask};

/// The emission of one function.
pub struct Templates<'t> {
    program: &'t Program,
    places: &'t WidePlaces,
    asm: Assembler,
    /// The address of the callback for an operation without a template, called with the context and the operation's number.
    call_back: u64,
    /// The operation whose value is also in `rax`.
    held: Option<Id>,
}

impl<'t> Templates<'t> {
    /// Returns the code of a form, for the signature that [`super::native::CompiledCode`] calls.
    pub fn function(program: &'t Program, places: &'t WidePlaces, form: CodeForm, call_back: u64) -> Vec<u8> {
        let asm = Assembler::with_capacity(program.nodes.len() * 24 + 128);
        let mut templates = Templates { program, places, asm, call_back, held: None };
        templates.asm.enter();
        let returns = match form {
            CodeForm::FailFast => templates.fail_fast(),
            CodeForm::TryAll => templates.try_all(),
        };
        for jump in returns {
            templates.asm.land(jump);
        }
        templates.asm.leave();
        templates.asm.finish()
    }

    /// Both result registers are set at the returned jumps, and at the end.
    fn fail_fast(&mut self) -> Vec<Jump> {
        let program = self.program;
        let mut done = 0;
        let mut failures = Vec::with_capacity(program.constraints.len());
        for constraint in &program.constraints {
            self.range(done, constraint.end);
            done = constraint.end;
            self.asm.test(place(constraint.truth));
            failures.push(self.asm.jump_if(Cond::Equal));
        }
        self.asm.constant(Reg::Rax, program.constraints.len() as u64);
        self.asm.constant(Reg::Rdx, 0);
        let mut returns = vec![self.asm.jump()];
        for (number, (constraint, failure)) in program.constraints.iter().zip(failures).enumerate() {
            self.asm.land(failure);
            self.distance(constraint.cold_start, constraint.cold_end, constraint.distance);
            self.asm.constant(Reg::Rax, number as u64);
            returns.push(self.asm.jump());
        }
        returns
    }

    fn try_all(&mut self) -> Vec<Jump> {
        let program = self.program;
        let mut done = 0;
        let mut failures = Vec::with_capacity(program.constraints.len());
        self.asm.zero_count();
        for (number, constraint) in program.constraints.iter().enumerate() {
            self.range(done, constraint.end);
            done = constraint.end;
            self.asm.constant(Reg::Rdx, 0);
            self.asm.test(place(constraint.truth));
            failures.push((self.asm.jump_if(Cond::Equal), self.asm.here()));
            self.asm.count();
            self.asm.store_distance(number);
            self.held = None;
            // A failure returns after the count, with its distance written.
            if let Some(last) = failures.last_mut() {
                last.1 = self.asm.here();
            }
        }
        self.asm.count_to_rax();
        self.asm.constant(Reg::Rdx, 0);
        let returns = vec![self.asm.jump()];
        for (number, (constraint, (failure, back))) in program.constraints.iter().zip(failures).enumerate() {
            self.asm.land(failure);
            self.distance(constraint.cold_start, constraint.cold_end, constraint.distance);
            self.asm.store_distance(number);
            self.asm.jump_back(back);
        }
        returns
    }

    /// Computes the distance of a constraint in `rdx`, at least 1.
    fn distance(&mut self, from: Id, to: Id, distance: Id) {
        self.range(from, to);
        self.held = None;
        self.asm.load(Reg::Rdx, place(distance));
        self.asm.at_least_one(Reg::Rdx);
    }

    fn range(&mut self, from: Id, to: Id) {
        self.held = None;
        for id in from..to {
            self.node(id);
        }
    }

    /// Loads the value of an operation of one word into `rax`.
    fn take(&mut self, id: Id, held: Option<Id>) {
        if held != Some(id) {
            self.asm.load(Reg::Rax, place(id));
        }
    }

    fn keep(&mut self, id: Id) {
        self.asm.store(place(id), Reg::Rax);
        self.held = Some(id);
    }

    fn node(&mut self, id: Id) {
        let program = self.program;
        let node = &program.nodes[id as usize];
        let held = self.held.take();
        match node.code {
            // The interpreter has put constants into the frame.
            OpCode::Const => self.held = held,
            OpCode::Input if node.ty.is_wide() => {
                let start = self.places.start(program, id);
                for n in 0..node.ty.words() {
                    self.input_word(node, n);
                    self.asm.store((start + n) as i32 * 8, Reg::Rax);
                }
            }
            OpCode::Input => {
                self.input_word(node, 0);
                if node.ty == Ty::Mode {
                    self.asm.mode();
                }
                self.keep(id);
            }
            OpCode::Limb => {
                let from = self.places.start(program, node.args[0]) + node.imm as usize;
                self.asm.load(Reg::Rax, from as i32 * 8);
                self.keep(id);
            }
            OpCode::Ite if !node.ty.is_wide() => {
                let [a, b, c, _] = node.args;
                self.asm.test(place(a));
                self.asm.load(Reg::Rax, place(b));
                self.asm.choose_load(Cond::Equal, Reg::Rax, place(c));
                self.keep(id);
            }
            code if code >= OpCode::FAdd && code < OpCode::Saturate => {
                if !self.float(id, node, held) {
                    self.call(id);
                }
            }
            OpCode::GapFSame => {
                self.gap_same(id, node);
                self.keep(id);
            }
            OpCode::Ite | OpCode::Exact => self.call(id),
            _ => {
                if self.bits(node, held) {
                    self.keep(id);
                } else {
                    self.call(id);
                }
            }
        }
    }

    /// Calls the interpreter to compute the operation.
    fn call(&mut self, id: Id) {
        self.asm.call(self.call_back, id);
    }

    /// Word `n` of a slot in `rax`.
    fn input_word(&mut self, node: &IrNode, n: usize) {
        let slot = self.program.layout.slots()[node.imm as usize];
        let start = slot.offset + 64 * n as u64;
        let width = (slot.ty.width() - 64 * n as u32).min(64);
        self.asm.read((start / 8) as i32, (start % 8) as u8, width);
    }

    /// Computes an operation on vectors in `rax`; returns false without a template.
    fn bits(&mut self, node: &IrNode, held: Option<Id>) -> bool {
        use OpCode::*;
        let [a, b, ..] = node.args;
        let width = node.ty.width();
        let imm = node.imm as u32;
        match node.code {
            Sdiv | Srem | Smod => return false,
            GapFLt | GapFLe | GapFEq => {
                self.gap_float(node);
                return true;
            }
            Udiv | Urem => {
                self.asm.load(Reg::Rcx, place(b));
                self.take(a, held);
                self.asm.divide(node.code == Udiv, mask(width));
                return true;
            }
            _ => self.take(a, held),
        }
        match node.code {
            Not => {
                self.asm.not(Reg::Rax);
                self.asm.mask(Reg::Rax, width);
            }
            And => self.asm.and(place(b)),
            Or => self.asm.or(place(b)),
            Xor => self.asm.xor(place(b)),
            Eq | Ult | Ule => {
                self.asm.compare(place(b));
                self.asm.truth(match node.code {
                    Eq => Cond::Equal,
                    Ult => Cond::Below,
                    _ => Cond::BelowOrEqual,
                });
            }
            Slt | Sle => {
                // With signs at the top, lower bits do not matter for the order.
                self.asm.load(Reg::Rcx, place(b));
                self.asm.shift_left(Reg::Rax, 64 - imm);
                self.asm.shift_left(Reg::Rcx, 64 - imm);
                self.asm.compare_rcx();
                self.asm.truth(if node.code == Slt { Cond::Less } else { Cond::LessOrEqual });
            }
            Add | Sub | Mul => {
                match node.code {
                    Add => self.asm.add(place(b)),
                    Sub => self.asm.sub(place(b)),
                    _ => self.asm.mul(place(b)),
                }
                self.asm.mask(Reg::Rax, width);
            }
            Neg => {
                self.asm.negate();
                self.asm.mask(Reg::Rax, width);
            }
            Shl | Lshr | Ashr => {
                self.asm.load(Reg::Rcx, place(b));
                match node.code {
                    Shl => self.asm.shift_left_by_rcx(width),
                    Lshr => self.asm.shift_right_by_rcx(width),
                    _ => {
                        self.asm.extend_sign(width);
                        self.asm.shift_sign_by_rcx();
                    }
                }
                self.asm.mask(Reg::Rax, width);
            }
            Concat => {
                self.asm.shift_left(Reg::Rax, imm);
                self.asm.or(place(b));
            }
            Extract => {
                self.asm.shift_right(Reg::Rax, imm);
                self.asm.mask(Reg::Rax, width);
            }
            SignExtend => {
                self.asm.extend_sign(imm);
                self.asm.mask(Reg::Rax, width);
            }
            Same => {}
            Saturate => self.asm.add_saturating(place(b)),
            Min => {
                self.asm.load(Reg::Rcx, place(b));
                self.asm.smaller();
            }
            GapEq => {
                self.asm.load(Reg::Rcx, place(b));
                self.asm.differences();
                self.asm.mask(Reg::Rax, imm);
                self.asm.mask(Reg::Rcx, imm);
                self.asm.smaller();
            }
            GapUlt | GapUle | GapSlt | GapSle => {
                self.asm.load(Reg::Rcx, place(b));
                if let GapSlt | GapSle = node.code {
                    self.asm.flip(Reg::Rax, imm - 1);
                    self.asm.flip(Reg::Rcx, imm - 1);
                }
                self.asm.excess(matches!(node.code, GapUlt | GapSlt));
            }
            _ => return false,
        }
        true
    }
}

/// Where the word of an operation is in the frame, in bytes.
fn place(id: Id) -> i32 {
    id as i32 * 8
}
