//! Runs a peer: it fuzzes for its CPU time, then its mutants are counted, and its hits judged and reduced like ours.

use super::hits::{ConfirmedHits, HitOracle, HitVerdict, sample};
use super::peer::{Peer, Placeholders, filled};
use super::seeds::SharedSeeds;
use anyhow::{Context, Result, bail, ensure};
use experiment::campaigns::comparison::FinishedRun;
use experiment::campaigns::plan::{CampaignPlan, PlannedRun};
use experiment::campaigns::run::{self, RunRecord};
use experiment::process_group::{self, GroupEnd, GroupLimits};
use serde::{Deserialize, Serialize};
use smtlib::Store;
use solver::process::CancelToken;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file that marks a peer's run as complete.
const RECORD: &str = "peer.json";
/// The CPU time below which a start is a failure.
const LEAST: Duration = Duration::from_millis(200);
/// Consecutive failures that end the run. Peers take seeds in random order, and some exit on a seed that they cannot read.
const FAILURES: u32 = 20;

/// A comparison of fuzzers.
#[derive(Clone, Debug)]
pub struct FuzzersPlan {
    /// Arms, campaign seeds, times and folders.
    pub campaigns: CampaignPlan,
    /// The peer of each arm; `None` for a Squall arm.
    pub peers: Vec<Option<Peer>>,
    /// The solver under test.
    pub tested: ComparedSolver,
    /// The solver that peers compare with `tested`.
    pub second: Option<ComparedSolver>,
    /// A solver that decides where our evaluator cannot: `squall fuzz --reference`.
    pub reference: Option<String>,
    /// The time limit of a solver for one script.
    pub timeout: Duration,
    /// The maximum number of hits to judge per run.
    pub hits: usize,
    /// The seeds of all fuzzers.
    pub seeds: SharedSeeds,
}

/// A solver, as Squall and as peers name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedSolver {
    /// Its specification.
    pub spec: String,
    /// Its command line, separated by spaces; no argument has a space or semicolon.
    pub command: String,
    /// The name of its profile.
    pub kind: String,
}

/// The counts of a folder of mutants.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MutantCount {
    /// All mutants.
    pub mutants: u64,
    /// Mutants that our reader rejects.
    pub ill_formed: u64,
    /// The first rejected mutant by name, and its first error.
    pub sample: Option<(PathBuf, String)>,
}

/// What a peer kept, and how our oracle judged it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct PeerRecord {
    /// Scripts that it reported as bugs.
    pub raw_hits: usize,
    /// Scripts that our oracle judged.
    pub judged: usize,
    /// Judged scripts with a wrong answer or crash of the solver under test.
    pub confirmed: usize,
    /// Judged scripts with a wrong answer or crash of the second solver only.
    pub of_second: usize,
    /// Mutants that our reader rejects; `None` if the peer keeps no mutants.
    pub ill_formed: Option<u64>,
    /// The mistake in the first rejected mutant, which is kept next to the record as `ill-formed.smt2`.
    pub ill_formed_sample: Option<String>,
    /// The number of times the peer was started.
    pub starts: u64,
    /// Why the peer ended before its CPU time was used.
    pub gave_up: Option<String>,
}

/// A completed run of Squall or of a peer.
pub struct FinishedFuzzer {
    /// The run, as a campaign.
    pub run: FinishedRun,
    /// What a peer kept.
    pub peer: Option<PeerRecord>,
}

