//! A compiler's notes of an object file (`.gcno`): its functions, their blocks and arcs, and the lines of each block.

use super::error::CoverageError;
use super::gcov_file::{GcovFields, GcovFile};
use super::items::{CoverageItems, CoverageUnit, is_of_system};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const FUNCTION: u32 = 0x0100_0000;
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;

/// The arc has no counter: its count follows from those of others.
const ON_TREE: u32 = 1;
/// The arc represents a call that does not return.
const FAKE: u32 = 2;

/// The exit block of a function.
const EXIT: u32 = 1;
/// The maximum number of blocks of a function: a damaged file must not exhaust memory.
const MAX_BLOCKS: u32 = 1 << 22;

/// The notes of one object file.
pub(super) struct ObjectNotes {
    pub(super) stamp: u32,
    pub(super) functions: HashMap<u32, FunctionNotes>,
}

/// One function.
#[derive(Default)]
pub(super) struct FunctionNotes {
    /// A checksum of its blocks and arcs.
    pub(super) graph: u32,
    item: Option<u32>,
    blocks: u32,
    arcs: Vec<FlowArc>,
    /// Blocks, with the items of their lines.
    lines: Vec<(u32, u32)>,
    /// Arcs that leave a condition, with their items.
    branches: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct FlowArc {
    from: u32,
    to: u32,
    flags: u32,
}

/// A function's location, while its records are read.
struct Place {
    file: String,
    line: u32,
    name: String,
    /// The lines of its blocks, in order: block, file, line.
    lines: Vec<(u32, String, u32)>,
}

impl ObjectNotes {
    /// Parses the notes, and adds their items to those of the build.
    pub(super) fn read(path: &Path, bytes: &[u8], items: &mut CoverageItems) -> Result<ObjectNotes, CoverageError> {
        let mut file = GcovFile::open(path, bytes, b"gcno")?;
        let folder = if file.is_at_least(9) { file.text()? } else { String::new() };
        if file.is_at_least(8) {
            file.number()?;
        }
        let mut notes = ObjectNotes { stamp: file.stamp, functions: HashMap::new() };
        let mut open: Option<(u32, FunctionNotes, Option<Place>)> = None;
        while let Some(mut record) = file.record()? {
            let fields = &mut record.fields;
            let is_whole = match (record.tag, &mut open) {
                (FUNCTION, _) => {
                    notes.close(open.take(), items);
                    open = function(&file, fields, &folder);
                    open.is_some()
                }
                (BLOCKS, Some((_, function, _))) => {
                    // Before version 8 the record is a list of flags.
                    let count = if file.is_at_least(8) { fields.number() } else { Some(fields.numbers() as u32) };
                    let count = count.filter(|count| *count <= MAX_BLOCKS);
                    function.blocks = count.unwrap_or(0);
                    count.is_some()
                }
                (ARCS, Some((_, function, _))) => function.read_arcs(fields).is_some(),
                (LINES, Some((_, _, Some(place)))) => place.read_lines(fields, &folder).is_some(),
                _ => true,
            };
            if !is_whole {
                return Err(file.cut());
            }
        }
        notes.close(open, items);
        Ok(notes)
    }

    fn close(&mut self, open: Option<(u32, FunctionNotes, Option<Place>)>, items: &mut CoverageItems) {
        let Some((ident, mut function, place)) = open else { return };
        if let Some(place) = place {
            function.name_items(&place, items);
        }
        self.functions.insert(ident, function);
    }
}

/// Reads a function's header. Compiler-generated functions have no location.
fn function(
    file: &GcovFile<'_>,
    fields: &mut GcovFields<'_>,
    folder: &str,
) -> Option<(u32, FunctionNotes, Option<Place>)> {
    let (ident, _lines, graph) = (fields.number()?, fields.number()?, fields.number()?);
    let name = fields.text()?.to_string();
    let is_artificial = file.is_at_least(8) && fields.number()? != 0;
    let (source, line) = (fields.text()?, fields.number()?);
    let place = Place { file: joined(folder, source), line, name, lines: Vec::new() };
    Some((ident, FunctionNotes { graph, ..FunctionNotes::default() }, (!is_artificial).then_some(place)))
}

/// Resolves the path of a source, which may be relative to the compiler's folder. `a/./b.h` and `a/b.h` are the same.
fn joined(folder: &str, source: &str) -> String {
    Path::new(folder).join(source).components().collect::<PathBuf>().display().to_string()
}

impl Place {
    fn read_lines(&mut self, fields: &mut GcovFields<'_>, folder: &str) -> Option<()> {
        let block = fields.number()?;
        let mut file = self.file.clone();
        loop {
            match fields.number()? {
                0 => match fields.text()? {
                    "" => return Some(()),
                    name => file = joined(folder, name),
                },
                line => self.lines.push((block, file.clone(), line)),
            }
        }
    }
}

impl FunctionNotes {
    fn read_arcs(&mut self, fields: &mut GcovFields<'_>) -> Option<()> {
        let from = fields.number()?;
        while fields.numbers() >= 2 {
            let (to, flags) = (fields.number()?, fields.number()?);
            self.arcs.push(FlowArc { from, to, flags });
        }
        Some(())
    }

