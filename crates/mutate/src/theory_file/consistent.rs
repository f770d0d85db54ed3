//! Whether a theory fits together: sorts of few values, results within their sorts, and laws that hold.

use super::{
    OperatorEntry, SortEntry, TheoryDocument, TheoryError, TheoryPart, command, fail, one_line, pairs, symbol, whole,
};
use crate::small_world::{self, CheckTruth};
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::truth::{self, ExhaustLimits, Search, TruthQuery};
use semantics::{Interpretation, Model, Stop};
use smtlib::sexpr::Sexprs;
use smtlib::{Dialect, FuncId, Kind, Printer, Scope, Store, parse, parse_commands, parse_sort};

/// The maximum number of values of an encoding.
const MAX_VALUES: u64 = 1 << 16;
/// What is said of a law that does not follow.
const FALSE_LAW: &str = "the meanings contradict this law";
/// The maximum number of listed values.
const MAX_LISTED: i64 = 256;

/// Returns the values that a sort lists; `None` if its encoding has no others.
/// Errors: none, or too many.
pub(super) fn listed(sort: &SortEntry) -> Result<Option<Vec<String>>, TheoryError> {
    match (&sort.values, sort.range) {
        (None, None) => Ok(None),
        (Some(values), None) if (1..=MAX_LISTED as usize).contains(&values.len()) => {
            values.iter().try_for_each(whole)?;
            Ok(Some(values.iter().map(|value| one_line(value.get_ref())).collect()))
        }
        (None, Some((low, high))) if low <= high && high.saturating_sub(low) < MAX_LISTED => {
            let number = |n: i64| if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() };
            Ok(Some((low..=high).map(number).collect()))
        }
        _ => {
            let help = format!("give `range = [LOW, HIGH]` or `values`, of 1 to {MAX_LISTED} values");
            fail(&sort.name, "this sort has no value, too many, or both a range and values", help)
        }
    }
}

/// Checks a theory, given its definitions.
/// Errors: the first part that does not fit.
pub(super) fn check(definitions: &str, document: &TheoryDocument) -> Result<(), TheoryError> {
    let mut store = Store::new();
    let mut raw = Scope::new(&store);
    parse_commands(&mut store, &mut raw, definitions);
    for sort in &document.sorts {
        let Ok(encoding) = parse_sort(&mut store, &mut raw, sort.encoding.get_ref()) else { continue };
        let size = Domains { store: &store, model: &Model::new() }.cardinality(encoding);
        if sort.is_listed() {
            let name = sort.name.get_ref();
            let same = format!(
                "(declare-const c {name}!code)(assert (distinct ({name}!encode ({name}!decode c)) c))(check-sat)"
            );
            refute(&(definitions.to_string() + &same), &sort.name, "the values of this sort are not different")?;
        } else if !matches!(size, Cardinality::Finite(count) if count <= MAX_VALUES) {
            let message = format!("this encoding has too many values: at most {MAX_VALUES} can be tried");
            let help = "choose a smaller one, or give `range = [LOW, HIGH]` or `values`";
            return fail(&sort.encoding, message, help);
        }
    }
    let whole_theory = command(definitions);
    if let Some(operator) = document.operators.first() {
        // Each definition was read alone; here two of them may not fit together.
        refute(&format!("{whole_theory}(assert false)(check-sat)"), &operator.name, "")?;
    }
    document.operators.iter().try_for_each(|operator| check_results(definitions, operator, document))?;
    document.laws.iter().try_for_each(|law| {
        whole(&law.holds)?;
        let holds = one_line(law.holds.get_ref());
        let denied = format!("{whole_theory}(assert (not {holds}))(check-sat)");
        refute(&denied, &law.holds, FALSE_LAW).map_err(|mut error| {
            // Other errors are that it does not read, or is not decided.
            if error.message == FALSE_LAW {
                error.message += &counterexample(&whole_theory, &holds).unwrap_or_default();
            }
            error
        })
    })
}

