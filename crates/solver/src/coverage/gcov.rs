//! Reads the gcov counters of builds by gcc or clang, without the program `gcov`.

use super::CoverageSet;
use super::detect::gcov_paths;
use super::error::CoverageError;
use super::gcov_data;
use super::gcov_notes::ObjectNotes;
use super::items::CoverageItems;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Returns what one object file executed, according to the notes of its compiler and the counters of its runs. Adds the items of the
/// notes.
/// Errors: if notes or counters cannot be parsed, or belong to different compilations.
pub fn read_object(notes: &[u8], counters: &[u8], items: &mut CoverageItems) -> Result<CoverageSet, CoverageError> {
    let (notes_path, path) = (Path::new("the notes"), Path::new("the counters"));
    let notes = ObjectNotes::read(notes_path, notes, items)?;
    let mut set = CoverageSet::default();
    gcov_data::executed(path, counters, (notes_path, &notes), &mut |item| set.insert(item as usize))?;
    Ok(set)
}

/// A build with gcov counters.
pub(super) struct GcovBuild {
    objects: Vec<GcovObject>,
    pub(super) items: CoverageItems,
}

struct GcovObject {
    /// The path at which the program would write its counters.
    data: PathBuf,
    notes_path: PathBuf,
    notes: ObjectNotes,
}

impl GcovBuild {
    /// Reads the compiler's notes of all object files of a program.
    pub(super) fn open(program: &[u8]) -> Result<GcovBuild, CoverageError> {
        let (mut objects, mut items) = (Vec::new(), CoverageItems::default());
        let paths = gcov_paths(program);
        let notes = |data: &Path| data.with_extension("gcno");
        let missing: Vec<PathBuf> = paths.iter().map(|data| notes(data)).filter(|path| !path.is_file()).collect();
        if let Some(first) = missing.first() {
            let (first, missing) = (first.clone(), missing.len());
            return Err(CoverageError::NoNotes { first, missing, all: paths.len() });
        }
        for data in paths {
            let notes_path = notes(&data);
            let bytes = fs::read(&notes_path).map_err(CoverageError::file("read", &notes_path))?;
            let notes = ObjectNotes::read(&notes_path, &bytes, &mut items)?;
            objects.push(GcovObject { data, notes_path, notes });
        }
        Ok(GcovBuild { objects, items })
    }

    /// Returns the variables that make the program write its counters below a folder.
    pub(super) fn variables(folder: &Path) -> Vec<(String, String)> {
        let variable = |name: &str, value: String| (name.to_string(), value);
        vec![variable("GCOV_PREFIX", folder.display().to_string()), variable("GCOV_PREFIX_STRIP", "0".to_string())]
    }

    /// Reads the counters below a folder; `None` without any.
    pub(super) fn read(&self, folder: &Path) -> Result<Option<CoverageSet>, CoverageError> {
        let (mut set, mut has_data) = (CoverageSet::default(), false);
        for object in &self.objects {
            let path = folder.join(object.data.strip_prefix("/").unwrap_or(&object.data));
            let bytes = match fs::read(&path) {
                // An object file whose functions were in no process that ended normally.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                bytes => bytes.map_err(CoverageError::file("read", &path))?,
            };
            has_data = true;
            let notes = (object.notes_path.as_path(), &object.notes);
            gcov_data::executed(&path, &bytes, notes, &mut |item| set.insert(item as usize))?;
        }
        Ok(has_data.then_some(set))
    }
}
