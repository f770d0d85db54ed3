//! The state of the live screen, changed by events and keys. It reads no clock and draws nothing.

use crate::commands::fuzz::screen::{GENERATED, unreduced, with_profiles};
use ::finding::CauseCount;
use ::fuzz::CampaignEvent;
use ::fuzz::state::event::{CampaignStatus, Detail};
use std::collections::VecDeque;
use std::time::Duration;
use triage::hit_groups::HitGroups;

/// Points of the throughput curve. With one more, pairs are merged, and each point covers twice the time from then on.
pub const MAX_POINTS: usize = 240;
/// The window of the current rate, in seconds.
const RATE_S: f64 = 10.0;
/// Number of kept messages.
const MAX_MESSAGES: usize = 50;
/// Number of samples for the speed of a pass.
const PASS_SAMPLES: usize = 120;

/// The state of the live screen.
#[derive(Clone, Debug, Default)]
pub struct LiveState {
    /// The solvers under test.
    pub solvers: Vec<String>,
    /// The folder.
    pub out: String,
    /// Whether seeds are used; otherwise all problems are generated.
    pub has_seeds: bool,
    /// When the run ends by itself.
    pub limit: Option<Duration>,
    /// The status, once it was reported.
    pub standing: Option<CampaignStatus>,
    /// What the workers do.
    pub detail: Detail,
    /// The causes of findings.
    pub causes: HitGroups,
    /// The finding that is being reduced, and the size of its script in bytes: original and current.
    pub reducing: Option<(String, (usize, usize))>,
    /// The last messages, the newest last.
    pub messages: VecDeque<String>,
    /// Mutants per second over equal intervals, the oldest first.
    pub curve: Curve,
    /// Whether the user asked to quit.
    pub ending: bool,
    /// Where the keys go.
    pub focus: Focus,
    /// The rank of the marked group.
    pub marked: usize,
    /// The marked worker.
    pub worker: usize,
    /// The open finding.
    pub opened: Option<OpenedFinding>,
    /// Whether the list of keys is shown.
    pub helps: bool,
    /// The campaign's running time in seconds when this run began.
    began_s: Option<f64>,
    passes: VecDeque<(f64, u64, usize)>,
}

/// Mutants per second over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The rates.
    pub rates: Vec<u64>,
    /// The length of an interval, in seconds.
    pub step_s: f64,
    /// Time and mutants at the end of the last interval.
    last: Option<(f64, u64)>,
}

/// Where the keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// To the findings.
    #[default]
    Findings,
    /// To the workers.
    Workers,
}

/// A finding shown over everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenedFinding {
    /// The heading.
    pub title: String,
    /// The text.
    pub lines: Vec<String>,
    /// The first line shown.
    pub top: usize,
}

/// A key with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenKey {
    /// End the campaign.
    Quit,
    /// Pause or continue.
    Pause,
    /// Skip a seed.
    Skip,
    /// Up or down by this many lines.
    Move(isize),
    /// The other list.
    Switch,
    /// Open the marked item.
    Open,
    /// Close the open item.
    Close,
    /// Show or hide the list of keys.
    Help,
}

/// The effect of a key outside of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenRequest {
    /// End the campaign, as Ctrl-C does.
    Quit,
    /// Pause, or continue.
    Pause(bool),
    /// Skip the seed at this position.
    Skip(usize),
    /// Show the finding in this folder.
    Open {
        /// The heading.
        title: String,
        /// The folder.
        folder: String,
    },
}

