//! What a theory is: a name and a table of operators.

use crate::op::Kind;
use crate::signature::SignatureRow;

/// A theory: its name in the standard and its operators.
pub struct Theory {
    /// The name in the SMT-LIB catalogue.
    pub name: &'static str,
    /// Its operators, extensions marked as such.
    pub rows: &'static [SignatureRow],
    /// Other spellings that files hold, with the operator meant.
    pub aliases: &'static [(&'static str, Kind)],
}
