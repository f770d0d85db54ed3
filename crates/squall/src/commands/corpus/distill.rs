//! `squall corpus distill`: a regression suite of findings, one proven script per cause; or a small set of scripts with the
//! coverage of many.

mod cover;

use crate::args::units;
use crate::exit::Exit;
use crate::render::say::counted;
use anyhow::{Context, Result};
use serde_json::json;
use solver::spec::SolverSpec;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::folder::{CampaignFindings, CauseGroup};
use triage::suite::{SuiteLayout, SuiteTest};

/// Make a regression suite of findings: one small script per cause, with its right answers.
#[derive(clap::Args)]
#[command(
    after_help = "Every answer is proven again, by exhaustion or by the finding's witness. Findings whose right answer is only trusted \
    are excluded. Run `squall reduce OUT` first, for small scripts.\n\n\
                  Examples:\n  squall corpus distill squall-out --out suite\n  \
                  squall corpus distill monday tuesday --layout cvc5 --out test/regress/cli\n  \
                  squall corpus distill mutants worlds --cover z3@5.3.3+coverage --out suite\n\n\
                  Exit codes: 0 written, 1 failure, 2 usage, 11 no finding is proven."
)]
pub struct Args {
    /// Folders of campaigns or findings. A cause found by several counts once. With --cover also scripts, and folders of scripts.
    #[arg(value_name = "OUT", required = true)]
    campaigns: Vec<PathBuf>,
    /// The folder for the suite.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// The layout: plain, or the one of cvc5's, z3's or yices's regression tests.
    #[arg(long, value_name = "LAYOUT", default_value = "plain")]
    layout: SuiteLayout,
    /// Keep all findings, and the fewest scripts that together execute everything that all scripts execute in this instrumented
    /// build.
    #[arg(long, value_name = "BUILD")]
    cover: Option<SolverSpec>,
    /// The build's time limit per script.
    #[arg(long, short, value_name = "TIME", default_value = "10s", value_parser = units::time, requires = "cover")]
    timeout: Duration,
}

/// Runs the subcommand.
/// Errors: a folder without findings, or one that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut all = CampaignFindings::none(&args.out);
    let mut scripts = Vec::new();
    for folder in &args.campaigns {
        match CampaignFindings::load(folder) {
            Ok(findings) => all.add(findings),
            Err(_) if args.cover.is_some() => scripts.push(folder.clone()),
            Err(error) => return Err(error),
        }
    }
    let groups = all.groups();
    let (mut tests, mut left_out) = (Vec::new(), Vec::new());
    for group in &groups {
        match of_group(group) {
            Ok(test) => tests.push(test),
            Err(reason) => left_out.push(format!("{}: {reason}", group.best().folder.display())),
        }
    }
    let mut said = String::new();
    if let Some(build) = &args.cover {
        let covered = cover::keep(build, &args.out, args.timeout, tests, scripts, &mut left_out)?;
        (tests, said) = (covered.tests, covered.words);
    }
    write(&args.out, args.layout, &tests)?;
    let checks = |word: &str| tests.iter().flat_map(|test| &test.answers).filter(|answer| **answer == word).count();
    println!(
        "{} in {}: {} are sat, {} unsat",
        counted(tests.len(), "test"),
        args.out.display(),
        counted(checks("sat"), "check"),
        checks("unsat")
    );
    print!("{said}");
    left_out.iter().chain(&all.damaged).for_each(|line| eprintln!("squall: skipped: {line}"));
    Ok(if tests.is_empty() { Exit::Unknown } else { Exit::Clean })
}

/// Returns the test of a cause: its smallest provable finding.
fn of_group(group: &CauseGroup<'_>) -> Result<SuiteTest, triage::suite::NoTest> {
    let mut first = None;
    for member in &group.members {
        match SuiteTest::of(member, group.about()) {
            Ok(test) => return Ok(test),
            Err(reason) => {
                first.get_or_insert(reason);
            }
        }
    }
    Err(first.unwrap_or(triage::suite::NoTest::NoCheck))
}

/// Writes the tests, and `manifest.json`, which describes them.
fn write(out: &Path, layout: SuiteLayout, tests: &[SuiteTest]) -> Result<()> {
    let mut rows = Vec::new();
    for test in tests {
        let files = layout.files(test);
        for file in &files {
            let path = out.join(&file.path);
            let folder = path.parent().unwrap_or(out);
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            save(&path, &file.text)?;
        }
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        rows.push(json!({ "files": paths, "test": test }));
    }
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let manifest = json!({ "build": crate::build::here(), "tests": rows });
    save(&out.join("manifest.json"), &(serde_json::to_string_pretty(&manifest)? + "\n"))
}

fn save(path: &Path, text: &str) -> Result<()> {
    files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}
