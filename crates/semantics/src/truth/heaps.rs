//! Formulas of separation logic as formulas without a heap: the heap is a truth value and a datum for each location.
//!
//! Their meaning is that of Reynolds, "Separation logic: a logic for shared mutable data structures" (LICS 2002), with a location `sep.nil`
//! that is in no heap (Reynolds, Iosif, Serban and King, "A decision procedure for separation logic in SMT", ATVA 2016; cvc5's theory
//! reference). All assertions of a check hold of one heap. Connectives, quantifiers and definitions do not change it, as `let` does not.
//!
//! Locations and data have few values, so that `sep` becomes a disjunction over the ways to divide the heap, and `wand` a conjunction over
//! the heaps that extend it. No variable is bound, so nothing is captured.

use super::known::OpenTruth;
use crate::exhaust::all_values;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::{HAS_BINDER, HAS_HEAP};
use smtlib::{Func, FuncBody, Kind, SortId, Store, TermId};
use std::borrow::Cow;
use std::rc::Rc;

/// The maximum number of locations, and of data.
const MAX_VALUES: u64 = 64;
/// The maximum number of formulas at parts and extensions of the heap, and of these.
const MAX_PARTS: u64 = 1 << 16;
/// The maximum nesting of operators and calls around formulas about the heap.
const MAX_NESTING: usize = 200;

/// Whether a term is about the heap.
pub fn mentions_heap(store: &Store, t: TermId) -> bool {
    store.flags(t) & HAS_HEAP != 0
}

/// Returns assertions over constants for the contents of the heap that are satisfiable if and only if the given ones are: one for each, then
/// what holds of every heap.
/// Errors: [`OpenTruth::Heap`] says what is too large, or not understood.
pub fn without_heap<'t>(store: &mut Store, assertions: &'t [TermId]) -> Result<Cow<'t, [TermId]>, OpenTruth> {
    let Some((location, data)) = sorts(store, assertions) else { return Ok(Cow::Borrowed(assertions)) };
    let mut translation = HeapTranslation::new(store, assertions, location, data)?;
    let whole: HeapPart = vec![HeapCell::Own; translation.places.len()].into();
    let mut plain = assertions.iter().map(|&t| translation.at(t, Some(&whole))).collect::<Result<Vec<_>, _>>()?;
    for HeapPlace { location, present, datum } in translation.places.clone() {
        let (absent, other) = (translation.store.not(present), translation.is_other_than_nil(location)?);
        plain.push(translation.store.or(&[absent, other]));
        // What is not there is not tried with several values.
        let first = translation.same(datum, translation.data[0])?;
        plain.push(translation.store.or(&[present, first]));
    }
    Ok(Cow::Owned(plain))
}

/// What a part or an extension of the heap has at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HeapCell {
    Nothing,
    /// What the heap of the whole check has there.
    Own,
    /// The datum of this number.
    Datum(usize),
}

type HeapPart = Rc<[HeapCell]>;

/// A location, whether the heap of the check has it, and the datum there.
#[derive(Clone, Copy)]
struct HeapPlace {
    location: TermId,
    present: TermId,
    datum: TermId,
}

struct HeapTranslation<'s> {
    store: &'s mut Store,
    places: Vec<HeapPlace>,
    /// At least one: no sort is empty.
    data: Vec<TermId>,
    nil: TermId,
    done: FxHashMap<(TermId, Option<HeapPart>), TermId>,
    /// How many parts and extensions are left.
    left: u64,
    nesting: usize,
}

