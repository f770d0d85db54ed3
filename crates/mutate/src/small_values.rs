//! Equations of terms at small sizes: constants of infinite sorts range over lists of values, and languages are compared on a list of
//! words. Equations that hold there are tested, not proven; others are refuted.

use crate::guards::one_of;
use semantics::Model;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::model::Interpretation;
use smtlib::{Func, FuncBody, Kind, Op, Scope, SortId, Store, TermId, parse_term};

/// How many values a constant of an infinite sort has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueAmount {
    /// About ten: for one or two constants.
    Many,
    /// About five.
    Some,
    /// Three: for six constants and more.
    Few,
}

impl ValueAmount {
    /// All, the largest first.
    pub const ALL: [ValueAmount; 3] = [ValueAmount::Many, ValueAmount::Some, ValueAmount::Few];
}

/// Values of a variable, in the order of [`ValueAmount`].
const INTEGERS: [&[&str]; 3] = [
    &["(- 7)", "(- 4)", "(- 3)", "(- 2)", "(- 1)", "0", "1", "2", "3", "5", "8"],
    &["(- 3)", "(- 1)", "0", "1", "2"],
    &["(- 1)", "0", "2"],
];
const REALS: [&[&str]; 3] = [
    &["(- 2.0)", "(- 1.0)", "(- 0.5)", "0.0", "(/ 1.0 3.0)", "0.5", "1.0", "1.5", "2.0", "3.0"],
    &["(- 1.0)", "(- 0.5)", "0.0", "(/ 1.0 3.0)", "2.0"],
    &["(- 0.5)", "0.0", "2.0"],
];
const STRINGS: [&[&str]; 3] = [
    &[
        r#""""#,
        r#""a""#,
        r#""b""#,
        r#""aa""#,
        r#""ab""#,
        r#""ba""#,
        r#""bb""#,
        r#""aba""#,
        r#""0""#,
        r#""12""#,
        r#""-1""#,
        r#""\u{e9}""#,
    ],
    &[r#""""#, r#""a""#, r#""b""#, r#""ab""#, r#""ba""#, r#""aba""#],
    &[r#""""#, r#""a""#, r#""ab""#],
];
const EXPRESSIONS: [&[&str]; 2] = [
    &[
        "re.none",
        "re.all",
        "re.allchar",
        r#"(str.to_re "")"#,
        r#"(str.to_re "a")"#,
        r#"(str.to_re "ab")"#,
        r#"(re.range "a" "b")"#,
        r#"(re.* (str.to_re "a"))"#,
        r#"(re.+ (re.union (str.to_re "ab") (str.to_re "b")))"#,
        r#"(re.comp (str.to_re "a"))"#,
    ],
    &["re.none", "re.all", r#"(str.to_re "")"#, r#"(str.to_re "a")"#, r#"(re.* (str.to_re "ab"))"#],
];

/// Returns the values of a constant of an infinite sort.
fn listed(sort: SortId, amount: ValueAmount) -> Option<&'static [&'static str]> {
    let lists = match sort {
        SortId::INT => INTEGERS,
        SortId::REAL => REALS,
        SortId::STRING => STRINGS,
        _ => return None,
    };
    Some(lists[amount as usize])
}

/// Returns the guards of constants of infinite sorts.
pub fn confined(store: &mut Store, constants: &[TermId], amount: ValueAmount) -> Vec<TermId> {
    let mut guards = Vec::new();
    for &t in constants {
        if let Some(texts) = listed(store.sort(t), amount) {
            let values = terms(store, texts);
            guards.extend(one_of(store, t, &values));
        }
    }
    guards
}

/// Returns the number of values of these constants together; `None` if too many to count.
pub fn assignments(store: &Store, constants: &[TermId], amount: ValueAmount) -> Option<u64> {
    let domains = Domains { store, model: &Model::new() };
    constants.iter().try_fold(1u64, |all, &t| {
        let one = match (listed(store.sort(t), amount), domains.cardinality(store.sort(t))) {
            (Some(values), _) => values.len() as u64,
            (None, Cardinality::Finite(n)) => n,
            (None, _) => return None,
        };
        all.checked_mul(one)
    })
}

/// Regular expressions for a variable of that sort; fewer if there are many such variables.
pub fn expressions(store: &mut Store, is_short: bool) -> Vec<TermId> {
    terms(store, EXPRESSIONS[usize::from(is_short)])
}

/// Returns a new constant; `None` if the sort has none.
pub fn constant(store: &mut Store, name: &str, sort: SortId) -> Option<TermId> {
    let name = store.symbols.intern(name);
    let f = store.declare(Func { name, params: Box::default(), result: sort, body: FuncBody::Declared });
    store.constant_of(f).ok()
}

/// Returns the equation of two terms; for two regular expressions, that a word of the list is in both languages or in neither, with a
/// guard that lists the words. `None` if the terms have different sorts.
pub fn equation(store: &mut Store, sides: [TermId; 2], guards: &mut Vec<TermId>) -> Option<TermId> {
    let is_language = store.sort(sides[0]) == SortId::REGLAN;
    let [left, right] = if is_language { in_language(store, sides, guards)? } else { sides };
    store.eq(left, right).ok()
}

/// Membership of a word in each of two languages, for every word of the list.
fn in_language(store: &mut Store, sides: [TermId; 2], guards: &mut Vec<TermId>) -> Option<[TermId; 2]> {
    // No variable's name has a space.
    let word = constant(store, "the word", SortId::STRING)?;
    let words = terms(store, STRINGS[0]);
    guards.extend(one_of(store, word, &words));
    let [left, right] = sides.map(|side| store.app(Op::new(Kind::StrInRe), &[word, side]).ok());
    Some([left?, right?])
}

/// Returns the values of the constants, as ` with x = #b01`; empty if there are none.
pub fn assignment_text(store: &mut Store, model: &Model) -> String {
    let mut list = Vec::new();
    for f in model.symbols() {
        if let Some(Interpretation::Value(value)) = model.interpretation(f)
            && let Some(t) = value.to_term(store, store.func(f).result)
        {
            list.push(format!("{} = {}", store.name(store.func(f).name), store.term_text(t)));
        }
    }
    if list.is_empty() { String::new() } else { format!(" with {}", list.join(", ")) }
}

fn terms(store: &mut Store, texts: &[&str]) -> Vec<TermId> {
    let mut scope = Scope::new(store);
    texts.iter().filter_map(|text| parse_term(store, &mut scope, text).ok()).collect()
}
