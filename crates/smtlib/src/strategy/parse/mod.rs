//! Text to strategies: every name is checked, and the kind of every argument.
//!
//! Invariant: nesting is bounded by [`MAX_DEPTH`], with names expanded, so that recursion over strategies cannot overflow the stack.

mod names;
mod probe;

use super::vocabulary::{Arguments, StrategyVocabulary};
use super::vocabulary::{RULES_PARAMETERS, tactical};
use super::{MAX_NICE, Param, ParamValue, Strategy};
use crate::error::Error;
use crate::error::nearest_names;
use crate::lexer::{Lexer, Token, TokenKind};

/// The deepest that parentheses of a strategy may nest.
pub const MAX_DEPTH: usize = 200;

/// The maximum number of nodes that named strategies may add to one that uses them: short names can expand exponentially.
pub const MAX_EXPANDED: usize = 10_000;

/// Heads of probes.
const PROBE_WORDS: &[&str] = &["and", "or", "not", "=>", "<", "<=", ">", ">=", "=", "+", "-", "*", "/"];

/// Reads a strategy over a vocabulary; the text may otherwise contain only comments. A text that begins with `name(` has the spelling of
/// the talk "Orchestrating decision engines": `then(simplify, smt(icp))`.
/// Errors: the first error, with its position in `source`: an unknown name (and the nearest known ones), a surplus or missing
/// argument, a probe instead of a strategy.
pub fn parse_strategy(source: &str, vocabulary: &StrategyVocabulary) -> Result<Strategy, Error> {
    let spaced = commas_as_blanks(source);
    let source = spaced.as_deref().unwrap_or(source);
    let (lexer, heads_outside) = (Lexer::new(source), spaced.is_some());
    let mut reader = StrategyReader { source, lexer, vocabulary, heads_outside, depth: 0, expanded: 0 };
    let strategy = reader.strategy()?;
    let rest = reader.lexer.next()?;
    match rest.kind {
        TokenKind::End => Ok(strategy),
        _ => Err(Error::new(rest.span(), "text after the strategy")
            .help("one strategy is one expression; (then S S) does one after the other")),
    }
}

/// Returns the text with blanks for the commas outside quotes and comments, if it begins with `name(`. All other bytes keep their places.
fn commas_as_blanks(source: &str) -> Option<String> {
    let first = Lexer::new(source).next().ok().filter(|token| token.kind == TokenKind::Symbol)?;
    if !source[first.end..].starts_with('(') {
        return None;
    }
    let mut quote = None;
    let spaced = source.chars().map(|c| {
        match (quote, c) {
            (None, '"' | '|') => quote = Some(c),
            (None, ';') => quote = Some('\n'),
            (None, ',') => return ' ',
            (Some(end), _) if end == c => quote = None,
            _ => {}
        }
        c
    });
    Some(spaced.collect())
}

struct StrategyReader<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    vocabulary: &'a StrategyVocabulary,
    /// Whether `name(` is the head of an expression.
    heads_outside: bool,
    depth: usize,
    /// The nodes from expanded names so far.
    expanded: usize,
}

