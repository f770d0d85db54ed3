//! Several scripts in one solver process, separated by `(reset)`: starting up is most of the cost of a small script.
//!
//! Invariant: a batch changes no verdict. An answer out of a batch is taken only where everything about its script
//! went smoothly; each script with an error, a crash, a limit or a missing answer is asked again, alone.

use crate::outcome::{self, Answer, SolverError, SolverOutcome, UNSUPPORTED};
use crate::process::{Marks, ProcessLimits, ProcessRun, RunError, RunStatus};
use crate::script::{self, unused_mark};
use crate::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The largest number of scripts that share a process.
pub const MAX_BATCH: usize = 64;

/// An outcome, and whether other scripts went before in the same process.
#[derive(Clone, Debug)]
pub struct Batched {
    /// What the script came to. For a script that shared a process, time and memory are its even share.
    pub outcome: SolverOutcome,
    /// How many scripts were asked before in the same process; 0: it was asked alone or first.
    pub predecessors: usize,
    /// It was asked in a batch first, where not all went smoothly, and then alone; `outcome` is from then.
    pub asked_twice: bool,
    /// The script ended the batch (a crash or a limit) and was asked again alone; `outcome` is from then. If that
    /// crash did not repeat, it depends on the predecessors.
    pub ended_batch: Option<BatchEnd>,
}

/// How a batch ended before its last script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEnd {
    /// How the process ended.
    pub status: RunStatus,
    /// How many scripts were asked before in that process.
    pub predecessors: usize,
}

/// What one process, or some alike, came to: what [`BatchSize`] learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// How many scripts were asked, at least 1.
    pub scripts: usize,
    /// How many of them must be asked again, alone.
    pub twice: usize,
    /// The CPU time of the process.
    pub cpu: Duration,
    /// Whether a limit ended it. Then it may not even have started, and its CPU time says nothing of what starting costs.
    pub cut_short: bool,
}

/// Chooses how many scripts share a process: as many as make starting it cheap beside their own work, more while all goes
/// well, fewer after most of a batch had to be asked twice.
///
/// A script that ends its process costs the same two starts whatever the size, since what comes after it was not begun;
/// so single crashes are no reason for smaller batches.
#[derive(Clone, Debug)]
pub struct BatchSize {
    /// What trouble allows.
    size: usize,
    max: usize,
    /// Scripts since something had to be asked twice.
    calm: usize,
    /// What starting costs: the CPU time of the cheapest process seen that no limit ended.
    start: Option<Duration>,
    /// What a script costs beside that: the mean of the last ones, later ones counting more.
    script: Option<Duration>,
}

/// How many scripts share a process before anything is known.
const FIRST_SIZE: usize = 8;
/// Starting a process shall cost at most one part in so many of its CPU time.
const START_SHARE: u32 = 16;
/// No start takes longer: a process for which all took longer had a hard script.
const LONGEST_START: Duration = Duration::from_millis(250);
/// How many scripts alone without trouble it takes to try batches again.
const CALM: usize = 16;

impl BatchSize {
    /// Begins with small batches; `max` is brought between 1 (no batches) and [`MAX_BATCH`].
    pub fn new(max: usize) -> BatchSize {
        let max = max.clamp(1, MAX_BATCH);
        BatchSize { size: max.min(FIRST_SIZE), max, calm: CALM, start: None, script: None }
    }

    /// How many scripts to ask next, at least 1.
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
    /// What asking some scripts by [`Solver::check_batch`] came to.
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

/// What one process said about the scripts that it was asked together.
#[derive(Clone, Debug)]
pub struct Together {
    /// How many of the scripts it was asked, the leading ones; 0 if no process was started, since they cannot share one.
    pub asked: usize,
    /// What it said to the scripts whose end was reached.
    pub told: Vec<Told>,
    /// What it said to the script at which it ended, if there is one, as far as can be told.
    pub last: Option<SolverOutcome>,
    /// How it ended.
    pub status: RunStatus,
    /// Its CPU time.
    pub cpu: Duration,
}

/// What was said to a script whose end was reached.
#[derive(Clone, Debug)]
pub struct Told {
    /// What it came to; time and memory are its even share.
    pub outcome: SolverOutcome,
    /// Whether everything about it went smoothly. If not, only a process of its own tells what it comes to.
    pub smooth: bool,
}

impl Solver {
    /// Asks about several scripts, in as few processes as soundness allows; the outcomes come in the scripts' order.
    ///
    /// Scripts share a process as [`Solver::ask_together`] says; one about which not all went smoothly is asked again alone,
    /// and those after one that ended its process are asked in a fresh one.
    ///
    /// # Errors
    /// The solver cannot be run.
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

    /// Asks one process about several scripts, as far as they may share one; none is asked again.
    ///
    /// Scripts share a process only if the profile says that `(reset)` works, and only with scripts that set the
    /// same options: some solvers keep options over `(reset)`. The limits are those of one script: the wall-clock limit
    /// begins anew with each, the others hold for all together. What meets a limit here may not meet it alone, since
    /// nothing makes a solver hand on at once what it prints.
    ///
    /// # Errors
    /// The solver cannot be run.
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

    /// Tells what belongs to which script.
    fn read_together(&self, scripts: &[&str], mark: &str, run: ProcessRun) -> Together {
        let mut rest = run.stdout.as_slice();
        let mut segments = Vec::new();
        while segments.len() < scripts.len()
            && let Some((segment, after)) = split_at_mark(rest, &format!("{mark}{}", segments.len()))
        {
            segments.push(segment);
            rest = after;
        }
        // What dies of a signal behind the last mark may have died of the last script.
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
        // Nothing tells which script lines on standard error belong to, but that a crash ends its process.
        let aside = read("", share(b"", run.stderr.clone(), RunStatus::Exited(0)));
        let quiet =
            aside.errors.is_empty() && aside.self_checks.is_empty() && (aside.crash.is_none() || ended.is_some());
        let told = |(segment, script): (&&[u8], &&str)| {
            let outcome = read(script, share(segment, Vec::new(), RunStatus::Exited(0)));
            let smooth = quiet && is_smooth(&outcome);
            Told { outcome, smooth }
        };
        let told = segments.iter().zip(scripts).map(told).collect();
        let last = ended.map(|script| read(script, share(rest, run.stderr.clone(), run.status)));
        Together { asked: scripts.len(), told, last, status: run.status, cpu: run.cpu }
    }

    /// The leading scripts that may share a process, as far as the solver reads them.
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
    // An option that the solver does not support is no trouble; the lines that errors name are those of the batch,
    // so errors are judged only where the script stands alone.
    let harmless = |error: &SolverError| error.message == UNSUPPORTED && error.voids_from.is_none();
    outcome.errors.iter().all(harmless)
        && outcome.self_checks.is_empty()
        && outcome.crash.is_none()
        && outcome.answers.iter().all(|check| answered(check.answer))
}

/// What stands before and after the line that holds the mark alone, with or without quotes.
fn split_at_mark<'a>(text: &'a [u8], mark: &str) -> Option<(&'a [u8], &'a [u8])> {
    memchr::memmem::find_iter(text, mark).find_map(|at| {
        let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        let line = text[start..end].trim_ascii();
        let word = line.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\"")).unwrap_or(line);
        (word == mark.as_bytes()).then(|| (&text[..start], &text[end..]))
    })
}
