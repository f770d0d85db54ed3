//! How the mutators of a target are made, and what a schedule may vary.

use crate::under_test::Mode;
use crate::under_test::{Incremental, Tactics, TargetError, TargetOptions, tactic_names};
use mutate::choice::{ChoiceError, MutatorChoice};
use mutate::mutator::TargetSpelling;
use mutate::query_mode::{QueryConfig, RANDOM_STRATEGIES};
use mutate::{Mutator, finite, mutators};
use solver::session::Solver;

/// How often, in percent, a non-incremental mutant uses a tactic: tactics end soon, and fail more often than the rest.
const TACTICAL: u32 = 50;
/// The percentage for mutators that draw no tactics themselves: `finite`, most of whose problems have several checks, each of which
/// runs the tactic again, and all that change a seed.
const OTHERS_TACTICAL: u32 = 20;
/// The name of the parameter for this frequency, in mutators that draw tactics themselves.
const SHARE: &str = "tactical";

/// The parameter that names the tactics.
pub(super) const TACTICS: &str = "tactics";

/// What a solver's units may vary; a dimension needs at least two entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSpace {
    /// The mutators by name, with their initial weights.
    pub mutators: Vec<(String, u32)>,
    /// The mutators whose mutants may use several modes.
    pub moded: Vec<String>,
    /// Modes that the user allows and the solver accepts.
    pub modes: Vec<Mode>,
    /// Tactics that the user allows and the solver accepts, with their weights.
    pub tactics: Vec<(String, u32)>,
    /// Whether the bounds of depth and assertions may vary.
    pub bounds: bool,
    /// The possible themes of generated problems, with their weights: those of `finite` that the user allows and the solver accepts.
    pub themes: Vec<(String, u32)>,
    /// The mutators whose problems have a theme.
    pub themed: Vec<String>,
}

/// Returns the parameters that follow from the user's options and the solver's abilities.
pub(super) fn settings(options: &TargetOptions, solver: &Solver) -> Vec<(String, String)> {
    let installed = solver.installed();
    let version = installed.version.as_ref();
    let mut settings = Vec::new();
    let incremental = match options.incremental {
        Incremental::On => Some("100"),
        Incremental::Off => Some("0"),
        Incremental::Auto if !installed.profile.incremental.contains(version) => Some("0"),
        Incremental::Auto => None,
    };
    settings.extend(incremental.map(|percent| ("incremental".to_string(), percent.to_string())));
    let tactics = match &options.tactics {
        Tactics::Profile => installed.profile.weighted_tactics(version).join(";"),
        Tactics::List(list) => list.join(";"),
        Tactics::Random => tactic_names::setting(solver),
    };
    if !tactics.is_empty() {
        settings.push((SHARE.to_string(), TACTICAL.to_string()));
    }
    settings.push((TACTICS.to_string(), tactics));
    settings.extend(options.truth.map(|truth| ("truth".to_string(), truth.to_string())));
    // The user's own come last and override the others.
    settings.extend(options.parameters.iter().cloned());
    settings
}

/// How a mutator is built.
pub(super) struct TargetRecipe {
    pub(super) choice: MutatorChoice,
    settings: Vec<(String, String)>,
}

impl TargetRecipe {
    pub(super) fn takes(&self, name: &str) -> bool {
        self.choice.takes(name)
    }

    /// Returns how mutants without tactics of their own are asked, with the tactics of `over`, or else the default ones. `None` for
    /// mutators that draw tactics, and without tactics.
    pub(super) fn tactics(&self, over: &[(String, String)]) -> Option<QueryConfig> {
        let (_, tactics) = self.settings.iter().chain(over).rfind(|(name, _)| name == TACTICS)?;
        let mut query = QueryConfig { incremental: 0, tactical: OTHERS_TACTICAL, ..QueryConfig::default() };
        query.set_tactics(tactics).ok()?;
        let has_some = query.strategies.is_some() || !query.tactics.is_empty();
        (has_some && !self.takes(SHARE)).then_some(query)
    }

