//! Text to strategies, every name checked and every argument of the right kind.
//!
//! Invariant: nesting is bounded by [`MAX_DEPTH`], so that nothing that walks a strategy can overflow the stack.

use super::vocabulary::{Arguments, ProbeKind, StrategyVocabulary};
use super::{Arithmetic, GoalProbe, MAX_NICE, Measure, MeasureComparison, Param, ParamValue, Strategy};
use crate::error::Error;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::suggest::nearest_names;

/// The deepest that parentheses of a strategy may nest.
pub const MAX_DEPTH: usize = 200;

/// The tacticals with what they take, for messages and suggestions.
const TACTICALS: &[(&str, &str)] = &[
    ("then", "(then S S …)"),
    ("and-then", "(then S S …)"),
    ("thens", "(thens S S …): a strategy, then one for each of its subgoals"),
    ("or-else", "(or-else S S …)"),
    ("par-or", "(par-or S S …)"),
    ("par-then", "(par-then S S …)"),
    ("repeat", "(repeat S) or (repeat S rounds)"),
    ("repeat-up-to", "(repeat-up-to S rounds)"),
    ("try-for", "(try-for S milliseconds)"),
    ("nice", "(nice S n), n from 1 to 19"),
    ("if", "(if PROBE S S)"),
    ("ite", "(if PROBE S S)"),
    ("cond", "(if PROBE S S)"),
    ("when", "(when PROBE S)"),
    ("fail-if", "(fail-if PROBE)"),
    ("using-params", "(using-params S :key value …)"),
    ("with", "(using-params S :key value …)"),
    ("!", "(! S :key value …)"),
    ("solver", "(solver SPEC) or (solver SPEC :option value … :tactic S)"),
];

/// Words with which probes begin.
const PROBE_WORDS: &[&str] = &["and", "or", "not", "=>", "<", "<=", ">", ">=", "=", "+", "-", "*", "/"];

/// Reads a strategy over a vocabulary; the text must hold nothing else but comments.
///
/// # Errors
/// The first mistake, with its place in `source`: an unknown name (and the nearest known ones), an argument too many or too
/// few, a probe where a strategy is wanted.
pub fn parse_strategy(source: &str, vocabulary: &StrategyVocabulary) -> Result<Strategy, Error> {
    let mut reader = StrategyReader { source, lexer: Lexer::new(source), vocabulary, depth: 0 };
    let strategy = reader.strategy()?;
    let rest = reader.lexer.next()?;
    match rest.kind {
        TokenKind::End => Ok(strategy),
        _ => Err(Error::new(rest.span(), "text after the strategy")
            .help("one strategy is one expression; (then S S) does one after the other")),
    }
}

struct StrategyReader<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    vocabulary: &'a StrategyVocabulary,
    depth: usize,
}

/// What is said of a name's use: arity mistakes point at the whole expression's head.
struct NameUse<'a> {
    name: &'a str,
    token: Token,
}

