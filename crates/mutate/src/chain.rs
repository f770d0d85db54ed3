//! Chains: the mutant of one mutator is the seed of the next, as in `fusion>operator>storm`.
//!
//! Invariant: the last mutator determines a mutant's truth. It starts from the text of the previous mutant, parsed again,
//! and from its witness, if any, as an assignment like any other; so no claim of earlier mutators is trusted.
//!
//! If an earlier mutator makes small worlds ([`MutatorEntry::makes_small_worlds`]), uncertified mutants of the last one are
//! decided by exhaustion on the sent text, parsed again. If that decides every check, the mutant is certified, both ways; a
//! witness is given for a single satisfiable check. Otherwise it stays unchanged. So here, too, only the text is trusted.

use crate::mutator::GivenModel;
use crate::mutator::{Batch, Mutant, MutantRequest, Mutator, MutatorEntry, Parent, TargetSpelling, Unfit};
use crate::rng::Unit;
use crate::small_world::{LIMITS, decide_text, expected, witness};
use finding::Trust;
use semantics::Model;
use smtlib::{Status, Store};
use std::sync::Arc;

/// The entry of chains; the mutators in them have their own parameters.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "chain",
    about: "passes the mutants of one mutator to the next, as in fusion>operator>storm",
    truth: "that of the last mutator; after one that makes small worlds, by exhaustion too",
    parents: 1,
    makes_small_worlds: false,
    share: 0,
    parameters: Vec::new,
    // A chain needs mutators, not only settings.
    build: |_| Ok(Box::new(Chain::new("", Vec::new()))),
};

/// How many mutants the last mutator makes from one that it gets: preparing costs more than making them.
const PER_ROUND: u64 = 20;

/// Mutators in a row.
#[derive(Clone)]
pub struct Chain {
    name: String,
    links: Arc<[Box<dyn Mutator>]>,
}

impl Chain {
    /// Makes a chain of mutators. One that takes two seeds and is not the first takes two mutants of its predecessor.
    pub fn new(name: &str, links: Vec<Box<dyn Mutator>>) -> Chain {
        Chain { name: name.to_string(), links: links.into() }
    }
}

impl Mutator for Chain {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn parents(&self) -> usize {
        self.links.first().map_or(1, |first| first.parents())
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        let first = self.links.first().ok_or(Unfit::Nothing("the chain has no mutator"))?;
        let first = first.prepare_any(store, request)?;
        Ok(Box::new(ChainBatch { chain: self.clone(), target: request.target, unit: request.unit, first, round: None }))
    }
}

/// One mutant with its truth and witnesses.
struct ChainMutant {
    mutant: Mutant,
    /// The witness of all checks, and of each.
    witness: Option<Arc<Model>>,
    check_witnesses: Vec<Option<Arc<Model>>>,
    /// The names and ranks of each witness's symbols in its original store.
    witness_symbols: Vec<Option<Vec<String>>>,
    parameters: Vec<(&'static str, String)>,
}

impl ChainMutant {
    /// Whether the witness of a check means the same in another store. Each generated mutant has its own symbols, whose numbers may
    /// denote others in another store.
    fn is_witness_of(&self, store: &Store, check: usize) -> bool {
        let model = self.check_witnesses.get(check).and_then(Option::as_ref);
        let symbols = self.witness_symbols.get(check).and_then(Option::as_ref);
        model.zip(symbols).is_some_and(|(model, symbols)| witness_symbols(store, model).as_ref() == Some(symbols))
    }

    /// Drops the witnesses that mean something else in a store: the last mutator may have skipped mutants of several stores.
    fn keep_witnesses_of(&mut self, store: &Store) {
        for check in 0..self.check_witnesses.len() {
            if !self.is_witness_of(store, check) {
                self.check_witnesses[check] = None;
                self.witness = None;
            }
        }
    }
}

/// The mutants derived from one mutant of the first mutator.
struct ChainRound {
    number: u64,
    store: Store,
    made: Vec<ChainMutant>,
    /// Skipped mutators that found nothing to change in the mutant.
    passed_over: Vec<&'static str>,
    failure: Option<String>,
}

/// The mutants of a chain.
struct ChainBatch<'s> {
    chain: Chain,
    target: &'s TargetSpelling,
    unit: Unit,
    first: Box<dyn Batch + 's>,
    round: Option<ChainRound>,
}

/// Returns the mutants from an index on, `count` of them.
fn make(batch: &mut dyn Batch, from: u64, count: u64) -> Vec<ChainMutant> {
    let mut made = Vec::with_capacity(count as usize);
    for index in from..from + count {
        let mut mutant = Mutant::default();
        batch.mutant(index, &mut mutant);
        let (witness, parameters) = (batch.witness(index), batch.parameters(index));
        let check_witnesses: Vec<Option<Arc<Model>>> =
            (0..mutant.expected.len()).map(|check| batch.check_witness(index, check)).collect();
        let symbols = |model: &Option<Arc<Model>>| witness_symbols(batch.store(), model.as_ref()?);
        let witness_symbols = check_witnesses.iter().map(symbols).collect();
        made.push(ChainMutant { mutant, witness, check_witnesses, witness_symbols, parameters });
    }
    made
}

