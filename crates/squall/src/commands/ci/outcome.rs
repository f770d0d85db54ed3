//! The outcome of a run of `squall ci`: the groups of findings with the baseline's verdict on each, the exit code, and the log.

use super::known::KnownFinding;
use super::options::FailOn;
use crate::commands::fuzz;
use crate::exit::Exit;
use crate::render::say::{counted, quoted};
use ::experiment::coverage::builds::DifferenceKind;
use ::finding::{BugClass, CauseCount, KeptWith, Trust};
use ::fuzz::counts::untested::Untested;
use ::fuzz::state::event::CampaignStatus;
use std::path::PathBuf;
use triage::baseline::BaselineVerdict;

/// The maximum number of printed lines of a script.
const SCRIPT_LINES: usize = 200;
/// The maximum number of printed bytes of a script.
const SCRIPT_BYTES: usize = 20_000;

/// A group of findings with the baseline's verdict.
pub struct JudgedGroup {
    /// The finding's name.
    pub id: String,
    /// The class.
    pub class: BugClass,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// What the right answer is based on.
    pub trust: Trust,
    /// The right answers, and those of the solver.
    pub expected: String,
    pub answered: String,
    /// The seed, unless the problem is generated, and the script's mode.
    pub seed: Option<String>,
    pub mode: String,
    /// The number of findings in the group.
    pub members: usize,
    /// The baseline's verdict.
    pub verdict: BaselineVerdict,
    /// Its folder.
    pub folder: PathBuf,
    /// The script to look at.
    pub script: PathBuf,
    /// Its text, after the preceding scripts of the same process.
    pub text: String,
    /// The original size of that text, in bytes.
    pub bytes: usize,
    /// Whether the script to look at is the reduced one.
    pub is_reduced: bool,
    /// A remark on the reduced script.
    pub about_reduced: Option<String>,
    /// The properties that identify it in later runs.
    pub ways: Vec<KnownFinding>,
}

/// The outcome of a run.
pub struct CiOutcome {
    /// The solver under test.
    pub solver: String,
    /// The solver's specification on the command line, with its path.
    pub specification: String,
    /// The baseline, if there is one.
    pub baseline: Option<String>,
    /// The campaign's seed.
    pub seed: u64,
    /// The campaign's final status.
    pub standing: CampaignStatus,
    /// The reported groups of findings, the most important first.
    pub judged: Vec<JudgedGroup>,
    /// The number of groups that `--known` lists.
    pub listed: usize,
    /// The number of groups of classes that `--fail-on` does not name.
    pub off: usize,
    /// The classes of `--fail-on`.
    pub fail_on: FailOn,
    /// Whether the user stopped it.
    pub is_interrupted: bool,
    /// The causes of all findings in the folder, reported or not.
    pub count: CauseCount,
    /// What is known about the change of --changed, one line each.
    pub change: Vec<String>,
    /// The worst difference of the builds before and after it by which one of them is wrong.
    pub compared: Option<DifferenceKind>,
}

/// Whether the solver is proven wrong. An `unknown` is not wrong, even if the right answer is certified.
pub fn is_proven(class: BugClass, trust: &Trust) -> bool {
    class.row().kept_with == KeptWith::Proof && trust.is_certified()
}

impl JudgedGroup {
    /// Whether the group fails the build: the baseline is right; or the answer is proven wrong, whatever the baseline answers; or the
    /// run itself shows the bug, as a crash does, and there is no baseline.
    pub fn fails(&self) -> bool {
        match &self.verdict {
            BaselineVerdict::New(_) => true,
            BaselineVerdict::Absent if self.trust == Trust::Observed => true,
            _ => is_proven(self.class, &self.trust),
        }
    }

    /// Whether it is open if it is new.
    fn is_open(&self) -> bool {
        matches!(self.verdict, BaselineVerdict::Open(_) | BaselineVerdict::NotAsked | BaselineVerdict::Absent)
            && !self.fails()
    }

    /// Returns the verdict as a word.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            BaselineVerdict::New(_) => self.verdict.word(),
            _ if self.fails() => "WRONG",
            _ => self.verdict.word(),
        }
    }

    /// Returns the shown first lines of the script.
    pub fn excerpt(&self, lines: usize) -> String {
        excerpt(&self.text, lines)
    }
}

impl CiOutcome {
    /// Why the run decided nothing, if so.
    pub fn trouble(&self) -> Option<String> {
        let open = |is: fn(&BaselineVerdict) -> bool| self.of(|one| one.is_open() && is(&one.verdict));
        let groups = |count: usize| counted(count as u64, "group of findings");
        let left = open(|verdict| matches!(verdict, BaselineVerdict::NotAsked));
        let absent = open(|verdict| matches!(verdict, BaselineVerdict::Absent));
        let undecided = open(|verdict| matches!(verdict, BaselineVerdict::Open(_)));
        match Untested::of(&self.standing.counts) {
            _ if self.is_interrupted => Some("The run was interrupted.".to_string()),
            // Any finding shows that something was tested.
            Some(untested) if untested.is_unresolved() || self.judged.len() + self.listed + self.off == 0 => {
                Some(untested.to_string())
            }
            _ if self.is_wrong_after() => {
                Some("The build after the change is wrong where the one before is not.".to_string())
            }
            _ if self.compared.is_some() => {
                Some("The build after the change contradicts the one before, or a proof of it is broken.".to_string())
            }
            _ if left > 0 => {
                Some(format!("No time was left to run the baseline on {}: allow more with --within.", groups(left)))
            }
            _ if absent > 0 => {
                Some(format!("Only a baseline can show whether {} is new: name one with --baseline.", groups(absent)))
            }
            _ if undecided > 0 => {
                Some(format!("The baseline does not show whether {} without a proof is new.", groups(undecided)))
            }
            _ => None,
        }
    }

