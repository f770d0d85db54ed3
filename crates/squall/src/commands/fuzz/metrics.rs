//! A campaign's metrics for Prometheus, in a text file.

mod text;

use ::fuzz::state::event::{CampaignStatus, Detail, ReductionNow};
use ::fuzz::{CampaignEvent, CampaignWatch};
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the file is written.
const FILE_EVERY: Duration = Duration::from_secs(5);

/// The current numbers of a campaign.
#[derive(Clone, Debug, Default)]
struct CampaignMetrics {
    solvers: Vec<String>,
    seed: u64,
    seeds: usize,
    jobs: usize,
    standing: Option<CampaignStatus>,
    detail: Detail,
    reduced: u64,
    running: bool,
}

/// Watches a campaign for Prometheus, and passes every event on.
pub struct Metrics<'w> {
    inner: &'w dyn CampaignWatch,
    known: Mutex<CampaignMetrics>,
    path: &'w Path,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    at: Option<Instant>,
    failed: bool,
}

/// The file named by `--metrics`. Version 0.3 served metrics at an address.
pub fn file(text: &str) -> Result<PathBuf, String> {
    match text.parse::<SocketAddr>() {
        Ok(_) => {
            Err("metrics are not served: name a file, for the text file collector of the node exporter".to_string())
        }
        Err(_) => Ok(PathBuf::from(text)),
    }
}

impl<'w> Metrics<'w> {
    /// Wraps another watch.
    /// Errors: the file cannot be written.
    pub fn new(path: &'w Path, inner: &'w dyn CampaignWatch) -> Result<Metrics<'w>> {
        let known = Mutex::new(CampaignMetrics { running: true, ..CampaignMetrics::default() });
        let metrics = Metrics { inner, known, path, written: Mutex::default() };
        metrics
            .write()
            .with_context(|| format!("cannot write '{}'; name another file with --metrics", path.display()))?;
        Ok(metrics)
    }

    fn write(&self) -> std::io::Result<()> {
        let text = text::exposition(&lock(&self.known));
        files::atomic::write(self.path, text.as_bytes())
    }

    /// Writes the file if it is due.
    fn renew(&self, is_end: bool) {
        let mut written = lock(&self.written);
        if !is_end && written.at.is_some_and(|at| at.elapsed() < FILE_EVERY) {
            return;
        }
        written.at = Some(Instant::now());
        match self.write() {
            Ok(()) => written.failed = false,
            // A failure of metrics does not end a campaign.
            Err(error) => {
                if !std::mem::replace(&mut written.failed, true) {
                    let message = format!("cannot write '{}': {error}; trying again later", self.path.display());
                    self.inner.event(&CampaignEvent::Trouble { message });
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CampaignMetrics {
    fn note(&mut self, event: &CampaignEvent) {
        match event {
            CampaignEvent::Started { seed, seeds, solvers, jobs, .. } => {
                (self.seed, self.seeds, self.jobs) = (*seed, *seeds, *jobs);
                self.solvers.clone_from(solvers);
            }
            CampaignEvent::Reduced { .. } => self.reduced += 1,
            CampaignEvent::Progress(standing) => self.standing = Some((**standing).clone()),
            CampaignEvent::Summary(standing) => {
                self.standing = Some((**standing).clone());
                self.detail.workers.clear();
                self.running = false;
            }
            CampaignEvent::Detail(detail) => self.detail = (**detail).clone(),
            _ => {}
        }
    }
}

impl CampaignWatch for Metrics<'_> {
    fn reducing(&self, now: Option<&ReductionNow<'_>>) {
        self.inner.reducing(now);
    }

    fn event(&self, event: &CampaignEvent) {
        lock(&self.known).note(event);
        match event {
            CampaignEvent::Progress(_) => self.renew(false),
            CampaignEvent::Summary(_) => self.renew(true),
            _ => {}
        }
        self.inner.event(event);
    }
}
