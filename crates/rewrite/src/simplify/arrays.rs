//! Simplification of arrays and datatypes: reads of what was just written.

use super::Simplifier;
use super::core::has_canonical_values;
use crate::pass::PassError;
use crate::values::is_value;
use smtlib::{Kind, Store, TermId};

/// The maximum number of writes that a read passes.
const MAX_WRITES: usize = 256;

impl Simplifier {
    /// `select`, `store`, selectors and testers.
    pub(super) fn access(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let args = store.args(t);
        match store.kind(t) {
            Kind::ArraySelect => self.read(store, t),
            Kind::ArrayStore => {
                let (array, index, value) = (args[0], args[1], args[2]);
                // The later write takes precedence, and writing the existing value changes nothing.
                if store.kind(array) == Kind::ArrayStore && store.args(array)[1] == index {
                    let below = store.args(array)[0];
                    return self.app(store, Kind::ArrayStore, &[below, index, value]);
                }
                let same = store.kind(value) == Kind::ArraySelect && store.args(value) == [array, index];
                let constant = store.kind(array) == Kind::ConstArray && store.args(array)[0] == value;
                Ok(if same || constant { array } else { t })
            }
            Kind::Select if store.kind(args[0]) == Kind::Construct => {
                let (made, asked) = (store.op(args[0]).constructor(), store.op(t));
                match asked.field() {
                    // A selector on another constructor has an arbitrary value: it stays.
                    Some(field) if made == asked.constructor() => Ok(store.args(args[0])[field]),
                    _ => Ok(t),
                }
            }
            Kind::Test if store.kind(args[0]) == Kind::Construct => {
                let is = store.op(args[0]).constructor() == store.op(t).constructor();
                Ok(store.bool(is))
            }
            _ => Ok(t),
        }
    }

    fn read(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let (array, index) = (store.args(t)[0], store.args(t)[1]);
        let mut below = array;
        for _ in 0..MAX_WRITES {
            match store.kind(below) {
                Kind::ConstArray => return Ok(store.args(below)[0]),
                Kind::ArrayStore => {
                    let (next, written, value) = (store.args(below)[0], store.args(below)[1], store.args(below)[2]);
                    if written == index {
                        return Ok(value);
                    }
                    let values = is_value(store, written) && is_value(store, index);
                    if !values || !has_canonical_values(store, store.sort(index)) {
                        break;
                    }
                    below = next;
                }
                _ => break,
            }
        }
        Ok(if below == array { t } else { store.with_args(t, &[below, index]) })
    }
}
