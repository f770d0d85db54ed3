//! What is known of a solver program, as plain data: one TOML file a solver.

use finding::{BugClass, OptionGrade};
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::features::{bits, features};
use crate::misread::{misread, miswritten};
use crate::process::MemoryGuard;
use crate::promises::{PromisedMode, ProofReading, needs_theory};
use crate::recipe::BuildRecipe;
use crate::version::{Version, VersionRange};

/// Everything the project knows of one solver. The keys of the TOML file are the fields' names; unknown keys are
/// errors. `docs/profile.md` describes each key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// The name used in specifications, lower case.
    pub name: String,
    /// The profile of another build of the same solver, from which is taken what this one leaves out.
    pub extends: Option<String>,
    /// Names in `lacks` of the profile that it extends that it has after all.
    #[serde(default)]
    pub has: Vec<String>,
    /// The program of which it is a build; where it is left out, that of the profile it extends, else its own name. Builds of one
    /// program and release have one voice where solvers are compared.
    pub family: Option<String>,
    /// The name as its own project writes it, for texts that its developers read: `Yices 2`.
    pub title: Option<String>,
    /// Where its project takes bug reports: a web address.
    pub tracker: Option<String>,
    /// File names of the program, tried on `PATH` in this order; a path whose file name is or begins with one of
    /// them, as `z3-4.12` does, gets this profile.
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
    /// How a memory limit is put on it.
    #[serde(default)]
    pub memory: MemoryLimit,
    /// SMT-LIB logics it accepts; empty: all.
    #[serde(default)]
    pub logics: Vec<String>,
    /// Whether it reads no declaration before a `set-logic`; scripts for it that name none get the smallest that fits.
    #[serde(default)]
    pub needs_logic: bool,
    /// Versions that answer `get-model` and `get-value`.
    #[serde(default)]
    pub gives_models: VersionRange,
    /// Versions that know the command `(simplify t)`, which is none of the standard; none where it is left out.
    pub simplify: Option<VersionRange>,
    /// Versions that take several `check-sat`, push and pop.
    #[serde(default)]
    pub incremental: VersionRange,
    /// What it has no support for in scripts with several checks, by the names of [`smtlib::logic::feature`].
    #[serde(default, deserialize_with = "features")]
    pub incremental_lacks: Vec<String>,
    /// Keys of its own options, such as `:smt.arith.solver`, that scripts for it may set to numbers, true and false, and that mutants keep
    /// of their seeds; one that ends in `*` stands for all that start so, but for those by which solvers write files ([`crate::gate`]).
    #[serde(default)]
    pub script_options: Vec<String>,
    /// What scripts may set besides.
    #[serde(default)]
    pub gate: ScriptGate,
    /// Whether `(reset)` brings it back to its first state, so that several scripts may share a process.
    #[serde(default)]
    pub reset_works: bool,
    /// Named sets of further options: `z3+z3str3`.
    #[serde(default)]
    pub variants: BTreeMap<String, Variant>,
    /// The Python wheel that holds it.
    pub wheel: Option<Wheel>,
    /// The Rust crate that it is compiled from.
    #[serde(rename = "crate")]
    pub cargo: Option<CargoCrate>,
    /// What it promises in which mode. Without any, its defaults promise right answers and nothing of proofs.
    #[serde(default)]
    pub mode: Vec<PromisedMode>,
    /// How its proofs are read; none: they are not.
    pub proof: Option<ProofReading>,
    /// Theories that its project calls experimental or meant for experts: features by the names of [`smtlib::logic::feature`], and symbols;
    /// one that ends in `*` stands for all that start so.
    #[serde(default)]
    pub experimental_theories: Vec<String>,
    /// How it is compiled from sources, with assertions, sanitizers or counters of executed lines.
    pub build: Option<BuildRecipe>,
    /// What it reads differently from the standard, by version.
    #[serde(default)]
    pub dialect: Vec<VersionDialect>,
    /// Tactics for `(check-sat-using …)`.
    #[serde(default)]
    pub tactic: Vec<SolverTactic>,
    /// Texts that mean it crashed; those of the profile `generic` count for every solver.
    #[serde(default)]
    pub crash: Vec<CrashPattern>,
    /// Texts by which it says of its own answer that it is wrong.
    #[serde(default)]
    pub self_check: Vec<SelfCheckPattern>,
    /// Texts by which it says that it has no support for something. A run that prints one has no answers and is no crash.
    #[serde(default)]
    pub unsupported: Vec<UnsupportedPattern>,
    /// Logics for which it claims to decide every problem: `unknown` is a bug there, if no limit was met.
    #[serde(default)]
    pub complete: Vec<String>,
    /// Texts of error messages outside `(error …)`; the position of such an error is unknown, so it voids all.
    #[serde(default)]
    pub error_texts: Vec<String>,
    /// Crashes and self-check messages that hold one of these texts are of no interest.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Crashes and self-check messages already reported.
    #[serde(default)]
    pub known: Vec<KnownBug>,
    /// Options whose values a campaign may vary.
    #[serde(default)]
    pub choice: Vec<OptionChoice>,
    /// Options, each by itself or several separated by blanks, under which a wrong answer is asked for once more: those under
    /// which it vanishes tell bugs apart. One that a version refuses says nothing.
    #[serde(default)]
    pub switches: Vec<String>,
}