/// Returns the names and ranks of a model's symbols, in order; `None` if the store lacks one.
fn witness_symbols(store: &Store, model: &Model) -> Option<Vec<String>> {
    let universes = model.universes();
    if universes.iter().any(|(sort, _)| sort.index() >= store.sorts.len()) {
        return None;
    }
    let mut found: Vec<String> = universes.iter().map(|&(sort, _)| store.sort_text(sort)).collect();
    for f in model.symbols() {
        if f.index() >= store.func_count() {
            return None;
        }
        let func = store.func(f);
        let sorts: Vec<String> = func.params.iter().chain([&func.result]).map(|&s| store.sort_text(s)).collect();
        found.push(format!("{} {}", store.name(func.name), sorts.join(" ")));
    }
    Some(found)
}

/// Decides the checks of an uncertified mutant by exhaustion. Its text is read into `store`, to which the witness then belongs.
fn certify(store: &mut Store, made: &mut ChainMutant) {
    if made.mutant.truth == Some(Trust::Certified) {
        return;
    }
    let checks = made.mutant.expected.len();
    let Some(truths) = decide_text(store, &made.mutant.text, checks, &LIMITS) else { return };
    made.witness = witness(&truths);
    made.check_witnesses = vec![made.witness.clone(); checks];
    made.witness_symbols = vec![made.witness.as_ref().and_then(|model| witness_symbols(store, model)); checks];
    made.mutant.expected = truths.iter().map(expected).collect();
    made.mutant.truth = Some(Trust::Certified);
}

/// Returns a mutant as a parent; its terms are added to `store`. `None` if it has no check.
fn parent(store: &mut Store, made: &ChainMutant) -> Option<Parent> {
    let script = smtlib::parse(store, &made.mutant.text).script;
    let instances = script.instances();
    // The last check sees most assertions.
    let check = instances.iter().rposition(|instance| !instance.assertions.is_empty() && !instance.incomplete)?;
    let mut instance = instances.into_iter().nth(check)?;
    instance.status = made.mutant.expected.get(check).copied().filter(|expected| *expected != Status::Unknown);
    let witness = made.check_witnesses.get(check).cloned().flatten().filter(|_| made.is_witness_of(store, check));
    let given = witness.map_or(GivenModel::Nothing, GivenModel::Assignment);
    Some(Parent { instance, given })
}

impl ChainBatch<'_> {
    /// Returns the mutant of an index, given its round.
    fn at(&mut self, index: u64) -> (&ChainRound, &ChainMutant) {
        let number = index / PER_ROUND;
        let round = match self.round.take() {
            Some(round) if round.number == number => round,
            _ => self.make_round(number),
        };
        let round = self.round.insert(round);
        // One that the last mutator skipped comes alone.
        let made = &round.made[(index % PER_ROUND) as usize % round.made.len()];
        (round, made)
    }

    fn make_round(&mut self, number: u64) -> ChainRound {
        let links = &self.chain.links;
        // The number of mutants needed from a link: the next one's number of seeds.
        let wanted = |n: usize| links.get(n + 1).map_or(PER_ROUND, |next| next.parents().max(1) as u64);
        let mut made = make(&mut *self.first, number * wanted(0), wanted(0));
        let mut store = self.first.store().clone();
        let (mut passed_over, mut failure) = (Vec::new(), self.first.failure());
        let mut small_before = false;
        let mut is_small = links[0].entry().makes_small_worlds;
        for (n, link) in links.iter().enumerate().skip(1) {
            let mut next = store.clone();
            let seeds = made.iter().take(link.parents().max(1));
            let parents: Vec<Parent> = seeds.filter_map(|made| parent(&mut next, made)).collect();
            // A separate unit for each mutator of each round, all drawn from the chain's.
            let mut rng = self.unit.mutant_stream((1 << 63) | (number << 8) | n as u64);
            let unit = Unit { campaign: self.unit.campaign, number: rng.bits() };
            let request = MutantRequest { parents: &parents, target: self.target, unit };
            let done = match link.prepare_any(&mut next, request) {
                Ok(mut batch) => {
                    let made = make(&mut *batch, 0, wanted(n));
                    failure = failure.or_else(|| batch.failure());
                    Some((made, batch.store().clone()))
                }
                Err(_) => None,
            };
            match done {
                Some(done) => {
                    (made, store) = done;
                    small_before = is_small;
                    is_small |= link.entry().makes_small_worlds;
                }
                None => passed_over.push(link.entry().name),
            }
        }
        if small_before {
            made.iter_mut().for_each(|made| certify(&mut store, made));
        }
        made.iter_mut().for_each(|made| made.keep_witnesses_of(&store));
        ChainRound { number, store, made, passed_over, failure }
    }
}

impl Batch for ChainBatch<'_> {
    fn size(&self) -> u64 {
        self.first.size()
    }

    fn needs(&self) -> u32 {
        self.first.needs()
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        let (_, made) = self.at(index);
        out.clone_from(&made.mutant);
    }

    fn store(&self) -> &Store {
        self.round.as_ref().map_or_else(|| self.first.store(), |round| &round.store)
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        self.at(index).1.witness.clone()
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        self.at(index).1.check_witnesses.get(check).cloned().flatten()
    }

    fn failure(&self) -> Option<String> {
        self.round.as_ref()?.failure.clone()
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let (round, made) = self.at(index);
        let mut list = made.parameters.clone();
        list.retain(|(name, _)| !["campaign", "unit", "index"].contains(name));
        let passed_over = round.passed_over.join(", ");
        list.extend([
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("chain", self.chain.name.clone()),
            ("passed-over", passed_over),
        ]);
        list
    }
}
