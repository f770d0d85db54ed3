//! Solver programs: profiles, installed versions, processes, answers.

pub mod batch;
pub mod cache;
pub mod crash;
pub mod dialogue;
pub mod doctor;
pub mod frames;
pub mod install;
mod launcher;
pub mod leftovers;
pub mod misread;
mod orphan_processes;
pub mod outcome;
pub mod probe;
pub mod proc_stat;
pub mod process;
pub mod profile;
pub mod profiles;
pub mod response;
pub mod script;
pub mod series;
pub mod session;
pub mod settings;
pub mod sources;
pub mod spec;
pub mod testing;
pub mod version;
