//! Relations: generated problems against an evaluator of another hand, which reads the text by itself and tries all values.

use crate::heaps::{Tree, trees, word};
use mutate::finite::FiniteMutator;
use mutate::finite::theme::{Ingredient, Theme};
use mutate::{Batch, Mutant, TargetSpelling, Unit};
use smtlib::{Status, Store};
use std::collections::{BTreeSet, HashMap};

/// A value; all fields of tuples are truth values, as bits of a word of this length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Meaning {
    Bool(bool),
    Int(i128),
    Tuple(Vec<bool>),
    Set(usize, BTreeSet<Vec<bool>>),
}

use Meaning::{Bool, Int, Set, Tuple};

/// The names in scope, the innermost last.
type Names<'t> = Vec<(&'t str, Meaning)>;

/// The maximum number of assignments of a problem's constants that are tried.
const MAX_ASSIGNMENTS: usize = 1 << 8;

fn tuples(fields: usize) -> Vec<Vec<bool>> {
    (0..1u32 << fields).map(|n| (0..fields).map(|bit| n >> bit & 1 == 1).collect()).collect()
}

/// Returns all values of a sort; `None` for `Int`.
fn values(sort: &Tree) -> Option<Vec<Meaning>> {
    let Tree::List(parts) = sort else {
        return (word(sort) == "Bool").then(|| vec![Bool(false), Bool(true)]);
    };
    match word(&parts[0]) {
        "Tuple" => Some(tuples(parts.len() - 1).into_iter().map(Tuple).collect()),
        "Set" => {
            let fields = fields_of(&parts[1]);
            let all = tuples(fields);
            let subset = |mask: u64| {
                let elements = all.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1);
                Set(fields, elements.map(|(_, t)| t.clone()).collect())
            };
            Some((0..1u64 << all.len()).map(subset).collect())
        }
        name => panic!("the sort {name}"),
    }
}

fn fields_of(tuple: &Tree) -> usize {
    let Tree::List(parts) = tuple else { panic!("{tuple:?}") };
    assert_eq!(word(&parts[0]), "Tuple");
    parts.len() - 1
}

