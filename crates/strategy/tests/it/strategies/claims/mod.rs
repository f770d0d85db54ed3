//! No wrong conclusions: every claim of a pass, a split or an engine is judged by exhaustion, in small worlds.
//!
//! `SQUALL_CLAIMS` says on how many worlds random strategies run, `SQUALL_SEED` on which;
//! `SQUALL_CLAIMS=20000 cargo test --release -p strategy --all-features --test it claims:: -- --nocapture` is the figure in docs/measurements/2026-11-27.md.

mod broken;

use crate::strategies::support::{Numbers, instance, random_strategy, read, solvers};
use dashu_ratio::RBig;
use mutate::finite::FiniteMutator;
use mutate::{TargetSpelling, Unit};
use proof::{ProofGraph, ProofStep, StepKind, proof_text};
use rewrite::linear::number_term;
use rewrite::walk::{Rebuild, visit};
use rewrite::{PassSettings, Wants};
use rustc_hash::FxHashSet;
use semantics::Stop;
use semantics::truth::{CheckTruth, ExhaustLimits, Search, TruthQuery, of_formulas};
use smtlib::free_vars::FreeVars;
use smtlib::strategy::Strategy;
use smtlib::{FuncId, Instance, Kind, Sort, Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strategy::claims::RecordedProof;
use strategy::registry::tactics;
use strategy::{Budget, Shared, SolveAnswer, SolveReport, SolveRequest, StrategyPlan, plan, solve};

/// What is known of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Judged {
    Holds,
    Open,
    Refuted,
}

/// The time limit for judging one step.
const TIME: Duration = Duration::from_millis(100);

fn ask(store: &mut Store, formulas: &[TermId]) -> Judged {
    let stop = Stop { deadline: Instant::now().checked_add(TIME), ..Stop::default() };
    let limits = ExhaustLimits { assignments: 20_000, ..ExhaustLimits::default() };
    match of_formulas(store, formulas, TruthQuery { limits: &limits, stop: &stop, search: Search::Quick }) {
        Ok(CheckTruth::Sat(_)) => Judged::Refuted,
        Ok(CheckTruth::Unsat(_)) => Judged::Holds,
        Err(_) => Judged::Open,
    }
}

/// Formulas that confine constants of infinite sorts: a counterexample with few values is still one.
fn confined(store: &mut Store, formulas: &[TermId]) -> Vec<TermId> {
    let mut constants = Vec::new();
    visit(store, formulas.iter().copied(), |t| {
        let is_constant = store.applied(t).is_some_and(|f| store.func(f).is_declared()) && store.args(t).is_empty();
        constants.extend(is_constant.then_some(t));
    });
    let mut all = formulas.to_vec();
    for t in constants {
        let sort = store.sort(t);
        let values: Vec<TermId> = match store.sorts.get(sort) {
            Sort::Int => (-2..=4).map(|n| number_term(store, sort, &RBig::from(n))).collect(),
            Sort::Real => [-2, 0, 1, 2, 3].map(|n| number_term(store, sort, &(RBig::from(n) / RBig::from(2)))).to_vec(),
            _ => continue,
        };
        let equations: Vec<TermId> = values.into_iter().map(|value| store.eq(t, value).expect("one sort")).collect();
        all.push(store.or(&equations));
    }
    all
}

