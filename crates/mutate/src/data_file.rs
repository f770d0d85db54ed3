//! Data files of mutators: fusion functions, operator classes and signatures, each a parameter that names a file.

use crate::parameter::Refused;

/// A part of a file that says nothing this program understands; the rest of the file counts.
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
    /// What such a file holds, for people.
    pub expected: &'static str,
    /// Reads one; what cannot be used is left out and reported.
    pub read: fn(&str) -> (T, Vec<DataFileProblem>),
    /// Whether nothing in it can be used.
    pub is_empty: fn(&T) -> bool,
    /// What an empty path stands for.
    pub default: fn() -> T,
}

/// What a file holds, or what is built in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded<T> {
    /// The data.
    pub data: T,
    /// The parameter's value: the path, empty for what is built in.
    pub path: String,
}

impl<T> DataFile<T> {
    /// What is used when no file is named.
    pub fn built_in(&self) -> Loaded<T> {
        Loaded { data: (self.default)(), path: String::new() }
    }

    /// Puts what a file holds into `place`; an empty path stands for what is built in.
    ///
    /// # Errors
    /// [`Refused`] when the file cannot be read or nothing of it can be used, with where and why.
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

    /// What is wrong with the text of such a file.
    pub(crate) fn problems(&self, text: &str) -> Vec<String> {
        (self.read)(text).1.iter().map(DataFileProblem::to_string).collect()
    }
}
