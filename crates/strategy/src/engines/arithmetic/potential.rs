//! Difference constraints one after the other: a potential that satisfies those added so far, mended at every new one, or the
//! negative cycle that it closes (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)", SAT 2006,
//! section 3).
//!
//! Taking constraints back needs no work on the potential: it satisfies fewer of them as well.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A difference constraint: the value at `to` is at most that at `from` plus the weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WeightedEdge {
    /// The position of the node that bounds.
    pub from: u32,
    /// The position of the node that is bounded.
    pub to: u32,
    /// The bound; [`PotentialGraph::fits`] says which are allowed.
    pub weight: i64,
    /// Whose constraint it is; cycles and paths are told by labels.
    pub label: u32,
}

/// An edge as one of its ends keeps it: the other end, the weight and the label.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfEdge {
    pub(super) node: u32,
    pub(super) weight: i64,
    pub(super) label: u32,
}

/// The edges in force, and a potential that satisfies them.
///
/// Invariant: the absolute values of potentials are at most four times [`LIMIT`], so that no sum of two of them and a path
/// overflows.
#[derive(Clone, Debug, Default)]
pub struct PotentialGraph {
    edges: Vec<WeightedEdge>,
    pub(super) outgoing: Vec<Vec<HalfEdge>>,
    pub(super) incoming: Vec<Vec<HalfEdge>>,
    pub(super) potential: Vec<i64>,
    least: i64,
    /// How far below its potential a node has to go; zero once it is there.
    lowering: Vec<i64>,
    /// The node and the label of the edge that says so.
    cause: Vec<(u32, u32)>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    /// The nodes that the last edge lowered, with their potentials before.
    lowered: Vec<(u32, i64)>,
    touched: Vec<u32>,
    steps: u64,
}

/// The bound on the absolute value of a path's length, and what potentials may come to before they are made anew.
pub const LIMIT: i64 = 1 << 58;

impl PotentialGraph {
    /// A graph of so many nodes, without edges.
    pub fn new(nodes: usize) -> PotentialGraph {
        PotentialGraph {
            outgoing: vec![Vec::new(); nodes],
            incoming: vec![Vec::new(); nodes],
            potential: vec![0; nodes],
            lowering: vec![0; nodes],
            cause: vec![(0, 0); nodes],
            ..PotentialGraph::default()
        }
    }

    /// Whether edges of weights up to this absolute value may be among so many nodes: no path without a cycle is longer than
    /// [`LIMIT`] then.
    pub fn fits(nodes: usize, weight: u64) -> bool {
        u64::try_from(nodes)
            .ok()
            .and_then(|n| n.checked_mul(weight))
            .is_some_and(|length| length <= LIMIT.unsigned_abs())
    }

    /// How many edges are in force.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The value of a node: with these, all edges in force hold.
    pub fn value(&self, node: u32) -> i64 {
        self.potential[node as usize]
    }

    /// How many edges were looked at so far, as a measure of time.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes back all but the first edges in force.
    pub fn truncate(&mut self, edges: usize) {
        for edge in self.edges.drain(edges.min(self.edges.len())..).rev() {
            self.outgoing[edge.from as usize].pop();
            self.incoming[edge.to as usize].pop();
        }
    }

    /// Adds an edge that [fits](PotentialGraph::fits).
    ///
    /// # Errors
    /// The labels of a negative cycle that it closes, itself the first; it is not in force then.
    pub fn add(&mut self, edge: WeightedEdge) -> Result<(), Vec<u32>> {
        if edge.from == edge.to {
            return if edge.weight < 0 { Err(vec![edge.label]) } else { Ok(()) };
        }
        if self.least < -LIMIT {
            self.renew();
        }
        let cycle = self.lower(edge);
        for node in self.touched.drain(..) {
            self.lowering[node as usize] = 0;
        }
        self.heap.clear();
        if let Some(cycle) = cycle {
            for (node, before) in self.lowered.drain(..) {
                self.potential[node as usize] = before;
            }
            return Err(cycle);
        }
        for (node, _) in self.lowered.drain(..) {
            self.least = self.least.min(self.potential[node as usize]);
        }
        self.edges.push(edge);
        self.outgoing[edge.from as usize].push(HalfEdge { node: edge.to, weight: edge.weight, label: edge.label });
        self.incoming[edge.to as usize].push(HalfEdge { node: edge.from, weight: edge.weight, label: edge.label });
        Ok(())
    }

    /// Lowers potentials until the new edge holds as well, each node once, those that have to go furthest first.
    fn lower(&mut self, edge: WeightedEdge) -> Option<Vec<u32>> {
        let (from, to) = (edge.from as usize, edge.to as usize);
        let gap = self.potential[from] + edge.weight - self.potential[to];
        if gap >= 0 {
            return None;
        }
        self.lowering[to] = gap;
        self.touched.push(edge.to);
        self.heap.push(Reverse((gap, edge.to)));
        while let Some(Reverse((gap, node))) = self.heap.pop() {
            let n = node as usize;
            // A node lowered already has nothing left to do.
            if gap != self.lowering[n] {
                continue;
            }
            self.lowered.push((node, self.potential[n]));
            self.potential[n] += gap;
            self.lowering[n] = 0;
            let value = self.potential[n];
            self.steps += 1 + self.outgoing[n].len() as u64;
            for arc in &self.outgoing[n] {
                let t = arc.node as usize;
                let gap = value + arc.weight - self.potential[t];
                if gap >= self.lowering[t] {
                    continue;
                }
                self.lowering[t] = gap;
                self.cause[t] = (node, arc.label);
                self.touched.push(arc.node);
                if t == from {
                    return Some(self.cycle(edge));
                }
                self.heap.push(Reverse((gap, arc.node)));
            }
        }
        None
    }

    /// The labels of the new edge and of the path from its target back to its source.
    fn cycle(&self, edge: WeightedEdge) -> Vec<u32> {
        let mut labels = vec![edge.label];
        let mut at = edge.from;
        while at != edge.to {
            let (before, label) = self.cause[at as usize];
            labels.push(label);
            at = before;
        }
        labels
    }

    /// Potentials made anew as distances from a node that reaches all others by zero: those of long ago may have gone down
    /// without bound, since taking edges back leaves them.
    fn renew(&mut self) {
        self.potential.fill(0);
        let mut waiting: Vec<u32> = (0..self.potential.len() as u32).collect();
        let mut next = Vec::new();
        // Ends, since the edges in force have no negative cycle.
        while !waiting.is_empty() {
            for node in waiting.drain(..) {
                let value = self.potential[node as usize];
                self.steps += 1 + self.outgoing[node as usize].len() as u64;
                for arc in &self.outgoing[node as usize] {
                    let target = &mut self.potential[arc.node as usize];
                    if value + arc.weight < *target {
                        *target = value + arc.weight;
                        next.push(arc.node);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut waiting, &mut next);
        }
        self.least = self.potential.iter().copied().min().unwrap_or(0);
    }
}
