//! A cause as an issue for the solver's tracker: everything that a maintainer needs to check it.

use super::proof::IssueProof;
use crate::render::finding::headline;
use crate::render::say::{counted, cut, quoted, whence};
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

/// The values of the templates for a cause.
#[derive(Clone, Debug, Serialize)]
pub struct Issue {
    /// One line, with the newest release that errs.
    pub title: String,
    /// The script.
    pub script: String,
    /// The second script if two answers contradict each other, with its description.
    pub second: Option<String>,
    /// The right behaviour, if it is known.
    pub expected: String,
    /// The solver's behaviour.
    pub actual: String,
    /// The solver's name and version.
    pub solver: String,
    /// The package of its program; empty for a program of the user.
    pub origin: String,
    /// Options other than those that make it read a script.
    pub options: String,
    /// The grade of the options that the script needs.
    pub grade: OptionGrade,
    /// The command line that reproduces it.
    pub command: String,
    /// The labels and entries of the form of the project's tracker.
    pub form: Vec<(String, String)>,
    /// The size of the script.
    pub size: Size,
    /// The original size; `None` if it was not reduced.
    pub original: Option<Size>,
    /// The claim: that the answer or a self-check is wrong. Empty without one.
    pub claim: &'static str,
    /// The reason, and what it is based on.
    pub why: String,
    /// A command that repeats the proof.
    pub again: Option<&'static str>,
    /// The heading of `values`.
    pub values_of: &'static str,
    /// Subterms with their values, the assertion last.
    pub values: Option<String>,
    /// Definitions that make every assertion true.
    pub witness: Option<String>,
    /// The releases' behaviour, the oldest first; empty without other releases.
    pub versions: Vec<VersionRow>,
    /// Whether some release differs without options, so that the table has a column for it.
    pub plain_differs: bool,
    /// The first and last bad releases, if known.
    pub history: Option<String>,
    /// Options with which the solver is right; empty if the explanation has them.
    pub remedies: Vec<String>,
    /// The explanation of what it depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Answers of other solvers.
    pub others: Vec<OtherRow>,
    /// How the cause was found.
    pub found: String,
    /// The number of findings of the cause.
    pub count: usize,
    /// Whether the proof's witness is missing, so that the issue is not ready.
    #[serde(skip)]
    pub lacks_proof: bool,
}

/// A release's behaviour.
#[derive(Clone, Debug, Serialize)]
pub struct VersionRow {
    version: String,
    answer: &'static str,
    plain: &'static str,
}

/// Another solver's answer.
#[derive(Clone, Debug, Serialize)]
pub struct OtherRow {
    solver: String,
    said: String,
}

impl Issue {
    /// Returns the issue of a single finding.
    pub fn of_finding(finding: &Triaged, titles: &SolverTitles) -> Issue {
        let signature = finding.reduced.as_ref().map(|reduced| reduced.signature.clone());
        let group = CauseGroup { members: vec![finding], reduced: usize::from(signature.is_some()), signature };
        Issue::of(&group, titles)
    }

    /// Returns the issue of a cause.
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
            // Local paths mean nothing to a maintainer.
            origin: Some(finding.solver.origin.clone()).filter(|text| text.contains(": ")).unwrap_or_default(),
            options: options(best, titles),
            grade: best.grade(),
            command: command(best),
            form: form(best, titles),
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

/// Fills in the form of the project's tracker.
fn form(best: &Triaged, titles: &SolverTitles) -> Vec<(String, String)> {
    let finding = &best.finding;
    let kind = match finding.class.severity() {
        BugSeverity::Crash => 0,
        BugSeverity::WrongAnswer => 1,
        BugSeverity::BrokenPromise | BugSeverity::Minor => 2,
    };
    let platform = format!("{} {}", finding.environment.os, finding.environment.arch);
    let last_right = best.releases().last_right().map(|label| titles.of(label)).unwrap_or_default();
    let parts = [("platform", platform.as_str()), ("grade", best.grade().word()), ("last-right", &last_right)];
    let filled = titles.form(&finding.solver.label).iter().map(|field| {
        let text = field.kinds.get(kind).unwrap_or(&field.text);
        (field.label.clone(), failure::fill(text, &parts))
    });
    filled.filter(|(_, text)| !text.is_empty()).collect()
}

/// Describes the bisection over releases and commits.
fn history(best: &Triaged, releases: Option<String>) -> Option<String> {
    let commits = best.bisection.iter().flat_map(|found| &found.commits).filter(|found| found.first_bad.is_some());
    let sentences: Vec<String> = releases.into_iter().chain(commits.flat_map(|found| found.describe())).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The releases' answers. A single release is the one of the finding, which is described elsewhere.
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

/// Returns an answer's name in the table of versions.
fn answer_word(best: &Triaged, did: VersionVerdict) -> &'static str {
    let [wrong, right] = row(best).answers;
    match did {
        VersionVerdict::Refused => "does not accept the script",
        VersionVerdict::Undecided => "no answer",
        VersionVerdict::Wrong => wrong,
        VersionVerdict::Right => right,
    }
}

/// Returns the answers of other solvers, if the finding is about an answer.
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
    decided.map(|row| OtherRow { solver: titles.of(&row.solver), said: cut(&row.said, 200) }).collect()
}

/// Returns the CPU times of a slow script.
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

/// The right answer and the solver's answer. The evaluator's result never appears as the solver's.
fn answers(best: &Triaged, proof: &IssueProof) -> (String, String) {
    let finding = &best.finding;
    let said = symptom::describe(&finding.symptom);
    let right = match proof.right {
        // Any answer is right.
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

/// Returns the wrong check, from 1, and the number of checks; `None` for a single or unknown one.
fn check_of_several(best: &Triaged, proof: &IssueProof) -> Option<(usize, usize)> {
    let finding = &best.finding;
    let is_known = best.reduced.is_none() && finding.check > 0;
    proof.check.or(is_known.then_some((finding.check + 1, finding.expected.len())))
}

/// Returns the script; a comment marks the wrong check if there are several.
fn marked_script(best: &Triaged, proof: &IssueProof) -> String {
    let script = best.script().trim_end();
    let Some((check, _)) = check_of_several(best, proof) else { return script.to_string() };
    let comment = match (symptom::describe(&best.finding.symptom), proof.right) {
        (said, Some(right)) if ["sat", "unsat", "unknown"].contains(&said.as_str()) => {
            format!("the answer to this check is {said}, but {right} is right")
        }
        _ => "this check goes wrong".to_string(),
    };
    readable::marked(script, check - 1, &comment)
}

/// Returns a solver's reason for `unknown`, as a suffix; empty without one.
fn reason(best: &Triaged) -> String {
    match best.finding.reason_unknown.as_deref().map(symptom::describe) {
        Some(reason) if !reason.is_empty() && reason != symptom::UNKNOWN => format!(", with the reason: {reason}"),
        _ => String::new(),
    }
}

fn row(best: &Triaged) -> &'static FailureRow {
    failure::row(best.finding.class, &best.finding.symptom)
}

/// The command line that the script needs, including options that make the solver check its models.
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

/// Returns the program's file name with its options.
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

/// Returns the options of a solver with a profile; other programs' arguments are unknown.
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