/// What scripts may set beside the options of the standard and those of `script-options`, all of which take numbers, true and false.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptGate {
    /// Keys of further options with such values; one that ends in `*` stands for all that start so.
    pub numbers: Vec<String>,
    /// Keys of options that take words, with these.
    pub words: BTreeMap<String, Vec<String>>,
}

/// How to learn a program's version.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VersionProbe {
    /// Arguments that make it print its version and exit.
    pub args: Vec<String>,
    /// The text right before the version; empty: the first dotted number printed.
    pub prefix: String,
}

impl Default for VersionProbe {
    fn default() -> VersionProbe {
        VersionProbe { args: vec!["--version".to_string()], prefix: String::new() }
    }
}

/// Command-line options, each list appended when its purpose is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CommandOptions {
    /// Always given: what makes it read a script in SMT-LIB from its standard input, and decides nothing.
    pub base: Vec<String>,
    /// Given unless the user leaves it out ([`crate::spec::BARE`]): what the solver's own default lacks, and changes what it decides.
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

/// How a program takes its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// It reads standard input of its own accord, or because of a base option.
    #[default]
    Stdin,
    /// It wants a file name: `/dev/stdin` is given as the last argument (a memory file, no file on disk).
    File,
}

/// How a memory limit is put on a program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MemoryLimit {
    /// Which limit it bears.
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
    /// What the variant is, in a few words.
    pub about: String,
    /// Versions that have it.
    #[serde(default)]
    pub versions: VersionRange,
}

/// Where the program is found in a Python wheel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The package's name.
    pub package: String,
    /// Requirements tried in this order, `{version}` standing for the version asked for: packages number their
    /// releases a little differently from the programs in them.
    pub requirements: Vec<String>,
    /// How many numbers of the package's version are the program's, the others being those of the build; all where it is left out.
    pub numbers: Option<usize>,
    /// How the path of the program inside the wheel ends: `bin/z3`.
    pub program: Option<String>,
    /// The launcher of ours that runs the library, for a wheel without a program.
    pub launcher: Option<String>,
    /// The size of the download, roughly.
    pub megabytes: Option<u32>,
}

impl Profile {
    /// What installing it takes, in words; `None` where Squall does not install it.
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
    /// The version of the program in a package.
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

/// A way in which some versions differ from the SMT-LIB standard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VersionDialect {
    /// The versions it holds of.
    pub versions: VersionRange,
    /// What to write for a standard symbol: `"str.in_re" = "str.in.re"`.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// Standard symbols these versions do not know under any name.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Chainable standard operators that these versions take with two arguments only.
    #[serde(default)]
    pub binary_only: Vec<String>,
    /// Operators of sets that these versions take only where there are infinitely many elements, as of integers.
    #[serde(default)]
    pub infinite_only: Vec<String>,
    /// The formats of floats these versions have, as widths of exponent and significand; left out: all.
    #[serde(default)]
    pub float_formats: Vec<(u32, u32)>,
    /// Spellings these versions accept and understand wrongly; an instance that needs one has no truth for them.
    #[serde(default)]
    pub misreads: Vec<String>,
    /// Spellings of values these versions print for another value; a model that holds one is neither right nor wrong.
    #[serde(default)]
    pub miswrites: Vec<String>,
    /// Standard symbols these versions answer wrongly about, even of constants. That is a bug like any other, and
    /// campaigns may find it again; it is noted here for those who examine a version.
    #[serde(default)]
    pub wrong: Vec<String>,
}

