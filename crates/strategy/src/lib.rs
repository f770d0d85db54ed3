//! Goals, tactics, tacticals and probes: decision engines orchestrated by a strategy language.

pub mod budget;
pub mod engine;
pub mod engines;

pub use budget::{Bounds, Budget, Stopped};
pub use engine::{Decision, Engine, EngineEntry, Make, Parameter, Setting, Settings};
