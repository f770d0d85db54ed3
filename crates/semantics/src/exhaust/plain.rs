//! The search through all assignments by the plain evaluator: the basis of every claim of exhaustion.
//!
//! Depth first. Under a partial assignment the three-valued evaluator refutes the assertions, finds all of them true, or
//! names a point whose value it needs: a symbol at some arguments, or an application that the standard leaves open. The
//! search tries each value of that point in turn. So a refuted partial assignment refutes all its extensions.

use super::answer::{ExhaustLimits, Unresolved};
use super::world::World;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::meter::Stop;
use crate::model::{FunctionTable, Model};
use crate::open::OpenPoint;
use crate::value::Value;
use sha2::{Digest, Sha256};
use smtlib::{SortId, Store};
use std::sync::Arc;

/// The search over a world.
pub(super) struct PlainSearch<'s> {
    world: &'s World,
    limits: &'s ExhaustLimits,
    stop: &'s Stop,
    /// The points that have values, in order of discovery.
    path: Vec<Fixed>,
    evaluations: u64,
    /// The steps of these evaluations.
    steps: u64,
    refuted: u64,
    hash: Sha256,
    /// Why something was left undecided, if anything was.
    pub(super) unresolved: Option<Unresolved>,
}

/// A point with its possible values, and its current one.
struct Fixed {
    point: OpenPoint,
    sort: SortId,
    values: Arc<[Value]>,
    at: usize,
}

/// The evaluator's result for the assertions under a partial assignment.
enum Look {
    Satisfied,
    /// The assertion of this number is false.
    Refuted(usize),
    /// A point needs a value; it has these candidates, possibly none.
    Open(Fixed),
    /// This point, of a term of this sort, needs a value, and has infinitely many candidates.
    Infinite(OpenPoint, SortId),
    Stuck(Unresolved),
}