/// Evaluates a term; `None` if an operator is not known here.
fn eval<'t>(tree: &'t Tree, names: &mut Names<'t>) -> Option<Meaning> {
    let parts = match tree {
        Tree::Word(name) => {
            return match (name.as_str(), names.iter().rev().find(|(known, _)| known == name)) {
                (_, Some((_, value))) => Some(value.clone()),
                ("true" | "false", _) => Some(Bool(name == "true")),
                _ => name.parse().ok().map(Int),
            };
        }
        Tree::List(parts) => parts,
    };
    let head = match &parts[0] {
        Tree::Word(head) => head.as_str(),
        Tree::List(head) if word(&head[1]) == "tuple.select" => {
            let Tuple(fields) = eval(&parts[1], names)? else { panic!("{tree:?}") };
            return Some(Bool(fields[word(&head[2]).parse::<usize>().expect("a number")]));
        }
        Tree::List(_) => return None,
    };
    match head {
        "let" => {
            let Tree::List(bindings) = &parts[1] else { panic!("bindings") };
            let mut inner = Vec::new();
            for binding in bindings {
                let Tree::List(binding) = binding else { panic!("a binding") };
                inner.push((word(&binding[0]), eval(&binding[1], names)?));
            }
            let mark = names.len();
            names.extend(inner);
            let value = eval(&parts[2], names);
            names.truncate(mark);
            return value;
        }
        "forall" | "exists" => {
            let Tree::List(vars) = &parts[1] else { panic!("variables") };
            let mut all: Vec<Names<'t>> = vec![Vec::new()];
            for var in vars {
                let Tree::List(var) = var else { panic!("a variable") };
                let values = values(&var[1])?;
                let bind = |names: &Names<'t>, value: &Meaning| {
                    names.iter().cloned().chain([(word(&var[0]), value.clone())]).collect::<Names<'t>>()
                };
                all = all.iter().flat_map(|names| values.iter().map(|value| bind(names, value))).collect();
            }
            let mark = names.len();
            let mut found = Vec::new();
            for inner in all {
                names.extend(inner);
                found.push(eval(&parts[2], names)? == Bool(true));
                names.truncate(mark);
            }
            return Some(Bool(if head == "forall" { found.iter().all(|&b| b) } else { found.iter().any(|&b| b) }));
        }
        "as" => {
            let Tree::List(sort) = &parts[2] else { panic!("{tree:?}") };
            let fields = fields_of(&sort[1]);
            let all = if word(&parts[1]) == "set.empty" { Vec::new() } else { tuples(fields) };
            return Some(Set(fields, all.into_iter().collect()));
        }
        _ => {}
    }
    let args: Vec<Meaning> = parts[1..].iter().map(|part| eval(part, names)).collect::<Option<_>>()?;
    let bools = || args.iter().map(|a| *a == Bool(true)).collect::<Vec<bool>>();
    let ints = || args.iter().map(|a| if let Int(n) = a { *n } else { panic!("{tree:?}") }).collect::<Vec<i128>>();
    let set = |n: usize| if let Set(fields, set) = &args[n] { (*fields, set) } else { panic!("{tree:?}") };
    let folded = |step: fn(i128, i128) -> Option<i128>| {
        let all = ints();
        all[1..].iter().try_fold(all[0], |a, &b| step(a, b)).map(Int)
    };
    let chained = |fits: fn(i128, i128) -> bool| Some(Bool(ints().windows(2).all(|pair| fits(pair[0], pair[1]))));
    let combined = |keeps: fn(bool) -> bool| {
        let (fields, mut kept) = (set(0).0, set(0).1.clone());
        (1..args.len()).for_each(|n| kept.retain(|t| keeps(set(n).1.contains(t))));
        Some(Set(fields, kept))
    };
    match head {
        "not" => Some(Bool(!bools()[0])),
        "and" => Some(Bool(bools().iter().all(|&b| b))),
        "or" => Some(Bool(bools().iter().any(|&b| b))),
        "xor" => Some(Bool(bools().iter().filter(|&&b| b).count() % 2 == 1)),
        "=>" => {
            let all = bools();
            Some(Bool(all[..all.len() - 1].iter().any(|&b| !b) || all[all.len() - 1]))
        }
        "=" => Some(Bool(args.iter().all(|a| *a == args[0]))),
        "distinct" => Some(Bool(args.iter().collect::<BTreeSet<_>>().len() == args.len())),
        "ite" => Some(args[if args[0] == Bool(true) { 1 } else { 2 }].clone()),
        "-" if args.len() == 1 => ints()[0].checked_neg().map(Int),
        "+" => folded(i128::checked_add),
        "-" => folded(i128::checked_sub),
        "*" => folded(i128::checked_mul),
        "abs" => Some(Int(ints()[0].abs())),
        "<" => chained(|a, b| a < b),
        "<=" => chained(|a, b| a <= b),
        ">" => chained(|a, b| a > b),
        ">=" => chained(|a, b| a >= b),
        "tuple" => Some(Tuple(bools())),
        "set.singleton" | "set.insert" => {
            let elements = args.iter().filter_map(|a| if let Tuple(t) = a { Some(t.clone()) } else { None });
            let mut all: BTreeSet<Vec<bool>> = elements.collect();
            if head == "set.insert" {
                all.extend(set(args.len() - 1).1.iter().cloned());
            }
            Some(Set(all.first()?.len(), all))
        }
        "set.union" => Some(Set(set(0).0, (0..args.len()).flat_map(|n| set(n).1.iter().cloned()).collect())),
        "set.inter" => combined(|there| there),
        "set.minus" => combined(|there| !there),
        "set.member" => match &args[0] {
            Tuple(t) => Some(Bool(set(1).1.contains(t))),
            _ => panic!("{tree:?}"),
        },
        "set.subset" => Some(Bool(set(0).1.is_subset(set(1).1))),
        "set.card" => Some(Int(set(0).1.len() as i128)),
        "set.is_empty" => Some(Bool(set(0).1.is_empty())),
        "set.is_singleton" => Some(Bool(set(0).1.len() == 1)),
        "set.complement" => {
            let (fields, whole) = set(0);
            Some(Set(fields, tuples(fields).into_iter().filter(|t| !whole.contains(t)).collect()))
        }
        // Each relation by its membership, tuple by tuple.
        "rel.transpose" => {
            let (fields, r) = set(0);
            Some(Set(
                fields,
                tuples(fields).into_iter().filter(|t| r.iter().any(|s| s.iter().eq(t.iter().rev()))).collect(),
            ))
        }
        "rel.iden" => {
            Some(Set(2, tuples(2).into_iter().filter(|t| t[0] == t[1] && set(0).1.contains(&t[..1])).collect()))
        }
        "rel.product" => {
            let (n, m) = (set(0).0, set(1).0);
            let is_in = |t: &Vec<bool>| set(0).1.contains(&t[..n]) && set(1).1.contains(&t[n..]);
            Some(Set(n + m, tuples(n + m).into_iter().filter(is_in).collect()))
        }
        "rel.join" => {
            let (n, m) = (set(0).0 - 1, set(1).0 - 1);
            let through = |t: &Vec<bool>, x: bool| {
                set(0).1.contains(&[&t[..n], &[x]].concat()) && set(1).1.contains(&[&[x], &t[n..]].concat())
            };
            Some(Set(n + m, tuples(n + m).into_iter().filter(|t| through(t, false) || through(t, true)).collect()))
        }
        // The intersection of all transitive relations that have the pairs.
        "rel.tclosure" => {
            let all = values(&trees("(Set (Tuple Bool Bool))")[0])?;
            let is_transitive = |r: &BTreeSet<Vec<bool>>| {
                r.iter().all(|a| r.iter().all(|b| a[1] != b[0] || r.contains(&vec![a[0], b[1]])))
            };
            let larger: Vec<_> = all
                .iter()
                .filter_map(|v| if let Set(_, r) = v { Some(r) } else { None })
                .filter(|r| set(0).1.is_subset(r) && is_transitive(r))
                .collect();
            Some(Set(2, tuples(2).into_iter().filter(|t| larger.iter().all(|r| r.contains(t))).collect()))
        }
        "rel.join_image" => {
            let Int(least) = args[1] else { panic!("{tree:?}") };
            assert!(least >= 1, "{tree:?}");
            let count = |x: bool| [false, true].iter().filter(|&&y| set(0).1.contains(&vec![x, y])).count() as i128;
            Some(Set(1, [false, true].into_iter().filter(|&x| count(x) >= least).map(|x| vec![x]).collect()))
        }
        _ => None,
    }
}

