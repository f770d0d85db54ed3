//! `squall experiment cover --map`: makes the map from functions to what executes them, and looks functions up.

use crate::args::focus::{in_words, listed};
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, numbers, words};
use ::experiment::coverage::focus::{CoverageFocus, SourcePlace};
use ::experiment::coverage::map::{FunctionMap, InputKind, MAX_SCRIPTS};
use ::experiment::coverage::mapping::{self, MapPlan};
use ::experiment::coverage::run::MeasuredBuild;
use ::solver::coverage::CoverageUnit;
use ::solver::process::CancelToken;
use anyhow::Result;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The maximum number of inputs shown for a lookup.
const SHOWN: usize = 20;

/// The map of a build.
#[derive(clap::Args)]
#[command(next_help_heading = "Map")]
pub struct MapArgs {
    /// Instead of curves, write the map from functions to the seeds, themes, mutators and options that execute them. If
    /// FILE is a map of the same build, only what it lacks is run; a map of another build is replaced.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// The number of scripts for each theme and mutator of the map, at most 35.
    #[arg(long, value_name = "N", default_value = "10", requires = "map")]
    pub per: NonZeroU32,
    /// Only read the map: print what executes a function, given by name or as FILE:LINE or FILE:LINE-LINE. May be repeated.
    #[arg(long, value_name = "PLACE", requires = "map")]
    pub of: Vec<SourcePlace>,
}

/// Makes a map, and writes it.
/// Errors: the build cannot be run, its counters cannot be read, or the file cannot be written.
pub fn make(path: &Path, mut plan: MapPlan, measured: &mut MeasuredBuild, cancel: &CancelToken) -> Result<Exit> {
    plan.per = plan.per.min(MAX_SCRIPTS);
    if measured.items()?.count(CoverageUnit::Function) == 0 {
        usage!(
            "--map needs a build that counts functions: compile it with --coverage, or with clang's source coverage"
        );
    }
    if path.exists() {
        plan.older = Some(FunctionMap::read(path)?);
    }
    let line = ProgressLine::steps("inputs", plan.inputs());
    let made = mapping::make(&plan, measured, cancel, &|inputs| line.advance(inputs));
    drop(line);
    let Some(map) = made? else {
        eprintln!("squall: stopped before the end; the map was not written");
        return Ok(Exit::Unfinished);
    };
    map.write(path)?;
    let executed = map.functions.iter().filter(|function| map.is_executed(function)).count();
    let of_kind = |kind, what| counted(map.inputs.iter().filter(|input| input.kind == kind).count(), what);
    println!(
        "{}: {}, {executed} of them executed by {}, {}, {} or {}",
        path.display(),
        counted(map.functions.len(), "function"),
        of_kind(InputKind::Seed, "seed"),
        of_kind(InputKind::Theme, "theme"),
        of_kind(InputKind::Mutator, "mutator"),
        of_kind(InputKind::Option, "option"),
    );
    Ok(Exit::Clean)
}

/// Prints what executes the functions of some places.
/// Errors: the map cannot be read.
pub fn look_up(path: &Path, places: &[SourcePlace]) -> Result<Exit> {
    let map = FunctionMap::read(path)?;
    let focus = CoverageFocus::of(&map, places);
    focus.unknown.iter().for_each(|place| eprintln!("squall: the map has no function at '{place}'"));
    if !focus.idle.is_empty() {
        println!("No input of the map executes {}.", listed(&focus.idle));
    }
    if !focus.executed.is_empty() {
        println!("{}: {}", listed(&focus.executed), in_words(&focus));
        let mut sheet = Sheet::new([words("Executed by"), words("Name"), numbers("Score")]);
        for one in focus.inputs.iter().take(SHOWN) {
            let kind = format!("{:?}", one.input.kind).to_lowercase();
            sheet.row([kind.into(), one.input.name.clone().into(), SheetCell::number(one.score, 3)]);
        }
        println!("{}", sheet.text());
    }
    Ok(if focus.inputs.is_empty() { Exit::Unknown } else { Exit::Clean })
}
