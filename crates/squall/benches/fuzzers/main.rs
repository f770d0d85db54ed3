//! Other fuzzers compared with Squall: the same seeds, solver and CPU time, and one oracle for all bugs that they report.
//!
//! `cargo bench -p squall --bench fuzzers -- --solver z3@4.8.7 --second /usr/bin/cvc5 --quick` compares those that are installed, and
//! `-- --help` lists the options. Cargo starts benchmarks in the folder of their package, here `crates/squall`, and relative paths begin
//! there.

pub mod hits;
mod page;
pub mod peer;
pub mod run;
pub mod seeds;

use anyhow::{Context, Result, bail};
use clap::Parser;
use experiment::campaigns::comparison::CampaignComparison;
use experiment::campaigns::plan::{CampaignArm, CampaignPlan};
use peer::{Peer, PeerDefinition};
use run::{ComparedSolver, FuzzersPlan, peer_command};
use seeds::SharedSeeds;
use solver::install::{Fleet, InstallEvent};
use solver::parallel;
use solver::process::{CancelToken, processors};
use solver::spec::{PathSpec, SolverSpec};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Amounts of a comparison and of a `--quick` one: runs, CPU time of each, time of reductions, judged hits.
const FULL: (u64, Duration, Duration, usize) = (5, Duration::from_secs(300), Duration::from_secs(120), 100);
const QUICK: (u64, Duration, Duration, usize) = (2, Duration::from_secs(8), Duration::from_secs(5), 8);

