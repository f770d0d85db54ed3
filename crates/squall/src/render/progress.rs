//! A line of progress for long work, on standard error if that is a terminal.
//!
//! The line stays below all other output, which hides it for a moment.

use crate::render::plain;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often the line is redrawn, so that the time advances.
const TICK: Duration = Duration::from_millis(250);

/// The line on the terminal now; a process has one.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A line of progress. Dropping it removes it from the terminal.
pub struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// Returns a bar for work of `steps` steps, with an estimate of the time left.
    pub fn steps(what: &str, total: u64) -> ProgressLine {
        let template = "{prefix}  {bar:24}  {human_pos} of {human_len}{left}  {wide_msg}";
        ProgressLine::new(what, Some(total), template)
    }

    /// Returns a line for work of unknown length, with the elapsed time.
    pub fn open(what: &str) -> ProgressLine {
        ProgressLine::new(what, None, "{spinner} {prefix}  {elapsed}  {wide_msg}")
    }

    /// Returns a line for work that ends after `limit` at the latest.
    pub fn until(what: &str, limit: Option<Duration>) -> ProgressLine {
        match limit {
            None => ProgressLine::open(what),
            Some(limit) => {
                let most =
                    format!("{{spinner}} {{prefix}}  {{elapsed}} of {:#} at most  {{wide_msg}}", HumanDuration(limit));
                ProgressLine::new(what, None, &most)
            }
        }
    }

    /// No line.
    pub fn none() -> ProgressLine {
        ProgressLine { bar: ProgressBar::hidden() }
    }

    /// Returns a line without a time, for a campaign, which shows its time itself.
    pub fn status() -> ProgressLine {
        ProgressLine::new("", None, "{spinner} {wide_msg}")
    }

    fn new(what: &str, total: Option<u64>, template: &str) -> ProgressLine {
        let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // Nested work shows nothing.
        if !is_shown() || shown.is_some() {
            return ProgressLine { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr())
            .with_prefix(plain::shown(what, false).into_owned());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏░").with_key("left", left));
        }
        bar.tick();
        bar.enable_steady_tick(TICK);
        *shown = Some(bar.clone());
        ProgressLine { bar }
    }

    /// Adds finished steps.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Sets the number of finished steps.
    pub fn is_at(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Sets the total number of steps.
    pub fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Sets the description of the current step.
    pub fn begins(&self, words: &str) {
        self.bar.set_message(plain::shown(words, true).into_owned());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if !self.bar.is_hidden() {
            self.bar.finish_and_clear();
            SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

/// Whether progress is shown: standard error is a terminal that can move its cursor.
pub fn is_shown() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb
}

/// Writes something while the line of progress is hidden.
pub fn without_line<T>(write: impl FnOnce() -> T) -> T {
    // A nested call finds no line.
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(bar) = shown else { return write() };
    let written = bar.suspend(write);
    if !bar.is_finished() {
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(bar);
    }
    written
}

/// Writes the estimated time left, once a step is done.
fn left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 && state.len().is_some_and(|length| state.pos() < length) {
        // Writing to a string cannot fail.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}
