//! The random terms of one problem.

use super::fields::TheoryField;
use super::{SymbolRole, TermMaterial};
use crate::assignment::ValueGenerator;
use crate::mutators::generative::{Recipe, TermMaker, grouped};
use crate::rng::RandomStream;
use semantics::{EvalLimits, Evaluator};
use smtlib::{Binder, Kind, Op, Sort, SortId, Store, TermId};

/// How deep terms nest below an assertion's root, without the problem's operator.
const DEPTH: u32 = 2;
/// The maximum number of assertions besides the one of the problem's operator.
const MORE: u64 = 2;
/// Percent of leaves that are values if there are symbols.
const VALUES: u32 = 40;
/// Percent of operands that are earlier terms.
const AGAIN: u32 = 15;
/// Percent of equations about a term that use its value under the hidden assignment.
const EXACT: u32 = 60;
/// Percent of assertions that are negated if the hidden assignment makes them false.
const AGREEING: u32 = 90;
/// Percent of problems with an assertion negated afterwards.
const SPOILT: u32 = 35;

/// Terms under construction.
pub(super) struct TermDraw<'p> {
    store: &'p mut Store,
    constants: Vec<(SortId, Vec<TermId>)>,
    /// The recipes of every sort, grouped by operator.
    groups: Vec<(SortId, Vec<Vec<Recipe>>)>,
    made: Vec<TermId>,
    /// Values, and the hidden assignment that assertions are made to agree with.
    values: ValueGenerator,
    hidden: Evaluator,
    linear: &'static [Kind],
    /// How symbols are treated; another way if the requested one is impossible.
    pub(super) shape: SymbolRole,
    rng: &'p mut RandomStream,
}

/// Returns the bounds of evaluation under the hidden assignment.
fn limits() -> EvalLimits {
    EvalLimits { steps: 100_000, domain: 1 << 10, bits: 1 << 12, ..EvalLimits::default() }
}

