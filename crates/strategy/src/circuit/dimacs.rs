//! DIMACS CNF: one variable per input and gate, the clauses of the gates, and one clause per formula.

use super::goal::CircuitError;
use super::goal::GoalCircuit;
use crate::engines::bitblast::{Bit, TranslateError, gate_clauses};
use rewrite::Stop;
use std::fmt::Write;
use std::ops::Not;

/// A DIMACS literal: the number of a variable, from 1, negative if negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DimacsLiteral(i64);

impl Not for DimacsLiteral {
    type Output = DimacsLiteral;

    fn not(self) -> DimacsLiteral {
        DimacsLiteral(-self.0)
    }
}

/// Returns the file. Variables are numbered from the inputs on, in the order of their gates; `heading` becomes comments, one per line.
/// Errors: [`CircuitError::Translate`] when the time is up.
pub fn file(circuit: &GoalCircuit, heading: &[String], stop: &Stop) -> Result<Vec<u8>, CircuitError> {
    let gates = circuit.gates();
    let mut numbers = vec![0i64; gates.len()];
    let mut variables = 0i64;
    let mut number = |position: usize, variables: &mut i64| {
        *variables += 1;
        numbers[position] = *variables;
    };
    circuit.inputs.iter().for_each(|(bit, _)| number(bit.gate(), &mut variables));
    let cone = circuit.cone();
    let inner: Vec<usize> = (0..gates.len()).filter(|&position| cone[position]).collect();
    let inputs = circuit.is_input();
    inner.iter().filter(|&&position| !inputs[position]).for_each(|&position| number(position, &mut variables));
    let literal = |bit: Bit| {
        let number = numbers[bit.gate()];
        DimacsLiteral(if bit.is_negated() { -number } else { number })
    };
    let (mut clauses, mut body) = (0usize, String::new());
    let mut add = |clause: &[DimacsLiteral]| {
        clauses += 1;
        clause.iter().for_each(|literal| {
            let _ = write!(body, "{} ", literal.0);
        });
        body.push_str("0\n");
    };
    for (n, &position) in inner.iter().enumerate() {
        if n.is_multiple_of(4096) && stop.check().is_err() {
            return Err(TranslateError::Interrupted.into());
        }
        let gate = gates.gate(position);
        let g = DimacsLiteral(numbers[position]);
        let mut operands = [g; 3];
        for (operand, bit) in operands.iter_mut().zip(gate.operands()) {
            *operand = literal(bit);
        }
        gate_clauses(gate, g, operands, &mut add);
    }
    for &root in &circuit.roots {
        match root.as_constant() {
            Some(true) => {}
            Some(false) => add(&[]),
            None => add(&[literal(root)]),
        }
    }
    let mut text: String = heading.iter().map(|line| format!("c {line}\n")).collect();
    for line in circuit.comments(|bit| match bit.as_constant() {
        Some(true) => "T".to_string(),
        Some(false) => "F".to_string(),
        None => literal(bit).0.to_string(),
    }) {
        let _ = writeln!(text, "c {line}");
    }
    let _ = writeln!(text, "p cnf {variables} {clauses}");
    text.push_str(&body);
    Ok(text.into_bytes())
}