impl LiveState {
    /// Returns the screen of a campaign before it begins. It ends by itself after `limit`.
    pub fn new(limit: Option<Duration>) -> LiveState {
        LiveState { limit, ..LiveState::default() }
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &CampaignEvent) {
        match event {
            CampaignEvent::Started { solvers, profiles, out, seeds, resumed, .. } => {
                self.solvers = with_profiles(solvers, profiles);
                self.has_seeds = *seeds > 0;
                self.out = out.clone();
                if let Some(past) = resumed {
                    self.say(format!("resuming after {} units with {} mutants", past.units, past.mutants));
                }
            }
            CampaignEvent::Finding(finding) => {
                // The marked group stays marked when another one pushes it down; the first place stays the most important.
                let marked = self.causes.ranked().get(self.marked).map(|row| row.cause.key());
                self.causes.add(finding);
                if self.marked > 0 {
                    let place = self.causes.ranked().iter().position(|row| Some(row.cause.key()) == marked);
                    self.marked = place.unwrap_or(self.marked);
                }
            }
            CampaignEvent::Reduced { id, bytes: (before, after), vector, .. } => {
                self.causes.reduced(id, *after, vector);
                if after < before {
                    self.say(format!("reduced {id}: {before} to {after} bytes"));
                }
            }
            CampaignEvent::Matched { id, of, without } => {
                self.causes.matched(id, of);
                self.say(format!("{id} has the cause of {of}: right without {}", without.join(" ")));
            }
            CampaignEvent::Unreduced { id, reason } => self.say(unreduced(id, reason)),
            CampaignEvent::Bisected { id, versions } => {
                self.causes.bisected(id, versions);
                self.say(format!("bisected {id}: {versions}"));
            }
            CampaignEvent::Unconfirmed { class, seed, reason, .. } => {
                let seed = seed.as_deref().unwrap_or(GENERATED);
                self.say(format!("not confirmed: class {class} from {seed}: {reason}"));
            }
            CampaignEvent::SkippedSeed { seed, solver, reason } => {
                let whom = solver.as_ref().map(|s| format!(" for {s}")).unwrap_or_default();
                let seed = seed.as_deref().unwrap_or(GENERATED);
                self.say(format!("skipped {seed}{whom}: {reason}"));
            }
            CampaignEvent::Quarantined { entry, .. } => {
                self.say(format!("quarantined {}: {} is wrong: {}", entry.seed, entry.label, entry.evidence));
            }
            CampaignEvent::Install { what, .. } => self.say(what.clone()),
            CampaignEvent::Trouble { message } => self.say(message.clone()),
            CampaignEvent::Progress(standing) | CampaignEvent::Summary(standing) => {
                self.began_s.get_or_insert(standing.wall_s);
                self.curve.note(standing.wall_s, standing.counts.mutants);
                self.standing = Some((**standing).clone());
            }
            CampaignEvent::Detail(detail) => {
                let now = self.standing.as_ref().map_or(0.0, |standing| standing.wall_s);
                self.passes.push_back((now, detail.pass.number, detail.pass.done));
                if self.passes.len() > PASS_SAMPLES {
                    self.passes.pop_front();
                }
                self.detail = (**detail).clone();
                self.worker = self.worker.min(self.workers().saturating_sub(1));
            }
        }
    }

    fn say(&mut self, text: String) {
        self.messages.push_back(text.lines().next().unwrap_or_default().to_string());
        if self.messages.len() > MAX_MESSAGES {
            self.messages.pop_front();
        }
    }

    /// Handles a key. Returns its effect outside of the screen.
    pub fn key(&mut self, key: ScreenKey) -> Option<ScreenRequest> {
        if self.helps || key == ScreenKey::Help {
            // Any key closes the list of keys. Only the key that ends the campaign also keeps its effect.
            self.helps = !self.helps && key == ScreenKey::Help;
            return if key == ScreenKey::Quit { self.quit() } else { None };
        }
        if let Some(opened) = &mut self.opened {
            match key {
                ScreenKey::Move(by) => opened.top = moved(opened.top, by, opened.lines.len()),
                ScreenKey::Close | ScreenKey::Open => self.opened = None,
                ScreenKey::Quit => {
                    self.opened = None;
                    return self.quit();
                }
                _ => {}
            }
            return None;
        }
        match key {
            ScreenKey::Quit => return self.quit(),
            ScreenKey::Pause => {
                self.detail.paused = !self.detail.paused;
                return Some(ScreenRequest::Pause(self.detail.paused));
            }
            ScreenKey::Skip => return self.skipped().map(ScreenRequest::Skip),
            ScreenKey::Move(by) => match self.focus {
                Focus::Findings => self.marked = moved(self.marked, by, self.causes.len()),
                Focus::Workers => self.worker = moved(self.worker, by, self.workers()),
            },
            ScreenKey::Switch => {
                self.focus = match self.focus {
                    Focus::Findings => Focus::Workers,
                    Focus::Workers => Focus::Findings,
                }
            }
            ScreenKey::Open => {
                let cause = *self.causes.ranked().get(self.marked)?;
                let title = format!("class {}: {}", cause.cause.class, cause.summary);
                return Some(ScreenRequest::Open { title, folder: cause.folder.clone() });
            }
            ScreenKey::Close | ScreenKey::Help => {}
        }
        None
    }

