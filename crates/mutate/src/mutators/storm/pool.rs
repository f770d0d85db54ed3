//! The pools of Algorithm 1: the seed's fragments, and formulas constructed from them, each with its value and its text.

use crate::fragments::{Fragment, Fragments, asserted_depth};
use crate::mutators::storm::config::StormConfig;
use crate::rng::RandomStream;
use smtlib::{Printer, Store};
use std::ops::Range;

/// The size of the cache of rendered formulas, in bytes; a full cache is cleared. Mutants do not depend on it.
const MAX_RENDERED: usize = 1 << 26;

/// How often a constructed formula that is too deep or already there is redrawn before it is skipped.
const MAX_REDRAWS: u32 = 8;

/// A formula of a pool.
#[derive(Clone, Debug)]
struct PoolFormula {
    fragment: Fragment,
    /// The span of its assertion in the rendered text; empty until needed.
    text: Range<usize>,
}

/// The initial and the constructed pool.
#[derive(Clone, Debug)]
pub struct Pools {
    entries: Vec<PoolFormula>,
    initial: usize,
    /// Positions of the false and the true formulas of the initial pool, and the same of the constructed.
    shelves: [Vec<u32>; 4],
    rendered: String,
}

/// Returns the list of positions of formulas of one pool and value.
fn shelf(constructed: bool, value: bool) -> usize {
    2 * usize::from(constructed) + usize::from(value)
}

impl Pools {
    /// Builds the constructed pool (the second phase of Algorithm 1): `count` times AND or NOT, one half each, of operands
    /// from the initial pool with the configured probability, otherwise from those already constructed.
    ///
    /// Invariant: asserting any entry, or its negation if it is false, gives a true assertion no deeper than Dmax.
    pub fn build(store: &mut Store, fragments: &Fragments, config: &StormConfig, rng: &mut RandomStream) -> Pools {
        let initial = fragments.list.len();
        let mut pools = Pools { entries: Vec::new(), initial, shelves: Default::default(), rendered: String::new() };
        let mut present = vec![false; store.len()];
        for &fragment in &fragments.list {
            present[fragment.term.index()] = true;
            pools.put(fragment, false);
        }
        for _ in 0..config.constructed.scaled(initial) {
            for _ in 0..MAX_REDRAWS {
                let Some(fragment) = pools.construct(store, config, rng) else { break };
                present.resize(store.len().max(present.len()), false);
                let known = std::mem::replace(&mut present[fragment.term.index()], true);
                if !known && asserted_depth(store, fragment.term, fragment.value) <= config.max_depth {
                    pools.put(fragment, true);
                    break;
                }
            }
        }
        pools
    }

    fn put(&mut self, fragment: Fragment, constructed: bool) {
        self.shelves[shelf(constructed, fragment.value)].push(self.entries.len() as u32);
        self.entries.push(PoolFormula { fragment, text: 0..0 });
    }

    /// One step: AND or NOT of operands drawn from the pools.
    fn construct(&self, store: &mut Store, config: &StormConfig, rng: &mut RandomStream) -> Option<Fragment> {
        let a = self.entries.get(self.draw(config.initial_operand, rng))?.fragment;
        if rng.coin() {
            return Some(Fragment { term: store.not(a.term), value: !a.value, certified: a.certified });
        }
        let b = self.entries.get(self.draw(config.initial_operand, rng))?.fragment;
        let term = store.and(&[a.term, b.term]);
        let value = a.value && b.value;
        // A conjunction is certainly false if one operand is, whatever the other.
        let refuted = (a.certified && !a.value) || (b.certified && !b.value);
        Some(Fragment { term, value, certified: refuted || (a.certified && b.certified) })
    }

    /// The position of a random formula: from the initial pool `percent` times in a hundred, otherwise a constructed one.
    ///
    /// True and false ones are equally likely, if there are both. Otherwise conjunctions, most of which are false, would
    /// leave hardly any deep formula to assert unnegated.
    pub fn draw(&self, percent: u32, rng: &mut RandomStream) -> usize {
        let (constructed, value) = (!rng.percent(percent), rng.coin());
        let order = [(constructed, value), (constructed, !value), (!constructed, value), (!constructed, !value)];
        let positions = order.iter().map(|&(c, v)| &self.shelves[shelf(c, v)]).find(|s| !s.is_empty());
        positions.and_then(|s| rng.pick(s)).map_or(0, |&p| p as usize)
    }

    /// Returns the formula at a position, with its value.
    pub fn fragment(&self, position: usize) -> Fragment {
        self.entries[position].fragment
    }

    /// Returns the number of formulas, and of the seed's own among them, which come first.
    pub fn sizes(&self) -> (usize, usize) {
        (self.entries.len(), self.initial)
    }

    /// `(assert F)`, or `(assert (not F))` if F is false, with a line end. Rendered on first use.
    pub fn assertion(&mut self, position: usize, printer: &mut Printer<'_>) -> &str {
        if self.entries[position].text.is_empty() {
            self.render(position, printer);
        }
        &self.rendered[self.entries[position].text.clone()]
    }

    fn render(&mut self, position: usize, printer: &mut Printer<'_>) {
        if self.rendered.len() > MAX_RENDERED {
            self.rendered.clear();
            self.entries.iter_mut().for_each(|e| e.text = 0..0);
        }
        let entry = &mut self.entries[position];
        let start = self.rendered.len();
        let Fragment { term, value, .. } = entry.fragment;
        self.rendered.push_str(if value { "(assert " } else { "(assert (not " });
        printer.term(term, &mut self.rendered);
        self.rendered.push_str(if value { ")\n" } else { "))\n" });
        entry.text = start..self.rendered.len();
    }
}