/// Whether some values of the constants make the assertions true.
fn is_satisfiable(constants: &[(String, Vec<Meaning>)], assertions: &[&Tree]) -> Option<bool> {
    let count: usize = constants.iter().map(|(_, values)| values.len()).product();
    if count > MAX_ASSIGNMENTS {
        return None;
    }
    for mut number in 0..count {
        let mut names = Names::new();
        for (name, values) in constants {
            names.push((name, values[number % values.len()].clone()));
            number /= values.len();
        }
        let mut holds = true;
        for assertion in assertions {
            // Later ones need not be known where an earlier one is false.
            if eval(assertion, &mut names)? != Bool(true) {
                holds = false;
                break;
            }
        }
        if holds {
            return Some(true);
        }
    }
    Some(false)
}

/// Returns the answers of the checks of a script; `None` if something in it is not known here.
fn answers(text: &str) -> Option<Vec<bool>> {
    let commands = trees(&text.replace("|x ", "|x_"));
    let (mut constants, mut levels, mut answers) = (Vec::new(), vec![Vec::new()], Vec::new());
    for command in &commands {
        let Tree::List(parts) = command else { panic!("no command") };
        match (word(&parts[0]), &parts[1..]) {
            ("set-logic" | "set-option" | "set-info", _) => {}
            ("declare-fun", [name, _, sort]) => constants.push((word(name).to_string(), values(sort)?)),
            ("assert", [formula]) => levels.last_mut()?.push(formula),
            ("push", _) => levels.push(Vec::new()),
            ("pop", _) => drop(levels.pop()),
            ("check-sat", _) => {
                let all: Vec<&Tree> = levels.iter().flatten().copied().collect();
                answers.push(is_satisfiable(&constants, &all)?);
            }
            ("check-sat-assuming", [Tree::List(assumed)]) => {
                let all: Vec<&Tree> = levels.iter().flatten().copied().chain(assumed).collect();
                answers.push(is_satisfiable(&constants, &all)?);
            }
            (name, _) => panic!("{name} in\n{text}"),
        }
    }
    Some(answers)
}

#[test]
fn all_relations_give_the_claimed_answers() {
    use Ingredient::{Int, Relation};
    // Integers come after the relations, so that these are over truth values.
    let ingredients = vec![(Relation, 100), (Relation, 100), (Relation, 80), (Relation, 60), (Int, 50)];
    let theme: &'static Theme = Box::leak(Box::new(Theme { name: "relations", weight: 1, ingredients, about: "" }));
    let finite = FiniteMutator { themes: vec![theme], mutants: 10, ..FiniteMutator::default() };
    let (target, mut mutant) = (TargetSpelling::default(), Mutant::default());
    let (mut counts, mut words, mut skipped) = ([0u64; 2], HashMap::<&str, u64>::new(), 0u64);
    let wanted: u64 = testing::amount("SQUALL_PROBLEMS", 200);
    let mut compared = 0;
    for number in 0..wanted {
        if compared >= wanted {
            break;
        }
        let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 3, number });
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            let Some(found) = answers(&mutant.text) else {
                skipped += 1;
                continue;
            };
            let expected: Vec<bool> = mutant.expected.iter().map(|&status| status == Status::Sat).collect();
            assert_eq!(found, expected, "{}", mutant.text);
            compared += 1;
            found.iter().for_each(|&sat| counts[usize::from(sat)] += 1);
            let operators = ["rel.transpose", "rel.tclosure", "rel.join ", "rel.product", "rel.iden", "rel.join_image"];
            for word in operators.into_iter().chain(["tuple.select", "set.complement", "forall", "exists"]) {
                *words.entry(word).or_default() += u64::from(mutant.text.contains(word));
            }
        }
    }
    println!("{compared} problems, {skipped} left out, checks {counts:?}, {words:?}");
    assert!(compared >= wanted && counts.iter().all(|&count| count * 5 > wanted), "{compared} {counts:?}");
    assert!(words.len() == 10 && words.values().all(|&count| count * 100 > wanted), "{words:?}");
}
