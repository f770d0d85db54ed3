//! Shared parts of the tests: a small campaign, and a NATS server.

#[cfg(feature = "store")]
pub mod campaign;
#[cfg(all(feature = "nats", feature = "store"))]
pub mod server;