/// Returns values of a law's variables for which it is false, as ` for x = #b01`; `None` if it holds or begins otherwise than with
/// `forall`.
fn counterexample(whole_theory: &str, holds: &str) -> Option<String> {
    let all = Sexprs::read(holds);
    let parts = all.headed(all.top().next()?, "forall")?;
    let &[variables, body] = parts.as_slice() else { return None };
    let declared = all.children(variables).map(|pair| format!("(declare-const {})", all.words(pair).join(" ")));
    let denied = declared.collect::<String>() + &format!("(assert (not {}))(check-sat)", all.text(body));
    let mut store = Store::new();
    let parsed = parse(&mut store, &format!("{whole_theory}{denied}"));
    let instance = parsed.script.instances().pop().filter(|_| parsed.errors.is_empty())?;
    let query = TruthQuery { limits: &small_world::LIMITS, stop: &Stop::default(), search: Search::Quick };
    let known = truth::of_instance(&mut store, &instance, query).ok()?;
    let model = known.model()?;
    let value = |f: FuncId| {
        let Interpretation::Value(value) = model.interpretation(f)? else { return None };
        let (name, sort) = (store.name(store.func(f).name).to_string(), store.func(f).result);
        let term = value.to_term(&mut store, sort)?;
        // The code of a value of the theory, without the constructor around it.
        let code = store.args(term).first().copied().filter(|_| store.kind(term) == Kind::Construct).unwrap_or(term);
        let mut text = format!("{name} = ");
        Printer::new(&store, &Dialect::default()).term(code, &mut text);
        Some(text)
    };
    let values: Vec<String> = model.symbols().into_iter().filter_map(value).collect();
    (!values.is_empty()).then(|| format!(" for {}", values.join(", ")))
}

/// Checks that the results of an operator are values of their sort.
fn check_results(definitions: &str, operator: &OperatorEntry, document: &TheoryDocument) -> Result<(), TheoryError> {
    let is_listed = |name: &String| document.sorts.iter().any(|sort| sort.name.get_ref() == name && sort.is_listed());
    let result = operator.result.get_ref();
    if !is_listed(result) {
        return Ok(());
    }
    let (mut text, mut applied) = (definitions.to_string(), String::new());
    for (n, (_, sort)) in pairs(&operator.arguments)?.iter().enumerate() {
        let (code, argument) = match is_listed(sort) {
            true => (format!("{sort}!code"), format!(" ({sort}!decode argument!{n})")),
            false => (sort.clone(), format!(" argument!{n}")),
        };
        // Of infinitely many integers a few are tried.
        let few = if sort == "Int" { format!("(assert (<= (- 8) argument!{n} 8))") } else { String::new() };
        text.push_str(&format!("(declare-const argument!{n} {code}){few}"));
        applied.push_str(&argument);
    }
    let head = symbol(operator.name.get_ref());
    let applied = if applied.is_empty() { head } else { format!("({head}{applied})") };
    text.push_str(&format!("(assert (distinct ({result}!decode ({result}!encode {applied})) {applied}))(check-sat)"));
    refute(&text, &operator.meaning, "this meaning leaves the values of its sort")
}

/// Checks that a text is unsatisfiable.
/// Errors: it is satisfiable, not decided, or no text.
fn refute(text: &str, place: &TheoryPart, contradiction: &str) -> Result<(), TheoryError> {
    let mut store = Store::new();
    if let Some(error) = parse(&mut store, text).errors.first() {
        return fail(place, error.message.replace("in this theory: ", ""), error.help.clone().unwrap_or_default());
    }
    let limits = ExhaustLimits { evaluations: 1 << 18, ..small_world::LIMITS };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Quick };
    match truth::of_check(text, 0, query) {
        Ok(CheckTruth::Unsat(_)) => Ok(()),
        Ok(CheckTruth::Sat(_)) => fail(place, contradiction, "change the meaning, or what it contradicts"),
        Err(why) => fail(place, format!("this is not decided: {why}"), "use smaller sorts"),
    }
}
