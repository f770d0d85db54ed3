//! AIGER: the circuit as an and-inverter graph with one output, which is true if and only if the goal holds.

use super::goal::CircuitError;
use super::goal::GoalCircuit;
use crate::engines::bitblast::{Bit, Gate, TranslateError};
use rewrite::Stop;
use std::fmt::Write as _;

/// A literal in AIGER's encoding: twice the variable, plus one if negated; 0 is false and 1 is true.
type AigerLiteral = u64;

/// An and-inverter graph. Variables are numbered from 1, the inputs first.
struct AndInverterGraph {
    inputs: u64,
    /// The operands of the gate with variable `inputs + 1` plus the index, the larger first.
    ands: Vec<(AigerLiteral, AigerLiteral)>,
}

impl AndInverterGraph {
    fn and(&mut self, a: AigerLiteral, b: AigerLiteral) -> AigerLiteral {
        match (a.max(b), a.min(b)) {
            (_, 0) => 0,
            (x, 1) => x,
            (x, y) if x == y => x,
            (x, y) if x == y ^ 1 => 0,
            pair => {
                self.ands.push(pair);
                2 * (self.inputs + self.ands.len() as u64)
            }
        }
    }

    fn or(&mut self, a: AigerLiteral, b: AigerLiteral) -> AigerLiteral {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    /// Returns the literal of a gate over the literals of its operands.
    fn gate(&mut self, gate: Gate, of: impl Fn(Bit) -> AigerLiteral) -> AigerLiteral {
        match gate {
            Gate::True | Gate::Input => 1,
            Gate::And(a, b) => self.and(of(a), of(b)),
            Gate::Xor(a, b) => {
                let (a, b) = (of(a), of(b));
                let (left, right) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
                self.or(left, right)
            }
            Gate::Ite(condition, yes, no) => {
                let (condition, yes, no) = (of(condition), of(yes), of(no));
                let (left, right) = (self.and(condition, yes), self.and(condition ^ 1, no));
                self.or(left, right)
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (of(a), of(b), of(c));
                let (both, either) = (self.and(a, b), self.or(a, b));
                let carried = self.and(c, either);
                self.or(both, carried)
            }
        }
    }
}

/// Writes the file, as text or in bytes. The symbol table names inputs and output; comments map the problem's symbols to literals.
pub(super) fn file(
    circuit: &GoalCircuit,
    heading: &[String],
    is_binary: bool,
    stop: &Stop,
) -> Result<Vec<u8>, CircuitError> {
    let gates = circuit.gates();
    let mut graph = AndInverterGraph { inputs: circuit.inputs.len() as u64, ands: Vec::new() };
    let mut literals: Vec<AigerLiteral> = vec![1; gates.len()];
    for (n, (bit, _)) in circuit.inputs.iter().enumerate() {
        literals[bit.gate()] = 2 * (n as u64 + 1);
    }
    let (cone, is_input) = (circuit.cone(), circuit.is_input());
    for position in (1..gates.len()).filter(|&position| cone[position] && !is_input[position]) {
        if position.is_multiple_of(4096) && stop.check().is_err() {
            return Err(TranslateError::Interrupted.into());
        }
        literals[position] = graph.gate(gates.gate(position), |bit| literal(&literals, bit));
    }
    let output = circuit.roots.iter().fold(1, |all, &root| graph.and(all, literal(&literals, root)));
    Ok(written(circuit, heading, &graph, output, |bit| literal(&literals, bit), is_binary))
}

fn literal(literals: &[AigerLiteral], bit: Bit) -> AigerLiteral {
    literals[bit.gate()] ^ u64::from(bit.is_negated())
}

fn written(
    circuit: &GoalCircuit,
    heading: &[String],
    graph: &AndInverterGraph,
    output: AigerLiteral,
    literal: impl Fn(Bit) -> AigerLiteral,
    is_binary: bool,
) -> Vec<u8> {
    let (inputs, ands) = (graph.inputs, graph.ands.len() as u64);
    let word = if is_binary { "aig" } else { "aag" };
    let mut bytes = format!("{word} {} {inputs} 0 1 {ands}\n", inputs + ands).into_bytes();
    if !is_binary {
        (1..=inputs).for_each(|n| bytes.extend(format!("{}\n", 2 * n).bytes()));
    }
    bytes.extend(format!("{output}\n").bytes());
    for (n, &(a, b)) in graph.ands.iter().enumerate() {
        let own = 2 * (inputs + n as u64 + 1);
        match is_binary {
            true => {
                number(own - a, &mut bytes);
                number(a - b, &mut bytes);
            }
            false => bytes.extend(format!("{own} {a} {b}\n").bytes()),
        }
    }
    let mut text = String::new();
    for (n, (_, name)) in circuit.inputs.iter().enumerate() {
        let _ = writeln!(text, "i{n} {name}");
    }
    text.push_str("o0 goal\nc\n");
    for line in heading.iter().cloned().chain(circuit.comments(|bit| literal(bit).to_string())) {
        let _ = writeln!(text, "{line}");
    }
    bytes.extend(text.bytes());
    bytes
}

/// Appends a number in the format's encoding: seven bits per byte, the least significant first, the top bit set on all but the last.
fn number(mut n: u64, bytes: &mut Vec<u8>) {
    while n >= 0x80 {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}
