//! The messages between machines, and the checks that all received data must pass before it is used.

use crate::counts::answer_counts::CellRow;
use crate::findings::disagreements::{MAX_BYTES, PER_UNIT, SolverDisagreement};
use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::state::finding_index::GroupKey;
use crate::under_test::Mode;
use finding::folder::{FindingFile, SentFile, is_name};
use finding::{Build, Finding};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of this protocol.
pub const PROTOCOL: u32 = 1;
/// The maximum size of a unit or report, in bytes.
pub const MAX_SMALL: usize = 1 << 20;
/// The maximum size of a campaign's description, in bytes: it names some ten thousand seeds.
pub const MAX_DESCRIPTION: usize = 64 << 20;
/// The maximum size of a finding with its files, in bytes.
pub const MAX_FINDING: usize = 64 << 20;
/// The maximum number of settings of a unit, and the maximum length of one.
const MAX_SETTINGS: usize = 32;
const MAX_SETTING: usize = 64 << 10;
/// The parameters that schedules vary. Others may name files.
const SCHEDULED: [&str; 6] = ["incremental", "tactical", "tactics", "max-depth", "max-asserts", "theory"];
/// The maximum of each count of one unit, including nanoseconds: three days.
const MAX_COUNT: u64 = 1 << 48;

/// Why a message is rejected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Refusal {
    /// The message has another version of the protocol or the program.
    #[error("another version of squall")]
    Version,
    /// The message is about another campaign.
    #[error("another campaign")]
    Campaign,
    /// The message is too large.
    #[error("a message that is too large")]
    Size,
    /// The message is malformed.
    #[error("a malformed message")]
    Shape,
    /// A name in it leaves its folder, or is not a name.
    #[error("a name that is not allowed")]
    Name,
    /// The message names a solver or options that do not belong to the campaign.
    #[error("a solver or options that do not belong to the campaign")]
    Solver,
    /// A hash in it does not match its contents.
    #[error("contents that do not match their hash")]
    Hash,
}

/// The maximum length of the name of a mutator, logic or answer in a report, and the maximum number of cells and answers.
const MAX_WORD: usize = 128;
const MAX_CELLS: usize = 8;
/// The maximum length of a solver's label, which may be a path.
const MAX_LABEL: usize = 4096;
const MAX_ANSWERS: usize = 16;

/// The common beginning of all messages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The version of the program: another one makes other mutants.
    pub squall: String,
    /// The campaign's identifier.
    pub campaign: String,
    /// The contents.
    pub body: T,
}

/// A campaign's description for workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Description {
    /// The campaign's seed.
    pub seed: u64,
    /// The caller's data to set up solvers and mutators: the note of `campaign.json`.
    pub note: serde_json::Value,
    /// The seeds by position.
    pub seeds: Vec<SeedName>,
    /// The labels of the solvers by position.
    pub solvers: Vec<String>,
    /// The build that coordinates it; missing from earlier ones.
    #[serde(default = "Build::unknown")]
    pub build: Build,
    /// Whether the campaign is over, so that workers stop.
    pub over: bool,
}

/// A seed's identification for workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedName {
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal; empty if the coordinator cannot read it.
    pub sha256: String,
}

/// A worker's message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerMessage {
    /// A finding; its files follow the message's first line, one after the other.
    Finding {
        /// The record.
        finding: Box<Finding>,
        /// The files' names and sizes in bytes.
        files: Vec<(String, usize)>,
    },
    /// Hits that were only counted, by the group in `key`.
    Unconfirmed(GroupKey),
    /// A claim that a seed's label is refuted; the coordinator checks it.
    Quarantine {
        /// The seed's name.
        seed: String,
        /// SHA-256 of its bytes.
        sha256: String,
    },
    /// A unit is done.
    Report(Box<UnitReport>),
}

/// A worker's sign of life. The server does not store it, and its loss is harmless.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The worker's name: its machine and process.
    pub worker: String,
    /// The number of its threads.
    pub jobs: usize,
    /// The number of busy threads.
    pub busy: usize,
    /// The number of units of this campaign that it did.
    pub units: u64,
    /// The number of mutants sent in them.
    pub mutants: u64,
}