/// A tactic for `(check-sat-using …)`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverTactic {
    /// The tactic as it is written.
    pub text: String,
    /// How often it is tried, beside the others.
    #[serde(default = "one")]
    pub weight: u32,
    /// Versions that have it.
    #[serde(default)]
    pub versions: VersionRange,
}

fn one() -> u32 {
    1
}

/// A text that means a crash.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrashPattern {
    /// The text, matched as it is, upper and lower case apart.
    pub text: String,
    /// What kind of crash it tells of.
    pub kind: CrashKind,
}

/// Kinds of crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// Died of a signal and said nothing that tells more.
    Signal,
    /// An assertion, a check of its own, or code thought unreachable.
    Assertion,
    /// A report of a sanitizer.
    Sanitizer,
    /// An uncaught exception.
    Exception,
    /// An error it calls internal.
    Internal,
    /// Its own check rejects its proof.
    Proof,
}

/// A text by which a solver says that its own answer is wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfCheckPattern {
    /// The text, matched as it is.
    pub text: String,
    /// The class of bug it is.
    pub class: BugClass,
}

/// A text by which a solver says that it has no support for something.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsupportedPattern {
    /// The text, matched as it is.
    pub text: String,
    /// What it has no support for, as [`smtlib::logic::feature`] names it: seeds with it are no more sent to a solver that said so
    /// in the same campaign. Without it, only the seed that brought the message is not.
    #[serde(default)]
    pub feature: Option<String>,
}

/// A bug already reported.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownBug {
    /// A text of its message or signature.
    pub text: String,
    /// Where it is reported.
    pub report: String,
}

/// An option whose value may be varied.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionChoice {
    /// The option as it is written, `{}` standing for the value. One that begins with `(` is a command that goes into the
    /// script, right after its logic.
    pub option: String,
    /// The values it may take.
    pub values: Vec<String>,
    /// Whether every answer must stay right whatever the value, as its developers see it: then a wrong `sat` or a wrong model
    /// counts under it, too.
    #[serde(default)]
    pub sound: bool,
    /// How much more often than another it is drawn, at least 1.
    #[serde(default = "one")]
    pub weight: u32,
    /// What the solver's project says of it.
    #[serde(default = "documented")]
    pub grade: OptionGrade,
    /// What the solver has no support for under it, by the names of [`smtlib::logic::feature`].
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
    /// The bits ([`smtlib::logic`]) of what the solver has no support for under it.
    pub fn lacked(&self) -> u32 {
        bits(&self.lacks)
    }

    /// The option with each of its values, as words of the command line or as commands.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| self.option.replace("{}", value))
    }
}

impl Profile {
    /// The program of which it is a build.
    pub fn family(&self) -> &str {
        self.family.as_deref().unwrap_or(&self.name)
    }

    /// The standard symbols these versions call otherwise, later tables of the profile winning.
    pub fn renames(&self, version: Option<&Version>) -> BTreeMap<&str, &str> {
        let tables = self.dialects(version);
        tables.flat_map(|d| d.rename.iter().map(|(from, to)| (from.as_str(), to.as_str()))).collect()
    }

    /// The differences from the standard that hold of a version.
    pub fn dialects(&self, version: Option<&Version>) -> impl Iterator<Item = &VersionDialect> {
        self.dialect.iter().filter(move |dialect| dialect.versions.contains(version))
    }

    /// Spellings that a version misreads. An unknown version may misread what any of them does.
    pub fn misreads(&self, version: Option<&Version>) -> Vec<&str> {
        let tables = self.dialect.iter().filter(|d| version.is_none() || d.versions.contains(version));
        tables.flat_map(|dialect| dialect.misreads.iter().map(String::as_str)).collect()
    }

