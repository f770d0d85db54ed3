//! `squall doctor`: whether a campaign can start here, what is missing, and the command that installs it.

mod machine;

use crate::args::format::OutputFormat;
use crate::args::units::size_text;
use crate::exit::Exit;
use crate::render::color::{self, on_stdout};
use anyhow::Result;
use machine::{MachineFacts, MachineLimits, TerminalFacts, UsableFolder};
use serde::Serialize;

/// The minimum free disk space for an installed solver and a campaign's findings, in bytes.
const LEAST_FREE: u64 = 300 << 20;
/// The default of `--memory`, in bytes.
const SOLVER_MEMORY: u64 = 2 << 30;
/// Open files of the program itself, and per worker.
const FILES: (u64, u64) = (64, 32);
/// Processes and threads of the program itself, and per worker.
const PROCESSES: (u64, u64) = (32, 16);
/// How to install pip. A campaign with an available solver does not need it.
const GET_PIP: &str = "install Python with pip (Debian, Ubuntu: sudo apt-get install python3 python3-pip)";

/// Check what is installed, what is missing, and whether a campaign can start.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall doctor\n  squall doctor --format json\n\n\
                  Every solver that is found is started. `squall solver doctor` tests all claims of profiles about solvers.\n\n\
                  Exit codes: 0 a campaign can start, 10 something prevents it, 1 failure, 2 usage.")]
pub struct Args {
    /// The output: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// The severity of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// No problem.
    Ok,
    /// A campaign can start, with a limitation.
    Note,
    /// A campaign cannot start.
    Blocking,
}

/// One line of the report.
#[derive(Debug, Serialize)]
struct DoctorLine {
    severity: Severity,
    /// The topic.
    topic: &'static str,
    /// The result.
    found: String,
    /// What to do, usually a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// The report as JSON.
#[derive(Serialize)]
struct DoctorReport<'a> {
    version: &'static str,
    can_start: bool,
    lines: &'a [DoctorLine],
}

/// Runs the subcommand.
/// Errors: the report cannot be written as JSON.
pub fn run(args: Args) -> Result<Exit> {
    let lines = lines(&MachineFacts::gather());
    let can_start = can_start(&lines);
    match args.format {
        OutputFormat::Text => print!("{}", text(&lines)),
        OutputFormat::Json => {
            let report = DoctorReport { version: crate::build::WORDS, can_start, lines: &lines };
            println!("{}", serde_json::to_string(&report)?);
        }
    }
    Ok(if can_start { Exit::Clean } else { Exit::Found })
}

fn can_start(lines: &[DoctorLine]) -> bool {
    lines.iter().all(|line| line.severity != Severity::Blocking)
}

fn text(lines: &[DoctorLine]) -> String {
    let mut text = format!("squall {}\n", crate::build::WORDS);
    for DoctorLine { severity, topic, found, remedy } in lines {
        let (style, mark) = match severity {
            Severity::Ok => (color::GOOD, "ok  "),
            Severity::Note => (color::DOUBTFUL, "note"),
            Severity::Blocking => (color::BAD, "NO  "),
        };
        text.push_str(&format!("  {}  {topic:<15}  {found}\n", on_stdout(style, mark)));
        text.push_str(&remedy.as_ref().map_or_else(String::new, |remedy| format!("{:25}-> {remedy}\n", "")));
    }
    text.push_str(match can_start(lines) {
        true => "A campaign can start: squall fuzz --solver z3@4.8.7 --for 60s\n",
        false => "A campaign cannot start before the lines marked NO are fixed.\n",
    });
    text
}

/// Returns the consequences of the facts for a campaign.
fn lines(facts: &MachineFacts) -> Vec<DoctorLine> {
    let mut lines = solvers(facts);
    lines.push(cache(facts));
    lines.push(match &facts.work {
        Ok(folder) => room("this folder", folder, Severity::Blocking, "change to a writable folder, or give --out DIR"),
        Err(why) => line(Severity::Blocking, "this folder", why, Some("change to a folder that exists")),
    });
    lines.extend(limits(&facts.limits));
    lines.push(terminal(&facts.terminal));
    lines
}

fn line(severity: Severity, topic: &'static str, found: impl Into<String>, remedy: Option<&str>) -> DoctorLine {
    DoctorLine { severity, topic, found: found.into(), remedy: remedy.map(str::to_string) }
}

