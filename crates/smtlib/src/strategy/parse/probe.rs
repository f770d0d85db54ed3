//! Probes: conditions of goals, and numbers about them.

use super::{NameUse, StrategyReader};
use crate::error::Error;
use crate::error::nearest_names;
use crate::lexer::{Token, TokenKind};
use crate::strategy::vocabulary::ProbeKind;
use crate::strategy::vocabulary::tactical;
use crate::strategy::{Arithmetic, GoalProbe, Measure, MeasureComparison};

impl<'a> StrategyReader<'a> {
    pub(super) fn probe(&mut self) -> Result<GoalProbe, Error> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol => {
                let name = self.text(token);
                match self.vocabulary.probes.get(name).map(|p| p.kind) {
                    Some(ProbeKind::Truth | ProbeKind::Either) => Ok(GoalProbe::Named(name.into())),
                    Some(ProbeKind::Number) => Err(Error::new(
                        token.span(),
                        format!("`{name}` is a number, but a truth value was expected here"),
                    )
                    .help(format!("compare it, for example (> {name} 0)"))),
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
        let is_tactic = self.vocabulary.tactics.contains_key(name) || tactical(name).is_some();
        if is_tactic {
            return Error::new(token.span(), format!("`{name}` is a tactic, but a probe was expected here"))
                .help("for example is-qfbv, or (> num-consts 100)");
        }
        if let Some(reason) = self.vocabulary.refused.get(name) {
            return Error::new(token.span(), format!("the probe `{name}` is not available here")).help(reason.clone());
        }
        let known = self.vocabulary.probes.keys().map(String::as_str);
        let help = nearest_names(name, known).unwrap_or_else(|| "`squall strategy probes` lists them".to_string());
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
                    return Err(Error::new(head.token.span(), "a number instead of a truth value")
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
                    Some(ProbeKind::Truth) => Err(Error::new(
                        token.span(),
                        format!("`{name}` is a truth value, but a number was expected here"),
                    )),
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
