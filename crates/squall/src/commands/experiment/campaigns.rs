//! `squall experiment campaigns`: compares ways of fuzzing by the causes found in repeated campaigns of equal CPU time.

use super::page;
use super::runs::{self, RunArgs};
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use ::experiment::campaigns::comparison::{CampaignComparison, FinishedRun};
use ::experiment::campaigns::plan::{self, CampaignArm, CampaignPlan, VariedOption};
use ::experiment::campaigns::run;
use ::solver::process::CancelToken;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arms of a comparison and its conditions.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment campaigns --solver z3@4.8.7 --quick\n  \
                  squall experiment campaigns --solver z3@4.8.7 --arm operator='--mutator operator' --arm finite='--mutator finite'\n  \
                  squall experiment campaigns seeds/ --solver z3@4.8.7 --runs 5 --for-cpu 300s --arm yield='--schedule yield' --arm uniform='--schedule uniform'\n  \
                  squall experiment campaigns --solver z3@4.8.7 --common '--mutator storm --until-found A' --vary max-asserts=4,16,64 --vary max-depth=4,16,64\n  \
                  squall experiment campaigns --vary solver=z3@4.8.7,cvc5@1.4.2 --vary logic=QF_LIA,QF_S --runs 1\n\n\
                  Each arm runs once with each campaign seed, for the same CPU time and with one worker. Then its findings are reduced. \
                  A cause counts once per run. An arm is compared with the first one by the probability that a run of it finds more \
                  (A12 of Vargha and Delaney; equal numbers count half) and by the two-sided Mann-Whitney U test.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, \
                  1 failure.")]
pub struct CampaignsArgs {
    /// Seed files and folders [default: the embedded seeds].
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// A solver to test. May be repeated.
    #[arg(long, short, value_name = "SOLVER", required_unless_present = "vary")]
    solver: Vec<String>,
    /// A way of fuzzing: a name and options of `squall fuzz`. May be repeated; the others are compared with the first
    /// [default: yield='--schedule yield' uniform='--schedule uniform'].
    #[arg(long = "arm", value_name = "NAME=OPTIONS")]
    arms: Vec<CampaignArm>,
    /// An option of `squall fuzz` whose values make arms: each arm, or one without options, runs with each value. May be repeated for
    /// all combinations.
    #[arg(long, value_name = "OPTION=VALUE,…")]
    vary: Vec<VariedOption>,
    /// Options of `squall fuzz` for all arms.
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    common: String,
    /// Campaigns of each arm, each with its own campaign seed [default: 10, with --quick 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: Option<u64>,
    /// The CPU time of a campaign, including its solvers [default: 60s, with --quick 12s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    /// The time for reducing a campaign's findings afterwards [default: 60s, with --quick 12s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    reduce_for: Option<Duration>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Folder for index.html, runs.csv, causes.csv, figures.md, results.json and the campaigns. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "experiment")]
    out: PathBuf,
}

/// Runs, CPU time, and time of reductions.
type CampaignSize = (u64, Duration, Duration);

const FULL: CampaignSize = (10, Duration::from_secs(60), Duration::from_secs(60));
const QUICK: CampaignSize = (3, Duration::from_secs(12), Duration::from_secs(12));
/// The default arms, which measure the benefit of the schedule.
const ARMS: [&str; 2] = ["yield=--schedule yield", "uniform=--schedule uniform"];

impl CampaignsArgs {
    fn plan(mut self) -> Result<CampaignPlan> {
        if self.arms.is_empty() && self.vary.is_empty() {
            self.arms = ARMS.iter().map(|arm| arm.parse()).collect::<Result<_, _>>()?;
        }
        self.arms = plan::varied(self.arms, &self.vary);
        let (runs, cpu, reduce) = if self.repeated.quick { QUICK } else { FULL };
        let mut names = BTreeSet::new();
        if let Some(twice) = self.arms.iter().find(|arm| !names.insert(arm.name.clone())) {
            usage!("two arms are called '{}'", twice.name);
        }
        if let Some(missing) = self.paths.iter().find(|path| !path.exists()) {
            usage!("there is no '{}'", missing.display());
        }
        // Options for all arms are checked like those of an arm.
        let common: CampaignArm = format!("common={}", self.common)
            .parse()
            .map_err(|error| crate::render::say::Usage(format!("--common: {error}")))?;
        let mut words: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        words.extend(self.solver.iter().flat_map(|solver| ["--solver".to_string(), solver.clone()]));
        words.extend(common.words);
        Ok(CampaignPlan {
            common: words,
            arms: self.arms,
            seeds: self.repeated.seeds(self.runs.unwrap_or(runs)).collect(),
            cpu: self.for_cpu.unwrap_or(cpu),
            reduce: self.reduce_for.unwrap_or(reduce),
            jobs: self.repeated.jobs(),
            out: self.out,
        })
    }
}

/// Runs the subcommand.
/// Errors: a campaign fails, or a folder cannot be written.
pub fn run(args: CampaignsArgs) -> Result<Exit> {
    let plan = args.plan()?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    std::fs::create_dir_all(&plan.out).with_context(|| format!("cannot make the folder {}", plan.out.display()))?;
    let cancel = interruption::token()?;
    let finished = run_all(&plan, &program, &cancel)?;
    let results = CampaignComparison::read(&plan, &finished)?;
    page::publish(&plan, &results)?;
    results.damaged.iter().for_each(|error| eprintln!("squall: left out: {error}"));
    Ok(runs::ending(finished.len(), plan.runs().len(), "campaign"))
}

/// Does all runs of a plan in parallel. The first failure cancels the others.
fn run_all(plan: &CampaignPlan, program: &Path, cancel: &CancelToken) -> Result<Vec<FinishedRun>> {
    let runs = plan.runs();
    let line = ProgressLine::steps("campaigns", runs.len() as u64);
    runs::in_order(&runs, plan.jobs, cancel, |&one| {
        let name = format!("{}, seed {}", plan.arms[one.arm].name, one.seed);
        line.begins(&name);
        let outcome = run::run(plan, one, program, cancel)?;
        if let Some(record) = &outcome {
            eprintln!("{name}: {} mutants in {} of CPU time", record.mutants, units::time_text(record.cpu_s));
            line.advance(1);
        }
        Ok(outcome.map(|record| FinishedRun { run: one, record }))
    })
}