/// A request for a piece of a seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The seed's SHA-256.
    pub sha256: String,
    /// The offset of the piece.
    pub from: usize,
}

/// What received data is checked against.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectation {
    /// The campaign's identifier.
    pub campaign: String,
    /// The campaign's seed.
    pub seed: u64,
    /// The names of seeds by position.
    pub seeds: Vec<String>,
    /// The labels of solvers by position.
    pub solvers: Vec<String>,
}

/// Serializes a message.
pub fn write<T: Serialize>(campaign: &str, body: T) -> Vec<u8> {
    let squall = env!("CARGO_PKG_VERSION").to_string();
    let envelope = Envelope { protocol: PROTOCOL, squall, campaign: campaign.to_string(), body };
    // Every body is plain data with string keys, which can always be serialized.
    serde_json::to_vec(&envelope).unwrap_or_default()
}

/// Parses a message of at most `most` bytes; `campaign` is the expected one, if known.
/// Errors: [`Refusal`]: the message is too large or malformed, or it comes from another version or another campaign.
pub fn read<T: DeserializeOwned>(bytes: &[u8], most: usize, campaign: Option<&str>) -> Result<Envelope<T>, Refusal> {
    /// The part that is the same in all versions.
    #[derive(Deserialize)]
    struct Header {
        protocol: u32,
        squall: String,
        campaign: String,
    }
    if bytes.len() > most {
        return Err(Refusal::Size);
    }
    let header: Header = serde_json::from_slice(bytes).map_err(|_| Refusal::Shape)?;
    if header.protocol != PROTOCOL || header.squall != env!("CARGO_PKG_VERSION") {
        return Err(Refusal::Version);
    }
    if campaign.is_some_and(|campaign| campaign != header.campaign) || !is_campaign(&header.campaign) {
        return Err(Refusal::Campaign);
    }
    serde_json::from_slice(bytes).map_err(|_| Refusal::Shape)
}

/// Whether a text can be a campaign's identifier: 16 hexadecimal digits.
pub fn is_campaign(id: &str) -> bool {
    id.len() == 16 && is_hexadecimal(id)
}

/// Whether a text can be a SHA-256.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && is_hexadecimal(text)
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether a worker's name is safe to display.
pub fn is_worker(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_WORD && !name.chars().any(char::is_control)
}

impl Expectation {
    /// Checks that a unit can be done.
    /// Errors: [`Refusal::Name`] for an option that a unit must not set; [`Refusal::Shape`] for a seed or solver that
    /// the campaign does not have,
    /// and for too many or too long settings.
    pub fn check_plan(&self, plan: &UnitPlan) -> Result<(), Refusal> {
        let settings = plan.choice.as_ref().map_or(&[][..], |choice| &choice.settings);
        let long = settings.iter().any(|(_, value)| value.len() > MAX_SETTING);
        if settings.iter().any(|(name, _)| !SCHEDULED.contains(&name.as_str())) {
            return Err(Refusal::Name);
        }
        if plan.seed >= self.seeds.len() || plan.target >= self.solvers.len() || settings.len() > MAX_SETTINGS || long {
            return Err(Refusal::Shape);
        }
        Ok(())
    }

