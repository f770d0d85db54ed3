//! `som`: products of sums are expanded, so that sums are sums of monomials.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::polynomial::Polynomial;
use smtlib::Store;

/// The limit on one product. The name is that of Z3's parameter.
const BLOWUP: TacticParameter = TacticParameter {
    name: "som-blowup",
    about: "the maximum number of monomials of a product, as a multiple of those of its factors; larger ones stay unchanged",
    default: 10,
    words: &[],
};

/// The pass.
pub struct Som;

impl RewritePass for Som {
    fn name(&self) -> &'static str {
        "som"
    }

    fn describe(&self) -> &'static str {
        "multiplies out products of sums of numbers and bit-vectors, and joins like monomials"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(declare-const y Int)(declare-const b (_ BitVec 8))
                     (assert (= (* (+ x y) (- x y)) 1))
                     (assert (= (bvmul (bvadd b #x10) (bvadd b #xf0)) #x01))",
            after: &["(= (+ (* x x) (* (- 1) y y)) 1) (= (bvmul b b) #x01)"],
        }
    }

    fn params(&self) -> &'static [TacticParameter] {
        &[BLOWUP]
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        let blowup = usize::try_from(settings.params.number(&BLOWUP)).unwrap_or(usize::MAX);
        let mut watch = settings.watch(store);
        PassResult::rebuilt(store, goal, settings, |store, t| match Polynomial::of(store, t, blowup, &mut watch)? {
            Some(polynomial) => polynomial.to_term(store),
            None => Ok(t),
        })
    }
}
