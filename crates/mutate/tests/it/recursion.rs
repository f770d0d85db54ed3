//! Recursive definitions against a brute force of another hand: functions over numbers, bit-vectors and lists that this file draws, prints
//! and unfolds by itself, in Rust's own numbers.

use mutate::rng::RandomStream;
use mutate::{Unit, small_world};
use semantics::Stop;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_formulas, unproven};
use smtlib::{Status, Store};
use std::fmt::Write;

/// The measure of a function, and the sort of its other values.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// `Int`, counted down by 1 from at most the bound.
    Int(i64),
    /// Four bits, counted down by subtraction.
    Bits,
    /// Four bits, halved by a shift.
    Halves,
    /// Lists of integers.
    List,
    /// Sequences of integers.
    Seq,
}

impl Measure {
    /// The measured sort, and that of the other values.
    fn sorts(self) -> (&'static str, &'static str) {
        match self {
            Measure::Int(_) => ("Int", "Int"),
            Measure::Bits | Measure::Halves => ("(_ BitVec 4)", "(_ BitVec 4)"),
            Measure::List => ("List", "Int"),
            Measure::Seq => ("(Seq Int)", "Int"),
        }
    }
}

/// A term over the parameters.
enum Expr {
    Measured,
    Other,
    Number(i64),
    Head,
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    IfLess(Box<[Expr; 4]>),
    /// The function of this number, on what is smaller and a term.
    Call(usize, Box<Expr>),
}

struct Definition {
    base: Expr,
    step: Expr,
}

/// What a measured parameter is: a number, or a list's elements.
#[derive(Clone)]
enum Argument {
    Number(i64),
    Elements(Vec<i64>),
}

struct Hand {
    measure: Measure,
    functions: Vec<Definition>,
}

impl Hand {
    fn draw(rng: &mut RandomStream) -> Hand {
        let measures = [Measure::Int(5), Measure::Bits, Measure::Halves, Measure::List, Measure::Seq];
        let measure = measures[rng.index(measures.len())];
        let count = 1 + rng.index(2);
        let mut functions = Vec::new();
        for n in 0..count {
            let base = expr(measure, None, 2, rng);
            let mut step = expr(measure, Some(count), 2, rng);
            if rng.percent(60) {
                let call = Expr::Call((n + 1) % count, Box::new(expr(measure, Some(0), 1, rng)));
                step = Expr::Add(Box::new(call), Box::new(step));
            }
            functions.push(Definition { base, step });
        }
        Hand { measure, functions }
    }

    fn wrap(&self, n: i64) -> i64 {
        if matches!(self.measure, Measure::Bits | Measure::Halves) { n.rem_euclid(16) } else { n }
    }

    /// The value of a function, by unfolding.
    fn call(&self, f: usize, at: &Argument, other: i64) -> i64 {
        let (is_step, head, smaller) = match (at, self.measure) {
            (Argument::Number(n), Measure::Int(most)) => (0 < *n && *n <= most, 0, Argument::Number(n - 1)),
            (Argument::Number(n), Measure::Halves) => (*n != 0, 0, Argument::Number(n / 2)),
            (Argument::Number(n), _) => (*n != 0, 0, Argument::Number(n - 1)),
            (Argument::Elements(all), _) => match all.split_first() {
                Some((first, rest)) => (true, *first, Argument::Elements(rest.to_vec())),
                None => (false, 0, Argument::Elements(Vec::new())),
            },
        };
        let definition = &self.functions[f];
        let body = if is_step { &definition.step } else { &definition.base };
        self.value(body, at, other, head, &smaller)
    }

    fn value(&self, e: &Expr, at: &Argument, other: i64, head: i64, smaller: &Argument) -> i64 {
        let value = |e: &Expr| self.value(e, at, other, head, smaller);
        let value = match e {
            Expr::Measured => match at {
                Argument::Number(n) => *n,
                Argument::Elements(all) => all.len() as i64,
            },
            Expr::Other => other,
            Expr::Number(n) => *n,
            Expr::Head => head,
            Expr::Add(a, b) => value(a).wrapping_add(value(b)),
            Expr::Sub(a, b) => value(a).wrapping_sub(value(b)),
            Expr::IfLess(parts) => {
                let [a, b, c, d] = &**parts;
                if value(a) < value(b) { value(c) } else { value(d) }
            }
            Expr::Call(g, other) => self.call(*g, smaller, value(other)),
        };
        self.wrap(value)
    }

