//! `squall night`: fuzzes a solver into one folder night after night, and reports only new causes.

mod hook;
mod news;

use crate::args::format::OutputFormat;
use crate::args::units;
use crate::commands::ci::options::{self, CampaignOwner, FailOn};
use crate::commands::fuzz::{self, TerminalLease};
use crate::exit::Exit;
use ::finding::folder::FindingFolder;
use ::finding::symptom;
use ::fuzz::Stops;
use ::fuzz::state::event::{CampaignEvent, CampaignWatch};
use ::solver::install::Fleet;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use hook::Hook;
use news::NightNews;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use triage::baseline::Baseline;
use triage::folder::{CampaignFindings, CauseGroup, Triaged};
use triage::ledger::{KnownCause, Ledger, NightFolder, Sighting, TestedProgram};
use triage::matching::{self, CauseTrigger};
use triage::reduction::{self, ReductionOrder};

/// The maximum number of findings that are reduced after one campaign.
const REDUCED_AFTER: usize = 20;
/// The page with the history of all causes.
const PAGE: &str = "causes.md";

/// Fuzz a solver every night into one folder and report only new causes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall night --solver ./build/z3 --for 8h\n  \
    squall night seeds/ --solver ./build/z3 --for 8h --on-new './tell-us'\n  \
    squall night --solver z3@latest --for 1h --format json -- --theory strings --models 20\n\n\
    Exit codes: 0 no new cause, 10 new or returning causes, 11 nothing was tested, 3 interrupted, 2 usage, also a solver that answers \
    nothing, 1 failure.")]
pub struct Args {
    /// Seed files, and folders searched for .smt2 files [default: the seeds embedded in this program].
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The solver to test, as for squall fuzz.
    #[arg(long, short, value_name = "SOLVER")]
    solver: SolverSpec,
    /// The folder of all nights.
    #[arg(long, short, value_name = "DIR", default_value = "squall-night")]
    out: PathBuf,
    /// How long to fuzz [default: until Ctrl-C, or -- --mutants N].
    #[arg(long = "for", value_name = "TIME", value_parser = units::time)]
    time: Option<Duration>,
    /// The base of the campaign's seed; each night adds its number.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A shell command that gets each new cause as JSON on standard input. If it fails or takes more than a minute, it gets the
    /// cause again the next night.
    #[arg(long, value_name = "COMMAND")]
    on_new: Option<String>,
    /// Classes to report, as letters. Findings of other classes are only counted.
    #[arg(long, value_name = "CLASSES", default_value = "A,B,X,P,D")]
    fail_on: FailOn,
    /// The time limit for reducing a finding after the campaign.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    reduce_for: Duration,
    /// The output: text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Print only new causes.
    #[arg(long, short)]
    quiet: bool,
    /// Other options of squall fuzz.
    #[arg(last = true, value_name = "FUZZ OPTIONS")]
    further: Vec<String>,
}

/// Shows nothing: the night reports the result.
struct Unwatched;

impl CampaignWatch for Unwatched {
    fn event(&self, _: &CampaignEvent) {}
}

/// A night in progress.
struct Night<'a> {
    args: &'a Args,
    folder: NightFolder,
    ledger: Ledger,
    now: Sighting,
    news: NightNews,
}

