//! Separation logic: generated problems against a direct evaluator over explicit heaps, of another hand, which reads the text by itself.

use mutate::finite::{FiniteMutator, theme};
use mutate::rng::RandomStream;
use mutate::{Batch, Mutant, TargetSpelling, Unit};
use semantics::Stop;
use semantics::truth::{ExhaustLimits, OpenTruth, Search, TruthQuery, of_check};
use smtlib::{Status, Store};
use std::collections::HashMap;

/// A term in parentheses, or a word.
#[derive(Clone, Debug)]
pub enum Tree {
    Word(String),
    List(Vec<Tree>),
}

pub fn trees(text: &str) -> Vec<Tree> {
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack = vec![Vec::new()];
    for word in text.split_whitespace() {
        match word {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = stack.pop().expect("open");
                stack.last_mut().expect("open").push(Tree::List(list));
            }
            word => stack.last_mut().expect("open").push(Tree::Word(word.to_string())),
        }
    }
    stack.pop().expect("whole")
}

/// A symbol, by its number, or a value of its sort, by its number.
#[derive(Clone, Copy, Debug)]
enum Term {
    Symbol(usize),
    Value(u8),
}

#[derive(Clone, Debug)]
enum Formula {
    Empty,
    PointsTo(Term, Term),
    Star(Vec<Formula>),
    Wand(Box<[Formula; 2]>),
    Same(Term, Term),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Xor(Vec<Formula>),
}

/// A heap: its data by location.
type Heap = HashMap<u8, u8>;

/// A problem as its text says. Symbol 0 is `sep.nil`.
#[derive(Default)]
struct Problem {
    names: HashMap<String, usize>,
    /// The number of values of each symbol.
    sizes: Vec<u8>,
    values: HashMap<String, u8>,
    locations: u8,
    data: u8,
    assertions: Vec<Formula>,
}

pub fn word(tree: &Tree) -> &str {
    match tree {
        Tree::Word(word) => word,
        Tree::List(_) => panic!("{tree:?} is no word"),
    }
}

impl Problem {
    fn read(text: &str) -> Problem {
        let mut problem = Problem { sizes: vec![0], ..Problem::default() };
        let mut sizes = HashMap::from([("Bool".to_string(), 2)]);
        problem.values.extend([("false".to_string(), 0), ("true".to_string(), 1)]);
        for width in 1..3usize {
            sizes.insert(format!("{:?}", trees(&format!("(_ BitVec {width})"))[0]), 1 << width);
            problem.values.extend((0..1u8 << width).map(|n| (format!("#b{n:0width$b}"), n)));
        }
        let size = |sizes: &HashMap<String, u8>, tree: &Tree| match tree {
            Tree::Word(name) => sizes[name],
            list => sizes[&format!("{list:?}")],
        };
        for command in trees(text) {
            let Tree::List(parts) = command else { panic!("no command") };
            match (word(&parts[0]), &parts[1..]) {
                ("set-logic" | "set-option" | "check-sat", _) => {}
                ("declare-datatypes", [Tree::List(names), Tree::List(bodies)]) => {
                    let (Tree::List(name), Tree::List(constructors)) = (&names[0], &bodies[0]) else { panic!("names") };
                    sizes.insert(word(&name[0]).to_string(), constructors.len() as u8);
                    for (n, constructor) in constructors.iter().enumerate() {
                        let Tree::List(constructor) = constructor else { panic!("{constructor:?}") };
                        problem.values.insert(word(&constructor[0]).to_string(), n as u8);
                    }
                }
                ("declare-heap", [Tree::List(heap)]) => {
                    (problem.locations, problem.data) = (size(&sizes, &heap[0]), size(&sizes, &heap[1]));
                    problem.sizes[0] = problem.locations;
                }
                ("declare-fun", [name, _, sort]) => {
                    problem.names.insert(word(name).to_string(), problem.sizes.len());
                    problem.sizes.push(size(&sizes, sort));
                }
                ("assert", [formula]) => {
                    let formula = problem.formula(formula, &HashMap::new());
                    problem.assertions.push(formula);
                }
                (name, _) => panic!("{name} in\n{text}"),
            }
        }
        problem
    }

    fn term(&self, tree: &Tree) -> Term {
        match tree {
            Tree::Word(name) => match self.names.get(name) {
                Some(&symbol) => Term::Symbol(symbol),
                None => Term::Value(self.values[name]),
            },
            Tree::List(parts) => {
                assert_eq!((word(&parts[0]), word(&parts[1])), ("as", "sep.nil"));
                Term::Symbol(0)
            }
        }
    }

