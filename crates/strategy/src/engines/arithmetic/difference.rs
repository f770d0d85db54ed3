//! Conjunctions of difference constraints, by shortest paths between all pairs of symbols (Floyd 1962, Warshall 1962).
//!
//! `x - y <= c` is an edge of length `c` from y to x. The constraints can be true together if and only if no cycle is negative. Then the
//! distances from a new node that reaches all others are values that satisfy them.

use super::integer::ArithmeticAnswer;
use super::simplex::Near;
use crate::budget::{Budget, Stopped};
use crate::constraint::{LinearConstraint, LinearRelation};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::{SortId, Store, TermId};

/// The maximum number of symbols: the distance table grows with its square.
pub const MAX_SYMBOLS: usize = 1500;

/// Why constraints are not difference constraints.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DifferenceError {
    /// A constraint has another shape.
    #[error("constraint {0} is not of the form x - y <= c, x <= c or x >= c")]
    Shape(usize),
    /// A disequality, which is not a conjunction of edges.
    #[error("constraint {0} is a disequality; split it first")]
    Disequality(usize),
    /// Integers and reals in one goal.
    #[error("integers and reals are mixed")]
    Mixed,
    /// Too many symbols.
    #[error("more than {MAX_SYMBOLS} symbols")]
    TooLarge,
    /// The budget is spent.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// An edge: the target is at most the source plus the length.
struct Edge {
    from: usize,
    to: usize,
    length: Near,
    position: usize,
}

/// A bound on a difference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DifferenceBound {
    /// The minuend; `None` for zero.
    pub to: Option<TermId>,
    /// The subtrahend; `None` for zero.
    pub from: Option<TermId>,
    /// The bound.
    pub most: RBig,
    /// Whether the bound is strict.
    pub strict: bool,
}

impl DifferenceBound {
    /// Returns a constraint as a bound, if it is one. A constraint without symbols is a bound on zero minus zero.
    pub fn of(constraint: &LinearConstraint) -> Option<DifferenceBound> {
        let strict = match constraint.relation {
            LinearRelation::AtMost => false,
            LinearRelation::Below => true,
            LinearRelation::Equal | LinearRelation::Distinct => return None,
        };
        // factor * (to - from) + constant is at most zero.
        let (to, from, factor) = match constraint.form.summands.as_slice() {
            [] => (None, None, RBig::ONE),
            [(x, c)] if *c > RBig::ZERO => (Some(*x), None, c.clone()),
            [(x, c)] => (None, Some(*x), -c.clone()),
            [(x, c), (y, d)] if *c == -d.clone() => {
                if *c > RBig::ZERO {
                    (Some(*x), Some(*y), c.clone())
                } else {
                    (Some(*y), Some(*x), d.clone())
                }
            }
            _ => return None,
        };
        Some(DifferenceBound { to, from, most: -(&constraint.form.constant / &factor), strict })
    }

    /// Returns the greatest integer that the difference may be.
    pub fn integral(&self) -> IBig {
        if self.strict { self.most.ceil() - IBig::ONE } else { self.most.floor() }
    }
}

/// Decides whether difference constraints can be true together.
/// Errors: [`DifferenceError`] if a constraint is not a difference constraint, or the budget is spent.
pub fn decide(
    store: &Store,
    constraints: &[LinearConstraint],
    budget: &Budget,
) -> Result<ArithmeticAnswer, DifferenceError> {
    let mut graph = DifferenceGraph::default();
    for (position, constraint) in constraints.iter().enumerate() {
        match (constraint.form.summands.is_empty(), constraint.relation) {
            (true, relation) => {
                let constant = &constraint.form.constant;
                let holds = match relation {
                    LinearRelation::AtMost => *constant <= RBig::ZERO,
                    LinearRelation::Below => *constant < RBig::ZERO,
                    LinearRelation::Equal => *constant == RBig::ZERO,
                    LinearRelation::Distinct => *constant != RBig::ZERO,
                };
                if !holds {
                    return Ok(ArithmeticAnswer::Unsat(vec![position]));
                }
            }
            (_, LinearRelation::Distinct) => return Err(DifferenceError::Disequality(position)),
            (_, LinearRelation::Equal) => {
                for turned in [RBig::ONE, RBig::NEG_ONE] {
                    let form = constraint.form.times(&turned);
                    graph.add(store, &LinearConstraint { form, relation: LinearRelation::AtMost }, position)?;
                }
            }
            _ => graph.add(store, constraint, position)?,
        }
    }
    graph.solve(budget)
}

#[derive(Default)]
struct DifferenceGraph {
    nodes: FxHashMap<TermId, usize>,
    symbols: Vec<TermId>,
    edges: Vec<Edge>,
    integers: Option<bool>,
}

/// The node of the number zero.
const ZERO: usize = 0;

