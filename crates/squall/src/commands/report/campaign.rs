//! A campaign's data for the page: counts, lines over time, answers, mutators, logics.

use crate::args::units::time_text;
use crate::render::date;
use crate::render::plot::{Plot, PlotSeries, short};
use crate::render::say::counted;
use ::finding::{BugClass, CauseCount};
use ::fuzz::counts::answer_counts::Cell;
use ::fuzz::persist::history::{CampaignRun, RunHistory};
use serde::Serialize;
use std::collections::BTreeMap;
use triage::folder::{CampaignFindings, CauseGroup};

/// Answers in the order they are shown, with the counted words of each.
const ANSWERS: [(&str, &str, &[&str]); 5] = [
    ("sat", "sat", &["sat"]),
    ("unsat", "unsat", &["unsat"]),
    ("unknown", "unknown", &["unknown"]),
    ("limit", "limit reached", &["timeout", "memout", "outputout"]),
    ("error", "error or crash", &["void", "missing", "crashed"]),
];

/// The contents of a campaign's folder.
pub struct ReportedCampaign {
    /// Its findings.
    pub found: CampaignFindings,
    /// The statistics of its runs.
    pub history: RunHistory,
}

/// A number with its label.
#[derive(Debug, Serialize)]
pub struct Tile {
    value: String,
    label: &'static str,
}

/// A part of a bar, in percent.
#[derive(Debug, Serialize)]
pub struct BarPart {
    tone: &'static str,
    label: &'static str,
    count: String,
    from: f64,
    width: f64,
}

