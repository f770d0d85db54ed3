//! When two findings have one cause: before reductions ([`Cause::key`]) and after them ([`ReducedCause::is_same`]).
//!
//! Before, the symptom decides if it is specific, and for wrong answers the place where they were found. After, the vector of
//! answers decides ([`crate::answer_vector`]). The number of causes is a lower bound of the number of bugs: two bugs may look
//! alike.

use crate::answer_vector::AnswerVector;
use crate::class::BugClass;
use crate::record::{Finding, ScriptOrigin};
use crate::symptom;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The symptom of a hit, and where it was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// The class.
    pub class: BugClass,
    /// Whether the script is a mutant or the seed itself.
    pub origin: ScriptOrigin,
    /// The solver's name in reports.
    pub solver: String,
    /// What makes two runs show the same thing: the answer, the crash's signature, the self-check's message, the reason why
    /// it gave up.
    pub symptom: String,
    /// How the script asks.
    pub mode: String,
    /// Options drawn for the solver, separated by blanks; empty for its defaults.
    pub options: String,
    /// The seed's name; `None` for a generated problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// For a generated problem, its unit's place in the schedule.
    #[serde(skip)]
    pub place: Option<usize>,
}

/// The cause of reduced scripts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReducedCause {
    /// The class.
    pub class: BugClass,
    /// The solver's name without a version, or the program's path.
    pub solver: String,
    /// The symptom besides the answer; empty if there is none.
    pub symptom: String,
    /// Which configurations err on the scripts, taken together.
    pub vector: AnswerVector,
}

/// The number of causes of some findings. An unreduced finding counts for no cause: it may belong to one of them or to
/// another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CauseCount {
    /// Causes with a reduced finding.
    pub causes: usize,
    /// Findings that are not reduced and not known to have one of these causes.
    pub not_reduced: usize,
}

impl fmt::Display for CauseCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cause{}", self.causes, if self.causes == 1 { "" } else { "s" })?;
        match self.not_reduced {
            0 => Ok(()),
            n => write!(f, " + {n} not reduced"),
        }
    }
}

impl Cause {
    /// Returns the cause of a finding.
    pub fn of(finding: &Finding) -> Cause {
        Cause {
            class: finding.class,
            origin: finding.origin,
            solver: finding.solver.label.clone(),
            symptom: finding.cause_symptom().to_string(),
            mode: finding.mode.clone(),
            options: finding.solver.drawn_options.join(" "),
            seed: finding.seed_name().map(str::to_string),
            place: finding.campaign.place,
        }
    }

    /// Returns the key that distinguishes causes before reduction.
    pub fn key(&self) -> Cause {
        // An unchanged seed that is answered wrongly shares its cause with its mutants.
        let cause = Cause { origin: ScriptOrigin::Mutant, ..self.clone() };
        match symptom::is_specific(self.class, &self.symptom) {
            true => Cause { mode: String::new(), options: String::new(), seed: None, place: None, ..cause },
            false => cause,
        }
    }
}

impl ReducedCause {
    /// Returns the cause of one reduced script.
    pub fn new(class: BugClass, solver: &str, symptom: &str, vector: &AnswerVector) -> ReducedCause {
        // The class implies the answer.
        let symptom = if matches!(symptom, "sat" | "unsat" | symptom::UNKNOWN) { "" } else { symptom };
        ReducedCause { class, solver: solver.to_string(), symptom: symptom.to_string(), vector: vector.clone() }
    }

    /// Whether the symptom identifies it.
    pub fn is_told(&self) -> bool {
        symptom::is_specific(self.class, &self.symptom) && !self.symptom.is_empty()
    }

    /// Whether another script has the same cause as far as answers show: a specific symptom, or no release, option or tactic that
    /// distinguishes the two.
    pub fn is_same(&self, other: &ReducedCause) -> bool {
        // Many bugs share a bare signal.
        let is_bare = symptom::is_bare_signal(self.class, &self.symptom);
        (self.class, &self.solver, &self.symptom) == (other.class, &other.solver, &other.symptom)
            && ((self.is_told() && !is_bare) || !self.vector.contradicts(&other.vector))
    }
}
