//! A seed with narrower bit-vectors: every width is divided by one number, the rest is unchanged.
//!
//! Before: `(= ((_ extract 15 8) x) #x80)` over 32 bits. After: `(= ((_ extract 1 1) x) #b1)` over 4. If the parser finds
//! the result ill-sorted, the seed is not narrowed: nothing here knows an operator's widths.

use crate::mutator::TargetSpelling;
use crate::preamble;
use crate::rng::RandomStream;
use smtlib::sexpr::atoms;
use smtlib::{Instance, Store};

/// The maximum width of a narrowed seed's bit-vectors, in bits.
const WIDEST: usize = 5;

/// Returns the seed with narrower bit-vectors, in its own store. `None` if it has no wide ones, or their widths have no
/// common divisor that leaves the seed well-sorted.
pub(super) fn narrow(store: &Store, seed: &Instance, rng: &mut RandomStream) -> Option<(Store, Instance)> {
    let mut text = String::new();
    preamble::print_check(store, seed, &seed.assertions, &TargetSpelling::default(), &mut text);
    let divisor = *rng.pick(&divisors(&text))?;
    let text = divided(&text, divisor)?;
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    match parsed.errors.is_empty() {
        true => Some((store, parsed.script.each_instance().last()?)),
        false => None,
    }
}

/// Returns the numbers that divide all widths of a text except 1 and make the widest small; preferably at least two bits.
pub fn divisors(text: &str) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut before = ["", ""];
    for span in atoms(text) {
        let atom = &text[span];
        match before {
            ["_", "BitVec"] => widths.extend(atom.parse::<usize>().ok()),
            _ => widths.extend(bits(atom).map(|bits| bits.len())),
        }
        before = [before[1], atom];
    }
    widths.retain(|&width| width > 1);
    let Some(&widest) = widths.iter().max() else { return Vec::new() };
    let common = widths.iter().fold(0, |a, &b| gcd(a, b));
    if widest <= WIDEST {
        return Vec::new();
    }
    // By the resulting largest width: a seed may have billions of bits.
    let left = (1..=WIDEST).rev().filter(|left| widest.is_multiple_of(*left));
    let mut few: Vec<usize> = left.map(|left| widest / left).filter(|d| common.is_multiple_of(*d)).collect();
    if few.len() > 1 {
        few.retain(|divisor| *divisor < widest);
    }
    few
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the text with every width divided. `None` if one is not a multiple.
pub fn divided(text: &str, divisor: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (atoms(text), 0);
    let mut previous = "";
    while let Some(span) = at.next() {
        let atom = &text[span.clone()];
        let indexed = std::mem::replace(&mut previous, atom) == "_";
        let replaced = if let Some(bits) = bits(atom) {
            format!("#b{}", fewer(&bits, divided_width(bits.len(), divisor)?))
        } else if let Some(indices) = indexed.then(|| indices(atom)).flatten() {
            let (mut numbers, mut end) = (Vec::new(), span.end);
            for span in at.by_ref().take(indices.count()) {
                end = span.end;
                numbers.push(text[span].parse().ok()?);
            }
            out.push_str(&text[copied..span.end]);
            indices.divided(&numbers, divisor)?.iter().for_each(|number| out.push_str(&format!(" {number}")));
            copied = end;
            continue;
        } else {
            continue;
        };
        out.push_str(&text[copied..span.start]);
        out.push_str(&replaced);
        copied = span.end;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// The meaning of a name's indices.
#[derive(Clone, Copy)]
enum WidthIndices {
    /// A width.
    Width,
    /// The two positions of a slice.
    Slice,
    /// The difference of two widths.
    Difference,
    /// A number of places.
    Places,
}

/// Returns the meaning of the indices of a bit-vector or float operator, if they concern a width.
fn indices(name: &str) -> Option<WidthIndices> {
    Some(match name {
        "BitVec" | "int_to_bv" | "int2bv" | "nat2bv" | "fp.to_ubv" | "fp.to_sbv" => WidthIndices::Width,
        "extract" => WidthIndices::Slice,
        "zero_extend" | "sign_extend" => WidthIndices::Difference,
        "rotate_left" | "rotate_right" => WidthIndices::Places,
        _ => return None,
    })
}

impl WidthIndices {
    fn count(self) -> usize {
        if matches!(self, WidthIndices::Slice) { 2 } else { 1 }
    }

    fn divided(self, numbers: &[usize], divisor: usize) -> Option<Vec<usize>> {
        Some(match (self, numbers) {
            (WidthIndices::Width, [width]) => vec![divided_width(*width, divisor)?],
            (WidthIndices::Slice, [high, low]) => {
                let width = divided_width((high + 1).checked_sub(*low)?, divisor)?;
                vec![low / divisor + width.checked_sub(1)?, low / divisor]
            }
            (WidthIndices::Difference, [bits]) if bits.is_multiple_of(divisor) => vec![bits / divisor],
            // From one bit, which stays one.
            (WidthIndices::Difference, [bits]) => vec![divided_width(bits + 1, divisor)?.checked_sub(1)?],
            (WidthIndices::Places, [places]) => vec![places / divisor],
            _ => return None,
        })
    }
}

/// Divides a width; `None` if it is not a multiple. A width of one bit stays one.
fn divided_width(width: usize, divisor: usize) -> Option<usize> {
    match width {
        1 => Some(1),
        _ => width.is_multiple_of(divisor).then_some(width / divisor),
    }
}

/// Returns the bits of a literal, highest first; `None` for any other atom.
fn bits(atom: &str) -> Option<String> {
    match (atom.strip_prefix("#b"), atom.strip_prefix("#x")) {
        (Some(bits), _) => Some(bits.to_string()),
        (_, Some(digits)) => {
            digits.chars().map(|digit| digit.to_digit(16)).map(|digit| digit.map(|d| format!("{d:04b}"))).collect()
        }
        _ => None,
    }
}

/// Returns the lowest bits: small numbers of either sign keep their value, and the extreme signed numbers stay extreme.
fn fewer(bits: &str, width: usize) -> String {
    let (sign, rest) = bits.split_at(1.min(bits.len()));
    let last = &bits[bits.len().saturating_sub(width)..];
    match sign {
        "1" if !rest.contains('1') => format!("1{}", "0".repeat(width - 1)),
        "0" if !rest.contains('0') => format!("0{}", "1".repeat(width - 1)),
        _ => last.to_string(),
    }
}
