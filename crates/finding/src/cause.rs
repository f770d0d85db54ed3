//! What a campaign takes for one cause, before any finding of it is reduced.

use crate::class::BugClass;
use crate::record::{Finding, ScriptOrigin};
use serde::{Deserialize, Serialize};

/// What hits have in common that are probably of one cause. It splits more than it joins: one bug may have several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// The class.
    pub class: BugClass,
    /// Whether it is a mutant or the seed itself.
    pub origin: ScriptOrigin,
    /// The solver's name in reports.
    pub solver: String,
    /// How the script asks.
    pub mode: String,
    /// Options drawn for the solver, separated by blanks; empty for its defaults.
    pub options: String,
    /// The seed's name.
    pub seed: String,
}

impl Cause {
    /// The cause of a finding.
    pub fn of(finding: &Finding) -> Cause {
        Cause {
            class: finding.class,
            origin: finding.origin,
            solver: finding.solver.label.clone(),
            mode: finding.mode.clone(),
            options: finding.solver.drawn_options.join(" "),
            seed: finding.seed.name.clone(),
        }
    }
}
