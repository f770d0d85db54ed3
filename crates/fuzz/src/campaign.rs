//! A campaign: seeds and solvers in, worker threads, findings out.

use crate::barren::Barren;
use crate::book::{Book, GroupKey, Tally};
use crate::cells::{CellKey, Cells};
use crate::chronicle::{self, CellRow, Chronicle};
use crate::confirm::{self, Dropped};
use crate::event::{Event, FindingEvent, Standing, Watch};
use crate::finding::Finding;
use crate::models::Models;
use crate::oracle::{self, Hit};
use crate::outdir::{OutDir, OutError};
use crate::partner::Labels;
use crate::plan::{Plan, Slot};
use crate::record::{self, Find};
use crate::seed::SeedSource;
use crate::stats::{self, Counters, add};
use crate::target::{Stops, Target};
use crate::worker::{Place, Worker};
use rustc_hash::FxHashSet;
use smtlib::Store;
use solver::outcome::{Answer, Outcome};
use solver::process::Limits;
use solver::profile::BugClass;
use solver::session::Purpose;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the campaign looks at its clock.
const TICK: Duration = Duration::from_millis(20);
/// How often the chronicle is written.
const CHRONICLE_EVERY: Duration = Duration::from_secs(10);
/// How often a full disk is tried again.
const DISK_RETRY: Duration = Duration::from_secs(2);

/// What a campaign is about.
pub struct Config {
    /// The seeds, at least one.
    pub seeds: Vec<SeedSource>,
    /// The campaign's seed: the same gives the same mutants.
    pub seed: u64,
    /// Worker threads, at least 1.
    pub jobs: usize,
    /// When it ends by itself.
    pub budget: Budget,
    /// What one run of a solver may use.
    pub limits: Limits,
    /// Whether solvers are asked for models of seeds.
    pub wants_models: bool,
    /// How many units of 100 have the models of their mutants judged, at most 100.
    pub judged_models: u32,
    /// How many mutants share a process of a solver that can be reset, at least 1.
    pub per_process: u64,
    /// How many units of 100 draw options for the solver, at most 100.
    pub drawn_options: u32,
    /// How often the watcher is told how things stand.
    pub progress_every: Duration,
}

/// When a campaign ends by itself; with neither it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Mutants sent.
    pub mutants: Option<u64>,
}

/// Why a campaign could not be run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// A worker thread could not be started.
    #[error("cannot start a worker thread: {0}")]
    Thread(io::Error),
    /// A finding could not be written.
    #[error("cannot write to '{path}': {cause}; the campaign was stopped")]
    Write {
        /// The folder.
        path: String,
        /// What the system said.
        cause: String,
    },
    /// The solver could not be run.
    #[error("{0}")]
    Solver(String),
}

/// How a campaign ended.
#[derive(Debug)]
pub struct Ended {
    /// How things stood at the end.
    pub standing: Standing,
    /// What went wrong, if something ended it before its time.
    pub failure: Option<CampaignError>,
}

/// What workers share.
pub(crate) struct Shared<'c> {
    pub(crate) config: &'c Config,
    pub(crate) targets: &'c [Target],
    pub(crate) reference: Option<&'c Target>,
    pub(crate) plan: Plan,
    pub(crate) models: Models,
    pub(crate) counters: Counters,
    pub(crate) cells: Cells,
    pub(crate) barren: Barren,
    pub(crate) labels: Labels,
    pub(crate) next_unit: AtomicU64,
    out: OutDir,
    book: Mutex<Book>,
    mutants_taken: AtomicU64,
    seeds_done: Mutex<FxHashSet<usize>>,
    skipped: Mutex<FxHashSet<usize>>,
    stops: &'c Stops,
    watch: &'c dyn Watch,
    over: AtomicBool,
    failure: Mutex<Option<CampaignError>>,
    start: Instant,
    cpu_before: Duration,
}

