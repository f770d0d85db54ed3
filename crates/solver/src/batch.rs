//! Several scripts in one solver process, separated by `(reset)`: the start takes most of a small script's time.
//!
//! Invariant: a batch changes no verdict. An answer from a batch is used only if there was no problem with its script; each script with
//! an error, a crash, a limit or a missing answer is asked again, alone.

use crate::outcome::{self, Answer, SolverError, SolverOutcome, UNSUPPORTED};
use crate::process::{Marks, ProcessLimits, ProcessRun, RunError, RunStatus};
use crate::script::{self, unused_mark};
use crate::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The maximum number of scripts per process.
pub const MAX_BATCH: usize = 64;

/// An outcome, and its position in a shared process.
#[derive(Clone, Debug)]
pub struct Batched {
    /// The script's outcome. For a script in a shared process, time and memory are its even share.
    pub outcome: SolverOutcome,
    /// The number of scripts asked before in the same process; 0 if it was asked alone or first.
    pub predecessors: usize,
    /// Whether the script was first asked in a batch, where it had a problem, and then alone. Then `outcome` is from the second run.
    pub asked_twice: bool,
    /// How the script ended its batch (by a crash or a limit), if it did. Then it was asked again alone, and `outcome` is from the second
    /// run. A crash that did not repeat there depends on the predecessors.
    pub ended_batch: Option<BatchEnd>,
}

/// The end of a batch before its last script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEnd {
    /// How the process ended.
    pub status: RunStatus,
    /// The number of scripts asked before in that process.
    pub predecessors: usize,
}

/// The result of one process, or of several similar ones, from which [`BatchSize`] learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The number of scripts asked, at least 1.
    pub scripts: usize,
    /// The number of those that must be asked again, alone.
    pub twice: usize,
    /// The CPU time of the process.
    pub cpu: Duration,
    /// Whether a limit ended the process. Then the solver may not even have started, so the CPU time does not measure the start.
    pub cut_short: bool,
}

/// Chooses how many scripts share a process: enough to make the start cheap compared with the scripts' own work. Takes more scripts after
/// success, and fewer if most of a batch had to be asked twice.
///
/// A script that ends its process costs the same two starts for any size, since later scripts were not begun; so single crashes do not
/// reduce the size.
#[derive(Clone, Debug)]
pub struct BatchSize {
    /// The size allowed by past problems.
    size: usize,
    max: usize,
    /// The number of scripts since one had to be asked twice.
    calm: usize,
    /// The cost of a start: the CPU time of the cheapest process not ended by a limit.
    start: Option<Duration>,
    /// The cost of a script besides the start: a mean with more weight on later ones.
    script: Option<Duration>,
}

/// The initial number of scripts per process.
const FIRST_SIZE: usize = 8;
/// A start may cost at most one part in this number of a process's CPU time.
const START_SHARE: u32 = 16;
/// The maximum time of a start: if all processes took longer, they had hard scripts.
const LONGEST_START: Duration = Duration::from_millis(250);
/// The number of single scripts without problems before batches are tried again.
const CALM: usize = 16;

impl BatchSize {
    /// Starts with small batches; `max` is limited to 1 (no batches) to [`MAX_BATCH`].
    pub fn new(max: usize) -> BatchSize {
        let max = max.clamp(1, MAX_BATCH);
        BatchSize { size: max.min(FIRST_SIZE), max, calm: CALM, start: None, script: None }
    }

    /// Returns the number of scripts to ask next, at least 1.
    pub fn get(&self) -> usize {
        let (Some(start), Some(script)) = (self.start, self.script) else { return self.size };
        let enough = (start * START_SHARE).as_nanos().div_ceil(script.as_nanos().max(1));
        usize::try_from(enough).unwrap_or(usize::MAX).clamp(1, self.size)
    }