impl<'p> TermDraw<'p> {
    pub(super) fn new(
        place: &'p mut TermMaterial,
        field: &TheoryField,
        shape: SymbolRole,
        rng: &'p mut RandomStream,
    ) -> TermDraw<'p> {
        // Uses of one operator with the same number of arguments.
        let key = |recipe: &Recipe| (recipe.maker.head(), recipe.args.len());
        let of_sort = |sort| place.recipes.get(&sort).map_or(&[][..], Vec::as_slice);
        let groups = place.sorts.iter().map(|&sort| (sort, grouped(of_sort(sort), key))).collect();
        let mut constants = place.constants.clone();
        // Elements of uninterpreted sorts have no other terms.
        constants.retain(|c| shape != SymbolRole::Ground || has_elements(&place.store, c.0));
        let (mut values, made) = (ValueGenerator::default(), Vec::new());
        for &f in &place.symbols {
            // A symbol without a value stays open, and so do terms that depend on it.
            values.assign(&mut place.store, f, rng);
        }
        let hidden = Evaluator::new(values.model.clone(), limits());
        let (store, linear) = (&mut place.store, field.linear);
        TermDraw { store, constants, groups, made, values, hidden, linear, shape, rng }
    }

    /// Whether the hidden assignment makes all assertions true, whatever the open values.
    pub(super) fn is_satisfied(&mut self, assertions: &[TermId]) -> bool {
        assertions.iter().all(|&t| self.hidden.truth(self.store, t) == Some(true))
    }

    /// Returns the assertions of a problem about the operator of this number, modulo their count.
    pub(super) fn assertions(&mut self, number: u64) -> Vec<TermId> {
        let all: Vec<(SortId, &Vec<Recipe>)> =
            self.groups.iter().flat_map(|(sort, groups)| groups.iter().map(|g| (*sort, g))).collect();
        let (sort, group) = all[(number % all.len().max(1) as u64) as usize];
        let recipe = group[self.rng.index(group.len())].clone();
        let mut list = match self.shape {
            SymbolRole::Twin => self.twin(&recipe, sort),
            _ => None,
        };
        if list.is_none() {
            // There may be no two arguments to equate.
            self.shape = if self.shape == SymbolRole::Twin { SymbolRole::Free } else { self.shape };
            list = self.made_by(&recipe, sort, DEPTH - 1).and_then(|t| self.truth(t)).map(|t| vec![t]);
        }
        let mut list = list.unwrap_or_default();
        let more = self.rng.below(MORE + 1).max(u64::from(list.is_empty()));
        for _ in 0..more {
            list.extend(self.term(SortId::BOOL, DEPTH));
        }
        if self.shape != SymbolRole::Twin {
            self.agree(&mut list);
        }
        if self.shape == SymbolRole::Pinned {
            self.pin(&mut list);
        }
        self.rng.shuffle(&mut list);
        list
    }

    /// Usually negates assertions that the hidden assignment makes false; and one assertion of some problems, which are
    /// then nearly satisfied.
    fn agree(&mut self, list: &mut [TermId]) {
        for t in list.iter_mut() {
            if self.hidden.truth(self.store, *t) == Some(false) && self.rng.percent(AGREEING) {
                *t = self.store.not(*t);
            }
        }
        if self.rng.percent(SPOILT)
            && let n = self.rng.index(list.len())
            && let Some(t) = list.get_mut(n)
        {
            *t = self.store.not(*t);
        }
    }

    /// Binds a variable of one of the sorts in an assertion that a constant of the sort occurs in, or in the last one.
    pub(super) fn quantify(&mut self, assertions: &mut [TermId]) {
        let Some((sort, terms)) = self.rng.pick(&self.constants).cloned() else { return };
        let Some(&constant) = terms.first() else { return };
        let (symbol, variable) = self.store.named_variable("q", sort);
        let kind = if self.rng.coin() { Kind::Forall } else { Kind::Exists };
        let place = assertions.iter().position(|&t| mentions(self.store, t, constant));
        let Some(place) = place.or_else(|| assertions.len().checked_sub(1)) else { return };
        let body = replaced(self.store, assertions[place], constant, variable);
        let binder =
            Binder { vars: [(symbol, sort)].into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        if let Ok(bound) = self.store.bind(kind, binder, &[body]) {
            assertions[place] = bound;
        }
    }

    /// States that an operator has different values at equal arguments.
    fn twin(&mut self, recipe: &Recipe, sort: SortId) -> Option<Vec<TermId>> {
        let op = recipe.maker.operator(self.rng);
        let args = self.args(recipe, DEPTH - 1)?;
        let usable: Vec<usize> = (0..args.len()).filter(|&n| self.constant(recipe.args[n]).is_some()).collect();
        let place = *self.rng.pick(&usable)?;
        if self.wants_value(&recipe.maker, place) {
            return None;
        }
        let mut others = args.clone();
        others[place] = self.constant(recipe.args[place])?;
        let same = self.store.eq(args[place], others[place]).ok()?;
        let (left, right) =
            (recipe.maker.apply(self.store, op, &args, sort)?, recipe.maker.apply(self.store, op, &others, sort)?);
        let (left, right) = match self.store.sorts.get(sort) {
            Sort::RegLan => {
                let word = self.value(SortId::STRING)?;
                (self.member(word, left)?, self.member(word, right)?)
            }
            _ => (left, right),
        };
        let equal = self.store.eq(left, right).ok()?;
        let differ = self.store.not(equal);
        Some(vec![same, differ])
    }

    /// Fixes most constants to their values under the hidden assignment.
    fn pin(&mut self, list: &mut Vec<TermId>) {
        let all: Vec<TermId> = self.constants.iter().flat_map(|c| c.1.iter().copied()).collect();
        for constant in all {
            if self.rng.percent(85)
                && let Some(value) = self.valued(constant)
            {
                list.extend(self.store.eq(constant, value).ok());
            }
        }
    }

    /// Returns the value of a term under the hidden assignment, as a term.
    fn valued(&mut self, t: TermId) -> Option<TermId> {
        let sort = self.store.sort(t);
        if has_elements(self.store, sort) {
            return None;
        }
        let value = self.hidden.eval(self.store, t).ok()?;
        value.to_term(self.store, sort)
    }

    fn constant(&mut self, sort: SortId) -> Option<TermId> {
        let terms = &self.constants.iter().find(|c| c.0 == sort)?.1;
        self.rng.pick(terms).copied()
    }

    /// Returns a value of a sort as a term; for a language that of one word.
    fn value(&mut self, sort: SortId) -> Option<TermId> {
        if matches!(self.store.sorts.get(sort), Sort::RegLan) {
            let word = self.value(SortId::STRING)?;
            return self.store.app(Op::new(Kind::StrToRe), &[word]).ok();
        }
        if has_elements(self.store, sort) {
            return None;
        }
        let value = self.values.value(self.store, sort, self.rng)?;
        value.to_term(self.store, sort)
    }

    fn leaf(&mut self, sort: SortId) -> Option<TermId> {
        if self.rng.percent(VALUES)
            && let Some(value) = self.value(sort)
        {
            return Some(value);
        }
        self.constant(sort).or_else(|| self.value(sort))
    }

    /// Returns a term of a sort. Recursion is as deep as `fuel`.
    fn term(&mut self, sort: SortId, fuel: u32) -> Option<TermId> {
        if self.rng.percent(AGAIN) {
            let known: Vec<TermId> = self.made.iter().copied().filter(|&t| self.store.sort(t) == sort).collect();
            if let Some(&t) = self.rng.pick(&known) {
                return Some(t);
            }
        }
        if fuel == 0 || (sort != SortId::BOOL && self.rng.percent(35)) {
            return self.leaf(sort).or_else(|| if fuel == 0 { None } else { self.compound(sort, fuel) });
        }
        self.compound(sort, fuel).or_else(|| self.leaf(sort))
    }

    fn compound(&mut self, sort: SortId, fuel: u32) -> Option<TermId> {
        let groups = &self.groups.iter().find(|g| g.0 == sort)?.1;
        let group = self.rng.pick(groups)?;
        let recipe = self.rng.pick(group)?.clone();
        self.made_by(&recipe, sort, fuel.saturating_sub(1))
    }

    fn made_by(&mut self, recipe: &Recipe, sort: SortId, fuel: u32) -> Option<TermId> {
        let op = recipe.maker.operator(self.rng);
        let args = self.args(recipe, fuel)?;
        let term = recipe.maker.apply(self.store, op, &args, sort)?;
        self.made.push(term);
        Some(term)
    }

    fn args(&mut self, recipe: &Recipe, fuel: u32) -> Option<Vec<TermId>> {
        let mut args = Vec::with_capacity(recipe.args.len());
        for (n, &arg) in recipe.args.iter().enumerate() {
            args.push(match self.wants_value(&recipe.maker, n) {
                true => self.value(arg)?,
                false => self.term(arg, fuel)?,
            });
        }
        Some(args)
    }

    /// Whether an argument must be a value: in the products of linear arithmetic, and where solvers accept nothing else.
    fn wants_value(&self, maker: &TermMaker, n: usize) -> bool {
        let Some(kind) = maker.kind() else { return false };
        match kind {
            Kind::ReRange => true,
            Kind::FpFromReal => n == 1,
            _ => n > 0 && self.linear.contains(&kind),
        }
    }

    /// Returns a formula about a term.
    fn truth(&mut self, t: TermId) -> Option<TermId> {
        let sort = self.store.sort(t);
        let formula = match self.store.sorts.get(sort) {
            Sort::Bool => t,
            Sort::RegLan => {
                let word = self.term(SortId::STRING, 0)?;
                self.member(word, t)?
            }
            _ => self.compared(t, sort)?,
        };
        Some(if self.rng.coin() { formula } else { self.store.not(formula) })
    }

    /// Returns the term under a Boolean operator: an equation half of the time.
    fn compared(&mut self, t: TermId, sort: SortId) -> Option<TermId> {
        let groups = &self.groups.iter().find(|g| g.0 == SortId::BOOL)?.1;
        let takes = |r: &&Recipe| r.args.contains(&sort);
        let fitting: Vec<Recipe> = groups.iter().flatten().filter(takes).cloned().collect();
        let recipe = self.rng.pick(&fitting).cloned();
        if self.rng.coin() || recipe.is_none() {
            // The exact value reveals differences to another evaluation.
            let own = if self.rng.percent(EXACT) { self.valued(t) } else { None };
            let other = match own {
                Some(value) => value,
                None => self.term(sort, 1)?,
            };
            return self.store.eq(t, other).ok();
        }
        let recipe = recipe?;
        let op = recipe.maker.operator(self.rng);
        let mut args = self.args(&recipe, 1)?;
        let places: Vec<usize> = (0..args.len()).filter(|&n| recipe.args[n] == sort).collect();
        let place = *self.rng.pick(&places)?;
        if !self.wants_value(&recipe.maker, place) {
            args[place] = t;
        }
        recipe.maker.apply(self.store, op, &args, SortId::BOOL)
    }

    fn member(&mut self, word: TermId, language: TermId) -> Option<TermId> {
        self.store.app(Op::new(Kind::StrInRe), &[word, language]).ok()
    }
}