/// Returns the solvers, and whether others can be installed.
fn solvers(facts: &MachineFacts) -> Vec<DoctorLine> {
    let tried = match &facts.solvers {
        Ok(tried) => tried,
        Err(why) => {
            return vec![line(Severity::Blocking, "profiles", why, Some("fix or remove the named file"))];
        }
    };
    let mut lines: Vec<DoctorLine> = tried
        .iter()
        .map(|solver| match &solver.verdict {
            Ok(origin) => line(Severity::Ok, "solver", format!("{} starts ({origin})", solver.label), None),
            Err(seen) => {
                let found = format!("{} does not work: {seen}", solver.label);
                let label = &solver.label;
                let again = format!("squall solver remove {label} && squall solver install {label}");
                line(Severity::Note, "solver", found, solver.is_installed.then_some(again.as_str()))
            }
        })
        .collect();
    let works = tried.iter().any(|solver| solver.verdict.is_ok());
    let install = "squall solver install z3@latest";
    match (&facts.pip, works) {
        (Ok(_), true) => {}
        (Ok(_), false) => lines.push(line(
            Severity::Note,
            "solver",
            "none is available; --solver z3@4.8.7 installs it",
            Some(install),
        )),
        (Err(_), true) => {}
        (Err(_), false) => {
            let remedy = format!("{GET_PIP}, then {install}; or name a program: --solver ./z3");
            lines.push(line(
                Severity::Blocking,
                "solver",
                "none is available, and none can be installed",
                Some(&remedy),
            ));
        }
    }
    lines.push(match &facts.pip {
        Ok(found) => line(Severity::Ok, "pip", found, None),
        Err(why) => line(Severity::Note, "pip", why, Some(GET_PIP)),
    });
    lines
}

fn cache(facts: &MachineFacts) -> DoctorLine {
    let works = facts.solvers.as_ref().is_ok_and(|tried| tried.iter().any(|solver| solver.verdict.is_ok()));
    // With an available solver, nothing needs to be installed.
    let severity = if works { Severity::Note } else { Severity::Blocking };
    match &facts.cache {
        Ok(folder) => room("solvers' folder", folder, severity, "set SQUALL_CACHE to a folder with more space"),
        Err(why) => line(severity, "solvers' folder", why, Some("set SQUALL_CACHE to a folder")),
    }
}

/// Checks that a folder is writable and has space; `refused` is the severity if it is not writable.
fn room(topic: &'static str, folder: &UsableFolder, refused: Severity, remedy: &str) -> DoctorLine {
    let UsableFolder { path, free, refused: why } = folder;
    let free_text = format!("{} free", size_text(*free));
    match why {
        Some(why) => line(refused, topic, format!("{}: not writable: {why}", path.display()), Some(remedy)),
        None if *free < LEAST_FREE => {
            line(Severity::Note, topic, format!("{}: only {free_text}", path.display()), Some(remedy))
        }
        None => line(Severity::Ok, topic, format!("{}: {free_text}", path.display()), None),
    }
}

fn limits(limits: &MachineLimits) -> Vec<DoctorLine> {
    let workers = limits.cores as u64;
    let bound = |topic: &'static str, limit: Option<u64>, (own, each): (u64, u64), option: &str| {
        let needed = own + each * workers;
        match limit {
            None => line(Severity::Ok, topic, "no limit", None),
            Some(limit) if limit >= needed => line(Severity::Ok, topic, format!("{limit} allowed"), None),
            Some(limit) => {
                let found = format!("{limit} allowed; {workers} workers may need {needed}");
                line(Severity::Note, topic, found, Some(&format!("ulimit {option} {needed}, or fewer workers: --jobs")))
            }
        }
    };
    let memory = match limits.memory {
        None => line(Severity::Ok, "memory", "unknown", None),
        Some(free) if free / SOLVER_MEMORY >= workers => {
            line(Severity::Ok, "memory", format!("{} available", size_text(free)), None)
        }
        Some(free) => {
            let found = format!(
                "{} available; {workers} workers with solvers of {} each may need more",
                size_text(free),
                size_text(SOLVER_MEMORY)
            );
            let remedy = format!("--jobs {}, or less for each solver: --memory 512MiB", (free / SOLVER_MEMORY).max(1));
            line(Severity::Note, "memory", found, Some(&remedy))
        }
    };
    vec![
        line(Severity::Ok, "processors", workers.to_string(), None),
        memory,
        bound("open files", limits.open_files, FILES, "-n"),
        bound("processes", limits.processes, PROCESSES, "-u"),
    ]
}

fn terminal(facts: &TerminalFacts) -> DoctorLine {
    let size = facts.size.map_or_else(String::new, |(columns, lines)| format!(" of {columns} x {lines}"));
    let found = match (facts.has_live_screen, facts.has_progress) {
        (true, _) => format!("campaigns show the live screen{size}"),
        (false, true) => "campaigns show a status line; standard input and output are not terminals".to_string(),
        (false, false) => "none; campaigns print plain lines".to_string(),
    };
    line(Severity::Ok, "terminal", found, None)
}

#[cfg(test)]
#[path = "../../tests/unit/doctor.rs"]
mod tests;
