//! Files on disk: scripts found in folders, read within bounds, and results written whole or not at all.
//!
//! One rule for every subcommand: an entry *of a folder* is opened only if it is a regular file, for a pipe or device may
//! never end. A path that the *user names* may be anything, such as `/dev/stdin` or a shell's `<(command)`.
//!
//! A file is written whole, found again in its folder, and read:
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let script = folder.path().join("deep.smt2");
//! files::atomic::write(&script, b"(check-sat)")?;
//! files::atomic::write(&folder.path().join("notes.txt"), b"no script")?;
//!
//! let below = files::scripts_below(folder.path());
//! assert_eq!(below.scripts, [script.clone()]);
//! assert_eq!(files::named(&script)?, b"(check-sat)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod atomic;
pub mod digest;
pub mod disk_use;
pub mod inside;
pub mod read;
pub mod walk;

pub use digest::sha256;
pub use read::{MAX_BYTES, found, found_text, named};
pub use walk::{WantedFiles, named_files, named_scripts, scripts_below};
