//! The terminal: taken for the live screen, and restored in all cases.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, IsTerminal, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A terminal to draw on.
pub type Tty = Terminal<CrosstermBackend<Stdout>>;

/// The owner of the terminal, shared by all clones; the first that restores it does so.
#[derive(Clone, Debug, Default)]
pub struct TerminalLease {
    taken: Arc<AtomicBool>,
}

/// Whether a live screen can be shown: standard input and standard output are terminals.
pub fn is_fit() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdout().is_terminal() && io::stdin().is_terminal() && !is_dumb
}

/// Waits for input, at most this long. Returns whether the terminal still exists: crossterm never returns from reading a
/// closed one.
pub fn wait_for_input(time: Duration) -> bool {
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    let time = Timespec::try_from(time).ok();
    // A signal, such as a new size, ends the wait; the caller reads the input then.
    let _ = poll(&mut polled, time.as_ref());
    !polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

impl TerminalLease {
    /// Takes the terminal. From now on a panic of any thread restores it before its message.
    /// Errors: an error of the system; the terminal is then unchanged.
    pub fn take(&self) -> io::Result<Tty> {
        let before = std::panic::take_hook();
        let lease = self.clone();
        std::panic::set_hook(Box::new(move |panic| {
            lease.give_back();
            before(panic);
        }));
        self.taken.store(true, Ordering::SeqCst);
        let taken = enable_raw_mode()
            .and_then(|()| execute!(io::stdout(), EnterAlternateScreen))
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        taken.inspect_err(|_| self.give_back())
    }

    /// Whether the terminal was not restored yet.
    pub fn is_taken(&self) -> bool {
        self.taken.load(Ordering::SeqCst)
    }

    /// Restores the terminal, once.
    pub fn give_back(&self) {
        if self.taken.swap(false, Ordering::SeqCst) {
            // A closed terminal needs no restoring.
            let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
            let _ = disable_raw_mode();
        }
    }
}
