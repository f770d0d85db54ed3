//! The plan of a comparison: its arms, how often each runs, and on which seeds.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// One of the compared ways of fuzzing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignArm {
    /// Its name, which is part of the names of its folders.
    pub name: String,
    /// The arguments that it adds to `squall fuzz`.
    pub words: Vec<String>,
}

/// Why a text is not an arm.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArmError {
    /// The `=` or the name before it is missing.
    #[error("'{0}' is not an arm; write NAME=OPTIONS, as in operator='--mutator operator'")]
    Unnamed(String),
    /// An option with values is missing.
    #[error("'{0}' varies no option; write OPTION=VALUE,VALUE, as in max-depth=4,16,64")]
    Unvaried(String),
    /// The name cannot be part of a folder's name.
    #[error("'{0}' is not the name of an arm; use letters, digits, '-', '_', '.' and '>', and begin with a letter")]
    Name(String),
    /// A quotation mark is not closed.
    #[error("the options of the arm '{0}' have an unclosed quotation mark")]
    Quotes(String),
    /// The experiment sets this option itself.
    #[error("the arm '{0}' sets {1}, which is the same for all arms; use the option of the experiment")]
    Fixed(String, String),
}

/// Options of `squall fuzz` that an experiment sets itself: arms must not differ in them.
const FIXED: [&str; 14] = [
    "--seed",
    "--jobs",
    "-j",
    "--out",
    "-o",
    "--for",
    "--for-cpu",
    "--mutants",
    "--units",
    "--format",
    "--resume",
    "--coordinate",
    "--shard",
    "--keep-mutants",
];

impl FromStr for CampaignArm {
    type Err = ArmError;

    fn from_str(text: &str) -> Result<CampaignArm, ArmError> {
        let unnamed = || ArmError::Unnamed(text.to_string());
        let (name, options) = text.split_once('=').ok_or_else(unnamed)?;
        if name.is_empty() || name.starts_with('-') {
            return Err(unnamed());
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_plain) {
            return Err(ArmError::Name(name.to_string()));
        }
        let words = shlex::split(options).ok_or_else(|| ArmError::Quotes(name.to_string()))?;
        let option_of = |word: &String| word.split('=').next().unwrap_or_default().to_string();
        if let Some(fixed) = words.iter().map(option_of).find(|option| FIXED.contains(&option.as_str())) {
            return Err(ArmError::Fixed(name.to_string(), fixed));
        }
        Ok(CampaignArm { name: name.to_string(), words })
    }
}

/// An option of `squall fuzz` and its values, one arm for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariedOption {
    /// Its name, without hyphens.
    name: String,
    values: Vec<String>,
}

impl FromStr for VariedOption {
    type Err = ArmError;

    fn from_str(text: &str) -> Result<VariedOption, ArmError> {
        let unvaried = || ArmError::Unvaried(text.to_string());
        let (name, values) = text.split_once('=').ok_or_else(unvaried)?;
        let option = format!("--{name}");
        if name.is_empty() || name.starts_with('-') || values.split(',').any(str::is_empty) {
            return Err(unvaried());
        }
        if FIXED.contains(&option.as_str()) {
            return Err(ArmError::Fixed(name.to_string(), option));
        }
        Ok(VariedOption { name: name.to_string(), values: values.split(',').map(str::to_string).collect() })
    }
}

/// Combines every arm with each combination of the values. Without arms, the values apply to an arm without options.
pub fn varied(mut arms: Vec<CampaignArm>, options: &[VariedOption]) -> Vec<CampaignArm> {
    if arms.is_empty() {
        arms.push(CampaignArm { name: String::new(), words: Vec::new() });
    }
    for VariedOption { name, values } in options {
        let with = |arm: &CampaignArm, value: &String| {
            let part = format!("{name}-{value}").replace(|c: char| !is_plain(c), "_");
            let begin = if arm.name.is_empty() { String::new() } else { format!("{}-", arm.name) };
            let words = arm.words.iter().cloned().chain([format!("--{name}"), value.clone()]).collect();
            CampaignArm { name: begin + &part, words }
        };
        arms = arms.iter().flat_map(|arm| values.iter().map(move |value| with(arm, value))).collect();
    }
    arms
}

/// Whether a character may be in the name of an arm.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '>')
}

/// A planned comparison.
#[derive(Clone, Debug)]
pub struct CampaignPlan {
    /// Arguments of `squall fuzz` that all arms share: seeds and solvers.
    pub common: Vec<String>,
    /// The arms. The first is the baseline.
    pub arms: Vec<CampaignArm>,
    /// The campaign seeds; each arm runs once with each.
    pub seeds: Vec<u64>,
    /// The CPU time of a campaign, including its solvers.
    pub cpu: Duration,
    /// The wall-clock time for reducing one campaign's findings. It is not part of `cpu`.
    pub reduce: Duration,
    /// The number of campaigns run in parallel.
    pub jobs: usize,
    /// The folder of the experiment.
    pub out: PathBuf,
}

/// One campaign of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlannedRun {
    /// The position of its arm.
    pub arm: usize,
    /// Its campaign seed.
    pub seed: u64,
}

impl CampaignPlan {
    /// Returns all campaigns in the order in which they start. Arms alternate, so that changes in the machine's load affect all of them.
    pub fn runs(&self) -> Vec<PlannedRun> {
        let arms = 0..self.arms.len();
        self.seeds.iter().flat_map(|&seed| arms.clone().map(move |arm| PlannedRun { arm, seed })).collect()
    }

    /// Returns the folder of one campaign.
    pub fn folder(&self, run: PlannedRun) -> PathBuf {
        // `>` chains mutators, but is an operator of shells.
        self.out.join("runs").join(format!("{}-{}", self.arms[run.arm].name.replace('>', "+"), run.seed))
    }

    /// Returns the arguments of `squall` that start one campaign.
    pub fn command_line(&self, run: PlannedRun) -> Vec<String> {
        let mut words = vec!["fuzz".to_string()];
        words.extend(self.common.iter().cloned());
        words.extend(self.arms[run.arm].words.iter().cloned());
        // Findings are reduced after the campaign, except where an arm asks for it: blocking learns from the campaign's own reductions.
        let reduces = words.iter().any(|word| word.starts_with("--reduce-share") || word.starts_with("--blocking"));
        let mut measured = measured(run.seed, self.cpu);
        if let Some(share) = measured.iter().position(|word| reduces && word == "--reduce-share") {
            measured.drain(share..share + 2);
        }
        words.extend(measured);
        words.extend(["--out".to_string(), self.folder(run).display().to_string()]);
        words
    }
}

/// Returns the arguments of `squall fuzz` for one worker, the given CPU time, and events as JSON.
pub(crate) fn measured(seed: u64, cpu: Duration) -> Vec<String> {
    let options = [
        ("--seed", seed.to_string()),
        ("--jobs", "1".to_string()),
        ("--for-cpu", format!("{}ms", cpu.as_millis())),
        ("--for", format!("{}s", wall_limit(cpu).as_secs())),
        ("--reduce-share", "0".to_string()),
        ("--format", "json".to_string()),
    ];
    options.into_iter().flat_map(|(name, value)| [name.to_string(), value]).collect()
}

/// Returns the wall-clock limit for a process with the given CPU limit: a process that only waits must end, too.
fn wall_limit(cpu: Duration) -> Duration {
    cpu.saturating_mul(20).saturating_add(Duration::from_secs(60))
}
