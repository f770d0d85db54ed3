//! placeholder

use crate::judge::{Evidence, SolverJudge};
use crate::reducer::Report;
use crate::subject::Subject;
use solver::process::CancelToken;
use std::time::Duration;

/// Bounds.
#[derive(Default)]
pub struct Bounds { /// t
 pub time: Option<Duration> }
/// Done.
pub struct Done { /// t
 pub text: String, /// r
 pub report: Report }
/// Reduce.
pub fn reduce(_s: Subject, _j: &SolverJudge, _e: &Evidence, _b: &Bounds, _c: &CancelToken) -> Result<Done, std::io::Error> { Err(std::io::Error::other("not yet")) }
