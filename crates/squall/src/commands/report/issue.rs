//! A cause as an issue for the solver's tracker: everything a maintainer needs, and nothing to be trusted.

use super::proof::IssueProof;
use crate::render::headline::headline;
use crate::render::say::{counted, quoted, whence};
use crate::render::titles::SolverTitles;
use ::finding::failure::{self, FailureRow};
use ::finding::record::Slowness;
use ::finding::{BugClass, BugSeverity, OptionGrade, symptom};
use reduce::bisect::VersionVerdict;
use reduce::{Size, readable};
use serde::Serialize;
use solver::launcher;
use triage::bisection;
use triage::folder::{CauseGroup, Triaged};

/// What the templates say of a cause.
#[derive(Clone, Debug, Serialize)]
pub struct Issue {
    /// One line, with the newest release that errs.
    pub title: String,
    /// The script.
    pub script: String,
    /// The second script, where two answers contradict each other, and what it is.
    pub second: Option<String>,
    /// What a right solver does, if that is known.
    pub expected: String,
    /// What this one does.
    pub actual: String,
    /// The solver it was found with: name and version.
    pub solver: String,
    /// Which package its program was taken from; empty for one of the user's own.
    pub origin: String,
    /// Options beside those that make it read a script.
    pub options: String,
    /// What the solver's project says of the options that the script needs.
    pub grade: OptionGrade,
    /// What to type.
    pub command: String,
    /// How large the script is.
    pub size: Size,
    /// How large it was; none if it was not reduced.
    pub original: Option<Size>,
    /// What is to be shown: that the answer is wrong, or that a self-check is. Empty where nothing is.
    pub claim: &'static str,
    /// Why that is so, and on whose word.
    pub why: String,
    /// A command that repeats the argument.
    pub again: Option<&'static str>,
    /// What the values below are of.
    pub values_of: &'static str,
    /// Subterms with their values, the assertion last.
    pub values: Option<String>,
    /// Definitions that make every assertion true.
    pub witness: Option<String>,
    /// What releases do, the oldest first; empty where there is nothing to compare.
    pub versions: Vec<VersionRow>,
    /// Whether some release differs where no option is set, so that the table has a column for it.
    pub plain_differs: bool,
    /// When it began and ended, if that shows.
    pub history: Option<String>,
    /// Options with which the solver is right; none where the explanation tells them.
    pub remedies: Vec<String>,
    /// What it hangs on, in sentences, if that was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What other solvers answer.
    pub others: Vec<OtherRow>,
    /// How it was made.
    pub found: String,
    /// How many findings are like it.
    pub count: usize,
    /// Whether the argument lacks what it rests on, so that the issue is not ready.
    #[serde(skip)]
    pub lacks_proof: bool,
}

/// What a release does.
#[derive(Clone, Debug, Serialize)]
pub struct VersionRow {
    version: String,
    answer: &'static str,
    plain: &'static str,
}

/// What another solver does.
#[derive(Clone, Debug, Serialize)]
pub struct OtherRow {
    solver: String,
    said: String,
}

impl Issue {
    /// The issue of a finding by itself.
    pub fn of_finding(finding: &Triaged, titles: &SolverTitles) -> Issue {
        let signature = finding.reduced.as_ref().map(|reduced| reduced.signature.clone());
        let group = CauseGroup { members: vec![finding], reduced: usize::from(signature.is_some()), signature };
        Issue::of(&group, titles)
    }

