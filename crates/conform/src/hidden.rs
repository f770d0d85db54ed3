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
#[path = "../tests/unit/hidden.rs"]
mod tests;