/// The negated conclusion: for a definition, for any values of its new symbols.
fn denied(store: &mut Store, graph: &ProofGraph, place: usize) -> Option<TermId> {
    let step = &graph.steps()[place];
    let conclusion = step.conclusion?;
    if step.kind == StepKind::Claim {
        return Some(store.not(conclusion));
    }
    let symbols = |store: &Store, roots: Vec<TermId>| {
        let mut found: FxHashSet<FuncId> = FxHashSet::default();
        visit(store, roots, |t| found.extend(store.op(t).func()));
        found
    };
    let known = symbols(store, graph.steps()[..place].iter().filter_map(|step| step.conclusion).collect());
    let mut new: Vec<FuncId> = symbols(store, vec![conclusion]).difference(&known).copied().collect();
    new.sort_unstable();
    if new.iter().any(|&f| !store.func(f).params.is_empty()) {
        return None;
    }
    // A name of a term has its value.
    if let (Kind::Eq, &[name, term], [f]) = (store.kind(conclusion), store.args(conclusion), &new[..])
        && store.applied(name) == Some(*f)
        && !symbols(store, vec![term]).contains(f)
    {
        return Some(store.bool(false));
    }
    let mut rebuild = Rebuild::default();
    let mut vars = Vec::new();
    for f in new {
        let (constant, sort) = (store.constant_of(f).ok()?, store.func(f).result);
        let name = format!("chosen!{}", vars.len());
        let (name, variable) = store.named_variable(&name, sort);
        vars.push((name, sort));
        rebuild.preset(constant, variable);
    }
    let settings = PassSettings::default();
    let mut watch = settings.watch(store);
    let image = rebuild.run(store, conclusion, &mut watch, |_, t| Ok(t)).ok()?;
    let not = store.not(image);
    if vars.is_empty() {
        return Some(not);
    }
    rewrite::quantifier::bind_free(store, Kind::Forall, &vars, not, &mut FreeVars::default()).ok()
}

/// What is known of a step of a proof.
fn judge(store: &mut Store, graph: &ProofGraph, place: usize) -> Judged {
    let ProofStep { kind, premises, discharges, conclusion, .. } = &graph.steps()[place];
    let of = |id: &proof::StepId| graph.steps()[id.0 as usize].conclusion.expect("our steps have conclusions");
    if *kind == StepKind::Assumption {
        return Judged::Open;
    }
    if let [case] = discharges[..] {
        let (end, not) = (of(&premises[0]), store.not(of(&case)));
        let is_right = store.kind(end) == Kind::False && *conclusion == Some(not);
        return if is_right { Judged::Holds } else { Judged::Refuted };
    }
    let Some(denied) = denied(store, graph, place) else { return Judged::Open };
    let mut formulas: Vec<TermId> = premises.iter().map(of).collect();
    formulas.push(denied);
    match ask(store, &formulas) {
        Judged::Open => {
            let formulas = confined(store, &formulas);
            match ask(store, &formulas) {
                Judged::Refuted => Judged::Refuted,
                _ => Judged::Open,
            }
        }
        known => known,
    }
}

/// Runs a strategy and records it.
fn recorded(
    store: &mut Store,
    instance: &Instance,
    plan: &StrategyPlan,
    time: Duration,
) -> (SolveReport, RecordedProof) {
    let shared = Arc::new(Shared::new(solvers(), instance.declarations.clone(), instance.logic));
    let budget = Budget::of(time);
    let request = SolveRequest { wants: Wants { models: true, cores: true }, budget, explain: true, claims: true };
    let mut report = solve(store, &instance.assertions, plan, &request, &shared);
    shared.wait_for_cancelled();
    let claims = report.claims.take().expect("it was asked for");
    (report, claims)
}

/// The numbers of steps that hold, are open, or are refuted, by rule.
#[derive(Default)]
struct Tally {
    rules: BTreeMap<String, [usize; 3]>,
    wrong: Vec<String>,
}

impl Tally {
    /// Judges all steps of a run, and the result of its refutation.
    fn add(&mut self, store: &mut Store, instance: &Instance, report: &SolveReport, claims: &RecordedProof, of: &str) {
        let graph = &claims.graph;
        for place in 0..graph.steps().len() {
            let step = &graph.steps()[place];
            if step.kind == StepKind::Assumption {
                continue;
            }
            let judged = judge(store, graph, place);
            self.rules.entry(step.rule.to_string()).or_default()[judged as usize] += 1;
            if judged == Judged::Refuted {
                let text = |id: &proof::StepId| store.term_text(graph.steps()[id.0 as usize].conclusion.unwrap());
                let premises: Vec<String> = step.premises.iter().map(text).collect();
                let conclusion = store.term_text(step.conclusion.unwrap());
                self.wrong.push(format!("{}: {premises:#?} do not imply {conclusion}\n{of}", step.rule));
            }
        }
        let SolveAnswer::Unsat { core, .. } = &report.answer else { return };
        let Some(last) = claims.refutation else {
            return self.wrong.push(format!("a refutation without its steps\n{of}"));
        };
        let end = graph.steps()[last.0 as usize].conclusion.map(|t| store.kind(t));
        let open: Vec<usize> = open_assumptions(graph, last);
        if end != Some(Kind::False) || open != *core || core.iter().any(|&n| n >= instance.assertions.len()) {
            self.wrong.push(format!("{last:?} concludes {end:?} from {open:?}, the core is {core:?}\n{of}"));
        }
        let text = proof_text(store, graph, last);
        if !text.lines().nth_back(1).is_some_and(|line| line.contains(" false")) {
            self.wrong.push(format!("the text does not end with false:\n{text}\n{of}"));
        }
    }