    pub(super) fn build(&self, over: &[(String, String)]) -> Result<Box<dyn Mutator>, ChoiceError> {
        let all: Vec<(&str, &str)> = self.settings.iter().chain(over).map(|(n, v)| (n.as_str(), v.as_str())).collect();
        self.choice.build(&all)
    }
}

pub(super) fn recipes(
    options: &TargetOptions,
    settings: &[(String, String)],
) -> Result<Vec<TargetRecipe>, TargetError> {
    let default = mutators::by_default();
    let names = if options.mutators.is_empty() { &default } else { &options.mutators };
    let recipe = |name: &String| Ok(TargetRecipe { choice: MutatorChoice::read(name)?, settings: settings.to_vec() });
    let recipes: Vec<TargetRecipe> = names.iter().map(recipe).collect::<Result<_, ChoiceError>>()?;
    if let Some((name, _)) = options.parameters.iter().find(|(name, _)| !recipes.iter().any(|r| r.takes(name))) {
        return Err(TargetError::NoParameter(name.clone()));
    }
    Ok(recipes)
}

/// Returns what the user allows and the solver accepts.
pub(super) fn space(
    options: &TargetOptions,
    settings: &[(String, String)],
    recipes: &[TargetRecipe],
    spelling: &TargetSpelling,
) -> SearchSpace {
    let takes = |name: &str| recipes.iter().any(|recipe| recipe.takes(name));
    let says = |name: &str| options.parameters.iter().any(|(known, _)| known == name);
    let is_fixed = |name: &str, value: &str| settings.iter().any(|(known, set)| known == name && set == value);
    let fixed = !takes("incremental") || !takes(SHARE) || says("incremental") || says(SHARE);
    let modes = Mode::ALL.into_iter().filter(|mode| match mode {
        _ if fixed || options.incremental == Incremental::On => false,
        Mode::Plain => true,
        Mode::Incremental => !is_fixed("incremental", "0"),
        Mode::Tactic => !is_fixed(TACTICS, ""),
    });
    let mutators = recipes.iter().map(|recipe| (recipe.choice.name().to_string(), recipe.choice.weight()));
    let bounds = takes("max-depth") && takes("max-asserts") && !says("max-depth") && !says("max-asserts");
    let modes: Vec<Mode> = modes.collect();
    let list = settings.iter().find(|(name, _)| name == TACTICS).map_or("", |(_, list)| list);
    let is_listed = !says(TACTICS) && !says(SHARE) && !list.trim_start().starts_with(RANDOM_STRATEGIES);
    let tactics = if is_listed { weighted(list) } else { Vec::new() };
    let with = |parameter: &str| {
        let with = recipes.iter().filter(|recipe| recipe.takes(parameter));
        with.map(|recipe| recipe.choice.name().to_string()).collect::<Vec<String>>()
    };
    let themed = with(finite::THEORY);
    let is_open = !themed.is_empty() && !says(finite::THEORY) && !says(finite::DEFINITION);
    let themes = if is_open { finite::themes_for(spelling) } else { Vec::new() };
    let themes = themes.into_iter().map(|(name, weight)| (name.to_string(), weight)).collect();
    SearchSpace { mutators: mutators.collect(), moded: with(SHARE), modes, tactics, bounds, themes, themed }
}

/// Returns the tactics of a list with their multiplicities.
fn weighted(list: &str) -> Vec<(String, u32)> {
    let mut tactics: Vec<(String, u32)> = Vec::new();
    for tactic in list.split(';').map(str::trim).filter(|tactic| !tactic.is_empty()) {
        match tactics.iter_mut().find(|(known, _)| known == tactic) {
            Some((_, weight)) => *weight += 1,
            None => tactics.push((tactic.to_string(), 1)),
        }
    }
    tactics
}
