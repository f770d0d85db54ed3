//! Laws applied to the terms of a seed: which laws may match a term, and the values of variables that only the new side has.

use super::binding::LawBindings;
use super::law::{Law, LawTerm};
use crate::assignment::ValueGenerator;
use crate::rng::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::free_vars::FreeVars;
use smtlib::signature::Arity;
use smtlib::{Kind, Op, Sort, SortId, Store, TermId, theories};
use std::sync::Arc;

/// Closed terms of one sort kept at most, and their depth.
const MAX_FILLERS: usize = 200;
const MAX_DEPTH: u32 = 6;
/// Random values of each sort in addition to the seed's terms.
const VALUES: usize = 3;
/// The maximum position drawn besides the known widths.
const POSITION: u64 = 8;
/// How many laws are tried at one term.
const MAX_TRIES: u32 = 8;
/// Percent of the draws at a term that first try the laws with its operator, not those that match any term.
const SPECIFIC: u32 = 70;
/// The number of assignments that check a law at sizes that were not exhausted.
const SAMPLES: usize = 12;

/// A law in one direction: the side that is matched, and the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirectedLaw {
    /// The number of the law.
    pub law: usize,
    /// The side that is matched: 0 or 1.
    pub from: usize,
}

/// The laws, prepared for the terms of one seed.
pub struct LawBook {
    laws: Arc<[Law]>,
    /// The laws whose matched side has this operator.
    by_kind: FxHashMap<Kind, Vec<DirectedLaw>>,
    /// The laws whose matched side is a variable or a value.
    others: Vec<DirectedLaw>,
    fillers: FxHashMap<SortId, Vec<TermId>>,
    /// The sorts of the fillers, in order.
    sorts: Vec<SortId>,
    /// Whether samples confirm an instance, by its law and parameters.
    checked: FxHashMap<(usize, LawBindings), bool>,
    values: ValueGenerator,
}

impl LawBook {
    /// Sorts the laws whose operators are all available, and collects closed terms of `terms`.
    pub fn new(
        store: &mut Store,
        laws: Arc<[Law]>,
        terms: &[TermId],
        is_had: impl Fn(Kind) -> bool,
        rng: &mut RandomStream,
    ) -> LawBook {
        let mut book = LawBook {
            laws: laws.clone(),
            by_kind: FxHashMap::default(),
            others: Vec::new(),
            fillers: FxHashMap::default(),
            sorts: Vec::new(),
            checked: FxHashMap::default(),
            values: ValueGenerator::default(),
        };
        for (law, l) in laws.iter().enumerate() {
            for from in 0..2 {
                let directed = DirectedLaw { law, from };
                match &l.sides[from] {
                    _ if !is_buildable(&l.sides[1 - from], &is_had) => {}
                    LawTerm::Application { kinds, .. } => {
                        kinds.iter().for_each(|&kind| book.by_kind.entry(kind).or_default().push(directed));
                    }
                    LawTerm::ConstArray(..) => book.by_kind.entry(Kind::ConstArray).or_default().push(directed),
                    _ => book.others.push(directed),
                }
            }
        }
        book.fill(store, terms, rng);
        book
    }

    fn fill(&mut self, store: &mut Store, terms: &[TermId], rng: &mut RandomStream) {
        let (mut free, mut seen, mut stack) = (FreeVars::default(), FxHashSet::default(), terms.to_vec());
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let sort = store.sort(t);
            let is_usable = !matches!(store.sorts.get(sort), Sort::Map(..) | Sort::Extension(..) | Sort::Parameter(_))
                && !store.sorts.has_parameter(sort);
            if is_usable && store.depth(t) <= MAX_DEPTH && free.is_closed(store, t) {
                let list = self.fillers.entry(sort).or_default();
                if list.is_empty() {
                    self.sorts.push(sort);
                }
                if list.len() < MAX_FILLERS {
                    list.push(t);
                }
            }
            stack.extend_from_slice(store.args(t));
        }
        for &sort in &self.sorts {
            if !has_literals(store, sort) {
                continue;
            }
            for _ in 0..VALUES {
                let value = self.values.value(store, sort, rng).and_then(|value| value.to_term(store, sort));
                if let (Some(t), Some(list)) = (value, self.fillers.get_mut(&sort)) {
                    list.push(t);
                }
            }
        }
    }

    /// Returns a random different term that is equal by a law, and the law.
    pub fn equal(&mut self, store: &mut Store, t: TermId, rng: &mut RandomStream) -> Option<(TermId, DirectedLaw)> {
        let t = regrouped(store, t, rng);
        for _ in 0..MAX_TRIES {
            let specific = self.by_kind.get(&store.kind(t));
            let list = specific.filter(|_| rng.percent(SPECIFIC)).unwrap_or(&self.others);
            let Some(&directed) = rng.pick(list) else { continue };
            if let Some(new) = self.apply(store, directed, t, rng) {
                return Some((new, directed));
            }
        }
        None
    }

    /// Returns the other side of a law whose one side is `t`.
    fn apply(&mut self, store: &mut Store, directed: DirectedLaw, t: TermId, rng: &mut RandomStream) -> Option<TermId> {
        let laws = self.laws.clone();
        let law = laws.get(directed.law)?;
        let (old, new) = (&law.sides[directed.from], &law.sides[1 - directed.from]);
        let mut bindings = LawBindings::of(law);
        if !bindings.matches(store, law, old, t) {
            return None;
        }
        self.complete(store, law, &mut bindings, rng)?;
        // The built side must be exactly this term: matching only finds candidates for the variables.
        if bindings.build(store, old)? != t {
            return None;
        }
        let new = bindings.build(store, new)?;
        let is_instance = new != t && store.sort(new) == store.sort(t);
        (is_instance && self.is_borne_out(store, directed.law, &bindings)).then_some(new)
    }

    /// Draws values that matching left open.
    fn complete(&self, store: &mut Store, law: &Law, bindings: &mut LawBindings, rng: &mut RandomStream) -> Option<()> {
        for n in 0..bindings.terms.len() {
            if bindings.terms[n].is_some() {
                continue;
            }
            let pattern = &law.variables[n].1;
            let sort = match bindings.sort(store, pattern) {
                Some(sort) => sort,
                None => {
                    let fits = |&sort: &SortId| bindings.clone().accepts(store, pattern, sort);
                    let fitting: Vec<SortId> = self.sorts.iter().copied().filter(fits).collect();
                    let sort = *rng.pick(&fitting)?;
                    bindings.accepts(store, pattern, sort);
                    sort
                }
            };
            // A term from the law's other places is preferred.
            let near: Vec<TermId> =
                bindings.terms.iter().flatten().copied().filter(|&t| store.sort(t) == sort).collect();
            let near = rng.pick(&near).copied().filter(|_| rng.percent(30));
            let filler = near.or_else(|| rng.pick(self.fillers.get(&sort)?).copied());
            bindings.terms[n] = Some(filler?);
        }
        let most = bindings.indices.iter().flatten().copied().max().unwrap_or(0);
        for slot in bindings.indices.iter_mut().filter(|slot| slot.is_none()) {
            *slot = Some(rng.below(u64::from(most).clamp(POSITION, 4 * POSITION)) as u32);
        }
        Some(())
    }

    /// Whether no random assignment refutes the law at these sizes. Exhaustion only tried small ones.
    fn is_borne_out(&mut self, store: &mut Store, law: usize, bindings: &LawBindings) -> bool {
        let sizes = LawBindings { terms: Vec::new(), ..bindings.clone() };
        if let Some(&known) = self.checked.get(&(law, sizes.clone())) {
            return known;
        }
        // A separate stream per law: memoised results must not depend on the first mutant that asked.
        let mut rng = RandomStream::from_seed(law as u64);
        let holds = self
            .laws
            .get(law)
            .is_some_and(|l| sampled(store, l, &sizes, &mut self.values.again(Model::new()), &mut rng));
        self.checked.insert((law, sizes), holds);
        holds
    }
}

