//! What a new difference constraint implies: the pairs of nodes that it brings closer to each other, by two searches for shortest
//! paths from its ends (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)", SAT 2006, section 4).
//!
//! A search ends as soon as no node is left to whom a path by the new edge could be shorter than the paths without it.

use super::potential::{Arc, PotentialGraph, WeightedEdge};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a search knows of a node, in the round of that number.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    round: u64,
    settled: bool,
    /// Whether every shortest path goes by the new edge.
    through: bool,
    /// The length of the shortest path in lengths without negative ones: the slack of each edge under the potential.
    distance: i64,
    /// The neighbour on the path, and the label of the edge to it.
    parent: (u32, u32),
}

/// A search from one end of the new edge, along the edges or against them.
#[derive(Clone, Debug, Default)]
struct EdgeSearch {
    visits: Vec<Visit>,
    round: u64,
    /// The nodes whose shortest path goes by the new edge.
    found: Vec<u32>,
    heap: BinaryHeap<Reverse<(i64, bool, u32)>>,
    steps: u64,
}

impl EdgeSearch {
    /// Makes every node unknown.
    fn forget(&mut self) {
        self.round += 1;
        self.found.clear();
        self.heap.clear();
    }

    /// `slack` is that of an edge between a node and a neighbour of it.
    fn run<'g>(&mut self, start: u32, new: u32, arcs: impl Fn(u32) -> &'g [Arc], slack: impl Fn(u32, &Arc) -> i64) {
        self.forget();
        self.visits[start as usize] = Visit { round: self.round, ..Visit::default() };
        self.heap.push(Reverse((0, false, start)));
        // Nodes in the heap whose best path so far goes by the new edge.
        let mut waiting = 0usize;
        while let Some(Reverse((distance, _, node))) = self.heap.pop() {
            let visit = &mut self.visits[node as usize];
            if visit.settled {
                continue;
            }
            visit.settled = true;
            let through = visit.through;
            if through {
                self.found.push(node);
                waiting -= 1;
            }
            let neighbours = arcs(node);
            self.steps += 1 + neighbours.len() as u64;
            for arc in neighbours {
                let length = distance + slack(node, arc);
                let by_new = through || (node == start && arc.label == new);
                let visit = &mut self.visits[arc.node as usize];
                if visit.round == self.round {
                    let closer = (length, by_new) < (visit.distance, visit.through);
                    if visit.settled || !closer {
                        continue;
                    }
                    waiting -= usize::from(visit.through);
                }
                waiting += usize::from(by_new);
                *visit = Visit {
                    round: self.round,
                    settled: false,
                    through: by_new,
                    distance: length,
                    parent: (node, arc.label),
                };
                self.heap.push(Reverse((length, by_new, arc.node)));
            }
            if waiting == 0 {
                break;
            }
        }
    }

    /// The length of the shortest path to a node, if it goes by the new edge.
    fn distance(&self, node: u32) -> Option<i64> {
        let visit = self.visits[node as usize];
        (visit.round == self.round && visit.settled && visit.through).then_some(visit.distance)
    }

    /// The labels on the path from a node back to the start.
    fn path(&self, start: u32, mut node: u32, labels: &mut Vec<u32>) {
        while node != start {
            let (next, label) = self.visits[node as usize].parent;
            labels.push(label);
            node = next;
        }
    }
}

/// The pairs of nodes between whom the shortest path goes by the newest edge of a graph.
#[derive(Clone, Debug, Default)]
pub struct ShorterPaths {
    forward: EdgeSearch,
    backward: EdgeSearch,
    edge: Option<WeightedEdge>,
    slack: i64,
}

impl ShorterPaths {
    /// For graphs of so many nodes.
    pub fn new(nodes: usize) -> ShorterPaths {
        let search = || EdgeSearch { visits: vec![Visit::default(); nodes], ..EdgeSearch::default() };
        ShorterPaths { forward: search(), backward: search(), ..ShorterPaths::default() }
    }

    /// Searches from both ends of an edge in force, which alone has its label.
    pub fn search(&mut self, graph: &PotentialGraph, edge: WeightedEdge) {
        let value = |node: u32| graph.value(node);
        self.edge = Some(edge);
        self.slack = value(edge.from) + edge.weight - value(edge.to);
        let slack = |node: u32, arc: &Arc| value(node) + arc.weight - value(arc.node);
        self.forward.run(edge.from, edge.label, |n| &graph.outgoing[n as usize], slack);
        if self.forward.found.is_empty() {
            self.backward.forget();
            return;
        }
        let slack = |node: u32, arc: &Arc| value(arc.node) + arc.weight - value(node);
        self.backward.run(edge.to, edge.label, |n| &graph.incoming[n as usize], slack);
    }

    /// The nodes that the new edge brings closer to its source: where paths may end.
    pub fn ends(&self) -> &[u32] {
        &self.forward.found
    }

    /// The nodes that the new edge brings its target closer to: where paths may start.
    pub fn starts(&self) -> &[u32] {
        &self.backward.found
    }

    /// The length of the shortest path by the new edge from one node to another, if it shortened both halves of that path. The
    /// graph has to be as at the search.
    pub fn length(&self, graph: &PotentialGraph, from: u32, to: u32) -> Option<i64> {
        let slack = self.backward.distance(from)? + self.forward.distance(to)? - self.slack;
        Some(slack - graph.value(from) + graph.value(to))
    }

    /// The labels on that path, in no order.
    pub fn path(&self, from: u32, to: u32, labels: &mut Vec<u32>) {
        let Some(edge) = self.edge else { return };
        self.forward.path(edge.from, to, labels);
        let start = labels.len();
        self.backward.path(edge.to, from, labels);
        // Both halves have the new edge.
        if labels[start..].last() == Some(&edge.label) {
            labels.pop();
        }
    }

    /// How many edges were looked at so far, as a measure of time.
    pub fn steps(&self) -> u64 {
        self.forward.steps + self.backward.steps
    }
}