impl<'a> StrategyReader<'a> {
    fn text(&self, token: Token) -> &'a str {
        &self.source[token.span()]
    }

    fn peek(&mut self) -> Result<Token, Error> {
        let at = self.lexer.position();
        let token = self.lexer.next();
        self.lexer.seek(at);
        token
    }

    fn at_close(&mut self) -> Result<bool, Error> {
        Ok(matches!(self.peek()?.kind, TokenKind::Close | TokenKind::End))
    }

    fn enter(&mut self, open: Token) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new(open.span(), format!("parentheses nest deeper than {MAX_DEPTH}"))
                .help("name a part of it in squall.toml and use the name"));
        }
        Ok(())
    }

    /// The `)` of an expression whose head wants no more arguments.
    fn close(&mut self, head: &NameUse<'_>) -> Result<(), Error> {
        self.depth -= 1;
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Close => Ok(()),
            TokenKind::End => Err(self.never_closed(head)),
            _ => Err(self.wants(Error::new(token.span(), format!("`{}` takes no more arguments", head.name)), head)),
        }
    }

    fn never_closed(&self, head: &NameUse<'_>) -> Error {
        Error::new(head.token.span(), format!("the expression of this `{}` is never closed", head.name))
            .help("the text ends before its `)`")
    }

    fn wants(&self, error: Error, head: &NameUse<'_>) -> Error {
        match TACTICALS.iter().find(|(name, _)| *name == head.name) {
            Some((_, form)) => error.help(format!("it is written {form}")),
            None => error,
        }
    }

    fn too_few(&self, head: &NameUse<'_>) -> Error {
        self.wants(Error::new(head.token.span(), format!("`{}` has too few arguments", head.name)), head)
    }

    fn strategy(&mut self) -> Result<Strategy, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol => self.named(token),
            TokenKind::Open => {
                self.enter(token)?;
                let head = self.lexer.next()?;
                match head.kind {
                    TokenKind::Symbol => self.applied(NameUse { name: self.text(head), token: head }),
                    _ => Err(Error::new(head.span(), "a strategy's name was expected after the `(`")
                        .help("for example (then simplify smt)")),
                }
            }
            TokenKind::End => Err(Error::new(token.span(), "the text ends where a strategy was expected")
                .help("for example simplify, or (then simplify smt)")),
            TokenKind::Numeral | TokenKind::Decimal => Err(Error::new(
                token.span(),
                format!("the number {} stands where a strategy belongs", self.text(token)),
            )),
            _ => Err(Error::new(token.span(), format!("`{}` is no strategy", self.text(token)))),
        }
    }

    /// A name without parentheses.
    fn named(&mut self, token: Token) -> Result<Strategy, Error> {
        let name = self.text(token);
        if let Some(known) = self.vocabulary.tactics.get(name) {
            return match known.arguments {
                Arguments::Strategy => {
                    Err(Error::new(token.span(), format!("`{name}` needs a strategy")).help(format!("({name} S)")))
                }
                _ => Ok(Strategy::tactic(name)),
            };
        }
        if let Some(strategy) = self.vocabulary.strategies.get(name) {
            return Ok(strategy.clone());
        }
        match name {
            "skip" | "fail" => Ok(Strategy::tactic(name)),
            _ => Err(self.unknown(name, token)),
        }
    }

    fn unknown(&self, name: &str, token: Token) -> Error {
        if let Some((_, form)) = TACTICALS.iter().find(|(known, _)| *known == name) {
            return Error::new(token.span(), format!("`{name}` needs arguments")).help(format!("it is written {form}"));
        }
        if self.vocabulary.probes.contains_key(name) {
            return Error::new(token.span(), format!("`{name}` is a probe, and a strategy belongs here"))
                .help("(when PROBE S), (if PROBE S S) and (fail-if PROBE) take probes");
        }
        let words = self.vocabulary.tactics.keys().chain(self.vocabulary.strategies.keys()).map(String::as_str);
        let known = words.chain(TACTICALS.iter().map(|t| t.0)).chain(["skip", "fail"]);
        let help = nearest_names(name, known).unwrap_or_else(|| "`squall tactics` lists them".to_string());
        Error::new(token.span(), format!("there is no tactic `{name}`")).help(help)
    }

    fn applied(&mut self, head: NameUse<'a>) -> Result<Strategy, Error> {
        let strategy = match head.name {
            "then" | "and-then" => Strategy::Then(self.several(&head)?),
            "thens" => Strategy::Thens(self.several(&head)?),
            "or-else" => Strategy::OrElse(self.several(&head)?),
            "par-or" => Strategy::ParOr(self.several(&head)?),
            "par-then" => Strategy::ParThen(self.several(&head)?),
            "repeat" => {
                let inner = self.one(&head)?;
                let bound = if self.at_close()? { None } else { Some(self.numeral(&head, "the number of rounds")?) };
                Strategy::Repeat(Box::new(inner), bound)
            }
            "repeat-up-to" => {
                let inner = self.one(&head)?;
                Strategy::Repeat(Box::new(inner), Some(self.numeral(&head, "the number of rounds")?))
            }
            "try-for" => {
                let inner = self.one(&head)?;
                Strategy::TryFor(Box::new(inner), self.numeral(&head, "the time in milliseconds")?)
            }
            "nice" => {
                let inner = self.one(&head)?;
                let start = self.lexer.position();
                let by = self.numeral(&head, "what the priority is lowered by")?;
                if !(1..=MAX_NICE).contains(&by) {
                    let error =
                        Error::new(start..self.lexer.position(), format!("a priority cannot be lowered by {by}"));
                    return Err(self.wants(error, &head));
                }
                Strategy::Nice(Box::new(inner), by)
            }
            "if" | "ite" | "cond" => {
                let probe = self.probe()?;
                Strategy::If(probe, Box::new(self.one(&head)?), Box::new(self.one(&head)?))
            }
            "when" => Strategy::When(self.probe()?, Box::new(self.one(&head)?)),
            "fail-if" => Strategy::FailIf(self.probe()?),
            "using-params" | "with" | "!" => {
                let inner = self.one(&head)?;
                let params = self.params(Some(&inner))?;
                if params.is_empty() { inner } else { Strategy::UsingParams(Box::new(inner), params) }
            }
            "solver" => {
                let token = self.lexer.next()?;
                let spec = match token.kind {
                    TokenKind::Symbol => self.text(token).to_string(),
                    TokenKind::Quoted => self.source[token.start + 1..token.end - 1].to_string(),
                    TokenKind::String => self.source[token.start + 1..token.end - 1].replace("\"\"", "\""),
                    TokenKind::Close | TokenKind::End => return Err(self.too_few(&head)),
                    _ => {
                        let found = self.text(token);
                        return Err(Error::new(token.span(), format!("`{found}` names no solver"))
                            .help("write for example (solver z3@4.15.4) or (solver \"./my-solver --flag\")"));
                    }
                };
                if spec.trim().is_empty() {
                    return Err(Error::new(token.span(), "no solver is named")
                        .help("write for example (solver z3@4.15.4) or (solver \"./my-solver --flag\")"));
                }
                Strategy::Solver(spec.into(), self.params(None)?)
            }
            name => match self.vocabulary.tactics.get(name).map(|known| known.arguments) {
                Some(Arguments::None) => {
                    // `(simplify)` is `simplify`.
                    Strategy::tactic(name)
                }
                Some(Arguments::Optional) if self.at_close()? => Strategy::tactic(name),
                Some(_) => Strategy::Over(name.into(), Box::new(self.one(&head)?)),
                None if PROBE_WORDS.contains(&name) => {
                    return Err(Error::new(head.token.span(), "a probe stands where a strategy belongs")
                        .help("(when PROBE S), (if PROBE S S) and (fail-if PROBE) take probes"));
                }
                None => self.named(head.token)?,
            },
        };
        self.close(&head)?;
        Ok(strategy)
    }

    fn one(&mut self, head: &NameUse<'_>) -> Result<Strategy, Error> {
        if self.at_close()? { Err(self.too_few(head)) } else { self.strategy() }
    }

    fn several(&mut self, head: &NameUse<'_>) -> Result<Box<[Strategy]>, Error> {
        let mut parts = vec![self.one(head)?];
        while !self.at_close()? {
            parts.push(self.strategy()?);
        }
        Ok(parts.into())
    }

    fn numeral(&mut self, head: &NameUse<'_>, what: &str) -> Result<u32, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Numeral => self
                .text(token)
                .parse()
                .map_err(|_| Error::new(token.span(), "this number is too large").help("at most 4294967295 here")),
            TokenKind::Close | TokenKind::End => Err(self.too_few(head)),
            _ => {
                let found = self.text(token);
                let error = Error::new(token.span(), format!("`{found}` stands where {what} belongs"));
                Err(self.wants(error, head))
            }
        }
    }

    /// `:key value …` up to the `)`; of tactics, the keys are checked.
    fn params(&mut self, of: Option<&Strategy>) -> Result<Box<[Param]>, Error> {
        let mut params = Vec::new();
        while !self.at_close()? {
            let token = self.lexer.next()?;
            if token.kind != TokenKind::Keyword {
                let found = self.text(token);
                return Err(Error::new(token.span(), format!("`{found}` stands where a parameter belongs"))
                    .help("parameters are written :key value"));
            }
            let key = &self.text(token)[1..];
            if let Some(inner) = of {
                self.check_key(inner, key, token)?;
            }
            let value = self.param_value(key, of.is_none())?;
            params.push(Param { key: key.into(), value });
        }
        Ok(params.into())
    }

    fn param_value(&mut self, key: &str, of_solver: bool) -> Result<ParamValue, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol if of_solver && key == "tactic" => Ok(ParamValue::Text(self.text(token).into())),
            TokenKind::Open if of_solver => {
                let mut depth = 1usize;
                while depth > 0 {
                    match self.lexer.next()?.kind {
                        TokenKind::Open => depth += 1,
                        TokenKind::Close => depth -= 1,
                        TokenKind::End => {
                            return Err(Error::new(token.span(), "this `(` is never closed")
                                .help("the text ends before its `)`"));
                        }
                        _ => {}
                    }
                }
                Ok(ParamValue::Text(self.source[token.start..self.lexer.position()].into()))
            }
            TokenKind::Close | TokenKind::End | TokenKind::Keyword | TokenKind::Open => {
                let error = Error::new(token.span(), format!("the parameter :{key} has no value"));
                Err(if of_solver {
                    error.help("quote a solver's name that holds a colon: \"builtin:sat\"")
                } else {
                    error
                })
            }
            _ => Ok(ParamValue::Word(self.text(token).into())),
        }
    }

    /// A parameter must be one of some tactic within.
    fn check_key(&self, inner: &Strategy, key: &str, token: Token) -> Result<(), Error> {
        let mut known = Vec::new();
        let mut rest = vec![inner];
        while let Some(s) = rest.pop() {
            if let Strategy::Tactic(name) | Strategy::Over(name, _) = s {
                match self.vocabulary.tactics.get(&**name).map(|t| &t.params) {
                    Some(None) => return Ok(()),
                    Some(Some(params)) => known.extend(params.iter().map(String::as_str)),
                    None => {}
                }
            }
            rest.extend(s.parts());
        }
        let wanted = key.replace('_', "-");
        if known.contains(&wanted.as_str()) {
            return Ok(());
        }
        known.sort_unstable();
        known.dedup();
        let help = nearest_names(&wanted, known.iter().copied()).unwrap_or_else(|| match known.is_empty() {
            true => "no tactic here has parameters".to_string(),
            false => format!("there are {}", known.join(", ")),
        });
        Err(Error::new(token.span(), format!("no tactic here has a parameter `{key}`")).help(help))
    }
}

