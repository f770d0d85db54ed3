//! Recognizes hits of known causes without a reduction: removes the trigger of the cause from the hit and sees whether the solver is
//! right.

use crate::folder::Triaged;
use crate::releases::drawn_words;
use finding::folder::FindingFolder;
use finding::kind::OWN_SPELLING;
use finding::{BugClass, Finding, KnownMatch};
use oracle::replay::{self, SavedFinding};
use oracle::{exhaustion, translate};
use reduce::{neutral, query, signature, subject};
use smtlib::Store;
use solver::install::Fleet;
use solver::process::CancelToken;
use solver::spec::SolverSpec;

/// The maximum number of known causes compared with one hit, among those that share its operators or options: each comparison runs the
/// solver once.
const MAX_COMPARED: usize = 4;

/// The trigger of a known cause, taken from a reduced finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseTrigger {
    /// The finding's name.
    of: String,
    class: BugClass,
    shows: Shows,
}

/// A hit without the trigger of a known cause.
struct NeutralHit<'t> {
    /// The known cause's finding.
    of: &'t str,
    /// The removed trigger.
    without: Vec<String>,
    spec: SolverSpec,
    text: String,
}

/// The kinds of triggers; without one the solver is right.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shows {
    /// Options on the solver's command line.
    Options(Vec<String>),
    /// Commands of the script that set options or simplifiers, one per line.
    Settings(Vec<String>),
    /// A tactic.
    Tactic(String),
    /// Operators, by their standard names.
    Operators(Vec<Box<str>>),
    /// Names, `let` or layout, in place of an operator: the same script printed by us gets the right answer.
    Spelling([Box<str>; 1]),
}

impl CauseTrigger {
    /// Returns the trigger of a completely reduced wrong answer. If it needs options or a tactic, these are the trigger: its operators
    /// are correct without them.
    pub fn of(finding: &Triaged) -> Option<CauseTrigger> {
        let record = &finding.finding;
        let reduced = finding.reduced.as_ref().filter(|_| finding.is_reduced() && is_answer(record))?;
        let mode = record.solver.mode.iter().flat_map(|mode| &mode.options);
        let promised: Vec<&String> = mode.collect();
        let mut options = reduced.options.clone()?;
        // Options that the user gave are common to all hits and distinguish none.
        let drawn = drawn_words(record);
        options.retain(|option| !promised.contains(&option) && drawn.contains(option));
        let settings: Vec<String> = reduced.text.lines().filter(|line| is_setting(line)).map(str::to_string).collect();
        let shows = match finding.mode() {
            _ if !options.is_empty() => Shows::Options(options),
            _ if !settings.is_empty() => Shows::Settings(settings),
            "plain" | "incremental" if finding.only_as_spelled() => Shows::Spelling([OWN_SPELLING.into()]),
            "plain" | "incremental" => {
                let mut store = Store::new();
                let parsed = smtlib::parse(&mut store, &reduced.text);
                Shows::Operators(signature::trigger(&store, &parsed.script))
            }
            tactic => Shows::Tactic(tactic.to_string()),
        };
        Some(CauseTrigger { of: finding.name().to_string(), class: record.class, shows })
    }

    /// Whether there is no trigger.
    pub fn is_empty(&self) -> bool {
        matches!(&self.shows, Shows::Operators(names) if names.is_empty())
    }

    /// Whether both triggers are the same.
    pub fn is_like(&self, other: &CauseTrigger) -> bool {
        (self.class, &self.shows) == (other.class, &other.shows)
    }

    /// Returns the operators to avoid, or [`OWN_SPELLING`]; none for another kind of trigger.
    pub fn operators(&self) -> &[Box<str>] {
        match &self.shows {
            Shows::Operators(names) => names,
            Shows::Spelling(word) => word,
            Shows::Options(_) | Shows::Settings(_) | Shows::Tactic(_) => &[],
        }
    }

    /// Returns the options and settings to avoid; none for another kind of trigger.
    pub fn settings(&self) -> &[String] {
        match &self.shows {
            Shows::Options(words) | Shows::Settings(words) => words,
            Shows::Tactic(_) | Shows::Operators(_) | Shows::Spelling(_) => &[],
        }
    }