    /// Checks that a report can be counted.
    /// Errors: as [`Expectation::check_plan`]; [`Refusal::Shape`] for a text, list or count above its maximum, and for
    /// an unknown solver;
    /// [`Refusal::Hash`] if the seed's hash is not a SHA-256.
    pub fn check_report(&self, report: &UnitReport) -> Result<(), Refusal> {
        self.check_plan(&report.plan)?;
        // Counts are stored by these texts: a sender that invents them must not fill the store.
        let is_known = |row: &CellRow| {
            let answers = &row.cell.answers;
            self.solvers.contains(&row.key.solver)
                && row.key.mutator.len() <= MAX_WORD
                && row.key.logic.len() <= MAX_WORD
                && answers.len() <= MAX_ANSWERS
                && answers.keys().all(|word| word.len() <= MAX_WORD)
        };
        let mutator = report.mutator.as_ref().map_or(0, String::len);
        let many = report.cells.len() > MAX_CELLS || report.modes.len() > Mode::ALL.len() || mutator > MAX_WORD;
        let counts = report.counts.named().map(|(_, count)| count).chain(report.modes.iter().map(|(_, count)| *count));
        let scripts = report.cells.iter().flat_map(|row| row.cell.answers.values().copied().chain([row.cell.scripts]));
        let is_short = |one: &SolverDisagreement| {
            let words = one.answers.iter().flat_map(|(solver, answer)| [solver, answer]);
            // The reference answers as well, and the solver under test may do so twice.
            one.answers.len() <= self.solvers.len() + 2
                && words.into_iter().all(|word| word.len() <= MAX_LABEL)
                && one.scripts.iter().all(|script| script.len() <= MAX_BYTES)
        };
        let many = many || report.disagreements.len() > PER_UNIT || !report.disagreements.iter().all(is_short);
        let enormous = counts.chain(scripts).any(|count| count > MAX_COUNT);
        if many || enormous || !report.cells.iter().all(is_known) {
            return Err(Refusal::Shape);
        }
        match report.seed_sha256.is_empty() || is_sha256(&report.seed_sha256) {
            true => Ok(()),
            false => Err(Refusal::Hash),
        }
    }

    /// Checks that hits of a group can be counted.
    /// Errors: [`Refusal::Shape`] for a seed or solver that the campaign does not have, and for a text that is too long.
    pub fn check_group(&self, key: &GroupKey) -> Result<(), Refusal> {
        let is_long = [&key.mode, &key.options, &key.symptom].into_iter().any(|word| word.len() > MAX_LABEL);
        match key.seed >= self.seeds.len() || key.target >= self.solvers.len() || is_long {
            true => Err(Refusal::Shape),
            false => Ok(()),
        }
    }

    /// Checks that a finding can be written, with its files, which follow one after the other.
    /// Errors: - [`Refusal::Name`]: a file name is unknown or repeated, or the finding's id is not a name.
    /// - [`Refusal::Size`]: the sizes of the files do not add up to the bytes sent.
    /// - [`Refusal::Hash`]: a file does not match its hash, or the mutant does not match its size or the finding's id.
    /// - [`Refusal::Campaign`]: the finding is from another campaign.
    /// - [`Refusal::Shape`]: there is no mutant, or the campaign does not have the seed or solver.
    pub fn check_finding<'b>(
        &self,
        finding: &Finding,
        files: &[(String, usize)],
        bytes: &'b [u8],
    ) -> Result<Vec<SentFile<'b>>, Refusal> {
        let mut rest = bytes;
        let mut named: BTreeMap<FindingFile, &'b [u8]> = BTreeMap::new();
        for (name, size) in files {
            let sent = FindingFile::SENT.into_iter().find(|sent| sent.name() == name).ok_or(Refusal::Name)?;
            let (file, more) = rest.split_at_checked(*size).ok_or(Refusal::Size)?;
            rest = more;
            if named.insert(sent, file).is_some() {
                return Err(Refusal::Name);
            }
        }
        if !rest.is_empty() {
            return Err(Refusal::Size);
        }
        if !is_name(&finding.id) {
            return Err(Refusal::Name);
        }
        let mutant = named.get(&FindingFile::Mutant).ok_or(Refusal::Shape)?;
        let sha256 = files::sha256(mutant);
        if finding.mutant_sha256 != sha256
            || finding.mutant_bytes != mutant.len()
            || !finding.id.ends_with(&sha256[..12])
        {
            return Err(Refusal::Hash);
        }
        let earlier = named.get(&FindingFile::Predecessors).map(files::sha256);
        if finding.predecessors_sha256 != earlier {
            return Err(Refusal::Hash);
        }
        if finding.campaign.seed != self.seed {
            return Err(Refusal::Campaign);
        }
        let has_seed = match &finding.seed {
            Some(seed) => self.seeds.contains(&seed.name),
            None => finding.campaign.place.is_some_and(|place| place < self.seeds.len()),
        };
        let known = has_seed && self.solvers.contains(&finding.solver.label);
        if known { Ok(named.into_iter().collect()) } else { Err(Refusal::Shape) }
    }
}
