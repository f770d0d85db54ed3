//! From operations to Cranelift's instructions.

mod bits;
mod floats;

use super::native::{call_back, interpret, pack};
use crate::interpreter::WidePlaces;
use crate::ir::{Id, IrNode, OpCode, Program};
use crate::types::{NativeFormat, Ty, mask};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

/// The forms of compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeForm {
    /// Stops at the first false constraint.
    FailFast,
    /// Runs all constraints.
    TryAll,
}

/// The emission of one function.
pub struct Emitter<'e, 'f> {
    program: &'e Program,
    places: &'e WidePlaces,
    builder: &'e mut FunctionBuilder<'f>,
    /// The values of operations emitted so far. Truth values are `I8`, native floats `F32` and `F64`, other words `I64`;
    /// wide values are in the frame.
    values: Vec<Option<Value>>,
    input: Value,
    frame: Value,
    context: Value,
    distances: Value,
    call_back: SigRef,
    interpret: SigRef,
}

/// Memory that exists, aligned or not.
fn memory() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl<'e, 'f> Emitter<'e, 'f> {
    /// Begins a function with the parameters input, frame, context and distances.
    pub fn new(program: &'e Program, places: &'e WidePlaces, builder: &'e mut FunctionBuilder<'f>) -> Emitter<'e, 'f> {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let params = builder.block_params(block).to_vec();
        let convention = builder.func.signature.call_conv;
        let mut signature = |params: usize, returns: usize| {
            let mut signature = Signature::new(convention);
            signature.params.extend(vec![AbiParam::new(types::I64); params]);
            signature.returns.extend(vec![AbiParam::new(types::I64); returns]);
            builder.import_signature(signature)
        };
        let (call_back, interpret) = (signature(2, 0), signature(4, 1));
        debug_assert_ne!(convention, CallConv::Fast, "calls back are in the platform's convention");
        Emitter {
            program,
            places,
            values: vec![None; program.nodes.len()],
            input: params[0],
            frame: params[1],
            context: params[2],
            distances: params[3],
            call_back,
            interpret,
            builder,
        }
    }

    /// Emits the whole body.
    pub fn function(mut self, form: CodeForm) {
        let program = self.program;
        let mut done = 0;
        let mut passed = self.word(0);
        for (number, constraint) in program.constraints.iter().enumerate() {
            self.range(done, constraint.end);
            done = constraint.end;
            let truth = self.value(constraint.truth);
            let (next, cold) = (self.builder.create_block(), self.builder.create_block());
            self.builder.set_cold_block(cold);
            match form {
                CodeForm::FailFast => {
                    self.builder.ins().brif(truth, next, &[], cold, &[]);
                    self.builder.switch_to_block(cold);
                    self.range(constraint.cold_start, constraint.cold_end);
                    let distance = self.distance(constraint.distance);
                    let number = self.word(number as u64);
                    self.builder.ins().return_(&[number, distance]);
                }
                CodeForm::TryAll => {
                    let one = self.builder.ins().uextend(types::I64, truth);
                    passed = self.builder.ins().iadd(passed, one);
                    let zero = self.word(0);
                    let offset = number as i32 * 8;
                    self.builder.ins().store(memory(), zero, self.distances, offset);
                    self.builder.ins().brif(truth, next, &[], cold, &[]);
                    self.builder.switch_to_block(cold);
                    self.range(constraint.cold_start, constraint.cold_end);
                    let distance = self.distance(constraint.distance);
                    self.builder.ins().store(memory(), distance, self.distances, offset);
                    self.builder.ins().jump(next, &[]);
                }
            }
            self.forget(constraint.cold_start, constraint.cold_end);
            self.builder.switch_to_block(next);
        }
        if form == CodeForm::FailFast {
            passed = self.word(program.constraints.len() as u64);
        }
        let zero = self.word(0);
        self.builder.ins().return_(&[passed, zero]);
    }

    /// A distance, at least 1 where the constraint is false.
    fn distance(&mut self, id: Id) -> Value {
        let distance = self.value(id);
        let one = self.word(1);
        self.builder.ins().umax(distance, one)
    }

    fn range(&mut self, from: Id, to: Id) {
        for id in from..to {
            self.node(id);
        }
    }

    /// Values of a cold block mean nothing outside it.
    fn forget(&mut self, from: Id, to: Id) {
        self.values[from as usize..to as usize].fill(None);
    }

    fn word(&mut self, value: u64) -> Value {
        self.builder.ins().iconst(types::I64, value as i64)
    }

    /// The value of an operation of one word.
    fn value(&mut self, id: Id) -> Value {
        match self.values[id as usize] {
            Some(value) => value,
            // Invariant of `Program`: arguments come before their users. A wide value has none, and is asked for by
            // operations that read the frame only.
            None => self.word(0),
        }
    }

    /// A value as the bits of an `I64`.
    fn as_bits(&mut self, id: Id) -> Value {
        let value = self.value(id);
        match self.builder.func.dfg.value_type(value) {
            types::I8 => self.builder.ins().uextend(types::I64, value),
            types::F64 => self.builder.ins().bitcast(types::I64, MemFlagsData::new(), value),
            types::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, MemFlagsData::new(), value);
                self.builder.ins().uextend(types::I64, bits)
            }
            _ => value,
        }
    }

    /// Bits of an `I64` as a value of a type.
    fn of_bits(&mut self, ty: Ty, bits: Value) -> Value {
        match (ty, ty.native()) {
            (Ty::Bool, _) => self.builder.ins().ireduce(types::I8, bits),
            (_, Some(NativeFormat::Double)) => self.builder.ins().bitcast(types::F64, MemFlagsData::new(), bits),
            (_, Some(NativeFormat::Single)) => {
                let bits = self.builder.ins().ireduce(types::I32, bits);
                self.builder.ins().bitcast(types::F32, MemFlagsData::new(), bits)
            }
            _ => bits,
        }
    }

    fn mask(&mut self, value: Value, width: u32) -> Value {
        if width >= 64 {
            return value;
        }
        let mask = self.word(mask(width));
        self.builder.ins().band(value, mask)
    }

    /// An `I64` of `width` bits, sign-extended.
    fn signed(&mut self, value: Value, width: u32) -> Value {
        if width >= 64 {
            return value;
        }
        let amount = self.word(u64::from(64 - width));
        let high = self.builder.ins().ishl(value, amount);
        self.builder.ins().sshr(high, amount)
    }

    fn float_type(native: NativeFormat) -> Type {
        match native {
            NativeFormat::Single => types::F32,
            NativeFormat::Double => types::F64,
        }
    }
}

