//! The proof of a law at small sizes, by exhaustion: every assignment of its variables, under every choice of what the standard leaves
//! open.
//!
//! A variable of an infinite sort ranges over a list of values, and a regular expression over a list of expressions whose languages
//! are compared on a list of words: there the law is tested, not proven.

use super::binding::LawBindings;
use super::law::{Law, LawIndex, LawSort};
use crate::guards::one_of;
use crate::small_world::{CheckTruth, Undecided, decide_terms};
use semantics::exhaust::ExhaustLimits;
use semantics::model::Interpretation;
use semantics::{EvalLimits, Model};
use smtlib::{Func, FuncBody, Kind, Op, Scope, SortId, Store, TermId, parse_term};

/// What one instance may spend.
const LIMITS: ExhaustLimits = ExhaustLimits {
    assignments: 1 << 15,
    values: 1 << 10,
    evaluations: 1 << 15,
    each: EvalLimits { steps: 1 << 14, memory: 1 << 22, regex_steps: 1 << 14, ..crate::small_world::LIMITS.each },
};

/// The widest bit-vectors of proofs, and the largest position.
const MAX_WIDTH: u32 = 4;
/// The most bits of an exponent or significand in proofs.
const MAX_FORMAT: u32 = 3;
/// The most instances of one law that are proven, and tried.
const MAX_INSTANCES: u32 = 400;
const MOST_TRIED: usize = 2000;

/// Values of a variable where there are few variables of infinite sorts, and where there are more.
const INTEGERS: [&[&str]; 2] =
    [&["(- 7)", "(- 4)", "(- 3)", "(- 2)", "(- 1)", "0", "1", "2", "3", "5", "8"], &["(- 3)", "(- 1)", "0", "1", "2"]];
const REALS: [&[&str]; 2] = [
    &["(- 2.0)", "(- 1.0)", "(- 0.5)", "0.0", "(/ 1.0 3.0)", "0.5", "1.0", "1.5", "2.0", "3.0"],
    &["(- 1.0)", "(- 0.5)", "0.0", "(/ 1.0 3.0)", "2.0"],
];
const STRINGS: [&[&str]; 2] = [
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

/// Why a law is not used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LawFault {
    /// It does not hold.
    #[error("the law does not hold: {left} is not {right}{sizes}{values}")]
    Refuted {
        /// The one side.
        left: String,
        /// The other side.
        right: String,
        /// The values of the parameters.
        sizes: String,
        /// The values of the variables.
        values: String,
    },
    /// No instance of it was decided.
    #[error("no small instance of the law can be decided, so that nothing shows that it holds: {0}")]
    Undecided(String),
    /// It has no well-sorted instance.
    #[error("the law has no well-sorted instance: its sides must be of one sort at some small width and format")]
    IllSorted,
}

/// Decides the small instances of a law; how many were proven.
///
/// # Errors
/// [`LawFault`] where one is refuted, or none is decided.
pub fn prove(law: &Law) -> Result<u32, LawFault> {
    let (mut proven, mut open) = (0, None);
    for start in instances(law) {
        if proven >= MAX_INSTANCES {
            break;
        }
        let mut store = Store::new();
        let mut bindings = start;
        bindings.sorts = sorts(&mut store, &bindings.sorts);
        let Some(expressions) = declare(&mut store, law, &mut bindings) else { continue };
        for bindings in with_expressions(&mut store, law, &bindings, &expressions) {
            match decide_instance(&mut store, law, &bindings)? {
                Some(Ok(())) => proven += 1,
                Some(Err(why)) => open = Some(why),
                None => {}
            }
        }
    }
    match (proven, open) {
        (0, Some(why)) => Err(LawFault::Undecided(why)),
        (0, None) => Err(LawFault::IllSorted),
        _ => Ok(proven),
    }
}

/// Decides one instance: none where it is not well-sorted, an error in words where it is left open.
fn decide_instance(
    store: &mut Store,
    law: &Law,
    bindings: &LawBindings,
) -> Result<Option<Result<(), String>>, LawFault> {
    let sides = law.sides.each_ref().map(|side| bindings.build(store, side));
    let [Some(left), Some(right)] = sides else { return Ok(None) };
    let mut assertions = guards(store, bindings);
    let is_language = store.sort(left) == SortId::REGLAN;
    let compared = match is_language {
        true => in_language(store, [left, right], &mut assertions),
        false => Some([left, right]),
    };
    let Some(equal) = compared.and_then(|[a, b]| store.eq(a, b).ok()) else { return Ok(None) };
    assertions.push(store.not(equal));
    Ok(Some(match decide_terms(store, &assertions, &LIMITS) {
        Ok(CheckTruth::Unsat) => Ok(()),
        Ok(CheckTruth::Sat(model)) => {
            let [left, right] = [left, right].map(|t| store.term_text(t));
            let sizes = sizes(store, law, bindings);
            return Err(LawFault::Refuted { left, right, sizes, values: values(store, &model) });
        }
        Err(why @ (Undecided::NotFinite(_) | Undecided::Unresolved(_))) => Err(why.to_string()),
    }))
}

