//! Tests a profile's claims about the solver's dialect, and that the solver knows the rest of the standard.

use smtlib::sexpr::atoms;
use std::collections::BTreeMap;

use super::probes::{BAGS, DoctorProbe, FINITE_FIELDS, PROBES, ProbeTheory, SEQUENCES, SETS};
use super::{Check, ClaimVerdict, check, describe, limits};
use crate::outcome::{Answer, SolverOutcome};
use crate::process::RunError;
use crate::session::{SessionNeeds, Solver};

/// Spellings that some versions accept but misread: the name in profiles, a question, the right answer.
const SPELLINGS: [(&str, &str, Answer); 3] = [
    ("string-escape-u", "(assert (= (str.len \"\\u{41}\") 1))", Answer::Sat),
    ("string-escape-c", "(assert (= (str.len \"\\x41\") 4))", Answer::Sat),
    (
        "re.loop-empty-range",
        "(declare-fun x () String)\n(assert (str.in_re x ((_ re.loop 3 1) (str.to_re \"a\"))))",
        Answer::Unsat,
    ),
];

/// Chainable operators that some solvers accept with two arguments only, with a question that has three.
const THREE_ARGUMENTS: [(&str, &str); 2] =
    [("str.<", "(assert (str.< \"a\" \"b\" \"c\"))"), ("str.<=", "(assert (str.<= \"a\" \"b\" \"c\"))")];

/// Standard symbols and their replacements.
type Renames<'p> = BTreeMap<&'p str, &'p str>;

