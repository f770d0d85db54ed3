//! Arbitrary bytes as a file of rewrite rules.

use conform::rules::read;

/// Some files of rules.
pub const EXAMPLES: &[&str] = &[
    "; rules\n(define-rule a ((x ?BitVec) (n Int)) (bvadd x (@bv 0 n)) x)\n(define-rule* b ((xs Bool :list) (p Bool)) (and p p xs) (and p xs) (or _ _))",
    "(define-cond-rule c ((x ?BitVec) (m Int)) (def (w (@bvsize x)) (v (- w 1))) (and (= m v) (< 0 m)) ((_ extract m 0) x) (extract v 0 x))",
    "(define-cond-rule* d ((s ?Seq :list) (r RegLan) (y (_ BitVec 8))) true (re.loop 1 2 r) (re.^ 1/2 r))\n(define-rule e ((t ?Set)) \"\"\"\" |t|)",
];

/// Reads bytes as rules.
///
/// # Panics
/// When an error names a line that does not exist.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.split('\n').count();
    let file = read(text);
    for place in file.rules.iter().map(|rule| rule.place).chain(file.unread.iter().map(|rule| rule.place)) {
        assert!((1..=lines).contains(&place.line) && place.column >= 1, "{place:?} of {lines} lines");
    }
    for rule in &file.rules {
        assert!(rule.sides.iter().chain(&rule.premises).all(|&n| n < rule.nodes.len()), "{rule:?}");
    }
}