/// The parameters of the small instances; sort parameters are only numbered here.
fn instances(law: &Law) -> Vec<LawBindings> {
    let mut all = vec![LawBindings::of(law)];
    for n in 0..law.indices.len() {
        let range = range(law, n);
        all = all
            .into_iter()
            .flat_map(|bindings| {
                range.clone().map(move |value| {
                    let mut next = bindings.clone();
                    next.indices[n] = Some(value);
                    next
                })
            })
            .collect();
        all.truncate(MOST_TRIED);
    }
    for n in 0..law.sorts.len() {
        let both = |bindings: LawBindings| {
            [SortId::BOOL, SortId::INT].map(|sort| {
                let mut next = bindings.clone();
                next.sorts[n] = Some(sort);
                next
            })
        };
        all = all.into_iter().flat_map(both).collect();
    }
    all.truncate(MOST_TRIED);
    all
}

/// A sort parameter is `Bool` or a bit-vector of two bits.
fn sorts(store: &mut Store, numbered: &[Option<SortId>]) -> Vec<Option<SortId>> {
    let bits = store.sorts.bitvec(2);
    numbered.iter().map(|sort| sort.map(|s| if s == SortId::BOOL { s } else { bits })).collect()
}

/// The values that an index parameter takes.
fn range(law: &Law, parameter: usize) -> std::ops::RangeInclusive<u32> {
    let has = |index: &LawIndex| index.parts.iter().any(|p| p.1 == parameter);
    let (mut width, mut format) = (false, false);
    for (_, sort) in &law.variables {
        match sort {
            LawSort::BitVec(index) => width |= has(index),
            LawSort::Float(e, s) => format |= has(e) || has(s),
            _ => {}
        }
    }
    match (format, width) {
        (true, _) => 2..=MAX_FORMAT,
        (_, true) => 1..=MAX_WIDTH,
        _ => 0..=MAX_WIDTH,
    }
}

/// Binds the variables to declared constants; gives the numbers of those that stand for regular expressions.
fn declare(store: &mut Store, law: &Law, bindings: &mut LawBindings) -> Option<Vec<usize>> {
    let mut expressions = Vec::new();
    for (n, (name, sort)) in law.variables.iter().enumerate() {
        let sort = bindings.sort(store, sort)?;
        if sort == SortId::REGLAN {
            expressions.push(n);
            continue;
        }
        let t = constant(store, name, sort)?;
        bindings.terms[n] = Some(t);
    }
    Some(expressions)
}

fn constant(store: &mut Store, name: &str, sort: SortId) -> Option<TermId> {
    let name = store.symbols.intern(name);
    let f = store.declare(Func { name, params: Box::default(), result: sort, body: FuncBody::Declared });
    store.constant_of(f).ok()
}

/// The instances with every regular expression of the list for every variable of that sort.
fn with_expressions(store: &mut Store, law: &Law, bindings: &LawBindings, expressions: &[usize]) -> Vec<LawBindings> {
    let list: Vec<TermId> = terms(store, EXPRESSIONS[usize::from(expressions.len() > 2)]);
    let mut all = vec![bindings.clone()];
    for &n in expressions {
        debug_assert!(n < law.variables.len());
        let each = |bindings: LawBindings| {
            let list = &list;
            list.iter()
                .map(move |&t| {
                    let mut next = bindings.clone();
                    next.terms[n] = Some(t);
                    next
                })
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(each).collect();
        all.truncate(MOST_TRIED);
    }
    all
}

fn terms(store: &mut Store, texts: &[&str]) -> Vec<TermId> {
    let mut scope = Scope::new(store);
    texts.iter().filter_map(|text| parse_term(store, &mut scope, text).ok()).collect()
}

/// What confines the variables of infinite sorts.
fn guards(store: &mut Store, bindings: &LawBindings) -> Vec<TermId> {
    let is_infinite = |sort| matches!(sort, SortId::INT | SortId::REAL | SortId::STRING);
    let constants: Vec<TermId> = bindings.terms.iter().copied().flatten().collect();
    let infinite: Vec<TermId> = constants.into_iter().filter(|&t| is_infinite(store.sort(t))).collect();
    let short = usize::from(infinite.len() > 2);
    let mut guards = Vec::new();
    for &t in &infinite {
        let texts = match store.sort(t) {
            SortId::INT => INTEGERS[short],
            SortId::REAL => REALS[short],
            _ => STRINGS[short],
        };
        let values = terms(store, texts);
        guards.extend(one_of(store, t, &values));
    }
    guards
}

/// Membership of a word in each of two languages, for every word of the list.
fn in_language(store: &mut Store, sides: [TermId; 2], guards: &mut Vec<TermId>) -> Option<[TermId; 2]> {
    // No variable of a law has a name with a blank.
    let word = constant(store, "the word", SortId::STRING)?;
    let words = terms(store, STRINGS[0]);
    guards.extend(one_of(store, word, &words));
    let [left, right] = sides.map(|side| store.app(Op::new(Kind::StrInRe), &[word, side]).ok());
    Some([left?, right?])
}

/// The values of the parameters, as ` where m = 2, A = Bool`; nothing where there is none.
fn sizes(store: &Store, law: &Law, bindings: &LawBindings) -> String {
    let indices = law.indices.iter().zip(&bindings.indices).filter_map(|(name, i)| Some(format!("{name} = {}", (*i)?)));
    let sorts = law.sorts.iter().zip(&bindings.sorts);
    let sorts = sorts.filter_map(|(name, sort)| Some(format!("{name} = {}", store.sort_text((*sort)?))));
    let list: Vec<String> = indices.chain(sorts).collect();
    if list.is_empty() { String::new() } else { format!(" where {}", list.join(", ")) }
}

/// The values of the constants, as ` with x = #b01`; nothing where there is none.
fn values(store: &mut Store, model: &Model) -> String {
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
