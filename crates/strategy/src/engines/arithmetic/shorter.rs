//! The consequences of a new difference constraint: the pairs of nodes that it brings closer, found by two searches for shortest
//! paths from its ends (Cotton and Maler, "Fast and flexible difference constraint propagation for DPLL(T)", SAT 2006, section 4).
//!
//! A search ends as soon as no node is left whose path through the new edge could be shorter than paths without it.

use super::potential::{HalfEdge, PotentialGraph, WeightedEdge};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node's state in search round `round`.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    round: u64,
    settled: bool,
    /// Whether every shortest path uses the new edge.
    through: bool,
    /// The length of the shortest path, where an edge's length is its (nonnegative) slack.
    distance: i64,
    /// The neighbour on the path, and the label of the edge to it.
    parent: (u32, u32),
}

/// A search from one end of the new edge, along the edges or against them.
#[derive(Clone, Debug, Default)]
struct EdgeSearch {
    visits: Vec<Visit>,
    round: u64,
    /// The nodes whose shortest path uses the new edge.
    found: Vec<u32>,
    /// Doubled distances, plus one if the path uses the new edge: such paths come last.
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    steps: u64,
}

impl EdgeSearch {
    /// Resets every node.
    fn forget(&mut self) {
        self.round += 1;
        self.found.clear();
        self.heap.clear();
    }

    /// Finds paths up to a length. `slack` returns the slack of a node's edge to a neighbour.
    fn run<'g>(
        &mut self,
        (start, new): (u32, u32),
        most: i64,
        arcs: impl Fn(u32) -> &'g [HalfEdge],
        slack: impl Fn(u32, &HalfEdge) -> i64,
    ) {
        self.forget();
        self.visits[start as usize] = Visit { round: self.round, ..Visit::default() };
        self.heap.push(Reverse((0, start)));
        // The number of nodes in the heap whose best path so far uses the new edge.
        let mut waiting = 0usize;
        while let Some(Reverse((key, node))) = self.heap.pop() {
            let distance = key >> 1;
            if distance > most {
                break;
            }
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
                self.heap.push(Reverse((2 * length + i64::from(by_new), arc.node)));
            }
            if waiting == 0 {
                break;
            }
        }
    }

    /// Returns the length of the shortest path to a node, if it uses the new edge.
    fn distance(&self, node: u32) -> Option<i64> {
        let visit = self.visits[node as usize];
        (visit.round == self.round && visit.settled && visit.through).then_some(visit.distance)
    }

    /// Collects the labels on the path from a node back to the start.
    fn path(&self, start: u32, mut node: u32, labels: &mut Vec<u32>) {
        while node != start {
            let (next, label) = self.visits[node as usize].parent;
            labels.push(label);
            node = next;
        }
    }
}

/// The pairs of nodes whose shortest path uses the newest edge of a graph.
#[derive(Clone, Debug, Default)]
pub struct ShorterPaths {
    forward: EdgeSearch,
    backward: EdgeSearch,
    edge: Option<WeightedEdge>,
    slack: i64,
}

impl ShorterPaths {
    /// Makes it for graphs with the given number of nodes.
    pub fn new(nodes: usize) -> ShorterPaths {
        let search = || EdgeSearch { visits: vec![Visit::default(); nodes], ..EdgeSearch::default() };
        ShorterPaths { forward: search(), backward: search(), ..ShorterPaths::default() }
    }

    /// Searches forward from an active edge with a unique label, for path ends.
    pub fn search_ahead(&mut self, graph: &PotentialGraph, edge: WeightedEdge) {
        let value = |node: u32| graph.value(node);
        self.edge = Some(edge);
        self.slack = value(edge.from) + edge.weight - value(edge.to);
        self.backward.forget();
        let slack = |node: u32, arc: &HalfEdge| value(node) + arc.weight - value(arc.node);
        self.forward.run((edge.from, edge.label), i64::MAX, |n| &graph.outgoing[n as usize], slack);
    }

    /// Searches backward from the edge for path starts whose half has slack at most `room`.
    pub fn search_behind(&mut self, graph: &PotentialGraph, room: i64) {
        let Some(edge) = self.edge else { return };
        let value = |node: u32| graph.value(node);
        let slack = |node: u32, arc: &HalfEdge| value(arc.node) + arc.weight - value(node);
        let most = self.slack.saturating_add(room);
        self.backward.run((edge.to, edge.label), most, |n| &graph.incoming[n as usize], slack);
    }

    /// Returns the nodes that the new edge brings closer to its source.
    pub fn ends(&self) -> &[u32] {
        &self.forward.found
    }

    /// Returns the maximum slack before the new edge at which a path is no longer than an inactive edge; `None` if there is
    /// no such path.
    pub fn room(&self, graph: &PotentialGraph, edge: WeightedEdge) -> Option<i64> {
        let slack = graph.value(edge.from) + edge.weight - graph.value(edge.to);
        let room = slack - self.forward.distance(edge.to)?;
        (room >= 0).then_some(room)
    }

    /// Returns the length of the shortest path through the new edge from one node to another, if both halves were found. The graph must
    /// not have changed since the search.
    pub fn length(&self, graph: &PotentialGraph, from: u32, to: u32) -> Option<i64> {
        let slack = self.backward.distance(from)? + self.forward.distance(to)? - self.slack;
        Some(slack - graph.value(from) + graph.value(to))
    }

    /// Collects the labels on that path, in no order. If there is a shorter path without the new edge, this one may contain a cycle and
    /// repeated labels.
    pub fn path(&self, from: u32, to: u32, labels: &mut Vec<u32>) {
        let Some(edge) = self.edge else { return };
        self.forward.path(edge.from, to, labels);
        let start = labels.len();
        self.backward.path(edge.to, from, labels);
        // Both halves contain the new edge.
        if labels[start..].last() == Some(&edge.label) {
            labels.pop();
        }
    }

    /// Returns the number of edges examined so far, a deterministic measure of time.
    pub fn steps(&self) -> u64 {
        self.forward.steps + self.backward.steps
    }
}
