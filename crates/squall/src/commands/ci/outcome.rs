//! What a run of `squall ci` came to: the groups of findings with the baseline's word on each, the exit code, and the log's words.

use super::known::KnownFinding;
use super::options::FailOn;
use crate::commands::fuzz;
use crate::exit::Exit;
use crate::render::say::{counted, quoted};
use ::finding::{BugClass, CauseCount, KeptWith, Trust};
use ::fuzz::counts::untested::Untested;
use ::fuzz::state::event::CampaignStatus;
use std::path::PathBuf;
use triage::baseline::BaselineVerdict;

/// Lines of a script that are printed.
const SCRIPT_LINES: usize = 200;
/// Bytes of a script that are printed.
const SCRIPT_BYTES: usize = 20_000;

/// A group of findings with what the baseline says of it.
pub struct JudgedGroup {
    /// The finding's name.
    pub id: String,
    /// `A`, `B`, `C` or `D`.
    pub class: BugClass,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// On whose word the right answer stands.
    pub trust: Trust,
    /// The right answers, and those of the solver.
    pub expected: String,
    pub answered: String,
    /// The seed, which a generated problem does not have, and how the script asks.
    pub seed: Option<String>,
    pub mode: String,
    /// Findings in the group.
    pub members: usize,
    /// What the baseline says.
    pub verdict: BaselineVerdict,
    /// Its folder.
    pub folder: PathBuf,
    /// The script to look at.
    pub script: PathBuf,
    /// Its text, behind the scripts that must go before it in the same process.
    pub text: String,
    /// The size of that text as it was found.
    pub bytes: usize,
    /// Whether the script to look at is the reduced one.
    pub is_reduced: bool,
    /// What there is to say of the reduced script, if there is one.
    pub about_reduced: Option<String>,
    /// By what it is recognised in later runs.
    pub ways: Vec<KnownFinding>,
}

/// What a run came to.
pub struct CiOutcome {
    /// The solver under test.
    pub solver: String,
    /// The same as the command line names it, with its path.
    pub specification: String,
    /// The baseline; none where no solver was named.
    pub baseline: Option<String>,
    /// The campaign's seed.
    pub seed: u64,
    /// How the campaign stood at its end.
    pub standing: CampaignStatus,
    /// The groups of findings that are reported, the most important first.
    pub judged: Vec<JudgedGroup>,
    /// Groups that the file of `--known` lists.
    pub listed: usize,
    /// Groups of classes that `--fail-on` does not name.
    pub off: usize,
    /// Which classes it names.
    pub fail_on: FailOn,
    /// Whether the user stopped it.
    pub is_interrupted: bool,
    /// The causes of all findings in the folder, those that are not reported included.
    pub count: CauseCount,
}

/// Whether it is proven that the solver is wrong. That an answer to what it gave up is certified makes it no wrong answer.
pub fn is_proven(class: BugClass, trust: &Trust) -> bool {
    class.row().kept_with == KeptWith::Proof && trust.is_certified()
}

impl JudgedGroup {
    /// Whether it fails the build: the baseline answers rightly; or the answer is proven wrong, whatever the baseline says of it; or the run
    /// itself shows the bug, as a crash does, and there is no baseline that may have it too.
    pub fn fails(&self) -> bool {
        match &self.verdict {
            BaselineVerdict::New(_) => true,
            BaselineVerdict::Absent if self.trust == Trust::Observed => true,
            _ => is_proven(self.class, &self.trust),
        }
    }

    /// Whether nobody knows if it is new.
    fn is_open(&self) -> bool {
        matches!(self.verdict, BaselineVerdict::Open(_) | BaselineVerdict::NotAsked | BaselineVerdict::Absent)
            && !self.fails()
    }

    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            BaselineVerdict::New(_) => self.verdict.word(),
            _ if self.fails() => "WRONG",
            _ => self.verdict.word(),
        }
    }

    /// The script's first lines, as they are shown.
    pub fn excerpt(&self, lines: usize) -> String {
        excerpt(&self.text, lines)
    }
}