    fn text(&self, e: &Expr, out: &mut String) {
        let is_bits = matches!(self.measure, Measure::Bits | Measure::Halves);
        let mut list = |head: &str, parts: &[&Expr]| {
            write!(out, "({head}").unwrap();
            for part in parts {
                out.push(' ');
                self.text(part, out);
            }
            out.push(')');
        };
        match e {
            Expr::Add(a, b) => list(if is_bits { "bvadd" } else { "+" }, &[a, b]),
            Expr::Sub(a, b) => list(if is_bits { "bvsub" } else { "-" }, &[a, b]),
            Expr::IfLess(parts) => {
                let [a, b, c, d] = &**parts;
                let mut condition = String::new();
                self.text(a, &mut condition);
                condition.push(' ');
                self.text(b, &mut condition);
                let less = if is_bits { "bvult" } else { "<" };
                list(&format!("ite ({less} {condition})"), &[c, d]);
            }
            Expr::Call(g, other) => {
                let smaller = match self.measure {
                    Measure::Int(_) => "(- p 1)",
                    Measure::Bits => "(bvsub p #x1)",
                    Measure::Halves => "(bvlshr p #x1)",
                    Measure::List => "rest",
                    Measure::Seq => "(seq.extract p 1 (- (seq.len p) 1))",
                };
                list(&format!("f{g} {smaller}"), &[other]);
            }
            Expr::Other => out.push('a'),
            Expr::Number(n) => out.push_str(&self.number(*n)),
            Expr::Head if self.measure == Measure::Seq => out.push_str("(seq.nth p 0)"),
            Expr::Head => out.push_str("first"),
            Expr::Measured if self.measure == Measure::Seq => out.push_str("(seq.len p)"),
            Expr::Measured => out.push('p'),
        }
    }

    fn number(&self, n: i64) -> String {
        match self.measure {
            Measure::Bits | Measure::Halves => format!("#x{:x}", n.rem_euclid(16)),
            _ if n < 0 => format!("(- {})", -n),
            _ => n.to_string(),
        }
    }

    fn argument(&self, at: &Argument) -> String {
        let Argument::Elements(all) = at else {
            let &Argument::Number(n) = at else { unreachable!("a number") };
            return self.number(n);
        };
        let is_list = self.measure == Measure::List;
        let units: Vec<String> = all.iter().map(|n| format!("(seq.unit {})", self.number(*n))).collect();
        match all.len() {
            0 if !is_list => "(as seq.empty (Seq Int))".to_string(),
            1 if !is_list => units.concat(),
            _ if !is_list => format!("(seq.++ {})", units.join(" ")),
            _ => all.iter().rev().fold("nil".to_string(), |rest, n| format!("(cons {} {rest})", self.number(*n))),
        }
    }

    /// The definitions; lists by `match` or by testers and selectors.
    fn definitions(&self) -> String {
        let (sort, value) = self.measure.sorts();
        let (mut heads, mut bodies) = (String::new(), String::new());
        for (n, definition) in self.functions.iter().enumerate() {
            let (mut base, mut step) = (String::new(), String::new());
            self.text(&definition.base, &mut base);
            self.text(&definition.step, &mut step);
            write!(heads, "(f{n} ((p {sort}) (a {value})) {value})").unwrap();
            match self.measure {
                Measure::Int(most) => write!(bodies, "(ite (and (< 0 p) (<= p {most})) {step} {base})"),
                Measure::Bits | Measure::Halves => write!(bodies, "(ite (= p #x0) {base} {step})"),
                Measure::List => write!(bodies, "(match p ((nil {base}) ((cons first rest) {step})))"),
                Measure::Seq => write!(bodies, "(ite (> (seq.len p) 0) {step} {base})"),
            }
            .unwrap();
        }
        let list = if self.measure == Measure::List {
            "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\n"
        } else {
            ""
        };
        format!("{list}(define-funs-rec ({heads}) ({bodies}))\n")
    }
}