/// Tests the renames, the lacks and the misread spellings of the profile.
pub(super) fn examine(solver: &Solver) -> Vec<Check> {
    let version = solver.installed().version.as_ref();
    let renames = solver.profile().renames(version);
    let lacks: Vec<&str> = solver.profile().dialects(version).flat_map(|d| &d.lacks).map(String::as_str).collect();
    let misreads = solver.profile().misreads(version);
    // Operators of theories outside the standard are tested only if the profile says that the solver has their sort.
    let may_have = |theory: ProbeTheory, sort: &str| match theory {
        ProbeTheory::Sequences => sort == SEQUENCES || !lacks.contains(&SEQUENCES),
        ProbeTheory::Sets => sort == SETS || !lacks.contains(&SETS),
        ProbeTheory::Bags => sort == BAGS || !lacks.contains(&BAGS),
        ProbeTheory::FiniteFields => sort == FINITE_FIELDS || !lacks.contains(&FINITE_FIELDS),
        _ => true,
    };
    let asked: Vec<(&DoctorProbe, String)> = PROBES
        .iter()
        .filter(|probe| may_have(probe.theory, probe.symbol))
        .filter_map(|probe| Some((probe, script(solver, probe.theory, probe.commands, &renames)?)))
        .collect();
    let scripts: Vec<&str> = asked.iter().map(|(_, script)| script.as_str()).collect();
    let outcomes = match solver.check_batch(&scripts, SessionNeeds::SINGLE, &limits()) {
        Ok(outcomes) => outcomes,
        Err(error) => return vec![check("speaks its dialect", ClaimVerdict::False(error.to_string()))],
    };
    let mut checks = Vec::new();
    // Finite sets and bags are not standard theories: a solver without them need not declare each operator as lacking.
    let mut missing: Vec<ProbeTheory> = Vec::new();
    for (theory, sort, what) in [(ProbeTheory::Sets, SETS, "finite sets"), (ProbeTheory::Bags, BAGS, "bags")] {
        let is_of = |probe: &DoctorProbe| probe.theory == theory && !lacks.contains(&probe.symbol);
        let has_sort = asked
            .iter()
            .zip(&outcomes)
            .any(|((probe, _), batched)| probe.symbol == sort && is_of(probe) && knows(&batched.outcome));
        if has_sort {
            continue;
        }
        missing.push(theory);
        if asked.iter().any(|(probe, _)| is_of(probe)) {
            let told = format!("it knows none of them; `lacks = [\"{sort}\"]` says so");
            checks.push(check(&format!("has {what}"), ClaimVerdict::Untested(told)));
        }
    }
    // The unknown symbols, by the solver's reaction; one message may cover all of them.
    let mut unknown: Vec<(String, Vec<&str>)> = Vec::new();
    for ((probe, _), outcome) in asked.iter().zip(outcomes.iter().map(|batched| &batched.outcome)) {
        let symbol = probe.symbol;
        if missing.contains(&probe.theory) && !lacks.contains(&symbol) {
            continue;
        }
        let has_meaning = !knows(outcome) || gives_meaning(solver, probe, &renames);
        if lacks.contains(&symbol) {
            let verdict = match knows(outcome) && has_meaning {
                true => ClaimVerdict::False("it knows it".to_string()),
                false => ClaimVerdict::True,
            };
            checks.push(check(&format!("lacks {symbol}"), verdict));
        } else if let Some(name) = renames.get(symbol) {
            checks.push(check(&format!("calls {symbol} {name}"), renamed(solver, probe, outcome, &renames)));
        } else if solver.profile().dialects(version).any(|dialect| dialect.wrong.iter().any(|name| name == symbol)) {
            let verdict = match outcome.last_answer() {
                Answer::Unsat => ClaimVerdict::True,
                _ => ClaimVerdict::False(describe(outcome)),
            };
            checks.push(check(&format!("is wrong about {symbol}"), verdict));
        } else if is_wrong(outcome) {
            let told = "WRONG: its answer is unsat, right is sat".to_string();
            checks.push(check(&format!("answers {symbol} rightly"), ClaimVerdict::False(told)));
        } else if !knows(outcome) || !has_meaning {
            let does = if has_meaning { describe(outcome) } else { "it takes any value for it".to_string() };
            match unknown.iter_mut().find(|(known, _)| *known == does) {
                Some((_, symbols)) => symbols.push(symbol),
                None => unknown.push((does, vec![symbol])),
            }
        }
    }
    let told: Vec<String> = unknown.iter().map(|(does, symbols)| format!("{} ({does})", symbols.join(", "))).collect();
    let others = if told.is_empty() { ClaimVerdict::True } else { ClaimVerdict::False(told.join("; ")) };
    checks.push(check("knows the other standard symbols tested", others));
    let spoken_of = |symbol: &str| lacks.contains(&symbol) || renames.contains_key(symbol);
    for probe in PROBES.iter().filter(|probe| spoken_of(probe.symbol)) {
        if script(solver, probe.theory, probe.commands, &renames).is_none() {
            let why = "the solver takes no logic that has it".to_string();
            checks.push(check(&format!("its dialect at {}", probe.symbol), ClaimVerdict::Untested(why)));
        }
    }
    let has_no_probe = |symbol: &str| PROBES.iter().all(|probe| probe.symbol != symbol);
    for symbol in renames.keys().chain(&lacks).filter(|symbol| has_no_probe(symbol)) {
        checks.push(check(
            &format!("its dialect at {symbol}"),
            ClaimVerdict::Untested("no question is known".to_string()),
        ));
    }
    for (name, question, right) in SPELLINGS {
        let Some(script) = script(solver, ProbeTheory::Strings, question, &renames) else { continue };
        checks.push(reads(solver, name, misreads.contains(&name), &script, right));
    }
    for (symbol, question) in THREE_ARGUMENTS {
        let Some(script) = script(solver, ProbeTheory::Strings, question, &renames) else { continue };
        let claimed = solver.profile().dialects(version).any(|d| d.binary_only.iter().any(|name| name == symbol));
        checks.push(takes_three(solver, symbol, claimed, &script));
    }
    checks
}

