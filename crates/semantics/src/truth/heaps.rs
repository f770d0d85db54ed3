//! Translates formulas of separation logic: the heap becomes a truth value and a datum for each location.
//!
//! Their meaning is that of Reynolds, "Separation logic: a logic for shared mutable data structures" (LICS 2002), with a location `sep.nil`
//! that is in no heap (Reynolds, Iosif, Serban and King, "A decision procedure for separation logic in SMT", ATVA 2016; cvc5's theory
//! reference). All assertions of a check hold of one heap. Connectives, quantifiers and definitions do not change it, as `let` does not.
//!
//! If locations and data have few values, `sep` becomes a disjunction over the ways to divide the heap, and `wand` a conjunction over the
//! heaps that extend it. No variable is bound, so nothing is captured. If there are infinitely many locations, formulas without `wand` distinguish only the cells of their `pto`, and how many others there are,
//! up to a number (Calcagno, Yang and O'Hearn, "Computability and complexity results for a spatial assertion language for data
//! structures", FSTTCS 2001): 1 for `sep.emp` and `pto`, and the sum over the arguments of `sep`. By induction: of at least that many cells,
//! any number can be divided so that each argument has as many as before, or at least its number.

use super::hidden::{first_of, mentions_hidden, unfolded};
use super::known::OpenTruth;
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::exhaust::all_values;
use crate::model::Model;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::HAS_VARIABLE;
use smtlib::{Func, FuncBody, Kind, Op, SortId, Store, Symbol, TermId};
use std::borrow::Cow;
use std::rc::Rc;

/// The maximum numbers of locations or data; of parts and extensions of the heap, and formulas at them; of nested operators and calls.
const MAX_VALUES: u64 = 64;
const MAX_PARTS: u64 = 1 << 16;
const MAX_NESTING: usize = 200;

/// Returns assertions over constants for the contents of the heap that are satisfiable if and only if the given ones are: one for each, then
/// what holds of every heap.
/// Errors: [`OpenTruth::Hidden`] says what is too large, or not understood.
pub(super) fn without_heap<'t>(store: &mut Store, assertions: &'t [TermId]) -> Result<Cow<'t, [TermId]>, OpenTruth> {
    let Some((location, data)) = first_of(store, assertions, Op::heap) else { return Ok(Cow::Borrowed(assertions)) };
    let mut translation = HeapTranslation::new(store, assertions, location, data)?;
    let whole: HeapPart = vec![HeapCell::Own; translation.places.len()].into();
    let mut plain = assertions.iter().map(|&t| translation.at(t, Some(&whole))).collect::<Result<Vec<_>, _>>()?;
    plain.extend(translation.axioms);
    Ok(Cow::Owned(plain))
}

/// What a part or an extension of the heap has at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HeapCell {
    Nothing,
    /// What the heap of the whole check has there.
    Own,
    /// This datum.
    Datum(TermId),
}

type HeapPart = Rc<[HeapCell]>;

/// A cell that the heap of the check may have.
#[derive(Clone, Copy)]
struct HeapPlace {
    /// Whether it is there.
    present: TermId,
    /// Its location and datum; `None` if no `pto` is about them.
    cell: Option<[TermId; 2]>,
}

