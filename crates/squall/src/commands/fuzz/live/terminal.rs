//! The terminal: taken for the live screen, and given back whatever happens.

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

/// Who has the terminal. All clones are the same; the first that gives it back does.
#[derive(Clone, Debug, Default)]
pub struct TerminalLease {
    taken: Arc<AtomicBool>,
}

/// Whether a live screen can be shown: keys are heard on standard input, and it is drawn on standard output.
pub fn is_fit() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdout().is_terminal() && io::stdin().is_terminal() && !is_dumb
}

/// Waits until there is input, or for this long. Whether the terminal is still there: of one that was closed, crossterm reads nothing
/// again and again, and never returns.
pub fn wait_for_input(time: Duration) -> bool {
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    let time = Timespec::try_from(time).ok();
    // A signal, such as that of a new size, ends the wait; what there is to hear is heard then.
    let _ = poll(&mut polled, time.as_ref());
    !polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

impl TerminalLease {
    /// Takes the terminal. From now on a panic, of whatever thread, gives it back before it is told.
    ///
    /// # Errors
    /// The system refuses; the terminal is then as it was.
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

    /// Whether it is still ours.
    pub fn is_taken(&self) -> bool {
        self.taken.load(Ordering::SeqCst)
    }

    /// Gives the terminal back as it was. Does nothing where that was done.
    pub fn give_back(&self) {
        if self.taken.swap(false, Ordering::SeqCst) {
            // A terminal that is gone cannot be put in order, and need not be.
            let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
            let _ = disable_raw_mode();
        }
    }
}
