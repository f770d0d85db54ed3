//! Data about a solver program: one TOML file per solver.

mod patterns;
mod versions;

use finding::OptionGrade;
pub use patterns::{CrashKind, CrashPattern, KnownBug, SelfCheckPattern, UnsupportedPattern};
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::process::MemoryGuard;
use crate::promises::{PromisedMode, ProofReading};
use crate::promises::{bits, features};
use crate::recipe::BuildRecipe;
use crate::version::{Version, VersionRange};

/// All data about one solver. The keys of the TOML file are the fields' names; unknown keys are errors. `docs/profile.md` describes
/// each key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// The name used in specifications, lower case.
    pub name: String,
    /// The profile of another build of the same solver, from which missing fields are taken.
    pub extends: Option<String>,
    /// Names in `lacks` of the extended profile that it has after all.
    #[serde(default)]
    pub has: Vec<String>,
    /// The program of which it is a build; by default that of the profile it extends, else its own name. Builds of one program and
    /// release count once where solvers are compared.
    pub family: Option<String>,
    /// The official name, for texts that its developers read: `Yices 2`.
    pub title: Option<String>,
    /// The web address for bug reports to its project.
    pub tracker: Option<String>,
    /// The fields of the project's form for reports, in its order.
    #[serde(default)]
    pub form: Vec<FormField>,
    /// File names of the program, tried on `PATH` in this order; a path whose file name is or begins with one of them, such as `z3-4.12`,
    /// gets this profile.
    #[serde(default)]
    pub executables: Vec<String>,
    /// How to ask the program for its version.
    #[serde(default)]
    pub version: VersionProbe,
    /// Command-line options by purpose.
    #[serde(default)]
    pub options: CommandOptions,
    /// How the program takes its input.
    #[serde(default)]
    pub input: Input,
    /// How a memory limit is applied to it.
    #[serde(default)]
    pub memory: MemoryLimit,
    /// SMT-LIB logics it accepts; empty: all.
    #[serde(default)]
    pub logics: Vec<String>,
    /// Whether the solver accepts no declaration before a `set-logic`; scripts for it without one get the smallest that fits.
    #[serde(default)]
    pub needs_logic: bool,
    /// Versions that answer `get-model` and `get-value`.
    #[serde(default)]
    pub gives_models: VersionRange,
    /// Versions with the nonstandard command `(simplify t)`; none by default.
    pub simplify: Option<VersionRange>,
    /// Versions that accept several `check-sat`, push and pop.
    #[serde(default)]
    pub incremental: VersionRange,
    /// Features that it does not support in scripts with several checks, by the names of [`smtlib::logic::feature`].
    #[serde(default, deserialize_with = "features")]
    pub incremental_lacks: Vec<String>,
    /// Keys of its own options, such as `:smt.arith.solver`, that scripts for it may set to numbers, true and false, and that mutants
    /// keep from their seeds; one that ends in `*` is a prefix, but excludes those that write files ([`crate::gate`]).
    #[serde(default)]
    pub script_options: Vec<String>,
    /// Further options that scripts may set.
    #[serde(default)]
    pub gate: ScriptGate,
    /// Whether it goes on after an error as without the command: its `:error-behavior` is `continued-execution` (SMT-LIB 2.7, 4.1.8).
    #[serde(default)]
    pub continued_execution: bool,
    /// Whether `(reset)` restores its initial state, so that several scripts may share a process.
    #[serde(default)]
    pub reset_works: bool,
    /// Named sets of further options: `z3+z3str3`.
    #[serde(default)]
    pub variants: BTreeMap<String, Variant>,
    /// The Python wheel that contains it.
    pub wheel: Option<Wheel>,
    /// The Rust crate that it is compiled from.
    #[serde(rename = "crate")]
    pub cargo: Option<CargoCrate>,
    /// Its promises by mode. Without any, its defaults promise right answers and nothing about proofs.
    #[serde(default)]
    pub mode: Vec<PromisedMode>,
    /// How its proofs are read; by default they are not.
    pub proof: Option<ProofReading>,
    /// Theories that its project calls experimental or meant for experts: features by the names of [`smtlib::logic::feature`], and
    /// symbols; one that ends in `*` is a prefix.
    #[serde(default)]
    pub experimental_theories: Vec<String>,
    /// How the solver is compiled from sources, with assertions, sanitizers or line counters.
    pub build: Option<BuildRecipe>,
    /// Deviations from the standard, by version.
    #[serde(default)]
    pub dialect: Vec<VersionDialect>,
    /// Tactics for `(check-sat-using …)`.
    #[serde(default)]
    pub tactic: Vec<SolverTactic>,
    /// Texts that indicate a crash; those of the profile `generic` count for every solver.
    #[serde(default)]
    pub crash: Vec<CrashPattern>,
    /// Texts by which it reports that its own answer is wrong.
    #[serde(default)]
    pub self_check: Vec<SelfCheckPattern>,
    /// Texts by which it reports missing support. A run that prints one has no answers and is not a crash.
    #[serde(default)]
    pub unsupported: Vec<UnsupportedPattern>,
    /// Logics for which it claims to decide every problem: `unknown` is a bug there, if no limit was reached.
    #[serde(default)]
    pub complete: Vec<String>,
    /// Texts of error messages outside `(error …)`; the position of such an error is unknown, so it voids all answers.
    #[serde(default)]
    pub error_texts: Vec<String>,
    /// Crashes and self-check messages that contain one of these texts are ignored.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Crashes and self-check messages that are already reported.
    #[serde(default)]
    pub known: Vec<KnownBug>,
    /// Options whose values a campaign may vary.
    #[serde(default)]
    pub choice: Vec<OptionChoice>,
    /// Options, single or several separated by blanks, under which a wrong answer is tried again: those that correct it distinguish bugs.
    /// Versions that reject one are ignored.
    #[serde(default)]
    pub switches: Vec<String>,
}

