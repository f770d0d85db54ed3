//! Models of real solvers, with strings of every escape, symbols of any characters, and comments and line breaks between any two tokens:
//! every value read from one is the value in the model.
//!
//! Each solver is asked for models of problems that fix all symbols. The text gets another layout and is read. Then a fresh process of z3
//! gets the model's own definitions, and the assertion that some symbol differs from its value as this program prints it: the answer must
//! be `unsat`. It is also asked whether the symbols equal the values, with the answer `sat`. A model that is not SMT-LIB (lines of
//! Boolector, assignments of Yices, arrays given as functions) is represented by the assertions of its problem, which fix the same
//! values.
//!
//! `SQUALL_MODELS=20000 cargo test --release -p conform --test it models:: -- --nocapture` reads that many models; without it a few
//! of each solver are read. `SQUALL_MODELS_SEED` makes others.

mod layout;
mod problem;

use crate::mutated_examples::mutation::Random;
use layout::laid_out;
use problem::{Problem, Theories, problem};
use semantics::{EvalLimits, Evaluator, Judgement, ModelJudge};
use smtlib::{Scope, Store};
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The default number of models per solver.
const FEW: usize = 12;

/// The number of scripts per request.
const BATCH: usize = 64;

/// A solver whose models are read, and the request for them.
#[derive(Clone, Copy)]
struct Author {
    solver: &'static str,
    theories: Theories,
    format: Format,
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    /// Definitions.
    SmtLib,
    /// `(= x 5)` and `(function f …)`.
    Assignments,
    /// `x 0101`.
    Lines,
}

const AUTHORS: &[Author] = &[
    Author { solver: "z3@5.4.1", theories: Theories::All, format: Format::SmtLib },
    Author { solver: "cvc5@1.4.2", theories: Theories::All, format: Format::SmtLib },
    Author { solver: "cvc4@1.8", theories: Theories::All, format: Format::SmtLib },
    Author { solver: "bitwuzla@0.9.1", theories: Theories::BitVectorsAndFloats, format: Format::SmtLib },
    Author { solver: "yices2@2.6.5", theories: Theories::BitVectorsOrNumbers, format: Format::SmtLib },
    Author { solver: "yices2@2.6.5", theories: Theories::BitVectorsOrNumbers, format: Format::Assignments },
    Author { solver: "boolector", theories: Theories::BitVectors, format: Format::Lines },
];

