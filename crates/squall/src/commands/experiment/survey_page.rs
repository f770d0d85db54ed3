//! A survey written down: text for a terminal, a page with plots, and the numbers as CSV, Markdown and JSON.

use super::page;
use crate::args::units::time_text;
use crate::render::csv::cell;
use crate::render::report_files::FindingLink;
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::campaigns::comparison::FinishedRun;
use ::experiment::campaigns::plan::CampaignPlan;
use ::experiment::survey::arms::{SurveyArm, SurveyMode};
use ::experiment::survey::causes::{SurveyCause, SurveyResults};
use anyhow::Result;
use finding::BugClass;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = include_str!("templates/survey.html.j2");
/// The classes, the most important first.
const CLASSES: [BugClass; 5] = [BugClass::A, BugClass::B, BugClass::D, BugClass::E, BugClass::C];

/// What one solver, mode and logic came to.
#[derive(Serialize)]
struct SurveyedArm {
    #[serde(flatten)]
    arm: SurveyArm,
    runs: usize,
    mutants: u64,
    cpu_s: f64,
    /// Causes by class, as in `CLASSES`.
    causes: [usize; CLASSES.len()],
    unreduced: usize,
}

/// All results of a survey.
#[derive(Serialize)]
pub struct SurveyReport {
    common: Vec<String>,
    cpu_s: f64,
    arms: Vec<SurveyedArm>,
    results: SurveyResults,
}

impl SurveyReport {
    /// The results of the campaigns that came to their end.
    pub fn new(
        plan: &CampaignPlan,
        arms: &[SurveyArm],
        finished: &[FinishedRun],
        results: SurveyResults,
    ) -> SurveyReport {
        let arm = |(n, arm): (usize, &SurveyArm)| {
            let own: Vec<&FinishedRun> = finished.iter().filter(|one| one.run.arm == n).collect();
            let of_class = |class| results.causes.iter().filter(|c| c.class == class && c.arms.contains(&n)).count();
            SurveyedArm {
                arm: arm.clone(),
                runs: own.len(),
                mutants: own.iter().map(|one| one.record.mutants).sum(),
                cpu_s: own.iter().map(|one| one.record.cpu_s).sum(),
                causes: CLASSES.map(of_class),
                unreduced: results.unreduced[n],
            }
        };
        let arms = arms.iter().enumerate().map(arm).collect();
        SurveyReport { common: plan.common.clone(), cpu_s: plan.cpu.as_secs_f64(), arms, results }
    }

    /// What is wrong with findings that cannot be read.
    pub fn damaged(&self) -> &[String] {
        &self.results.damaged
    }

