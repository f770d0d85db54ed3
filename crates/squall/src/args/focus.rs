//! The focus of a campaign on functions of the solver.

use crate::render::say::counted;
use experiment::coverage::focus::{CoverageFocus, SourcePlace};
use experiment::coverage::map::{FunctionMap, InputKind};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// A map that was read. It stands for its content, not for the path.
#[derive(Clone, Debug)]
pub struct MapArg(Arc<FunctionMap>);

impl Serialize for MapArg {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.conditions.serialize(serializer)
    }
}

/// Functions, and the map that says what executes them.
#[derive(clap::Args, Clone, Serialize, Default)]
#[serde(rename_all = "kebab-case")]
pub struct FocusArgs {
    /// Use mainly the seeds and themes that execute this place of the solver's source, by --map: FUNCTION, FILE:LINE or
    /// FILE:LINE-LINE. May be repeated.
    #[arg(long, value_name = "PLACE", requires = "map")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<SourcePlace>,
    /// A map of an instrumented build of the solver, made by `squall experiment cover --map`.
    #[arg(long, value_name = "FILE", value_parser = map)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapArg>,
}

/// Reads a map.
/// Errors: it cannot be read, or is none.
pub fn map(path: &str) -> Result<MapArg, String> {
    FunctionMap::read(Path::new(path)).map(|map| MapArg(Arc::new(map))).map_err(|error| format!("{error:#}"))
}

impl FocusArgs {
    /// Returns the map.
    pub fn map(&self) -> Option<&FunctionMap> {
        self.map.as_ref().map(|map| &*map.0)
    }

    /// Returns the focus, if one is asked for and anything executes it.
    pub fn found(&self) -> Option<CoverageFocus<'_>> {
        let focus = CoverageFocus::of(self.map()?, &self.focus);
        let is_useful = |kind| focus.of_kind(kind).next().is_some();
        (!self.focus.is_empty() && (is_useful(InputKind::Seed) || is_useful(InputKind::Theme))).then_some(focus)
    }

    /// Returns lines about the focus, for users.
    pub fn told(&self) -> Vec<String> {
        let Some(map) = self.map().filter(|_| !self.focus.is_empty()) else { return Vec::new() };
        let focus = CoverageFocus::of(map, &self.focus);
        let mut lines: Vec<String> =
            focus.unknown.iter().map(|place| format!("squall: the map has no function at '{place}'")).collect();
        if !focus.idle.is_empty() {
            lines.push(format!("squall: nothing of the map executes {}", focus.idle.join(", ")));
        }
        lines.push(match self.found() {
            Some(found) => format!("squall: focus on {}: {}", found.executed.join(", "), in_words(&found)),
            None => "squall: no seed and no theme of the map executes the focus; the campaign uses all".to_string(),
        });
        lines
    }
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
