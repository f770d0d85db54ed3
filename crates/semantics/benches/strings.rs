//! Speed of string values: comparison, search and membership.

use divan::{Bencher, black_box};
use semantics::strings::{RegexId, RegexStore, SmtString, WorkBudget, contains};

fn main() {
    divan::main();
}

fn word(text: &str) -> SmtString {
    SmtString::from_text(text).expect("the words of the benchmarks are short and of the alphabet")
}

/// Two different objects of 20 characters that differ in the last.
#[divan::bench]
fn compare_20_characters(bencher: Bencher) {
    let (left, right) = (word("abcdefghijklmnopqrst"), word("abcdefghijklmnopqrsx"));
    bencher.bench(|| black_box(&left) < black_box(&right));
}

#[divan::bench]
fn equality_of_20_characters(bencher: Bencher) {
    let (left, right) = (word("abcdefghijklmnopqrst"), word("abcdefghijklmnopqrst"));
    bencher.bench(|| black_box(&left) == black_box(&right));
}

#[divan::bench(args = ["needle", "aaaaaaaaaaaaaaab"])]
fn contains_in_1024_characters(bencher: Bencher, part: &str) {
    let (text, part) = (word(&"aaaaaaaa".repeat(128)), word(part));
    bencher.bench(|| contains(black_box(&text), black_box(&part)));
}

/// Patterns as benchmarks write them, with a word of 40 characters that is in the language.
fn usual(store: &mut RegexStore, name: &str) -> (RegexId, SmtString) {
    let (digit, letter) = (store.range(&word("0"), &word("9")), store.range(&word("a"), &word("z")));
    let (all, dot, at) = (store.all(), store.literal_of(&word(".")), store.literal_of(&word("@")));
    match name {
        "number" => {
            let (sign, digits) = (store.literal_of(&word("-")), store.plus(digit));
            let sign = store.optional(sign);
            (store.concat_all(&[sign, digits]), word(&format!("-{}", "1234567890123".repeat(3))))
        }
        "address" => {
            let letters = store.plus(letter);
            let host = store.concat(letters, dot);
            let hosts = store.plus(host);
            (
                store.concat_all(&[letters, at, hosts, letters]),
                word(
                    "someone.else@example.com".replace('.', "x").replacen("xcom", ".com.example.or.others", 1).as_str(),
                ),
            )
        }
        "contains" => {
            let part = store.literal_of(&word("<script>"));
            (store.concat_all(&[all, part, all]), word("some text before it <script> and after it"))
        }
        _ => {
            let part = store.literal_of(&word("<script>"));
            let inside = store.concat_all(&[all, part, all]);
            let outside = store.complement(inside);
            let bounded = store.repeat(store.any_character(), 10, 100);
            (store.inter(&[outside, bounded]), word("some text with nothing of that kind here"))
        }
    }
}

/// The derivatives are known from earlier words, as within a campaign.
#[divan::bench(args = ["number", "address", "contains", "excludes"])]
fn membership_again(bencher: Bencher, name: &str) {
    let mut store = RegexStore::new();
    let (regex, text) = usual(&mut store, name);
    assert_eq!(store.matches(&text, regex, &mut WorkBudget::default()), Ok(true), "{name}");
    bencher.bench_local(|| store.matches(black_box(&text), regex, &mut WorkBudget::default()));
}

/// The expression is built and its derivatives are made.
#[divan::bench(args = ["number", "address", "contains", "excludes"])]
fn membership_first(bencher: Bencher, name: &str) {
    bencher.bench(|| {
        let mut store = RegexStore::new();
        let (regex, text) = usual(&mut store, name);
        store.matches(&text, regex, &mut WorkBudget::default())
    });
}
