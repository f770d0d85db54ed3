//! Declarations of one name in one store. What single texts declare is in `tests/read/declarations.smt2` and `datatypes.smt2`.

use smtlib::{Command, Store, parse};

/// Two declarations in one store are one datatype only where all of their fields are of the same sorts.
#[test]
fn datatypes_over_sequences_of_themselves_and_over_sets_differ() {
    let mut store = Store::new();
    let mut declared = |field: &str| {
        let parsed = parse(&mut store, &format!("(declare-datatype D ((n) (c (f {field}))))(declare-const x D)"));
        assert_eq!(parsed.errors, []);
        match parsed.script.commands.last() {
            Some(Command::DeclareFun(f)) => store.func(*f).result,
            other => panic!("{other:?}"),
        }
    };
    let sorts = ["(Seq D)", "(Set D)", "(Array Int D)", "D"].map(&mut declared);
    for (n, one) in sorts.iter().enumerate() {
        assert!(!sorts[..n].contains(one), "{sorts:?}");
    }
    assert_eq!(sorts, ["(Seq D)", "(Set D)", "(Array Int D)", "D"].map(declared));
}
