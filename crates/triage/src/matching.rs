//! Hits of known causes, told without a reduction: what shows the cause is taken out of the hit, and the solver is right then.

use crate::folder::Triaged;
use crate::versions::drawn_words;
use finding::folder::FindingFolder;
use finding::{BugClass, CauseMatch, Finding};
use oracle::replay::{self, SavedFinding};
use oracle::{exhaustion, translate};
use reduce::{neutral, signature};
use smtlib::Store;
use solver::install::Fleet;
use solver::process::CancelToken;
use solver::spec::SolverSpec;

/// The most known causes that one hit is compared with, of those whose operators or options it has: each asks the solver once.
const MAX_COMPARED: usize = 4;

/// What shows a cause, by a reduced finding of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CauseTrigger {
    /// The finding's name.
    of: String,
    class: BugClass,
    shows: Shows,
}

/// A hit without what shows a known cause.
struct NeutralHit<'t> {
    /// The known cause's finding.
    of: &'t str,
    /// What was taken out.
    without: Vec<String>,
    spec: SolverSpec,
    text: String,
}

/// Without it the solver is right.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shows {
    /// Options on the solver's command line.
    Options(Vec<String>),
    /// Commands of the script that set options or simplifiers, a line each.
    Settings(Vec<String>),
    /// A tactic.
    Tactic(String),
    /// Operators, by their standard names.
    Operators(Vec<Box<str>>),
}

impl CauseTrigger {
    /// What shows the cause of a wrong answer that is reduced as far as it goes. What needs options or a tactic shows by them: its operators
    /// are right without.
    pub fn of(finding: &Triaged) -> Option<CauseTrigger> {
        let record = &finding.finding;
        let reduced = finding.reduced.as_ref().filter(|_| finding.is_reduced() && is_answer(record))?;
        let mode = record.solver.mode.iter().flat_map(|mode| &mode.options);
        let promised: Vec<&String> = mode.collect();
        let mut options = reduced.options.clone()?;
        // Options that the user gave are those of all hits, and tell none from another.
        let drawn = drawn_words(record);
        options.retain(|option| !promised.contains(&option) && drawn.contains(option));
        let settings: Vec<String> = reduced.text.lines().filter(|line| is_setting(line)).map(str::to_string).collect();
        let shows = match finding.mode() {
            _ if !options.is_empty() => Shows::Options(options),
            _ if !settings.is_empty() => Shows::Settings(settings),
            "plain" | "incremental" => {
                let mut store = Store::new();
                let parsed = smtlib::parse(&mut store, &reduced.text);
                Shows::Operators(signature::trigger(&store, &parsed.script))
            }
            tactic => Shows::Tactic(tactic.to_string()),
        };
        Some(CauseTrigger { of: finding.name().to_string(), class: record.class, shows })
    }

    /// Whether nothing can be taken out.
    pub fn is_empty(&self) -> bool {
        matches!(&self.shows, Shows::Operators(names) if names.is_empty())
    }

    /// Whether another shows by the same.
    pub fn is_like(&self, other: &CauseTrigger) -> bool {
        (self.class, &self.shows) == (other.class, &other.shows)
    }

    /// The operators to avoid; none where it shows by something else.
    pub fn operators(&self) -> &[Box<str>] {
        match &self.shows {
            Shows::Operators(names) => names,
            Shows::Options(_) | Shows::Settings(_) | Shows::Tactic(_) => &[],
        }
    }

    /// The options and settings to avoid; none where it shows by something else.
    pub fn settings(&self) -> &[String] {
        match &self.shows {
            Shows::Options(words) | Shows::Settings(words) => words,
            Shows::Tactic(_) | Shows::Operators(_) => &[],
        }
    }

    /// The hit without what shows the cause; none where it has no such thing, or where what is right may be another then.
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
        };
        let right = record.expected.get(record.check)?;
        // A table is right where the assertions confine what it is of. Whether they still do, only looking shows.
        if matches!(self.shows, Shows::Operators(_)) {
            let known = exhaustion::decide_text(&text, record.check).ok()?;
            known.certain().filter(|word| *word == right.as_str())?;
        }
        Some(NeutralHit { of: &self.of, without, spec, text })
    }
}

impl NeutralHit<'_> {
    /// The known cause, if the solver is right now.
    fn explains(self, saved: &SavedFinding, fleet: &Fleet, cancel: &CancelToken) -> Option<CauseMatch> {
        let solver = fleet.solver(fleet.resolve(&self.spec).ok()?).with_cancel(cancel.clone());
        let reply = saved.question().ask(&solver, &self.text).ok()?;
        let (check, expected) = (saved.finding.check, &saved.finding.expected);
        let answer = reply.outcome.answers.get(check)?.answer;
        (answer.word() == expected.get(check)?.as_str())
            .then(|| CauseMatch { of: self.of.to_string(), without: self.without })
    }
}

/// The known cause that a finding of a wrong answer is of, by its reduced script if it has one; none where the solver is wrong without what
/// shows each, too, or that is not known.
pub fn known_cause(
    folder: &FindingFolder,
    triggers: &[CauseTrigger],
    fleet: &Fleet,
    cancel: &CancelToken,
) -> Option<CauseMatch> {
    let saved = replay::load_smallest(folder.path()).ok().filter(|saved| is_answer(&saved.finding))?;
    let is_like = |trigger: &&CauseTrigger| trigger.class == saved.finding.class && trigger.of != saved.finding.id;
    let like = triggers.iter().filter(is_like);
    let hits = like.filter_map(|trigger| trigger.taken_out(&saved, fleet));
    hits.take(MAX_COMPARED).find_map(|hit| hit.explains(&saved, fleet, cancel))
}

/// Whether a line sets what may change an answer.
fn is_setting(line: &str) -> bool {
    line.starts_with("(set-simplifier ")
        || line.starts_with("(set-option :") && !line.starts_with("(set-option :produce-")
}

/// Whether it is an answer that is wrong, and not a model or what the solver says of itself.
fn is_answer(record: &Finding) -> bool {
    matches!(record.class, BugClass::A | BugClass::B) && matches!(record.symptom.as_str(), "sat" | "unsat")
}