/// Runs the subcommand.
/// Errors: a folder that another night uses or that cannot be written, a solver that cannot be installed, or missing seeds.
pub fn run(args: &Args) -> Result<Exit> {
    let stops = Stops::default();
    let lease = TerminalLease::default();
    fuzz::stop_on_ctrl_c(&stops, &lease)?;
    let folder = NightFolder::claim(&args.out)?;
    let mut ledger = folder.ledger()?;
    let fleet = Fleet::of_user()?.naming(std::iter::once(&args.solver));
    let installed = fleet.ensure(&args.solver, &mut crate::commands::solver::say)?;
    let program = TestedProgram::of(&installed);
    ledger.nights = ledger.nights.saturating_add(1);
    let campaign = folder.night(ledger.nights);
    let words = words(args, &campaign, args.seed.wrapping_add(ledger.nights));
    let fuzzed = options::parsed(CampaignOwner::Night, &words, &args.further)?;
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let now = Sighting { night: ledger.nights, at, program: program.to_string() };
    let news = NightNews::new(args.format, args.quiet);
    let mut night = Night { args, folder, ledger, now, news };
    // Before the campaign, so that no seed is used twice even if the night is killed.
    night.folder.save(&night.ledger)?;
    match night.ledger.program.clone() {
        Some(before) if before != program => night.ask_again(&before, &program, &fleet, &stops)?,
        _ => night.ledger.program = Some(program),
    }
    night.folder.save(&night.ledger)?;
    let note = json!({ "arguments": fuzz::resume::recorded(&fuzzed, &words), "folder": std::env::current_dir()? });
    let ended = match stops.user.is_cancelled() {
        true => None,
        false => {
            let known = night.present()?;
            Some(fuzz::hunt_watched(&fuzzed, note, &stops, (&Unwatched, Duration::from_secs(10)), Some(&known))?)
        }
    };
    night.settle(&fleet, &stops, &campaign)?;
    night.tell(&stops)?;
    if let Err(error) = night.folder.write(PAGE, news::markdown(&night.ledger)) {
        eprintln!("squall: cannot write the page of causes: {error}");
    }
    let (found, has_hits) = (night.news.causes > 0, night.news.has_hits());
    night.news.end(
        &night.now,
        &night.ledger,
        ended.as_ref().map(|ended| &ended.standing),
        &night.folder.root().join(PAGE),
    );
    Ok(match ended {
        _ if found => Exit::Found,
        // Any hit shows that something was tested.
        Some(_) if has_hits && !stops.user.is_cancelled() => Exit::Clean,
        Some(ended) if !stops.user.is_cancelled() || args.time.is_none() => fuzz::tested(&ended.standing),
        _ => Exit::Unfinished,
    })
}

/// Returns the command line of the night's campaign.
fn words(args: &Args, campaign: &Path, seed: u64) -> Vec<String> {
    let mut words: Vec<String> = args.seeds.iter().map(|path| path.display().to_string()).collect();
    let pairs = [
        ("--solver", args.solver.to_string()),
        ("--seed", seed.to_string()),
        ("--out", campaign.display().to_string()),
    ];
    let time = args.time.map(|time| ("--for", format!("{}ms", time.as_millis())));
    words.extend(pairs.into_iter().chain(time).flat_map(|(name, value)| [name.to_string(), value]));
    words.push("--plain".to_string());
    words.extend(args.further.iter().cloned());
    words
}

