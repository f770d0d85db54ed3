//! Names and texts in strategies: tactics, named strategies, solvers, commands and files.

use super::{MAX_DEPTH, MAX_EXPANDED, NameUse, StrategyReader};
use crate::error::Error;
use crate::error::nearest_names;
use crate::lexer::{Token, TokenKind};
use crate::strategy::Strategy;
use crate::strategy::vocabulary::Arguments;
use crate::strategy::vocabulary::{TACTICALS, tactical};

impl StrategyReader<'_> {
    /// Returns a name without parentheses.
    pub(super) fn named(&mut self, token: Token) -> Result<Strategy, Error> {
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
            return self.stands_for(strategy, token);
        }
        match name {
            "skip" | "fail" => Ok(Strategy::tactic(name)),
            _ => Err(self.unknown(name, token)),
        }
    }

    /// Returns a copy of a named strategy, if it fits.
    fn stands_for(&mut self, strategy: &Strategy, token: Token) -> Result<Strategy, Error> {
        let name = self.text(token);
        if self.depth + strategy.depth() > MAX_DEPTH {
            let what = format!("with `{name}` expanded, the strategy nests deeper than {MAX_DEPTH}");
            return Err(Error::new(token.span(), what).help("use fewer nested names"));
        }
        self.expanded = self.expanded.saturating_add(strategy.size());
        if self.expanded > MAX_EXPANDED {
            let what = format!("with `{name}` expanded, the strategy has more than {MAX_EXPANDED} parts");
            return Err(Error::new(token.span(), what).help("use fewer nested names"));
        }
        Ok(strategy.clone())
    }

    fn unknown(&self, name: &str, token: Token) -> Error {
        if let Some((_, form)) = tactical(name) {
            return Error::new(token.span(), format!("`{name}` needs arguments")).help(format!("it is written {form}"));
        }
        if self.vocabulary.probes.contains_key(name) {
            return Error::new(token.span(), format!("`{name}` is a probe, but a strategy was expected here"))
                .help("(when PROBE S), (if PROBE S S) and (fail-if PROBE) take probes");
        }
        if let Some(reason) = self.vocabulary.refused.get(name) {
            return Error::new(token.span(), format!("the tactic `{name}` is not available here")).help(reason.clone());
        }
        let words = self.vocabulary.tactics.keys().chain(self.vocabulary.strategies.keys()).map(String::as_str);
        let known = words.chain(TACTICALS.iter().map(|t| t.0)).chain(["skip", "fail"]);
        let help = nearest_names(name, known).unwrap_or_else(|| "`squall strategy tactics` lists them".to_string());
        Error::new(token.span(), format!("there is no tactic `{name}`")).help(help)
    }
}

impl StrategyReader<'_> {
    /// Returns the solver that an expression names.
    pub(super) fn spec(&mut self, head: &NameUse<'_>) -> Result<String, Error> {
        const EXAMPLES: &str = "write for example (solver z3@4.15.4) or (solver \"./my-solver --flag\")";
        if self.at_close()? {
            return Err(self.too_few(head));
        }
        let token = self.lexer.next()?;
        let spec = match token.kind {
            TokenKind::Symbol => self.text(token).to_string(),
            TokenKind::Quoted => self.source[token.start + 1..token.end - 1].to_string(),
            TokenKind::String => self.source[token.start + 1..token.end - 1].replace("\"\"", "\""),
            _ => {
                let found = self.text(token);
                return Err(Error::new(token.span(), format!("`{found}` names no solver")).help(EXAMPLES));
            }
        };
        match spec.trim().is_empty() {
            true => Err(Error::new(token.span(), "no solver is named").help(EXAMPLES)),
            false => Ok(spec),
        }
    }

    /// Reads the string of an expression; `what` names it.
    pub(super) fn quoted(&mut self, head: &NameUse<'_>, what: &str) -> Result<String, Error> {
        if self.at_close()? {
            return Err(self.too_few(head));
        }
        let token = self.lexer.next()?;
        let text = match token.kind {
            TokenKind::String => self.source[token.start + 1..token.end - 1].replace("\"\"", "\""),
            _ => {
                let found = self.text(token);
                let error = Error::new(token.span(), format!("expected {what} as a string, found `{found}`"));
                return Err(self.wants(error, head));
            }
        };
        match text.trim().is_empty() {
            true => Err(self.wants(Error::new(token.span(), format!("expected {what}, found an empty string")), head)),
            false => Ok(text),
        }
    }
}
