//! `squall report --harvest DIR OUT…`: the best finding of each cause of some campaigns, kept in one small folder with a page.
//!
//! A kept finding is an ordinary finding with the reduced script: `squall replay DIR/ID` reproduces it. Data about the machine
//! that found it is removed.

mod page;

use crate::exit::Exit;
use crate::render::say::counted;
use ::finding::folder::{self, FindingFile, FindingFolder};
use ::finding::{Finding, KeptWith};
use ::solver::install::Fleet;
use anyhow::{Context, Result, bail};
use files::sha256;
use oracle::{exhaustion, replay};
use reduce::finding::Account;
use smtlib::Store;
use std::path::{Path, PathBuf};
use triage::folder::{CampaignFindings, Triaged};

/// The maximum number of tried findings per cause.
const TRIES: usize = 8;
/// The minimum time limit of a kept finding, in seconds.
const PATIENCE: f64 = 20.0;

/// Collects the causes of campaigns in `kept`, and writes its page.
/// Errors: a folder without a campaign, or that cannot be written.
pub fn run(kept: &Path, campaigns: &[PathBuf]) -> Result<Exit> {
    std::fs::create_dir_all(kept).with_context(|| format!("cannot make the folder {}", kept.display()))?;
    let mut all = CampaignFindings::none(kept);
    // A cause that was kept before stays.
    if folder::find(kept).is_ok() {
        all.findings.extend(CampaignFindings::load(kept)?.findings);
    }
    for out in campaigns {
        all.add(CampaignFindings::load(out)?);
    }
    let fleet = Fleet::of_user()?;
    let mut added = 0;
    for group in all.groups() {
        if group.members.iter().any(|member| member.folder.starts_with(kept)) {
            continue;
        }
        // If the smallest does not reproduce, another one of the cause may.
        for member in group.members.iter().filter(|member| is_worth_keeping(member)).take(TRIES) {
            match keep(member, kept, &fleet) {
                Ok(id) => {
                    added += 1;
                    println!("kept {}", kept.join(id).display());
                    break;
                }
                Err(error) => {
                    eprintln!("squall: cannot keep {}: {}", member.folder.display(), triage::error_text(&error));
                }
            }
        }
    }
    let shown = page::write(kept)?;
    all.damaged.iter().for_each(|error| eprintln!("squall: skipped: {error}"));
    println!("{} in {}, {added} of them new", counted(shown, "cause"), kept.join(page::PAGE).display());
    Ok(Exit::Clean)
}

/// Whether a finding is reduced, and a crash or a certainly wrong answer, which anyone can check.
fn is_worth_keeping(finding: &Triaged) -> bool {
    let is_proven = match finding.finding.class.row().kept_with {
        KeptWith::Proof => finding.trust().is_certified(),
        KeptWith::Nothing => true,
        KeptWith::Never => false,
    };
    finding.reduced.is_some() && is_proven
}

/// Writes the reduced finding under its new name, if it reproduces.
fn keep(best: &Triaged, kept: &Path, fleet: &Fleet) -> Result<String> {
    let account: Account = FindingFolder::at(&best.folder).read()?.context("the record of its reduction is missing")?;
    let finding = distilled(best, &account)?;
    let to = kept.join(&finding.id);
    files::inside::make_folder(kept, &finding.id)
        .with_context(|| format!("cannot make the folder {}", to.display()))?;
    let written = write(best, &finding, &account, &to).and_then(|()| replays(&to, fleet));
    if written.is_err() {
        // An incomplete finding is worse than none; an error of its removal is ignored.
        let _ = std::fs::remove_dir_all(&to);
    }
    written.map(|()| finding.id)
}

