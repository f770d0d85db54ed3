//! The parameters of mutators as tables: their descriptions, and their values as text.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Implements `FromStr` and `Display` for an enumeration by one list of its words.
macro_rules! words {
    ($of:ident: $($variant:ident = $word:literal),+) => {
        impl std::str::FromStr for $of {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                match text {
                    $($word => Ok($of::$variant),)+
                    _ => Err(()),
                }
            }
        }

        impl std::fmt::Display for $of {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($of::$variant => $word,)+ })
            }
        }
    };
}
pub(crate) use words;

/// The description of one parameter of a mutator.
#[derive(Clone, Debug)]
pub struct MutatorParameter {
    /// Its name.
    pub name: &'static str,
    /// Its default.
    pub default: String,
    /// What the parameter does, with units and bounds.
    pub about: &'static str,
    /// If it names a file: returns what is wrong with a text of this kind, for users.
    pub problems: Option<FileProblems>,
}

/// The parts left out of a file, one line each.
pub type FileProblems = fn(&str) -> Vec<String>;

/// The parameters of a configuration, one row each. To add one, add a field with its default, and a row.
pub struct ParameterTable<C: 'static>(pub &'static [ParameterRow<C>]);

/// One parameter of a configuration.
pub struct ParameterRow<C: 'static> {
    name: &'static str,
    about: &'static str,
    field: ParameterField<C>,
    problems: Option<FileProblems>,
}

/// The values of a parameter, and where they are stored.
enum ParameterField<C: 'static> {
    Number { least: u32, place: fn(&mut C) -> &mut u32 },
    Percent(fn(&mut C) -> &mut u32),
    Span(fn(&mut C) -> &mut Span),
    Text { expected: &'static str, get: fn(&C) -> String, set: fn(&mut C, &str) -> Result<(), Refused> },
}

/// A text that is not a value of a parameter, with the wrong part or the reason; `None`: the whole text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub Option<String>);

/// Returns a whole number of at least `least`, which is 0 or 1.
pub const fn number<C>(
    name: &'static str,
    least: u32,
    about: &'static str,
    place: fn(&mut C) -> &mut u32,
) -> ParameterRow<C> {
    ParameterRow { name, about, field: ParameterField::Number { least, place }, problems: None }
}

/// Returns a percentage from 0 to 100.
pub const fn percent<C>(name: &'static str, about: &'static str, place: fn(&mut C) -> &mut u32) -> ParameterRow<C> {
    ParameterRow { name, about, field: ParameterField::Percent(place), problems: None }
}

/// Returns two bounds, or one number for both.
pub const fn span<C>(name: &'static str, about: &'static str, place: fn(&mut C) -> &mut Span) -> ParameterRow<C> {
    ParameterRow { name, about, field: ParameterField::Span(place), problems: None }
}

/// Any other value: `expected` describes the valid ones, and `set` rejects others.
pub const fn text<C>(
    name: &'static str,
    expected: &'static str,
    about: &'static str,
    get: fn(&C) -> String,
    set: fn(&mut C, &str) -> Result<(), Refused>,
) -> ParameterRow<C> {
    ParameterRow { name, about, field: ParameterField::Text { expected, get, set }, problems: None }
}

/// Returns the path of a file: `problems` finds the parts that are left out.
pub const fn file<C>(
    name: &'static str,
    expected: &'static str,
    about: &'static str,
    problems: FileProblems,
    get: fn(&C) -> String,
    set: fn(&mut C, &str) -> Result<(), Refused>,
) -> ParameterRow<C> {
    ParameterRow { name, about, field: ParameterField::Text { expected, get, set }, problems: Some(problems) }
}

/// Sets `place` to a value by its `FromStr`.
///
/// # Errors
/// [`Refused`] if the text is not valid.
pub fn set_parsed<T: FromStr>(place: &mut T, text: &str) -> Result<(), Refused> {
    *place = text.parse().map_err(|_| Refused(None))?;
    Ok(())
}

impl<C: Clone> ParameterRow<C> {
    fn expected(&self) -> &'static str {
        match &self.field {
            ParameterField::Number { least: 0, .. } => "a whole number",
            ParameterField::Number { .. } => "a whole number of at least 1",
            ParameterField::Percent(_) => "a percentage from 0 to 100",
            ParameterField::Span(_) => "LOW-HIGH or one number, at least 1",
            ParameterField::Text { expected, .. } => expected,
        }
    }

    fn get(&self, config: &C) -> String {
        match &self.field {
            ParameterField::Number { place, .. } | ParameterField::Percent(place) => {
                place(&mut config.clone()).to_string()
            }
            ParameterField::Span(place) => place(&mut config.clone()).to_string(),
            ParameterField::Text { get, .. } => get(config),
        }
    }

    fn set(&self, config: &mut C, text: &str) -> Result<(), Refused> {
        let within = |place: &mut u32, bounds: RangeInclusive<u32>| {
            let value = text.parse().ok().filter(|value| bounds.contains(value));
            *place = value.ok_or(Refused(None))?;
            Ok(())
        };
        match &self.field {
            ParameterField::Number { least, place } => within(place(config), *least..=u32::MAX),
            ParameterField::Percent(place) => within(place(config), 0..=100),
            ParameterField::Span(place) => set_parsed(place(config), text),
            ParameterField::Text { set, .. } => set(config, text),
        }
    }
}

