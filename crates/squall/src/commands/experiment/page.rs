//! The results of a comparison of campaigns.

use crate::args::units::time_text;
use crate::render::axes::{Axis, Join, trimmed};
use crate::render::plot::{Plot, PlotFrame};
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::campaigns::comparison::{ArmResult, CampaignComparison};
use ::experiment::campaigns::plan::CampaignPlan;
use anyhow::Result;

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(plan: &CampaignPlan, results: &CampaignComparison) -> Result<()> {
    let json = serde_json::json!({
        "common": plan.common,
        "cpu_s": plan.cpu.as_secs_f64(),
        "reduce_s": plan.reduce.as_secs_f64(),
        "results": results,
    });
    let tables = [("runs.csv", runs(results)), ("causes.csv", causes(results).1)];
    report(plan, results).publish(&plan.out, json, &tables)
}

fn report(plan: &CampaignPlan, results: &CampaignComparison) -> Results {
    let (cpu, reduce) = (time_text(plan.cpu.as_secs_f64()), time_text(plan.reduce.as_secs_f64()));
    let about = format!(
        "Each arm ran {} (campaign seeds from {}) of {cpu} of CPU time each, including solvers, with one worker; afterwards the findings of each \
         were reduced for at most {reduce}. All arms: `squall fuzz {}`. Counted are causes of wrong answers (classes A and B) that are \
         distinguished when the findings of all campaigns lie together; a cause counts once in a run.",
        counted(plan.seeds.len(), "campaign"),
        plan.seeds.first().copied().unwrap_or_default(),
        plan.common.join(" ")
    );
    let mut report = Results::new("Campaigns compared", about);
    report.heading(Shown::Page, "Causes per run");
    report.plots(strips(results));
    report.note(Shown::Page, "One dot per campaign; the line is the median.");
    report.heading(Shown::Page, "Arms");
    report.sheet(Shown::Everywhere, arms(results));
    report.note(Shown::Everywhere, "Causes of wrong answers, classes A and B. A12 and p compare with the first arm.");
    let unreduced = results.arms.iter().flat_map(|arm| &arm.runs).map(|run| run.unreduced).sum();
    report.notes(Shown::Everywhere, not_counted(unreduced));
    report.note(
        Shown::Page,
        "A12 (Vargha and Delaney): the probability that a run of this arm finds more causes than one of the first arm, equal numbers count half. p: \
         the two-sided Mann-Whitney U test against the first arm, exact.",
    );
    report.heading(Shown::Page, "Causes");
    report.sheet(Shown::Page, causes(results).0);
    report.note(Shown::Page, "The number of campaigns that found the cause.");
    report
}

/// Returns one row per campaign.
fn runs(results: &CampaignComparison) -> Sheet {
    let mut sheet = Sheet::of("arm,seed,wrong,wrong_unsat,crashes,unreduced,mutants,cpu_s,timeouts", []);
    for arm in &results.arms {
        for r in &arm.runs {
            let found = cells![&arm.name, r.seed, r.wrong, r.wrong_unsat, r.crashes, r.unreduced];
            sheet.row(found.into_iter().chain(cells![r.mutants, SheetCell::seconds(r.cpu_s), r.timeouts]));
        }
    }
    sheet
}

/// One row per cause, with the number of campaigns of each arm that found it, for people and for programs.
fn causes(results: &CampaignComparison) -> (Sheet, Sheet) {
    let names = || results.arms.iter().map(|arm| arm.name.as_str());
    let mut shown = Sheet::new([words("class"), words("cause")].into_iter().chain(names().map(numbers)));
    let mut raw = Sheet::of("class,about", names().chain(["folder"]));
    for cause in &results.causes {
        let row = || cells![cause.class, &cause.about].into_iter().chain(cause.runs.iter().map(|&count| count.into()));
        shown.row(row());
        raw.row(row().chain(cells![&cause.folder]));
    }
    (shown, raw)
}

/// Returns one row per arm.
fn arms(results: &CampaignComparison) -> Sheet {
    let columns = ["runs", "median causes", "in all", "only here", "A12", "p", "crashes", "mutants"];
    let mut sheet = Sheet::new(std::iter::once(words("arm")).chain(columns.map(numbers)));
    for arm in &results.arms {
        let crashes = arm.runs.iter().map(|run| run.crashes).sum::<usize>();
        let mutants = arm.runs.iter().map(|run| run.mutants).sum::<u64>();
        let [median, a12, p] = ranks(arm);
        sheet.row(cells![&arm.name, arm.runs.len(), median, arm.all, arm.only, a12, p, crashes, mutants]);
    }
    sheet
}

/// Returns the median of an arm, and its comparison with the first arm: A12 and p.
fn ranks(arm: &ArmResult) -> [SheetCell; 3] {
    let probability = |p: f64| if p < 0.001 { "<.001".to_string() } else { format!("{p:.3}") };
    [
        arm.median.map(|median| SheetCell::number(median, 1)).into(),
        arm.beside_first.map(|ranks| format!("{:.2}", ranks.a12)).into(),
        arm.beside_first.map(|ranks| probability(ranks.p)).into(),
    ]
}

/// Returns a note about findings that were not reduced.
fn not_counted(unreduced: usize) -> Option<String> {
    let said =
        || format!("Not counted: {unreduced} findings that were not reduced; --reduce-for gives them more time.");
    (unreduced > 0).then(said)
}

/// Returns the plots of the counts of all arms, on one axis, with one note each.
fn strips(results: &CampaignComparison) -> Vec<Plot> {
    let most = results.arms.iter().flat_map(|arm| &arm.runs).map(|run| run.wrong).max().unwrap_or(0);
    let axis = Axis::scores(PlotFrame::STRIP.across(), 0, most, 10);
    let strip = |arm: &ArmResult| {
        let mut plot = Plot::framed(&arm.name, "causes of wrong answers per run", PlotFrame::STRIP);
        plot.columns(&axis, |mark| trimmed(mark, 0, ""), "");
        if let Some(at) = arm.median.map(|median| axis.at(median)) {
            plot.line("A", [(at, 4.0), (at, 56.0)], Join::Straight);
        }
        let mut level = std::collections::BTreeMap::new();
        for run in &arm.runs {
            // Equal counts are stacked.
            let stacked = level.entry(run.wrong).or_insert(0u32);
            let y = 46.0 - 9.0 * f64::from(*stacked).min(4.0);
            *stacked += 1;
            let said = format!("seed {}: {} causes, {} mutants", run.seed, run.wrong, run.mutants);
            plot.dot("main", (axis.at(run.wrong as f64), y), said);
        }
        plot.note(if arm.options.is_empty() { "no options".to_string() } else { arm.options.clone() });
        plot
    };
    results.arms.iter().map(strip).collect()
}