    fn formula(&self, tree: &Tree, lets: &HashMap<String, Tree>) -> Formula {
        let Tree::List(parts) = tree else {
            return match (word(tree), lets.get(word(tree))) {
                ("sep.emp", _) => Formula::Empty,
                (_, Some(meant)) => self.formula(meant, lets),
                _ => panic!("{tree:?} is no formula"),
            };
        };
        let all = || parts[1..].iter().map(|part| self.formula(part, lets)).collect::<Vec<Formula>>();
        match word(&parts[0]) {
            "pto" => Formula::PointsTo(self.term(&parts[1]), self.term(&parts[2])),
            "=" => Formula::Same(self.term(&parts[1]), self.term(&parts[2])),
            "sep" => Formula::Star(all()),
            "wand" => Formula::Wand(Box::new(all().try_into().expect("two"))),
            "not" => Formula::Not(Box::new(all().remove(0))),
            "and" => Formula::And(all()),
            "or" => Formula::Or(all()),
            "xor" => Formula::Xor(all()),
            "=>" => {
                let mut all = all();
                let last = all.pop().expect("two");
                Formula::Or(all.into_iter().map(|a| Formula::Not(Box::new(a))).chain([last]).collect())
            }
            "let" => {
                let Tree::List(bindings) = &parts[1] else { panic!("bindings") };
                let mut lets = lets.clone();
                for binding in bindings {
                    let Tree::List(binding) = binding else { panic!("a binding") };
                    lets.insert(word(&binding[0]).to_string(), binding[1].clone());
                }
                self.formula(&parts[2], &lets)
            }
            name => panic!("{name}"),
        }
    }

    /// All heaps whose locations are not these.
    fn heaps_without(&self, taken: &[u8]) -> Vec<Heap> {
        let mut all = vec![Heap::new()];
        for location in (0..self.locations).filter(|location| !taken.contains(location)) {
            let with = |heap: &Heap| {
                let extend = |datum| heap.clone().into_iter().chain([(location, datum)]).collect();
                (0..self.data).map(extend).collect::<Vec<Heap>>()
            };
            let more: Vec<Heap> = all.iter().flat_map(with).collect();
            all.extend(more);
        }
        all
    }

    fn holds(&self, formula: &Formula, stack: &[u8], heap: &Heap) -> bool {
        let value = |term: Term| match term {
            Term::Symbol(symbol) => stack[symbol],
            Term::Value(value) => value,
        };
        match formula {
            Formula::Empty => heap.is_empty(),
            Formula::PointsTo(l, d) => heap.len() == 1 && heap.get(&value(*l)) == Some(&value(*d)),
            Formula::Same(a, b) => value(*a) == value(*b),
            Formula::Not(a) => !self.holds(a, stack, heap),
            Formula::And(all) => all.iter().all(|a| self.holds(a, stack, heap)),
            Formula::Or(all) => all.iter().any(|a| self.holds(a, stack, heap)),
            Formula::Xor(all) => all.iter().filter(|a| self.holds(a, stack, heap)).count() % 2 == 1,
            // One part after the other is split off.
            Formula::Star(parts) => {
                let Some((first, rest)) = parts.split_first() else { return heap.is_empty() };
                let cells: Vec<(u8, u8)> = heap.iter().map(|(l, d)| (*l, *d)).collect();
                (0..1u32 << cells.len()).any(|mask| {
                    let part = |bit: u32| -> Heap {
                        cells.iter().enumerate().filter(|(n, _)| mask >> n & 1 == bit).map(|(_, cell)| *cell).collect()
                    };
                    self.holds(first, stack, &part(1)) && self.holds(&Formula::Star(rest.to_vec()), stack, &part(0))
                })
            }
            Formula::Wand(both) => {
                let taken: Vec<u8> = heap.keys().copied().chain([stack[0]]).collect();
                self.heaps_without(&taken).into_iter().all(|more| {
                    !self.holds(&both[0], stack, &more)
                        || self.holds(&both[1], stack, &heap.clone().into_iter().chain(more).collect())
                })
            }
        }
    }

    fn is_satisfiable(&self) -> bool {
        let stacks: usize = self.sizes.iter().map(|size| usize::from(*size)).product();
        (0..stacks).any(|mut number| {
            let mut stack = Vec::new();
            for &size in &self.sizes {
                stack.push((number % usize::from(size)) as u8);
                number /= usize::from(size);
            }
            let heaps = self.heaps_without(&stack[..1]);
            heaps.iter().any(|heap| self.assertions.iter().all(|formula| self.holds(formula, &stack, heap)))
        })
    }
}

