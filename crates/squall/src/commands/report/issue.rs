//! A group of findings as an issue for the solver's tracker: everything a maintainer needs, and nothing to be trusted.

use crate::render::finding::why;
use crate::render::say::whence;
use ::finding::{BugClass, Trust};
use reduce::Size;
use reduce::bisect::{VersionVerdict, summary};
use serde::Serialize;
use triage::bisection;
use triage::folder::{CauseGroup, Triaged};

/// What the templates say of a group.
#[derive(Clone, Debug, Serialize)]
pub struct Issue {
    /// One line.
    pub title: String,
    /// What is wrong, in one sentence.
    pub problem: String,
    /// The script.
    pub script: String,
    /// What a right solver does.
    pub expected: String,
    /// What this one does.
    pub actual: String,
    /// Its name and version.
    pub solver: String,
    /// Where it was taken from.
    pub origin: String,
    /// The script's logic.
    pub logic: String,
    /// Options on the command line and in the script.
    pub options: String,
    /// What to type.
    pub command: String,
    /// How large the script is.
    pub size: Size,
    /// The bytes of the scripts that must come before it in the same process.
    pub earlier: usize,
    /// How large it was; none if it was not reduced.
    pub original: Option<Size>,
    /// What is to be shown: that the answer is wrong, or that a self-check is.
    pub claim: &'static str,
    /// Why that is so, and on whose word.
    pub why: String,
    /// The assertion that the solver's own model makes false, and the values of its subterms, a line each.
    pub false_assertion: Option<String>,
    /// Definitions that make every assertion true.
    pub witness: Option<String>,
    /// What versions do.
    pub versions: Vec<VersionRow>,
    /// Options with which the solver is right.
    pub remedies: Vec<String>,
    /// In one line.
    pub summary: String,
    /// What other solvers do.
    pub others: Vec<OtherRow>,
    /// How it was made.
    pub found: String,
    /// How many findings are like it.
    pub count: usize,
}

/// What a version does.
#[derive(Clone, Debug, Serialize)]
pub struct VersionRow {
    version: String,
    found: String,
    plain: String,
}

/// What another solver does.
#[derive(Clone, Debug, Serialize)]
pub struct OtherRow {
    solver: String,
    did: String,
    said: String,
}

impl Issue {
    /// The issue of a reduced finding by itself.
    pub fn of_finding(finding: &Triaged) -> Issue {
        let signature = finding.reduced.as_ref().map(|reduced| reduced.signature.clone());
        Issue::of(&CauseGroup { members: vec![finding], reduced: usize::from(signature.is_some()), signature })
    }

    /// The issue of a group.
    pub fn of(group: &CauseGroup<'_>) -> Issue {
        let best = group.best();
        let finding = &best.finding;
        let report = best.reduced.as_ref().and_then(|r| r.report.as_ref());
        let bisection = best.bisection.as_ref();
        let bisected = bisection.map(bisection::pairs).into_iter().flatten().map(|(row, plain)| VersionRow {
            version: row.solver.clone(),
            found: row.did.word().to_string(),
            plain: plain.word().to_string(),
        });
        // What told the cause apart is known without a bisection.
        let asked = best.vector.iter().filter(|_| bisection.is_none()).flat_map(|vector| vector.releases());
        let asked = asked.map(|(release, errs)| VersionRow {
            version: release.to_string(),
            found: if errs { VersionVerdict::Wrong } else { VersionVerdict::Right }.word().to_string(),
            plain: "not asked".to_string(),
        });
        let versions = bisected.chain(asked);
        let others = bisection.map_or(&[][..], |b| &b.others).iter().map(|row| OtherRow {
            solver: row.solver.clone(),
            did: row.did.word().to_string(),
            said: first_line(&row.said),
        });
        let (expected, actual) = answers(best);
        Issue {
            title: title(group),
            problem: problem(best),
            script: format!("{}{}", best.earlier, best.script().trim_end()),
            expected,
            actual,
            solver: finding.solver.label.clone(),
            origin: finding.solver.origin.clone(),
            logic: best.reduced.as_ref().map(|r| r.signature.logic.clone()).unwrap_or_default(),
            options: best.options().join(" "),
            command: command(best),
            size: size_of(best.script()),
            earlier: best.earlier.trim_end().len(),
            original: report.map(|r| r.before),
            claim: match finding.class {
                BugClass::E => "Why the model is right",
                BugClass::D => "Why this is an error",
                BugClass::A | BugClass::B | BugClass::C => "Why the answer is wrong",
            },
            why: proof(best),
            false_assertion: best.false_assertion().map(str::to_string),
            witness: best.shown_witness().map(|text| text.trim_end().to_string()),
            versions: versions.collect(),
            remedies: best.vector.iter().flat_map(|vector| vector.remedies()).map(str::to_string).collect(),
            summary: bisection.map(|b| summary(&b.found)).unwrap_or_default(),
            others: others.collect(),
            found: found(best),
            count: group.members.len(),
        }
    }
}

