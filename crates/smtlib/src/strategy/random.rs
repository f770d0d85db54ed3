//! Random well-formed strategies over a vocabulary.

use super::vocabulary::{Arguments, ProbeKind, StrategyVocabulary};
use super::{Arithmetic, GoalProbe, Measure, MeasureComparison, Param, ParamValue, Strategy};

/// A tactical that random strategies may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tactical {
    /// `then`
    Then,
    /// `thens`, which solvers other than this program do not have.
    Thens,
    /// `or-else`
    OrElse,
    /// `par-or`
    ParOr,
    /// `par-then`
    ParThen,
    /// `repeat`
    Repeat,
    /// `try-for`
    TryFor,
    /// `if`
    If,
    /// `when`
    When,
    /// `fail-if`
    FailIf,
    /// `using-params`
    UsingParams,
    /// `refine`, which solvers other than this program do not have.
    Refine,
}

impl Tactical {
    /// All of them.
    pub const ALL: &'static [Tactical] = &[
        Tactical::Then,
        Tactical::Thens,
        Tactical::OrElse,
        Tactical::ParOr,
        Tactical::ParThen,
        Tactical::Repeat,
        Tactical::TryFor,
        Tactical::If,
        Tactical::When,
        Tactical::FailIf,
        Tactical::UsingParams,
        Tactical::Refine,
    ];
    /// Those that Z3 has, too.
    pub const Z3: &'static [Tactical] = &[
        Tactical::Then,
        Tactical::OrElse,
        Tactical::ParOr,
        Tactical::ParThen,
        Tactical::Repeat,
        Tactical::TryFor,
        Tactical::If,
        Tactical::When,
        Tactical::FailIf,
        Tactical::UsingParams,
    ];
}

/// A parameter with values worth trying.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The tactic that has it.
    pub tactic: String,
    /// Its name.
    pub key: String,
    /// Values, at least one.
    pub values: Vec<String>,
}

/// The shape of random strategies.
#[derive(Clone, Debug)]
pub struct RandomStrategyLimits<'a> {
    /// The names.
    pub vocabulary: &'a StrategyVocabulary,
    /// The tacticals, at least one; a repeated one is chosen more often.
    pub tacticals: &'a [Tactical],
    /// Tactics that answer. Strategies end with one, so that most of them give an answer.
    pub engines: &'a [String],
    /// Parameters to set.
    pub tunables: &'a [Tunable],
    /// The deepest that tacticals nest.
    pub depth: u32,
    /// Milliseconds for `try-for`, at most; at least 1.
    pub most_ms: u32,
}

