//! Regular languages: hash-consed expressions, their derivatives, membership, matches and emptiness.

mod build;
mod derivative;
mod emptiness;
mod matching;
mod membership;
mod union;

use super::charset::CharSet;
use super::value::SmtString;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The upper bound of an unbounded repetition, as in the Kleene closure.
pub const UNBOUNDED: u64 = u64::MAX;

/// A regular expression of one [`RegexStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegexId(pub(super) u32);

/// One expression. Invariant: operands are older than the node they are in, so an expression has no cycle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RegexNode {
    /// No word.
    None,
    /// The empty word only.
    Epsilon,
    /// The words of one character of a non-empty set.
    Class(Arc<CharSet>),
    /// The part from `offset` on of a word of [`RegexStore::words`]; at least two characters.
    Literal { word: u32, offset: u32 },
    /// A word of the first, then one of the second.
    Concat(RegexId, RegexId),
    /// The words of any; sorted, at least two.
    Union(Arc<[RegexId]>),
    /// The words of all; sorted, at least two.
    Inter(Arc<[RegexId]>),
    /// The words not in the operand.
    Complement(RegexId),
    /// `min` to `max` words of the body, one after the other; `max` may be [`UNBOUNDED`].
    Repeat { body: RegexId, min: u64, max: u64 },
}

/// A known derivative: `target` for every character of `low..=high`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transition {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) target: RegexId,
}

/// All regular expressions of an evaluation, with the derivatives found so far.
///
/// It only grows. A long-lived owner replaces it once [`len`](Self::len) is large.
#[derive(Debug)]
pub struct RegexStore {
    nodes: Vec<RegexNode>,
    nullable: Vec<bool>,
    /// The length of the right spine of concatenations, for re-association.
    spine: Vec<u32>,
    /// By node, sorted by `low`, disjoint.
    transitions: Vec<Vec<Transition>>,
    table: HashTable<RegexId>,
    words: Vec<SmtString>,
    word_table: HashTable<u32>,
    pub(super) constants: Constants,
}

/// The expressions every store has from the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constants {
    pub(super) none: RegexId,
    pub(super) epsilon: RegexId,
    pub(super) any_character: RegexId,
    pub(super) all: RegexId,
}

impl RegexId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for RegexStore {
    fn default() -> Self {
        RegexStore::new()
    }
}

impl RegexStore {
    /// Makes a store with the constants only.
    pub fn new() -> Self {
        let (none, epsilon, any_character, all) = (RegexId(0), RegexId(1), RegexId(2), RegexId(3));
        let mut store = RegexStore {
            nodes: Vec::new(),
            nullable: Vec::new(),
            spine: Vec::new(),
            transitions: Vec::new(),
            table: HashTable::new(),
            words: Vec::new(),
            word_table: HashTable::new(),
            constants: Constants { none, epsilon, any_character, all },
        };
        store.intern(RegexNode::None);
        store.intern(RegexNode::Epsilon);
        store.intern(RegexNode::Class(Arc::new(CharSet::all())));
        store.intern(RegexNode::Repeat { body: any_character, min: 0, max: UNBOUNDED });
        store
    }

    /// Returns the number of expressions so far, including derivatives.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the language has the empty word.
    pub fn is_nullable(&self, regex: RegexId) -> bool {
        self.nullable[regex.index()]
    }

    pub(super) fn node(&self, regex: RegexId) -> &RegexNode {
        &self.nodes[regex.index()]
    }

    pub(super) fn spine_length(&self, regex: RegexId) -> u32 {
        self.spine[regex.index()]
    }

    /// Returns the identifier of a node that the smart constructors have simplified.
    pub(super) fn intern(&mut self, node: RegexNode) -> RegexId {
        let hash = hash_of(&node);
        if let Some(&found) = self.table.find(hash, |&id| self.nodes[id.index()] == node) {
            return found;
        }
        let nullable = self.node_is_nullable(&node);
        let spine = match &node {
            RegexNode::Concat(_, tail) => self.spine_length(*tail).saturating_add(1),
            _ => 0,
        };
        // 2^32 nodes would take hundreds of gigabytes, which every caller's work budget forbids.
        let id = RegexId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 regular expressions fit in memory"));
        self.nodes.push(node);
        self.nullable.push(nullable);
        self.spine.push(spine);
        self.transitions.push(Vec::new());
        let nodes = &self.nodes;
        self.table.insert_unique(hash, id, |&other| hash_of(&nodes[other.index()]));
        id
    }

    fn node_is_nullable(&self, node: &RegexNode) -> bool {
        match node {
            RegexNode::None | RegexNode::Class(_) | RegexNode::Literal { .. } => false,
            RegexNode::Epsilon => true,
            RegexNode::Concat(a, b) => self.is_nullable(*a) && self.is_nullable(*b),
            RegexNode::Union(parts) => parts.iter().any(|&part| self.is_nullable(part)),
            RegexNode::Inter(parts) => parts.iter().all(|&part| self.is_nullable(part)),
            RegexNode::Complement(body) => !self.is_nullable(*body),
            RegexNode::Repeat { body, min, .. } => *min == 0 || self.is_nullable(*body),
        }
    }

    /// Returns the number of a word among the words of literals.
    pub(super) fn intern_word(&mut self, word: &SmtString) -> u32 {
        let hash = hash_of(word);
        if let Some(&found) = self.word_table.find(hash, |&i| self.words[i as usize] == *word) {
            return found;
        }
        // Every word has its own node, and there are fewer than 2^32 of those.
        let index = self.words.len() as u32;
        self.words.push(word.clone());
        let words = &self.words;
        self.word_table.insert_unique(hash, index, |&other| hash_of(&words[other as usize]));
        index
    }

    /// Returns the characters of a literal.
    pub(super) fn literal(&self, word: u32, offset: u32) -> &[u32] {
        &self.words[word as usize].code_points()[offset as usize..]
    }

    /// Returns the characters of a node when it is a literal.
    pub(super) fn literal_characters(&self, regex: RegexId) -> Option<&[u32]> {
        match *self.node(regex) {
            RegexNode::Literal { word, offset } => Some(self.literal(word, offset)),
            _ => None,
        }
    }

    /// Returns the derivative by `code_point`, when it is known already.
    pub(super) fn known_transition(&self, regex: RegexId, code_point: u32) -> Option<Transition> {
        let row = &self.transitions[regex.index()];
        let after = row.partition_point(|transition| transition.low <= code_point);
        let candidate = *row.get(after.checked_sub(1)?)?;
        (code_point <= candidate.high).then_some(candidate)
    }

    /// Notes a derivative that was not known.
    pub(super) fn add_transition(&mut self, regex: RegexId, transition: Transition) {
        let row = &mut self.transitions[regex.index()];
        // Most rows get one entry and there can be millions of rows, so growth starts at one.
        if row.is_empty() {
            row.reserve_exact(1);
        }
        let place = row.partition_point(|other| other.low < transition.low);
        row.insert(place, transition);
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