    fn print(&self) {
        println!("{:30} {:>8} {:>8} {:>8}", "rule", "holds", "open", "refuted");
        for (rule, [holds, open, refuted]) in &self.rules {
            println!("{rule:30} {holds:8} {open:8} {refuted:8}");
        }
        let sum = |n: usize| self.rules.values().map(|counts| counts[n]).sum::<usize>();
        println!("{:30} {:8} {:8} {:8}", "all", sum(0), sum(1), sum(2));
    }
}

/// The assumptions on which a step depends and which nothing discharges.
fn open_assumptions(graph: &ProofGraph, last: proof::StepId) -> Vec<usize> {
    let mut open: BTreeMap<proof::StepId, FxHashSet<proof::StepId>> = BTreeMap::new();
    for id in graph.leading_to([last]) {
        let step = &graph.steps()[id.0 as usize];
        let mut all: FxHashSet<_> = step.premises.iter().flat_map(|p| open[p].clone()).collect();
        step.discharges.iter().for_each(|case| {
            all.remove(case);
        });
        all.extend((step.kind == StepKind::Assumption).then_some(id));
        open.insert(id, all);
    }
    let mut found: Vec<usize> = open[&last].iter().map(|id| id.0 as usize).collect();
    found.sort_unstable();
    found
}

fn planned(strategy: &Strategy) -> Arc<StrategyPlan> {
    plan(strategy, &solvers()).unwrap_or_else(|error| panic!("{strategy}: {error}"))
}

/// Gives a number of small worlds, each with its theme.
fn worlds(seed: u64, count: u64, mut take: impl FnMut(&str)) {
    let finite = FiniteMutator { incremental: 0, mutants: 4, ..FiniteMutator::default() };
    let unit = Unit { campaign: seed, number: 0 };
    let made = finite.problems(
        &TargetSpelling { lacks: vec!["rule".into()], ..TargetSpelling::default() },
        unit,
        count,
        |_, mutant| {
            // Constants stand for a heap, which is no conclusion: nothing is recorded then.
            if !["(declare-heap ", "-order "].iter().any(|hidden| mutant.text.contains(hidden)) {
                take(&mutant.text);
            }
            Ok::<(), std::convert::Infallible>(())
        },
    );
    assert_eq!(made, Ok(count));
}

#[test]
fn random_strategies_draw_no_wrong_conclusion() {
    let (count, seed) = (testing::amount("SQUALL_CLAIMS", 150), testing::amount("SQUALL_SEED", 8));
    let mut numbers = Numbers(seed | 1);
    let (mut tally, mut told, mut unsat) = (Tally::default(), 0, 0);
    worlds(seed, count, |text| {
        let mut store = Store::new();
        let instance = instance(&mut store, text);
        let strategy = random_strategy(&mut numbers);
        let (report, claims) = recorded(&mut store, &instance, &planned(&strategy), Duration::from_millis(200));
        unsat += usize::from(report.answer.word() == "unsat");
        tally.add(&mut store, &instance, &report, &claims, &format!("by {strategy}\n{text}"));
        told += 1;
        if told % 1000 == 0 {
            println!("{told}: {unsat} unsat, {} wrong", tally.wrong.len());
            tally.wrong.iter().for_each(|wrong| println!("{wrong}"));
        }
    });
    tally.print();
    println!("{count} strategies, {unsat} refutations");
    assert!(tally.wrong.is_empty(), "{} wrong, first\n{}", tally.wrong.len(), tally.wrong[0]);
    assert!(unsat > 0 && tally.rules.values().map(|counts| counts[0]).sum::<usize>() > 100);
}

