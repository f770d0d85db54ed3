//! Constrained Horn clauses over small sorts, in the logic `HORN` or as z3's rules, decided by their least fixpoint.
//!
//! `(assert (forall ((v0 (_ BitVec 2)) (v1 Bool)) (=> (and (h0 v0 v1) (bvult v0 #b10)) (h1 (bvadd v0 #b01)))))`, or such a `(rule …)`.

use super::problem::{Drawing, LIMITS};
use crate::guards::quantified;
use crate::rng::RandomStream;
use semantics::Model;
use semantics::Stop;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::truth::{CheckTruth, Search, TruthQuery, of_clauses, of_instance};
use smtlib::script::RuleVariables;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, Kind, Op, SortId, Store, Symbol, TermId};
use std::collections::BTreeSet;

/// The maximum number of values of a sort of variables.
const MAX_VALUES: u64 = 8;
/// The maximum number of values of the variables of one clause together.
const MAX_INSTANCES: u64 = 256;
/// How often queries are redrawn until the answer is the wanted one.
const STEPS: u32 = 6;
/// z3's engines for rules.
const ENGINES: [&str; 3] = ["datalog", "spacer", "spacer"];

/// A relation with the sorts of its parameters.
type HornRelation = (FuncId, Vec<SortId>);

/// Returns the sorts of few values.
fn small(store: &Store, sorts: &[SortId]) -> Vec<SortId> {
    let model = Model::new();
    let is_small =
        |sort| matches!(Domains { store, model: &model }.cardinality(sort), Cardinality::Finite(n) if n <= MAX_VALUES);
    sorts.iter().copied().filter(|&sort| is_small(sort)).collect()
}

