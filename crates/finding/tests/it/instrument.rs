//! What solvers are compiled with.

use finding::Instrument;

#[test]
fn instruments_are_known_by_their_words() {
    let check = |text: &str, expect: Option<&[Instrument]>| {
        let found = Instrument::all_of(text).map(|set| set.into_iter().collect::<Vec<_>>());
        assert_eq!(found.as_deref(), expect, "{text}");
    };
    use Instrument::{Address, Assertions, Coverage, Undefined};
    check("asan+assertions", Some(&[Assertions, Address]));
    check("coverage+ubsan+coverage", Some(&[Undefined, Coverage]));
    check("assertions+", None);
    check("z3str3", None);
    check("", None);
}
