//! The live screen of a campaign: one thread draws and reads keys; the workers send it events.

mod model;
mod opened;
mod tables;
mod terminal;
#[cfg(test)]
#[path = "../../../../tests/unit/live.rs"]
mod tests;
mod view;
mod words;

use super::screen::Screen;
use crate::exit::Exit;
use ::fuzz::state::event::ReductionNow;
use ::fuzz::{CampaignEvent, CampaignWatch, Stops};
use model::{LiveState, OpenedFinding, ScreenKey, ScreenRequest};
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
pub use terminal::{TerminalLease, is_fit};

/// How long the screen waits for a key before it checks for changes.
const KEY_WAIT: Duration = Duration::from_millis(50);
/// The minimum time between two frames without a key.
const FRAME: Duration = Duration::from_millis(200);
/// The number of lines of a page.
const PAGE: isize = 10;

/// Watches a campaign and shows it. Before and after the campaign, text goes to the plain screen.
pub struct LiveScreen {
    shared: Arc<ScreenShared>,
    after: Screen,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct ScreenShared {
    model: Mutex<LiveState>,
    lease: TerminalLease,
    stops: Stops,
    changed: AtomicBool,
    over: AtomicBool,
}

impl LiveScreen {
    /// Makes a screen for a campaign that ends by itself after `limit`. `after` shows the text before the campaign, and the
    /// summary. The terminal is taken when the campaign begins.
    pub fn new(after: Screen, limit: Option<Duration>, stops: &Stops, lease: TerminalLease) -> LiveScreen {
        let shared = ScreenShared {
            model: Mutex::new(LiveState::new(limit)),
            lease,
            stops: stops.clone(),
            changed: AtomicBool::new(true),
            over: AtomicBool::new(false),
        };
        LiveScreen { shared: Arc::new(shared), after, thread: Mutex::default() }
    }

    fn begin(&self) -> io::Result<()> {
        let mut terminal = self.shared.lease.take()?;
        let shared = Arc::clone(&self.shared);
        let run = move || {
            // An error of drawing does not end a campaign.
            let _ = shared.show(&mut terminal);
        };
        let thread = std::thread::Builder::new().name("screen".to_string()).spawn(run);
        let thread = thread.inspect_err(|_| self.shared.lease.give_back())?;
        *lock(&self.thread) = Some(thread);
        Ok(())
    }

    /// Ends the screen and restores the terminal. Returns whether it was on.
    fn end(&self) -> bool {
        let thread = lock(&self.thread).take();
        self.shared.over.store(true, Ordering::Relaxed);
        let was_on = thread.is_some();
        if let Some(thread) = thread {
            // A panic in it was already reported.
            let _ = thread.join();
        }
        self.shared.lease.give_back();
        was_on
    }
}

impl Drop for LiveScreen {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CampaignWatch for LiveScreen {
    fn reducing(&self, now: Option<&ReductionNow<'_>>) {
        lock(&self.shared.model).reducing = now.map(|now| (now.id.to_string(), now.bytes));
        self.shared.changed.store(true, Ordering::Relaxed);
    }

    fn event(&self, event: &CampaignEvent) {
        lock(&self.shared.model).apply(event);
        self.shared.changed.store(true, Ordering::Relaxed);
        match event {
            CampaignEvent::Started { out, resumed, .. } => {
                self.after.note(event);
                if resumed.is_some() {
                    let (causes, _) = triage::hit_groups::HitGroups::load(Path::new(out));
                    lock(&self.shared.model).causes = causes;
                }
                if let Err(error) = self.begin() {
                    self.after.event(&CampaignEvent::Trouble { message: format!("no live screen: {error}") });
                    self.after.event(event);
                }
            }
            CampaignEvent::Summary(_) => {
                self.end();
                self.after.event(event);
            }
            _ if lock(&self.thread).is_none() => self.after.event(event),
            _ => self.after.note(event),
        }
    }
}

impl ScreenShared {
    fn show(&self, terminal: &mut terminal::Tty) -> io::Result<()> {
        let mut drawn: Option<Instant> = None;
        while !self.over.load(Ordering::Relaxed) && self.lease.is_taken() {
            if !terminal::wait_for_input(KEY_WAIT) {
                break;
            }
            let heard = event::poll(Duration::ZERO)? && self.hear(&event::read()?);
            if heard || drawn.is_none_or(|at| at.elapsed() >= FRAME) && self.changed.swap(false, Ordering::Relaxed) {
                // A panic elsewhere restored the terminal: nothing is drawn over its message.
                if !self.lease.is_taken() {
                    break;
                }
                drawn = Some(Instant::now());
                // Copied, so that workers never wait for the terminal.
                let model = lock(&self.model).clone();
                terminal.draw(|frame| view::draw(frame, &model))?;
            }
        }
        Ok(())
    }

    /// Handles an input. Returns whether to redraw.
    fn hear(&self, input: &Input) -> bool {
        let key = match input {
            Input::Resize(..) => return true,
            Input::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => return false,
        };
        let Some(key) = known(key) else { return false };
        let request = lock(&self.model).key(key);
        match request {
            None => {}
            Some(ScreenRequest::Quit) => self.quit(),
            Some(ScreenRequest::Pause(paused)) => self.stops.requests.pause(paused),
            Some(ScreenRequest::Skip(seed)) => self.stops.requests.skip(seed),
            Some(ScreenRequest::Open { title, folder }) => {
                // Reads files without holding the lock.
                let lines = opened::lines(Path::new(&folder));
                lock(&self.model).opened = Some(OpenedFinding { title, lines, top: 0 });
            }
        }
        true
    }

    /// Ends the campaign with its summary the first time, and the process the second time.
    fn quit(&self) {
        if self.stops.user.is_cancelled() {
            self.lease.give_back();
            Exit::Interrupted.end();
        }
        self.stops.user.cancel();
        self.stops.time.cancel();
    }
}

fn known(key: &KeyEvent) -> Option<ScreenKey> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if control => ScreenKey::Quit,
        KeyCode::Char(_) if control => return None,
        KeyCode::Char('q') => ScreenKey::Quit,
        KeyCode::Char('p') | KeyCode::Char(' ') => ScreenKey::Pause,
        KeyCode::Char('s') => ScreenKey::Skip,
        KeyCode::Char('?') | KeyCode::Char('h') | KeyCode::F(1) => ScreenKey::Help,
        KeyCode::Up | KeyCode::Char('k') => ScreenKey::Move(-1),
        KeyCode::Down | KeyCode::Char('j') => ScreenKey::Move(1),
        KeyCode::PageUp => ScreenKey::Move(-PAGE),
        KeyCode::PageDown => ScreenKey::Move(PAGE),
        KeyCode::Home => ScreenKey::Move(isize::MIN),
        KeyCode::End => ScreenKey::Move(isize::MAX),
        KeyCode::Tab | KeyCode::BackTab => ScreenKey::Switch,
        KeyCode::Enter | KeyCode::Right => ScreenKey::Open,
        KeyCode::Esc | KeyCode::Left => ScreenKey::Close,
        _ => return None,
    })
}
