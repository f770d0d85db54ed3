//! The choice of few proven scripts with the coverage of all.

use crate::interruption;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use ::experiment::coverage::gains::least;
use ::experiment::coverage::run::MeasuredBuild;
use ::solver::coverage::CoverageSet;
use ::solver::install::Fleet;
use ::solver::process::ProcessLimits;
use ::solver::spec::SolverSpec;
use anyhow::{Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::suite::SuiteTest;

/// The chosen tests, and a description.
pub struct CoveredTests {
    /// Findings, then scripts in the order of the coverage that they add.
    pub tests: Vec<SuiteTest>,
    /// Lines for a terminal.
    pub words: String,
}

/// Proves the answers of all scripts, runs the proven ones with the build, and keeps the tests of findings and the fewest
/// scripts that execute everything. Unproven scripts go to `left_out`.
/// Errors: a build that is not instrumented or cannot run, or scripts that cannot be read.
pub fn keep(
    build: &SolverSpec,
    out: &Path,
    timeout: Duration,
    mut tests: Vec<SuiteTest>,
    scripts: Vec<PathBuf>,
    left_out: &mut Vec<String>,
) -> Result<CoveredTests> {
    let cancel = interruption::token()?;
    let fleet = Fleet::of_user()?;
    let solver = fleet.solver(fleet.resolve(build)?).with_cancel(cancel.clone());
    let counters = out.join(".counters");
    let mut measured = match MeasuredBuild::open(solver, &counters) {
        Ok(measured) => measured,
        Err(error) => usage!("--cover {build}: {error}"),
    };
    let findings = tests.len();
    add_scripts(&mut tests, scripts, left_out)?;
    let proven = tests.len() - findings;
    let limits = ProcessLimits { wall: timeout, ..ProcessLimits::default() };
    let line = ProgressLine::steps("scripts", tests.len() as u64);
    let mut sets = Vec::with_capacity(tests.len());
    for test in &tests {
        let set = measured.of_script(&test.text, test.answers.len(), &limits);
        if cancel.is_cancelled() {
            let _ = std::fs::remove_dir_all(&counters);
            bail!("stopped: nothing was written");
        }
        sets.push(set?);
        line.advance(1);
    }
    drop(line);
    let mut covered = CoverageSet::default();
    sets[..findings].iter().for_each(|set| covered.add_all(set));
    let costs: Vec<usize> = tests[findings..].iter().map(|test| test.text.len()).collect();
    let kept = least(&sets[findings..], &costs, &covered);
    sets.iter().for_each(|set| covered.add_all(set));
    let mut words = format!("{} of {} execute everything:", kept.len(), counted(proven, "proven script"));
    let items = measured.items()?;
    for unit in items.units() {
        // Writing to a string cannot fail.
        let _ = write!(words, " {} {},", covered.count(items, unit), unit.plural());
    }
    words.pop();
    words.push('\n');
    let mut all: Vec<Option<SuiteTest>> = tests.into_iter().map(Some).collect();
    let mut tests: Vec<SuiteTest> = all[..findings].iter_mut().filter_map(Option::take).collect();
    tests.extend(kept.iter().filter_map(|one| all[findings + one.number].take()));
    // A leftover file does no harm.
    let _ = std::fs::remove_dir_all(&counters);
    Ok(CoveredTests { tests, words })
}

/// The tests of scripts with proven answers. A witness is next to its script, with the extension `witness`.
fn add_scripts(tests: &mut Vec<SuiteTest>, paths: Vec<PathBuf>, left_out: &mut Vec<String>) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut names = std::collections::BTreeSet::new();
    for path in files::named_scripts(&paths)? {
        let text = String::from_utf8_lossy(&files::named(&path)?).into_owned();
        let witness = files::found_text(path.with_extension("witness")).ok();
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        // Scripts in several folders may have the same name.
        let mut name = stem.clone();
        let mut count = 1;
        while !names.insert(name.clone()) {
            count += 1;
            name = format!("{stem}-{count}");
        }
        match SuiteTest::of_script(&name, &text, witness.as_deref()) {
            Ok(test) => tests.push(test),
            Err(reason) => left_out.push(format!("{}: {reason}", path.display())),
        }
    }
    Ok(())
}
