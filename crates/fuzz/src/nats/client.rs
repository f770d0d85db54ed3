//! The connection to a NATS server, and the streams of a campaign.

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a unit may go without a heartbeat before another worker gets it.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(30);
/// The interval between a worker's heartbeats for a unit in progress.
pub(super) const ALIVE_EVERY: Duration = Duration::from_secs(8);
/// The interval between a worker's status messages.
pub(super) const SIGN_EVERY: Duration = Duration::from_secs(10);
/// The maximum number of messages delivered and not yet acknowledged: more than all workers of a large cluster hold.
const MAX_UNACKNOWLEDGED: i64 = 65_536;
/// The maximum number of waiting requests for a unit: one per job of each worker.
const MAX_WAITING: i64 = 16_384;
/// The stream with the descriptions of campaigns; it keeps the last message of each subject.
const CAMPAIGNS: &str = "SQUALL_CAMPAIGNS";
/// Its subjects.
const ALL_CAMPAIGNS: &str = "squall.campaign.*";

/// The address of a server, and the credentials.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Its address: `nats://HOST:PORT` or `tls://HOST:PORT`, optionally with `USER:PASSWORD@` or `TOKEN@` before the host,
    /// percent-encoded as in RFC 3986; several are separated by commas.
    pub address: String,
    /// A credentials file written by the NATS tools (JWT and key).
    pub credentials: Option<PathBuf>,
    /// A PEM file with the root certificates to trust instead of the system's.
    pub roots: Option<PathBuf>,
    /// A client's certificate and key, as PEM.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Errors of the communication between machines.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// The coordinator is another build: its findings would differ from ours.
    #[error("the campaign is coordinated by squall {there}, this is squall {here}; build both from the same commit")]
    OtherBuild {
        /// The coordinator's build.
        there: String,
        /// This program's build.
        here: String,
    },
    /// There is no server.
    #[error("cannot reach NATS at '{address}': {cause}; is nats-server running there, with -js for JetStream?")]
    Unreachable {
        /// The address, without passwords.
        address: String,
        /// The client's message.
        cause: String,
    },
    /// The server requires credentials, or rejects ours.
    #[error(
        "NATS at '{address}' does not let us in ({cause}); write nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a \
         credentials file or a certificate (--nats-creds, --nats-cert)"
    )]
    NotLetIn {
        /// The address, without passwords.
        address: String,
        /// The client's message.
        cause: String,
    },
    /// No secure connection is possible.
    #[error(
        "there is no TLS connection to NATS at '{address}': {cause}; --nats-ca names the authority that signed the server's \
         certificate, --nats-cert and --nats-key the certificate it may want of us"
    )]
    Tls {
        /// The address, without passwords.
        address: String,
        /// The client's message.
        cause: String,
    },
    /// The server rejects a request.
    #[error("NATS cannot {action}: {cause}")]
    Refused {
        /// The attempted action.
        action: &'static str,
        /// The server's message.
        cause: String,
    },
    /// There is no campaign.
    #[error("there is no campaign{0} on this server; begin one with squall fuzz --coordinate …")]
    NoCampaign(String),
    /// The campaign's description is unusable.
    #[error("cannot run units of this campaign: {0}")]
    Description(#[from] super::wire::Refusal),
    /// The runtime does not start.
    #[error("cannot start the network's threads: {0}")]
    Runtime(#[from] std::io::Error),
    /// The campaign itself fails.
    #[error(transparent)]
    Campaign(#[from] crate::persist::CampaignError),
}

/// Converts an error of the client.
pub(super) fn refused<E: std::fmt::Display>(action: &'static str) -> impl FnOnce(E) -> NatsError {
    move |error| NatsError::Refused { action, cause: error.to_string() }
}

/// The credentials before the host of an address: a user's name and password, or a token.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Who {
    User(String, String),
    Token(String),
}

/// Splits an address into the part without credentials, and the credentials.
fn split(address: &str) -> (String, Option<Who>) {
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    // A password may contain an @ itself.
    let Some((who, host)) = rest.rsplit_once('@') else { return (address.to_string(), None) };
    let who = match who.split_once(':') {
        Some((user, password)) => Who::User(decoded(user), decoded(password)),
        None => Who::Token(decoded(who)),
    };
    (if scheme.is_empty() { host.to_string() } else { format!("{scheme}://{host}") }, Some(who))
}

/// Decodes `%` and two hexadecimal digits to a byte (RFC 3986, section 2.1); any other `%` is kept.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Connects; `lost` is set whenever the connection is lost, and the client reconnects by itself.
pub(super) async fn connect(
    access: &Access,
    name: &str,
    lost: Arc<AtomicBool>,
) -> Result<(Client, Context), NatsError> {
    let addresses: Vec<(String, Option<Who>)> = access.address.split(',').map(|one| split(one.trim())).collect();
    let shown = addresses.iter().map(|(address, _)| address.as_str()).collect::<Vec<_>>().join(",");
    let unreachable = |cause: String| NatsError::Unreachable { address: shown.clone(), cause };
    let mut options = ConnectOptions::new().name(name).max_reconnects(None).event_callback(move |event| {
        lost.fetch_or(event == Event::Disconnected, Ordering::Relaxed);
        std::future::ready(())
    });
    options = match addresses.iter().find_map(|(_, who)| who.clone()) {
        Some(Who::User(user, password)) => options.user_and_password(user, password),
        Some(Who::Token(token)) => options.token(token),
        None => options,
    };
    if let Some(file) = &access.credentials {
        options = options.credentials_file(file).await.map_err(|e| unreachable(format!("{}: {e}", file.display())))?;
    }
    if let Some(roots) = &access.roots {
        options = options.add_root_certificates(roots.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &access.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    let hosts: Vec<&str> = addresses.iter().map(|(address, _)| address.as_str()).collect();
    let client = options.connect(&hosts[..]).await.map_err(|error| {
        let (address, cause) = (shown.clone(), chain(&error));
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                NatsError::NotLetIn { address, cause }
            }
            ConnectErrorKind::Tls => NatsError::Tls { address, cause },
            // A server that requires our certificate says so by an alert, which the client reports as a read error; one that waited too
            // long hangs up.
            _ if ["certificate", "fatal alert", "tls handshake"].iter().any(|words| cause.contains(words)) => {
                NatsError::Tls { address, cause }
            }
            _ => NatsError::Unreachable { address, cause },
        }
    })?;
    let context = jetstream::new(client.clone());
    Ok((client, context))
}

/// Formats an error with its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let more = cause.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        next = cause.source();
    }
    words
}

