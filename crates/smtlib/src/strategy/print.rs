//! Strategies to text; the text parses to the same strategy.

use super::{Arithmetic, GoalProbe, Measure, MeasureComparison, Param, ParamValue, Strategy};
use crate::printer::quote_symbol;
use std::fmt::{self, Display, Formatter};

impl Display for Strategy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Tactic(name) => name.fmt(f),
            Strategy::Over(name, inner) => write!(f, "({name} {inner})"),
            Strategy::Solver(spec, params) => {
                write!(f, "(solver {}", spelled(spec))?;
                all(f, params)?;
                f.write_str(")")
            }
            Strategy::SolverTactic(spec, tactic) => write!(f, "(solver-tactic {} {tactic})", spelled(spec)),
            Strategy::Exec(command) => write!(f, "(exec {})", string(command)),
            Strategy::Rules(file) => write!(f, "(rules {})", string(file)),
            Strategy::Then(parts) => list(f, "then", parts),
            Strategy::Thens(parts) => list(f, "thens", parts),
            Strategy::OrElse(parts) => list(f, "or-else", parts),
            Strategy::ParOr(parts) => list(f, "par-or", parts),
            Strategy::ParThen(parts) => list(f, "par-then", parts),
            Strategy::Repeat(inner, None) => write!(f, "(repeat {inner})"),
            Strategy::Repeat(inner, Some(n)) => write!(f, "(repeat {inner} {n})"),
            Strategy::TryFor(inner, ms) => write!(f, "(try-for {inner} {ms})"),
            Strategy::Nice(inner, by) => write!(f, "(nice {inner} {by})"),
            Strategy::If(probe, yes, no) => write!(f, "(if {probe} {yes} {no})"),
            Strategy::When(probe, inner) => write!(f, "(when {probe} {inner})"),
            Strategy::FailIf(probe) => write!(f, "(fail-if {probe})"),
            Strategy::Refine(under, over, None) => write!(f, "(refine {under} {over})"),
            Strategy::Refine(under, over, Some(n)) => write!(f, "(refine {under} {over} {n})"),
            Strategy::UsingParams(inner, params) => {
                write!(f, "(using-params {inner}")?;
                all(f, params)?;
                f.write_str(")")
            }
        }
    }
}

/// Returns a solver's specification: a symbol if possible, otherwise a string.
fn spelled(spec: &str) -> String {
    let mut symbol = String::new();
    quote_symbol(spec, &mut symbol);
    if symbol == spec { symbol } else { string(spec) }
}

/// Parses a string literal (SMT-LIB 2.7, section 3.1).
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn list<T: Display>(f: &mut Formatter<'_>, head: &str, parts: &[T]) -> fmt::Result {
    write!(f, "({head}")?;
    all(f, parts)?;
    f.write_str(")")
}

fn all<T: Display>(f: &mut Formatter<'_>, parts: &[T]) -> fmt::Result {
    parts.iter().try_for_each(|part| write!(f, " {part}"))
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (ParamValue::Word(value) | ParamValue::Text(value)) = &self.value;
        write!(f, ":{} {value}", self.key)
    }
}

impl Display for GoalProbe {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            GoalProbe::Named(name) => name.fmt(f),
            GoalProbe::Not(inner) => write!(f, "(not {inner})"),
            GoalProbe::And(parts) => list(f, "and", parts),
            GoalProbe::Or(parts) => list(f, "or", parts),
            GoalProbe::Implies(a, b) => write!(f, "(=> {a} {b})"),
            GoalProbe::Compare(how, a, b) => write!(f, "({how} {a} {b})"),
        }
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Literal(word) | Measure::Named(word) => word.fmt(f),
            Measure::Arithmetic(op, parts) => list(f, &op.to_string(), parts),
        }
    }
}

impl Display for MeasureComparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = MeasureComparison::ALL.iter().find(|(how, _)| how == self);
        f.write_str(found.map_or("", |(_, text)| text))
    }
}

impl Display for Arithmetic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = Arithmetic::ALL.iter().find(|(op, _)| op == self);
        f.write_str(found.map_or("", |(_, text)| text))
    }
}
