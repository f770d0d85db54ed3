//! Regular expressions: corners of the operators, expressions built to explode, and deep ones.

use semantics::strings::{
    CharSet, MAX_CODE_POINT, RegexId, RegexStore, SmtString, StringsError, UNBOUNDED, WorkBudget, replace_all_regex,
    replace_regex,
};

fn word(text: &str) -> SmtString {
    SmtString::from_text(text).unwrap()
}

fn matches(store: &mut RegexStore, regex: RegexId, text: &str) -> bool {
    store.matches(&word(text), regex, &mut WorkBudget::default()).unwrap()
}

/// Builds an expression and checks which words are in it and which are not.
fn check(build: impl Fn(&mut RegexStore) -> RegexId, inside: &[&str], outside: &[&str]) {
    let mut store = RegexStore::new();
    let regex = build(&mut store);
    for text in inside {
        assert!(matches(&mut store, regex, text), "{text:?} is in the language");
    }
    for text in outside {
        assert!(!matches(&mut store, regex, text), "{text:?} is not in the language");
    }
}

fn lit(store: &mut RegexStore, text: &str) -> RegexId {
    store.literal_of(&word(text))
}

#[test]
fn constants() {
    check(|s| s.none(), &[], &["", "a"]);
    check(|s| s.all(), &["", "a", "\u{2FFFD}"], &[]);
    check(|s| s.any_character(), &["a", "\0"], &["", "ab"]);
    check(|s| lit(s, ""), &[""], &["a"]);
    check(|s| lit(s, "ab"), &["ab"], &["", "a", "b", "abc", "ba"]);
}

#[test]
fn ranges_need_single_characters_in_order() {
    let range = |low: &'static str, high: &'static str| move |s: &mut RegexStore| s.range(&word(low), &word(high));
    check(range("a", "c"), &["a", "b", "c"], &["", "d", "`", "ab"]);
    check(range("a", "a"), &["a"], &["b"]);
    check(range("c", "a"), &[], &["a", "b", "c", ""]);
    check(range("ab", "c"), &[], &["ab", "b", "c", ""]);
    check(range("a", "bc"), &[], &["a", "b", "bc", ""]);
    check(range("", "c"), &[], &["", "a", "c"]);
    check(range("a", ""), &[], &["", "a"]);
}

#[test]
fn repetitions() {
    let of = |text: &'static str, min: u64, max: u64| {
        move |s: &mut RegexStore| {
            let body = lit(s, text);
            s.repeat(body, min, max)
        }
    };
    check(of("ab", 2, 3), &["abab", "ababab"], &["", "ab", "abababab", "aba"]);
    check(of("ab", 3, 2), &[], &["", "abab", "ababab"]);
    check(of("ab", 0, 0), &[""], &["ab"]);
    check(of("ab", 2, UNBOUNDED), &["abab", "ababab"], &["", "ab"]);
    check(of("", 5, 7), &[""], &["a"]);
    check(
        |s| {
            let n = s.none();
            s.repeat(n, 0, 3)
        },
        &[""],
        &["a"],
    );
    check(
        |s| {
            let n = s.none();
            s.repeat(n, 1, 3)
        },
        &[],
        &["", "a"],
    );
    check(
        |s| {
            let n = s.none();
            s.star(n)
        },
        &[""],
        &["a"],
    );
    check(
        |s| {
            let a = lit(s, "a");
            let a = s.optional(a);
            s.power(a, 3)
        },
        &["", "a", "aa", "aaa"],
        &["aaaa", "b"],
    );
    // 2 or 3 times 2 or 3 leaves no gap, 2 times 2 or 4 does.
    check(
        |s| {
            let a = lit(s, "a");
            let inner = s.repeat(a, 2, 3);
            s.repeat(inner, 2, 3)
        },
        &["aaaa", "aaaaa", "aaaaaaaaa"],
        &["", "a", "aa", "aaa", "aaaaaaaaaa"],
    );
    check(
        |s| {
            let two = lit(s, "aa");
            let four = lit(s, "aaaa");
            let u = s.union(&[two, four]);
            s.power(u, 2)
        },
        &["aaaa", "aaaaaa", "aaaaaaaa"],
        &["aa", "aaaaa", "aaaaaaa"],
    );
}

#[test]
fn boolean_operators_and_their_negatives() {
    let keyword = |s: &mut RegexStore| {
        let (all, a, b) = (s.all(), lit(s, "a"), lit(s, "bb"));
        let (with_a, with_b) = (s.concat_all(&[all, a, all]), s.concat_all(&[all, b, all]));
        s.difference(with_a, with_b)
    };
    check(keyword, &["a", "bab", "xay"], &["", "b", "abb", "bba"]);
    check(
        |s| {
            let n = s.none();
            s.complement(n)
        },
        &["", "a"],
        &[],
    );
    check(
        |s| {
            let a = lit(s, "a");
            let c = s.complement(a);
            s.star(c)
        },
        &["", "aa", "b", "aab"],
        &["a"],
    );
    check(
        |s| {
            let a = lit(s, "a");
            let c = s.complement(a);
            s.inter(&[a, c])
        },
        &[],
        &["", "a", "b"],
    );
}

