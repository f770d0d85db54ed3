//! Writes the files of a finding from a confirmed hit.

use crate::under_test::Target;
use crate::worker::job::JobContext;
use files::digest;
use finding::record::{
    AFTER_RESET, CampaignRecord, ContradictoryAnswers, Environment, FORMAT, MutatorRecord, PromisedRecord, SeedRecord,
    Slowness, SolverRecord, Times,
};
use finding::{BugClass, Build, Finding, failure};
use mutate::mutators;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::confirm::{Confirmed, describe_answers};
use oracle::model_oracle::{FalseAssertion, RefutedPart};
use oracle::question::{expected_word, purpose_words};
use oracle::{Hit, witness_file};
use smtlib::Store;
use solver::outcome::SolverOutcome;
use solver::profile::Profile;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the record of a finding, except for the effort.
pub(crate) fn finding(
    candidate: &Candidate<'_>,
    confirmed: &Confirmed,
    job: &JobContext<'_>,
    target: &Target,
    mode: &str,
    build: &Build,
) -> Finding {
    let Candidate { hit, outcome, source, false_assertion, .. } = candidate;
    let sha256 = digest::sha256(candidate.text);
    let (mutator, index) = match source {
        ScriptSource::Seed => (None, 0),
        ScriptSource::Mutant { mutator, parameters, index } => {
            let parameters = parameters.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
            (Some(MutatorRecord { name: mutator.clone(), parameters }), *index)
        }
    };
    let unit = job.slot.unit;
    let solver = solver_record(target, candidate, confirmed.is_bare);
    let mut circumstances = mode_words(mode);
    if !solver.profile_options.is_empty() {
        circumstances.push_str(&format!(" with {}", solver.profile_options.join(" ")));
    }
    if !solver.experimental_options.is_empty() {
        circumstances.push_str(" under experimental options");
    }
    if let Some(mode) = &solver.mode {
        circumstances.push_str(&format!(" in its mode {}", mode.options.join(" ")));
    }
    let others = confirmed.others.first().map(|other| other.solver.as_str());
    let mut summary = match &confirmed.contradiction {
        Some(found) => contradiction_words(found, &target.tested.label, &circumstances),
        None => summary(hit, *false_assertion, target, &circumstances, others),
    };
    if confirmed.by_choice {
        summary.push_str("; its witness chooses a value that the standard leaves open");
    }
    Finding {
        format: FORMAT,
        id: id(hit.class, &target.tested.label, &stem(job, mutator.as_ref(), hit), mode, &sha256),
        class: hit.class,
        summary: match &confirmed.reason_unknown {
            Some(reason) => format!("{summary}: {reason}"),
            None => summary,
        },
        origin: source.kind(),
        trust: confirmed.trust.clone(),
        solver,
        check: hit.check,
        mode: mode.to_string(),
        expected: candidate.expected.iter().map(|e| expected_word(*e).to_string()).collect(),
        answers: describe_answers(outcome),
        symptom: hit.symptom.clone(),
        false_assertion: false_assertion.map(|found| found.description.clone()),
        reason_unknown: confirmed.reason_unknown.clone(),
        slowness: candidate.slowness.map(|measured| Slowness {
            than: measured.reference_solver.label.clone(),
            spec: measured.reference_solver.spec.clone(),
            cpu_s: measured.slow.as_secs_f64(),
            other_cpu_s: measured.fast.as_secs_f64(),
        }),
        contradiction: confirmed.contradiction.clone(),
        repeats: confirmed.repeats,
        others: confirmed.others.clone(),
        seed: source.has_seed().then(|| SeedRecord {
            name: job.seed.name.clone(),
            sha256: job.seed.sha256.clone(),
            check: job.seed.instances.get(job.instance).map_or(0, |i| i.check),
            status: job.seed.instances.get(job.instance).and_then(|i| i.status).map(|status| status.word().to_string()),
            logic: Some(job.logic.unwrap_or_default().to_string()),
        }),
        mutator,
        campaign: CampaignRecord {
            seed: unit.campaign,
            unit: unit.number,
            index,
            visit: job.slot.visit,
            place: (!source.has_seed()).then_some(job.slot.seed),
        },
        mutant_sha256: sha256,
        mutant_bytes: candidate.text.len(),
        predecessors_sha256: (!candidate.earlier.is_empty()).then(|| digest::sha256(candidate.earlier)),
        found_at: now(),
        effort: None,
        run: Times { wall_s: outcome.wall.as_secs_f64(), cpu_s: outcome.cpu.as_secs_f64() },
        environment: Environment::here(build),
    }
}

/// Returns the seconds since 1970-01-01 UTC.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Returns the solver that shows the finding: without the options of its profile, if it does so then, too.
fn solver_record(target: &Target, candidate: &Candidate<'_>, is_bare: bool) -> SolverRecord {
    let installed = target.tested.solver.installed();
    let (solver, spec) = match is_bare {
        true => (target.tested.solver.clone().bare(), target.tested.spec().bare()),
        false => (target.tested.solver.clone(), target.tested.spec()),
    };
    let command = solver.command_line(candidate.purpose, candidate.limits);
    let drawn_options = target.tested.drawn.all();
    let all_options = [installed.spec.options(), &drawn_options].concat();
    let mode = solver.promised_modes().into_iter().min_by_key(|mode| mode.grade);
    SolverRecord {
        spec: spec.to_string(),
        label: target.tested.label.clone(),
        profile_options: solver.added_options().to_vec(),
        profile: Some(installed.profile.name.clone()),
        drawn_options,
        experimental_options: installed.profile.experimental(&all_options),
        experimental_theories: experimental_theories(&installed.profile, candidate.text),
        mode: mode.map(|mode| PromisedRecord { grade: mode.grade, options: mode.options.clone() }),
        version: installed.version.as_ref().map(ToString::to_string),
        origin: installed.origin.clone(),
        program_sha256: target.tested.program_sha256.clone(),
        purposes: purpose_words(candidate.purpose),
        command: command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        timeout_s: candidate.limits.wall.as_secs_f64(),
        memory_bytes: candidate.limits.memory_bytes,
    }
}