/// The names of one campaign's subjects and streams.
#[derive(Clone, Debug)]
pub(super) struct SubjectNames {
    pub(super) unit: String,
    pub(super) result: String,
    pub(super) seed: String,
    pub(super) heartbeat: String,
    pub(super) campaign: String,
    units: String,
    results: String,
}

impl SubjectNames {
    /// Returns the names for a campaign's identifier, which must be hexadecimal.
    pub(super) fn of(id: &str) -> SubjectNames {
        SubjectNames {
            unit: format!("squall.{id}.unit"),
            result: format!("squall.{id}.result"),
            seed: format!("squall.{id}.seed"),
            heartbeat: format!("squall.{id}.heartbeat"),
            campaign: format!("squall.campaign.{id}"),
            units: format!("SQUALL_{id}_UNITS"),
            results: format!("SQUALL_{id}_RESULTS"),
        }
    }

    /// Returns the stream of units, creating it if needed.
    pub(super) async fn units(&self, context: &Context) -> Result<Stream, NatsError> {
        queue(context, &self.units, &self.unit).await
    }

    /// Returns the stream of results, creating it if needed.
    pub(super) async fn results(&self, context: &Context) -> Result<Stream, NatsError> {
        queue(context, &self.results, &self.result).await
    }

    /// Removes both streams at the end.
    pub(super) async fn remove(&self, context: &Context) {
        for name in [&self.units, &self.results] {
            // Leftover streams do no harm.
            let _ = context.delete_stream(name).await;
        }
    }
}

/// Returns a work queue: every message goes to one consumer, and is deleted when acknowledged.
async fn queue(context: &Context, name: &str, subject: &str) -> Result<Stream, NatsError> {
    let config = Config {
        name: name.to_string(),
        subjects: vec![subject.to_string()],
        retention: RetentionPolicy::WorkQueue,
        duplicate_window: Duration::from_secs(120),
        ..Config::default()
    };
    context.get_or_create_stream(config).await.map_err(refused("make a stream"))
}

/// Returns the single consumer of a work queue, creating it if needed.
pub(super) async fn consumer(stream: &Stream, name: &str) -> Result<PullConsumer, NatsError> {
    let config = pull::Config {
        durable_name: Some(name.to_string()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: MAX_UNACKNOWLEDGED,
        max_waiting: MAX_WAITING,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(name, config).await.map_err(refused("make a consumer"))
}

/// Returns the stream of descriptions, creating it if needed.
pub(super) async fn campaigns(context: &Context) -> Result<Stream, NatsError> {
    let config = Config {
        name: CAMPAIGNS.to_string(),
        subjects: vec![ALL_CAMPAIGNS.to_string()],
        max_messages_per_subject: 1,
        ..Config::default()
    };
    context.get_or_create_stream(config).await.map_err(refused("make a stream"))
}

/// Returns the description of a campaign, or of the one described last.
pub(super) async fn description(context: &Context, id: Option<&str>) -> Result<Vec<u8>, NatsError> {
    let none = || NatsError::NoCampaign(id.map(|id| format!(" '{id}'")).unwrap_or_default());
    let stream = context.get_stream(CAMPAIGNS).await.map_err(|_| none())?;
    let subject = id.map_or(ALL_CAMPAIGNS.to_string(), |id| SubjectNames::of(id).campaign);
    let message = stream.get_last_raw_message_by_subject(&subject).await.map_err(|_| none())?;
    Ok(message.payload.to_vec())
}

#[cfg(test)]
#[path = "../../tests/unit/client.rs"]
mod tests;
