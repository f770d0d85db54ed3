//! Applications whose arguments are hidden from simplification, so that decision procedures must find them.

use crate::application::{Application, ApplicationBlock};
use smtlib::sexpr::Sexprs;
use smtlib::{Dialect, Printer, Sort, SortId};
use std::fmt::Write as _;

/// The maximum width of hidden bit-vectors and float formats: wider circuits take minutes to build, during which no solver checks its own
/// time limit.
const WIDEST: u32 = 16;
const WIDEST_FORMAT: (u32, u32) = (5, 11);

/// An equation of an application with hidden arguments and its value.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// Declares the constants for the arguments and fixes them.
    pub preface: String,
    /// The equation.
    pub equation: String,
}

/// Hides the arguments of an application: a constant `a` equals the literal `l` by `(or (= a l) q)` and `(or (= a l) (not q))`, from
/// which only resolution derives `(= a l)`. Regular expressions stay, since their sort has no constants. `None` for too wide arguments.
pub fn hidden(block: &ApplicationBlock, application: &Application, dialect: &Dialect) -> Option<Hidden> {
    let store = &block.store;
    let is_wide = |sort: SortId| match *store.sorts.get(sort) {
        Sort::BitVec(width) => width > WIDEST,
        Sort::Float { eb, sb } => eb > WIDEST_FORMAT.0 || sb > WIDEST_FORMAT.1,
        _ => false,
    };
    if store.args(application.term).iter().chain([&application.term]).any(|&t| is_wide(store.sort(t))) {
        return None;
    }
    let text = block.text(application.term, dialect);
    let value = block.text(application.value, dialect);
    let mut hidden = Hidden { preface: String::new(), equation: format!("(= {text} {value})") };
    let all = Sexprs::read(&text);
    let Some(mut body) = all.top().next() else { return Some(hidden) };
    // Repeated arguments are named by `let`.
    while let Some(parts) = all.headed(body, "let") {
        let Some(&inside) = parts.last() else { return Some(hidden) };
        body = inside;
    }
    let args = store.args(application.term);
    // A theory's constant may be a list: `(_ NaN 5 11)`.
    if args.is_empty() || all.children(body).count() != args.len() + 1 {
        return Some(hidden);
    }
    let mut term = format!("({}", all.children(body).next().map_or("", |head| all.text(head)));
    for (n, &arg) in args.iter().enumerate() {
        let literal = block.text(arg, dialect);
        let sort = store.sort(arg);
        // Writing into a string cannot fail.
        if sort == SortId::REGLAN {
            let _ = write!(term, " {literal}");
            continue;
        }
        let _ = write!(term, " a{n}");
        let _ = write!(hidden.preface, "(declare-fun a{n} () ");
        Printer::new(store, dialect).sort(sort, &mut hidden.preface);
        let _ = write!(
            hidden.preface,
            ") (declare-fun q{n} () Bool) (assert (or (= a{n} {literal}) q{n})) (assert (or (= a{n} {literal}) (not q{n}))) "
        );
    }
    hidden.equation = format!("(= {term}) {value})");
    Some(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::{EvalLimits, Evaluator, Model, Value};
    use smtlib::theories::THEORIES;

    /// The texts can be parsed, and hold where constants equal the literals.
    #[test]
    fn hidden_applications_have_our_value() {
        // In two threads: no other test of this program takes as long.
        let count: usize = std::thread::scope(|scope| {
            let halves = [0, 1].map(|half| scope.spawn(move || hidden_of(half)));
            halves.into_iter().map(|half| half.join().expect("a half")).sum()
        });
        assert!(count > 150, "{count}");
    }

    /// Checks every sixth operator, so that two threads check a third of all. Returns the number of hidden applications.
    fn hidden_of(half: usize) -> usize {
        let mut hidden_ones = 0;
        for row in THEORIES.iter().flat_map(|theory| theory.rows).skip(half).step_by(6) {
            let block = ApplicationBlock::new(row, 5, 0).unwrap();
            for application in block.applications.iter().take(20) {
                let Some(Hidden { preface, equation }) = hidden(&block, application, &Dialect::default()) else {
                    continue;
                };
                let mut store = smtlib::Store::new();
                let parsed = smtlib::parse(&mut store, &format!("(set-logic ALL) {preface} (assert {equation})"));
                assert!(parsed.errors.is_empty(), "{preface} {equation}: {:?}", parsed.errors);
                let count = store.args(application_of(&parsed, &store)).len();
                assert_eq!(count, 2, "an equation");
                if preface.is_empty() {
                    continue;
                }
                hidden_ones += 1;
                // Substituting the literals gives the original equation.
                let mut text = equation.clone();
                for (n, &arg) in block.store.args(application.term).iter().enumerate().rev() {
                    text = text.replacen(&format!(" a{n}"), &format!(" {}", block.text(arg, &Dialect::default())), 1);
                }
                let mut store = smtlib::Store::new();
                let mut scope = smtlib::Scope::new(&store);
                let term = smtlib::parse_term(&mut store, &mut scope, &text).unwrap();
                let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(&store, term);
                assert_eq!(value, Ok(Value::Bool(true)), "{text}");
            }
        }
        hidden_ones
    }

    fn application_of(parsed: &smtlib::Parsed, store: &smtlib::Store) -> smtlib::TermId {
        let asserted = parsed.script.commands.iter().rev().find_map(|command| match command {
            smtlib::Command::Assert(term, _) => Some(*term),
            _ => None,
        });
        let term = asserted.unwrap();
        assert_eq!(store.sort(term), SortId::BOOL);
        term
    }
}
