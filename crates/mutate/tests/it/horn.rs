//! Horn clauses: the least fixpoint against trying all relations, and against a brute force of another hand.

use mutate::finite::{FiniteMutator, theme};
use mutate::rng::RandomStream;
use mutate::{Batch, Mutant, TargetSpelling, Unit, small_world};
use semantics::Stop;
use semantics::truth::{CheckTruth, ExhaustLimits, Search, TruthQuery, of_check, of_clauses, of_formulas};
use smtlib::{Status, Store, TermId};

fn assertions(store: &mut Store, text: &str) -> Vec<TermId> {
    let parsed = smtlib::parse(store, text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    parsed.script.instances().remove(0).assertions
}

fn by_fixpoint(text: &str) -> Option<CheckTruth> {
    let mut store = Store::new();
    let clauses = assertions(&mut store, text);
    let (limits, stop) = (ExhaustLimits::default(), Stop::default());
    of_clauses(&mut store, &clauses, TruthQuery { limits: &limits, stop: &stop, search: Search::Quick })
}

/// The answer by relations tried one after the other: a symbol that is no relation keeps the fixpoint away.
fn by_relations(text: &str, search: Search) -> Option<Status> {
    let text = text.replace("(check-sat)", "(declare-const other Int)\n(assert (= other 0))\n(check-sat)");
    let mut store = Store::new();
    let formulas = assertions(&mut store, &text);
    let limits = ExhaustLimits { evaluations: 1 << 10, ..ExhaustLimits::default() };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search };
    assert!(of_clauses(&mut store, &formulas, query).is_none(), "{text}");
    of_formulas(&mut store, &formulas, query).ok().map(|truth| small_world::expected(&truth))
}

#[test]
fn the_fixpoint_and_all_relations_agree() {
    let themes = vec![theme::find("horn").expect("a theme")];
    let finite = FiniteMutator { themes, mutants: 10, ..FiniteMutator::default() };
    let (target, mut mutant) = (TargetSpelling::default(), Mutant::default());
    let (mut both, mut counts) = (0u64, [0u64; 2]);
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 150);
    for number in 0..count.div_ceil(10) {
        let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 2, number });
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            let Some(&expected) = mutant.expected.first() else { continue };
            assert!(mutant.text.starts_with("(set-logic HORN)\n"), "{}", mutant.text);
            counts[usize::from(expected == Status::Sat)] += 1;
            let fixpoint = by_fixpoint(&mutant.text).map(|truth| small_world::expected(&truth));
            assert_eq!(fixpoint, Some(expected), "{}", mutant.text);
            for search in [Search::Quick, Search::Recorded] {
                let Some(tried) = by_relations(&mutant.text, search) else { continue };
                assert_eq!(tried, expected, "{}", mutant.text);
                both += 1;
            }
        }
    }
    println!("{counts:?}, {both} by all relations");
    assert!(counts.iter().all(|&n| n * 5 > count) && both * 3 > count, "{counts:?}, {both}");
}

/// A relation at arguments: a variable with what is added, or a number.
struct Atom(usize, Vec<(Option<usize>, u64)>);

/// Variables of two bits; `variable < bound` for each, and relations.
struct Clause {
    bounds: Vec<u64>,
    body: Vec<Atom>,
    head: Option<Atom>,
}

fn atom(arities: &[usize], vars: usize, rng: &mut RandomStream) -> Atom {
    let relation = rng.index(arities.len());
    let args = (0..arities[relation]).map(|_| (rng.percent(70).then(|| rng.index(vars)), rng.below(4))).collect();
    Atom(relation, args)
}

fn text(atom: &Atom) -> String {
    let args = atom.1.iter().map(|(var, n)| match var {
        Some(var) => format!(" (bvadd x{var} #b{n:02b})"),
        None => format!(" #b{n:02b}"),
    });
    format!("(r{}{})", atom.0, args.collect::<String>())
}

fn value(atom: &Atom, assignment: &[u64]) -> (usize, Vec<u64>) {
    let args = atom.1.iter().map(|&(var, n)| (var.map_or(0, |var| assignment[var]) + n) % 4);
    (atom.0, args.collect())
}

