//! The interpreter: runs a program operation by operation, for checking, for machines without templates, and for strategies that examine
//! every value.
//! look at every value.

use crate::exact::{ExactOperators, trim};
use crate::ir::{Id, OpCode, Program};
use crate::types::Ty;
use crate::word::{apply, canonical};
use std::sync::Arc;

/// The score of an input in fail-fast form. More constraints passed are better, then a smaller distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputScore {
    /// The number of true constraints before the first false one.
    pub passed: u32,
    /// Distance of the first false constraint; 0 if there is none.
    pub distance: u64,
}

impl InputScore {
    /// Whether this is better than `other`.
    #[inline]
    pub fn beats(self, other: InputScore) -> bool {
        self.passed > other.passed || self.passed == other.passed && self.distance < other.distance
    }
}

/// The values of all operations of a program on one input.
pub struct Interpreter {
    program: Arc<Program>,
    /// A word per operation, followed by the words of the wide ones.
    frame: Vec<u64>,
    wide: WidePlaces,
    exact: ExactOperators,
}

/// The offsets of the words of wide values in a frame.
#[derive(Clone, Debug)]
pub struct WidePlaces {
    /// By operation; 0 for values of one word. Empty if no value is wide.
    starts: Vec<u32>,
    /// The number of words of the frame.
    pub words: usize,
}

impl WidePlaces {
    /// Returns the places for a program.
    pub fn new(program: &Program) -> WidePlaces {
        let mut words = program.nodes.len();
        if !program.nodes.iter().any(|n| n.ty.is_wide()) {
            return WidePlaces { starts: Vec::new(), words };
        }
        let mut starts = vec![0; program.nodes.len()];
        for (start, node) in starts.iter_mut().zip(&program.nodes) {
            if node.ty.is_wide() {
                *start = words as u32;
                words += node.ty.words();
            }
        }
        WidePlaces { starts, words }
    }

    /// Returns the index of a value's first word in the frame.
    pub fn start(&self, program: &Program, id: Id) -> usize {
        if program.ty(id).is_wide() { self.starts[id as usize] as usize } else { id as usize }
    }

    /// Returns the words of a value in the frame.
    pub fn of<'f>(&self, program: &Program, frame: &'f [u64], id: Id) -> &'f [u64] {
        let start = self.start(program, id);
        &frame[start..start + program.ty(id).words()]
    }
}

impl Interpreter {
    /// Makes an interpreter of a program.
    pub fn new(program: Arc<Program>) -> Interpreter {
        let wide = WidePlaces::new(&program);
        let mut frame = vec![0; wide.words];
        for (id, node) in program.nodes.iter().enumerate().filter(|(_, n)| n.code == OpCode::Const) {
            match node.ty.is_wide() {
                false => frame[id] = node.imm,
                true => {
                    let start = wide.start(&program, id as Id);
                    frame[start..start + node.ty.words()].copy_from_slice(&program.wide_constants[node.imm as usize]);
                }
            }
        }
        Interpreter { program, frame, wide, exact: ExactOperators::default() }
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Returns the offsets of wide values.
    pub fn places(&self) -> &WidePlaces {
        &self.wide
    }

    /// Returns the frame, for compiled code.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(crate) fn frame_pointer(&mut self) -> *mut u64 {
        self.frame.as_mut_ptr()
    }

