//! A law as data: an equation of two terms over variables, at every width, format and sort that its parameters allow.

use smtlib::{Constant, Kind, SortId};

/// An equation that holds for all values of its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Law {
    /// The line it begins at, from 1.
    pub line: usize,
    /// Its text, on one line.
    pub text: String,
    /// The names of its sort parameters.
    pub sorts: Vec<String>,
    /// The names of its index parameters: widths, formats, positions.
    pub indices: Vec<String>,
    /// Its variables with their sorts.
    pub variables: Vec<(String, LawSort)>,
    /// The two sides.
    pub sides: [LawTerm; 2],
}

/// A whole number that depends on index parameters: `constant + Σ factor · parameter`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LawIndex {
    /// The part without a parameter.
    pub constant: i64,
    /// Factors with the numbers of their parameters.
    pub parts: Vec<(i64, usize)>,
}

/// The sort of a law's variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LawSort {
    /// A sort without parameters, such as `Int`.
    Simple(SortId),
    /// `(_ BitVec m)`.
    BitVec(LawIndex),
    /// `(_ FloatingPoint e s)`.
    Float(LawIndex, LawIndex),
    /// `(Array A B)`.
    Array(Box<LawSort>, Box<LawSort>),
    /// A sort parameter, by its number.
    Parameter(usize),
}

/// A bit-vector value that exists at every width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LawBits {
    /// `(_ bv0 m)` or `(_ bv k m)`.
    Number(LawIndex),
    /// `(_ ones m)`: all bits set.
    Ones,
    /// `(_ least m)`: only the sign bit set.
    Least,
    /// `(_ most m)`: all bits but the sign bit set.
    Most,
}

/// A side of a law, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LawTerm {
    /// A variable, by its number.
    Variable(usize),
    /// A numeral, decimal or string.
    Literal(Constant),
    /// A bit-vector value, and its width.
    Bits(LawBits, LawIndex),
    /// `(_ one e s)`: the float 1.
    FloatOne(LawIndex, LawIndex),
    /// `((as const (Array A B)) v)`.
    ConstArray(LawSort, Box<LawTerm>),
    /// An operator of a theory; its arguments resolve overloading.
    Application {
        /// The operators of the name with this number of indices and arguments.
        kinds: Vec<Kind>,
        /// The indices.
        indices: Vec<LawIndex>,
        /// The arguments.
        args: Vec<LawTerm>,
    },
}

impl LawIndex {
    /// Returns the value if all its parameters have one, and it is a number of 32 bits.
    pub fn value(&self, known: &[Option<u32>]) -> Option<u32> {
        let mut total = self.constant;
        for &(factor, parameter) in &self.parts {
            total = total.checked_add(factor.checked_mul(i64::from(known.get(parameter).copied()??))?)?;
        }
        u32::try_from(total).ok()
    }

    /// Whether the index can have this value; a single unknown parameter is set accordingly. With several unknown ones it can.
    pub fn accepts(&self, value: u32, known: &mut [Option<u32>]) -> bool {
        let mut rest = i64::from(value).saturating_sub(self.constant);
        let mut open = None;
        for &(factor, parameter) in &self.parts {
            match known.get(parameter).copied().flatten() {
                Some(value) => rest = rest.saturating_sub(factor.saturating_mul(i64::from(value))),
                None if open.is_none() => open = Some((factor, parameter)),
                None => return true,
            }
        }
        match open {
            None => rest == 0,
            Some((factor, parameter)) => {
                let is_whole = rest.checked_rem(factor) == Some(0);
                let solved = rest.checked_div(factor).filter(|_| is_whole).and_then(|value| u32::try_from(value).ok());
                if let Some(slot) = known.get_mut(parameter) {
                    *slot = solved;
                }
                solved.is_some()
            }
        }
    }
}
