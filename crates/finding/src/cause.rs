//! What a campaign takes for one cause: the symptom where it tells, and for wrong answers, until they are reduced, where they were found.
//!
//! After reduction a wrong answer's cause is its vector of answers ([`crate::answer_vector`]). The number of causes is a lower bound of
//! the number of bugs: two bugs may show alike.

use crate::class::BugClass;
use crate::record::{Finding, ScriptOrigin};
use crate::symptom;
use serde::{Deserialize, Serialize};

/// What a hit shows, and where it was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// The class.
    pub class: BugClass,
    /// Whether it is a mutant or the seed itself.
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
    /// The seed's name.
    pub seed: String,
}

/// What hits of one cause have in common: where the symptom tells, nothing else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CauseKey(Cause);

impl Cause {
    /// The cause of a finding.
    pub fn of(finding: &Finding) -> Cause {
        Cause {
            class: finding.class,
            origin: finding.origin,
            solver: finding.solver.label.clone(),
            symptom: finding.telling_symptom().to_string(),
            mode: finding.mode.clone(),
            options: finding.solver.drawn_options.join(" "),
            seed: finding.seed.name.clone(),
        }
    }

    /// By what it is told apart from other causes.
    pub fn key(&self) -> CauseKey {
        // A seed that is answered wrongly as it is shares its cause with its mutants.
        let cause = Cause { origin: ScriptOrigin::Mutant, ..self.clone() };
        CauseKey(match symptom::tells(self.class, &self.symptom) {
            true => Cause { mode: String::new(), options: String::new(), seed: String::new(), ..cause },
            false => cause,
        })
    }
}