    /// A spelling in `text`, which a version printed, that is not the value it stands for.
    pub fn miswritten<'p>(&'p self, version: Option<&Version>, text: &str) -> Option<&'p str> {
        let tables = self.dialect.iter().filter(|d| version.is_none() || d.versions.contains(version));
        miswritten(tables.flat_map(|dialect| dialect.miswrites.iter().map(String::as_str)), text)
    }

    /// A spelling in `text` that a version misreads, so that the text has no truth for it.
    pub fn misread<'p>(&'p self, version: Option<&Version>, text: &str) -> Option<&'p str> {
        misread(self.misreads(version), text)
    }

    /// The formats of floats that a version has; empty: all.
    pub fn float_formats(&self, version: Option<&Version>) -> Vec<(u32, u32)> {
        self.dialects(version).flat_map(|dialect| dialect.float_formats.iter().copied()).collect()
    }

    /// The tactics a version knows.
    pub fn tactics(&self, version: Option<&Version>) -> Vec<&str> {
        let known = self.tactic.iter().filter(|tactic| tactic.versions.contains(version));
        known.map(|tactic| tactic.text.as_str()).collect()
    }

    /// The tactics a version knows, each as often as its weight says.
    pub fn weighted_tactics(&self, version: Option<&Version>) -> Vec<&str> {
        let known = self.tactic.iter().filter(|tactic| tactic.versions.contains(version));
        known.flat_map(|tactic| std::iter::repeat_n(tactic.text.as_str(), tactic.weight as usize)).collect()
    }

    /// The bits ([`smtlib::logic`]) of what it has no support for in scripts with several checks.
    pub fn lacked_incrementally(&self) -> u32 {
        bits(&self.incremental_lacks)
    }

    /// The options that a version has, up to a grade.
    pub fn choices(&self, version: Option<&Version>, most: OptionGrade) -> impl Iterator<Item = &OptionChoice> {
        self.choice.iter().filter(move |choice| choice.grade <= most && choice.versions.contains(version))
    }

    /// Which of some options it grades experimental. One that it does not list is not.
    pub fn experimental(&self, options: &[String]) -> Vec<String> {
        let graded = self.choice.iter().filter(|choice| choice.grade == OptionGrade::Experimental);
        let listed: Vec<String> = graded.flat_map(OptionChoice::settings).collect();
        options.iter().filter(|option| listed.contains(option)).cloned().collect()
    }

    /// The modes of a version in which its command line puts it.
    pub fn modes_of(&self, version: Option<&Version>, words: &[String]) -> Vec<&PromisedMode> {
        let is_set = |mode: &&PromisedMode| mode.options.iter().all(|option| words.contains(option));
        self.mode.iter().filter(|mode| mode.versions.contains(version)).filter(is_set).collect()
    }

    /// The mode of a grade that a version has.
    ///
    /// # Errors
    /// Which versions have one, in words.
    pub fn mode_of_grade(&self, version: Option<&Version>, grade: OptionGrade) -> Result<&PromisedMode, String> {
        let graded: Vec<&PromisedMode> = self.mode.iter().filter(|mode| mode.grade == grade).collect();
        match graded.iter().find(|mode| mode.versions.contains(version)) {
            Some(mode) => Ok(mode),
            None if graded.is_empty() => Err(format!("its profile knows no mode that is {grade}")),
            None => {
                let known: Vec<String> = graded
                    .iter()
                    .map(|mode| format!("{} (versions {})", mode.options.join(" "), mode.versions))
                    .collect();
                Err(format!("this version has no mode that is {grade}; its profile knows {}", known.join(", ")))
            }
        }
    }

    /// Which of its experimental theories a script needs: `needs` are its features, `text` is itself.
    pub fn experimental_in(&self, needs: u32, text: &str) -> Vec<String> {
        self.experimental_theories.iter().filter(|theory| needs_theory(theory, needs, text)).cloned().collect()
    }

    /// The logics of which one must be named in every script; empty: all. `None` if none need be.
    pub fn logics_to_name(&self) -> Option<&[String]> {
        self.needs_logic.then_some(&self.logics)
    }

    /// Whether a version knows the command `(simplify t)`.
    pub fn knows_simplify(&self, version: Option<&Version>) -> bool {
        self.simplify.as_ref().is_some_and(|versions| versions.contains(version))
    }

    /// Whether the solver accepts a logic.
    pub fn accepts_logic(&self, logic: &str) -> bool {
        self.logics.is_empty() || self.logics.iter().any(|accepted| accepted == logic)
    }
}
