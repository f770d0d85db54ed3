//! The version of this build, as `build.rs` recorded it.

use ::finding::Build;

/// The text of [`Build`].
pub const WORDS: &str = match option_env!("SQUALL_BUILD") {
    Some(words) => words,
    None => concat!(env!("CARGO_PKG_VERSION"), " (built without git)"),
};

/// This build.
pub fn here() -> Build {
    Build {
        squall: env!("CARGO_PKG_VERSION").to_string(),
        commit: option_env!("SQUALL_BUILD_COMMIT").map(str::to_string),
        dirty: option_env!("SQUALL_BUILD_DIRTY").is_some(),
    }
}

#[cfg(test)]
#[path = "../tests/unit/build.rs"]
mod tests;
