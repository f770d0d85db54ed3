//! Options for the connection to a NATS server.

use ::fuzz::nats::Access;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Options for the connection.
#[derive(clap::Args, Clone)]
pub struct Connection {
    /// A NATS credentials file (JWT and key).
    #[arg(long, value_name = "FILE")]
    nats_creds: Option<PathBuf>,
    /// Root certificates to trust instead of the system's, as PEM.
    #[arg(long, value_name = "FILE")]
    nats_ca: Option<PathBuf>,
    /// A certificate to show to the server, as PEM.
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// The key of that certificate, as PEM.
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    nats_key: Option<PathBuf>,
}

impl Connection {
    /// How to reach the server at an address.
    /// Errors: a file does not exist.
    pub fn access(&self, address: &str) -> Result<Access> {
        for file in [&self.nats_creds, &self.nats_ca, &self.nats_cert, &self.nats_key].into_iter().flatten() {
            if !file.is_file() {
                bail!("there is no file '{}'", file.display())
            }
        }
        Ok(Access {
            address: address.to_string(),
            credentials: self.nats_creds.clone(),
            roots: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
        })
    }
}