/// Returns the question in the solver's spelling under a logic that it accepts; `None` if it accepts none that fits.
fn script(solver: &Solver, theory: ProbeTheory, commands: &str, renames: &Renames<'_>) -> Option<String> {
    let logic = theory.logics().iter().find(|logic| solver.profile().accepts_logic(logic))?;
    Some(format!("(set-logic {logic})\n{}\n(check-sat)\n", spelled(commands, renames)))
}

/// Replaces whole words.
fn spelled(commands: &str, renames: &Renames<'_>) -> String {
    let mut text = String::with_capacity(commands.len());
    let mut copied = 0;
    for span in atoms(commands) {
        if let Some(name) = renames.get(&commands[span.clone()]) {
            text.push_str(&commands[copied..span.start]);
            text.push_str(name);
            copied = span.end;
        }
    }
    text.push_str(&commands[copied..]);
    text
}

/// Whether a solver answers without complaint, even with `unknown`, so it knows the symbol.
fn knows(outcome: &SolverOutcome) -> bool {
    outcome.crash.is_none()
        && outcome.errors.is_empty()
        && matches!(outcome.last_answer(), Answer::Sat | Answer::Unknown)
}

/// Whether a solver that accepts the symbol does not satisfy the unsatisfiable question about it, if there is one.
fn gives_meaning(solver: &Solver, probe: &DoctorProbe, renames: &Renames<'_>) -> bool {
    let Some(script) = probe.refuted.and_then(|commands| script(solver, probe.theory, commands, renames)) else {
        return true;
    };
    solver.check(&script, SessionNeeds::SINGLE, &limits()).map_or(true, |outcome| outcome.last_answer() != Answer::Sat)
}

/// Whether it accepts a question without complaint and answers it wrongly: all questions are satisfiable.
fn is_wrong(outcome: &SolverOutcome) -> bool {
    outcome.crash.is_none() && outcome.errors.is_empty() && outcome.last_answer() == Answer::Unsat
}

/// Tests that a rename is accepted, and needed: if the standard name is known as well, the entry is too broad.
fn renamed(solver: &Solver, probe: &DoctorProbe, outcome: &SolverOutcome, renames: &Renames<'_>) -> ClaimVerdict {
    if !knows(outcome) {
        return ClaimVerdict::False(describe(outcome));
    }
    let mut others = renames.clone();
    others.remove(probe.symbol);
    let standard = script(solver, probe.theory, probe.commands, &others).unwrap_or_default();
    match solver.check(&standard, SessionNeeds::SINGLE, &limits()) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) if knows(&outcome) => ClaimVerdict::False("it knows the standard name".to_string()),
        Ok(_) => ClaimVerdict::True,
    }
}

fn takes_three(solver: &Solver, symbol: &str, claimed: bool, script: &str) -> Check {
    let claim = if claimed { "takes two arguments only" } else { "takes three arguments" };
    let verdict = match solver.check(script, SessionNeeds::SINGLE, &limits()) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) if knows(&outcome) != claimed => ClaimVerdict::True,
        Ok(outcome) if claimed => ClaimVerdict::False(format!("it takes three: {}", describe(&outcome))),
        Ok(outcome) => ClaimVerdict::False(describe(&outcome)),
    };
    check(&format!("{claim} of {symbol}"), verdict)
}

fn reads(solver: &Solver, name: &str, claimed: bool, script: &str, right: Answer) -> Check {
    let claim = if claimed { format!("misreads {name}") } else { format!("reads {name} rightly") };
    let outcome: Result<SolverOutcome, RunError> = solver.check(script, SessionNeeds::SINGLE, &limits());
    let verdict = match outcome {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) if !outcome.last_answer().is_definite() => ClaimVerdict::Untested(describe(&outcome)),
        Ok(outcome) if (outcome.last_answer() != right) == claimed => ClaimVerdict::True,
        Ok(_) if claimed => ClaimVerdict::False("it reads it rightly".to_string()),
        Ok(outcome) => ClaimVerdict::False(format!("it answers {}", outcome.last_answer().word())),
    };
    check(&claim, verdict)
}