/// Runs one arm with one campaign seed, or returns the records of an earlier run. `None` if cancelled.
/// Errors: a program cannot be started or fails, the folder holds a run made under other conditions, or a file cannot be written.
pub fn run(
    plan: &FuzzersPlan,
    one: PlannedRun,
    program: &Path,
    cancel: &CancelToken,
) -> Result<Option<FinishedFuzzer>> {
    let finished = |record, peer| FinishedFuzzer { run: FinishedRun { run: one, record }, peer };
    let Some(peer) = &plan.peers[one.arm] else {
        return Ok(run::run(&plan.campaigns, one, program, cancel)?.map(|record| finished(record, None)));
    };
    let folder = plan.campaigns.folder(one);
    let values = plan.placeholders(peer, one, &folder);
    let command: Vec<String> = peer.definition.command.iter().map(|word| filled(word, &values)).collect();
    let mut words = command.clone();
    words.extend([format!("{:?}", plan.campaigns.cpu), plan.hits.to_string()]);
    words.extend(plan.reference.clone());
    let reduce_s = plan.campaigns.reduce.as_secs();
    if let Some((record, peer)) = kept(&folder)? {
        let is_same = record.words == words && record.reduce_s == reduce_s;
        ensure!(
            is_same,
            "{} was made under other conditions; name another folder by --out, or remove it",
            folder.display()
        );
        return Ok(Some(finished(record, Some(peer))));
    }
    prepare(peer, &folder, &values)?;
    let Some((mut result, used, is_cut)) = fuzz(plan, &command, &folder, peer, cancel)? else { return Ok(None) };
    let mut mutants = 0;
    if let Some(kept) = &peer.definition.mutants {
        let left = folder.join(kept);
        let count = MutantCount::of(&left, is_cut)?;
        mutants = count.mutants;
        result.ill_formed = Some(count.ill_formed);
        if let Some((path, mistake)) = count.sample {
            let kept = folder.join("ill-formed.smt2");
            std::fs::copy(&path, &kept).with_context(|| format!("cannot write {}", kept.display()))?;
            result.ill_formed_sample = Some(mistake);
        }
        if left.is_dir() {
            // Tens of thousands of files that are no longer needed.
            std::fs::remove_dir_all(&left).with_context(|| format!("cannot remove {}", left.display()))?;
        }
    }
    if !judged(plan, peer, &folder, program, &mut result, cancel)? {
        return Ok(None);
    }
    if result.confirmed > 0 && !run::reduced(&plan.campaigns, &folder, program, cancel)? {
        return Ok(None);
    }
    let record = RunRecord { words, reduce_s, mutants, units: result.starts, cpu_s: used.as_secs_f64(), timeouts: 0 };
    let path = folder.join(RECORD);
    files::atomic::write(&path, serde_json::to_string_pretty(&(&record, &result))?.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(finished(record, Some(result))))
}

/// Returns the records of a complete run. Removes an incomplete one: it has used an unknown amount of CPU time.
fn kept(folder: &Path) -> Result<Option<(RunRecord, PeerRecord)>> {
    let path = folder.join(RECORD);
    if let Ok(text) = std::fs::read_to_string(&path) {
        let records = serde_json::from_str(&text);
        return records.with_context(|| format!("{} cannot be read; remove its folder", path.display())).map(Some);
    }
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(None)
}

impl FuzzersPlan {
    fn placeholders(&self, peer: &Peer, one: PlannedRun, folder: &Path) -> Placeholders {
        let second = self.second.as_ref().map_or(String::new(), |second| second.command.clone());
        Placeholders::from([
            ("program", peer.program.display().to_string()),
            ("seeds", self.seeds.of(peer.definition.seeds).display().to_string()),
            ("solver", self.tested.command.clone()),
            ("kind", self.tested.kind.clone()),
            ("second", second),
            ("run", folder.display().to_string()),
            ("home", folder.join("home").display().to_string()),
            ("seed", one.seed.to_string()),
            ("timeout", self.timeout.as_secs().max(1).to_string()),
        ])
    }
}

