//! The record of a finding.

use crate::class::BugClass;
use crate::grade::OptionGrade;
use crate::trust::Trust;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the record's layout.
pub const FORMAT: u32 = 1;

/// The mode of findings that show only after other scripts in the same process, however they ask.
pub const AFTER_RESET: &str = "reset";

/// The contents of `finding.json`. Times are in seconds, sizes in bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The layout's version, [`FORMAT`].
    pub format: u32,
    /// The finding's name, which is its folder's.
    pub id: String,
    /// Its class.
    pub class: BugClass,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// What the script was.
    pub origin: ScriptOrigin,
    /// Who vouches for the right answer.
    pub trust: Trust,
    /// The solver that is wrong.
    pub solver: SolverRecord,
    /// The check that went wrong, from 0.
    pub check: usize,
    /// `plain`, `incremental`, or `tactic` and the tactic; `reset` if it shows only after other scripts.
    pub mode: String,
    /// The right answer to each check: `sat`, `unsat` or `open`.
    pub expected: Vec<String>,
    /// What the solver answered to each check.
    pub answers: Vec<String>,
    /// What makes two runs show the same thing: the answer, the crash's signature, the self-check's message.
    pub symptom: String,
    /// The assertion that the solver's own model makes false, and the values of its subterms, one per line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_assertion: Option<String>,
    /// Why the solver gave up, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_unknown: Option<String>,
    /// How slow the solver is, and compared with what, if that is the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowness: Option<Slowness>,
    /// The two answers that contradict each other, if that is the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<ContradictoryAnswers>,
    /// How often the solver repeated it alone in a fresh process.
    pub repeats: SymptomRepeats,
    /// The answers of other solvers and versions to the same text.
    pub others: Vec<Other>,
    /// The seed; `None` for a generated problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<SeedRecord>,
    /// The mutator; `None` for an unchanged seed.
    pub mutator: Option<MutatorRecord>,
    /// Where in the campaign it was found.
    pub campaign: CampaignRecord,
    /// SHA-256 of `mutant.smt2`, in hexadecimal.
    pub mutant_sha256: String,
    /// The size of `mutant.smt2`.
    pub mutant_bytes: usize,
    /// SHA-256 of `predecessors.smt2`, in hexadecimal: the scripts, each ended by `(reset)`, that must precede it in the
    /// same process. `None`: it shows alone in a fresh process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predecessors_sha256: Option<String>,
    /// When it was found, in seconds since 1970-01-01 UTC.
    pub found_at: u64,
    /// What the campaign had used until then. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Wall-clock and CPU time of the run that hit.
    pub run: Times,
    /// The environment of the run that hit.
    pub environment: Environment,
}

/// The kind of script of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptOrigin {
    /// A mutant.
    Mutant,
    /// An unchanged seed.
    Seed,
}

/// A solver, with all that is needed to run it again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolverRecord {
    /// Its command-line name, options included.
    pub spec: String,
    /// Its name in reports.
    pub label: String,
    /// Options added by its profile that the bug needs. If the bug shows without them, `spec` omits them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile_options: Vec<String>,
    /// The name of its profile. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Drawn options, in addition to the user's, which `spec` has too; those that begin with `(` are commands of the
    /// script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn_options: Vec<String>,
    /// Those of its options, drawn or named by the user, that its profile grades [experimental](crate::OptionGrade).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub experimental_options: Vec<String>,
    /// Parts of the script that its profile calls an experimental theory: features and symbols, as the profile names
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub experimental_theories: Vec<String>,
    /// The grade of the mode that its options choose, if its profile gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PromisedRecord>,
    /// Its version, if it is known.
    pub version: Option<String>,
    /// Where the solver came from.
    pub origin: String,
    /// SHA-256 of the program, in hexadecimal, if the user brought it: builds may share a version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_sha256: Option<String>,
    /// The requested features: `incremental`, `models`, `validate`.
    pub purposes: Vec<String>,
    /// The command line; the script is its standard input.
    pub command: Vec<String>,
    /// The wall-clock limit in seconds.
    pub timeout_s: f64,
    /// The memory limit in bytes.
    pub memory_bytes: Option<u64>,
}

/// A mode for which a solver's project promises something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PromisedRecord {
    /// Its grade.
    pub grade: OptionGrade,
    /// The words of the command line that choose it.
    pub options: Vec<String>,
}

/// How often a symptom reappeared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymptomRepeats {
    /// The number of runs that showed it.
    pub shown: u32,
    /// The number of runs, without the first.
    pub runs: u32,
}