    /// Whether the build after the change is proven wrong where the one before is not.
    fn is_wrong_after(&self) -> bool {
        self.compared.is_some_and(DifferenceKind::is_proven)
    }

    /// Returns the exit code of `squall ci`.
    pub fn exit(&self) -> Exit {
        match self.trouble() {
            _ if self.judged.iter().any(JudgedGroup::fails) || self.is_wrong_after() => Exit::Found,
            // A finding that was not compared is not clean.
            Some(_) if self.is_interrupted => Exit::Unfinished,
            Some(_) if !self.judged.is_empty() || self.compared.is_some() => Exit::Unknown,
            Some(_) => fuzz::tested(&self.standing),
            None => Exit::Clean,
        }
    }

    /// Returns the number of groups for which `is` holds.
    pub fn of(&self, is: impl Fn(&JudgedGroup) -> bool) -> usize {
        self.judged.iter().filter(|one| is(one)).count()
    }

    /// Returns the compared solvers.
    pub fn pair(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} against {baseline}", self.solver),
            None => format!("{} without a baseline", self.solver),
        }
    }

    /// Returns the log: every group, new ones with their scripts, and the outcome in one sentence.
    pub fn words(&self) -> String {
        let mut lines = Vec::new();
        for one in &self.judged {
            lines.push(format!("{:<5} class {}: {} [{}]", one.word(), one.class, one.summary, one.trust));
            lines.push(format!("      {}", self.contrast(one)));
            if one.fails() {
                let size = match one.is_reduced && one.text.len() < one.bytes {
                    true => format!("reduced from {} to {} bytes", one.bytes, one.text.len()),
                    false => format!("{} bytes, not reduced", one.bytes),
                };
                lines.push(format!("      {size}: {}", one.script.display()));
                lines.extend(one.about_reduced.iter().map(|about| format!("      {about}")));
                lines.push("----".to_string());
                lines.push(one.excerpt(SCRIPT_LINES));
                lines.push("----".to_string());
                lines.push(format!("      reproduce: squall replay {}", quoted(&one.folder.display().to_string())));
            } else {
                lines.push(format!("      {}", one.folder.display()));
            }
        }
        lines.extend(self.change.iter().cloned());
        let verdict = self.verdict();
        // The campaign's summary, before this log, tells why nothing was tested.
        let told = Untested::of(&self.standing.counts).filter(|_| self.judged.is_empty());
        let told = told.and_then(|untested| verdict.strip_suffix(&format!("\n{untested}")));
        lines.push(told.unwrap_or(&verdict).to_string());
        lines.join("\n")
    }

    /// Returns the answers of the solver and the baseline.
    pub fn contrast(&self, one: &JudgedGroup) -> String {
        let baseline = self.baseline.as_ref().map(|baseline| format!("{baseline} ")).unwrap_or_default();
        format!(
            "{} answers {}; expected {}; {baseline}{}",
            self.solver,
            one.answered,
            one.expected,
            one.verdict.reason()
        )
    }

    /// Returns the unreported groups, as the end of a sentence.
    fn unreported(&self) -> String {
        let mut text = String::new();
        if self.listed > 0 {
            text = format!("; {} listed by --known", self.listed);
        }
        if self.off > 0 {
            text += &format!("; {} of classes not in --fail-on {}", self.off, self.fail_on);
        }
        text
    }

    /// Returns the outcome in one sentence, and why the run decided nothing.
    pub fn verdict(&self) -> String {
        let new = self.of(|one| matches!(one.verdict, BaselineVerdict::New(_)));
        let wrong = self.of(JudgedGroup::fails) - new;
        let known = self.of(|one| !one.fails() && matches!(one.verdict, BaselineVerdict::Known(_)));
        format!(
            "{}, seed {}: {}, {}; groups of findings: {new} new, {wrong} more that fail, {known} also in \
             the baseline, {} undecided by it or flaky{}.{}",
            self.pair(),
            self.seed,
            counted(self.standing.counts.mutants, "mutant"),
            self.count,
            self.judged.len() - new - wrong - known,
            self.unreported(),
            self.trouble().map(|trouble| format!("\n{trouble}")).unwrap_or_default()
        )
    }
}

/// Returns the first lines of a text, at most `lines` and [`SCRIPT_BYTES`], without the final line break.
fn excerpt(text: &str, lines: usize) -> String {
    let end = text.match_indices('\n').nth(lines.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let mut end = end.min(SCRIPT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let shown = &text[..end];
    match text[shown.len()..].trim_end().is_empty() {
        true => shown.trim_end().to_string(),
        false => format!("{shown}\n; … the rest is in the file"),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/outcome.rs"]
mod tests;
