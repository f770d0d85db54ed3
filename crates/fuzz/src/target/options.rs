//! Options as a dimension (Falcon, ISSTA 2021): combinations of a solver's own options, drawn from its profile.

use crate::target::Target;
use mutate::rng::RandomStream;
use solver::profile::OptionChoice;

/// The most options that are set at once: more hide which one matters.
const MOST: u64 = 3;

/// A combination of options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnOptions {
    /// Words of the command line.
    pub words: Vec<String>,
    /// Commands that every script begins with, right after its logic.
    pub commands: Vec<Box<str>>,
    /// Whether answers may change under one of them: the profile does not call it sound.
    pub may_change_answers: bool,
}

impl DrawnOptions {
    /// All of them, as findings record them. Commands begin with `(`.
    pub fn all(&self) -> Vec<String> {
        self.words.iter().cloned().chain(self.commands.iter().map(ToString::to_string)).collect()
    }

    /// Whether it is the solver as it comes.
    pub fn is_default(&self) -> bool {
        self.words.is_empty() && self.commands.is_empty()
    }
}

/// A combination that is valid for this solver's version; the default one where its profile lists no choice.
pub(crate) fn draw(target: &Target, choices: &mut RandomStream) -> DrawnOptions {
    let mut known: Vec<&OptionChoice> = known(target).collect();
    let mut drawn = DrawnOptions::default();
    for _ in 0..choices.between(1, MOST) {
        let weights: Vec<u64> = known.iter().map(|choice| u64::from(choice.weight)).collect();
        let Some(place) = choices.weighted(&weights) else { break };
        let choice = known.swap_remove(place);
        let value = &choice.values[choices.index(choice.values.len())];
        let set = choice.option.replace("{}", value);
        drawn.may_change_answers |= !choice.sound;
        // Two of the commands would be one over the other.
        match set.starts_with('(') {
            true => drawn.commands = vec![set.into()],
            false => drawn.words.push(set),
        }
    }
    drawn
}

/// The options that a solver's version has.
pub(crate) fn known(target: &Target) -> impl Iterator<Item = &OptionChoice> {
    let version = target.solver.installed().version.as_ref();
    target.solver.profile().choice.iter().filter(move |c| c.versions.contains(version) && !c.values.is_empty())
}