/// A field of a project's form for reports.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormField {
    /// Its label.
    pub label: String,
    /// The entry. The names in braces are replaced: `{platform}`, `{grade}`, and `{last-right}`, the newest release asked that is right
    /// before the newest that errs. An entry without text is left out.
    #[serde(default)]
    pub text: String,
    /// The entries for a crash and for a wrong answer, and for anything else; used instead of `text` if there are three.
    #[serde(default)]
    pub kinds: Vec<String>,
}

/// Options that scripts may set besides the standard ones and those of `script-options`, all of which take numbers, true and false.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptGate {
    /// Keys of further options with such values; one that ends in `*` is a prefix.
    pub numbers: Vec<String>,
    /// Keys of options that take words, with the allowed words.
    pub words: BTreeMap<String, Vec<String>>,
}

/// How to learn a program's version.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VersionProbe {
    /// Arguments that make it print its version and exit.
    pub args: Vec<String>,
    /// The text right before the version; if empty, the first dotted number printed is the version.
    pub prefix: String,
}

impl Default for VersionProbe {
    fn default() -> VersionProbe {
        VersionProbe { args: vec!["--version".to_string()], prefix: String::new() }
    }
}

/// Command-line options, each list appended for its purpose.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CommandOptions {
    /// Always given: makes it read a script in SMT-LIB from its standard input, without affecting answers.
    pub base: Vec<String>,
    /// Given unless the user omits it ([`crate::spec::BARE`]): changes the solver's default behavior in ways that affect answers.
    pub added: Vec<String>,
    /// For scripts with several `check-sat`, push or pop.
    pub incremental: Vec<String>,
    /// For scripts that ask for models.
    pub models: Vec<String>,
    /// For unsatisfiable cores.
    pub cores: Vec<String>,
    /// For proofs.
    pub proofs: Vec<String>,
    /// Makes the program check its proofs as it ends.
    pub check_proofs: Vec<String>,
    /// Makes the program check its own models and proofs.
    pub validate: Vec<String>,
    /// Sets the random seed; `{seed}` stands for the number (below 2^31).
    pub random_seed: Vec<String>,
}

/// How a program receives its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The program reads standard input by default, or because of a base option.
    #[default]
    Stdin,
    /// The program wants a file name: `/dev/stdin` is given as the last argument (a memory file, no file on disk).
    File,
}

/// How a memory limit is applied to a program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MemoryLimit {
    /// The limit that it tolerates.
    pub guard: Guard,
    /// For `own-option`: the option, `{mib}` standing for the limit in MiB.
    pub option: Vec<String>,
}

/// The names of [`MemoryGuard`] in a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guard {
    /// [`MemoryGuard::AddressSpace`]
    #[default]
    AddressSpace,
    /// [`MemoryGuard::WatchedRss`]
    WatchedRss,
    /// [`MemoryGuard::OwnOption`]
    OwnOption,
}

impl From<Guard> for MemoryGuard {
    fn from(guard: Guard) -> MemoryGuard {
        match guard {
            Guard::AddressSpace => MemoryGuard::AddressSpace,
            Guard::WatchedRss => MemoryGuard::WatchedRss,
            Guard::OwnOption => MemoryGuard::OwnOption,
        }
    }
}