    /// The issue of a cause.
    pub fn of(group: &CauseGroup<'_>, titles: &SolverTitles) -> Issue {
        let best = group.best();
        let finding = &best.finding;
        let label = &finding.solver.label;
        let releases = best.releases();
        let name = |label: &str| titles.for_others(label, finding.solver.program_sha256.as_deref());
        let proof = IssueProof::of(best);
        let pair = best.pair();
        let versions = versions(best, titles);
        let report = best.reduced.as_ref().and_then(|r| r.report.as_ref());
        let (expected, actual) = answers(best, &proof);
        Issue {
            title: headline(best, &name(releases.newest_erring().unwrap_or(label))),
            script: match &pair {
                Some([first, _]) => first.trim_end().to_string(),
                None => format!("{}{}", best.earlier, marked_script(best, &proof)),
            },
            second: pair.map(|[_, second]| second.trim_end().to_string()),
            expected,
            actual,
            solver: name(label),
            // Where a program lies on this machine tells a maintainer nothing.
            origin: Some(finding.solver.origin.clone()).filter(|text| text.contains(": ")).unwrap_or_default(),
            options: options(best, titles),
            grade: best.grade(),
            command: command(best),
            size: size_of(best.script()).with(reduce::predecessors::size(&best.earlier)),
            original: report.map(|r| r.before),
            claim: finding.class.row().claim,
            lacks_proof: proof.is_missing,
            why: proof.why,
            again: proof.again,
            values_of: row(best).values,
            values: proof.values,
            witness: proof.witness,
            plain_differs: versions.iter().any(|row| !row.plain.is_empty() && row.plain != row.answer),
            versions,
            history: history(best, releases.history(name)),
            remedies: match &best.explanation {
                Some(_) => Vec::new(),
                None => best.vector.iter().flat_map(|vector| vector.remedies()).map(str::to_string).collect(),
            },
            explanation: best.explanation.as_ref().map(|explanation| explanation.text.clone()),
            others: others(best, titles),
            found: found(best, report.map(|r| r.before)),
            count: group.members.len(),
        }
    }
}

/// What is known of releases and of commits, in sentences.
fn history(best: &Triaged, releases: Option<String>) -> Option<String> {
    let commits = best.bisection.iter().flat_map(|found| &found.commits).filter(|found| found.first_bad.is_some());
    let sentences: Vec<String> = releases.into_iter().chain(commits.flat_map(|found| found.describe())).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What the releases answer. A single one is that of the finding, of which all is said already.
fn versions(best: &Triaged, titles: &SolverTitles) -> Vec<VersionRow> {
    let plain = |label: &str| {
        let mut pairs = best.bisection.iter().flat_map(bisection::pairs);
        pairs.find(|(row, _)| row.solver == label).map(|(_, did)| did)
    };
    let releases = best.releases();
    let row = |row: &triage::releases::ReleaseAnswer| VersionRow {
        version: titles.for_others(&row.label, best.finding.solver.program_sha256.as_deref()),
        answer: answer_word(best, row.did),
        plain: plain(&row.label).map(|did| answer_word(best, did)).unwrap_or_default(),
    };
    match releases.rows() {
        [_] => Vec::new(),
        rows => rows.iter().map(row).collect(),
    }
}

/// What an answer is called in the table of versions.
fn answer_word(best: &Triaged, did: VersionVerdict) -> &'static str {
    let [wrong, right] = row(best).answers;
    match did {
        VersionVerdict::Refused => "does not accept the script",
        VersionVerdict::Undecided => "no answer",
        VersionVerdict::Wrong => wrong,
        VersionVerdict::Right => right,
    }
}

/// Other solvers that answer, where an answer is what is at stake.
fn others(best: &Triaged, titles: &SolverTitles) -> Vec<OtherRow> {
    let Some(bisection) = best
        .bisection
        .as_ref()
        .filter(|_| !matches!(best.finding.class.severity(), BugSeverity::Crash | BugSeverity::BrokenPromise))
    else {
        return Vec::new();
    };
    let decided =
        bisection.others.iter().filter(|row| matches!(row.did, VersionVerdict::Right | VersionVerdict::Wrong));
    decided.map(|row| OtherRow { solver: titles.of(&row.solver), said: first_line(&row.said) }).collect()
}

/// The CPU times of a script that the solver is slow on.
fn times(best: &Triaged) -> String {
    let times = |found: &Slowness| {
        let Slowness { than, cpu_s, other_cpu_s, .. } = found;
        format!("more than {cpu_s:.1} s of CPU time; {than} answers in {other_cpu_s:.3} s")
    };
    best.finding.slowness.as_ref().map_or(String::new(), times)
}

