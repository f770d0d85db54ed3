//! Relations between a script and one built from the solver's output: assignments are asserted, simplified terms
//! replace assertions.

use super::commands::{FlatScript, LiveCommand, RelatedScript, SecondScript, unnamed, unused};
use super::same::only;
use super::stronger::{constants, parts};
use mutate::rng::RandomStream;
use smtlib::sexpr::{self, SexprNode, Sexprs};

/// The maximum number of terms that one script asks about.
const MOST: usize = 8;

/// Operators with values that the standard leaves open: a simplifier may choose one value and the solver another.
const OPEN: [&str; 17] = [
    "/",
    "div",
    "mod",
    "rem",
    "^",
    "fp.min",
    "fp.max",
    "fp.to_ubv",
    "fp.to_sbv",
    "fp.to_real",
    "fp.to_ieee_bv",
    "seq.nth",
    "set.choose",
    "set.fold",
    "bag.choose",
    "bag.fold",
    "choice",
];

/// Returns the script with some of its parts named and a query for their assignment.
pub(super) fn asking_for_assignment(text: &str, draw: u64) -> Option<RelatedScript> {
    let list = only(text)?;
    let flat = list.flat(0)?;
    let base = unused(text, "part");
    let mut out = String::from("(set-option :produce-assignments true)\n") + &flat.begin(&flat.live);
    for (n, part) in chosen(&flat, draw)?.into_iter().enumerate() {
        out.push_str(&format!("(assert (or (! {part} :named {base}{n}) (not {base}{n})))\n"));
    }
    Some(RelatedScript { text: out + "(check-sat)\n(get-assignment)\n", check: 0 })
}

/// Returns the script with each named part asserted or negated, as assigned.
pub(super) fn with_assignment(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = only(of.text)?;
    let flat = list.flat(0)?;
    let base = unused(of.text, "part");
    let chosen = chosen(&flat, of.draw)?;
    let assigned = |all: &Sexprs<'_>, pair: SexprNode| {
        let [name, value] = all.words(pair)[..] else { return None };
        asserted(chosen.get(name.strip_prefix(&base)?.parse::<usize>().ok()?)?, value)
    };
    with_consequences(&of, &flat, assigned)
}

/// Returns the script with a query for the values of some parts and constants.
pub(super) fn asking_for_values(text: &str, draw: u64) -> Option<RelatedScript> {
    let list = only(text)?;
    let flat = list.flat(0)?;
    let asked = valued(&flat, draw)?.join(" ");
    let text = format!("(set-option :produce-models true)\n{}(get-value ({asked}))\n", flat.text());
    Some(RelatedScript { text, check: 0 })
}

/// Returns the script with queried terms set to values.
pub(super) fn with_values(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = only(of.text)?;
    let flat = list.flat(0)?;
    let asked = valued(&flat, of.draw)?;
    let mut number = 0;
    // The values come in query order; terms may be rephrased.
    let value = |all: &Sexprs<'_>, pair: SexprNode| {
        let term = asked.get(number)?;
        number += 1;
        let value = all.children(pair).nth(1).map(|node| all.text(node))?;
        match value {
            "true" | "false" => asserted(term, value),
            _ if value.contains(['@', '!', '?']) || term.starts_with('(') => None,
            _ => Some(format!("(= {term} {value})")),
        }
    };
    with_consequences(&of, &flat, value)
}

/// Returns the script with queries for simplified assertions.
pub(super) fn asking_for_simplified(text: &str, draw: u64) -> Option<RelatedScript> {
    let list = only(text)?;
    let flat = list.flat(0)?;
    let open =
        |atom: &str| OPEN.contains(&atom) || atom.starts_with("declare-datatype") || atom == "declare-codatatypes";
    if sexpr::atoms(text).filter_map(|at| text.get(at)).any(open) {
        return None;
    }
    let mut out = flat.text();
    for number in simplified(&flat, draw) {
        out.push_str(&format!("(simplify {})\n", unnamed(flat.asserted().get(number)?)?));
    }
    Some(RelatedScript { text: out, check: 0 })
}

/// Returns the script with some assertions in the solver's simplified form.
pub(super) fn with_simplified(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = only(of.text)?;
    let flat = list.flat(0)?;
    let numbers = simplified(&flat, of.draw);
    // A simplified term may be one token, which is not in the list of responses.
    let said = std::str::from_utf8(&of.first?.stdout).ok()?;
    let all = Sexprs::read_whole(said)?;
    let terms: Vec<&str> = all.top().skip(1).map(|node| all.text(node)).collect();
    if terms.len() != numbers.len() || terms.iter().any(|term| sexpr::head(term) == "error") {
        return None;
    }
    let mut asserted = flat.asserted();
    for (number, term) in numbers.into_iter().zip(terms) {
        *asserted.get_mut(number)? = term;
    }
    let mut live = flat.declared();
    live.extend(asserted.into_iter().map(LiveCommand::Asserted));
    Some(RelatedScript { text: flat.begin(&live) + "(check-sat)\n", check: 0 })
}

/// Returns the script with an assertion for each pair in the list that the solver printed after its check. `None` if
/// there is none.
fn with_consequences(
    of: &SecondScript<'_>,
    flat: &FlatScript<'_>,
    said: impl FnMut(&Sexprs<'_>, SexprNode) -> Option<String>,
) -> Option<RelatedScript> {
    let list = of.first?.answers.first()?.responses.iter().find(|said| said.starts_with("(("))?;
    let all = Sexprs::read_whole(list)?;
    let mut said = said;
    let extra: String = all
        .children(all.top().next()?)
        .filter_map(|pair| said(&all, pair))
        .map(|t| format!("(assert {t})\n"))
        .collect();
    let text = flat.begin(&flat.live) + &extra + "(check-sat)\n";
    (!extra.is_empty()).then_some(RelatedScript { text, check: 0 })
}

/// Returns a formula or its negation, by the assigned truth value.
fn asserted(formula: &str, value: &str) -> Option<String> {
    match value {
        "true" => Some(formula.to_string()),
        "false" => Some(format!("(not {formula})")),
        _ => None,
    }
}

/// Returns some Boolean parts of a script.
fn chosen<'t>(flat: &FlatScript<'t>, draw: u64) -> Option<Vec<&'t str>> {
    let mut parts = parts(flat);
    RandomStream::from_seed(draw).shuffle(&mut parts);
    parts.truncate(MOST);
    (!parts.is_empty()).then_some(parts)
}

/// Returns some Boolean parts of a script, and constants whose values are literals in every solver.
fn valued(flat: &FlatScript<'_>, draw: u64) -> Option<Vec<String>> {
    let is_plain = |sort: &str| matches!(sort, "Bool" | "Int" | "String") || sort.starts_with("(_ BitVec ");
    let constants = constants(flat).into_iter().filter(|(_, sort)| is_plain(sort)).map(|(name, _)| name.into_owned());
    let mut all: Vec<String> = constants.filter(|name| !name.starts_with('(')).collect();
    all.extend(parts(flat).into_iter().map(String::from));
    RandomStream::from_seed(draw).shuffle(&mut all);
    all.truncate(MOST);
    (!all.is_empty()).then_some(all)
}

/// Returns some assertions of a script, by number.
fn simplified(flat: &FlatScript<'_>, draw: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..flat.asserted().len()).collect();
    RandomStream::from_seed(draw).shuffle(&mut numbers);
    numbers.truncate(MOST);
    numbers
}