/// Probes.
impl<'a> StrategyReader<'a> {
    fn probe(&mut self) -> Result<GoalProbe, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol => {
                let name = self.text(token);
                match self.vocabulary.probes.get(name).map(|p| p.kind) {
                    Some(ProbeKind::Truth | ProbeKind::Either) => Ok(GoalProbe::Named(name.into())),
                    Some(ProbeKind::Number) => {
                        Err(Error::new(token.span(), format!("`{name}` is a number, and yes or no is wanted here"))
                            .help(format!("compare it, for example (> {name} 0)")))
                    }
                    None => Err(self.unknown_probe(name, token)),
                }
            }
            TokenKind::Open => {
                self.enter(token)?;
                let head = self.lexer.next()?;
                self.probe_applied(NameUse { name: self.text(head), token: head })
            }
            TokenKind::Close | TokenKind::End => Err(Error::new(token.span(), "a probe was expected here")
                .help("for example is-qfbv, or (> num-consts 100)")),
            _ => Err(Error::new(token.span(), format!("`{}` is no probe", self.text(token)))
                .help("for example is-qfbv, or (> num-consts 100)")),
        }
    }

    fn unknown_probe(&self, name: &str, token: Token) -> Error {
        let is_tactic = self.vocabulary.tactics.contains_key(name) || TACTICALS.iter().any(|t| t.0 == name);
        if is_tactic {
            return Error::new(token.span(), format!("`{name}` is a tactic, and a probe belongs here"))
                .help("for example is-qfbv, or (> num-consts 100)");
        }
        let known = self.vocabulary.probes.keys().map(String::as_str);
        let help = nearest_names(name, known).unwrap_or_else(|| "`squall probes` lists them".to_string());
        Error::new(token.span(), format!("there is no probe `{name}`")).help(help)
    }

    fn probe_applied(&mut self, head: NameUse<'a>) -> Result<GoalProbe, Error> {
        let comparison = MeasureComparison::ALL.iter().find(|(_, text)| *text == head.name);
        let probe = match head.name {
            "not" => GoalProbe::Not(Box::new(self.probe()?)),
            "and" => GoalProbe::And(self.probes(&head)?),
            "or" => GoalProbe::Or(self.probes(&head)?),
            "=>" | "implies" => GoalProbe::Implies(Box::new(self.probe()?), Box::new(self.probe()?)),
            _ => match comparison {
                Some((how, _)) => GoalProbe::Compare(*how, Box::new(self.measure()?), Box::new(self.measure()?)),
                None if Arithmetic::ALL.iter().any(|(_, text)| *text == head.name) => {
                    return Err(Error::new(head.token.span(), "a number stands where yes or no is wanted")
                        .help("compare it, for example (> … 0)"));
                }
                None if head.token.kind == TokenKind::Symbol => return Err(self.unknown_probe(head.name, head.token)),
                None => return Err(Error::new(head.token.span(), "a probe's name was expected after the `(`")),
            },
        };
        self.close(&head)?;
        Ok(probe)
    }

    fn probes(&mut self, head: &NameUse<'_>) -> Result<Box<[GoalProbe]>, Error> {
        let mut parts = Vec::new();
        while !self.at_close()? {
            parts.push(self.probe()?);
        }
        if parts.is_empty() { Err(self.too_few(head)) } else { Ok(parts.into()) }
    }

    fn measure(&mut self) -> Result<Measure, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Numeral | TokenKind::Decimal => Ok(Measure::Literal(self.text(token).into())),
            TokenKind::Symbol => {
                let name = self.text(token);
                match self.vocabulary.probes.get(name).map(|p| p.kind) {
                    Some(ProbeKind::Number | ProbeKind::Either) => Ok(Measure::Named(name.into())),
                    Some(ProbeKind::Truth) => {
                        Err(Error::new(token.span(), format!("`{name}` says yes or no, and a number is wanted here")))
                    }
                    None => Err(self.unknown_probe(name, token)),
                }
            }
            TokenKind::Open => {
                self.enter(token)?;
                let head = self.lexer.next()?;
                let head = NameUse { name: self.text(head), token: head };
                let Some((op, _)) = Arithmetic::ALL.iter().find(|(_, text)| *text == head.name) else {
                    return Err(Error::new(head.token.span(), format!("`{}` makes no number", head.name))
                        .help("numbers are made by +, -, * and /"));
                };
                let mut parts = vec![self.measure()?];
                while !self.at_close()? {
                    parts.push(self.measure()?);
                }
                self.close(&head)?;
                Ok(Measure::Arithmetic(*op, parts.into()))
            }
            _ => Err(Error::new(token.span(), "a number was expected here")
                .help("a numeral, a probe that counts, or arithmetic over them, for example (/ atoms dim)")),
        }
    }
}
