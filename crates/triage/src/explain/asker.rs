//! Whether a solver is wrong on a script, asked as often as that takes, within the bound.

use super::asked::AskedScript;
use super::bound::ExplainBound;
use finding::record::SymptomRepeats;
use reduce::bisect::{KnownWrong, VersionVerdict, verdict};
use std::time::Duration;

/// How often a script is asked to see whether an answer is always the same.
pub const RUNS: u32 = 3;
/// The most runs that are made of one question, where the solver errs seldom.
const MOST_RUNS: u32 = 12;
/// The chance that a solver is taken for right that errs as often as it did at first.
const MISSED: f64 = 0.05;
/// How much more CPU time than the script itself a question may take, and how much at least.
const PATIENCE: u32 = 8;
const MIN_PATIENCE: Duration = Duration::from_secs(2);

/// Who asks.
pub struct ScriptAsker<'a> {
    /// The bound of all questions.
    pub bound: &'a ExplainBound,
    /// What is wrong.
    pub fact: &'a KnownWrong,
    /// How often the script itself shows it.
    pub shown: SymptomRepeats,
    /// The most CPU time that it took.
    pub cpu: Duration,
}

/// What came of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepeatedVerdict {
    /// What the solver does.
    pub did: VersionVerdict,
    /// How often it is wrong, where it is so in some runs and right in others, and the script itself shows it always.
    pub shown: Option<SymptomRepeats>,
}

impl<'a> ScriptAsker<'a> {
    /// Asks the script itself several times. None if the time is over before.
    pub fn begin(bound: &'a ExplainBound, fact: &'a KnownWrong, script: &AskedScript) -> Option<ScriptAsker<'a>> {
        let mut asker = ScriptAsker { bound, fact, shown: SymptomRepeats { shown: 0, runs: 0 }, cpu: Duration::ZERO };
        for _ in 0..RUNS {
            let (did, cpu) = asker.once(script, None)?;
            asker.cpu = asker.cpu.max(cpu);
            asker.shown.runs += 1;
            asker.shown.shown += u32::from(did == VersionVerdict::Wrong);
        }
        Some(asker)
    }

    /// What the solver does. A wrong answer is believed at once; a right one is seen several times. None if the time is over before.
    pub fn verdict(&self, script: &AskedScript) -> Option<RepeatedVerdict> {
        let patience = (self.cpu * PATIENCE).max(MIN_PATIENCE);
        let (runs, mut shown) = (runs_for(self.shown), 0);
        for run in 1..=runs {
            let (did, _) = self.once(script, Some(patience))?;
            shown += u32::from(did == VersionVerdict::Wrong);
            let is_settled = match did {
                // One that errs now and then at first errs now and then.
                VersionVerdict::Wrong => run == 1 || !self.shown.confirmed(),
                VersionVerdict::Right => false,
                VersionVerdict::Undecided | VersionVerdict::Refused => true,
            };
            if is_settled {
                return Some(RepeatedVerdict { did, shown: None });
            }
        }
        let is_mixed = shown > 0;
        Some(RepeatedVerdict {
            did: if is_mixed { VersionVerdict::Wrong } else { VersionVerdict::Right },
            shown: is_mixed.then_some(SymptomRepeats { shown, runs }),
        })
    }

    /// One run, and its CPU time.
    fn once(&self, script: &AskedScript, patience: Option<Duration>) -> Option<(VersionVerdict, Duration)> {
        if self.bound.is_over() {
            return None;
        }
        let mut question = script.question.clone();
        let given = [question.limits.script_cpu, patience, self.bound.left()];
        question.limits.script_cpu = given.into_iter().flatten().min();
        let solver = script.solver.clone().with_cancel(self.bound.cancel().clone());
        let (did, cpu) = match question.ask(&solver, &script.text) {
            Ok(reply) => (verdict(&reply, self.fact), reply.outcome.cpu),
            Err(_) => (VersionVerdict::Refused, Duration::ZERO),
        };
        self.bound.add(cpu);
        // What was cut off says nothing of the solver.
        let is_cut = did == VersionVerdict::Undecided && self.bound.is_over();
        (!is_cut).then_some((did, cpu))
    }
}

/// How many runs show whether something vanishes that shows so often.
fn runs_for(shown: SymptomRepeats) -> u32 {
    if shown.confirmed() || shown.shown == 0 {
        return RUNS;
    }
    let share = f64::from(shown.shown) / f64::from(shown.runs);
    ((MISSED.ln() / (1.0 - share).ln()).ceil() as u32).clamp(RUNS, MOST_RUNS)
}

#[cfg(test)]
mod tests {
    use super::runs_for;
    use finding::record::SymptomRepeats;

    #[test]
    fn the_seldomer_it_shows_the_more_runs_are_made() {
        let check = |shown: u32, runs: u32, expect: u32| assert_eq!(runs_for(SymptomRepeats { shown, runs }), expect);
        check(3, 3, 3);
        check(2, 3, 3);
        check(1, 3, 8);
        check(1, 100, 12);
        check(0, 3, 3);
    }
}
