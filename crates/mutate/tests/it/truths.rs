//! Truth values under several assignments.

use mutate::weave::truths::TruthVector;

/// Returns the value under the first assignment.
fn vector(value: Option<bool>) -> TruthVector {
    let mut vector = TruthVector::default();
    value.into_iter().for_each(|value| vector.set(0, value));
    vector
}

fn value(vector: TruthVector) -> Option<bool> {
    assert_eq!(vector.yes & vector.no, 0);
    (vector != TruthVector::default()).then_some(vector.yes == 1)
}

/// If a connective gives a value, every completion of the unknown gives that value.
#[test]
fn values_hold_whatever_the_unknown_is() {
    const ALL: [Option<bool>; 3] = [Some(false), Some(true), None];
    let fill = |value: Option<bool>| value.map_or(vec![false, true], |value| vec![value]);
    let mut known = 0;
    let mut check = |a, b, c| {
        let (va, vb, vc) = (vector(a), vector(b), vector(c));
        let given = [va.and(vb), va.or(vb), va.same(vb), !va, va.choose(vb, vc)].map(value);
        for x in fill(a) {
            for y in fill(b) {
                for z in fill(c) {
                    let right = [x && y, x || y, x == y, !x, if x { y } else { z }];
                    for (given, right) in given.iter().zip(right) {
                        assert!(given.is_none_or(|given| given == right), "{a:?} {b:?} {c:?}: {given:?}, {right}");
                        known += usize::from(given.is_some());
                    }
                }
            }
        }
    };
    for a in ALL {
        for b in ALL {
            ALL.iter().for_each(|c| check(a, b, *c));
        }
    }
    assert_eq!(value(vector(Some(false)).and(vector(None))), Some(false));
    assert_eq!(value(vector(Some(true)).and(vector(None))), None);
    assert!(known > 100);
}
