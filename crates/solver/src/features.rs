//! Names of features of scripts in profiles, as bits of [`smtlib::logic`].

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Deserializes known names of features.
pub(crate) fn features<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    match names.iter().find(|name| smtlib::logic::feature(name).is_none()) {
        Some(name) => Err(D::Error::custom(format!(
            "unknown feature `{name}`, expected one of {}",
            smtlib::logic::feature_names()
        ))),
        None => Ok(names),
    }
}

/// Returns the bits ([`smtlib::logic`]) of features.
pub(crate) fn bits(names: &[String]) -> u32 {
    names.iter().filter_map(|name| smtlib::logic::feature(name)).fold(0, |bits, feature| bits | feature)
}
