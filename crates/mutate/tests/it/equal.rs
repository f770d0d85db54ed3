//! Mutator `equal`: its laws are proven, and its mutants keep the answer of their seed.

use crate::support::{SCRIPTS, own_seeds, parent, read, scripts, try_read};
use finding::Trust;
use mutate::assignment::ValueGenerator;
use mutate::choice::MutatorChoice;
use mutate::edit::GuardUse;
use mutate::equal::law::LawSort;
use mutate::equal::{
    DEFAULT, EqualMutator, EqualTruth, LAWS, Law, LawBindings, occurrences, prove, read as laws, read_proven, replaced,
    sampled,
};
use mutate::small_world::{CheckTruth, LIMITS, decide_text};
use mutate::{Batch, Mutant, MutantRequest, Mutator, RandomStream, TargetSpelling, Unit};
use semantics::truth::witness::certify;
use smtlib::{Status, Store};

#[test]
fn every_built_in_law_holds_at_every_small_size() {
    let (laws, problems) = laws(DEFAULT);
    assert_eq!(problems, []);
    assert!(laws.len() >= 400, "{} laws", laws.len());
    let mut wrong = Vec::new();
    for law in &laws {
        // A product of three floats has too many assignments at all formats but the smallest.
        let least = match (law.sorts.len(), law.indices.len()) {
            (0, 0) => 1,
            _ if law.variables.len() > 3 => 1,
            (1, 0) => 2,
            _ => 3,
        };
        match prove(law) {
            Ok(proven) if proven >= least => {}
            Ok(proven) => wrong.push(format!("line {}: proven {proven} times only: {}", law.line, law.text)),
            Err(fault) => wrong.push(format!("line {}: {fault}", law.line)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Larger sizes than exhaustion reaches, those that seeds have.
#[test]
fn no_random_values_at_usual_sizes_refute_a_built_in_law() {
    let rounds = testing::amount("SQUALL_LAW_ROUNDS", 3);
    let mut rng = RandomStream::from_seed(7);
    let mut tried = 0;
    for law in laws(DEFAULT).0 {
        let has_float = law.variables.iter().any(|v| matches!(v.1, LawSort::Float(..)));
        let sizes: &[&[u32]] = match (has_float, law.indices.len()) {
            (_, 0) => &[&[]],
            (true, _) => &[&[5, 11], &[8, 24], &[11, 53]],
            (false, 1) => &[&[5], &[8], &[16], &[32], &[33], &[64]],
            (false, 2) => &[&[8, 3], &[16, 8], &[32, 1], &[32, 15], &[8, 23], &[11, 52], &[64, 32]],
            (false, 3) => &[&[8, 4, 2], &[16, 3, 7], &[4, 8, 16], &[32, 9, 1], &[31, 7, 0]],
            (false, _) => &[&[32, 9, 1, 4], &[4, 1, 20, 3], &[7, 0, 15, 8], &[32, 12, 4, 30], &[12, 4, 30, 32]],
        };
        for size in sizes {
            for _ in 0..rounds {
                let mut store = Store::new();
                let mut bindings = LawBindings::of(&law);
                bindings.indices = size.iter().map(|n| Some(*n)).collect();
                bindings.sorts = (0..law.sorts.len()).map(|_| Some(store.sorts.bitvec(32))).collect();
                let mut values = ValueGenerator::default();
                let holds = sampled(&mut store, &law, &bindings, &mut values, &mut rng);
                assert!(holds, "line {}: {} at {size:?}", law.line, law.text);
                tried += 1;
            }
        }
    }
    assert!(tried > 3000 * rounds / 3, "{tried}");
}

#[test]
fn wrong_laws_are_refused_with_their_line_and_a_counterexample() {
    let check = |text: &str, expect: &[&str]| {
        let problems: Vec<String> = read_proven(text).1.iter().map(ToString::to_string).collect();
        assert_eq!(problems.len(), expect.len(), "{text}: {problems:?}");
        for (problem, expect) in problems.iter().zip(expect) {
            assert!(problem.starts_with(expect), "{text}: {problem}");
        }
    };
    check("(forall ((x Int)) (= (- (- x)) x))", &[]);
    check(
        "; two\n(forall ((x Int)) (= (+ x 0) x))\n\n(forall ((x Int) (y Int)) (= (- x y) (- y x)))",
        &["line 4: the law does not hold: (- x y) is not (- y x) with x = "],
    );
    let sdiv = "(forall ((x (_ BitVec m)) (y (_ BitVec m))) (= (bvsrem x y) (bvneg (bvsrem (bvneg x) y))))";
    check(
        sdiv,
        &["line 1: the law does not hold: (bvsrem x y) is not (bvneg (bvsrem (bvneg x) y)) where m = 3 with x = "],
    );
    // True at one width only.
    check(
        "(forall ((x (_ BitVec m))) (= (bvneg x) x))",
        &["line 1: the law does not hold: (bvneg x) is not x where m = 2"],
    );
    check(
        "(forall ((x (_ FloatingPoint e s))) (= (fp.add RNE x (_ +zero e s)) x))",
        &[
            "line 1: the law does not hold: (fp.add RNE x (_ +zero 2 2)) is not x where e = 2, s = 2 with x = (fp #b1 #b00 #b0)",
        ],
    );
    check("(forall ((x (_ FloatingPoint e s))) (= (fp.eq x x) true))", &["line 1: the law does not hold"]);
    check("(forall ((a RegLan)) (= (re.+ a) (re.* a)))", &["line 1: the law does not hold"]);
    check("(par (A) (forall ((x A) (y A)) (= x y)))", &["line 1: the law does not hold: x is not y where A = Bool"]);
    // Division by zero may be anything: a law that needs one value of it is none, and one may be open.
    check("(forall ((x Int)) (= (div x 0) 0))", &["line 1: "]);
    check("(forall ((x Real)) (= (* 2.0 (/ x 2.0)) x))", &[]);
    check("(forall ((x Real) (y Real)) (= (* y (/ x y)) x))", &["line 1: "]);
    check(
        "(forall ((x (_ FloatingPoint e s)) (y (_ FloatingPoint e s))) (= (fp.min x y) (fp.min y x)))",
        &["line 1: the law does not hold"],
    );
    // Ill-formed ones.
    check("(forall ((x Int)) (= x x))", &["line 1: the two sides are the same"]);
    check("(forall ((x Int)) (< x 1))", &["line 1: expected an equation"]);
    check("(forall ((x Int)) (= (foo x) x))", &["line 1: `foo` is not an operator of a standard theory"]);
    check("(forall ((x Int)) (= (+ x y) x))", &["line 1: `y` is neither a variable nor a value"]);
    check("(forall ((x U)) (= (ite true x x) x))", &["line 1: `U` is not a sort of a law"]);
    check("(forall ((x Int) (x Int)) (= (+ x 0) x))", &["line 1: `x` is bound twice"]);
    check("(forall ((x (_ BitVec m*))) (= (bvnot (bvnot x)) x))", &["line 1: `m*` is not an index"]);
    check("(forall ((x Int) (y Real)) (= x y))", &["line 1: the law has no well-sorted instance"]);
    check("(forall ((x Int)) (= (- (- x)) x)", &["line 1: parentheses or quotes do not match"]);
    check("x", &["line 1: expected an equation"]);
    check("()", &["line 1: expected an equation"]);
    let dir = tempfile::tempdir().expect("there is room for a folder");
    let path = dir.path().join("laws");
    std::fs::write(&path, "(forall ((p Bool)) (= (not p) p))").expect("the file can be written");
    let refused = LAWS.load_into(&mut LAWS.built_in(), &path.to_string_lossy()).expect_err("the law is wrong");
    let words = refused.0.unwrap_or_default();
    assert!(words.contains("laws: line 1: the law does not hold: (not p) is not p with p = "), "{words}");
}

fn request<'r>(parents: &'r [mutate::Parent], target: &'r TargetSpelling, number: u64) -> MutantRequest<'r> {
    MutantRequest { parents, target, unit: Unit { campaign: 11, number } }
}

/// Makes mutants of all checks of a script and hands each over with the batch; how many changed something.
fn mutants(
    equal: &EqualMutator,
    script: &str,
    count: u64,
    mut body: impl FnMut(&mut dyn Batch, u64, &Mutant),
) -> usize {
    let Some((store, instances)) = try_read(script) else { return 0 };
    let target = TargetSpelling::default();
    let mut changed = 0;
    for (n, instance) in instances.iter().enumerate() {
        let (mut store, parents) = (store.clone(), [parent(instance)]);
        let Ok(mut batch) = equal.batch(&mut store, request(&parents, &target, n as u64)) else { continue };
        let mut mutant = Mutant::default();
        for index in 0..count {
            batch.mutant(index, &mut mutant);
            changed += usize::from(batch.parameters(index).iter().any(|p| p.0 == "laws-used" && !p.1.is_empty()));
            body(&mut batch, index, &mutant);
        }
    }
    changed
}

fn certified(batch: &mut dyn Batch, index: u64, mutant: &Mutant) {
    assert_eq!((&mutant.truth, &mutant.expected[..]), (&Some(Trust::Certified), &[Status::Sat][..]));
    let model = batch.witness(index).expect("a certified mutant has a witness");
    if let Err(error) = certify(batch.store(), &model, &mutant.text, mutant.expected.len()) {
        panic!("{error}\n{}", mutant.text);
    }
}

fn with_truth(truth: EqualTruth) -> EqualMutator {
    let mut equal = EqualMutator::default();
    equal.config.truth = truth;
    equal
}

#[test]
fn certified_mutants_are_true_under_their_witness() {
    let equal = with_truth(EqualTruth::Certified);
    for script in SCRIPTS {
        assert!(mutants(&equal, script, 60, certified) > 50, "{script}");
    }
    let count = testing::amount("SQUALL_EQUAL_MUTANTS", 6);
    let mut paths = own_seeds();
    if let Some(dir) = testing::shared("seeds") {
        paths.extend(scripts(&dir.join("seeds")).into_iter().step_by(testing::amount("SQUALL_EQUAL_STEP", 60)));
    }
    let (mut seeds, mut changed) = (0, 0);
    for path in paths {
        let Some(text) = std::fs::read_to_string(&path).ok().filter(|t| t.len() < 30_000) else { continue };
        let made = mutants(&equal, &text, count, certified);
        seeds += usize::from(made > 0);
        changed += made;
    }
    println!("{changed} mutants of {seeds} seeds");
    assert!(seeds > 100 && changed as u64 > 80 * count, "{changed} mutants of {seeds} seeds");
}

/// What is printed is what was made: the mutant read back into its own store is its own terms, up to names of variables.
#[test]
fn differential_mutants_keep_their_assertions_and_read_back() {
    let equal = with_truth(EqualTruth::Differential);
    for script in SCRIPTS {
        mutants(&equal, script, 30, |batch, index, mutant| {
            assert_eq!((&mutant.truth, batch.witness(index).is_none()), (&None, true));
            let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
            assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
        });
    }
    let mut truths = std::collections::BTreeSet::new();
    mutants(&with_truth(EqualTruth::Both), SCRIPTS[0], 20, |_, _, mutant| {
        truths.insert(format!("{:?}", mutant.truth));
    });
    assert_eq!(truths.len(), 2);
}

/// Small problems that exhaustion decides, of every theory, with their answers.
const SMALL: &[(&str, Status)] = &[
    (
        "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
         (assert (bvult (bvadd x y) x))(assert (bvslt (bvmul x #b010) y))(assert (= ((_ extract 1 0) x) #b11))",
        Status::Sat,
    ),
    (
        "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
         (assert (bvult (bvurem x y) x))(assert (bvult x y))",
        Status::Unsat,
    ),
    (
        "(declare-const x (_ FloatingPoint 2 3))(declare-const r RoundingMode)
         (assert (fp.lt (fp.add r x x) x))(assert (fp.isPositive x))",
        Status::Unsat,
    ),
    (
        "(declare-const x Int)(declare-const y Int)(assert (<= 0 x 4))(assert (<= (- 2) y 3))
         (assert (= (+ x (* 2 y)) 1))(assert (> (- x y) 3))",
        Status::Sat,
    ),
    (
        "(declare-const x Int)(declare-const b Bool)(assert (<= 0 x 6))
         (assert (= (mod x 3) (ite b 1 2)))(assert (= (* 3 (div x 3)) x))",
        Status::Unsat,
    ),
    (
        "(declare-const a (Array (_ BitVec 1) (_ BitVec 2)))(declare-const i (_ BitVec 1))
         (assert (not (= (store (store a i #b01) i #b10) (store a i #b10))))",
        Status::Unsat,
    ),
    (
        "(declare-const s String)(assert (or (= s \"\") (= s \"a\") (= s \"ab\") (= s \"b\")))
         (assert (str.in_re s (re.+ (str.to_re \"ab\"))))(assert (= (str.len s) 1))",
        Status::Unsat,
    ),
    (
        "(declare-const p Bool)(declare-const z (_ BitVec 2))
         (assert (forall ((z (_ BitVec 2)) (y (_ BitVec 2))) (=> (= (bvadd z y) #b00) (or p (= (bvneg z) y)))))
         (assert (exists ((y (_ BitVec 2))) (and (not p) (bvult y z) (forall ((z (_ BitVec 2))) (bvule y z)))))",
        Status::Sat,
    ),
    (
        "(declare-const z (_ BitVec 2))(define-fun f ((z (_ BitVec 2))) (_ BitVec 2) (bvadd z z))
         (assert (forall ((y (_ BitVec 2))) (let ((z (f y)) (w z)) (= (bvand z w) (bvand w (f z))))))
         (assert (= z #b11))",
        Status::Unsat,
    ),
    (
        "(declare-datatypes ((D 0)) (((c (l (_ BitVec 2))) (n))))(declare-const d D)
         (assert (match d (((c x) (bvult (bvadd x (l d)) x)) (n false))))",
        Status::Sat,
    ),
];

#[test]
fn exhaustion_finds_the_answer_of_the_seed_in_every_mutant() {
    let count = testing::amount("SQUALL_EQUAL_SMALL", 60);
    for (script, status) in SMALL {
        let script = format!("{script}(check-sat)");
        let answer = |text: &str| match decide_text(&mut Store::new(), text, 1, &LIMITS).as_deref() {
            Some([CheckTruth::Sat(_)]) => Some(Status::Sat),
            Some([CheckTruth::Unsat(_)]) => Some(Status::Unsat),
            _ => None,
        };
        assert_eq!(answer(&script), Some(*status), "{script}");
        let mut decided = 0;
        let mut equal = with_truth(EqualTruth::Differential);
        equal.config.guards = GuardUse::Keep;
        let changed = mutants(&equal, &script, count, |_, _, mutant| {
            let found = answer(&mutant.text);
            decided += u64::from(found.is_some());
            assert!(found.is_none_or(|found| found == *status), "{found:?} not {status:?}:\n{}", mutant.text);
        });
        assert!(
            changed as u64 * 10 > count * 8 && decided * 10 > count * 7,
            "{changed}, {decided} of {count}: {script}"
        );
    }
}

#[test]
fn the_status_of_an_unsatisfiable_seed_is_trusted() {
    let text = "(set-info :status unsat)(declare-const x Int)(assert (< (+ x 1) x))(check-sat)";
    let check = |truth, expect: Status| {
        mutants(&with_truth(truth), text, 10, |batch, index, mutant| {
            assert_eq!(mutant.expected, [expect]);
            match expect {
                Status::Unsat => {
                    assert!(matches!(&mutant.truth, Some(Trust::Trusted(who)) if who.to_string().contains("status")))
                }
                Status::Sat => certified(batch, index, mutant),
                Status::Unknown => assert_eq!(mutant.truth, None),
            }
            assert_eq!(batch.witness(index).is_some(), expect == Status::Sat);
        });
    };
    check(EqualTruth::Seed, Status::Unsat);
    check(EqualTruth::Certified, Status::Sat);
    check(EqualTruth::Differential, Status::Unknown);
}

#[test]
fn nothing_is_captured_and_patterns_stay() {
    let script = "(declare-const x Int)(declare-fun f (Int) Int)
         (assert (forall ((x Int) (y Int)) (! (=> (< x y) (< (f x) (+ (f y) 0))) :pattern ((f x) (f y)))))
         (assert (exists ((y Int)) (< (+ x y) (f y))))(check-sat)";
    let mut seen = 0;
    mutants(&with_truth(EqualTruth::Differential), script, 200, |_, _, mutant| {
        let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
        assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
        assert!(mutant.text.contains("(f y)))"), "{}", mutant.text);
        let pattern = mutant.text.split(":pattern ").nth(1).unwrap_or_default();
        // The pattern's variables may be renamed, and its terms are what they were.
        assert!(pattern.starts_with("((f x") && pattern.contains(" (f y))"), "{}", mutant.text);
        seen += 1;
    });
    assert_eq!(seen, 200);
}

#[test]
fn an_occurrence_is_replaced_alone_or_with_all_others() {
    let check = |root: &str, at: usize, new: &str, everywhere: bool, expect: &str| {
        let script = format!(
            "(declare-const a Int)(declare-const b Int)(declare-fun p (Int) Bool)
             (assert {root})(assert (= {new} {new}))(check-sat)"
        );
        let (mut store, instances) = read(&script);
        let (root, new) = (instances[0].assertions[0], store.args(instances[0].assertions[1])[0]);
        let list = occurrences(&store, root, 100).expect("the term is small");
        let got = replaced(&mut store, root, list[at], new, everywhere);
        assert_eq!(store.term_text(got), expect);
        assert_eq!(occurrences(&store, root, 1), None);
    };
    // Breadth first: the whole, its two arguments, theirs.
    check("(and (p a) (< a b))", 3, "b", true, "(and (p b) (< b b))");
    check("(and (p a) (< a b))", 3, "b", false, "(and (p b) (< a b))");
    check("(and (p a) (< a b))", 4, "b", false, "(and (p a) (< b b))");
    check("(and (p a) (< a b))", 0, "true", false, "true");
    check(
        "(forall ((x Int)) (! (p (+ x a)) :pattern ((p (+ x a)))))",
        2,
        "b",
        true,
        "(forall ((x Int)) (! (p b) :pattern ((p (+ x a)))))",
    );
}

#[test]
fn a_mutant_depends_on_its_index_only() {
    for script in SCRIPTS {
        let mut forward = Vec::new();
        mutants(&EqualMutator::default(), script, 12, |_, _, mutant| forward.push(mutant.clone()));
        let (store, instances) = read(script);
        let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
        for index in (0..12u64).rev() {
            let mut store = store.clone();
            let equal = EqualMutator::default();
            let mut batch = equal.batch(&mut store, request(&parents, &target, 0)).expect("the script is fit");
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            assert_eq!(mutant, forward[index as usize], "mutant {index} of {script}");
        }
    }
}

#[test]
fn growth_is_bounded_and_most_mutants_differ() {
    for (growth, least) in [(0, 3), (40, 30)] {
        let mut equal = with_truth(EqualTruth::Differential);
        equal.config.growth = growth;
        let mut texts = std::collections::BTreeSet::new();
        mutants(&equal, SCRIPTS[0], 50, |_, _, mutant| {
            let (mut store, size) = (Store::new(), |store: &Store, text: &str| (store.len(), text.len()));
            let before = size(&store, "").0;
            let _ = smtlib::parse(&mut store, &mutant.text);
            let seed = {
                let mut store = Store::new();
                let _ = smtlib::parse(&mut store, SCRIPTS[0]);
                store.len()
            };
            assert!(store.len() <= seed + growth as usize + before, "{} over {seed}: {}", store.len(), mutant.text);
            texts.insert(mutant.text.clone());
        });
        assert!(texts.len() >= least, "{} different mutants with growth {growth}", texts.len());
    }
}

/// After a mutator that makes small worlds, exhaustion certifies the mutants, both ways.
#[test]
fn chains_give_certified_mutants() {
    let target = TargetSpelling::default();
    let check = |chain: &str, least: [usize; 2]| {
        let mutator = MutatorChoice::read(chain).and_then(|c| c.build(&[])).expect("the chain is there");
        let mut counts = [0, 0];
        for (number, path) in own_seeds().iter().enumerate().step_by(9) {
            let Some((store, instances)) = std::fs::read_to_string(path).ok().and_then(|text| try_read(&text)) else {
                continue;
            };
            let Some(instance) = instances.first() else { continue };
            let (mut store, parents) = (store.clone(), vec![parent(instance); mutator.parents()]);
            let Ok(mut batch) = mutator.prepare(&mut store, request(&parents, &target, number as u64)) else {
                continue;
            };
            let mut mutant = Mutant::default();
            for index in 0..8 {
                batch.mutant(index, &mut mutant);
                if mutant.truth != Some(Trust::Certified) {
                    continue;
                }
                match mutant.expected[..] {
                    [Status::Sat] => {
                        let model = batch.witness(index).expect("a satisfiable mutant has a witness");
                        certify(batch.store(), &model, &mutant.text, 1).expect("the witness satisfies it");
                        counts[0] += 1;
                    }
                    [Status::Unsat] => counts[1] += 1,
                    _ => panic!("{:?}", mutant.expected),
                }
            }
        }
        assert!(counts[0] >= least[0] && counts[1] >= least[1], "{chain}: {counts:?}, expected {least:?}");
    };
    check("shrink>equal", [5, 20]);
    check("finite>equal", [10, 10]);
    check("storm>equal", [40, 0]);
    check("equal>operator", [40, 0]);
}

#[test]
fn the_entry_says_what_laws_are_used() {
    let law = |law: &Law| law.text.contains("bvudiv x (_ bv0 m)");
    assert!(EqualMutator::default().laws.data.iter().any(law));
    let (store, instances) = read(SCRIPTS[1]);
    let (mut store, parents, target) = (store, [parent(&instances[0])], TargetSpelling::default());
    let equal = EqualMutator::default();
    let mut batch = equal.prepare(&mut store, request(&parents, &target, 0)).expect("the script is fit");
    let list = batch.parameters(3);
    let used = list.iter().find(|p| p.0 == "laws-used").map_or("", |p| &p.1);
    assert!(used.split(' ').all(|law| law.ends_with('>') || law.ends_with('<')) && !used.is_empty(), "{list:?}");
}

/// Exhaustion proves it at 4 bits; at 32 it does not hold.
#[test]
fn a_law_that_random_values_refute_at_the_sizes_of_a_seed_is_not_used() {
    let text = "(forall ((x (_ BitVec m))) (= (bvudiv x (_ bv15 m)) (ite (= x (_ bv15 m)) (_ bv1 m) (_ bv0 m))))";
    let (laws, problems) = read_proven(text);
    assert_eq!((laws.len(), problems), (1, Vec::new()));
    let mut equal = with_truth(EqualTruth::Differential);
    equal.laws.data = laws;
    let check = |width: u32, expect: usize| {
        let script =
            format!("(declare-const x (_ BitVec {width}))(assert (= x (bvudiv x (_ bv15 {width}))))(check-sat)");
        let changed = mutants(&equal, &script, 10, |_, _, _| {});
        assert_eq!(changed, expect, "at {width} bits");
    };
    check(4, 10);
    check(32, 0);
}

/// Laws with another operator in them are mostly wrong; what is still proven must stand random values at a usual size.
#[test]
fn changed_laws_that_are_proven_hold_at_a_usual_size() {
    let step = testing::amount("SQUALL_LAW_STEP", 4);
    let changes = [("bvadd", "bvor"), ("bvand", "bvadd"), ("bvshl", "bvlshr"), ("bvult", "bvslt"), ("bvsub", "bvxor")];
    let (mut refused, mut kept) = (0, 0);
    for law in laws(DEFAULT).0.iter().filter(|law| law.indices == ["m"]).step_by(step) {
        for (from, to) in changes {
            let text = law.text.replacen(from, to, 1);
            let (list, problems) = read_proven(&text);
            if text == law.text || !problems.is_empty() {
                refused += usize::from(text != law.text);
                continue;
            }
            for law in list.iter() {
                let (mut store, mut rng) = (Store::new(), RandomStream::from_seed(3));
                let bindings = LawBindings { indices: vec![Some(32)], ..LawBindings::of(law) };
                let holds = sampled(&mut store, law, &bindings, &mut ValueGenerator::default(), &mut rng);
                assert!(holds, "{text}");
                kept += 1;
            }
        }
    }
    assert!(refused > 10 && kept > 0, "{refused} refused, {kept} kept");
}