/// Operations.
impl Emitter<'_, '_> {
    fn node(&mut self, id: Id) {
        let node = self.program.nodes[id as usize];
        let value = match node.code {
            OpCode::Const if node.ty.is_wide() => return,
            OpCode::Input if node.ty.is_wide() => {
                for n in 0..node.ty.words() {
                    let word = self.input_word(node.imm as usize, n);
                    let place = self.places.start(self.program, id) + n;
                    self.builder.ins().store(memory(), word, self.frame, place as i32 * 8);
                }
                return;
            }
            OpCode::Exact => return self.by_call(id),
            OpCode::Ite if node.ty.is_wide() => return self.by_call(id),
            OpCode::Const => self.constant(&node),
            OpCode::Input => self.input(&node),
            OpCode::Limb => {
                let place = self.places.start(self.program, node.args[0]) + node.imm as usize;
                self.builder.ins().load(types::I64, memory(), self.frame, place as i32 * 8)
            }
            code => match pack(&node) {
                Some(packed) => self.interpreted(&node, packed),
                None if code >= OpCode::FAdd && code < OpCode::Saturate => self.float(&node),
                None => self.bits(&node),
            },
        };
        self.values[id as usize] = Some(value);
    }

    fn constant(&mut self, node: &IrNode) -> Value {
        match (node.ty, node.ty.native()) {
            (Ty::Bool, _) => self.builder.ins().iconst(types::I8, node.imm as i64),
            (_, Some(NativeFormat::Single)) => self.builder.ins().f32const(f32::from_bits(node.imm as u32)),
            (_, Some(NativeFormat::Double)) => self.builder.ins().f64const(f64::from_bits(node.imm)),
            _ => self.word(node.imm),
        }
    }

