//! Changes to texts that make readers stumble: any bytes, and what means something to readers of SMT-LIB.

#[path = "random.rs"]
mod random;

pub use random::Random;

/// Tokens that mean something to the reader.
const WORDS: &[&str] = &[
    "(",
    ")",
    "|",
    "\"",
    ";",
    ":named",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "_",
    "as",
    "par",
    "!",
    "(push 1)",
    "(pop 1)",
    "(reset)",
    "(check-sat)",
    "-1",
    "0",
    "1.5",
    "#b1",
    "#xff",
    "99999999999",
    "(_ bv3 4)",
    "((_ extract 3 1)",
    "(_ is c)",
    "Int",
    "Real",
    "(Array Int Int)",
    "(_ BitVec 4)",
    "and",
    "-",
    "=",
    "select",
    "x",
    "\u{0}",
    "\u{e9}",
    "(declare-const x Int)",
    "(assert x)",
    "(define-fun f ((x Int)) Int x)",
    "(declare-datatypes ((T 0)) (((c (s T)) (d))))",
    "seq.len",
    "ff.mul",
    "#f3m7",
    "(_ FiniteField 7)",
    "(let ((x ",
    "(! ",
];

/// Changes a text at one to eight places: bytes and words in, spans out, doubled or swapped, parts of another seed in.
pub fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 + random.below(8) {
        let at = random.below(text.len() + 1);
        let length = random.below(40).min(text.len() - at);
        match random.below(8) {
            0 => text.insert(at, random.below(256) as u8),
            1 => drop(text.drain(at..at + length)),
            2 => {
                let copy = text[at..at + length].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            3 if at < text.len() => text[at] ^= 1 << random.below(8),
            4 => text.truncate(at.max(1)),
            5 => {
                let from = random.below(other.len());
                let part = &other[from..(from + length).min(other.len())];
                text.splice(at..at, part.iter().copied());
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                text.splice(at..at + length.min(3), format!(" {word} ").into_bytes());
            }
        }
    }
}

/// Replaces one expression by another, so that the result is often well-formed, and sometimes well-sorted.
pub fn transplant(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let spans = expressions(text);
        if spans.is_empty() {
            return;
        }
        let (from, to) = (&spans[random.below(spans.len())], &spans[random.below(spans.len())]);
        let part = text[from.clone()].to_vec();
        text.splice(to.clone(), part);
    }
}

/// Where the words and parenthesised expressions of a text stand, as far as parentheses and spaces tell.
fn expressions(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut spans, mut open, mut word) = (Vec::new(), Vec::new(), None);
    for (n, b) in text.iter().enumerate() {
        if !b" \t\r\n()".contains(b) {
            word.get_or_insert(n);
            continue;
        }
        spans.extend(word.take().map(|start| start..n));
        match b {
            b'(' => open.push(n),
            b')' => spans.extend(open.pop().map(|start| start..n + 1)),
            _ => {}
        }
    }
    spans
}
