//! `squall status`: the progress of a campaign, running or finished.

use crate::args::format::OutputFormat;
use crate::args::units::{size_text, time_text};
use crate::exit::Exit;
use crate::render::causes;
use crate::render::say::counted;
use ::finding::{BugClass, CauseCount, SolverLabel};
use ::fuzz::findings;
use ::fuzz::persist::checkpoint::STORE;
use ::fuzz::persist::history::RunHistory;
use ::fuzz::persist::store::summary::{StoreSummary, summary};
use ::fuzz::state::event::RemoteWorker;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use triage::folder::CampaignFindings;
use triage::hit_groups::HitGroups;

/// The maximum number of listed groups.
const GROUPS_SHOWN: usize = 10;

/// Show the progress of a campaign, running or finished.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall status squall-out\n  squall status nights/*\n  squall status squall-out --format json | jq .findings\n\n\
    This only reads; a running campaign is not disturbed.\n\n\
    Exit codes: 0 shown, whatever was found, 2 usage, 1 failure (a folder without a campaign, a damaged store)."
)]
pub struct Args {
    /// The folders of campaigns.
    #[arg(required = true, value_name = "OUT")]
    out: Vec<PathBuf>,
    /// The output: text, or one JSON object per folder.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// The status of a campaign.
struct StatusReport {
    out: PathBuf,
    /// The size of the folder, in bytes.
    bytes: u64,
    running: bool,
    seed: Option<u64>,
    /// Whether seeds are used; otherwise all problems are generated.
    has_seeds: bool,
    summary: StoreSummary,
    causes: HitGroups,
    found: CampaignFindings,
    count: CauseCount,
    /// Workers on other machines.
    workers: Vec<RemoteWorker>,
    /// The number of findings that cannot be read.
    damaged: usize,
}

/// Runs the subcommand.
/// Errors: a folder without a campaign, or whose store cannot be read.
pub fn run(args: Args) -> Result<Exit> {
    let mut failed = 0;
    for (number, out) in args.out.iter().enumerate() {
        if number > 0 && args.format == OutputFormat::Text {
            println!("");
        }
        match one(&args, out) {
            Ok(()) => {}
            Err(error) if args.out.len() == 1 => return Err(error),
            // A failure does not stop the others.
            Err(error) => {
                failed += 1;
                eprintln!("squall: {}", triage::error_text(&error));
            }
        }
    }
    Ok(if failed > 0 { Exit::Failure } else { Exit::Clean })
}

fn one(args: &Args, out: &Path) -> Result<()> {
    let status = StatusReport::of(out)?;
    match args.format {
        OutputFormat::Text => println!("{}", status.words()),
        OutputFormat::Json => println!("{}", status.json()),
    }
    if status.damaged > 0 {
        eprintln!("squall: {} findings in {}/findings cannot be read", status.damaged, out.display());
    }
    Ok(())
}

impl StatusReport {
    fn of(out: &Path) -> Result<StatusReport> {
        let shown = out.display();
        if !out.is_dir() {
            bail!("there is no folder '{shown}'; name the folder given to a campaign with --out")
        }
        let Some(manifest) = findings::manifest(out)? else {
            bail!("'{shown}' has no campaign (no campaign.json); name the folder given to one with --out")
        };
        let running = findings::is_claimed(out)?;
        let store = out.join(STORE);
        let summary = match store.exists() {
            // A campaign that just began, or without a store.
            false => StoreSummary::default(),
            true => summary(&store).with_context(|| {
                format!(
                    "cannot read '{}'; resuming the campaign (squall fuzz --resume '{shown}') sets a damaged store aside \
             and builds a new one; squall report --list '{shown}' lists the causes",
                    store.display()
                )
            })?,
        };
        let (causes, damaged) = HitGroups::load(out);
        let found = CampaignFindings::load(out)?;
        // A run that is over has no workers.
        let runs = RunHistory::load(out).runs;
        // Joined parts have no history.
        let is_sent = summary.totals.seeds > 0 || summary.totals.units == 0;
        let has_seeds = runs.last().map_or(is_sent, |run| run.seeds > 0);
        let last = runs.into_iter().next_back().filter(|_| running);
        let workers = last.map(|run| run.workers).unwrap_or_default();
        Ok(StatusReport {
            out: out.to_path_buf(),
            bytes: files::disk_use::of([out.to_path_buf()]).bytes,
            running,
            seed: manifest["seed"].as_u64(),
            has_seeds,
            summary,
            causes,
            count: found.count(),
            found,
            workers,
            damaged,
        })
    }

    fn cpu_s(&self) -> f64 {
        self.summary.own_cpu_s + self.summary.totals.solver_cpu().as_secs_f64()
    }

    /// Mutants per second overall.
    fn rate(&self) -> f64 {
        self.summary.totals.mutants as f64 / self.summary.wall_s.max(1e-3)
    }