    /// Returns the number of listed workers, here or elsewhere.
    fn workers(&self) -> usize {
        self.detail.workers.len().max(self.detail.machines.len())
    }

    fn quit(&mut self) -> Option<ScreenRequest> {
        self.ending = true;
        Some(ScreenRequest::Quit)
    }

    /// Returns the seed for the skip key: that of the marked worker, or the one that runs longest.
    fn skipped(&self) -> Option<usize> {
        let workers = &self.detail.workers;
        let doing = match self.focus {
            Focus::Workers => workers.get(self.worker)?.as_ref()?,
            Focus::Findings => workers.iter().flatten().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?,
        };
        Some(doing.position)
    }

    /// Returns the number of causes of the findings, once it was reported.
    pub fn cause_count(&self) -> Option<CauseCount> {
        self.standing.as_ref()?.causes
    }

    /// Returns the time of this run so far.
    pub fn run_s(&self) -> f64 {
        let now = self.standing.as_ref().map_or(0.0, |standing| standing.wall_s);
        (now - self.began_s.unwrap_or(now)).max(0.0)
    }

    /// Seconds until the run ends by itself, if it does.
    pub fn left_s(&self) -> Option<f64> {
        Some((self.limit?.as_secs_f64() - self.run_s()).max(0.0))
    }

    /// Returns the estimated seconds until the pass over all seeds ends, once there is an estimate.
    pub fn pass_left_s(&self) -> Option<f64> {
        let &(now, number, done) = self.passes.back()?;
        let &(then, _, before) = self.passes.iter().find(|(_, n, _)| *n == number)?;
        let rate = done.checked_sub(before)? as f64 / (now - then);
        let left = self.detail.pass.pairs.saturating_sub(done) as f64 / rate;
        (rate.is_finite() && left.is_finite()).then_some(left)
    }
}

impl Curve {
    /// The mean rate of the newest [`RATE_S`] seconds: one interval's rate is often zero, since mutants come in batches.
    pub fn recent(&self) -> u64 {
        let stretches = (RATE_S / self.step_s.max(1.0)).ceil() as usize;
        let recent = &self.rates[self.rates.len().saturating_sub(stretches)..];
        let sum: u64 = recent.iter().sum();
        sum.checked_div(recent.len() as u64).unwrap_or(0)
    }

    /// Adds the number of mutants sent until a time.
    fn note(&mut self, wall_s: f64, mutants: u64) {
        if self.step_s == 0.0 {
            self.step_s = 1.0;
        }
        let Some((then, before)) = self.last else {
            self.last = Some((wall_s, mutants));
            return;
        };
        let passed = wall_s - then;
        if passed < self.step_s {
            return;
        }
        self.last = Some((wall_s, mutants));
        self.rates.push((mutants.saturating_sub(before) as f64 / passed).round() as u64);
        if self.rates.len() > MAX_POINTS {
            self.rates = self.rates.chunks(2).map(|pair| pair.iter().sum::<u64>() / pair.len() as u64).collect();
            self.step_s *= 2.0;
        }
    }
}

fn moved(place: usize, by: isize, length: usize) -> usize {
    place.saturating_add_signed(by).min(length.saturating_sub(1))
}
