//! Options as a dimension (Falcon, ISSTA 2021): combinations of a solver's own options, drawn from its profile.

use finding::OptionGrade;
use mutate::rng::RandomStream;
use oracle::tested::{DrawnOptions, TestedSolver};
use solver::profile::OptionChoice;

/// The maximum number of options set at once: more would hide which one matters.
const MOST: u64 = 3;

/// Draws a combination of options up to a grade that is valid for this solver's version and for scripts with these requirements; the
/// default if its profile lists no choice.
pub fn draw(target: &TestedSolver, most: OptionGrade, needs: u32, choices: &mut RandomStream) -> DrawnOptions {
    let mut known: Vec<&OptionChoice> = known(target, most).filter(|choice| choice.lacked() & needs == 0).collect();
    let mut drawn = DrawnOptions::default();
    for _ in 0..choices.between(1, MOST) {
        let weights: Vec<u64> = known.iter().map(|choice| u64::from(choice.weight)).collect();
        let Some(place) = choices.weighted(&weights) else { break };
        let choice = known.swap_remove(place);
        let value = &choice.values[choices.index(choice.values.len())];
        let set = choice.option.replace("{}", value);
        drawn.may_change_answers |= !choice.sound;
        drawn.lacks |= choice.lacked();
        match set.starts_with('(') {
            true => {
                drawn.commands.retain(|other| !replaces(&set, other));
                drawn.commands.push(set.into());
            }
            false => drawn.words.push(set),
        }
    }
    drawn
}

/// Whether one command overrides another: both set the same thing, by their first word or the key of an option.
fn replaces(command: &str, other: &str) -> bool {
    fn place(text: &str) -> Vec<&str> {
        let mut words = text.trim_start_matches('(').split_whitespace();
        let command = words.next();
        command.into_iter().chain(words.next().filter(|_| command == Some("set-option"))).collect()
    }
    place(command) == place(other)
}

/// Returns the options up to a grade that a solver's version has.
pub fn known(target: &TestedSolver, most: OptionGrade) -> impl Iterator<Item = &OptionChoice> {
    let version = target.solver.installed().version.as_ref();
    target.solver.profile().choices(version, most).filter(|choice| !choice.values.is_empty())
}

#[cfg(test)]
#[path = "../../tests/unit/options.rs"]
mod tests;
