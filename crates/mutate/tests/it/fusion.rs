//! Fusion: the laws of its functions on random values, and the truth and text of its mutants.

use crate::support::{SCRIPTS, parent, read};
use finding::Trust;
use mutate::assignment::ValueGenerator;
use mutate::fusion::function::{DEFAULT, evaluate, read as read_functions, substitute};
use mutate::fusion::generated;
use mutate::fusion::{Fusion, FusionBuilder, Oracle};
use mutate::mutator::GivenModel;
use mutate::{Batch, Mutant, MutantRequest, Parent, RandomStream, TargetSpelling, Unfit, Unit};
use semantics::truth::witness::certify;
use smtlib::Status;
use smtlib::{Command, FuncId, Instance, Scope, Store};

/// Sorts that fusion functions are tried at, with what declares them.
const SORTS: &[(&str, &str)] = &[
    ("", "Int"),
    ("", "Real"),
    ("", "Bool"),
    ("", "String"),
    ("", "RoundingMode"),
    ("", "(_ BitVec 1)"),
    ("", "(_ BitVec 8)"),
    ("", "(_ BitVec 33)"),
    ("", "(_ FloatingPoint 8 24)"),
    ("", "(_ FloatingPoint 2 3)"),
    ("", "(Array Int (_ BitVec 4))"),
    ("(declare-sort U 0)", "U"),
    ("(declare-datatype List ((nil) (cons (head Int) (tail List))))", "List"),
];