impl<'s> HeapTranslation<'s> {
    fn new(
        store: &'s mut Store,
        assertions: &[TermId],
        location: SortId,
        data: SortId,
    ) -> Result<HeapTranslation<'s>, OpenTruth> {
        let used = crate::symbols::mentioned_deeply(store, assertions);
        let used: FxHashSet<_> = used.into_iter().map(|f| store.func(f).name).collect();
        // A constant with a name that no assertion mentions.
        let constant = |store: &mut Store, base: &str, result| {
            let name = store.fresh_symbol(base, |name| used.contains(&name));
            let f = store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared });
            store.constant_of(f)
        };
        let (nil, mut places) = (constant(store, "heap nil", location)?, Vec::new());
        let values = terms(store, "data", data)?;
        for location in terms(store, "locations", location)? {
            let text = store.term_text(location).replace('|', "");
            let present = constant(store, &format!("heap has {text}"), SortId::BOOL)?;
            places.push(HeapPlace { location, present, datum: constant(store, &format!("heap at {text}"), data)? });
        }
        let done = FxHashMap::default();
        Ok(HeapTranslation { store, places, data: values, nil, done, left: MAX_PARTS, nesting: 0 })
    }

    fn is_other_than_nil(&mut self, location: TermId) -> Result<TermId, OpenTruth> {
        let is_nil = self.same(location, self.nil)?;
        Ok(self.store.not(is_nil))
    }

    /// Returns the number of ways to choose one of several things at each place, which are counted as parts.
    fn ways(&mut self, choices: usize, places: usize) -> Result<usize, OpenTruth> {
        let ways = (choices as u64).checked_pow(places as u32);
        match ways.and_then(|ways| Some((ways, self.left.checked_sub(ways)?))) {
            Some((ways, left)) => {
                self.left = left;
                Ok(ways as usize)
            }
            None => Err(OpenTruth::Heap(format!(
                "with {} locations and {} data, its formulas need more than {MAX_PARTS} parts and extensions of the heap",
                self.places.len(),
                self.data.len()
            ))),
        }
    }

    /// Returns a term as it is with this heap; without one, it is an argument of an operator on values. Recursion is at most
    /// [`MAX_NESTING`] deep.
    fn at(&mut self, t: TermId, heap: Option<&HeapPart>) -> Result<TermId, OpenTruth> {
        if !mentions_heap(self.store, t) {
            return Ok(t);
        }
        let key = (t, heap.cloned());
        if let Some(&known) = self.done.get(&key) {
            return Ok(known);
        }
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let why = "operators around formulas about the heap are nested more than 200 levels deep";
            return Err(OpenTruth::Heap(why.to_string()));
        }
        self.ways(1, 1)?;
        let args = self.store.args(t).to_vec();
        let plain = match (self.store.kind(t), &args[..], heap) {
            (Kind::SepNil, ..) => self.nil,
            (Kind::SepEmp, _, Some(heap)) => self.is_empty(heap, None),
            (Kind::SepPto, &[location, datum], Some(heap)) => {
                let terms = [self.at(location, None)?, self.at(datum, None)?];
                self.points_to(terms, heap)?
            }
            (Kind::SepStar, parts, Some(heap)) => self.star(parts, heap)?,
            (Kind::SepWand, &[given, wanted], Some(heap)) => self.wand(given, wanted, heap)?,
            _ => match self.unfolded(t) {
                Some(body) => self.at(body, heap)?,
                None => self.rebuilt(t, &args, heap)?,
            },
        };
        // What is left is under an operator on values, or in a call that is not unfolded: its heap is not documented.
        if mentions_heap(self.store, plain) {
            let why =
                "a formula about the heap is under an operator that is no connective, or in a definition with binders";
            return Err(OpenTruth::Heap(why.to_string()));
        }
        self.nesting -= 1;
        self.done.insert(key, plain);
        Ok(plain)
    }

    /// Returns the body of a definition that is about the heap, at a call's arguments.
    fn unfolded(&mut self, t: TermId) -> Option<TermId> {
        let Func { params, body: FuncBody::Defined { vars, body }, .. } =
            self.store.func(self.store.applied(t)?).clone()
        else {
            return None;
        };
        let captures = self.store.flags(body) & HAS_BINDER != 0 && !vars.is_empty();
        if !mentions_heap(self.store, body) || captures || self.store.sort(body) != self.store.sort(t) {
            return None;
        }
        let args = self.store.args(t).to_vec();
        let variables = vars.iter().zip(&params).map(|(&name, &sort)| self.store.bound_variable(name, sort));
        let map = variables.zip(args).collect();
        Some(self.store.replace(body, &map))
    }

    /// Returns an operator on the same heap, if it is a connective, or on values.
    fn rebuilt(&mut self, t: TermId, args: &[TermId], heap: Option<&HeapPart>) -> Result<TermId, OpenTruth> {
        use Kind::{And, Distinct, Eq, Exists, Forall, Implies, Ite, Not, Or, Xor};
        let kind = self.store.kind(t);
        let is_connective = matches!(kind, Not | And | Or | Implies | Xor | Eq | Distinct | Ite | Forall | Exists);
        let are_formulas = [t].iter().chain(args).all(|&a| self.store.is_bool(a));
        let heap = heap.filter(|_| is_connective && are_formulas);
        let args = args.iter().map(|&a| self.at(a, heap)).collect::<Result<Vec<_>, _>>()?;
        Ok(match kind {
            And | Or => self.junction(kind == And, &args),
            _ => self.store.with_args(t, &args),
        })
    }

    /// Returns that a heap has no location, or none but one.
    fn is_empty(&mut self, heap: &HeapPart, except: Option<usize>) -> TermId {
        let mut absent = Vec::new();
        for (place, cell) in heap.iter().enumerate().filter(|(place, _)| Some(*place) != except) {
            match cell {
                HeapCell::Nothing => {}
                HeapCell::Own => absent.push(self.store.not(self.places[place].present)),
                HeapCell::Datum(_) => return self.store.bool(false),
            }
        }
        self.store.and(&absent)
    }

    fn points_to(&mut self, [location, datum]: [TermId; 2], heap: &HeapPart) -> Result<TermId, OpenTruth> {
        let mut cases = Vec::new();
        for (place, cell) in heap.iter().enumerate() {
            let own = self.places[place];
            let (present, held) = match cell {
                HeapCell::Nothing => continue,
                HeapCell::Own => (own.present, own.datum),
                HeapCell::Datum(n) => (self.store.bool(true), self.data[*n]),
            };
            let rest = self.is_empty(heap, Some(place));
            let parts = [present, self.same(location, own.location)?, self.same(datum, held)?, rest];
            cases.push(self.junction(true, &parts));
        }
        Ok(self.junction(false, &cases))
    }

    fn same(&mut self, a: TermId, b: TermId) -> Result<TermId, OpenTruth> {
        if a == b { Ok(self.store.bool(true)) } else { Ok(self.store.eq(a, b)?) }
    }

    fn star(&mut self, parts: &[TermId], heap: &HeapPart) -> Result<TermId, OpenTruth> {
        let places: Vec<usize> = (0..heap.len()).filter(|&place| heap[place] != HeapCell::Nothing).collect();
        let mut cases = Vec::new();
        for mut way in 0..self.ways(parts.len(), places.len())? {
            let mut heaps = vec![vec![HeapCell::Nothing; heap.len()]; parts.len()];
            for &place in &places {
                heaps[way % parts.len()][place] = heap[place];
                way /= parts.len();
            }
            let each = parts.iter().zip(heaps).map(|(&part, heap)| self.at(part, Some(&heap.into())));
            let each = each.collect::<Result<Vec<_>, _>>()?;
            cases.push(self.junction(true, &each));
        }
        Ok(self.junction(false, &cases))
    }

    fn wand(&mut self, given: TermId, wanted: TermId, heap: &HeapPart) -> Result<TermId, OpenTruth> {
        let places: Vec<usize> = (0..heap.len()).filter(|&place| !matches!(heap[place], HeapCell::Datum(_))).collect();
        let (choices, no) = (self.data.len() + 1, self.store.bool(false));
        let mut cases = Vec::new();
        for mut way in 0..self.ways(choices, places.len())? {
            let (mut added, mut whole, mut premises) = (vec![HeapCell::Nothing; heap.len()], heap.to_vec(), Vec::new());
            for &place in &places {
                if let Some(datum) = (way % choices).checked_sub(1) {
                    (added[place], whole[place]) = (HeapCell::Datum(datum), HeapCell::Datum(datum));
                    premises.push(self.is_other_than_nil(self.places[place].location)?);
                    if heap[place] == HeapCell::Own {
                        premises.push(self.store.not(self.places[place].present));
                    }
                }
                way /= choices;
            }
            premises.push(self.at(given, Some(&added.into()))?);
            let premise = self.junction(true, &premises);
            if premise != no {
                let (refuted, wanted) = (self.store.not(premise), self.at(wanted, Some(&whole.into()))?);
                cases.push(self.junction(false, &[refuted, wanted]));
            }
        }
        Ok(self.junction(true, &cases))
    }

    /// Returns the conjunction (`is_and`) or disjunction of formulas, without those that are constants.
    fn junction(&mut self, is_and: bool, parts: &[TermId]) -> TermId {
        let (neutral, absorbing) = (self.store.bool(is_and), self.store.bool(!is_and));
        if parts.contains(&absorbing) {
            return absorbing;
        }
        let kept: Vec<TermId> = parts.iter().copied().filter(|&part| part != neutral).collect();
        if is_and { self.store.and(&kept) } else { self.store.or(&kept) }
    }
}

/// Returns the sorts of locations and data of the heap that formulas are about, if they are.
fn sorts(store: &Store, roots: &[TermId]) -> Option<(SortId, SortId)> {
    let (mut open, mut seen) = (roots.to_vec(), FxHashSet::default());
    while let Some(t) = open.pop() {
        if !mentions_heap(store, t) || !seen.insert(t) {
            continue;
        }
        if let Some(heap) = store.op(t).heap() {
            return Some(heap);
        }
        open.extend_from_slice(store.args(t));
        open.extend(store.op(t).func().and_then(|f| store.func(f).definition()).map(|(_, body)| body));
    }
    None
}

/// Returns all values of a sort as terms.
fn terms(store: &mut Store, what: &str, sort: SortId) -> Result<Vec<TermId>, OpenTruth> {
    let values = all_values(store, sort, MAX_VALUES).and_then(|values| {
        let terms: Option<Vec<TermId>> = values.iter().map(|value| value.to_term(store, sort)).collect();
        terms.filter(|terms| !terms.is_empty()).ok_or_else(|| "values without a text".to_string())
    });
    values.map_err(|size| {
        OpenTruth::Heap(format!("the {what} of the heap are of sort {}, which has {size}", store.sort_text(sort)))
    })
}
