//! Refusals: a well-sorted script of standard theories that a solver answers with a parse error.

use crate::judge::Hit;
use crate::tested::TestedSolver;
use finding::{BugClass, symptom};
use smtlib::logic::{self, BAGS, CARDINALITIES, FINITE_FIELDS, FOREIGN, HEAPS, HIGHER_ORDER, ORDERS, RELATIONS, SETS};
use smtlib::signature::OperatorOrigin;
use smtlib::{Command, FuncBody, Kind, Store, TermId, theories};
use solver::outcome::{Answer, SolverOutcome};

/// Features of [`smtlib::logic`] outside the standard's theories.
const NOT_STANDARD: u32 =
    SETS | BAGS | FINITE_FIELDS | HEAPS | RELATIONS | HIGHER_ORDER | ORDERS | CARDINALITIES | FOREIGN;

/// Returns the refusal that an outcome shows: an error that voids a check. Reports of missing support do not count. A hit is only a
/// candidate: another solver has to read the script.
pub fn refused(outcome: &SolverOutcome) -> Option<Hit> {
    let error = outcome.errors.iter().find(|error| error.voids_from.is_some())?;
    let check = error.voids_from?;
    let is_void = outcome.answers.get(check).is_some_and(|check| check.answer == Answer::Void);
    let counts = is_void && outcome.unsupported.is_none() && outcome.crash.is_none();
    counts.then(|| Hit { class: BugClass::R, check, symptom: symptom::of_error(&error.message) })
}

/// Returns a script's features (of [`smtlib::logic`]) if every solver that claims its logic must read it: our reader does, no command is
/// carried as text, no sort or operator is a solver's extension, it has no options or tactics, and its logic grants everything in it.
fn standard_needs(text: &str) -> Option<u32> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let commands = &parsed.script.commands;
    let needed = logic::of_script(&store, &parsed.script);
    let is_of_standard = |command: &Command| match command {
        Command::Opaque(..) | Command::Extension(..) | Command::Erroneous(_) | Command::CheckSatUsing(_) => false,
        Command::DeclareFun(f) => store.func(*f).body != FuncBody::Relation,
        Command::SetOption(key, _) => matches!(&**key, ":produce-models" | ":global-declarations" | ":print-success"),
        // The standard allows only literals here.
        Command::CheckSatAssuming(terms) => terms.iter().all(|&term| is_literal(&store, term)),
        Command::SetLogic(named) => needed & !logic::granted(store.name(*named)) == 0,
        _ => true,
    };
    let is_standard = parsed.errors.is_empty()
        && needed & NOT_STANDARD == 0
        && commands.iter().all(is_of_standard)
        && all_terms(&store)
            .all(|term| theories::row(store.kind(term)).is_none_or(|row| row.origin == OperatorOrigin::Standard));
    is_standard.then_some(needed)
}

/// Whether every solver that claims the logic of a script must read it.
pub fn is_standard(text: &str) -> bool {
    standard_needs(text).is_some()
}

/// Whether a solver must read a text: it [is standard](is_standard), and the solver supports its theories.
pub fn must_read(target: &TestedSolver, text: &str) -> bool {
    standard_needs(text).is_some_and(|needed| target.lacks(needed).is_none())
}

/// Whether a term is a symbol, or the negation of one.
fn is_literal(store: &Store, term: TermId) -> bool {
    let is_symbol = |term: TermId| store.kind(term) == Kind::Apply && store.args(term).is_empty();
    match (store.kind(term), store.args(term)) {
        (Kind::Not, [negated]) => is_symbol(*negated),
        _ => is_symbol(term),
    }
}

/// Returns all terms of the text: the store was made for it.
fn all_terms(store: &Store) -> impl Iterator<Item = TermId> {
    (0..store.len()).map(TermId::from_index)
}

/// Whether a solver read a script up to a check, because it answered that check. A solver that hit a limit before may
/// not have reached it.
pub fn is_read(outcome: &SolverOutcome, check: usize) -> bool {
    let answered = |answer: Answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown);
    outcome.errors.is_empty() && outcome.answers.get(check).is_some_and(|check| answered(check.answer))
}
