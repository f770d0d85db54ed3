//! Launchers: programs of ours that run a solver's Python library as a process, and installations of earlier versions of this
//! program brought up to date.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::InstallManifest;
use crate::probe;
use crate::process::{self, ProcessJob, ProcessLimits, RunStatus};
use crate::profile::Profile;

/// The launchers by name.
const LAUNCHERS: [(&str, &str); 3] = [
    ("cvc5", include_str!("../launchers/cvc5.py")),
    ("bitwuzla", include_str!("../launchers/bitwuzla.py")),
    ("boolector", include_str!("../launchers/boolector.py")),
];

/// The launcher's name in a solver's folder.
const FILE: &str = "launcher.py";

/// What an interpreter is started with: isolated and without the site folder, so that nothing the user has installed takes
/// part, and it starts faster.
const OPTIONS: [&str; 2] = ["-I", "-S"];

/// How long an interpreter may take to say where it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// The text of a launcher.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    LAUNCHERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Puts a launcher into a solver's folder.
///
/// # Errors
/// What the system says.
pub(crate) fn place(text: &str, folder: &Path) -> std::io::Result<()> {
    files::atomic::write(&folder.join(FILE), text.as_bytes())
}

/// The command of a library in the folder `library` beside its launcher.
pub(crate) fn command(python: &Path, library: String) -> Vec<String> {
    let words = [python.to_string_lossy().into_owned(), OPTIONS[0].into(), OPTIONS[1].into(), FILE.into(), library];
    words.to_vec()
}

/// A command line as people who have the solver itself type it: of one of a library, the solver's name and what follows the launcher and
/// the library's folder.
pub fn without_launcher(command: &[String], solver: &str) -> Vec<String> {
    let is_launcher = |word: &String| Path::new(word).file_name().is_some_and(|name| name == FILE);
    match command.iter().position(is_launcher) {
        Some(at) => std::iter::once(solver.to_string()).chain(command.iter().skip(at + 2).cloned()).collect(),
        None => command.to_vec(),
    }
}

/// The program that runs when `python` is started, as it says itself; `python` where it does not say.
///
/// What `PATH` gives may be the shell script of a version manager, which takes longer to start than a solver takes for a small
/// script, and which may choose another interpreter tomorrow, for which the library was not made.
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

/// Brings the launcher in a solver's folder up to date, and says what its manifest must be if it is another one: one made by an
/// earlier version of this program may name a script that stands before the interpreter.
pub(crate) fn renewed(profile: &Profile, folder: &Path, manifest: &InstallManifest) -> Option<InstallManifest> {
    let text = profile.wheel.as_ref()?.launcher.as_deref().and_then(text)?;
    let [program, .., launcher, _] = &manifest.command[..] else { return None };
    if launcher != FILE {
        return None;
    }
    if files::found(folder.join(FILE)).is_ok_and(|old| old != text.as_bytes()) {
        // A cache that cannot be written to has a launcher that works, if a slower one.
        let _ = place(text, folder);
    }
    let program = Path::new(program);
    let real = is_shell_script(program).then(|| interpreter(program)).filter(|real| real != program)?;
    let mut renewed = manifest.clone();
    renewed.command[0] = real.to_string_lossy().into_owned();
    Some(renewed)
}

/// The library of an installed solver, if it is one that a launcher runs.
pub(crate) fn library(manifest: &InstallManifest) -> Option<&str> {
    match &manifest.command[..] {
        [.., launcher, library] if launcher == FILE => Some(library),
        _ => None,
    }
}

/// Whether the launcher in a solver's folder is that of this version of the program.
pub(crate) fn is_ours(profile: &Profile, folder: &Path) -> bool {
    let text = profile.wheel.as_ref().and_then(|wheel| wheel.launcher.as_deref()).and_then(text);
    text.is_some_and(|text| files::found(folder.join(FILE)).is_ok_and(|found| found == text.as_bytes()))
}

/// Whether a file is a program for another program to read.
fn is_shell_script(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 2];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == *b"#!"
}
