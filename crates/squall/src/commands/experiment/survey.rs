//! `squall experiment survey`: campaigns over solver variants, modes and logics, and the table of the causes that they find.

use super::campaigns::run_all;
use super::run_args::RunArgs;
use super::survey_page::SurveyReport;
use super::{parallel, prepared_bug, survey_page};
use crate::args::units;
use crate::interruption;
use ::experiment::campaigns::plan::{CampaignArm, CampaignPlan};
use ::experiment::campaigns::run;
use ::experiment::survey::arms::{SurveyArm, SurveyMode, SurveyedSolver};
use ::experiment::survey::causes;
use ::solver::install::Fleet;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Logics of embedded seeds, of several theories.
const LOGICS: [&str; 8] = ["QF_LIA", "QF_BV", "QF_FP", "QF_S", "QF_UFLIA", "QF_ABV", "LIA", "UFDT"];
/// Those of a picture in two minutes.
const QUICK_LOGICS: usize = 2;
/// What all campaigns are begun with, unless the user says otherwise.
const COMMON: &str = "--mutator storm --options default";

/// What is surveyed, and the conditions.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment survey --quick\n  \
                  squall experiment survey seeds/ --solver z3@4.8.7 --solver z3+z3str3@4.8.7 --solver cvc5@1.4.2 --logic QF_S,QF_SLIA\n  \
                  squall experiment survey --solver z3@5.4.1 --known found/ --for-cpu 600s\n\n\
                  This is research question 1 of STORM (ESEC/FSE 2020), Table 3: a campaign for each solver, mode and logic. Causes are \
                  told apart over all campaigns together. A cause is unknown if the newest installed release errs and no folder of \
                  --known has it.\n\n\
                  Exit codes: 0 done, 3 stopped before the end (what is complete is written; the same command goes on), 2 usage, \
                  1 failure.")]
pub struct SurveyArgs {
    /// Seed files and folders; without any, the seeds embedded in this program.
    #[arg(value_name = "SEEDS")]
    paths: Vec<PathBuf>,
    /// A solver variant: a release, with options. May be repeated.
    #[arg(long, short, value_name = "SOLVER", default_value = "z3@4.8.7")]
    solver: Vec<SolverSpec>,
    /// The modes [default: all; solvers without tactics have no mode tactic].
    #[arg(long, value_name = "MODE", value_delimiter = ',', value_parser = modes())]
    mode: Vec<SurveyMode>,
    /// The logics [default: QF_LIA,QF_BV,QF_FP,QF_S,QF_UFLIA,QF_ABV,LIA,UFDT, with --quick the first two].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    logic: Vec<String>,
    /// A folder with findings that are known. May be repeated.
    #[arg(long, value_name = "DIR")]
    known: Vec<PathBuf>,
    /// Options of `squall fuzz` that all campaigns have; modes are those of the mutator storm.
    #[arg(long, value_name = "OPTIONS", default_value = COMMON, allow_hyphen_values = true)]
    common: String,
    /// Campaigns of each solver, mode and logic, each with another campaign seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=50))]
    runs: u64,
    /// The CPU time of a campaign, that of the solver included [default: 60s, with --quick 6s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    /// How long reducing the findings of a campaign may take afterwards [default: 120s, with --quick 10s].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    reduce_for: Option<Duration>,
    #[command(flatten)]
    repeated: RunArgs,
    /// Folder for index.html, causes.csv, campaigns.csv, figures.md, results.json and the campaigns. A command that was stopped goes on there.
    #[arg(long, short, value_name = "DIR", default_value = "survey")]
    out: PathBuf,
}

/// The modes by their names.
fn modes() -> impl TypedValueParser<Value = SurveyMode> {
    let about = |mode: SurveyMode| match mode {
        SurveyMode::Plain => "One check",
        SurveyMode::Incremental => "Push, pop and several checks",
        SurveyMode::Tactic => "The solver's tactics",
    };
    let value = move |mode: SurveyMode| PossibleValue::new(mode.word()).help(about(mode));
    let of_word = |word: String| SurveyMode::ALL.into_iter().find(|mode| mode.word() == word).ok_or("no mode");
    PossibleValuesParser::new(SurveyMode::ALL.map(value)).try_map(of_word)
}