    fn name_items(&mut self, place: &Place, items: &mut CoverageItems) {
        if !is_of_system(&place.file) {
            let at = (place.file.as_str(), place.line);
            self.item = Some(items.add(CoverageUnit::Function, at, &place.name, 0));
        }
        for (block, file, line) in &place.lines {
            if !is_of_system(file) {
                self.lines.push((*block, items.add(CoverageUnit::Line, (file, *line), "", 0)));
            }
        }
        let mut ways = vec![0u32; self.blocks as usize + 1];
        let counts = |arc: &FlowArc| arc.flags & FAKE == 0 && (arc.from as usize) < self.blocks as usize;
        self.arcs.iter().filter(|arc| counts(arc)).for_each(|arc| ways[arc.from as usize] += 1);
        let mut last: HashMap<u32, (&str, u32)> = HashMap::new();
        place.lines.iter().for_each(|(block, file, line)| {
            last.insert(*block, (file, *line));
        });
        let mut branches = Vec::new();
        for (number, arc) in self.arcs.iter().enumerate() {
            if counts(arc) && ways[arc.from as usize] > 1 {
                // A block without lines of its own continues those of the function.
                let (file, line) = last.get(&arc.from).copied().unwrap_or((&place.file, place.line));
                if !is_of_system(file) {
                    let item = items.add(CoverageUnit::Branch, (file, line), &place.name, number as u32);
                    branches.push((number as u32, item));
                }
            }
        }
        self.branches = branches;
    }

    /// Returns the items executed according to these counters, one for each arc with a counter; `None` if their number differs.
    pub(super) fn executed(&self, counters: &[u64], found: &mut dyn FnMut(u32)) -> Option<()> {
        let arcs = self.counts(counters)?;
        let mut blocks = vec![0u64; self.blocks as usize];
        for (arc, count) in self.arcs.iter().zip(&arcs) {
            // The exit has no outgoing arc; every other executed block was left.
            let exit = (arc.to == EXIT).then_some(EXIT);
            for block in std::iter::once(arc.from).chain(exit) {
                if let Some(sum) = blocks.get_mut(block as usize) {
                    *sum |= *count;
                }
            }
        }
        let was = |block: u32| blocks.get(block as usize).is_some_and(|count| *count != 0);
        self.item.filter(|_| was(0)).into_iter().for_each(&mut *found);
        self.lines.iter().filter(|(block, _)| was(*block)).for_each(|(_, item)| found(*item));
        let taken = |arc: u32| arcs.get(arc as usize).is_some_and(|count| *count != 0);
        self.branches.iter().filter(|(arc, _)| taken(*arc)).for_each(|(_, item)| found(*item));
        Some(())
    }

    /// Computes the count of each arc. Flow is conserved at each block, and the arcs without counters form a tree, so each follows from
    /// the others, leaf by leaf. Sums wrap around like the counters, so an overflowing counter is not zero.
    fn counts(&self, counters: &[u64]) -> Option<Vec<u64>> {
        let mut given = counters.iter();
        // The arc back from the exit to the entry closes the cycle.
        let back = FlowArc { from: EXIT, to: 0, flags: ON_TREE };
        let arcs: Vec<FlowArc> = self.arcs.iter().copied().chain([back]).collect();
        let nodes = self.blocks as usize;
        let mut counts = vec![0u64; arcs.len()];
        // The outflow of a block minus its inflow, as far as known.
        let mut surplus = vec![0u64; nodes];
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for (number, arc) in arcs.iter().enumerate() {
            let (from, to) = (arc.from as usize, arc.to as usize);
            if from >= nodes || to >= nodes {
                return None;
            }
            if arc.flags & ON_TREE == 0 {
                counts[number] = *given.next()?;
                surplus[from] = surplus[from].wrapping_add(counts[number]);
                surplus[to] = surplus[to].wrapping_sub(counts[number]);
            } else if from != to {
                open[from].push(number as u32);
                open[to].push(number as u32);
            }
        }
        if given.next().is_some() {
            return None;
        }
        let mut known = vec![false; arcs.len()];
        let mut leaves: Vec<usize> = (0..nodes).filter(|node| open[*node].len() == 1).collect();
        while let Some(node) = leaves.pop() {
            let Some(number) = open[node].iter().map(|n| *n as usize).find(|n| !known[*n]) else { continue };
            let (from, to) = (arcs[number].from as usize, arcs[number].to as usize);
            let count = if from == node { surplus[node].wrapping_neg() } else { surplus[node] };
            (counts[number], known[number]) = (count, true);
            surplus[from] = surplus[from].wrapping_add(count);
            surplus[to] = surplus[to].wrapping_sub(count);
            let other = if from == node { to } else { from };
            if open[other].iter().filter(|n| !known[**n as usize]).count() == 1 {
                leaves.push(other);
            }
        }
        counts.pop();
        Some(counts)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gcov_notes.rs"]
mod tests;