/// The numbers of one solver, mutator or logic.
#[derive(Debug, Serialize)]
pub struct YieldRow {
    name: String,
    scripts: String,
    checks: String,
    answered: String,
    findings: usize,
    rate: String,
    parts: Vec<BarPart>,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct RunRow {
    began: String,
    solvers: String,
    seed: u64,
    jobs: usize,
    hours: String,
    mutants: String,
    end: &'static str,
}

/// Returns the main numbers.
pub fn tiles(out: &ReportedCampaign, count: CauseCount) -> Vec<Tile> {
    let last = |f: fn(&::fuzz::persist::history::HistoryPoint) -> f64| -> f64 {
        out.history.runs.iter().filter_map(|run| run.points.last()).map(f).sum()
    };
    let mutants = last(|p| p.mutants as f64);
    let cpu = last(|p| p.cpu_s);
    let solver = last(|p| p.solver_cpu_s);
    let mut tiles = vec![
        Tile { value: count.to_string(), label: "of findings" },
        Tile { value: out.found.findings.len().to_string(), label: "findings kept" },
    ];
    if mutants > 0.0 {
        tiles.push(Tile { value: short(mutants), label: "mutants sent" });
        tiles.push(Tile { value: time_text(cpu.round()), label: "of CPU time" });
        tiles.push(Tile { value: short((mutants / cpu.max(1e-9)).round()), label: "mutants per CPU second" });
        tiles.push(Tile { value: format!("{:.0} %", 100.0 * solver / cpu.max(1e-9)), label: "of it in solvers" });
    }
    tiles
}

/// Seconds of work before a time, without pauses between runs.
fn worked_until(runs: &[CampaignRun], moment: u64) -> f64 {
    let length = |run: &CampaignRun| run.points.last().map_or(0.0, |p| p.wall_s);
    let mut before = 0.0;
    for (n, run) in runs.iter().enumerate() {
        let is_last = runs.get(n + 1).is_none_or(|next| next.started_at > moment);
        if is_last {
            return before + (moment.saturating_sub(run.started_at) as f64).min(length(run).max(0.0));
        }
        before += length(run);
    }
    before
}

/// Plots over time: causes by class, and throughput if there are statistics. Without statistics the time runs from the first
/// finding to the last.
pub fn plots(out: &ReportedCampaign, groups: &[CauseGroup<'_>]) -> Vec<Plot> {
    let runs = &out.history.runs;
    let worked: f64 = runs.iter().filter_map(|run| run.points.last()).map(|p| p.wall_s).sum();
    let moments = || out.found.findings.iter().map(|f| f.finding.found_at);
    let (first, last) = (moments().min().unwrap_or(0), moments().max().unwrap_or(0));
    let has_history = worked > 0.0;
    let total = if has_history { worked } else { last.saturating_sub(first) as f64 };
    if total <= 0.0 {
        return Vec::new();
    }
    let at = |moment: u64| match has_history {
        true => worked_until(runs, moment),
        false => moment.saturating_sub(first) as f64,
    };
    let mut plots = Vec::new();
    let mut by_class: BTreeMap<BugClass, Vec<(f64, String)>> = BTreeMap::new();
    for (n, group) in groups.iter().enumerate() {
        // The first finding of a cause finds the cause.
        let Some(found) = group.members.iter().map(|member| member.finding.found_at).min() else { continue };
        let text = format!("{}. {}", n + 1, group.about());
        by_class.entry(group.best().finding.class).or_default().push((at(found), text));
    }
    let series: Vec<PlotSeries> = by_class
        .into_iter()
        .map(|(class, mut found)| {
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut points = vec![(0.0, 0.0)];
            points.extend(found.iter().enumerate().map(|(n, (at, _))| (*at, (n + 1) as f64)));
            points.push((total, found.len() as f64));
            let steps = Some(found.into_iter().map(|(_, text)| text).collect());
            PlotSeries { tone: class.to_string(), label: format!("class {class}"), points, steps }
        })
        .collect();
    if !series.is_empty() {
        let words = format!("{} in {}", counted(groups.len(), "cause"), time_text(total.round()));
        plots.push(Plot::over_time("Causes found, by class", words, total, &series));
    }
    let rates = throughput(runs);
    if rates.len() > 1 {
        let mean = rates.iter().map(|r| r.1).sum::<f64>() / rates.len() as f64;
        let words = format!("about {} mutants a second", short(mean.round()));
        let line = PlotSeries { tone: "main".to_string(), label: "mutants".to_string(), points: rates, steps: None };
        plots.push(Plot::over_time("Mutants sent per second", words, total, &[line]));
    }
    plots
}

/// Mutants per second between successive points, over all runs in order.
fn throughput(runs: &[CampaignRun]) -> Vec<(f64, f64)> {
    let mut rates = Vec::new();
    let mut before = 0.0;
    for run in runs {
        for pair in run.points.windows(2) {
            let seconds = pair[1].wall_s - pair[0].wall_s;
            // The end comes right after a point; the rate over so short a time means nothing.
            if seconds > 0.5 {
                let mutants = pair[1].mutants.saturating_sub(pair[0].mutants) as f64;
                rates.push((before + pair[1].wall_s, mutants / seconds));
            }
        }
        before += run.points.last().map_or(0.0, |p| p.wall_s);
    }
    rates
}

/// Answers by solver, mutator and logic.
pub struct Tables {
    /// By solver.
    pub solvers: Vec<YieldRow>,
    /// By mutator.
    pub mutators: Vec<YieldRow>,
    /// By logic.
    pub logics: Vec<YieldRow>,
}

/// Returns the tables of a campaign; empty without statistics.
pub fn tables(out: &ReportedCampaign) -> Tables {
    let cells = out.history.cells();
    let total: u64 = cells.values().map(|c| c.scripts).sum();
    let (mut solvers, mut mutators, mut logics) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (key, cell) in &cells {
        let add = |map: &mut BTreeMap<String, Cell>, name: &str| map.entry(name.to_string()).or_default().add(cell);
        add(&mut solvers, &key.solver);
        add(&mut mutators, &key.mutator);
        add(&mut logics, if key.logic.is_empty() { "none set" } else { &key.logic });
    }
    let by_mutator = |name: &str| {
        let of = |f: &triage::folder::Triaged| f.finding.mutator.as_ref().map_or("seed", |m| m.name.as_str()) == name;
        out.found.findings.iter().filter(|f| of(f)).count()
    };
    let by_solver = |name: &str| out.found.findings.iter().filter(|f| f.finding.solver.label == name).count();
    // By the seed's logic, as scripts are counted: a mutant may have another logic, or none.
    let by_logic = |name: &str| {
        let of = |f: &triage::folder::Triaged| {
            let seed = f.finding.seed.as_ref();
            let logic = seed.and_then(|seed| seed.logic.as_deref().or_else(|| logic_of(&f.mutant)));
            logic.filter(|logic| !logic.is_empty()).unwrap_or("none set") == name
        };
        out.found.findings.iter().filter(|f| of(f)).count()
    };
    let mut tables = Tables {
        solvers: rows(solvers, by_solver, parts),
        mutators: rows(mutators, by_mutator, |cell| share(cell.scripts, total)),
        logics: rows(logics, by_logic, parts),
    };
    for row in &mut tables.mutators {
        if row.name == "seed" {
            row.name = "none: seeds as they are".to_string();
        }
    }
    tables
}

/// Returns the logic of a script.
fn logic_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("(set-logic ")?;
    Some(rest.split([')', ' ', '\n']).next().unwrap_or(rest))
}

/// Returns the rows of a table, the largest first.
fn rows(
    cells: BTreeMap<String, Cell>,
    findings: impl Fn(&str) -> usize,
    parts: impl Fn(&Cell) -> Vec<BarPart>,
) -> Vec<YieldRow> {
    let mut list: Vec<(String, Cell)> = cells.into_iter().collect();
    list.sort_by(|a, b| b.1.scripts.cmp(&a.1.scripts).then(a.0.cmp(&b.0)));
    list.into_iter()
        .map(|(name, cell)| {
            let findings = findings(&name);
            let definite: u64 = ["sat", "unsat", "unknown"].iter().filter_map(|w| cell.answers.get(*w)).sum();
            let checks: u64 = cell.answers.values().sum();
            YieldRow {
                findings,
                rate: short(1e4 * findings as f64 / (cell.scripts as f64).max(1.0)),
                scripts: short(cell.scripts as f64),
                checks: short(checks as f64),
                answered: format!("{:.0} %", 100.0 * definite as f64 / (checks as f64).max(1.0)),
                parts: parts(&cell),
                name,
            }
        })
        .collect()
}

/// Answers as parts of a bar.
fn parts(cell: &Cell) -> Vec<BarPart> {
    let all: u64 = cell.answers.values().sum();
    let mut from = 0.0;
    let mut list = Vec::new();
    for (tone, label, words) in ANSWERS {
        let count: u64 = words.iter().filter_map(|word| cell.answers.get(*word)).sum();
        if count > 0 {
            let width = 100.0 * count as f64 / all as f64;
            list.push(BarPart { tone, label, count: short(count as f64), from, width });
            from += width;
        }
    }
    list
}

fn share(part: u64, whole: u64) -> Vec<BarPart> {
    let width = 100.0 * part as f64 / (whole as f64).max(1.0);
    vec![BarPart { tone: "main", label: "scripts", count: short(part as f64), from: 0.0, width }]
}

/// Describes how many seeds were covered.
pub fn seeds_note(out: &ReportedCampaign) -> String {
    let Some(run) = out.history.runs.iter().max_by_key(|run| run.seeds_sent) else { return String::new() };
    if run.seeds == 0 {
        return "Without seeds: all problems were generated.".to_string();
    }
    let skipped = match run.seeds_skipped {
        0 => String::new(),
        n => format!("; {n} gave no answer with at least one solver and were skipped"),
    };
    format!("{} of {} seeds were sent at least once{skipped}.", run.seeds_sent, run.seeds)
}

/// Returns the runs, the first one first.
pub fn runs(out: &ReportedCampaign) -> Vec<RunRow> {
    let row = |run: &CampaignRun| RunRow {
        began: date::utc(run.started_at),
        solvers: run.solvers.join(", "),
        seed: run.seed,
        jobs: run.jobs,
        hours: format!("{:.2}", run.points.last().map_or(0.0, |p| p.wall_s) / 3600.0),
        mutants: short(run.points.last().map_or(0.0, |p| p.mutants as f64)),
        end: if run.ended { "ended" } else { "killed, or still running" },
    };
    out.history.runs.iter().map(row).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/campaign.rs"]
mod tests;
