//! The parameters of mutators as tables: their descriptions, and their values as text.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Implements `FromStr`, `Display` and [`ParameterValue`] for an enumeration by one list of its words.
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

        impl $crate::parameter::ParameterValue for $of {
            fn text(&self) -> String {
                self.to_string()
            }

            fn set(&mut self, text: &str, _: std::ops::RangeInclusive<u32>) -> Result<(), $crate::parameter::Refused> {
                $crate::parameter::set_parsed(self, text)
            }
        }
    };
}
pub(crate) use words;

/// Makes a configuration, its defaults and its [`ParameterTable`] from one list.
///
/// A row is `FIELD: TYPE = DEFAULT => PARAMETER "about";`, where a function of this name makes the parameter of its arguments, the
/// description and the place. A row without a parameter is a field alone, and `FIELD.FIELD => PARAMETER "about";` a parameter in a field.
macro_rules! parameters {
    ($vis:vis $table:ident of $(#[$meta:meta])* $config:ident; $($rows:tt)*) => {
        parameters!(@ ($vis $table $(#[$meta])* $config) () () () $($rows)*);
    };
    (@ $head:tt ($($fields:tt)*) ($($defaults:tt)*) ($($made:tt)*)
        $(#[$doc:meta])* $field:ident: $of:ty = $default:expr $(=> $kind:ident($($arg:expr),*) $($about:literal)?)?;
        $($rest:tt)*
    ) => {
        parameters!(@ $head
            ($($fields)* $($(#[doc = concat!($about, ".")])?)? $(#[$doc])* pub $field: $of,)
            ($($defaults)* $field: $default,)
            ($($made)* $($kind($($arg,)* $($about,)? |c| &mut c.$field),)?)
            $($rest)*);
    };
    (@ $head:tt $fields:tt $defaults:tt ($($made:tt)*)
        $outer:ident.$field:ident => $kind:ident($($arg:expr),*) $about:literal; $($rest:tt)*
    ) => {
        parameters!(@ $head $fields $defaults ($($made)* $kind($($arg,)* $about, |c| &mut c.$outer.$field),) $($rest)*);
    };
    (@ ($vis:vis $table:ident $(#[$meta:meta])* $config:ident) ($($fields:tt)*) ($($defaults:tt)*) ($($made:tt)*)) => {
        $(#[$meta])*
        pub struct $config { $($fields)* }

        impl Default for $config {
            fn default() -> Self {
                $config { $($defaults)* }
            }
        }

        #[doc = concat!("The parameters of [`", stringify!($config), "`].")]
        $vis const $table: $crate::parameter::ParameterTable<$config> = $crate::parameter::ParameterTable(&[$($made)*]);
    };
}
pub(crate) use parameters;

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

/// The parameters of a configuration, one row each.
pub struct ParameterTable<C: 'static>(pub &'static [ParameterRow<C>]);

/// One parameter of a configuration.
pub struct ParameterRow<C: 'static> {
    name: &'static str,
    expected: &'static str,
    about: &'static str,
    field: ParameterField<C>,
    problems: Option<FileProblems>,
}

/// The values of a parameter, and where they are stored. Numbers have bounds.
enum ParameterField<C: 'static> {
    Place { bounds: (u32, u32), place: ValuePlace<C> },
    Text { get: fn(&C) -> String, set: fn(&mut C, &str) -> Result<(), Refused> },
}

/// Returns where a configuration has a value.
pub type ValuePlace<C> = fn(&mut C) -> &mut dyn ParameterValue;

/// A value of a parameter.
pub trait ParameterValue {
    /// Returns it as [`ParameterValue::set`] reads it.
    fn text(&self) -> String;

    /// Sets it; a number must be within the bounds.
    /// Errors: [`Refused`] if the text is not valid.
    fn set(&mut self, text: &str, bounds: RangeInclusive<u32>) -> Result<(), Refused>;
}

impl ParameterValue for u32 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn set(&mut self, text: &str, bounds: RangeInclusive<u32>) -> Result<(), Refused> {
        *self = text.parse().ok().filter(|value| bounds.contains(value)).ok_or(Refused(None))?;
        Ok(())
    }
}

impl ParameterValue for Span {
    fn text(&self) -> String {
        self.to_string()
    }

    fn set(&mut self, text: &str, bounds: RangeInclusive<u32>) -> Result<(), Refused> {
        let is_within = |span: &Span| bounds.contains(&span.low) && bounds.contains(&span.high);
        *self = text.parse().ok().filter(is_within).ok_or(Refused(None))?;
        Ok(())
    }
}

/// A text that is not a value of a parameter, with the wrong part or the reason; `None`: the whole text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub Option<String>);

/// Returns a parameter whose numbers have bounds: `expected` describes the valid values.
pub const fn bounded<C>(
    name: &'static str,
    expected: &'static str,
    bounds: (u32, u32),
    about: &'static str,
    place: ValuePlace<C>,
) -> ParameterRow<C> {
    ParameterRow { name, expected, about, field: ParameterField::Place { bounds, place }, problems: None }
}

/// Returns a whole number of at least `least`, which is 0 or 1.
pub const fn number<C>(name: &'static str, least: u32, about: &'static str, place: ValuePlace<C>) -> ParameterRow<C> {
    let expected = if least == 0 { "a whole number" } else { "a whole number of at least 1" };
    bounded(name, expected, (least, u32::MAX), about, place)
}

/// Returns a percentage from 0 to 100.
pub const fn percent<C>(name: &'static str, about: &'static str, place: ValuePlace<C>) -> ParameterRow<C> {
    bounded(name, "a percentage from 0 to 100", (0, 100), about, place)
}

/// Returns two bounds, or one number for both.
pub const fn span<C>(name: &'static str, about: &'static str, place: ValuePlace<C>) -> ParameterRow<C> {
    bounded(name, "LOW-HIGH or one number, at least 1", (1, u32::MAX), about, place)
}

/// Returns one of the words of an enumeration, or another value without bounds.
pub const fn word<C>(
    name: &'static str,
    expected: &'static str,
    about: &'static str,
    place: ValuePlace<C>,
) -> ParameterRow<C> {
    bounded(name, expected, (0, 0), about, place)
}

/// Any other value: `expected` describes the valid ones, and `set` rejects others.
pub const fn text<C>(
    name: &'static str,
    expected: &'static str,
    about: &'static str,
    get: fn(&C) -> String,
    set: fn(&mut C, &str) -> Result<(), Refused>,
) -> ParameterRow<C> {
    ParameterRow { name, expected, about, field: ParameterField::Text { get, set }, problems: None }
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
    ParameterRow { name, expected, about, field: ParameterField::Text { get, set }, problems: Some(problems) }
}

/// Sets `place` to a value by its `FromStr`.
/// Errors: [`Refused`] if the text is not valid.
pub fn set_parsed<T: FromStr>(place: &mut T, text: &str) -> Result<(), Refused> {
    *place = text.parse().map_err(|_| Refused(None))?;
    Ok(())
}

impl<C: Clone> ParameterRow<C> {
    fn get(&self, config: &C) -> String {
        match &self.field {
            ParameterField::Place { place, .. } => place(&mut config.clone()).text(),
            ParameterField::Text { get, .. } => get(config),
        }
    }

    fn set(&self, config: &mut C, text: &str) -> Result<(), Refused> {
        match &self.field {
            ParameterField::Place { bounds: (least, most), place } => place(config).set(text, *least..=*most),
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
    /// Errors: [`ParameterError`] for an unknown name or a value out of range.
    pub fn over(&self, mut config: C, mutator: &'static str, settings: &[(&str, &str)]) -> Result<C, ParameterError> {
        for &(name, value) in settings {
            if !self.set(&mut config, name, value)? {
                return Err(unknown(mutator, name, &self.parameters()));
            }
        }
        Ok(config)
    }

    /// Returns a mutator with `settings` over its defaults and those of its configuration.
    /// Errors: [`ParameterError`] for an unknown name or a value out of range.
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
    /// Errors: [`ParameterError::Value`] for a value out of range.
    fn set(&self, config: &mut C, name: &str, value: &str) -> Result<bool, ParameterError> {
        let Some(row) = self.0.iter().find(|row| row.name == name) else { return Ok(false) };
        let refused = |Refused(part)| ParameterError::Value {
            name: name.to_string(),
            value: part.unwrap_or_else(|| value.to_string()),
            expected: row.expected,
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
