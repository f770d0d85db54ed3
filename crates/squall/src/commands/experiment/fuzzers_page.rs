//! The results of a comparison of fuzzers.

use super::fuzzers::MissingPeer;
use super::page;
use crate::args::units::time_text;
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::campaigns::comparison::{CampaignComparison, FinishedRun};
use ::experiment::campaigns::run::PeerRecord;
use ::experiment::fuzzers::run::FuzzersPlan;
use anyhow::Result;
use finding::BugClass;
use serde::Serialize;

/// The sum of all runs of one fuzzer.
#[derive(Serialize)]
struct FuzzerRow {
    name: String,
    about: String,
    runs: usize,
    #[serde(skip)]
    ranks: [SheetCell; 3],
    /// Causes of classes A, B and D that any run found.
    causes: [usize; 3],
    /// The hits of a peer; `None` for Squall, which keeps only confirmed ones.
    hits: Option<PeerRecord>,
    false_alarms: Option<usize>,
    mutants: u64,
    /// The share of mutants that are invalid scripts, in per cent.
    ill_formed: Option<f64>,
    cpu_s: f64,
    /// Mutants per second of CPU time; `None` if the peer keeps no mutants.
    rate: Option<f64>,
    /// Findings that were not reduced and are not counted.
    unreduced: usize,
}

fn rows(plan: &FuzzersPlan, finished: &[FinishedRun], results: &CampaignComparison) -> Vec<FuzzerRow> {
    let row = |(arm, result): (usize, &::experiment::campaigns::comparison::ArmResult)| {
        let of = || finished.iter().filter(|one| one.run.arm == arm).map(|one| &one.record);
        let peer = plan.peers[arm].as_ref();
        let hits = peer.map(|_| sum(of().filter_map(|record| record.peer.as_ref())));
        let (mutants, cpu_s) = (of().map(|record| record.mutants).sum::<u64>(), of().map(|record| record.cpu_s).sum());
        let counts = peer.is_none_or(|peer| peer.definition.mutants.is_some());
        let in_class = |class: BugClass| results.causes.iter().filter(|c| c.class == class && c.runs[arm] > 0).count();
        FuzzerRow {
            name: result.name.clone(),
            about: peer.map_or_else(|| format!("squall fuzz {}", result.options), |peer| peer.definition.about.clone()),
            runs: result.runs.len(),
            ranks: page::ranks(result),
            causes: [BugClass::A, BugClass::B, BugClass::D].map(in_class),
            false_alarms: hits.as_ref().map(|hits| hits.judged - hits.confirmed - hits.of_second),
            ill_formed: hits
                .as_ref()
                .and_then(|hits| hits.ill_formed)
                .map(|ill| 100.0 * ill as f64 / mutants.max(1) as f64),
            hits,
            mutants,
            cpu_s,
            rate: (counts && cpu_s > 0.0).then(|| mutants as f64 / cpu_s),
            unreduced: result.runs.iter().map(|run| run.unreduced).sum(),
        }
    };
    results.arms.iter().enumerate().map(row).collect()
}