impl Night<'_> {
    /// Runs a changed program on every known cause. Only the program of the command line gets a finding's script.
    fn ask_again(
        &mut self,
        before: &TestedProgram,
        program: &TestedProgram,
        fleet: &Fleet,
        stops: &Stops,
    ) -> Result<()> {
        let (mut present, mut undecided) = (0, 0);
        let asked = Baseline::get(&self.args.solver, fleet, &stops.user, crate::commands::solver::say)?;
        for (id, cause) in &mut self.ledger.causes {
            let verdict = asked.shows(&self.folder.cause(id));
            if stops.user.is_cancelled() {
                return Ok(());
            }
            match verdict {
                Ok(Some(true)) => {
                    present += 1;
                    cause.meet(&self.now);
                }
                Ok(Some(false)) if cause.gone.is_none() => {
                    cause.gone = Some(self.now.clone());
                    cause.told = false;
                }
                Ok(Some(false)) => {}
                Ok(None) => undecided += 1,
                Err(error) => {
                    undecided += 1;
                    eprintln!("squall: cannot check {id} again: {}", triage::error_text(&error));
                }
            }
        }
        self.ledger.program = Some(program.clone());
        self.news.changed(before, program, present, undecided);
        Ok(())
    }

    /// Returns the kept findings of present causes and those of nights. A cause that is gone explains no hit: this program answers its
    /// script rightly.
    fn findings(&self) -> Result<CampaignFindings> {
        let root = self.folder.root();
        let mut all = CampaignFindings::none(root);
        if ::finding::folder::find(root).is_ok() {
            all.add(CampaignFindings::load(root)?);
            let is_gone = |id: &String| self.ledger.causes.get(id).is_some_and(|cause| cause.gone.is_some());
            all.findings.retain(|finding| !is_gone(&finding.finding.id));
        }
        for night in self.folder.nights() {
            all.add(CampaignFindings::load(&night)?);
        }
        Ok(all)
    }

    /// Returns the findings of known causes that are not gone.
    fn present(&self) -> Result<CampaignFindings> {
        let mut all = self.findings()?;
        all.findings.retain(|finding| self.ledger.causes.contains_key(&finding.finding.id) && self.is_kept(finding));
        Ok(all)
    }

    /// Returns the known cause of a group of findings.
    fn known(&self, group: &CauseGroup<'_>) -> Option<String> {
        let of = |member: &&Triaged| self.ledger.causes.contains_key(&member.finding.id) && self.is_kept(member);
        group.members.iter().copied().find(|member| of(member)).map(|member| member.finding.id.clone())
    }

    fn is_kept(&self, member: &Triaged) -> bool {
        member.folder == self.folder.cause(&member.finding.id)
    }

    fn is_told(&self, group: &CauseGroup<'_>) -> bool {
        let is_told = |member: &Triaged| {
            self.args.fail_on.holds(member.finding.class) && member.finding.repeats.confirmed() && !self.is_kept(member)
        };
        group.members.iter().any(|member| is_told(member))
    }

    /// Returns the next finding to reduce: one without a known cause, or one that matches a known cause only by its answer, and
    /// so may have another one. The digits of the names choose among these.
    fn next_to_reduce(&self, all: &CampaignFindings, tried: &BTreeSet<PathBuf>) -> Option<PathBuf> {
        let groups: Vec<CauseGroup<'_>> = all.groups().into_iter().filter(|group| self.is_told(group)).collect();
        let is_open =
            |member: &&Triaged| member.reduced.is_none() && member.matched.is_none() && !tried.contains(&member.folder);
        let unknown = groups.iter().filter(|group| group.reduced == 0).map(CauseGroup::best).find(is_open);
        let others = groups.iter().flat_map(|group| group.members.iter().copied()).filter(is_open);
        let others = others.filter(|member| !symptom::names_a_place(member.finding.class, &member.finding.symptom));
        let any = || others.min_by_key(|member| member.finding.mutant_sha256.clone());
        unknown.or_else(any).map(|member| member.folder.clone())
    }

    /// Sorts the night's findings into known causes and new ones, which are reduced and kept. A finding needs no reduction if the
    /// solver is right without what shows a known cause.
    fn settle(&mut self, fleet: &Fleet, stops: &Stops, campaign: &Path) -> Result<()> {
        let (mut tried, mut hopeless): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = Default::default();
        while tried.len() < REDUCED_AFTER && !stops.user.is_cancelled() {
            let all = self.findings()?;
            let Some(next) = self.next_to_reduce(&all, &tried) else { break };
            let triggers: Vec<CauseTrigger> = all.findings.iter().filter_map(CauseTrigger::of).collect();
            let is_known = || {
                let hit = FindingFolder::at(&next);
                let known = matching::known_cause(&hit, &triggers, fleet, &stops.user);
                known.is_some_and(|known| hit.write(&known).is_ok())
            };
            tried.insert(next.clone());
            if is_known() {
                continue;
            }
            let order = ReductionOrder {
                time: Some(self.args.reduce_for),
                progress: crate::commands::solver::say,
                ..ReductionOrder::new(::finding::folder::FindingPaths::of(&next, None), stops.user.clone())
            };
            if let Err(error) = reduction::by_solver(&order, fleet, &|_| ()) {
                eprintln!("squall: cannot reduce {}: {}", next.display(), triage::error_text(&error));
                hopeless.insert(next.clone());
            } else {
                // The reduced finding may have a stronger proof: its terms have few values.
                is_known();
            }
        }
        let all = self.findings()?;
        let mut waiting: BTreeSet<PathBuf> = BTreeSet::new();
        for group in all.groups() {
            let tonight = group.members.iter().filter(|member| member.folder.starts_with(campaign)).count() as u64;
            if let Some(cause) = self.known(&group).and_then(|id| self.ledger.causes.get_mut(&id)) {
                if tonight > 0 {
                    cause.hits = cause.hits.saturating_add(tonight);
                    cause.meet(&self.now);
                    self.news.hits(tonight);
                }
            } else if !self.is_told(&group) {
                self.news.off += tonight;
            } else if group.reduced == 0 && !hopeless.contains(&group.best().folder) {
                let places = group.members.iter().filter_map(|member| {
                    self.folder.nights().into_iter().find(|night| member.folder.starts_with(night))
                });
                waiting.extend(places);
                self.news.waiting += group.members.len() as u64;
            } else {
                self.keep(&group, tonight)?;
            }
        }
        self.folder.save(&self.ledger)?;
        // Unreduced findings wait for the next night; the rest is in the ledger.
        for night in self.folder.nights().into_iter().filter(|night| !waiting.contains(night)) {
            std::fs::remove_dir_all(&night).with_context(|| format!("cannot remove '{}'", night.display()))?;
        }
        self.news.places = waiting.into_iter().collect();
        Ok(())
    }

    fn keep(&mut self, group: &CauseGroup<'_>, hits: u64) -> Result<()> {
        let best = group.best();
        let id = best.finding.id.clone();
        // The very mutant of a cause that seemed gone.
        if let Some(cause) = self.ledger.causes.get_mut(&id) {
            cause.hits = cause.hits.saturating_add(hits);
            cause.meet(&self.now);
            return Ok(());
        }
        self.folder.keep(&best.folder, &id)?;
        let cause = KnownCause {
            class: best.finding.class,
            summary: group.about(),
            bytes: best.bytes(),
            first: self.now.clone(),
            last: self.now.clone(),
            gone: None,
            back: false,
            hits,
            told: false,
            handed: self.args.on_new.is_none(),
        };
        self.ledger.causes.insert(id, cause);
        self.folder.save(&self.ledger)?;
        Ok(())
    }

    /// Reports what was not reported yet. The ledger records each before the next.
    fn tell(&mut self, stops: &Stops) -> Result<()> {
        let untold: Vec<String> = self
            .ledger
            .causes
            .iter()
            .filter(|(_, cause)| !cause.told || !cause.handed)
            .map(|(id, _)| id.clone())
            .collect();
        let hook = self.args.on_new.as_ref().map(|command| Hook::new(command, &stops.user));
        for id in untold {
            let place = self.folder.cause(&id);
            let Some(cause) = self.ledger.causes.get_mut(&id) else { continue };
            let is_back = cause.back;
            if !cause.told {
                self.news.cause(&id, cause, &place, is_back);
                (cause.told, cause.back) = (true, false);
            }
            cause.handed |= hook.is_none();
            let object = news::object(&id, cause, &place, is_back);
            let is_due = cause.gone.is_none() && !cause.handed;
            // Before the command is called: it is not shown again if that fails.
            self.folder.save(&self.ledger)?;
            let Some(hook) = hook.as_ref().filter(|_| is_due) else { continue };
            if let Err(why) = hook.call(&object) {
                self.news.failed(&id, &why);
                continue;
            }
            if let Some(cause) = self.ledger.causes.get_mut(&id) {
                cause.handed = true;
            }
            self.folder.save(&self.ledger)?;
        }
        Ok(())
    }
}
