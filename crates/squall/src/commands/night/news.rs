//! The report of a night, as text or JSON lines, and the page with the history of all causes.

use crate::args::format::OutputFormat;
use crate::render::date::day;
use crate::render::say::{counted, quoted};
use ::finding::folder::FindingPaths;
use ::fuzz::counts::untested::Untested;
use ::fuzz::state::event::CampaignStatus;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use triage::ledger::{KnownCause, Ledger, Sighting, TestedProgram};

/// The maximum size of a shown script, in bytes.
const SHOWN: usize = 1000;

/// The reported news, and the numbers for the last lines.
pub struct NightNews {
    format: OutputFormat,
    is_quiet: bool,
    /// New and returning causes.
    pub causes: u64,
    back: u64,
    gone: u64,
    known_hits: u64,
    known: u64,
    /// Findings of other classes, and flaky ones.
    pub off: u64,
    /// Findings that wait for a reduction, and their folders.
    pub waiting: u64,
    pub places: Vec<PathBuf>,
}

/// Returns a cause as JSON.
pub fn object(id: &str, cause: &KnownCause, place: &Path, is_back: bool) -> Value {
    let event = if cause.gone.is_some() { "gone" } else { "cause" };
    json!({
        "event": event, "id": id, "class": cause.class, "summary": cause.summary, "bytes": cause.bytes, "hits": cause.hits,
        "first_seen": cause.first, "last_seen": cause.last, "gone_since": cause.gone, "is_back": is_back,
        "folder": place.display().to_string(), "script": script(place), "predecessors": earlier(place).map(|(_, text)| text),
    })
}

/// Returns the reduced script of a cause, or the original one.
fn script(place: &Path) -> String {
    let places = FindingPaths::of_smallest(place);
    files::found_text(&places.input).unwrap_or_default()
}

/// Returns the file and the text of the scripts, each ended by `(reset)`, that the same process must get before that script, if any.
fn earlier(place: &Path) -> Option<(PathBuf, String)> {
    let path = FindingPaths::of_smallest(place).earlier?;
    let text = files::found_text(&path).ok().filter(|text| !text.trim().is_empty())?;
    Some((path, text))
}

impl NightNews {
    pub fn new(format: OutputFormat, is_quiet: bool) -> NightNews {
        let places = Vec::new();
        NightNews { format, is_quiet, causes: 0, back: 0, gone: 0, known_hits: 0, known: 0, off: 0, waiting: 0, places }
    }

    fn event(&self, event: &Value) {
        if self.format == OutputFormat::Json {
            println!("{event}");
        }
    }

    fn line(&self, line: &str) {
        if self.format == OutputFormat::Text {
            println!("{line}");
        }
    }

    /// Reports that the program changed, and how many known causes it still has.
    pub fn changed(&self, before: &TestedProgram, program: &TestedProgram, present: u64, undecided: u64) {
        self.event(&json!({"event": "program-changed", "before": before, "program": program, "present": present, "undecided": undecided}));
        if !self.is_quiet {
            let open = if undecided > 0 { format!(", {undecided} not decided") } else { String::new() };
            self.line(&format!(
                "program changed: {before} to {program}; it still has {}{open}",
                counted(present, "known cause")
            ));
        }
    }

    /// Counts hits of a known cause.
    pub fn hits(&mut self, hits: u64) {
        self.known += 1;
        self.known_hits += hits;
    }

    /// Whether a known cause was hit.
    pub fn has_hits(&self) -> bool {
        self.known_hits > 0
    }

    /// Reports a new, returning or gone cause.
    pub fn cause(&mut self, id: &str, cause: &KnownCause, place: &Path, is_back: bool) {
        self.event(&object(id, cause, place, is_back));
        if cause.gone.is_some() {
            self.gone += 1;
            self.line(&format!("GONE class {}: {} [{id}]", cause.class, cause.summary));
            return;
        }
        self.causes += 1;
        self.back += u64::from(is_back);
        let word = if is_back { "BACK" } else { "NEW" };
        self.line(&format!("{word} class {}: {}, {} bytes", cause.class, cause.summary, cause.bytes));
        let script = script(place);
        if script.len() <= SHOWN {
            self.line(script.trim_end());
        }
        if let Some((path, _)) = earlier(place) {
            self.line(&format!(
                "  only after the scripts of {} in the same process",
                quoted(&path.display().to_string())
            ));
        }
        self.line(&format!("  reproduce: squall replay {}", quoted(&place.display().to_string())));
    }