impl RandomStrategyLimits<'_> {
    /// Returns a random strategy. `below(n)` must give a random number below n, which is at least 1; the same numbers give
    /// the same strategy.
    pub fn strategy(&self, below: &mut dyn FnMut(usize) -> usize) -> Strategy {
        let depth = 1 + below(self.depth.max(1) as usize) as u32;
        let body = self.node(depth, below);
        match self.engine(below) {
            Some(engine) => Strategy::Then([body, engine].into()),
            None => body,
        }
    }

    fn engine(&self, below: &mut dyn FnMut(usize) -> usize) -> Option<Strategy> {
        if self.engines.is_empty() {
            return None;
        }
        Some(Strategy::tactic(&self.engines[below(self.engines.len())]))
    }

    fn leaf(&self, below: &mut dyn FnMut(usize) -> usize) -> Strategy {
        let names: Vec<(&String, Arguments)> =
            self.vocabulary.tactics.iter().map(|(name, tactic)| (name, tactic.arguments)).collect();
        if names.is_empty() || below(20) == 0 {
            return Strategy::tactic(if below(2) == 0 { "skip" } else { "fail" });
        }
        let (name, arguments) = names[below(names.len())];
        match arguments {
            Arguments::None => Strategy::tactic(name),
            Arguments::Optional if below(3) > 0 => Strategy::tactic(name),
            _ => match self.engine(below) {
                Some(engine) => Strategy::Over(name.as_str().into(), Box::new(engine)),
                None => Strategy::tactic("skip"),
            },
        }
    }

    fn several(&self, least: usize, depth: u32, below: &mut dyn FnMut(usize) -> usize) -> Box<[Strategy]> {
        (0..least + below(3)).map(|_| self.node(depth - 1, below)).collect()
    }

    fn node(&self, depth: u32, below: &mut dyn FnMut(usize) -> usize) -> Strategy {
        if depth == 0 || self.tacticals.is_empty() || below(6) == 0 {
            return self.leaf(below);
        }
        let one = |below: &mut dyn FnMut(usize) -> usize| Box::new(self.node(depth - 1, below));
        match self.tacticals[below(self.tacticals.len())] {
            Tactical::Then => Strategy::Then(self.several(2, depth, below)),
            Tactical::Thens => Strategy::Thens(self.several(2, depth, below)),
            Tactical::OrElse => Strategy::OrElse(self.several(2, depth, below)),
            Tactical::ParOr => Strategy::ParOr([*one(below), *one(below)].into()),
            Tactical::ParThen => Strategy::ParThen([*one(below), *one(below)].into()),
            Tactical::Repeat => {
                let rounds = 1 + below(5) as u32;
                Strategy::Repeat(one(below), Some(rounds))
            }
            Tactical::TryFor => {
                let ms = 1 + below(self.most_ms.max(1) as usize) as u32;
                Strategy::TryFor(one(below), ms)
            }
            Tactical::Refine => {
                let rounds = 1 + below(8) as u32;
                Strategy::Refine(one(below), one(below), Some(rounds))
            }
            Tactical::If => match self.probe(2, below) {
                Some(probe) => Strategy::If(probe, one(below), one(below)),
                None => self.leaf(below),
            },
            Tactical::When => match self.probe(2, below) {
                Some(probe) => Strategy::When(probe, one(below)),
                None => self.leaf(below),
            },
            Tactical::FailIf => match self.probe(1, below) {
                // Alone it would end most strategies.
                Some(probe) => Strategy::OrElse([Strategy::FailIf(probe), self.leaf(below)].into()),
                None => self.leaf(below),
            },
            Tactical::UsingParams => match self.tunables.len() {
                0 => self.leaf(below),
                count => {
                    let chosen = &self.tunables[below(count)];
                    let value = &chosen.values[below(chosen.values.len().max(1))];
                    let param =
                        Param { key: chosen.key.as_str().into(), value: ParamValue::Word(value.as_str().into()) };
                    Strategy::UsingParams(Box::new(Strategy::tactic(&chosen.tactic)), [param].into())
                }
            },
        }
    }

    fn named(&self, kind: ProbeKind, below: &mut dyn FnMut(usize) -> usize) -> Option<Box<str>> {
        let fits = |k: ProbeKind| k == kind || k == ProbeKind::Either;
        let names: Vec<&String> =
            self.vocabulary.probes.iter().filter(|(_, probe)| fits(probe.kind)).map(|(name, _)| name).collect();
        if names.is_empty() { None } else { Some(names[below(names.len())].as_str().into()) }
    }

    fn probe(&self, depth: u32, below: &mut dyn FnMut(usize) -> usize) -> Option<GoalProbe> {
        Some(match if depth == 0 { below(2) } else { below(5) } {
            0 => GoalProbe::Named(self.named(ProbeKind::Truth, below)?),
            1 => {
                let (how, _) = MeasureComparison::ALL[below(MeasureComparison::ALL.len())];
                let left = self.measure(below)?;
                let bound = Measure::Literal(([0, 1, 2, 5, 20, 100][below(6)]).to_string().into());
                GoalProbe::Compare(how, Box::new(left), Box::new(bound))
            }
            2 => GoalProbe::Not(Box::new(self.probe(depth - 1, below)?)),
            3 => GoalProbe::And([self.probe(depth - 1, below)?, self.probe(depth - 1, below)?].into()),
            _ => GoalProbe::Or([self.probe(depth - 1, below)?, self.probe(depth - 1, below)?].into()),
        })
    }

    fn measure(&self, below: &mut dyn FnMut(usize) -> usize) -> Option<Measure> {
        let name = Measure::Named(self.named(ProbeKind::Number, below)?);
        Some(match below(3) {
            0 => {
                let (op, _) = Arithmetic::ALL[below(Arithmetic::ALL.len())];
                let other = Measure::Named(self.named(ProbeKind::Number, below)?);
                Measure::Arithmetic(op, [name, other].into())
            }
            _ => name,
        })
    }
}