impl<C: Clone + Default> ParameterTable<C> {
    /// Returns the description of each parameter.
    pub fn parameters(&self) -> Vec<MutatorParameter> {
        let default = C::default();
        self.0
            .iter()
            .map(|row| MutatorParameter {
                name: row.name,
                default: row.get(&default),
                about: row.about,
                problems: row.problems,
            })
            .collect()
    }

    /// Returns all parameters as text that [`ParameterTable::set`] can read.
    pub fn settings(&self, config: &C) -> Vec<(&'static str, String)> {
        self.0.iter().map(|row| (row.name, row.get(config))).collect()
    }

    /// Returns the configuration of a mutator with `settings` applied.
    ///
    /// # Errors
    /// [`ParameterError`] for an unknown name or a value out of range.
    pub fn over(&self, mut config: C, mutator: &'static str, settings: &[(&str, &str)]) -> Result<C, ParameterError> {
        for &(name, value) in settings {
            if !self.set(&mut config, name, value)? {
                return Err(unknown(mutator, name, &self.parameters()));
            }
        }
        Ok(config)
    }

    /// Returns a mutator with `settings` over its defaults and those of its configuration.
    ///
    /// # Errors
    /// [`ParameterError`] for an unknown name or a value out of range.
    pub fn with_shared<S: Clone + Default>(
        &self,
        mutator: &'static str,
        settings: &[(&str, &str)],
        shared: &ParameterTable<S>,
        place: fn(&mut C) -> &mut S,
    ) -> Result<C, ParameterError> {
        let mut config = C::default();
        for &(name, value) in settings {
            if !shared.set(place(&mut config), name, value)? && !self.set(&mut config, name, value)? {
                return Err(unknown(mutator, name, &self.beside(shared)));
            }
        }
        Ok(config)
    }

    /// Returns the descriptions of the parameters of another table and of this one.
    pub fn beside<S: Clone + Default>(&self, shared: &ParameterTable<S>) -> Vec<MutatorParameter> {
        shared.parameters().into_iter().chain(self.parameters()).collect()
    }

    /// Sets one parameter; false if it is not one of these.
    ///
    /// # Errors
    /// [`ParameterError::Value`] for a value out of range.
    fn set(&self, config: &mut C, name: &str, value: &str) -> Result<bool, ParameterError> {
        let Some(row) = self.0.iter().find(|row| row.name == name) else { return Ok(false) };
        let refused = |Refused(part)| ParameterError::Value {
            name: name.to_string(),
            value: part.unwrap_or_else(|| value.to_string()),
            expected: row.expected(),
        };
        row.set(config, value).map_err(refused).map(|()| true)
    }
}

fn unknown(mutator: &'static str, name: &str, known: &[MutatorParameter]) -> ParameterError {
    let known: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
    ParameterError::Unknown { mutator, name: name.to_string(), known: known.join(", ") }
}

/// A setting that a mutator does not accept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("`{mutator}` has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The mutator.
        mutator: &'static str,
        /// The name given.
        name: String,
        /// The valid names.
        known: String,
    },
    /// The value is invalid.
    #[error("`{value}` is not a value for `{name}`: expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What the parameter takes.
        expected: &'static str,
    },
}

/// Two bounds that a count is scaled between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The count for the smallest pool.
    pub low: u32,
    /// The count for a pool of [`LARGE_POOL`] fragments or more.
    pub high: u32,
}

/// The size of an initial pool from which NC and NM are at their upper bounds.
pub const LARGE_POOL: usize = 400;

impl Span {
    /// Returns the count for a pool of `pool` fragments: linear between the bounds.
    pub fn scaled(self, pool: usize) -> u64 {
        let share = pool.min(LARGE_POOL) as u64;
        let span = u64::from(self.high.saturating_sub(self.low));
        u64::from(self.low) + span * share / LARGE_POOL as u64
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.low, self.high)
    }
}

impl FromStr for Span {
    type Err = ();

    fn from_str(text: &str) -> Result<Span, ()> {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let span = Span { low: low.trim().parse().map_err(|_| ())?, high: high.trim().parse().map_err(|_| ())? };
        if span.low == 0 || span.low > span.high { Err(()) } else { Ok(span) }
    }
}