    /// The different values of the arms that found a cause, with commas between them.
    fn of_arms(&self, cause: &SurveyCause, value: impl Fn(&SurveyArm) -> &str) -> String {
        let values: BTreeSet<&str> = cause.arms.iter().map(|&arm| value(&self.arms[arm].arm)).collect();
        values.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// The cells of a cause: state, class, solvers, modes, logics, first bad and first good release, and what it is about.
    fn cells(&self, cause: &SurveyCause) -> [String; 8] {
        [
            cause.state.word().to_string(),
            cause.class.to_string(),
            self.of_arms(cause, |arm| &arm.solver),
            self.of_arms(cause, |arm| arm.mode.word()),
            self.of_arms(cause, |arm| &arm.logic),
            cause.first_bad.clone().unwrap_or_default(),
            cause.first_good.clone().unwrap_or_default(),
            cause.about.clone(),
        ]
    }
}

/// The columns of the table of causes.
const COLUMNS: [&str; 8] = ["State", "Class", "Solvers", "Modes", "Logics", "First bad", "First good", "About"];

/// Writes index.html, causes.csv, campaigns.csv, figures.md and results.json.
///
/// # Errors
/// A file cannot be written.
pub fn write(out: &Path, report: &SurveyReport) -> Result<()> {
    let json = serde_json::json!({ "build": crate::build::here(), "survey": report });
    let files = [
        ("causes.csv", causes(report)),
        ("campaigns.csv", campaigns(report)),
        (figures::FILE, figures(report)),
        ("results.json", report_files::json(&json)?),
        ("index.html", html_page(out, report)?),
    ];
    report_files::write(out, files)
}

/// One row a cause.
fn causes(report: &SurveyReport) -> String {
    let mut text = String::from("state,class,solvers,modes,logics,first_bad,first_good,about,bytes,folder\n");
    for cause in &report.results.causes {
        let cells: Vec<String> = report.cells(cause).iter().map(|text| cell(text)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{},{}", cells.join(","), cause.bytes, cell(&cause.folder));
    }
    text
}

/// One row a solver, mode and logic.
fn campaigns(report: &SurveyReport) -> String {
    let classes = CLASSES.map(|class| class.to_string()).join(",");
    let mut text = format!("solver,mode,logic,runs,mutants,cpu_s,{classes},unreduced\n");
    for arm in &report.arms {
        let counts = arm.causes.map(|count| count.to_string()).join(",");
        let (solver, mode, logic) = (cell(&arm.arm.solver), arm.arm.mode.word(), cell(&arm.arm.logic));
        let _ = writeln!(
            text,
            "{solver},{mode},{logic},{},{},{:.3},{counts},{}",
            arm.runs, arm.mutants, arm.cpu_s, arm.unreduced
        );
    }
    text
}

/// The table of causes.
fn cause_table(report: &SurveyReport) -> Table {
    let mut table = Table::new(COLUMNS.map(words));
    for cause in &report.results.causes {
        table.row(report.cells(cause));
    }
    table
}

/// The table of solvers, modes and logics.
fn arm_table(report: &SurveyReport) -> Table {
    let classes = CLASSES.map(|class| numbers(class.to_string()));
    let columns = [words("solver"), words("mode"), words("logic"), numbers("mutants")].into_iter().chain(classes);
    let mut table = Table::new(columns.chain([numbers("not reduced")]));
    for arm in &report.arms {
        let of = [arm.arm.solver.clone(), arm.arm.mode.word().to_string(), arm.arm.logic.clone()];
        let counts = arm.causes.iter().chain([&arm.unreduced]).map(ToString::to_string);
        table.row(of.into_iter().chain([arm.mutants.to_string()]).chain(counts));
    }
    table
}

/// How much was found.
fn notes(report: &SurveyReport) -> Vec<String> {
    let unknown = report.results.causes.iter().filter(|cause| cause.state.word() == "unknown").count();
    let mutants: u64 = report.arms.iter().map(|arm| arm.mutants).sum();
    let (all, arms) = (report.results.causes.len(), report.arms.len());
    let sum = format!("{all} causes, {unknown} of them unknown, of {mutants} mutants in {arms} campaigns.");
    std::iter::once(sum).chain(page::not_counted(report.results.unreduced.iter().sum())).collect()
}

/// The table for a terminal.
pub fn text(report: &SurveyReport) -> String {
    cause_table(report).text() + &notes(report).join("\n") + "\n"
}

/// The tables for the documentation.
fn figures(report: &SurveyReport) -> String {
    figures::text([cause_table(report).markdown(), notes(report).join("\n"), arm_table(report).markdown()])
}

/// A figure of a solver: its causes by logic and mode.
#[derive(Serialize)]
struct SurveyGrid {
    solver: String,
    modes: Vec<&'static str>,
    /// The logic, and for each mode the class of each cause; none where there was no campaign.
    rows: Vec<(String, Vec<Option<Vec<String>>>)>,
}

fn html_page(out: &Path, report: &SurveyReport) -> Result<String> {
    let mut solvers: Vec<&str> = Vec::new();
    for arm in &report.arms {
        if !solvers.contains(&arm.arm.solver.as_str()) {
            solvers.push(&arm.arm.solver);
        }
    }
    let grids: Vec<SurveyGrid> = solvers.iter().map(|solver| grid(report, solver)).collect();
    let row = |cause: &SurveyCause| (report.cells(cause), FindingLink::new(out, &cause.folder));
    let rows: Vec<([String; 8], FindingLink)> = report.results.causes.iter().map(row).collect();
    let values = context! {
        grids => Value::from(Serde(&grids)),
        rows => Value::from(Serde(&rows)),
        columns => COLUMNS.to_vec(),
        arms => Value::from(Serde(&report.arms)),
        classes => CLASSES.map(|class| class.to_string()).to_vec(),
        cpu => time_text(report.cpu_s),
        common => report.common.join(" "),
        unreduced => report.results.unreduced.iter().sum::<usize>(),
    };
    html::page(&html::templates(&[("survey.html", PAGE)])?, "survey.html", values)
}

fn grid(report: &SurveyReport, solver: &str) -> SurveyGrid {
    let own: Vec<(usize, &SurveyArm)> =
        report.arms.iter().map(|arm| &arm.arm).enumerate().filter(|(_, arm)| arm.solver == solver).collect();
    let modes: Vec<SurveyMode> =
        SurveyMode::ALL.into_iter().filter(|mode| own.iter().any(|(_, arm)| arm.mode == *mode)).collect();
    let mut logics: Vec<&str> = Vec::new();
    for (_, arm) in &own {
        if !logics.contains(&arm.logic.as_str()) {
            logics.push(&arm.logic);
        }
    }
    let classes = |logic: &str, mode: SurveyMode| -> Option<Vec<String>> {
        let (n, _) = own.iter().find(|(_, arm)| arm.mode == mode && arm.logic == logic)?;
        let mut found: Vec<BugClass> =
            report.results.causes.iter().filter(|cause| cause.arms.contains(n)).map(|cause| cause.class).collect();
        found.sort_unstable();
        Some(found.iter().map(ToString::to_string).collect())
    };
    let row = |logic: &&str| ((*logic).to_string(), modes.iter().map(|mode| classes(logic, *mode)).collect());
    SurveyGrid {
        solver: solver.to_string(),
        modes: modes.iter().map(|mode| mode.word()).collect(),
        rows: logics.iter().map(row).collect(),
    }
}
