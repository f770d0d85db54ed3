//! Files on disk: scripts found in folders, read within bounds, and results written whole or not at all.
//!
//! One rule for every subcommand: what lies *in a folder* is opened only if it is a regular file, for a pipe or device may
//! never end. A path that the *user names* may be anything, such as `/dev/stdin` or a shell's `<(command)`.

pub mod atomic;
pub mod read;
pub mod walk;

pub use read::{MAX_BYTES, named};
pub use walk::{WantedFiles, named_files, named_scripts, scripts_below};
