//! Difference constraints inside the search: every literal of an atom is an edge of a graph, a negative cycle is a conflict, and a
//! literal whose edge is no shorter than a path is implied by the path.

use super::{AtomLiteral, Trail, TrailTheory, literal_of};
use crate::engines::arithmetic::potential::{PotentialGraph, WeightedEdge};
use crate::engines::arithmetic::scaled::ScaledDifferences;
use crate::engines::arithmetic::shorter::ShorterPaths;
use batsat::{Lit, TheoryArg, lbool};
use dashu_ratio::RBig;
use smtlib::TermId;

/// The number of edges between two budget checks.
const PATIENCE: u64 = 1 << 12;

/// The theory of differences for the SAT solver.
pub(in crate::engines::smt) struct DifferenceTheory {
    differences: ScaledDifferences,
    /// The edge of each literal that needs one, by the literal's index. The edge is labelled with that index.
    edges: Vec<Option<WeightedEdge>>,
    /// The edges of literals that end at each node, by node.
    ending: Vec<Vec<WeightedEdge>>,
    graph: PotentialGraph,
    shorter: ShorterPaths,
    /// The edges activated at the last check.
    fresh: Vec<WeightedEdge>,
    /// Buffer for the edges of literals that may be implied.
    candidates: Vec<WeightedEdge>,
    labels: Vec<u32>,
    /// The steps at the last budget check.
    checked: u64,
}

impl DifferenceTheory {
    /// Makes a theory of atoms, with the literal of each at the index of its constraint. Atoms without a literal are left out.
    pub(in crate::engines::smt) fn new(
        differences: ScaledDifferences,
        literals: &[Option<AtomLiteral>],
    ) -> DifferenceTheory {
        let nodes = differences.nodes();
        let mut theory = DifferenceTheory {
            edges: Vec::new(),
            ending: vec![Vec::new(); nodes],
            graph: PotentialGraph::new(nodes),
            shorter: ShorterPaths::new(nodes),
            fresh: Vec::new(),
            candidates: Vec::new(),
            labels: Vec::new(),
            checked: 0,
            differences,
        };
        for (n, atom) in literals.iter().enumerate() {
            let Some([holds, fails]) = atom.map(AtomLiteral::both) else { continue };
            let WeightedEdge { from, to, weight, .. } = theory.differences.edges[n];
            theory.watch(holds, WeightedEdge { from, to, weight, label: holds.0.idx() });
            theory.watch(fails, WeightedEdge { from: to, to: from, weight: -weight - 1, label: fails.0.idx() });
        }
        theory
    }

    fn watch(&mut self, (literal, is_needed): (Lit, bool), edge: WeightedEdge) {
        if is_needed {
            let index = literal.idx() as usize;
            self.edges.resize(self.edges.len().max(index + 1), None);
            self.edges[index] = Some(edge);
        }
        if edge.from != edge.to {
            self.ending[edge.to as usize].push(edge);
        }
    }

    fn heed(&mut self, trail: &mut Trail) -> bool {
        let steps = self.graph.steps() + self.shorter.steps();
        if steps >= self.checked + PATIENCE {
            self.checked = steps;
            trail.heed();
        }
        trail.stopped
    }

    /// Passes the consequences of a new edge to the solver. Returns false if the solver finds a conflict.
    fn imply(&mut self, trail: &mut Trail, acts: &mut TheoryArg, edge: WeightedEdge) -> bool {
        self.shorter.search_ahead(&self.graph, edge);
        self.candidates.clear();
        let mut most = None;
        for &node in self.shorter.ends() {
            for &candidate in &self.ending[node as usize] {
                if acts.value(literal_of(candidate.label).var()) != lbool::UNDEF {
                    continue;
                }
                if let Some(room) = self.shorter.room(&self.graph, candidate) {
                    most = most.max(Some(room));
                    self.candidates.push(candidate);
                }
            }
        }
        let Some(most) = most else { return true };
        self.shorter.search_behind(&self.graph, most);
        for &candidate in &self.candidates {
            let length = self.shorter.length(&self.graph, candidate.from, candidate.to);
            let literal = literal_of(candidate.label);
            // Both literals of an atom are never implied, since that would be a negative cycle.
            if length.is_none_or(|length| length > candidate.weight) || acts.value(literal.var()) != lbool::UNDEF {
                continue;
            }
            self.labels.clear();
            self.shorter.path(candidate.from, candidate.to, &mut self.labels);
            trail.implied.explain(literal, self.labels.iter().map(|&label| literal_of(label)));
            if !acts.propagate(literal) {
                return false;
            }
        }
        true
    }
}

impl TrailTheory for DifferenceTheory {
    // The whole trail is read first, since a conflict makes the search for consequences unnecessary.
    fn check(&mut self, trail: &mut Trail, acts: &mut TheoryArg) {
        self.fresh.clear();
        while !self.heed(trail)
            && let Some(literal) = trail.next(acts)
        {
            let index = literal.idx() as usize;
            let Some(edge) = self.edges.get(index).copied().flatten() else { continue };
            // An implied edge is no shorter than an existing path.
            if trail.implied.contains(literal) {
                continue;
            }
            if let Err(cycle) = self.graph.add(edge) {
                return trail.conflicts.raise(acts, &cycle);
            }
            if edge.from != edge.to {
                self.fresh.push(edge);
            }
        }
        for n in 0..self.fresh.len() {
            if self.heed(trail) || !self.imply(trail, acts, self.fresh[n]) {
                return;
            }
        }
    }

    fn mark(&self) -> usize {
        self.graph.len()
    }

    fn take_back(&mut self, mark: usize) {
        self.graph.truncate(mark);
    }

    fn values(&self) -> Option<Vec<(TermId, RBig)>> {
        Some(self.differences.values(&self.graph))
    }
}
