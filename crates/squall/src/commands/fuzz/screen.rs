//! The output of a campaign: a status line and text for people, or JSON for programs.

use super::summary::summary;
use crate::args::units::time_text;
use crate::render::color;
use crate::render::finding::in_full;
use crate::render::progress::{self, ProgressLine};
use crate::render::say::{counted, cut, whence};
use ::finding::{BugClass, symptom};
use ::fuzz::counts::untested::Untested;
use ::fuzz::findings::disagreements;
use ::fuzz::state::event::CampaignStatus;
use ::fuzz::{CampaignEvent, CampaignWatch};
use finding::FindingEvent;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use triage::hit_groups::HitGroups;

/// The number of skipped seeds that are named.
const SKIPS_SHOWN: usize = 10;
/// The name shown instead of a seed for generated problems.
pub(super) const GENERATED: &str = "generated problems";
/// The maximum length of a shown reason, in characters.
const REASON_LENGTH: usize = 160;

/// Text for people, on standard error; the summary goes to standard output.
pub struct Screen {
    /// The status line, from the first installation or report on.
    line: Mutex<Option<ProgressLine>>,
    is_live: bool,
    /// When the run ends by itself.
    limit: Option<Duration>,
    /// Whether findings are reduced meanwhile: only then wrong answers can be grouped by cause.
    reduces: bool,
    seen: Mutex<EarlierEvents>,
}

/// What the summary needs of earlier events.
#[derive(Default)]
pub(super) struct EarlierEvents {
    findings: Vec<FindingEvent>,
    pub(super) causes: HitGroups,
    skips: usize,
    /// Whether the campaign was resumed, so that its time is not that of this run.
    was_resumed: bool,
    pub(super) out: String,
    /// The labels of the solvers under test.
    pub(super) solvers: Vec<String>,
    /// The seed files given; 0 where all problems are generated.
    pub(super) seeds: usize,
    /// Problems that were not shown yet.
    troubles: Vec<String>,
}

impl Screen {
    /// Makes a screen with a status line if standard error is a terminal, unless plain lines are asked for. The run ends by itself
    /// after `limit`.
    ///
    /// With `reduces`, a wrong answer is reported once it is reduced and found to be of a new cause, or cannot be reduced.
    pub fn new(plain: bool, reduces: bool, limit: Option<Duration>) -> Screen {
        let is_live = !plain && progress::is_shown();
        Screen { line: Mutex::default(), is_live, limit, reduces, seen: Mutex::default() }
    }

    /// Whether there is a terminal to draw a status line on.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Keeps what the summary needs of an event that the live screen shows. Problems are shown with the summary.
    pub fn note(&self, event: &CampaignEvent) {
        let mut seen = lock(&self.seen);
        match event {
            CampaignEvent::Started { out, seeds, solvers, .. } => {
                seen.out.clone_from(out);
                seen.solvers.clone_from(solvers);
                seen.seeds = *seeds;
                self.end_status();
            }
            CampaignEvent::Finding(finding) => {
                seen.causes.add(finding);
                seen.findings.push((**finding).clone());
            }
            CampaignEvent::Reduced { id, bytes: (_, after), vector, .. } => {
                seen.causes.reduced(id, *after, vector);
            }
            CampaignEvent::Matched { id, of, .. } => seen.causes.matched(id, of),
            CampaignEvent::Trouble { message } => seen.troubles.push(message.clone()),
            CampaignEvent::Unreduced { id, reason } => seen.troubles.push(unreduced(id, reason)),
            _ => {}
        }
    }

    /// Whether a finding is reported only after its reduction.
    fn waits_for_reduction(&self, finding: &FindingEvent) -> bool {
        self.reduces && !symptom::is_specific(finding.cause.class, &finding.cause.symptom)
    }

    /// Shows the current work on a terminal.
    fn status(&self, words: &str) {
        if self.is_live {
            lock(&self.line).get_or_insert_with(ProgressLine::status).begins(words);
        }
    }

    fn end_status(&self) {
        lock(&self.line).take();
    }
}