/// The use of a name: arity errors point at the whole expression's head.
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

    /// The `)` of an expression whose head takes no more arguments.
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
        match tactical(head.name) {
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
            TokenKind::Symbol if self.heads_outside && self.source[token.end..].starts_with('(') => {
                let open = self.lexer.next()?;
                self.enter(open)?;
                self.applied(NameUse { name: self.text(token), token })
            }
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
            TokenKind::Numeral | TokenKind::Decimal => {
                Err(Error::new(token.span(), format!("the number {} is not a strategy", self.text(token))))
            }
            _ => Err(Error::new(token.span(), format!("`{}` is no strategy", self.text(token)))),
        }
    }

    fn applied(&mut self, head: NameUse<'a>) -> Result<Strategy, Error> {
        let strategy = match tactical(head.name).map_or(head.name, |(name, _)| name) {
            "then" => Strategy::Then(self.several(&head)?),
            "thens" => Strategy::Thens(self.several(&head)?),
            "or-else" => Strategy::OrElse(self.several(&head)?),
            "par-or" => Strategy::ParOr(self.several(&head)?),
            "par-then" => Strategy::ParThen(self.several(&head)?),
            "repeat" => Strategy::Repeat(Box::new(self.one(&head)?), self.rounds(&head)?),
            "refine" => {
                let (under, over) = (self.one(&head)?, self.one(&head)?);
                Strategy::Refine(Box::new(under), Box::new(over), self.rounds(&head)?)
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
                let by = self.numeral(&head, "the amount to lower the priority by")?;
                if !(1..=MAX_NICE).contains(&by) {
                    let error =
                        Error::new(start..self.lexer.position(), format!("a priority cannot be lowered by {by}"));
                    return Err(self.wants(error, &head));
                }
                Strategy::Nice(Box::new(inner), by)
            }
            "if" => {
                let probe = self.probe()?;
                Strategy::If(probe, Box::new(self.one(&head)?), Box::new(self.one(&head)?))
            }
            "when" => Strategy::When(self.probe()?, Box::new(self.one(&head)?)),
            "fail-if" => Strategy::FailIf(self.probe()?),
            "using-params" => {
                let inner = self.one(&head)?;
                let params = self.params(Some(&inner))?;
                if params.is_empty() { inner } else { Strategy::UsingParams(Box::new(inner), params) }
            }
            "solver" => {
                let spec = self.spec(&head)?;
                Strategy::Solver(spec.into(), self.params(None)?)
            }
            "solver-tactic" => {
                let spec = self.spec(&head)?;
                if self.at_close()? {
                    return Err(self.too_few(&head));
                }
                let token = self.lexer.next()?;
                let tactic = match token.kind {
                    TokenKind::Symbol => self.text(token),
                    TokenKind::Open => self.up_to_close(token)?,
                    _ => {
                        let error = Error::new(token.span(), format!("`{}` is no tactic", self.text(token)));
                        return Err(self.wants(error, &head));
                    }
                };
                Strategy::SolverTactic(spec.into(), tactic.into())
            }
            "exec" => Strategy::Exec(self.quoted(&head, "a command")?.into()),
            "rules" => Strategy::Rules(self.quoted(&head, "the name of a file")?.into()),
            name => match self.vocabulary.tactics.get(name).map(|known| known.arguments) {
                Some(Arguments::None) => {
                    // `(simplify)` is `simplify`.
                    Strategy::tactic(name)
                }
                Some(Arguments::Optional) if self.at_close()? => Strategy::tactic(name),
                Some(_) => Strategy::Over(name.into(), Box::new(self.one(&head)?)),
                None if PROBE_WORDS.contains(&name) => {
                    return Err(Error::new(head.token.span(), "a probe is not a strategy")
                        .help("(when PROBE S), (if PROBE S S) and (fail-if PROBE) take probes"));
                }
                None => self.named(head.token)?,
            },
        };
        self.close(&head)?;
        Ok(strategy)
    }

    /// Returns the text from an opening parenthesis to its closing one.
    fn up_to_close(&mut self, open: Token) -> Result<&'a str, Error> {
        self.lexer.skip_to_close(open)?;
        Ok(&self.source[open.start..self.lexer.position()])
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

    /// Returns the number of rounds, if given.
    fn rounds(&mut self, head: &NameUse<'_>) -> Result<Option<u32>, Error> {
        if self.at_close()? { Ok(None) } else { self.numeral(head, "the number of rounds").map(Some) }
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
                return Err(Error::new(token.span(), format!("`{found}` is not a parameter"))
                    .help("parameters are written :key value"));
            }
            let key = &self.text(token)[1..];
            if let Some(inner) = of {
                self.check_key(inner, key, token)?;
            }
            let start = self.lexer.position();
            let value = self.param_value(key, of.is_none())?;
            if of.is_some() {
                self.check_value(key, &value, start)?;
            }
            params.push(Param { key: key.into(), value });
        }
        Ok(params.into())
    }

    fn param_value(&mut self, key: &str, of_solver: bool) -> Result<ParamValue, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol if of_solver && key == "tactic" => Ok(ParamValue::Text(self.text(token).into())),
            TokenKind::Open if of_solver => Ok(ParamValue::Text(self.up_to_close(token)?.into())),
            TokenKind::Close | TokenKind::End | TokenKind::Keyword | TokenKind::Open => {
                let error = Error::new(token.span(), format!("the parameter :{key} has no value"));
                Err(if of_solver {
                    error.help("quote a solver's name that contains a colon: \"builtin:sat\"")
                } else {
                    error
                })
            }
            _ => Ok(ParamValue::Word(self.text(token).into())),
        }
    }

    /// Checks that the value of a general parameter is of its kind.
    fn check_value(&self, key: &str, value: &ParamValue, start: usize) -> Result<(), Error> {
        let (ParamValue::Word(text) | ParamValue::Text(text)) = value;
        match self.vocabulary.parameters.get(&key.replace('-', "_")) {
            Some(kind) if !kind.takes(text) => {
                let error = format!("the parameter `{key}` is not `{text}`");
                let end = self.lexer.position();
                Err(Error::new(end.saturating_sub(text.len()).max(start)..end, error)
                    .help(format!("it takes {}", kind.describe())))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a parameter belongs to some tactic inside.
    fn check_key(&self, inner: &Strategy, key: &str, token: Token) -> Result<(), Error> {
        let mut known = Vec::new();
        let mut rest = vec![inner];
        while let Some(s) = rest.pop() {
            if let Strategy::SolverTactic(..) = s {
                return Ok(());
            }
            if let Strategy::Rules(_) = s {
                known.extend(RULES_PARAMETERS);
            }
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
        let of_any = || self.vocabulary.parameters.contains_key(&key.replace('-', "_"));
        if known.contains(&wanted.as_str()) || of_any() {
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
