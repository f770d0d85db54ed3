//! Strategy expressions in Z3's syntax: tactics, their order, time limits and parallelism.
//!
//! After L. de Moura and G. O. Passmore, "The Strategy Challenge in SMT Solving" (2013); the concrete syntax is that of
//! Z3's `(check-sat-using S)`.

mod parse;
mod print;
mod random;
mod shorter;
mod vocabulary;

pub use parse::{MAX_DEPTH, MAX_EXPANDED, parse_strategy};
pub use random::{RandomStrategyLimits, Tactical, Tunable};
pub use shorter::shorter;
pub use vocabulary::is_tactical;
pub use vocabulary::{Arguments, ParamKind, ProbeKind, ProbeName, StrategyVocabulary, TacticName};

/// A strategy: maps a goal to an answer or to subgoals, or fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// A tactic without arguments, `skip` and `fail` among them.
    Tactic(Box<str>),
    /// A tactic with a strategy as its argument: `(smt T)`.
    Over(Box<str>, Box<Strategy>),
    /// `(solver SPEC :key value …)`: a solver program. Its parameters are the solver's options, except `:tactic`.
    Solver(Box<str>, Box<[Param]>),
    /// `(solver-tactic SPEC T)`: a solver program's own tactic T, in its syntax; the resulting goal is the subgoal.
    SolverTactic(Box<str>, Box<str>),
    /// `(exec "COMMAND")`: a step by the user's program, which reads the goal and writes subgoals.
    Exec(Box<str>),
    /// `(rules "FILE")`: rewriting by the rules in a user's file.
    Rules(Box<str>),
    /// `(then S …)`: each on all subgoals of the previous one.
    Then(Box<[Strategy]>),
    /// `(thens S S1 … Sn)`: S1 on the first subgoal of S and so on; fails if S gives another number of them.
    Thens(Box<[Strategy]>),
    /// `(or-else S …)`: the first that does not fail.
    OrElse(Box<[Strategy]>),
    /// `(par-or S …)`: the first that ends without failing, all running at once.
    ParOr(Box<[Strategy]>),
    /// `(par-then S1 S2)`: S2 on all subgoals of S1 at once.
    ParThen(Box<[Strategy]>),
    /// `(repeat S [n])` and `(repeat-up-to S n)`: S until nothing changes or it fails, at most n times.
    Repeat(Box<Strategy>, Option<u32>),
    /// `(try-for S n)`: S, failing after n milliseconds.
    TryFor(Box<Strategy>, u32),
    /// `(nice S n)`: S at an operating system priority lowered by n, from 1 to [`MAX_NICE`]. Z3 has no such tactical.
    Nice(Box<Strategy>, u32),
    /// `(if P S1 S2)`.
    If(GoalProbe, Box<Strategy>, Box<Strategy>),
    /// `(when P S)`: S if P holds, else `skip`.
    When(GoalProbe, Box<Strategy>),
    /// `(fail-if P)`: fails if P holds, else `skip`.
    FailIf(GoalProbe),
    /// `(refine A B [n])`: A on an under-approximation, B on an over-approximation, in turns for at most n rounds. Z3 has no such
    /// tactical.
    Refine(Box<Strategy>, Box<Strategy>, Option<u32>),
    /// `(using-params S :key value …)`, also `(! S :key value …)`.
    UsingParams(Box<Strategy>, Box<[Param]>),
}

/// The maximum by which `(nice S n)` lowers a priority (POSIX, nice(3)).
pub const MAX_NICE: u32 = 19;

/// `:key value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The key, without its colon.
    pub key: Box<str>,
    /// Its value.
    pub value: ParamValue,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamValue {
    /// A numeral, a decimal, a symbol (`true`) or a string with its quotes, as it is written.
    Word(Box<str>),
    /// A strategy in the language of the solver that gets it.
    Text(Box<str>),
}

/// A condition on a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalProbe {
    /// A Boolean probe.
    Named(Box<str>),
    /// `(not P)`.
    Not(Box<GoalProbe>),
    /// `(and P …)`.
    And(Box<[GoalProbe]>),
    /// `(or P …)`.
    Or(Box<[GoalProbe]>),
    /// `(=> P Q)`.
    Implies(Box<GoalProbe>, Box<GoalProbe>),
    /// `(< M N)` and so on.
    Compare(MeasureComparison, Box<Measure>, Box<Measure>),
}

/// How two measures compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasureComparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=`
    Equal,
}

impl MeasureComparison {
    /// All of them with their spelling.
    pub const ALL: [(MeasureComparison, &'static str); 5] = [
        (MeasureComparison::Less, "<"),
        (MeasureComparison::LessEqual, "<="),
        (MeasureComparison::Greater, ">"),
        (MeasureComparison::GreaterEqual, ">="),
        (MeasureComparison::Equal, "="),
    ];
}

/// A number about a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Measure {
    /// A numeral or decimal, as it is written.
    Literal(Box<str>),
    /// A numeric probe.
    Named(Box<str>),
    /// `(+ M …)` and so on.
    Arithmetic(Arithmetic, Box<[Measure]>),
}

/// An operator on measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

impl Arithmetic {
    /// All of them with their spelling.
    pub const ALL: [(Arithmetic, &'static str); 4] =
        [(Arithmetic::Add, "+"), (Arithmetic::Sub, "-"), (Arithmetic::Mul, "*"), (Arithmetic::Div, "/")];
}

impl Strategy {
    /// Returns a tactic by its name.
    pub fn tactic(name: &str) -> Strategy {
        Strategy::Tactic(name.into())
    }

    /// Returns the strategies it is made of.
    pub fn parts(&self) -> Vec<&Strategy> {
        match self {
            Strategy::Tactic(_)
            | Strategy::Solver(..)
            | Strategy::SolverTactic(..)
            | Strategy::Exec(_)
            | Strategy::Rules(_)
            | Strategy::FailIf(_) => Vec::new(),
            Strategy::Over(_, one)
            | Strategy::Repeat(one, _)
            | Strategy::TryFor(one, _)
            | Strategy::Nice(one, _)
            | Strategy::When(_, one)
            | Strategy::UsingParams(one, _) => vec![one],
            Strategy::If(_, a, b) | Strategy::Refine(a, b, _) => vec![a, b],
            Strategy::Then(many)
            | Strategy::Thens(many)
            | Strategy::OrElse(many)
            | Strategy::ParOr(many)
            | Strategy::ParThen(many) => many.iter().collect(),
        }
    }

    /// Returns its nesting depth without probes; a single tactic has depth 0.
    pub fn depth(&self) -> usize {
        self.parts().into_iter().map(|part| 1 + part.depth()).max().unwrap_or(0)
    }

    /// Returns its number of nodes without probes.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Strategy::size).sum::<usize>()
    }
}
