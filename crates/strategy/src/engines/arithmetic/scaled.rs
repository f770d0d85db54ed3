//! Difference constraints with machine integers as bounds: rationals times a common denominator, and strict bounds as non-strict ones
//! minus an infinitesimal.
//!
//! The infinitesimal is one unit after all bounds were multiplied by one more than the number of nodes: a simple cycle has at most one
//! strict edge per node, so its length has the sign of the exact one, and is negative where only strictness makes it so.

use super::difference::DifferenceBound;
use super::potential::{PotentialGraph, WeightedEdge};
use crate::constraint::LinearConstraint;
use dashu_base::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use semantics::Meter;
use smtlib::{SortId, Store, TermId};

/// Bounds on differences between nodes, by the index of their constraints.
#[derive(Clone, Debug, Default)]
pub struct ScaledDifferences {
    /// The symbols; the one at index `k` is node `k + 1`, and node 0 is the number zero.
    pub symbols: Vec<TermId>,
    /// The edge of each constraint, labelled with the constraint's index.
    pub edges: Vec<WeightedEdge>,
    /// The number of units in one.
    scale: UBig,
}

impl ScaledDifferences {
    /// Scales the constraints, each of which may be negated later; `None` if one is not a difference constraint, integers and reals are
    /// mixed, numbers are too large for 64 bits, or the meter runs out.
    pub fn of<'c>(
        store: &Store,
        constraints: impl Iterator<Item = &'c LinearConstraint>,
        meter: &mut Meter,
    ) -> Option<ScaledDifferences> {
        let mut found = ScaledDifferences::default();
        let mut nodes: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut sort = None;
        let mut bounds = Vec::new();
        for constraint in constraints {
            meter.tick().ok()?;
            let bound = DifferenceBound::of(constraint)?;
            let mut node = |t: Option<TermId>| {
                let Some(t) = t else { return Some(0) };
                if *sort.get_or_insert(store.sort(t)) != store.sort(t) {
                    return None;
                }
                if let Some(&known) = nodes.get(&t) {
                    return Some(known);
                }
                found.symbols.push(t);
                let node = u32::try_from(found.symbols.len()).ok()?;
                nodes.insert(t, node);
                Some(node)
            };
            bounds.push((node(bound.from)?, node(bound.to)?, bound));
        }
        let integral = sort == Some(SortId::INT);
        let units = UBig::from(if integral { 1 } else { found.nodes() as u64 + 1 });
        let mut denominator = UBig::ONE;
        for (_, _, bound) in bounds.iter().filter(|_| !integral) {
            meter.tick().ok()?;
            let other = bound.most.denominator();
            denominator = &denominator / (&denominator).gcd(other) * other;
            u64::try_from(&denominator).ok()?;
        }
        found.scale = denominator * &units;
        for (label, (from, to, bound)) in bounds.into_iter().enumerate() {
            let weight = match integral {
                true => bound.integral(),
                false => {
                    let scaled = &bound.most * RBig::from(IBig::from(found.scale.clone()));
                    scaled.numerator() - IBig::from(u8::from(bound.strict))
                }
            };
            let weight = i64::try_from(&weight).ok()?;
            // The negation's weight is one unit larger.
            if !PotentialGraph::fits(found.nodes(), weight.unsigned_abs().checked_add(1)?) {
                return None;
            }
            found.edges.push(WeightedEdge { from, to, weight, label: u32::try_from(label).ok()? });
        }
        Some(found)
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.symbols.len() + 1
    }

    /// Returns the values of the symbols under a graph's potential.
    pub fn values(&self, graph: &PotentialGraph) -> Vec<(TermId, RBig)> {
        let zero = graph.value(0);
        let value = |node: usize| {
            let units = IBig::from(i128::from(graph.value(node as u32)) - i128::from(zero));
            RBig::from_parts(units, self.scale.clone())
        };
        self.symbols.iter().enumerate().map(|(k, &t)| (t, value(k + 1))).collect()
    }
}
