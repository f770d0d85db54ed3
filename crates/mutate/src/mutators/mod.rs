//! Every mutator by its name, a file or folder each. To add one: its file, and here its module and its row.

pub mod core;
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

/// Every mutator.
pub const REGISTRY: &[&MutatorEntry] = &[
    &storm::ENTRY,
    &fusion::ENTRY,
    &operator::ENTRY,
    &generative::ENTRY,
    &finite::ENTRY,
    &shrink::ENTRY,
    &equal::ENTRY,
    &skeleton::ENTRY,
    &weave::ENTRY,
    &splice::ENTRY,
    &core::ENTRY,
];

/// The entry of this name.
pub fn find(name: &str) -> Option<&'static MutatorEntry> {
    REGISTRY.iter().copied().find(|e| e.name == name)
}

/// Whether mutants of this mutator or chain, as records name it, are made from nothing: the seed only numbers their unit.
pub fn needs_no_seed(name: &str) -> bool {
    let first = name.split('>').next().unwrap_or(name);
    find(first).is_some_and(|entry| entry.parents == 0)
}

/// Whether a parameter names a file.
pub fn names_a_file(parameter: &str) -> bool {
    [operator::TABLE.parameter, generative::SIGNATURES.parameter, fusion::FUNCTIONS.parameter, equal::LAWS.parameter]
        .contains(&parameter)
}

/// What is left out of the file that a parameter names, one line each, for people. Nothing for other parameters.
pub fn complaints(parameter: &str, path: &str) -> Vec<String> {
    let problems = |text: &str| match parameter {
        p if p == operator::TABLE.parameter => operator::TABLE.problems(text),
        p if p == generative::SIGNATURES.parameter => generative::SIGNATURES.problems(text),
        p if p == fusion::FUNCTIONS.parameter => fusion::FUNCTIONS.problems(text),
        p if p == equal::LAWS.parameter => equal::LAWS.problems(text),
        _ => Vec::new(),
    };
    let text = std::fs::read_to_string(path).unwrap_or_default();
    problems(&text).into_iter().map(|problem| format!("{path}: {problem}; left out")).collect()
}
