//! Hostile files, folders, records and messages: no command on them starts, writes or prints anything unwanted.
//!
//! A [`Trap`] is a separate machine below one folder. It has a hostile folder, a program that leaves a mark when it is started, ten files
//! that must stay as they are, and a user without any configuration. [`Trap::check`] runs one command line from inside the hostile folder
//! and from above, and checks all of that after each run.
//!
//! In the texts of files and in command lines `{canary}` stands for the program, `{mark}` for the mark that it leaves, `{victim}` for the
//! first of the ten files, `{hostile}` for the hostile folder and `{here}` for that folder relative to the current folder.

mod campaigns;
mod cases;
mod commands;
mod folders;
mod records;
mod scripts;
mod solvers;

use rustix::process::{Pid, Signal};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Files of other people that no run may touch.
const CANARIES: usize = 10;
/// Their content, which must not be shown.
const SECRET: &str = "the private words of canary";
/// Files up to this length are compared by their bytes, larger ones by their length and time.
const COMPARED: u64 = 1 << 16;
/// A run that takes longer counts as hanging.
const GUARD: Duration = Duration::from_secs(300);
/// A stand-in for Python that runs modules of its current folder unless it is isolated. pip takes half a second to say that it has no network.
const PYTHON: &str = "#!/bin/sh\ncase \"$*\" in -I*) ;; *) if [ -e pip.py ]; then : > '{mark}'; fi;; esac\nexit 1\n";

/// A machine for hostile files.
pub struct Trap {
    root: tempfile::TempDir,
}

/// The output of a run.
pub struct CommandOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The current folder of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The hostile folder.
    Inside,
    /// The folder that holds it.
    Above,
}

/// The entries below a folder: by path the kind, length and time, and the bytes of a small file.
type Snapshot = BTreeMap<PathBuf, (u32, u64, i64, Vec<u8>)>;

impl Trap {
    /// A trap with an empty hostile folder.
    pub fn new() -> Trap {
        let trap = Trap { root: tempfile::tempdir().expect("a folder") };
        for folder in ["hostile", "home", "config", "cache", "tmp", "bin", "canaries"] {
            fs::create_dir(trap.path(folder)).expect("a folder");
        }
        for n in 0..CANARIES {
            fs::write(trap.path(&format!("canaries/{n}")), format!("{SECRET} {n}\n")).expect("a file");
        }
        testing::executable(&trap.path("canary"), &format!("#!/bin/sh\n: > '{}'\n", trap.mark().display()));
        trap.program("python3", PYTHON);
        trap.link("sh");
        trap
    }

    /// Puts this machine's own program into the folder of `PATH`, if it has one.
    pub fn link(&self, tool: &str) {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        if let Some(program) = std::env::split_paths(&folders).map(|f| f.join(tool)).find(|path| path.is_file()) {
            let place = self.path("bin").join(tool);
            let _ = fs::remove_file(&place);
            std::os::unix::fs::symlink(program, place).expect("a link");
        }
    }

    /// A trap whose hostile folder holds these files.
    pub fn with(files: &[(&str, &str)]) -> Trap {
        let trap = Trap::new();
        files.iter().for_each(|(name, text)| drop(trap.put(name, text)));
        trap
    }

    /// A path below the trap's own folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The hostile folder.
    pub fn hostile(&self) -> PathBuf {
        self.path("hostile")
    }

    /// The mark that the canary leaves when it is started.
    pub fn mark(&self) -> PathBuf {
        self.path("mark")
    }