    /// Learns from a process.
    pub fn learn(&mut self, lesson: Lesson) {
        let scripts = lesson.scripts.max(1);
        let start = match lesson.cut_short {
            true => self.start,
            false => Some(self.start.unwrap_or(LONGEST_START).min(lesson.cpu)),
        };
        let work = lesson.cpu.saturating_sub(start.unwrap_or_default());
        let script = work / u32::try_from(scripts).unwrap_or(u32::MAX);
        self.start = start;
        self.script = Some(self.script.map_or(script, |mean| (mean + script) / 2));
        if lesson.twice * 2 > scripts {
            (self.size, self.calm) = ((self.size / 2).max(1), 0);
        } else if lesson.twice * 16 <= scripts {
            self.calm += scripts;
            if scripts > 1 || self.calm >= CALM {
                self.size = (self.size * 2).min(self.max);
            }
        }
    }
}

impl Lesson {
    /// Returns the result of asking some scripts by [`Solver::check_batch`].
    pub fn of(batch: &[Batched]) -> Lesson {
        let once = batch.iter().filter(|batched| !batched.asked_twice);
        let cpu = once.map(|batched| batched.outcome.cpu).sum();
        Lesson {
            scripts: batch.len(),
            twice: batch.iter().filter(|batched| batched.asked_twice).count(),
            cpu,
            cut_short: batch.iter().filter_map(|batched| batched.ended_batch.as_ref()).any(|end| end.status.is_limit()),
        }
    }
}

/// The answers of one process to several scripts.
#[derive(Clone, Debug)]
pub struct Together {
    /// The number of scripts asked, from the first; 0 if no process was started, since they cannot share one.
    pub asked: usize,
    /// The answers to completed scripts.
    pub told: Vec<SharedAnswers>,
    /// The answers to the script at which the process ended, if there is one, as far as they can be assigned to the script.
    pub last: Option<SolverOutcome>,
    /// How the process ended.
    pub status: RunStatus,
    /// Its CPU time.
    pub cpu: Duration,
}

/// The answers to a completed script.
#[derive(Clone, Debug)]
pub struct SharedAnswers {
    /// Its outcome; time and memory are its even share.
    pub outcome: SolverOutcome,
    /// Whether there was no problem. Otherwise the script must be asked again, in its own process.
    pub smooth: bool,
}