/// A term; with calls of this number of functions if there are any, and with a first element where there is a step.
fn expr(measure: Measure, calls: Option<usize>, fuel: u32, rng: &mut RandomStream) -> Expr {
    let inner = |rng: &mut RandomStream| expr(measure, calls, fuel - 1, rng);
    let has_parts = matches!(measure, Measure::List | Measure::Seq);
    if fuel > 0 {
        match (rng.below(5), calls) {
            (0, _) => return Expr::Add(Box::new(inner(rng)), Box::new(inner(rng))),
            (1, _) => return Expr::Sub(Box::new(inner(rng)), Box::new(inner(rng))),
            (2, _) => return Expr::IfLess(Box::new([inner(rng), inner(rng), inner(rng), inner(rng)])),
            // Below a call no other: what unfolds would grow with the square.
            (3, Some(1..)) => {
                let other = expr(measure, Some(0), fuel - 1, rng);
                return Expr::Call(rng.index(calls.unwrap_or(1)), Box::new(other));
            }
            _ => {}
        }
    }
    match rng.below(3) {
        // A list itself is no number.
        0 if measure != Measure::List => Expr::Measured,
        0 if calls.is_some() => Expr::Head,
        1 if has_parts && calls.is_some() => Expr::Head,
        1 => Expr::Other,
        _ => Expr::Number(rng.below(5) as i64 - 1),
    }
}

#[test]
fn recursive_definitions_mean_what_unfolding_them_by_hand_gives() {
    let mut counts = [0u64; 2];
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 800);
    for number in 0..count {
        let mut rng = Unit { campaign: 5, number }.stream();
        let hand = Hand::draw(&mut rng);
        let values: Vec<Argument> = (0..4)
            .map(|_| match hand.measure {
                Measure::Int(_) => Argument::Number(rng.below(9) as i64 - 2),
                Measure::Bits | Measure::Halves => Argument::Number(rng.below(16) as i64),
                _ => Argument::Elements((0..rng.below(4)).map(|_| rng.below(5) as i64 - 1).collect()),
            })
            .collect();
        let others = [0i64, 3];
        let f = rng.index(hand.functions.len());
        let all = values.iter().flat_map(|x| others.map(|y| hand.call(f, x, y)));
        let mut results: Vec<i64> = all.collect();
        results.sort_unstable();
        results.dedup();
        let wanted = if rng.coin() { results[rng.index(results.len())] } else { hand.wrap(results[0] - 1) };
        let expected = if results.contains(&wanted) { Status::Sat } else { Status::Unsat };
        let (sort, other) = hand.measure.sorts();
        let one_of = |name: &str, values: Vec<String>| {
            let cases: Vec<String> = values.iter().map(|value| format!("(= {name} {value})")).collect();
            format!("(assert (or {}))\n", cases.join(" "))
        };
        let text = format!(
            "{}(declare-const x {sort})\n(declare-const y {other})\n{}{}(assert (= (f{f} x y) {}))\n(check-sat)\n",
            hand.definitions(),
            one_of("x", values.iter().map(|value| hand.argument(value)).collect()),
            one_of("y", others.map(|value| hand.number(value)).to_vec()),
            hand.number(wanted),
        );
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
        let instance = parsed.script.instances().remove(0);
        assert_eq!(unproven(&store, &instance.declarations), None, "{text}");
        for search in [Search::Quick, Search::Recorded] {
            let limits = ExhaustLimits::default();
            let query = TruthQuery { limits: &limits, stop: &Stop::default(), search };
            let truth = of_formulas(&mut store, &instance.assertions, query).map(|truth| small_world::expected(&truth));
            assert_eq!(truth.ok(), Some(expected), "{text}");
        }
        counts[usize::from(expected == Status::Sat)] += 1;
    }
    assert!(counts.iter().all(|&n| n * 7 > count), "{counts:?}");
}
