//! Every rule holds for all values of its variables, in small sorts and all rounding modes.

use rewrite::simplify::rules::{compile, rule_lines};
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, FuncId, Scope, Store, TermId};

/// A rule for one choice of sorts: two terms over declared constants.
struct Instance {
    store: Store,
    variables: Vec<FuncId>,
    from: TermId,
    to: TermId,
}

/// Parses a rule as SMT-LIB. `sort` returns a variable's sort.
fn instance(
    [_, from, to]: [&str; 3],
    special: impl Fn(&str) -> Option<String>,
    sort: impl Fn(&str) -> String,
) -> Option<Instance> {
    let spaced = |text: &str| text.replace('(', " ( ").replace(')', " ) ");
    let spell = |text: &str| {
        let tokens: Vec<String> =
            spaced(text).split_whitespace().map(|t| special(t).unwrap_or(t.to_string())).collect();
        tokens.join(" ")
    };
    let is_variable = |t: &&str| t.len() == 1 && t.chars().all(|c| c.is_ascii_lowercase());
    let text = spaced(from);
    let mut names: Vec<&str> = text.split_whitespace().filter(is_variable).collect();
    names.sort_unstable();
    names.dedup();
    let mut store = Store::new();
    let mut scope = Scope::new(&store);
    let declarations: String = names.iter().map(|n| format!("(declare-const {n} {})", sort(n))).collect();
    let parsed = smtlib::parse_commands(&mut store, &mut scope, &declarations);
    let variables = parsed.script.commands.iter().filter_map(|c| match c {
        Command::DeclareFun(f) => Some(*f),
        _ => None,
    });
    let variables = variables.collect();
    let from = smtlib::parse_term(&mut store, &mut scope, &spell(from)).ok()?;
    let to = smtlib::parse_term(&mut store, &mut scope, &spell(to)).ok()?;
    (store.sort(from) == store.sort(to)).then_some(Instance { store, variables, from, to })
}

/// Checks the equation for all values.
fn check(rule: [&str; 3], instance: &Instance) {
    let Instance { store, variables, from, to } = instance;
    let empty = Model::new();
    let domains = Domains { store, model: &empty };
    let values: Vec<Vec<Value>> = variables
        .iter()
        .map(|&f| {
            let sort = store.func(f).result;
            let Cardinality::Finite(size) = domains.cardinality(sort) else { panic!("a small sort") };
            (0..size).filter_map(|n| domains.nth(sort, n)).collect()
        })
        .collect();
    let total: usize = values.iter().map(Vec::len).product();
    for mut number in 0..total {
        let mut model = Model::new();
        for (&f, values) in variables.iter().zip(&values) {
            assert!(model.assign(store, f, values[number % values.len()].clone()).is_ok());
            number /= values.len();
        }
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default());
        let (left, right) = (evaluator.eval(store, *from), evaluator.eval(store, *to));
        assert!(left.is_ok() && left == right, "{rule:?}: {left:?} {right:?} at {model:?}");
    }
}

fn vector_special(width: usize) -> impl Fn(&str) -> Option<String> {
    move |token| {
        let digits = match token {
            "0" => "0".repeat(width),
            "1" => format!("{}1", "0".repeat(width - 1)),
            "ones" => "1".repeat(width),
            "least" => format!("1{}", "0".repeat(width - 1)),
            _ => return None,
        };
        Some(format!("#b{digits}"))
    }
}

fn float_special(eb: usize, sb: usize) -> impl Fn(&str) -> Option<String> {
    move |token| match token {
        "+zero" | "-zero" | "+oo" | "-oo" | "NaN" => Some(format!("(_ {token} {eb} {sb})")),
        "one" => Some(format!("(fp #b0 #b0{} #b{})", "1".repeat(eb - 1), "0".repeat(sb - 1))),
        _ => None,
    }
}

fn mode_or_float(eb: usize, sb: usize) -> impl Fn(&str) -> String {
    move |name| match name {
        "r" | "s" => "RoundingMode".to_string(),
        _ => format!("(_ FloatingPoint {eb} {sb})"),
    }
}

#[test]
fn every_rule_is_read() {
    for [theory, from, to] in rule_lines() {
        assert!(compile(theory, from, to).is_some(), "{from} -> {to}");
    }
    let ill_formed = [("(bvadd a", "a"), ("(bvfoo a)", "a"), ("(bvnot a)", "b"), ("a", "a"), ("(bvnot a b)", "a")];
    for (from, to) in ill_formed {
        assert!(compile("FixedSizeBitVectors", from, to).is_none(), "{from} -> {to}");
    }
}

#[test]
fn every_rule_on_bit_vectors_holds() {
    for rule in rule_lines().filter(|rule| rule[0] == "FixedSizeBitVectors") {
        for width in 1..=3 {
            let vector = format!("(_ BitVec {width})");
            let plain = |_: &str| vector.clone();
            let choice = |name: &str| if name == "c" { "Bool".to_string() } else { vector.clone() };
            let found =
                instance(rule, vector_special(width), plain).or_else(|| instance(rule, vector_special(width), choice));
            // A comparison as a bit has one bit, whatever its arguments have.
            let found = found.or_else(|| instance(rule, vector_special(1), plain));
            let Some(found) = found else { panic!("{rule:?}") };
            check(rule, &found);
        }
    }
}

#[test]
fn every_rule_on_floats_holds() {
    for rule in rule_lines().filter(|rule| rule[0] == "FloatingPoint") {
        for (eb, sb) in [(2, 2), (2, 3), (3, 3)] {
            let Some(found) = instance(rule, float_special(eb, sb), mode_or_float(eb, sb)) else { panic!("{rule:?}") };
            check(rule, &found);
        }
    }
}
