//! Tests of `schedule::families`.

use corpus::seed::SeedSource;
use fuzz::schedule::families::Families;
use mutate::rng::RandomStream;

fn draws() -> RandomStream {
    mutate::unit_rng(1, 1)
}

#[test]
fn a_seed_is_known_by_its_logic_or_its_folder() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("mine");
    std::fs::create_dir(&folder).expect("a folder");
    // Next to it a seed that sets QF_LIA, one that sets no logic, and one that cannot be read.
    let check = |text: &str, is_lia: bool| {
        let files = [("a.smt2", text), ("b.smt2", "(set-logic QF_LIA)"), ("c.smt2", "(assert true)")];
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        let names = ["a.smt2", "b.smt2", "c.smt2", "gone.smt2"];
        let seeds: Vec<SeedSource> = names.map(|name| SeedSource::File(folder.join(name))).into();
        let families = Families::of(&seeds, &mut draws());
        assert_eq!((families.len(), families.of_seed(2)), (2, families.of_seed(3)), "{text}");
        assert_eq!(families.of_seed(0) == families.of_seed(1), is_lia, "{text}");
    };
    check("; a comment\n(set-logic  QF_LIA )(check-sat)", true);
    check("; (set-logic QF_BV)\n(set-info :x \"(set-logic QF_BV)\")(set-logic;\n|QF_LIA|)", true);
    check("(set-info :status sat)", false);
    check("(set-logic )", false);
    check("(set-logic QF_L", false);
}

#[test]
fn the_small_come_first_and_equals_in_an_order_of_their_own() {
    let seeds: Vec<(String, u32)> = (0..60).map(|n| ("x".to_string(), if n % 2 == 0 { 16 } else { 8 })).collect();
    let families = Families::new(&seeds, &mut draws());
    let order = families.seeds(0);
    assert!(order[..30].iter().all(|seed| seed % 2 == 1) && order[30..].iter().all(|seed| seed % 2 == 0));
    assert!(order[..30].windows(2).any(|two| two[0] > two[1]), "{order:?}");
    assert_eq!(families, Families::new(&seeds, &mut draws()), "the same each time");
}
