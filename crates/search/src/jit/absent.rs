//! The compiled code on machines without templates: none.

use super::form::CodeForm;
use crate::ir::Program;
use std::sync::Arc;

/// Code that cannot be made.
pub enum AbsentCode {}

impl AbsentCode {
    /// Returns `None`: there is no compiler for this machine.
    pub fn new(_: &Arc<Program>, _: CodeForm) -> Option<AbsentCode> {
        None
    }

    /// Never called.
    pub fn run(&mut self, _: &[u8], _: &mut [u64]) -> (u64, u64) {
        match *self {}
    }
}