/// A named set of options of the same program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The options, after those of the purposes.
    pub options: Vec<String>,
    /// A description of the variant, in a few words.
    pub about: String,
    /// Versions that have it.
    #[serde(default)]
    pub versions: VersionRange,
}

/// The location of the program in a Python wheel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The package's name.
    pub package: String,
    /// Requirements tried in this order; `{version}` stands for the requested version: packages number their releases a little
    /// differently from their programs.
    pub requirements: Vec<String>,
    /// How many numbers of the package's version belong to the program, the others being those of the build; by default all.
    pub numbers: Option<usize>,
    /// The end of the program's path inside the wheel: `bin/z3`.
    pub program: Option<String>,
    /// Our launcher that runs the library, for a wheel without a program.
    pub launcher: Option<String>,
    /// The size of the download, roughly.
    pub megabytes: Option<u32>,
}

impl Profile {
    /// Describes the installation; `None` if Squall does not install it.
    pub fn installing(&self) -> Option<String> {
        let about = |amount: Option<u32>, unit: &str| amount.map_or(String::new(), |n| format!(" of about {n} {unit}"));
        match (&self.wheel, &self.cargo) {
            (Some(wheel), _) => Some(format!("a download{} by pip", about(wheel.megabytes, "MB"))),
            (None, Some(cargo)) => Some(format!("a compilation{} by cargo", about(cargo.minutes, "minutes"))),
            (None, None) => None,
        }
    }
}

impl Wheel {
    /// Returns the version of the program in a package.
    pub(crate) fn program_version(&self, package: &Version) -> Version {
        self.numbers.map_or_else(|| package.clone(), |count| package.of_numbers(count))
    }
}

/// A Rust crate whose program is the solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CargoCrate {
    /// The crate's name.
    pub package: String,
    /// The name of its program.
    pub program: String,
    /// How long compiling takes, roughly.
    pub minutes: Option<u32>,
}

/// A deviation of some versions from the SMT-LIB standard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VersionDialect {
    /// The versions to which it applies.
    pub versions: VersionRange,
    /// The replacements of standard symbols: `"str.in_re" = "str.in.re"`.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// Standard symbols that these versions do not know under any name.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Chainable standard operators that these versions accept with two arguments only.
    #[serde(default)]
    pub binary_only: Vec<String>,
    /// Set operators that these versions accept only with infinitely many elements, as for integers.
    #[serde(default)]
    pub infinite_only: Vec<String>,
    /// The formats of floats in these versions, as widths of exponent and significand; by default all.
    #[serde(default)]
    pub float_formats: Vec<(u32, u32)>,
    /// Spellings that these versions accept but misread; an instance that needs one has no truth for them.
    #[serde(default)]
    pub misreads: Vec<String>,
    /// Spellings by which these versions print wrong values; a model that contains one is neither right nor wrong.
    #[serde(default)]
    pub miswrites: Vec<String>,
    /// Standard symbols about which these versions answer wrongly, even for constants. This is a bug like any other, and campaigns may
    /// find it again; it is recorded here for users who examine a version.
    #[serde(default)]
    pub wrong: Vec<String>,
}

/// A tactic for `(check-sat-using …)`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverTactic {
    /// The tactic's text.
    pub text: String,
    /// Its relative frequency.
    #[serde(default = "one")]
    pub weight: u32,
    /// Versions that have it.
    #[serde(default)]
    pub versions: VersionRange,
}

fn one() -> u32 {
    1
}

/// An option with varying values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionChoice {
    /// The option's text, with `{}` for the value. One that begins with `(` is a command that is inserted into the script, right after
    /// its logic.
    pub option: String,
    /// Its possible values.
    pub values: Vec<String>,
    /// Whether every answer must stay right with any value, according to its developers: then a wrong `sat` or a wrong model counts under
    /// it, too.
    #[serde(default)]
    pub sound: bool,
    /// Its relative frequency, at least 1.
    #[serde(default = "one")]
    pub weight: u32,
    /// Its grade according to the solver's project.
    #[serde(default = "documented")]
    pub grade: OptionGrade,
    /// Features that the solver does not support with it, by the names of [`smtlib::logic::feature`].
    #[serde(default, deserialize_with = "features")]
    pub lacks: Vec<String>,
    /// Versions that have it.
    #[serde(default)]
    pub versions: VersionRange,
}

fn documented() -> OptionGrade {
    OptionGrade::Documented
}

impl OptionChoice {
    /// Returns the bits ([`smtlib::logic`]) of features that the solver does not support with it.
    pub fn lacked(&self) -> u32 {
        bits(&self.lacks)
    }

    /// Returns the option with each of its values, as words of the command line or as commands.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| self.option.replace("{}", value))
    }
}
