//! Sets of names.

use smtlib::Symbol;
use smtlib::name_set::{NameSet, NameSets};
use smtlib::symbol::Interner;
use std::collections::BTreeSet;

/// Random unions and removals agree with the library's sets, and equal contents have equal numbers.
#[test]
fn agrees_with_the_standard_library() {
    let mut interner = Interner::default();
    let all: Vec<Symbol> = (0..200_000).map(|n| interner.intern(&format!("n{n}"))).collect();
    let mut sets = NameSets::default();
    let mut known: Vec<(NameSet, BTreeSet<Symbol>)> = vec![(NameSet::EMPTY, BTreeSet::new())];
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for step in 0..3000 {
        let spread = [64, 1000, 10_000, all.len()][random(4)];
        let name = all[random(spread)];
        let (a, mut expect) = known[random(known.len())].clone();
        let set = match step % 3 {
            0 => {
                let one = sets.single(name);
                expect.insert(name);
                sets.union(a, one)
            }
            1 => {
                let (b, other) = known[random(known.len())].clone();
                expect.extend(other);
                sets.union(a, b)
            }
            _ => {
                let name = expect.iter().nth(random(expect.len().max(1))).copied().unwrap_or(name);
                expect.remove(&name);
                sets.without(a, name)
            }
        };
        let mut names = Vec::new();
        sets.for_each(set, &mut |n| names.push(n));
        assert_eq!(names, expect.iter().copied().collect::<Vec<_>>());
        assert_eq!(sets.len(set), expect.len());
        assert!(names.iter().all(|&n| sets.contains(set, n)));
        assert_eq!(sets.contains(set, name), expect.contains(&name));
        for (other, contents) in &known {
            assert_eq!(*other == set, *contents == expect);
        }
        if expect.len() < 300 && known.len() < 400 {
            known.push((set, expect));
        }
    }
}
