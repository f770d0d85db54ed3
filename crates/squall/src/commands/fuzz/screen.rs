//! What a campaign shows: a status line and words for people, or JSON for programs.

use super::summary::{groups, summary};
use crate::args::units::time_text;
use crate::render::color;
use crate::render::finding::in_full;
use crate::render::progress::{self, ProgressLine};
use crate::render::say::{counted, whence};
use ::finding::{BugClass, symptom};
use ::fuzz::counts::untested::Untested;
use ::fuzz::state::event::{CampaignStatus, FindingEvent};
use ::fuzz::{CampaignEvent, CampaignWatch};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use triage::causes::{Causes, ReducedCause};

/// How many skipped seeds are named one by one.
const SKIPS_SHOWN: usize = 10;
/// How many characters of a reason are shown.
const REASON_LENGTH: usize = 160;

/// Words for people, on standard error; the summary goes to standard output.
pub struct Screen {
    /// The status line while there is one: from the first installation or report on.
    line: Mutex<Option<ProgressLine>>,
    is_live: bool,
    /// When the run ends by itself.
    limit: Option<Duration>,
    /// Whether findings are reduced meanwhile: which wrong answers are of one cause is known only then.
    reduces: bool,
    seen: Mutex<EarlierEvents>,
}

/// What the summary needs of earlier events.
#[derive(Default)]
pub(super) struct EarlierEvents {
    findings: Vec<FindingEvent>,
    pub(super) causes: Causes,
    skips: usize,
    /// Whether the campaign ran before, so that its time is not that of this run.
    was_resumed: bool,
    pub(super) out: String,
    /// Troubles that were not said yet.
    troubles: Vec<String>,
}

impl Screen {
    /// A screen with a status line if standard error is a terminal, unless plain lines are asked for. The run ends by itself after
    /// `limit`.
    ///
    /// With `reduces`, a wrong answer is told once it is reduced and found to be of a new cause.
    pub fn new(plain: bool, reduces: bool, limit: Option<Duration>) -> Screen {
        let is_live = !plain && progress::is_shown();
        Screen { line: Mutex::default(), is_live, limit, reduces, seen: Mutex::default() }
    }

    /// Whether there is a terminal to draw a status line on.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Keeps what the summary needs of an event that the live screen shows. Trouble is said with the summary.
    pub fn note(&self, event: &CampaignEvent) {
        let mut seen = lock(&self.seen);
        match event {
            CampaignEvent::Started { out, .. } => {
                seen.out.clone_from(out);
                self.end_status();
            }
            CampaignEvent::Finding(finding) => {
                seen.causes.add(finding);
                seen.findings.push((**finding).clone());
            }
            CampaignEvent::Reduced { id, bytes: (_, after), vector, .. } => {
                let folder = Path::new(&seen.out).join("findings").join(id);
                seen.causes.reduced(id, *after, &folder, vector);
            }
            CampaignEvent::Trouble { message } => seen.troubles.push(message.clone()),
            _ => {}
        }
    }

    /// Whether nothing is told of a finding before it is reduced.
    fn waits_for_reduction(&self, finding: &FindingEvent) -> bool {
        self.reduces && !symptom::tells(finding.cause.class, &finding.cause.symptom)
    }

    /// Shows what is being done, where there is a terminal for it.
    fn status(&self, words: &str) {
        if self.is_live {
            lock(&self.line).get_or_insert_with(ProgressLine::status).begins(words);
        }
    }

    fn end_status(&self) {
        lock(&self.line).take();
    }
}

