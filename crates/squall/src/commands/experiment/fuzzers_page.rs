//! A comparison of fuzzers written down: text for a terminal, a page with plots, and the numbers as CSV and JSON.

use super::fuzzers::MissingPeer;
use super::page;
use crate::args::units::time_text;
use crate::render::axes::trimmed;
use crate::render::csv::cell;
use crate::render::{html, report_files};
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

/// Writes index.html, fuzzers.csv, causes.csv and results.json.
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

/// The tables for a terminal.
pub fn text(
    plan: &FuzzersPlan,
    finished: &[FinishedRun],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> String {
    let rows = rows(plan, finished, results);
    let names = rows.iter().map(|row| row.name.as_str()).chain(missing.iter().map(|(name, _)| name.as_str()));
    let widest = names.map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:<widest$}  runs  median causes  A  B  D    A12      p  raw hits  false alarms  ill-formed  mutants  a CPU s   CPU time\n",
        "fuzzer"
    );
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_string());
    for row in &rows {
        let [a, b, d] = row.causes;
        let counts = row.rate.is_some();
        let _ = writeln!(
            text,
            "{:<widest$}  {:>4}  {:>13} {a:>2} {b:>2} {d:>2}  {:>5}  {:>5}  {:>8}  {:>12}  {:>10}  {:>7}  {:>7}  {:>9}",
            row.name,
            row.runs,
            row.median,
            row.a12,
            row.p,
            or_dash(row.hits.as_ref().map(|hits| hits.raw_hits.to_string())),
            or_dash(row.false_alarms.map(|count| count.to_string())),
            or_dash(row.ill_formed.map(|share| format!("{share:.1} %"))),
            or_dash(counts.then(|| row.mutants.to_string())),
            or_dash(row.rate.map(|rate| format!("{rate:.1}"))),
            time_text(row.cpu_s),
        );
    }
    for (name, reason) in missing {
        let _ = writeln!(text, "{name:<widest$}  did not run: {reason}");
    }
    text.push_str(
        "A, B, D: causes of wrong unsat, wrong sat and crashes that any run found. A12 and p compare causes of wrong answers with the first row.\n",
    );
    for row in &rows {
        let Some(hits) = &row.hits else { continue };
        if hits.of_second > 0 {
            let _ = writeln!(text, "{}: {} raw hits are of the second solver.", row.name, hits.of_second);
        }
        if hits.judged < hits.raw_hits {
            let _ = writeln!(
                text,
                "{}: {} of {} raw hits were judged; --hits allows more.",
                row.name, hits.judged, hits.raw_hits
            );
        }
        if let Some(reason) = &hits.gave_up {
            let _ = writeln!(text, "{}: {reason}", row.name);
        }
    }
    for row in rows.iter().filter(|row| row.unreduced > 0) {
        let _ = writeln!(
            text,
            "{}: not counted: {} findings that were not reduced; --reduce-for gives them more time.",
            row.name, row.unreduced
        );
    }
    text
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
