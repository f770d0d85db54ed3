//! A rewrite rule as data: an equation under premises, over variables whose sorts may be left open; and positions in its file.

use super::operator::RuleOperator;
use smtlib::{Constant, SortId};

/// The maximum number of variables, so that a set of them fits in one word.
pub const MAX_VARIABLES: usize = 64;

/// A rule of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its position.
    pub place: RulePlace,
    /// Its variables.
    pub variables: Vec<RuleVariable>,
    /// All its terms, each after its arguments. Definitions are shared.
    pub nodes: Vec<RuleNode>,
    /// The conjuncts of the premises.
    pub premises: Vec<usize>,
    /// The left and right side.
    pub sides: [usize; 2],
}

/// A variable of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleVariable {
    /// Its name.
    pub name: String,
    /// The sort of its values, or of each element if it stands for several arguments.
    pub sort: RuleSort,
    /// Whether the variable represents any number of arguments of an operator (`:list`).
    pub is_list: bool,
    /// Whether sorts depend on this integer (as a width, a position or a number of repetitions), so that it needs a value first.
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
    /// Returns which nodes are inside these nodes.
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

/// A position in a file, both numbers from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RulePlace {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// Converts byte offsets to lines and columns.
pub struct PlaceCounter<'t> {
    text: &'t str,
    offset: usize,
    place: RulePlace,
}

impl<'t> PlaceCounter<'t> {
    /// Starts at the first byte.
    pub fn new(text: &'t str) -> PlaceCounter<'t> {
        PlaceCounter { text, offset: 0, place: RulePlace { line: 1, column: 1 } }
    }

    /// Returns the position of a byte. Offsets must not decrease from call to call.
    pub fn at(&mut self, offset: usize) -> RulePlace {
        for c in self.text.get(self.offset..offset).unwrap_or_default().chars() {
            self.place = match c {
                '\n' => RulePlace { line: self.place.line + 1, column: 1 },
                _ => RulePlace { column: self.place.column + 1, ..self.place },
            };
        }
        self.offset = self.offset.max(offset);
        self.place
    }
}
