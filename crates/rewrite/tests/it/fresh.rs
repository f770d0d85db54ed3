//! Tests of `fresh`.

use rewrite::fresh::FreshSymbols;
use smtlib::{SortId, Store};

#[test]
fn names_in_use_are_passed_over() {
    let mut store = Store::new();
    let text = "(declare-const k!0 Int)(assert (exists ((k!1 Int)) (= k!1 k!0)))";
    assert!(smtlib::parse(&mut store, text).errors.is_empty());
    let mut fresh = FreshSymbols::new("k");
    let (f, t) = fresh.constant(&mut store, SortId::INT);
    assert_eq!(store.name(store.func(f).name), "k!2");
    assert_eq!(store.sort(t), SortId::INT);
    // Another source with the same stem goes on behind.
    let (g, _) = FreshSymbols::new("k").constant(&mut store, SortId::BOOL);
    assert_eq!(store.name(store.func(g).name), "k!3");
}
