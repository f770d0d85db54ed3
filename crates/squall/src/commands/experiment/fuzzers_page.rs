//! A comparison of fuzzers written down: text for a terminal, a page with plots, and the numbers as CSV, JSON and Markdown.

use super::fuzzers::MissingPeer;
use super::page;
use crate::args::units::time_text;
use crate::render::axes::trimmed;
use crate::render::csv::cell;
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::campaigns::comparison::{CampaignComparison, FinishedRun};
use ::experiment::campaigns::run::PeerRecord;
use ::experiment::fuzzers::run::FuzzersPlan;
use anyhow::Result;
use finding::BugClass;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::fmt::Write;

const PAGE: &str = include_str!("templates/fuzzers.html.j2");

/// All runs of one fuzzer together.
#[derive(Serialize)]
struct FuzzerRow {
    name: String,
    about: String,
    runs: usize,
    median: String,
    /// Causes that any run found, of classes A, B and D.
    causes: [usize; 3],
    a12: String,
    p: String,
    /// What a peer kept; none for Squall, which keeps what is confirmed.
    hits: Option<PeerRecord>,
    false_alarms: Option<usize>,
    mutants: u64,
    /// Of the mutants, those that are no scripts, in per cent.
    ill_formed: Option<f64>,
    cpu_s: f64,
    /// Mutants a second of CPU time; none where the peer leaves no mutants.
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
        let ranks = result.beside_first;
        FuzzerRow {
            name: result.name.clone(),
            about: peer.map_or_else(|| format!("squall fuzz {}", result.options), |peer| peer.definition.about.clone()),
            runs: result.runs.len(),
            median: result.median.map_or("–".to_string(), |median| trimmed(median, 1, "")),
            causes: [BugClass::A, BugClass::B, BugClass::D].map(in_class),
            a12: ranks.map_or("–".to_string(), |ranks| format!("{:.2}", ranks.a12)),
            p: ranks.map_or("–".to_string(), |ranks| page::probability(ranks.p)),
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

/// Writes index.html, fuzzers.csv, causes.csv, results.json and figures.md.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    plan: &FuzzersPlan,
    finished: &[FinishedRun],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> Result<()> {
    let rows = rows(plan, finished, results);
    let json = serde_json::json!({
        "build": crate::build::here(),
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
    let files = [
        ("fuzzers.csv", csv(plan, finished, results)),
        ("causes.csv", page::causes(results)),
        ("results.json", report_files::json(&json)?),
        (figures::FILE, figures(&rows, results, missing)),
        ("index.html", html_page(plan, &rows, results, missing)?),
    ];
    report_files::write(&plan.campaigns.out, files)
}

/// One row a run.
fn csv(plan: &FuzzersPlan, finished: &[FinishedRun], results: &CampaignComparison) -> String {
    let mut text = String::from(
        "fuzzer,seed,wrong,wrong_unsat,crashes,unreduced,mutants,cpu_s,raw_hits,judged,confirmed,of_second,ill_formed,starts\n",
    );
    for (arm, result) in results.arms.iter().enumerate() {
        let records = finished.iter().filter(|one| one.run.arm == arm).map(|one| &one.record);
        for (run, record) in result.runs.iter().zip(records) {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "{},{},{},{},{},{},{},{:.3}",
                cell(&plan.campaigns.arms[arm].name),
                run.seed,
                run.wrong,
                run.wrong_unsat,
                run.crashes,
                run.unreduced,
                run.mutants,
                run.cpu_s,
            );
            let _ = match &record.peer {
                None => writeln!(text, ",,,,,,"),
                Some(peer) => writeln!(
                    text,
                    ",{},{},{},{},{},{}",
                    peer.raw_hits,
                    peer.judged,
                    peer.confirmed,
                    peer.of_second,
                    peer.ill_formed.map_or(String::new(), |count| count.to_string()),
                    peer.starts
                ),
            };
        }
    }
    text
}

/// How the fuzzers did; of those that did not run, why.
fn table(rows: &[FuzzerRow], missing: &[MissingPeer]) -> Table {
    let columns = [
        "runs",
        "median causes",
        "A",
        "B",
        "D",
        "A12",
        "p",
        "raw hits",
        "false alarms",
        "ill-formed",
        "mutants",
        "a CPU s",
        "CPU time",
    ];
    let mut table = Table::new(std::iter::once(words("fuzzer")).chain(columns.map(numbers)));
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_string());
    for row in rows {
        let [a, b, d] = row.causes.map(|count| count.to_string());
        table.row([
            row.name.clone(),
            row.runs.to_string(),
            row.median.clone(),
            a,
            b,
            d,
            row.a12.clone(),
            row.p.clone(),
            or_dash(row.hits.as_ref().map(|hits| hits.raw_hits.to_string())),
            or_dash(row.false_alarms.map(|count| count.to_string())),
            or_dash(row.ill_formed.map(|share| format!("{share:.1} %"))),
            or_dash(row.rate.is_some().then(|| row.mutants.to_string())),
            or_dash(row.rate.map(|rate| format!("{rate:.1}"))),
            time_text(row.cpu_s),
        ]);
    }
    for (name, _) in missing {
        table.row([name.clone(), "0".to_string()]);
    }
    table
}

/// What is to be known of the table.
fn notes(rows: &[FuzzerRow], missing: &[MissingPeer]) -> Vec<String> {
    let mut notes: Vec<String> =
        missing.iter().map(|(name, reason)| format!("{name} did not run: {reason}.")).collect();
    notes.push("A, B, D: causes of wrong unsat, wrong sat and crashes that any run found. A12 and p compare causes of wrong answers with the first row.".to_string());
    for row in rows {
        let name = &row.name;
        if let Some(hits) = &row.hits {
            if hits.of_second > 0 {
                notes.push(format!("{name}: {} raw hits are of the second solver.", hits.of_second));
            }
            if hits.judged < hits.raw_hits {
                let (judged, all) = (hits.judged, hits.raw_hits);
                notes.push(format!("{name}: {judged} of {all} raw hits were judged; --hits allows more."));
            }
            notes.extend(hits.gave_up.as_ref().map(|reason| format!("{name}: {reason}")));
        }
        notes.extend(page::not_counted(row.unreduced).map(|said| format!("{name}: {said}")));
    }
    notes
}

/// The table for a terminal.
pub fn text(
    plan: &FuzzersPlan,
    finished: &[FinishedRun],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> String {
    let rows = rows(plan, finished, results);
    table(&rows, missing).text() + &notes(&rows, missing).join("\n") + "\n"
}

/// The tables for the documentation.
fn figures(rows: &[FuzzerRow], results: &CampaignComparison, missing: &[MissingPeer]) -> String {
    let names = results.arms.iter().map(|arm| numbers(arm.name.clone()));
    let mut causes = Table::new([words("class"), words("cause")].into_iter().chain(names));
    for cause in &results.causes {
        let runs = cause.runs.iter().map(|count| count.to_string());
        causes.row([cause.class.to_string(), cause.about.clone()].into_iter().chain(runs));
    }
    let about = "In how many runs each cause was found:".to_string();
    figures::text([table(rows, missing).markdown(), notes(rows, missing).join("\n"), about, causes.markdown()])
}

fn html_page(
    plan: &FuzzersPlan,
    rows: &[FuzzerRow],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> Result<String> {
    let (strips, marks) = page::strips(results);
    let values = context! {
        rows => Value::from(Serde(rows)),
        names => results.arms.iter().map(|arm| arm.name.clone()).collect::<Vec<_>>(),
        causes => Value::from(Serde(&results.causes)),
        strips => Value::from(Serde(&strips)),
        marks => Value::from(Serde(&marks)),
        missing => Value::from(Serde(missing)),
        solver => plan.tested.spec.clone(),
        second => plan.second.as_ref().map(|second| second.spec.clone()),
        reference => plan.reference.clone(),
        seeds => plan.seeds.count,
        cpu => time_text(plan.campaigns.cpu.as_secs_f64()),
        reduce => time_text(plan.campaigns.reduce.as_secs_f64()),
        timeout => time_text(plan.timeout.as_secs_f64()),
        runs => plan.campaigns.seeds.len(),
        first => plan.campaigns.seeds.first(),
    };
    html::page(&html::templates(&[("fuzzers.html", PAGE)])?, "fuzzers.html", values)
}