struct HeapTranslation<'s> {
    store: &'s mut Store,
    used: FxHashSet<Symbol>,
    places: Vec<HeapPlace>,
    /// What holds of every heap.
    axioms: Vec<TermId>,
    /// All data, or why they are not tried.
    data: Result<Vec<TermId>, OpenTruth>,
    nil: TermId,
    /// The arguments of `pto` met so far.
    atoms: Vec<[TermId; 2]>,
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
        let used = used.into_iter().map(|f| store.func(f).name).collect();
        let data = terms(store, "data", data);
        let (nil, done) = (store.bool(false), FxHashMap::default());
        let (places, axioms, atoms) = (Vec::new(), Vec::new(), Vec::new());
        let mut new =
            HeapTranslation { store, used, places, axioms, data, nil, atoms, done, left: MAX_PARTS, nesting: 0 };
        new.nil = new.constant("sep.nil", location)?;
        let model = Model::new();
        let is_infinite =
            matches!(Domains { store: new.store, model: &model }.cardinality(location), Cardinality::Infinite);
        match terms(new.store, "locations", location) {
            Ok(locations) => new.enumerate(&locations)?,
            Err(reason) if is_infinite => {
                new.data = Err(reason);
                new.abstract_cells(assertions)?;
            }
            Err(reason) => return Err(reason),
        }
        Ok(new)
    }

    /// Returns a constant with a name that no assertion mentions.
    fn constant(&mut self, base: &str, result: SortId) -> Result<TermId, OpenTruth> {
        let name = self.store.fresh_symbol(base, |name| self.used.contains(&name));
        // Two locations may have the same text.
        self.used.insert(name);
        let f = self.store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared });
        Ok(self.store.constant_of(f)?)
    }

    /// Adds a place with any datum for each location.
    fn enumerate(&mut self, locations: &[TermId]) -> Result<(), OpenTruth> {
        let first = *self.data.clone()?.first().unwrap_or(&self.nil);
        for &location in locations {
            let text = self.store.term_text(location).replace('|', "");
            let present = self.constant(&format!("heap has {text}"), SortId::BOOL)?;
            let datum = self.constant(&format!("heap at {text}"), self.store.sort(first))?;
            self.places.push(HeapPlace { present, cell: Some([location, datum]) });
            let (absent, other) = (self.store.not(present), self.is_other_than_nil(location)?);
            // What is not there is not tried with several values.
            let first = self.same(datum, first)?;
            let axioms = [self.store.or(&[absent, other]), self.store.or(&[present, first])];
            self.axioms.extend(axioms);
        }
        Ok(())
    }

    /// Adds a place for each `pto`, and places for as many other cells as formulas distinguish.
    fn abstract_cells(&mut self, assertions: &[TermId]) -> Result<(), OpenTruth> {
        let mut others = 0;
        for &t in assertions {
            self.at(t, Some(&[].into()))?;
            others = others.max(self.others(t)?);
        }
        self.done.clear();
        let cells = std::mem::take(&mut self.atoms);
        let mut before: Vec<(TermId, [TermId; 2])> = Vec::new();
        for (n, &[location, datum]) in cells.iter().enumerate() {
            let has = self.constant(&format!("heap has cell {n}"), SortId::BOOL)?;
            let (absent, other) = (self.store.not(has), self.is_other_than_nil(location)?);
            self.axioms.push(self.store.or(&[absent, other]));
            let mut present = vec![has];
            for &(had, [l, d]) in &before {
                let (same_location, same_datum) = (self.same(location, l)?, self.same(datum, d)?);
                // One cell has one place, the first, and a location has one datum.
                let is_same = self.store.and(&[same_location, same_datum]);
                present.push(self.store.not(is_same));
                let (both, equal) = (self.store.and(&[has, had]), self.store.eq(has, had)?);
                let (elsewhere, not_both) = (self.store.not(same_location), self.store.not(both));
                let compatible = self.store.app(Op::new(Kind::Ite), &[same_datum, equal, not_both])?;
                self.axioms.push(self.store.or(&[elsewhere, compatible]));
            }
            before.push((has, [location, datum]));
            self.places.push(HeapPlace { present: self.store.and(&present), cell: Some([location, datum]) });
        }
        self.at_most(cells.len() + others, "cells of the heap")?;
        for n in 0..others {
            let present = self.constant(&format!("heap has other {n}"), SortId::BOOL)?;
            self.places.push(HeapPlace { present, cell: None });
        }
        Ok(())
    }

    /// Returns how many cells of which no `pto` holds are distinguished from more of them.
    fn others(&mut self, t: TermId) -> Result<usize, OpenTruth> {
        if !mentions_hidden(self.store, t) {
            return Ok(0);
        }
        self.ways(1, 1)?;
        let args = match unfolded(self.store, t) {
            Some(body) => vec![body],
            None => self.store.args(t).to_vec(),
        };
        self.enter()?;
        let each = args.into_iter().map(|a| self.others(a)).collect::<Result<Vec<usize>, _>>()?;
        self.nesting -= 1;
        Ok(match self.store.kind(t) {
            Kind::SepEmp | Kind::SepPto => 1,
            Kind::SepStar => each.iter().sum(),
            _ => each.into_iter().max().unwrap_or(0),
        })
    }

    fn is_other_than_nil(&mut self, location: TermId) -> Result<TermId, OpenTruth> {
        let is_nil = self.same(location, self.nil)?;
        Ok(self.store.not(is_nil))
    }

    /// Returns the number of ways to choose one of several things at each place, which are counted as parts.
    fn ways(&mut self, choices: usize, places: usize) -> Result<usize, OpenTruth> {
        let data = self.data.as_ref().map_or(0, Vec::len);
        let ways = (choices as u64).checked_pow(places as u32).filter(|ways| *ways <= self.left).ok_or_else(|| {
            let places = self.places.len();
            let more = format!("its formulas need more than {MAX_PARTS} parts and extensions of the heap");
            OpenTruth::Hidden(format!("with {places} locations and {data} data, {more}"))
        })?;
        self.left -= ways;
        Ok(ways as usize)
    }

    /// Counts a level of nesting.
    fn enter(&mut self) -> Result<(), OpenTruth> {
        self.nesting += 1;
        let why = "operators around formulas about the heap are nested more than 200 levels deep";
        if self.nesting > MAX_NESTING { Err(OpenTruth::Hidden(why.to_string())) } else { Ok(()) }
    }

    fn at_most(&self, count: usize, what: &str) -> Result<(), OpenTruth> {
        let is_more = count as u64 > MAX_VALUES;
        if is_more {
            Err(OpenTruth::Hidden(format!("its formulas have more than {MAX_VALUES} {what}")))
        } else {
            Ok(())
        }
    }

    /// Returns a term as it is with this heap; without one, it is an argument of an operator on values. Recursion is at most
    /// [`MAX_NESTING`] deep.
    fn at(&mut self, t: TermId, heap: Option<&HeapPart>) -> Result<TermId, OpenTruth> {
        if !mentions_hidden(self.store, t) {
            return Ok(t);
        }
        let key = (t, heap.cloned());
        if let Some(&known) = self.done.get(&key) {
            return Ok(known);
        }
        self.enter()?;
        self.ways(1, 1)?;
        let args = self.store.args(t).to_vec();
        let plain = match (self.store.kind(t), &args[..], heap) {
            (Kind::SepNil, ..) => self.nil,
            (Kind::SepEmp, _, Some(heap)) => self.is_empty(heap, None),
            (Kind::SepPto, &[location, datum], Some(heap)) => {
                let terms = [self.at(location, None)?, self.at(datum, None)?];
                if let Err(reason) = &self.data
                    && terms.iter().any(|&term| self.store.flags(term) & HAS_VARIABLE != 0)
                {
                    return Err(reason.clone());
                }
                if !self.atoms.contains(&terms) {
                    self.atoms.push(terms);
                }
                self.points_to(terms, heap)?
            }
            (Kind::SepStar, parts, Some(heap)) => self.star(parts, heap)?,
            (Kind::SepWand, &[given, wanted], Some(heap)) => self.wand(given, wanted, heap)?,
            _ => match unfolded(self.store, t) {
                Some(body) => self.at(body, heap)?,
                None => self.rebuilt(t, &args, heap)?,
            },
        };
        // What is left is under an operator on values, or in a call that is not unfolded: its heap is not documented.
        if mentions_hidden(self.store, plain) {
            let why =
                "a formula about the heap is under an operator that is no connective, or in a definition with binders";
            return Err(OpenTruth::Hidden(why.to_string()));
        }
        self.nesting -= 1;
        self.done.insert(key, plain);
        Ok(plain)
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

    /// Returns that a heap has no other location.
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
            let HeapPlace { present, cell: Some([at, own]) } = self.places[place] else { continue };
            let (present, held) = match cell {
                HeapCell::Nothing => continue,
                HeapCell::Own => (present, own),
                HeapCell::Datum(datum) => (self.store.bool(true), *datum),
            };
            let rest = self.is_empty(heap, Some(place));
            let parts = [present, self.same(location, at)?, self.same(datum, held)?, rest];
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
        self.at_most(parts.len(), "arguments of `sep`")?;
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
        let (data, no) = (self.data.clone()?, self.store.bool(false));
        let choices = data.len() + 1;
        let mut cases = Vec::new();
        for mut way in 0..self.ways(choices, places.len())? {
            let (mut added, mut whole, mut premises) = (vec![HeapCell::Nothing; heap.len()], heap.to_vec(), Vec::new());
            for &place in &places {
                if let (Some(&datum), Some([location, _])) = (data.get(way % choices), self.places[place].cell) {
                    (added[place], whole[place]) = (HeapCell::Datum(datum), HeapCell::Datum(datum));
                    premises.push(self.is_other_than_nil(location)?);
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

/// Returns all values of a sort as terms.
fn terms(store: &mut Store, what: &str, sort: SortId) -> Result<Vec<TermId>, OpenTruth> {
    let values = all_values(store, sort, MAX_VALUES).and_then(|values| {
        let terms: Option<Vec<TermId>> = values.iter().map(|value| value.to_term(store, sort)).collect();
        terms.filter(|terms| !terms.is_empty()).ok_or_else(|| "values without a text".to_string())
    });
    values.map_err(|size| {
        OpenTruth::Hidden(format!("the {what} of the heap are of sort {}, which has {size}", store.sort_text(sort)))
    })
}
