//! Unit tests of `src/build.rs`.

#[test]
fn the_words_are_those_of_the_build() {
    assert_eq!(super::WORDS, super::here().to_string());
}