/// Passes that create work for others: each pass is run after one of these, and by itself.
const BEFORE: [&str; 6] = [
    "skip",
    "simplify",
    "(then simplify and-hoisting propagate-bounds)",
    "(then nnf elim-term-ite)",
    "(then add-bounds normalize-bounds)",
    "(then fp-to-bv simplify)",
];

/// Tactics without claims: they remove formulas, reject small worlds, or only find models.
const SILENT: [&str; 6] = ["elim-true", "elim-duplicates", "add-bounds", "guess", "skip", "fail"];

/// Small worlds for tactics that find no work in the random ones.
const FOR: [(&str, &str); 11] = [
    ("snf", "(declare-const a (_ BitVec 2))(assert (not (forall ((x (_ BitVec 2))) (not (bvult x a)))))"),
    (
        "der",
        "(declare-const a (_ BitVec 2))
         (assert (forall ((x (_ BitVec 2))) (or (not (= x a)) (bvult x #b01))))(assert (bvult #b00 a))",
    ),
    // Its symbols have few values.
    (
        "split-ineqs",
        "(declare-const p Bool)(declare-const q Bool)(assert (<= (ite p 1 2) (ite q 1 2)))(assert (not p))",
    ),
    ("simplex", RANGES),
    ("floyd-warshall", RANGES),
    ("coverings", RANGES),
    ("icp", RANGES),
    ("p-cad", "(declare-const x Real)(assert (or (= x 1.0) (= x 2.0)))(assert (forall ((u Real)) (< (* x u u) x)))"),
    ("gb", "(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 1))(assert (= (* x y) 2))"),
    ("sat", "(declare-const a (_ BitVec 2))(assert (bvult a #b01))(assert (= (bvand a #b01) #b01))"),
    (
        "distinct-expansion",
        "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(declare-const z (_ BitVec 2))(assert (distinct x y z))",
    ),
];

const RANGES: &str = "(declare-const x Int)(declare-const y Int)
    (assert (<= 0 x 2))(assert (<= 0 y 2))(assert (<= 3 (- x y)))(assert (<= (- x y) 7))";

#[test]
fn every_pass_every_split_and_every_engine_draws_no_wrong_conclusion() {
    let count = testing::amount("SQUALL_CLAIMS_EACH", 3);
    let mut silent = Vec::new();
    let mut all = Tally::default();
    for entry in tactics().iter().filter(|entry| planned_alone(entry.name).is_some()) {
        // By name, so that another tactic changes no worlds but its own.
        let n: usize = entry.name.bytes().map(usize::from).sum();
        let mut tally = Tally::default();
        let mut run = |text: &str, before: &str| {
            let mut store = Store::new();
            let instance = instance(&mut store, text);
            let strategy = read(&format!("(then {before} {})", entry.name));
            let (report, claims) = recorded(&mut store, &instance, &planned(&strategy), Duration::from_millis(200));
            tally.add(&mut store, &instance, &report, &claims, &format!("by {strategy}\n{text}"));
        };
        if let Some(example) = entry.example() {
            run(&format!("{}(check-sat)", example.before), "skip");
        }
        for (_, text) in FOR.iter().filter(|(name, _)| *name == entry.name) {
            run(&format!("{text}(check-sat)"), "skip");
        }
        for (k, before) in BEFORE.iter().enumerate() {
            worlds(testing::amount("SQUALL_SEED", 8) + (n * BEFORE.len() + k) as u64, count, |text| run(text, before));
        }
        let own = |(rule, counts): (&String, &[usize; 3])| rule.contains(entry.name) && counts[0] > 0;
        if !tally.rules.iter().any(own) {
            silent.push(entry.name);
        }
        for (rule, counts) in tally.rules {
            let sum = all.rules.entry(rule).or_default();
            (0..3).for_each(|n| sum[n] += counts[n]);
        }
        all.wrong.extend(tally.wrong);
    }
    all.print();
    assert!(all.wrong.is_empty(), "{} wrong, first\n{}", all.wrong.len(), all.wrong[0]);
    silent.retain(|name| !SILENT.contains(name));
    assert!(silent.is_empty(), "no claim of theirs holds: {silent:?}");
}

/// A tactic that is a strategy by itself.
fn planned_alone(name: &str) -> Option<Strategy> {
    smtlib::strategy::parse_strategy(name, &strategy::vocabulary()).ok()
}
