//! Every mutator by name, one file or folder each. To add one, add its file, and here its module and its row.

pub mod equal;
pub mod finite;
pub mod fusion;
pub mod generative;
pub mod operator;
pub mod shrink;
pub mod skeleton;
pub mod splice;
pub mod storm;
pub mod weave;

use crate::mutator::MutatorEntry;
use crate::parameter::FileProblems;

/// Every mutator. A campaign without named mutators numbers them in this order: changing it changes the mutants.
pub const REGISTRY: &[&MutatorEntry] = &[
    &storm::ENTRY,
    &finite::ENTRY,
    &fusion::ENTRY,
    &operator::ENTRY,
    &generative::ENTRY,
    &shrink::ENTRY,
    &equal::ENTRY,
    &skeleton::ENTRY,
    &splice::ENTRY,
    &weave::ENTRY,
];

/// Returns the entry of this name.
pub fn find(name: &str) -> Option<&'static MutatorEntry> {
    REGISTRY.iter().copied().find(|e| e.name == name)
}

/// Whether mutants of this mutator or chain, as records name it, are generated: the seed only numbers their unit.
pub fn needs_no_seed(name: &str) -> bool {
    let first = name.split('>').next().unwrap_or(name);
    find(first).is_some_and(|entry| entry.parents == 0)
}

/// Returns the default mutators of a campaign, as [`crate::choice`] reads them, with their weights.
pub fn by_default() -> Vec<String> {
    let drawn = REGISTRY.iter().filter(|entry| entry.share > 0);
    drawn
        .map(|entry| if entry.share == 1 { entry.name.to_string() } else { format!("{}:{}", entry.name, entry.share) })
        .collect()
}

/// Whether a parameter names a file.
pub fn names_a_file(parameter: &str) -> bool {
    problems(parameter).is_some()
}

/// The parts left out of the file that a parameter names, one line each, for users; empty for other parameters.
pub fn complaints(parameter: &str, path: &str) -> Vec<String> {
    let Some(problems) = problems(parameter) else { return Vec::new() };
    let text = std::fs::read_to_string(path).unwrap_or_default();
    problems(&text).into_iter().map(|problem| format!("{path}: {problem}; left out")).collect()
}

fn problems(parameter: &str) -> Option<FileProblems> {
    let parameters = REGISTRY.iter().flat_map(|entry| (entry.parameters)());
    parameters.filter(|known| known.name == parameter).find_map(|known| known.problems)
}