fn sum<'r>(records: impl Iterator<Item = &'r PeerRecord>) -> PeerRecord {
    records.fold(PeerRecord::default(), |sum, one| PeerRecord {
        raw_hits: sum.raw_hits + one.raw_hits,
        judged: sum.judged + one.judged,
        confirmed: sum.confirmed + one.confirmed,
        of_second: sum.of_second + one.of_second,
        ill_formed: one.ill_formed.map(|count| count + sum.ill_formed.unwrap_or(0)).or(sum.ill_formed),
        ill_formed_sample: sum.ill_formed_sample.or_else(|| one.ill_formed_sample.clone()),
        starts: sum.starts + one.starts,
        gave_up: sum.gave_up.or_else(|| one.gave_up.clone()),
    })
}

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(
    plan: &FuzzersPlan,
    finished: &[FinishedRun],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> Result<()> {
    let rows = rows(plan, finished, results);
    let json = serde_json::json!({
        "solver": plan.tested.spec,
        "second": plan.second.as_ref().map(|second| &second.spec),
        "reference": plan.reference,
        "seeds": plan.seeds.count,
        "cpu_s": plan.campaigns.cpu.as_secs_f64(),
        "reduce_s": plan.campaigns.reduce.as_secs_f64(),
        "timeout_s": plan.timeout.as_secs_f64(),
        "fuzzers": rows,
        "missing": missing,
        "results": results,
    });
    let tables = [("fuzzers.csv", runs(plan, finished, results)), ("causes.csv", page::causes(results).1)];
    report(plan, &rows, results, missing).publish(&plan.campaigns.out, json, &tables)
}

fn report(plan: &FuzzersPlan, rows: &[FuzzerRow], results: &CampaignComparison, missing: &[MissingPeer]) -> Results {
    let [cpu, reduce, timeout] =
        [plan.campaigns.cpu, plan.campaigns.reduce, plan.timeout].map(|time| time_text(time.as_secs_f64()));
    let named = |what: &str, spec: Option<&String>| spec.map_or(String::new(), |spec| format!("; {what}: `{spec}`"));
    let about = format!(
        "Each fuzzer ran {} (campaign seeds from {}, if it takes one) for {cpu} of CPU time, including all that it starts, on {} seeds. \
         Solver under test: `{}`, at most {timeout} per script{}{}. Squall's oracle judges what a peer reports as a bug; confirmed hits are \
         reduced for at most {reduce} per run and counted like Squall's findings.",
        counted(plan.campaigns.seeds.len(), "time"),
        plan.campaigns.seeds.first().copied().unwrap_or_default(),
        plan.seeds.count,
        plan.tested.spec,
        named("second solver", plan.second.as_ref().map(|second| &second.spec)),
        named("reference", plan.reference.as_ref()),
    );
    let mut report = Results::new("Fuzzers compared", about);
    report.heading(Shown::Page, "Causes of wrong answers per run");
    let about = |name: &str| rows.iter().find(|row| row.name == name).map_or(String::new(), |row| row.about.clone());
    report.plots(page::strips(results, |arm| about(&arm.name)));
    report.note(Shown::Page, "One dot per run; the line is the median.");
    report.heading(Shown::Page, "Fuzzers");
    report.sheet(Shown::Everywhere, fuzzers(rows, missing));
    report.notes(Shown::Everywhere, missing.iter().map(|(name, reason)| format!("{name} did not run: {reason}.")));
    report.note(
        Shown::Everywhere,
        "A, B, D: causes of wrong unsat, wrong sat and crashes that any run found. A12 and p compare causes of wrong answers with the first row.",
    );
    report.notes(Shown::Everywhere, rows.iter().flat_map(notes));
    report.note(
        Shown::Page,
        "A12 (Vargha and Delaney) and p (two-sided Mann-Whitney U test, exact). Raw hits: scripts that the peer reported as bugs. False alarms: those \
         judged hits the oracle refutes or cannot confirm. Ill-formed: mutants that Squall cannot parse. Squall keeps only confirmed \
         hits, and makes no ill-formed mutants.",
    );
    report.heading(Shown::Written, "The number of runs that found each cause");
    report.sheet(Shown::Written, page::causes(results).0);
    report
}

/// Returns one row per run.
fn runs(plan: &FuzzersPlan, finished: &[FinishedRun], results: &CampaignComparison) -> Sheet {
    let ours = "fuzzer,seed,wrong,wrong_unsat,crashes,unreduced,mutants,cpu_s";
    let mut sheet = Sheet::of(ours, ["raw_hits", "judged", "confirmed", "of_second", "ill_formed", "starts"]);
    for (arm, result) in results.arms.iter().enumerate() {
        let records = finished.iter().filter(|one| one.run.arm == arm).map(|one| &one.record);
        for (run, record) in result.runs.iter().zip(records) {
            let name = &plan.campaigns.arms[arm].name;
            let found = cells![name, run.seed, run.wrong, run.wrong_unsat, run.crashes, run.unreduced];
            let row = found.into_iter().chain(cells![run.mutants, SheetCell::seconds(run.cpu_s)]);
            let peer = record.peer.iter().flat_map(|peer| {
                cells![peer.raw_hits, peer.judged, peer.confirmed, peer.of_second, peer.ill_formed, peer.starts]
            });
            sheet.row(row.chain(peer));
        }
    }
    sheet
}

/// Returns one row per fuzzer, with only the name if it did not run.
fn fuzzers(rows: &[FuzzerRow], missing: &[MissingPeer]) -> Sheet {
    let columns = "runs,median causes,A,B,D,A12,p,raw hits,judged,confirmed,of second,false alarms,ill-formed,mutants,a CPU s,CPU time";
    let mut sheet = Sheet::new(std::iter::once(words("fuzzer")).chain(columns.split(',').map(numbers)));
    for row in rows {
        let ([a, b, d], [median, a12, p]) = (row.causes, row.ranks.clone());
        let causes = cells![&row.name, row.runs, median, a, b, d, a12, p];
        let of = |value: fn(&PeerRecord) -> usize| row.hits.as_ref().map(value);
        let hits = cells![
            of(|hits| hits.raw_hits),
            of(|hits| hits.judged),
            of(|hits| hits.confirmed),
            of(|hits| hits.of_second),
            row.false_alarms,
            row.ill_formed.map(SheetCell::percent),
        ];
        let mutants = row.rate.is_some().then_some(row.mutants);
        let speed = cells![mutants, row.rate.map(|rate| SheetCell::number(rate, 1)), SheetCell::seconds(row.cpu_s)];
        sheet.row(causes.into_iter().chain(hits).chain(speed));
    }
    missing.iter().for_each(|(name, _)| sheet.row(cells![name, 0usize]));
    sheet
}

/// Notes on a fuzzer's row.
fn notes(row: &FuzzerRow) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(hits) = &row.hits {
        if hits.of_second > 0 {
            notes.push(format!("{} hits concern the second solver.", hits.of_second));
        }
        if hits.judged < hits.raw_hits {
            notes.push(format!("{} of {} raw hits were judged; --hits allows more.", hits.judged, hits.raw_hits));
        }
        notes.extend(hits.ill_formed_sample.as_ref().map(|sample| format!("an ill-formed mutant: {sample}")));
        notes.extend(hits.gave_up.clone());
    }
    notes.extend(page::not_counted(row.unreduced));
    notes.into_iter().map(|note| format!("{}: {note}", row.name)).collect()
}
