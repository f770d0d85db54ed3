//! `squall demo`: from a problem with a known answer to a proven wrong answer, with explained commands.

use crate::args::units::{time, time_text};
use crate::exit::Exit;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use triage::folder::CampaignFindings;

/// Show what Squall does, command by command, with an explanation of each.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall demo\n  squall demo --solver ./build/z3 --for 2m\n\n\
    Each command is shown as you could type it, and then runs.\n\n\
    Exit codes: 0 shown to the end, whether anything was found or not, 2 usage, 1 failure.")]
pub struct Args {
    /// The solver to test, as for `squall fuzz`; an old release has bugs to find.
    #[arg(long, short, value_name = "SOLVER", default_value = "z3@4.8.7")]
    solver: String,
    /// How long to look for wrong answers.
    #[arg(long = "for", value_name = "TIME", default_value = "20s", value_parser = time)]
    time: Duration,
    /// The number of problems to send instead.
    #[arg(long, value_name = "N", conflicts_with = "time")]
    mutants: Option<u64>,
    /// The output folder of the commands; it must not exist.
    #[arg(long, short, value_name = "DIR", default_value = "squall-demo")]
    out: PathBuf,
}

/// Runs the subcommand.
/// Errors: the folder exists or cannot be written, or a command fails.
pub fn run(args: Args) -> Result<Exit> {
    let out = &args.out;
    if out.exists() {
        bail!("'{}' exists already; remove it, or name another folder with --out", out.display())
    }
    let [problems, campaign] = ["problems", "campaign"].map(|name| out.join(name));
    explain(
        "1. A problem whose answer is known",
        &[
            "Squall can generate problems. Their symbols range over few values,",
            "so trying every assignment decides them. No solver takes part.",
        ],
    );
    step(&["mutate", "--worlds", "--count", "1", "--theory", "bv", "--seed", "7", "--out", &shown(&problems)])?;
    let problem = only_file(&problems)?;
    let text = std::fs::read_to_string(&problem).with_context(|| format!("cannot read '{}'", problem.display()))?;
    println!("\n$ cat {}\n{text}", problem.display());
    step(&["solve", "--exhaust", &shown(&problem)])?;

    explain(
        "2. Many such problems for a solver",
        &[
            "An answer that contradicts the known one is checked again in a fresh process.",
            "Then the problem is reduced while the answer stays wrong, and shown.",
        ],
    );
    let bound = match args.mutants {
        Some(n) => ["--mutants".to_string(), n.to_string()],
        None => ["--for".to_string(), time_text(args.time.as_secs_f64())],
    };
    let fuzz = ["fuzz", "--solver", &args.solver, "--mutator", "finite", &bound[0], &bound[1], "--plain"];
    step(&[&fuzz[..], &["--out", &shown(&campaign)]].concat())?;

    let found = CampaignFindings::load(&campaign)?;
    let groups = found.groups();
    let reduced = groups.iter().find(|group| group.reduced > 0);
    let Some(best) = reduced.or(groups.first()).map(|group| shown(&group.best().folder)) else {
        println!(
            "\nNothing wrong was found in that time. A current release is rarely wrong: give it hours, and seeds of your own:"
        );
        println!("  squall fuzz my-seeds --solver '{}' --for 8h", args.solver);
        return Ok(Exit::Clean);
    };
    explain(
        "3. What was found",
        &[
            "One row is one cause: crashes by their message, wrong answers by the",
            "installed releases that err on the reduced problem.",
        ],
    );
    step(&["report", "--list", &shown(&campaign)])?;
    explain(
        "4. The proof, checked again",
        &[
            "The finding's folder has everything: the problem, its right answer with the",
            "proof, and the solver's command line.",
        ],
    );
    step(&["replay", &best])?;
    println!("\nNext:");
    println!("  a page, and texts for the solver's tracker    squall report {}", campaign.display());
    println!("  test your own build                           squall fuzz --solver ./build/my-solver");
    println!("  a release to compare with                     squall solver install z3@5.4.1");
    Ok(Exit::Clean)
}

fn explain(title: &str, lines: &[&str]) {
    println!("\n{title}\n");
    lines.iter().for_each(|line| println!("   {line}"));
}

/// Shows a command of this program and runs it.
fn step(arguments: &[&str]) -> Result<()> {
    let line = arguments.join(" ");
    println!("\n$ squall {line}");
    let program = std::env::current_exe().context("cannot find this program's path")?;
    let status =
        Command::new(program).args(arguments).status().with_context(|| format!("cannot run 'squall {line}'"))?;
    let fine = [Exit::Clean, Exit::Found, Exit::Unknown].map(Exit::code);
    match status.code() {
        Some(code) if fine.contains(&code) => Ok(()),
        Some(code) if code == Exit::Usage.code() => usage!("'squall {line}' is a usage error"),
        _ => bail!("'squall {line}' ended with {status}"),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the file in a folder that has one.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let entry = std::fs::read_dir(folder).with_context(|| format!("cannot read '{}'", folder.display()))?.next();
    match entry {
        Some(entry) => Ok(entry?.path()),
        None => bail!("'{}' is empty", folder.display()),
    }
}
