//! Running the code of a world.

use super::compile::Compiler;
use super::values::{FALSE, ResultMemory, TRUE, UNKNOWN};
use super::{Instruction, LoopId, QuickProgram, Register};
use crate::eval::Evaluator;
use crate::exhaust::answer::ExhaustLimits;
use crate::exhaust::world::World;
use crate::meter::{Meter, Stop};
use crate::model::Model;
use smtlib::Store;

/// How a run ended.
pub(in crate::exhaust) enum QuickEnd {
    /// All assignments were tried, or `look` stopped.
    Done,
    /// The world exceeds the bounds of the quick search: nothing was tried.
    Refused,
    /// The time was up.
    Stopped,
}

/// Runs through all assignments of a world's constants; `base` fixes the universes. Those under which no assertion is false
/// are passed to `look`, until it returns false.
pub(in crate::exhaust) fn run(
    store: &mut Store,
    world: &World,
    base: &Model,
    (limits, stop): (&ExhaustLimits, &Stop),
    mut look: impl FnMut(&mut Store, &Model) -> bool,
) -> QuickEnd {
    let mut compiler = Compiler::new(store, limits, Evaluator::new(base.clone(), limits.each).heeding(stop));
    if compiler.world(world).is_none() {
        return QuickEnd::Refused;
    }
    let (program, values, evaluator) = compiler.finish();
    let memory = ResultMemory::new(values, evaluator, program.operators.len());
    let (meter, steps) = (Meter::new(stop.clone(), 0), limits.each.steps);
    let mut machine =
        QuickRun { store, registers: program.registers.clone(), memory, meter, stopped: false, left: steps };
    let levels = &program.constants;
    // The loops in which each assertion is checked are entered from the outermost inwards.
    let mut positions = vec![0; levels.len()];
    if machine.is_refuted(&program, 0) {
        return QuickEnd::Done;
    }
    let mut level = 0;
    loop {
        machine.left = steps;
        if !machine.goes_on() && machine.stopped {
            return QuickEnd::Stopped;
        }
        let refuted = if level == levels.len() {
            let mut model = base.clone();
            for ((f, _), &id) in world.constants.iter().zip(levels) {
                let value = machine.memory.values.get(machine.registers[program.loops[id].variable as usize]).clone();
                // The value is one of the constant's values.
                let _ = model.assign(machine.store, *f, value);
            }
            if !look(machine.store, &model) {
                return QuickEnd::Done;
            }
            true
        } else {
            let at = &program.loops[levels[level]];
            match at.values.get(positions[level]) {
                None => {
                    // All values of this loop were tried.
                    positions[level] = 0;
                    if level == 0 {
                        return QuickEnd::Done;
                    }
                    level -= 1;
                    positions[level] += 1;
                    continue;
                }
                Some(&value) => {
                    machine.registers[at.variable as usize] = value;
                    machine.is_refuted(&program, levels[level])
                }
            }
        };
        if !refuted {
            level += 1;
        } else if level == levels.len() {
            if level == 0 {
                return QuickEnd::Done;
            }
            level -= 1;
            positions[level] += 1;
        } else {
            positions[level] += 1;
        }
    }
}

struct QuickRun<'s> {
    store: &'s mut Store,
    registers: Vec<u32>,
    memory: ResultMemory,
    meter: Meter,
    /// Whether the time was up.
    stopped: bool,
    /// How many values of bound variables may still be tried for this assignment.
    left: u64,
}

impl QuickRun<'_> {
    /// Runs the code of a loop; returns whether an assertion known here is false.
    fn is_refuted(&mut self, program: &QuickProgram, id: LoopId) -> bool {
        self.code(program, id);
        program.loops[id].checks.iter().any(|&register| self.get(register) == FALSE)
    }

    /// Counts a step; returns whether another is allowed.
    fn goes_on(&mut self) -> bool {
        self.stopped = self.stopped || self.meter.tick().is_err();
        self.left = self.left.saturating_sub(1);
        !self.stopped && self.left > 0
    }

    fn get(&self, register: Register) -> u32 {
        self.registers[register as usize]
    }

    fn code(&mut self, program: &QuickProgram, id: LoopId) {
        for step in &program.loops[id].code {
            let (out, result) = match step {
                Instruction::Not(out, a) => (out, negated(self.get(*a))),
                Instruction::And(out, args) => (out, self.connective(args, FALSE)),
                Instruction::Or(out, args) => (out, self.connective(args, TRUE)),
                Instruction::Ite(out, [c, a, b]) => (out, self.ite(*c, *a, *b)),
                Instruction::Equal(out, args, operator) => (out, self.equal(program, args, *operator)),
                Instruction::Unary(out, operator, a) => {
                    (out, self.memory.unary(self.store, &program.operators, *operator, self.get(*a)))
                }
                Instruction::Binary(out, operator, [a, b]) => {
                    let args = [self.get(*a), self.get(*b)];
                    (out, self.memory.binary(self.store, &program.operators, *operator, args))
                }
                Instruction::Many(out, operator, args) => {
                    let args: Vec<u32> = args.iter().map(|&a| self.get(a)).collect();
                    (out, self.memory.many(self.store, &program.operators, *operator, &args))
                }
                Instruction::Quantifier(out, loops, body, exists) => {
                    let decides = if *exists { TRUE } else { FALSE };
                    (out, self.quantifier(program, loops, *body, decides))
                }
            };
            self.registers[*out as usize] = result;
        }
    }

    /// `or` where `absorbing` is true, `and` where it is false.
    fn connective(&self, args: &[Register], absorbing: u32) -> u32 {
        let mut result = 1 - absorbing;
        for &a in args {
            match self.get(a) {
                UNKNOWN => result = UNKNOWN,
                truth if truth == absorbing => return absorbing,
                _ => {}
            }
        }
        result
    }

    fn ite(&self, condition: Register, then: Register, otherwise: Register) -> u32 {
        match self.get(condition) {
            TRUE => self.get(then),
            FALSE => self.get(otherwise),
            _ if self.get(then) == self.get(otherwise) => self.get(then),
            _ => UNKNOWN,
        }
    }

    fn equal(&mut self, program: &QuickProgram, args: &[Register], operator: usize) -> u32 {
        let mut result = TRUE;
        for pair in args.windows(2) {
            let pair = [self.get(pair[0]), self.get(pair[1])];
            match self.memory.same(self.store, &program.operators, operator, pair) {
                Some(false) => return FALSE,
                Some(true) => {}
                None => result = UNKNOWN,
            }
        }
        result
    }

    /// A quantifier, decided by the first body of truth value `decides`. Recursion is as deep as its variables and those of
    /// the quantifiers in it nest.
    fn quantifier(&mut self, program: &QuickProgram, loops: &[LoopId], body: Register, decides: u32) -> u32 {
        let Some((&first, rest)) = loops.split_first() else { return self.get(body) };
        let mut result = 1 - decides;
        let at = &program.loops[first];
        for &value in &at.values {
            // Nested quantifiers over large sorts have too many values for any time limit.
            if !self.goes_on() {
                return UNKNOWN;
            }
            self.registers[at.variable as usize] = value;
            self.code(program, first);
            match self.quantifier(program, rest, body, decides) {
                UNKNOWN => result = UNKNOWN,
                truth if truth == decides => return decides,
                _ => {}
            }
        }
        result
    }
}

fn negated(truth: u32) -> u32 {
    match truth {
        TRUE => FALSE,
        FALSE => TRUE,
        other => other,
    }
}
