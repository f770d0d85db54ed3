//! The graph of differences, each edge compared with shortest paths between all pairs.

use dashu_int::IBig;
use dashu_ratio::RBig;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::FreshSymbols;
use smtlib::{SortId, Store, TermId};
use std::collections::BTreeSet;
use strategy::Budget;
use strategy::engines::arithmetic::potential::{LIMIT, PotentialGraph, WeightedEdge};
use strategy::engines::arithmetic::shorter::ShorterPaths;
use strategy::engines::arithmetic::{ArithmeticAnswer, LinearConstraint, LinearForm, LinearRelation, difference};

/// Edges as constraints of symbols, for the judge, which does not use incremental graphs.
struct Judge {
    store: Store,
    symbols: Vec<TermId>,
}

impl Judge {
    fn new(nodes: usize) -> Judge {
        let mut store = Store::new();
        let mut fresh = FreshSymbols::new("node");
        let symbols = (0..nodes).map(|_| fresh.constant(&mut store, SortId::INT).1).collect();
        Judge { store, symbols }
    }

    fn is_unsat(&self, edges: &[WeightedEdge]) -> bool {
        let constraint = |edge: &WeightedEdge| {
            let of = |node: u32, factor: RBig| LinearForm {
                summands: vec![(self.symbols[node as usize], factor)],
                constant: RBig::ZERO,
            };
            let mut form = of(edge.to, RBig::ONE).plus(&RBig::ONE, &of(edge.from, RBig::NEG_ONE));
            form.constant = RBig::from(-IBig::from(edge.weight));
            LinearConstraint { form, relation: LinearRelation::AtMost }
        };
        let constraints: Vec<LinearConstraint> = edges.iter().map(constraint).collect();
        match difference::decide(&self.store, &constraints, &Budget::default()).unwrap() {
            ArithmeticAnswer::Sat(_) => false,
            ArithmeticAnswer::Unsat(_) => true,
            ArithmeticAnswer::Unknown(why) => panic!("{why}"),
        }
    }
}

/// Distances between all pairs of nodes.
fn distances(nodes: usize, edges: &[WeightedEdge]) -> Vec<Vec<Option<i64>>> {
    let mut table = vec![vec![None; nodes]; nodes];
    for (n, row) in table.iter_mut().enumerate() {
        row[n] = Some(0);
    }
    let shorter = |old: Option<i64>, new: i64| Some(old.map_or(new, |old| old.min(new)));
    for edge in edges {
        let slot = &mut table[edge.from as usize][edge.to as usize];
        *slot = shorter(*slot, edge.weight);
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                if let (Some(a), Some(b)) = (table[from][via], table[via][to]) {
                    table[from][to] = shorter(table[from][to], a + b);
                }
            }
        }
    }
    table
}

fn labelled(edges: &[WeightedEdge], labels: &[u32]) -> Vec<WeightedEdge> {
    let wanted: BTreeSet<u32> = labels.iter().copied().collect();
    edges.iter().copied().filter(|edge| wanted.contains(&edge.label)).collect()
}

/// Every pair that an edge brings closer is found, at its new distance, and with a path that alone implies it.
fn compare_paths(
    judge: &Judge,
    graph: &PotentialGraph,
    paths: &mut ShorterPaths,
    before: &[WeightedEdge],
    after: &[WeightedEdge],
) {
    let edge = *after.last().unwrap();
    let nodes = judge.symbols.len();
    paths.search_ahead(graph, edge);
    paths.search_behind(graph, i64::MAX);
    let (old, new) = (distances(nodes, before), distances(nodes, after));
    for from in 0..nodes as u32 {
        for to in (0..nodes as u32).filter(|&to| to != from) {
            let (old, new) = (old[from as usize][to as usize], new[from as usize][to as usize]);
            let found = paths.length(graph, from, to);
            if new != old {
                assert_eq!(found, new, "from {from} to {to} by {edge:?} among {after:?}");
                assert!(paths.ends().contains(&to));
            }
            let Some(length) = found else { continue };
            assert!(new.is_some_and(|new| new <= length));
            let candidate = WeightedEdge { from, to, weight: length, label: u32::MAX };
            assert!(paths.room(graph, candidate).is_some());
            let mut labels = Vec::new();
            paths.path(from, to, &mut labels);
            let mut conflict = labelled(after, &labels);
            assert!(!judge.is_unsat(&conflict));
            conflict.push(WeightedEdge { from: to, to: from, weight: -length - 1, label: u32::MAX });
            assert!(judge.is_unsat(&conflict), "{conflict:?}");
        }
    }
}

#[test]
fn edges_are_taken_in_and_back_as_floyd_and_warshall_say() {
    for seed in 0..testing::amount("SQUALL_GRAPHS", 60u64) {
        let mut rng = Rng::seed_from_u64(seed);
        let nodes = rng.random_range(2..9usize);
        let judge = Judge::new(nodes);
        let (mut graph, mut paths) = (PotentialGraph::new(nodes), ShorterPaths::new(nodes));
        let mut edges: Vec<WeightedEdge> = Vec::new();
        for label in 0..60u32 {
            if rng.random_range(0..8u32) == 0 {
                let steps = graph.steps();
                edges.truncate(rng.random_range(0..=edges.len()));
                graph.truncate(edges.len());
                assert_eq!(graph.steps(), steps, "taking back needs no look at an edge");
            }
            let node = |rng: &mut Rng| rng.random_range(0..nodes as u32);
            let (from, to) = (node(&mut rng), node(&mut rng));
            let edge = WeightedEdge { from, to, weight: rng.random_range(-6..12), label };
            let before = edges.clone();
            let with: Vec<WeightedEdge> = edges.iter().copied().chain([edge]).collect();
            match graph.add(edge) {
                Ok(()) => {
                    assert!(!judge.is_unsat(&with), "{with:?}");
                    if from != to {
                        edges = with;
                        compare_paths(&judge, &graph, &mut paths, &before, &edges);
                    }
                }
                Err(cycle) => {
                    assert_eq!(cycle[0], label);
                    assert_eq!(cycle.iter().collect::<BTreeSet<_>>().len(), cycle.len(), "{cycle:?} has a label twice");
                    assert!(judge.is_unsat(&labelled(&with, &cycle)), "{cycle:?} of {with:?}");
                }
            }
            assert_eq!(graph.len(), edges.len());
            for edge in &edges {
                assert!(graph.value(edge.to) <= graph.value(edge.from) + edge.weight, "{edge:?} of {edges:?}");
            }
        }
    }
}

/// Two nodes chase each other downwards, since removed edges leave the potential unchanged.
#[test]
fn potentials_are_made_anew_before_they_overflow() {
    let weight = LIMIT / 4;
    let mut graph = PotentialGraph::new(3);
    for round in 0..200u32 {
        let (from, to) = (round % 2, 1 - round % 2);
        assert_eq!(graph.add(WeightedEdge { from, to, weight: -weight, label: 0 }), Ok(()));
        assert!(graph.value(to) <= graph.value(from) - weight);
        assert!((0..3).all(|node| graph.value(node).abs() <= 4 * LIMIT));
        graph.truncate(0);
    }
}

#[test]
fn only_weights_whose_sums_have_room_fit() {
    assert!(PotentialGraph::fits(1 << 20, 1 << 38));
    assert!(!PotentialGraph::fits(1 << 20, (1 << 38) + 1));
    assert!(!PotentialGraph::fits(2, u64::MAX));
    assert!(PotentialGraph::fits(0, u64::MAX));
}
