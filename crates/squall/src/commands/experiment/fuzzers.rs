//! `squall experiment fuzzers`: compares Squall with other fuzzers on the same seeds, solver and CPU time, judged by one oracle.

use super::campaigns::run_all;
use super::fuzzers_page;
use super::runs::{self, RunArgs};
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use ::experiment::campaigns::comparison::CampaignComparison;
use ::experiment::campaigns::plan::{BY_ITSELF, CampaignArm, CampaignPlan};
use ::experiment::fuzzers::peer::{Peer, PeerDefinition};
use ::experiment::fuzzers::run::{self, ComparedSolver, FuzzersPlan, peer_command};
use ::experiment::fuzzers::seeds::SharedSeeds;
use ::solver::install::Fleet;
use ::solver::spec::{PathSpec, SolverSpec};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Amounts of `--quick`, for two minutes on two processors: runs, CPU time of each, time of reductions, judged hits.
const QUICK: (u64, Duration, Duration, usize) = (2, Duration::from_secs(8), Duration::from_secs(5), 8);

/// The compared fuzzers and the conditions.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment fuzzers --solver z3@4.8.7 --second /usr/bin/cvc5 --quick\n  \
                  squall experiment fuzzers seeds/ --solver z3@4.8.7 --second '/usr/bin/cvc5 -q -i' --peer typefuzz --peer opfuzz\n  \
                  squall experiment fuzzers seeds/ --solver z3@4.8.7 --peer yinyang=venv/bin/yinyang --peer storm=../storm --runs 5\n\n\
                  A peer runs as an unmodified program in its own process, and the CPU time of all that it starts counts. Our oracle \
                  judges the scripts that it reports as bugs. Confirmed ones are reduced and counted like our own findings.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, \
                  1 failure.")]
pub struct FuzzersArgs {
    /// Seed files and folders [default: the embedded seeds].
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// The solver to test.
    #[arg(long, short, value_name = "SOLVER")]
    solver: SolverSpec,
    /// A second solver, with which peers compare the solver to test; Squall runs it, too.
    #[arg(long, value_name = "SOLVER")]
    second: Option<SolverSpec>,
    /// A solver that decides where our evaluator cannot, for Squall and for the hits of peers.
    #[arg(long, value_name = "SOLVER")]
    reference: Option<SolverSpec>,
    /// A peer: its name, or NAME=PATH of its program or repository. May be repeated [default: all known peers].
    #[arg(long = "peer", value_name = "NAME[=PATH]")]
    peers: Vec<String>,
    /// A TOML file with more peers.
    #[arg(long, value_name = "FILE")]
    peers_file: Option<PathBuf>,
    /// A way of fuzzing by Squall: a name and options of `squall fuzz`. May be repeated [default: squall='--options default'].
    #[arg(long = "arm", value_name = "NAME=OPTIONS")]
    arms: Vec<CampaignArm>,
    /// Runs of each fuzzer, each with its own campaign seed [default: 5, with --quick 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time of a run, including solvers [default: 300s, with --quick 8s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    /// The time for reducing a run's findings afterwards [default: 120s, with --quick 5s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    reduce_for: Option<Duration>,
    /// Time limit of a solver for one script; peers use whole seconds.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = units::time)]
    timeout: Duration,
    /// The maximum number of a peer's scripts that are judged per run [default: 100, with --quick 8].
    #[arg(long, value_name = "N")]
    hits: Option<usize>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Folder for index.html, fuzzers.csv, causes.csv, figures.md, results.json, the seeds and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "fuzzers")]
    out: PathBuf,
}

/// A peer that cannot run here, and why.
pub type MissingPeer = (String, String);

