//! Judges, with our oracle, the scripts that a peer reports as bugs.

use super::run::readable;
use anyhow::{Context, Result, bail};
use experiment::campaigns::run::finish;
use finding::BugSeverity;
use finding::same_cause::Cause;
use oracle::exhaustion;
use smtlib::Store;
use solver::process::CancelToken;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use triage::folder::{CampaignFindings, Triaged};

/// Our oracle's verdict on a script that a peer reports as a bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitVerdict {
    /// A wrong answer or a crash of the solver under test.
    OfTested,
    /// A wrong answer or a crash of the second solver only.
    OfSecond,
    /// Our oracle refutes it or cannot confirm it.
    FalseAlarm,
}

/// The solvers and limits by which hits are judged.
#[derive(Clone, Debug)]
pub struct HitOracle<'a> {
    /// The path of `squall`.
    pub program: &'a Path,
    /// The solver under test, as an argument of `squall fuzz`.
    pub tested: &'a str,
    /// The second solver.
    pub second: Option<&'a str>,
    /// A solver that is trusted where neither an assignment nor exhaustion decides.
    pub reference: Option<&'a str>,
    /// The time limit of a solver for one script.
    pub timeout: Duration,
    /// Stops the judging.
    pub cancel: &'a CancelToken,
}

/// The confirmed hits of a run, in the folders where they were found.
#[derive(Default)]
pub struct ConfirmedHits {
    /// The smallest finding of each cause, as in campaigns before reduction.
    best: BTreeMap<Cause, (usize, PathBuf)>,
}

impl HitOracle<'_> {
    /// Judges one script by a campaign that sends it unchanged to the solvers. The right answer comes from a witness, exhaustion or the
    /// comparison. The file's own `:status` is ignored, because mutations change it. `None` if cancelled.
    /// Errors: a file cannot be written, or the campaign fails.
    pub fn judge(&self, hit: &Path, folder: &Path, confirmed: &mut ConfirmedHits) -> Result<Option<HitVerdict>> {
        let Ok(text) = readable(hit) else { return Ok(Some(HitVerdict::FalseAlarm)) };
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let name = seed_name(hit);
        let script = folder.join(&name);
        files::atomic::write(&script, with_proven_status(&text).as_bytes())
            .with_context(|| format!("cannot write {}", script.display()))?;
        let mut fuzz = Command::new(self.program);
        // A path relative to its own folder, because folder names could be read as labels.
        fuzz.current_dir(folder).args(["fuzz", &name, "--solver", self.tested]);
        fuzz.args(self.second.iter().flat_map(|second| ["--solver", second]));
        fuzz.args(self.reference.iter().flat_map(|reference| ["--reference", reference]));
        let units = if self.second.is_some() { "2" } else { "1" };
        // The mutant is the file itself, while the seed is reprinted.
        let itself = format!("exec:cat {}", shlex::try_quote(&name).context("the script's name")?);
        fuzz.args(["--mutator", &itself, "--set", "mutants=1", "--schedule", "uniform", "--units", units]);
        fuzz.args(["--timeout", &format!("{}ms", self.timeout.as_millis()), "--jobs", "1", "--reduce-share", "0"]);
        // Rephrased or under other options, it would not be the peer's query.
        fuzz.args(["--reworded", "0", "--options", "default"]);
        fuzz.args(["--format", "json", "--out", "found"]);
        let errors = folder.join("errors.txt");
        let said = std::fs::File::create(&errors).with_context(|| format!("cannot write {}", errors.display()))?;
        fuzz.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        let child = fuzz.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
        let Some(status) = finish(child, self.cancel)? else { return Ok(None) };
        if !matches!(status.code(), Some(0 | 10 | 11)) {
            let said = std::fs::read_to_string(&errors).unwrap_or_default();
            bail!("{} cannot be judged ({status}): {}", hit.display(), said.trim());
        }
        let found = CampaignFindings::load(&folder.join("found"))?;
        let counts = |finding: &&Triaged| finding.finding.class.severity() < BugSeverity::Minor;
        let of_tested = |finding: &Triaged| finding.finding.solver.spec == self.tested;
        let mut verdict = HitVerdict::FalseAlarm;
        for finding in found.findings.iter().filter(counts) {
            if of_tested(finding) {
                verdict = HitVerdict::OfTested;
                confirmed.add(finding);
            } else if verdict == HitVerdict::FalseAlarm {
                verdict = HitVerdict::OfSecond;
            }
        }
        Ok(Some(verdict))
    }
}

impl ConfirmedHits {
    fn add(&mut self, finding: &Triaged) {
        let key = finding::Cause::of(&finding.finding).key();
        let bytes = finding.mutant.len();
        match self.best.get(&key) {
            Some((least, _)) if *least <= bytes => {}
            _ => {
                self.best.insert(key, (bytes, finding.folder.clone()));
            }
        }
    }

    /// Moves the findings to the findings folder of a campaign.
    /// Errors: a folder cannot be moved.
    pub fn keep(&self, folder: &Path) -> Result<()> {
        if self.best.is_empty() {
            return Ok(());
        }
        let to = folder.join("findings");
        std::fs::create_dir_all(&to).with_context(|| format!("cannot make the folder {}", to.display()))?;
        for (number, (_, from)) in self.best.values().enumerate() {
            let name = from.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // Two hits with the same text would have the same name.
            let to = to.join(format!("{name}-{number}"));
            std::fs::rename(from, &to)
                .with_context(|| format!("cannot move {} to {}", from.display(), to.display()))?;
        }
        Ok(())
    }
}

/// Returns at most `most` of the scripts that a peer reports as bugs, evenly spaced by name, and the total number.
pub fn sample(folder: &Path, prefix: &str, most: usize) -> (Vec<PathBuf>, usize) {
    let mut all = files::scripts_below(folder).scripts;
    all.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    let count = all.len();
    if count <= most {
        return (all, count);
    }
    ((0..most).map(|n| all[n * count / most].clone()).collect(), count)
}

/// Returns the name of a hit without the random word at its end, which usually leaves the seed's name.
pub fn seed_name(hit: &Path) -> String {
    let stem = hit.file_stem().unwrap_or_default().to_string_lossy();
    let seed = stem.rsplit_once(['-', '_']).map_or(&*stem, |(seed, _)| seed);
    format!("{}.smt2", seed.trim_start_matches('-'))
}

/// Returns the text with a `:status` only for checks that exhaustion proves. Nothing else changes: some wrong answers depend on names,
/// order and `let`.
pub fn with_proven_status(text: &str) -> String {
    let bare = smtlib::sexpr::without_status(text);
    let checks = smtlib::parse(&mut Store::new(), &bare).script.check_count();
    let proven: Vec<Option<&str>> =
        (0..checks).map(|check| exhaustion::decide_text(&bare, check).ok().and_then(|known| known.certain())).collect();
    smtlib::sexpr::with_status(&bare, proven)
}
