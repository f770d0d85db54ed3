//! Combinational circuits: an arena of hash-consed gates over inputs, folded as they are made, and the clauses of each kind of gate.
//!
//! Gates are those of an and-inverter graph with three more kinds, exclusive or, multiplexer and majority, because each has a short set
//! of clauses (Eén and Sörensson, "Translating pseudo-Boolean constraints into SAT", section 5).

use hashbrown::HashTable;
use rewrite::Stop;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Not;

/// The number of new gates between two checks of the clock.
const PATIENCE: usize = 8192;

/// The output of a gate, possibly negated: twice the gate's index, plus one for the negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bit(u32);

impl Bit {
    /// The constant one.
    pub const TRUE: Bit = Bit(0);
    /// The constant zero.
    pub const FALSE: Bit = Bit(1);

    /// Returns the constant of a truth value.
    pub fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// Returns the truth value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self == Bit::TRUE)
    }

    /// Returns the index of its gate in its circuit.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the bit is the negation of its gate's output.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn positive(self) -> Bit {
        Bit(self.0 & !1)
    }

    fn negated_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// A gate's function of earlier bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// The constant one, at position 0 only.
    True,
    /// A free bit.
    Input,
    /// Conjunction.
    And(Bit, Bit),
    /// Exclusive or, of bits that are not negated.
    Xor(Bit, Bit),
    /// The second if the first, else the third.
    Ite(Bit, Bit, Bit),
    /// At least two of three: the carry of a full adder.
    Majority(Bit, Bit, Bit),
}

impl Gate {
    /// Returns its operands.
    pub fn operands(self) -> impl Iterator<Item = Bit> {
        let (count, bits) = match self {
            Gate::True | Gate::Input => (0, [Bit::TRUE; 3]),
            Gate::And(a, b) | Gate::Xor(a, b) => (2, [a, b, Bit::TRUE]),
            Gate::Ite(a, b, c) | Gate::Majority(a, b, c) => (3, [a, b, c]),
        };
        bits.into_iter().take(count)
    }
}

/// A circuit.
///
/// Invariant: a gate's operands precede it, so a pass in order of index is bottom-up.
pub struct Gates {
    gates: Vec<Gate>,
    table: HashTable<u32>,
    limit: usize,
    stop: Stop,
    spent: Option<GateLimit>,
}

/// Why a circuit was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GateLimit {
    /// The circuit would exceed the maximum number of gates.
    Gates,
    /// The time is up or the work is cancelled.
    Time,
}

impl Gates {
    /// Makes an empty circuit with a gate limit and a stop condition.
    pub fn new(limit: usize, stop: Stop) -> Gates {
        Gates { gates: vec![Gate::True], table: HashTable::new(), limit, stop, spent: None }
    }

    /// Returns why no more gates are made, if so: every gate requested since then is the constant zero, and everything built with it is
    /// meaningless.
    pub fn spent(&self) -> Option<GateLimit> {
        self.spent
    }

    /// Checks the limit and the clock.
    pub fn check(&mut self) -> Option<GateLimit> {
        if self.spent.is_none() {
            if self.gates.len() >= self.limit {
                self.spent = Some(GateLimit::Gates);
            } else if self.stop.check().is_err() {
                self.spent = Some(GateLimit::Time);
            }
        }
        self.spent
    }

    /// Returns the number of gates, including the constant and the inputs.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether only the constant exists.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// Returns the gate at an index below [`Gates::len`].
    pub fn gate(&self, position: usize) -> Gate {
        self.gates[position]
    }