#[test]
fn replacing_matches() {
    let case = |build: &dyn Fn(&mut RegexStore) -> RegexId, w: &str, by: &str, first: &str, all: &str| {
        let mut store = RegexStore::new();
        let regex = build(&mut store);
        let work = &mut WorkBudget::default();
        assert_eq!(replace_regex(&mut store, &word(w), regex, &word(by), work).unwrap(), word(first), "{w:?}");
        assert_eq!(replace_all_regex(&mut store, &word(w), regex, &word(by), work).unwrap(), word(all), "{w:?}");
    };
    let a_plus = |s: &mut RegexStore| {
        let a = lit(s, "a");
        s.plus(a)
    };
    let a_star = |s: &mut RegexStore| {
        let a = lit(s, "a");
        s.star(a)
    };
    let a_to_b = |s: &mut RegexStore| {
        let (a, all, b) = (lit(s, "a"), s.all(), lit(s, "b"));
        s.concat_all(&[a, all, b])
    };
    // The shortest match, so one letter at a time.
    case(&a_plus, "baab", "x", "bxab", "bxxb");
    case(&a_plus, "bb", "x", "bb", "bb");
    // The empty match at the start is the leftmost shortest; `replace_re_all` takes non-empty ones only.
    case(&a_star, "baab", "x", "xbaab", "bxxb");
    case(&a_star, "", "x", "x", "");
    case(&a_star, "bb", "x", "xbb", "bb");
    // Leftmost beats shortest.
    case(&a_to_b, "aacbabb", "-", "-abb", "--b");
    case(&|s: &mut RegexStore| lit(s, "aa"), "aaaaa", "b", "baaa", "bba");
    case(&|s: &mut RegexStore| s.none(), "ab", "x", "ab", "ab");
    case(&|s: &mut RegexStore| s.all(), "ab", "x", "xab", "xx");
    case(&|s: &mut RegexStore| s.any_character(), "ab", "", "b", "");
    case(&|s: &mut RegexStore| s.epsilon(), "ab", "x", "xab", "ab");
}

#[test]
fn character_sets_split_the_alphabet() {
    let low = CharSet::range(10, 20);
    let high = CharSet::range(21, 30);
    assert_eq!(CharSet::union_of([&high, &low]).intervals(), [(10, 30)]);
    assert_eq!(CharSet::range(9, 3), low.intersection(&high));
    assert_eq!(CharSet::range(0, u32::MAX).intervals(), [(0, MAX_CODE_POINT)]);
    let split = CharSet::union_of([&low, &CharSet::range(40, 50)]);
    for (c, expect) in [
        (0, (false, (0, 9))),
        (10, (true, (10, 20))),
        (20, (true, (10, 20))),
        (21, (false, (21, 39))),
        (45, (true, (40, 50))),
        (51, (false, (51, MAX_CODE_POINT))),
    ] {
        assert_eq!(split.locate(c), expect, "{c}");
    }
}

#[test]
fn great_counts_are_not_unrolled() {
    let mut store = RegexStore::new();
    let a = lit(&mut store, "a");
    let aa = lit(&mut store, "aa");
    let either = store.union(&[a, aa]);
    for (body, steps) in [(a, 100_000), (either, 400_000)] {
        let many = store.repeat(body, 1, 1_000_000);
        let work = &mut WorkBudget::new(steps);
        let text = SmtString::new(&[97; 5000]).unwrap();
        assert!(store.matches(&text, many, work).unwrap());
    }
    let exact = store.power(a, 1 << 40);
    assert!(!matches(&mut store, exact, "aaaa"));
    let nested = (0..8).fold(a, |body, _| store.repeat(body, 1, 1_000_000_000));
    assert!(matches(&mut store, nested, "aaaaaaaaaaaa"));
    assert!(!matches(&mut store, nested, "aaaaaaaaaaab"));
}

#[test]
fn backtracking_traps_are_linear() {
    // (a*)*b, (a|a?)^40 a^40 and .*a.{12}: exponential for a backtracker, the last one for an automaton made in advance.
    let mut store = RegexStore::new();
    let (a, b) = (lit(&mut store, "a"), lit(&mut store, "b"));
    let star = store.star(a);
    let nested = store.star(star);
    let trap = store.concat(nested, b);
    let text = SmtString::new(&[97; 3000]).unwrap();
    assert!(!store.matches(&text, trap, &mut WorkBudget::new(20_000)).unwrap());

    let optional = store.optional(a);
    let parts: Vec<RegexId> = [vec![optional; 40], vec![a; 40]].concat();
    let trap = store.concat_all(&parts);
    assert!(store.matches(&SmtString::new(&[97; 40]).unwrap(), trap, &mut WorkBudget::new(100_000)).unwrap());
    assert!(!store.matches(&SmtString::new(&[97; 81]).unwrap(), trap, &mut WorkBudget::new(100_000)).unwrap());

    let (all, any) = (store.all(), store.any_character());
    let tail = store.power(any, 200);
    let trap = store.concat_all(&[all, a, tail]);
    let text: Vec<u32> = (0..2000u32).map(|i| 97 + (i * i / 7) % 2).collect();
    let expect = text[text.len() - 201] == 97;
    let found = store.matches(&SmtString::new(&text).unwrap(), trap, &mut WorkBudget::new(2_000_000)).unwrap();
    assert_eq!(found, expect);
}

