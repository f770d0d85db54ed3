//! The kind of a wrong answer: how it was asked and from what it was made. Findings of one kind likely share their
//! causes.

use crate::class::BugClass;
use crate::record::Finding;
use crate::same_cause::Cause;
use std::sync::Arc;

/// A whole cause, in the unit of rewards.
pub const CAUSE: u64 = 1000;

/// After this many causes of the same class, solver and mode another one is worth half as much: it is likely one of
/// their bugs.
const ALIKE_HALF: u64 = 8;

/// What is known about a wrong answer before its reduction.
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
    /// What the script was made from.
    pub origin: FindingOrigin,
}

/// What a finding was made from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FindingOrigin {
    /// The mutator and, unless a tactic is asked for, the theory or logic: a tactic's bugs show in every logic.
    pub made_by: String,
    /// The seed's name; `None` for a generated problem.
    pub seed: Option<String>,
}

/// Stands for an operator where a failure shows only with the script's own names, `let` or layout: no operator has this name.
pub const OWN_SPELLING: &str = "own spelling";

/// The worth of hits that look like new causes, from which the schedule learns. A campaign with one worker is
/// deterministic in its seed and the solvers' answers only if this depends on nothing else.
pub trait CauseReward: Send + Sync {
    /// Returns the worth of a hit, at most [`CAUSE`]; `alike` is how many groups of its class, solver and mode were known before.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64;

    /// Whether a hit of this kind is worth confirming, though none from its seed is known.
    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let _ = kind;
        true
    }

    /// Returns the triggers of a solver's known causes: for each the operators of its reduced script, by their standard names, or
    /// [`OWN_SPELLING`]. Most mutants avoid one of them, so that other causes can show.
    fn triggers(&self, solver: &str) -> Vec<Arc<[Box<str>]>> {
        let _ = solver;
        Vec::new()
    }

    /// Returns the options and settings that a solver's known causes need, one list per cause. Most units avoid one of them.
    fn avoided_settings(&self, solver: &str) -> Vec<Arc<[String]>> {
        let _ = solver;
        Vec::new()
    }

    /// Whether reductions keep up with hits. If not, no new units are begun for now.
    fn keeps_pace(&self) -> bool {
        true
    }
}

/// The more similar causes are known, the less another one is worth: for campaigns without reductions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RewardByAlike;

impl FindingKind {
    /// Returns the kind of a cause's hits that come from `origin`.
    pub fn new(cause: &Cause, origin: FindingOrigin) -> FindingKind {
        FindingKind {
            class: cause.class,
            solver: cause.solver.clone(),
            mode: cause.mode.clone(),
            options: cause.options.clone(),
            origin,
        }
    }

    /// Returns the kind of a finding.
    pub fn of(finding: &Finding) -> FindingKind {
        FindingKind::new(&Cause::of(finding), FindingOrigin::of(finding))
    }

    /// Returns the mode in a word: `plain`, `incremental`, `tactic`.
    pub fn mode_word(&self) -> &str {
        self.mode.split(' ').next().unwrap_or_default()
    }

    /// Whether the script asks with a tactic.
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

    /// Returns the origin of a mutator's script in a mode: from a theory, or from a seed with this name and logic.
    pub fn new(mutator: &str, mode: &str, theory: Option<&str>, seed: Option<(&str, Option<&str>)>) -> FindingOrigin {
        let made_by = match theory.or(seed.and_then(|(_, logic)| logic)) {
            Some(theory) if !theory.is_empty() && !mode.starts_with("tactic ") => format!("{mutator} {theory}"),
            _ => mutator.to_string(),
        };
        FindingOrigin { made_by, seed: seed.filter(|_| theory.is_none()).map(|(name, _)| name.to_string()) }
    }
}

impl CauseReward for RewardByAlike {
    fn worth(&self, _kind: &FindingKind, alike: u64) -> u64 {
        CAUSE * ALIKE_HALF / ALIKE_HALF.saturating_add(alike)
    }
}
