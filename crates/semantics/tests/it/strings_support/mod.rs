//! Regular expressions as trees: random ones, their meaning by definition, and their SMT-LIB text.

use proptest::prelude::*;
use semantics::strings::{EscapeDialect, RegexId, RegexStore, SmtString, escape};

/// A regular expression as the theory writes it.
#[derive(Debug, Clone)]
pub enum Re {
    None,
    All,
    AnyCharacter,
    Literal(Vec<u32>),
    Range(Vec<u32>, Vec<u32>),
    Concat(Box<Re>, Box<Re>),
    Union(Box<Re>, Box<Re>),
    Inter(Box<Re>, Box<Re>),
    Difference(Box<Re>, Box<Re>),
    Star(Box<Re>),
    Plus(Box<Re>),
    Optional(Box<Re>),
    Complement(Box<Re>),
    Power(Box<Re>, u64),
    Loop(Box<Re>, u64, u64),
}

impl Re {
    /// The expression in a store.
    pub fn build(&self, store: &mut RegexStore) -> RegexId {
        let word = |points: &[u32]| SmtString::new(points).unwrap();
        match self {
            Re::None => store.none(),
            Re::All => store.all(),
            Re::AnyCharacter => store.any_character(),
            Re::Literal(points) => store.literal_of(&word(points)),
            Re::Range(low, high) => store.range(&word(low), &word(high)),
            Re::Concat(a, b) => {
                let (a, b) = (a.build(store), b.build(store));
                store.concat(a, b)
            }
            Re::Union(a, b) => {
                let parts = [a.build(store), b.build(store)];
                store.union(&parts)
            }
            Re::Inter(a, b) => {
                let parts = [a.build(store), b.build(store)];
                store.inter(&parts)
            }
            Re::Difference(a, b) => {
                let (a, b) = (a.build(store), b.build(store));
                store.difference(a, b)
            }
            Re::Star(a) => {
                let a = a.build(store);
                store.star(a)
            }
            Re::Plus(a) => {
                let a = a.build(store);
                store.plus(a)
            }
            Re::Optional(a) => {
                let a = a.build(store);
                store.optional(a)
            }
            Re::Complement(a) => {
                let a = a.build(store);
                store.complement(a)
            }
            Re::Power(a, count) => {
                let a = a.build(store);
                store.power(a, *count)
            }
            Re::Loop(a, min, max) => {
                let a = a.build(store);
                store.repeat(a, *min, *max)
            }
        }
    }

    /// Membership word for word as the theory defines it, in exponential time.
    pub fn contains(&self, word: &[u32]) -> bool {
        let split = |a: &Re, b: &dyn Fn(&[u32]) -> bool, from: usize| {
            (from..=word.len()).any(|i| a.contains(&word[..i]) && b(&word[i..]))
        };
        match self {
            Re::None => false,
            Re::All => true,
            Re::AnyCharacter => word.len() == 1,
            Re::Literal(points) => points == word,
            Re::Range(low, high) => {
                low.len() == 1 && high.len() == 1 && word.len() == 1 && low[0] <= word[0] && word[0] <= high[0]
            }
            Re::Concat(a, b) => split(a, &|rest| b.contains(rest), 0),
            Re::Union(a, b) => a.contains(word) || b.contains(word),
            Re::Inter(a, b) => a.contains(word) && b.contains(word),
            Re::Difference(a, b) => a.contains(word) && !b.contains(word),
            // A first empty word can be left out of a sequence of any length.
            Re::Star(a) => word.is_empty() || split(a, &|rest| self.contains(rest), 1),
            Re::Plus(a) => split(a, &|rest| Re::Star(a.clone()).contains(rest), 0),
            Re::Optional(a) => word.is_empty() || a.contains(word),
            Re::Complement(a) => !a.contains(word),
            Re::Power(_, 0) => word.is_empty(),
            Re::Power(a, count) => split(a, &|rest| Re::Power(a.clone(), count - 1).contains(rest), 0),
            Re::Loop(a, min, max) => (*min..=*max).any(|count| Re::Power(a.clone(), count).contains(word)),
        }
    }

    /// The expression as an SMT-LIB term.
    pub fn text(&self) -> String {
        match self {
            Re::None => "re.none".into(),
            Re::All => "re.all".into(),
            Re::AnyCharacter => "re.allchar".into(),
            Re::Literal(points) => format!("(str.to_re {})", literal(points)),
            Re::Range(low, high) => format!("(re.range {} {})", literal(low), literal(high)),
            Re::Concat(a, b) => format!("(re.++ {} {})", a.text(), b.text()),
            Re::Union(a, b) => format!("(re.union {} {})", a.text(), b.text()),
            Re::Inter(a, b) => format!("(re.inter {} {})", a.text(), b.text()),
            Re::Difference(a, b) => format!("(re.diff {} {})", a.text(), b.text()),
            Re::Star(a) => format!("(re.* {})", a.text()),
            Re::Plus(a) => format!("(re.+ {})", a.text()),
            Re::Optional(a) => format!("(re.opt {})", a.text()),
            Re::Complement(a) => format!("(re.comp {})", a.text()),
            Re::Power(a, count) => format!("((_ re.^ {count}) {})", a.text()),
            Re::Loop(a, min, max) => format!("((_ re.loop {min} {max}) {})", a.text()),
        }
    }
}

/// A string literal of the standard with its quotes.
pub fn literal(points: &[u32]) -> String {
    let body = escape(&SmtString::new(points).unwrap(), EscapeDialect::Standard).unwrap();
    format!("\"{}\"", body.replace('"', "\"\""))
}

/// Words of up to `longest` characters of `alphabet`.
pub fn words(alphabet: &'static [u32], longest: usize) -> impl Strategy<Value = Vec<u32>> + Clone {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..=longest)
}

fn single(alphabet: &'static [u32]) -> impl Strategy<Value = Vec<u32>> + Clone {
    proptest::sample::select(alphabet).prop_map(|character| vec![character])
}

/// Expressions over `alphabet` that are up to `depth` operators deep.
pub fn expressions(alphabet: &'static [u32], depth: u32) -> impl Strategy<Value = Re> + Clone {
    let leaf = prop_oneof![
        1 => Just(Re::None),
        1 => Just(Re::All),
        2 => Just(Re::AnyCharacter),
        6 => words(alphabet, 3).prop_map(Re::Literal),
        3 => (single(alphabet), single(alphabet)).prop_map(|(low, high)| Re::Range(low, high)),
        1 => (words(alphabet, 2), words(alphabet, 2)).prop_map(|(low, high)| Re::Range(low, high)),
    ];
    leaf.prop_recursive(depth, 12, 2, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let two = (one.clone(), one.clone());
        prop_oneof![
            4 => two.clone().prop_map(|(a, b)| Re::Concat(a, b)),
            3 => two.clone().prop_map(|(a, b)| Re::Union(a, b)),
            2 => two.clone().prop_map(|(a, b)| Re::Inter(a, b)),
            1 => two.prop_map(|(a, b)| Re::Difference(a, b)),
            3 => one.clone().prop_map(Re::Star),
            1 => one.clone().prop_map(Re::Plus),
            1 => one.clone().prop_map(Re::Optional),
            2 => one.clone().prop_map(Re::Complement),
            1 => (one.clone(), 0u64..4).prop_map(|(a, count)| Re::Power(a, count)),
            2 => (one, 0u64..4, 0u64..5).prop_map(|(a, min, max)| Re::Loop(a, min, max)),
        ]
    })
}
