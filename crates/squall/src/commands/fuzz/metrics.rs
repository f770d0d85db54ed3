//! A campaign's metrics for Prometheus: in a text file, or served on this machine.

mod serve;
mod text;

use ::fuzz::state::event::{CampaignStatus, Detail, ReductionNow};
use ::fuzz::{CampaignEvent, CampaignWatch};
use anyhow::{Context, Result};
use serve::Server;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the file is written.
const FILE_EVERY: Duration = Duration::from_secs(5);

/// The target of the metrics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MetricsTarget {
    /// A text file.
    File(PathBuf),
    /// Clients of this loopback address.
    Address(SocketAddr),
}

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
    known: Arc<Mutex<CampaignMetrics>>,
    file: Option<File>,
    /// Serves until it is dropped.
    _server: Option<Server>,
}

struct File {
    path: PathBuf,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    at: Option<Instant>,
    failed: bool,
}

/// `FILE`, or `ADDRESS:PORT` on this machine. A file whose name looks like an address is written `./NAME`.
pub fn place(text: &str) -> Result<MetricsTarget, String> {
    let local = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let address = local.map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    if let Some(address) = address.or_else(|| text.parse::<SocketAddr>().ok()) {
        return match address.ip().is_loopback() {
            true => Ok(MetricsTarget::Address(address)),
            false => {
                Err("metrics are served only on this machine: write 127.0.0.1:PORT, and use a proxy for other machines"
                    .to_string())
            }
        };
    }
    let is_host = |host: &str| !host.is_empty() && !host.contains('/');
    match text.rsplit_once(':') {
        Some((host, port)) if is_host(host) && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
            Err(format!("write 127.0.0.1:PORT to serve metrics, or ./{text} for a file of that name"))
        }
        _ if text.is_empty() => Err("name a file, or 127.0.0.1:PORT".to_string()),
        _ => Ok(MetricsTarget::File(PathBuf::from(text))),
    }
}

impl<'w> Metrics<'w> {
    /// Wraps another watch.
    /// Errors: the file cannot be written, or the address is in use.
    pub fn new(place: &MetricsTarget, inner: &'w dyn CampaignWatch) -> Result<Metrics<'w>> {
        let known = Arc::new(Mutex::new(CampaignMetrics { running: true, ..CampaignMetrics::default() }));
        let mut metrics = Metrics { inner, known: Arc::clone(&known), file: None, _server: None };
        match place {
            MetricsTarget::File(path) => {
                metrics.file = Some(File { path: path.clone(), written: Mutex::default() });
                metrics
                    .write(path)
                    .with_context(|| format!("cannot write '{}'; name another file with --metrics", path.display()))?;
            }
            MetricsTarget::Address(address) => {
                let server = Server::start(*address, move || text::exposition(&lock(&known)))
                    .with_context(|| format!("cannot serve metrics at {address}; name another port with --metrics"))?;
                let what = format!("metrics for Prometheus at http://{}/metrics", server.address());
                inner.event(&CampaignEvent::Trouble { message: what });
                metrics._server = Some(server);
            }
        }
        Ok(metrics)
    }

    fn write(&self, path: &std::path::Path) -> std::io::Result<()> {
        let text = text::exposition(&lock(&self.known));
        files::atomic::write(path, text.as_bytes())
    }

    /// Writes the file if it is due.
    fn renew(&self, is_end: bool) {
        let Some(file) = &self.file else { return };
        let mut written = lock(&file.written);
        if !is_end && written.at.is_some_and(|at| at.elapsed() < FILE_EVERY) {
            return;
        }
        written.at = Some(Instant::now());
        match self.write(&file.path) {
            Ok(()) => written.failed = false,
            // A failure of metrics does not end a campaign.
            Err(error) => {
                if !std::mem::replace(&mut written.failed, true) {
                    let message = format!("cannot write '{}': {error}; trying again later", file.path.display());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_served() {
        let check = |text: &str, expect: Option<MetricsTarget>| assert_eq!(place(text).ok(), expect, "{text}");
        let address = |text: &str| Some(MetricsTarget::Address(text.parse().expect("an address")));
        check("127.0.0.1:9464", address("127.0.0.1:9464"));
        check("localhost:0", address("127.0.0.1:0"));
        check("[::1]:80", address("[::1]:80"));
        check("run1/squall.prom", Some(MetricsTarget::File("run1/squall.prom".into())));
        check("./odd:80", Some(MetricsTarget::File("./odd:80".into())));
        check("0.0.0.0:9464", None);
        check("192.168.0.7:9464", None);
        check("[::]:80", None);
        check("example.org:9464", None);
        check("", None);
    }
}
