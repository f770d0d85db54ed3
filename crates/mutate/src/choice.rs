//! Mutators as users name them: `storm`, `fusion:3` with a weight, the chain `fusion>operator>storm`, `exec:COMMAND`, `pipe:COMMAND`.

use crate::chain::Chain;
use crate::edit::{GUARDS, TRUTH};
use crate::exec;
use crate::mutator::{Mutator, MutatorEntry};
use crate::mutators::{REGISTRY, find};
use crate::parameter::ParameterError;
use crate::rng::RandomStream;

/// A mutator and its weight: how often it is drawn relative to the others, at least 1.
pub type Weighted = (Box<dyn Mutator>, u32);

/// A name of no mutator, or not of one with these parameters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such mutator.
    #[error("there is no mutator '{name}'; there are: {known}")]
    NoMutator {
        /// What was asked for.
        name: String,
        /// The known ones.
        known: String,
    },
    /// A weight is not a number.
    #[error(
        "'{weight}' is not a weight for the mutator '{name}': expected a whole number of at least 1, as in storm:4"
    )]
    Weight {
        /// The mutator.
        name: String,
        /// What was given.
        weight: String,
    },
    /// A value is invalid.
    #[error(transparent)]
    Value(#[from] ParameterError),
}

/// Settings of mutators after one that makes small worlds: no assertion is negated to satisfy it, and guards stay.
const AFTER_SMALL: &[(&str, &str)] = &[(TRUTH, "differential"), (GUARDS, "keep")];

/// One mutator of a choice: its entry, and the command of `exec` or `pipe`.
#[derive(Clone)]
struct ChainLink {
    entry: &'static MutatorEntry,
    command: Option<String>,
}

/// A requested mutator or chain.
#[derive(Clone)]
pub struct MutatorChoice {
    name: String,
    links: Vec<ChainLink>,
    weight: u32,
}

/// Returns the names in a comma-separated list. A command takes the rest: it may contain commas.
pub fn names(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = list;
    while let Some((name, more)) = rest.split_once(',')
        && !ends_in_command(name)
    {
        names.push(name.trim().to_string());
        rest = more;
    }
    names.push(rest.trim().to_string());
    names
}

/// Whether a name, or the last of a chain, is `exec:COMMAND` or `pipe:COMMAND`.
fn ends_in_command(name: &str) -> bool {
    name.split('>').any(|link| exec::ENTRIES.iter().any(|entry| is_prefix(entry.name, link.trim_start())))
}

fn is_prefix(kind: &str, link: &str) -> bool {
    link.strip_prefix(kind).is_some_and(|rest| rest.starts_with(':'))
}

impl MutatorChoice {
    /// Reads a name: `NAME`, `NAME>NAME>…`, or either with `:WEIGHT` or `=WEIGHT` after it; `exec:COMMAND` and `pipe:COMMAND` are
    /// the last of a chain and have no weight, since a command may contain any of these characters.
    /// Errors: [`ChoiceError`] if it names no mutator, or an impossible chain.
    pub fn read(text: &str) -> Result<MutatorChoice, ChoiceError> {
        let (name, weight) = match text.rsplit_once([':', '=']) {
            Some((name, weight)) if !ends_in_command(text) => {
                let wrong = || ChoiceError::Weight { name: name.to_string(), weight: weight.to_string() };
                (name.trim(), weight.trim().parse().ok().filter(|weight| *weight > 0).ok_or_else(wrong)?)
            }
            _ => (text.trim(), 1),
        };
        let mut links = Vec::new();
        let mut rest = Some(name);
        while let Some(text) = rest {
            let (link, more) = match text.split_once('>') {
                Some((link, more)) if !ends_in_command(link) => (link, Some(more)),
                _ => (text, None),
            };
            links.push(read_link(link.trim())?);
            rest = more;
        }
        Ok(MutatorChoice { name: name.to_string(), links, weight })
    }

    /// Returns its name in records.
    pub fn name(&self) -> &str {
        match &self.links[..] {
            [only] => only.entry.name,
            _ => &self.name,
        }
    }

    /// How often it is drawn relative to others, at least 1.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// Whether one of its mutators has a parameter of this name.
    pub fn takes(&self, parameter: &str) -> bool {
        self.links.iter().any(|link| takes(link.entry, parameter))
    }

    /// Builds it. Each setting goes to the mutators that have it. After a mutator that makes small worlds, `truth`
    /// defaults to `differential` and `guards` to `keep`: exhaustion decides the truth.
    /// Errors: [`ChoiceError::Value`] for a value out of range.
    pub fn build(&self, settings: &[(&str, &str)]) -> Result<Box<dyn Mutator>, ChoiceError> {
        let mut made = Vec::with_capacity(self.links.len());
        let mut is_small = false;
        for ChainLink { entry, command } in &self.links {
            let mut own: Vec<_> = settings.iter().copied().filter(|(name, _)| takes(entry, name)).collect();
            own.extend(command.as_deref().map(|command| ("command", command)));
            for &(name, value) in if is_small { AFTER_SMALL } else { &[] } {
                if takes(entry, name) && !own.iter().any(|(given, _)| *given == name) {
                    own.push((name, value));
                }
            }
            made.push((entry.build)(&own)?);
            is_small |= entry.makes_small_worlds;
        }
        let mutator = match (made.len(), made.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                made.extend(last);
                Box::new(Chain::new(&self.name, made))
            }
        };
        Ok(mutator)
    }
}

fn takes(entry: &MutatorEntry, parameter: &str) -> bool {
    (entry.parameters)().iter().any(|p| p.name == parameter)
}

fn read_link(name: &str) -> Result<ChainLink, ChoiceError> {
    let (entry, command) = match exec::from_name(name) {
        Some((entry, command)) => (Some(entry), Some(command.to_string())),
        None => (find(name), None),
    };
    let known =
        || REGISTRY.iter().map(|e| e.name).chain(["exec:COMMAND", "pipe:COMMAND"]).collect::<Vec<_>>().join(", ");
    let entry = entry.ok_or_else(|| ChoiceError::NoMutator { name: name.to_string(), known: known() })?;
    Ok(ChainLink { entry, command })
}

/// Returns the mutators in a random order, drawn by weight without replacement.
pub fn draw_order<'m>(mutators: &'m [Weighted], rng: &mut RandomStream) -> Vec<&'m dyn Mutator> {
    let mut left: Vec<(&dyn Mutator, u32)> = mutators.iter().map(|(m, weight)| (&**m, *weight)).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let weights: Vec<u64> = left.iter().map(|(_, weight)| u64::from(*weight)).collect();
        let drawn = rng.weighted(&weights);
        order.push(left.remove(drawn.unwrap_or(0)).0);
    }
    order
}