/// A finding in one line.
fn found(finding: &FindingEvent, sizes: &str) -> String {
    let style = match finding.cause.class {
        BugClass::A | BugClass::B => color::BAD,
        _ => color::DOUBTFUL,
    };
    format!(
        "{}: {} [{}; {}; {sizes}]",
        color::on_stderr(style, &format!("FOUND class {}", finding.cause.class)),
        finding.summary,
        finding.trust.words(),
        whence(finding.mutator.as_deref(), &finding.cause.seed)
    )
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
            CampaignEvent::Started { seed, seeds, solvers, jobs, out, resumed } => {
                seen.out = out.clone();
                self.end_status();
                let solvers = solvers.join(", ");
                eprintln!(
                    "fuzzing {solvers}: {}, {}, campaign seed {seed}, findings go to {out}",
                    counted(*seeds as u64, "seed"),
                    counted(*jobs as u64, "worker")
                );
                seen.was_resumed = resumed.is_some();
                if let Some(past) = resumed {
                    eprintln!(
                        "going on after {} with {} and {} on disk",
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
                let news = seen.causes.reduced(id, *after, &folder, vector);
                if let Some(finding) = seen.findings.iter().find(|finding| finding.id == *id) {
                    let sizes = match after < before {
                        true => format!("{before} bytes, reduced to {after}"),
                        false => format!("{before} bytes"),
                    };
                    let waited = self.waits_for_reduction(finding);
                    if waited && news == ReducedCause::New {
                        let shown = in_full(&folder, vector).unwrap_or_else(|| format!("      {}", finding.folder));
                        eprintln!("{}\n{shown}", found(finding, &sizes));
                    } else if !waited && after < before {
                        eprintln!("reduced {id} from {before} to {after} bytes");
                    }
                }
            }
            CampaignEvent::Bisected { id, versions } => eprintln!("bisected {id}: {versions}"),
            CampaignEvent::Unconfirmed { class, solver, seed, reason } => {
                eprintln!("not confirmed: class {class} of {solver} from {seed}: {}", short(reason));
            }
            CampaignEvent::SkippedSeed { seed, solver, reason } => {
                seen.skips += 1;
                if seen.skips <= SKIPS_SHOWN {
                    let whom = solver.as_ref().map(|s| format!(" for {s}")).unwrap_or_default();
                    eprintln!("skipped {seed}{whom}: {}", short(reason));
                } else if seen.skips == SKIPS_SHOWN + 1 {
                    eprintln!("more seeds are skipped; --format json lists them all");
                }
            }
            CampaignEvent::Quarantined { entry, list } => {
                let (seed, label, evidence) = (&entry.seed, &entry.label, &entry.evidence);
                eprintln!("QUARANTINED {seed}: {label}, and that is wrong: {evidence}\n      {list}");
            }
            CampaignEvent::Trouble { message } => eprintln!("squall: {message}"),
            CampaignEvent::Progress(standing) if self.is_live => {
                self.status(&status(standing, self.limit.filter(|_| !seen.was_resumed)))
            }
            CampaignEvent::Progress(standing) => {
                eprintln!("{}", status(standing, self.limit.filter(|_| !seen.was_resumed)))
            }
            CampaignEvent::Detail(_) => {}
            CampaignEvent::Summary(standing) => {
                self.end_status();
                std::mem::take(&mut seen.troubles).iter().for_each(|text| eprintln!("squall: {text}"));
                // A reader that closed our output early is no reason to fail.
                let _ = writeln!(crate::render::plain::stdout(), "{}", summary(standing, &seen));
            }
        }
    }
}

/// One JSON object a line, on standard output.
#[derive(Default)]
pub struct JsonLines {
    /// The campaign's folder.
    out: Mutex<String>,
}

impl JsonLines {
    /// An event as it is printed. The summary counts groups as `squall findings` makes them, now that they are reduced.
    fn line(&self, event: &CampaignEvent) -> serde_json::Result<serde_json::Value> {
        let mut line = serde_json::to_value(event)?;
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            CampaignEvent::Started { out: folder, .. } => out.clone_from(folder),
            CampaignEvent::Summary(standing) => {
                line["groups"] = groups(&out, standing).into();
                line["signatures"] = standing.tally.groups.into();
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

fn status(standing: &CampaignStatus, limit: Option<Duration>) -> String {
    let counts = &standing.counts;
    let wall = standing.wall_s.max(1e-3);
    let share = 100.0 * standing.solver_cpu_s / standing.cpu_s.max(1e-9);
    let limit = limit.map_or_else(String::new, |limit| format!(" of {}", time_text(limit.as_secs_f64())));
    format!(
        "{}{limit}  {} mutants ({:.0}/s)  solver {share:.0}% of CPU  found: {}  seeds {} (skipped {})  errors {}  timeouts {}",
        time_text(standing.wall_s.round()),
        counts.mutants,
        counts.mutants as f64 / wall,
        by_class(&standing.tally.findings),
        counts.seeds,
        standing.skipped,
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

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(REASON_LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}
