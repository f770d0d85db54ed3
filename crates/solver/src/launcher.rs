//! Launchers: our programs that run a solver's Python library as a process; also updates installations of earlier versions of Squall.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::InstallManifest;
use crate::probe;
use crate::process::{self, ProcessJob, ProcessLimits, RunStatus};
use crate::profile::Profile;

/// The launchers by name.
const LAUNCHERS: [(&str, &str); 3] = [
    ("cvc5", concat!(include_str!("../launchers/parts.py"), include_str!("../launchers/cvc5.py"))),
    ("bitwuzla", concat!(include_str!("../launchers/parts.py"), include_str!("../launchers/bitwuzla.py"))),
    ("boolector", include_str!("../launchers/boolector.py")),
];

/// The launcher's name in a solver's folder.
const FILE: &str = "launcher.py";

/// The interpreter's options: isolated and without the site folder, so the user's packages are ignored and it starts faster.
const OPTIONS: [&str; 2] = ["-I", "-S"];

/// The time limit for an interpreter to report its path.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the text of a launcher.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    LAUNCHERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Writes a launcher to a solver's folder.
/// Errors: the file cannot be written.
pub(crate) fn place(text: &str, folder: &Path) -> std::io::Result<()> {
    files::atomic::write(&folder.join(FILE), text.as_bytes())
}

/// Returns the command of a library in the folder `library` next to its launcher.
pub(crate) fn command(python: &Path, library: String) -> Vec<String> {
    let words = [python.to_string_lossy().into_owned(), OPTIONS[0].into(), OPTIONS[1].into(), FILE.into(), library];
    words.to_vec()
}

/// Returns a command line for users who have the solver itself: for a library, the solver's name and the words after the launcher and the
/// library's folder.
pub fn without_launcher(command: &[String], solver: &str) -> Vec<String> {
    let is_launcher = |word: &String| Path::new(word).file_name().is_some_and(|name| name == FILE);
    match command.iter().position(is_launcher) {
        Some(at) => std::iter::once(solver.to_string()).chain(command.iter().skip(at + 2).cloned()).collect(),
        None => command.to_vec(),
    }
}

/// Returns the program that `python` actually runs, as it reports itself; `python` if it does not.
///
/// On `PATH` there may be a version manager's shell script, which takes longer to start than a solver needs for a small script, and which
/// may later choose another interpreter, for which the library was not made.
pub(crate) fn interpreter(python: &Path) -> PathBuf {
    let words = [python.as_os_str(), OPTIONS[0].as_ref(), OPTIONS[1].as_ref(), "-c".as_ref(), TELL.as_ref()];
    let command = words.map(std::ffi::OsStr::to_os_string);
    let limits = ProcessLimits { wall: PATIENCE, memory_bytes: None, ..ProcessLimits::default() };
    let Ok(run) = process::run(&ProcessJob::of_helper(&command, &limits)) else { return python.to_path_buf() };
    let said = PathBuf::from(String::from_utf8_lossy(&run.stdout).trim());
    match run.status == RunStatus::Exited(0) && said.is_absolute() && probe::is_executable(&said) {
        true => said,
        false => python.to_path_buf(),
    }
}

/// Prints the interpreter's own path.
const TELL: &str = "import sys; print(sys.executable)";

/// Updates the launcher in a solver's folder, and returns the manifest if it must change: one made by an earlier version may name a
/// script in front of the interpreter.
pub(crate) fn renewed(profile: &Profile, folder: &Path, manifest: &InstallManifest) -> Option<InstallManifest> {
    let text = profile.wheel.as_ref()?.launcher.as_deref().and_then(text)?;
    let [program, .., launcher, _] = &manifest.command[..] else { return None };
    if launcher != FILE {
        return None;
    }
    if files::found(folder.join(FILE)).is_ok_and(|old| old != text.as_bytes()) {
        // If the cache cannot be written, the old launcher works, though slower.
        let _ = place(text, folder);
    }
    let program = Path::new(program);
    let real = is_shell_script(program).then(|| interpreter(program)).filter(|real| real != program)?;
    let mut renewed = manifest.clone();
    renewed.command[0] = real.to_string_lossy().into_owned();
    Some(renewed)
}

/// Returns the library of an installed solver, if a launcher runs it.
pub(crate) fn library(manifest: &InstallManifest) -> Option<&str> {
    match &manifest.command[..] {
        [.., launcher, library] if launcher == FILE => Some(library),
        _ => None,
    }
}

/// Whether the launcher in a solver's folder is current.
pub(crate) fn is_ours(profile: &Profile, folder: &Path) -> bool {
    let text = profile.wheel.as_ref().and_then(|wheel| wheel.launcher.as_deref()).and_then(text);
    text.is_some_and(|text| files::found(folder.join(FILE)).is_ok_and(|found| found == text.as_bytes()))
}

/// Whether a file is a script.
fn is_shell_script(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 2];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == *b"#!"
}