/// Whether a law holds for random values of its variables at these parameters, if the evaluator knows both sides.
pub fn sampled(
    store: &mut Store,
    law: &Law,
    sizes: &LawBindings,
    values: &mut ValueGenerator,
    rng: &mut RandomStream,
) -> bool {
    let limits = EvalLimits { steps: 10_000, ..crate::edit::limits() };
    let mut evaluator = Evaluator::new(Model::new(), limits);
    for _ in 0..SAMPLES {
        let mut bindings = LawBindings { terms: vec![None; law.variables.len()], ..sizes.clone() };
        for (n, (_, sort)) in law.variables.iter().enumerate() {
            let sort = bindings.sort(store, sort);
            let literal = sort.filter(|&sort| has_literals(store, sort)).and_then(|sort| {
                let value = values.value(store, sort, rng)?;
                value.to_term(store, sort)
            });
            bindings.terms[n] = literal;
        }
        let [Some(left), Some(right)] = law.sides.each_ref().map(|side| bindings.build(store, side)) else { continue };
        let (Ok(left), Ok(right)) = (evaluator.eval(store, left), evaluator.eval(store, right)) else { continue };
        if left.same(&right) == Some(false) {
            return false;
        }
    }
    true
}

/// Whether random values of a sort can be written as terms.
fn has_literals(store: &Store, sort: SortId) -> bool {
    use Sort::*;
    matches!(store.sorts.get(sort), Bool | Int | Real | BitVec(_) | Float { .. } | RoundingMode | String)
}

/// Whether all operators of a side are available.
fn is_buildable(side: &LawTerm, is_had: &impl Fn(Kind) -> bool) -> bool {
    match side {
        LawTerm::ConstArray(_, element) => is_had(Kind::ConstArray) && is_buildable(element, is_had),
        LawTerm::Application { kinds, args, .. } => {
            kinds.iter().any(|&kind| is_had(kind)) && args.iter().all(|a| is_buildable(a, is_had))
        }
        _ => true,
    }
}

/// Returns an application of three or more arguments as one of two: `(op a b c)` is `(op (op a b) c)` by the definition of
/// `:left-assoc`, and `(op a (op b c))` for operators that are associative.
fn regrouped(store: &mut Store, t: TermId, rng: &mut RandomStream) -> TermId {
    use Kind::*;
    let (op, args) = (store.op(t), store.args(t).to_vec());
    let is_left = theories::row(op.kind).is_some_and(|row| row.arity == Arity::LeftAssoc);
    if args.len() < 3 || !is_left || rng.percent(20) {
        return t;
    }
    let is_associative = matches!(
        op.kind,
        And | Or
            | Xor
            | IntAdd
            | IntMul
            | RealAdd
            | RealMul
            | BvAnd
            | BvOr
            | BvXor
            | BvAdd
            | BvMul
            | StrConcat
            | ReConcat
            | ReUnion
            | ReInter
    );
    let split = if is_associative { 1 + rng.index(args.len() - 1) } else { args.len() - 1 };
    let mut side = |args: &[TermId]| match args {
        &[one] => Some(one),
        args => store.app(Op { ..op }, args).ok(),
    };
    let (Some(left), Some(right)) = (side(&args[..split]), side(&args[split..])) else { return t };
    store.app(op, &[left, right]).unwrap_or(t)
}
