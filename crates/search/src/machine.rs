//! The machine that runs a program: the interpreter at first, compiled code once a program has proved to be worth it, and
//! optimised code made beside a search that has turned out to be long.

use crate::interpreter::{InputScore, Interpreter};
use crate::ir::Program;
#[cfg(feature = "jit")]
use crate::jit::{CodeForm, CompileEffort, Jit};
use std::str::FromStr;
use std::sync::Arc;
#[cfg(feature = "jit")]
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// How programs are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Executor {
    /// Interpreted at first, compiled when that pays.
    #[default]
    Auto,
    /// Interpreted always.
    Interpreter,
    /// Compiled from the first execution on, where the machine and the program allow it.
    Jit,
}

impl FromStr for Executor {
    type Err = String;

    fn from_str(text: &str) -> Result<Executor, String> {
        Ok(match text {
            "auto" => Executor::Auto,
            "interpreter" => Executor::Interpreter,
            "jit" => Executor::Jit,
            _ => return Err(format!("there is no engine '{text}'; choose auto, interpreter or jit")),
        })
    }
}

/// Executions after which compiling pays: making the module costs about as much as interpreting a small program so often.
#[cfg(feature = "jit")]
const WORTH_IT: u32 = 50;

/// Executions of the fast code after which optimised code pays.
#[cfg(feature = "jit")]
const WORTH_MORE: u32 = 100_000;

/// Executions between two looks whether optimised code is ready.
#[cfg(feature = "jit")]
const LOOK_EVERY: u32 = 2_000;

/// A program ready to run.
pub struct ProgramRunner {
    interpreter: Interpreter,
    compiling: Duration,
    #[cfg(feature = "jit")]
    deadline: Option<Instant>,
    #[cfg(feature = "jit")]
    fail_fast: Tier,
    #[cfg(feature = "jit")]
    try_all: Tier,
}

/// Code and the time it took to make, if it could be made.
#[cfg(feature = "jit")]
type MeasuredCode = (Option<Jit>, Duration);

/// The code of one form, and when there will be better.
#[cfg(feature = "jit")]
struct Tier {
    form: CodeForm,
    code: Option<Jit>,
    /// Executions until something is to be done.
    left: u32,
    next: NextCode,
}

/// What is to be done to get better code.
#[cfg(feature = "jit")]
enum NextCode {
    /// Nothing: there will be none.
    Nothing,
    /// Make it here and now.
    Make(CompileEffort),
    /// Let a thread make it.
    Start,
    /// See whether the thread is done.
    Look(Receiver<MeasuredCode>),
}

#[cfg(feature = "jit")]
impl Tier {
    fn new(form: CodeForm, engine: Executor) -> Tier {
        let (left, next) = match engine {
            Executor::Auto => (WORTH_IT, NextCode::Make(CompileEffort::LEAST)),
            Executor::Interpreter => (u32::MAX, NextCode::Nothing),
            Executor::Jit => (0, NextCode::Make(CompileEffort::Thorough)),
        };
        Tier { form, code: None, left, next }
    }

    /// Counts an execution, and does what is due.
    #[inline]
    fn tick(&mut self, program: &Arc<Program>, deadline: Option<Instant>, compiling: &mut Duration) {
        if self.left == 0 {
            self.advance(program, deadline, compiling);
        } else {
            self.left -= 1;
        }
    }

    #[cold]
    fn advance(&mut self, program: &Arc<Program>, deadline: Option<Instant>, compiling: &mut Duration) {
        (self.left, self.next) = match std::mem::replace(&mut self.next, NextCode::Nothing) {
            NextCode::Nothing => (u32::MAX, NextCode::Nothing),
            NextCode::Make(effort) => {
                self.install(make(program, self.form, effort, deadline), compiling);
                // What cannot be made with little effort cannot be made with more.
                let more = effort != CompileEffort::Thorough && self.code.is_some();
                (WORTH_MORE, if more { NextCode::Start } else { NextCode::Nothing })
            }
            NextCode::Start => {
                let (give, take) = channel();
                let (program, form) = (program.clone(), self.form);
                let work = move || {
                    // The receiver is gone if the search has ended.
                    let _ = give.send(make(&program, form, CompileEffort::Thorough, deadline));
                };
                // Without a thread there is no better code.
                let started = std::thread::Builder::new().name("compiler".to_string()).spawn(work);
                (LOOK_EVERY, started.map_or(NextCode::Nothing, |_| NextCode::Look(take)))
            }
            NextCode::Look(ready) => match ready.try_recv() {
                Ok(made) => {
                    self.install(made, compiling);
                    (u32::MAX, NextCode::Nothing)
                }
                Err(TryRecvError::Empty) => (LOOK_EVERY, NextCode::Look(ready)),
                Err(TryRecvError::Disconnected) => (u32::MAX, NextCode::Nothing),
            },
        };
    }