#[test]
fn clauses_mean_what_deriving_by_hand_gives() {
    let (mut counts, mut queries) = ([0u64; 2], [0u64; 2]);
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 800);
    for number in 0..count {
        let mut rng = Unit { campaign: 6, number }.stream();
        let arities: Vec<usize> = (0..1 + rng.index(3)).map(|_| 1 + rng.index(2)).collect();
        let clauses: Vec<Clause> = (0..4 + rng.index(4))
            .map(|n| {
                let bounds: Vec<u64> = (0..1 + rng.index(2)).map(|_| 1 + rng.below(4)).collect();
                let atoms = if n < 2 { 0 } else { 1 + rng.index(2) };
                let body = (0..atoms).map(|_| atom(&arities, bounds.len(), &mut rng)).collect();
                let is_query = n > 2 && rng.percent(35);
                let head = (!is_query).then(|| atom(&arities, bounds.len(), &mut rng));
                Clause { bounds, body, head }
            })
            .collect();
        // By hand: everything again until nothing is new.
        let (mut facts, mut is_refuted) = (std::collections::BTreeSet::new(), false);
        loop {
            let before = facts.len();
            for clause in &clauses {
                for n in 0..16u64 {
                    let assignment = [n % 4, n / 4];
                    let holds = clause.bounds.iter().zip(assignment).all(|(bound, x)| x < *bound)
                        && clause.body.iter().all(|atom| facts.contains(&value(atom, &assignment)));
                    match &clause.head {
                        _ if !holds => {}
                        Some(head) => drop(facts.insert(value(head, &assignment))),
                        None => is_refuted = true,
                    }
                }
            }
            if facts.len() == before {
                break;
            }
        }
        let mut script: String = arities
            .iter()
            .enumerate()
            .map(|(n, arity)| format!("(declare-fun r{n} ({}) Bool)\n", "(_ BitVec 2) ".repeat(*arity)))
            .collect();
        for clause in &clauses {
            let vars: String = (0..clause.bounds.len()).map(|n| format!("(x{n} (_ BitVec 2))")).collect();
            let mut parts: Vec<String> = clause.body.iter().map(text).collect();
            let bounded = clause.bounds.iter().enumerate().filter(|(_, bound)| **bound < 4);
            parts.extend(bounded.map(|(n, bound)| format!("(bvult x{n} #b{bound:02b})")));
            let head = clause.head.as_ref().map_or("false".to_string(), text);
            let matrix = match (parts.is_empty(), rng.below(3)) {
                (true, _) => head,
                (_, 0) => {
                    let negated: String = parts.iter().map(|part| format!("(not {part}) ")).collect();
                    format!("(or {negated}{head})")
                }
                (_, 1) => format!("(=> {} {head})", parts.join(" ")),
                _ => format!("(=> (and {} true) {head})", parts.join(" ")),
            };
            script += &format!("(assert (forall ({vars}) {matrix}))\n");
        }
        script += "(check-sat)\n";
        let expected = if is_refuted { Status::Unsat } else { Status::Sat };
        let truth = by_fixpoint(&script).unwrap_or_else(|| panic!("no clauses:\n{script}"));
        assert_eq!(small_world::expected(&truth), expected, "{script}");
        match truth {
            CheckTruth::Unsat(refutation) => {
                let last = refutation.derivation.last().expect("a derivation");
                assert!(last.starts_with("false by assertion "), "{last}\n{script}");
            }
            CheckTruth::Sat(_) => {}
        }
        counts[usize::from(expected == Status::Sat)] += 1;
        // The same clauses as rules: a head `false` is a relation that is asked for.
        let declared: String = (0..2).map(|n| format!("(declare-var x{n} (_ BitVec 2))\n")).collect();
        let mut rules = format!("(declare-rel z ())\n{}", if rng.coin() { declared } else { String::new() });
        for line in script.lines().filter(|line| *line != "(check-sat)") {
            let line =
                line.replace(") Bool)", "))").replace("declare-fun", "declare-rel").replace("(assert ", "(rule ");
            rules += &match line.split_once("))) ").filter(|_| rules.contains("declare-var")) {
                Some((_, matrix)) => format!("(rule {})\n", &matrix[..matrix.len() - 2]),
                None => line + "\n",
            }
            .replace("false)", "z)");
        }
        let relations = (0..arities.len()).map(|n| format!("r{n}")).chain(["z".to_string()]);
        for (n, name) in relations.enumerate() {
            let is_derived = if name == "z" { is_refuted } else { facts.iter().any(|(relation, _)| *relation == n) };
            let (limits, stop) = (ExhaustLimits::default(), Stop::default());
            let query = TruthQuery { limits: &limits, stop: &stop, search: Search::Quick };
            let known = of_check(&format!("{rules}(query {name})\n"), 0, query);
            let word = known.map_or_else(|why| why.to_string(), |truth| truth.word().to_string());
            assert_eq!(word, if is_derived { "sat" } else { "unsat" }, "{rules}{name}");
            queries[usize::from(is_derived)] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n * 7 > count), "{counts:?}");
    assert!(queries.iter().all(|&n| n * 3 > count), "{queries:?}");
}

