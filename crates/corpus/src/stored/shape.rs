//! The shape of a seed: a fingerprint without names, literals and widths, and the features that a selection balances.

use crate::seed::Seed;
use rustc_hash::{FxHashSet, FxHasher};
use smtlib::{Command, Kind, SortId, Store, TermId};
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

/// How many arguments of one operator are compared in order. Beyond that only the set of distinct arguments counts: instances of one
/// benchmark family often differ only in the number of conjuncts.
const ORDERED: usize = 3;

/// The shape of a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeedShape {
    /// Equal for seeds that differ only in names, literals, widths and repetitions.
    pub fingerprint: u64,
    /// The features without duplicates: pairs of nested operators with their sorts, and the seed's query modes.
    pub features: Vec<u64>,
    /// The number of distinct terms.
    pub terms: usize,
}

impl SeedShape {
    /// Returns the shape of a seed that was read into its own store.
    pub fn of(seed: &Seed) -> SeedShape {
        let store = &seed.store;
        let mut features = FxHashSet::default();
        // A term's arguments come before the term.
        let mut hashes: Vec<u64> = Vec::with_capacity(store.len());
        for t in (0..store.len()).map(TermId::from_index) {
            hashes.push(hash_of(store, t, &hashes));
            note(store, t, &mut features);
        }
        let mut parts: Vec<u64> = Vec::new();
        for instance in &seed.instances {
            let mut assertions: Vec<u64> = instance.assertions.iter().map(|t| hashes[t.index()]).collect();
            assertions.sort_unstable();
            assertions.dedup();
            parts.push(hashed(&assertions));
        }
        for command in &seed.script.commands {
            let way = match command {
                Command::Push(_) => "push",
                Command::CheckSatAssuming(_) => "assumptions",
                Command::CheckSatUsing(_) => "tactic",
                Command::DefineFun(_) | Command::DefineFunsRec(_) => "definition",
                _ => continue,
            };
            features.insert(hashed(&way));
        }
        features.insert(hashed(&("checks", parts.len().min(ORDERED))));
        features.extend(seed.instances.iter().filter_map(|instance| instance.status).map(|s| hashed(&s.word())));
        parts.dedup();
        let mut features: Vec<u64> = features.into_iter().collect();
        features.sort_unstable();
        SeedShape { fingerprint: hashed(&parts), features, terms: store.len() }
    }
}

fn hash_of(store: &Store, t: TermId, hashes: &[u64]) -> u64 {
    let mut args: Vec<u64> = store.args(t).iter().map(|a| hashes[a.index()]).collect();
    if args.len() > ORDERED {
        args.sort_unstable();
        args.dedup();
    }
    hashed(&(store.kind(t), sort(store, store.sort(t)), args))
}

/// Adds a term's features: its operator over its sort, and over each operator below it.
fn note(store: &Store, t: TermId, features: &mut FxHashSet<u64>) {
    let kind = store.kind(t);
    let is_leaf = |kind: Kind| matches!(kind, Kind::Constant | Kind::Variable);
    if is_leaf(kind) {
        return;
    }
    features.insert(hashed(&(kind, sort(store, store.sort(t)))));
    for (place, &arg) in store.args(t).iter().enumerate() {
        features.insert(hashed(&(kind, place.min(ORDERED), store.kind(arg), sort(store, store.sort(arg)))));
    }
}

/// Returns a sort without its width and elements.
fn sort(store: &Store, sort: SortId) -> u64 {
    hashed(&discriminant(store.sorts.get(sort)))
}

fn hashed(what: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