impl Solver {
    /// Asks about several scripts, in as few processes as soundness allows; the outcomes are in the order of the scripts.
    ///
    /// Scripts share a process as described for [`Solver::ask_together`]; a script with a problem is asked again alone, and those after
    /// one that ended its process are asked in a fresh one.
    /// Errors: the solver cannot be run.
    pub fn check_batch(
        &self,
        scripts: &[&str],
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<Vec<Batched>, RunError> {
        let mut outcomes: Vec<Batched> = Vec::with_capacity(scripts.len());
        let alone = |script: &str, asked_twice, ended_batch| {
            let outcome = self.check(script, purpose, limits)?;
            Ok(Batched { outcome, predecessors: 0, asked_twice, ended_batch })
        };
        while let Some(first) = scripts.get(outcomes.len()) {
            let rest = &scripts[outcomes.len()..];
            let together = self.ask_together(rest, purpose, limits)?;
            if together.asked == 0 {
                outcomes.push(alone(first, false, None)?);
                continue;
            }
            let reached = together.told.len();
            for (predecessors, told) in together.told.into_iter().enumerate() {
                outcomes.push(match told.smooth {
                    true => Batched { outcome: told.outcome, predecessors, asked_twice: false, ended_batch: None },
                    false => alone(rest[predecessors], true, None)?,
                });
            }
            if reached < together.asked {
                let end = BatchEnd { status: together.status, predecessors: reached };
                outcomes.push(alone(rest[reached], true, Some(end))?);
            }
        }
        Ok(outcomes)
    }

    /// Asks one process about as many of several scripts as can share it; none is asked again.
    ///
    /// Scripts share a process only if the profile says that `(reset)` works, and only with scripts that set the same options, since some
    /// solvers keep options over `(reset)`. The limits are those of one script: the wall-clock limit starts again with each, the others
    /// apply to the whole process. A script that reaches a limit here may not do so alone, since solvers may buffer their output.
    /// Errors: the solver cannot be run.
    pub fn ask_together(
        &self,
        scripts: &[&str],
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<Together, RunError> {
        let scripts = self.together(scripts);
        if scripts.len() < 2 {
            let (status, cpu) = (RunStatus::Exited(0), Duration::ZERO);
            return Ok(Together { asked: 0, told: Vec::new(), last: None, status, cpu });
        }
        let mark = unused_mark(&scripts);
        let mut text = String::with_capacity(scripts.iter().map(|script| script.len() + 64).sum());
        for (index, script) in scripts.iter().enumerate() {
            text.push_str(script);
            text.push_str(&format!("\n(reset)\n(echo \"{mark}{index}\")\n"));
        }
        let marks = Marks::Task { text: mark.as_bytes(), count: scripts.len() };
        let run = self.run(&text, purpose, limits, Some(marks))?;
        Ok(self.read_together(&scripts, &mark, run))
    }

    /// Assigns the output to the scripts.
    fn read_together(&self, scripts: &[&str], mark: &str, run: ProcessRun) -> Together {
        let mut rest = run.stdout.as_slice();
        let mut segments = Vec::new();
        while segments.len() < scripts.len()
            && let Some((segment, after)) = split_at_mark(rest, &format!("{mark}{}", segments.len()))
        {
            segments.push(segment);
            rest = after;
        }
        // A fatal signal after the last mark may be caused by the last script.
        if matches!(run.status, RunStatus::Signaled(_)) && segments.len() == scripts.len() {
            rest = segments.pop().unwrap_or_default();
        }
        let asked = u32::try_from((segments.len() + 1).min(scripts.len())).unwrap_or(u32::MAX).max(1);
        let share = |stdout: &[u8], stderr: Vec<u8>, status| ProcessRun {
            stdout: stdout.to_vec(),
            stderr,
            status,
            wall: run.wall / asked,
            cpu: run.cpu / asked,
            peak_rss_bytes: run.peak_rss_bytes,
        };
        let read = |script: &str, run| outcome::read(script.as_bytes(), run, self.profile(), self.generic());
        let ended = scripts.get(segments.len());
        // Lines on standard error cannot be assigned to scripts, except that a crash ends its process.
        let aside = read("", share(b"", run.stderr.clone(), RunStatus::Exited(0)));
        let quiet =
            aside.errors.is_empty() && aside.self_checks.is_empty() && (aside.crash.is_none() || ended.is_some());
        let told = |(segment, script): (&&[u8], &&str)| {
            let outcome = read(script, share(segment, Vec::new(), RunStatus::Exited(0)));
            let smooth = quiet && is_smooth(&outcome);
            SharedAnswers { outcome, smooth }
        };
        let told = segments.iter().zip(scripts).map(told).collect();
        let last = ended.map(|script| read(script, share(rest, run.stderr.clone(), run.status)));
        Together { asked: scripts.len(), told, last, status: run.status, cpu: run.cpu }
    }

    /// Returns the leading scripts that may share a process, up to the part that the solver reads.
    fn together<'a>(&self, scripts: &[&'a str]) -> Vec<&'a str> {
        if self.is_builtin() || !self.profile().reset_works {
            return Vec::new();
        }
        let mut separable = scripts.iter().take(MAX_BATCH).map_while(|script| script::separable(script));
        let Some(first) = separable.next() else { return Vec::new() };
        let others = separable.take_while(|other| other.options == first.options).map(|other| other.body);
        std::iter::once(first.body).chain(others).collect()
    }
}

fn is_smooth(outcome: &SolverOutcome) -> bool {
    let answered = |answer: Answer| answer.is_definite() || answer == Answer::Unknown;
    // An unsupported option is no problem; error messages name lines of the batch, so errors are judged only if the script is asked
    // alone.
    let harmless = |error: &SolverError| error.message == UNSUPPORTED && error.voids_from.is_none();
    outcome.errors.iter().all(harmless)
        && outcome.self_checks.is_empty()
        && outcome.crash.is_none()
        && outcome.answers.iter().all(|check| answered(check.answer))
}

/// Splits a text at the line that contains only the mark, with or without quotes.
fn split_at_mark<'a>(text: &'a [u8], mark: &str) -> Option<(&'a [u8], &'a [u8])> {
    memchr::memmem::find_iter(text, mark).find_map(|at| {
        let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        let line = text[start..end].trim_ascii();
        let word = line.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\"")).unwrap_or(line);
        (word == mark.as_bytes()).then(|| (&text[..start], &text[end..]))
    })
}
