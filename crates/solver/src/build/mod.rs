//! Compiles solvers from sources: the work folder, the tools, the compiler, and the commands of a profile's recipe; or the commits of a
//! repository, by a user's command.

pub(crate) mod command;
pub mod commits;
pub(crate) mod compiler;
pub(crate) mod error;
pub(crate) mod folder;
pub mod git;

use crate::install::error::InstallError;
use crate::install::progress::{InstallEvent, InstallObserver};
use crate::sources::path::SearchPath;
use crate::sources::python::Python;
pub use error::SourceBuildError;
use std::path::{Path, PathBuf};

/// The programs a build needs.
#[derive(Clone, Debug)]
pub(crate) struct BuildTools {
    /// The folder of fetched programs, if any.
    fetched: Option<PathBuf>,
    path: SearchPath,
}

impl BuildTools {
    /// Fetches the programs that are neither on `PATH` nor in `folder`.
    /// Errors: one is missing and pip cannot fetch it.
    pub(crate) fn ready(
        path: &SearchPath,
        names: &[String],
        folder: &Path,
        progress: &mut dyn InstallObserver,
    ) -> Result<BuildTools, SourceBuildError> {
        let tools = BuildTools { fetched: folder.is_dir().then(|| folder.to_path_buf()), path: path.clone() };
        let missing: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| tools.program(name).is_none()).collect();
        if missing.is_empty() {
            return Ok(tools);
        }
        let tool = missing.join(" and ");
        let no_tool = |error: InstallError| SourceBuildError::NoTool { tool: tool.clone(), cause: error.to_string() };
        let python = Python::find(path).map_err(no_tool)?;
        progress.event(&InstallEvent::Asking { requirement: &missing.join(" ") });
        python.install(&missing, folder).map_err(no_tool)?;
        let tools = BuildTools { fetched: Some(folder.to_path_buf()), path: path.clone() };
        match missing.iter().find(|name| tools.program(name).is_none()) {
            None => Ok(tools),
            Some(name) => Err(SourceBuildError::NoTool {
                tool: name.to_string(),
                cause: "the Python package of that name has no such program".to_string(),
            }),
        }
    }

    /// Returns a tool's path.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let fetched = self.fetched.as_ref().map(|folder| SearchPath::new(vec![folder.join("bin")]));
        self.path.program(name).or_else(|| fetched?.program(name))
    }

    /// Returns the folder of fetched programs, and that of their Python modules.
    pub(crate) fn folders(&self) -> Option<(PathBuf, &Path)> {
        self.fetched.as_deref().map(|folder| (folder.join("bin"), folder))
    }
}
