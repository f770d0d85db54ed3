//! Data files of mutators: fusion functions, operator classes and signatures, each named by a parameter.

use crate::parameter::Refused;

/// A part of a file that is not understood; the rest of the file counts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct DataFileProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// A kind of file, by the parameter that names one.
pub struct DataFile<T> {
    /// The parameter.
    pub parameter: &'static str,
    /// The content of such a file, for users.
    pub expected: &'static str,
    /// Reads one; unusable parts are left out and reported.
    pub read: fn(&str) -> (T, Vec<DataFileProblem>),
    /// Whether nothing in it can be used.
    pub is_empty: fn(&T) -> bool,
    /// The default for an empty path.
    pub default: fn() -> T,
}

/// The content of a file, or the built-in data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded<T> {
    /// The data.
    pub data: T,
    /// The parameter's value: the path, empty for the built-in data.
    pub path: String,
}

impl<T> DataFile<T> {
    /// Returns the data without a named file.
    pub fn built_in(&self) -> Loaded<T> {
        Loaded { data: (self.default)(), path: String::new() }
    }

    /// Reads a file into `place`; an empty path means the built-in data.
    /// Errors: [`Refused`] if the file cannot be read or has nothing usable, with position and reason.
    pub fn load_into(&self, place: &mut Loaded<T>, path: &str) -> Result<(), Refused> {
        if path.is_empty() {
            *place = self.built_in();
            return Ok(());
        }
        let fail = |why: String| Refused(Some(format!("{path}: {why}")));
        let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
        let (data, problems) = (self.read)(&text);
        if (self.is_empty)(&data) {
            return Err(fail(problems.first().map_or_else(|| "it is empty".to_string(), DataFileProblem::to_string)));
        }
        *place = Loaded { data, path: path.to_string() };
        Ok(())
    }

    /// Returns what is wrong with the text of such a file.
    pub(crate) fn problems(&self, text: &str) -> Vec<String> {
        (self.read)(text).1.iter().map(DataFileProblem::to_string).collect()
    }
}
