//! Relations between a script and one that asserts more: an unsatisfiable script stays unsatisfiable.
//!
//! Both scripts are derived from one text with two checks: the first is the weaker script, the second all.

use super::commands::{CommandList, FlatScript, LiveCommand, RelatedScript, SecondScript, nth, unnamed};
use mutate::rng::RandomStream;
use smtlib::sexpr::{self, Sexprs, head};
use std::borrow::Cow;

/// The maximum number of assertions to add.
const MAX_ADDED: u64 = 3;

/// Returns the text for a satisfiable script and one without some of its assertions.
pub(super) fn without_some(list: &CommandList<'_>, check: usize, rng: &mut RandomStream) -> Option<String> {
    let flat = list.flat(check)?;
    let asserted = flat.asserted().len();
    let mut places: Vec<usize> = (0..asserted).collect();
    if asserted < 2 {
        return None;
    }
    rng.shuffle(&mut places);
    let most = asserted as u64 - 1;
    let any = rng.between(1, most);
    let count = *rng.pick(&[1, most.div_ceil(2), most, any])?;
    places.truncate(usize::try_from(count).ok()?);
    let (mut weaker, mut extra, mut number) = (Vec::new(), Vec::new(), 0);
    for command in &flat.live {
        let is_assertion = matches!(command, LiveCommand::Asserted(_));
        let is_dropped = is_assertion && places.contains(&number);
        number += usize::from(is_assertion);
        if is_dropped { extra.push(command.clone()) } else { weaker.push(command.clone()) }
    }
    Some(joined(&flat, &weaker, extra.iter().map(|command| command.text().into_owned())))
}

/// Returns the text for an unsatisfiable script and one with more assertions.
pub(super) fn with_more(list: &CommandList<'_>, check: usize, rng: &mut RandomStream) -> Option<String> {
    added(list, check, rng, |flat, rng| {
        let terms = parts(flat);
        let (one, other) = (*rng.pick(&terms)?, *rng.pick(&terms)?);
        let constants = constants(flat);
        Some(match rng.below(if constants.is_empty() { 6 } else { 10 }) {
            0 => format!("(not {one})"),
            1 => format!("(or {one} (not {other}))"),
            2 => format!("(=> {one} {other})"),
            3 => format!("(and {one} {other})"),
            4 => format!("(= {one} {other})"),
            5 => one.to_string(),
            way => {
                let (name, sort) = rng.pick(&constants)?;
                let mut same: Vec<&str> =
                    constants.iter().filter(|(_, of)| of == sort).map(|(name, _)| &**name).collect();
                same.extend(numerals(flat).filter(|_| *sort == "Int"));
                let second = *rng.pick(&same)?;
                if way % 2 == 0 { format!("(= {name} {second})") } else { format!("(not (= {name} {second}))") }
            }
        })
    })
}

/// Returns the text for a script and one with additional assertions that are valid by their shape.
pub(super) fn with_valid(list: &CommandList<'_>, check: usize, rng: &mut RandomStream) -> Option<String> {
    added(list, check, rng, |flat, rng| {
        let mut terms = parts(flat);
        let constants = constants(flat);
        terms.extend(constants.iter().filter(|(_, sort)| *sort == "Bool").map(|(name, _)| &**name));
        let part = *rng.pick(&terms)?;
        Some(match rng.below(4) {
            0 => format!("(or {part} (not {part}))"),
            1 => format!("(=> {part} {part})"),
            2 => format!("(= {part} {part})"),
            _ => format!("(not (and {part} (not {part})))"),
        })
    })
}

/// Returns the script of the first check.
pub(super) fn weaker(text: &str, _: u64) -> Option<RelatedScript> {
    let flat = CommandList::read(text)?.flat(0)?;
    Some(RelatedScript { text: flat.text(), check: 0 })
}

/// Returns the script of the second check, if it includes all of the first one's.
pub(super) fn stronger(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = CommandList::read(of.text)?;
    let (first, second) = (list.flat(0)?, list.flat(1)?);
    second.live.starts_with(&first.live).then(|| RelatedScript { text: second.text(), check: 0 })
}

/// Returns the script of the second check, if it includes all of the first one's, and otherwise only assertions valid by their
/// shape.
pub(super) fn as_strong(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = CommandList::read(of.text)?;
    let (first, second) = (list.flat(0)?, list.flat(1)?);
    let is_valid = |command: &LiveCommand<'_>| matches!(command, LiveCommand::Asserted(term) if is_valid(term));
    let extra = second.live.get(first.live.len()..)?;
    extra.iter().all(is_valid).then(|| stronger(of)).flatten()
}

