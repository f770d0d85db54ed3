//! Hash-consed sets of names: Patricia trees over blocks of 64 names (Okasaki and Gill, "Fast mergeable integer maps").
//!
//! Equal sets have equal numbers, and sets that differ a little share nearly all their nodes.

use crate::symbol::Symbol;
use rustc_hash::FxHashMap;

/// A set of one [`NameSets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameSet(u32);

impl NameSet {
    /// The empty set.
    pub const EMPTY: NameSet = NameSet(0);
}

/// A node. Recursion over nodes is at most 26 deep, since block numbers have 26 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NameSetNode {
    /// The names `64 * block + i` for the bits `i` set.
    Leaf { block: u32, bits: u64 },
    /// Blocks that agree with `prefix` above `bit`; those without `bit` on the left.
    Branch { prefix: u32, bit: u32, left: NameSet, right: NameSet },
}

/// The table of the sets.
pub struct NameSets {
    nodes: Vec<(NameSetNode, u32)>,
    ids: FxHashMap<NameSetNode, NameSet>,
}

impl Default for NameSets {
    fn default() -> Self {
        // Number 0 is the empty set; its node is never read.
        NameSets { nodes: vec![(NameSetNode::Leaf { block: 0, bits: 0 }, 0)], ids: FxHashMap::default() }
    }
}

fn split(name: Symbol) -> (u32, u64) {
    (name.0 >> 6, 1 << (name.0 & 63))
}

fn agrees(block: u32, prefix: u32, bit: u32) -> bool {
    block & !(2 * bit - 1) == prefix
}

impl NameSets {
    /// Returns the number of names in a set.
    pub fn len(&self, set: NameSet) -> usize {
        self.nodes[set.0 as usize].1 as usize
    }

    /// Returns the set of one name.
    pub fn single(&mut self, name: Symbol) -> NameSet {
        let (block, bits) = split(name);
        self.leaf(block, bits)
    }

    /// Whether a set has a name.
    pub fn contains(&self, mut set: NameSet, name: Symbol) -> bool {
        let (wanted, mask) = split(name);
        while set != NameSet::EMPTY {
            match self.nodes[set.0 as usize].0 {
                NameSetNode::Leaf { block, bits } => return block == wanted && bits & mask != 0,
                NameSetNode::Branch { bit, left, right, .. } => set = if wanted & bit == 0 { left } else { right },
            }
        }
        false
    }

    /// Calls `f` with every name, in order.
    pub fn for_each(&self, set: NameSet, f: &mut impl FnMut(Symbol)) {
        self.any(set, &mut |name| {
            f(name);
            false
        });
    }

    /// Whether `f` holds for some name. Calls `f` in order, up to the first name for which it holds.
    pub fn any(&self, set: NameSet, f: &mut impl FnMut(Symbol) -> bool) -> bool {
        if set == NameSet::EMPTY {
            return false;
        }
        match self.nodes[set.0 as usize].0 {
            NameSetNode::Leaf { block, mut bits } => {
                while bits != 0 {
                    if f(Symbol(block << 6 | bits.trailing_zeros())) {
                        return true;
                    }
                    bits &= bits - 1;
                }
                false
            }
            NameSetNode::Branch { left, right, .. } => self.any(left, f) || self.any(right, f),
        }
    }

    /// Returns the union of two sets.
    pub fn union(&mut self, a: NameSet, b: NameSet) -> NameSet {
        if a == b || b == NameSet::EMPTY {
            return a;
        }
        if a == NameSet::EMPTY {
            return b;
        }
        let (x, y) = (self.nodes[a.0 as usize].0, self.nodes[b.0 as usize].0);
        match (x, y) {
            (NameSetNode::Leaf { block, bits }, NameSetNode::Leaf { block: other, bits: more }) if block == other => {
                self.leaf(block, bits | more)
            }
            (
                NameSetNode::Branch { prefix, bit, left, right },
                NameSetNode::Branch { prefix: p, bit: q, left: l, right: r },
            ) if prefix == p && bit == q => {
                let (left, right) = (self.union(left, l), self.union(right, r));
                self.branch(prefix, bit, left, right)
            }
            _ if self.holds(x, y) => self.insert(x, b),
            _ if self.holds(y, x) => self.insert(y, a),
            _ => self.join(a, b),
        }
    }

    /// Returns the set without the given name.
    pub fn without(&mut self, set: NameSet, name: Symbol) -> NameSet {
        if !self.contains(set, name) {
            return set;
        }
        let (wanted, mask) = split(name);
        match self.nodes[set.0 as usize].0 {
            NameSetNode::Leaf { block, bits } => self.leaf(block, bits & !mask),
            NameSetNode::Branch { prefix, bit, left, right } => {
                let (left, right) = match wanted & bit == 0 {
                    true => (self.without(left, name), right),
                    false => (left, self.without(right, name)),
                };
                self.branch(prefix, bit, left, right)
            }
        }
    }

    /// Whether the node `inner` belongs below the branch `outer`.
    fn holds(&self, outer: NameSetNode, inner: NameSetNode) -> bool {
        let NameSetNode::Branch { prefix, bit, .. } = outer else { return false };
        match inner {
            NameSetNode::Leaf { block, .. } => agrees(block, prefix, bit),
            NameSetNode::Branch { prefix: p, bit: q, .. } => q < bit && agrees(p, prefix, bit),
        }
    }

    fn insert(&mut self, outer: NameSetNode, inner: NameSet) -> NameSet {
        let NameSetNode::Branch { prefix, bit, left, right } = outer else { return inner };
        let (left, right) = match self.prefix(inner) & bit == 0 {
            true => (self.union(left, inner), right),
            false => (left, self.union(right, inner)),
        };
        self.branch(prefix, bit, left, right)
    }

    fn join(&mut self, a: NameSet, b: NameSet) -> NameSet {
        let (p, q) = (self.prefix(a), self.prefix(b));
        let bit = 1 << (31 - (p ^ q).leading_zeros());
        let prefix = p & !(2 * bit - 1);
        match p & bit == 0 {
            true => self.branch(prefix, bit, a, b),
            false => self.branch(prefix, bit, b, a),
        }
    }

    fn prefix(&self, set: NameSet) -> u32 {
        match self.nodes[set.0 as usize].0 {
            NameSetNode::Leaf { block, .. } => block,
            NameSetNode::Branch { prefix, .. } => prefix,
        }
    }

    fn leaf(&mut self, block: u32, bits: u64) -> NameSet {
        if bits == 0 {
            return NameSet::EMPTY;
        }
        self.intern(NameSetNode::Leaf { block, bits }, bits.count_ones())
    }

    fn branch(&mut self, prefix: u32, bit: u32, left: NameSet, right: NameSet) -> NameSet {
        if left == NameSet::EMPTY {
            return right;
        }
        if right == NameSet::EMPTY {
            return left;
        }
        let count = self.nodes[left.0 as usize].1 + self.nodes[right.0 as usize].1;
        self.intern(NameSetNode::Branch { prefix, bit, left, right }, count)
    }

    fn intern(&mut self, node: NameSetNode, count: u32) -> NameSet {
        let next = NameSet(self.nodes.len() as u32);
        let id = *self.ids.entry(node).or_insert(next);
        if id == next {
            self.nodes.push((node, count));
        }
        id
    }
}
