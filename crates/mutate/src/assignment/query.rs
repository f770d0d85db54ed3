//! The question whose answer is a model: a seed's assertions, or their negation, and `(get-model)`.

use crate::mutator::TargetSpelling;
use crate::preamble;
use smtlib::{Instance, Store, TermId};

/// What the model asked for has to satisfy. Any model will do as an assignment; these two make one likely to exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// All assertions: for seeds not known to be unsatisfiable.
    Assertions,
    /// Not all of them: for unsatisfiable seeds.
    Negation,
}

/// Appends the script to be sent to a solver. Its `(check-sat)` should say `sat`, and then comes the model.
pub fn write(store: &mut Store, instance: &Instance, query: Query, target: &TargetSpelling, out: &mut String) {
    let terms: Vec<TermId> = match query {
        Query::Assertions => instance.assertions.clone(),
        Query::Negation => {
            let all = store.and(&instance.assertions);
            vec![store.not(all)]
        }
    };
    out.push_str("(set-option :produce-models true)\n");
    preamble::print_check(store, instance, &terms, target, out);
    out.push_str("(get-model)\n");
}
