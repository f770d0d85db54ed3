//! Splits messages larger than the server accepts, and joins them again.

use super::wire::{MAX_FINDING, Refusal};
use async_nats::HeaderMap;
use std::collections::BTreeMap;

/// The maximum size of a part, in bytes: servers accept messages of 1 MiB by default.
pub(super) const PART: usize = 512 << 10;
/// The maximum number of incomplete messages, and of their bytes.
const MAX_OPEN: usize = 256;
const MAX_HELD: usize = 256 << 20;
/// The header with the SHA-256 of the whole, the part's number from 0, and the number of parts, separated by blanks.
const HEADER: &str = "Squall-Part";

/// Incomplete messages. `T` is kept for each part until the message is complete.
pub(super) struct Parts<T> {
    open: BTreeMap<String, OpenParts<T>>,
    held: usize,
    age: u64,
}

struct OpenParts<T> {
    parts: Vec<Option<(Vec<u8>, T)>>,
    age: u64,
}

/// The result of adding a part.
pub(super) enum Assembled<T> {
    /// The complete message, and the data kept for its parts.
    Whole(Vec<u8>, Vec<T>),
    /// Others are missing.
    Waiting,
    /// The message is not a part that belongs anywhere.
    Refused(Refusal, T),
}

/// Returns the header of a part.
pub(super) fn header(sha256: &str, part: usize, of: usize) -> (&'static str, String) {
    (HEADER, format!("{sha256} {part} {of}"))
}

impl<T> Parts<T> {
    pub(super) fn new() -> Parts<T> {
        Parts { open: BTreeMap::new(), held: 0, age: 0 }
    }

    /// Takes a complete message or a part. When too much is held, the oldest message is dropped; its parts are delivered again, since
    /// they were not acknowledged.
    pub(super) fn take(&mut self, headers: Option<&HeaderMap>, payload: &[u8], kept: T) -> Assembled<T> {
        let Some(value) = headers.and_then(|headers| headers.get(HEADER)) else {
            return Assembled::Whole(payload.to_vec(), vec![kept]);
        };
        let words: Vec<&str> = value.as_str().split(' ').collect();
        let numbers = match &words[..] {
            [sha256, part, of] if super::wire::is_sha256(sha256) => Some((*sha256, part.parse().ok(), of.parse().ok())),
            _ => None,
        };
        let Some((sha256, Some(part), Some(of))) = numbers else { return Assembled::Refused(Refusal::Shape, kept) };
        let (part, of): (usize, usize) = (part, of);
        if part >= of || of > MAX_FINDING / PART + 1 || payload.len() > PART {
            return Assembled::Refused(Refusal::Size, kept);
        }
        self.age += 1;
        let age = self.age;
        let new = || OpenParts { parts: std::iter::repeat_with(|| None).take(of).collect(), age };
        let open = self.open.entry(sha256.to_string()).or_insert_with(new);
        if open.parts.len() != of {
            return Assembled::Refused(Refusal::Shape, kept);
        }
        self.held += payload.len();
        // A part that is delivered again replaces the first delivery.
        self.held -= open.parts[part].replace((payload.to_vec(), kept)).map_or(0, |(before, _)| before.len());
        if open.parts.iter().any(Option::is_none) {
            self.shed();
            return Assembled::Waiting;
        }
        let Some(open) = self.open.remove(sha256) else { return Assembled::Waiting };
        let (parts, mut kept): (Vec<Vec<u8>>, Vec<T>) = open.parts.into_iter().flatten().unzip();
        let bytes = parts.concat();
        self.held -= bytes.len();
        if files::digest::sha256(&bytes) == sha256 {
            return Assembled::Whole(bytes, kept);
        }
        match kept.pop() {
            Some(last) => Assembled::Refused(Refusal::Hash, last),
            None => Assembled::Waiting,
        }
    }

    fn shed(&mut self) {
        while self.open.len() > MAX_OPEN || self.held > MAX_HELD {
            let Some(oldest) = self.open.iter().min_by_key(|(_, open)| open.age).map(|(name, _)| name.clone()) else {
                return;
            };
            if let Some(open) = self.open.remove(&oldest) {
                self.held -= open.parts.iter().flatten().map(|(bytes, _)| bytes.len()).sum::<usize>();
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/parts.rs"]
mod tests;
