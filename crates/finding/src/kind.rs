//! The kind of a wrong answer: how it was asked and of what it was made. What reductions of some tell, others of the kind likely share.

use crate::class::BugClass;
use crate::record::Finding;
use crate::same_cause::Cause;

/// What is known of a wrong answer before it is reduced.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FindingKind {
    /// The class.
    pub class: BugClass,
    /// The solver's name in reports.
    pub solver: String,
    /// How the script asks.
    pub mode: String,
    /// Options drawn for the solver, separated by blanks.
    pub options: String,
    /// What it was made of.
    pub origin: FindingOrigin,
}

/// What a finding was made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FindingOrigin {
    /// The mutator and, where no tactic is asked for, the theory or logic. What a tactic gets wrong it gets wrong in every logic, so that
    /// there the mutator stands alone.
    pub made_by: String,
    /// The seed's name; none of a problem made from nothing.
    pub seed: Option<String>,
}

impl FindingKind {
    /// The kind of hits of a cause that come from `origin`.
    pub fn new(cause: &Cause, origin: FindingOrigin) -> FindingKind {
        FindingKind {
            class: cause.class,
            solver: cause.solver.clone(),
            mode: cause.mode.clone(),
            options: cause.options.clone(),
            origin,
        }
    }

    /// The kind of a finding.
    pub fn of(finding: &Finding) -> FindingKind {
        FindingKind::new(&Cause::of(finding), FindingOrigin::of(finding))
    }

    /// The mode in a word: `plain`, `incremental`, `tactic`.
    pub fn mode_word(&self) -> &str {
        self.mode.split(' ').next().unwrap_or_default()
    }

    /// Whether the script asks by a tactic.
    pub fn asks_by_tactic(&self) -> bool {
        self.mode_word() == "tactic"
    }
}

impl FindingOrigin {
    /// Where a finding comes from.
    pub fn of(finding: &Finding) -> FindingOrigin {
        let Some(mutator) = &finding.mutator else {
            return FindingOrigin { made_by: "seed".to_string(), seed: finding.seed_name().map(str::to_string) };
        };
        let theory = mutator.parameters.get("theory").map(String::as_str);
        let seed = finding.seed.as_ref().map(|seed| (seed.name.as_str(), seed.logic.as_deref()));
        FindingOrigin::new(&mutator.name, &finding.mode, theory, seed)
    }

    /// What a mutator made in a mode: of a theory without a seed, or of a seed, whose name and logic are given.
    pub fn new(mutator: &str, mode: &str, theory: Option<&str>, seed: Option<(&str, Option<&str>)>) -> FindingOrigin {
        let made_by = match theory.or(seed.and_then(|(_, logic)| logic)) {
            Some(theory) if !theory.is_empty() && !mode.starts_with("tactic ") => format!("{mutator} {theory}"),
            _ => mutator.to_string(),
        };
        FindingOrigin { made_by, seed: seed.filter(|_| theory.is_none()).map(|(name, _)| name.to_string()) }
    }
}
