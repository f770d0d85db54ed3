//! The operators of rules: those of the standard theories, with indices among the arguments, and some of cvc5's own.

use smtlib::{Kind, theories};

/// An operator of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleOperator {
    /// An operator of a standard theory or an extension: its kinds, and how many of the first arguments are indices.
    Theory(Vec<Kind>, usize),
    /// `(@bv n w)`: the bit-vector of width `w` that is `n` modulo 2^w.
    BitVec,
    /// `(@bvsize t)`: the width of a bit-vector.
    Size,
    /// `(int.log2 n)`: the largest `k` with 2^k ≤ n; 0 where there is none.
    Log2,
    /// `(int.ispow2 n)`: whether `n` is a power of two.
    IsPow2,
    /// `(int.pow2 n)`: 2^n; 0 for a negative `n`.
    Pow2,
    /// `(div_total s t)`: `(div s t)`, and 0 where `t` is 0.
    TotalDiv,
    /// `(mod_total s t)`: `(mod s t)`, and `s` where `t` is 0.
    TotalMod,
    /// `(/_total s t)`: `(/ s t)`, and 0 where `t` is 0.
    TotalQuotient,
    /// `(/ s t)`, which also takes integers.
    Quotient,
    /// `(bvite c s t)`: `(ite (= c #b1) s t)`.
    BitIte,
    /// `(to_real t)`, which leaves a real as it is.
    ToReal,
    /// `(to_int t)`, which leaves an integer as it is.
    ToInt,
    /// `(is_int t)`, which is true for every integer.
    IsInt,
}

impl RuleOperator {
    /// Returns the operator with a name.
    pub fn named(name: &str) -> Option<RuleOperator> {
        let own = match name {
            "@bv" | "bv" => RuleOperator::BitVec,
            "@bvsize" | "bvsize" => RuleOperator::Size,
            "int.log2" => RuleOperator::Log2,
            "int.ispow2" => RuleOperator::IsPow2,
            "int.pow2" => RuleOperator::Pow2,
            "div_total" => RuleOperator::TotalDiv,
            "mod_total" => RuleOperator::TotalMod,
            "/_total" => RuleOperator::TotalQuotient,
            "/" => RuleOperator::Quotient,
            "bvite" => RuleOperator::BitIte,
            "to_real" => RuleOperator::ToReal,
            "to_int" => RuleOperator::ToInt,
            "is_int" => RuleOperator::IsInt,
            _ => {
                let meant = theories::THEORIES.iter().flat_map(|theory| theory.aliases).find(|alias| alias.0 == name);
                let name = meant.and_then(|alias| theories::row(alias.1)).map_or(name, |row| row.name);
                let rows: Vec<_> = theories::rows().filter(|row| row.name == name).collect();
                let indices = usize::from(rows.first()?.indices);
                let kinds = rows.iter().filter(|row| usize::from(row.indices) == indices).map(|row| row.kind).collect();
                RuleOperator::Theory(kinds, indices)
            }
        };
        Some(own)
    }

    /// Returns how many of the first arguments must be numbers when the term is built.
    pub fn numbers(&self) -> usize {
        match self {
            RuleOperator::Theory(_, indices) => *indices,
            RuleOperator::BitVec => 2,
            RuleOperator::Log2 | RuleOperator::IsPow2 | RuleOperator::Pow2 => 1,
            _ => 0,
        }
    }
}
