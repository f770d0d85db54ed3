//! Other fuzzers as data: how each is started, and where it keeps its reports.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use solver::sources::path::SearchPath;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The built-in peers.
const KNOWN: &str = include_str!("peers.toml");

/// The seeds that a peer gets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PeerSeeds {
    /// All seeds.
    #[default]
    All,
    /// Seeds known to be satisfiable.
    Sat,
    /// Seeds known to be unsatisfiable.
    Unsat,
}

/// The description of a fuzzer. `peers.toml` lists the placeholders in its command.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerDefinition {
    /// Its name.
    pub name: String,
    /// One line about its method.
    pub about: String,
    /// How users install it.
    pub install: String,
    /// The program to find in `PATH`.
    pub program: String,
    /// Whether the peer runs from a copy of its repository, at a path that the user gives.
    #[serde(default)]
    pub repository: bool,
    /// Its command line.
    pub command: Vec<String>,
    /// Whether the peer compares two solvers.
    #[serde(default)]
    pub needs_second: bool,
    /// The seeds that it accepts.
    #[serde(default)]
    pub seeds: PeerSeeds,
    /// The folder, in the run's folder, of the scripts that it reports as bugs.
    pub hits: String,
    /// The prefix of these scripts' names.
    #[serde(default)]
    pub hit_prefix: String,
    /// The folder, in the run's folder, of all its mutants; `None` if it removes them.
    pub mutants: Option<String>,
    /// Files to write before it runs, by their paths below the run's folder.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerList {
    peer: Vec<PeerDefinition>,
}

/// An installed fuzzer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peer {
    /// Its description.
    pub definition: PeerDefinition,
    /// Its program.
    pub program: PathBuf,
    /// Its repository, if it runs from one.
    pub repository: Option<PathBuf>,
}

/// The values of a command's placeholders.
pub type Placeholders = BTreeMap<&'static str, String>;

impl PeerDefinition {
    /// Returns the peers of a file, if any, then the built-in ones.
    /// Errors: the file cannot be read or is not a list of peers.
    pub fn list(file: Option<&Path>) -> Result<Vec<PeerDefinition>> {
        let mut all = Vec::new();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            all = read(&text).with_context(|| format!("{} is not a list of peers", path.display()))?;
        }
        let own = read(KNOWN).context("the list of known peers")?;
        let is_new = |one: &PeerDefinition| all.iter().all(|earlier: &PeerDefinition| earlier.name != one.name);
        let own: Vec<PeerDefinition> = own.into_iter().filter(is_new).collect();
        all.extend(own);
        Ok(all)
    }

    /// Finds the given program or repository, or else the program in `PATH`.
    /// Errors: it cannot be run here; the message says why, and how to install it.
    pub fn find(&self, named: Option<&Path>) -> Result<Peer> {
        let in_path = || SearchPath::of_environment().program(&self.program);
        let absolute = |path: &Path| path.canonicalize().with_context(|| format!("there is no '{}'", path.display()));
        let (program, repository) = match (named, self.repository) {
            (Some(path), true) => (in_path(), Some(absolute(path)?)),
            (None, true) => (None, None),
            // A program in a virtual environment must run by its own path, not the link target's.
            (Some(path), false) => {
                absolute(path)?;
                (Some(std::path::absolute(path)?), None)
            }
            (None, false) => (in_path(), None),
        };
        match program {
            Some(program) => Ok(Peer { definition: self.clone(), program, repository }),
            None => bail!("{} is not installed: {}", self.name, self.install),
        }
    }
}

/// Reads a list of peers.
/// Errors: the text is no list, or a peer has an unusable name, path or command.
pub fn read(text: &str) -> Result<Vec<PeerDefinition>> {
    let list: PeerList = toml::from_str(text)?;
    for peer in &list.peer {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !peer.name.starts_with(|c: char| c.is_ascii_alphabetic()) || !peer.name.chars().all(is_plain) {
            bail!(
                "'{}' is not the name of a peer; use letters, digits, '-', '_' and '.', and begin with a letter",
                peer.name
            );
        }
        let below = [Some(&peer.hits), peer.mutants.as_ref()].into_iter().flatten().chain(peer.files.keys());
        if let Some(path) = below.into_iter().find(|path| !is_below(path)) {
            bail!("{}: '{path}' is not a path below the folder of the run", peer.name);
        }
        if peer.command.is_empty() {
            bail!("{}: its command is empty", peer.name);
        }
    }
    Ok(list.peer)
}

fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Replaces the placeholders in a text. Unknown ones stay unchanged.
pub fn filled(text: &str, values: &Placeholders) -> String {
    values.iter().fold(text.to_string(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}