/// Two answers of one solver that cannot both be right. Both scripts derive from `mutant.smt2`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContradictoryAnswers {
    /// How the scripts relate, by the name of the relation.
    pub relation: String,
    /// The number that decides what the relation drew.
    pub draw: u64,
    /// The second script, described as the end of a sentence about the first.
    pub second_is: String,
    /// The answer to `first.smt2`.
    pub first: ScriptAnswer,
    /// The answer to `second.smt2`.
    pub second: ScriptAnswer,
    /// Why the answers contradict each other, in a sentence.
    pub why: String,
}

/// The answer to one check of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScriptAnswer {
    /// The check, from 0.
    pub check: usize,
    /// `sat` or `unsat`.
    pub answer: String,
}

/// CPU times of one script, in seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Slowness {
    /// The faster release or mode, by its name in reports.
    pub than: String,
    /// Its command-line name, options included.
    pub spec: String,
    /// The solver's time until it was stopped: a lower bound.
    pub cpu_s: f64,
    /// The other one's time to answer every check.
    pub other_cpu_s: f64,
}

/// Another solver's answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Other {
    /// Its name in reports.
    pub solver: String,
    /// Its answers.
    pub answers: Vec<String>,
}

/// A seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedRecord {
    /// Its path, or `embedded:` and the path within the program.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The check that the mutant is made from, from 0.
    pub check: usize,
    /// The answer that the file states.
    pub status: Option<String>,
    /// The logic it sets, by which a campaign counts; empty if it sets none. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logic: Option<String>,
}

/// A mutator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MutatorRecord {
    /// Its name.
    pub name: String,
    /// Its parameters and random choices.
    pub parameters: BTreeMap<String, String>,
}

/// A place in a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CampaignRecord {
    /// The campaign's seed.
    pub seed: u64,
    /// The unit's number.
    pub unit: u64,
    /// The mutant's number in the unit.
    pub index: u64,
    /// How often this pair of seed and solver was visited before.
    #[serde(default)]
    pub visit: u64,
    /// For a generated problem, its unit's place in the schedule; a seed has the place of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
}

/// What a campaign used since its beginning, in all its runs, except for unfinished units of other workers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// Mutants sent and judged.
    pub mutants: u64,
    /// Wall-clock time.
    pub wall_s: f64,
    /// CPU time, including solvers but not reductions in the background.
    pub cpu_s: f64,
}

/// Seconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Times {
    /// Wall-clock time.
    pub wall_s: f64,
    /// CPU time.
    pub cpu_s: f64,
}

/// The environment in which a finding was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Environment {
    /// The build of this program.
    #[serde(flatten)]
    pub build: Build,
    /// The operating system.
    pub os: String,
    /// The processor architecture.
    pub arch: String,
}

/// A hit's match with a known cause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownMatch {
    /// The reduced finding of that cause.
    pub of: String,
    /// The options, tactic, operators or spelling without which the solver is right about the hit.
    pub without: Vec<String>,
}

/// A build, as the program reports it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The version.
    pub squall: String,
    /// The first digits of the git commit; none if it was built from sources without git, or by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether the sources differed from that commit.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dirty: bool,
}

impl Finding {
    /// Returns the seed's name; `None` for a generated problem.
    pub fn seed_name(&self) -> Option<&str> {
        self.seed.as_ref().map(|seed| seed.name.as_str())
    }

    /// Returns the symptom that identifies its cause; for a solver that gave up, its reason.
    pub fn cause_symptom(&self) -> &str {
        self.reason_unknown.as_deref().unwrap_or(&self.symptom)
    }
}

impl ScriptOrigin {
    /// Returns the word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            ScriptOrigin::Mutant => "mutant",
            ScriptOrigin::Seed => "seed",
        }
    }
}

impl fmt::Display for ScriptOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl SymptomRepeats {
    /// Whether every run showed it.
    pub fn confirmed(self) -> bool {
        self.runs > 0 && self.shown == self.runs
    }
}

impl Environment {
    /// This build on this machine.
    pub fn here(build: &Build) -> Environment {
        Environment {
            build: build.clone(),
            os: std::env::consts::OS.to_string(),
            arch: std::env::consts::ARCH.to_string(),
        }
    }
}

impl Build {
    /// Returns a build of which only the version is known.
    pub fn unknown() -> Build {
        Build { squall: env!("CARGO_PKG_VERSION").to_string(), commit: None, dirty: false }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.commit, self.dirty) {
            (Some(commit), false) => write!(f, "{} ({commit})", self.squall),
            (Some(commit), true) => write!(f, "{} ({commit}, dirty)", self.squall),
            (None, _) => write!(f, "{} (built without git)", self.squall),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
