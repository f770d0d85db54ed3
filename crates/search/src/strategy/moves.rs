//! Typed changes of one slot: steps between neighbours, bits, special values, copies, and random values.

use crate::analysis::Analysis;
use crate::layout::Layout;
use crate::rng::Random;
use crate::types::{NativeFormat, Ty, mask};
use crate::word::{rank, sign_bit};

/// A step in the order of a type: direction and distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotStep {
    /// The slot.
    pub slot: usize,
    /// Whether the step is downwards.
    pub down: bool,
    /// The distance in neighbours.
    pub by: u64,
}

/// Changes a slot randomly. If the change is a step, returns it: the caller can repeat a step that helped, with twice the distance.
pub fn mutate(
    input: &mut [u8],
    layout: &Layout,
    slot: usize,
    random: &mut Random,
    analysis: &mut Analysis,
) -> Option<SlotStep> {
    let ty = layout.slots()[slot].ty;
    let word = if ty.words() > 1 { random.index(ty.words()) } else { 0 };
    let old = layout.get(input, slot, word);
    let width = (ty.width() - 64 * word as u32).min(64);
    if width <= 3 {
        let value = if ty == Ty::Mode { random.below(5) } else { random.bits() & mask(width) };
        let value = if value == old { (old + 1) % if ty == Ty::Mode { 5 } else { 1 << width } } else { value };
        layout.set(input, slot, word, value);
        return None;
    }
    if random.one_in(8) && special_float(input, layout, slot, random) {
        return None;
    }
    let new = match random.below(16) {
        0..=6 => {
            let step = SlotStep { slot, down: random.one_in(2), by: 1 << random.below(u64::from(width - 1)) };
            take(input, layout, step, word);
            return Some(step);
        }
        7..=9 => old ^ 1 << random.below(u64::from(width)),
        10..=11 => random.pick(&analysis.values(ty)).copied().unwrap_or(0),
        12 => {
            let other = random.index(layout.slots().len());
            let from = layout.slots()[other].ty;
            let copied = layout.get(input, other, 0);
            if from.width() == ty.width() && other != slot { copied } else { old.wrapping_add(1) }
        }
        13 => {
            let value = random.pick(&analysis.values(ty)).copied().unwrap_or(0);
            let noise = random.bits() >> random.below(64).max(64 - u64::from(width));
            if random.one_in(2) { value.wrapping_add(noise) } else { value.wrapping_sub(noise) }
        }
        14 => any(ty, random),
        _ => old ^ random.bits() & random.bits() & random.bits(),
    };
    layout.set(input, slot, word, new & mask(width));
    None
}

/// Sets a slot with a non-native float to a special value: a zero, an infinity, NaN, or the least or greatest number of a class. Returns
/// false for other types.
fn special_float(input: &mut [u8], layout: &Layout, slot: usize, random: &mut Random) -> bool {
    let ty = layout.slots()[slot].ty;
    let (Ty::Float(format), None) = (ty, ty.native()) else { return false };
    let (exponent, trailing) = (random.below(3), random.below(3));
    let (width, low) = (format.width(), format.sb() - 1);
    let sign = random.one_in(2);
    let bit = |position: u32| match position {
        p if p == width - 1 => sign,
        p if p >= low => exponent == 1 || exponent == 2 && p > low,
        p => trailing == 1 || trailing == 2 && p == 0,
    };
    for word in 0..ty.words() as u32 {
        let bits = (word * 64..width.min(word * 64 + 64)).fold(0, |bits, p| bits | u64::from(bit(p)) << (p % 64));
        layout.set(input, slot, word as usize, bits);
    }
    true
}

/// Takes a step on a word of a slot. Floats move by positions in their order; other words by addition or subtraction.
pub fn take(input: &mut [u8], layout: &Layout, step: SlotStep, word: usize) {
    let ty = layout.slots()[step.slot].ty;
    let old = layout.get(input, step.slot, word);
    let new = match ty.native() {
        Some(native) => float_step(old, native, step.down, step.by),
        None if step.down => old.wrapping_sub(step.by),
        None => old.wrapping_add(step.by),
    };
    layout.set(input, step.slot, word, new);
}

/// Returns the float `by` positions further up or down, at most an infinity. NaN counts as zero.
pub fn float_step(bits: u64, native: NativeFormat, down: bool, by: u64) -> u64 {
    let width = native.width();
    let middle = 1u64 << 63;
    let most = crate::word::infinity(width);
    let place = if crate::word::is_nan(bits, width) { middle } else { rank(bits, width) };
    let place = if down { place.saturating_sub(by) } else { place.saturating_add(by) };
    let place = place.clamp(middle - most, middle + most);
    if place >= middle { place - middle } else { (middle - place) | sign_bit(width) }
}

/// Returns a random value of a type's word: uniform bits, or a number of moderate size, as in most formulas.
pub fn any(ty: Ty, random: &mut Random) -> u64 {
    let bits = random.bits();
    match ty.native() {
        Some(native) if !random.one_in(3) => {
            // A random significand, and an exponent near the exponent of 1.0.
            let exponent = random.below(40) as i32 - 20;
            let magnitude = 1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64;
            let signed = if bits & 1 == 1 { -magnitude } else { magnitude };
            let value = signed * 2f64.powi(exponent);
            let value = if bits & 6 == 0 { value.trunc() } else { value };
            match native {
                NativeFormat::Single => u64::from((value as f32).to_bits()),
                NativeFormat::Double => value.to_bits(),
            }
        }
        None if ty.width() > 8 && random.one_in(2) => bits >> random.below(64).max(64 - u64::from(ty.width().min(64))),
        _ => bits,
    }
}

/// Fills a whole slot randomly.
pub fn draw(input: &mut [u8], layout: &Layout, slot: usize, random: &mut Random, analysis: &mut Analysis) {
    if random.one_in(3) && special_float(input, layout, slot, random) {
        return;
    }
    let ty = layout.slots()[slot].ty;
    for word in 0..ty.words() {
        let width = (ty.width() - 64 * word as u32).min(64);
        let value = match ty {
            Ty::Mode => random.below(5),
            _ if random.one_in(4) => random.pick(&analysis.values(ty)).copied().unwrap_or(0),
            _ => any(ty, random),
        };
        layout.set(input, slot, word, value & mask(width));
    }
}
