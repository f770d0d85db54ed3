//! The size of a script, as in Table 4 of the STORM paper: bytes, assertions, formula depth.

use smtlib::{Command, Script, Store};

/// The size of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Size {
    /// The bytes of the text.
    pub bytes: usize,
    /// The number of `assert` commands.
    pub assertions: usize,
    /// The depth of the deepest asserted formula; an atom without arguments has depth 0, and `not` counts.
    pub depth: u32,
}

impl Size {
    /// Measures `script`, whose text has `bytes` bytes.
    pub fn of(store: &Store, script: &Script, bytes: usize) -> Size {
        let mut size = Size { bytes, ..Size::default() };
        for command in &script.commands {
            if let Command::Assert(t, _) = command {
                size.assertions += 1;
                size.depth = size.depth.max(store.depth(*t));
            }
        }
        size
    }

    /// Returns the size of two scripts sent together.
    pub fn with(self, other: Size) -> Size {
        Size {
            bytes: self.bytes + other.bytes,
            assertions: self.assertions + other.assertions,
            depth: self.depth.max(other.depth),
        }
    }

    /// Returns the reduction from `before`, in percent of bytes.
    pub fn percent_less_than(self, before: Size) -> f64 {
        if before.bytes == 0 { 0.0 } else { 100.0 - 100.0 * self.bytes as f64 / before.bytes as f64 }
    }
}
