//! A rewrite rule as data: an equation under premises, over variables whose sorts may be left open.

use super::operator::RuleOperator;
use super::place::RulePlace;
use smtlib::{Constant, SortId};

/// The most variables of a rule, so that a set of them is one word.
pub const MAX_VARIABLES: usize = 64;

/// A rule of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: RulePlace,
    /// Its variables.
    pub variables: Vec<RuleVariable>,
    /// All terms in it; a term stands behind its arguments. Definitions are shared.
    pub nodes: Vec<RuleNode>,
    /// What must hold: the conjuncts of the premises.
    pub premises: Vec<usize>,
    /// What is rewritten, and what it becomes.
    pub sides: [usize; 2],
}

/// A variable of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleVariable {
    /// Its name.
    pub name: String,
    /// The sort of its values, or of each element if it stands for several arguments.
    pub sort: RuleSort,
    /// Whether it stands for any number of arguments of an operator (`:list`).
    pub is_list: bool,
    /// Whether it is an integer on which a width, a position or a number of repetitions depends, so that it needs a value before the
    /// terms have sorts.
    pub is_number: bool,
}

/// The sort of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSort {
    /// `Bool`, `Int`, `Real`, `String` or `RegLan`. A sequence of an open sort (`?Seq`) is read as a string.
    Simple(SortId),
    /// `(_ BitVec n)`.
    BitVec(u32),
    /// `?BitVec`: a bit-vector of any width.
    AnyBitVec,
    /// `?Array`: an array of any sorts.
    AnyArray,
    /// `?`: any sort.
    Any,
}

/// A term of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleNode {
    /// The term.
    pub term: RuleExpression,
    /// The variables in it, one bit each.
    pub variables: u64,
}

/// A term, with its parts by their numbers in [`Rule::nodes`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleExpression {
    /// A variable, by its number.
    Variable(usize),
    /// A literal.
    Literal(Constant),
    /// An operator and its arguments, indices among them.
    Application(RuleOperator, Vec<usize>),
}

impl Rule {
    /// Which nodes are within these nodes.
    pub fn within(&self, roots: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.nodes.len()];
        roots.iter().for_each(|&root| inside[root] = true);
        for n in (0..self.nodes.len()).rev() {
            if let (true, RuleExpression::Application(_, args)) = (inside[n], &self.nodes[n].term) {
                args.iter().for_each(|&arg| inside[arg] = true);
            }
        }
        inside
    }
}