#[test]
fn all_stacks_and_heaps_give_the_claimed_answers() {
    let themes = vec![theme::find("heaps").expect("a theme")];
    let finite = FiniteMutator { themes, mutants: 10, ..FiniteMutator::default() };
    let (target, mut mutant) = (TargetSpelling::default(), Mutant::default());
    let (mut counts, mut words) = ([0u64; 2], HashMap::<&str, u64>::new());
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 800);
    for number in 0..count.div_ceil(10) {
        let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 2, number });
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            let Some(&expected) = mutant.expected.first() else { continue };
            assert!(
                mutant.text.starts_with("(set-option :incremental false)\n(set-logic QF_ALL)\n"),
                "{}",
                mutant.text
            );
            let found = Problem::read(&mutant.text).is_satisfiable();
            assert_eq!(found, expected == Status::Sat, "{}", mutant.text);
            counts[usize::from(found)] += 1;
            for word in ["(pto ", "(sep ", "(wand ", "sep.emp", "sep.nil", "(let "] {
                *words.entry(word).or_default() += u64::from(mutant.text.contains(word));
            }
        }
    }
    println!("{counts:?} {words:?}");
    assert!(counts.iter().all(|&n| n * 10 > count * 3), "{counts:?}");
    assert!(words.iter().all(|(word, &n)| n * 12 > count || *word == "(let "), "{words:?}");
}

/// Returns a formula without `wand` over the symbols `x0`, `x1` and `d0`, of locations and data that are integers.
fn formula(fuel: u32, rng: &mut RandomStream) -> String {
    let mut location = || match rng.below(7) {
        0..=2 => "x0".to_string(),
        3..=4 => "x1".to_string(),
        5 => "(as sep.nil Int)".to_string(),
        _ => rng.below(2).to_string(),
    };
    let locations = [location(), location()];
    let datum = if rng.coin() { "d0".to_string() } else { rng.below(2).to_string() };
    if fuel == 0 || rng.percent(20) {
        return match rng.below(8) {
            0..=4 => format!("(pto {} {datum})", locations[0]),
            5 => format!("(= {} {})", locations[0], locations[1]),
            _ => "sep.emp".to_string(),
        };
    }
    let name = *rng.pick(&["sep", "sep", "sep", "and", "or", "xor", "not", "not"]).expect("one");
    let count = if name == "not" { 1 } else { 2 };
    let parts: String = (0..count).map(|_| format!(" {}", formula(fuel - 1, rng))).collect();
    format!("({name}{parts})")
}

/// Locations and data are integers below 2, as far as formulas name them; by hand there are four more locations, which is more than
/// formulas of this depth distinguish.
#[test]
fn infinitely_many_locations_are_as_good_as_enough() {
    let (mut counts, mut too_large) = ([0u64; 2], 0);
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 800) / 20;
    for number in 0..count {
        let mut rng = Unit { campaign: 9, number }.stream();
        let assertions: String =
            (0..rng.between(1, 3)).map(|_| format!("(assert {})\n", formula(2, &mut rng))).collect();
        let declared = "(declare-fun x0 () Int)(declare-fun x1 () Int)(declare-fun d0 () Int)\n";
        let named = ["x0", "x1", "(as sep.nil Int)"].map(|name| format!("(assert (<= 0 {name} 1))")).concat();
        let text =
            format!("(declare-heap (Int Int))\n{declared}{named}(assert (<= 0 d0 1))\n{assertions}(check-sat)\n");
        let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search: Search::Quick };
        let truth = match of_check(&text, 0, query) {
            Ok(truth) => truth,
            Err(OpenTruth::Hidden(_)) => {
                too_large += 1;
                continue;
            }
            Err(why) => panic!("{why}\n{text}"),
        };
        let mut problem = Problem { sizes: vec![2; 4], locations: 6, data: 2, ..Problem::default() };
        problem.names = ["", "x0", "x1", "d0"].map(str::to_string).into_iter().zip(0..).collect();
        problem.values = (0..2).map(|n| (n.to_string(), n)).collect();
        for tree in trees(&assertions) {
            let Tree::List(parts) = tree else { panic!("no command") };
            let formula = problem.formula(&parts[1], &HashMap::new());
            problem.assertions.push(formula);
        }
        let found = problem.is_satisfiable();
        assert_eq!(truth.word(), if found { "sat" } else { "unsat" }, "{text}");
        counts[usize::from(found)] += 1;
    }
    println!("{counts:?}, {too_large} too large");
    assert!(counts.iter().all(|&n| n * 8 > count) && too_large * 5 < count, "{counts:?}, {too_large}");
}
