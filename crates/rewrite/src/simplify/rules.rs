//! Rewrite rules as data: patterns and templates parsed once from text, matched at the root of a term.

use crate::commuting::commuting;
use crate::pass::PassError;
use crate::values::is_value;
use dashu_int::UBig;
use smtlib::theories::{THEORIES, Theory};
use smtlib::{Kind, Op, Sort, Store, TermId};
use std::sync::LazyLock;

/// A compiled pattern or template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleTerm {
    /// A variable.
    Variable(usize),
    /// A special value, with the sort required at its position.
    Special(&'static str),
    /// An operator on patterns.
    App(Kind, Vec<RuleTerm>),
}

/// A compiled rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledRule {
    from: RuleTerm,
    to: RuleTerm,
}

const VARIABLES: usize = 26;
const SPECIALS: &[&str] = &["0", "1", "ones", "least", "+zero", "-zero", "+oo", "-oo", "NaN", "one"];

/// All rules by the kind of their root.
static RULES: LazyLock<Vec<Vec<CompiledRule>>> = LazyLock::new(|| {
    let mut rules = vec![Vec::new(); Kind::ALL.len()];
    for [theory, from, to] in rule_lines() {
        // The rules are compiled into the program, and a test parses every one.
        let compiled = compile(theory, from, to).expect("`rules.txt` holds well-formed rules");
        if let RuleTerm::App(kind, _) = compiled.from {
            rules[kind as usize].push(compiled);
        }
    }
    rules
});

/// Returns the rules whose pattern has this root.
pub fn rules_of(kind: Kind) -> &'static [CompiledRule] {
    &RULES[kind as usize]
}

/// Every rule of `rules.txt`: its theory, its pattern, and the template of what takes its place.
pub fn rule_lines() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = include_str!("rules.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut theory = "";
    lines.filter_map(move |line| {
        if let Some(name) = line.strip_prefix('[') {
            theory = name.trim_end_matches(']');
            return None;
        }
        let (from, to) = line.split_once(" -> ").unwrap_or((line, ""));
        Some([theory, from, to])
    })
}

/// Compiles a rule; `None` if it is ill-formed.
pub fn compile(theory: &str, from: &str, to: &str) -> Option<CompiledRule> {
    let theory = THEORIES.iter().find(|t| t.name == theory)?;
    let compiled = CompiledRule { from: shape(theory, from)?, to: shape(theory, to)? };
    let (mut bound, mut used) = (0u32, 0u32);
    variables(&compiled.from, &mut bound);
    variables(&compiled.to, &mut used);
    (matches!(compiled.from, RuleTerm::App(..)) && used & !bound == 0).then_some(compiled)
}

fn variables(shape: &RuleTerm, set: &mut u32) {
    match shape {
        RuleTerm::Variable(n) => *set |= 1 << n,
        RuleTerm::Special(_) => {}
        RuleTerm::App(_, args) => args.iter().for_each(|a| variables(a, set)),
    }
}

/// Parses one expression, with an explicit stack of open lists.
fn shape(theory: &Theory, text: &str) -> Option<RuleTerm> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<&str>> = Vec::new();
    let mut args: Vec<Vec<RuleTerm>> = vec![Vec::new()];
    for token in spaced.split_whitespace() {
        match token {
            "(" => {
                open.push(Vec::new());
                args.push(Vec::new());
            }
            ")" => {
                let name = *open.pop()?.first()?;
                let shapes = args.pop()?;
                let kind = operator(theory, name, shapes.len())?;
                args.last_mut()?.push(RuleTerm::App(kind, shapes));
            }
            _ if open.last().is_some_and(Vec::is_empty) => open.last_mut()?.push(token),
            _ => args.last_mut()?.push(atom(theory, token)?),
        }
    }
    match (open.is_empty(), args.as_mut_slice()) {
        (true, [only]) if only.len() == 1 => only.pop(),
        _ => None,
    }
}

fn atom(theory: &Theory, token: &str) -> Option<RuleTerm> {
    if let Some(special) = SPECIALS.iter().find(|s| **s == token) {
        return Some(RuleTerm::Special(special));
    }
    match token.as_bytes() {
        [c @ b'a'..=b'z'] => Some(RuleTerm::Variable((c - b'a') as usize)),
        _ => operator(theory, token, 0).map(|kind| RuleTerm::App(kind, Vec::new())),
    }
}

/// Returns the operator of a name with this number of arguments: the theory's own, else Core's.
fn operator(theory: &Theory, name: &str, args: usize) -> Option<Kind> {
    let core = THEORIES.iter().find(|t| t.name == "Core")?;
    let rows = theory.rows.iter().chain(core.rows);
    rows.filter(|r| r.name == name && r.args.len() == args).map(|r| r.kind).next()
}

/// How applications are made.
pub type MakeApplication<'m> = &'m mut dyn FnMut(&mut Store, Op, &[TermId]) -> Result<TermId, PassError>;

/// What the variables of a pattern stand for.
pub type PatternBindings = [Option<TermId>; VARIABLES];

