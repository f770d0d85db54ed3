//! Replaces quantified formulas: universal ones by Boolean constants, and the variables of existential ones by constants (Skolem
//! constants, if under no universal quantifier).

use rewrite::quantifier::{BoundVariable, apart, bound, instance};
use rewrite::walk::{Rebuild, TermMap, TermSet};
use rewrite::{FreshSymbols, PassSettings};
use rustc_hash::FxHashMap;
use smtlib::term::HAS_BINDER;
use smtlib::{FuncId, Kind, SortId, Store, TermId};

/// The maximum nesting of quantifiers, after adjacent ones of the same kind are merged.
const MAX_DEPTH: usize = 64;

/// A universal formula that occurs in the problem.
#[derive(Clone)]
pub(super) struct Universal {
    /// The constant that represents it: where it is true, so is the formula.
    pub proxy: TermId,
    /// Its variables.
    pub vars: Vec<BoundVariable>,
    /// Its body, in negation normal form.
    pub body: TermId,
    /// The negation of the body, with constants for the variables, once needed.
    pub negated: Option<(TermId, Vec<FuncId>)>,
}

/// The ground formulas, and the meaning of their constants.
pub(super) struct Grounding {
    /// The universal formulas met so far.
    pub universals: Vec<Universal>,
    /// The fresh symbols, which are not in models of the problem.
    pub symbols: Vec<FuncId>,
    /// The constants of existential formulas by sort, which are good terms for instances.
    pub witnesses: FxHashMap<SortId, Vec<TermId>>,
    definitions: Vec<TermId>,
    defined: TermSet,
    images: TermMap,
    fresh: FreshSymbols,
    names: FreshSymbols,
    /// The limits of every step.
    pub settings: PassSettings,
}

/// The polarity of a quantified formula's occurrence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Polarity {
    /// Only its truth matters.
    Positive,
    /// The occurrence is below an operator other than `and` and `or`.
    Both,
}

impl Grounding {
    pub fn new(settings: PassSettings) -> Grounding {
        Grounding {
            universals: Vec::new(),
            symbols: Vec::new(),
            witnesses: FxHashMap::default(),
            definitions: Vec::new(),
            defined: TermSet::default(),
            images: TermMap::default(),
            fresh: FreshSymbols::new("mbqi"),
            names: FreshSymbols::new("bound"),
            settings,
        }
    }

    /// Returns the image of any closed formula, after normalization.
    pub fn add(&mut self, store: &mut Store, t: TermId) -> Result<TermId, InstanceFailure> {
        let t = apart(store, t, &mut self.names, &self.settings)?;
        self.image(store, t, 0)
    }

    /// Returns the image of a closed formula in the normal form of [`apart`].
    pub fn image(&mut self, store: &mut Store, t: TermId, depth: usize) -> Result<TermId, InstanceFailure> {
        if store.flags(t) & HAS_BINDER == 0 {
            return Ok(t);
        }
        if let Some(image) = self.images.get(t) {
            return Ok(image);
        }
        if depth > MAX_DEPTH {
            return Err(InstanceFailure(format!("quantifiers stand in each other more than {MAX_DEPTH} deep")));
        }
        let mut rebuild = Rebuild::default();
        for (q, polarity) in outermost(store, t) {
            let image = match polarity {
                Polarity::Positive => self.positive(store, q, depth)?,
                Polarity::Both => self.both(store, q, depth)?,
            };
            rebuild.preset(q, image);
        }
        let mut watch = self.settings.watch(store);
        let image = rebuild.run(store, t, &mut watch, |_, u| Ok(u))?;
        self.images.insert(t, image);
        Ok(image)
    }

    /// Returns a formula that implies a quantified formula, and can be true where it is.
    fn positive(&mut self, store: &mut Store, q: TermId, depth: usize) -> Result<TermId, InstanceFailure> {
        if let Some(image) = self.images.get(q) {
            return Ok(image);
        }
        let vars = bound(store, q);
        let body = store.args(q)[0];
        let image = if store.kind(q) == Kind::Forall {
            let proxy = self.constant(store, SortId::BOOL);
            self.universals.push(Universal { proxy, vars, body, negated: None });
            proxy
        } else {
            let mut constants = Vec::with_capacity(vars.len());
            for &(_, sort) in &vars {
                let constant = self.constant(store, sort);
                self.witnesses.entry(sort).or_default().push(constant);
                constants.push(constant);
            }
            let body = instance(store, body, &vars, &constants, &self.settings)?;
            self.image(store, body, depth + 1)?
        };
        self.images.insert(q, image);
        Ok(image)
    }

