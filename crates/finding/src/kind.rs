//! The kind of a wrong answer: how it was asked and of what it was made. What reductions of some tell, others of the kind likely share.

use crate::cause::Cause;
use crate::class::BugClass;
use crate::record::Finding;

/// What is known of a wrong answer before it is reduced, without the seed that it came from.
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
    /// The mutator and, where no tactic is asked for, the theory or logic; see [`FindingKind::origin`].
    pub origin: String,
}

impl FindingKind {
    /// The kind of hits of a cause that come from `origin`.
    pub fn new(cause: &Cause, origin: &str) -> FindingKind {
        FindingKind {
            class: cause.class,
            solver: cause.solver.clone(),
            mode: cause.mode.clone(),
            options: cause.options.clone(),
            origin: origin.to_string(),
        }
    }

    /// The kind of a finding.
    pub fn of(finding: &Finding) -> FindingKind {
        FindingKind::new(&Cause::of(finding), &FindingKind::origin_of(finding))
    }

    /// Where a finding comes from.
    pub fn origin_of(finding: &Finding) -> String {
        let Some(mutator) = &finding.mutator else { return "seed".to_string() };
        let theory = mutator.parameters.get("theory").or(finding.seed.logic.as_ref());
        FindingKind::origin(&mutator.name, &finding.mode, theory.map(String::as_str))
    }

    /// The mutator, with the theory of a problem made from nothing or the logic of the seed. What a tactic gets wrong it gets wrong in
    /// every logic, so that there the mutator stands alone.
    pub fn origin(mutator: &str, mode: &str, theory: Option<&str>) -> String {
        match theory {
            Some(theory) if !theory.is_empty() && !mode.starts_with("tactic ") => format!("{mutator} {theory}"),
            _ => mutator.to_string(),
        }
    }
}