/// Returns the solver of this name; a missing one is a failure if it is required.
fn find(name: &str) -> Option<Solver> {
    let fleet = Fleet::of_user().ok()?;
    let solver = name.parse().ok().and_then(|spec| fleet.resolve(&spec).ok()).map(|installed| fleet.solver(installed));
    testing::require(name, solver)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn limits() -> ProcessLimits {
    ProcessLimits { wall: Duration::from_secs(60), ..ProcessLimits::default() }
}

/// The results for one solver's models.
#[derive(Default, Debug)]
struct Tally {
    /// The number of models read.
    models: usize,
    /// The number of values compared.
    values: usize,
    /// The number of models whose own definitions were sent with the question.
    own_definitions: usize,
    /// The number of problems that the solver rejected or did not answer.
    refused: usize,
    /// Models with an unread or misread part, in full.
    wrong: Vec<String>,
}

/// Returns the models of some problems as printed by the solver; `None` where it rejects a problem.
fn models(solver: &Solver, author: Author, problems: &[Problem]) -> Vec<Option<String>> {
    let scripts: Vec<String> = problems.iter().map(|p| script(author, p)).collect();
    if author.format == Format::Lines {
        return scripts.iter().map(|text| lines_of_boolector(solver, text)).collect();
    }
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    let purpose = match author.format {
        Format::SmtLib => SessionNeeds::SINGLE | SessionNeeds::MODELS,
        _ => SessionNeeds::SINGLE,
    };
    let outcomes = solver.check_batch(&scripts, purpose, &limits()).expect("the solver runs");
    let model = |outcome: &solver::outcome::SolverOutcome| {
        let answer = outcome.answers.first().filter(|a| a.answer == Answer::Sat && !a.responses.is_empty())?;
        Some(answer.responses.join("\n"))
    };
    outcomes.iter().map(|batched| model(&batched.outcome)).collect()
}

fn script(author: Author, problem: &Problem) -> String {
    let head = if author.format == Format::Lines { "" } else { "(set-option :produce-models true)\n" };
    let tail = if author.format == Format::Lines { "(exit)\n" } else { "(get-model)\n" };
    format!("{head}(set-logic {})\n{}(check-sat)\n{tail}", problem.logic, problem.text())
}

/// Boolector 1.5 prints models with `-m` only, and not as responses.
fn lines_of_boolector(solver: &Solver, script: &str) -> Option<String> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let program = solver.installed().command.first()?;
    let mut command = Command::new(program);
    command.args(["--smt2", "-m"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let text = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
    text.starts_with("sat\n").then_some(text)
}

/// Returns the model in another layout, and its definitions if it has any.
fn mangled(model: &str, format: Format, random: &mut Random) -> (String, Option<String>) {
    let list = model.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inside = list.map(|text| text.strip_prefix("model").unwrap_or(text));
    match (format, inside) {
        (Format::SmtLib, Some(inside)) => {
            let inside = laid_out(inside, true, random);
            (format!("(\n{inside}\n)"), Some(inside))
        }
        (Format::Lines, _) => (laid_out(model, false, random), None),
        _ => (laid_out(model, true, random), None),
    }
}

/// Returns the facts of a problem by the values read from a model, as terms: that some is wrong, and that all are right.
fn read_values(problem: &Problem, model: &str) -> Result<[String; 2], String> {
    let text = format!("(set-logic {})\n{}(check-sat)\n", problem.logic, problem.text());
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    if let Some(error) = parsed.errors.first() {
        return Err(error.render("the problem", &text));
    }
    let instance = parsed.script.instances().remove(0);
    let judge = ModelJudge::new(&mut store, &instance, model, &[], "").map_err(|error| error.to_string())?;
    let judgement = judge.judgement(&store, &instance.assertions, EvalLimits::default());
    if !matches!(judgement, Judgement::Valid | Judgement::ValidCompleted) {
        return Err(format!("{judgement:?}"));
    }
    let mut evaluator = Evaluator::new(judge.into_model(), EvalLimits::default());
    let mut scope = Scope::new(&store);
    smtlib::parse_commands(&mut store, &mut scope, &problem.declarations);
    let (mut distinct, mut equal) = (String::from("(or false"), String::from("(and true"));
    for (term, _) in &problem.facts {
        let parsed = smtlib::parse_term(&mut store, &mut scope, term).map_err(|error| error.render("TERM", term))?;
        let value = evaluator.eval(&store, parsed).map_err(|unknown| format!("{term}: {}", unknown.reason))?;
        let sort = store.sort(parsed);
        let literal = value.to_term(&mut store, sort).ok_or("the value has no literal")?;
        let literal = store.term_text(literal);
        distinct.push_str(&format!(" (distinct {term} {literal})"));
        equal.push_str(&format!(" (= {term} {literal})"));
    }
    Ok([distinct + ")", equal + ")"])
}

/// Asks a fresh process with given definitions or assertions; returns the answers and the errors.
fn ask(oracle: &Solver, given: &str, [distinct, equal]: &[String; 2]) -> (Vec<Answer>, String) {
    let text = format!(
        "(set-logic ALL)\n{given}\n(push 1)\n(assert {distinct})\n(check-sat)\n(pop 1)\n(assert {equal})\n(check-sat)\n"
    );
    let outcome = oracle.check(&text, SessionNeeds::SINGLE | SessionNeeds::INCREMENTAL, &limits()).expect("z3 runs");
    let errors: Vec<&str> = outcome.errors.iter().map(|error| error.message.as_str()).collect();
    (outcome.answers.iter().map(|check| check.answer).collect(), format!("{}\n--- asked:\n{text}", errors.join("\n")))
}

/// Reads `wanted` models of one solver.
fn read_models(author: Author, wanted: usize, seed: u64, oracles: &[Solver]) -> Option<Tally> {
    let solver = find(author.solver)?;
    let mut tally = Tally::default();
    let mut random = Random(seed);
    while tally.models < wanted && tally.refused <= 100 + wanted {
        let count = BATCH.min(wanted - tally.models);
        let problems: Vec<Problem> = (0..count).map(|_| problem(author.theories, &mut random)).collect();
        for (problem, model) in problems.iter().zip(models(&solver, author, &problems)) {
            let Some(model) = model else {
                tally.refused += 1;
                continue;
            };
            let (text, own) = mangled(&model, author.format, &mut random);
            tally.models += 1;
            tally.values += problem.facts.len();
            if let Err(why) = examine(problem, &text, own.as_deref(), oracles, &mut tally) {
                let told = format!("{}: {why}\n--- problem:\n{}--- laid out:\n{text}", author.solver, problem.text());
                tally.wrong.push(told);
            }
        }
    }
    Some(tally)
}

/// Reads one model and asks about its values.
fn examine(
    problem: &Problem,
    model: &str,
    own: Option<&str>,
    oracles: &[Solver],
    tally: &mut Tally,
) -> Result<(), String> {
    let values = read_values(problem, model)?;
    // Arrays and functions may be defined in ways that another solver does not accept: then the problem represents the model, or another
    // solver replaces z3.
    let own = own.into_iter().flat_map(|own| oracles.iter().map(move |oracle| (oracle, own, true)));
    let text = problem.text();
    let questions = own.chain(oracles.iter().map(|oracle| (oracle, text.as_str(), false)));
    let mut refused = String::new();
    for (oracle, given, is_own) in questions {
        let (answers, asked) = ask(oracle, given, &values);
        if answers.contains(&Answer::Void) {
            refused = asked;
            continue;
        }
        tally.own_definitions += usize::from(is_own);
        let right = answers == [Answer::Unsat, Answer::Sat];
        return if right { Ok(()) } else { Err(format!("{answers:?}: {asked}")) };
    }
    Err(format!("nobody can be asked: {refused}"))
}

#[test]
fn every_value_read_is_the_one_printed() {
    let mut oracles: Vec<Solver> = ["z3@5.4.1", "cvc5@1.4.2"].into_iter().filter_map(find).collect();
    if oracles.is_empty() {
        oracles.extend(find("z3@4.15.4"));
    }
    if testing::require("z3", oracles.first()).is_none() {
        return;
    }
    let wanted = number("SQUALL_MODELS").map_or(FEW, |all| (all as usize).div_ceil(AUTHORS.len()));
    let seed = number("SQUALL_MODELS_SEED").unwrap_or(1);
    let next = std::sync::Mutex::new(AUTHORS.iter());
    let tallies = std::sync::Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(AUTHORS.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&author) = next.lock().ok().and_then(|mut authors| authors.next()) {
                    let tally = read_models(author, wanted, seed, &oracles);
                    tallies.lock().expect("no thread panics with it").extend(tally.map(|tally| (author, tally)));
                }
            });
        }
    });
    let (mut models, mut wrong) = (0, 0);
    for (author, Tally { models: of_it, values, own_definitions, refused, wrong: bad }) in
        tallies.into_inner().expect("no thread panics with it")
    {
        println!(
            "{}: {of_it} models, {values} values, {own_definitions} asked next to their own definitions; {refused} problems refused",
            author.solver
        );
        bad.iter().take(3).for_each(|told| println!("{told}\n=========="));
        assert!(of_it >= wanted, "{} refuses most problems", author.solver);
        (models, wrong) = (models + of_it, wrong + bad.len());
    }
    println!("{models} models, {wrong} wrong");
    assert_eq!(wrong, 0);
}
