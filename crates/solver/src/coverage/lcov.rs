//! The tracefiles of lcov, which `llvm-cov export` writes: one line for each line, function and branch.

use super::CoverageSet;
use super::items::{CoverageItems, CoverageUnit, is_of_system};
use std::collections::HashMap;

/// Reads a tracefile: adds its items, and returns the executed ones.
/// Errors: the first line that cannot be parsed.
pub fn read(text: &str, items: &mut CoverageItems) -> Result<CoverageSet, String> {
    let mut set = CoverageSet::default();
    let mut file = "";
    let mut functions: HashMap<&str, u32> = HashMap::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        match key {
            "SF" => {
                file = value;
                functions.clear();
            }
            _ if is_of_system(file) => {}
            "FN" | "FNDA" | "DA" | "BRDA" => {
                record(key, value, file, &mut functions, items, &mut set)
                    .ok_or_else(|| format!("the line '{line}' of the export is not understood"))?;
            }
            _ => {}
        }
    }
    Ok(set)
}

fn record<'t>(
    key: &str,
    value: &'t str,
    file: &str,
    functions: &mut HashMap<&'t str, u32>,
    items: &mut CoverageItems,
    set: &mut CoverageSet,
) -> Option<()> {
    let mut executed = |item: u32, count: &str| -> Option<()> {
        // A branch of a condition that was not reached has a dash.
        if count != "-" && count.parse::<u64>().ok()? > 0 {
            set.insert(item as usize);
        }
        Some(())
    };
    match key {
        "FN" => {
            let (line, name) = value.split_once(',')?;
            let item = items.add(CoverageUnit::Function, (file, line.parse().ok()?), name, 0);
            functions.insert(name, item);
        }
        "FNDA" => {
            let (count, name) = value.split_once(',')?;
            executed(*functions.get(name)?, count)?;
        }
        "DA" => {
            let mut parts = value.split(',');
            let line = parts.next()?.parse().ok()?;
            executed(items.add(CoverageUnit::Line, (file, line), "", 0), parts.next()?)?;
        }
        _ => {
            let parts: Vec<&str> = value.split(',').collect();
            let [line, block, branch, count] = parts[..] else { return None };
            let number = block.parse::<u32>().ok()? << 16 | branch.parse::<u32>().ok()? & 0xffff;
            executed(items.add(CoverageUnit::Branch, (file, line.parse().ok()?), "", number), count)?;
        }
    }
    Some(())
}

#[cfg(test)]
#[path = "../../tests/unit/lcov.rs"]
mod tests;
