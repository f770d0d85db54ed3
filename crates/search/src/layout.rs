//! The input: one tightly packed bit buffer with a typed slot for every free value of the formula.

use crate::types::{Ty, WORD, mask};

/// A part of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputSlot {
    /// Its type.
    pub ty: Ty,
    /// Its first bit in the buffer.
    pub offset: u64,
}

/// The positions of the slots: one after the other in the order of their first use, without gaps.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    slots: Vec<InputSlot>,
    bits: u64,
}

/// Padding bytes, so that a word can be read or written anywhere.
const MARGIN: usize = 16;

impl Layout {
    /// Adds a slot and returns its number.
    pub fn add(&mut self, ty: Ty) -> usize {
        self.slots.push(InputSlot { ty, offset: self.bits });
        self.bits += u64::from(ty.width());
        self.slots.len() - 1
    }

    /// Returns the slots in order.
    pub fn slots(&self) -> &[InputSlot] {
        &self.slots
    }

    /// Returns the bits in use.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Returns the bytes in use, the last possibly in part.
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// Returns an input of zeros.
    pub fn zeros(&self) -> Vec<u8> {
        vec![0; self.bytes() + MARGIN]
    }

    /// Returns word `n` of a slot; for a slot of one word, its value.
    ///
    /// The three bits of a rounding mode have eight patterns: 5, 6 and 7 mean 0, 1 and 2.
    #[inline]
    pub fn get(&self, input: &[u8], slot: usize, n: usize) -> u64 {
        let InputSlot { ty, offset } = self.slots[slot];
        let (start, width) = part(ty, offset, n);
        let word = read(input, start) & mask(width);
        if ty == Ty::Mode && word > 4 { word - 5 } else { word }
    }

    /// Sets word `n` of a slot; bits above the slot's width are dropped.
    #[inline]
    pub fn set(&self, input: &mut [u8], slot: usize, n: usize, value: u64) {
        let InputSlot { ty, offset } = self.slots[slot];
        let (start, width) = part(ty, offset, n);
        write(input, start, width, value & mask(width));
    }

    /// Returns the words of a slot, lowest first.
    pub fn words(&self, input: &[u8], slot: usize) -> Vec<u64> {
        (0..self.slots[slot].ty.words()).map(|n| self.get(input, slot, n)).collect()
    }

    /// Sets all words of a slot.
    pub fn set_words(&self, input: &mut [u8], slot: usize, words: &[u64]) {
        for (n, &word) in words.iter().enumerate() {
            self.set(input, slot, n, word);
        }
    }
}

/// Returns the first bit and the number of bits of word `n` of a slot.
fn part(ty: Ty, offset: u64, n: usize) -> (u64, u32) {
    let done = n as u32 * WORD;
    (offset + u64::from(done), (ty.width() - done).min(WORD))
}

/// Returns the 64 bits from bit `start` on.
#[inline]
fn read(input: &[u8], start: u64) -> u64 {
    let (byte, shift) = ((start / 8) as usize, (start % 8) as u32);
    let low = word_at(input, byte) >> shift;
    if shift == 0 { low } else { low | u64::from(input[byte + 8]) << (WORD - shift) }
}

#[inline]
fn write(input: &mut [u8], start: u64, width: u32, value: u64) {
    let (byte, shift) = ((start / 8) as usize, (start % 8) as u32);
    let low = word_at(input, byte) & !(mask(width) << shift) | value << shift;
    input[byte..byte + 8].copy_from_slice(&low.to_le_bytes());
    if shift + width > WORD {
        let rest = shift + width - WORD;
        let high = mask(rest) as u8;
        input[byte + 8] = input[byte + 8] & !high | (value >> (WORD - shift)) as u8;
    }
}

#[inline]
fn word_at(input: &[u8], byte: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&input[byte..byte + 8]);
    u64::from_le_bytes(word)
}