impl SurveyArgs {
    /// Installs the solvers where they are missing, and looks which of them have tactics.
    fn solvers(&self) -> Result<Vec<SurveyedSolver>> {
        let fleet = Fleet::of_user()?;
        let mut solvers: Vec<SurveyedSolver> = Vec::new();
        for spec in &self.solver {
            let installed = fleet.ensure(spec, &mut crate::commands::solver::say);
            let installed = installed.with_context(|| format!("cannot get {spec}"))?;
            let has_tactics = !installed.profile.tactics(installed.version.as_ref()).is_empty();
            let spec = spec.to_string();
            if solvers.iter().any(|solver| solver.spec == spec) {
                usage!("--solver {spec} is named twice");
            }
            solvers.push(SurveyedSolver { spec, has_tactics });
        }
        Ok(solvers)
    }

    fn arms(&self, solvers: &[SurveyedSolver]) -> Vec<SurveyArm> {
        let modes: Vec<SurveyMode> =
            SurveyMode::ALL.into_iter().filter(|mode| self.mode.is_empty() || self.mode.contains(mode)).collect();
        let usual = if self.repeated.quick { &LOGICS[..QUICK_LOGICS] } else { &LOGICS[..] };
        let mut logics = if self.logic.is_empty() {
            usual.iter().map(|logic| (*logic).to_string()).collect()
        } else {
            self.logic.clone()
        };
        let mut seen = std::collections::BTreeSet::new();
        logics.retain(|logic| seen.insert(logic.clone()));
        SurveyArm::all(solvers, &modes, &logics)
    }

    fn plan(&self, arms: &[SurveyArm], solvers: &[SurveyedSolver]) -> Result<CampaignPlan> {
        // The checks of an arm hold for what all have, too.
        let common: CampaignArm = format!("common={}", self.common)
            .parse()
            .map_err(|error| crate::render::say::Usage(format!("--common: {error}")))?;
        let mut words: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        words.extend(common.words);
        let (cpu, reduce) = if self.repeated.quick { (6, 10) } else { (60, 120) };
        let campaign = |arm: &SurveyArm| {
            let place = solvers.iter().position(|solver| solver.spec == arm.solver);
            arm.campaign(place.unwrap_or_default())
        };
        Ok(CampaignPlan {
            common: words,
            arms: arms.iter().map(campaign).collect(),
            seeds: self.repeated.seeds(self.runs).collect(),
            cpu: self.for_cpu.unwrap_or(Duration::from_secs(cpu)),
            reduce: self.reduce_for.unwrap_or(Duration::from_secs(reduce)),
            jobs: self.repeated.jobs(),
            out: self.out.clone(),
        })
    }
}

/// Runs the subcommand.
///
/// # Errors
/// A solver that cannot be had, a campaign that fails, or a folder that cannot be read or written.
pub fn run(args: SurveyArgs) -> Result<ExitCode> {
    prepared_bug::existing(&args.paths)?;
    prepared_bug::existing(&args.known)?;
    let solvers = args.solvers()?;
    let arms = args.arms(&solvers);
    if arms.is_empty() {
        usage!("none of the solvers has a mode that is asked for");
    }
    let plan = args.plan(&arms, &solvers)?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    std::fs::create_dir_all(&plan.out).with_context(|| format!("cannot make the folder {}", plan.out.display()))?;
    let cancel = interruption::token()?;
    let finished = run_all(&plan, "campaigns", &cancel, |one| run::run(&plan, one, &program, &cancel))?;
    let folders: Vec<(usize, PathBuf)> = finished.iter().map(|one| (one.run.arm, plan.folder(one.run))).collect();
    let unasked = causes::read(&plan.out, &folders, &args.known, &arms)?;
    parallel::in_order(&unasked.causes, plan.jobs, &cancel, |cause| {
        causes::bisect(&cause.folder, &program, &cancel).map(Some)
    })?;
    // What releases say is part of what tells causes apart.
    let results = causes::read(&plan.out, &folders, &args.known, &arms)?;
    let report = SurveyReport::new(&plan, &arms, &finished, results);
    survey_page::write(&plan.out, &report)?;
    print!("{}", survey_page::text(&report));
    println!("{}", plan.out.join("index.html").display());
    report.damaged().iter().for_each(|error| eprintln!("squall: left out: {error}"));
    Ok(parallel::ending(finished.len(), plan.runs().len(), "campaign"))
}