/// Runs a campaign to its end: its budget, `stops.user`, or nothing left to do. `out` is where its findings go.
///
/// # Errors
/// The folder cannot be used; nothing was begun then.
pub fn run(
    config: &Config,
    out: OutDir,
    targets: &[Target],
    reference: Option<&Target>,
    stops: &Stops,
    watch: &dyn Watch,
) -> Result<Ended, CampaignError> {
    out.mark(&description(config, targets)).map_err(|source| OutError::System {
        action: "write to",
        path: out.root().display().to_string(),
        source,
    })?;
    let shared = Shared {
        config,
        targets,
        reference,
        plan: Plan::new(config.seed, config.seeds.len(), targets.len()),
        models: Models::default(),
        counters: Counters::default(),
        cells: Cells::default(),
        barren: Barren::new(config.seeds.len(), targets.len()),
        labels: Labels::new(config.seeds.len()),
        next_unit: AtomicU64::new(0),
        out,
        book: Mutex::default(),
        mutants_taken: AtomicU64::new(0),
        seeds_done: Mutex::default(),
        skipped: Mutex::default(),
        stops,
        watch,
        over: AtomicBool::new(false),
        failure: Mutex::default(),
        start: Instant::now(),
        cpu_before: stats::own_cpu(),
    };
    let mut chronicle = Chronicle::load(shared.out.root());
    chronicle.runs.push(chronicle::Run {
        started_at: record::now(),
        seed: config.seed,
        jobs: config.jobs,
        solvers: targets.iter().map(|t| t.label.clone()).collect(),
        seeds: config.seeds.len(),
        ..chronicle::Run::default()
    });
    watch.event(&Event::Started {
        seed: config.seed,
        seeds: config.seeds.len(),
        solvers: targets.iter().map(|t| t.label.clone()).collect(),
        jobs: config.jobs,
        out: shared.out.root().display().to_string(),
    });
    std::thread::scope(|scope| {
        for n in 0..config.jobs.max(1) {
            let name = format!("worker {n}");
            let worker = || Worker::new(&shared).run();
            if let Err(error) = std::thread::Builder::new().name(name).spawn_scoped(scope, worker) {
                shared.fail(CampaignError::Thread(error));
                break;
            }
        }
        shared.keep_time(&mut chronicle);
    });
    let standing = shared.standing();
    shared.chronicle(&mut chronicle, None, &standing);
    watch.event(&Event::Summary(Box::new(standing.clone())));
    let failure = lock(&shared.failure).take();
    Ok(Ended { standing, failure })
}

/// What `campaign.json` says.
fn description(config: &Config, targets: &[Target]) -> serde_json::Value {
    serde_json::json!({
        "format": crate::finding::FORMAT,
        "squall": env!("CARGO_PKG_VERSION"),
        "seed": config.seed,
        "seeds": config.seeds.len(),
        "solvers": targets.iter().map(|t| t.solver.installed().spec.to_string()).collect::<Vec<_>>(),
        "timeout_s": config.limits.wall.as_secs_f64(),
        "memory_bytes": config.limits.memory_bytes,
    })
}