/// Returns the experimental theories, according to the profile, that a script uses.
fn experimental_theories(profile: &Profile, text: &str) -> Vec<String> {
    if profile.experimental_theories.is_empty() {
        return Vec::new();
    }
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, text).script;
    profile.experimental_in(smtlib::logic::of_script(&store, &script), text)
}

/// Returns a descriptive folder name that is the same for the same text.
fn id(class: BugClass, label: &str, stem: &str, mode: &str, sha256: &str) -> String {
    let mode = mode.split(' ').next().unwrap_or(mode);
    let plain = |text: &str, most: usize| -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "._-@".contains(c) { c } else { '_' };
        text.chars().map(safe).take(most).collect()
    };
    // For a program given by its path: the file's name with its version.
    let label = label.rsplit('/').next().unwrap_or(label);
    // A symptom that identifies the cause has hits of all modes in one group.
    let mode = if mode.is_empty() { String::new() } else { format!("{mode}-") };
    format!("{class}-{}-{}-{mode}{}", plain(label, 40), plain(stem, 40), &sha256[..12])
}

/// Describes a script's origin in a word: the seed's name, or mutator and theory of a generated one, whose seed only numbers the unit.
/// Several faults in proofs of one script are several findings.
fn stem(job: &JobContext<'_>, mutator: Option<&MutatorRecord>, hit: &Hit) -> String {
    let fault = match hit.class {
        BugClass::P => format!("{}-", &digest::sha256(&hit.symptom)[..6]),
        _ => String::new(),
    };
    let made_of = match mutator {
        Some(MutatorRecord { name, parameters }) if mutators::needs_no_seed(name) => match parameters.get("theory") {
            Some(theory) => format!("{name}-{theory}"),
            None => name.clone(),
        },
        _ => job.seed.name.rsplit('/').next().unwrap_or("seed").trim_end_matches(".smt2").to_string(),
    };
    fault + &made_of
}

/// Returns the mode in parentheses; empty if the symptom identifies the cause without it.
fn mode_words(mode: &str) -> String {
    match mode {
        "" => String::new(),
        AFTER_RESET => " (only after other scripts and (reset))".to_string(),
        mode => format!(" ({mode})"),
    }
}

/// Describes the finding; `other` answers where the solver returned `unknown`, if any was asked.
fn summary(
    hit: &Hit,
    false_assertion: Option<&FalseAssertion>,
    target: &Target,
    mode: &str,
    other: Option<&str>,
) -> String {
    let check = if hit.check == 0 { String::new() } else { format!(" at check {}", hit.check + 1) };
    let number = false_assertion.map_or(String::new(), |found| (found.number + 1).to_string());
    let place = match other {
        Some(other) => format!("of what {other} decides"),
        None => "in a logic that it is said to decide".to_string(),
    };
    let parts = [
        ("solver", &*target.tested.label),
        ("check", &check),
        ("number", &number),
        ("where", &place),
        ("other", other.unwrap_or_default()),
        ("mode", mode),
        ("symptom", &hit.symptom),
    ];
    failure::fill(failure::row(hit.class, &hit.symptom).summary, &parts)
}

/// Describes the two answers of a contradiction.
fn contradiction_words(found: &ContradictoryAnswers, label: &str, mode: &str) -> String {
    let (first, second) = (&*found.first.answer, &*found.second.answer);
    let parts = [("solver", label), ("first", first), ("second", second), ("other", &*found.second_is), ("mode", mode)];
    failure::fill(failure::row(BugClass::X, "").summary, &parts)
}

/// Returns the witness file for the check that hit; `None` without a witness.
pub(crate) fn witness_file(candidate: &Candidate<'_>) -> Option<String> {
    let model = candidate.witness?;
    let mut store = candidate.store.clone();
    let parsed = smtlib::parse(&mut store, candidate.text);
    let instances = parsed.script.instances();
    witness_file::write(&store, model, instances.get(candidate.hit.check)?)
}

/// Returns the solver's output on both streams, with the end of the run.
pub(crate) fn output_file(outcome: &SolverOutcome, false_assertion: Option<&FalseAssertion>) -> String {
    let mut text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    if !outcome.stderr.is_empty() {
        text.push_str("\n---- standard error ----\n");
        text.push_str(&String::from_utf8_lossy(&outcome.stderr));
    }
    text.push_str(&format!("\n---- ended: {:?} ----\n", outcome.status));
    if let Some(FalseAssertion { check, part, number, description }) = false_assertion {
        let (check, number) = (check + 1, number + 1);
        let what = match part {
            RefutedPart::Assertion => format!("false under the model of check {check}: assertion {number}"),
            RefutedPart::Value => format!("contradicts the model of check {check}: value {number}"),
            RefutedPart::Optimum => format!("not the best value in check {check}: objective {number}"),
        };
        text.push_str(&format!("---- {what} ----\n{description}\n"));
    }
    text
}

#[cfg(test)]
#[path = "../../tests/unit/record.rs"]
mod tests;
