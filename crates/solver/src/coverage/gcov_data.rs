//! The counters of runs for one object file (`.gcda`).

use super::error::CoverageError;
use super::gcov_file::GcovFile;
use super::gcov_notes::ObjectNotes;
use std::path::Path;

const FUNCTION: u32 = 0x0100_0000;
const ARC_COUNTERS: u32 = 0x01a1_0000;

/// Passes on the items of an object file that were executed according to its counters.
pub(super) fn executed(
    path: &Path,
    bytes: &[u8],
    notes: (&Path, &ObjectNotes),
    found: &mut dyn FnMut(u32),
) -> Result<(), CoverageError> {
    let (notes_path, notes) = notes;
    let other = || CoverageError::OtherBuild { data: path.to_path_buf(), notes: notes_path.to_path_buf() };
    let mut file = GcovFile::open(path, bytes, b"gcda")?;
    if file.stamp != notes.stamp {
        return Err(other());
    }
    let mut function = None;
    while let Some(mut record) = file.record()? {
        match record.tag {
            FUNCTION => {
                function = None;
                // A skipped one has no fields.
                if record.fields.numbers() >= 3 {
                    let ident = record.fields.number().unwrap_or(0);
                    record.fields.number();
                    let graph = record.fields.number();
                    let known = notes.functions.get(&ident).ok_or_else(other)?;
                    if graph != Some(known.graph) {
                        return Err(other());
                    }
                    function = Some(known);
                }
            }
            ARC_COUNTERS if !record.is_zero => {
                let Some(function) = function else { continue };
                let counters: Vec<u64> = std::iter::from_fn(|| record.fields.counter()).collect();
                if counters.iter().any(|count| *count != 0) {
                    function.executed(&counters, found).ok_or_else(other)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