impl<'s> PlainSearch<'s> {
    pub(super) fn new(world: &'s World, limits: &'s ExhaustLimits, stop: &'s Stop) -> PlainSearch<'s> {
        PlainSearch {
            world,
            limits,
            stop,
            path: Vec::new(),
            evaluations: 0,
            steps: 0,
            refuted: 0,
            hash: Sha256::new(),
            unresolved: None,
        }
    }

    /// How many partial assignments were refuted, and the digest of them.
    pub(super) fn refuted(self) -> (u64, [u8; 32]) {
        (self.refuted, self.hash.finalize().into())
    }

    /// Searches all assignments that extend a base, which fixes the universes and possibly some constants. Returns the
    /// first model found.
    ///
    /// Invariant: `None` without unresolved points only if, according to the evaluator, every assignment over the world's
    /// values, with every choice of what the standard leaves open, makes an assertion false.
    pub(super) fn run(&mut self, store: &mut Store, base: &Model) -> Option<Model> {
        loop {
            if let Some(why) = self.is_spent() {
                self.unresolved = Some(why);
                self.path.clear();
                return None;
            }
            self.evaluations += 1;
            let model = self.assignment(store, base);
            match self.look(store, &model) {
                Look::Satisfied => return Some(model),
                Look::Refuted(assertion) => self.note_refuted(store, assertion),
                Look::Stuck(why) => self.unresolved = Some(why),
                // Nothing extends the partial assignment.
                Look::Open(fixed) if fixed.values.is_empty() => self.note_refuted(store, usize::MAX),
                Look::Open(fixed) => {
                    self.path.push(fixed);
                    continue;
                }
                // Infinitely many: some are tried, since one may satisfy, but they do not refute the rest.
                Look::Infinite(point, sort) => {
                    self.unresolved = Some(match &point {
                        OpenPoint::Symbol(f, _) => Unresolved::Function(*f),
                        OpenPoint::Choice(op, _) => Unresolved::Choice(*op),
                    });
                    let values = samples(&Domains { store, model: &model }, &point, sort);
                    if !values.is_empty() {
                        self.path.push(Fixed { point, sort, values, at: 0 });
                        continue;
                    }
                }
            }
            if !self.advance() {
                return None;
            }
        }
    }

    /// Returns the exhausted resource.
    fn is_spent(&self) -> Option<Unresolved> {
        let limits = self.limits;
        if self.evaluations >= limits.evaluations {
            return Some(Unresolved::Evaluations(limits.evaluations));
        }
        if self.steps >= limits.steps {
            return Some(Unresolved::Steps(limits.steps));
        }
        self.stop.is_over().then_some(Unresolved::Stopped)
    }

    /// Takes the next value of the last point that has one left.
    fn advance(&mut self) -> bool {
        while let Some(last) = self.path.last_mut() {
            last.at += 1;
            if last.at < last.values.len() {
                return true;
            }
            self.path.pop();
        }
        false
    }

    fn assignment(&self, store: &Store, base: &Model) -> Model {
        let mut model = base.clone();
        for fixed in &self.path {
            let value = fixed.values[fixed.at].clone();
            match &fixed.point {
                OpenPoint::Choice(op, args) => {
                    model.choose(*op, args.clone(), value);
                }
                OpenPoint::Symbol(f, args) if args.is_empty() => {
                    // A value of another sort would leave the symbol open, and the search undecided.
                    let _ = model.assign(store, *f, value);
                }
                OpenPoint::Symbol(f, args) => {
                    let mut table = match model.interpretation(*f) {
                        Some(crate::Interpretation::Table(table)) => table.clone(),
                        _ => FunctionTable::new(None),
                    };
                    table.insert(args.clone(), value);
                    let _ = model.assign_table(store, *f, table);
                }
            }
        }
        model
    }

    fn look(&mut self, store: &Store, model: &Model) -> Look {
        let evaluator = Evaluator::new(model.clone(), self.limits.each).reading(&self.world.recursion);
        let mut evaluator = evaluator.heeding(self.stop).noting_open_points();
        let look = self.look_by(&mut evaluator, store, model);
        self.steps = self.steps.saturating_add(evaluator.steps_taken());
        look
    }

    fn look_by(&self, evaluator: &mut Evaluator, store: &Store, model: &Model) -> Look {
        let mut undecided = Vec::new();
        for (n, &assertion) in self.world.assertions.iter().enumerate() {
            match evaluator.eval(store, assertion) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Look::Refuted(n),
                Err(unknown) => undecided.push(unknown),
            }
        }
        let Some(&first) = undecided.first() else { return Look::Satisfied };
        let domains = Domains { store, model };
        // Constants first, beginning with those that an assertion waits for: they are few. Then the point with the fewest
        // candidates.
        let (mut best, mut infinite): (Option<Fixed>, _) = (None, None);
        for unknown in undecided {
            if self.stop.is_over() {
                return Look::Stuck(Unresolved::Stopped);
            }
            let Some(point) = evaluator.open_point(unknown.term) else { continue };
            // A point that has a value and is still open would stay open forever.
            if self.path.iter().any(|fixed| fixed.point == *point) {
                continue;
            }
            let sort = match point {
                OpenPoint::Symbol(f, _) => store.func(*f).result,
                OpenPoint::Choice(..) => store.sort(unknown.term),
            };
            match self.world.candidates(&domains, point, sort, self.limits) {
                Some(values) => {
                    let fixed = Fixed { point: point.clone(), sort, values, at: 0 };
                    if fixed.point.is_constant() {
                        return Look::Open(fixed);
                    }
                    if best.as_ref().is_none_or(|best| fixed.values.len() < best.values.len()) {
                        best = Some(fixed);
                    }
                }
                None => infinite = infinite.or(Some((point.clone(), sort))),
            }
        }
        if let Some((f, values)) = self.world.constants.iter().find(|(f, _)| model.interpretation(*f).is_none())
            && let Some(values) = values.list(&domains, self.limits)
        {
            let sort = store.func(*f).result;
            return Look::Open(Fixed { point: OpenPoint::Symbol(*f, [].into()), sort, values, at: 0 });
        }
        if let Some(best) = best {
            return Look::Open(best);
        }
        match infinite {
            Some((point, sort)) => Look::Infinite(point, sort),
            None => Look::Stuck(Unresolved::Value(first.reason)),
        }
    }

    fn note_refuted(&mut self, store: &mut Store, assertion: usize) {
        self.refuted += 1;
        for fixed in &self.path {
            let term = fixed.point.to_term(store).map_or(String::new(), |t| store.term_text(t));
            let value = fixed.values[fixed.at].to_term(store, fixed.sort);
            let value = value.map_or(String::new(), |t| store.term_text(t));
            self.hash.update(format!("{term} = {value}; "));
        }
        self.hash.update(format!("{assertion}\n"));
    }
}

/// Returns some values of an infinite sort: they may satisfy, but cannot refute.
fn samples(domains: &Domains<'_>, point: &OpenPoint, sort: SortId) -> Arc<[Value]> {
    let args = match point {
        OpenPoint::Symbol(_, args) | OpenPoint::Choice(_, args) => args,
    };
    let mut values: Vec<Value> = domains.any(sort).into_iter().collect();
    for value in args.iter().filter(|v| v.has_sort(domains.store, sort)) {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values.into()
}
