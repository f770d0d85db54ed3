//! Static analysis of a program for strategies: which slots a constraint reads, and which values are worth trying.

use crate::ir::{Id, OpCode, Program};
use crate::types::{NativeFormat, Ty, mask};
use crate::word;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of values per type.
const MAX_VALUES: usize = 200;

/// Cached lists.
pub struct Analysis {
    program: Arc<Program>,
    /// The slots that each constraint reads, computed on demand.
    slots: Vec<Option<Arc<[u32]>>>,
    visited: Vec<u32>,
    stamp: u32,
    /// Special values and the formula's constants, by type.
    values: FxHashMap<Ty, Arc<[u64]>>,
}

impl Analysis {
    /// Makes an analysis of a program.
    pub fn new(program: Arc<Program>) -> Analysis {
        Analysis {
            slots: vec![None; program.constraints.len()],
            visited: vec![0; program.nodes.len()],
            stamp: 0,
            values: FxHashMap::default(),
            program,
        }
    }

    /// Returns the slots on which a constraint's truth depends.
    pub fn slots(&mut self, constraint: usize) -> Arc<[u32]> {
        if let Some(slots) = &self.slots[constraint] {
            return slots.clone();
        }
        self.stamp += 1;
        let mut slots = Vec::new();
        let mut stack: Vec<Id> = vec![self.program.constraints[constraint].truth];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.visited[id as usize], self.stamp) == self.stamp {
                continue;
            }
            let node = &self.program.nodes[id as usize];
            if node.code == OpCode::Input {
                slots.push(node.imm as u32);
            }
            stack.extend(self.program.args(id));
        }
        slots.sort_unstable();
        let slots: Arc<[u32]> = slots.into();
        self.slots[constraint] = Some(slots.clone());
        slots
    }

    /// Returns the lowest words of values worth trying for a type: its special values, and the formula's constants of that type.
    pub fn values(&mut self, ty: Ty) -> Arc<[u64]> {
        if let Some(values) = self.values.get(&ty) {
            return values.clone();
        }
        let mut values = special(ty);
        for node in &self.program.nodes {
            if node.code == OpCode::Const && !node.ty.is_wide() && node.ty.width() == ty.width() {
                values.push(node.imm);
            }
            if values.len() >= MAX_VALUES {
                break;
            }
        }
        values.sort_unstable();
        values.dedup();
        let values: Arc<[u64]> = values.into();
        self.values.insert(ty, values.clone());
        values
    }
}

/// Returns the special values of a type: zeros, ones, extremes, and for floats the borders between their classes.
fn special(ty: Ty) -> Vec<u64> {
    match (ty, ty.native()) {
        (Ty::Bool, _) => vec![0, 1],
        (Ty::Mode, _) => vec![0, 1, 2, 3, 4],
        (_, Some(native)) => {
            let width = native.width();
            let one = if native == NativeFormat::Single { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
            let least_normal = if native == NativeFormat::Single { 1 << 23 } else { 1 << 52 };
            let infinity = word::infinity(width);
            let nan = word::canonical(infinity + 1, width);
            let positive = [0, 1, least_normal - 1, least_normal, one, infinity - 1, infinity];
            positive.iter().flat_map(|&v| [v, v | word::sign_bit(width)]).chain([nan]).collect()
        }
        _ => {
            let top = mask(ty.width().min(64));
            vec![0, 1 & top, 2 & top, top, (top - 1) & top, top >> 1, ((top >> 1) + 1) & top]
        }
    }
}
