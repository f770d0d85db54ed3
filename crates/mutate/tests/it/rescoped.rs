//! Scripts with names bound again: they are read back, and ask the same.

use mutate::RandomStream;
use mutate::rescoped::{ScopeRules, rescope};

const ALL: ScopeRules = ScopeRules { takes_commands: true, takes_quantifiers: true, takes_match: true, added: 6 };

#[test]
fn some() {
    let text = "(declare-datatypes ((D 0)) (((c (s Int)) (e))))(declare-const x Int)(declare-const d D)(declare-fun f (Int) Bool)(assert (forall ((y Int)) (=> (> y x) (f (+ y 1)))))\
    (assert (or (= d e) (let ((z (s d))) (< z x))))(check-sat)";
    for seed in 0..20 {
        println!("{}", rescope(text, ALL, &mut RandomStream::from_seed(seed)).unwrap_or_default());
    }
}
