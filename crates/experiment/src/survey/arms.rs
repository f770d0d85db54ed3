//! The campaigns of a survey: one for each solver variant, mode and logic.

use crate::campaigns::plan::CampaignArm;
use serde::Serialize;

/// How mutants ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SurveyMode {
    /// One check.
    Plain,
    /// Push, pop and several checks.
    Incremental,
    /// `(check-sat-using T)` with the tactics of the solver's profile.
    Tactic,
}

impl SurveyMode {
    /// All, in the order of columns.
    pub const ALL: [SurveyMode; 3] = [SurveyMode::Plain, SurveyMode::Incremental, SurveyMode::Tactic];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            SurveyMode::Plain => "plain",
            SurveyMode::Incremental => "incremental",
            SurveyMode::Tactic => "tactic",
        }
    }

    /// Options of `squall fuzz` with which mutants of the mutator storm ask so.
    fn options(self) -> &'static [&'static str] {
        match self {
            SurveyMode::Plain => &["--incremental", "off", "--tactics", "none"],
            SurveyMode::Incremental => &["--incremental", "on", "--tactics", "none"],
            SurveyMode::Tactic => &["--incremental", "off", "--set", "tactical=100"],
        }
    }
}

/// A solver under test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SurveyedSolver {
    /// As `squall fuzz` is told it, with its version and options.
    pub spec: String,
    /// Whether its profile has tactics.
    pub has_tactics: bool,
}

/// One campaign of a survey.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SurveyArm {
    /// The solver.
    pub solver: String,
    /// The mode.
    pub mode: SurveyMode,
    /// The logic of its seeds.
    pub logic: String,
}

impl SurveyArm {
    /// All that can be asked: a solver without tactics has no such mode.
    pub fn all(solvers: &[SurveyedSolver], modes: &[SurveyMode], logics: &[String]) -> Vec<SurveyArm> {
        let mut arms = Vec::new();
        for solver in solvers {
            for &mode in modes.iter().filter(|mode| solver.has_tactics || **mode != SurveyMode::Tactic) {
                let arm = |logic: &String| SurveyArm { solver: solver.spec.clone(), mode, logic: logic.clone() };
                arms.extend(logics.iter().map(arm));
            }
        }
        arms
    }

    /// The campaign, whose folder is named by `place`, the solver's position, since a solver may be named by a path.
    pub fn campaign(&self, place: usize) -> CampaignArm {
        let mut words = vec!["--solver".to_string(), self.solver.clone(), "--logic".to_string(), self.logic.clone()];
        words.extend(self.mode.options().iter().map(|word| (*word).to_string()));
        CampaignArm { name: format!("solver{}-{}-{}", place + 1, self.mode.word(), self.logic), words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_without_tactics_have_fewer_modes() {
        let solver = |spec: &str, has_tactics| SurveyedSolver { spec: spec.to_string(), has_tactics };
        let arms = SurveyArm::all(
            &[solver("z3@4.8.7", true), solver("cvc5 --x", false)],
            &SurveyMode::ALL,
            &["QF_BV".to_string()],
        );
        let words: Vec<String> = arms.iter().map(|arm| arm.campaign(1).words.join(" ")).collect();
        assert_eq!(
            words,
            [
                "--solver z3@4.8.7 --logic QF_BV --incremental off --tactics none",
                "--solver z3@4.8.7 --logic QF_BV --incremental on --tactics none",
                "--solver z3@4.8.7 --logic QF_BV --incremental off --set tactical=100",
                "--solver cvc5 --x --logic QF_BV --incremental off --tactics none",
                "--solver cvc5 --x --logic QF_BV --incremental on --tactics none",
            ]
        );
        assert_eq!(arms[2].campaign(0).name, "solver1-tactic-QF_BV");
    }
}