/// Whether a sort contains elements of uninterpreted sorts, which have no terms.
fn has_elements(store: &Store, sort: SortId) -> bool {
    let mut all = vec![sort];
    let mut next = 0;
    while let Some(&s) = all.get(next) {
        next += 1;
        match store.sorts.get(s) {
            Sort::Uninterpreted(..) => return true,
            Sort::Datatype(d, _) => {
                let fields = store.datatype(*d).constructors.iter().flat_map(|c| c.fields.iter().map(|f| f.1));
                let fresh: Vec<SortId> = fields.filter(|f| !all.contains(f)).collect();
                all.extend(fresh);
            }
            _ => {}
        }
        let children: Vec<SortId> = store.sorts.children(s).into_iter().filter(|c| !all.contains(c)).collect();
        all.extend(children);
    }
    false
}

fn mentions(store: &Store, root: TermId, part: TermId) -> bool {
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if t == part {
            return true;
        }
        stack.extend_from_slice(store.args(t));
    }
    false
}

/// Returns a small term with one part replaced. Recursion is as deep as the term.
fn replaced(store: &mut Store, t: TermId, part: TermId, by: TermId) -> TermId {
    if t == part {
        return by;
    }
    let args: Vec<TermId> = store.args(t).to_vec();
    let args: Vec<TermId> = args.into_iter().map(|a| replaced(store, a, part, by)).collect();
    store.with_args(t, &args)
}