impl FuzzersArgs {
    fn plan(self) -> Result<(FuzzersPlan, Vec<MissingPeer>)> {
        let fleet = Fleet::of_user()?;
        let tested = compared(&fleet, &self.solver)?;
        let second = self.second.as_ref().map(|second| compared(&fleet, second)).transpose()?;
        let reference =
            self.reference.as_ref().map(|spec| Ok::<_, anyhow::Error>(compared(&fleet, spec)?.spec)).transpose()?;
        let (peers, missing) = self.found_peers(second.is_some())?;
        let mut arms = self.arms;
        if arms.is_empty() {
            arms.push(CampaignArm { name: "squall".to_string(), words: BY_ITSELF.map(String::from).to_vec() });
        }
        let ours = arms.len();
        arms.extend(peers.iter().map(|peer| CampaignArm { name: peer.definition.name.clone(), words: Vec::new() }));
        let mut names = BTreeSet::new();
        if let Some(twice) = arms.iter().find(|arm| !names.insert(arm.name.clone())) {
            usage!("two fuzzers are called '{}'", twice.name);
        }
        if let Some(missing) = self.paths.iter().find(|path| !path.exists()) {
            usage!("there is no '{}'", missing.display());
        }
        let (runs, cpu, reduce, hits) =
            if self.repeated.quick { QUICK } else { (5, Duration::from_secs(300), Duration::from_secs(120), 100) };
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make the folder {}", self.out.display()))?;
        // Peers run in their own folders.
        let out = self.out.canonicalize().with_context(|| format!("cannot find {}", self.out.display()))?;
        if out.display().to_string().contains([' ', ';']) {
            usage!(
                "peers split command lines at spaces and semicolons, and '{}' has one; name another --out",
                out.display()
            );
        }
        let seeds = SharedSeeds::copy(&self.paths, &out.join("seeds"))?;
        let mut common = vec![seeds.folder.display().to_string(), "--solver".to_string(), tested.spec.clone()];
        if let Some(asked) = reference.clone().or_else(|| second.as_ref().map(|second| second.spec.clone())) {
            common.extend(["--reference".to_string(), asked]);
        }
        common.extend(["--timeout".to_string(), format!("{}ms", self.timeout.as_millis())]);
        let runs = self.runs.unwrap_or(runs);
        let campaigns = CampaignPlan {
            common,
            arms,
            seeds: self.repeated.seeds(runs).collect(),
            cpu: self.for_cpu.unwrap_or(cpu),
            reduce: self.reduce_for.unwrap_or(reduce),
            jobs: self.repeated.jobs(),
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
                usage!("'{name}' is not a known peer; there are: {}", names());
            };
            match definition.find(path) {
                Ok(_) if definition.needs_second && !has_second => {
                    missing.push((name.to_string(), "it compares two solvers: name one by --second".to_string()));
                }
                Ok(peer) => peers.push(peer),
                // A given path must be right.
                Err(error) if path.is_some() => usage!("--peer {name}: {error}"),
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
    let installed = fleet.ensure(&spec, &mut crate::commands::solver::say)?;
    let program = installed.command.iter().map(|word| word.display().to_string());
    let command = match peer_command(program.chain(spec.options().iter().cloned())) {
        Ok(command) => command,
        Err(error) => usage!("{spec}: {error}"),
    };
    Ok(ComparedSolver { spec: spec.to_string(), command, kind: installed.profile.name.clone() })
}

/// Runs the subcommand.
/// Errors: a fuzzer cannot be run, or a folder cannot be written.
pub fn run(args: FuzzersArgs) -> Result<Exit> {
    let (plan, missing) = args.plan()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let cancel = interruption::token()?;
    missing.iter().for_each(|(name, reason)| eprintln!("squall: {name} is left out: {reason}"));
    let finished = run_all(&plan.campaigns, "runs", &cancel, |one| run::run(&plan, one, &program, &cancel))?;
    let results = CampaignComparison::read(&plan.campaigns, &finished)?;
    fuzzers_page::publish(&plan, &finished, &results, &missing)?;
    results.damaged.iter().for_each(|error| eprintln!("squall: left out: {error}"));
    Ok(runs::ending(finished.len(), plan.campaigns.runs().len(), "run"))
}
