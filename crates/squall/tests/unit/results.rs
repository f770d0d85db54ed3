//! Unit tests of `src/render/results.rs`.

use super::{figures, under};

#[test]
fn parts_stand_apart() {
    assert_eq!(
        under("`squall x`:", ["| a |\n".to_string(), String::new(), "All.".into()]),
        "`squall x`:\n\n| a |\n\nAll.\n"
    );
}

#[test]
fn figures_say_what_made_them() {
    let figures = figures([]);
    assert!(figures.starts_with("`squall") && figures.contains(env!("CARGO_PKG_VERSION")), "{figures}");
}
