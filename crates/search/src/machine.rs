//! Runs a program: interpreted at first, compiled once that pays.

use crate::interpreter::{InputScore, Interpreter};
use crate::ir::Program;
use crate::jit::{self, CodeForm, Jit};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How programs are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Executor {
    /// Interpreted at first, compiled when that pays.
    #[default]
    Auto,
    /// Interpreted always.
    Interpreter,
    /// Compiled from the first execution on, if the machine and the program allow it.
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

/// The number of executions after which compiling pays: code generation costs about as much as this many interpreted runs of a small
/// program.
const WORTH_IT: u32 = 50;

/// A program ready to run.
pub struct ProgramRunner {
    interpreter: Interpreter,
    compiling: Duration,
    deadline: Option<Instant>,
    fail_fast: LazyCode,
    try_all: LazyCode,
}

/// The code of one form, compiled when that pays.
struct LazyCode {
    form: CodeForm,
    code: Option<Jit>,
    /// The number of executions until it is compiled; `None` if it will not be, or has been.
    left: Option<u32>,
}

impl LazyCode {
    fn new(form: CodeForm, engine: Executor) -> LazyCode {
        let left = match engine {
            Executor::Auto => Some(WORTH_IT),
            Executor::Interpreter => None,
            Executor::Jit => Some(0),
        };
        LazyCode { form, code: None, left }
    }

    /// Counts an interpreted execution. Returns whether it is time to compile.
    fn is_due(&mut self) -> bool {
        match self.left {
            Some(0) => {
                self.left = None;
                return true;
            }
            Some(n) => self.left = Some(n - 1),
            None => {}
        }
        false
    }

    /// Returns the code for an execution, if it runs compiled. Adds the compile time to `compiling`.
    #[inline]
    fn get(&mut self, program: &Arc<Program>, deadline: Option<Instant>, compiling: &mut Duration) -> Option<&mut Jit> {
        if self.code.is_none() && self.is_due() {
            let start = Instant::now();
            self.code = make(program, self.form, deadline);
            *compiling += start.elapsed();
        }
        self.code.as_mut()
    }
}

/// Compiles, unless the deadline might pass meanwhile.
fn make(program: &Arc<Program>, form: CodeForm, deadline: Option<Instant>) -> Option<Jit> {
    let most = Duration::from_nanos(jit::NANOSECONDS.saturating_mul(program.nodes.len() as u64));
    let fits = deadline.is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > most);
    if fits { Jit::new(program, form) } else { None }
}

impl ProgramRunner {
    /// Makes a machine for a program. Nothing is compiled that might not be ready at the deadline.
    pub fn new(program: Arc<Program>, engine: Executor, deadline: Option<Instant>) -> ProgramRunner {
        ProgramRunner {
            interpreter: Interpreter::new(program),
            compiling: Duration::ZERO,
            deadline,
            fail_fast: LazyCode::new(CodeForm::FailFast, engine),
            try_all: LazyCode::new(CodeForm::TryAll, engine),
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        self.interpreter.program()
    }

    /// Returns the compile time.
    pub fn compiling(&self) -> Duration {
        self.compiling
    }

    /// Returns the interpreter that runs next to the compiled code.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        &mut self.interpreter
    }

    /// Runs to the first false constraint.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        match self.fail_fast.get(self.interpreter.program(), self.deadline, &mut self.compiling) {
            Some(code) => code.fail_fast(input),
            None => self.interpreter.fail_fast(input),
        }
    }

    /// Runs all constraints; see [`Interpreter::try_all`].
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        match self.try_all.get(self.interpreter.program(), self.deadline, &mut self.compiling) {
            Some(code) => code.try_all(input, distances),
            None => self.interpreter.try_all(input, distances),
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/machine.rs"]
mod tests;
