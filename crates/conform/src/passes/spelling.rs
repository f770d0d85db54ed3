//! Replaces z3's own operators in its goals by standard ones.

use smtlib::sexpr::{SexprNode, Sexprs};
use std::fmt::Write as _;

/// Operators that only have other names. The bit-vector operators with `_i` are those that z3 applies after it has handled division by
/// zero, or has fixed its value as in the standard.
const RENAMED: &[(&str, &str)] = &[
    ("bvudiv_i", "bvudiv"),
    ("bvurem_i", "bvurem"),
    ("bvsdiv_i", "bvsdiv"),
    ("bvsrem_i", "bvsrem"),
    ("bvsmod_i", "bvsmod"),
];

/// The maximum nesting depth; deeper texts stay unchanged.
const MAX_NESTING: u32 = 2000;

/// Replaces these operators in a text: `mkbv` (a bit-vector of Booleans, the lowest bit first), `bit2bool` (a bit as a Boolean), the sort
/// `(_ bv N)`, and those that only have other names.
pub fn standard_spelling(text: &str) -> String {
    if !["mkbv", "bit2bool", "_i", "(_ bv "].iter().any(|word| text.contains(word)) {
        return text.to_string();
    }
    let all = Sexprs::read(text);
    let mut speller = Speller { all: &all, out: String::with_capacity(text.len()), deepest: 0 };
    let mut at = 0;
    for node in all.top() {
        let span = all.span(node);
        speller.out.push_str(&text[at..span.start]);
        speller.node(node, 0);
        at = span.end;
    }
    if speller.deepest > MAX_NESTING {
        return text.to_string();
    }
    speller.out + &text[at..]
}

struct Speller<'s, 't> {
    all: &'s Sexprs<'t>,
    out: String,
    deepest: u32,
}

impl Speller<'_, '_> {
    fn node(&mut self, node: SexprNode, depth: u32) {
        self.deepest = self.deepest.max(depth);
        let all = self.all;
        if depth > MAX_NESTING {
            return;
        }
        if !all.is_list(node) {
            let word = all.text(node);
            let known = RENAMED.iter().find(|(theirs, _)| *theirs == word);
            self.out.push_str(known.map_or(word, |(_, ours)| ours));
            return;
        }
        if let Some(bits) = all.headed(node, "mkbv")
            && let Some((first, rest)) = bits.split_first()
        {
            self.bits(*first, rest, depth);
            return;
        }
        if let Some((index, term)) = bit_of(all, node) {
            // Writing into a string cannot fail.
            let _ = write!(self.out, "(= ((_ extract {index} {index}) ");
            self.node(term, depth + 1);
            self.out.push_str(") #b1)");
            return;
        }
        if let ["_", "bv", width] = all.words(node)[..] {
            let _ = write!(self.out, "(_ BitVec {width})");
            return;
        }
        self.out.push('(');
        for (n, child) in all.children(node).enumerate() {
            if n > 0 {
                self.out.push(' ');
            }
            self.node(child, depth + 1);
        }
        self.out.push(')');
    }

    /// Writes the bits as a bit-vector, the first one the lowest.
    fn bits(&mut self, first: SexprNode, rest: &[SexprNode], depth: u32) {
        if !rest.is_empty() {
            self.out.push_str("(concat");
        }
        for &bit in rest.iter().rev().chain([&first]) {
            self.out.push_str(" (ite ");
            self.node(bit, depth + 1);
            self.out.push_str(" #b1 #b0)");
        }
        if !rest.is_empty() {
            self.out.push(')');
        }
    }
}

/// Returns the index and the term of `((_ bit2bool INDEX) TERM)`.
fn bit_of<'t>(all: &Sexprs<'t>, node: SexprNode) -> Option<(&'t str, SexprNode)> {
    let mut parts = all.children(node);
    let (head, term) = (parts.next()?, parts.next()?);
    let [underscore, name, index] = all.words(head)[..] else { return None };
    (underscore == "_" && name == "bit2bool" && all.is_list(head) && parts.next().is_none()).then_some((index, term))
}

#[cfg(test)]
#[path = "../../tests/unit/spelling.rs"]
mod tests;
