//! What solvers spell differently.

use crate::op::Kind;
use crate::theories;
use rustc_hash::FxHashMap;

/// How a solver wants its input spelled. The default is SMT-LIB 2.7.
#[derive(Clone, Debug)]
pub struct Dialect {
    names: FxHashMap<Kind, Box<str>>,
    /// `(declare-datatypes …)` in the style of 2.5: one parameter list, no arities.
    pub datatypes25: bool,
    /// Testers as `is-c` instead of `(_ is c)`.
    pub old_testers: bool,
    /// `((_ re.loop i j) r)`; before 2.6 it was `(re.loop r i j)`.
    pub indexed_loop: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect {
            names: theories::rows().map(|r| (r.kind, r.name.into())).collect(),
            datatypes25: false,
            old_testers: false,
            indexed_loop: true,
        }
    }
}

impl Dialect {
    /// The dialect with another name for an operator.
    ///
    /// # Errors
    /// The standard name, when no operator is called so.
    pub fn rename<'n>(&mut self, standard: &'n str, name: &str) -> Result<(), &'n str> {
        let kinds: Vec<Kind> = theories::rows().filter(|r| r.name == standard).map(|r| r.kind).collect();
        if kinds.is_empty() {
            return Err(standard);
        }
        for kind in kinds {
            self.names.insert(kind, name.into());
        }
        Ok(())
    }

    /// The name of a theory operator; empty for structural kinds.
    pub fn name(&self, kind: Kind) -> &str {
        self.names.get(&kind).map_or("", |n| n)
    }
}