/// What is no clause, or too much, is left to exhaustion, which says how large it is.
#[test]
fn what_is_no_clause_is_not_decided_as_one() {
    let p = "(declare-fun p ((_ BitVec 2)) Bool)(declare-fun q () Bool)";
    let check = |text: &str, expected: Option<&str>| {
        let truth = by_fixpoint(&format!("{p}{text}(check-sat)"));
        assert_eq!(truth.as_ref().map(CheckTruth::word), expected, "{text}");
    };
    let x = "forall ((x (_ BitVec 2)))";
    check(&format!("(assert ({x} (p x)))(assert (not (p #b01)))"), Some("unsat"));
    check(&format!("(assert ({x} (=> (p x) (p (bvadd x #b01)))))(assert (not (p #b01)))"), Some("sat"));
    check(&format!("(assert q)(assert (and (=> q (p #b00)) ({x} (not (p x)))))"), Some("unsat"));
    check(&format!("(assert ({x} (=> (exists ((y (_ BitVec 2))) (and (p y) (bvult y x))) (p x))))"), Some("sat"));
    check("(assert (p #b00))(assert false)", Some("unsat"));
    check("(assert (or (not (p #b00)) (not q)))(assert (p #b00))(assert q)", Some("unsat"));
    // Two positive relations, a relation under another operator, and one in an argument.
    check("(assert (or q (p #b00)))", None);
    check("(assert (= q (p #b00)))", None);
    check(&format!("(assert ({x} (p (ite q x #b00))))"), None);
    check(&format!("(assert (not ({x} (p x))))"), None);
    // A name bound again.
    let again =
        format!("{p}(assert ({x} (=> (exists ((x (_ BitVec 2))) (p x)) (p x))))(assert (not (p #b01)))(check-sat)");
    assert_ne!(by_fixpoint(&again).as_ref().map(CheckTruth::word), Some("unsat"), "nothing is derived");
    // Symbols that are no relations, and variables of infinite sorts or of too many values.
    check("(declare-const n Int)(assert (=> (= n 0) q))", None);
    check("(assert (forall ((n Int)) (=> (= n 0) q)))", None);
    check("(assert (forall ((n (_ BitVec 40))) (=> (= n (_ bv0 40)) q)))", None);
    check("(assert (forall ((n (_ BitVec 10)) (m (_ BitVec 10))) (=> (= n m) q)))", None);
    // A derivation over some values of an infinite sort refutes as well, and nothing else is known.
    let count = |bound: &str| {
        let n = "forall ((n Int) (r Real))";
        format!(
            "(declare-fun c (Int) Bool)(assert ({n} (=> (= n 0) (c n))))(assert ({n} (=> (and (c n) (< n 40)) (c (+ n 1)))))\
             (assert ({n} (=> (and (c n) (> n {bound})) false)))"
        )
    };
    check(&count("38"), Some("unsat"));
    check(&count("40"), None);
    check("(assert (forall ((n Int)) (=> (= (div n 0) n) q)))(assert (forall ((n Int)) (=> (= n 7) (not q))))", None);
    // A user's own symbols may have any name.
    check("(declare-const horn0 Bool)(assert (forall ((x Bool)) (=> x horn0)))(assert (not horn0))", Some("unsat"));
}
