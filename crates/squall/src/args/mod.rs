//! How values are written on every command line.

pub mod format;
#[cfg(feature = "nats")]
pub mod nats;
pub mod paths;
pub mod quantity;
pub mod strategies;
pub mod theory;
pub mod units;