    /// Computes one operation, not an input, from its arguments in the frame.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(crate) fn compute(&mut self, id: Id) {
        let program = self.program.clone();
        self.run(&program, &[], id, id + 1);
    }

    /// Returns the value of an operation of one word in the last run that computed it.
    #[inline]
    pub fn word(&self, id: Id) -> u64 {
        self.frame[id as usize]
    }

    /// Returns the words of an operation's value in the last run that computed it.
    pub fn words(&self, id: Id) -> &[u64] {
        self.wide.of(&self.program, &self.frame, id)
    }

    /// Runs to the first false constraint.
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        let program = self.program.clone();
        let mut done = 0;
        for (number, constraint) in program.constraints.iter().enumerate() {
            self.run(&program, input, done, constraint.end);
            done = constraint.end;
            if self.frame[constraint.truth as usize] == 0 {
                self.run(&program, input, constraint.cold_start, constraint.cold_end);
                return InputScore { passed: number as u32, distance: self.frame[constraint.distance as usize].max(1) };
            }
        }
        InputScore { passed: program.constraints.len() as u32, distance: 0 }
    }

    /// Runs all constraints, writes their distances to `distances`, and returns the number of true ones.
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        let program = self.program.clone();
        self.run(&program, input, 0, program.hot);
        let mut passed = 0;
        for (constraint, distance) in program.constraints.iter().zip(distances) {
            if self.frame[constraint.truth as usize] != 0 {
                *distance = 0;
                passed += 1;
            } else {
                self.run(&program, input, constraint.cold_start, constraint.cold_end);
                *distance = self.frame[constraint.distance as usize].max(1);
            }
        }
        passed
    }

    /// Runs everything that a constraint and earlier ones compute, whether or not they are true.
    pub fn observe_constraint(&mut self, input: &[u8], constraint: usize) {
        let program = self.program.clone();
        self.run(&program, input, 0, program.constraints[constraint].end);
    }

    /// Runs everything that a model needs, and returns the words of the observed values.
    pub fn observe(&mut self, input: &[u8]) -> Vec<Vec<u64>> {
        let program = self.program.clone();
        self.run(&program, input, 0, program.hot);
        self.run(&program, input, program.observed_start, program.nodes.len() as Id);
        program.observed.iter().map(|&id| self.words(id).to_vec()).collect()
    }

    fn run(&mut self, program: &Program, input: &[u8], from: Id, to: Id) {
        for id in from..to {
            let node = &program.nodes[id as usize];
            match node.code {
                OpCode::Const => {}
                OpCode::Input => self.input(program, input, id),
                OpCode::Exact => call_exact(program, &self.wide, &mut self.exact, &mut self.frame, id),
                OpCode::Limb => {
                    let start = self.wide.start(program, node.args[0]);
                    self.frame[id as usize] = self.frame[start + node.imm as usize];
                }
                OpCode::Ite if node.ty.is_wide() => {
                    let [a, b, c, _] = node.args;
                    let from = self.wide.start(program, if self.frame[a as usize] != 0 { b } else { c });
                    let to = self.wide.start(program, id);
                    self.frame.copy_within(from..from + node.ty.words(), to);
                }
                _ => {
                    let [a, b, c, _] = node.args;
                    let value = apply(node, self.frame[a as usize], self.frame[b as usize], self.frame[c as usize]);
                    self.frame[id as usize] = value;
                }
            }
        }
    }

    fn input(&mut self, program: &Program, input: &[u8], id: Id) {
        let node = &program.nodes[id as usize];
        let slot = node.imm as usize;
        if node.ty.is_wide() {
            let start = self.wide.start(program, id);
            for n in 0..node.ty.words() {
                self.frame[start + n] = program.layout.get(input, slot, n);
            }
            return;
        }
        let word = program.layout.get(input, slot, 0);
        self.frame[id as usize] = match node.ty.native() {
            Some(native) => canonical(word, native.width()),
            None => word,
        };
    }
}

/// Computes an operation of [`OpCode::Exact`] within the frame.
pub fn call_exact(program: &Program, wide: &WidePlaces, exact: &mut ExactOperators, frame: &mut [u64], id: Id) {
    let node = &program.nodes[id as usize];
    let operator = &program.operators[node.imm as usize];
    let mut out = vec![0; node.ty.words()];
    {
        let mut args: [(Ty, &[u64]); 4] = [(Ty::Bool, &[]); 4];
        for (arg, &a) in args.iter_mut().zip(&node.args[..operator.arity]) {
            *arg = (program.ty(a), wide.of(program, frame, a));
        }
        exact.apply(operator, &args[..operator.arity], &mut out);
    }
    trim(node.ty, &mut out);
    let start = wide.start(program, id);
    frame[start..start + out.len()].copy_from_slice(&out);
}