    /// Puts a file into the hostile folder.
    pub fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.hostile().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, self.filled(text, "{here}")).expect("a file");
        path
    }

    /// Puts a program into the folder of `PATH`.
    pub fn program(&self, name: &str, text: &str) {
        testing::executable(&self.path("bin").join(name), &self.filled(text, "{here}"));
    }

    fn filled(&self, text: &str, here: &str) -> String {
        let places = [
            ("canary", "canary"),
            ("canaries", "canaries"),
            ("mark", "mark"),
            ("victim", "canaries/0"),
            ("hostile", "hostile"),
            ("root", ""),
        ];
        let text = text.replace("{here}", here);
        places.iter().fold(text, |text, (word, place)| {
            text.replace(&format!("{{{word}}}"), &self.path(place).display().to_string())
        })
    }

    /// A command line of squall, run by the user of this machine.
    pub fn command(&self, args: &[&str], place: Place) -> Command {
        let (folder, here) = match place {
            Place::Inside => (self.hostile(), "."),
            Place::Above => (self.root.path().to_path_buf(), "hostile"),
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
        command.args(args.iter().map(|word| self.filled(word, here))).current_dir(folder).env_clear();
        for (name, place) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
            ("TMPDIR", "tmp"),
            ("PATH", "bin"),
        ] {
            command.env(name, self.path(place));
        }
        // Tests do not wait for a network.
        command.env("PIP_NO_INDEX", "1");
        command
    }

    /// Runs a command line once. Checks that nothing is started, touched or written except `outputs` (paths below the trap's folder) and the
    /// cache, and that only text is printed.
    pub fn run(&self, args: &[&str], place: Place, outputs: &[&str]) -> CommandOutput {
        let before = self.snapshot(outputs);
        let (code, stdout, stderr) =
            finished(&mut self.command(args, place), GUARD).unwrap_or_else(|| panic!("{place:?} {args:?} hangs"));
        let said = CommandOutput { code, stdout, stderr };
        let what = || format!("{place:?} {args:?}: {code:?}\n{}\n{}", said.stdout, said.stderr);
        assert!(!self.mark().exists(), "a program was started by {}", what());
        let after = self.snapshot(outputs);
        let changed: Vec<&PathBuf> =
            before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(changed.is_empty(), "{changed:?} was written by {}", what());
        for text in [&said.stdout, &said.stderr] {
            let foreign = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(foreign, None, "a control character is printed by {}", what());
            assert!(!text.lines().any(|line| line.starts_with("::")), "a command to a CI is printed by {}", what());
        }
        assert!(!said.stderr.contains("panicked"), "{}", what());
        assert!(!said.stdout.contains(SECRET) && !said.stderr.contains(SECRET), "a file is shown by {}", what());
        for output in outputs {
            let shows = file_with(&self.path(output), SECRET);
            assert_eq!(shows, None, "a file is copied by {}", what());
        }
        said
    }

    /// Runs a command line from inside the hostile folder and from above. Both outputs must contain `expect`.
    pub fn check(&self, args: &[&str], outputs: &[&str], expect: &str) {
        for place in [Place::Inside, Place::Above] {
            let said = self.run(args, place, outputs);
            let all = format!("{}{}", said.stdout, said.stderr);
            assert!(all.contains(&self.filled(expect, "{here}")), "{place:?} {args:?} does not say {expect}:\n{all}");
        }
    }

    /// All that must not change: the whole trap except the cache and permitted outputs.
    fn snapshot(&self, outputs: &[&str]) -> Snapshot {
        let root = self.root.path();
        let mut seen = Snapshot::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path == self.path("cache") || outputs.iter().any(|output| path == root.join(output)) {
                    continue;
                }
                let data = entry.metadata().expect("it is there");
                if data.is_dir() {
                    folders.push(path.clone());
                }
                let bytes = if data.is_file() && data.len() <= COMPARED { fs::read(&path).ok() } else { None };
                let time = if data.is_dir() { 0 } else { data.mtime_nsec() };
                let length = if data.is_dir() { 0 } else { data.len() };
                seen.insert(path, (data.mode(), length, time, bytes.unwrap_or_default()));
            }
        }
        seen
    }
}

/// Returns the code and output of a run, or kills it after this time and returns `None`.
fn finished(command: &mut Command, guard: Duration) -> Option<(Option<i32>, String, String)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("it runs");
    let group = Pid::from_child(&child);
    let (over, is_over) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let hangs = is_over.recv_timeout(guard) == Err(RecvTimeoutError::Timeout);
        // The group exists until its first process is waited for.
        hangs.then(|| rustix::process::kill_process_group(group, Signal::KILL)).is_some()
    });
    let read = |mut from: Box<dyn Read + Send>| {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("it is read");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
    let stdout = std::thread::spawn(move || read(Box::new(stdout)));
    let (stderr, stdout) = (read(Box::new(stderr)), stdout.join().expect("a text"));
    drop(over);
    let hangs = watch.join().expect("it watches");
    let code = child.wait().expect("it is over").code();
    (!hangs).then_some((code, stdout, stderr))
}

/// Returns a file below a path with these words, without following links.
fn file_with(path: &Path, words: &str) -> Option<PathBuf> {
    let data = path.symlink_metadata().ok()?;
    if data.is_dir() {
        return fs::read_dir(path).ok()?.flatten().find_map(|entry| file_with(&entry.path(), words));
    }
    let has = |bytes: Vec<u8>| bytes.windows(words.len()).any(|part| part == words.as_bytes());
    (data.is_file() && data.len() <= COMPARED && fs::read(path).is_ok_and(has)).then(|| path.to_path_buf())
}

/// Makes a pipe without a writer.
pub fn pipe(path: &Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).expect("a pipe");
}

#[test]
fn a_trap_detects_started_programs_and_written_files() {
    let trap = Trap::with(&[("seed.smt2", "(assert true)(check-sat)")]);
    let said = trap.run(&["check", "{here}/seed.smt2"], Place::Above, &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let fails = |run: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err();
    let mutate = || drop(trap.run(&["mutate", "seed.smt2", "--mutator", "exec:{canary}"], Place::Inside, &[]));
    assert!(fails(&mutate), "a program is started");
    fs::remove_file(trap.mark()).expect("the canary was started");
    let worlds = || drop(trap.run(&["mutate", "--worlds", "-n", "1", "--out", "{hostile}/w"], Place::Inside, &[]));
    assert!(fails(&worlds), "a folder is written");
    let mut waits = Command::new("sh");
    waits.args(["-c", "(sleep 60; :)"]);
    assert!(finished(&mut waits, Duration::from_millis(50)).is_none(), "what hangs is ended with its children");
    drop(trap.run(&["mutate", "--worlds", "-n", "1", "--out", "{hostile}/x"], Place::Inside, &["hostile/x"]));
}
