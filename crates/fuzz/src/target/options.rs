//! Options as a dimension (Falcon, ISSTA 2021): combinations of a solver's own options, drawn from its profile.

use crate::target::Target;
use mutate::rng::RandomStream;

/// The most options that are set at once: more hide which one matters.
const MOST: u64 = 3;

/// A valid combination for this solver's version, as words of its command line; empty where its profile lists no choice.
pub(crate) fn draw(target: &Target, choices: &mut RandomStream) -> Vec<String> {
    let version = target.solver.installed().version.as_ref();
    let profile = target.solver.profile();
    let mut known: Vec<_> =
        profile.choice.iter().filter(|c| c.versions.contains(version) && !c.values.is_empty()).collect();
    choices.shuffle(&mut known);
    let count = choices.between(1, MOST) as usize;
    let pick = |choice: &&solver::profile::OptionChoice| {
        let value = &choice.values[choices.index(choice.values.len())];
        choice.option.replace("{}", value)
    };
    known.iter().take(count).map(pick).collect()
}
