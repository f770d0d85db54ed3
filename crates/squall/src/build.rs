//! Which build this is, as `build.rs` found out.

use ::finding::Build;

/// This build in words, as [`Build`] shows itself.
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
mod tests {
    #[test]
    fn the_words_are_those_of_the_build() {
        assert_eq!(super::WORDS, super::here().to_string());
    }
}