    /// Adds a free bit.
    pub fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        Bit(((self.gates.len() - 1) as u32) << 1)
    }

    fn make(&mut self, gate: Gate) -> Bit {
        if self.spent.is_some() {
            return Bit::FALSE;
        }
        let hash = FxBuildHasher.hash_one(gate);
        let gates = &self.gates;
        if let Some(&found) = self.table.find(hash, |&i| gates[i as usize] == gate) {
            return Bit(found << 1);
        }
        let position = self.gates.len() as u32;
        self.gates.push(gate);
        let gates = &self.gates;
        self.table.insert_unique(hash, position, |&i| FxBuildHasher.hash_one(gates[i as usize]));
        if self.gates.len().is_multiple_of(PATIENCE) || self.gates.len() >= self.limit {
            self.check();
        }
        Bit(position << 1)
    }

    fn conjuncts(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gates[bit.gate()] {
            Gate::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == b || a == Bit::TRUE {
            return b;
        }
        if b == Bit::TRUE {
            return a;
        }
        if a == !b || a == Bit::FALSE || b == Bit::FALSE {
            return Bit::FALSE;
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some((p, q)) = self.conjuncts(y) else { continue };
            if y.is_negated() {
                // x and not (x and q) is x and not q; x and not (not x and q) is x.
                if x == !p || x == !q {
                    return x;
                }
                if x == p || x == q {
                    return self.and(x, if x == p { !q } else { !p });
                }
            } else {
                if x == p || x == q {
                    return y;
                }
                if x == !p || x == !q {
                    return Bit::FALSE;
                }
            }
        }
        self.make(if a < b { Gate::And(a, b) } else { Gate::And(b, a) })
    }

    /// Disjunction.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negate = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        if a == b {
            return Bit::FALSE.negated_if(negate);
        }
        if a == Bit::TRUE {
            return (!b).negated_if(negate);
        }
        if b == Bit::TRUE {
            return (!a).negated_if(negate);
        }
        self.make(if a < b { Gate::Xor(a, b) } else { Gate::Xor(b, a) }).negated_if(negate)
    }

    /// Whether two bits are the same.
    pub fn same(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// `yes` where `condition` holds, else `no`.
    pub fn ite(&mut self, condition: Bit, yes: Bit, no: Bit) -> Bit {
        if condition.is_negated() {
            return self.ite(!condition, no, yes);
        }
        if condition == Bit::TRUE || yes == no {
            return yes;
        }
        if yes == !no {
            return self.same(condition, yes);
        }
        if yes == Bit::TRUE || yes == condition {
            return self.or(condition, no);
        }
        if yes == Bit::FALSE || yes == !condition {
            return self.and(!condition, no);
        }
        if no == Bit::TRUE || no == !condition {
            return self.or(!condition, yes);
        }
        if no == Bit::FALSE || no == condition {
            return self.and(condition, yes);
        }
        let negate = yes.is_negated();
        self.make(Gate::Ite(condition, yes.negated_if(negate), no.negated_if(negate))).negated_if(negate)
    }

    /// Whether at least two of three hold.
    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        // Sorted, so that a constant comes first and equal or complementary bits are adjacent.
        match a.as_constant() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let negate = a.is_negated();
        self.make(Gate::Majority(a.negated_if(negate), b.negated_if(negate), c.negated_if(negate))).negated_if(negate)
    }

    /// Conjunction of any number of bits, as a balanced tree.
    pub fn all(&mut self, bits: &[Bit]) -> Bit {
        let mut layer = bits.to_vec();
        while layer.len() > 1 {
            for n in 0..layer.len() / 2 {
                layer[n] = self.and(layer[2 * n], layer[2 * n + 1]);
            }
            if layer.len() % 2 == 1 {
                let last = layer.len() - 1;
                layer[last / 2] = layer[last];
            }
            layer.truncate(layer.len().div_ceil(2));
        }
        layer.first().copied().unwrap_or(Bit::TRUE)
    }

    /// Disjunction of any number of bits, as a balanced tree.
    pub fn any(&mut self, bits: &[Bit]) -> Bit {
        let negated: Vec<Bit> = bits.iter().map(|&b| !b).collect();
        !self.all(&negated)
    }
}

/// Passes on the clauses that make the literal `g` the output of a gate whose operands have these literals, in order; an input has none.
pub fn gate_clauses<L: Copy + Not<Output = L>>(gate: Gate, g: L, operands: [L; 3], mut add: impl FnMut(&[L])) {
    let [a, b, c] = operands;
    match gate {
        Gate::Input => {}
        Gate::True => add(&[g]),
        Gate::And(..) => {
            add(&[!g, a]);
            add(&[!g, b]);
            add(&[g, !a, !b]);
        }
        Gate::Xor(..) => {
            add(&[!g, a, b]);
            add(&[!g, !a, !b]);
            add(&[g, !a, b]);
            add(&[g, a, !b]);
        }
        Gate::Ite(..) => {
            let (condition, yes, no) = (a, b, c);
            add(&[!condition, !yes, g]);
            add(&[!condition, yes, !g]);
            add(&[condition, !no, g]);
            add(&[condition, no, !g]);
            // Redundant, but they propagate where the condition is undecided.
            add(&[!yes, !no, g]);
            add(&[yes, no, !g]);
        }
        Gate::Majority(..) => {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                add(&[!x, !y, g]);
                add(&[x, y, !g]);
            }
        }
    }
}
