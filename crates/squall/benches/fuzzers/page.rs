//! The results of a comparison of fuzzers, for people and for programs.

use super::MissingPeer;
use super::run::{FinishedFuzzer, FuzzersPlan, PeerRecord};
use anyhow::{Context, Result};
use experiment::campaigns::comparison::{ArmResult, CampaignComparison};
use finding::BugClass;
use serde::Serialize;
use solver::process::processors;

/// The version that is compared.
const VERSION: &str = match option_env!("SQUALL_BUILD") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The sum of all runs of one fuzzer.
#[derive(Serialize)]
struct FuzzerRow<'r> {
    name: &'r str,
    about: String,
    runs: usize,
    #[serde(skip)]
    result: &'r ArmResult,
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

fn rows<'r>(plan: &FuzzersPlan, finished: &[FinishedFuzzer], results: &'r CampaignComparison) -> Vec<FuzzerRow<'r>> {
    let row = |(arm, result): (usize, &'r ArmResult)| {
        let of = || finished.iter().filter(|one| one.run.run.arm == arm);
        let peer = plan.peers[arm].as_ref();
        let hits = peer.map(|_| sum(of().filter_map(|one| one.peer.as_ref())));
        let mutants = result.runs.iter().map(|run| run.mutants).sum::<u64>();
        let cpu_s = result.runs.iter().map(|run| run.cpu_s).sum();
        let counts = peer.is_none_or(|peer| peer.definition.mutants.is_some());
        let in_class = |class: BugClass| results.causes.iter().filter(|c| c.class == class && c.runs[arm] > 0).count();
        let ill_formed = hits.as_ref().and_then(|hits| hits.ill_formed);
        FuzzerRow {
            name: &result.name,
            about: peer.map_or_else(|| format!("squall fuzz {}", result.options), |peer| peer.definition.about.clone()),
            runs: result.runs.len(),
            result,
            causes: [BugClass::A, BugClass::B, BugClass::D].map(in_class),
            false_alarms: hits.as_ref().map(|hits| hits.judged - hits.confirmed - hits.of_second),
            ill_formed: ill_formed.map(|count| 100.0 * count as f64 / mutants.max(1) as f64),
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

/// Writes the results and prints the tables.
/// Errors: a file cannot be written.
pub fn publish(
    plan: &FuzzersPlan,
    finished: &[FinishedFuzzer],
    results: &CampaignComparison,
    missing: &[MissingPeer],
) -> Result<()> {
    let rows = rows(plan, finished, results);
    let json = serde_json::json!({
        "build": VERSION,
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
    let figures = figures(&rows, results, missing);
    let files = [
        ("results.json", serde_json::to_string_pretty(&json)? + "\n"),
        ("fuzzers.csv", csv(&runs(finished, results))),
        ("causes.csv", csv(&causes(results, true))),
        ("figures.md", figures.clone()),
    ];
    for (name, text) in files {
        let path = plan.campaigns.out.join(name);
        files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("{figures}\n{}", plan.campaigns.out.display());
    Ok(())
}

/// The tables in Markdown, below the command and the version.
fn figures(rows: &[FuzzerRow<'_>], results: &CampaignComparison, missing: &[MissingPeer]) -> String {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    let command = format!("cargo bench -p squall --bench fuzzers -- {words}");
    let head = format!("`{command}`, squall {VERSION}, {} processors:", processors());
    let mut parts = vec![head, table(1, &fuzzers(rows, missing))];
    parts.extend(missing.iter().map(|(name, reason)| format!("{name} did not run: {reason}.")));
    parts.push(
        "A, B, D: causes of wrong unsat, wrong sat and crashes that any run found. A12 and p compare causes of wrong answers with the first row."
            .to_string(),
    );
    parts.extend(rows.iter().flat_map(notes));
    parts.push("In how many runs each cause was found:".to_string());
    parts.push(table(2, &causes(results, false)));
    parts.join("\n\n") + "\n"
}

/// Returns one row per fuzzer, with only the name if it did not run.
fn fuzzers(rows: &[FuzzerRow<'_>], missing: &[MissingPeer]) -> Vec<Vec<String>> {
    let columns = "fuzzer,runs,median causes,A,B,D,A12,p,raw hits,judged,confirmed,of second,false alarms,ill-formed,mutants,a CPU s,CPU time";
    let mut sheet = vec![headings(columns)];
    for row in rows {
        let ranks = row.result.beside_first;
        let of = |value: fn(&PeerRecord) -> usize| or_dash(row.hits.as_ref().map(value));
        let mut cells = vec![row.name.to_string(), row.runs.to_string(), or_dash(row.result.median)];
        cells.extend(row.causes.map(|count| count.to_string()));
        cells.push(or_dash(ranks.map(|ranks| format!("{:.2}", ranks.a12))));
        let p = |p: f64| if p < 0.001 { "<.001".to_string() } else { format!("{p:.3}") };
        cells.push(or_dash(ranks.map(|ranks| p(ranks.p))));
        cells.extend([of(|hits| hits.raw_hits), of(|hits| hits.judged), of(|hits| hits.confirmed)]);
        cells.extend([of(|hits| hits.of_second), or_dash(row.false_alarms)]);
        cells.push(or_dash(row.ill_formed.map(|share| format!("{share:.1} %"))));
        cells.push(or_dash(row.rate.map(|_| row.mutants)));
        cells.push(or_dash(row.rate.map(|rate| format!("{rate:.1}"))));
        cells.push(format!("{:.0}s", row.cpu_s));
        sheet.push(cells);
    }
    sheet.extend(missing.iter().map(|(name, _)| vec![name.clone(), "0".to_string()]));
    sheet
}

/// Returns one row per run.
fn runs(finished: &[FinishedFuzzer], results: &CampaignComparison) -> Vec<Vec<String>> {
    let columns = "fuzzer,seed,wrong,wrong_unsat,crashes,unreduced,mutants,cpu_s,raw_hits,judged,confirmed,of_second,ill_formed,starts";
    let mut sheet = vec![headings(columns)];
    for (arm, result) in results.arms.iter().enumerate() {
        let of_arm = finished.iter().filter(|one| one.run.run.arm == arm);
        for (run, one) in result.runs.iter().zip(of_arm) {
            let mut cells = vec![result.name.clone(), run.seed.to_string()];
            cells.extend([run.wrong, run.wrong_unsat, run.crashes, run.unreduced].map(|count| count.to_string()));
            cells.extend([run.mutants.to_string(), format!("{:.3}", run.cpu_s)]);
            if let Some(peer) = &one.peer {
                cells.extend(
                    [peer.raw_hits, peer.judged, peer.confirmed, peer.of_second].map(|count| count.to_string()),
                );
                cells.extend([
                    peer.ill_formed.map_or(String::new(), |count| count.to_string()),
                    peer.starts.to_string(),
                ]);
            }
            sheet.push(cells);
        }
    }
    sheet
}

/// Returns one row per cause, with the number of runs of each fuzzer that found it.
fn causes(results: &CampaignComparison, with_folder: bool) -> Vec<Vec<String>> {
    let folder = |folder: &str| with_folder.then(|| folder.to_string());
    let names = results.arms.iter().map(|arm| arm.name.clone());
    let mut sheet = vec![headings("class,cause").into_iter().chain(names).chain(folder("folder")).collect::<Vec<_>>()];
    for cause in &results.causes {
        let cells = [cause.class.to_string(), cause.about.clone()].into_iter();
        let counts = cause.runs.iter().map(ToString::to_string);
        sheet.push(cells.chain(counts).chain(folder(&cause.folder)).collect());
    }
    sheet
}

/// Notes on a fuzzer's row.
fn notes(row: &FuzzerRow<'_>) -> Vec<String> {
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
    if row.unreduced > 0 {
        let count = row.unreduced;
        notes.push(format!("Not counted: {count} findings that were not reduced; --reduce-for gives them more time."));
    }
    notes.into_iter().map(|note| format!("{}: {note}", row.name)).collect()
}

fn headings(text: &str) -> Vec<String> {
    text.split(',').map(str::to_string).collect()
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or("–".to_string(), |value| value.to_string())
}

/// Returns a table in Markdown, whose first row is the headings; columns after the first `words` are numbers.
fn table(words: usize, rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let line = |row: &Vec<String>| {
        let cell = |at: usize| row.get(at).map_or(String::new(), |cell| escaped(cell));
        format!("| {} |", (0..columns).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let marks = (0..columns).map(|at| if at < words { "---|" } else { "---:|" });
    lines.insert(1, std::iter::once("|").chain(marks).collect());
    lines.join("\n")
}

/// Escapes what Markdown would read as markup.
fn escaped(cell: &str) -> String {
    let mut text = String::new();
    for c in cell.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if matches!(c, '\\' | '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Returns a table as comma-separated values.
fn csv(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}
