//! Texts in a program's output that reveal crashes, complaints and known bugs.

use finding::BugClass;
use serde::Deserialize;

/// A text that indicates a crash.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrashPattern {
    /// The text, matched exactly and case-sensitively.
    pub text: String,
    /// The kind of crash that it indicates.
    pub kind: CrashKind,
}

/// Kinds of crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// A fatal signal without any more specific message.
    Signal,
    /// An assertion, another internal check, or code considered unreachable.
    Assertion,
    /// A report of a sanitizer.
    Sanitizer,
    /// An uncaught exception.
    Exception,
    /// An error reported as internal.
    Internal,
    /// The solver rejects its proof.
    Proof,
}

/// A text by which a solver reports that its own answer is wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfCheckPattern {
    /// The text, matched as it is.
    pub text: String,
    /// The class of bug.
    pub class: BugClass,
}

/// A text by which a solver reports missing support.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsupportedPattern {
    /// The text, matched as it is.
    pub text: String,
    /// The unsupported feature, as named by [`smtlib::logic::feature`]: seeds with it are no longer sent to a solver that printed this in
    /// the same campaign. Without it, only the seed that caused the message is skipped.
    #[serde(default)]
    pub feature: Option<String>,
}

/// A bug already reported.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownBug {
    /// A text of its message or signature.
    pub text: String,
    /// The bug report.
    pub report: String,
}
