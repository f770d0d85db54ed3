//! The files of one reduction: those of a finding's folder, or a script and what is written next to it.

use super::{FindingFile, FindingFolder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files of one reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingPaths {
    /// The script.
    pub input: PathBuf,
    /// Its witness, if there may be one.
    pub witness: Option<PathBuf>,
    /// The folder of a finding, if it is one.
    pub folder: Option<FindingFolder>,
    /// The scripts that precede it in the same process, if there may be some.
    pub earlier: Option<PathBuf>,
    /// The output path of the reduced script.
    pub output: PathBuf,
    /// Whether the user named it: only then may it be a device or a link to follow.
    pub is_output_named: bool,
}

impl FindingPaths {
    /// Returns the files of a finding's folder, or of a single script.
    pub fn of(path: &Path, output: Option<&Path>) -> FindingPaths {
        let is_output_named = output.is_some();
        let output = |usual: PathBuf| output.map_or(usual, Path::to_path_buf);
        if !path.is_dir() {
            // The reduced file has the extension of the given one.
            let mut extension = OsString::from("reduced");
            if let Some(own) = path.extension() {
                extension.extend([OsStr::new("."), own]);
            }
            let output = output(path.with_extension(extension));
            let input = path.to_path_buf();
            return FindingPaths { input, witness: None, folder: None, earlier: None, output, is_output_named };
        }
        let folder = FindingFolder::at(path);
        let there = |file: FindingFile| folder.has(file).then(|| folder.place(file));
        FindingPaths {
            input: folder.place(FindingFile::Mutant),
            witness: there(FindingFile::Witness),
            earlier: there(FindingFile::Predecessors),
            output: output(folder.place(FindingFile::Reduced)),
            is_output_named,
            folder: there(FindingFile::Record).map(|_| folder),
        }
    }

    /// Like [`FindingPaths::of`], with the reduced script as the input, if there is one.
    pub fn of_smallest(path: &Path) -> FindingPaths {
        let paths = FindingPaths::of(path, None);
        if !path.is_dir() || !paths.output.exists() {
            return paths;
        }
        let there = |path: PathBuf| Some(path).filter(|path| path.exists());
        FindingPaths {
            input: paths.output.clone(),
            witness: there(paths.output_witness()),
            earlier: there(paths.output_earlier()),
            ..paths
        }
    }

    /// Whether the input is the reduced script itself.
    pub fn is_reduced(&self) -> bool {
        self.input == self.output
    }

    /// Whether a reduction left a result.
    pub fn has_result(&self) -> bool {
        self.account_path().exists() && self.output.exists()
    }

    /// Returns the size in bytes of a reduction's result with its predecessors; `None` without a result.
    pub fn result_bytes(&self) -> Option<usize> {
        let reduced = fs::metadata(&self.output).ok().filter(|_| self.has_result())?;
        let earlier = fs::metadata(self.output_earlier()).map_or(0, |earlier| earlier.len());
        Some(usize::try_from(reduced.len() + earlier).unwrap_or(usize::MAX))
    }

    /// Returns the account of the reduction; `None` if it is missing or unreadable.
    pub fn account<A: DeserializeOwned>(&self) -> Option<A> {
        serde_json::from_slice(&files::found(self.account_path()).ok()?).ok()
    }

    /// Returns the witness of the reduced script.
    pub fn result_witness(&self) -> Option<String> {
        files::found_text(self.output_witness()).ok()
    }

    /// Returns the predecessors of the reduced script; `None` if the script had none.
    pub fn result_earlier(&self) -> Option<String> {
        self.earlier.as_ref().and_then(|_| files::found_text(self.output_earlier()).ok())
    }

    /// Writes a result, its witness and its account, each whole.
    /// Errors: a file cannot be written.
    pub fn write_result(&self, text: &[u8], witness: Option<&str>, account: &impl Serialize) -> io::Result<()> {
        // The witness first: if the process dies between the two, it defines more than the old text needs.
        if let Some(witness) = witness {
            files::inside::put(&self.output_witness(), witness.as_bytes())?;
        }
        let write = if self.is_output_named { files::atomic::write } else { files::inside::put };
        write(&self.output, text)?;
        if witness.is_none() {
            // A witness of a larger script would pass for one of this script.
            match fs::remove_file(self.output_witness()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        files::inside::put(&self.account_path(), FindingFile::Account.json(account)?.as_bytes())
    }

    /// Writes the two scripts derived from a result.
    /// Errors: a file cannot be written.
    pub fn write_pair(&self, first: &str, second: &str) -> io::Result<()> {
        for (file, text) in [(FindingFile::First, first), (FindingFile::Second, second)] {
            files::inside::put(&self.output.with_extension(file.name()), text.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the scripts that must still precede the reduced one.
    /// Errors: as [`FindingFolder::put`].
    pub fn write_earlier(&self, text: &str) -> Result<(), super::FolderError> {
        let path = self.output_earlier();
        files::inside::put(&path, text.as_bytes()).map_err(|error| super::FolderError::write(&path, error))
    }

    fn output_witness(&self) -> PathBuf {
        self.output.with_extension(FindingFile::Witness.name())
    }

    fn output_earlier(&self) -> PathBuf {
        self.output.with_extension(FindingFile::Predecessors.name())
    }

    fn account_path(&self) -> PathBuf {
        // A reduced JSON file is not its own account.
        let is_json = self.output.extension().is_some_and(|extension| extension == "json");
        self.output.with_extension(if is_json { "account.json" } else { "json" })
    }
}
