//! Assignments found by search.

use mutate::assignment::searched::model;
use mutate::rng::RandomStream;
use smtlib::Store;

fn check(text: &str, found: bool) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let instance = parsed.script.instances().remove(0);
    let draw = |store: &mut Store| {
        model(store, &instance.assertions, &mut RandomStream::from_seed(3)).map(|m| format!("{m:?}"))
    };
    let (first, again) = (draw(&mut store), draw(&mut store));
    assert_eq!(first.is_some(), found, "{text}");
    assert_eq!(first, again, "the same draw gives the same model");
}

#[test]
fn models_are_found_without_a_solver() {
    check("(declare-const x (_ BitVec 32))(assert (= (bvadd x #x00000007) #x0000beef))(check-sat)", true);
    check("(declare-const x Float32)(assert (fp.lt (fp.mul RNE x x) x))(check-sat)", true);
    check("(declare-const x (_ BitVec 8))(assert (bvult x #x00))(check-sat)", false);
    check("(declare-const n Int)(assert (> n 5))(check-sat)", false);
}