    /// Returns the hit without the trigger; `None` if it lacks the trigger or its truth could change.
    fn taken_out(&self, saved: &SavedFinding, fleet: &Fleet) -> Option<NeutralHit<'_>> {
        let record = &saved.finding;
        let mut spec = replay::recorded_solver(&record.solver, fleet).ok()?;
        let mut text = saved.mutant.clone();
        let without = match &self.shows {
            Shows::Options(options) => {
                let has = |option: &String| spec.options().contains(option);
                options.iter().all(has).then_some(())?;
                spec = spec.without_options(options);
                options.clone()
            }
            Shows::Settings(lines) => {
                lines.iter().all(|line| text.lines().any(|own| own == line)).then_some(())?;
                text = text
                    .lines()
                    .filter(|own| !lines.iter().any(|line| line == own))
                    .fold(String::new(), |text, line| text + line + "\n");
                lines.clone()
            }
            Shows::Tactic(tactic) => {
                let asked = format!("(check-sat-using {tactic})");
                text.contains(&asked).then_some(())?;
                text = text.replace(&asked, "(check-sat)");
                vec![tactic.clone()]
            }
            Shows::Operators(names) if !names.is_empty() => {
                let mut store = Store::new();
                let script = smtlib::parse(&mut store, &saved.mutant).script;
                let neutral = neutral::without(&mut store, &script, record.check, names)?;
                let solver = fleet.solver(fleet.resolve(&spec).ok()?);
                text = translate::for_solver(&store, &neutral.commands, &solver);
                names.iter().map(|name| name.to_string()).collect()
            }
            Shows::Operators(_) => return None,
            Shows::Spelling(word) => {
                let mut store = Store::new();
                let parsed = smtlib::parse(&mut store, &saved.mutant);
                parsed.errors.is_empty().then_some(())?;
                // Options and tactics stay: without them the hit of another cause would match.
                text = subject::text(&store, &parsed.script, &query::dialect(&fleet.resolve(&spec).ok()?));
                (text != saved.mutant).then_some(())?;
                word.iter().map(|word| word.to_string()).collect()
            }
        };
        let right = record.expected.get(record.check)?;
        // A table of values is correct only if the assertions still confine its arguments; this must be checked.
        if matches!(self.shows, Shows::Operators(_)) {
            let known = exhaustion::decide_text(&text, record.check).ok()?;
            known.certain().filter(|word| *word == right.as_str())?;
        }
        Some(NeutralHit { of: &self.of, without, spec, text })
    }
}

impl NeutralHit<'_> {
    /// Returns the known cause, if the solver is right now.
    fn explains(self, saved: &SavedFinding, fleet: &Fleet, cancel: &CancelToken) -> Option<KnownMatch> {
        let solver = fleet.solver(fleet.resolve(&self.spec).ok()?).with_cancel(cancel.clone());
        let reply = saved.question().ask(&solver, &self.text).ok()?;
        let (check, expected) = (saved.finding.check, &saved.finding.expected);
        let answer = reply.outcome.answers.get(check)?.answer;
        (answer.word() == expected.get(check)?.as_str())
            .then(|| KnownMatch { of: self.of.to_string(), without: self.without })
    }
}

/// Returns the known cause of a finding with a wrong answer, judged by its reduced script if there is one; `None` if the solver is wrong
/// without each trigger as well, or nothing is known.
pub fn known_cause(
    folder: &FindingFolder,
    triggers: &[CauseTrigger],
    fleet: &Fleet,
    cancel: &CancelToken,
) -> Option<KnownMatch> {
    let saved = replay::load_smallest(folder.path()).ok().filter(|saved| is_answer(&saved.finding))?;
    let is_like = |trigger: &&CauseTrigger| trigger.class == saved.finding.class && trigger.of != saved.finding.id;
    let like = triggers.iter().filter(is_like);
    let hits = like.filter_map(|trigger| trigger.taken_out(&saved, fleet));
    hits.take(MAX_COMPARED).find_map(|hit| hit.explains(&saved, fleet, cancel))
}

/// Whether a line sets an option that may change an answer.
fn is_setting(line: &str) -> bool {
    line.starts_with("(set-simplifier ")
        || line.starts_with("(set-option :") && !line.starts_with("(set-option :produce-")
}

/// Whether the failure is a wrong answer, not a wrong model or a failed self-check.
fn is_answer(record: &Finding) -> bool {
    matches!(record.class, BugClass::A | BugClass::B) && matches!(record.symptom.as_str(), "sat" | "unsat")
}