/// Compare Squall with other fuzzers on the same seeds, solver and CPU time, judged by one oracle.
#[derive(Parser)]
#[command(
    override_usage = "cargo bench -p squall --bench fuzzers -- [OPTIONS] [SEEDS]...",
    after_help = "The known peers are typefuzz and opfuzz (which compare two solvers: --second), yinyang (semantic fusion), and storm. A peer runs as an \
                  unmodified program in its own process, with its own defaults but for time limits, sizes of seeds and folders; the CPU time of \
                  all that it starts counts. Each script that it reports as a bug, a raw hit, is judged again: by exhaustion, by a model that \
                  the evaluator checks, or by comparing the solvers and the --reference. Confirmed ones are reduced and counted like our own \
                  findings.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, 1 failure."
)]
pub struct Args {
    /// Seed files and folders [default: the embedded seeds].
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// The solver to test.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// A second solver, with which peers compare the solver to test; Squall runs it, too.
    #[arg(long, value_name = "SOLVER")]
    second: Option<SolverSpec>,
    /// A solver that decides where our evaluator cannot, for Squall and for the hits of peers.
    #[arg(long, value_name = "SOLVER")]
    reference: Option<SolverSpec>,
    /// A peer: its name, or NAME=PATH of its program or repository. May be repeated [default: all known peers].
    #[arg(long = "peer", value_name = "NAME[=PATH]")]
    peers: Vec<String>,
    /// A file with more peers, in the format of crates/squall/benches/fuzzers/peers.toml.
    #[arg(long, value_name = "FILE")]
    peers_file: Option<PathBuf>,
    /// A way of fuzzing by Squall: a name and options of `squall fuzz`. May be repeated [default: squall='--options default'].
    #[arg(long = "arm", value_name = "NAME=OPTIONS")]
    arms: Vec<CampaignArm>,
    /// Runs of each fuzzer, each with its own campaign seed [default: 5, with --quick 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time of a run, including solvers: 90s, 10m [default: 300s, with --quick 8s].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub for_cpu: Option<Duration>,
    /// The time for reducing a run's findings afterwards [default: 120s, with --quick 5s].
    #[arg(long, value_name = "TIME", value_parser = time)]
    reduce_for: Option<Duration>,
    /// Time limit of a solver for one script; peers use whole seconds.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = time)]
    timeout: Duration,
    /// The maximum number of a peer's scripts that are judged per run [default: 100, with --quick 8].
    #[arg(long, value_name = "N")]
    hits: Option<usize>,
    /// The campaign seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Smaller amounts: first results within two minutes on two processors.
    #[arg(long)]
    quick: bool,
    /// Parallel runs [default: one per processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder for figures.md, fuzzers.csv, causes.csv, results.json, the seeds and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = concat!(env!("CARGO_TARGET_TMPDIR"), "/fuzzers"))]
    out: PathBuf,
    /// Cargo adds it to the arguments of every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A peer that cannot run here, and why.
pub type MissingPeer = (String, String);

fn main() -> ExitCode {
    let args = Args::parse();
    let cancel = CancelToken::new();
    let stop = cancel.clone();
    let watched = ctrlc::set_handler(move || stop.cancel()).context("cannot watch for interruptions");
    match watched.and_then(|()| args.run(Path::new(env!("CARGO_BIN_EXE_squall")), &cancel)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Args {
    /// Compares the fuzzers, with `program` as `squall`. Returns false if cancelled before the end.
    /// Errors: a fuzzer cannot be run, or a folder cannot be written.
    pub fn run(self, program: &Path, cancel: &CancelToken) -> Result<bool> {
        let Some(solver) = self.solver.clone() else {
            // Without arguments, `cargo bench` runs all benchmarks.
            println!("skipped: --solver names the solver to test");
            return Ok(true);
        };
        let (plan, missing) = self.plan(&solver)?;
        missing.iter().for_each(|(name, reason)| eprintln!("{name} is left out: {reason}"));
        let runs = plan.campaigns.runs();
        let outcomes = parallel::in_order(&runs, plan.campaigns.jobs, |&one| {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            // The first failure ends the other runs.
            let done = run::run(&plan, one, program, cancel).inspect_err(|_| cancel.cancel())?;
            if let Some(done) = &done {
                let (name, record) = (&plan.campaigns.arms[one.arm].name, &done.run.record);
                let (seed, mutants, cpu) = (one.seed, record.mutants, record.cpu_s);
                eprintln!("{name}, seed {seed}: {mutants} mutants in {cpu:.0}s of CPU time");
            }
            Ok(done)
        });
        let finished = outcomes.into_iter().filter_map(Result::transpose).collect::<Result<Vec<_>>>()?;
        let of_campaigns: Vec<_> = finished.iter().map(|one| one.run.clone()).collect();
        let results = CampaignComparison::read(&plan.campaigns, &of_campaigns)?;
        page::publish(&plan, &finished, &results, &missing)?;
        results.damaged.iter().for_each(|error| eprintln!("left out: {error}"));
        Ok(finished.len() == runs.len())
    }

    fn plan(self, solver: &SolverSpec) -> Result<(FuzzersPlan, Vec<MissingPeer>)> {
        let fleet = Fleet::of_user()?;
        let tested = compared(&fleet, solver)?;
        let second = self.second.as_ref().map(|second| compared(&fleet, second)).transpose()?;
        let reference = self.reference.as_ref().map(|spec| compared(&fleet, spec)).transpose()?.map(|one| one.spec);
        let (peers, missing) = self.found_peers(second.is_some())?;
        let mut arms = self.arms;
        if arms.is_empty() {
            // Results must not depend on random options of the solver.
            arms.push("squall=--options default".parse()?);
        }
        let ours = arms.len();
        arms.extend(peers.iter().map(|peer| CampaignArm { name: peer.definition.name.clone(), words: Vec::new() }));
        let mut names = BTreeSet::new();
        if let Some(twice) = arms.iter().find(|arm| !names.insert(arm.name.clone())) {
            bail!("two fuzzers are called '{}'", twice.name);
        }
        if let Some(missing) = self.paths.iter().find(|path| !path.exists()) {
            bail!("there is no '{}'", missing.display());
        }
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make the folder {}", self.out.display()))?;
        // Peers run in their own folders.
        let out = self.out.canonicalize().with_context(|| format!("cannot find {}", self.out.display()))?;
        if out.display().to_string().contains([' ', ';']) {
            bail!(
                "peers split command lines at spaces and semicolons, and '{}' has one: name another --out",
                out.display()
            );
        }
        let seeds = SharedSeeds::copy(&self.paths, &out.join("seeds"))?;
        let mut common = vec![seeds.folder.display().to_string(), "--solver".to_string(), tested.spec.clone()];
        if let Some(asked) = reference.clone().or_else(|| second.as_ref().map(|second| second.spec.clone())) {
            common.extend(["--reference".to_string(), asked]);
        }
        common.extend(["--timeout".to_string(), format!("{}ms", self.timeout.as_millis())]);
        let (runs, cpu, reduce, hits) = if self.quick { QUICK } else { FULL };
        let campaigns = CampaignPlan {
            common,
            arms,
            seeds: (0..self.runs.unwrap_or(runs)).map(|n| self.seed.wrapping_add(n)).collect(),
            cpu: self.for_cpu.unwrap_or(cpu),
            reduce: self.reduce_for.unwrap_or(reduce),
            jobs: self.jobs.map_or_else(processors, NonZeroUsize::get),
            out,
        };
        let peers = (0..ours).map(|_| None).chain(peers.into_iter().map(Some)).collect();
        let hits = self.hits.unwrap_or(hits);
        let plan = FuzzersPlan { campaigns, peers, tested, second, reference, timeout: self.timeout, hits, seeds };
        Ok((plan, missing))
    }

    /// Returns the peers to compare, and those of them that cannot run here.
    fn found_peers(&self, has_second: bool) -> Result<(Vec<Peer>, Vec<MissingPeer>)> {
        let known = PeerDefinition::list(self.peers_file.as_deref())?;
        let names = || known.iter().map(|peer| peer.name.as_str()).collect::<Vec<_>>().join(", ");
        let mut asked: Vec<(&str, Option<&Path>)> = Vec::new();
        for peer in &self.peers {
            let (name, path) =
                peer.split_once('=').map_or((peer.as_str(), None), |(name, path)| (name, Some(Path::new(path))));
            asked.push((name, path));
        }
        if asked.is_empty() {
            asked.extend(known.iter().map(|peer| (peer.name.as_str(), None)));
        }
        let (mut peers, mut missing) = (Vec::new(), Vec::new());
        for (name, path) in asked {
            let Some(definition) = known.iter().find(|peer| peer.name == name) else {
                bail!("'{name}' is not a known peer; there are: {}", names());
            };
            match definition.find(path) {
                Ok(_) if definition.needs_second && !has_second => {
                    missing.push((name.to_string(), "it compares two solvers: name one by --second".to_string()));
                }
                Ok(peer) => peers.push(peer),
                // A given path must be right.
                Err(error) if path.is_some() => bail!("--peer {name}: {error}"),
                Err(error) => missing.push((name.to_string(), error.to_string())),
            }
        }
        Ok((peers, missing))
    }
}

/// Returns a solver as Squall and as peers name it. A path is made absolute.
fn compared(fleet: &Fleet, spec: &SolverSpec) -> Result<ComparedSolver> {
    let spec = match spec {
        SolverSpec::Path(path) => {
            let program = std::path::absolute(&path.path).with_context(|| format!("cannot find {}", path.path))?;
            SolverSpec::Path(PathSpec { path: program.display().to_string(), ..path.clone() })
        }
        other => other.clone(),
    };
    let installed = fleet.ensure(&spec, &mut |event: &InstallEvent<'_>| eprintln!("{event:?}"))?;
    let program = installed.command.iter().map(|word| word.display().to_string());
    let command = peer_command(program.chain(spec.options().iter().cloned())).with_context(|| spec.to_string())?;
    Ok(ComparedSolver { spec: spec.to_string(), command, kind: installed.profile.name.clone() })
}

/// Reads a time: 500ms, 90s, 10m or 2h; a number alone is seconds.
fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000)];
    let of = |(unit, factor): (&str, u64)| text.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(factor);
    let milliseconds = units.into_iter().find_map(of).filter(|&time| time > 0);
    milliseconds.map(Duration::from_millis).ok_or_else(|| "write a time as 500ms, 90s, 10m or 2h".to_string())
}