impl DifferenceGraph {
    fn node(&mut self, store: &Store, t: TermId) -> Result<usize, DifferenceError> {
        let integer = store.sort(t) == SortId::INT;
        if *self.integers.get_or_insert(integer) != integer {
            return Err(DifferenceError::Mixed);
        }
        if let Some(&node) = self.nodes.get(&t) {
            return Ok(node);
        }
        self.symbols.push(t);
        if self.symbols.len() > MAX_SYMBOLS {
            return Err(DifferenceError::TooLarge);
        }
        self.nodes.insert(t, self.symbols.len());
        Ok(self.symbols.len())
    }

    fn add(&mut self, store: &Store, constraint: &LinearConstraint, position: usize) -> Result<(), DifferenceError> {
        let bound = DifferenceBound::of(constraint).ok_or(DifferenceError::Shape(position))?;
        let mut node = |t: Option<TermId>| t.map_or(Ok(ZERO), |t| self.node(store, t));
        let (to, from) = (node(bound.to)?, node(bound.from)?);
        let length = match (self.integers == Some(true), bound.strict) {
            (true, _) => Near::exactly(RBig::from(bound.integral())),
            (false, true) => Near { real: bound.most, tiny: RBig::NEG_ONE },
            (false, false) => Near::exactly(bound.most),
        };
        self.edges.push(Edge { from, to, length, position });
        Ok(())
    }

    fn solve(&self, budget: &Budget) -> Result<ArithmeticAnswer, DifferenceError> {
        let n = self.symbols.len() + 1;
        // Distance, and the last edge of a shortest path.
        let mut table: Vec<Option<(Near, usize)>> = vec![None; n * n];
        for (number, edge) in self.edges.iter().enumerate() {
            if edge.from == edge.to {
                if edge.length < Near::default() {
                    return Ok(ArithmeticAnswer::Unsat(vec![edge.position]));
                }
                continue;
            }
            let slot = &mut table[edge.from * n + edge.to];
            if slot.as_ref().is_none_or(|(known, _)| edge.length < *known) {
                *slot = Some((edge.length.clone(), number));
            }
        }
        for via in 0..n {
            budget.check().map_err(DifferenceError::Stopped)?;
            for from in 0..n {
                let Some((first, _)) = table[from * n + via].clone() else { continue };
                for to in 0..n {
                    let Some((second, last)) = &table[via * n + to] else { continue };
                    let sum = Near { real: &first.real + &second.real, tiny: &first.tiny + &second.tiny };
                    let last = *last;
                    if from == to {
                        if sum < Near::default() {
                            return Ok(ArithmeticAnswer::Unsat(self.cycle(&table, n, from, via)));
                        }
                        continue;
                    }
                    let slot = &mut table[from * n + to];
                    if slot.as_ref().is_none_or(|(known, _)| sum < *known) {
                        *slot = Some((sum, last));
                    }
                }
            }
        }
        Ok(ArithmeticAnswer::Sat(self.values(&table, n)))
    }

    /// Returns the constraints on the shortest paths from one node to another and back.
    fn cycle(&self, table: &[Option<(Near, usize)>], n: usize, from: usize, via: usize) -> Vec<usize> {
        let mut positions = Vec::new();
        for (start, end) in [(from, via), (via, from)] {
            let mut at = end;
            // A shortest path repeats no node as long as no negative cycle was found before.
            for _ in 0..n {
                if at == start {
                    break;
                }
                let Some((_, last)) = &table[start * n + at] else { break };
                let edge = &self.edges[*last];
                positions.push(edge.position);
                at = edge.from;
            }
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Returns values from the distances to every node from a new node with edges of length zero, shifted so that zero is zero.
    fn values(&self, table: &[Option<(Near, usize)>], n: usize) -> Vec<(TermId, RBig)> {
        let potential = |to: usize| {
            let incoming = (0..n).filter_map(|from| table[from * n + to].as_ref().map(|entry| &entry.0));
            incoming.min().filter(|d| **d < Near::default()).cloned().unwrap_or_default()
        };
        let potentials: Vec<Near> = (0..n).map(potential).collect();
        let mut tiny = RBig::ONE;
        for edge in &self.edges {
            // p(to) - p(from) <= length must still hold with a number for the infinitesimal.
            let (to, from) = (&potentials[edge.to], &potentials[edge.from]);
            let (real, own) = (&to.real - &from.real, &to.tiny - &from.tiny);
            if real < edge.length.real && own > edge.length.tiny {
                tiny = tiny.min((&edge.length.real - real) / (own - &edge.length.tiny));
            }
        }
        let value = |node: usize| &potentials[node].real + &potentials[node].tiny * &tiny;
        let zero = value(ZERO);
        self.symbols.iter().enumerate().map(|(k, &t)| (t, value(k + 1) - &zero)).collect()
    }
}
