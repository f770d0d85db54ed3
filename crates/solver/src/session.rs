//! A solver ready to be asked: takes a script, returns an outcome.

use std::ffi::OsString;
use std::sync::Arc;

use crate::install::InstalledSolver;
use crate::outcome::{self, SolverOutcome};
use crate::process::{self, CancelToken, Ending, Marks, MemoryGuard, ProcessJob, ProcessLimits, ProcessRun, RunError};
use crate::profile::{Input, Profile};
use crate::profiles::Profiles;
use crate::promises::{PromisedMode, ProofReading};
use crate::response::{self, SatResponse};
use crate::script::{self, unused_mark};
use crate::spec::{BARE, Builtin, SolverSpec};

/// What a script needs from the solver beyond one answer; combine with `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SessionNeeds(u8);

impl SessionNeeds {
    /// One `check-sat`, its answer and nothing else.
    pub const SINGLE: SessionNeeds = SessionNeeds(0);
    /// Several `check-sat`, push or pop.
    pub const INCREMENTAL: SessionNeeds = SessionNeeds(1);
    /// Models and values.
    pub const MODELS: SessionNeeds = SessionNeeds(2);
    /// Unsatisfiable cores.
    pub const CORES: SessionNeeds = SessionNeeds(4);
    /// Proofs.
    pub const PROOFS: SessionNeeds = SessionNeeds(8);
    /// The solver must check its own models and proofs.
    pub const VALIDATE: SessionNeeds = SessionNeeds(16);
    /// The solver must check its proofs, if its profile says how.
    pub const CHECKED_PROOFS: SessionNeeds = SessionNeeds(32);

    /// Returns the incremental needs of a script with this number of checks. A script whose only check is on its own level has them, too.
    pub fn of_script(checks: usize, text: &str) -> SessionNeeds {
        let is_incremental = checks > 1 || text.contains("(push ");
        if is_incremental { SessionNeeds::INCREMENTAL } else { SessionNeeds::SINGLE }
    }

    /// Whether this includes everything in `other`.
    pub fn contains(self, other: SessionNeeds) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for SessionNeeds {
    type Output = SessionNeeds;

    fn bitor(self, other: SessionNeeds) -> SessionNeeds {
        SessionNeeds(self.0 | other.0)
    }
}

/// A solver that answers scripts, each in a fresh process. It can be shared between threads.
#[derive(Clone, Debug)]
pub struct Solver {
    installed: InstalledSolver,
    generic: Arc<Profile>,
    cancel: Option<CancelToken>,
    random_seed: Option<u32>,
    extra_options: Vec<String>,
    owner: Option<Arc<str>>,
    variables: Arc<[(String, String)]>,
}

impl Solver {
    /// Makes a solver found or installed by [`crate::install::Fleet`].
    pub fn new(installed: InstalledSolver, profiles: &Profiles) -> Solver {
        let generic = Arc::clone(profiles.generic());
        Solver {
            installed,
            generic,
            cancel: None,
            random_seed: None,
            extra_options: Vec::new(),
            owner: None,
            variables: Arc::default(),
        }
    }

    /// Lets `token` stop its runs.
    pub fn with_cancel(mut self, token: CancelToken) -> Solver {
        self.cancel = Some(token);
        self
    }

    /// Sets the solver's random seed (without the upper bit), if its profile knows how.
    pub fn with_random_seed(mut self, seed: u32) -> Solver {
        self.random_seed = Some(seed & 0x7fff_ffff);
        self
    }

    /// Appends options to the command line.
    pub fn with_options(mut self, options: impl IntoIterator<Item = String>) -> Solver {
        self.extra_options.extend(options);
        self
    }

    /// Marks its processes as those of `owner`, by which [`crate::leftovers::end`] finds processes left by a killed owner.
    pub fn with_owner(mut self, owner: Arc<str>) -> Solver {
        self.owner = Some(owner);
        self
    }

    /// Adds environment variables to the processes of its scripts; interactive processes do not get them.
    pub fn with_variables(mut self, variables: Vec<(String, String)>) -> Solver {
        self.variables = variables.into();
        self
    }