    fn input(&mut self, node: &IrNode) -> Value {
        let slot = self.program.layout.slots()[node.imm as usize];
        if slot.offset.is_multiple_of(8)
            && let Some(native) = node.ty.native()
        {
            return self.builder.ins().load(Self::float_type(native), memory(), self.input, (slot.offset / 8) as i32);
        }
        let word = self.input_word(node.imm as usize, 0);
        if node.ty == Ty::Mode {
            // The patterns 5, 6 and 7 stand for 0, 1 and 2.
            let (four, five) = (self.word(4), self.word(5));
            let is_above = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, word, four);
            let less = self.builder.ins().isub(word, five);
            return self.builder.ins().select(is_above, less, word);
        }
        self.of_bits(node.ty, word)
    }

    /// Word `n` of a slot.
    fn input_word(&mut self, slot: usize, n: usize) -> Value {
        let slot = self.program.layout.slots()[slot];
        let start = slot.offset + 64 * n as u64;
        let width = (slot.ty.width() - 64 * n as u32).min(64);
        let (byte, shift) = ((start / 8) as i32, (start % 8) as u32);
        let at = self.input;
        match (shift, width) {
            (0, 8) => return self.builder.ins().uload8(types::I64, memory(), at, byte),
            (0, 16) => return self.builder.ins().uload16(types::I64, memory(), at, byte),
            (0, 32) => {
                let word = self.builder.ins().load(types::I32, memory(), at, byte);
                return self.builder.ins().uextend(types::I64, word);
            }
            _ => {}
        }
        let mut word = self.builder.ins().load(types::I64, memory(), at, byte);
        if shift > 0 {
            let amount = self.word(u64::from(shift));
            word = self.builder.ins().ushr(word, amount);
            if shift + width > 64 {
                let rest = self.builder.ins().uload8(types::I64, memory(), at, byte + 8);
                let amount = self.word(u64::from(64 - shift));
                let rest = self.builder.ins().ishl(rest, amount);
                word = self.builder.ins().bor(word, rest);
            }
        }
        self.mask(word, width)
    }

    /// An operation by a call back: its arguments go to the frame, its value comes from there.
    fn by_call(&mut self, id: Id) {
        let program = self.program;
        let node = program.nodes[id as usize];
        for &arg in program.args(id) {
            if !program.ty(arg).is_wide() {
                let bits = self.as_bits(arg);
                self.builder.ins().store(memory(), bits, self.frame, arg as i32 * 8);
            }
        }
        let number = self.word(u64::from(id));
        let callee = self.word(call_back as *const () as usize as u64);
        self.builder.ins().call_indirect(self.call_back, callee, &[self.context, number]);
        if !node.ty.is_wide() {
            let bits = self.builder.ins().load(types::I64, memory(), self.frame, id as i32 * 8);
            self.values[id as usize] = Some(self.of_bits(node.ty, bits));
        }
    }

    /// An operation by a call of its interpretation.
    fn interpreted(&mut self, node: &IrNode, packed: u64) -> Value {
        let mut args = [self.word(packed); 4];
        for n in 0..3 {
            args[n + 1] = if n < node.code.arity() { self.as_bits(node.args[n]) } else { args[0] };
        }
        let callee = self.word(interpret as *const () as usize as u64);
        let call = self.builder.ins().call_indirect(self.interpret, callee, &args);
        let bits = self.builder.inst_results(call)[0];
        self.of_bits(node.ty, bits)
    }
}