/// Locks; a worker that panicked left the data whole, since every change to it is one call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Whether workers should stop.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Watches the clock and the user, and tells how things stand, until the campaign is over.
    fn keep_time(&self, chronicle: &mut Chronicle) {
        let mut told = Instant::now();
        let mut ticks = 0;
        while !self.is_over() {
            std::thread::sleep(TICK);
            let late = self.config.budget.time.is_some_and(|time| self.start.elapsed() >= time);
            if late || self.stops.user.is_cancelled() || self.barren.is_all() {
                self.end();
            }
            if self.start.elapsed() >= CHRONICLE_EVERY * ticks {
                self.chronicle(chronicle, Some(ticks.into()), &self.standing());
                ticks += 1;
            }
            if told.elapsed() >= self.config.progress_every {
                told = Instant::now();
                self.watch.event(&Event::Progress(Box::new(self.standing())));
            }
        }
    }

    /// Writes how things stand at a tick, or at the end, for later reports.
    fn chronicle(&self, chronicle: &mut Chronicle, tick: Option<u64>, standing: &Standing) {
        if let Some(run) = chronicle.runs.last_mut() {
            run.note(tick.unwrap_or(0), standing, tick.is_none());
            run.ended = tick.is_none();
            run.cells = self.cells.snapshot().into_iter().map(|(key, cell)| CellRow { key, cell }).collect();
        }
        // Statistics are no reason to end a campaign: a full disk is told of when a finding does not fit on it.
        let _ = chronicle.text().and_then(|text| self.out.replace(chronicle::FILE, text.as_bytes()));
    }

    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.stops.time.cancel();
    }

    fn fail(&self, error: CampaignError) {
        lock(&self.failure).get_or_insert(error);
        self.end();
    }

    /// Takes up to `wanted` mutants of the budget.
    pub(crate) fn take_mutants(&self, wanted: u64) -> u64 {
        let Some(most) = self.config.budget.mutants else { return wanted };
        let before = self.mutants_taken.fetch_add(wanted, Ordering::Relaxed);
        let taken = most.saturating_sub(before).min(wanted);
        self.return_mutants(wanted - taken);
        taken
    }

    /// Mutants were sent and judged. The campaign is over when they were the last of its budget.
    pub(crate) fn sent(&self, mutants: u64) {
        let before = self.counters.mutants.fetch_add(mutants, Ordering::Relaxed);
        if self.config.budget.mutants.is_some_and(|most| before + mutants >= most) {
            self.end();
        }
    }

    /// Gives mutants back that were taken and not sent.
    pub(crate) fn return_mutants(&self, unused: u64) {
        if self.config.budget.mutants.is_some() {
            self.mutants_taken.fetch_sub(unused, Ordering::Relaxed);
        }
    }

    /// Asks a target. None if the run was cut off by the campaign's end or could not be made.
    pub(crate) fn ask(&self, target: &Target, text: &str, purpose: Purpose, limits: &Limits) -> Option<Outcome> {
        match target.solver.check(text, purpose, limits) {
            Ok(outcome) => {
                self.counters.spent(outcome.cpu);
                let cut = outcome.answers.iter().any(|check| check.answer == Answer::Cancelled);
                (!cut).then_some(outcome)
            }
            Err(error) => {
                add(&self.counters.failed_runs, 1);
                self.fail(CampaignError::Solver(format!("{} cannot be run: {error}", target.label)));
                None
            }
        }
    }

    /// Whether a hit is worth a look: `unknown` is none where nobody else could be asked. Drawn options may make a solver
    /// give up sooner or leave open what the standard fixes, so that only `unsat` and crashes count under them.
    pub(crate) fn matters(&self, hit: &Hit, target: &Target) -> bool {
        match hit.class {
            BugClass::A | BugClass::D => true,
            BugClass::B => target.options.is_empty(),
            BugClass::C => target.options.is_empty() && self.has_others(),
        }
    }

    /// Whether there is anybody but the solver under test to be asked.
    pub(crate) fn has_others(&self) -> bool {
        self.reference.is_some() || self.targets.len() > 1
    }

    /// Where the answers to scripts of a place are counted.
    pub(crate) fn cell(&self, place: &Place<'_>, store: &Store, mutator: &str) -> CellKey {
        let logic = place.seed.instances.get(place.instance).and_then(|instance| instance.logic);
        CellKey {
            solver: self.targets[place.slot.target].label.clone(),
            mutator: mutator.to_string(),
            logic: logic.map_or_else(String::new, |logic| store.name(logic).to_string()),
        }
    }

    /// A seed was sent as it is.
    pub(crate) fn seed_done(&self, seed: usize) {
        if lock(&self.seeds_done).insert(seed) {
            add(&self.counters.seeds, 1);
        }
    }

    /// A seed gives nothing, whatever the solver.
    pub(crate) fn skip_seed(&self, seed: usize, reason: &str) {
        // All of them, not only up to the first that was not given up before.
        let given_up = (0..self.targets.len()).filter(|&target| self.barren.give_up(seed, target)).count();
        if given_up > 0 {
            lock(&self.skipped).insert(seed);
            let (seed, reason) = (self.config.seeds[seed].name(), reason.to_string());
            self.watch.event(&Event::SkippedSeed { seed, solver: None, reason });
        }
    }

    /// A seed gives nothing with one solver.
    pub(crate) fn skip(&self, slot: Slot, seed: &str, reason: &str) {
        if self.barren.give_up(slot.seed, slot.target) {
            self.skipped_with(slot, seed, reason);
        }
    }

    /// A unit of a seed with one solver gave nothing.
    pub(crate) fn strike(&self, slot: Slot, seed: &str, reason: &str) {
        if !self.is_over() && self.barren.strike(slot.seed, slot.target) {
            self.skipped_with(slot, seed, reason);
        }
    }

    fn skipped_with(&self, slot: Slot, seed: &str, reason: &str) {
        lock(&self.skipped).insert(slot.seed);
        let solver = Some(self.targets[slot.target].label.clone());
        self.watch.event(&Event::SkippedSeed { seed: seed.to_string(), solver, reason: reason.to_string() });
    }

    /// Confirms a hit and records it, or counts it.
    pub(crate) fn hit(&self, key: &GroupKey, find: &Find<'_>, target: &Target) {
        // Counted apart, so that their group stays open for texts that the solver reads rightly. A crash is a crash
        // whatever the text means.
        if find.hit.class != BugClass::D && target.misread(find.sent.text).is_some() {
            return add(&self.counters.misread, 1);
        }
        if !lock(&self.book).wants(key, find.sent.text.len()) {
            return;
        }
        let others = self.reference.into_iter().chain(self.targets);
        let others: Vec<&Target> = others.filter(|other| other.label != target.label).collect();
        match confirm::confirm(find.hit, find.sent, target, &others) {
            Ok(confirmed) => {
                let key = GroupKey { flaky: !confirmed.repeats.confirmed(), ..key.clone() };
                let finding = record::finding(find, &confirmed, target, &key.mode);
                self.keep(&key, find, &finding);
            }
            Err(Dropped::NotRun(_)) => {}
            Err(reason) => {
                lock(&self.book).unconfirmed(key);
                if find.hit.class != BugClass::C {
                    self.watch.event(&Event::Unconfirmed {
                        class: oracle::letter(find.hit.class),
                        solver: target.label.clone(),
                        seed: find.place.seed.name.clone(),
                        reason: reason.to_string(),
                    });
                }
            }
        }
    }

    /// Writes a finding. A full disk is waited for; any other refusal ends the campaign.
    fn keep(&self, key: &GroupKey, find: &Find<'_>, finding: &Finding) {
        let witness = record::witness_file(find);
        let output = record::output_file(find.outcome, find.false_assertion);
        let mut files: Vec<(&str, &[u8])> =
            vec![("mutant.smt2", find.sent.text.as_bytes()), ("output.txt", output.as_bytes())];
        if !find.sent.earlier.is_empty() {
            files.push((record::EARLIER, find.sent.earlier.as_bytes()));
        }
        files.extend(witness.as_ref().map(|text| ("witness.smt2", text.as_bytes())));
        let mut told = false;
        loop {
            let recorded = lock(&self.book).record(key, finding, &files, &self.out);
            match recorded {
                Ok(Some(folder)) => {
                    return self.watch.event(&Event::Finding(Box::new(announcement(key, finding, &folder))));
                }
                Ok(None) => return,
                Err(error) if is_full(&error) && !self.stops.user.is_cancelled() => {
                    if !std::mem::replace(&mut told, true) {
                        let path = self.out.root().display();
                        let message =
                            format!("no room to write to '{path}' ({error}); make room, the campaign waits until then");
                        self.watch.event(&Event::Trouble { message });
                    }
                    self.pause();
                }
                Err(error) => {
                    let path = self.out.root().display().to_string();
                    let cause = format!("{error}; the finding {} is lost: {}", finding.id, finding.summary);
                    return self.fail(CampaignError::Write { path, cause });
                }
            }
        }
    }

    fn pause(&self) {
        let until = Instant::now() + DISK_RETRY;
        while Instant::now() < until && !self.stops.user.is_cancelled() {
            std::thread::sleep(TICK);
        }
    }

    fn standing(&self) -> Standing {
        let solver_cpu = self.counters.solver_cpu().as_secs_f64();
        let own_cpu = stats::own_cpu().saturating_sub(self.cpu_before).as_secs_f64();
        Standing {
            wall_s: self.start.elapsed().as_secs_f64(),
            cpu_s: own_cpu + solver_cpu,
            solver_cpu_s: solver_cpu,
            counts: self.counters.snapshot(),
            tally: self.tally(),
            skipped: lock(&self.skipped).len(),
        }
    }

    fn tally(&self) -> Tally {
        lock(&self.book).tally()
    }
}

fn announcement(key: &GroupKey, finding: &Finding, folder: &Path) -> FindingEvent {
    FindingEvent {
        id: finding.id.clone(),
        class: oracle::letter(key.class),
        origin: if key.from_seed { "seed" } else { "mutant" },
        solver: finding.solver.label.clone(),
        mode: finding.mode.clone(),
        options: key.options.clone(),
        seed: finding.seed.name.clone(),
        trust: record::trust_words(&finding.trust),
        summary: match finding.repeats.confirmed() {
            true => finding.summary.clone(),
            false => format!(
                "{} (flaky: {} of {} repetitions)",
                finding.summary, finding.repeats.shown, finding.repeats.runs
            ),
        },
        bytes: finding.mutant_bytes,
        folder: folder.display().to_string(),
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
