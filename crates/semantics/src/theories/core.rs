//! Core: the connectives that need all their arguments. The lazy ones (`and`, `or`, `=>`, `ite`) and equality are in
//! [`eval`](crate::eval), because they have a value before all arguments do.

use crate::unknown::UnknownReason;
use crate::value::Value;
use smtlib::Kind;

/// `true`, `false`, `not`, `xor`.
pub fn apply(kind: Kind, args: &[&Value]) -> Result<Value, UnknownReason> {
    let mut odd = kind == Kind::True;
    for a in args {
        odd ^= a.as_bool().ok_or(UnknownReason::IllSorted)?;
    }
    Ok(Value::Bool(if kind == Kind::Not { !odd } else { odd }))
}
