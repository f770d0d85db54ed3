//! A comparison of campaigns written down: text for a terminal, a page with plots, and the numbers as CSV, JSON and Markdown.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::csv::cell;
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::campaigns::comparison::{ArmResult, CampaignComparison};
use ::experiment::campaigns::plan::CampaignPlan;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::fmt::Write;

const PAGE: &str = include_str!("templates/campaigns.html.j2");

/// Writes index.html, runs.csv, causes.csv, results.json and figures.md.
///
/// # Errors
/// A file cannot be written.
pub fn write(plan: &CampaignPlan, results: &CampaignComparison) -> Result<()> {
    let json = serde_json::json!({
        "build": crate::build::here(),
        "common": plan.common,
        "cpu_s": plan.cpu.as_secs_f64(),
        "reduce_s": plan.reduce.as_secs_f64(),
        "results": results,
    });
    let files = [
        ("runs.csv", runs(results)),
        ("causes.csv", causes(results)),
        ("results.json", report_files::json(&json)?),
        (figures::FILE, figures::text([table(results).markdown(), notes(results).join("\n")])),
        ("index.html", page(plan, results)?),
    ];
    report_files::write(&plan.out, files)
}

/// One row a campaign.
fn runs(results: &CampaignComparison) -> String {
    let mut text = String::from("arm,seed,wrong,wrong_unsat,crashes,unreduced,mutants,cpu_s,timeouts\n");
    for arm in &results.arms {
        for r in &arm.runs {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{:.3},{}",
                cell(&arm.name),
                r.seed,
                r.wrong,
                r.wrong_unsat,
                r.crashes,
                r.unreduced,
                r.mutants,
                r.cpu_s,
                r.timeouts
            );
        }
    }
    text
}

/// One row a cause, with the number of campaigns of each arm that found it.
pub(super) fn causes(results: &CampaignComparison) -> String {
    let mut text = String::from("class,about");
    for arm in &results.arms {
        let _ = write!(text, ",{}", cell(&arm.name));
    }
    text.push_str(",folder\n");
    for cause in &results.causes {
        let _ = write!(text, "{},{}", cause.class, cell(&cause.about));
        for count in &cause.runs {
            let _ = write!(text, ",{count}");
        }
        let _ = writeln!(text, ",{}", cell(&cause.folder));
    }
    text
}

/// How the arms did.
fn table(results: &CampaignComparison) -> Table {
    let columns = ["runs", "median causes", "in all", "only here", "A12", "p", "crashes", "mutants"];
    let mut table = Table::new(std::iter::once(words("arm")).chain(columns.map(numbers)));
    for arm in &results.arms {
        let ranks = arm.beside_first;
        table.row([
            arm.name.clone(),
            arm.runs.len().to_string(),
            arm.median.map_or("–".to_string(), |median| trimmed(median, 1, "")),
            arm.all.to_string(),
            arm.only.to_string(),
            ranks.map_or("–".to_string(), |ranks| format!("{:.2}", ranks.a12)),
            ranks.map_or("–".to_string(), |ranks| probability(ranks.p)),
            arm.runs.iter().map(|run| run.crashes).sum::<usize>().to_string(),
            arm.runs.iter().map(|run| run.mutants).sum::<u64>().to_string(),
        ]);
    }
    table
}

/// What is to be known of the table.
fn notes(results: &CampaignComparison) -> Vec<String> {
    let unreduced: usize = results.arms.iter().flat_map(|arm| &arm.runs).map(|run| run.unreduced).sum();
    let about = "Causes are those of wrong answers, classes A and B. A12 and p compare with the first arm.";
    std::iter::once(about.to_string()).chain(not_counted(unreduced)).collect()
}

/// What is said of findings that were not reduced.
pub(super) fn not_counted(unreduced: usize) -> Option<String> {
    let said =
        || format!("Not counted: {unreduced} findings that were not reduced; --reduce-for gives them more time.");
    (unreduced > 0).then(said)
}

/// The table for a terminal.
pub fn text(results: &CampaignComparison) -> String {
    table(results).text() + &notes(results).join("\n") + "\n"
}

/// A probability in three digits.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "<.001".to_string() } else { format!("{p:.3}") }
}

/// The drawing of the counts of one arm's campaigns.
#[derive(Serialize)]
pub(super) struct Strip {
    name: String,
    options: String,
    /// Where the dots stand, from left to right, and what each says.
    dots: Vec<(f64, f64, String)>,
    median: Option<f64>,
}

fn page(plan: &CampaignPlan, results: &CampaignComparison) -> Result<String> {
    let (strips, marks) = strips(results);
    let likelihoods: Vec<Option<String>> =
        results.arms.iter().map(|arm| arm.beside_first.map(|ranks| probability(ranks.p))).collect();
    let values = context! {
        arms => Value::from(Serde(&results.arms)),
        causes => Value::from(Serde(&results.causes)),
        strips => Value::from(Serde(&strips)),
        marks => Value::from(Serde(&marks)),
        common => plan.common.join(" "),
        cpu => time_text(plan.cpu.as_secs_f64()),
        reduce => time_text(plan.reduce.as_secs_f64()),
        runs => plan.seeds.len(),
        first => plan.seeds.first(),
        p => Value::from(Serde(&likelihoods)),
    };
    html::page(&html::templates(&[("campaigns.html", PAGE)])?, "campaigns.html", values)
}

/// The drawings of all arms, and the marks of their common axis.
pub(super) fn strips(results: &CampaignComparison) -> (Vec<Strip>, Vec<(f64, String)>) {
    let most = results.arms.iter().flat_map(|arm| &arm.runs).map(|run| run.wrong).max().unwrap_or(0);
    let axis = Axis::scores(20.0, 620.0, 0, most, 10);
    let marks = axis.marks().iter().map(|mark| (axis.at(*mark), trimmed(*mark, 0, ""))).collect();
    (results.arms.iter().map(|arm| strip(arm, &axis)).collect(), marks)
}

fn strip(arm: &ArmResult, axis: &Axis) -> Strip {
    let mut level = std::collections::BTreeMap::new();
    let dots = arm.runs.iter().map(|run| {
        // Equal counts stand on each other.
        let stacked = level.entry(run.wrong).or_insert(0u32);
        let y = 46.0 - 9.0 * f64::from(*stacked).min(4.0);
        *stacked += 1;
        (axis.at(run.wrong as f64), y, format!("seed {}: {} causes, {} mutants", run.seed, run.wrong, run.mutants))
    });
    Strip {
        name: arm.name.clone(),
        options: arm.options.clone(),
        dots: dots.collect(),
        median: arm.median.map(|median| axis.at(median)),
    }
}