fn size_of(text: &str) -> Size {
    let mut store = smtlib::Store::new();
    let parsed = smtlib::parse(&mut store, text);
    Size::of(&store, &parsed.script, text.len())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// The right answer and the solver's own. What our evaluator says is never put into the solver's mouth.
fn answers(best: &Triaged, proof: &IssueProof) -> (String, String) {
    let finding = &best.finding;
    let said = symptom::describe(&finding.symptom);
    let right = match proof.right {
        // It answers, whatever that is.
        None if finding.class == BugClass::C => "sat or unsat",
        right => right.unwrap_or_default(),
    };
    let contradiction = finding.contradiction.as_ref().map(|found| {
        let (first, second) = (&found.first.answer, &found.second.answer);
        format!("{first} of the first script, and {second} of the second, which is {}", found.second_is)
    });
    let said = contradiction.unwrap_or(said);
    let (times, reason) = (times(best), reason(best));
    let parts = [("right", right), ("said", &said), ("times", &times), ("for", &reason)];
    let row = row(best);
    let (mut expected, actual) = (failure::fill(row.expected, &parts), failure::fill(row.actual, &parts));
    if let Some((check, checks)) = check_of_several(best, proof)
        && !expected.is_empty()
    {
        expected = format!("{expected}, at check {check} of {checks}");
    }
    (expected, actual)
}

/// The check that goes wrong, from 1, and how many there are; none where there is one, or it is not known.
fn check_of_several(best: &Triaged, proof: &IssueProof) -> Option<(usize, usize)> {
    let finding = &best.finding;
    let is_known = best.reduced.is_none() && finding.check > 0;
    proof.check.or(is_known.then_some((finding.check + 1, finding.expected.len())))
}

/// The script, in which the check that goes wrong is marked by a comment if it is one of several.
fn marked_script(best: &Triaged, proof: &IssueProof) -> String {
    let script = best.script().trim_end();
    let Some((check, _)) = check_of_several(best, proof) else { return script.to_string() };
    let comment = match (symptom::describe(&best.finding.symptom), proof.right) {
        (said, Some(right)) if ["sat", "unsat", "unknown"].contains(&said.as_str()) => {
            format!("this check is answered {said}, {right} is right")
        }
        _ => "this is the check that goes wrong".to_string(),
    };
    readable::marked(script, check - 1, &comment)
}

/// Why a solver gave up, as it follows `unknown`; empty where it says no reason.
fn reason(best: &Triaged) -> String {
    match best.finding.reason_unknown.as_deref().map(symptom::describe) {
        Some(reason) if !reason.is_empty() && reason != symptom::UNKNOWN => format!(", for the reason: {reason}"),
        _ => String::new(),
    }
}

fn row(best: &Triaged) -> &'static FailureRow {
    failure::row(best.finding.class, &best.finding.symptom)
}

/// The words of the command line that the script needs; options that make the solver check its models are among them.
fn words(best: &Triaged) -> Vec<String> {
    let mut words = best.finding.solver.command.clone();
    let mut dropped: Vec<String> = match best.reduced.as_ref().and_then(|r| r.options.clone()) {
        Some(needed) => best.recorded_options().into_iter().filter(|o| !needed.contains(o)).collect(),
        None => Vec::new(),
    };
    if best.profile_options().is_empty() {
        dropped.extend(best.finding.solver.profile_options.iter().cloned());
    }
    words.retain(|word| !dropped.contains(word));
    let label = &best.finding.solver.label;
    launcher::without_launcher(&words, label.split('@').next().unwrap_or(label))
}

/// The program's own name with its options as it was run.
fn command(best: &Triaged) -> String {
    let mut words = words(best);
    if let Some(program) = words.first_mut()
        && let Some(name) = program.rsplit('/').next()
    {
        *program = name.to_string();
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("{} < bug.smt2", quoted.join(" "))
}

/// Options of a solver that a profile describes; of another program it is not known which words are options.
fn options(best: &Triaged, titles: &SolverTitles) -> String {
    let base = titles.base_options(&best.finding.solver.label);
    let is_option = |word: &&String| !base.contains(word);
    match titles.is_known(&best.finding.solver.label) {
        true => words(best).iter().skip(1).filter(is_option).cloned().collect::<Vec<_>>().join(" "),
        false => best.options().join(" "),
    }
}

fn found(best: &Triaged, original: Option<Size>) -> String {
    let finding = &best.finding;
    let seed = finding.seed_name().map(|name| name.rsplit('/').next().unwrap_or(name));
    let how = whence(finding.mutator.as_ref().map(|mutator| mutator.name.as_str()), seed);
    let environment = &finding.environment;
    let reduced = original.map_or_else(String::new, |before| {
        let ended = if best.is_reduced() { "" } else { " by a reduction that ended early" };
        format!(", reduced from {} bytes and {}{ended}", before.bytes, counted(before.assertions, "assertion"))
    });
    format!(
        "Found by the fuzzer Squall {} on {} {}: {how}{reduced}; shown again in {} of {} runs.",
        environment.build, environment.os, environment.arch, finding.repeats.shown, finding.repeats.runs
    )
}