/// Returns the labels of solvers, each with its profile unless the label begins with the profile's name.
pub fn with_profiles(labels: &[String], profiles: &[String]) -> Vec<String> {
    let shown = |(label, profile): (&String, &String)| match label.split(['@', '+', ':']).next() {
        Some(name) if name == profile || name == "builtin" => label.clone(),
        _ => format!("{label} (profile {profile})"),
    };
    labels.iter().zip(profiles).map(shown).collect()
}

/// Returns the number of seeds as text.
pub(super) fn seeds_in_words(seeds: u64) -> String {
    if seeds == 0 { "without seeds".to_string() } else { counted(seeds, "seed") }
}

/// Returns a finding in one line.
fn found(finding: &FindingEvent, sizes: &str) -> String {
    let style = if finding.cause.class.is_wrong_answer() { color::BAD } else { color::DOUBTFUL };
    format!(
        "{}: {} [{}; {}; {sizes}]",
        color::on_stderr(style, &format!("FOUND class {}", finding.cause.class)),
        finding.summary,
        finding.trust.describe(),
        whence(finding.mutator.as_deref(), finding.cause.seed.as_deref())
    )
}

/// Describes why a finding was not reduced.
pub(super) fn unreduced(id: &str, reason: &str) -> String {
    format!("cannot reduce {id}: {reason}")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CampaignWatch for Screen {
    fn event(&self, event: &CampaignEvent) {
        let mut seen = lock(&self.seen);
        match event {
            CampaignEvent::Install { what, .. } => {
                eprintln!("{what}");
                self.status(what.trim());
            }
            CampaignEvent::Started { seed, seeds, solvers, profiles, jobs, out, resumed } => {
                seen.out = out.clone();
                seen.solvers.clone_from(solvers);
                self.end_status();
                let solvers = with_profiles(solvers, profiles).join(", ");
                seen.seeds = *seeds;
                eprintln!(
                    "fuzzing {solvers}: {}, {}, campaign seed {seed}, findings go to {out}",
                    seeds_in_words(*seeds as u64),
                    counted(*jobs as u64, "worker")
                );
                seen.was_resumed = resumed.is_some();
                if let Some(past) = resumed {
                    eprintln!(
                        "resuming after {} with {} and {} on disk",
                        counted(past.units, "unit"),
                        counted(past.mutants, "mutant"),
                        counted(past.findings as u64, "finding")
                    );
                }
            }
            CampaignEvent::Finding(finding) => {
                let known = seen.causes.len();
                seen.causes.add(finding);
                if seen.causes.len() > known && !self.waits_for_reduction(finding) {
                    let line = found(finding, &format!("{} bytes", finding.bytes));
                    eprintln!("{line}\n      {}", finding.folder);
                }
                seen.findings.push((**finding).clone());
            }
            CampaignEvent::Reduced { id, bytes: (before, after), vector, .. } => {
                let folder = Path::new(&seen.out).join("findings").join(id);
                let is_new = seen.causes.reduced(id, *after, vector);
                if let Some(finding) = seen.findings.iter().find(|finding| finding.id == *id) {
                    let sizes = match after < before {
                        true => format!("{before} bytes, reduced to {after}"),
                        false => format!("{before} bytes"),
                    };
                    let waited = self.waits_for_reduction(finding);
                    if waited && is_new {
                        let shown = in_full(&folder, vector).unwrap_or_else(|| format!("      {}", finding.folder));
                        eprintln!("{}\n{shown}", found(finding, &sizes));
                    } else if !waited && after < before {
                        eprintln!("reduced {id} from {before} to {after} bytes");
                    }
                }
            }
            CampaignEvent::Matched { id, of, .. } => seen.causes.matched(id, of),
            CampaignEvent::Unreduced { id, reason } => {
                // It may be of a known cause, but it is reported rather than lost.
                let finding = seen.findings.iter().find(|finding| finding.id == *id);
                if let Some(finding) = finding.filter(|finding| self.waits_for_reduction(finding)) {
                    let line = found(finding, &format!("{} bytes", finding.bytes));
                    eprintln!("{line}\n      {}", finding.folder);
                }
                eprintln!("squall: {}", unreduced(id, reason));
            }
            CampaignEvent::Bisected { id, versions } => eprintln!("bisected {id}: {versions}"),
            CampaignEvent::Unconfirmed { class, solver, seed, reason } => {
                let seed = seed.as_deref().unwrap_or(GENERATED);
                eprintln!("not confirmed: class {class} of {solver} from {seed}: {}", cut(reason, REASON_LENGTH));
            }
            CampaignEvent::SkippedSeed { seed, solver, reason } => {
                seen.skips += 1;
                if seen.skips <= SKIPS_SHOWN {
                    let whom = solver.as_ref().map(|s| format!(" for {s}")).unwrap_or_default();
                    let seed = seed.as_deref().unwrap_or(GENERATED);
                    eprintln!("skipped {seed}{whom}: {}", cut(reason, REASON_LENGTH));
                } else if seen.skips == SKIPS_SHOWN + 1 {
                    eprintln!("more seeds were skipped; --format json lists them all");
                }
            }
            CampaignEvent::Quarantined { entry, list } => {
                let (seed, label, evidence) = (&entry.seed, &entry.label, &entry.evidence);
                eprintln!("QUARANTINED {seed}: {label} is wrong: {evidence}\n      {list}");
            }
            CampaignEvent::Trouble { message } => eprintln!("squall: {message}"),
            CampaignEvent::Progress(standing) if self.is_live => {
                self.status(&status(standing, &seen, self.limit.filter(|_| !seen.was_resumed)))
            }
            CampaignEvent::Progress(standing) => {
                eprintln!("{}", status(standing, &seen, self.limit.filter(|_| !seen.was_resumed)))
            }
            CampaignEvent::Detail(_) => {}
            CampaignEvent::Summary(standing) => {
                self.end_status();
                std::mem::take(&mut seen.troubles).iter().for_each(|text| eprintln!("squall: {text}"));
                // The reader may close our output early.
                let _ = writeln!(crate::render::plain::stdout(), "{}", summary(standing, &seen));
            }
        }
    }
}

/// One JSON object per line, on standard output.
#[derive(Default)]
pub struct JsonLines {
    /// The campaign's folder.
    out: Mutex<String>,
}

impl JsonLines {
    /// Returns an event as it is printed. The summary also has what was not tested.
    fn line(&self, event: &CampaignEvent) -> serde_json::Result<serde_json::Value> {
        let mut line = serde_json::to_value(event)?;
        let mut out = lock(&self.out);
        match event {
            CampaignEvent::Started { out: folder, .. } => out.clone_from(folder),
            CampaignEvent::Summary(standing) => {
                line["disagreements_kept"] = disagreements::count(Path::new(&*out)).into();
                line["untested"] = Untested::of(&standing.counts).map(|untested| untested.to_string()).into();
            }
            _ => {}
        }
        Ok(line)
    }
}

impl CampaignWatch for JsonLines {
    fn event(&self, event: &CampaignEvent) {
        if let Ok(line) = self.line(event) {
            let mut out = crate::render::plain::stdout();
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    }
}

fn status(standing: &CampaignStatus, seen: &EarlierEvents, limit: Option<Duration>) -> String {
    let counts = &standing.counts;
    let wall = standing.wall_s.max(1e-3);
    let share = 100.0 * standing.solver_cpu_s / standing.cpu_s.max(1e-9);
    let limit = limit.map_or_else(String::new, |limit| format!(" of {}", time_text(limit.as_secs_f64())));
    let seeds = match seen.seeds {
        0 => String::new(),
        _ => format!("  seeds {} (skipped {})", counts.seeds, standing.skipped),
    };
    format!(
        "{}{limit}  {} mutants ({:.0}/s)  solver {share:.0}% of CPU  found: {}{seeds}  errors {}  timeouts {}",
        time_text(standing.wall_s.round()),
        counts.mutants,
        counts.mutants as f64 / wall,
        by_class(&standing.tally.findings),
        counts.errors,
        counts.timeouts
    )
}

pub(super) fn by_class(counts: &BTreeMap<BugClass, u64>) -> String {
    if counts.is_empty() {
        return "none".to_string();
    }
    let words: Vec<String> = counts.iter().map(|(class, n)| format!("{n} of class {class}")).collect();
    words.join(", ")
}