    /// Reports that the command of `--on-new` failed.
    pub fn failed(&self, id: &str, why: &str) {
        self.event(&json!({"event": "on-new-failed", "id": id, "cause": why}));
        eprintln!("squall: the command of --on-new failed on {id} and gets it again the next night: {why}");
    }

    /// Prints the last lines.
    pub fn end(&self, now: &Sighting, ledger: &Ledger, standing: Option<&CampaignStatus>, page: &Path) {
        let mutants = standing.map_or(0, |standing| standing.counts.mutants);
        let present = ledger.present().count();
        let (new, back) = (self.causes - self.back, self.back);
        self.event(&json!({
            "event": "night", "night": now.night, "program": now.program, "mutants": mutants, "new": new, "back": back,
            "gone": self.gone, "known_hits": self.known_hits, "waiting": self.waiting, "present": present, "page": page.display().to_string(),
        }));
        if self.is_quiet && self.causes == 0 {
            return;
        }
        let news = match (self.causes, back) {
            (0, _) => "nothing new".to_string(),
            (_, 0) => counted(new, "new cause"),
            (_, back) => format!("{}, {back} back", counted(new, "new cause")),
        };
        self.line(&format!(
            "night {} of {}: {}, {} of {} met ({}); {news}",
            now.night,
            now.program,
            counted(mutants, "mutant"),
            self.known,
            counted((present as u64).saturating_sub(new).max(self.known), "known cause"),
            counted(self.known_hits, "hit"),
        ));
        if self.off > 0 {
            self.line(&format!("{} of other classes or flaky", counted(self.off, "finding")));
        }
        if self.waiting > 0 {
            let places: Vec<String> = self.places.iter().map(|place| quoted(&place.display().to_string())).collect();
            let them = counted(self.waiting, "finding");
            self.line(&format!(
                "{them} not reduced, left for the next night; or run: squall reduce {}",
                places.join(" ")
            ));
        }
        let untested = standing.filter(|_| !self.has_hits()).and_then(|standing| Untested::of(&standing.counts));
        if let Some(untested) = untested {
            self.line(&untested.to_string());
        }
        if self.causes + self.gone > 0 {
            self.line(&format!("history of {}: {}", counted(ledger.causes.len() as u64, "cause"), page.display()));
        }
    }
}

/// Returns the page as Markdown: present causes, the newest first, then gone ones.
pub fn markdown(ledger: &Ledger) -> String {
    let mut all: Vec<(&String, &KnownCause)> = ledger.causes.iter().collect();
    all.sort_by_key(|(id, cause)| (cause.gone.is_some(), std::cmp::Reverse(cause.first.night), cause.class, *id));
    let mut text = format!(
        "# Causes\n\nAfter {}, {} causes are present and {} are gone.\n\n\
         | cause | class | first seen | last seen | gone since | hits | bytes | what is wrong |\n|---|---|---|---|---|---:|---:|---|\n",
        counted(ledger.nights, "night"),
        ledger.present().count(),
        ledger.causes.len() - ledger.present().count(),
    );
    for (id, cause) in all {
        text.push_str(&format!(
            "| [{id}](findings/{id}) | {} | {} | {} | {} | {} | {} | {} |\n",
            cause.class,
            seen(&cause.first),
            seen(&cause.last),
            cause.gone.as_ref().map(seen).unwrap_or_default(),
            cause.hits,
            cause.bytes,
            cell(&cause.summary),
        ));
    }
    text
}

/// Returns a night with its date and program.
fn seen(sighting: &Sighting) -> String {
    format!("night {}, {}, {}", sighting.night, day(sighting.at), cell(&sighting.program))
}

/// Escapes a text for a table cell, without links or tags.
fn cell(text: &str) -> String {
    let escaped = |c: char| match c {
        '|' | '[' | ']' | '<' | '>' | '`' | '*' | '_' | '\\' => format!("\\{c}"),
        c if c.is_control() => " ".to_string(),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}
