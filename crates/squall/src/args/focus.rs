//! The focus of a campaign on functions of the solver.

use crate::render::say::counted;
use anyhow::Result;
use experiment::coverage::focus::{CoverageFocus, SourcePlace};
use experiment::coverage::map::{FunctionMap, InputKind};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The maximum number of names in a sentence.
const SHOWN: usize = 10;

/// Functions, and the map that says what executes them.
#[derive(clap::Args, Clone, Serialize, Default)]
#[serde(rename_all = "kebab-case")]
pub struct FocusArgs {
    /// Use only seeds and themes that, by --map, execute this place of the solver's source, if any do: FUNCTION, FILE:LINE
    /// or FILE:LINE-LINE. May be repeated.
    #[arg(long, value_name = "PLACE", requires = "map")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<SourcePlace>,
    /// A map of an instrumented build of the solver, made by `squall experiment cover --map`.
    #[arg(long, value_name = "FILE", requires = "focus")]
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<PathBuf>,
    /// The map, once it is read.
    #[arg(skip)]
    #[serde(skip)]
    read: OnceLock<FunctionMap>,
}

impl FocusArgs {
    /// Reads the map. This is not done when a command line is parsed: one that is recorded in a folder may name any file.
    /// Errors: it cannot be read, or is not a map.
    pub fn load(&self) -> Result<()> {
        if let (Some(path), None) = (&self.map, self.read.get()) {
            let _ = self.read.set(FunctionMap::read(path)?);
        }
        Ok(())
    }

    /// Returns the focus, if one is given and a seed or theme executes it.
    pub fn found(&self) -> Option<CoverageFocus<'_>> {
        let focus = CoverageFocus::of(self.read.get()?, &self.focus);
        let is_useful = |kind| focus.of_kind(kind).next().is_some();
        (is_useful(InputKind::Seed) || is_useful(InputKind::Theme)).then_some(focus)
    }

    /// Returns lines about the focus, for users.
    pub fn describe(&self) -> Vec<String> {
        let Some(map) = self.read.get().filter(|_| !self.focus.is_empty()) else { return Vec::new() };
        let focus = CoverageFocus::of(map, &self.focus);
        let mut lines: Vec<String> =
            focus.unknown.iter().map(|place| format!("squall: the map has no function at '{place}'")).collect();
        if !focus.idle.is_empty() {
            lines.push(format!("squall: no input of the map executes {}", listed(&focus.idle)));
        }
        lines.push(match self.found() {
            Some(found) => format!("squall: focus on {}: {}", listed(&found.executed), in_words(&found)),
            None => "squall: no seed or theme of the map executes the focus; all are used".to_string(),
        });
        lines
    }
}

/// Returns the first names of a list.
pub fn listed(names: &[String]) -> String {
    let first = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{first} and {} more", names.len() - SHOWN) } else { first }
}

/// Returns how many inputs execute a focus: `212 seeds, 3 themes and 1 option`.
pub fn in_words(focus: &CoverageFocus<'_>) -> String {
    let kinds = [InputKind::Seed, InputKind::Theme, InputKind::Mutator, InputKind::Option];
    let counts = kinds.map(|kind| (focus.of_kind(kind).count(), format!("{kind:?}").to_lowercase()));
    let mut parts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| counted(*count, kind)).collect();
    match parts.pop() {
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} and {last}", parts.join(", ")),
        None => "nothing".to_string(),
    }
}