    fn share(&self) -> f64 {
        match self.cpu_s() {
            cpu if cpu > 0.0 => self.summary.totals.solver_cpu().as_secs_f64() / cpu,
            _ => 0.0,
        }
    }

    fn json(&self) -> serde_json::Value {
        let StoreSummary { totals, tally, wall_s, solvers, seeds, skipped, answers, recent_rate, .. } = &self.summary;
        let mut counts: BTreeMap<&str, u64> = totals.named().filter(|(name, _)| *name != "solver_cpu_ns").collect();
        let [mutants, units, sent] = ["mutants", "units", "seeds"].map(|name| counts.remove(name).unwrap_or(0));
        serde_json::json!({
            "folder": self.out.display().to_string(),
            "bytes": self.bytes,
            "running": self.running,
            "seed": self.seed,
            "solvers": solvers,
            "units": units,
            "mutants": mutants,
            "mutants_per_s": self.rate(),
            "recent_mutants_per_s": recent_rate,
            "wall_s": wall_s,
            "cpu_s": self.cpu_s(),
            "solver_share": self.share(),
            "seeds": if self.has_seeds { *seeds } else { 0 },
            "seeds_sent": sent,
            "seeds_skipped": skipped,
            "checks": counts,
            "answers": answers,
            "findings": tally.findings,
            "seed_findings": tally.seed_findings,
            "flaky": tally.flaky,
            "repeats": tally.repeats,
            "unconfirmed": tally.unconfirmed,
            "causes": self.count.causes,
            "not_reduced": self.count.not_reduced,
            "signatures": tally.groups,
            "damaged_findings": self.damaged,
            "workers": self.workers,
            "newest": self.causes.newest().collect::<Vec<_>>(),
        })
    }

    fn words(&self) -> String {
        let StoreSummary { totals, tally, wall_s, solvers, seeds, skipped, answers, recent_rate, .. } = &self.summary;
        let mut lines =
            vec![format!("{}: {}", self.out.display(), if self.running { "running" } else { "not running" })];
        lines.push(format!(
            "  solvers    {}",
            if solvers.is_empty() { "not known yet".into() } else { solvers.join(", ") }
        ));
        lines.push(format!(
            "  time       {}, {} of CPU, {:.0} % of it in solvers",
            time_text(wall_s.round()),
            time_text(self.cpu_s().round()),
            100.0 * self.share()
        ));
        lines.push(format!("  units      {}", totals.units));
        lines.push(format!("  on disk    {}", size_text(self.bytes)));
        lines.push(format!("  mutants    {} ({:.1}/s, lately {recent_rate:.1}/s)", totals.mutants, self.rate()));
        lines.push(match self.has_seeds {
            true => format!("  seeds      {} of {seeds} sent, {skipped} skipped", totals.seeds),
            false => "  seeds      none: all problems are generated".to_string(),
        });
        if totals.proofs > 0 {
            let holes = counted(totals.proof_holes, "hole");
            lines.push(format!("  proofs     {}, with {holes}", counted(totals.proofs, "run")));
        }
        let mut answers: Vec<_> = answers.iter().collect();
        answers.sort_by(|(a, _), (b, _)| SolverLabel::order(a, b));
        for (solver, answers) in answers {
            let words: Vec<String> = answers.iter().map(|(word, n)| format!("{n} {word}")).collect();
            lines.push(format!("  answers    {solver}: {}", words.join(", ")));
        }
        let classes = |findings: &BTreeMap<BugClass, u64>| match findings.is_empty() {
            true => "none".to_string(),
            false => findings.iter().map(|(class, n)| format!("{n} of class {class}")).collect::<Vec<_>>().join(", "),
        };
        let count = if self.count == CauseCount::default() { String::new() } else { format!("; {}", self.count) };
        lines.push(format!("  findings   {}{count}", classes(&tally.findings)));
        if !tally.seed_findings.is_empty() {
            lines.push(format!("  of seeds   {}", classes(&tally.seed_findings)));
        }
        if tally.flaky + tally.unconfirmed > 0 {
            lines.push(format!("  others     {} flaky, {} not confirmed", tally.flaky, tally.unconfirmed));
        }
        for RemoteWorker { name, jobs, busy, units, mutants, seen_s } in &self.workers {
            let seen = time_text(seen_s.round());
            lines.push(format!(
                "  worker     {name}: {busy} of {jobs} threads busy, {units} units, {mutants} mutants, last message {seen} ago"
            ));
        }
        let groups = self.found.rows();
        if !groups.is_empty() {
            lines.push(format!("groups of findings, the most important first:\n{}", causes::HEAD));
            lines.extend(causes::rows_with_folders(&groups).take(GROUPS_SHOWN));
            if groups.len() > GROUPS_SHOWN {
                let more = groups.len() - GROUPS_SHOWN;
                lines.push(format!("  and {more} more: squall report --list {}", self.out.display()));
            }
        }
        lines.join("\n")
    }
}