impl Drawing<'_> {
    /// Relations, clauses for them, and queries; both answers are made equally likely.
    pub(super) fn clauses(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let sorts = small(store, sorts);
        let relations = self.relations(store, &sorts, &FuncBody::Declared, rng)?;
        for clause in self.definite(store, &relations, &sorts, rng)? {
            self.assert(clause);
        }
        let is_sat = rng.percent(40);
        for _ in 0..STEPS {
            let atoms = 1 + u64::from(is_sat && rng.coin());
            let query = self.clause(store, &relations, (atoms, None), &sorts, rng)?;
            self.assert(query);
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

    /// Relations, rules for them, and queries; both answers are made equally likely.
    pub(super) fn rules(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        if let Some(engine) = rng.pick(&ENGINES).filter(|_| rng.coin()) {
            self.problem.commands.push(Command::SetOption(":fp.engine".into(), (*engine).into()));
        }
        let sorts = small(store, sorts);
        let relations = self.relations(store, &sorts, &FuncBody::Relation, rng)?;
        let mut rules = self.definite(store, &relations, &sorts, rng)?;
        let mut variables = rng.coin().then(BTreeSet::new);
        for &rule in &rules {
            self.rule(store, rule, variables.as_mut());
        }
        for n in 0..if self.is_incremental { rng.between(1, 3) } else { 1 } {
            let mut goal = store.any_fact(rng.pick(&relations)?.0).ok()?;
            let mut answer = self.derives(store, &rules, goal)?;
            if rng.percent(70) {
                // Like a clause with the head `false`.
                let query = self.relation(store, &format!("q{n}"), Vec::new(), &FuncBody::Relation);
                goal = store.any_fact(query.0).ok()?;
                let wanted = rng.coin();
                for step in 1..=STEPS {
                    let atoms = rng.between(1, 2);
                    let rule = self.clause(store, &relations, (atoms, Some(query.clone())), &sorts, rng)?;
                    rules.push(rule);
                    answer = self.derives(store, &rules, goal)?;
                    if answer.model().is_some() == wanted || step == STEPS {
                        self.rule(store, rule, variables.as_mut());
                        break;
                    }
                    rules.pop();
                }
            }
            self.problem.commands.push(Command::Derive(goal));
            self.problem.answers.push(answer);
        }
        Some(())
    }

    /// Adds a rule, whose variables are declared unless there is no set of those that are.
    fn rule(&mut self, store: &Store, rule: TermId, declared: Option<&mut BTreeSet<Symbol>>) {
        let binder = store.op(rule).binder().map(|binder| store.binder(binder));
        let by = if declared.is_some() { RuleVariables::Declared } else { RuleVariables::Quantified };
        if let (Some(declared), Some(binder)) = (declared, binder) {
            for &(name, sort) in binder.vars.iter().filter(|(name, _)| declared.insert(*name)) {
                let text = format!("(declare-var {} {})", store.name(name), store.sort_text(sort));
                self.problem.commands.push(Command::Query(text.into()));
            }
        }
        self.problem.commands.push(Command::Rule(rule, by, "".into()));
    }

    fn derives(&mut self, store: &mut Store, rules: &[TermId], goal: TermId) -> Option<CheckTruth> {
        let query = TruthQuery { limits: &LIMITS, stop: &Stop::default(), search: Search::Quick };
        let instance = Instance { rules: Some(rules.into()), assertions: vec![goal], ..Instance::default() };
        of_instance(store, &instance, query).ok()
    }

    /// Declares relations over these sorts.
    fn relations(
        &mut self,
        store: &mut Store,
        sorts: &[SortId],
        body: &FuncBody,
        rng: &mut RandomStream,
    ) -> Option<Vec<HornRelation>> {
        let mut relations = Vec::new();
        for n in 0..rng.between(1, 4) {
            let arity = if rng.percent(10) { 0 } else { rng.between(1, 3) };
            let params = (0..arity).map(|_| rng.pick(sorts).copied()).collect::<Option<Vec<SortId>>>()?;
            relations.push(self.relation(store, &format!("h{n}"), params, body));
        }
        Some(relations)
    }

    fn relation(&mut self, store: &mut Store, name: &str, params: Vec<SortId>, body: &FuncBody) -> HornRelation {
        let name = store.symbols.intern(name);
        let f = store.declare(Func { name, params: params.clone().into(), result: SortId::BOOL, body: body.clone() });
        self.problem.declarations.push(Command::DeclareFun(f));
        (f, params)
    }

    /// Returns clauses with relations as their heads.
    fn definite(
        &mut self,
        store: &mut Store,
        relations: &[HornRelation],
        sorts: &[SortId],
        rng: &mut RandomStream,
    ) -> Option<Vec<TermId>> {
        let mut clauses = Vec::new();
        // Facts first: without any nothing follows.
        for (n, relation) in relations.iter().enumerate() {
            if n == 0 || rng.percent(30) {
                clauses.push(self.clause(store, relations, (0, Some(relation.clone())), sorts, rng)?);
            }
        }
        for _ in 0..rng.between(2, 6) {
            let head = rng.pick(relations).cloned();
            let atoms = rng.between(1, 2);
            clauses.push(self.clause(store, relations, (atoms, head), sorts, rng)?);
        }
        Some(clauses)
    }

    fn decide_clauses(&mut self, store: &mut Store) -> Option<CheckTruth> {
        let clauses = self.asserted();
        let query = TruthQuery { limits: &LIMITS, stop: &Stop::default(), search: Search::Quick };
        of_clauses(store, &clauses, query)
    }

    /// Returns a clause with this number of relations in its body, and this relation, if any, or `false` as its head.
    fn clause(
        &mut self,
        store: &mut Store,
        relations: &[HornRelation],
        (atoms, head): (u64, Option<HornRelation>),
        sorts: &[SortId],
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        self.grower.scope.clear();
        let (mut vars, mut instances) = (Vec::new(), 1);
        for n in 0..rng.between(1, 3) {
            let at = rng.index(sorts.len());
            let sort = *sorts.get(at)?;
            // A name has one sort, so that it may be declared for all clauses.
            let (name, variable) = store.named_variable(&format!("v{at}{n}"), sort);
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
        quantified(store, Kind::Forall, vars, matrix)
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
