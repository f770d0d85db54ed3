//! Laws of the string operations against definitions written out naively.

use crate::strings_support::{Re, expressions, words};
use proptest::prelude::*;
use semantics::strings::{
    RegexStore, SmtString, WorkBudget, at, concat, contains, index_of, is_prefix, is_suffix, replace, replace_all,
    replace_all_regex, replace_regex, substring, to_int,
};

const AB: &[u32] = &[97, 98];
const ABC: &[u32] = &[97, 98, 99];
const DIGITS: &[u32] = &[48, 49, 57, 58];

fn word(points: &[u32]) -> SmtString {
    SmtString::new(points).unwrap()
}

/// `str.replace_all` as the clause reads.
fn replace_all_by_definition(w: &[u32], part: &[u32], by: &[u32]) -> Vec<u32> {
    let found = (0..=w.len()).find(|&i| w[i..].starts_with(part));
    match found {
        Some(i) if !part.is_empty() => {
            [&w[..i], by, &replace_all_by_definition(&w[i + part.len()..], part, by)].concat()
        }
        _ => w.to_vec(),
    }
}

/// The leftmost shortest match of at least `shortest` characters.
fn match_by_definition(w: &[u32], re: &Re, shortest: usize) -> Option<(usize, usize)> {
    (0..=w.len()).find_map(|i| (i + shortest..=w.len()).find(|&j| re.contains(&w[i..j])).map(|j| (i, j)))
}

fn replace_all_regex_by_definition(w: &[u32], re: &Re, by: &[u32]) -> Vec<u32> {
    match match_by_definition(w, re, 1) {
        Some((i, j)) => [&w[..i], by, &replace_all_regex_by_definition(&w[j..], re, by)].concat(),
        None => w.to_vec(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn search_agrees_with_its_definition(w in words(AB, 90), part in words(AB, 60), short in words(AB, 4), start in -1i64..95) {
        for part in [&part, &short] {
            let expect = (0..=w.len()).filter(|&i| i as i64 >= start && start >= 0).find(|&i| w[i..].starts_with(part));
            let found = index_of(&word(&w), &word(part), &start.into());
            prop_assert_eq!(found, expect.map_or(-1, |i| i as i64).into());
            let inside = (0..=w.len()).any(|i| w[i..].starts_with(part));
            prop_assert_eq!(contains(&word(&w), &word(part)), inside);
        }
    }

    /// Long borders are what a wrong failure table shows on, so the needle is taken from the text itself.
    #[test]
    fn parts_of_a_word_are_found(w in words(AB, 200), from in 0usize..200, length in 0usize..200) {
        let from = from.min(w.len());
        let part = &w[from..(from + length).min(w.len())];
        let first = (0..=w.len()).find(|&i| w[i..].starts_with(part)).unwrap();
        prop_assert_eq!(index_of(&word(&w), &word(part), &0.into()), first.into());
        prop_assert_eq!(replace_all(&word(&w), &word(part), &word(&[99])).unwrap(), word(&replace_all_by_definition(&w, part, &[99])));
    }

    #[test]
    fn substrings_put_the_word_together(w in words(ABC, 12), i in 0usize..14) {
        let (whole, i) = (word(&w), i.min(w.len()));
        let (left, right) = (substring(&whole, &0.into(), &i.into()), substring(&whole, &i.into(), &100.into()));
        prop_assert!(is_prefix(&left, &whole) && is_suffix(&right, &whole));
        prop_assert_eq!(concat(&[left, right]).unwrap(), whole.clone());
        let letters: Vec<SmtString> = (0..w.len()).map(|i| at(&whole, &i.into())).collect();
        prop_assert_eq!(concat(&letters).unwrap(), whole);
    }

    #[test]
    fn replacing_agrees_with_its_definition(w in words(AB, 12), part in words(AB, 3), by in words(ABC, 3)) {
        let expect = match (0..=w.len()).find(|&i| w[i..].starts_with(&part)) {
            Some(i) => [&w[..i], &by, &w[i + part.len()..]].concat(),
            None => w.clone(),
        };
        prop_assert_eq!(replace(&word(&w), &word(&part), &word(&by)).unwrap(), word(&expect));
        let expect = replace_all_by_definition(&w, &part, &by);
        prop_assert_eq!(replace_all(&word(&w), &word(&part), &word(&by)).unwrap(), word(&expect));
    }

    #[test]
    fn numerals_agree_with_the_recursive_clause(w in words(DIGITS, 8)) {
        let digits = !w.is_empty() && w.iter().all(|c| (48..58).contains(c));
        let expect = if digits { w.iter().fold(0i64, |n, c| 10 * n + i64::from(c - 48)) } else { -1 };
        prop_assert_eq!(to_int(&word(&w)).unwrap(), expect.into());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn membership_agrees_with_its_definition(re in expressions(AB, 4), samples in proptest::collection::vec(words(ABC, 6), 6)) {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        for sample in &samples {
            let found = store.matches(&word(sample), regex, &mut WorkBudget::default()).unwrap();
            prop_assert_eq!(found, re.contains(sample), "{:?}", sample);
        }
    }

    #[test]
    fn reversal_reads_backwards(re in expressions(AB, 4), sample in words(ABC, 6)) {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        let reversed = store.reverse(regex, &mut WorkBudget::default()).unwrap();
        let backwards: Vec<u32> = sample.iter().rev().copied().collect();
        prop_assert_eq!(store.matches(&word(&backwards), reversed, &mut WorkBudget::default()).unwrap(), re.contains(&sample));
    }

    #[test]
    fn replacing_matches_agrees_with_its_definition(re in expressions(AB, 3), w in words(AB, 7), by in words(ABC, 2)) {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        let work = &mut WorkBudget::default();
        let expect = match match_by_definition(&w, &re, 0) {
            Some((i, j)) => [&w[..i], &by, &w[j..]].concat(),
            None => w.clone(),
        };
        prop_assert_eq!(replace_regex(&mut store, &word(&w), regex, &word(&by), work).unwrap(), word(&expect));
        let expect = replace_all_regex_by_definition(&w, &re, &by);
        prop_assert_eq!(replace_all_regex(&mut store, &word(&w), regex, &word(&by), work).unwrap(), word(&expect));
    }

    /// With little work allowed the answer is the same or there is none.
    #[test]
    fn a_budget_never_changes_an_answer(re in expressions(AB, 4), w in words(AB, 7), steps in 0u64..60) {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        if let Ok(answer) = store.matches(&word(&w), regex, &mut WorkBudget::new(steps)) {
            prop_assert_eq!(answer, re.contains(&w));
        }
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        if let Ok(answer) = replace_all_regex(&mut store, &word(&w), regex, &word(&[99]), &mut WorkBudget::new(steps)) {
            prop_assert_eq!(answer, word(&replace_all_regex_by_definition(&w, &re, &[99])));
        }
    }

    #[test]
    fn emptiness_gives_a_shortest_word(re in expressions(AB, 4)) {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        let shortest = store.shortest_word(regex, &mut WorkBudget::default()).unwrap();
        if let Some(found) = &shortest {
            prop_assert!(re.contains(found.code_points()), "{:?}", found);
        }
        // Nothing shorter is in the language; the letter c stands for every character the expression does not name.
        let bound = shortest.map_or(4, |found| found.len().min(4));
        let mut layer = vec![Vec::new()];
        for _ in 0..bound {
            prop_assert!(!layer.iter().any(|w: &Vec<u32>| re.contains(w)));
            layer = layer.iter().flat_map(|w| ABC.iter().map(|&c| [w.as_slice(), &[c]].concat())).collect();
        }
    }
}