#[test]
fn what_explodes_is_refused() {
    // Complements of concatenations nested in loops make states of states of states.
    let mut store = RegexStore::new();
    let (all, any) = (store.all(), store.any_character());
    let mut regex = lit(&mut store, "ab");
    for i in 0..12 {
        let counted = store.power(any, 7 + i);
        let inner = store.concat_all(&[all, regex, counted, all]);
        let outside = store.complement(inner);
        let doubled = store.concat(outside, outside);
        regex = store.repeat(doubled, 2, 1_000_000);
    }
    let text: Vec<u32> = (0..4000u32).map(|i| 97 + (i * i / 5) % 2).collect();
    let text = SmtString::new(&text).unwrap();
    let refused = Err(StringsError::RegexWork { budget: 300_000 });
    assert_eq!(store.matches(&text, regex, &mut WorkBudget::new(300_000)), refused);
    assert!(store.len() < 2_000_000);
    // The emptiness of `.*a.{40}` and of its complement together needs 2^40 states.
    let a = lit(&mut store, "a");
    let forty = store.power(any, 40);
    let far = store.concat_all(&[all, a, forty]);
    let near = store.complement(far);
    let both = store.concat(near, forty);
    let clash = store.inter(&[far, both]);
    let found = store.shortest_word(clash, &mut WorkBudget::new(100_000));
    assert!(found.is_err() || found.is_ok_and(|w| w.is_some()));
}

#[test]
fn a_nest_of_many_levels_does_not_overflow_the_stack() {
    const DEPTH: usize = 250_000;
    let text = word("abab");
    type Wrap = fn(&mut RegexStore, RegexId, RegexId) -> RegexId;
    let nests: [Wrap; 6] = [
        |s, a, inner| s.concat(a, inner),
        |s, a, inner| s.concat(inner, a),
        |s, a, inner| s.union(&[a, inner]),
        |s, a, inner| {
            let i = s.concat(inner, a);
            s.star(i)
        },
        |s, a, inner| {
            let i = s.concat(a, inner);
            s.complement(i)
        },
        |s, _, inner| s.repeat(inner, 2, 3),
    ];
    for wrap in nests {
        let mut store = RegexStore::new();
        let letters: Vec<RegexId> =
            (0..50).map(|i| store.literal_of(&SmtString::new(&[97 + i, 98]).unwrap())).collect();
        let mut regex = letters[0];
        for level in 0..DEPTH {
            regex = wrap(&mut store, letters[level % letters.len()], regex);
        }
        // Whatever the answer, it comes within the budget or not at all.
        let _ = store.matches(&text, regex, &mut WorkBudget::new(5_000_000));
        let _ = store.reverse(regex, &mut WorkBudget::new(5_000_000));
        let _ = store.shortest_word(regex, &mut WorkBudget::new(5_000_000));
    }
}

/// Every second character of the alphabet in a nest of unions: merging all into one class would take gigabytes.
#[test]
fn a_nest_of_single_characters_stays_linear() {
    let mut store = RegexStore::new();
    let mut regex = store.none();
    for c in (0..MAX_CODE_POINT).step_by(2) {
        let one = store.class(CharSet::range(c, c));
        regex = store.union(&[one, regex]);
    }
    assert!(store.len() < 400_000);
    for (c, expect) in [(0, true), (1, false), (0x10000, true), (0x10001, false)] {
        let text = SmtString::new(&[c]).unwrap();
        assert_eq!(store.matches(&text, regex, &mut WorkBudget::default()), Ok(expect), "{c}");
    }
    // Given at once they are one class.
    let ones: Vec<RegexId> = (0..20_000).step_by(2).map(|c| store.class(CharSet::range(c, c))).collect();
    let nodes = store.len();
    let class = store.union(&ones);
    assert_eq!(store.len(), nodes + 1);
    assert!(store.matches(&SmtString::new(&[19_998]).unwrap(), class, &mut WorkBudget::default()).unwrap());
}

#[test]
fn ten_megabyte_words_are_read_once() {
    let mut store = RegexStore::new();
    let text = SmtString::new(&vec![97; 10_000_000]).unwrap();
    let (a, b, all) = (lit(&mut store, "a"), lit(&mut store, "b"), store.all());
    let pattern = store.concat_all(&[a, all, b]);
    let work = &mut WorkBudget::default();
    assert!(!store.matches(&text, pattern, work).unwrap());
    // Every position starts an attempt that fails only at the end.
    assert_eq!(replace_all_regex(&mut store, &text, pattern, &word("x"), work).unwrap(), text);
    let itself = store.literal_of(&text);
    assert!(store.matches(&text, itself, work).unwrap());
    assert!(work.remaining() > WorkBudget::DEFAULT_STEPS / 2);
}