    /// Returns the installed program.
    pub fn installed(&self) -> &InstalledSolver {
        &self.installed
    }

    /// Returns its profile.
    pub fn profile(&self) -> &Profile {
        &self.installed.profile
    }

    /// Describes the parts of a script that do not pass the gate, one per line.
    pub fn withheld(&self, text: &str) -> Vec<String> {
        let label = self.installed.label();
        match self.profile().gate(text) {
            Ok(gated) => gated.withheld.iter().map(|command| format!("not sent to {label}: {command}")).collect(),
            Err(misleading) => vec![misleading.to_string()],
        }
    }

    /// Whether this is a built-in stand-in.
    pub fn is_builtin(&self) -> bool {
        matches!(self.installed.spec, SolverSpec::Builtin(_))
    }

    /// Runs one script in a fresh process.
    ///
    /// The solver's failures are part of the outcome.
    /// Errors: the solver could not be run.
    pub fn check(&self, text: &str, purpose: SessionNeeds, limits: &ProcessLimits) -> Result<SolverOutcome, RunError> {
        if let SolverSpec::Builtin(builtin) = self.installed.spec {
            let said = match builtin {
                Builtin::Sat => Some(SatResponse::Sat),
                Builtin::Unsat => Some(SatResponse::Unsat),
                Builtin::Unknown => Some(SatResponse::Unknown),
                Builtin::Error => None,
            };
            return Ok(SolverOutcome::uniform(script::count_checks(text.as_bytes()), said));
        }
        let run = self.run(text, purpose, limits, None)?;
        Ok(outcome::read(text.as_bytes(), run, self.profile(), &self.generic))
    }

    /// Like [`Solver::check`], for callers that need the answer and no crash at the end: returns once the last command is answered.
    /// Dropping the second value waits until the system has cleaned up the process.
    /// Errors: as [`Solver::check`].
    pub fn answer(
        &self,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<(SolverOutcome, Ending), RunError> {
        // A solver that shares a process between scripts is known to obey `echo`.
        if self.is_builtin() || !self.profile().reset_works {
            return Ok((self.check(text, purpose, limits)?, Ending::default()));
        }
        let gated = match self.profile().gate(text) {
            Ok(gated) => gated.text,
            // It gives the reason.
            Err(_) => return Ok((self.check(text, purpose, limits)?, Ending::default())),
        };
        let mark = unused_mark(&[text]);
        let marked = format!("{gated}\n(echo \"{mark}\")\n");
        let command = self.command_line(purpose, limits);
        let job = self.job(&command, &marked, limits, Some(Marks::Last(mark.as_bytes())));
        let (mut run, ending) = process::run_to_last_word(&job)?;
        // Some print the mark in quotes, and the second one may not have arrived.
        if let Some(at) = memchr::memmem::find(&run.stdout, mark.as_bytes()) {
            let line = memchr::memrchr(b'\n', &run.stdout[..at]).map_or(0, |end| end + 1);
            run.stdout.truncate(line);
        }
        Ok((outcome::read(text.as_bytes(), run, self.profile(), &self.generic), ending))
    }

    /// Runs one script in a fresh process after others: `earlier` contains them, each ended by `(reset)`. The outcome is that of the last
    /// script; errors of earlier ones are not reported.
    /// Errors: as [`Solver::check`].
    pub fn check_after(
        &self,
        earlier: &str,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<SolverOutcome, RunError> {
        if earlier.is_empty() {
            return self.check(text, purpose, limits);
        }
        let outcome = self.check(&format!("{earlier}{text}"), purpose, limits)?;
        Ok(outcome.after(script::count_checks(earlier.as_bytes())))
    }

    pub(crate) fn run(
        &self,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
        marks: Option<Marks<'_>>,
    ) -> Result<ProcessRun, RunError> {
        let text = match self.profile().gate(text) {
            Ok(gated) => gated.text,
            Err(misleading) => return Ok(ProcessRun::printed(response::error(&misleading))),
        };
        let command = self.command_line(purpose, limits);
        process::run(&self.job(&command, &text, limits, marks))
    }

    fn job<'a>(
        &'a self,
        command: &'a [OsString],
        text: &'a str,
        limits: &'a ProcessLimits,
        marks: Option<Marks<'a>>,
    ) -> ProcessJob<'a> {
        let (memory_guard, cancel) = (self.memory_guard(), self.cancel.as_ref());
        let (owner, variables) = (self.owner(), &*self.variables);
        ProcessJob {
            memory_guard,
            cancel,
            marks,
            owner,
            variables,
            ..ProcessJob::new(command, text.as_bytes(), limits)
        }
    }