    /// Returns a constant that is equivalent to a quantified formula.
    fn both(&mut self, store: &mut Store, q: TermId, depth: usize) -> Result<TermId, InstanceFailure> {
        let name = self.constant(store, SortId::BOOL);
        let holds = self.positive(store, q, depth)?;
        let negation = store.not(q);
        let negation = apart(store, negation, &mut self.names, &self.settings)?;
        let fails = self.image(store, negation, depth + 1)?;
        let otherwise = store.not(name);
        for clause in [store.or(&[otherwise, holds]), store.or(&[name, fails])] {
            self.define(clause);
        }
        Ok(name)
    }

    /// Adds the instance of a universal formula for these terms; returns whether it is new.
    pub fn instantiate(&mut self, store: &mut Store, n: usize, terms: &[TermId]) -> Result<bool, InstanceFailure> {
        let Universal { proxy, vars, body, .. } = self.universals[n].clone();
        let body = instance(store, body, &vars, terms, &self.settings)?;
        let image = self.image(store, body, 0)?;
        let otherwise = store.not(proxy);
        let clause = store.or(&[otherwise, image]);
        Ok(self.define(clause))
    }

    /// Returns the constraints on the fresh symbols.
    pub fn definitions(&self) -> &[TermId] {
        &self.definitions
    }

    fn define(&mut self, clause: TermId) -> bool {
        let new = self.defined.insert(clause);
        if new {
            self.definitions.push(clause);
        }
        new
    }

    /// Returns the negated body of a universal formula with constants for its variables, and the constants.
    pub fn negated(&mut self, store: &mut Store, n: usize) -> Result<(TermId, Vec<FuncId>), InstanceFailure> {
        if let Some(known) = &self.universals[n].negated {
            return Ok(known.clone());
        }
        let Universal { vars, body, .. } = self.universals[n].clone();
        let terms: Vec<TermId> = vars.iter().map(|&(_, sort)| self.constant(store, sort)).collect();
        let constants: Vec<FuncId> = terms.iter().filter_map(|&t| store.applied(t)).collect();
        let body = instance(store, body, &vars, &terms, &self.settings)?;
        let made = (store.not(body), constants);
        self.universals[n].negated = Some(made.clone());
        Ok(made)
    }

    fn constant(&mut self, store: &mut Store, sort: SortId) -> TermId {
        let (f, term) = self.fresh.constant(store, sort);
        self.symbols.push(f);
        term
    }
}

/// A lowercase phrase with the reason.
pub(super) struct InstanceFailure(pub(super) String);

impl<E: std::fmt::Display> From<E> for InstanceFailure {
    fn from(error: E) -> InstanceFailure {
        InstanceFailure(error.to_string())
    }
}

/// Returns the outermost quantified formulas, each once.
pub(super) fn outermost(store: &Store, root: TermId) -> Vec<(TermId, Polarity)> {
    let mut found: Vec<(TermId, Polarity)> = Vec::new();
    let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut seen = [TermSet::default(), TermSet::default()];
    let mut stack = vec![(root, Polarity::Positive)];
    while let Some((t, polarity)) = stack.pop() {
        if store.flags(t) & HAS_BINDER == 0 || !seen[usize::from(polarity == Polarity::Both)].insert(t) {
            continue;
        }
        match store.kind(t) {
            Kind::Forall | Kind::Exists => {
                let place = *places.entry(t).or_insert(found.len());
                match found.get_mut(place) {
                    Some(known) if polarity == Polarity::Both => known.1 = polarity,
                    Some(_) => {}
                    None => found.push((t, polarity)),
                }
            }
            Kind::And | Kind::Or => stack.extend(store.args(t).iter().rev().map(|&a| (a, polarity))),
            _ => stack.extend(store.args(t).iter().rev().map(|&a| (a, Polarity::Both))),
        }
    }
    found
}
