//! Constrained Horn clauses over small sorts in the logic `HORN`, decided by their least fixpoint.
//!
//! `(assert (forall ((v0 (_ BitVec 2)) (v1 Bool)) (=> (and (h0 v0 v1) (bvult v0 #b10)) (h1 (bvadd v0 #b01)))))`.

use super::problem::{Drawing, LIMITS};
use crate::guards::quantified;
use crate::rng::RandomStream;
use semantics::Model;
use semantics::Stop;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::truth::{CheckTruth, Search, TruthQuery, of_clauses};
use smtlib::{Command, Func, FuncBody, FuncId, Kind, Op, SortId, Store, TermId};

/// The maximum number of values of a sort of variables.
const MAX_VALUES: u64 = 8;
/// The maximum number of values of the variables of one clause together.
const MAX_INSTANCES: u64 = 256;
/// How often queries are redrawn until the answer is the wanted one.
const STEPS: u32 = 6;

impl Drawing<'_> {
    /// Relations, clauses for them, and queries; both answers are made equally likely.
    pub(super) fn clauses(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let model = Model::new();
        let is_small = |store: &Store, sort| matches!(Domains { store, model: &model }.cardinality(sort), Cardinality::Finite(n) if n <= MAX_VALUES);
        let sorts: Vec<SortId> = sorts.iter().copied().filter(|&sort| is_small(store, sort)).collect();
        let mut relations: Vec<(FuncId, Vec<SortId>)> = Vec::new();
        for n in 0..rng.between(1, 4) {
            let name = store.symbols.intern(&format!("h{n}"));
            let arity = if rng.percent(10) { 0 } else { rng.between(1, 3) };
            let params = (0..arity).map(|_| rng.pick(&sorts).copied()).collect::<Option<Vec<SortId>>>()?;
            let f = store.declare(Func {
                name,
                params: params.clone().into(),
                result: SortId::BOOL,
                body: FuncBody::Declared,
            });
            self.problem.declarations.push(Command::DeclareFun(f));
            relations.push((f, params));
        }
        // Facts first: without any nothing follows.
        for (n, (f, params)) in relations.clone().into_iter().enumerate() {
            if n == 0 || rng.percent(30) {
                self.clause(store, &relations, (0, Some((f, params))), &sorts, rng)?;
            }
        }
        for _ in 0..rng.between(2, 6) {
            let head = rng.pick(&relations).cloned();
            let atoms = rng.between(1, 2);
            self.clause(store, &relations, (atoms, head), &sorts, rng)?;
        }
        let is_sat = rng.percent(40);
        for _ in 0..STEPS {
            let atoms = 1 + u64::from(is_sat && rng.coin());
            self.clause(store, &relations, (atoms, None), &sorts, rng)?;
            match self.decide_clauses(store)? {
                CheckTruth::Unsat(_) if is_sat => self.retract()?,
                CheckTruth::Unsat(_) => break,
                CheckTruth::Sat(_) if is_sat && rng.percent(40) => break,
                CheckTruth::Sat(_) => {}
            }
        }
        let answer = self.decide_clauses(store)?;
        self.problem.commands.push(Command::CheckSat);
        self.problem.answers.push(answer);
        Some(())
    }

    fn decide_clauses(&mut self, store: &mut Store) -> Option<CheckTruth> {
        let clauses = self.asserted();
        let query = TruthQuery { limits: &LIMITS, stop: &Stop::default(), search: Search::Quick };
        of_clauses(store, &clauses, query)
    }

    /// Asserts a clause with this number of relations in its body, and this relation, if any, or `false` as its head.
    fn clause(
        &mut self,
        store: &mut Store,
        relations: &[(FuncId, Vec<SortId>)],
        (atoms, head): (u64, Option<(FuncId, Vec<SortId>)>),
        sorts: &[SortId],
        rng: &mut RandomStream,
    ) -> Option<()> {
        self.grower.scope.clear();
        let (mut vars, mut instances) = (Vec::new(), 1);
        for n in 0..rng.between(1, 3) {
            let sort = *rng.pick(sorts)?;
            let (name, variable) = store.named_variable(&format!("v{n}"), sort);
            let size = Domains { store, model: &Model::new() }.all(sort, MAX_VALUES)?.len() as u64;
            if instances * size > MAX_INSTANCES {
                break;
            }
            instances *= size;
            vars.push((name, sort));
            self.grower.scope.entry(sort).or_default().push(variable);
        }
        let mut body = Vec::new();
        for _ in 0..atoms {
            let (f, params) = rng.pick(relations)?.clone();
            body.push(self.atom(store, f, &params, 0, rng)?);
        }
        if rng.percent(if atoms == 0 { 85 } else { 60 }) {
            let fuel = rng.between(1, 2) as u32;
            body.push(self.grower.term(store, SortId::BOOL, fuel, rng)?);
        }
        let head = match head {
            Some((f, params)) => self.atom(store, f, &params, 1, rng)?,
            None => store.bool(false),
        };
        let matrix = match body.len() {
            0 => head,
            _ => {
                let body = store.and(&body);
                store.app(Op::new(Kind::Implies), &[body, head]).ok()?
            }
        };
        let whole = quantified(store, Kind::Forall, vars, matrix)?;
        self.assert(whole);
        Some(())
    }

    /// Returns a relation at terms, at most `fuel` operators deep.
    fn atom(
        &mut self,
        store: &mut Store,
        f: FuncId,
        params: &[SortId],
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        let mut args = Vec::with_capacity(params.len());
        for &sort in params {
            let fuel = if rng.percent(50) { fuel } else { 0 };
            args.push(self.grower.term(store, sort, fuel, rng)?);
        }
        store.apply(f, &args).ok()
    }
}