    pub(crate) fn generic(&self) -> &Profile {
        &self.generic
    }

    /// Returns the command line of a run, program first; empty for a built-in.
    pub fn command_line(&self, purpose: SessionNeeds, limits: &ProcessLimits) -> Vec<OsString> {
        let mut command = self.installed.command.clone();
        if command.is_empty() {
            return command;
        }
        let profile = &*self.installed.profile;
        let options = &profile.options;
        let by_purpose = [
            (SessionNeeds::SINGLE, &options.base[..]),
            (SessionNeeds::SINGLE, self.added_options()),
            (SessionNeeds::INCREMENTAL, &options.incremental),
            (SessionNeeds::MODELS, &options.models),
            (SessionNeeds::CORES, &options.cores),
            (SessionNeeds::PROOFS, &options.proofs),
            (SessionNeeds::VALIDATE, &options.validate),
            (SessionNeeds::CHECKED_PROOFS, &options.check_proofs),
        ];
        let asked = by_purpose.into_iter().filter(|(needed, _)| purpose.contains(*needed));
        let mut words: Vec<String> = asked.flat_map(|(_, words)| words.iter().cloned()).collect();
        if let SolverSpec::Named(named) = &self.installed.spec {
            let variant = named.variant.as_ref().and_then(|variant| profile.variants.get(variant));
            words.extend(variant.into_iter().flat_map(|variant| variant.options.iter().cloned()));
        }
        if let Some(seed) = self.random_seed {
            words.extend(options.random_seed.iter().map(|option| option.replace("{seed}", &seed.to_string())));
        }
        if let (MemoryGuard::OwnOption, Some(bytes)) = (self.memory_guard(), limits.memory_bytes) {
            let mib = (bytes >> 20).max(1).to_string();
            words.extend(profile.memory.option.iter().map(|option| option.replace("{mib}", &mib)));
        }
        words.extend(self.installed.spec.options().iter().cloned());
        words.extend(self.extra_options.iter().cloned());
        words.retain(|word| word != BARE);
        if profile.input == Input::File {
            words.push("/dev/stdin".to_string());
        }
        command.extend(words.into_iter().map(OsString::from));
        command
    }

    /// Returns the options of its profile that affect answers; none if they are omitted.
    pub fn added_options(&self) -> &[String] {
        let is_bare = self.installed.spec.is_bare() || self.extra_options.iter().any(|option| option == BARE);
        if is_bare { &[] } else { &self.installed.profile.options.added }
    }

    /// Returns the modes with promises that its own command-line options select.
    pub fn promised_modes(&self) -> Vec<&PromisedMode> {
        let words = [self.installed.spec.options(), &self.extra_options].concat();
        self.profile().modes_of(self.installed.version.as_ref(), &words)
    }

    /// Whether its project promises a complete proof for every `unsat`.
    pub fn promises_proofs(&self) -> bool {
        self.promised_modes().iter().any(|mode| mode.promises_proofs)
    }

    /// Returns how the proofs of its version are read; `None` if they are not.
    pub fn proof_reading(&self) -> Option<&ProofReading> {
        let version = self.installed.version.as_ref();
        self.profile().proof.as_ref().filter(|proof| proof.versions.contains(version))
    }

    /// Returns the solver without the options of its profile.
    pub fn bare(self) -> Solver {
        self.with_options([BARE.to_string()])
    }

    /// Returns the token that stops its runs; one that nobody cancels by default.
    pub(crate) fn cancel(&self) -> CancelToken {
        self.cancel.clone().unwrap_or_default()
    }

    pub(crate) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    pub(crate) fn memory_guard(&self) -> MemoryGuard {
        self.installed.profile.memory.guard.into()
    }
}