/// Makes the folder of a run, with a copy of the repository and the files that the peer needs.
fn prepare(peer: &Peer, folder: &Path, values: &Placeholders) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    if let Some(repository) = &peer.repository {
        copy(repository, &folder.join("home"))?;
    }
    for (path, text) in &peer.definition.files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        files::atomic::write(&path, filled(text, values).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Copies a folder, following links to files only.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut folders = vec![(from.to_path_buf(), to.to_path_buf())];
    while let Some((from, to)) = folders.pop() {
        std::fs::create_dir_all(&to).with_context(|| format!("cannot make the folder {}", to.display()))?;
        for entry in std::fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))?.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name != ".git" => folders.push((path, to.join(name))),
                _ if path.is_file() => {
                    std::fs::copy(&path, to.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Reruns the peer until its CPU time is up. Returns its record, the CPU time, and whether it was killed; `None` if cancelled.
fn fuzz(
    plan: &FuzzersPlan,
    command: &[String],
    folder: &Path,
    peer: &Peer,
    cancel: &CancelToken,
) -> Result<Option<(PeerRecord, Duration, bool)>> {
    let mut record = PeerRecord::default();
    let (mut used, mut failures) = (Duration::ZERO, 0);
    let home = if peer.repository.is_some() { folder.join("home") } else { folder.to_path_buf() };
    let log = folder.join("output.txt");
    loop {
        let cpu = plan.campaigns.cpu.saturating_sub(used);
        // A peer that only waits must end, too.
        let wall = cpu.saturating_mul(20).saturating_add(Duration::from_secs(60));
        let limits = GroupLimits { cpu, wall, grace: Duration::ZERO };
        let (end, took) = process_group::run(command, &home, &log, limits, cancel)?;
        record.starts += 1;
        used += took;
        match end {
            GroupEnd::Cancelled => return Ok(None),
            GroupEnd::Limit => return Ok(Some((record, used, true))),
            GroupEnd::Ended if used >= plan.campaigns.cpu => return Ok(Some((record, used, false))),
            GroupEnd::Ended => failures = if took < LEAST { failures + 1 } else { 0 },
        }
        if failures >= FAILURES {
            let said = std::fs::read(&log).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
            record.gave_up = Some(format!("it exited at once {FAILURES} times: {}", last.trim()));
            return Ok(Some((record, used, false)));
        }
    }
}

/// Judges the peer's hits by our oracle. Returns false if cancelled.
fn judged(
    plan: &FuzzersPlan,
    peer: &Peer,
    folder: &Path,
    program: &Path,
    record: &mut PeerRecord,
    cancel: &CancelToken,
) -> Result<bool> {
    let (hits, count) = sample(&folder.join(&peer.definition.hits), &peer.definition.hit_prefix, plan.hits);
    (record.raw_hits, record.judged) = (count, hits.len());
    let oracle = HitOracle {
        program,
        tested: &plan.tested.spec,
        second: plan.second.as_ref().map(|second| second.spec.as_str()),
        reference: plan.reference.as_deref(),
        timeout: plan.timeout,
        cancel,
    };
    let mut confirmed = ConfirmedHits::default();
    for (number, hit) in hits.iter().enumerate() {
        match oracle.judge(hit, &folder.join("judged").join(format!("{number:05}")), &mut confirmed)? {
            None => return Ok(false),
            Some(HitVerdict::OfTested) => record.confirmed += 1,
            Some(HitVerdict::OfSecond) => record.of_second += 1,
            Some(HitVerdict::FalseAlarm) => {}
        }
    }
    confirmed.keep(folder)?;
    Ok(true)
}

/// Returns the command line of a solver for peers, which split it at spaces and semicolons.
/// Errors: there is no program, or peers would split an argument.
pub fn peer_command(words: impl IntoIterator<Item = String>) -> Result<String> {
    let words: Vec<String> = words.into_iter().collect();
    if words.is_empty() {
        bail!("peers need a program, and a built-in solver is not one");
    }
    match words.iter().find(|word| word.contains([' ', ';'])) {
        Some(word) => bail!("peers split command lines at spaces and semicolons, and '{word}' has one"),
        None => Ok(words.join(" ")),
    }
}

impl MutantCount {
    /// Reads every mutant in a folder. If the peer was killed (`is_cut`), the last mutant may be incomplete, and is removed.
    /// Errors: a file cannot be removed.
    pub fn of(folder: &Path, is_cut: bool) -> Result<MutantCount> {
        let mut scripts = files::scripts_below(folder).scripts;
        let written =
            |path: &PathBuf| path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if is_cut && let Some(last) = (0..scripts.len()).max_by_key(|n| written(&scripts[*n])) {
            let last = scripts.remove(last);
            std::fs::remove_file(&last).with_context(|| format!("cannot remove {}", last.display()))?;
        }
        let mut count = MutantCount { mutants: scripts.len() as u64, ..MutantCount::default() };
        for path in scripts {
            if let Err(mistake) = readable(&path) {
                count.ill_formed += 1;
                count.sample.get_or_insert((path, mistake));
            }
        }
        Ok(count)
    }
}

/// Reads a script.
/// Errors: the first mistake in it.
pub fn readable(path: &Path) -> Result<String, String> {
    let bytes = files::named(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_string())?;
    match smtlib::parse(&mut Store::new(), &text).errors.first() {
        Some(error) => Err(error.to_string()),
        None => Ok(text),
    }
}
