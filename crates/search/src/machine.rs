//! The machine that runs a program: the interpreter at first, compiled code once a program has proved to be worth it.

use crate::interpreter::{Interpreter, Score};
use crate::ir::Program;
#[cfg(feature = "jit")]
use crate::jit::{CodeForm, Effort, Jit};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// How programs are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Interpreted at first, compiled when that pays.
    #[default]
    Auto,
    /// Interpreted always.
    Interpreter,
    /// Compiled from the first execution on, where the machine and the program allow it.
    Jit,
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        Ok(match text {
            "auto" => Engine::Auto,
            "interpreter" => Engine::Interpreter,
            "jit" => Engine::Jit,
            _ => return Err(format!("there is no engine '{text}'; choose auto, interpreter or jit")),
        })
    }
}

/// Executions after which compiling pays: compiling an operation costs about as much as interpreting it so often.
#[cfg(feature = "jit")]
const WORTH_IT: u32 = 400;

/// Executions of the fast code after which optimised code pays.
#[cfg(feature = "jit")]
const WORTH_MORE: u32 = 100_000;

/// A program ready to run.
pub struct Machine {
    interpreter: Interpreter,
    compiling: Duration,
    #[cfg(feature = "jit")]
    fail_fast: Tier,
    #[cfg(feature = "jit")]
    try_all: Tier,
}

/// The code of one form, and when there will be better.
#[cfg(feature = "jit")]
struct Tier {
    form: CodeForm,
    code: Option<Jit>,
    /// Executions until the next compilation, and its effort; none if there will be none.
    next: Option<(u32, Effort)>,
}

#[cfg(feature = "jit")]
impl Tier {
    fn new(form: CodeForm, engine: Engine) -> Tier {
        let next = match engine {
            Engine::Auto => Some((WORTH_IT, Effort::Fast)),
            Engine::Interpreter => None,
            Engine::Jit => Some((0, Effort::Thorough)),
        };
        Tier { form, code: None, next }
    }

    /// Counts an execution, and compiles when it is time.
    #[inline]
    fn tick(&mut self, program: &Arc<Program>, compiling: &mut Duration) {
        match &mut self.next {
            None => {}
            Some((left @ 1.., _)) => *left -= 1,
            Some((0, effort)) => {
                let effort = *effort;
                self.compile(program, effort, compiling);
            }
        }
    }

    #[cold]
    fn compile(&mut self, program: &Arc<Program>, effort: Effort, compiling: &mut Duration) {
        let start = std::time::Instant::now();
        let code = Jit::new(program, self.form, effort).ok();
        self.next = match (&code, effort) {
            (Some(_), Effort::Fast) => Some((WORTH_MORE, Effort::Thorough)),
            _ => None,
        };
        if code.is_some() {
            self.code = code;
        }
        *compiling += start.elapsed();
    }
}

impl Machine {
    /// A machine for a program.
    #[cfg_attr(not(feature = "jit"), allow(unused_variables))]
    pub fn new(program: Arc<Program>, engine: Engine) -> Machine {
        Machine {
            interpreter: Interpreter::new(program),
            compiling: Duration::ZERO,
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
    pub fn fail_fast(&mut self, input: &[u8]) -> Score {
        #[cfg(feature = "jit")]
        {
            self.fail_fast.tick(self.interpreter.program(), &mut self.compiling);
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
            self.try_all.tick(self.interpreter.program(), &mut self.compiling);
            if let Some(code) = &mut self.try_all.code {
                return code.try_all(input, distances);
            }
        }
        self.interpreter.try_all(input, distances)
    }
}