/// Every function at every sort it fits: under random x, y and constants its three equations hold, by the evaluator.
#[test]
fn inversions_invert() {
    let (functions, problems) = read_functions(DEFAULT);
    assert_eq!(problems, []);
    let mut used = vec![0; functions.len()];
    for (declaration, sort) in SORTS {
        let mut store = Store::new();
        let mut scope = Scope::new(&store);
        let text = format!("{declaration}(declare-const x1 {sort})(declare-const y1 {sort})");
        let parsed = smtlib::parse_commands(&mut store, &mut scope, &text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        let variables: Vec<FuncId> = parsed
            .script
            .commands
            .iter()
            .filter_map(|c| match c {
                Command::DeclareFun(f) => Some(*f),
                _ => None,
            })
            .collect();
        for (n, function) in functions.iter().enumerate() {
            if function.bind(sort, sort).is_none() {
                continue;
            }
            let mut held = 0;
            const ROUNDS: u64 = 60;
            for round in 0..ROUNDS {
                let mut rng = RandomStream::from_seed(1000 * n as u64 + round);
                let mut generator = ValueGenerator::default();
                for &v in &variables {
                    assert!(generator.assign(&mut store, v, &mut rng), "{sort}");
                }
                let mut builder = FusionBuilder {
                    store: &mut store,
                    scope: &mut scope,
                    generator,
                    target: &TargetSpelling::default(),
                    others: Default::default(),
                    others_percent: 0,
                };
                let entry = builder.make(n.to_string(), function, [variables[0], variables[1]], &mut rng);
                let entry =
                    entry.unwrap_or_else(|| panic!("the function of line {} does not fit {sort}", function.line));
                held += u64::from(entry.holds);
            }
            used[n] += 1;
            // A condition, such as a coefficient other than 0, may fail; an unconditional law may not.
            let least = if function.conditions.is_empty() { ROUNDS } else { ROUNDS / 3 };
            assert!(held >= least, "the function of line {} holds {held} times of {ROUNDS} at {sort}", function.line);
        }
    }
    assert!(used.iter().all(|&n| n > 0), "some function was never used: {used:?}");
}

/// A wrong inversion is found out, so that the test above can fail.
#[test]
fn wrong_inversions_do_not_hold() {
    let block = "#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (= z (+ x y 1)))\n\
                 (assert (= x (- z y)))\n(assert (= y (- z x)))\n#end";
    let (functions, _) = read_functions(block);
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    let parsed = smtlib::parse_commands(&mut store, &mut scope, "(declare-const a Int)(declare-const b Int)");
    let Command::DeclareFun(a) = parsed.script.commands[0] else { panic!("a declaration") };
    let Command::DeclareFun(b) = parsed.script.commands[1] else { panic!("a declaration") };
    let mut rng = RandomStream::from_seed(1);
    let mut generator = ValueGenerator::default();
    assert!(generator.assign(&mut store, a, &mut rng) && generator.assign(&mut store, b, &mut rng));
    let (target, others) = (&TargetSpelling::default(), Default::default());
    let mut builder =
        FusionBuilder { store: &mut store, scope: &mut scope, generator, target, others, others_percent: 0 };
    assert!(!builder.make(String::new(), &functions[0], [a, b], &mut rng).expect("it fits").holds);
}

/// The bijections undo themselves and the operations are solved by their solutions, for all values of small sorts, and for some where a
/// sort has no end: a bit-vector has 1 to 3 bits.
#[test]
fn steps_of_generated_functions_undo_themselves() {
    let bits = |width: u32| -> Vec<String> {
        (0..1 << width).map(|n: u32| format!("#b{n:0w$b}", w = width as usize)).collect()
    };
    let words = |text: &str| -> Vec<String> { text.split(',').map(str::to_string).collect() };
    let values = |sort: &str| match sort {
        "Bool" => vec![words("true,false")],
        "Int" => vec![words("0,1,(- 1),2,(- 7),9")],
        "Real" => vec![words("0.0,1.0,(- 1.0),(/ 1.0 3.0),(- 2.5)")],
        "BitVec" => vec![bits(1), bits(2), bits(3)],
        "String" => vec![words(r#""","a","ab","ba","aa""#)],
        _ => panic!("no values of {sort}"),
    };
    let mut checked = 0;
    let mut holds = |formula: String| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &format!("(assert {formula})"));
        let [Command::Assert(t, _)] = parsed.script.commands[..] else { panic!("{formula}: {:?}", parsed.errors) };
        checked += 1;
        semantics::Evaluator::new(semantics::Model::new(), semantics::EvalLimits::default()).truth(&store, t)
            == Some(true)
    };
    for steps in generated::SORTS {
        for list in values(steps.sort) {
            let turns = if steps.sort == "BitVec" { list.len().ilog2() } else { 1 };
            for (value, other) in list.iter().flat_map(|value| list.iter().map(move |other| (value, other))) {
                for step in steps.steps {
                    for turn in 0..turns {
                        let fill = |text: &str, hole: &str| {
                            text.replace('C', other).replace('K', &turn.to_string()).replace('@', hole)
                        };
                        let there = fill(step.does, value);
                        assert!(
                            holds(format!("(= {} {value})", fill(step.undoes, &there))),
                            "{step:?} at {value} {other}"
                        );
                    }
                }
                for operation in steps.operations {
                    let fill = |text: &str, z: &str| text.replace('L', value).replace('R', other).replace('Z', z);
                    let z = fill(operation.joins, "");
                    assert!(
                        holds(format!("(= {} {value})", fill(operation.left, &z))),
                        "{operation:?} at {value} {other}"
                    );
                    assert!(
                        holds(format!("(= {} {other})", fill(operation.right, &z))),
                        "{operation:?} at {value} {other}"
                    );
                }
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// Functions that are made up hold under every assignment, also with variables in the places of their constants.
#[test]
fn generated_functions_have_inversions() {
    let mut with_others = 0;
    for sort in ["Bool", "Int", "Real", "String", "(_ BitVec 1)", "(_ BitVec 5)", "(_ BitVec 64)"] {
        let mut store = Store::new();
        let mut scope = Scope::new(&store);
        let text = format!("(declare-const x1 {sort})(declare-const y1 {sort})(declare-const w1 {sort})");
        let parsed = smtlib::parse_commands(&mut store, &mut scope, &text);
        let variables: Vec<FuncId> = parsed
            .script
            .commands
            .iter()
            .filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None })
            .collect();
        let mut texts = std::collections::BTreeSet::new();
        for round in 0..150 {
            let mut rng = RandomStream::from_seed(round);
            let function = generated::draw(sort, &mut rng).expect("the sort has steps");
            let mut generator = ValueGenerator::default();
            assert!(variables.iter().all(|&v| generator.assign(&mut store, v, &mut rng)), "{sort}");
            let others = [(store.func(variables[2]).result, variables.clone())].into_iter().collect();
            let target = &TargetSpelling::default();
            let mut builder =
                FusionBuilder { store: &mut store, scope: &mut scope, generator, target, others, others_percent: 50 };
            let name = function.terms[0].clone();
            let entry =
                builder.make(name.clone(), &function, [variables[0], variables[1]], &mut rng).expect("it reads");
            assert!(entry.holds, "{sort}: {function:?}");
            with_others += u32::from(store.term_text(entry.equations[0]).contains("w1"));
            texts.insert(name);
        }
        assert!(texts.len() > 30, "{sort}: {texts:?}");
    }
    assert!(with_others > 100, "a third variable: {with_others}");
    assert_eq!(generated::draw("(Array Int Int)", &mut RandomStream::from_seed(1)), None);
    assert_eq!(generated::draw("(_ BitVec n)", &mut RandomStream::from_seed(1)), None);
}

#[test]
fn malformed_blocks_are_reported_with_line_and_reason() {
    let check = |text: &str, functions: usize, expect: &[&str]| {
        let (found, problems) = read_functions(text);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!((found.len(), problems), (functions, expect.iter().map(|s| s.to_string()).collect()), "{text}");
    };
    let xyz = "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n";
    let good = format!("#begin\n{xyz}(assert (= z (+ x y)))\n(assert (= x (- z y)))\n(assert (= y (- z x)))\n#end\n");
    check(&good, 1, &[]);
    // One of the blocks that yinyang ships: a parenthesis too early makes it a chain of three.
    let chained =
        format!("; a comment\n#begin\n{xyz}(assert (= z (+ x 1) y))\n(assert (= x z))\n(assert (= y z))\n#end\n{good}");
    check(&chained, 1, &["line 6: assertion 1 must be `(= z …)` with two sides"]);
    check(
        &format!("#begin\n{xyz}(assert (= z (+ x y)))\n#end"),
        0,
        &["line 1: the block needs three assertions: for z, for x and for y"],
    );
    check(&format!("#begin\n{xyz}(assert (= x y))\n#end"), 0, &["line 5: assertion 1 must be `(= z …)`"]);
    check("#begin\n(declare-const x Int", 0, &["line 1: the block has no `#end`"]);
    check("#begin\n(declare-const x Int\n#end", 0, &["line 1: parentheses or quotes of the block do not match"]);
    check("#end", 0, &["line 1: `#end` without `#begin`"]);
    check("(assert true)", 0, &["line 1: text outside of `#begin` and `#end`"]);
    check("#begin\n(check-sat)\n#end", 0, &["line 2: `(check-sat)` is not a command of a fusion function"]);
}

#[test]
fn indices_are_worked_out() {
    let bindings =
        [("n", "8"), ("m", "3"), ("x", "a")].map(|(k, v)| (k.to_string(), v.to_string())).into_iter().collect();
    let check = |atom: &str, expect: Option<u64>| assert_eq!(evaluate(atom, &bindings), expect, "{atom}");
    check("n", Some(8));
    check("2n-1", Some(15));
    check("n+m-1", Some(10));
    check("m-n", None);
    check("-", None);
    check("7", None);
    check("re.all", None);
    check("x", None);
    let text = substitute("((_ extract n+m-1 m) (bvadd x |x|))", &bindings);
    assert_eq!(text.as_deref(), Some("((_ extract 10 3) (bvadd a |x|))"));
}

/// Reads two scripts into one store and makes mutants of their first instances.
fn fuse(
    fusion: &Fusion,
    scripts: [&str; 2],
    count: u64,
    body: &mut dyn FnMut(&mut dyn Batch, u64, &Mutant),
) -> Result<(), Unfit> {
    let mut store = Store::new();
    let mut parents: Vec<Parent> = Vec::new();
    for script in scripts {
        let parsed = smtlib::parse(&mut store, script);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        let instance: Instance = parsed.script.instances().into_iter().next().expect("a check");
        parents.push(Parent { instance, given: GivenModel::Nothing });
    }
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 9, number: 4 } };
    let mut batch = fusion.batch(&mut store, request)?;
    let mut mutant = Mutant::default();
    for index in 0..count {
        batch.mutant(index, &mut mutant);
        body(&mut batch, index, &mutant);
    }
    Ok(())
}

fn certified(batch: &mut dyn Batch, index: u64, mutant: &Mutant) {
    assert_eq!((&mutant.truth, &mutant.expected[..]), (&Some(Trust::Certified), &[Status::Sat][..]));
    let model = batch.witness(index).expect("a certified mutant has a witness");
    if let Err(error) = certify(batch.store(), &model, &mutant.text, 1) {
        panic!("{error}\n{}", mutant.text);
    }
}

#[test]
fn satisfiable_mutants_are_true_under_both_witnesses() {
    for first in SCRIPTS {
        for second in SCRIPTS {
            let outcome = fuse(&Fusion::default(), [first, second], 12, &mut certified);
            assert_eq!(outcome, Ok(()), "{first}\n{second}");
        }
    }
}

#[test]
fn one_seed_can_be_fused_with_itself() {
    let script = "(set-logic QF_UFLIA)(declare-sort S 0)(declare-fun f (S) Int)(declare-const s S)(declare-const x Int)
        (assert (= (f s) x))(assert (> x 3))(check-sat)";
    let mut spliced = 0;
    let outcome = fuse(&Fusion::default(), [script, script], 50, &mut |batch, index, mutant| {
        certified(batch, index, mutant);
        assert!(mutant.text.contains("(declare-fun x () Int)") && mutant.text.contains("(declare-fun x!1 () Int)"));
        spliced += usize::from(mutant.text.contains("!f"));
    });
    assert_eq!((outcome, spliced > 25), (Ok(()), true));
}

#[test]
fn unsatisfiable_seeds_give_unsatisfiable_mutants() {
    let unsat =
        "(set-logic QF_LIA)(set-info :status unsat)(declare-const x Int)(assert (> x 3))(assert (< x 2))(check-sat)";
    let other = "(set-logic QF_LIA)(set-info :status unsat)(declare-const y Int)(assert (= (* 2 y) 7))(check-sat)";
    let sat = "(set-logic QF_LIA)(set-info :status sat)(declare-const y Int)(assert (= (* 2 y) 8))(check-sat)";
    let mut fusion = Fusion::default();
    fusion.config.oracle = Oracle::Unsat;
    let mut joined = [0; 2];
    for (second, index) in [(other, 0), (sat, 1)] {
        let outcome = fuse(&fusion, [unsat, second], 40, &mut |batch, n, mutant| {
            assert_eq!((&mutant.expected[..], batch.witness(n).is_none()), (&[Status::Unsat][..], true));
            assert!(matches!(mutant.truth, Some(Trust::Trusted(_))));
            // The equations that make both sides mean what the seeds meant are there whenever something is fused.
            let fused = mutant.text.contains("(declare-fun z!f");
            let held = mutant.text.contains("(= z!f") && mutant.text.contains("(assert (= x ");
            assert_eq!(fused, held, "{}", mutant.text);
            joined[index] += usize::from(mutant.text.contains("(assert (or (and"));
        });
        assert_eq!(outcome, Ok(()));
    }
    assert!(joined[0] > 10, "a disjunction of two unsatisfiable seeds comes often");
    assert_eq!(joined[1], 0, "a disjunction with a satisfiable seed would be satisfiable");
    let both_sat = fuse(&fusion, [sat, sat], 1, &mut |_, _, _| {});
    assert!(matches!(both_sat, Err(Unfit::Nothing(_))), "{both_sat:?}");
}

#[test]
fn seeds_without_constants_get_names_for_their_assertions() {
    let closed = "(assert (forall ((x Int)) (> (+ x 1) x)))(assert (exists ((x Bool)) x))(check-sat)";
    let mut fused = 0;
    let outcome = fuse(&Fusion::default(), [closed, closed], 20, &mut |batch, index, mutant| {
        certified(batch, index, mutant);
        fused += usize::from(mutant.text.contains("(= z!f"));
    });
    assert_eq!((outcome, fused > 10), (Ok(()), true));
}

#[test]
fn one_seed_alone_is_unfit() {
    let closed = "(assert true)(check-sat)";
    let (mut store, instances) = read(closed);
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let error = Fusion::default().batch(&mut store, request).err();
    assert_eq!(error, Some(Unfit::Parents { expected: 2, given: 1 }));
}

#[test]
fn a_mutant_depends_on_its_index_only() {
    let mut forward = Vec::new();
    let scripts = [SCRIPTS[0], SCRIPTS[3]];
    fuse(&Fusion::default(), scripts, 10, &mut |_, _, m| forward.push(m.clone())).expect("the scripts are fit");
    for (index, expect) in forward.iter().enumerate().rev() {
        let mut last = None;
        fuse(&Fusion::default(), scripts, 1, &mut |batch, _, _| {
            let mut mutant = Mutant::default();
            batch.mutant(index as u64, &mut mutant);
            last = Some(mutant);
        })
        .expect("the scripts are fit");
        assert_eq!(last.as_ref(), Some(expect));
    }
}