/// Returns the record of the reduced script.
fn distilled(best: &Triaged, account: &Account) -> Result<Finding> {
    let mut finding = best.finding.clone();
    let checks = checks(best.script())?;
    if checks != finding.expected.len() {
        // A reduction keeps nothing after the wrong check. Those before it are asked of exhaustion, and a replay checks them again.
        let (at, last) = (finding.check, checks.saturating_sub(1));
        let right = |check| match exhaustion::decide_text(best.script(), check) {
            Ok(known) if known.certain().is_some() => Ok(known.word().to_string()),
            _ => bail!("its reduced script has {checks} checks, and the right answer to check {} is open", check + 1),
        };
        let before = (0..last).map(right).collect::<Result<Vec<String>>>()?;
        let with_own = |list: &[String]| before.iter().chain(list.get(at)).cloned().collect();
        finding.expected = with_own(&finding.expected);
        finding.answers = with_own(&finding.answers);
        finding.check = last;
    }
    finding.trust = best.trust();
    finding.mutant_sha256 = sha256(best.script());
    finding.mutant_bytes = best.script().len();
    finding.predecessors_sha256 = (!best.earlier.is_empty()).then(|| sha256(&best.earlier));
    finding.false_assertion = best.false_assertion().map(str::to_string);
    let digest: String = finding.mutant_sha256.chars().take(8).collect();
    // For a build named by its path, its file name, since it becomes a folder's name.
    let label = finding.solver.label.rsplit('/').next().unwrap_or(&finding.solver.label);
    finding.id = format!("{label}-{}-{digest}", finding.class);
    if let Some(spec) = &account.solver {
        finding.solver.spec.clone_from(spec);
    }
    // It may take longer on a slow machine.
    finding.solver.timeout_s = finding.solver.timeout_s.max(PATIENCE);
    // Paths mean nothing on another machine.
    if let Some(seed) = &mut finding.seed {
        seed.name = file_name(&seed.name);
    }
    finding.solver.command = finding.solver.command.iter().map(|word| file_name(word)).collect();
    Ok(finding)
}

fn file_name(path: &str) -> String {
    match path.starts_with("embedded:") {
        true => path.to_string(),
        false => path.rsplit('/').next().unwrap_or(path).to_string(),
    }
}

/// Returns the number of checks of a valid script.
fn checks(script: &str) -> Result<usize> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, script);
    if let Some(error) = parsed.errors.first() {
        bail!("its reduced script has an error: {error}")
    }
    Ok(parsed.script.commands.iter().filter(|command| command.is_check()).count())
}

fn write(best: &Triaged, finding: &Finding, account: &Account, to: &Path) -> Result<()> {
    let (from, to) = (FindingFolder::at(&best.folder), FindingFolder::at(to));
    to.write(finding)?;
    to.write(account)?;
    // It is fully reduced: its script is also its reduced script.
    let both = |files: [FindingFile; 2], text: &str| files.into_iter().try_for_each(|file| to.put(file, text));
    both([FindingFile::Mutant, FindingFile::Reduced], best.script())?;
    if let Some(witness) = best.shown_witness() {
        both([FindingFile::Witness, FindingFile::ReducedWitness], witness)?;
    }
    if let Some([first, second]) = best.pair() {
        both([FindingFile::First, FindingFile::ReducedFirst], &first)?;
        both([FindingFile::Second, FindingFile::ReducedSecond], &second)?;
    }
    if !best.earlier.is_empty() {
        both([FindingFile::Predecessors, FindingFile::ReducedPredecessors], &best.earlier)?;
    }
    if let Some(explanation) = &best.explanation {
        to.write(explanation)?;
    }
    for file in [FindingFile::Vector, FindingFile::Bisection] {
        if let Ok(text) = from.text(file) {
            to.put(file, &text)?;
        }
    }
    Ok(())
}

fn replays(folder: &Path, fleet: &Fleet) -> Result<()> {
    let saved = replay::load(folder)?;
    let solver =
        fleet.ensure(&replay::recorded_solver(&saved.finding.solver, fleet)?, &mut crate::commands::solver::say)?;
    match saved.replay(&fleet.solver(solver))?.reproduces {
        true => Ok(()),
        false => bail!("its reduced script does not reproduce it"),
    }
}