impl CiOutcome {
    /// What kept the run from deciding, if something did.
    pub fn trouble(&self) -> Option<String> {
        let open = |is: fn(&BaselineVerdict) -> bool| self.of(|one| one.is_open() && is(&one.verdict));
        let groups = |count: usize| counted(count as u64, "group of findings");
        let left = open(|verdict| matches!(verdict, BaselineVerdict::NotAsked));
        let absent = open(|verdict| matches!(verdict, BaselineVerdict::Absent));
        let undecided = open(|verdict| matches!(verdict, BaselineVerdict::Open(_)));
        match Untested::of(&self.standing.counts) {
            _ if self.is_interrupted => Some("The run was interrupted.".to_string()),
            // A finding of any kind shows that something was tested.
            Some(untested) if untested.is_unresolved() || self.judged.len() + self.listed + self.off == 0 => {
                Some(untested.to_string())
            }
            _ if left > 0 => {
                Some(format!("No time was left to ask the baseline about {}: allow more by --within.", groups(left)))
            }
            _ if absent > 0 => {
                Some(format!("Only a baseline can show whether {} is new: name one by --baseline.", groups(absent)))
            }
            _ if undecided > 0 => Some(format!(
                "The baseline does not show whether {} is new, of which there is no proof.",
                groups(undecided)
            )),
            _ => None,
        }
    }

    /// How `squall ci` ends.
    pub fn exit(&self) -> Exit {
        match self.trouble() {
            _ if self.judged.iter().any(JudgedGroup::fails) => Exit::Found,
            // What was not compared must not pass for nothing new.
            Some(_) if self.is_interrupted => Exit::Unfinished,
            Some(_) if !self.judged.is_empty() => Exit::Unknown,
            Some(_) => fuzz::tested(&self.standing),
            None => Exit::Clean,
        }
    }

    /// How many groups are so.
    pub fn of(&self, is: impl Fn(&JudgedGroup) -> bool) -> usize {
        self.judged.iter().filter(|one| is(one)).count()
    }

    /// The solvers that were compared.
    pub fn pair(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} against {baseline}", self.solver),
            None => format!("{} without a baseline", self.solver),
        }
    }

    /// The log's words: every group, new ones with their scripts, and the outcome in one sentence.
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
                lines.push(format!("      again: squall replay {}", quoted(&one.folder.display().to_string())));
            } else {
                lines.push(format!("      {}", one.folder.display()));
            }
        }
        lines.push(self.verdict());
        lines.join("\n")
    }

    /// What the solver and the baseline say.
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

    /// The groups that are not reported, as the end of a sentence.
    fn unreported(&self) -> String {
        let mut text = String::new();
        if self.listed > 0 {
            text = format!("; {} of --known not reported", self.listed);
        }
        if self.off > 0 {
            text += &format!("; {} of other classes than --fail-on {} not compared", self.off, self.fail_on);
        }
        text
    }

    /// The outcome in one sentence, and what kept the run from deciding.
    pub fn verdict(&self) -> String {
        let new = self.of(|one| matches!(one.verdict, BaselineVerdict::New(_)));
        let wrong = self.of(JudgedGroup::fails) - new;
        let known = self.of(|one| !one.fails() && matches!(one.verdict, BaselineVerdict::Known(_)));
        format!(
            "{}, seed {}: {} mutants, {}; groups of findings: {new} new, {wrong} more that fail, {known} that the baseline \
             has too, {} that it does not decide or that do not show every time{}.{}",
            self.pair(),
            self.seed,
            self.standing.counts.mutants,
            self.count,
            self.judged.len() - new - wrong - known,
            self.unreported(),
            self.trouble().map(|trouble| format!("\n{trouble}")).unwrap_or_default()
        )
    }
}

/// The first lines of a text, at most so many and [`SCRIPT_BYTES`], without the line break at the end.
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
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_bounded_and_says_so() {
        let check = |text: &str, expect: &str| assert_eq!(excerpt(text, 2), expect, "{text}");
        check("", "");
        check("a\nb", "a\nb");
        check("a\nb\n", "a\nb");
        check("a\nb\n\n", "a\nb");
        check("a\nb\nc", "a\nb\n; … the rest is in the file");
        let long = "ä".repeat(SCRIPT_BYTES);
        let shown = excerpt(&long, 2);
        assert!(shown.starts_with("ää") && shown.ends_with("ä\n; … the rest is in the file"));
        assert!(shown.len() < SCRIPT_BYTES + 50);
    }
}
