//! Incremental difference constraints: a potential that satisfies those added so far, repaired for every new one, or the negative cycle
//! that it closes (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)", SAT 2006, section 3).
//!
//! Removing constraints needs no work on the potential: it satisfies fewer of them as well.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A difference constraint: the value at `to` is at most that at `from` plus the weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WeightedEdge {
    /// The index of the bounding node.
    pub from: u32,
    /// The index of the bounded node.
    pub to: u32,
    /// The bound; [`PotentialGraph::fits`] says which are allowed.
    pub weight: i64,
    /// The label of its constraint; cycles and paths are lists of labels.
    pub label: u32,
}

/// An edge from the view of one end: the other end, the weight and the label.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfEdge {
    pub(super) node: u32,
    pub(super) weight: i64,
    pub(super) label: u32,
}

/// The active edges, and a potential that satisfies them.
///
/// Invariant: the absolute values of potentials are at most four times [`LIMIT`], so no sum of two of them and a path overflows.
#[derive(Clone, Debug, Default)]
pub struct PotentialGraph {
    edges: Vec<WeightedEdge>,
    pub(super) outgoing: Vec<Vec<HalfEdge>>,
    pub(super) incoming: Vec<Vec<HalfEdge>>,
    pub(super) potential: Vec<i64>,
    least: i64,
    /// How far below its potential a node must go; zero once it is there.
    lowering: Vec<i64>,
    /// The node and the label of the edge that requires it.
    cause: Vec<(u32, u32)>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    /// The nodes that the last edge lowered, with their previous potentials.
    lowered: Vec<(u32, i64)>,
    touched: Vec<u32>,
    steps: u64,
}

/// The bound on the absolute value of a path's length, and the maximum of potentials before they are recomputed.
pub const LIMIT: i64 = 1 << 58;

impl PotentialGraph {
    /// Makes a graph with the given number of nodes, without edges.
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

    /// Whether edges with weights up to this absolute value are allowed among this many nodes: then no acyclic path is longer than
    /// [`LIMIT`].
    pub fn fits(nodes: usize, weight: u64) -> bool {
        u64::try_from(nodes)
            .ok()
            .and_then(|n| n.checked_mul(weight))
            .is_some_and(|length| length <= LIMIT.unsigned_abs())
    }

    /// Returns the number of active edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether no edge is active.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Returns the value of a node. The values of all nodes satisfy the active edges.
    pub fn value(&self, node: u32) -> i64 {
        self.potential[node as usize]
    }

    /// Returns the number of edges examined so far, a deterministic measure of time.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Removes all active edges but the first `edges`.
    pub fn truncate(&mut self, edges: usize) {
        for edge in self.edges.drain(edges.min(self.edges.len())..).rev() {
            self.outgoing[edge.from as usize].pop();
            self.incoming[edge.to as usize].pop();
        }
    }

    /// Adds an edge that [fits](PotentialGraph::fits).
    /// Errors: the labels of a negative cycle that the edge closes, its own label first. The edge is not active then.
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

    /// Lowers potentials until the new edge holds as well, each node once, those that must go furthest first.
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
            // A node lowered already is finished.
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

    /// Returns the labels of the new edge and of the path from its target back to its source.
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

    /// Recomputes potentials as distances from a node that reaches all others by zero: old ones may have decreased without bound, since
    /// removing edges keeps them.
    fn renew(&mut self) {
        self.potential.fill(0);
        let mut waiting: Vec<u32> = (0..self.potential.len() as u32).collect();
        let mut next = Vec::new();
        // Terminates, since the active edges have no negative cycle.
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