    fn install(&mut self, (code, time): MeasuredCode, compiling: &mut Duration) {
        *compiling += time;
        if code.is_some() {
            self.code = code;
        }
    }
}

/// Compiles, unless the deadline might pass over it.
#[cfg(feature = "jit")]
fn make(program: &Arc<Program>, form: CodeForm, effort: CompileEffort, deadline: Option<Instant>) -> MeasuredCode {
    let start = Instant::now();
    let most = Duration::from_nanos(effort.nanoseconds().saturating_mul(program.nodes.len() as u64));
    let fits = deadline.is_none_or(|deadline| deadline.saturating_duration_since(start) > most);
    let code = if fits { Jit::new(program, form, effort).ok() } else { None };
    (code, start.elapsed())
}

impl ProgramRunner {
    /// A machine for a program. Nothing is compiled that might not be ready at the deadline.
    #[cfg_attr(not(feature = "jit"), allow(unused_variables))]
    pub fn new(program: Arc<Program>, engine: Executor, deadline: Option<Instant>) -> ProgramRunner {
        ProgramRunner {
            interpreter: Interpreter::new(program),
            compiling: Duration::ZERO,
            #[cfg(feature = "jit")]
            deadline,
            #[cfg(feature = "jit")]
            fail_fast: Tier::new(CodeForm::FailFast, engine),
            #[cfg(feature = "jit")]
            try_all: Tier::new(CodeForm::TryAll, engine),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        self.interpreter.program()
    }

    /// Time spent making machine code.
    pub fn compiling(&self) -> Duration {
        self.compiling
    }

    /// The interpreter beside the compiled code.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        &mut self.interpreter
    }

    /// Runs to the first false constraint.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        #[cfg(feature = "jit")]
        {
            self.fail_fast.tick(self.interpreter.program(), self.deadline, &mut self.compiling);
            if let Some(code) = &mut self.fail_fast.code {
                return code.fail_fast(input);
            }
        }
        self.interpreter.fail_fast(input)
    }

    /// Runs all constraints; see [`Interpreter::try_all`].
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        #[cfg(feature = "jit")]
        {
            self.try_all.tick(self.interpreter.program(), self.deadline, &mut self.compiling);
            if let Some(code) = &mut self.try_all.code {
                return code.try_all(input, distances);
            }
        }
        self.interpreter.try_all(input, distances)
    }
}

#[cfg(all(test, feature = "jit"))]
mod tests {
    use super::*;
    use crate::lower::lower;
    use rewrite::Stop;
    use smtlib::Store;

    fn program(text: &str) -> Arc<Program> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let assertions = parsed.script.instances().remove(0).assertions;
        match lower(&mut store, &assertions, &Stop::default()) {
            Ok(lowered) => Arc::new(lowered.program),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn nothing_is_compiled_too_late_and_better_code_takes_over() {
        let program = program("(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)");
        let input = |value: u64| {
            let mut input = program.layout.zeros();
            program.layout.set(&mut input, 0, 0, value);
            input
        };
        let run = |machine: &mut ProgramRunner| {
            for value in [3u64, 4, 5, 200] {
                let distance = value.saturating_sub(4);
                assert_eq!(machine.fail_fast(&input(value)).distance, distance, "{value}");
            }
        };
        let mut late = ProgramRunner::new(program.clone(), Executor::Jit, Some(Instant::now()));
        run(&mut late);
        assert!(late.fail_fast.code.is_none() && late.try_all.code.is_none());
        // Every tier gives the same scores; a thread makes the last, however long that takes.
        let mut machine = ProgramRunner::new(program.clone(), Executor::Auto, None);
        assert!(machine.fail_fast.code.is_none());
        while !matches!(machine.fail_fast.next, NextCode::Nothing) {
            run(&mut machine);
        }
        assert!(machine.fail_fast.code.is_some());
        run(&mut machine);
    }
}
