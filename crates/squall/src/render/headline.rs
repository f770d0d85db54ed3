//! The title of an issue: who does what wrong, on a script with which operators, under which options.

use ::finding::record::AFTER_RESET;
use ::finding::{BugClass, symptom};
use smtlib::{Command, Kind, Store, TermId};
use std::collections::BTreeSet;
use triage::folder::Triaged;

/// How many operators a title names.
const MAX_OPERATORS: usize = 4;
/// The longest symptom in a title, in characters.
const MAX_SYMPTOM: usize = 100;

/// What is wrong and under which circumstances, in one line; `solver` is the one that errs, by its name.
pub fn headline(best: &Triaged, solver: &str) -> String {
    let finding = &best.finding;
    let said = symptom_words(&finding.symptom);
    let operators = operators(best.script());
    // A crash that names its place is known by it.
    let with = match operators.is_empty() || symptom::names_a_place(finding.class, &finding.symptom) {
        true => String::new(),
        false => format!(" with {}", operators.join(", ")),
    };
    let what = match (finding.class, finding.symptom.as_str()) {
        (BugClass::A, _) => format!("answers unsat on a satisfiable script{with}"),
        (BugClass::B, "sat") => format!("answers sat on an unsatisfiable script{with}"),
        (BugClass::B, symptom::WRONG_MODEL) => format!("gives a wrong model for a script{with}"),
        (BugClass::B, _) => format!("rejects its own model of a script{with} ({said})"),
        (BugClass::C, _) => match reason(best) {
            Some(reason) => format!("answers unknown on a script{with} ({reason})"),
            None => format!("answers unknown on a script{with}"),
        },
        (BugClass::D, _) => format!("crashes on a script{with} ({said})"),
        (BugClass::E, _) => format!("rejects its own right model of a script{with} ({said})"),
    };
    let what = what.replace("on a script (", "(");
    let mode = match best.mode() {
        "plain" | AFTER_RESET => String::new(),
        "incremental" => ", in incremental mode".to_string(),
        // A finding of several tactics has no one name.
        "" => String::new(),
        tactic => format!(", under the tactic {tactic}"),
    };
    let reset = if best.earlier.is_empty() { "" } else { ", after a reset" };
    let options = best.options();
    let options = if options.is_empty() { String::new() } else { format!(", with {}", options.join(" ")) };
    format!("{solver} {what}{mode}{reset}{options}")
}

/// Why the solver gave up, if it says so.
fn reason(best: &Triaged) -> Option<String> {
    let reason = symptom_words(best.finding.reason_unknown.as_deref()?);
    (!matches!(reason.as_str(), "" | symptom::UNKNOWN)).then_some(reason)
}

/// A symptom as a person says it: in one line, without the words that sort it, and without needless parentheses.
pub fn symptom_words(symptom: &str) -> String {
    let text: Vec<&str> = symptom.split_whitespace().collect();
    let text = text.join(" ");
    let text = text.strip_prefix("assertion: ").unwrap_or(&text);
    let text = match text.strip_prefix("signal: ") {
        Some(signal) => format!("signal {signal}"),
        None => text.to_string(),
    };
    let bare = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let text = bare.map_or(text.clone(), str::to_string);
    match text.char_indices().nth(MAX_SYMPTOM) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The theory operators of a script in the order in which they are read, the first few.
fn operators(script: &str) -> Vec<String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, script).script;
    let roots = script.commands.iter().filter_map(|command| match command {
        Command::Assert(term, _) => Some(*term),
        _ => None,
    });
    let mut open: Vec<TermId> = roots.collect();
    open.reverse();
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(name) = operator(&store, term)
            && !names.contains(&name)
        {
            names.push(name);
        }
        open.extend(store.args(term).iter().rev());
    }
    if names.len() > MAX_OPERATORS {
        names.truncate(MAX_OPERATORS);
        names.push("…".to_string());
    }
    names
}

/// What an operator is called in a title; none of those that occur in any script.
fn operator(store: &Store, term: TermId) -> Option<String> {
    match store.kind(term) {
        Kind::Constant | Kind::Variable | Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or => None,
        Kind::Implies | Kind::Xor | Kind::Eq | Kind::Distinct | Kind::Ite | Kind::Fp => None,
        Kind::Rne | Kind::Rna | Kind::Rtp | Kind::Rtn | Kind::Rtz => None,
        Kind::Forall | Kind::Exists => Some("quantifiers".to_string()),
        Kind::Apply => (!store.args(term).is_empty()).then(|| "functions".to_string()),
        Kind::ConstArray => Some("constant arrays".to_string()),
        // A value is no operator.
        _ if store.args(term).is_empty() => None,
        kind => smtlib::theories::row(kind).map(|row| row.name.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{operators, symptom_words};

    #[test]
    fn a_title_names_the_operators_in_their_order() {
        let check = |script: &str, expect: &str| assert_eq!(operators(script).join(", "), expect, "{script}");
        check("(assert (str.<= \"9\" \"93\"))", "str.<=");
        check("(declare-const a Int)(assert (and (> (+ a 1) 2) (= (* a a) (mod a 3))))", ">, +, *, mod");
        check(
            "(declare-const a Int)(assert (> (- (+ a 1) (* a 2)) (div a 3)))(assert (= (mod a 2) 1))",
            ">, -, +, *, …",
        );
        check("(declare-const p Bool)(assert (not p))", "");
        check("(assert (= (fp.neg (_ +oo 3 2)) (_ -oo 3 2)))", "fp.neg");
        check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f x) 1)))", "quantifiers, functions");
        check(
            "(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))",
            "constant arrays, store",
        );
        check("(assert", "");
    }

    #[test]
    fn symptoms_are_said_in_one_line() {
        let check = |symptom: &str, expect: &str| assert_eq!(symptom_words(symptom), expect);
        check("signal: SIGSEGV", "signal SIGSEGV");
        check("(incomplete (theory arithmetic))", "incomplete (theory arithmetic)");
        check("assertion: File: a.cpp\n  Line: 3", "File: a.cpp Line: 3");
        check("", "");
        check(&"x".repeat(200), &format!("{}…", "x".repeat(100)));
    }
}