/// Whether a term is valid by its shape, as those that [`with_valid`] writes.
pub fn is_valid(term: &str) -> bool {
    let all = Sexprs::read(term);
    let Some(top) = all.top().next().filter(|top| all.is_list(*top)) else { return false };
    let parts: Vec<_> = all.children(top).collect();
    let negates = |node, part| all.headed(node, "not").is_some_and(|of| of.len() == 1 && all.text(of[0]) == part);
    match (head(term), &parts[..]) {
        ("or", [_, part, negated]) => negates(*negated, all.text(*part)),
        ("=>" | "=", [_, left, right]) => all.text(*left) == all.text(*right),
        ("not", [_, both]) => all
            .headed(*both, "and")
            .is_some_and(|both| matches!(&both[..], [part, negated] if negates(*negated, all.text(*part)))),
        _ => false,
    }
}

fn added(
    list: &CommandList<'_>,
    check: usize,
    rng: &mut RandomStream,
    mut draw: impl FnMut(&FlatScript<'_>, &mut RandomStream) -> Option<String>,
) -> Option<String> {
    let flat = list.flat(check)?;
    let count = rng.between(1, MAX_ADDED);
    let extra: Vec<String> = (0..count).filter_map(|_| draw(&flat, rng)).collect();
    let extra: Vec<String> = extra.into_iter().map(|term| format!("(assert {term})\n")).collect();
    (!extra.is_empty()).then(|| joined(&flat, &flat.live, extra.into_iter()))
}

/// Returns a text with two checks.
fn joined(flat: &FlatScript<'_>, weaker: &[LiveCommand<'_>], extra: impl Iterator<Item = String>) -> String {
    let mut text = flat.begin(weaker) + "(check-sat)\n";
    text.extend(extra);
    text + "(check-sat)\n"
}

/// Closed Boolean terms: the assertions, and their parts below connectives.
pub(super) fn parts<'t>(flat: &FlatScript<'t>) -> Vec<&'t str> {
    const CONNECTIVES: [&str; 4] = ["and", "or", "not", "=>"];
    const MOST: usize = 200;
    let mut parts: Vec<&str> = flat.asserted().into_iter().filter_map(unnamed).collect();
    let mut next = 0;
    while next < parts.len().min(MOST) {
        let term = parts[next];
        next += 1;
        if CONNECTIVES.contains(&head(term)) {
            let all = Sexprs::read(term);
            let inner =
                all.top().next().map(|top| all.children(top).skip(1).filter_map(|node| term.get(all.span(node))));
            parts.extend(inner.into_iter().flatten());
        }
    }
    parts
}

/// Declared constants with their sorts, if `=` applies to the sort in every logic that has it. A heap has the location `sep.nil`.
pub(super) fn constants<'t>(flat: &FlatScript<'t>) -> Vec<(Cow<'t, str>, &'t str)> {
    let constant = |command: &LiveCommand<'t>| {
        let LiveCommand::Declared(command) = command else { return None };
        let words = Sexprs::read(command).top().next().map(|top| Sexprs::read(command).words(top))?;
        let (name, sort) = match words[..] {
            ["declare-const", name, sort] | ["declare-fun", name, "()", sort] => (name.into(), sort),
            ["declare-heap", sorts] => {
                let location = nth(sorts, 0)?;
                (format!("(as sep.nil {location})").into(), location)
            }
            _ => return None,
        };
        let is_plain = sort != "RegLan" && head(sort) != "->" && head(sort) != "Array";
        is_plain.then_some((name, sort))
    };
    flat.live.iter().filter_map(constant).collect()
}

/// Returns the numerals of the assertions. In a script with reals they may be reals.
fn numerals<'t>(flat: &FlatScript<'t>) -> impl Iterator<Item = &'t str> {
    const MOST: usize = 200;
    let asserted = flat.asserted();
    let has_reals = flat.declared().iter().any(|command| command.text().contains("Real"))
        || asserted.iter().any(|term| term.contains("Real"));
    let atoms = asserted.into_iter().filter(move |_| !has_reals);
    let atoms = atoms.flat_map(|term| sexpr::atoms(term).filter_map(move |at| term.get(at)));
    atoms.filter(|atom| atom.bytes().all(|byte| byte.is_ascii_digit())).take(MOST)
}