impl CompiledRule {
    /// Returns what the variables stand for, or `None` if the pattern does not match.
    pub fn matches(&self, store: &Store, t: TermId) -> Option<PatternBindings> {
        let mut bindings = [None; VARIABLES];
        matches(store, &self.from, t, &mut bindings).then_some(bindings)
    }

    /// Returns the template's term. Applications are made by `make`. A special value without a variable next to it gets the sort of
    /// `like`.
    /// Errors: the first error of `make`.
    pub fn instantiate(
        &self,
        store: &mut Store,
        bindings: &PatternBindings,
        like: TermId,
        make: MakeApplication<'_>,
    ) -> Result<TermId, PassError> {
        instantiate(store, &self.to, bindings, like, make)
    }
}

/// Recursion is as deep as the pattern.
fn matches(store: &Store, shape: &RuleTerm, t: TermId, bindings: &mut PatternBindings) -> bool {
    match shape {
        RuleTerm::Variable(n) => match bindings[*n] {
            Some(bound) => bound == t,
            None => {
                bindings[*n] = Some(t);
                true
            }
        },
        RuleTerm::Special(name) => is_special(store, name, t),
        RuleTerm::App(kind, shapes) => {
            let args = store.args(t);
            if store.kind(t) != *kind || args.len() != shapes.len() {
                return false;
            }
            let saved = *bindings;
            if shapes.iter().zip(args).all(|(s, &a)| matches(store, s, a, bindings)) {
                return true;
            }
            *bindings = saved;
            let Some(first) = commuting(*kind).map(|how| how.from).filter(|f| args.len() == f + 2) else {
                return false;
            };
            let mut swapped = args.to_vec();
            swapped.swap(first, first + 1);
            shapes.iter().zip(swapped).all(|(s, a)| matches(store, s, a, bindings))
        }
    }
}

/// Recursion is as deep as the template.
fn instantiate(
    store: &mut Store,
    shape: &RuleTerm,
    bindings: &PatternBindings,
    like: TermId,
    make: MakeApplication<'_>,
) -> Result<TermId, PassError> {
    match shape {
        RuleTerm::Variable(n) => Ok(bindings[*n].unwrap_or(like)),
        RuleTerm::Special(name) => special(store, name, like),
        RuleTerm::App(kind, shapes) => {
            let mut args = Vec::with_capacity(shapes.len());
            // A special value is as wide as a variable next to it; alone it is as wide as the whole.
            let variable = shapes.iter().find_map(|s| match s {
                RuleTerm::Variable(n) => bindings[*n],
                _ => None,
            });
            for s in shapes {
                args.push(instantiate(store, s, bindings, variable.unwrap_or(like), make)?);
            }
            make(store, Op::new(*kind), &args)
        }
    }
}

fn is_special(store: &Store, name: &str, t: TermId) -> bool {
    if !is_value(store, t) {
        return false;
    }
    match store.sorts.get(store.sort(t)) {
        Sort::BitVec(_) => {
            let Some((width, value)) = crate::values::bits(store, t) else { return false };
            match name {
                "0" => value.is_zero(),
                "1" => value.is_one(),
                "ones" => *value == UBig::ones(width as usize),
                "least" => *value == UBig::ONE << (width as usize - 1),
                _ => false,
            }
        }
        Sort::Float { .. } => match store.kind(t) {
            Kind::FpPlusZero => name == "+zero",
            Kind::FpMinusZero => name == "-zero",
            Kind::FpPlusInfinity => name == "+oo",
            Kind::FpMinusInfinity => name == "-oo",
            Kind::FpNan => name == "NaN",
            Kind::Fp => name == "one" && is_float_one(store, t),
            _ => false,
        },
        _ => false,
    }
}

/// Whether an `fp` of literals is 1: sign 0, the biased exponent 2^(eb-1) - 1, significand 0.
fn is_float_one(store: &Store, t: TermId) -> bool {
    let field = |n: usize| crate::values::bits(store, store.args(t)[n]);
    match (field(0), field(1), field(2)) {
        (Some((_, sign)), Some((eb, exponent)), Some((_, significand))) => {
            sign.is_zero() && significand.is_zero() && *exponent == UBig::ones(eb as usize - 1)
        }
        _ => false,
    }
}

/// Returns the special value of a name at the sort of `like`.
fn special(store: &mut Store, name: &str, like: TermId) -> Result<TermId, PassError> {
    let sort = store.sort(like);
    match *store.sorts.get(sort) {
        Sort::BitVec(width) => {
            let value = match name {
                "1" => UBig::ONE,
                "ones" => UBig::ones(width as usize),
                "least" => UBig::ONE << (width as usize - 1),
                _ => UBig::ZERO,
            };
            Ok(store.bitvec(width, &value))
        }
        Sort::Float { eb, sb } => {
            let kind = match name {
                "+zero" => Kind::FpPlusZero,
                "-zero" => Kind::FpMinusZero,
                "+oo" => Kind::FpPlusInfinity,
                "-oo" => Kind::FpMinusInfinity,
                _ => Kind::FpNan,
            };
            Ok(store.app(Op::indexed(kind, eb, sb), &[])?)
        }
        _ => Ok(like),
    }
}
