//! Algebraic numbers in solvers' models: found in the text, read as roots of polynomials, and replaced by names.
//!
//! The spellings are z3's `(root-obj (+ (^ x 2) (- 2)) 1)` with roots counted from 1, cvc5's
//! `(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)`, the same payload without the list around it (yices), and
//! `(root-of-with-interval (coeffs (- 2) 0 1) 1.0 2.0)` and `(root-of-with-ordering (coeffs (- 2) 0 1) 0)`, counted from 0,
//! of the model validation track of SMT-COMP, with coefficients from the constant one upwards. None of them but the last
//! two is SMT-LIB syntax, so they are taken out before the text is read as terms.

use crate::algebraic::{AlgebraicError, AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::sexpr::{SexprNode, Sexprs};
use std::borrow::Cow;
use std::ops::Range;

/// An algebraic number of a model, by its name in the text.
pub(crate) struct NamedRoot {
    pub(crate) name: String,
    pub(crate) value: Result<Value, String>,
}

/// A model's text without its algebraic numbers, and the numbers.
pub(crate) struct NamedRoots<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) roots: Vec<NamedRoot>,
}

/// The most different algebraic numbers read from one model.
const MAX_ROOTS: usize = 1024;

/// The maximum length of a numeral in a polynomial, in digits.
const MAX_DIGITS: usize = 4096;

/// The deepest nesting in a polynomial.
const MAX_NESTING: usize = 32;

/// Replaces every algebraic number by a name, equal spellings by the same name.
pub(crate) fn name_roots(text: &str) -> NamedRoots<'_> {
    if !text.contains("root-o") && !text.contains("real_algebraic_number") && !text.contains('<') {
        return NamedRoots { text: Cow::Borrowed(text), roots: Vec::new() };
    }
    let all = Sexprs::read(text);
    let mut out = String::new();
    let mut copied = 0;
    let mut roots: Vec<NamedRoot> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    let stem = fresh_stem(text);
    for node in all.nodes() {
        let start = all.span(node).start;
        let span = match all.is_list(node) {
            // It is inside a number, or the rest of one.
            _ if start < copied => continue,
            true if is_number_list(&all, node) => all.span(node),
            false if all.text(node).starts_with('<') => match payload(text, start) {
                Some(span) => span,
                None => continue,
            },
            _ => continue,
        };
        let spelling = &text[span.clone()];
        let number = match known.get(spelling) {
            Some(&number) => number,
            None if roots.len() >= MAX_ROOTS => break,
            None => {
                let name = format!("{stem}!{}", roots.len());
                roots.push(NamedRoot { name, value: read(spelling) });
                known.insert(spelling, roots.len() - 1);
                roots.len() - 1
            }
        };
        out.push_str(&text[copied..span.start]);
        out.push_str(&format!("|{}|", roots[number].name));
        copied = span.end;
    }
    out.push_str(&text[copied..]);
    NamedRoots { text: Cow::Owned(out), roots }
}

/// Returns a prefix of no name in the text.
fn fresh_stem(text: &str) -> String {
    let mut stem = "squall!root".to_string();
    while text.contains(&stem) {
        stem.push('!');
    }
    stem
}

/// Whether a list is a spelling of a number.
fn is_number_list(all: &Sexprs<'_>, list: SexprNode) -> bool {
    let mut words = all.children(list).map(|node| all.text(node));
    match words.next() {
        Some("_") => words.next() == Some("real_algebraic_number"),
        Some(head) => HEADS.contains(&head),
        None => false,
    }
}

const HEADS: [&str; 5] =
    ["root-obj", "root-of-with-interval", "root-of-with-enclosure", "root-of-with-ordering", "root-of-with-order"];

/// Returns the span of `<polynomial, (low, high)>` at `at`, if it can be read as that; `<` is an operator, too.
fn payload(text: &str, at: usize) -> Option<Range<usize>> {
    let mut reader = Infix::new(&text[at..]);
    reader.interval().ok()?;
    Some(at..text.len() - reader.rest.len())
}

fn read(spelling: &str) -> Result<Value, String> {
    let limits = &AlgebraicLimits::EVALUATION;
    let all = &Sexprs::read(spelling);
    let parts: Vec<SexprNode> = all.top().take(1).flat_map(|list| all.children(list)).collect();
    let number = match (parts.first().map(|&head| all.text(head)), &parts[..]) {
        (None, _) => between(spelling, limits)?,
        (Some("_"), &[_, _, payload, ..]) => between(&spelling[all.span(payload).start..], limits)?,
        (Some("root-obj"), &[_, polynomial, index]) => {
            let polynomial = integral(prefix(all, polynomial, 0, &mut None)?)?;
            AlgebraicNumber::root(&polynomial, natural(all.text(index))?, limits)
        }
        (Some("root-of-with-ordering" | "root-of-with-order"), &[_, coefficients, index]) => {
            let polynomial = integral(coefficient_list(all, coefficients)?)?;
            AlgebraicNumber::root(&polynomial, natural(all.text(index))?.saturating_add(1), limits)
        }
        (Some("root-of-with-interval" | "root-of-with-enclosure"), &[_, coefficients, low, high]) => {
            let polynomial = integral(coefficient_list(all, coefficients)?)?;
            AlgebraicNumber::root_between(&polynomial, &constant(all, low)?, &constant(all, high)?, limits)
        }
        _ => return Err("this is not an algebraic number".to_string()),
    };
    number.and_then(|n| Value::algebraic(n, limits)).map_err(|error| error.to_string())
}