fn size_of(text: &str) -> Size {
    let mut store = smtlib::Store::new();
    let parsed = smtlib::parse(&mut store, text);
    Size::of(&store, &parsed.script, text.trim_end().len())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// What is wrong and under which circumstances, in one line.
fn title(group: &CauseGroup<'_>) -> String {
    let best = group.best();
    let finding = &best.finding;
    let what = match (finding.class, finding.symptom.as_str()) {
        (BugClass::A, _) if best.earlier.is_empty() => "unsat for a satisfiable script".to_string(),
        (BugClass::A, _) => "unsat for a satisfiable script after a reset".to_string(),
        (BugClass::B, "sat") => "sat for an unsatisfiable script".to_string(),
        (BugClass::B, _) => "wrong model".to_string(),
        (BugClass::C, _) => "unknown in a decidable logic, or where another release answers".to_string(),
        (BugClass::E, symptom) => format!("false alarm of a self-check ({})", first_line(symptom)),
        (BugClass::D, symptom) => format!("crash ({})", first_line(symptom)),
    };
    let about = match &group.signature {
        Some(signature) if !signature.skeleton.is_empty() => format!(": {}", signature.skeleton.join(" ")),
        _ => String::new(),
    };
    let mode = match best.mode() {
        "plain" => String::new(),
        "incremental" => ", incremental".to_string(),
        tactic => format!(", (check-sat-using {tactic})"),
    };
    let options = best.options();
    let options = if options.is_empty() { String::new() } else { format!(", {}", options.join(" ")) };
    format!("{}: {what}{about}{mode}{options}", finding.solver.label)
}

fn problem(best: &Triaged) -> String {
    let solver = &best.finding.solver.label;
    match (best.finding.class, best.finding.symptom.as_str()) {
        (BugClass::A, _) => format!("{solver} answers unsat, but the script is satisfiable:"),
        (BugClass::B, "sat") => format!("{solver} answers sat, but the script is unsatisfiable:"),
        (BugClass::B, symptom) => format!("{solver} answers sat with a model that is wrong ({}):", first_line(symptom)),
        (BugClass::C, _) => {
            format!("{solver} answers unknown, where another release answers or the logic is one it decides:")
        }
        (BugClass::E, symptom) => {
            format!("{solver} answers sat, rightly, and says that its model is wrong ({}):", first_line(symptom))
        }
        (BugClass::D, _) => format!("{solver} crashes on this script:"),
    }
}

fn answers(best: &Triaged) -> (String, String) {
    let symptom = first_line(&best.finding.symptom);
    let (expected, actual) = match (best.finding.class, best.finding.symptom.as_str()) {
        (BugClass::A, _) => ("sat".to_string(), "unsat".to_string()),
        (BugClass::B, "sat") => ("unsat".to_string(), "sat".to_string()),
        (BugClass::B, _) => ("sat with a model that satisfies every assertion".to_string(), format!("sat; {symptom}")),
        (BugClass::C, _) => ("sat or unsat".to_string(), "unknown".to_string()),
        (BugClass::E, _) => ("sat".to_string(), format!("sat; {symptom}")),
        (BugClass::D, _) => ("an answer".to_string(), symptom),
    };
    match best.reduced.is_none() && best.finding.check > 0 {
        true => (format!("{expected} (at check {})", best.finding.check + 1), actual),
        false => (expected, actual),
    }
}

/// The program's own name with its options as it was run; the options that make it check its models are among them.
fn command(best: &Triaged) -> String {
    let mut words = best.finding.solver.command.clone();
    let dropped: Vec<String> = match best.reduced.as_ref().and_then(|r| r.options.clone()) {
        Some(needed) => best.recorded_options().into_iter().filter(|o| !needed.contains(o)).collect(),
        None => Vec::new(),
    };
    words.retain(|word| !dropped.contains(word));
    if let Some(program) = words.first_mut()
        && let Some(name) = program.rsplit('/').next()
    {
        *program = name.to_string();
    }
    let quoted: Vec<String> = words.iter().map(|word| crate::render::say::quoted(word)).collect();
    format!("{} < bug.smt2", quoted.join(" "))
}

/// Why the answer is wrong, and how anyone can see it.
fn proof(best: &Triaged) -> String {
    match best.trust() {
        Trust::Exhausted => format!("{} `squall exhaust bug.smt2` does it again.", why(best)),
        _ => why(best),
    }
}

fn found(best: &Triaged) -> String {
    let finding = &best.finding;
    let seed = finding.seed.name.rsplit('/').next().unwrap_or(&finding.seed.name);
    let place = &finding.campaign;
    let how = whence(finding.mutator.as_ref().map(|mutator| mutator.name.as_str()), seed);
    let environment = &finding.environment;
    format!(
        "Found by Squall {} on {} {}: {how} (campaign seed {}, unit {}, mutant {}); shown again in {} of {} runs.",
        environment.build,
        environment.os,
        environment.arch,
        place.seed,
        place.unit,
        place.index,
        finding.repeats.shown,
        finding.repeats.runs
    )
}