/// Reads the root at the start of a text, as `<polynomial, (low, high)>`.
fn between(text: &str, limits: &AlgebraicLimits) -> Result<Result<AlgebraicNumber, AlgebraicError>, String> {
    let (polynomial, low, high) = Infix::new(text).interval()?;
    Ok(AlgebraicNumber::root_between(&integral(polynomial)?, &low, &high, limits))
}

/// A polynomial with rational coefficients, the constant one first.
type Rational = Vec<RBig>;

/// Returns the polynomial times a common denominator of its coefficients, which has the same roots.
fn integral(mut polynomial: Rational) -> Result<IntPolynomial, String> {
    for n in 0..polynomial.len() {
        let denominator = RBig::from(polynomial[n].denominator().clone());
        if !denominator.is_one() {
            polynomial.iter_mut().for_each(|c| *c *= &denominator);
        }
    }
    let coefficients: Vec<IBig> = polynomial.iter().map(|c| c.numerator().clone()).collect();
    Ok(IntPolynomial::new(coefficients))
}

fn natural(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{}` is not an index of a root", shortened(text)))
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

fn plus(mut a: Rational, b: Rational) -> Rational {
    if a.len() < b.len() {
        a.resize(b.len(), RBig::ZERO);
    }
    a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
    a
}

fn times(a: &Rational, b: &Rational) -> Result<Rational, String> {
    let length = (a.len() + b.len()).saturating_sub(1);
    if length > AlgebraicLimits::EVALUATION.degree + 1 {
        return Err("the polynomial's degree is above the bound".to_string());
    }
    let mut product = vec![RBig::ZERO; length];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    Ok(product)
}

fn negative(a: Rational) -> Rational {
    a.into_iter().map(|c| -c).collect()
}

fn power(base: &Rational, exponent: &Rational) -> Result<Rational, String> {
    let exponent = match &exponent[..] {
        [e] if e.is_int() => usize::try_from(e.numerator()).ok(),
        _ => None,
    };
    let exponent = exponent.filter(|&e| e <= AlgebraicLimits::EVALUATION.degree);
    let exponent = exponent.ok_or("an exponent of the polynomial is not a small natural number")?;
    let mut result = vec![RBig::ONE];
    for _ in 0..exponent {
        result = times(&result, base)?;
    }
    Ok(result)
}

fn quotient(a: &Rational, b: &Rational) -> Result<Rational, String> {
    match &b[..] {
        [divisor] if !divisor.is_zero() => Ok(a.iter().map(|c| c / divisor).collect()),
        _ => Err("a polynomial is divided by something else than a number".to_string()),
    }
}

/// Returns a numeral or decimal.
fn numeral(text: &str) -> Result<RBig, String> {
    let error = || format!("`{}` is not a numeral, or too long", shortened(text));
    if text.len() > MAX_DIGITS {
        return Err(error());
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return Err(error());
    }
    let all = IBig::from_str_radix(&format!("{whole}{fraction}"), 10).map_err(|_| error())?;
    Ok(RBig::from(all) / RBig::from(IBig::from(10).pow(fraction.len())))
}

/// Returns the variable of a number's polynomial, which has one.
fn variable<'t>(name: &'t str, known: &mut Option<&'t str>) -> Result<Rational, String> {
    let is_symbol = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '|' | '@' | '$' | '!'));
    match is_symbol && *known.get_or_insert(name) == name {
        true => Ok(vec![RBig::ZERO, RBig::ONE]),
        false => Err(format!("`{}` is not the variable of the polynomial", shortened(name))),
    }
}

/// Returns a polynomial as an SMT-LIB term over one variable.
fn prefix<'t>(
    all: &Sexprs<'t>,
    node: SexprNode,
    nesting: usize,
    known: &mut Option<&'t str>,
) -> Result<Rational, String> {
    if nesting > MAX_NESTING {
        return Err("the polynomial is nested too deep".to_string());
    }
    let text = all.text(node);
    if !all.is_list(node) {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(vec![numeral(text)?]);
        }
        return variable(text, known);
    }
    let mut parts = all.children(node);
    let head = parts.next().ok_or("an empty list is not a polynomial")?;
    let args: Vec<Rational> = parts.map(|part| prefix(all, part, nesting + 1, known)).collect::<Result<_, _>>()?;
    let Some((first, others)) = args.split_first() else {
        return Err("an operator without arguments is not a polynomial".to_string());
    };
    let mut result = first.clone();
    match (all.text(head), others) {
        ("-", []) => result = negative(result),
        ("+", _) => others.iter().for_each(|a| result = plus(std::mem::take(&mut result), a.clone())),
        ("-", _) => others.iter().for_each(|a| result = plus(std::mem::take(&mut result), negative(a.clone()))),
        ("*", _) => others.iter().try_for_each(|a| times(&result, a).map(|product| result = product))?,
        ("/", [divisor]) => result = quotient(&result, divisor)?,
        ("^", [exponent]) => result = power(&result, exponent)?,
        (other, _) => return Err(format!("`{}` is not an operator of polynomials", shortened(other))),
    }
    Ok(result)
}

fn constant(all: &Sexprs<'_>, node: SexprNode) -> Result<RBig, String> {
    match &prefix(all, node, 0, &mut None)?[..] {
        [c] => Ok(c.clone()),
        _ => Err(format!("`{}` is not a rational number", shortened(all.text(node)))),
    }
}

/// `(coeffs c0 c1 …)`, or the same without the keyword.
fn coefficient_list(all: &Sexprs<'_>, list: SexprNode) -> Result<Rational, String> {
    let coefficients = all.children(list).skip_while(|&node| all.text(node) == "coeffs");
    let coefficients: Vec<SexprNode> = coefficients.take(AlgebraicLimits::EVALUATION.degree + 2).collect();
    if coefficients.len() > AlgebraicLimits::EVALUATION.degree + 1 {
        return Err("the polynomial's degree is above the bound".to_string());
    }
    coefficients.into_iter().map(|node| constant(all, node)).collect()
}

/// A reader of `<1*x^2 + (-2), (5/4, 3/2)>`.
struct Infix<'t> {
    rest: &'t str,
    variable: Option<&'t str>,
}

impl<'t> Infix<'t> {
    fn new(text: &'t str) -> Infix<'t> {
        Infix { rest: text, variable: None }
    }

    fn interval(&mut self) -> Result<(Rational, RBig, RBig), String> {
        self.demand(&['<'])?;
        let polynomial = self.sum(0)?;
        self.demand(&[','])?;
        self.demand(&['(', '['])?;
        let low = self.number()?;
        self.demand(&[','])?;
        let high = self.number()?;
        self.demand(&[')', ']'])?;
        self.demand(&['>'])?;
        Ok((polynomial, low, high))
    }

    fn number(&mut self) -> Result<RBig, String> {
        match &self.sum(0)?[..] {
            [c] => Ok(c.clone()),
            _ => Err("an end of the interval is not a number".to_string()),
        }
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let c = self.rest.chars().next().filter(|c| wanted.contains(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn demand(&mut self, wanted: &[char]) -> Result<(), String> {
        self.take(wanted).map(|_| ()).ok_or_else(|| format!("`{}` is not expected here", shortened(self.rest)))
    }

    fn sum(&mut self, nesting: usize) -> Result<Rational, String> {
        if nesting > MAX_NESTING {
            return Err("the polynomial is nested too deep".to_string());
        }
        let mut result = self.product(nesting)?;
        while let Some(sign) = self.take(&['+', '-']) {
            let next = self.product(nesting)?;
            result = plus(result, if sign == '-' { negative(next) } else { next });
        }
        Ok(result)
    }

    fn product(&mut self, nesting: usize) -> Result<Rational, String> {
        let minus = self.take(&['-']).is_some();
        let mut result = self.factor(nesting)?;
        while let Some(sign) = self.take(&['*', '/']) {
            let next = self.factor(nesting)?;
            result = if sign == '*' { times(&result, &next)? } else { quotient(&result, &next)? };
        }
        Ok(if minus { negative(result) } else { result })
    }

    fn factor(&mut self, nesting: usize) -> Result<Rational, String> {
        let base = if self.take(&['(']).is_some() {
            let inner = self.sum(nesting + 1)?;
            self.demand(&[')'])?;
            inner
        } else {
            self.rest = self.rest.trim_start();
            let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(length);
            self.rest = rest;
            match word.bytes().next() {
                Some(b) if b.is_ascii_digit() => vec![numeral(word)?],
                Some(_) => variable(word, &mut self.variable)?,
                None => return Err(format!("`{}` is not part of a polynomial", shortened(self.rest))),
            }
        };
        match self.take(&['^']) {
            Some(_) => power(&base, &self.factor(nesting + 1)?),
            None => Ok(base),
        }
    }
}
